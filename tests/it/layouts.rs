//! `dehusk render`, and `--layout` of `extract` and `explain`.
//!
//! Most tests use recorded layouts instead of a browser; `fixtures/layouts/README.md` describes how they are made.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Ran, dehusk, folder, text};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/layouts")
}

fn page(name: &str) -> String {
    text(&fixtures().join("pages").join(name))
}

fn rows(lines: &str) -> Vec<Value> {
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("sound"))
        .collect()
}

/// The texts of the pages of a folder by `visual`, with the names of their files.
fn visual(folder: &str, layouts: &str) -> Vec<(String, String)> {
    let ran = dehusk(["extract", folder, "--layout", layouts, "--extractor", "visual"]).exits(0);
    let text = |row: &Value, field: &str| row[field].as_str().expect("sound").to_owned();
    let name = |row: &Value| text(row, "id").rsplit('/').next().expect("sound").to_owned();
    rows(&ran.stdout)
        .iter()
        .map(|row| (name(row), text(row, "text")))
        .collect()
}

/// What `visual` has to find on the page of a fixture, and what not.
fn check(name: &str, text: &str) {
    let (has, lacks): (&[&str], &[&str]) = match name {
        "columns.html" => (
            &[
                "The weir at Ledra",
                "opened all four gates",
                "come back to the hills",
            ],
            &[
                "Sections of this paper",
                "Also in this issue",
                "printed by hand",
                "no account",
                "Jump over",
            ],
        ),
        "shop.html" => (
            &["Kettle No. 4", "beaten copper", "Weight: 840 g", "tinned by hand"],
            &[
                "made to order",
                "Others bought",
                "Prices hold",
                "count the visitors",
            ],
        ),
        _ => (
            &["The ferry is late", "sand", "Tickets that were bought"],
            &["Tides", "sorted by the boat", "More notes", "pencil"],
        ),
    };
    for part in has {
        assert!(text.contains(part), "{name}: `{part}` is not in: {text}");
    }
    for part in lacks {
        assert!(!text.contains(part), "{name}: `{part}` is in: {text}");
    }
}

#[test]
fn recorded_layouts_show_the_main_text_of_pages_without_names() {
    let layouts = text(&fixtures().join("layouts.jsonl"));
    let found = visual(&text(&fixtures().join("pages")), &layouts);
    assert_eq!(found.len(), 3);
    for (name, text) in &found {
        check(name, text);
    }
}

#[test]
fn a_layout_of_another_version_of_the_page_is_told_and_not_used() {
    let layouts = text(&fixtures().join("layouts.jsonl"));
    let html = fs::read_to_string(page("columns.html")).expect("sound");
    let dir = folder(&[("columns.html", &html.replace("midnight", "noon"))]);
    let ran = dehusk([
        "extract",
        &text(dir.path()),
        "--layout",
        &layouts,
        "--extractor",
        "visual",
    ]);
    let row = &rows(&ran.exits(0).stdout)[0];
    assert_eq!(row["warnings"][0]["code"], "layout-mismatch", "{row}");
    assert_eq!(row["text"], "");
}

#[test]
fn pages_without_a_layout_are_told_whatever_the_method() {
    let layouts = text(&fixtures().join("layouts.jsonl"));
    let original = |name: &str| fs::read_to_string(page(name)).expect("sound");
    let dir = folder(&[
        ("pages/columns.html", &original("columns.html")),
        (
            "pages/new.html",
            "<p>The ferry was early today, which nobody had thought of before.",
        ),
        (
            "pages/shop.html",
            &original("shop.html").replace("copper", "brass"),
        ),
    ]);
    let input = text(&dir.path().join("pages"));
    let ran = dehusk(["extract", &input, "--layout", &layouts]).exits(0);
    let codes: Vec<Vec<Value>> = rows(&ran.stdout)
        .iter()
        .map(|row| {
            let all = row["warnings"].as_array().expect("a list");
            all.iter().map(|warning| warning["code"].clone()).collect()
        })
        .collect();
    assert_eq!(codes, [vec![], vec!["no-layout"], vec!["layout-mismatch"]]);
    ran.says(&["1 used, 1 missing, 1 of another page or version"]);

    let out = dir.path().join("out");
    dehusk(["run", &input, "--layout", &layouts, "--out", &text(&out)]).exits(0);
    let summary = fs::read_to_string(out.join("summary.json")).expect("sound");
    let summary: Value = serde_json::from_str(&summary).expect("sound");
    let counts = serde_json::json!({ "used": 1, "missing": 1, "unfit": 1 });
    assert_eq!(summary["layouts"], counts);

    let (new, shown) = (
        text(&dir.path().join("pages/new.html")),
        text(&dir.path().join("x.html")),
    );
    dehusk(["explain", &new, "--layout", &layouts, "--out", &shown]).exits(0);
    let shown = fs::read_to_string(&shown).expect("sound");
    assert!(shown.contains("no-layout"), "{shown}");

    let ran = dehusk(["extract", &input]).exits(0);
    assert!(!ran.stdout.contains("no-layout"), "nobody gave layouts");
}

#[test]
fn files_that_are_no_layouts_are_refused() {
    let dir = folder(&[("l.jsonl", "{\"text\": 1}\n"), ("p.html", "<p>x")]);
    let at = |name: &str| text(&dir.path().join(name));
    let none = |ran: Ran, part: &str| ran.exits(2).says(&[part]);
    none(
        dehusk(["extract", &at("p.html"), "--layout", &at("l.jsonl")]),
        "line 1 of",
    );
    none(
        dehusk(["extract", &at("p.html"), "--layout", &at("none.jsonl")]),
        "none.jsonl",
    );
}

#[test]
fn an_explanation_draws_the_boxes_of_the_page() {
    let dir = folder(&[(
        "pages/columns.html",
        &fs::read_to_string(page("columns.html")).expect("sound"),
    )]);
    let out = text(&dir.path().join("x.html"));
    let input = text(&dir.path().join("pages"));
    let layouts = text(&fixtures().join("layouts.jsonl"));
    dehusk([
        "explain",
        &input,
        "--layout",
        &layouts,
        "--extractor",
        "visual",
        "--out",
        &out,
    ])
    .exits(0);
    let html = fs::read_to_string(&out).expect("sound");
    let drawing = &html[html.find("<svg class=\"drawn\"").expect("a drawing")..];
    assert!(drawing.matches("class=\"kept\"").count() >= 5, "{drawing}");
    assert!(drawing.contains("class=\"dropped\"") && drawing.contains("href=\"#b3\""));
    assert!(html.contains("blocks are not to be seen"));
    dehusk(["explain", &input, "--out", &out]).exits(0);
    assert!(
        !fs::read_to_string(&out).expect("sound").contains("<svg"),
        "without a layout nothing is drawn"
    );
}

/// Renders pages; `None` where there is no browser.
#[cfg(all(feature = "browser", unix))]
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
fn render(arguments: &[&str]) -> Option<Ran> {
    let found = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join("chromium").is_file()));
    if !found {
        assert!(std::env::var_os("CI").is_none(), "Chromium is missing");
        eprintln!("SKIPPED, nothing was tested: Chromium is missing");
        return None;
    }
    let is_root = std::process::Command::new("id")
        .arg("-u")
        .output()
        .expect("sound")
        .stdout
        == b"0\n";
    let sandbox = if is_root { &["--no-sandbox"][..] } else { &[] };
    Some(dehusk([&["render"], arguments, sandbox].concat()))
}

#[cfg(all(feature = "browser", unix))]
#[test]
fn a_browser_makes_the_layouts_that_were_recorded() {
    let dir = folder(&[]);
    let out = text(&dir.path().join("layout.jsonl.gz"));
    let pages = text(&fixtures().join("pages"));
    let Some(ran) = render(&[&pages, "--assets", &pages, "--scripts", "--out", &out]) else {
        return;
    };
    ran.exits(0).says(&["3 pages read, 3 layouts written"]);
    let found = visual(&pages, &out);
    assert_eq!(found.len(), 3);
    for (name, text) in &found {
        check(name, text);
    }
}

#[cfg(all(feature = "browser", unix))]
#[test]
fn several_browsers_write_what_one_writes() {
    let page = |i: usize| {
        format!(
            "<title>{i}</title><p>Page {i} of the crawl.<p>{}",
            "x ".repeat(40 * i)
        )
    };
    let lines =
        (0..6).map(|i| serde_json::json!({ "id": i.to_string(), "html": page(i) }).to_string() + "\n");
    // A chunk of its own for each page: threads take chunks.
    let padded = lines.map(|line| line + &" ".repeat(1 << 20) + "\n");
    let dir = folder(&[("pages.jsonl", &padded.collect::<String>())]);
    let pages = text(&dir.path().join("pages.jsonl"));
    let Some(one) = render(&[&pages]) else { return };
    let one = one.exits(0).says(&["browsers 1, 1 at once"]);
    let Some(two) = render(&[&pages, "--threads", "2"]) else {
        return;
    };
    let two = two.exits(0).says(&["browsers 2, 2 at once"]);
    assert_eq!(rows(&one.stdout).len(), 6);
    assert_eq!(one.stdout, two.stdout);
}

#[cfg(all(feature = "browser", unix))]
#[test]
fn a_page_that_is_too_much_is_rejected_and_the_others_are_not() {
    let many = "<p>x".repeat(200);
    let dir = folder(&[("a.html", "<p>one"), ("b.html", &many), ("c.html", "<p>three")]);
    let pages = text(dir.path());
    let Some(ran) = render(&[&pages, "--render-elements", "100", "--max-bad", "1"]) else {
        return;
    };
    let ran = ran.exits(0).says(&["unrendered", "more than 100 elements"]);
    assert_eq!(rows(&ran.stdout).len(), 2);
}
