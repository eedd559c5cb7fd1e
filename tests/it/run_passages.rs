//! `dehusk run --passages`

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::passages::{LICENCE, before};
use crate::support::{contents, counts_add_up, dehusk, folder, json, prose, rows, text};

/// A page of JSON Lines whose main text has these paragraphs.
pub(crate) fn page_line(id: &str, host: &str, paragraphs: &[&str]) -> String {
    let html = format!(
        "<html lang=en><title>Page {id}</title><nav><a href=/>Home</a></nav><article><h1>Page {id}</h1><p>{}</p></article>",
        paragraphs.join("</p><p>")
    );
    json!({"id": id, "url": format!("http://{host}/{id}"), "html": html}).to_string()
}

/// Runs `run --passages` over pages, and returns the folder.
pub(crate) fn ran(dir: &Path, name: &str, flags: &[&str]) -> PathBuf {
    let out = dir.join(name);
    let arguments = ["run", &text(&dir.join("pages.jsonl")), "--out", &text(&out)].map(str::to_owned);
    let flags = flags.iter().map(|flag| (*flag).to_owned());
    dehusk(arguments.into_iter().chain(flags)).exits(0);
    out
}

#[test]
fn a_run_cuts_passages_before_it_compares() {
    // The licence is most of both short pages, so that they are near-duplicates with it, and differ without it.
    let short = |seed: u64| prose(seed, 25);
    let (long, one, two) = (before(11), short(21), short(22));
    let pages = [
        page_line("long", "a.example", &[&long, LICENCE]),
        page_line("one", "a.example", &[&one, LICENCE]),
        page_line("two", "a.example", &[&two, LICENCE]),
        page_line("alone", "b.example", &[LICENCE]),
    ];
    let dir = folder(&[("pages.jsonl", &(pages.join("\n") + "\n"))]);
    let plain = ran(dir.path(), "plain", &["--threshold", "0.3"]);
    assert!(!rows(&plain.join("pairs.jsonl")).is_empty(), "{plain:?}");
    assert!(!plain.join("passages.jsonl").exists());

    let cut = ran(
        dir.path(),
        "cut",
        &[
            "--threshold",
            "0.3",
            "--passages",
            "--min-run",
            "30",
            "--repeat",
            "first",
            "--max-share",
            "0.9",
        ],
    );
    counts_add_up(&cut);
    assert!(rows(&cut.join("pairs.jsonl")).is_empty());
    let passages = rows(&cut.join("passages.jsonl"));
    assert_eq!(passages.len(), 1);
    assert_eq!(
        (&passages[0]["documents"], &passages[0]["scope"]),
        (&json!(4), &json!("hosts"))
    );
    // All documents are listed with their whole texts; places are bytes of these.
    let documents = rows(&cut.join("documents.jsonl"));
    assert_eq!(documents.len(), 4);
    for one in rows(&cut.join("occurrences.jsonl")) {
        let document = documents.iter().find(|row| row["id"] == one["document"]).unwrap();
        let place = one["start"].as_u64().unwrap() as usize..one["end"].as_u64().unwrap() as usize;
        let whole = document["text"].as_str().unwrap();
        assert_eq!(&whole[place], LICENCE.trim_end_matches('.'));
        assert!(document["repeated_share"].as_f64().unwrap() > 0.3);
        assert_eq!(document["repetition"]["duplicate_lines"], 0.0);
    }
    assert!(documents[0].get("cut").is_none(), "the first place stays");
    // The first place stays, the others are cut, and a page that was nothing else goes with its reason.
    let kept = rows(&cut.join("kept.jsonl"));
    let ids: Vec<&Value> = kept.iter().map(|row| &row["id"]).collect();
    assert_eq!(ids, ["long", "one", "two"]);
    let has_licence = |row: &Value| row["text"].as_str().unwrap().contains(LICENCE);
    assert!(has_licence(&kept[0]) && !has_licence(&kept[1]) && !has_licence(&kept[2]));
    assert!(kept[1]["text"].as_str().unwrap().contains(&one));
    let clusters = rows(&cut.join("clusters.jsonl"));
    assert_eq!(
        (&clusters[3]["kept"], &clusters[3]["reason"]),
        (&json!(false), &json!("too-much-repeated"))
    );
    let summary = json(&cut.join("summary.json"));
    assert_eq!(summary["counts"]["dropped"]["too-much-repeated"], 1);
    assert_eq!(
        (
            &summary["passages"]["passages"],
            &summary["passages"]["occurrences"]
        ),
        (&json!(1), &json!(4))
    );
    assert_eq!(summary["settings"]["passages"], "tokens");

    // Where nothing is cut, the compared texts are the same as without passages.
    let kept = ran(dir.path(), "kept", &["--threshold", "0.3", "--passages=line"]);
    assert_eq!(
        fs::read(kept.join("clusters.jsonl")).unwrap(),
        fs::read(plain.join("clusters.jsonl")).unwrap()
    );
    assert_eq!(rows(&kept.join("passages.jsonl"))[0]["unit"], "line");
    let marked = ran(
        dir.path(),
        "marked",
        &["--passages=line", "--repeat", "mark", "--threshold", "1"],
    );
    assert!(
        !rows(&marked.join("kept.jsonl"))[0]["repeated"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[test]
fn a_run_with_passages_depends_on_neither_threads_nor_memory_and_goes_on() {
    let pages: Vec<String> = (0..40_u64)
        .map(|n| {
            let (own, shared) = (prose(n, 60), prose(n % 5 + 500, 60));
            page_line(&format!("p{n}"), &format!("h{}.example", n % 3), &[&own, &shared])
        })
        .collect();
    let dir = folder(&[("pages.jsonl", &(pages.join("\n") + "\n"))]);
    let flags = ["--passages", "--min-run", "20", "--repeat", "drop"];
    let with = |more: &[&'static str]| [&flags[..], more].concat();
    let lists = |out: &Path| {
        let mut files = contents(out);
        files.remove("summary.json");
        files.remove("report.html");
        files
    };
    let first = ran(dir.path(), "first", &with(&["-j", "1"]));
    counts_add_up(&first);
    assert!(!rows(&first.join("occurrences.jsonl")).is_empty());
    for (name, more) in [
        ("threads", &["-j", "3"][..]),
        ("memory", &["-j", "2", "--memory", "96MiB"]),
    ] {
        assert!(
            lists(&ran(dir.path(), name, &with(more))) == lists(&first),
            "{name}"
        );
    }
    // A run that is complete has nothing left to do, and one with other settings is another run.
    ran(dir.path(), "first", &with(&["--resume"]));
    let input = text(&dir.path().join("pages.jsonl"));
    let out = text(&first);
    dehusk(["run", &input, "--out", &out, "--resume"])
        .exits(2)
        .says(&["`passages` was \"tokens\""]);
    let packed = ran(dir.path(), "packed", &with(&["--compress", "gzip"]));
    assert!(packed.join("documents.jsonl.gz").exists());
    // Plans name the files, and other forms of a document would keep what is cut.
    let plan = ["run", &input, "--out", "x", "--passages", "--dry-run"];
    assert!(dehusk(plan).exits(0).stdout.contains("writes passages.jsonl"));
    dehusk([
        "run",
        &input,
        "--out",
        "x",
        "--passages",
        "--repeat",
        "drop",
        "--markdown",
    ])
    .exits(2)
    .says(&["--markdown", "--repeat mark"]);
}
