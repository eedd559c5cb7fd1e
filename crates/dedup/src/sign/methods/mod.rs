//! Signature methods: from a document to a short row of 64-bit words.

use std::sync::Arc;

use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::find;

mod descr_words;
mod heavy_sent;
mod i_match;
mod lex_rand;
mod log_shingles;
mod long_sent;
mod md5;
mod megashingles;
mod min_sketch;
pub(crate) mod minhash;
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

/// The method of that name, with its default parameters.
///
/// # Errors
/// If there is none; the error lists the known names.
pub fn named(name: &str) -> Result<Arc<dyn Method>, BuildError> {
    find(ALL, "signature", name).map(Method::shared)
}

#[cfg(test)]
mod tests;
