//! Every page of the fixture crawl: what is expected of it, and a snapshot of what comes out.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dehusk_extract::{Options, Page, extract};
use serde::Deserialize;

#[derive(Deserialize)]
struct Expect {
    path: String,
    url: String,
    charset: Option<String>,
    language: Option<String>,
    title: Option<String>,
    author: Option<String>,
    date: Option<String>,
    site_name: Option<String>,
    description: Option<String>,
    contains: Option<Vec<String>>,
    without: Option<Vec<String>>,
}

fn crawl() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/crawl")
}

fn expectations() -> Vec<Expect> {
    let file = std::fs::read_to_string(crawl().join("expect.jsonl")).unwrap();
    file.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Expectations that `default` does not meet yet, one a line: page, field, what is missing or left in. A line that has come
/// true fails the test too, so that a gain is noticed. `UPDATE_EXPECT=1` rewrites the file.
const KNOWN_WRONG: &str = include_str!("known_wrong.tsv");

#[test]
fn pages_meet_their_expectations() {
    let mut wrong = BTreeSet::new();
    for expect in expectations() {
        let bytes = std::fs::read(crawl().join(&expect.path)).unwrap();
        let got = extract(
            &Page::new(&bytes).with_url(Some(&expect.url)),
            &Options::default(),
        );
        let text = squeeze(&got.text);
        let mut miss = |field: &str, what: &str| {
            wrong.insert(format!("{}\t{field}\t{what}", expect.path));
        };
        // The list of the crawl gives days.
        let date = got.metadata.date.as_ref();
        let date = date.and_then(|date| date.split('T').next()).map(str::to_owned);
        let fields = [
            ("language", &expect.language, &got.metadata.language),
            ("title", &expect.title, &got.metadata.title),
            ("author", &expect.author, &got.metadata.author),
            ("date", &expect.date, &date),
            ("site_name", &expect.site_name, &got.metadata.site_name),
            ("description", &expect.description, &got.metadata.description),
            ("charset", &expect.charset, &Some(got.charset.name.to_owned())),
        ];
        for (field, want, got) in fields {
            if want.is_some() && want != got {
                miss(field, &format!("{want:?}, not {got:?}"));
            }
        }
        for part in expect
            .contains
            .iter()
            .flatten()
            .filter(|p| !text.contains(&squeeze(p)))
        {
            miss("lacks", part);
        }
        for part in expect
            .without
            .iter()
            .flatten()
            .filter(|p| text.contains(&squeeze(p)))
        {
            miss("holds", part);
        }
    }
    let known: BTreeSet<String> = KNOWN_WRONG
        .lines()
        .filter(|l| !l.starts_with('#'))
        .map(str::to_owned)
        .collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let head: String = KNOWN_WRONG
            .lines()
            .take_while(|l| l.starts_with('#'))
            .map(|l| format!("{l}\n"))
            .collect();
        let body: String = wrong.iter().map(|l| format!("{l}\n")).collect();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/known_wrong.tsv");
        std::fs::write(file, head + &body).unwrap();
        return;
    }
    let new: Vec<_> = wrong.difference(&known).collect();
    let mended: Vec<_> = known.difference(&wrong).collect();
    assert!(
        new.is_empty() && mended.is_empty(),
        "new: {new:#?}\nmended (take out of known_wrong.tsv): {mended:#?}"
    );
}

#[test]
fn snapshots() {
    for expect in expectations() {
        let bytes = std::fs::read(crawl().join(&expect.path)).unwrap();
        let options = Options::default().with_markdown(true).with_links(true);
        let got = extract(&Page::new(&bytes).with_url(Some(&expect.url)), &options);
        let charset = got.charset;
        let mut out = format!(
            "method: {}\ncharset: {} ({})\n",
            got.method,
            charset.name,
            charset.source.name()
        );
        let m = &got.metadata;
        for (name, value) in [
            ("title", &m.title),
            ("author", &m.author),
            ("date", &m.date),
            ("language", &m.language),
            ("site_name", &m.site_name),
            ("description", &m.description),
        ] {
            out.push_str(&format!("{name}: {}\n", value.as_deref().unwrap_or("-")));
        }
        out.push_str(&format!(
            "kept: {} of {} characters\n",
            got.kept_chars, got.all_chars
        ));
        for warning in &got.warnings {
            out.push_str(&format!("warning: {warning}\n"));
        }
        out.push_str(&format!(
            "\n--- text\n{}\n--- markdown\n{}",
            got.text,
            got.markdown.unwrap_or_default()
        ));
        let name = expect.path.trim_end_matches(".html").replace('/', "__");
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, out);
        });
    }
}
