//! What is said on standard error, as a table for people and as events for programs.

use serde_json::{Value, json};

use crate::support::{Ran, Talk, dehusk, dehusk_reading, folder, page, prose, text, wait_until};

/// The events on standard error: nothing else may be there.
#[track_caller]
fn events(ran: &Ran) -> Vec<Value> {
    let event = |line: &str| {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let time = event["time"].as_str().expect("a time");
        assert!(
            time.ends_with('Z') && time.len() == "2026-01-02T03:04:05.678Z".len(),
            "{line}"
        );
        assert!(
            ["info", "warning", "error"].contains(&event["level"].as_str().expect("a level")),
            "{line}"
        );
        event
    };
    ran.stderr.lines().map(event).collect()
}

fn named<'e>(events: &'e [Value], name: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["event"] == name).collect()
}

/// Two pages, one of them twice, and a line that is not a page.
fn lines() -> String {
    let page = |n: u64| json!({"id": n, "html": page("P", &prose(n % 2, 60))}).to_string() + "\n";
    (0..3).map(page).collect::<String>() + "oops\n"
}

#[test]
fn a_run_tells_stages_rejected_records_and_a_summary_as_events() {
    let dir = folder(&[("pages.jsonl", &lines())]);
    let (input, out) = (
        text(&dir.path().join("pages.jsonl")),
        text(&dir.path().join("out")),
    );
    let ran = dehusk([
        "run",
        &input,
        "--max-bad",
        "0",
        "--out",
        &out,
        "--log-format",
        "json",
    ])
    .exits(3);
    assert_eq!(ran.stdout, "");
    let events = events(&ran);
    let stages: Vec<&str> = named(&events, "stage")
        .iter()
        .filter_map(|event| event["stage"].as_str())
        .collect();
    assert_eq!(stages, ["extracting pages", "comparing documents", "writing"]);
    let stages = named(&events, "stage");
    assert_eq!(stages[0]["total_bytes"], lines().len());
    assert_eq!(stages[2]["total_documents"], 3);
    let rejected = named(&events, "rejected");
    assert_eq!(rejected.len(), 1);
    assert_eq!(
        (
            &rejected[0]["level"],
            &rejected[0]["input"],
            &rejected[0]["reason"]
        ),
        (&json!("warning"), &json!(input), &json!("bad-json"))
    );
    let summary = named(&events, "summary")[0];
    assert_eq!(
        (&summary["verb"], &summary["read"], &summary["kept"]),
        (&json!("run"), &json!(4), &json!(2))
    );
    assert_eq!(summary["dropped"], json!({"exact-duplicate": 1}));
    assert_eq!(summary["quarantined"], json!({"bad-json": 1}));
    assert_eq!((&summary["out"], &summary["exit_code"]), (&json!(out), &json!(3)));
    assert_eq!(summary["bytes_read"], lines().len());
    assert!(
        summary["seconds"].is_number() && summary["files"]["kept.jsonl"]["rows"] == 2,
        "{summary}"
    );
    let bad = named(&events, "max-bad")[0];
    assert_eq!(
        (&bad["read"], &bad["quarantined"], &bad["exit_code"]),
        (&json!(4), &json!({"bad-json": 1}), &json!(3))
    );
}

#[test]
fn every_verb_that_works_tells_a_summary() {
    let page = page("P", &prose(1, 60));
    let dir = folder(&[
        ("in/a.html", &page),
        ("in/b.html", &page),
        ("d.jsonl", "{\"id\":\"a\",\"text\":\"one two three\"}\n"),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let (pages, documents, index) = (at("in"), at("d.jsonl"), at("index"));
    for (verb, arguments) in [
        ("run", vec!["run", &pages, "--out", &at("r")]),
        ("extract", vec!["extract", &pages]),
        ("extract", vec!["extract", &at("in/a.html")]),
        (
            "explain",
            vec!["explain", &at("in/a.html"), "--out", &at("e.html")],
        ),
        ("dedup", vec!["dedup", &documents, "--out", &at("d")]),
        ("sign", vec!["sign", &documents]),
        ("normalize", vec!["normalize", &documents]),
        ("index add", vec!["index", "add", &index, &documents]),
        ("index query", vec!["index", "query", &index, &documents]),
        ("site learn", vec!["site", "learn", &pages, "--out", &at("t")]),
    ] {
        let ran = dehusk(arguments.iter().copied().chain(["--log-format=json"])).exits(0);
        let events = events(&ran);
        let summaries = named(&events, "summary");
        assert_eq!(summaries.len(), 1, "{verb}: {}", ran.stderr);
        assert_eq!(
            (&summaries[0]["verb"], &summaries[0]["exit_code"]),
            (&json!(verb), &json!(0))
        );
        assert!(
            summaries[0]["read"].as_u64() > Some(0) && summaries[0]["seconds"].is_number(),
            "{verb}"
        );
        let quiet = dehusk(arguments.iter().copied().chain(["--log-format=json", "--quiet"])).exits(0);
        assert_eq!(quiet.stderr, "", "{verb}");
    }
}

#[test]
fn errors_are_events_with_place_option_and_remedy() {
    let dir = folder(&[
        ("a.html", "<p>x"),
        ("c.toml", "log-format = \"json\"\nthreshold = 7\n"),
        ("full/x.txt", "x"),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let error = |arguments: &[&str], code: i32| {
        let ran = dehusk(arguments).exits(code);
        let events = events(&ran);
        assert_eq!(events.len(), 1, "{}", ran.stderr);
        assert_eq!(
            (&events[0]["level"], &events[0]["event"], &events[0]["exit_code"]),
            (&json!("error"), &json!("error"), &json!(code))
        );
        events[0].clone()
    };
    let missing = at("missing");
    let told = error(&["run", &missing, "--out", &at("out"), "--log-format", "json"], 2);
    assert_eq!((&told["kind"], &told["path"]), (&json!("usage"), &json!(missing)));
    assert!(
        told["help"]
            .as_str()
            .is_some_and(|help| help.contains("check the name")),
        "{told}"
    );
    // What clap refuses, before any verb runs.
    let told = error(
        &["--log-format=json", "run", "x", "--out", "o", "--threshold", "7"],
        2,
    );
    assert_eq!(told["option"], "threshold");
    assert!(
        told["message"]
            .as_str()
            .is_some_and(|message| message.contains("`7` is not a similarity")),
        "{told}"
    );
    let told = error(&["run", "x", "--treshold", "1", "--log-format", "json"], 2);
    assert!(told["notes"].to_string().contains("--threshold"), "{told}");
    // A configuration file: it is wrong before it has said that events are wanted.
    let told = error(
        &[
            "run",
            "x",
            "--out",
            "o",
            "--config",
            &at("c.toml"),
            "--log-format",
            "json",
        ],
        2,
    );
    assert_eq!((&told["line"], &told["option"]), (&json!(2), &json!("config")));
    let full = at("full");
    error(&["run", &at("a.html"), "--out", &full, "--log-format", "json"], 2);
}

#[test]
fn a_configuration_file_may_choose_the_format() {
    let dir = folder(&[
        ("in/a.html", "<p>x"),
        ("in/b.html", "<p>y"),
        ("c.toml", "log-format = \"json\"\n"),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let ran = dehusk(["extract", &at("in"), "--config", &at("c.toml")]).exits(0);
    assert_eq!(named(&events(&ran), "summary").len(), 1);
    // A flag comes before the file.
    let ran = dehusk([
        "extract",
        &at("in"),
        "--config",
        &at("c.toml"),
        "--log-format",
        "text",
    ])
    .exits(0);
    assert!(ran.stderr.starts_with("2 pages read"), "{}", ran.stderr);
    dehusk(["extract", &at("in"), "--log-format", "xml"])
        .exits(2)
        .says(&["xml", "text, json"]);
}

#[test]
fn data_on_standard_output_are_the_same_in_both_formats() {
    let said = |format: &str| {
        dehusk_reading(
            [
                "extract",
                "--input-format",
                "jsonl",
                "--max-bad",
                "0",
                "-",
                "--log-format",
                format,
            ],
            lines().as_bytes(),
        )
    };
    let (people, programs) = (said("text").exits(3), said("json").exits(3));
    assert_eq!(people.stdout, programs.stdout);
    assert_eq!(
        events(&programs).len(),
        4,
        "a stage, a rejected record, the summary, too many rejected"
    );
}

#[test]
fn a_table_at_the_end_tells_what_became_of_all_records() {
    let dir = folder(&[("in/pages.css", "x")]);
    let out = text(&dir.path().join("out"));
    std::fs::write(dir.path().join("pages.jsonl"), lines()).expect("a file");
    let inputs = ["in", "pages.jsonl"].map(|name| text(&dir.path().join(name)));
    let ran = dehusk(["run", &inputs[0], &inputs[1], "--max-bad", "0", "--out", &out]).exits(3);
    let row = |name: &str| {
        let start = format!("  {name}:");
        let found = ran
            .stderr
            .lines()
            .find_map(|line| line.strip_prefix(start.as_str()));
        found
            .unwrap_or_else(|| panic!("no {name} in {}", ran.stderr))
            .trim()
            .to_owned()
    };
    assert_eq!([row("read"), row("kept")], ["4", "2"]);
    assert_eq!(row("dropped"), "1 (1 exact-duplicate)");
    assert_eq!(row("quarantined"), "1 (1 bad-json)");
    assert_eq!(row("files passed over"), "1 other-extension");
    assert!(
        row("files written").starts_with("6 ("),
        "{}",
        row("files written")
    );
    assert!(row("time").contains(" records/s"), "{}", row("time"));
    #[cfg(target_os = "linux")]
    assert!(row("peak memory").ends_with(" MB"), "{}", row("peak memory"));
}

#[test]
#[cfg(unix)]
fn an_interruption_is_an_event() {
    let dir = folder(&[]);
    let out = dir.path().join("out");
    let run = [
        "run",
        "-",
        "--input-format",
        "jsonl",
        "--log-format",
        "json",
        "--out",
        &text(&out),
    ];
    let talk = Talk::start(run);
    wait_until("a lock is taken", || out.join(".dehusk-lock").exists());
    let ran = talk.ended_by("TERM").exits(143);
    let events = events(&ran);
    let last = events.last().expect("an event");
    assert_eq!(
        (&last["event"], &last["kind"], &last["exit_code"]),
        (&json!("error"), &json!("interrupted"), &json!(143)),
        "{}",
        ran.stderr
    );
}

#[test]
fn compare_tells_at_which_of_its_methods_it_is() {
    let document = |n: u64| json!({"id": n.to_string(), "text": prose(n / 2, 60)}).to_string() + "\n";
    let dir = folder(&[
        ("documents.jsonl", &(0..6).map(document).collect::<String>()),
        ("truth.tsv", "0\t1\n1\t1\n"),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let compare = [
        "compare",
        &at("documents.jsonl"),
        "--truth",
        &at("truth.tsv"),
        "--out",
        &at("out"),
    ];
    let more = [
        "--signature",
        "minhash",
        "md5",
        "--bootstrap",
        "0",
        "--log-format",
        "json",
    ];
    let ran = dehusk(compare.iter().chain(&more)).exits(0);
    let events = events(&ran);
    let stages: Vec<String> = named(&events, "stage")
        .iter()
        .map(|event| {
            format!(
                "{}: {}",
                event["stage"].as_str().unwrap(),
                event["total_documents"]
            )
        })
        .collect();
    for expected in ["MinHash, method 1 of 2: 3", "MD5, method 2 of 2: 3"] {
        assert!(stages.iter().any(|stage| stage == expected), "{stages:?}");
    }
}
