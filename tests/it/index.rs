//! `dehusk index`, whose process is killed

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{command, dehusk, folder, prose, text};

fn lines(from: u64, count: u64) -> String {
    (from..from + count)
        .map(|n| json!({"id": format!("d{n}"), "text": prose(n, 60)}).to_string() + "\n")
        .collect()
}

/// However often a process that changes an index is killed, and whenever: the index is the old one or the new one, whole.
#[test]
fn an_index_survives_the_death_of_its_writer() {
    let old = lines(0, 300);
    let new = lines(300, 3000);
    let dir = folder(&[("old.jsonl", &old), ("new.jsonl", &new)]);
    let at = |name: &str| text(&dir.path().join(name));
    let documents = || -> u64 {
        let ran = dehusk(["index", "stats", &at("index")]).exits(0);
        let stats: Value = serde_json::from_str(&ran.stdout).expect("statistics are JSON");
        stats["documents"].as_u64().expect("a number")
    };
    let answer = || dehusk(["index", "query", &at("index"), &at("old.jsonl"), "--quiet"]).exits(0);
    dehusk(["index", "add", &at("index"), &at("old.jsonl")]).exits(0);
    let known = answer().stdout;
    assert_eq!(known.matches("\"method\":\"exact\"").count(), 300);

    let add = ["index", "add", &at("index"), &at("new.jsonl"), "--quiet"];
    // How long it takes when it is let be; then the index is made small again.
    let start = Instant::now();
    dehusk(add).exits(0);
    let whole = start.elapsed();
    assert_eq!(documents(), 3300);
    let ids: String = (300..3300).map(|n| format!("d{n}\n")).collect();
    fs::write(at("ids.txt"), ids).expect("a file");
    let restore = || {
        dehusk(["index", "remove", &at("index"), "--ids-from", &at("ids.txt")]).exits(0);
    };
    restore();

    let mut outcomes = [0, 0];
    let mut state = 1_u64;
    for round in 0..24 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        // Any moment, and in every other round one towards the end, where files are named.
        let share = (state >> 40) as f64 / (1_u64 << 24) as f64;
        let share = if round % 2 == 0 { share } else { 0.7 + 0.5 * share };
        let mut child = command()
            .args(add)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        thread::sleep(whole.mul_f64(share).min(Duration::from_secs(20)));
        child.kill().expect("a process of ours");
        child.wait().expect("it ends");
        let now = documents();
        assert!(
            now == 300 || now == 3300,
            "{now} documents after {share} of the time"
        );
        assert_eq!(answer().stdout, known);
        outcomes[usize::from(now == 3300)] += 1;
        if now == 3300 {
            restore();
        }
    }
    assert!(outcomes[0] > 0, "{outcomes:?}");

    // What killed processes left behind is gone after the next change.
    dehusk(add).exits(0);
    dehusk(["index", "compact", &at("index")]).exits(0);
    let names: Vec<String> = fs::read_dir(dir.path().join("index"))
        .expect("the folder is there")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert_eq!(names.len(), 3, "manifest, lock and one segment: {names:?}");
    assert_eq!(documents(), 3300);
}

/// The folder comes first, also in the usage.
#[test]
fn the_usage_has_the_order_of_the_arguments() {
    for verb in ["add", "query"] {
        let help = dehusk(["index", verb, "--help"]).exits(0).stdout;
        let usage = format!("Usage: dehusk index {verb} [OPTIONS] <DIR> <INPUT>...");
        assert!(help.contains(&usage), "{help}");
    }
}

#[test]
fn an_index_that_is_not_there_is_told_with_the_remedy() {
    let dir = folder(&[("old.jsonl", &lines(0, 3))]);
    let at = |name: &str| text(&dir.path().join(name));
    dehusk([
        "dedup",
        &at("old.jsonl"),
        "--against",
        &at("none"),
        "--out",
        &at("out"),
    ])
    .exits(2)
    .says(&["there is no index in", "dehusk index add"]);
}

/// Pages of these numbers, and of the texts of these.
fn pages(pages: &[(&str, u64)]) -> String {
    let line = |(id, number): &(&str, u64)| {
        let html = format!("<html><body><p>{}</p></body></html>", prose(*number, 60));
        json!({"id": id, "html": html}).to_string() + "\n"
    };
    pages.iter().map(line).collect()
}

/// What a day drops for a document of the index counts for it, whether it is resumed or not, and however it is listed.
#[test]
fn an_index_knows_how_often_a_text_was_seen_as_it_grows() {
    let days = [
        pages(&[("a", 1), ("a2", 1), ("b", 2)]),
        pages(&[("a3", 1), ("c", 3), ("c2", 3), ("c3", 3)]),
        pages(&[("b2", 2), ("c4", 3), ("a4", 1)]),
    ];
    let dir = folder(&[
        ("1.jsonl", &days[0]),
        ("2.jsonl", &days[1]),
        ("3.jsonl", &days[2]),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let listed = || {
        let ran = dehusk(["index", "list", &at("known")]).exits(0);
        let mut rows: Vec<String> = ran
            .stdout
            .lines()
            .map(|line| {
                let row: Value = serde_json::from_str(line).unwrap();
                format!(
                    "{} {} {}",
                    row["id"].as_str().unwrap(),
                    row["cluster_size"],
                    row["copies"]
                )
            })
            .collect();
        rows.sort();
        rows
    };
    let run = |day: &str, more: &[&str]| {
        let (input, out, known) = (at(&format!("{day}.jsonl")), at(day), at("known"));
        let mut arguments = vec!["run", &input, "--extractor", "all-text", "--out", &out];
        arguments.extend(["--against", &known, "--add", "--quiet"]);
        arguments.extend(more);
        dehusk(arguments).exits(0);
    };
    run("1", &[]);
    assert_eq!(listed(), ["a 2 2", "b 1 1"]);
    run("2", &[]);
    assert_eq!(listed(), ["a 3 3", "b 1 1", "c 3 3"]);
    run("3", &["--resume"]);
    run("3", &["--resume"]);
    assert_eq!(listed(), ["a 4 4", "b 2 2", "c 4 4"]);
    dehusk(["index", "compact", &at("known")]).exits(0);
    assert_eq!(listed(), ["a 4 4", "b 2 2", "c 4 4"]);
    dehusk(["index", "remove", &at("known"), "a"])
        .exits(0)
        .says(&["1 of 1 documents removed", "stood for 3 others"]);
    assert_eq!(listed(), ["b 2 2", "c 4 4"]);
}
