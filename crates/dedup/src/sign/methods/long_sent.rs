//! The longest sentences.

use crate::sign::estimate::any_key;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::number;
use crate::text::document::{Context, Document};
use crate::text::terms::checksum;
use crate::text::tokens::Tokens;

/// LongSent (compared by Zelenkov and Segalovich 2007): CRC-32 of the longest sentences by words, joined alphabetically.
/// Of equally long ones the alphabetically first is taken.
///
/// Survives all edits outside the chosen sentences, and none inside. Costs a pass; a signature is one word. Needs the
/// sentences of documents; a document without marked ends is one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongSent {
    sentences: u32,
}

impl LongSent {
    /// The defaults: 2 sentences.
    pub const DEFAULT: Self = Self { sentences: 2 };

    /// Number of sentences, 1 or more, default 2.
    #[must_use]
    pub const fn with_sentences(mut self, sentences: u32) -> Self {
        self.sentences = sentences;
        self
    }

    /// The chosen sentences, alphabetically.
    #[must_use]
    pub fn choose<'a>(&self, tokens: &'a Tokens) -> Vec<&'a str> {
        let mut sentences: Vec<(usize, &str)> = tokens
            .sentences()
            .map(|range| (range.len(), tokens.span(range)))
            .collect();
        sentences.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        sentences.truncate(self.sentences as usize);
        let mut chosen: Vec<&str> = sentences.into_iter().map(|(_, text)| text).collect();
        chosen.sort_unstable();
        chosen
    }
}

impl Default for LongSent {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Strategy for LongSent {
    fn name(&self) -> &'static str {
        "long-sent"
    }

    fn summary(&self) -> &'static str {
        "the longest sentences"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[Parameter {
            name: "sentences",
            default: "2",
            help: "number of sentences, 1 or more",
        }]
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "sentences" => *self = self.with_sentences(number("sentences", value, 1..=u32::MAX)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Method for LongSent {
    fn form(&self) -> Form {
        Form::Keys { words: 1 }
    }

    fn reads_sentences(&self) -> bool {
        true
    }

    fn signer(&self, _: &Context) -> Result<Box<dyn Signer>, BuildError> {
        if self.sentences == 0 {
            return Err(BuildError::value("sentences", 0, "1 or more"));
        }
        Ok(Box::new(*self))
    }
}

impl Signer for LongSent {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        out.push(checksum(&self.choose(document.tokens)));
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        any_key(a, b, 1)
    }
}
