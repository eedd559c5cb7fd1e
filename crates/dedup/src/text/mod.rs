//! The parts of a document that methods read (tokens, shingles, terms), and the statistics of the collection.

pub(crate) mod descriptive;
pub(crate) mod document;
pub(crate) mod lexicon;
pub(crate) mod shingle;
pub(crate) mod statistics;
pub(crate) mod terms;
pub(crate) mod tokens;
