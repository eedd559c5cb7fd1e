//! Signature methods: each turns a document into a short row of 64-bit words.

pub(crate) mod banding;
pub(crate) mod estimate;
pub(crate) mod hyperplanes;
pub(crate) mod method;
pub(crate) mod methods;
pub(crate) mod repel;
pub(crate) mod sketch_lanes;
pub(crate) mod weighted_sentences;
pub(crate) mod weighted_terms;

pub use banding::{Banding, band_key, recall_at, steepest};
pub use method::{CloneMethod, Form, Method, Signer};
pub use methods::*;
pub use repel::repel;
pub use weighted_sentences::{SentenceWeight, WeightedSentences};
pub use weighted_terms::{TermWeight, WeightedTerms};
