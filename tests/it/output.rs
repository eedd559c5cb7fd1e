//! Output folders: their files, when they appear, and which run may write to them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::json;

use crate::support::{Talk, contents, dehusk, folder, page, prose, text, wait_until};

fn names(path: &Path) -> BTreeSet<String> {
    contents(path).into_keys().collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn line(n: u64) -> String {
    json!({"id": n.to_string(), "html": page("T", &prose(n, 60))}).to_string() + "\n"
}

/// Whether a run has begun to write its documents there.
fn is_being_written(out: &Path) -> bool {
    let Ok(entries) = fs::read_dir(out) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with(".documents.jsonl.") && name.ends_with(".dehusk-partial")
    })
}

/// A run that waits for input, after it has begun to write.
fn waiting(out: &Path) -> Talk {
    let mut talk = Talk::start([
        "run",
        "--input-format",
        "jsonl",
        "-",
        "--threads",
        "2",
        "--out",
        &text(out),
    ]);
    talk.write(&line(1));
    wait_until("documents are written", || is_being_written(out));
    talk
}

#[test]
fn a_folder_that_is_not_ours_is_left_alone() {
    let dir = folder(&[("in/a.html", "<p>x"), ("out/thesis.txt", "years of work")]);
    let (input, out) = (text(&dir.path().join("in")), dir.path().join("out"));
    dehusk(["run", &input, "--out", &text(&out)]).exits(2).says(&[
        "error: `",
        "out` is not empty and not an output folder of dehusk: it holds `thesis.txt`",
        "name a new or an empty folder with --out",
    ]);
    assert_eq!(names(&out), set(&["thesis.txt"]));
    dehusk(["run", &input, "--out", &text(&out.join("thesis.txt"))])
        .exits(2)
        .says(&["is a file, not a folder"]);
}

#[test]
fn results_are_replaced_by_the_same_verb_only() {
    let dir = folder(&[
        ("in/a.html", &page("A", &prose(1, 60))),
        ("in/b.html", &page("B", &prose(2, 60))),
    ]);
    let (input, out) = (dir.path().join("in"), dir.path().join("out"));
    dehusk(["run", &text(&input), "--out", &text(&out)]).exits(0);
    let first = contents(&out);
    dehusk(["run", &text(&input), "--out", &text(&out)]).exits(0);
    assert_eq!(contents(&out), first);
    dehusk(["dedup", &text(&out.join("documents.jsonl")), "--out", &text(&out)])
        .exits(2)
        .says(&["holds the results of `dehusk run`", "choose another folder"]);
    assert_eq!(contents(&out), first);
    fs::remove_file(input.join("b.html")).unwrap();
    dehusk(["run", &text(&input), "--out", &text(&out)]).exits(0);
    assert_ne!(contents(&out)["documents.jsonl"], first["documents.jsonl"]);
}

#[test]
fn a_run_without_an_optional_file_removes_the_one_of_the_run_before() {
    let dir = folder(&[("in/a.html", &page("A", &prose(1, 60)))]);
    let (input, out) = (text(&dir.path().join("in")), dir.path().join("out"));
    dehusk(["run", &input, "--out", &text(&out), "--tsv"]).exits(0);
    assert!(out.join("pairs.tsv").exists());
    fs::write(out.join("notes.txt"), "mine").unwrap();
    dehusk(["run", &input, "--out", &text(&out)]).exits(0);
    assert!(!out.join("pairs.tsv").exists());
    assert_eq!(fs::read_to_string(out.join("notes.txt")).unwrap(), "mine");
}

#[test]
fn the_second_learner_of_templates_is_told_of_the_first() {
    let dir = folder(&[("in/a.html", "<p>x")]);
    let templates = text(&dir.path().join("templates"));
    let first = Talk::start([
        "site",
        "learn",
        "--input-format",
        "jsonl",
        "-",
        "--out",
        &templates,
    ]);
    let lock = dir.path().join("templates/.dehusk-lock");
    wait_until("a lock names its owner", || {
        fs::read_to_string(&lock).is_ok_and(|owner| !owner.is_empty())
    });
    let owner = format!(
        "is being written to by `dehusk site learn`, process {}",
        first.child.id()
    );
    dehusk([
        "site",
        "learn",
        &text(&dir.path().join("in")),
        "--out",
        &templates,
    ])
    .exits(4)
    .says(&[&owner, "wait until it ends"]);
    first.end().exits(0);
    dehusk([
        "site",
        "learn",
        &text(&dir.path().join("in")),
        "--out",
        &templates,
    ])
    .exits(0);
}

#[test]
fn the_second_run_is_told_who_is_writing() {
    let dir = folder(&[("in/a.html", "<p>x")]);
    let out = dir.path().join("out");
    let first = waiting(&out);
    let owner = format!(
        "is being written to by `dehusk run`, process {}",
        first.child.id()
    );
    dehusk(["run", &text(&dir.path().join("in")), "--out", &text(&out)])
        .exits(4)
        .says(&[&owner, "wait until it ends"]);
    first.end().exits(0);
    assert!(out.join("summary.json").exists());
}

#[test]
fn a_killed_run_leaves_no_final_names_and_the_next_one_is_as_if_it_had_not_been() {
    let dir = folder(&[("pages.jsonl", &(1..40).map(line).collect::<String>())]);
    let out = dir.path().join("out");
    let mut killed = waiting(&out);
    killed.child.kill().unwrap();
    killed.child.wait().unwrap();
    let left = names(&out);
    assert!(
        left.iter().all(
            |name| [".dehusk-lock", ".dehusk-journal"].contains(&name.as_str())
                || name.ends_with(".dehusk-partial")
        ),
        "{left:?}"
    );
    assert!(left.len() > 1);

    let (input, undisturbed) = (
        text(&dir.path().join("pages.jsonl")),
        dir.path().join("undisturbed"),
    );
    dehusk(["run", &input, "--out", &text(&out)]).exits(0);
    dehusk(["run", &input, "--out", &text(&undisturbed)]).exits(0);
    assert_eq!(contents(&out), contents(&undisturbed));
}

#[test]
#[cfg(unix)]
fn a_signal_ends_a_run_cleanly() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let dir = folder(&[]);
        let out = dir.path().join("out");
        waiting(&out).ended_by(signal).exits(code);
        assert_eq!(names(&out), set(&[".dehusk-lock"]), "{signal}");
    }
}

#[test]
#[cfg(unix)]
fn a_signal_interrupts_work_and_says_so() {
    let dir = folder(&[("pages.jsonl", &(1..4000).map(line).collect::<String>())]);
    let out = dir.path().join("out");
    // Standard input, which stays open, keeps a fast machine from ending first.
    let run = Talk::start([
        "run",
        "--input-format",
        "jsonl",
        &text(&dir.path().join("pages.jsonl")),
        "-",
        "--out",
        &text(&out),
    ]);
    wait_until("documents are written", || is_being_written(&out));
    run.ended_by("INT").exits(130).says(&["error: interrupted"]);
    // What was extracted so far may be remembered.
    let mut left = names(&out);
    left.remove(".dehusk-journal");
    assert_eq!(left, set(&[".dehusk-lock"]));
}

#[test]
#[cfg(unix)]
fn a_place_that_cannot_be_written_to_is_code_4() {
    let dir = folder(&[("in/a.html", "<p>x")]);
    dehusk(["run", &text(&dir.path().join("in")), "--out", "/proc/dehusk/out"])
        .exits(4)
        .says(&[
            "cannot write `/proc/dehusk/out`",
            "choose a folder with --out that can be written to",
        ]);
}

/// The signal for a file that is too large would end the program without a word.
#[test]
#[cfg(target_os = "linux")]
fn the_largest_size_of_a_file_is_an_error_that_names_it() {
    let dir = folder(&[("a.html", &page("A", &prose(1, 4000)))]);
    let (input, out) = (text(&dir.path().join("a.html")), dir.path().join("a.jsonl"));
    let program = text(Path::new(crate::support::command().get_program()));
    let ran = std::process::Command::new("sh")
        .args(["-c", "ulimit -f 1; exec \"$0\" extract \"$1\" --out \"$2\""])
        .args([&program, &input, &text(&out)])
        .output();
    let ran = crate::support::Ran::from(ran.expect("the binary starts"));
    ran.exits(1).says(&["cannot write", "a.jsonl", "File too large"]);
    assert!(!out.exists(), "half of the output has its name");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let dir = folder(&[("a.html", &page("A", &prose(1, 60)))]);
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("Linux has /dev/full");
    let ran = crate::support::command()
        .args(["extract", &text(&dir.path().join("a.html"))])
        .stdout(full)
        .output();
    let ran = crate::support::Ran::from(ran.expect("the binary starts"));
    ran.exits(1).says(&[
        "cannot write `standard output`: No space left on device",
        "make room",
    ]);
    let documents = folder(&[("d.jsonl", "{\"id\":\"a\",\"text\":\"one two three four\"}\n")]);
    let (page, documents) = (
        text(&dir.path().join("a.html")),
        text(&documents.path().join("d.jsonl")),
    );
    for (verb, input) in [
        ("extract", &page),
        ("explain", &page),
        ("normalize", &documents),
        ("sign", &documents),
    ] {
        dehusk([verb, input, "--out", "/dev/full"])
            .exits(1)
            .says(&["cannot write `/dev/full`: No space left on device"]);
    }
}

#[test]
fn an_output_folder_among_the_pages_is_passed_over() {
    let dir = folder(&[("a.html", &page("A", &prose(1, 60)))]);
    let out = dir.path().join("out");
    for _ in 0..2 {
        let ran = dehusk(["run", &text(dir.path()), "--out", &text(&out)]).exits(0);
        ran.says(&["1 page read, 1 document kept", "1 output-folder"]);
    }
    dehusk(["dedup", &text(&out), "--out", &text(&dir.path().join("b"))])
        .exits(2)
        .says(&[
            "is an output folder of dehusk, not an input",
            "documents.jsonl or kept.jsonl",
        ]);
}
