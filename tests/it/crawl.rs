//! The chain over the crawl among the fixtures.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{contents, counts_add_up, dehusk, json, partition, rows, text};

/// How many of its pages are rejected: an attachment is compressed.
const COMPRESSED: &str = "1";

fn crawl() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/crawl")
}

/// What is expected of each page, by its path. An image that is named as a page is passed over.
fn expected() -> BTreeMap<String, Value> {
    let is_image = |row: &Value| {
        let path = crawl().join(row["path"].as_str().expect("a path"));
        fs::read(path).expect("a page").starts_with(b"\x89PNG")
    };
    rows(&crawl().join("expect.jsonl"))
        .into_iter()
        .filter(|row| !is_image(row))
        .map(|row| (row["path"].as_str().expect("a path").to_owned(), row))
        .collect()
}

#[test]
fn every_page_is_accounted_for_and_groups_hold_together() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let (pages, written) = (text(&crawl()), text(&out));
    dehusk([
        "run",
        &pages,
        "--threshold",
        "0.6",
        "--max-bad",
        COMPRESSED,
        "--out",
        &written,
    ])
    .exits(0);
    counts_add_up(&out);
    let expected = expected();
    let documents: BTreeMap<String, Value> = rows(&out.join("documents.jsonl"))
        .into_iter()
        .map(|row| (row["id"].as_str().unwrap().to_owned(), row))
        .collect();
    let rejected = rows(&out.join("quarantine.jsonl"));
    assert_eq!(rejected.len().to_string(), COMPRESSED);
    let named: BTreeSet<&str> = documents
        .keys()
        .map(String::as_str)
        .chain(rejected.iter().filter_map(|row| {
            assert_eq!(row["reason"], "compressed", "{row}");
            row["id"].as_str()
        }))
        .collect();
    assert!(expected.keys().eq(named), "documents are named by their paths");
    for (path, page) in &expected {
        let Some(document) = documents.get(path) else {
            continue;
        };
        if let Some(charset) = page["charset"].as_str() {
            assert_eq!(document["charset"], charset, "{path}");
        }
    }
    // Pages of different groups are never duplicates, except for pages whose extracted text is only boilerplate.
    let partition = partition(&out);
    let mut clusters: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (id, (cluster, ..)) in &partition {
        let page = &expected[id];
        if page["kind"] != "empty" {
            clusters
                .entry(cluster)
                .or_default()
                .insert(page["group"].as_str().unwrap_or(id));
        }
    }
    for (cluster, groups) in &clusters {
        assert_eq!(groups.len(), 1, "{cluster}: {groups:?}");
    }
    let summary = json(&out.join("summary.json"));
    assert_eq!(summary["counts"]["read"], expected.len());
    assert_eq!(summary["skipped_records"]["image"], 1);
    assert!(
        summary["duplicates"]["clusters"].as_u64().unwrap() >= 7,
        "{summary}"
    );
}

#[test]
fn bytes_do_not_depend_on_threads() {
    let dir = tempfile::tempdir().unwrap();
    let run = |threads: &str| {
        let out = dir.path().join(threads);
        dehusk([
            "run",
            &text(&crawl()),
            "--threads",
            threads,
            "--blocks",
            "--markdown",
            "--max-bad",
            COMPRESSED,
            "--out",
            &text(&out),
        ])
        .exits(0);
        contents(&out)
    };
    let one = run("1");
    for threads in ["2", "7"] {
        let other = run(threads);
        for (name, bytes) in &one {
            assert_eq!(other.get(name), Some(bytes), "{name} with {threads} threads");
        }
    }
}

#[test]
fn the_list_of_expectations_is_itself_an_input() {
    // Its lines name the pages by `path` and bring their addresses; what else they say is carried along.
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let (list, written) = (text(&crawl().join("expect.jsonl")), text(&out));
    dehusk(["run", &list, "--max-bad", COMPRESSED, "--out", &written]).exits(0);
    let documents = rows(&out.join("documents.jsonl"));
    let rejected = rows(&out.join("quarantine.jsonl"));
    // The list names a picture under the name of a page, too, which is passed over in a folder.
    assert_eq!(documents.len() + rejected.len(), expected().len() + 1);
    for document in &documents {
        assert_eq!(document["id"], document["url"]);
        assert!(document["extra"]["kind"].is_string());
    }
}
