//! Signatures made of the heaviest sentences of a document.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use crate::sign::estimate::any_key;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{at_least, number};
use crate::text::document::{Context, Document};
use crate::text::statistics::Statistics;
use crate::text::terms::checksum;
use crate::text::tokens::Tokens;

/// The weight of a sentence. Methods made of the heaviest sentences differ only in this trait's implementation.
pub trait SentenceWeight: Copy + Send + Sync + 'static {
    /// Name of the method.
    const NAME: &'static str;
    /// One line for help texts.
    const SUMMARY: &'static str;
    /// True if sentences consist of the document's terms and are weighed by the statistics of the collection; false if
    /// they consist of its tokens.
    const IS_LEXICAL: bool;

    /// A function that returns the weight of a sentence, given as a range of word numbers in the document.
    fn weights(document: &Tokens, statistics: &Statistics) -> impl Fn(Range<usize>) -> f64;
}

/// CRC-32 of the heaviest sentences of a document, joined alphabetically. Among equally heavy sentences the
/// alphabetically first ones are taken.
///
/// Survives edits outside the chosen sentences that leave the choice unchanged. A signature is one word. A document
/// without marked sentence ends is one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightedSentences<W> {
    sentences: u32,
    weight: PhantomData<W>,
}

impl<W: SentenceWeight> WeightedSentences<W> {
    /// The defaults: 2 sentences.
    pub const DEFAULT: Self = Self {
        sentences: 2,
        weight: PhantomData,
    };

    /// Number of sentences, 1 or more, default 2.
    #[must_use]
    pub const fn with_sentences(mut self, sentences: u32) -> Self {
        self.sentences = sentences;
        self
    }

    /// The chosen sentences with their weights, heaviest first.
    #[must_use]
    pub fn choose<'a>(&self, document: &'a Tokens, statistics: &Statistics) -> Vec<(f64, &'a str)> {
        let weight = W::weights(document, statistics);
        let mut sentences: Vec<(f64, &str)> = document
            .sentences()
            .map(|range| (weight(range.clone()), document.span(range)))
            .collect();
        // The order of equal weights is fixed by the text, so that copies of a document choose the same
        // sentences.
        sentences.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        sentences.truncate(self.sentences as usize);
        sentences
    }
}

impl<W: SentenceWeight> Strategy for WeightedSentences<W> {
    fn name(&self) -> &'static str {
        W::NAME
    }

    fn summary(&self) -> &'static str {
        W::SUMMARY
    }

    fn parameters(&self) -> &'static [Parameter] {
        const { &[Parameter::new("sentences", "2", "number of sentences, 1 or more")] }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "sentences" => self.sentences = number("sentences", value, 1..=u32::MAX)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl<W: SentenceWeight> Method for WeightedSentences<W> {
    fn form(&self) -> Form {
        Form::Keys { words: 1 }
    }

    fn is_lexical(&self) -> bool {
        W::IS_LEXICAL
    }

    fn reads_sentences(&self) -> bool {
        true
    }

    fn needs_statistics(&self) -> bool {
        W::IS_LEXICAL
    }

    fn signer(&self, context: &Context) -> Result<Box<dyn Signer>, BuildError> {
        at_least("sentences", self.sentences, 1)?;
        let statistics = if W::IS_LEXICAL {
            context.required_statistics(self.name())?
        } else {
            Arc::default()
        };
        Ok(Box::new(WeightedSentencesSigner {
            method: *self,
            statistics,
        }))
    }
}

struct WeightedSentencesSigner<W> {
    method: WeightedSentences<W>,
    statistics: Arc<Statistics>,
}

impl<W: SentenceWeight> Signer for WeightedSentencesSigner<W> {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        let words = if W::IS_LEXICAL {
            document.terms
        } else {
            document.tokens
        };
        let chosen = self.method.choose(words, &self.statistics);
        let mut texts: Vec<&str> = chosen.into_iter().map(|(_, text)| text).collect();
        if !texts.is_empty() {
            // The key must not depend on the order of weights.
            texts.sort_unstable();
            out.push(checksum(&texts));
        }
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        any_key(a, b, 1)
    }
}
