//! Signature methods: from a document to a short row of 64-bit words.

use std::sync::Arc;

use crate::document::{Context, Document};
use crate::error::BuildError;
use crate::strategy::{Strategy, find};

mod minhash;
mod shingles;

pub use minhash::{Family, MinHash, MinHasher};
pub use shingles::Shingles;

/// Every signature method, in the order in which help texts list them.
pub static ALL: &[&dyn Method] = &[&Shingles, &MinHash::DEFAULT];

/// What the words of a signature are, which decides how candidates can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// So many values, to be compared place by place.
    Values(u32),
    /// A set: sorted values without repetitions, of any number.
    Set,
}

impl Form {
    /// The form in words, for messages.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Values(_) => "values that are compared place by place",
            Self::Set => "sets",
        }
    }

    /// The name of the candidate method that suits this form.
    #[must_use]
    pub fn candidates(self) -> &'static str {
        match self {
            Self::Values(_) => "lsh",
            Self::Set => "brute-force",
        }
    }
}

/// A signature method with its parameters.
pub trait Method: Strategy {
    /// What its signatures are.
    fn form(&self) -> Form;

    /// A copy behind a shared pointer, as options hold it.
    fn shared(&self) -> Arc<dyn Method>;

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
    /// Adds the signature of a document to the end of `out`. A document without tokens is never signed.
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>);

    /// Estimates the similarity of two documents from their signatures, 0 to 1.
    fn estimate(&self, a: &[u64], b: &[u64]) -> f64;
}

/// The method of that name, with its default parameters.
///
/// # Errors
/// If there is none; the error lists the known names.
pub fn named(name: &str) -> Result<Arc<dyn Method>, BuildError> {
    find(ALL, "signature", name).map(Method::shared)
}

#[cfg(test)]
mod tests;
