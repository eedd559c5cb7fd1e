//! Signature methods, one file each: each turns a document into a short row of 64-bit words.

use crate::sign::method::{CloneMethod, Method};
use crate::strategy::entry::Family;

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
pub use heavy_sent::{HeavySent, SumOfWeights};
pub use i_match::IMatch;
pub use lex_rand::LexRand;
pub use log_shingles::LogShingles;
pub use long_sent::{Length, LongSent};
pub use md5::Md5;
pub use megashingles::Megashingles;
pub use min_sketch::MinSketch;
pub use minhash::{HashFamily, MinHash, MinHasher};
pub use mod_sketch::ModSketch;
pub use opt_freq::{OptFreq, OptimalFrequency};
pub use shingles::Shingles;
pub use simhash::{SimHash, Tie, Weight};
pub use simhash_hyperplane::SimHashHyperplane;
pub use simhash_repelled::SimHashRepelled;
pub use supershingles::{SuperHasher, Supershingles};
pub use tf::{Frequency, Tf};
pub use tf_idf::{Formula, InverseFrequency, TfIdf};
pub use tf_ridf::{ResidualFrequency, TfRidf};

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

impl Family for dyn Method {
    const NAME: &'static str = "signature";

    fn all() -> &'static [&'static Self] {
        ALL
    }

    fn boxed(&self) -> Box<Self> {
        CloneMethod::boxed(self)
    }
}

#[cfg(test)]
mod tests;
