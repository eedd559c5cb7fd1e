//! How the texts of a profile are cut into tokens.

use std::ops::Range;

use super::near_tokens::{NearTokens, near_tokens};
use super::symbols::{InnerSymbols, WordsAndSymbols};
use super::uax29::Words;

/// How the texts of a [`Profile`](crate::Profile) are cut into tokens; see [`Profile::token_rule`](crate::Profile::token_rule).
///
/// ```
/// use dehusk_normalize::{Normalizer, Profile};
///
/// let profile = Profile::near();
/// let rule = profile.token_rule();
/// let mut normalizer = Normalizer::new(profile);
/// let text = normalizer.normalize_text("Don't stop: 東京");
/// let tokens: Vec<&str> = rule.tokens(text).map(|range| &text[range]).collect();
/// assert_eq!(tokens, ["donʼt", "stop", "東", "京"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenRule {
    /// [`words`](crate::words()): by UAX #29; by characters and syllables in scripts without spaces.
    Words,
    /// [`near_tokens`]: the same tokens, faster, of texts in the form of the profile `near`.
    Near,
    /// Like `Words`, but neighboring letters of scripts without spaces are one token: the pass `dictionary`
    /// or `bigrams` has put spaces between words.
    Spaced,
}

impl TokenRule {
    /// Byte ranges of the tokens of a normalized text.
    pub fn tokens(self, text: &str) -> TokensByRule<'_> {
        match self {
            TokenRule::Near => TokensByRule::Near(near_tokens(text)),
            rule => TokensByRule::Words(rule.words(text)),
        }
    }

    /// The tokens, and the punctuation and symbols between them, as [`words_and_symbols`](crate::words_and_symbols) gives them.
    pub fn tokens_and_symbols(self, text: &str, inner: InnerSymbols) -> WordsAndSymbols<'_> {
        WordsAndSymbols::between(text, self.words(text), inner)
    }

    fn words(self, text: &str) -> Words<'_> {
        Words::of(text, self == TokenRule::Spaced)
    }
}

/// Iterator of [`TokenRule::tokens`].
#[derive(Clone)]
pub enum TokensByRule<'a> {
    /// Tokens by the general rules.
    Words(Words<'a>),
    /// Tokens of the form `near`.
    Near(NearTokens<'a>),
}

impl Iterator for TokensByRule<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        match self {
            TokensByRule::Words(words) => words.next(),
            TokensByRule::Near(tokens) => tokens.next(),
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, Range<usize>) -> B>(self, init: B, f: F) -> B {
        match self {
            TokensByRule::Words(words) => words.fold(init, f),
            TokensByRule::Near(tokens) => tokens.fold(init, f),
        }
    }
}
