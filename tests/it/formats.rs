//! Files as version 0.1.0 wrote them, which every later version reads: templates, rules, an index with weights of its documents,
//! statistics, layouts, lists in JSON Lines and in Parquet, and the folder of a run with its summary. They lie in `fixtures/formats/0.1.0`.
//! Journals are read by the version that wrote them alone (`resume.rs`).
//!
//! Until that version is released, `UPDATE_EXPECT=1` rewrites them where a format changes; from then on a new format gets a folder of its
//! own, and these stay.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{command, dehusk, folder, page, prose, rows, text};

fn stored() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/formats/0.1.0")
}

/// Pages of one site, of one layout, each with a text of its own.
fn pages() -> String {
    let page = |n: u64| {
        let html = page(&format!("Story {n}"), &prose(n, 80));
        serde_json::json!({"id": n, "url": format!("https://herald.example/{n}"), "html": html}).to_string()
            + "\n"
    };
    (0..8).map(page).collect()
}

const DOCUMENTS: u64 = 6;

fn documents() -> String {
    let line = |n: u64| serde_json::json!({"id": format!("d{n}"), "text": prose(n, 80)}).to_string() + "\n";
    (0..DOCUMENTS).map(line).collect()
}

/// Templates of each version of their format, which all later versions read.
#[test]
fn templates_of_every_format_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/formats/templates");
    let mut versions: Vec<String> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| text(&entry.expect("an entry").path()))
        .collect();
    versions.sort();
    assert!(!versions.is_empty());
    for file in versions {
        let shown = dehusk(["site", "show", &file]).exits(0).stdout;
        assert!(
            shown.contains("main text") && shown.contains("pages    8"),
            "{file}: {shown}"
        );
    }
}

/// Writes the files again, by the program itself.
fn write(to: &Path) {
    if to.exists() {
        fs::remove_dir_all(to).expect("it can be removed");
    }
    fs::create_dir_all(to).expect("a folder");
    let at = |name: &str| text(&to.join(name));
    fs::write(to.join("pages.jsonl"), pages()).expect("a file");
    fs::write(to.join("documents.jsonl"), documents()).expect("a file");
    dehusk(["site", "learn", &at("pages.jsonl"), "--out", &at("templates")]).exits(0);
    dehusk(["site", "export", &at("templates"), "--out", &at("rules")]).exits(0);
    // The second time every document counts for the one that is there, so that the index has a file of weights.
    for _ in 0..2 {
        dehusk(["index", "add", &at("index"), &at("documents.jsonl")]).exits(0);
    }
    let out = folder(&[]);
    let clean = text(&out.path().join("clean"));
    // Documents name their file as it was given: a path from the folder, since a whole one would be that of one machine.
    let ran = command()
        .args([
            "run",
            "pages.jsonl",
            "--output-format",
            "parquet",
            "--out",
            &clean,
        ])
        .current_dir(to)
        .status();
    assert!(ran.is_ok_and(|status| status.success()));
    let lists = text(&out.path().join("lists"));
    let ran = command()
        .args(["run", "pages.jsonl", "--content", "--out", &lists])
        .current_dir(to)
        .status();
    assert!(ran.is_ok_and(|status| status.success()));
    fs::create_dir_all(to.join("run")).expect("a folder");
    for name in ["kept.jsonl", "summary.json"] {
        fs::copy(Path::new(&lists).join(name), to.join("run").join(name)).expect("a file");
    }
    let stats = at("stats.dehusk");
    dehusk([
        "dedup",
        &at("documents.jsonl"),
        "--signature",
        "tf-idf",
        "--save-stats",
        &stats,
        "--out",
        &text(&out.path().join("unique")),
    ])
    .exits(0);
    fs::copy(
        out.path().join("clean/documents.parquet"),
        to.join("documents.parquet"),
    )
    .expect("a file");
    // What a lock leaves behind is not a format.
    for folder in ["index", "templates"] {
        let _ = fs::remove_file(to.join(folder).join(".dehusk-lock"));
    }
}

#[test]
#[cfg(all(feature = "parquet", feature = "rules"))]
fn files_of_version_0_1_0_are_read() {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        write(&stored());
    }
    // Some verbs lock folders that they read.
    let dir = folder(&[]);
    copy(&stored(), dir.path());
    let at = |name: &str| text(&dir.path().join(name));
    let (pages, lines) = (at("pages.jsonl"), at("documents.jsonl"));

    let shown = dehusk(["site", "show", &at("templates")]).exits(0).stdout;
    assert!(shown.contains("herald.example"), "{shown}");
    let by = |flag: &str, folder: &str| {
        let out = at("extracted.jsonl");
        dehusk(["extract", &pages, flag, &at(folder), "--out", &out]).exits(0);
        rows(Path::new(&out))
            .iter()
            .map(|row| row["method"].as_str().expect("a name").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(by("--templates", "templates"), vec!["site"; 8]);
    assert_eq!(by("--rules", "rules"), vec!["rules"; 8]);

    let found = dehusk(["index", "query", &at("index"), &lines]).exits(0).stdout;
    assert_eq!(found.lines().count() as u64, DOCUMENTS);
    for line in found.lines() {
        let answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(answer["matches"][0]["id"], answer["id"], "{line}");
    }
    let listed = dehusk(["index", "list", &at("index")]).exits(0).stdout;
    assert_eq!(
        listed.matches("\"cluster_size\":2,\"copies\":2}").count() as u64,
        DOCUMENTS,
        "{listed}"
    );
    let out = at("out");
    // The summary beside a list is its header, which is checked.
    dehusk(["dedup", &at("run/kept.jsonl"), "--out", &out]).exits(0);
    let kept = rows(&dir.path().join("out/kept.jsonl"));
    assert_eq!(kept.len(), 8);
    assert!(kept.iter().all(|row| row["content"]["version"] == 1), "{kept:?}");
    let signed = [
        "dedup",
        &lines,
        "--signature",
        "tf-idf",
        "--stats",
        &at("stats.dehusk"),
        "--out",
        &out,
    ];
    dehusk(signed).exits(0);
    dehusk(["dedup", &at("documents.parquet"), "--out", &out]).exits(0);
    let kept = rows(&dir.path().join("out/kept.jsonl"));
    assert_eq!(kept.len(), 8);
    assert!(kept.iter().all(|row| row["source"] == "pages.jsonl"), "{kept:?}");
    dehusk([
        "extract",
        &text(&stored().join("../../layouts/pages")),
        "--layout",
        &text(&stored().join("../../layouts/layouts.jsonl")),
    ])
    .exits(0);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("`UPDATE_EXPECT=1` writes the files") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a file");
        }
    }
}
