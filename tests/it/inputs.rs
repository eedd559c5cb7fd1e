//! What became of the records of each input and each file, in `summary.json` and in the report.

use std::fs;

use serde_json::{Value, json};

use crate::support::{contents, counts_add_up, dehusk, folder, json, page, prose, text};

/// A row by the name of its file or input: read, kept, dropped, records passed over.
#[track_caller]
fn row(summary: &Value, list: &str, name: &str) -> Value {
    let field = if list == "by_file" { "file" } else { "input" };
    let rows = summary[list].as_array().expect("a list");
    let found = rows
        .iter()
        .find(|row| row[field].as_str().is_some_and(|found| found.ends_with(name)));
    let row = found.unwrap_or_else(|| panic!("no {name} in {rows:?}"));
    json!([row["read"], row["kept"], row["dropped"], row["skipped_records"]])
}

fn line(id: &str, seed: u64) -> String {
    json!({"id": id, "html": page(id, &prose(seed, 60))}).to_string() + "\n"
}

#[test]
fn a_run_accounts_for_the_records_of_each_input_and_file() {
    let warc = "WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 2\r\n\r\nGE\r\n\r\n";
    let dir = folder(&[
        ("one.jsonl", &(line("a", 1) + "oops\n" + &line("b", 2))),
        ("site/a.html", &page("c", &prose(2, 60))),
        ("site/b.html", ""),
        ("site/crawl.warc", warc),
        ("site/style.css", "x"),
        ("two.jsonl", &(line("d", 3) + &line("e", 1))),
        ("none.jsonl", ""),
    ]);
    let inputs = ["one.jsonl", "site", "two.jsonl", "none.jsonl"].map(|name| text(&dir.path().join(name)));
    let mut all = Vec::new();
    for threads in ["1", "2", "7", "16"] {
        let out = dir.path().join(format!("out{threads}"));
        let to = out.to_str().expect("UTF-8");
        let to = ["--title", "keep", "--threads", threads, "--out", to];
        let run = ["run"]
            .into_iter()
            .chain(inputs.iter().map(String::as_str))
            .chain(to);
        dehusk(run).exits(0);
        counts_add_up(&out);
        all.push(contents(&out));
    }
    assert!(all.iter().all(|other| other == &all[0]), "threads decide");

    let out = dir.path().join("out1");
    let summary = json(&out.join("summary.json"));
    let near = json!({"near-duplicate": 1});
    let by_input = |name: &str| row(&summary, "by_input", name);
    assert_eq!(by_input("one.jsonl"), json!([3, 2, {"bad-json": 1}, null]));
    assert_eq!(
        by_input("site"),
        json!([2, 0, {"empty": 1, "near-duplicate": 1}, {"request": 1}])
    );
    assert_eq!(by_input("two.jsonl"), json!([2, 1, near, null]));
    assert_eq!(by_input("none.jsonl"), json!([0, 0, {}, null]));
    let by_file = |name: &str| row(&summary, "by_file", name);
    assert_eq!(by_file("site/a.html"), json!([1, 0, near, null]));
    assert_eq!(by_file("site/b.html"), json!([1, 0, {"empty": 1}, null]));
    assert_eq!(by_file("site/crawl.warc"), json!([0, 0, {}, {"request": 1}]));
    // A row is a line, so that the lists are read and compared as such.
    let text = fs::read_to_string(out.join("summary.json")).expect("UTF-8");
    let lines = text
        .lines()
        .filter(|line| line.starts_with("    {\"input\":"))
        .count();
    assert_eq!(lines, 4 + 5, "{text}");
    let report = fs::read_to_string(out.join("report.html")).expect("UTF-8");
    assert!(report.contains("What became of each input") && report.contains("none.jsonl"));
    assert!(report.contains("Files with rejected records"));
}

#[test]
fn dedup_accounts_for_the_documents_of_each_input() {
    let document = |id: &str, seed: u64| json!({"id": id, "text": prose(seed, 60)}).to_string() + "\n";
    let dir = folder(&[
        ("old.jsonl", &(document("a", 1) + &document("b", 2))),
        (
            "new.jsonl",
            &("{}\n".to_owned() + &document("c", 1) + &document("d", 3) + &document("e", 2)),
        ),
    ]);
    let inputs = ["old.jsonl", "new.jsonl"].map(|name| text(&dir.path().join(name)));
    let out = dir.path().join("out");
    dehusk([
        "dedup",
        &inputs[0],
        &inputs[1],
        "--out",
        &text(&out),
        "--max-bad",
        "1",
    ])
    .exits(0);
    counts_add_up(&out);
    let summary = json(&out.join("summary.json"));
    assert_eq!(row(&summary, "by_input", "old.jsonl"), json!([2, 2, {}, null]));
    assert_eq!(
        row(&summary, "by_file", "new.jsonl"),
        json!([4, 1, {"exact-duplicate": 2, "missing-content": 1}, null])
    );
}

#[test]
fn a_single_input_has_no_section_of_its_own() {
    let dir = folder(&[("in/a.html", &page("a", &prose(1, 60)))]);
    let out = dir.path().join("out");
    dehusk(["run", &text(&dir.path().join("in")), "--out", &text(&out)]).exits(0);
    let report = fs::read_to_string(out.join("report.html")).expect("UTF-8");
    assert!(!report.contains("What became of each input"));
}
