//! SimHash: a fingerprint of 64 bits. The number of bits in which two fingerprints differ grows with the angle between
//! the documents' vectors.

use std::sync::Arc;

use crate::numeric::hash::murmur3;
use crate::sign::estimate::cosine_of_bits;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{at_least, choice, number};
use crate::text::document::{Context, Document};
use crate::text::statistics::Statistics;
use crate::text::terms::Counted;
use crate::text::tokens::Tokens;

/// The value of a [`SimHash`] bit whose weights sum to 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// The bit is 0 (Manku, Jain, Das Sarma 2007).
    Zero,
    /// The bit is 1.
    One,
}

/// The weight of a feature in [`SimHash`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The number of its occurrences.
    Count,
    /// The number of its occurrences times its inverse document frequency; only for features of one word.
    TfIdf,
}

/// SimHash (Charikar, "Similarity estimation techniques from rounding algorithms", 2002; Manku, Jain, Das Sarma,
/// "Detecting near-duplicates for web crawling", 2007). Every feature adds its weight to the sums of bits that are set
/// in its hash and subtracts it from the others; a bit of the signature is set if its sum is positive.
///
/// Two documents differ in a bit with probability angle / π. So the Hamming distance estimates the cosine of their
/// feature vectors, not their Jaccard similarity: counts matter, order does not.
///
/// Survives reordering and small edits. Costs 64 additions per different feature; a signature is one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimHash {
    words: u32,
    weight: Weight,
    tie: Tie,
}

impl SimHash {
    /// The defaults: single words, by count, ties to 0.
    pub const DEFAULT: Self = Self {
        words: 1,
        weight: Weight::Count,
        tie: Tie::Zero,
    };

    /// Number of neighboring words in a feature, 1 or more, default 1. With 2 or more, word order matters.
    #[must_use]
    pub const fn with_words(mut self, words: u32) -> Self {
        self.words = words;
        self
    }

    /// The weight of a feature, default [`Weight::Count`].
    #[must_use]
    pub const fn with_weight(mut self, weight: Weight) -> Self {
        self.weight = weight;
        self
    }

    /// The value of bits whose weights sum to 0, default [`Tie::Zero`].
    #[must_use]
    pub const fn with_tie(mut self, tie: Tie) -> Self {
        self.tie = tie;
        self
    }

    /// The fingerprint of weighted hashes. A bit is set if its sum is above 0, or with [`Tie::One`] at least 0.
    pub fn bits(&self, features: impl IntoIterator<Item = (u64, f64)>) -> u64 {
        let mut sums = [0.0_f64; 64];
        for (hash, weight) in features {
            for (bit, sum) in sums.iter_mut().enumerate() {
                *sum += if hash >> bit & 1 == 1 { weight } else { -weight };
            }
        }
        let set = |sum: f64| sum > 0.0 || sum == 0.0 && self.tie == Tie::One;
        sums.iter()
            .enumerate()
            .fold(0, |bits, (bit, &sum)| bits | u64::from(set(sum)) << bit)
    }

    /// The hashes of a document's features, each with its count.
    fn features(&self, tokens: &Tokens) -> Vec<(u64, f64)> {
        let mut hashes = Vec::with_capacity(tokens.len());
        crate::text::shingle::for_each_window(tokens, self.words as usize, |words| {
            hashes.push(murmur3(words, 0));
        });
        // Sorted to bring equal features together. Sums of counts are exact, so their order does not change
        // the bits.
        hashes.sort_unstable();
        hashes
            .chunk_by(|a, b| a == b)
            .map(|run| (run[0], run.len() as f64))
            .collect()
    }
}

impl Strategy for SimHash {
    fn name(&self) -> &'static str {
        "simhash"
    }

    fn summary(&self) -> &'static str {
        "64 bits; few of them differ if the words are similar"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[
                Parameter::new("words", "1", "neighboring words in a feature, 1 or more"),
                Parameter::new("weight", "count", "weight of a feature: count or tf-idf"),
                Parameter::new("tie", "0", "a bit whose weights balance: 0 or 1"),
            ]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        let weights = [("count", Weight::Count), ("tf-idf", Weight::TfIdf)];
        match parameter {
            "words" => *self = self.with_words(number("words", value, 1..=u32::MAX)?),
            "weight" => *self = self.with_weight(choice("weight", value, &weights)?),
            "tie" => *self = self.with_tie(choice("tie", value, &[("0", Tie::Zero), ("1", Tie::One)])?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Method for SimHash {
    fn form(&self) -> Form {
        Form::Bits
    }

    fn needs_statistics(&self) -> bool {
        self.weight == Weight::TfIdf
    }

    fn signer(&self, context: &Context) -> Result<Box<dyn Signer>, BuildError> {
        at_least("words", self.words, 1)?;
        let statistics = match self.weight {
            Weight::Count => None,
            // Weights by TF-IDF come from the statistics of single terms, so they exist for features of one
            // word only.
            Weight::TfIdf if self.words > 1 => {
                return Err(BuildError::value(
                    "words",
                    self.words,
                    "1, as weights by `tf-idf` require",
                ));
            }
            Weight::TfIdf => Some(context.required_statistics(self.name())?),
        };
        Ok(Box::new(SimHashSigner {
            method: *self,
            statistics,
        }))
    }
}

struct SimHashSigner {
    method: SimHash,
    statistics: Option<Arc<Statistics>>,
}

impl Signer for SimHashSigner {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        let bits = match &self.statistics {
            None => self.method.bits(self.method.features(document.terms)),
            Some(statistics) => {
                let counted = Counted::new(document.terms);
                // Terms come in alphabetical order, so the order of words does not change how sums are
                // rounded.
                self.method.bits(counted.terms.iter().map(|&(term, count)| {
                    (
                        murmur3(term.as_bytes(), 0),
                        f64::from(count) * statistics.idf(term),
                    )
                }))
            }
        };
        // A document may have tokens and no terms, for example only stop words: it gets no fingerprint.
        if !document.terms.is_empty() {
            out.push(bits);
        }
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        cosine_of_bits(a, b)
    }
}
