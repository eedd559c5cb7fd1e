//! A hostile crawl: ids, addresses and titles with markup, control codes and line ends, hosts that look like paths, folders that contain
//! themselves.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Ran, dehusk, folder, json as read_json, page, prose, rows, text};

/// Names that have an effect if they are written without escaping.
fn names() -> Vec<String> {
    let long = "i".repeat(100_000);
    [
        "\u{1b}[31mred\u{1b}[0m",
        "\u{1b}]0;title\u{7}",
        "\u{9b}31m",
        "a\nb\r\nforged: line",
        "a\tb",
        "nul\0id",
        "\u{7f}",
        "x\u{202e}exe.gnp",
        "\u{2066}iso\u{2069}",
        "\u{2028}line\u{2029}",
        "\u{feff}bom",
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)",
        "</style><script>alert(1)</script>",
        "--><b>",
        "]]>",
        "&lt;b&gt;",
        "javascript:alert(1)",
        "../../../../outside",
        "..\\..\\outside",
        "/outside",
        "C:\\outside",
        "C:outside",
        "CON",
        ".",
        "..",
        "-rf",
        "`id`",
        "$(id)",
        "%2e%2e/%00",
        "double",
        "double",
        "",
        &long,
    ]
    .map(str::to_owned)
    .to_vec()
}

/// Hosts that look like paths, options or devices, and invalid hosts.
const HOSTS: &[&str] = &[
    "../../up",
    "..",
    "a/../..",
    "\u{1b}[31m.example",
    "<b>.example",
    "C:",
    "con",
    "h:80",
    "[::1]",
    "\u{202e}.example",
    "-x",
    ".example",
    "a\nb.example",
    "%2e%2e",
];

/// Pages with hostile names, four to a host.
fn pages() -> Vec<Value> {
    let names = names();
    let of_name = (0_u64..).zip(&names).map(|(n, name)| {
        let short: String = name.chars().take(300).collect();
        let url = match n % 3 {
            0 => format!("http://h.example/{short}"),
            1 => short.clone(),
            _ => format!("javascript:alert({n})//{short}"),
        };
        let title = if n % 2 == 0 {
            short.replace('<', "&lt;")
        } else {
            short
        };
        // Every other page has a twin, so that names come into pairs and clusters.
        json!({"id": name, "url": url, "html": page(&title, &prose(n / 2, 60)), "date": name})
    });
    let of_host = (0_u64..).zip(HOSTS).flat_map(|(n, host)| {
        (0..4).map(move |k| {
            let url = format!("http://{host}/n/{k}");
            json!({"id": format!("{host}/{k}"), "url": url, "html": page("T", &prose(1000 + 4 * n + k, 60))})
        })
    });
    of_name.chain(of_host).collect()
}

fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// Whether a character does something to a terminal.
fn acts(c: char) -> bool {
    c.is_control() && c != '\n'
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What is shown to people: no name has an effect on the terminal, or begins a line of its own.
#[track_caller]
fn shown(what: &str) {
    let bad: BTreeSet<char> = what.chars().filter(|c| acts(*c) && *c != '\t').collect();
    assert!(bad.is_empty(), "{bad:?} in {what:?}");
    assert!(!what.contains("\nforged: line"), "{what}");
}

/// The tags of a page that we wrote, in lower case, without the values of their attributes. Whatever is text has no `<` there.
fn tags(html: &str) -> Vec<String> {
    let inside = html
        .split('<')
        .skip(1)
        .map(|part| part.split('>').next().unwrap_or(part));
    let without_values = |tag: &str| tag.split('"').step_by(2).collect::<String>().to_lowercase();
    inside.map(without_values).collect()
}

/// A page for people: no name is markup, and nothing is loaded or run.
#[track_caller]
fn inert(path: &Path) {
    let html = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let shown = path.display();
    for tag in tags(&html) {
        let name = tag
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        let active = [
            "script", "img", "iframe", "b", "base", "object", "embed", "form", "frame",
        ];
        assert!(!active.contains(&name) && !tag.contains('\''), "{shown}: <{tag}>");
        assert!(!tag.contains(" on") && !tag.contains(" src"), "{shown}: <{tag}>");
    }
    let lower = html.to_lowercase();
    for address in ["href=\"javascript:", "href=\"data:text", "href=\"vbscript:"] {
        assert!(!lower.contains(address), "{shown}: {address}");
    }
    let policies = lower.matches("http-equiv=\"content-security-policy\"").count();
    assert!(
        policies == 1 && lower.contains("default-src &#39;none&#39;"),
        "{shown}"
    );
    // White space of a page's text is white space there, too.
    let bad: BTreeSet<char> = html
        .chars()
        .filter(|c| acts(*c) && !c.is_ascii_whitespace())
        .collect();
    assert!(bad.is_empty(), "{bad:?} in {shown}");
}

/// The files below a folder, with those of its folders, hidden ones left out.
fn below(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(at).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            }
            found.insert(text(entry.path().strip_prefix(folder).unwrap()));
        }
    }
    found
}

pub(crate) fn says_nothing_raw(ran: Ran) -> Ran {
    shown(&ran.stderr);
    ran
}

#[test]
fn hostile_names_have_no_effect_in_reports_messages_and_file_names() {
    let all = pages();
    // Three levels down, so that `../..` would be seen.
    let dir = folder(&[("1/2/3/pages.jsonl", &lines(&all))]);
    let work = dir.path().join("1/2/3");
    let at = |name: &str| text(&work.join(name));
    let run = |arguments: &[&str]| says_nothing_raw(dehusk(arguments)).exits(0);

    run(&[
        "run",
        &at("pages.jsonl"),
        "-v",
        "--keep",
        "longest",
        "-o",
        &at("run"),
    ]);
    let summary = read_json(&work.join("run/summary.json"));
    assert_eq!(summary["counts"]["read"], all.len());
    crate::support::counts_add_up(&work.join("run"));
    inert(&work.join("run/report.html"));
    let documents = rows(&work.join("run/documents.jsonl"));
    let ids: BTreeSet<&str> = documents.iter().filter_map(|row| row["id"].as_str()).collect();
    assert_eq!(ids.len(), all.len(), "every id is there, once");
    assert!(
        names()
            .iter()
            .all(|name| name.is_empty() || ids.contains(name.as_str())),
        "ids are as they came"
    );
    assert!(
        summary["duplicates"]["clusters"].as_u64().unwrap() > 10,
        "{summary}"
    );

    for format in ["jsonl", "text", "markdown", "html", "tsv"] {
        let out = at(&format!("extracted.{format}"));
        let ran = says_nothing_raw(dehusk([
            "extract",
            &at("pages.jsonl"),
            "--output-format",
            format,
            "-o",
            &out,
        ]));
        // Formats of one page refuse many.
        assert!(matches!(ran.code, Some(0 | 2)), "{format}: {}", ran.stderr);
    }
    let documents = at("extracted.jsonl");
    run(&["dedup", &documents, "-v", "-o", &at("dedup")]);
    crate::support::counts_add_up(&work.join("dedup"));
    run(&["sign", &documents, "-o", &at("signatures.jsonl")]);
    let table = fs::read_to_string(work.join("signatures.tsv"));
    assert!(table.is_err());
    run(&[
        "sign",
        &documents,
        "--output-format",
        "tsv",
        "-o",
        &at("signatures.tsv"),
    ]);
    let table = fs::read_to_string(work.join("signatures.tsv")).unwrap();
    assert_eq!(
        table.lines().filter(|line| !line.starts_with('#')).count(),
        all.len(),
        "a row each"
    );
    run(&["normalize", &documents, "-o", &at("normalized.jsonl")]);

    run(&["index", "add", &at("index"), &documents]);
    run(&["index", "query", &at("index"), &documents]);
    run(&[
        "index",
        "remove",
        &at("index"),
        "--",
        "\u{1b}[31mred\u{1b}[0m",
        "../../../../outside",
        "-rf",
    ]);
    shown(&run(&["index", "stats", &at("index")]).stdout);

    shown(&run(&["site", "learn", &at("pages.jsonl"), "-v", "-o", &at("templates")]).stdout);
    shown(&run(&["site", "show", &at("templates")]).stdout);
    shown(&run(&["site", "export", &at("templates"), "-o", &at("rules")]).stdout);
    shown(
        &run(&[
            "site",
            "check",
            &at("pages.jsonl"),
            "--templates",
            &at("templates"),
        ])
        .stdout,
    );
    run(&[
        "run",
        &at("pages.jsonl"),
        "--templates",
        &at("templates"),
        "--rules",
        &at("rules"),
        "-o",
        &at("ruled"),
    ]);
    inert(&work.join("ruled/report.html"));

    // Nothing lies outside of what was named.
    let named = [
        "pages.jsonl",
        "run",
        "ruled",
        "dedup",
        "index",
        "templates",
        "rules",
        "extracted",
        "signatures",
        "normalized",
    ];
    for path in below(dir.path()) {
        let name = path.strip_prefix("1/2/3/").unwrap_or("");
        assert!(
            ["1", "1/2", "1/2/3"].contains(&path.as_str())
                || named.iter().any(|known| name.starts_with(known)),
            "{path}"
        );
    }
}

#[test]
fn every_hostile_page_is_explained_without_effect() {
    for row in pages().into_iter().step_by(3) {
        let dir = folder(&[("page.jsonl", &lines(&[row]))]);
        let (input, out) = (
            text(&dir.path().join("page.jsonl")),
            dir.path().join("explained.html"),
        );
        says_nothing_raw(dehusk(["explain", &input, "-o", &text(&out)])).exits(0);
        inert(&out);
    }
}

#[test]
fn hostile_sets_are_compared_without_effect() {
    let rows: Vec<Value> = (0_u64..)
        .zip(names())
        .map(|(n, name)| json!({"id": format!("{n}{name}"), "text": prose(n / 2, 60)}))
        .collect();
    let truth: Vec<Value> = (0..)
        .zip(&rows)
        .map(|(n, row)| json!({"id": row["id"], "group": (n / 2).to_string()}))
        .collect();
    let dir = folder(&[("set.jsonl", &lines(&rows)), ("truth.jsonl", &lines(&truth))]);
    let at = |name: &str| text(&dir.path().join(name));
    let title = "<script>alert(1)</script>\u{1b}[31m";
    let ran = dehusk([
        "compare",
        &at("set.jsonl"),
        "--truth",
        &at("truth.jsonl"),
        "--signature",
        "minhash",
        "--report-title",
        title,
        "--bootstrap",
        "10",
        "-o",
        &at("out"),
    ]);
    let ran = says_nothing_raw(ran).exits(0);
    shown(&ran.stdout);
    for name in below(&dir.path().join("out"))
        .iter()
        .filter(|name| name.ends_with(".html"))
    {
        inert(&dir.path().join("out").join(name));
    }
}

#[test]
#[cfg(unix)]
fn folders_that_contain_themselves_are_read_once() {
    use std::os::unix::fs::symlink;
    let forged = "in/a/e\u{1b}[31m\nforged: line<script>.html";
    let dir = folder(&[
        ("in/a/b/x.html", "<p>The river rose."),
        (forged, "<p>The town slept."),
    ]);
    let at = |name: &str| dir.path().join(name);
    symlink("..", at("in/a/b/up")).unwrap();
    symlink("../../in", at("in/a/self")).unwrap();
    symlink("loop", at("in/loop.html")).unwrap();
    symlink("loop.html", at("in/loop")).unwrap();
    symlink("/dev/zero", at("in/zero.html")).unwrap();
    symlink("missing", at("in/missing.html")).unwrap();
    let ran = says_nothing_raw(dehusk([
        "run",
        &text(&at("in")),
        "-v",
        "--max-bad",
        "100%",
        "-o",
        &text(&at("out")),
    ]))
    .exits(0);
    assert!(
        ran.stderr.contains("linked-folder") && ran.stderr.contains("special-file"),
        "{}",
        ran.stderr
    );
    let ids: BTreeSet<String> = rows(&at("out/documents.jsonl"))
        .iter()
        .map(|row| row["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        ids,
        BTreeSet::from(["a/b/x.html".to_owned(), forged[3..].to_owned()])
    );
    crate::support::counts_add_up(&at("out"));
    inert(&at("out/report.html"));
    assert_eq!(
        rows(&at("out/quarantine.jsonl")).len(),
        3,
        "links that lead nowhere are told"
    );
}
