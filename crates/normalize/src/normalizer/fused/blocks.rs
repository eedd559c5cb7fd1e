//! Whole words between plain separators, 64 bytes at once.
//!
//! Letters of English and Russian, digits and ASCII punctuation make up most text. A block of it is judged in lanes, which the
//! compiler turns into vector instructions, and its words are found in masks of one bit for each byte. Words that are separated by
//! one byte are copied together. All else, and words that reach over the block, are left to the loop over characters, which
//! would have been in the same state at the place where this stops.

use wide::u8x16;

use super::offsets::{OffsetSink, RestartPoint};

/// Bytes that are judged at once.
pub(super) const BLOCK: usize = 64;

/// A block with the byte before it and the one behind it.
type Surrounded = [u8; BLOCK + 2];

/// What the bytes of a block are: a bit of each, the lowest for the first one.
#[derive(Default)]
struct Masks {
    /// Letters and digits.
    word: u64,
    /// Separators over which no pass looks, white space too.
    boundary: u64,
    /// What is not plain: neither those nor separators that passes may look over.
    other: u64,
    hyphen: u64,
    /// Letters by their script, if there may be both in a word.
    latin: u64,
    cyrillic: u64,
}

/// Copies words to `out` for as long as blocks are plain, beginning behind a separator. Returns the place behind the last boundary
/// that was reached. Behind what is written, `out` has room for a space and a block.
pub(super) fn copy_words(
    src: &[u8],
    from: RestartPoint,
    out: &mut [u8],
    digits: bool,
    offsets: &mut impl OffsetSink,
) -> RestartPoint {
    let mut at = from;
    // Twice as long, so that a whole block can be copied from any place in its first half.
    let mut lower = [0; 2 * BLOCK];
    loop {
        if src.get(at.src).is_none_or(|first| !is_plain_start(*first)) {
            return at;
        }
        let inside = at
            .src
            .checked_sub(1)
            .and_then(|before| src[before..].first_chunk());
        let masks = match inside {
            Some(bytes) => judge(bytes, digits, &mut lower),
            None => judge(&surrounded(&src[at.src..]), digits, &mut lower),
        };
        let Some(end) = masks.plain_end() else {
            return at;
        };
        let mut left = masks.joined_words(end);
        while left != 0 {
            let start = left.trailing_zeros() as usize;
            let len = (!(left >> start)).trailing_zeros() as usize;
            if at.out > 0 {
                out[at.out] = b' ';
                at.out += 1;
                offsets.gap(at.word_end, at.src + start);
            }
            out[at.out..at.out + BLOCK].copy_from_slice(&lower[start..start + BLOCK]);
            offsets.stepwise(len, at.src + start);
            at.out += len;
            at.word_end = at.src + start + len;
            // The carry runs through the lowest run of bits.
            left &= left.wrapping_add(1 << start);
        }
        at.src = src.len().min(at.src + end as usize);
    }
}

/// Whether a block may begin with this byte: others are not worth judging it.
fn is_plain_start(byte: u8) -> bool {
    byte < 0x80 || byte & 0xFE == 0xD0
}

/// The first block of a text, filled up with spaces, with what stands around it.
fn surrounded(rest: &[u8]) -> Surrounded {
    let mut bytes = [b' '; BLOCK + 2];
    match rest.first_chunk::<{ BLOCK + 1 }>() {
        Some(whole) => bytes[1..].copy_from_slice(whole),
        None => bytes[1..=rest.len()].copy_from_slice(rest),
    }
    bytes
}

/// Judges a block and writes its lower case to `lower`, with spaces for separators.
fn judge(bytes: &Surrounded, digits: bool, lower: &mut [u8; 2 * BLOCK]) -> Masks {
    let digits = u8x16::splat(if digits { 0xFF } else { 0 });
    let (lanes, _) = bytes[1..].as_chunks::<LANES>();
    let any = lanes
        .iter()
        .fold(u8x16::ZERO, |any, bytes| any | u8x16::new(*bytes));
    let ascii = any.to_bitmask() == 0 && bytes[0] | bytes[BLOCK + 1] < 0x80;
    let masks = if ascii {
        judge_lanes::<true>(bytes, digits, lower)
    } else {
        judge_lanes::<false>(bytes, digits, lower)
    };
    Masks {
        other: masks.other | masks.hyphen & breaks(bytes, masks.hyphen),
        ..masks
    }
}

/// The hyphens that may break a word at the end of a line.
fn breaks(bytes: &Surrounded, hyphens: u64) -> u64 {
    let (mut left, mut breaks) = (hyphens, 0);
    while left != 0 {
        let lowest = left & left.wrapping_neg();
        let after = bytes[left.trailing_zeros() as usize + 2];
        if (b'\n'..=b'\r').contains(&after) {
            breaks |= lowest;
        }
        left ^= lowest;
    }
    breaks
}

/// Bytes that are judged by one instruction.
const LANES: usize = 16;

/// Judges byte by byte, without branches; all but which hyphens break words. `ASCII` tells that there is nothing else.
#[inline(always)]
fn judge_lanes<const ASCII: bool>(bytes: &Surrounded, digits: u8x16, lower: &mut [u8; 2 * BLOCK]) -> Masks {
    let mut masks = Masks::default();
    let mut separators = 0;
    // Of Cyrillic letters: first bytes, and second ones that may follow them.
    let (mut d0, mut d1, mut behind_d0, mut behind_d1) = (0, 0, 0, 0);
    let (lanes, _) = lower.as_chunks_mut::<LANES>();
    for (number, lower) in lanes.iter_mut().take(BLOCK / LANES).enumerate() {
        let at = LANES * number;
        let bits = |lanes: u8x16| u64::from(lanes.to_bitmask()) << at;
        let byte = lanes_at(bytes, at + 1);
        let latin = within(byte | splat(0x20), b'a', b'z');
        let digit = within(byte, b'0', b'9');
        let mut small = byte | latin & splat(0x20);
        if !ASCII {
            let (before, after) = (lanes_at(bytes, at), lanes_at(bytes, at + 2));
            let (first, next) = (is(byte, 0xD0), is(byte, 0xD1));
            d0 |= bits(first);
            d1 |= bits(next);
            behind_d0 |= bits(follows_d0(byte));
            behind_d1 |= bits(follows_d1(byte));
            // Small letters stand 32 above capitals: D0 90 to 9F become D0 B0 to BF, and D0 A0 to AF become D1 80 to 8F.
            small -= first & within(after, 0xA0, 0xAF);
            small ^= is(before, 0xD0) & within(byte, 0x00, 0xAF) & splat(0x20);
        }
        let hyphen = is(byte, b'-');
        let marks = is(byte, b',')
            | hyphen
            | is(byte, b'.')
            | is(byte & splat(!1), b':')
            | is(byte & splat(!4), b'#')
            | is(byte, b'`');
        let others = latin | digit | is(byte, b'&') | is(byte, b'^');
        let separator = within(byte, b' ', b'~') & !others | within(byte, b'\t', b'\r');
        masks.word |= bits(latin | digit & digits);
        masks.boundary |= bits(separator & !marks);
        masks.hyphen |= bits(hyphen);
        separators |= bits(separator);
        if !ASCII {
            masks.latin |= bits(latin);
        }
        // What stands alone between words is no letter: all other bytes beyond ASCII end what is plain.
        *lower = (small & !separator | separator & splat(b' ')).to_array();
    }
    if !ASCII {
        // D0 90 to D1 9F: А to Я, а to я, and the small letters of other languages behind them; ё becomes another letter.
        let (before, after) = (splat(bytes[0]), splat(bytes[BLOCK + 1]));
        let last = |follows: u8x16| u64::from(follows.to_bitmask()) >> (LANES - 1) << (BLOCK - 1);
        let leads =
            d0 & (behind_d0 >> 1 | last(follows_d0(after))) | d1 & (behind_d1 >> 1 | last(follows_d1(after)));
        let first = u64::from(is(before, 0xD0).to_bitmask()) & behind_d0 & 1
            | u64::from(is(before, 0xD1).to_bitmask()) & behind_d1 & 1;
        masks.cyrillic = leads | leads << 1 | first;
        masks.word |= masks.cyrillic;
    }
    masks.other = !(masks.word | separators);
    masks
}

/// Whether a byte behind D0 makes a plain letter, and behind D1.
#[inline(always)]
fn follows_d0(byte: u8x16) -> u8x16 {
    within(byte, 0x90, 0xFF)
}

#[inline(always)]
fn follows_d1(byte: u8x16) -> u8x16 {
    within(byte, 0x00, 0x9F) & !is(byte, 0x91)
}

#[inline(always)]
fn lanes_at(bytes: &Surrounded, at: usize) -> u8x16 {
    let mut lanes = [0; LANES];
    lanes.copy_from_slice(&bytes[at..at + LANES]);
    u8x16::new(lanes)
}

#[inline(always)]
fn splat(byte: u8) -> u8x16 {
    u8x16::splat(byte)
}

#[inline(always)]
fn is(byte: u8x16, other: u8) -> u8x16 {
    byte.simd_eq(splat(other))
}

#[inline(always)]
fn within(byte: u8x16, low: u8, high: u8) -> u8x16 {
    let above = byte - splat(low);
    above.min(splat(high - low)).simd_eq(above)
}

impl Masks {
    /// Where the plain words at the front end: behind the last boundary before all that is not plain.
    fn plain_end(&self) -> Option<u32> {
        let mut ends = self.boundary & below(self.other);
        if self.latin != 0 && self.cyrillic != 0 {
            ends &= below(self.mixed_word());
        }
        (ends != 0).then(|| u64::BITS - ends.leading_zeros())
    }

    /// The first bit of the first word that has both Latin and Cyrillic letters.
    fn mixed_word(&self) -> u64 {
        let mut left = self.word;
        while left != 0 {
            let first = left & left.wrapping_neg();
            let rest = left & left.wrapping_add(first);
            let word = left & !rest;
            if self.latin & word != 0 && self.cyrillic & word != 0 {
                return first;
            }
            left = rest;
        }
        0
    }

    /// The words before `end`, with the separators that stand alone between two of them.
    fn joined_words(&self, end: u32) -> u64 {
        let words = self.word & u64::MAX >> (u64::BITS - end);
        words | words << 1 & words >> 1
    }
}

/// All bits below the lowest one that is set.
fn below(bits: u64) -> u64 {
    (bits & bits.wrapping_neg()).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use super::super::char_classes::{self, FIRST_BYTE, FIRST_BYTE_NO_DIGITS, LETTER, TWO_BYTE};
    use super::*;

    fn judged(text: &str, digits: bool) -> (Masks, [u8; 2 * BLOCK]) {
        let mut lower = [0; 2 * BLOCK];
        (judge(&surrounded(text.as_bytes()), digits, &mut lower), lower)
    }

    /// What is plain is what the tables say.
    #[test]
    fn characters_are_judged_as_by_the_tables() {
        for digits in [true, false] {
            for c in '\0'..'\u{800}' {
                for (text, at) in [(format!("{c} "), 0), (format!("я{c}"), 2), (format!("{c}я"), 0)] {
                    let (masks, lower) = judged(&text, digits);
                    let all = (1 << c.len_utf8()) - 1;
                    let bits = |mask: u64| mask >> at & all;
                    let place = format!("{c:?} in {text:?}");
                    let (word, boundary, other) = (bits(masks.word), bits(masks.boundary), bits(masks.other));
                    assert!([0, all].contains(&word), "{place}");
                    if c.is_ascii() {
                        let table = if digits { FIRST_BYTE } else { FIRST_BYTE_NO_DIGITS };
                        let class = table[c as usize];
                        assert_eq!(word != 0, class >= LETTER, "{place}");
                        if word != 0 {
                            assert_eq!(lower[at], class, "{place}");
                        }
                        let expected = [char_classes::SPACE, char_classes::BOUNDARY].contains(&class);
                        assert_eq!(boundary != 0, expected, "{place}");
                        if word == 0 && boundary == 0 && other == 0 {
                            let expected = [char_classes::SOFT, char_classes::HYPHEN];
                            assert!(expected.contains(&class), "{place}");
                        }
                        if word | boundary == 0 {
                            continue;
                        }
                        assert_eq!(other, 0, "{place}");
                        let expected = c.is_ascii_alphabetic() && !text.is_ascii();
                        assert_eq!(bits(masks.latin) != 0, expected, "{place}");
                    } else {
                        assert_eq!((boundary, bits(masks.latin)), (0, 0), "{place}");
                        let expected = ('А'..='џ').contains(&c) && c != 'ё';
                        assert_eq!((word != 0, other == 0), (expected, expected), "{place}");
                        let entry = TWO_BYTE[c as usize];
                        if expected {
                            assert_eq!(entry.class(), LETTER, "{place}");
                            assert_eq!(entry.scripts(), char_classes::CYRILLIC, "{place}");
                            assert_eq!(lower[at..at + 2], entry.bytes(), "{place}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn blocks_end_behind_the_last_boundary_before_what_is_not_plain() {
        let plain_end = |text: &str| judged(text, true).0.plain_end();
        assert_eq!(plain_end("one two, thr\u{e9}e four"), Some(9));
        assert_eq!(plain_end("one two-\nthree"), Some(4));
        assert_eq!(plain_end("one Mосква four"), Some(4));
        assert_eq!(plain_end("\u{e9}t\u{e9}"), None);
        assert_eq!(plain_end("an end"), Some(64), "spaces fill the block");
        assert_eq!(plain_end(&"long".repeat(16)), None);
        assert_eq!(plain_end(&format!("{} rest", "long".repeat(15))), Some(61));
    }
}
