//! Runs that are interrupted, and go on with `--resume`.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::support::{Talk, contents, dehusk, folder, page, prose, text, wait_until};

/// Lines with pages. Some are copies.
fn pages(count: u64) -> String {
    let line = |n: u64| {
        let html = page("T", &prose(n / 2, 80));
        json!({"id": format!("d{n}"), "html": html}).to_string() + "\n"
    };
    (0..count).map(line).collect()
}

/// Waits until the journal has more than its head.
fn wait_for_entries(out: &Path) {
    wait_until("a page is remembered", || {
        let journal = fs::read(out.join(".dehusk-journal")).unwrap_or_default();
        let head = journal.iter().position(|byte| *byte == b'\n');
        head.is_some_and(|head| journal.len() > head + 1)
    });
}

#[test]
fn a_run_that_a_signal_ended_is_resumed() {
    let dir = folder(&[("pages.jsonl", &pages(6000))]);
    let (input, whole) = (text(&dir.path().join("pages.jsonl")), dir.path().join("whole"));
    dehusk(["run", &input, "--out", &text(&whole)]).exits(0);
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let out = dir.path().join(signal);
        let run = Talk::start(["run", &input, "--out", &text(&out)]);
        wait_for_entries(&out);
        run.ended_by(signal).exits(code).says(&["--resume"]);
        assert!(!out.join("summary.json").exists());

        dehusk(["run", &input, "--out", &text(&out), "--dry-run", "--resume"]).exits(0);
        let planned = dehusk(["run", &input, "--out", &text(&out), "--dry-run", "--resume"]).stdout;
        assert!(
            planned.contains("goes on with the run that was interrupted"),
            "{planned}"
        );
        dehusk([
            "run",
            &input,
            "--out",
            &text(&out),
            "--resume",
            "--threshold",
            "0.5",
        ])
        .exits(2)
        .says(&["cannot be resumed", "`threshold` was 0.8 and is 0.5", "--resume"]);
        // A journal belongs to the version that wrote it: another one may cut texts differently.
        let journal = out.join(".dehusk-journal");
        let begun = fs::read(&journal).unwrap();
        let head = begun.iter().position(|byte| *byte == b'\n').unwrap();
        let ours = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
        let other = str::from_utf8(&begun[..head])
            .unwrap()
            .replace(&ours, "\"version\":\"0.0.0\"");
        fs::write(&journal, [other.as_bytes(), &begun[head..]].concat()).unwrap();
        dehusk(["run", &input, "--out", &text(&out), "--resume"])
            .exits(2)
            .says(&["cannot be resumed", "the program was dehusk 0.0.0"]);
        fs::write(&journal, &begun).unwrap();
        dehusk(["run", &input, "--out", &text(&out), "--resume", "-j", "3"]).exits(0);
        assert!(contents(&out) == contents(&whole), "{signal}");
        let written = fs::metadata(out.join("summary.json"))
            .unwrap()
            .modified()
            .unwrap();
        dehusk(["run", &input, "--out", &text(&out), "--resume"])
            .exits(0)
            .says(&["nothing to do"]);
        assert_eq!(
            fs::metadata(out.join("summary.json"))
                .unwrap()
                .modified()
                .unwrap(),
            written
        );
    }
}

#[test]
fn what_cannot_be_resumed_is_told() {
    let dir = folder(&[("pages.jsonl", &pages(20))]);
    let (input, out) = (
        text(&dir.path().join("pages.jsonl")),
        text(&dir.path().join("out")),
    );
    dehusk(["run", "-", "--out", &out, "--resume"])
        .exits(2)
        .says(&["cannot be resumed", "name files or folders"]);
    dehusk(["run", &input, "--out", &out, "--add"])
        .exits(2)
        .says(&["--against"]);
    // Where nothing was begun, it begins.
    dehusk(["run", &input, "--out", &out, "--resume"]).exits(0);
    fs::write(dir.path().join("pages.jsonl"), pages(21)).unwrap();
    dehusk(["run", &input, "--out", &out, "--resume"])
        .exits(2)
        .says(&["the inputs", "leave out `--resume`"]);
    dehusk(["run", &input, "--out", &out]).exits(0);
}

#[test]
fn an_index_grows_day_by_day() {
    let dir = folder(&[("one.jsonl", &pages(20)), ("two.jsonl", &pages(26))]);
    let at = |name: &str| text(&dir.path().join(name));
    let day = |name: &str| {
        let (input, out) = (at(&format!("{name}.jsonl")), at(name));
        dehusk([
            "run",
            &input,
            "--out",
            &out,
            "--against",
            &at("known"),
            "--add",
            "--resume",
        ])
        .exits(0);
        let summary: serde_json::Value =
            serde_json::from_slice(&fs::read(dir.path().join(name).join("summary.json")).unwrap()).unwrap();
        (
            summary["counts"]["kept"].clone(),
            summary["added"]["added"].clone(),
        )
    };
    assert_eq!(day("one"), (json!(10), json!(10)));
    assert_eq!(day("two"), (json!(3), json!(3)));
    assert_eq!(
        day("two"),
        (json!(3), json!(3)),
        "a day that is over is not run again"
    );
    let stats = dehusk(["index", "stats", &at("known")]).exits(0).stdout;
    let stats: serde_json::Value = serde_json::from_str(&stats).unwrap();
    assert_eq!(stats["documents"], 13);
}

/// Both while it works and while it waits for input.
#[test]
fn dedup_says_after_an_interrupt_that_it_begins_anew() {
    let dir = folder(&[]);
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let out = dir.path().join(signal);
        let mut run = Talk::start(["dedup", "-", "--out", &text(&out)]);
        run.write(&format!("{}\n", json!({"id": "a", "text": prose(1, 40)})));
        wait_until("the folder is locked", || out.join(".dehusk-lock").exists());
        run.ended_by(signal).exits(code).says(&[
            "nothing was written",
            "run the same command again, which begins anew",
        ]);
        assert!(!out.join("summary.json").exists());
    }
}
