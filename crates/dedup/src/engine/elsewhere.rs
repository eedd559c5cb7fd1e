//! What a search by joins on many machines needs beside the steps: the keeper's order as bytes, and the bounds of the rounds.

use crate::engine::compiled::CompiledOptions;
use crate::keep::facts::DocumentFacts;

impl CompiledOptions {
    /// Bytes that compare as the keeper orders documents, smaller ones first; of equal ones the earlier document stays. Empty for a
    /// keeper whose members do not [compare alone](crate::keep::Keeper::compares_alone). No key is the beginning of another one.
    #[must_use]
    pub fn order_key(&self, facts: DocumentFacts<'_>) -> Vec<u8> {
        let mut key = Vec::new();
        self.options.keeper.key(&self.options.believed(facts), &mut key);
        key
    }
}

/// Bounds of a search; see [`VerifiedPairs::settle`](crate::VerifiedPairs::settle).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Most further searches in large groups after the first one.
    pub searches: u32,
    /// Those of them that find nothing, one after the other, after which no further one is made.
    pub fruitless: u32,
    /// Most rounds that compare documents with those that stay for their neighbors.
    pub near: u32,
    /// Similar texts, and texts of a cluster, up to which all pairs of a text are listed.
    pub many: usize,
}

/// The bounds of every search.
pub const BOUNDS: Bounds = Bounds {
    searches: crate::engine::settle::MOST_SEARCHES,
    fruitless: crate::engine::settle::MOST_FRUITLESS,
    near: crate::engine::settle::MOST_NEAR,
    many: crate::engine::pair_lists::MANY,
};
