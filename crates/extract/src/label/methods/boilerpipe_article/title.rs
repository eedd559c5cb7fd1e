//! Finds the block that repeats the page's title. As `<title>` often holds the name of the site, too, its parts are also compared.

use crate::analysis::blocks::words::is_alphanumeric;
use crate::analysis::word_lists::each_lower_case;

/// Characters of a title that are read. Its parts are compared with every short block, which bounds the cost.
const MAX_TITLE: usize = 1000;

/// The title and its parts, lower-cased and without apostrophes; empty for an empty title.
pub(crate) fn parts(title: &str) -> Vec<String> {
    let end = title
        .char_indices()
        .nth(MAX_TITLE)
        .map_or(title.len(), |(i, _)| i);
    let title = title[..end].replace('\u{A0}', " ").replace('\'', "");
    let title = title
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase();
    let mut out = Vec::new();
    let mut add = |part: &str| {
        let part = part.trim();
        if !part.is_empty() && !out.iter().any(|p| p == part) {
            out.push(part.to_owned());
        }
    };
    add(&title);
    // Names of sites are no titles. Most titles hold none.
    let names_site = title.contains(".com");
    let is_part = |part: &str| !names_site || !part.contains(".com");
    let occurs = SEPARATORS[ALL_SEPARATORS]
        .iter()
        .map(|&separator| title.contains(separator));
    let occurs: Vec<bool> = occurs.collect();
    let mut tried = [0; SEPARATORS.len()];
    for (i, separators) in SEPARATORS.into_iter().enumerate() {
        // Sets that differ in characters alone that the title does not have give the same part.
        let with_all = SEPARATORS[ALL_SEPARATORS].iter().zip(&occurs).enumerate();
        let found = with_all.filter(|(_, (separator, occurs))| **occurs && separators.contains(separator));
        tried[i] = found.fold(0_u8, |found, (bit, _)| found | 1 << bit);
        if tried[i] != 0
            && !tried[..i].contains(&tried[i])
            && let Some(part) = longest(&title, separators, is_part)
        {
            add(part);
        }
    }
    for separator in [" | ", " - "] {
        for part in title
            .split(separator)
            .filter(|p| is_part(p) && p.split(' ').count() >= 4)
        {
            add(part);
        }
    }
    if let Some((head, _)) = title.rsplit_once(" - ") {
        add(head);
    }
    if let Some((_, tail)) = title.split_once(" - ") {
        add(tail);
    }
    out
}

/// Sets of characters that separate the parts of a title.
pub(super) const SEPARATORS: [&[char]; 5] = [
    &['|', '»', '-'],
    &['|', '»', ':'],
    &['|', '»', ':', '(', ')'],
    &['|', '»', ':', '(', ')', '-'],
    &['|', '»', ',', ':', '(', ')', '-'],
];

/// The set with all characters of the others.
const ALL_SEPARATORS: usize = 4;

/// The part with most words or characters, of those that `is_part` accepts; `None` if there is only one part.
pub(super) fn longest<'t>(
    title: &'t str,
    separators: &[char],
    is_part: impl Fn(&str) -> bool,
) -> Option<&'t str> {
    let mut pieces = title.split(separators).map(str::trim).peekable();
    let first = pieces.next()?;
    pieces.peek()?;
    let (mut best, mut most_words) = ("", 0);
    for piece in std::iter::once(first).chain(pieces).filter(|p| is_part(p)) {
        let words = piece.split_whitespace().count();
        if words > most_words || piece.len() > best.len() {
            (best, most_words) = (piece, words);
        }
    }
    (!best.is_empty()).then_some(best)
}

/// Hash of the first few letters and digits of a text, lower-cased.
///
/// Equal for texts that match; as most other texts differ here, the rest of them is not read.
pub(crate) fn prefix_hash(text: &str) -> u64 {
    hash_of(text, 4)
}

/// Hash of all letters and digits of a text, lower-cased. Equal for texts that match.
pub(crate) fn letters_hash(text: &str) -> u64 {
    hash_of(text, usize::MAX)
}

/// Hash of the first `most` letters and digits of a text, lower-cased.
fn hash_of(text: &str, most: usize) -> u64 {
    let (mut hash, mut left) = (0, most);
    for c in text.chars().filter(|c| is_alphanumeric(*c)) {
        each_lower_case(c, |c| {
            if left > 0 && is_alphanumeric(c) {
                left -= 1;
                // The sigma at the end of a word.
                hash = mix(hash, if c == 'ς' { 'σ' } else { c });
            }
        });
        if left == 0 {
            break;
        }
    }
    hash
}

fn mix(hash: u64, c: char) -> u64 {
    (u64::from(u32::from(c)) ^ hash)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .rotate_left(29)
}

/// Whether a block's text is the title or one of its parts.
pub(crate) fn matches(parts: &[String], text: &str) -> bool {
    let text = text.replace('\'', "").to_lowercase();
    let found = |t: &str| parts.iter().any(|p| p == t);
    found(text.trim()) || found(text.replace(['?', '!', '.', '-', ':'], "").trim())
}
