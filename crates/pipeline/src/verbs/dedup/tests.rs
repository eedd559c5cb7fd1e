use std::fs;

#[cfg(feature = "parquet")]
mod tables;

use super::*;
use crate::exec::cancel::Cancel;
use crate::exec::progress::Progress;
use crate::exec::progress::recorder::Recorder;
use crate::record::ClusterRow;
use crate::settings::{Settings, Threads};

const TEXT: &str = "the river rose overnight and the lower meadows were under water by the time the milkman came round \
    so that he had to leave his cart";

/// A folder with the documents in `docs.jsonl` and the results in `out`, unless the run failed.
fn ran(lines: &str, settings: &Settings, tsv: bool) -> (tempfile::TempDir, Result<Outcome, Error>) {
    ran_watched(lines, settings, tsv, &())
}

fn ran_watched(
    lines: &str,
    settings: &Settings,
    tsv: bool,
    progress: &dyn Progress,
) -> (tempfile::TempDir, Result<Outcome, Error>) {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("docs.jsonl");
    fs::write(&input, lines).unwrap();
    let inputs = [input.display().to_string()];
    let cancel = Cancel::new();
    let outcome = dedup(
        &Job {
            progress,
            ..Job::new(&inputs, settings, &cancel)
        },
        &dir.path().join("out"),
        FolderFormats {
            tsv,
            ..FolderFormats::default()
        },
    );
    (dir, outcome)
}

fn check(lines: &str, settings: &Settings) -> (Outcome, String, Vec<String>) {
    let (dir, outcome) = ran(lines, settings, false);
    let outcome = outcome.unwrap();
    assert!(outcome.summary.counts.add_up(), "{:?}", outcome.summary.counts);
    let kept = fs::read_to_string(dir.path().join("out/kept.jsonl")).unwrap();
    let clusters = fs::read_to_string(dir.path().join("out/clusters.jsonl")).unwrap();
    let tell = |line: &str| {
        let row: ClusterRow<'_> = serde_json::from_str(line).unwrap();
        format!("{} {} {}", row.id, row.representative, row.reason)
    };
    (outcome, kept, clusters.lines().map(tell).collect())
}

#[test]
fn lines_that_stay_are_copied_byte_for_byte_and_named_where_they_have_no_name() {
    let lines = format!(
        "{{\"id\":\"b\",  \"text\":\"{TEXT}\",\"n\":1.0}}\n\
         {{\"id\":\"a\",\"text\":\"{TEXT}.\"}}\n\n\
         {{\"text\":\"no name\"}}\n\
         {{\"id\":\"a\",\"text\":\"the name of another\"}}\n\
         oops\n\
         {{\"id\":7,\"text\":\"...\"}}"
    );
    for threads in [1, 3] {
        let settings = Settings {
            threads: Some(Threads(threads)),
            ..Settings::default()
        };
        let (outcome, kept, clusters) = check(&lines, &settings);
        assert_eq!(
            clusters,
            [
                "b b representative",
                "a b near-duplicate",
                "4 4 short",
                "a#2 a#2 short",
                "7 7 short"
            ]
        );
        assert_eq!(
            kept.lines().collect::<Vec<_>>(),
            [
                format!("{{\"id\":\"b\",  \"text\":\"{TEXT}\",\"n\":1.0,\"cluster_size\":2,\"copies\":1}}")
                    .as_str(),
                "{\"id\":\"4\",\"text\":\"no name\",\"cluster_size\":1,\"copies\":1}",
                "{\"id\":\"a#2\",\"text\":\"the name of another\",\"cluster_size\":1,\"copies\":1}",
                "{\"id\":7,\"text\":\"...\",\"cluster_size\":1,\"copies\":1}",
            ]
        );
        assert_eq!(outcome.summary.counts.dropped["bad-json"], 1);
        assert_eq!(outcome.summary.repeated_ids, 1);
        assert_eq!(outcome.rejected[0].message, "line 6: column 1: expected value");
    }
}

#[test]
fn keepers_hear_of_date_and_popularity() {
    let line = |id: &str, more: &str| format!("{{\"id\":\"{id}\",\"text\":\"{TEXT}\"{more}}}\n");
    let lines = [
        line("a", ""),
        line("b", ",\"date\":\"2024-03-12\",\"popularity\":3"),
        line("c", ",\"date\":\"Tue, 11 Mar 2008 10:00:00 GMT\""),
        line("d", ",\"popularity\":9"),
    ];
    let representative = |keep: &str| {
        let settings = Settings {
            keep: Some(keep.parse().unwrap()),
            ..Settings::default()
        };
        check(&lines.concat(), &settings).2[0]
            .split(' ')
            .nth(1)
            .unwrap()
            .to_owned()
    };
    assert_eq!(representative("first-seen"), "a");
    assert_eq!(representative("oldest"), "c");
    assert_eq!(representative("newest"), "b");
    assert_eq!(representative("popularity"), "d");
}

#[test]
fn policies_decide_what_stays() {
    let near = TEXT.replace("milkman", "postman");
    let lines = format!(
        "{{\"id\":\"a\",\"text\":\"{TEXT}\"}}\n{{\"id\":\"b\",\"text\":\"{TEXT}\"}}\n{{\"id\":\"c\",\"text\":\"{near}\"}}\n"
    );
    let with = |exact: &str, near: &str| {
        let settings = Settings {
            threshold: Some("0.5".parse().unwrap()),
            on_exact: Some(exact.parse().unwrap()),
            on_near: Some(near.parse().unwrap()),
            ..Settings::default()
        };
        let (outcome, kept, clusters) = check(&lines, &settings);
        (
            kept.lines().count(),
            outcome.summary.duplicates.unwrap().demoted,
            clusters[2].clone(),
        )
    };
    assert_eq!(with("delete", "delete"), (1, 0, "c a near-duplicate".to_owned()));
    assert_eq!(with("delete", "demote"), (2, 1, "c a demoted".to_owned()));
    assert_eq!(with("keep", "keep"), (3, 0, "c a near-duplicate".to_owned()));
}

/// A collection of near and exact copies, with unusable lines and repeated ids.
fn mixed(documents: u32) -> String {
    let mut lines = String::new();
    for number in 0..documents {
        let (family, edits) = (number / 7, number % 7);
        let words: Vec<String> = (0..60)
            .map(|n| format!("w{family}x{n}y{}", if n < edits { edits } else { 0 }))
            .collect();
        match number % 50 {
            0 => lines.push_str("no record\n"),
            1 => lines.push_str("{\"text\":\"\"}\n"),
            2 => lines.push('\n'),
            _ => {}
        }
        lines.push_str(&format!(
            "{{\"id\":\"d{}\",\"text\":\"{}\"}}\n",
            number % 29_000,
            words.join(" ")
        ));
    }
    lines
}

fn files(lines: &str, settings: &Settings) -> Vec<(String, String)> {
    let (dir, outcome) = ran(lines, settings, true);
    outcome.unwrap();
    let input = dir.path().join("docs.jsonl").display().to_string();
    let names = [
        "pairs.jsonl",
        "pairs.tsv",
        "clusters.jsonl",
        "kept.jsonl",
        "summary.json",
    ];
    names
        .iter()
        .map(|name| {
            let text = fs::read_to_string(dir.path().join("out").join(name)).unwrap();
            ((*name).to_owned(), text.replace(&input, "docs.jsonl"))
        })
        .collect()
}

#[test]
fn little_memory_and_any_number_of_threads_give_the_same_bytes() {
    let lines = mixed(30_000);
    let with = |threads, memory| Settings {
        threads: Some(Threads(threads)),
        memory,
        ..Settings::default()
    };
    let expected = files(&lines, &with(1, None));
    assert!(expected[0].1.lines().count() > 30_000);
    for threads in [1, 3] {
        // So little memory that keys are spilled to files and documents are read again.
        let little = Some(crate::settings::Memory((12 + 5 * threads as u64 + 18) << 20));
        for memory in [None, little] {
            assert_eq!(
                files(&lines, &with(threads, memory)),
                expected,
                "{threads} {memory:?}"
            );
        }
    }
}

#[test]
fn stages_do_as_much_as_they_said() {
    let lines = mixed(30_000);
    let settings = Settings {
        threads: Some(Threads(1)),
        memory: Some(crate::settings::Memory(35 << 20)),
        ..Settings::default()
    };
    let recorder = Recorder::default();
    let (_dir, outcome) = ran_watched(&lines, &settings, false, &recorder);
    let kept = outcome.unwrap().summary.counts.kept;
    let stages = recorder.stages();
    let (reading, rest) = stages.split_at(3);
    assert_eq!(
        reading,
        ["counting records", "reading documents", "comparing documents"]
    );
    let (writing, verifying) = rest.split_last().unwrap();
    assert_eq!(*writing, "writing");
    assert!(
        !verifying.is_empty() && verifying.iter().all(|stage| *stage == "verifying pairs"),
        "{stages:?}"
    );
    let bytes = Some(Total::Bytes(lines.len() as u64));
    assert_eq!(
        (
            recorder.total("counting records"),
            recorder.total("reading documents")
        ),
        (bytes, bytes)
    );
    assert_eq!(recorder.total("writing"), Some(Total::Documents(kept)));
}

#[test]
fn memory_that_cannot_do_is_told_before_it_is_exceeded() {
    let settings = Settings {
        memory: Some(crate::settings::Memory(1 << 20)),
        ..Settings::default()
    };
    let error = ran(&mixed(100), &settings, false).1.unwrap_err();
    assert_eq!(error.option(), Some("memory"));
    assert!(
        error.to_string().starts_with("`--memory 1MiB` is too little"),
        "{error}"
    );
}

#[test]
fn memory_that_cannot_hold_what_the_inputs_have_is_told_before_the_work() {
    let count = 60_000;
    let line = |n| format!("{{\"id\":\"document number {n}\",\"text\":\"w{n} a b c d e f g\"}}\n");
    let lines: String = (0..count).map(line).collect();
    let with = |mib: u64| Settings {
        threads: Some(Threads(1)),
        memory: Some(crate::settings::Memory(mib << 20)),
        ..Settings::default()
    };
    let (dir, refused) = ran(&lines, &with(25), false);
    let error = refused.unwrap_err();
    let told = error.to_string();
    assert!(told.ends_with(&format!("for {count} documents")), "{told}");
    assert!(!dir.path().join("out").exists());

    // An error that occurs late still names the memory for all documents, not only for those read so far.
    let (_, refused) = ran(&lines, &with(29), false);
    let error = refused.unwrap_err();
    let told = error.to_string();
    assert!(told.ends_with(&format!("for {count} documents")), "{told}");
    let size = told
        .split("at least ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next());
    let size: u64 = size.and_then(|size| size.parse().ok()).unwrap();
    assert!(size > 29, "{told}");
}

/// Calls a function when a stage begins.
struct At<'a>(&'a str, &'a (dyn Fn() + Sync));

impl crate::exec::progress::Progress for At<'_> {
    fn stage(&self, name: &str, _: Option<Total>) {
        if name == self.0 {
            (self.1)();
        }
    }
}

/// An input that disappears or changes between the passes over it.
#[test]
fn an_input_that_changes_while_it_is_read_is_an_error_and_nothing_appears() {
    let line = |n: u32| format!("{{\"id\":\"{n}\",\"text\":\"{TEXT} {n} {n} {n}\"}}\n");
    let lines: String = (0..20).map(line).collect();
    let deleted = |path: &Path| fs::remove_file(path).unwrap();
    let cut = |path: &Path| fs::write(path, &lines[..lines.len() / 2]).unwrap();
    let empty = |path: &Path| fs::write(path, "").unwrap();
    let longer = |path: &Path| fs::write(path, format!("{lines}{}", line(20))).unwrap();
    let other = |path: &Path| fs::write(path, lines.replace("milkman", "lamplighter")).unwrap();
    let broken = |path: &Path| fs::write(path, lines.replace("\"text\"", "text")).unwrap();
    let changes: [&(dyn Fn(&Path) + Sync); 6] = [&deleted, &cut, &empty, &longer, &other, &broken];
    for stage in ["comparing documents", "writing"] {
        for (number, change) in changes.iter().enumerate() {
            let dir = tempfile::tempdir().unwrap();
            let (input, out) = (dir.path().join("docs.jsonl"), dir.path().join("out"));
            fs::write(&input, &lines).unwrap();
            let (inputs, cancel) = ([input.display().to_string()], Cancel::new());
            let settings = Settings {
                memory: Some(crate::settings::Memory(64 << 20)),
                ..Settings::default()
            };
            let change = || change(&input);
            let at = At(stage, &change);
            let job = Job {
                progress: &at,
                ..Job::new(&inputs, &settings, &cancel)
            };
            let error = dedup(&job, &out, FolderFormats::default()).expect_err("an input changed");
            assert_eq!(error.kind().exit_code(), 1, "{stage} {number}: {error}");
            assert!(
                error.to_string().contains("docs.jsonl")
                    || error.to_string().contains("an input was changed"),
                "{stage} {number}: {error}"
            );
            assert!(error.help().is_some(), "{stage} {number}: {error}");
            let left: Vec<_> = fs::read_dir(&out)
                .unwrap()
                .map(|entry| entry.unwrap().file_name())
                .collect();
            assert_eq!(left, [".dehusk-lock"], "{stage} {number}: {error}");
        }
    }
}
