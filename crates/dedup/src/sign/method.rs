//! The traits of signature methods.

use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Context, Document};

/// The form of a signature, which decides how candidates can be found.
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
pub trait Method: Strategy + CloneMethod {
    /// The form of its signatures.
    fn form(&self) -> Form;

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

/// The error that `reader`, of `family`, does not read signatures of the form of `signature`.
pub(crate) fn wrong_form(
    signature: &dyn Method,
    family: &'static str,
    reader: &'static str,
    wanted: &'static str,
) -> BuildError {
    BuildError::form(
        family,
        reader,
        wanted,
        signature.name(),
        signature.form().description(),
    )
}

/// Copies of a signature method behind a pointer, which everything that can be cloned has.
pub trait CloneMethod {
    /// A copy.
    fn boxed(&self) -> Box<dyn Method>;
}

impl<S: Method + Clone + 'static> CloneMethod for S {
    fn boxed(&self) -> Box<dyn Method> {
        Box::new(self.clone())
    }
}
