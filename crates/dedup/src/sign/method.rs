//! The traits of signature methods.

use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Context, Document};

/// The form of a signature, which decides how candidates can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A fixed number of values, compared place by place: the share of equal places estimates the
    /// similarity of two documents.
    Values(u32),
    /// A set: ascending values without repetitions. Their number differs between documents.
    Set {
        /// True if the set holds all shingles, false if it is a sample.
        whole: bool,
    },
    /// A list of keys of `words` words each; the number of keys differs between documents. Two documents match if they
    /// have an equal key.
    Keys {
        /// Words in a key.
        words: u32,
    },
    /// A fingerprint of 64 bits; two documents match if few bits differ.
    Bits,
}

impl Form {
    /// A noun phrase for error messages.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Self::Values(_) => "values that are compared place by place",
            Self::Set { .. } => "sets",
            Self::Keys { .. } => "keys",
            Self::Bits => "fingerprints",
        }
    }

    /// The name of the default candidate method for signatures of this form.
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

    /// True if it needs the statistics of the collection, which takes a first pass over the documents.
    fn needs_statistics(&self) -> bool {
        false
    }

    /// True if it needs the descriptive words of the collection.
    fn needs_descriptive_words(&self) -> bool {
        false
    }

    /// True if it reads terms, which should be stemmed and free of stop words: the method picks the words that best
    /// describe a document.
    fn is_lexical(&self) -> bool {
        false
    }

    /// True if it reads sentences. A document without sentence ends counts as one sentence.
    fn reads_sentences(&self) -> bool {
        false
    }

    /// Checks the parameters and prepares the method for a run.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    fn signer(&self, context: &Context) -> Result<Box<dyn Signer>, BuildError>;
}

/// A signature method, prepared for a run. Its virtual calls are per document, never per shingle.
pub trait Signer: Send + Sync {
    /// Appends the signature of a document to `out`, or nothing if the document has too little content for the method.
    /// Documents without tokens are never passed to it.
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>);

    /// Estimates the similarity of two documents from their signatures, 0 to 1.
    fn estimate(&self, a: &[u64], b: &[u64]) -> f64;

    /// True if the order and the repetitions of shingles do not change the signature, so that callers need not sort
    /// them.
    fn takes_any_order(&self) -> bool {
        false
    }
}

/// The error that strategy `reader` of `family` cannot read the signatures of `signature`; `wanted` names the forms
/// that it reads.
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

/// Copies a signature method behind a pointer. Implemented for every method that is `Clone`.
pub trait CloneMethod {
    /// A copy.
    fn boxed(&self) -> Box<dyn Method>;
}

impl<S: Method + Clone + 'static> CloneMethod for S {
    fn boxed(&self) -> Box<dyn Method> {
        Box::new(self.clone())
    }
}
