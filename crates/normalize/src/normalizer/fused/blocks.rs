//! Copies whole words between plain separators, 64 bytes per step.
//!
//! English and Russian letters, digits and ASCII punctuation make up most text. A block of 64 such bytes is
//! classified with the longest vectors of the processor, and its words are found in masks with one bit per
//! byte. Words separated by a single byte are copied together. Everything else, including words that cross
//! the end of the block, is left to the loop over characters. Where this module stops, that loop would have
//! been in the same state.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, mask8x64, u8x64};

use super::offsets::{OffsetSink, RestartPoint};

/// Number of bytes classified per step.
pub(super) const BLOCK: usize = 64;

/// The apostrophe inside a word, `passes::apostrophes::INNER`, in UTF-8.
pub(super) const APOSTROPHE: [u8; 2] = [0xCA, 0xBC];

/// A block with one byte before and one byte after it.
type Surrounded = [u8; BLOCK + 2];

/// Classes of the bytes of a block, one bit per byte, lowest bit first.
#[derive(Default)]
struct Masks {
    /// Letters and digits.
    word: u64,
    /// Separators that no pass looks across, including white space.
    boundary: u64,
    /// Bytes that end the plain part of the block: bytes that are neither in words nor separators, and hyphens
    /// that break a word. A possible apostrophe at the end of the block counts, too.
    other: u64,
    hyphen: u64,
    /// Apostrophes between two letters.
    apostrophe: u64,
    /// Letters by script; empty unless a word may contain both scripts.
    latin: u64,
    cyrillic: u64,
    /// Symbols, if symbols are kept. Only white space is a boundary then.
    symbol: u64,
    /// Symbols that equal the byte before them.
    repeated: u64,
}

/// Copies words to `out` as long as blocks are plain, starting after a separator. Returns the point after the
/// last boundary reached.
///
/// After the written bytes, `out` must have room for a space and a block. With `SYMBOLS`, runs of symbols are copied, too, each
/// surrounded by spaces.
pub(super) fn copy_words<const SYMBOLS: bool>(
    src: &[u8],
    from: RestartPoint,
    out: &mut [u8],
    digits: bool,
    offsets: &mut impl OffsetSink,
) -> RestartPoint {
    dispatch!(Level::new(), simd => copy_words_with::<_, SYMBOLS>(simd, src, from, out, digits, offsets))
}

/// [`copy_words`] for one instruction set.
#[inline(always)]
fn copy_words_with<S: Simd, const SYMBOLS: bool>(
    simd: S,
    src: &[u8],
    from: RestartPoint,
    out: &mut [u8],
    digits: bool,
    offsets: &mut impl OffsetSink,
) -> RestartPoint {
    let mut at = from;
    // Twice the length, so that a whole block can be copied from any offset in the first half.
    let mut lower = [0; 2 * BLOCK];
    loop {
        if src.get(at.src).is_none_or(|first| !is_plain_start(*first)) {
            return at;
        }
        // The byte before the block, the block, and the byte after it. Near the ends of the text they are
        // copied and padded with spaces.
        let inside = at
            .src
            .checked_sub(1)
            .and_then(|before| src[before..].first_chunk());
        let masks = match inside {
            Some(bytes) => judge::<S, SYMBOLS>(simd, bytes, digits, &mut lower),
            None => judge::<S, SYMBOLS>(simd, &surrounded(&src[at.src..]), digits, &mut lower),
        };
        let Some(end) = masks.plain_end() else {
            return at;
        };
        if masks.apostrophe == 0 {
            copy_runs::<SYMBOLS, false>(&masks, end, &lower, &mut at, out, offsets);
        } else {
            copy_runs::<SYMBOLS, true>(&masks, end, &lower, &mut at, out, offsets);
        }
        // Padding counts as a boundary, so `end` may lie past the text.
        at.src = src.len().min(at.src + end as usize);
    }
}

/// Copies the words of a block before `end`, run by run; with `SYMBOLS` also runs of symbols. `INNER` is set if there are apostrophes
/// inside words.
#[inline(always)]
fn copy_runs<const SYMBOLS: bool, const INNER: bool>(
    masks: &Masks,
    end: u32,
    lower: &[u8; 2 * BLOCK],
    at: &mut RestartPoint,
    out: &mut [u8],
    offsets: &mut impl OffsetSink,
) {
    let mut left = masks.joined_words(end);
    let cuts = if SYMBOLS { masks.cuts() } else { 0 };
    // A run ends at bit 63 at the latest: the bit of the boundary before the end of the plain part is never
    // set in `left`.
    while left != 0 {
        let first = left.trailing_zeros();
        let start = first as usize;
        let mut ends = !(left >> start);
        if SYMBOLS {
            // A cut at the start of the run was made already.
            ends |= cuts >> start & !1;
        }
        let letters = ends.trailing_zeros();
        let len = letters as usize;
        let src = at.src + start;
        // An apostrophe inside a word is in no run, so a run begins right after it. U+02BC takes the place of
        // the space.
        if INNER && masks.apostrophe << 1 >> start & 1 == 1 {
            out[at.out..at.out + APOSTROPHE.len()].copy_from_slice(&APOSTROPHE);
            at.out += APOSTROPHE.len();
            offsets.whole(APOSTROPHE.len(), src - 1, src);
        } else if at.out > 0 {
            out[at.out] = b' ';
            at.out += 1;
            offsets.gap(at.word_end, src);
        }
        // Only the first `len` bytes count; the next write overwrites the rest.
        out[at.out..at.out + BLOCK].copy_from_slice(&lower[start..start + BLOCK]);
        offsets.stepwise(len, src);
        at.out += len;
        at.word_end = src + len;
        if SYMBOLS {
            left &= u64::MAX.checked_shl(first + letters).unwrap_or(0);
        } else {
            // The carry clears the lowest run of set bits.
            left &= left.wrapping_add(1 << start);
        }
    }
}

/// Whether a block that begins with this byte may be plain: ASCII, or D0 and D1, the first bytes of Russian
/// letters.
fn is_plain_start(byte: u8) -> bool {
    byte < 0x80 || byte & 0xFE == 0xD0
}

/// Block at the start or the end of a text: a space, then the bytes of `rest`, then spaces.
fn surrounded(rest: &[u8]) -> Surrounded {
    let mut bytes = [b' '; BLOCK + 2];
    match rest.first_chunk::<{ BLOCK + 1 }>() {
        Some(whole) => bytes[1..].copy_from_slice(whole),
        None => bytes[1..=rest.len()].copy_from_slice(rest),
    }
    bytes
}

/// Classifies a block and writes it in lower case to `lower`, with spaces for separators.
#[inline(always)]
fn judge<S: Simd, const SYMBOLS: bool>(
    simd: S,
    bytes: &Surrounded,
    digits: bool,
    lower: &mut [u8; 2 * BLOCK],
) -> Masks {
    // The two bytes around the block matter, too: they may be halves of a Cyrillic letter.
    let inside = shifted(simd, bytes, 1).simd_ge(0x80).any_true();
    let masks = if inside || bytes[0] | bytes[BLOCK + 1] >= 0x80 {
        judge_all::<S, false, SYMBOLS>(simd, bytes, digits, lower)
    } else {
        judge_all::<S, true, SYMBOLS>(simd, bytes, digits, lower)
    };
    Masks {
        other: masks.other | masks.hyphen & breaks(bytes, masks.hyphen),
        ..masks
    }
}

/// Mask of those `quotes` (`'`, `` ` `` and `#`) that are apostrophes.
fn apostrophes(bytes: &Surrounded, quotes: u64) -> u64 {
    let (mut left, mut apostrophes) = (quotes, quotes);
    while left != 0 {
        let lowest = left & left.wrapping_neg();
        if bytes[left.trailing_zeros() as usize + 1] == b'#' {
            apostrophes ^= lowest;
        }
        left ^= lowest;
    }
    apostrophes
}

/// Mask of those `hyphens` that may break a word at the end of a line.
fn breaks(bytes: &Surrounded, hyphens: u64) -> u64 {
    let (mut left, mut breaks) = (hyphens, 0);
    while left != 0 {
        let lowest = left & left.wrapping_neg();
        // Bit `k` is byte `k + 1` of `bytes`, so the byte after it is at `k + 2`.
        let after = bytes[left.trailing_zeros() as usize + 2];
        if (b'\n'..=b'\r').contains(&after) {
            breaks |= lowest;
        }
        left ^= lowest;
    }
    breaks
}

/// Classifies all bytes without branches, except which hyphens break words. `ASCII` states that all bytes are ASCII.
#[inline(always)]
fn judge_all<S: Simd, const ASCII: bool, const SYMBOLS: bool>(
    simd: S,
    bytes: &Surrounded,
    digits: bool,
    lower: &mut [u8; 2 * BLOCK],
) -> Masks {
    let mut masks = Masks::default();
    let byte = shifted(simd, bytes, 1);
    // The bit 0x20 turns capitals into small letters, and no other byte into a letter.
    let latin = within(byte | 0x20, b'a', b'z');
    let digit = within(byte, b'0', b'9');
    let mut small = latin.select(byte | 0x20, byte);
    if !ASCII {
        let (before, after) = (shifted(simd, bytes, 0), shifted(simd, bytes, 2));
        let (first, next) = (byte.simd_eq(0xD0), byte.simd_eq(0xD1));
        masks.latin = latin.to_bitmask();
        masks.cyrillic = cyrillic(
            bytes,
            [first, next].map(|lead| lead.to_bitmask()),
            [byte.simd_ge(0x90), byte.simd_le(0x9F) & !byte.simd_eq(0x91)]
                .map(|follows| follows.to_bitmask()),
        );
        // Lower-case letters are 32 above capitals: D0 90 to 9F become D0 B0 to BF, and D0 A0 to AF become D1 80 to 8F.
        small = (first & within(after, 0xA0, 0xAF)).select(small + 1, small);
        small = (before.simd_eq(0xD0) & byte.simd_le(0xAF)).select(small ^ 0x20, small);
    }
    let hyphen = byte.simd_eq(b'-');
    // `'` and `#` differ in one bit, as do `:` and `;` below.
    let quotes = (byte & !4).simd_eq(b'#') | byte.simd_eq(b'`');
    let marks = byte.simd_eq(b',') | hyphen | byte.simd_eq(b'.') | (byte & !1).simd_eq(b':') | quotes;
    let others = latin | digit | byte.simd_eq(b'&') | byte.simd_eq(b'^');
    let separator = within(byte, b' ', b'~') & !others | within(byte, b'\t', b'\r');
    masks.word = latin.to_bitmask() | masks.cyrillic | if digits { digit.to_bitmask() } else { 0 };
    let symbol = separator & within(byte, b'!', b'~');
    masks.boundary = if SYMBOLS {
        let one = |bytes: u8x64<S>| bytes.simd_eq(b'`').select(u8x64::splat(simd, b'\''), bytes);
        small = one(small);
        masks.symbol = symbol.to_bitmask();
        masks.repeated = (symbol & small.simd_eq(one(shifted(simd, bytes, 0)))).to_bitmask();
        (separator & !symbol).to_bitmask()
    } else {
        (separator & !marks).to_bitmask()
    };
    masks.hyphen = hyphen.to_bitmask();
    masks.other = !(masks.word | separator.to_bitmask());
    // Most quotes are at the edge of a word; a branch on each would often be mispredicted.
    let letters = latin.to_bitmask() | masks.cyrillic;
    let behind = quotes.to_bitmask() & letters << 1;
    let inner = behind & letters >> 1;
    if inner != 0 {
        masks.apostrophe = apostrophes(bytes, inner);
        masks.symbol &= !masks.apostrophe;
    }
    // The byte after the block is not in the masks, so a possible apostrophe at the end is not plain. The
    // byte before the block is a separator, so the first byte is never inside a word.
    masks.other |= behind & 1 << (BLOCK - 1);
    // Single bytes between words are separators: any other byte outside of ASCII ends the plain part.
    let (block, _) = lower.split_at_mut(BLOCK);
    let spaces = if SYMBOLS { separator & !symbol } else { separator };
    spaces.select(u8x64::splat(simd, b' '), small).store_slice(block);
    masks
}

/// Mask of the bytes of the letters D0 90 to D1 9F, except ё (D1 91), which becomes another letter: А to Я, а
/// to я, and lower-case letters of other languages after them.
///
/// `d0` and `d1` are masks of the first bytes D0 and D1, and `behind_d0` and `behind_d1` of the bytes that form such a letter after them.
fn cyrillic(bytes: &Surrounded, [d0, d1]: [u64; 2], [behind_d0, behind_d1]: [u64; 2]) -> u64 {
    let (before, after) = (bytes[0], bytes[BLOCK + 1]);
    let last = |follows: bool| u64::from(follows) << (BLOCK - 1);
    let leads = d0 & (behind_d0 >> 1 | last(after >= 0x90))
        | d1 & (behind_d1 >> 1 | last(after <= 0x9F && after != 0x91));
    // The second half of a letter whose first byte is before the block.
    let first = match before {
        0xD0 => behind_d0 & 1,
        0xD1 => behind_d1 & 1,
        _ => 0,
    };
    leads | leads << 1 | first
}

/// Bytes of a block, shifted: from one byte before it for `by` 0, the block itself for 1, from its second
/// byte on for 2.
#[inline(always)]
fn shifted<S: Simd>(simd: S, bytes: &Surrounded, by: usize) -> u8x64<S> {
    u8x64::from_slice(simd, &bytes[by..by + BLOCK])
}

#[inline(always)]
fn within<S: Simd>(byte: u8x64<S>, low: u8, high: u8) -> mask8x64<S> {
    (byte - low).simd_le(high - low)
}

impl Masks {
    /// End of the plain words at the start of the block, `1..=64`: after the last boundary before anything
    /// that is not plain. `None` without such a boundary.
    fn plain_end(&self) -> Option<u32> {
        let mut ends = self.boundary & below(self.other);
        if self.latin != 0 && self.cyrillic != 0 {
            ends &= below(self.mixed_word());
        }
        (ends != 0).then(|| u64::BITS - ends.leading_zeros())
    }

    /// Lowest bit of the first word with both Latin and Cyrillic letters; 0 if there is no such word.
    fn mixed_word(&self) -> u64 {
        let mut left = self.word | self.apostrophe;
        while left != 0 {
            let first = left & left.wrapping_neg();
            // The carry clears the lowest run of bits, which is one word.
            let rest = left & left.wrapping_add(first);
            let word = left & !rest;
            if self.latin & word != 0 && self.cyrillic & word != 0 {
                return first;
            }
            left = rest;
        }
        0
    }

    /// Words and kept symbols before `end`, joined with single separators between two of them, but not across apostrophes.
    fn joined_words(&self, end: u32) -> u64 {
        // `end` is at least 1, so the shift is below 64.
        let words = (self.word | self.symbol) & u64::MAX >> (u64::BITS - end);
        words | words << 1 & words >> 1 & !self.apostrophe
    }

    /// Starts of tokens that directly follow another token: words after symbols, and symbols after words or other symbols.
    fn cuts(&self) -> u64 {
        self.word & self.symbol << 1 | self.symbol & !self.repeated & (self.word | self.symbol) << 1
    }
}

/// Mask of all bits below the lowest set bit.
fn below(bits: u64) -> u64 {
    (bits & bits.wrapping_neg()).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use crate::passes::apostrophes::INNER;

    use super::super::char_classes::{self, FIRST_BYTE, FIRST_BYTE_NO_DIGITS, LETTER, TWO_BYTE};
    use super::*;

    fn judged(text: &str, digits: bool) -> (Masks, [u8; 2 * BLOCK]) {
        let mut lower = [0; 2 * BLOCK];
        let bytes = surrounded(text.as_bytes());
        let masks = dispatch!(Level::new(), simd => judge::<_, false>(simd, &bytes, digits, &mut lower));
        (masks, lower)
    }

    /// Checks that the plain characters are those that the tables list.
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
                            let expected =
                                [char_classes::SOFT, char_classes::HYPHEN, char_classes::APOSTROPHE];
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
        assert_eq!(plain_end("one d'or М'о four"), Some(64));
        assert_eq!(plain_end("one c'о four"), Some(4));
        assert_eq!(INNER.encode_utf8(&mut [0; 4]).as_bytes(), APOSTROPHE);
        assert_eq!(plain_end("\u{e9}t\u{e9}"), None);
        assert_eq!(plain_end("an end"), Some(64), "spaces fill the block");
        assert_eq!(plain_end(&"long".repeat(16)), None);
        assert_eq!(plain_end(&format!("{} rest", "long".repeat(15))), Some(61));
    }
}
