//! How well sentences are found: the labelled samples of `fixtures/sentences`.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use std::collections::BTreeSet;

use dehusk_normalize::Splitter;

/// The paragraphs of a sample, each as its sentences.
fn paragraphs(language: &str) -> Vec<Vec<String>> {
    let path = format!(
        "{}/../../fixtures/sentences/{language}.txt",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    text.split("\n\n")
        .map(|paragraph| {
            paragraph
                .lines()
                .filter(|line| !line.starts_with('#') && !line.is_empty())
                .map(str::to_owned)
                .collect()
        })
        .filter(|paragraph: &Vec<String>| !paragraph.is_empty())
        .collect()
}

/// Precision and recall of the boundaries inside paragraphs; the end of a paragraph counts for nothing.
fn check(language: &str, floor: f64) {
    let splitter = Splitter::new();
    let (mut right, mut found, mut labelled) = (0, 0, 0);
    for sentences in paragraphs(language) {
        let text = sentences.join(" ");
        let mut at = 0;
        let wanted: BTreeSet<usize> = sentences
            .iter()
            .map(|sentence| {
                at += sentence.len() + 1;
                at - 1
            })
            .filter(|&end| end < text.len())
            .collect();
        let given: BTreeSet<usize> = splitter
            .sentences(&text)
            .map(|range| range.end)
            .filter(|&end| end < text.len())
            .collect();
        let context = |end: usize| {
            let before: String = text[..end].chars().rev().take(30).collect();
            let before: String = before.chars().rev().collect();
            format!("{before}|{}", text[end..].chars().take(30).collect::<String>())
        };
        for &end in given.difference(&wanted) {
            println!("{language}: not a boundary: {}", context(end));
        }
        for &end in wanted.difference(&given) {
            println!("{language}: missed: {}", context(end));
        }
        right += wanted.intersection(&given).count();
        found += given.len();
        labelled += wanted.len();
    }
    let precision = right as f64 / found as f64;
    let recall = right as f64 / labelled as f64;
    let f1 = 2.0 * precision * recall / (precision + recall);
    println!("{language}: {labelled} boundaries, precision {precision:.4}, recall {recall:.4}, F1 {f1:.4}");
    assert!(labelled >= 300, "the sample is too small");
    assert!(f1 >= floor, "{language}: F1 {f1:.4} is below {floor}");
}

#[test]
fn russian_sentences_are_found() {
    check("ru", 0.98);
}

#[test]
fn english_sentences_are_found() {
    check("en", 0.98);
}
