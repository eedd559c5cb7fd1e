//! The sentences with the heaviest words.

use std::sync::Arc;

use crate::sign::estimate::any_key;
use crate::sign::method::{Form, Method, Signer};
use crate::sign::methods::tf_idf::TfIdf;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::number;
use crate::text::document::{Context, Document};
use crate::text::statistics::Statistics;
use crate::text::terms::checksum;
use crate::text::tokens::Tokens;

/// HeavySent (compared by Zelenkov and Segalovich 2007): CRC-32 of the sentences whose words weigh most by TF·IDF, summed
/// over occurrences; joined alphabetically. Of equally heavy ones the alphabetically first is taken.
///
/// Survives edits outside the chosen sentences that leave the choice as it is. Costs a sort of the terms; a signature is
/// one word. Needs the sentences of a document's terms; without marked ends they are one sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeavySent {
    sentences: u32,
}

impl HeavySent {
    /// The defaults: 2 sentences.
    pub const DEFAULT: Self = Self { sentences: 2 };

    /// Number of sentences, 1 or more, default 2.
    #[must_use]
    pub const fn with_sentences(mut self, sentences: u32) -> Self {
        self.sentences = sentences;
        self
    }

    /// The chosen sentences with their weights, the heaviest first.
    #[must_use]
    pub fn choose<'a>(&self, terms: &'a Tokens, statistics: &Statistics) -> Vec<(f64, &'a str)> {
        let weights = TfIdf::DEFAULT.weights(terms, statistics);
        let weight = |term: &str| {
            let place = weights.binary_search_by(|(other, _)| (*other).cmp(term));
            place.map_or(0.0, |place| weights[place].1)
        };
        let sentence = |range: std::ops::Range<usize>| {
            let sum: f64 = range.clone().map(|number| weight(terms.token(number))).sum();
            // To twelve decimals, so that the order of summation decides no tie.
            ((sum * 1e12).round() / 1e12, terms.span(range))
        };
        let mut sentences: Vec<(f64, &str)> = terms.sentences().map(sentence).collect();
        sentences.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        sentences.truncate(self.sentences as usize);
        sentences
    }
}

impl Default for HeavySent {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Strategy for HeavySent {
    fn name(&self) -> &'static str {
        "heavy-sent"
    }

    fn summary(&self) -> &'static str {
        "the sentences whose words weigh most by TF-IDF"
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

impl Method for HeavySent {
    fn form(&self) -> Form {
        Form::Keys { words: 1 }
    }

    fn is_lexical(&self) -> bool {
        true
    }

    fn reads_sentences(&self) -> bool {
        true
    }

    fn needs_statistics(&self) -> bool {
        true
    }

    fn signer(&self, context: &Context) -> Result<Box<dyn Signer>, BuildError> {
        if self.sentences == 0 {
            return Err(BuildError::value("sentences", 0, "1 or more"));
        }
        let statistics = context.required_statistics(self.name())?;
        Ok(Box::new(HeavySentSigner {
            method: *self,
            statistics,
        }))
    }
}

struct HeavySentSigner {
    method: HeavySent,
    statistics: Arc<Statistics>,
}

impl Signer for HeavySentSigner {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        let chosen = self.method.choose(document.terms, &self.statistics);
        let mut texts: Vec<&str> = chosen.into_iter().map(|(_, text)| text).collect();
        if !texts.is_empty() {
            texts.sort_unstable();
            out.push(checksum(&texts));
        }
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        any_key(a, b, 1)
    }
}
