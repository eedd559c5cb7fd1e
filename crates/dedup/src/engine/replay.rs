//! The rounds of a search whose pairs others found, gone through again.

use crate::candidates::pair::ScoredPair;
use crate::engine::outcome::Outcome;
use crate::engine::verified_pairs::VerifiedPairs;
use crate::keep::facts::FactSource;

/// What comes of the pairs of several searches.
pub struct Replayed {
    /// The results.
    pub outcome: Outcome,
    /// The documents that stay, ascending: what a further search looks at, as far as they are in groups that were capped.
    pub stay: Vec<u32>,
    /// How many documents that stayed before the last search have gone by it.
    pub gone: u64,
}

impl VerifiedPairs {
    /// Groups the pairs to clusters and decides, as [`settle`](Self::settle) does after as many further searches as there are lists of
    /// pairs in `later`. For those who search elsewhere: documents that no pair connects, directly or by others, can be decided apart.
    #[must_use]
    pub fn replay<S: FactSource + ?Sized>(mut self, later: Vec<Vec<ScoredPair>>, facts: &S) -> Replayed {
        let (mut kept, mut gone) = self.keep(None, facts);
        for pairs in later {
            self.add(pairs);
            (kept, gone) = self.keep(Some(kept), facts);
        }
        let stay = kept.documents().collect();
        Replayed {
            outcome: self.decide(kept, facts),
            stay,
            gone,
        }
    }

    /// The place of each document in the order in which documents stay, the best first.
    #[must_use]
    pub fn places<S: FactSource + ?Sized>(&self, documents: &[u32], facts: &S) -> Vec<u32> {
        self.decider(facts).places(documents)
    }
}

/// Most further searches after the first one.
pub const MOST_SEARCHES: u32 = crate::engine::settle::MOST_ROUNDS;
