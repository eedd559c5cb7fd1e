use super::*;
use std::slice::from_ref;

use crate::analysis::blocks::words::{is_alphanumeric, is_letter};

/// Whether a character may be part of a word.
fn may_be_in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_\"'.,!@-:;$?()/".contains(c) || !c.is_ascii() && is_letter(c)
}

fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Reference implementation of the counts, character by character.
fn plain(text: &str, offset: usize, links: &[Range<usize>]) -> BlockCounts {
    let linked = |at: usize| links.iter().any(|link| link.contains(&(offset + at)));
    let mut out = BlockCounts::default();
    let mut in_word = false;
    for (i, c) in text.char_indices() {
        out.chars += 1;
        out.link_chars += u32::from(c != ' ' && linked(i));
        let counts = &mut out.counts;
        counts.commas += u32::from(",，、،".contains(c));
        counts.digits += u32::from(c.is_ascii_digit());
        counts.money |= "$€£¥￥₽₴₹₩".contains(c);
        counts.bar |= c == '|';
        counts.signs |= matches!(c, '(' | 'A' | '\u{80}'..='\u{BF}');
        let spaced = is_alphanumeric(c) && !is_unspaced(c);
        let begins = spaced && !in_word;
        counts.tokens += u32::from(begins || is_unspaced(c));
        counts.capitals += u32::from(begins && c.is_uppercase());
        in_word = spaced;
    }
    let (mut column, mut on_line) = (-1, 0);
    let mut start = 0;
    for word in text.split_inclusive(|c| !may_be_in_word(c)) {
        let at = start;
        start += word.len();
        let word = word.trim_end_matches(|c| !may_be_in_word(c));
        let has_letter = |c: char| c.is_ascii_alphanumeric() || !c.is_ascii();
        if !word.contains(has_letter) {
            continue;
        }
        out.words += 1;
        out.link_words += u32::from(linked(at));
        let chars = word.chars().count() as i64;
        on_line += 1;
        column += chars + 1;
        if column > 80 {
            (out.lines, column, on_line) = (out.lines + 1, chars, 1);
        }
    }
    (out.lines, out.words_in_lines) = match out.lines {
        0 => (1, out.words),
        lines => (lines, out.words - on_line),
    };
    out.counts.ends = ends_like_a_sentence(text);
    out
}

/// Counts `text` after `offset` other bytes, once at the end of the buffer and once before further text; both must agree.
fn count(text: &str, offset: usize, links: &[Range<usize>]) -> BlockCounts {
    let counts = |after: &str| {
        let all = ["-".repeat(offset).as_str(), text, after].concat();
        let part = offset..offset + text.len();
        dispatch!(Level::new(), simd => Reader::default().read(simd, &all, part, links))
    };
    let at_end = counts("");
    let after = "b|A$(, 1\u{E4} and more than a window of other text, of which nothing may be looked at";
    assert_eq!(counts(after), at_end, "{text:?} {links:?}");
    at_end
}

#[track_caller]
fn check(text: &str, offset: usize, links: &[Range<usize>]) {
    let mut found = count(text, offset, links);
    found.counts.hash = [0; 8];
    assert_eq!(found, plain(text, offset, links), "{text:?} {links:?}");
}

#[test]
fn texts_are_counted() {
    let found = count(
        "In 2024 the river Ouse, 12 km long, cost 5 $ – Это 中文 text.",
        0,
        &[],
    );
    let counts = found.counts;
    let of_tokens = (counts.tokens, counts.commas, counts.digits, counts.capitals);
    assert_eq!(
        (of_tokens, counts.money, counts.ends),
        ((14, 2, 7, 3), true, true)
    );
    assert_eq!((found.words, found.lines, found.words_in_lines), (13, 1, 13));
    for (text, expected) in [
        ("", 0),
        ("The river, 3 km long", 5),
        ("川が長い", 4),
        ("— · —", 0),
        ("a川b c", 4),
        ("naïve café 12a", 3),
    ] {
        assert_eq!(tokens(text), expected, "{text}");
    }
}

#[test]
fn every_character_is_counted_as_unicode_says() {
    let lines: Vec<String> = (0..64)
        .map(|before| "x ".repeat(32)[..before].to_owned())
        .collect();
    for (c, i) in ('\0'..=char::MAX).zip(0_usize..) {
        check(&format!("{c}{c} {c},a{c}"), 0, &[]);
        // Characters that straddle the end of a window or follow it.
        let before = &lines[56 + i % 8];
        check(&format!("{before}{c}{c}"), 7, from_ref(&(60..66)));
    }
}

#[test]
fn sentences_end_before_quotation_marks() {
    for (text, ends) in [
        ("", false),
        ("a", false),
        ("a.", true),
        ("a.»", true),
        ("a…)\"", true),
        ("да? ", true),
        ("是。」", true),
        ("a»", false),
        ("»", false),
        ("1", false),
    ] {
        assert_eq!(count(text, 0, &[]).counts.ends, ends, "{text}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]
    #[test]
    fn counts_are_those_of_characters(
        text in "(([a-zA-Z]{0,12}|[А-яё]{0,9}|[ѐ-ҟ]{0,3}|[-.,!$_/|(0-9]{0,5}|[中文、。が「]{0,30}|[\\u{80}-\\u{24F}]{0,3}|[–—“”€، ]{0,3}|[\\u{300}-\\u{303}\\u{E01}-\\u{E40}]{0,3})[ ,]?){0,40}",
        offset in 0..5_usize,
        gaps in proptest::collection::vec((0..40_usize, 1..60_usize), 0..6),
    ) {
        let mut links: Vec<Range<usize>> = Vec::new();
        let mut at = offset;
        for (gap, len) in gaps {
            let boundary = |at: usize| (at.min(offset + text.len())..).find(|at| text.is_char_boundary(at - offset));
            let (Some(start), Some(end)) = (boundary(at + gap), boundary(at + gap + len)) else {
                continue;
            };
            if end > start {
                links.push(start..end);
            }
            at = end + 1;
        }
        check(&text, offset, &links);
        check(&text, offset, &[]);
        let whole = offset..offset + text.len();
        check(&text, offset, if text.is_empty() { &[] } else { from_ref(&whole) });
    }
}
