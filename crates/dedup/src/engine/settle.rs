//! Further searches for pairs that capped groups left out, until the set of staying documents no longer changes.

use std::sync::Arc;

use crate::candidates::input::Further;
use crate::candidates::pair::ScoredPair;
use crate::engine::candidate_pairs::CandidatePairs;
use crate::engine::error::DedupError;
use crate::engine::options::Deletion;
use crate::engine::outcome::Outcome;
use crate::engine::staying::{Staying, unmeasured};
use crate::engine::verified_pairs::{Rounds, VerifiedPairs};
use crate::keep::facts::FactSource;

/// Largest number of further searches in large groups. Each compares at most as many pairs as the first search, so the
/// work stays linear in the number of documents.
pub(crate) const MAX_SEARCHES: u32 = 16;

/// Number of consecutive further searches without new pairs after which searching ends. One such search is not enough
/// if groups are still capped: it compares only some of their pairs, chosen by chance.
pub(crate) const MAX_FRUITLESS: u32 = 4;

/// Largest number of rounds that compare documents with the representatives of their neighbors. Each round compares at
/// most one pair per known pair and per document. Few rounds are needed, because each removes documents that the round
/// before has brought back.
pub(crate) const MAX_NEAR: u32 = 32;

/// The result of [`VerifiedPairs::settle`].
pub enum Settled {
    /// Further pairs, which must be verified first.
    More(Box<CandidatePairs>),
    /// The final results.
    Done(Box<Outcome>),
}

impl VerifiedPairs {
    /// Decides which documents stay, like [`cluster`](Self::cluster), after further searches if they are needed.
    ///
    /// Two similar documents may both stay because they were never compared: by chance they share no key, or they share
    /// only keys of capped groups. So each staying document is compared with the representatives of its removed
    /// neighbors. And the staying documents of capped groups are compared with each other. Both steps are repeated
    /// while they find pairs, the first up to 32 times and the second up to 16 times.
    ///
    /// With transitive deletion, each removed document that is in no pair with its representative is finally compared
    /// with it, to measure their similarity. If keys are in files, buffers and pairs of a round take up to about
    /// `memory` bytes. Runs in the threads of the current rayon pool.
    ///
    /// # Errors
    /// If a file cannot be used, or if the pairs do not fit into the memory.
    pub fn settle<S: FactSource + ?Sized>(mut self, facts: &S, memory: u64) -> Result<Settled, DedupError> {
        let Some(mut rounds) = self.rounds.take() else {
            return Ok(Settled::Done(Box::new(self.cluster(facts))));
        };
        let staying = self.staying(facts);
        if rounds.is_measuring() {
            return Ok(Settled::Done(Box::new(self.decide(&staying, facts))));
        }
        // Neighbors of representatives first: these comparisons are cheap and very likely to find pairs.
        if rounds.near < MAX_NEAR {
            let (pairs, groups) = (&self.pairs, &self.exact_groups);
            let near = staying.near_neighbors(pairs, groups, rounds.before.as_ref(), &mut rounds.asked);
            if !near.is_empty() {
                rounds.near += 1;
                self.counts.candidates += near.len() as u64;
                return Ok(self.compare_near(near, rounds, staying));
            }
        }
        // The rounds were cut off if the last one still found neighbors.
        self.counts.unsettled = rounds.near == MAX_NEAR;
        // A search compares only staying documents. If the last one found no pair, the set of staying
        // documents is unchanged.
        if rounds.searches > 0 && self.pairs.len() == rounds.pairs_before {
            rounds.fruitless += 1;
        } else {
            rounds.fruitless = 0;
        }
        // If no group was capped in the last search, all pairs of staying documents were compared.
        let complete = rounds.fruitless > 0 && rounds.capped_last.len() == 0;
        if complete || rounds.fruitless == MAX_FRUITLESS {
            return self.measured(rounds, &staying, facts);
        }
        if rounds.searches == MAX_SEARCHES {
            self.counts.unsettled = true;
            return self.measured(rounds, &staying, facts);
        }
        let Some(pairs) = self.in_capped_groups(&mut rounds, &staying, facts, memory)? else {
            return self.measured(rounds, &staying, facts);
        };
        rounds.searches += 1;
        // The number before the search shows afterwards whether it found pairs.
        rounds.pairs_before = self.pairs.len();
        rounds.before = Some(staying);
        let stored = rounds.source.stored.clone();
        self.rounds = Some(rounds);
        Ok(Settled::More(Box::new(CandidatePairs::new(self, pairs, stored))))
    }

    /// Starts the next round, with pairs of documents that are likely to be similar. If features are in
    /// memory, the pairs are compared here.
    fn compare_near(mut self, near: Vec<ScoredPair>, mut rounds: Rounds, staying: Staying) -> Settled {
        let stored = rounds.source.stored.clone();
        let pairs = match stored {
            Some(_) => near,
            // Without stored features the pairs can be compared at once, so only similar ones are returned.
            None => {
                let similar = rounds.source.similar(&near, self.compiled.options.threshold);
                self.capped.add_unlike(&rounds.capped_last, &near, &similar);
                similar
            }
        };
        rounds.before = Some(staying);
        self.rounds = Some(rounds);
        Settled::More(Box::new(CandidatePairs::new(self, pairs, stored)))
    }

    /// Candidate pairs among the staying documents of groups that were capped in the first search. If features are in
    /// memory, only similar pairs. `None` if fewer than two of these documents stay.
    fn in_capped_groups<S: FactSource + ?Sized>(
        &mut self,
        rounds: &mut Rounds,
        staying: &Staying,
        facts: &S,
        memory: u64,
    ) -> Result<Option<Vec<ScoredPair>>, DedupError> {
        // Each staying document with its text. The search is among the texts.
        let texts = staying
            .documents()
            .map(|document| (self.exact_groups.first(document), document));
        // Other documents were in complete groups only, so all their pairs with a common key were compared.
        let mut stay: Vec<(u32, u32)> = texts.filter(|&(text, _)| rounds.capped.contains(text)).collect();
        if stay.len() < 2 {
            return Ok(None);
        }
        stay.sort_unstable();
        let (texts, documents): (Vec<u32>, Vec<u32>) = stay.into_iter().unzip();
        let further = Further {
            places: &self.decider(facts).places(&documents),
            before: rounds.searches,
            open: &rounds.open,
        };
        let (pairs, counts) = (rounds.source).join(&texts, &self.contents, Some(further), memory)?;
        self.counts.candidates += counts.candidates;
        rounds.capped_last = counts.capped.members.clone();
        self.capped.append(counts.capped);
        Ok(Some(pairs))
    }

    /// The final results. With transitive deletion, measures the missing similarities first, or returns the pairs to be
    /// measured.
    fn measured<S: FactSource + ?Sized>(
        mut self,
        mut rounds: Rounds,
        staying: &Staying,
        facts: &S,
    ) -> Result<Settled, DedupError> {
        if self.compiled.options.deletion != Deletion::Transitive {
            return Ok(Settled::Done(Box::new(self.decide(staying, facts))));
        }
        // A removed document may be in no pair with its representative: chains of pairs are deleted as a
        // whole.
        let missing = unmeasured(staying, &self.pairs, &self.exact_groups);
        match rounds.source.stored.clone() {
            Some(stored) if !missing.is_empty() => {
                rounds.searches = MEASURING;
                self.rounds = Some(rounds);
                let waiting = CandidatePairs::to_measure(self, missing, Arc::clone(&stored));
                Ok(Settled::More(Box::new(waiting)))
            }
            _ => {
                self.measured = rounds.source.similar(&missing, 0.0);
                Ok(Settled::Done(Box::new(self.decide(staying, facts))))
            }
        }
    }
}

/// Value of `searches` in the final round, which measures similarities and searches for no pairs.
const MEASURING: u32 = u32::MAX;

impl Rounds {
    fn is_measuring(&self) -> bool {
        self.searches == MEASURING
    }
}
