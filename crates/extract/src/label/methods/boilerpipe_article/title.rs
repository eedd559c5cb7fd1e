//! Finds the block that repeats the page's title. `<title>` often contains the name of the site as well, so its parts are compared, too.

use crate::analysis::blocks::words::is_alphanumeric;
use crate::analysis::word_lists::each_lower_case;

/// Maximum number of characters of a title that are read. Bounds the cost, since its parts are compared with every short block.
const MAX_TITLE: usize = 1000;

/// Returns the title and its parts, lower-cased and without apostrophes; empty for an empty title.
pub(crate) fn parts(title: &str) -> Vec<String> {
    let end = title
        .char_indices()
        .nth(MAX_TITLE)
        .map_or(title.len(), |(i, _)| i);
    let title = without_apostrophes(&title[..end]).to_lowercase();
    let mut out = Vec::new();
    let mut add = |part: &str| {
        let part = part.trim();
        if !part.is_empty() && !out.iter().any(|p| p == part) {
            out.push(part.to_owned());
        }
    };
    add(&title);
    // Parts that contain the name of a site are not titles. Most titles contain none.
    let names_site = title.contains(".com");
    let is_part = |part: &str| !names_site || !part.contains(".com");
    for part in longest_parts(&title, is_part) {
        add(part);
    }
    // Parts of four or more words, by ` | ` and by ` - `; then the title without its last and without its
    // first part.
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

/// Removes apostrophes and collapses white space.
fn without_apostrophes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let end = out.len();
        if end > 0 {
            out.push(' ');
        }
        let start = out.len();
        word.split('\'').for_each(|piece| out.push_str(piece));
        // The word consisted of apostrophes: the space before it is removed, too.
        if out.len() == start {
            out.truncate(end);
        }
    }
    out
}

const ALL_SEPARATORS: &[char] = &['|', '»', ',', ':', '(', ')', '-'];

/// Sets of characters that separate the parts of a title.
pub(super) const SEPARATORS: [&[char]; 5] = [
    &['|', '»', '-'],
    &['|', '»', ':'],
    &['|', '»', ':', '(', ')'],
    &['|', '»', ':', '(', ')', '-'],
    &['|', '»', ',', ':', '(', ')', '-'],
];

/// Returns the longest part by each set of separators. Sets that differ only in characters missing from the title yield the same parts,
/// which are returned once.
fn longest_parts(title: &str, is_part: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut found: Vec<char> = title.chars().filter(|c| ALL_SEPARATORS.contains(c)).collect();
    found.sort_unstable();
    found.dedup();
    let mut out = Vec::new();
    let mut tried = Vec::new();
    for separators in SEPARATORS {
        let separators: Vec<char> = separators.iter().copied().filter(|c| found.contains(c)).collect();
        if separators.is_empty() || tried.contains(&separators) {
            continue;
        }
        out.extend(longest(title, &separators, &is_part));
        tried.push(separators);
    }
    out
}

/// Returns the part with the most words or characters among those that `is_part` accepts; `None` if there is only one part.
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
        // As in the original, a longer piece wins even with fewer words, and then fewer words suffice to beat
        // it.
        if words > most_words || piece.len() > best.len() {
            (best, most_words) = (piece, words);
        }
    }
    (!best.is_empty()).then_some(best)
}

/// Returns a bit set of the first letters or digits of the parts, indexed by the lowest seven bits of their code points.
pub(crate) fn first_letters(parts: &[String]) -> u128 {
    let first = |part: &String| part.chars().find(|c| is_alphanumeric(*c));
    // A part without letters or digits rules out no text.
    parts
        .iter()
        .fold(0, |bits, part| bits | first(part).map_or(u128::MAX, bit_of))
}

/// Returns the bit of a lower-case letter; see [`first_letters`].
fn bit_of(lower: char) -> u128 {
    1 << (u32::from(as_matched(lower)) & 127)
}

/// Returns whether a text may begin like one of the parts. Rejects most texts by their first character.
pub(crate) fn may_begin(text: &str, first_letters: u128) -> bool {
    let Some(first) = text.chars().next() else {
        return true;
    };
    let mut bits = 0;
    each_lower_case(first, |lower| {
        if bits == 0 {
            // A text that begins with punctuation may match any part.
            bits = if is_alphanumeric(lower) {
                bit_of(lower)
            } else {
                u128::MAX
            };
        }
    });
    first_letters & bits != 0
}

/// Returns a hash of the first four letters and digits of a text, lower-cased.
///
/// Equal for texts that match. Most other texts differ here, so that the rest of them need not be read.
pub(crate) fn prefix_hash(text: &str) -> u64 {
    hash_of(text, 4)
}

/// Returns a hash of all letters and digits of a text, lower-cased. Equal for texts that match.
pub(crate) fn letters_hash(text: &str) -> u64 {
    hash_of(text, usize::MAX)
}

/// Returns a hash of the first `most` letters and digits of a text, lower-cased.
fn hash_of(text: &str, most: usize) -> u64 {
    let (mut hash, mut left) = (0, most);
    for c in text.chars().filter(|c| is_alphanumeric(*c)) {
        each_lower_case(c, |c| {
            if left > 0 && is_alphanumeric(c) {
                left -= 1;
                hash = mix(hash, as_matched(c));
            }
        });
        if left == 0 {
            break;
        }
    }
    hash
}

/// Folds a lower-case letter for comparison: a final sigma becomes a medial one.
fn as_matched(lower: char) -> char {
    if lower == 'ς' { 'σ' } else { lower }
}

fn mix(hash: u64, c: char) -> u64 {
    (u64::from(u32::from(c)) ^ hash)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .rotate_left(29)
}

/// Returns whether the text of a block is the title or one of its parts.
pub(crate) fn matches(parts: &[String], text: &str) -> bool {
    let text = text.replace('\'', "").to_lowercase();
    let found = |t: &str| parts.iter().any(|p| p == t);
    found(text.trim()) || found(text.replace(['?', '!', '.', '-', ':'], "").trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_separators_are_known() {
        let all = SEPARATORS.into_iter().flatten();
        assert!(all.into_iter().all(|c| ALL_SEPARATORS.contains(c)));
    }

    proptest::proptest! {
        #[test]
        fn apostrophes_are_no_words(text in "[a' \u{A0}\n]{0,12}") {
            let words = text.replace('\'', "");
            let words: Vec<&str> = words.split_whitespace().collect();
            proptest::prop_assert_eq!(without_apostrophes(&text), words.join(" "));
        }

        #[test]
        fn parts_are_those_of_all_separators(title in "([a-c]{1,4}[ |»,:()-]{1,2}){0,8}") {
            let accept = |part: &str| !part.contains('c');
            let mut want: Vec<&str> = SEPARATORS.into_iter().filter_map(|set| longest(&title, set, accept)).collect();
            let mut found = longest_parts(&title, accept);
            for parts in [&mut want, &mut found] {
                let mut seen = Vec::new();
                parts.retain(|part| !seen.contains(part) && { seen.push(*part); true });
            }
            proptest::prop_assert_eq!(found, want);
        }

        #[test]
        fn texts_that_match_begin_like_a_part(title in "[«'( ]?([KkÄäΣςa1-]{1,3}[ |-]{0,3}){1,4}", text in "[«' ]?[KkÄäΣςa1-]{1,3}") {
            let parts = parts(&title);
            for text in parts.iter().cloned().chain([text, title.clone(), title.to_uppercase()]) {
                if matches(&parts, &text) {
                    proptest::prop_assert!(may_begin(&text, first_letters(&parts)), "{:?} {:?}", parts, text);
                }
            }
        }
    }
}
