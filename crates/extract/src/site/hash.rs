//! Hashes of names, and of texts without regard to numbers. They must not change, since template files contain them.

use dehusk_html::fnv;

/// Initial value of [`mix`].
pub(super) const SEED: u64 = fnv::START;

/// Extends a hash by a number (FNV-1a over 64-bit units, with a rotation so that the order matters).
pub(super) fn mix(hash: u64, value: u64) -> u64 {
    fnv::extend(hash, value).rotate_left(17)
}

/// Hashes a name: class, id or tag.
pub(super) fn hash_name(name: &str) -> u64 {
    name.bytes().fold(SEED, |h, b| mix(h, b.into()))
}

/// Hashes a text with collapsed white space. Texts that differ only in numbers and in the case of ASCII letters have equal hashes. Every number
/// counts as `0`, since dates, counters and page numbers change from page to page while the rest of the line stays.
pub(super) fn hash_text(text: &str) -> u64 {
    let (mut out, mut in_number) = (SEED, false);
    for c in text.chars() {
        let number = c.is_ascii_digit();
        if !(number && in_number) {
            let seen = if number { '0' } else { c.to_ascii_lowercase() };
            out = mix(out, u32::from(seen).into());
        }
        in_number = number;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_case_do_not_part_lines() {
        let hash = hash_text;
        assert_eq!(hash("12 Comments"), hash("7 comments"));
        assert_eq!(hash("Published 2019-03-01"), hash("published 2021-11-30"));
        assert_ne!(hash("12 comments"), hash("comments 12"));
        assert_ne!(hash("a"), hash("a 1"));
    }
}
