//! Names of inputs from a file, and standard output as a place to write to.

use std::fs;

use crate::support::{dehusk, dehusk_reading, folder, page, prose, text};

#[test]
fn inputs_are_named_in_a_file() {
    let dir = folder(&[
        ("a.html", &page("A", &prose(1, 60))),
        ("b.html", &page("B", &prose(2, 60))),
        ("c.html", &page("C", &prose(3, 60))),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    fs::write(at("names.txt"), format!("{}\n\n{}\n", at("b.html"), at("c.html"))).expect("a file");
    let expected = dehusk(["extract", &at("a.html"), &at("b.html"), &at("c.html")])
        .exits(0)
        .stdout;
    assert_eq!(expected.lines().count(), 3);
    let ran = dehusk(["extract", &at("a.html"), "--files-from", &at("names.txt")]).exits(0);
    assert_eq!(ran.stdout, expected);
    let names = format!("{}\n{}\n{}\n", at("a.html"), at("b.html"), at("c.html"));
    let ran = dehusk_reading(["extract", "--files-from", "-"], names.as_bytes()).exits(0);
    assert_eq!(ran.stdout, expected);
    let out = at("out");
    dehusk(["run", "--files-from", &at("names.txt"), "--out", &out])
        .exits(0)
        .says(&["2 pages read"]);

    dehusk(["extract", "--files-from", &at("none.txt")])
        .exits(2)
        .says(&["cannot read `", "none.txt`"]);
    dehusk_reading(["extract", "--files-from", "-"], b"\n")
        .exits(2)
        .says(&["no input is named"]);
    dehusk_reading(["extract", "--files-from", "-"], b"missing.html\n")
        .exits(2)
        .says(&["missing.html"]);
}

#[test]
fn texts_and_documents_are_normalized_together_with_their_like() {
    let dir = folder(&[
        ("a.txt", "Ёлка"),
        ("b.txt", "Дом"),
        ("c.jsonl", "{\"text\":\"x\"}\n"),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let ran = dehusk(["normalize", &at("a.txt"), &at("b.txt")]).exits(0);
    let texts: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| line.split("\"text\":").nth(1))
        .collect();
    assert_eq!(texts, ["\"елка\"}", "\"дом\"}"]);
    dehusk(["normalize", &at("a.txt"), &at("c.jsonl")])
        .exits(2)
        .says(&["plain texts and others hold documents", "--input-format"]);
}

#[test]
fn a_dash_is_standard_output() {
    let dir = folder(&[
        ("a.html", &page("A", &prose(1, 60))),
        ("d.jsonl", "{\"id\":\"a\",\"text\":\"one two three four\"}\n"),
    ]);
    let (input, documents) = (
        text(&dir.path().join("a.html")),
        text(&dir.path().join("d.jsonl")),
    );
    let here = fs::read_dir(".").expect("a folder").count();
    for (verb, input) in [
        ("extract", &input),
        ("normalize", &documents),
        ("sign", &documents),
    ] {
        let plain = dehusk([verb, input]).exits(0).stdout;
        assert!(!plain.is_empty());
        assert_eq!(
            dehusk([verb, input, "--out", "-"]).exits(0).stdout,
            plain,
            "{verb}"
        );
    }
    let why = dehusk(["explain", &input, "--out", "-"]).exits(0);
    assert!(why.stdout.starts_with("<!DOCTYPE html>"), "{}", why.stdout);
    assert_eq!(why.stderr, "");
    assert_eq!(
        fs::read_dir(".").expect("a folder").count(),
        here,
        "no file named `-`"
    );
}
