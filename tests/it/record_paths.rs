//! Records that name files: which files a list from a stranger may read.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{
    Ran, command, counts_add_up, dehusk, dehusk_reading, folder, page, prose, rows, text, wait_until,
};

/// A list in `lists`, a page beside it, one elsewhere, and a secret.
fn crawl() -> tempfile::TempDir {
    let text = |n| page(&format!("Page {n}"), &prose(n, 80));
    let dir = folder(&[
        ("lists/near/a.html", &text(1)),
        ("elsewhere/b.html", &text(2)),
        ("secret.html", &page("Secret", &prose(3, 80))),
    ]);
    symlink("../secret.html", dir.path().join("lists/link.html")).expect("a link");
    symlink("near/a.html", dir.path().join("lists/inner.html")).expect("a link");
    pipe(&dir.path().join("lists/pipe.html"));
    dir
}

fn pipe(path: &Path) {
    assert!(
        Command::new("mkfifo")
            .arg(path)
            .status()
            .expect("`mkfifo`")
            .success()
    );
}

fn list(paths: &[&str]) -> String {
    paths
        .iter()
        .map(|path| format!("{}\n", json!({ "path": path })))
        .collect()
}

/// Reasons by id of what was rejected, and ids of documents.
fn outcome(out: &Path) -> (Vec<String>, Vec<(String, String)>) {
    let id = |row: &Value| row["id"].as_str().expect("an id").to_owned();
    let documents = rows(&out.join("documents.jsonl")).iter().map(id).collect();
    let rejected = rows(&out.join("quarantine.jsonl"));
    let rejected = rejected
        .iter()
        .map(|row| (id(row), row["reason"].as_str().expect("a reason").to_owned()));
    (documents, rejected.collect())
}

#[test]
fn a_path_is_read_below_the_folder_of_its_list_alone() {
    let dir = crawl();
    let absolute = text(&dir.path().join("secret.html"));
    let paths = [
        "near/a.html",
        "./near/../near/a.html",
        "inner.html",
        "../secret.html",
        &absolute,
        "link.html",
        "near/../../secret.html",
        "../none.html",
        "/etc/passwd",
        "/proc/kmsg",
        "/dev/zero",
        "none.html",
        "pipe.html",
        "near",
    ];
    let list_path = dir.path().join("lists/pages.jsonl");
    fs::write(&list_path, list(&paths)).unwrap();
    for more in [&["--threads", "1"][..], &["--threads", "3"], &["--in-process"]] {
        let out = dir.path().join("out");
        let run = [
            "run",
            &text(&list_path),
            "--max-bad",
            "100%",
            "--out",
            &text(&out),
        ];
        dehusk(run.iter().chain(more)).exits(0);
        counts_add_up(&out);
        let (documents, rejected) = outcome(&out);
        assert_eq!(documents, &paths[..3]);
        let expected = paths[3..].iter().map(|path| {
            let reason = match *path {
                "none.html" | "pipe.html" | "near" => "unreadable",
                _ => "path-not-allowed",
            };
            ((*path).to_owned(), reason.to_owned())
        });
        assert_eq!(rejected, expected.collect::<Vec<_>>());
        fs::remove_dir_all(out).unwrap();
    }
    let ran = dehusk(["extract", &text(&list_path), "--max-bad", "100%"]).exits(0);
    assert!(!ran.stdout.contains("root:"));
    ran.says(&["path-not-allowed", "--allow-paths DIR"]);
}

#[test]
fn other_folders_are_allowed_by_name() {
    let dir = crawl();
    let at = |name: &str| text(&dir.path().join(name));
    fs::write(
        at("lists/pages.jsonl"),
        list(&["../elsewhere/b.html", "../secret.html", "../elsewhere/none.html"]),
    )
    .unwrap();
    let reasons = |arguments: &[&str]| {
        let base = ["run", "lists/pages.jsonl", "--max-bad", "100%", "--out", "out"];
        let mut command = command();
        command
            .args(base)
            .args(arguments)
            .current_dir(dir.path())
            .stdin(Stdio::null());
        let ran: Ran = command.output().unwrap().into();
        ran.exits(0);
        let (_, rejected) = outcome(&dir.path().join("out"));
        rejected.into_iter().map(|(_, reason)| reason).collect::<Vec<_>>()
    };
    assert_eq!(reasons(&[]), ["path-not-allowed"; 3]);
    assert_eq!(
        reasons(&["--allow-paths", "elsewhere"]),
        ["path-not-allowed", "unreadable"]
    );
    assert_eq!(
        reasons(&["--allow-paths", "elsewhere", "--allow-paths", "."]),
        ["unreadable"]
    );
    fs::write(at("config.toml"), "allow-paths = [\"elsewhere\", \"lists\"]\n").unwrap();
    assert_eq!(
        reasons(&["--config", "config.toml"]),
        ["path-not-allowed", "unreadable"]
    );
    dehusk([
        "extract",
        &at("lists/pages.jsonl"),
        "--allow-paths",
        &at("nowhere"),
    ])
    .exits(2)
    .says(&["--allow-paths", "nowhere", "name a folder that is there"]);
}

#[test]
fn paths_on_standard_input_are_below_the_current_folder() {
    let dir = crawl();
    let lines = list(&["near/a.html", "../secret.html"]);
    let mut command = command();
    command
        .args([
            "extract",
            "-",
            "--input-format",
            "jsonl",
            "--output-format",
            "jsonl",
            "--max-bad",
            "100%",
        ])
        .current_dir(dir.path().join("lists"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), lines.as_bytes()).unwrap();
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert!(
        ran.stdout.contains("near/a.html") && !ran.stdout.contains("Secret"),
        "{}",
        ran.stdout
    );
    ran.exits(0).says(&["path-not-allowed"]);

    let ran = dehusk_reading(
        ["extract", "-", "--input-format", "jsonl", "--max-bad", "100%"],
        b"{\"path\":\"/etc/hostname\"}\n",
    );
    assert!(!ran.stdout.contains("\"text\""), "{}", ran.stdout);
    ran.says(&["path-not-allowed"]);
}

#[cfg(feature = "parquet")]
#[test]
fn paths_in_tables_are_read_by_the_same_rule() {
    let dir = crawl();
    let at = |name: &str| text(&dir.path().join(name));
    let documents: String = ["near/a.html", "../secret.html"]
        .iter()
        .map(|path| format!("{}\n", json!({ "id": path, "text": prose(1, 40), "path": path })))
        .collect();
    fs::write(at("documents.jsonl"), documents).unwrap();
    let dedup = [
        "dedup",
        &at("documents.jsonl"),
        "--on-exact",
        "keep",
        "--output-format",
        "parquet",
        "--out",
        &at("table"),
    ];
    dehusk(dedup).exits(0);
    fs::copy(at("table/kept.parquet"), at("lists/pages.parquet")).unwrap();
    // The column of ids has the paths.
    let extract = [
        "extract",
        &at("lists/pages.parquet"),
        "--column",
        "path=id",
        "--max-bad",
        "100%",
    ];
    dehusk(extract)
        .exits(0)
        .says(&["path-not-allowed", "../secret.html"]);
}

#[test]
fn pipes_in_folders_are_passed_over_and_counted() {
    let dir = crawl();
    let out = dir.path().join("out");
    dehusk(["run", &text(&dir.path().join("lists")), "--out", &text(&out)])
        .exits(0)
        .says(&["1 special-file"]);
}

/// An archive has names of links and devices in it, and nothing of them is opened.
#[test]
fn links_in_archives_are_passed_over() {
    let dir = crawl();
    let tar = dir.path().join("pages.tar");
    let made = Command::new("tar")
        .args(["-cf", &text(&tar), "link.html", "pipe.html", "near/a.html"])
        .current_dir(dir.path().join("lists"))
        .status();
    assert!(made.expect("`tar`").success());
    let ran = dehusk(["extract", &text(&tar)]).exits(0);
    assert_eq!(ran.stdout.matches("Page 1").count(), 1, "{}", ran.stdout);
    assert!(!ran.stdout.contains("Secret"), "{}", ran.stdout);
}

/// Nothing is waited for: a list that names pipes is done at once.
#[test]
fn pipes_are_not_waited_for() {
    let dir = crawl();
    let list_path = dir.path().join("lists/pages.jsonl");
    fs::write(&list_path, list(&["pipe.html"; 20])).unwrap();
    let mut child = command()
        .args(["extract", &text(&list_path), "--max-bad", "100%"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let done = std::cell::RefCell::new(&mut child);
    wait_until("the end", || {
        done.borrow_mut().try_wait().expect("a child").is_some()
    });
}
