use std::fs;

use super::*;
use crate::exec::cancel::Cancel;
use crate::settings::{Settings, Threads};

fn check(
    files: &[(&str, &str)],
    inputs: &[&str],
    style: Style<'_>,
    threads: usize,
) -> (String, Outcome, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let inputs: Vec<String> = inputs
        .iter()
        .map(|name| dir.path().join(name).display().to_string())
        .collect();
    let settings = Settings {
        threads: Some(Threads(threads)),
        extractor: Some("all-text".parse().unwrap()),
        ..Settings::default()
    };
    let cancel = Cancel::new();
    let job = Job {
        inputs: &inputs,
        settings: &settings,
        url: Some("http://a.example/"),
        cancel: &cancel,
        progress: &(),
        launch: None,
    };
    let (mut out, mut told) = (Vec::new(), Vec::new());
    let outcome = write(&job, style, &mut out, &mut |rejected| {
        told.push(rejected.reason.name().to_owned());
    })
    .unwrap();
    (String::from_utf8(out).unwrap(), outcome, told)
}

fn with(format: &'static dyn RowFormat) -> Style<'static> {
    Style {
        output: Some(format),
        ..Style::default()
    }
}

#[test]
fn one_page_is_text_and_several_are_lines_of_json() {
    let files = [("a.html", "<p>one"), ("b.html", "<p>two")];
    let (text, ..) = check(&files, &["a.html"], Style::default(), 1);
    assert_eq!(text, "one\n");
    let (text, outcome, _) = check(&files, &["a.html", "b.html"], Style::default(), 2);
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (rows[0]["text"].as_str(), rows[1]["text"].as_str()),
        (Some("one\n"), Some("two\n"))
    );
    assert_eq!((outcome.summary.counts.read, outcome.summary.counts.kept), (2, 2));
}

#[test]
fn pages_are_parted_in_each_form() {
    let files = [("a.html", "<h1>one</h1>"), ("b.html", "<p>two")];
    let both = ["a.html", "b.html"];
    assert_eq!(check(&files, &both, with(&Text), 1).0, "one\n\x0c\ntwo\n");
    assert_eq!(check(&files, &both, with(&Markdown), 1).0, "# one\n\x0c\ntwo\n");
    let json: serde_json::Value = serde_json::from_str(&check(&files, &both, with(&Json), 1).0).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 2);
    let json: serde_json::Value =
        serde_json::from_str(&check(&files, &["a.html"], with(&Json), 1).0).unwrap();
    assert_eq!(json["url"], "http://a.example/");
    assert_eq!(
        check(&[("l.jsonl", "\n")], &["l.jsonl"], with(&Json), 1).0,
        "[]\n"
    );
}

#[test]
fn rejected_records_are_told_of_and_left_out() {
    let lines =
        "{\"html\":\"<p>one\"}\nbad\n{\"html\":\"<p>three\",\"url\":\"http://u.example/\",\"rank\":[1, 2]}\n";
    for threads in [1, 2, 7] {
        let (text, outcome, told) = check(&[("l.jsonl", lines)], &["l.jsonl"], Style::default(), threads);
        let rows: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(rows.len(), 2);
        assert_eq!(
            (rows[0]["id"].as_str(), rows[1]["id"].as_str()),
            (Some("http://a.example/"), Some("http://u.example/"))
        );
        assert!(text.contains("\"extra\":{\"rank\":[1, 2]}"), "{text}");
        assert_eq!(told, ["bad-json"]);
        assert!(outcome.summary.counts.add_up());
        assert_eq!(outcome.exit_code(), 0);
    }
}

#[test]
fn a_file_appears_when_it_is_complete() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.html"), "<p>one").unwrap();
    let settings = Settings::default();
    let cancel = Cancel::new();
    let attempt = |input: &str, out: &str| {
        let inputs = [dir.path().join(input).display().to_string()];
        let job = Job::new(&inputs, &settings, &cancel);
        write_file(&job, with(&Text), &dir.path().join(out), &mut |_| {})
    };
    attempt("a.html", "a.txt").unwrap();
    assert_eq!(fs::read_to_string(dir.path().join("a.txt")).unwrap(), "one\n");
    assert_eq!(attempt("none.html", "b.txt").unwrap_err().kind().exit_code(), 2);
    assert_eq!(
        attempt("a.html", "a.html/b.txt").unwrap_err().kind().exit_code(),
        4
    );
    cancel.request(crate::Interrupt::Terminate);
    assert_eq!(attempt("a.html", "c.txt").unwrap_err().kind().exit_code(), 143);
    let mut names: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["a.html", "a.txt"]);
}
