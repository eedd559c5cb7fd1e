//! The rounds of a search whose pairs others found, gone through again.

use crate::engine::outcome::Outcome;
use crate::engine::verified_pairs::VerifiedPairs;
use crate::keep::facts::FactSource;

/// What comes of the pairs of several searches.
pub struct Replayed {
    /// The results.
    pub outcome: Outcome,
    /// The documents that stay, ascending: what a further search looks at, as far as they are in groups that were capped.
    pub stay: Vec<u32>,
}

impl VerifiedPairs {
    /// Decides which documents stay, as [`settle`](Self::settle) does after further searches whose pairs are among these. For those who
    /// search elsewhere: documents that no pair connects, directly or by others, can be decided apart.
    #[must_use]
    pub fn replay<S: FactSource + ?Sized>(self, facts: &S) -> Replayed {
        let staying = self.staying(facts);
        Replayed {
            stay: staying.documents().collect(),
            outcome: self.decide(&staying, facts),
        }
    }

    /// The place of each document in the keeper's order, the best first.
    #[must_use]
    pub fn places<S: FactSource + ?Sized>(&self, documents: &[u32], facts: &S) -> Vec<u32> {
        self.decider(facts).places(documents)
    }
}

/// Most further searches after the first one.
pub const MOST_SEARCHES: u32 = crate::engine::settle::MOST_SEARCHES;
