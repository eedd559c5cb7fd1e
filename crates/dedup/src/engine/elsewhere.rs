//! Data for searches by joins on many machines: the keeper's order as bytes, and the limits of the rounds.

use crate::engine::compiled::CompiledOptions;
use crate::keep::facts::DocumentFacts;

impl CompiledOptions {
    /// Bytes whose lexicographic order is the keeper's order, preferred documents first. Among equal keys the earlier
    /// document stays. Empty for a keeper whose members do not [compare alone](crate::keep::Keeper::compares_alone). No
    /// key is a prefix of another key.
    #[must_use]
    pub fn order_key(&self, facts: DocumentFacts<'_>) -> Vec<u8> {
        let mut key = Vec::new();
        self.options.keeper.key(&self.options.believed(facts), &mut key);
        key
    }
}

/// Limits of a search; see [`VerifiedPairs::settle`](crate::VerifiedPairs::settle).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Largest number of further searches in large groups after the first search.
    pub searches: u32,
    /// Number of consecutive further searches without new pairs after which no further one is made.
    pub fruitless: u32,
    /// Largest number of rounds that compare documents with the representatives of their neighbors.
    pub near: u32,
    /// Number of similar texts, and of texts in a cluster, up to which all pairs of a text are listed.
    pub many: usize,
}

/// The limits of every search.
pub const BOUNDS: Bounds = Bounds {
    searches: crate::engine::settle::MAX_SEARCHES,
    fruitless: crate::engine::settle::MAX_FRUITLESS,
    near: crate::engine::settle::MAX_NEAR,
    many: crate::engine::pair_lists::MANY,
};
