//! Records larger than the limit, and JSON and TOML deeper than a stack.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::fs;

use serde_json::{Value, json};

use crate::hostile::says_nothing_raw;
use crate::support::{dehusk, folder, json as read_json, rows, text};

/// How much memory a process took at most, in MiB.
#[cfg(target_os = "linux")]
fn peak(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the process runs");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("its peak");
    line.trim()
        .trim_end_matches(" kB")
        .parse::<u64>()
        .expect("a number")
        >> 10
}

/// Reads a record of `mib` MiB with a limit of 1 MiB, and another one after it.
#[cfg(target_os = "linux")]
fn reads_a_large_record(mib: usize) {
    use std::io::Write;

    use crate::support::Talk;

    let piece = vec![b'a'; 1 << 20];
    for (format, start, end, next) in [
        (
            "jsonl",
            "{\"id\":\"large\",\"html\":\"",
            "\"}\n",
            "{\"id\":\"next\",\"html\":\"<p>The river rose.\"}\n",
        ),
        (
            "romip",
            "<r><document><docID>large</docID><content>",
            "</content></document>",
            "<document><docID>next</docID><content>&lt;p&gt;The river rose.</content></document>\n",
        ),
    ] {
        let mut talk = Talk::start([
            "extract",
            "--input-format",
            format,
            "-",
            "--output-format",
            "jsonl",
            "--max-bytes",
            "1MiB",
            "--max-bad",
            "100%",
        ]);
        let mut stdin = talk.stdin.take().unwrap();
        stdin.write_all(start.as_bytes()).unwrap();
        for _ in 0..mib {
            stdin.write_all(&piece).unwrap();
        }
        stdin.write_all(end.as_bytes()).unwrap();
        stdin.write_all(next.as_bytes()).unwrap();
        stdin.flush().unwrap();
        let peak = peak(talk.child.id());
        drop(stdin);
        let ran = talk.end().exits(0);
        assert!(peak < 100, "{format}: {peak} MiB for a record of {mib}");
        let rows: Vec<Value> = ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let read = |id: &str| {
            rows.iter()
                .any(|row| row["id"] == id && row["text"] == "The river rose.\n")
        };
        assert!(read("next"), "{format}: {}", ran.stdout);
        assert!(
            ran.stdout.contains("line-too-long") || ran.stderr.contains("line-too-long"),
            "{format}: {}",
            ran.stderr
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_record_larger_than_the_limit_is_skipped_in_flat_memory() {
    reads_a_large_record(150);
}

#[test]
#[ignore = "a gigabyte through a pipe takes some seconds"]
#[cfg(target_os = "linux")]
fn a_record_of_a_gigabyte_is_skipped_in_flat_memory() {
    reads_a_large_record(1024);
}

#[test]
fn json_and_toml_of_any_depth_are_read_or_refused() {
    const DEEP: usize = 100_000;
    let (open, objects) = ("[".repeat(DEEP), "{\"a\":".repeat(DEEP));
    let closed = format!("{open}{}", "]".repeat(DEEP));
    let whole = format!("{objects}1{}", "}".repeat(DEEP));
    let records = [
        format!("{{\"id\":\"carried\",\"text\":\"t\",\"html\":\"<p>t\",\"x\":{closed},\"y\":{whole}}}"),
        format!("{{\"id\":{closed},\"text\":\"t\",\"html\":\"<p>t\"}}"),
        format!("{{\"text\":{whole},\"html\":{whole}}}"),
        closed.clone(),
        open.clone(),
        objects.clone(),
    ];
    let files = [
        ("in.jsonl", records.join("\n")),
        (
            "page.html",
            format!(
                "<script type=application/ld+json>{objects}</script><script type=application/ld+json>{closed}</script><p>The river rose."
            ),
        ),
        ("config.toml", format!("threshold = {open}")),
        ("dotted.toml", format!("{}a = 1", "a.".repeat(DEEP))),
        ("inline.toml", format!("threshold = {}", "{a=".repeat(DEEP))),
        ("profile.toml", format!("passes = {open}")),
        ("rules/x.toml", format!("format = 1\nrule = {open}")),
        ("templates/x.toml", format!("format = 1\nparts = {open}")),
        ("index/index.json", objects),
        ("words.stats", format!("{{\"tool\":{open}")),
        ("folder/summary.json", open.clone()),
        (
            "folder/documents.jsonl",
            "{\"id\":\"a\",\"text\":\"b\"}\n".to_owned(),
        ),
        ("truth.jsonl", open),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let dir = folder(&files);
    let at = |name: &str| text(&dir.path().join(name));
    let refuses = |arguments: &[&str]| {
        let ran = says_nothing_raw(dehusk(arguments)).exits(2);
        assert!(
            ran.stderr.len() < 2000,
            "{} bytes are said by {arguments:?}",
            ran.stderr.len()
        );
    };
    let input = at("in.jsonl");
    for config in ["config.toml", "dotted.toml", "inline.toml"] {
        refuses(&["dedup", &input, "--config", &at(config), "-o", &at("none")]);
    }
    refuses(&["normalize", &input, "--profile", &at("profile.toml")]);
    refuses(&["extract", &at("page.html"), "--rules", &at("rules")]);
    refuses(&["extract", &at("page.html"), "--templates", &at("templates")]);
    refuses(&["site", "show", &at("templates")]);
    refuses(&["index", "stats", &at("index")]);
    refuses(&["index", "add", &at("index"), &input]);
    refuses(&[
        "sign",
        &input,
        "--signature",
        "tf-idf",
        "--stats",
        &at("words.stats"),
    ]);
    refuses(&[
        "compare",
        &input,
        "--truth",
        &at("truth.jsonl"),
        "-o",
        &at("none"),
    ]);

    assert_eq!(
        dehusk(["extract", &at("page.html")]).exits(0).stdout,
        "The river rose.\n"
    );
    dehusk(["dedup", &at("folder/documents.jsonl"), "-o", &at("kept")]).exits(0);
    for (verb, out) in [("run", "ran"), ("dedup", "deduped")] {
        says_nothing_raw(dehusk([verb, &input, "--max-bad", "100%", "-o", &at(out)])).exits(0);
        let out = dir.path().join(out);
        let counts = &read_json(&out.join("summary.json"))["counts"];
        assert_eq!(
            (&counts["read"], &counts["kept"]),
            (&json!(records.len()), &json!(1))
        );
        assert_eq!(rows(&out.join("quarantine.jsonl")).len(), records.len() - 1);
        let kept = fs::read_to_string(out.join("kept.jsonl")).unwrap();
        assert!(kept.contains("carried"));
        // `dedup` copies lines as they are; a document that `run` makes is one that others can read.
        let all = verb == "dedup";
        assert!(
            kept.contains(&closed) == all && kept.contains(&whole) == all,
            "{verb}"
        );
        assert!(all || kept.matches("deep-field").count() == 2, "{kept}");
    }
}
