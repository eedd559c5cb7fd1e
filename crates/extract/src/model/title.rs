//! The line that is most like the title of the page.

use super::unit::Unit;
use crate::block::is_alphanumeric;
use crate::extractor::View;
use crate::word_lists::lower_case;

/// Words of a title past which it is none.
const MAX_WORDS: usize = 100;

/// The line most like the title, and how like: twice the words they share by the words of both, and a little more for a heading.
pub(super) fn anchor(view: &View<'_>, units: &[Unit]) -> (usize, f32) {
    let mut title = Vec::new();
    each_word(view.title.unwrap_or(""), |word| title.push(word));
    let mut best = (0, 0.0);
    if title.is_empty() || title.len() > MAX_WORDS {
        return best;
    }
    // A bit of each word, so that most others need not be compared with all.
    let bits = title.iter().fold(0_u64, |bits, word| bits | 1 << (word & 63));
    for (i, unit) in units.iter().enumerate() {
        if unit.hidden || unit.tokens > 3 * title.len() as u32 + 10 || unit.chars > 400 {
            continue;
        }
        let (mut words, mut shared) = (0, 0.0);
        for block in &view.table.blocks()[unit.blocks()] {
            each_word(view.table.text(block), |word| {
                words += 1;
                if bits >> (word & 63) & 1 == 1 && title.contains(&word) {
                    shared += 1.0;
                }
            });
        }
        let alike = 2.0 * shared / (words + title.len()) as f32 + if unit.heading > 0 { 0.1 } else { 0.0 };
        if alike > best.1 + 1e-6 {
            best = (i, alike);
        }
    }
    best
}

/// Calls `visit` with a hash of each run of letters and digits, lower-cased.
fn each_word(text: &str, mut visit: impl FnMut(u64)) {
    const START: u64 = 0xCBF2_9CE4_8422_2325;
    let mut hash = START;
    let mix = |hash: u64, c: u32| {
        (hash ^ u64::from(c))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29)
    };
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii() {
            at += 1;
            let lower = LOWER[usize::from(byte & 0x7F)];
            if lower > 0 {
                hash = mix(hash, u32::from(lower));
                continue;
            }
        } else {
            let c = text[at..].chars().next().unwrap_or_default();
            at += c.len_utf8();
            if is_alphanumeric(c) {
                for c in lower_case(c) {
                    // The sigma at the end of a word.
                    hash = mix(hash, u32::from(if c == 'ς' { 'σ' } else { c }));
                }
                continue;
            }
        }
        if hash != START {
            visit(hash);
            hash = START;
        }
    }
    if hash != START {
        visit(hash);
    }
}

/// Letters and digits of ASCII, lower-cased; 0 for what is neither.
static LOWER: [u8; 128] = {
    let mut all = [0; 128];
    let mut i = 0;
    while i < 128 {
        let byte = i as u8;
        if byte.is_ascii_alphanumeric() {
            all[i] = byte.to_ascii_lowercase();
        }
        i += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_alike_in_any_case() {
        let words = |text: &str| {
            let mut out = Vec::new();
            each_word(text, |word| out.push(word));
            out
        };
        assert_eq!(words("Die 3 Flüsse – ΟΔΟΣ"), words("die, 3 FLÜSSE; οδος."));
        assert_eq!(words("a b").len(), 2);
        assert_ne!(words("ab"), words("ba"));
        assert!(words(" – ").is_empty());
    }
}
