//! Whole words between plain separators, 64 bytes at once.
//!
//! Letters of English and Russian, digits and ASCII punctuation make up most text. A block of it is judged at once, by the longest vectors
//! that the processor has, and its words are found in masks of one bit for each byte. Words that are separated by one byte are copied
//! together. All else, and words that reach over the block, are left to the loop over characters, which
//! would have been in the same state at the place where this stops.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, mask8x64, u8x64};

use super::offsets::{OffsetSink, RestartPoint};

/// Bytes that are judged at once.
pub(super) const BLOCK: usize = 64;

/// The apostrophe inside a word, `passes::apostrophes::INNER`, in UTF-8.
pub(super) const APOSTROPHE: [u8; 2] = [0xCA, 0xBC];

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
    /// Apostrophes between two letters.
    apostrophe: u64,
    /// Letters by their script, if there may be both in a word.
    latin: u64,
    cyrillic: u64,
    /// Symbols, if they are kept. White space alone is a boundary then.
    symbol: u64,
    /// The symbols that equal the byte before them.
    repeated: u64,
}

/// Copies words to `out` for as long as blocks are plain, beginning behind a separator. Returns the place behind the last boundary
/// that was reached. Behind what is written, `out` has room for a space and a block. With `SYMBOLS`, runs of symbols are copied, too, each
/// between spaces.
pub(super) fn copy_words<const SYMBOLS: bool>(
    src: &[u8],
    from: RestartPoint,
    out: &mut [u8],
    digits: bool,
    offsets: &mut impl OffsetSink,
) -> RestartPoint {
    dispatch!(Level::new(), simd => copy_words_with::<_, SYMBOLS>(simd, src, from, out, digits, offsets))
}

/// As [`copy_words`], with the vectors of a processor.
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
        at.src = src.len().min(at.src + end as usize);
    }
}

/// Copies the words of a block before `end`, run by run, with `SYMBOLS` also those of symbols. `INNER` is set if there are apostrophes
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
    while left != 0 {
        let start = left.trailing_zeros() as usize;
        let mut ends = !(left >> start);
        if SYMBOLS {
            // A cut at the front was made already.
            ends |= cuts >> start & !1;
        }
        let len = ends.trailing_zeros() as usize;
        let src = at.src + start;
        if INNER && masks.apostrophe << 1 >> start & 1 == 1 {
            out[at.out..at.out + APOSTROPHE.len()].copy_from_slice(&APOSTROPHE);
            at.out += APOSTROPHE.len();
            offsets.whole(APOSTROPHE.len(), src - 1, src);
        } else if at.out > 0 {
            out[at.out] = b' ';
            at.out += 1;
            offsets.gap(at.word_end, src);
        }
        out[at.out..at.out + BLOCK].copy_from_slice(&lower[start..start + BLOCK]);
        offsets.stepwise(len, src);
        at.out += len;
        at.word_end = src + len;
        if SYMBOLS {
            left &= u64::MAX.checked_shl((start + len) as u32).unwrap_or(0);
        } else {
            // The carry runs through the lowest run of bits.
            left &= left.wrapping_add(1 << start);
        }
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
#[inline(always)]
fn judge<S: Simd, const SYMBOLS: bool>(
    simd: S,
    bytes: &Surrounded,
    digits: bool,
    lower: &mut [u8; 2 * BLOCK],
) -> Masks {
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

/// Those of the characters `'`, '`' and `#` that are apostrophes.
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

/// Judges all bytes, without branches; all but which hyphens break words. `ASCII` tells that there is nothing else.
#[inline(always)]
fn judge_all<S: Simd, const ASCII: bool, const SYMBOLS: bool>(
    simd: S,
    bytes: &Surrounded,
    digits: bool,
    lower: &mut [u8; 2 * BLOCK],
) -> Masks {
    let mut masks = Masks::default();
    let byte = shifted(simd, bytes, 1);
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
        // Small letters stand 32 above capitals: D0 90 to 9F become D0 B0 to BF, and D0 A0 to AF become D1 80 to 8F.
        small = (first & within(after, 0xA0, 0xAF)).select(small + 1, small);
        small = (before.simd_eq(0xD0) & byte.simd_le(0xAF)).select(small ^ 0x20, small);
    }
    let hyphen = byte.simd_eq(b'-');
    // `'` and `#` differ in one bit.
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
    // Most quotes stand at the edge of a word, and a branch on them would often be mispredicted.
    let letters = latin.to_bitmask() | masks.cyrillic;
    let behind = quotes.to_bitmask() & letters << 1;
    let inner = behind & letters >> 1;
    if inner != 0 {
        masks.apostrophe = apostrophes(bytes, inner);
        masks.symbol &= !masks.apostrophe;
    }
    // What stands behind the block is not judged. Before it stands a separator, so its first byte is inside no word.
    masks.other |= behind & 1 << (BLOCK - 1);
    // What stands alone between words is no letter: all other bytes beyond ASCII end what is plain.
    let (block, _) = lower.split_at_mut(BLOCK);
    let spaces = if SYMBOLS { separator & !symbol } else { separator };
    spaces.select(u8x64::splat(simd, b' '), small).store_slice(block);
    masks
}

/// The bytes of the letters D0 90 to D1 9F: А to Я, а to я, and the small letters of other languages behind them; ё becomes another letter.
/// Given are the first bytes D0 and D1, and the bytes that make such a letter behind each.
fn cyrillic(bytes: &Surrounded, [d0, d1]: [u64; 2], [behind_d0, behind_d1]: [u64; 2]) -> u64 {
    let (before, after) = (bytes[0], bytes[BLOCK + 1]);
    let last = |follows: bool| u64::from(follows) << (BLOCK - 1);
    let leads = d0 & (behind_d0 >> 1 | last(after >= 0x90))
        | d1 & (behind_d1 >> 1 | last(after <= 0x9F && after != 0x91));
    let first = match before {
        0xD0 => behind_d0 & 1,
        0xD1 => behind_d1 & 1,
        _ => 0,
    };
    leads | leads << 1 | first
}

/// The bytes of a block, each replaced by the one before it, itself or the one behind it, for a shift of 0, 1 and 2.
#[inline(always)]
fn shifted<S: Simd>(simd: S, bytes: &Surrounded, by: usize) -> u8x64<S> {
    u8x64::from_slice(simd, &bytes[by..by + BLOCK])
}

#[inline(always)]
fn within<S: Simd>(byte: u8x64<S>, low: u8, high: u8) -> mask8x64<S> {
    (byte - low).simd_le(high - low)
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
        let mut left = self.word | self.apostrophe;
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

    /// The words and kept symbols before `end`, with the separators that stand alone between two of them. Apostrophes part them.
    fn joined_words(&self, end: u32) -> u64 {
        let words = (self.word | self.symbol) & u64::MAX >> (u64::BITS - end);
        words | words << 1 & words >> 1 & !self.apostrophe
    }

    /// Where a token begins right behind another one: words behind symbols, and symbols behind words and other symbols.
    fn cuts(&self) -> u64 {
        self.word & self.symbol << 1 | self.symbol & !self.repeated & (self.word | self.symbol) << 1
    }
}

/// All bits below the lowest one that is set.
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
