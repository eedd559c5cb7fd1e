//! Signature methods: from a document to a short row of 64-bit words.

use std::sync::Arc;

use crate::document::{Context, Document};
use crate::error::BuildError;
use crate::strategy::{Strategy, find};

mod descr_words;
mod heavy_sent;
mod i_match;
mod lex_rand;
mod log_shingles;
mod long_sent;
mod md5;
mod megashingles;
mod min_sketch;
mod minhash;
mod mod_sketch;
mod opt_freq;
mod shingles;
mod simhash;
mod simhash_hyperplane;
mod simhash_repelled;
mod supershingles;
mod tf;
mod tf_idf;
mod tf_ridf;

pub use descr_words::DescrWords;
pub use heavy_sent::HeavySent;
pub use i_match::IMatch;
pub use lex_rand::LexRand;
pub use log_shingles::LogShingles;
pub use long_sent::LongSent;
pub use md5::Md5;
pub use megashingles::Megashingles;
pub use min_sketch::MinSketch;
pub use minhash::{Family, MinHash, MinHasher};
pub use mod_sketch::ModSketch;
pub use opt_freq::OptFreq;
pub use shingles::Shingles;
pub use simhash::{SimHash, Tie, Weight};
pub use simhash_hyperplane::SimHashHyperplane;
pub use simhash_repelled::SimHashRepelled;
pub use supershingles::{SuperHasher, Supershingles};
pub use tf::Tf;
pub use tf_idf::{Formula, TfIdf};
pub use tf_ridf::TfRidf;

/// Every signature method, in the order in which help texts list them.
pub static ALL: &[&dyn Method] = &[
    &Md5,
    &Shingles,
    &MinHash::DEFAULT,
    &MinSketch::DEFAULT,
    &ModSketch::DEFAULT,
    &Supershingles::DEFAULT,
    &Megashingles::DEFAULT,
    &LogShingles::DEFAULT,
    &SimHash::DEFAULT,
    &SimHashHyperplane,
    &SimHashRepelled,
    &Tf::DEFAULT,
    &TfIdf::DEFAULT,
    &TfRidf::DEFAULT,
    &OptFreq::DEFAULT,
    &LongSent::DEFAULT,
    &HeavySent::DEFAULT,
    &IMatch::DEFAULT,
    &LexRand::DEFAULT,
    &DescrWords::DEFAULT,
];

/// What the words of a signature are, which decides how candidates can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// So many values, to be compared place by place.
    Values(u32),
    /// A set: sorted values without repetitions, of any number.
    Set {
        /// Whether it is the whole shingle set, not a sample.
        whole: bool,
    },
    /// Any number of keys of so many words each; documents match if one key is equal.
    Keys {
        /// Words in a key.
        words: u32,
    },
    /// A fingerprint of 64 bits; documents match if few differ.
    Bits,
}

impl Form {
    /// The form in words, for messages.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Values(_) => "values that are compared place by place",
            Self::Set { .. } => "sets",
            Self::Keys { .. } => "keys",
            Self::Bits => "fingerprints",
        }
    }

    /// The name of the candidate method that suits this form.
    #[must_use]
    pub fn candidates(self) -> &'static str {
        match self {
            Self::Values(_) => "lsh",
            Self::Set { whole: true } => "exact-join",
            Self::Set { whole: false } => "broder",
            Self::Keys { .. } => "exact-key",
            Self::Bits => "hamming",
        }
    }
}

/// A signature method with its parameters.
pub trait Method: Strategy {
    /// What its signatures are.
    fn form(&self) -> Form;

    /// A copy behind a shared pointer, as options hold it.
    fn shared(&self) -> Arc<dyn Method>;

    /// True if it needs the statistics of the collection.
    fn needs_statistics(&self) -> bool {
        false
    }

    /// True if it needs the descriptive words of the collection.
    fn needs_descriptive_words(&self) -> bool {
        false
    }

    /// True if it reads terms that are best stemmed and without stop words: it picks the words that say what a document is
    /// about.
    fn is_lexical(&self) -> bool {
        false
    }

    /// True if it reads sentences: without their marks a document is one.
    fn reads_sentences(&self) -> bool {
        false
    }

    /// A copy with one parameter changed, by name.
    ///
    /// # Errors
    /// If there is no such parameter, or if the value is out of its range.
    fn set(&self, parameter: &str, value: &str) -> Result<Arc<dyn Method>, BuildError> {
        let _ = value;
        Err(BuildError::unknown_parameter(
            self.name(),
            parameter,
            self.parameters(),
        ))
    }

    /// Makes the method ready for a run.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    fn signer(&self, context: &Context) -> Result<Box<dyn Signer>, BuildError>;
}

/// A signature method at work. The virtual call is per document, never per shingle.
pub trait Signer: Send + Sync {
    /// Adds the signature of a document to the end of `out`, or nothing if the method finds too little in it. A document
    /// without tokens is never signed.
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>);

    /// Estimates the similarity of two documents from their signatures, 0 to 1.
    fn estimate(&self, a: &[u64], b: &[u64]) -> f64;

    /// True if neither the order nor repetitions of the shingles change the signature, so that they need not be sorted.
    fn takes_any_order(&self) -> bool {
        false
    }
}

/// The method of that name, with its default parameters.
///
/// # Errors
/// If there is none; the error lists the known names.
pub fn named(name: &str) -> Result<Arc<dyn Method>, BuildError> {
    find(ALL, "signature", name).map(Method::shared)
}

/// 1 if one key is equal, 0 if none is.
fn any_key(a: &[u64], b: &[u64], words: usize) -> f64 {
    let equal = a
        .chunks_exact(words)
        .any(|key| b.chunks_exact(words).any(|other| key == other));
    f64::from(u8::from(equal))
}

/// The cosine that two fingerprints say: a bit differs with probability angle / π. 0 for angles beyond a right one.
fn cosine_of_bits(a: &[u64], b: &[u64]) -> f64 {
    let (&[a], &[b]) = (a, b) else { return 0.0 };
    let angle = std::f64::consts::PI * f64::from((a ^ b).count_ones()) / 64.0;
    angle.cos().max(0.0)
}

#[cfg(test)]
mod tests;
