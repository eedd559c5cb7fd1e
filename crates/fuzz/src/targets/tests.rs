use std::fs;
use std::path::{Path, PathBuf};

use super::*;

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus")
}

/// Replays the corpus of a target, which must have at least `least` inputs.
fn replay(name: &str, least: usize) {
    let mut paths: Vec<PathBuf> = fs::read_dir(corpora().join(name))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort_unstable();
    assert!(paths.len() >= least, "{} inputs of `{name}`", paths.len());
    for path in paths {
        let input = fs::read(&path).unwrap();
        let held = std::panic::catch_unwind(|| check(name, &input));
        assert!(held.is_ok(), "{}", path.display());
    }
}

#[test]
fn every_target_has_a_corpus_and_a_program() {
    let names = |folder: PathBuf| -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                entry
                    .unwrap()
                    .path()
                    .file_stem()
                    .unwrap()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort_unstable();
        names
    };
    let table: Vec<&str> = ALL.iter().map(|target| target.name).collect();
    assert_eq!(names(corpora()), table);
    assert_eq!(names(corpora().with_file_name("fuzz_targets")), table);
}

#[test]
fn archive() {
    replay("archive", 20);
}

#[test]
fn decoding() {
    replay("decode", 20);
}

#[test]
fn duplicates() {
    replay("dedup", 20);
}

/// Texts of few words, texts of many templates, and texts without a template. Only their variety matters.
#[test]
fn duplicates_of_random_collections() {
    let mut state = 5_u64;
    for length in (0..300).map(|round| round * 7 % 2000) {
        let bytes: Vec<u8> = (0..length)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            })
            .collect();
        check("dedup", &bytes);
    }
}

#[test]
fn extraction() {
    replay("extraction", 20);
}

#[test]
fn index() {
    replay("index", 20);
}

#[test]
fn parser() {
    replay("parser", 100);
}

#[test]
fn records() {
    replay("records", 20);
}

#[test]
fn rules() {
    replay("rules", 20);
}

#[test]
fn statistics() {
    replay("statistics", 20);
}

#[test]
fn templates() {
    replay("templates", 20);
}

#[test]
fn workshop() {
    replay("workshop", 20);
}
