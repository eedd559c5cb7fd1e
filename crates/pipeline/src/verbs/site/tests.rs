use std::fs;
use std::path::Path;

use super::*;
use crate::site::{SiteCounts, Store, diff, folder, read, show};
use crate::verbs::extract::{self, Style};
use crate::{Cancel, Job, Settings};

/// Running text of words that are unique to a page.
fn words(seed: u64, n: usize) -> String {
    let mut random = dehusk_dedup::SplitMix64::new(seed);
    let mut word = || -> String {
        let mut bits = random.number();
        let mut out = String::new();
        for _ in 0..3 + bits % 5 {
            bits /= 26;
            out.push(char::from(b'a' + (bits % 26) as u8));
        }
        out
    };
    (0..n).map(|_| word()).collect::<Vec<_>>().join(" ") + "."
}

fn article(seed: u64) -> String {
    format!(
        "<body><div class=menu><a href=/>Front page</a> <a href=/x>Weather</a></div><div class=story><h1>{}</h1><p>{}</p><p>{}</p>\
         <div class=share>Tell others about it</div></div><div class=end>Printed in the old town</div></body>",
        words(seed, 4),
        words(seed + 1000, 60),
        words(seed + 2000, 50)
    )
}

fn listing(seed: u64) -> String {
    let rows: String = (0..8)
        .map(|i| {
            format!(
                "<tr><td class=what>{}</td><td class=how>{}</td></tr>",
                words(seed + 50 * i, 6),
                words(seed + 51 * i, 3)
            )
        })
        .collect();
    format!(
        "<body><table class=frame><tr><td class=side>Goods of all kinds</td><td class=goods><form><table class=list>{rows}</table>\
         </form></td></tr></table></body>"
    )
}

fn lines(pages: &[(String, String)]) -> String {
    let row =
        |(url, html): &(String, String)| serde_json::json!({"url": url, "html": html}).to_string() + "\n";
    pages.iter().map(row).collect()
}

fn learnt(dir: &Path, name: &str, pages: &[(String, String)]) -> LearnReport {
    fs::write(dir.join(name), lines(pages)).expect("written");
    with_job(&dir.join(name), |job| {
        learn(job, &dir.join("templates"), &mut |_| {}).expect("learnt")
    })
}

fn with_job<T>(input: &Path, work: impl FnOnce(&Job<'_>) -> T) -> T {
    let (inputs, settings, cancel) = ([input.display().to_string()], Settings::default(), Cancel::new());
    work(&Job::new(&inputs, &settings, &cancel))
}

fn pages(folder: &str, seeds: std::ops::Range<u64>, make: fn(u64) -> String) -> Vec<(String, String)> {
    seeds
        .map(|s| (format!("https://example.org/{folder}{s}.html"), make(s)))
        .collect()
}

fn sites(learnt: &LearnReport) -> Vec<(&str, u32, u32, u32)> {
    learnt
        .layouts
        .iter()
        .map(|of| (of.site.as_str(), of.layout, of.added, of.pages))
        .collect()
}

#[test]
fn a_site_is_learnt_and_applied() {
    let dir = tempfile::tempdir().expect("a folder");
    let got = learnt(dir.path(), "a.jsonl", &pages("news/", 1..7, article));
    assert_eq!(sites(&got), [("https://example.org/news/", 1, 6, 6)]);
    let store = Store::open(&dir.path().join("templates")).expect("templates");
    let mut new = pages("news/", 20..23, article);
    new.extend(pages("other/", 23..24, article));
    new.push(("https://example.com/news/1.html".to_owned(), article(30)));
    new.push(("https://example.org/news/odd.html".to_owned(), listing(3)));
    fs::write(dir.path().join("b.jsonl"), lines(&new)).expect("written");
    let mut out = Vec::new();
    let style = Style {
        output: Some(&crate::write::format::Jsonl),
        templates: Some(&store),
        ..Style::default()
    };
    let outcome = with_job(&dir.path().join("b.jsonl"), |job| {
        extract::write(job, style, &mut out, &mut |_| {}).expect("extracted")
    });
    let text = String::from_utf8(out).expect("text");
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect();
    // Also in another folder: layouts belong to a host.
    for (row, seed) in rows.iter().zip(20..24) {
        let text = row["text"].as_str().expect("text");
        assert_eq!(row["method"], "site");
        assert!(
            text.contains(&words(seed + 1000, 60)) && !text.contains("Tell others"),
            "{text}"
        );
    }
    assert_eq!(
        (&rows[4]["method"], &rows[5]["method"]),
        (&"default".into(), &"default".into())
    );
    assert_eq!(rows[5]["warnings"][0]["code"], "unknown-layout");
    assert_eq!(
        outcome.summary.sites,
        Some(SiteCounts {
            ruled: None,
            cut: None,
            silent: None,
            fired: Some(4),
            unknown: Some(1),
            without: Some(1)
        })
    );
}

#[test]
fn one_layout_under_many_paths_is_one_and_two_under_one_path_are_two() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut all = pages("a/", 1..3, article);
    all.extend(pages("b/", 3..5, article));
    all.extend(pages("c/", 100..107, listing));
    all.extend(pages("c/", 10..14, article));
    all.extend(pages("d/", 200..201, |seed| {
        format!("<ul class=poem><li><b>{}</b></ul>", words(seed, 30))
    }));
    all.extend([
        ("https://lonely.example/x".to_owned(), article(40)),
        ("no address".to_owned(), article(41)),
    ]);
    let got = learnt(dir.path(), "a.jsonl", &all);
    assert_eq!(
        sites(&got),
        [
            ("https://example.org/", 1, 8, 8),
            ("https://example.org/c/", 1, 7, 7)
        ]
    );
    assert_eq!((got.left_out.copies, got.left_out.alone), (0, 2));
    assert_eq!((got.without_address, got.read), (1, 18));
}

#[test]
fn dates_numbers_hashes_and_titles_in_addresses_part_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let folders = [
        "2019/03",
        "2020/07",
        "2020-08-01",
        "5f3a9c0e77ab",
        "how-one-river-rose-overnight",
        "n/48213",
    ];
    let all: Vec<(String, String)> = folders
        .iter()
        .zip(1..)
        .map(|(folder, seed)| (format!("https://example.org/{folder}/x.html"), article(seed)))
        .collect();
    let got = learnt(dir.path(), "a.jsonl", &all);
    assert_eq!(sites(&got), [("https://example.org/", 1, 6, 6)]);
    let of_one_month = pages("news/2019/03/", 1..4, article);
    let got = learnt(dir.path(), "b.jsonl", &of_one_month);
    assert_eq!(
        sites(&got),
        [("https://example.org/", 1, 3, 9)],
        "the same template"
    );
    fs::remove_dir_all(dir.path().join("templates")).expect("removed");
    let got = learnt(dir.path(), "c.jsonl", &of_one_month);
    assert_eq!(sites(&got), [("https://example.org/news/", 1, 3, 3)]);
}

#[test]
fn pages_of_an_index_stay_apart_from_the_articles() {
    let index = |seed: u64| {
        let rows: String = (0..20)
            .map(|row| {
                let (title, text) = (words(seed * 40 + row, 5), words(seed * 90 + row, 9));
                format!(
                    "<div class=teaser><h3><a href=/{row}>{title}</a></h3><section class=when><p>{text}</section></div>"
                )
            })
            .collect();
        format!(
            "<body><div class=menu><a href=/>Front page</a></div><section class=teasers>{rows}</section><div class=end>Printed</div></body>"
        )
    };
    let dir = tempfile::tempdir().expect("a folder");
    let mut all = Vec::new();
    for seed in 1..13 {
        let page = if seed % 4 == 0 { index(seed) } else { article(seed) };
        all.push((format!("https://example.org/n/{seed}.html"), page));
    }
    let got = learnt(dir.path(), "a.jsonl", &all);
    assert_eq!(
        sites(&got),
        [
            ("https://example.org/n/", 1, 9, 9),
            ("https://example.org/n/", 2, 3, 3)
        ]
    );
}

#[test]
fn copies_under_many_addresses_count_once_whatever_else_they_show() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut all = pages("n/", 1..5, article);
    for copy in 0..60 {
        let page = match copy % 2 {
            0 => article(1),
            _ => article(1)
                .replace("Weather", "Print this page")
                .replace("</h1>", " once more</h1>"),
        };
        all.push((format!("https://example.org/n/1.html?session={copy}"), page));
    }
    let got = learnt(dir.path(), "a.jsonl", &all);
    assert_eq!(sites(&got), [("https://example.org/n/", 1, 4, 4)]);
    assert_eq!((got.left_out.copies, got.left_out.beyond), (60, 0));
}

#[test]
fn a_site_is_one_whether_its_addresses_say_http_or_https() {
    let dir = tempfile::tempdir().unwrap();
    let schemes = [
        "https://example.org/",
        "http://example.org:80/",
        "http://EXAMPLE.org/",
    ];
    let page = |seed: u64| {
        let url = format!("{}n/{seed}.html", schemes[seed as usize % 3]);
        (url, article(seed))
    };
    let got = learnt(dir.path(), "a.jsonl", &(0..6).map(page).collect::<Vec<_>>());
    assert_eq!(sites(&got), [("https://example.org/n/", 1, 6, 6)]);
    // More pages extend it, under either scheme.
    let got = learnt(
        dir.path(),
        "a.jsonl",
        &(7..8).map(page).chain([page(9)]).collect::<Vec<_>>(),
    );
    assert_eq!(sites(&got), [("https://example.org/n/", 1, 2, 8)]);
    let store = Store::open(&dir.path().join("templates")).unwrap();
    for scheme in schemes {
        let url = format!("{scheme}n/40.html");
        let html = article(40);
        let got = store.extract(
            &dehusk_extract::Page::decoded(&html).with_url(Some(&url)),
            &dehusk_extract::Options::default(),
        );
        assert_eq!(got.method, "site", "{url}");
    }
    let other = dehusk_extract::Page::decoded("<p>x").with_url(Some("https://example.org:8080/n/1.html"));
    assert!(store.for_url(other.url().unwrap()).is_empty());
}

#[test]
fn a_site_of_two_pages_has_a_template() {
    let dir = tempfile::tempdir().expect("a folder");
    let got = learnt(dir.path(), "a.jsonl", &pages("", 1..3, article));
    assert_eq!(sites(&got), [("https://example.org/", 1, 2, 2)]);
    let store = Store::open(&dir.path().join("templates")).expect("templates");
    let page = dehusk_extract::site::Sample::new(
        &dehusk_extract::Page::decoded(&article(9)),
        &dehusk_extract::Options::default(),
    );
    let (template, _) = store.best_for("https://example.org/9", &page).expect("it fits");
    assert!(!page.text_of(&template.kept(&page)).contains("Tell others"));
}

#[test]
fn at_most_fifty_pages_of_a_group_count_in_any_order() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut all = pages("n/", 1..61, article);
    let got = learnt(dir.path(), "a.jsonl", &all);
    assert_eq!(sites(&got), [("https://example.org/n/", 1, 50, 50)]);
    assert_eq!(got.left_out.beyond, 10);
    let first = fs::read_to_string(&got.layouts[0].path).expect("a template");
    fs::remove_dir_all(dir.path().join("templates")).expect("removed");
    all.reverse();
    let got = learnt(dir.path(), "b.jsonl", &all);
    assert_eq!(
        fs::read_to_string(&got.layouts[0].path).expect("a template"),
        first
    );
}

#[test]
fn templates_grow_and_a_new_layout_gets_a_number() {
    let dir = tempfile::tempdir().expect("a folder");
    learnt(dir.path(), "a.jsonl", &pages("n/", 1..6, article));
    let got = learnt(dir.path(), "b.jsonl", &pages("n/", 4..9, article));
    assert_eq!(
        sites(&got),
        [("https://example.org/n/", 1, 3, 8)],
        "pages that are known count once"
    );
    let got = learnt(dir.path(), "c.jsonl", &pages("n/", 100..105, listing));
    assert_eq!(sites(&got), [("https://example.org/n/", 2, 5, 5)]);
    let (a, b) = (
        folder::file_name("https://example.org/n/", 1),
        folder::file_name("https://example.org/n/", 2),
    );
    let folder = dir.path().join("templates");
    let (a, b) = (
        read(&folder.join(a)).expect("one"),
        read(&folder.join(b)).expect("two"),
    );
    assert_eq!(diff(&a, &a), "");
    let differs = diff(&a, &b);
    assert!(
        differs.contains("- body/div.story") || differs.contains("- html/body/div.story"),
        "{differs}"
    );
    assert!(differs.contains("div.menu"), "{differs}");
    let shown = show(&a);
    assert!(
        shown.contains("https://example.org/n/ (layout 1)") && shown.contains("pages    8"),
        "{shown}"
    );
    assert!(shown.contains("\"Tell others about it\" on 8"), "{shown}");
}

#[test]
fn what_differs_is_told_once_for_each_part() {
    fn story(more: &str, share: &str, seed: u64) -> String {
        let page = article(seed).replace("class=story", &format!("class=\"story post {more}\""));
        page.replace("<div class=share>", share)
    }
    let dir = tempfile::tempdir().expect("a folder");
    let a = |seed| story("of-march", "<div class=share>", seed);
    let b = |seed| story("of-april", "<div class=tail><ul><li class=share>", seed);
    learnt(dir.path(), "a.jsonl", &pages("a/", 1..6, a));
    let mut of_b = pages("b/", 11..16, b);
    for (url, _) in &mut of_b {
        *url = url.replace("example.org", "example.com");
    }
    learnt(dir.path(), "b.jsonl", &of_b);
    let of = |site: &str| {
        read(&dir.path().join("templates").join(folder::file_name(site, 1))).expect("a template")
    };
    let (a, b) = (of("https://example.org/a/"), of("https://example.com/b/"));
    let told = diff(&a, &b);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 2, "{told}");
    assert!(
        lines[1].starts_with("- html/body/div.of-march.post.story/div.share: dropped, ")
            && lines[1].ends_with("; on 100 % of pages, 4 words on each"),
        "{told}"
    );
    assert!(
        lines[0].starts_with("+ html/body/div.of-april.post.story/div.tail: dropped, ")
            && lines[0].ends_with("; on 100 % of pages, 4 words on each; with 2 parts in it"),
        "{told}"
    );
}

#[test]
fn a_changed_layout_is_noticed() {
    let dir = tempfile::tempdir().expect("a folder");
    learnt(dir.path(), "a.jsonl", &pages("n/", 1..6, article));
    let store = Store::open(&dir.path().join("templates")).expect("templates");
    let health = |name: &str, pages: &[(String, String)]| {
        fs::write(dir.path().join(name), lines(pages)).expect("written");
        with_job(&dir.path().join(name), |job| {
            check(job, &store, &mut |_| {}).expect("checked")
        })
        .health
        .remove(0)
    };
    let well = health("b.jsonl", &pages("n/", 20..25, article));
    assert_eq!(
        (well.pages, well.fires, well.warnings.len()),
        (5, 5, 0),
        "{well:?}"
    );
    assert!(well.coverage.is_some_and(|share| share > 0.9));
    let ill = health("c.jsonl", &pages("n/", 30..35, listing));
    assert_eq!((ill.pages, ill.fires), (5, 0));
    assert!(ill.warnings[0].contains("learn anew"), "{ill:?}");
    let longer: fn(u64) -> String =
        |s| article(s).replace("<h1>", &format!("<p>{}</p><h1>", words(s + 9000, 900)));
    let changed = health("d.jsonl", &pages("n/", 40..45, longer));
    assert!(
        changed.warnings.iter().any(|w| w.contains("words of a page")),
        "{changed:?}"
    );
}

/// Pages that alone have their layout are not a sign of a change: learning leaves them out, too.
#[test]
fn checking_the_pages_that_were_learnt_from_is_quiet() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut all = pages("n/", 1..5, article);
    all.extend(pages("list/", 5..6, listing));
    let plain: fn(u64) -> String =
        |s| format!("<body><main><section><p>{}</p></section></main>", words(s, 90));
    all.extend(pages("plain/", 6..7, plain));
    // A copy is one page twice.
    all.push(("https://example.org/plain/copy.html".to_owned(), plain(6)));
    let got = learnt(dir.path(), "a.jsonl", &all);
    assert_eq!(sites(&got), [("https://example.org/n/", 1, 4, 4)]);
    assert_eq!((got.layouts[0].sure, got.layouts[0].doubt), (Some(1.0), None));
    let store = Store::open(&dir.path().join("templates")).expect("templates");
    let health = |name: &str| {
        with_job(&dir.path().join(name), |job| {
            check(job, &store, &mut |_| {}).expect("checked")
        })
        .health
        .remove(0)
    };
    let same = health("a.jsonl");
    assert!(same.warnings.is_empty(), "{same:?}");
    assert_eq!((same.pages, same.fires, same.alone), (4, 4, 3));
    // Two pages of the other layout are a layout.
    all.extend(pages("list/", 15..17, listing));
    fs::write(dir.path().join("b.jsonl"), lines(&all)).expect("written");
    let changed = health("b.jsonl");
    assert_eq!((changed.pages, changed.fires, changed.alone), (7, 4, 2));
    assert!(
        changed.warnings[0].contains("the layout has changed"),
        "{changed:?}"
    );
    // A single page of another layout does not count as a change, but its number is printed.
    fs::write(
        dir.path().join("c.jsonl"),
        lines(&pages("list/", 20..21, listing)),
    )
    .expect("written");
    let single = health("c.jsonl");
    assert_eq!((single.pages, single.alone), (0, 1));
    assert!(single.warnings[0].contains("alone has its layout"), "{single:?}");
}

#[test]
fn a_folder_without_templates_or_with_a_broken_one_is_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    assert!(
        Store::open(dir.path())
            .expect_err("empty")
            .to_string()
            .contains("no templates")
    );
    fs::write(dir.path().join("x.toml"), "format = 2\nsite = 3").expect("written");
    let error = Store::open(dir.path()).expect_err("broken");
    assert!(
        error.to_string().contains("x.toml") && error.to_string().contains("line"),
        "{error}"
    );
    assert!(Store::open(Path::new("/nowhere/at/all")).is_err());
}

#[test]
fn pages_that_do_not_fit_end_the_work_before_anything_is_written() {
    let dir = tempfile::tempdir().expect("a folder");
    let input = dir.path().join("a.jsonl");
    fs::write(&input, lines(&pages("news/", 1..7, article))).expect("written");
    let settings = Settings {
        memory: Some(crate::settings::Memory(1 << 20)),
        ..Settings::default()
    };
    let refused = with_job(&input, |job| {
        let job = Job {
            settings: &settings,
            ..*job
        };
        learn(&job, &dir.path().join("templates"), &mut |_| {})
    })
    .expect_err("too little");
    assert_eq!(refused.option(), Some("memory"), "{refused}");
    let left = fs::read_dir(dir.path().join("templates")).expect("a folder");
    let names: Vec<_> = left.map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(names, [crate::record::header::MARKER]);
}

/// Tests with manual rules.
#[cfg(feature = "rules")]
mod rules;
