//! Measures how often a page with few accented words is decoded correctly: 50 labels, 34 languages, and
//! pages of 1 to 20 such words.
//!
//! `charsets/languages.tsv` has a language, the charset that its pages were written in before UTF-8, and
//! sentences on each line. Pages are windows of those sentences. With `--nocapture` the tests print the
//! table of `docs/input.md`.

#![allow(clippy::print_stdout, reason = "a table for those who run it")]

use dehusk_html::decode::{CharsetHints, decode};
use encoding_rs::Encoding;

const LANGUAGES: &str = include_str!("charsets/languages.tsv");

/// Labels of charsets that extend ASCII, as pages write them.
const LABELS: [&str; 50] = [
    "iso-8859-1",
    "latin1",
    "us-ascii",
    "windows-1252",
    "iso-8859-2",
    "latin2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-9",
    "iso-8859-10",
    "iso-8859-11",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "ibm866",
    "macintosh",
    "x-mac-cyrillic",
    "windows-874",
    "tis-620",
    "windows-1250",
    "windows-1251",
    "cp1251",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "gb2312",
    "gbk",
    "gb18030",
    "big5",
    "big5-hkscs",
    "euc-jp",
    "shift_jis",
    "x-sjis",
    "euc-kr",
    "ks_c_5601-1987",
    "iso-2022-jp",
    "l9",
    "hebrew",
    "greek",
];

/// Numbers of words with characters beyond ASCII.
const COUNTS: [usize; 4] = [1, 2, 5, 20];

struct Language {
    tag: &'static str,
    charset: &'static Encoding,
    words: Vec<&'static str>,
}

fn languages() -> Vec<Language> {
    LANGUAGES
        .lines()
        .map(|line| {
            let mut fields = line.split('\t');
            let mut next = || fields.next().expect("three fields");
            Language {
                tag: next(),
                charset: Encoding::for_label(next().as_bytes()).expect("a label"),
                words: next().split(' ').collect(),
            }
        })
        .collect()
}

impl Language {
    /// Texts of `count` words beyond ASCII and the plain words between them, from each third such word on.
    fn texts(&self, count: usize) -> Vec<String> {
        let accented: Vec<usize> = (0..self.words.len())
            .filter(|&i| !self.words[i].is_ascii())
            .collect();
        accented
            .iter()
            .step_by(if count == 1 { 1 } else { 3 })
            .map(|&start| {
                let words = self.words.iter().cycle().skip(start);
                let mut left = count;
                let taken: Vec<&str> = words
                    .copied()
                    .take_while(|word| {
                        let more = left > 0;
                        left -= usize::from(more && !word.is_ascii());
                        more
                    })
                    .collect();
                taken.join(" ")
            })
            .collect()
    }
}

/// A page with a text, and with its language where it says one.
fn page(text: &str, language: Option<&str>) -> String {
    let language = language.map_or(String::new(), |tag| format!(" lang=\"{tag}\""));
    format!(
        "<!DOCTYPE html>\n<html{language}><head><title>1</title></head>\n<body><div class=\"main\"><p>{text}</p></div></body></html>\n"
    )
}

fn is_right(bytes: &[u8], label: Option<&str>, page: &str) -> bool {
    let content_type = label.map(|label| format!("text/html; charset={label}"));
    let hints = CharsetHints {
        content_type: content_type.as_deref(),
        ..CharsetHints::default()
    };
    decode(bytes, hints, usize::MAX).text == page
}

/// Right and all pages of a row of the table, and some that are wrong.
#[derive(Default)]
struct Score {
    right: usize,
    all: usize,
    wrong: Vec<String>,
}

impl Score {
    fn add(&mut self, is_right: bool, name: impl FnOnce() -> String) {
        self.all += 1;
        self.right += usize::from(is_right);
        if !is_right {
            self.wrong.push(name());
        }
    }

    fn share(&self) -> f64 {
        self.right as f64 / self.all as f64
    }
}

/// Scores for each number of words, over all texts with and without the language of the page.
fn scores(case: impl Fn(&mut Score, &Language, &str, Option<&str>), says_language: bool) -> Vec<Score> {
    COUNTS
        .iter()
        .map(|&count| {
            let mut score = Score::default();
            for language in &languages() {
                for text in language.texts(count) {
                    case(&mut score, language, &text, says_language.then_some(language.tag));
                }
            }
            score
        })
        .collect()
}

#[track_caller]
fn check(name: &str, scores: &[Score], floors: [f64; 4]) {
    let shares: Vec<String> = scores.iter().map(|s| format!("{:.4}", s.share())).collect();
    println!("| {name} | {} |", shares.join(" | "));
    for ((score, floor), count) in scores.iter().zip(floors).zip(COUNTS) {
        let step = score.wrong.len() / 40 + 1;
        let wrong: Vec<&String> = score.wrong.iter().step_by(step).collect();
        assert!(
            score.share() >= floor,
            "{name}, {count} words: {} of {}: {wrong:?}",
            score.right,
            score.all
        );
    }
}

fn utf_8_under_a_label(says_language: bool) -> Vec<Score> {
    scores(
        |score, language, text, tag| {
            let page = page(text, tag);
            for label in LABELS {
                score.add(is_right(page.as_bytes(), Some(label), &page), || {
                    format!("{} {label} {text}", language.tag)
                });
            }
        },
        says_language,
    )
}

fn legacy(label: Option<&'static str>, says_language: bool) -> Vec<Score> {
    scores(
        |score, language, text, tag| {
            let page = page(text, tag);
            let (bytes, _, unmappable) = language.charset.encode(&page);
            if !unmappable {
                score.add(is_right(&bytes, label, &page), || {
                    format!("{} {text}", language.tag)
                });
            }
        },
        says_language,
    )
}

/// Adds a page in each charset that has all its characters, under the label of that charset.
fn add_right_labels(score: &mut Score, page: &str, name: &str) {
    let mut seen: Vec<&str> = Vec::new();
    for label in LABELS.iter().chain(&["utf-8"]) {
        let charset = Encoding::for_label(label.as_bytes()).expect("a label");
        if seen.contains(&charset.name()) {
            continue;
        }
        seen.push(charset.name());
        let (bytes, _, unmappable) = charset.encode(page);
        // Some characters have two codes in the charsets of East Asia, and do not come back.
        if !unmappable && charset.decode_without_bom_handling(&bytes).0 == page {
            score.add(is_right(&bytes, Some(label), page), || format!("{label} {name}"));
        }
    }
}

#[test]
fn a_right_label_is_never_overruled() {
    // The language of a page is right, missing, or that of another page.
    for (name, given) in [
        ("none", None),
        ("right", Some("")),
        ("German", Some("de")),
        ("Russian", Some("ru")),
    ] {
        let is_wrong = given.is_some_and(|given| !given.is_empty());
        let scores: Vec<Score> = scores(
            |score, _, text, own| {
                let tag = given.map(|given| {
                    if given.is_empty() {
                        own.unwrap_or("")
                    } else {
                        given
                    }
                });
                let texts = [
                    text.to_owned(),
                    format!("{text}…»"),
                    text.to_uppercase(),
                    format!("“{text}” © –"),
                ];
                for text in &texts[..if is_wrong { 2 } else { 4 }] {
                    add_right_labels(score, &page(text, tag), text);
                }
            },
            true,
        );
        check(
            &format!("right label, language: {name}"),
            &scores,
            if is_wrong {
                [0.998, 0.999, 1.0, 1.0]
            } else {
                [1.0; 4]
            },
        );
    }
}

/// Two characters of East Asia are valid UTF-8 by accident once in hundreds of times.
#[test]
fn pairs_of_characters_under_their_label_are_hardly_ever_overruled() {
    for (tag, labels) in [
        ("zh-Hans", &["gbk"][..]),
        ("zh-Hant", &["big5"]),
        ("ja", &["shift_jis", "euc-jp"]),
        ("ko", &["euc-kr"]),
    ] {
        let language = languages()
            .into_iter()
            .find(|language| language.tag == tag)
            .expect("a language");
        let mut characters: Vec<char> = language.words.iter().flat_map(|word| word.chars()).collect();
        characters.sort_unstable();
        characters.dedup();
        for label in labels {
            let charset = Encoding::for_label(label.as_bytes()).expect("a label");
            for given in [None, Some(tag)] {
                let (mut all, mut valid, mut wrong) = (0, 0, Vec::new());
                for a in &characters {
                    for b in &characters {
                        let page = page(&format!("{a}{b}"), given);
                        let (bytes, _, _) = charset.encode(&page);
                        all += 1;
                        if std::str::from_utf8(&bytes).is_ok() {
                            valid += 1;
                            if !is_right(&bytes, Some(label), &page) {
                                wrong.push(format!("{a}{b}"));
                            }
                        }
                    }
                }
                println!(
                    "{label}, language {given:?}: {} of {valid} valid and {all} pairs: {wrong:?}",
                    wrong.len()
                );
                // With the language, none is; without it, less than one in a thousand.
                assert!(
                    wrong.len() * 1_000 <= all * usize::from(given.is_none()),
                    "{label}: {wrong:?}"
                );
            }
        }
    }
}

#[test]
fn utf_8_under_another_label_is_known() {
    check(
        "UTF-8 under another label",
        &utf_8_under_a_label(false),
        [0.96, 0.999, 1.0, 1.0],
    );
    check(
        "UTF-8 under another label, language given",
        &utf_8_under_a_label(true),
        [0.998, 1.0, 1.0, 1.0],
    );
}

#[test]
fn charsets_before_utf_8_are_detected() {
    for (label, name) in [
        (None, "no label"),
        (Some("utf-8"), "another charset labelled UTF-8"),
    ] {
        check(name, &legacy(label, false), [0.78, 0.89, 0.93, 0.94]);
        check(
            &format!("{name}, language given"),
            &legacy(label, true),
            [0.97, 0.98, 0.99, 1.0],
        );
    }
}

#[test]
fn utf_8_without_a_label_is_known() {
    let scores = scores(
        |score, language, text, tag| {
            let page = page(text, tag);
            score.add(is_right(page.as_bytes(), None, &page), || {
                format!("{} {text}", language.tag)
            });
        },
        false,
    );
    check("UTF-8, no label", &scores, [1.0; 4]);
}
