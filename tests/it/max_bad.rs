//! `--max-bad`: how many rejected records are too many, in every verb that reads, on both sides of each boundary.

use std::fs;

use serde_json::json;

use crate::support::{Ran, dehusk, folder, prose, text};

/// Lines; `bad` of them are not records. The last one may be cut off.
fn lines(field: &str, good: usize, bad: usize, cut: bool) -> String {
    let content = |n: usize| {
        let words = prose(n as u64 % 3, 12);
        if field == "html" {
            format!("<article><p>{words}</article>")
        } else {
            words
        }
    };
    let line = |n: usize| json!({"id": format!("d{n}"), field: content(n)}).to_string() + "\n";
    let mut lines: String = (0..good).map(line).collect();
    lines.push_str(&"oops\n".repeat(bad));
    if cut {
        lines.push_str("{\"id\":\"cut\",\"te");
    }
    lines
}

#[test]
fn every_verb_that_reads_counts_rejected_records_against_the_same_bounds() {
    let dir = folder(&[
        ("documents.jsonl", &lines("text", 99, 1, false)),
        ("t.tsv", "d0\t1\nd3\t1\n"),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let index = at("index");
    dehusk(["index", "add", &index, &at("documents.jsonl"), "--quiet"]).exits(0);
    let (out, templates, truth) = (at("out"), at("templates"), at("t.tsv"));
    let verbs: [(&str, Vec<&str>); 9] = [
        ("html", vec!["run", "--in-process", "--out", &out]),
        ("html", vec!["extract", "--in-process"]),
        ("html", vec!["site", "learn", "--in-process", "--out", &templates]),
        ("text", vec!["dedup", "--out"]),
        ("text", vec!["sign"]),
        ("text", vec!["normalize"]),
        ("text", vec!["index", "add", &index]),
        ("text", vec!["index", "query", &index]),
        (
            "text",
            vec![
                "compare",
                "--signature",
                "md5",
                "--no-costs",
                "--bootstrap",
                "0",
                "--truth",
                &truth,
                "--out",
            ],
        ),
    ];
    for (place, (field, verb)) in verbs.iter().enumerate() {
        // A folder has the results of one verb.
        let own = at(&format!("own{place}"));
        let run = |(good, bad, cut): (usize, usize, bool), more: &[&str], code: i32| -> Ran {
            let input = at("input.jsonl");
            fs::write(&input, lines(field, good, bad, cut)).expect("a file");
            let mut arguments = verb.clone();
            if arguments.last() == Some(&"--out") {
                arguments.push(&own);
            }
            arguments.extend(["--input-format", "jsonl", &input, "--threads", "1"]);
            arguments.extend(more);
            dehusk(arguments).exits(code)
        };
        // By default 1 % or two rejected records are accepted, if they are less than half and none is cut off.
        run((98, 2, false), &[], 0);
        run((97, 3, false), &[], 3)
            .says(&["3 of 100 records were rejected (3 bad-json), more than --max-bad allows"]);
        run((3, 2, false), &[], 0);
        run((2, 2, false), &[], 3);
        run((299, 0, true), &[], 3).says(&["1 of 300 records were rejected (1 truncated)"]);
        // A number, and a share, each for all records that are rejected.
        run((7, 2, true), &["--max-bad", "3"], 0);
        run((7, 2, true), &["--max-bad", "2"], 3)
            .says(&["3 of 10 records were rejected (2 bad-json, 1 truncated)"]);
        run((7, 3, false), &["--max-bad", "30%"], 0);
        run((7, 3, false), &["--max-bad", "29.9%"], 3);
        let quiet = run((7, 3, false), &["--max-bad", "0", "--quiet"], 3);
        assert_eq!(quiet.stderr, "", "{verb:?}");
    }
}
