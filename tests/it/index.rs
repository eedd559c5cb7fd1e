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
