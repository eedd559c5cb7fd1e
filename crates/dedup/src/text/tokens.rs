//! The tokens of one document, as all methods of the crate read them.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x64};

/// The tokens of one document in a reusable buffer: their text joined by one space, and the ends of tokens and
/// sentences.
///
/// ```
/// use dehusk_dedup::Tokens;
///
/// let mut tokens = Tokens::new();
/// tokens.push("rivers");
/// tokens.push("rose");
/// assert_eq!(tokens.len(), 2);
/// tokens.clear();
/// tokens.push_joined("two texts in one buffer");
/// assert_eq!(tokens.iter().last(), Some("buffer"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    text: String,
    ends: Vec<usize>,
    sentence_ends: Vec<usize>,
    symbols: usize,
}

impl Tokens {
    /// A document without tokens.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes all tokens and keeps the memory for the next document.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.sentence_ends.clear();
        self.symbols = 0;
    }

    /// Appends a token. White space inside it is kept; an empty token is skipped.
    #[inline]
    pub fn push(&mut self, token: &str) {
        if token.is_empty() {
            return;
        }
        if !self.ends.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(token);
        self.ends.push(self.text.len());
    }

    /// Appends a token that is a symbol, such as an operator. It is compared like a word, but [`words`](Self::words)
    /// does not count it.
    #[inline]
    pub fn push_symbol(&mut self, symbol: &str) {
        self.symbols += usize::from(!symbol.is_empty());
        self.push(symbol);
    }

    /// Appends the tokens of a text in which one space separates them. `symbols` is the number of
    /// [symbols](Self::push_symbol) among them.
    pub fn push_joined_with_symbols(&mut self, text: &str, symbols: usize) {
        self.symbols += symbols;
        self.push_joined(text);
    }

    /// Appends the tokens of a text in which spaces separate them.
    pub fn push_joined(&mut self, text: &str) {
        let (length, words) = (self.text.len(), self.ends.len());
        // The text begins after the space that separates it from earlier tokens.
        let base = length + usize::from(words > 0);
        if !text.is_empty() && !text.starts_with(' ') && !text.ends_with(' ') {
            // The usual case: no empty token, so the text is copied as a whole and each space is the end of
            // a token.
            if dispatch!(Level::new(), simd => push_spaces(simd, text.as_bytes(), base, &mut self.ends)) {
                if words > 0 {
                    self.text.push(' ');
                }
                self.text.push_str(text);
                self.ends.push(self.text.len());
                return;
            }
            // Drops the ends that were noted before the empty token was found.
            self.ends.truncate(words);
        }
        for token in text.split(' ') {
            self.push(token);
        }
    }

    /// Ends a sentence after the last token. A sentence without tokens is skipped. Tokens after the last sentence end
    /// form a sentence too.
    pub fn end_sentence(&mut self) {
        if self.sentence_ends.last().copied().unwrap_or(0) < self.ends.len() {
            self.sentence_ends.push(self.ends.len());
        }
    }

    /// Number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Number of tokens that are not [symbols](Self::push_symbol).
    #[must_use]
    pub fn words(&self) -> usize {
        self.ends.len() - self.symbols
    }

    /// True if there are no tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The tokens joined by one space.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Byte offsets in [`text`](Self::text) at which tokens end, ascending.
    #[must_use]
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// Token number `number`, or the empty string if there is no such token.
    #[must_use]
    pub fn token(&self, number: usize) -> &str {
        self.span(number..number + 1)
    }

    /// All tokens in document order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| self.token(number))
    }

    /// The text of the tokens in `range`, joined by one space. Empty if the range is empty or exceeds the document.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> &str {
        if range.is_empty() || range.end > self.ends.len() {
            return "";
        }
        let start = if range.start == 0 {
            0
        } else {
            self.ends[range.start - 1] + 1
        };
        &self.text[start..self.ends[range.end - 1]]
    }

    /// The sentences as ranges of token numbers. A document without any [`end_sentence`](Self::end_sentence) is one
    /// sentence.
    pub fn sentences(&self) -> impl Iterator<Item = Range<usize>> {
        // Tokens after the last sentence end are the last sentence.
        let tail = (self.sentence_ends.last().copied().unwrap_or(0) < self.len()).then_some(self.len());
        self.sentence_ends
            .iter()
            .copied()
            .chain(tail)
            .scan(0, |start, end| {
                let sentence = *start..end;
                *start = end;
                Some(sentence)
            })
    }
}

/// Number of bytes that are searched for spaces at a time.
const BLOCK: usize = 64;

/// Appends the offset of each space of a text that begins at offset `base`. Returns false if two spaces are adjacent,
/// which would enclose an empty token.
#[inline(always)]
fn push_spaces<S: Simd>(simd: S, text: &[u8], base: usize, places: &mut Vec<usize>) -> bool {
    let (mut single, mut before) = (true, 0);
    for (number, bytes) in text.chunks(BLOCK).enumerate() {
        let block = match bytes.first_chunk() {
            Some(block) => u8x64::load_array_ref(simd, block),
            None => {
                // Padded with zeros, which are not spaces.
                let mut block = [0; BLOCK];
                block[..bytes.len()].copy_from_slice(bytes);
                u8x64::load_array(simd, block)
            }
        };
        let mut spaces = block.simd_eq(b' ').to_bitmask();
        // Adjacent spaces: within this block, or at its start after a space at the end of the block before.
        single &= spaces & (spaces << 1 | before) == 0;
        before = spaces >> (BLOCK - 1);
        while spaces != 0 {
            // The end of a token is the place of the space after it.
            places.push(base + BLOCK * number + spaces.trailing_zeros() as usize);
            spaces &= spaces - 1;
        }
    }
    single
}

impl<'a> FromIterator<&'a str> for Tokens {
    fn from_iter<I: IntoIterator<Item = &'a str>>(tokens: I) -> Self {
        let mut document = Self::new();
        for token in tokens {
            document.push(token);
        }
        document
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_text_equals_single_tokens() {
        for text in [
            "",
            " ",
            "a",
            "a b",
            " a b",
            "a b ",
            "a  b",
            "я ё  ю",
            "one two three",
            "one two  three four",
            "eight by eight by eight by",
            "1234567 9012345 7",
            "0123456 ".repeat(20).trim_end(),
            &"0123456789".repeat(7).replacen('3', " ", 3),
            "seven  ".repeat(20).trim_end(),
            &format!("{} {}", "x".repeat(63), "y".repeat(64)),
            &format!("{}  {}", "x".repeat(63), "y".repeat(64)),
            &format!("{} {}", "x".repeat(64), "y".repeat(127)),
            "я ёж щука  я",
        ] {
            let one_by_one: Tokens = text.split(' ').collect();
            let mut joined = Tokens::new();
            joined.push_joined(text);
            assert_eq!(
                (joined.text(), joined.ends()),
                (one_by_one.text(), one_by_one.ends()),
                "{text:?}"
            );
            joined.push_joined(text);
            assert_eq!(joined.len(), 2 * one_by_one.len(), "{text:?} twice");
            assert_eq!(joined.iter().collect::<Vec<_>>().join(" "), joined.text());
        }
    }

    #[test]
    fn symbols_are_tokens_but_no_words() {
        let mut tokens = Tokens::new();
        tokens.push("a");
        tokens.push_symbol("<");
        tokens.push_symbol("");
        tokens.push("b");
        assert_eq!((tokens.text(), tokens.len(), tokens.words()), ("a < b", 3, 2));
        tokens.push_joined_with_symbols("c == d", 1);
        assert_eq!((tokens.len(), tokens.words()), (6, 4));
        tokens.clear();
        assert_eq!((tokens.len(), tokens.words()), (0, 0));
    }

    #[test]
    fn sentences_cover_the_document() {
        let mut tokens = Tokens::new();
        tokens.end_sentence();
        for token in ["a", "b", "c"] {
            tokens.push(token);
            if token != "b" {
                tokens.end_sentence();
                tokens.end_sentence();
            }
        }
        assert_eq!(tokens.sentences().collect::<Vec<_>>(), [0..1, 1..3]);
        tokens.push("d");
        assert_eq!(
            tokens
                .sentences()
                .map(|range| tokens.span(range))
                .collect::<Vec<_>>(),
            ["a", "b c", "d"]
        );
        assert_eq!(tokens.span(3..5), "");
        assert_eq!(tokens.token(9), "");
    }
}
