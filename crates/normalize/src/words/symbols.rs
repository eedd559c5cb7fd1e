//! Punctuation and symbols as tokens.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, mask8x64, u8x64};

use super::uax29::{Words, words};
use crate::text::chars::is_invisible;
use crate::text::chars::{is_letter_or_digit, is_mark};

/// Whether `c` is punctuation or a symbol: visible, and neither a letter, a digit nor a mark.
#[inline]
pub(crate) fn is_symbol(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation();
    }
    match u32::from(c) {
        // Western and East Asian punctuation.
        0x2010..=0x2027 | 0x3001..=0x3003 | 0x3008..=0x3011 | 0xFF01..=0xFF0F | 0xFF1A..=0xFF20 => true,
        // Kana, Han and Hangul.
        0x3041..=0x3096 | 0x30A1..=0x30FA | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3 => false,
        _ => is_other_symbol(c),
    }
}

/// Classifies a character by the tables of Unicode.
fn is_other_symbol(c: char) -> bool {
    !(is_letter_or_digit(c) || is_mark(c) || c.is_whitespace() || c.is_control() || is_invisible(c))
}

/// How [`words_and_symbols`] treats symbols inside words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InnerSymbols {
    /// They stay inside the words that [`words`](crate::words()) yields: "can't" and "1,5" are one token.
    InWords,
    /// They are separate tokens: "1,5" is three. The remaining words are those of the text
    /// after the pass `punctuation`.
    Apart,
}

/// A token of [`words_and_symbols`], as a byte range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordOrSymbol {
    /// A word, which contains a letter or a digit.
    Word(Range<usize>),
    /// A run of one symbol.
    Symbol(Range<usize>),
}

impl WordOrSymbol {
    /// Byte range of the token.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        match self {
            WordOrSymbol::Word(range) | WordOrSymbol::Symbol(range) => range,
        }
    }
}

/// The [`words`](crate::words()) of a text, and the punctuation and symbols between them, in order.
///
/// A run of the same symbol is one token ("==", "++", "----"), and different symbols are different tokens ("<=" is two), so that spaces
/// between them do not matter. White space, control characters, invisible characters and marks without a letter are not part of any token.
///
/// ```
/// use dehusk_normalize::{InnerSymbols, words_and_symbols};
///
/// let text = "C++ >= -1,5";
/// let tokens = |inner| -> Vec<&str> {
///     words_and_symbols(text, inner).map(|token| &text[token.range()]).collect()
/// };
/// assert_eq!(tokens(InnerSymbols::InWords), ["C", "++", ">", "=", "-", "1,5"]);
/// assert_eq!(tokens(InnerSymbols::Apart), ["C", "++", ">", "=", "-", "1", ",", "5"]);
/// ```
pub fn words_and_symbols(text: &str, inner: InnerSymbols) -> WordsAndSymbols<'_> {
    WordsAndSymbols::between(text, words(text), inner)
}

/// Iterator of [`words_and_symbols`].
#[derive(Clone)]
pub struct WordsAndSymbols<'a> {
    text: &'a str,
    words: Words<'a>,
    inner: InnerSymbols,
    /// Offset up to which the text is processed.
    at: usize,
    /// The next word, which ends after `at` unless all words are processed.
    word: Range<usize>,
    /// Whether all words are used up.
    ended: bool,
}

impl<'a> WordsAndSymbols<'a> {
    /// The given words of a text, and the symbols between them.
    pub(super) fn between(text: &'a str, words: Words<'a>, inner: InnerSymbols) -> Self {
        WordsAndSymbols {
            text,
            words,
            inner,
            at: 0,
            word: 0..0,
            ended: false,
        }
    }
}

/// The first symbol in `range`, with the equal symbols that follow before `end`.
fn first_run(text: &str, range: Range<usize>, end: usize) -> Option<Range<usize>> {
    // `range.start` may be past `range.end` if a run of symbols reached into the word; then there is no
    // piece.
    let piece = text.get(range.clone())?;
    let (at, symbol) = piece.char_indices().find(|(_, c)| is_symbol(*c))?;
    let start = range.start + at;
    let run = text[start..end].chars().take_while(|c| *c == symbol).count();
    Some(start..start + run * symbol.len_utf8())
}

impl Iterator for WordsAndSymbols<'_> {
    type Item = WordOrSymbol;

    fn next(&mut self) -> Option<WordOrSymbol> {
        loop {
            if self.at >= self.word.end && !self.ended {
                match self.words.next() {
                    Some(word) => self.word = word,
                    None => {
                        self.ended = true;
                        self.word = self.text.len()..self.text.len();
                    }
                }
            }
            // A word may begin with a symbol (`_a`), which joins the run before it only if inner symbols are apart.
            let end = match self.inner {
                InnerSymbols::InWords => self.word.start,
                InnerSymbols::Apart => self.text.len(),
            };
            if let Some(symbols) = first_run(self.text, self.at..self.word.start, end) {
                self.at = symbols.end;
                return Some(WordOrSymbol::Symbol(symbols));
            }
            // No symbol is left before the word. `at` may be inside it, after symbols at its start.
            self.at = self.at.max(self.word.start);
            if self.at >= self.word.end {
                if self.ended {
                    return None;
                }
                continue;
            }
            if self.inner == InnerSymbols::InWords {
                self.at = self.word.end;
                return Some(WordOrSymbol::Word(self.word.clone()));
            }
            // Letters at the start of the rest of the word, or else the symbols there.
            let rest = &self.text[self.at..self.word.end];
            let letters = rest.find(is_symbol).unwrap_or(rest.len());
            if letters == 0 {
                let symbols = first_run(self.text, self.at..self.word.end, end)?;
                self.at = symbols.end;
                return Some(WordOrSymbol::Symbol(symbols));
            }
            let end = self.at + letters;
            // Marks after a symbol belong to no letter and are skipped.
            let first = rest[..letters].find(is_letter_or_digit);
            let word = first.map(|first| self.at + first..end);
            self.at = end;
            if let Some(word) = word {
                return Some(WordOrSymbol::Word(word));
            }
        }
    }
}

/// Number of bytes classified per step.
const BLOCK: usize = 64;

/// Number of runs of equal symbols in a text.
///
/// Equals the number of symbol tokens of [`words_and_symbols`] with [`InnerSymbols::Apart`], but is several times as fast.
///
/// ```
/// assert_eq!(dehusk_normalize::count_symbols("if a == b { // \u{2260} c"), 4);
/// ```
#[must_use]
pub fn count_symbols(text: &str) -> usize {
    dispatch!(Level::new(), simd => count(simd, text))
}

#[inline(always)]
fn count<S: Simd>(simd: S, text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut runs = 0;
    // Each block includes the last byte of the block before it; the first block has a space there.
    let (mut at, mut edge) = (0_usize, padded(b" ", bytes));
    loop {
        let before = at.checked_sub(1);
        let block = match before.map(|before| bytes[before..].first_chunk()) {
            None => &edge,
            Some(Some(whole)) => whole,
            Some(None) => {
                edge = padded(&[], &bytes[at - 1..]);
                &edge
            }
        };
        // ASCII is decided by the masks; each other candidate is looked up.
        let (symbols, others) = judge(simd, block);
        runs += symbols.count_ones() as usize;
        let mut left = others;
        while left != 0 {
            let place = at + left.trailing_zeros() as usize;
            left &= left - 1;
            runs += usize::from(begins_run(text, place));
        }
        at += BLOCK;
        if at >= bytes.len() {
            return runs;
        }
    }
}

/// A block made of two parts, cut to its length or padded with spaces.
fn padded(front: &[u8], rest: &[u8]) -> [u8; BLOCK + 1] {
    let mut block = [b' '; BLOCK + 1];
    let len = rest.len().min(BLOCK + 1 - front.len());
    block[..front.len()].copy_from_slice(front);
    block[front.len()..front.len() + len].copy_from_slice(&rest[..len]);
    block
}

/// Two masks: ASCII symbols that differ from the byte before them, and first bytes of characters that may be symbols.
#[inline(always)]
fn judge<S: Simd>(simd: S, block: &[u8; BLOCK + 1]) -> (u64, u64) {
    let byte = u8x64::from_slice(simd, &block[1..]);
    let before = u8x64::from_slice(simd, &block[..BLOCK]);
    let word = within(byte | 0x20, b'a', b'z') | within(byte, b'0', b'9');
    let symbol = within(byte, b'!', b'~') & !word & !byte.simd_eq(before);
    // First bytes of characters above ASCII. With `block[0]` of this kind, the block begins inside a
    // character.
    let high = byte.simd_ge(0xC2);
    if block[0] < 0xC2 && !high.any_true() {
        return (symbol.to_bitmask(), 0);
    }
    // First bytes of U+00C0 to U+027F, U+0400 to U+047F and U+4000 to U+9FFF, which are letters except ×, ÷ and U+4DC0 to U+4DFF. These are
    // recognized by their second byte.
    let letter = within(byte, 0xC3, 0xC9) | within(byte, 0xD0, 0xD1) | within(byte, 0xE4, 0xE9);
    let other = high & !letter;
    let sign = before.simd_eq(0xC3) & (byte.simd_eq(0x97) | byte.simd_eq(0xB7))
        | before.simd_eq(0xE4) & byte.simd_eq(0xB7);
    (symbol.to_bitmask(), (other | sign).to_bitmask())
}

/// Whether a run of a symbol begins with the character at `at`, the offset of its first or second byte.
fn begins_run(text: &str, at: usize) -> bool {
    let at = if text.is_char_boundary(at) { at } else { at - 1 };
    let Some(c) = text[at..].chars().next() else {
        return false;
    };
    is_symbol(c) && !text[..at].ends_with(c)
}

#[inline(always)]
fn within<S: Simd>(byte: u8x64<S>, low: u8, high: u8) -> mask8x64<S> {
    (byte - low).simd_le(high - low)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::TestCaseError;

    use super::*;
    use crate::passes::tests::hostile;
    use crate::{Normalizer, Profile, near_tokens};

    fn tokens(text: &str, inner: InnerSymbols) -> Vec<&str> {
        words_and_symbols(text, inner)
            .map(|token| &text[token.range()])
            .collect()
    }

    #[test]
    fn symbols_stand_between_words() {
        use InnerSymbols::{Apart, InWords};
        for (text, in_words, apart) in [
            ("", vec![], vec![]),
            ("-- >", vec!["--", ">"], vec!["--", ">"]),
            ("a<b", vec!["a", "<", "b"], vec!["a", "<", "b"]),
            ("C# 5", vec!["C", "#", "5"], vec!["C", "#", "5"]),
            ("can't", vec!["can't"], vec!["can", "'", "t"]),
            ("_a__", vec!["_a__"], vec!["_", "a", "__"]),
            (
                "x≤y≤≤\u{AD}z",
                vec!["x", "≤", "y", "≤≤", "z"],
                vec!["x", "≤", "y", "≤≤", "z"],
            ),
            (
                "東京。2×3",
                vec!["東", "京", "。", "2", "×", "3"],
                vec!["東", "京", "。", "2", "×", "3"],
            ),
            (" \u{301} \u{200B}\0", vec![], vec![]),
        ] {
            assert_eq!(tokens(text, InWords), in_words, "{text:?}");
            assert_eq!(tokens(text, Apart), apart, "{text:?}");
        }
    }

    #[test]
    fn every_character_is_counted_as_the_definition_says() {
        for c in '\0'..=char::MAX {
            let text = format!("a{c}b{c}{c}");
            assert!(
                c.is_ascii() || is_symbol(c) == is_other_symbol(c),
                "{:04X}",
                u32::from(c)
            );
            assert_eq!(
                count_symbols(&text),
                2 * usize::from(is_symbol(c)),
                "{:04X}",
                u32::from(c)
            );
        }
    }

    fn symbols(text: &str) -> usize {
        words_and_symbols(text, InnerSymbols::Apart)
            .filter(|token| matches!(token, WordOrSymbol::Symbol(_)))
            .count()
    }

    /// Checks that without its symbols a text has the words that the profile `near` leaves.
    fn check(text: &str) -> Result<(), TestCaseError> {
        let near = Normalizer::new(Profile::near()).normalize_text(text).to_owned();
        let wanted: Vec<&str> = near_tokens(&near).map(|range| &near[range]).collect();
        let kept = Profile::near().without("punctuation").unwrap();
        let kept = Normalizer::new(kept).normalize_text(text).to_owned();
        let words: Vec<&str> = words_and_symbols(&kept, InnerSymbols::Apart)
            .filter_map(|token| match token {
                WordOrSymbol::Word(range) => Some(&kept[range]),
                WordOrSymbol::Symbol(_) => None,
            })
            .collect();
        prop_assert_eq!(words, wanted, "{:?}", text);
        prop_assert_eq!(count_symbols(text), symbols(text), "{:?}", text);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn symbols_only_add_to_the_words(
            text in hostile(),
            around in "[ -~]{0,90}|[а-яё ,.«»—]{0,50}|[東京，。、a ]{0,30}|[a-z×÷é≤“” ]{0,50}|\\PC{0,30}",
        ) {
            check(&text)?;
            check(&format!("{around}{text}{around}"))?;
        }
    }
}
