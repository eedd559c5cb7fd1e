//! Finds the block that repeats the page's title. As `<title>` often holds the name of the site, too, its parts are also compared.

use crate::analysis::blocks::words::is_alphanumeric;
use crate::analysis::word_lists::lower_case;

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
    for separators in ["|»-", "|»:", "|»:()", "|»:()-", "|»,:()-"] {
        if let Some(part) = longest(&title, separators) {
            add(part);
        }
    }
    for separator in [" | ", " - "] {
        for part in title
            .split(separator)
            .filter(|p| !p.contains(".com") && p.split(' ').count() >= 4)
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

/// The part with most words or characters; `None` if there is only one part.
fn longest<'t>(title: &'t str, separators: &str) -> Option<&'t str> {
    let mut pieces = title.split(|c| separators.contains(c)).map(str::trim).peekable();
    let first = pieces.next()?;
    pieces.peek()?;
    let mut best = "";
    for piece in std::iter::once(first)
        .chain(pieces)
        .filter(|p| !p.contains(".com"))
    {
        let words = |s: &str| s.split_whitespace().count();
        if words(piece) > words(best) || piece.len() > best.len() {
            best = piece;
        }
    }
    (!best.is_empty()).then_some(best)
}

/// Hash of the first few letters and digits of a text, lower-cased.
///
/// Equal for texts that match; as most other texts differ here, the rest of them is not read.
pub(crate) fn prefix_hash(text: &str) -> u64 {
    folded(text).take(4).fold(0, mix)
}

/// Hash of all letters and digits of a text, lower-cased. Equal for texts that match.
pub(crate) fn letters_hash(text: &str) -> u64 {
    folded(text).fold(0, mix)
}

fn mix(hash: u64, c: char) -> u64 {
    (u64::from(u32::from(c)) ^ hash)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .rotate_left(29)
}

fn folded(text: &str) -> impl Iterator<Item = char> + '_ {
    let letters_hash = text.chars().filter(|c| is_alphanumeric(*c));
    let lower = letters_hash.flat_map(lower_case).filter(|c| is_alphanumeric(*c));
    // The sigma at the end of a word.
    lower.map(|c| if c == 'ς' { 'σ' } else { c })
}

/// Whether a block's text is the title or one of its parts.
pub(crate) fn matches(parts: &[String], text: &str) -> bool {
    let text = text.replace('\'', "").to_lowercase();
    let found = |t: &str| parts.iter().any(|p| p == t);
    found(text.trim()) || found(text.replace(['?', '!', '.', '-', ':'], "").trim())
}
