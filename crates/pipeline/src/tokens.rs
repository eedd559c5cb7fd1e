//! From text to the tokens that duplicates are found by.

use dedup::Tokens;
use normalize::{Normalizer, Profile};

/// Normalizes and cuts one text after another, with buffers that are reused.
pub(crate) struct Tokenizer {
    normalizer: Normalizer,
    near: bool,
}

impl Tokenizer {
    pub(crate) fn new(profile: Profile) -> Self {
        Tokenizer {
            near: profile.name() == "near",
            normalizer: Normalizer::new(profile),
        }
    }

    /// Adds the tokens of a text to `tokens`.
    pub(crate) fn fill(&mut self, text: &str, tokens: &mut Tokens) {
        let normal = self.normalizer.normalize_text(text);
        if self.near {
            for range in normalize::near_tokens(normal) {
                tokens.push(&normal[range]);
            }
        } else {
            for range in normalize::words(normal) {
                tokens.push(&normal[range]);
            }
        }
    }

    /// Starts afresh, after a text on which it failed half-way.
    pub(crate) fn reset(&mut self) {
        *self = Tokenizer::new(self.normalizer.profile().clone());
    }
}
