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
        if self.near && has_only_spaced_scripts(normal) {
            tokens.push_joined(normal);
        } else if self.near {
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

/// Whether a text in the form of the profile `near` is in ASCII and the first block of Cyrillic alone. Its tokens then are
/// what stands between its spaces: all its other characters are letters and digits between which UAX #29 never cuts.
fn has_only_spaced_scripts(normal: &str) -> bool {
    // Two-byte sequences that begin with D0 or D1 are U+0400 to U+047F. Without an early end this runs on vectors.
    let lead = |byte: u8| byte >= 0xC0 && byte & 0xFE != 0xD0;
    normal
        .as_bytes()
        .chunks(512)
        .all(|bytes| !bytes.iter().fold(false, |found, byte| found | lead(*byte)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn one_by_one(text: &str) -> Vec<String> {
        let mut normalizer = Normalizer::new(Profile::near());
        let normal = normalizer.normalize_text(text);
        normalize::words(normal)
            .map(|range| normal[range].to_owned())
            .collect()
    }

    fn filled(text: &str) -> Vec<String> {
        let mut tokens = Tokens::new();
        Tokenizer::new(Profile::near()).fill(text, &mut tokens);
        tokens.iter().map(str::to_owned).collect()
    }

    #[test]
    fn every_pair_of_simple_characters_is_cut_as_by_the_standard() {
        let simple: Vec<char> = (' '..='~').chain('\u{400}'..='\u{47f}').collect();
        for a in &simple {
            let text: String = simple
                .iter()
                .flat_map(|b| [*a, *b, ' ', 'x', *b, *a, '1', ' '])
                .collect();
            assert_eq!(filled(&text), one_by_one(&text), "{a:?}");
        }
    }

    proptest! {
        #[test]
        fn tokens_are_those_of_the_standard(text in "[ -~а-яё\\n]{0,60}|\\PC{0,40}|[a-z а-я東京é]{0,40}") {
            prop_assert_eq!(filled(&text), one_by_one(&text));
        }
    }
}
