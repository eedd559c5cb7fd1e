//! Further searches for the pairs that large groups have left out, until the documents that stay are settled.

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

/// Most further searches in large groups: each compares as many pairs as the first search at most, so the work stays linear in documents.
pub(crate) const MOST_SEARCHES: u32 = 16;

/// Searches in large groups that find nothing, one after the other, after which no further one is made. A search in groups that are still too
/// large for all of their pairs compares only some of these, by chance.
pub(crate) const MOST_FRUITLESS: u32 = 4;

/// Most rounds that compare documents with those that stay for their neighbors: each compares at most one pair for each pair and each
/// document. Few are needed, as each takes away what the one before has brought back.
pub(crate) const MOST_NEAR: u32 = 32;

/// What comes after pairs were verified.
pub enum Settled {
    /// Further pairs are to be verified first.
    More(Box<CandidatePairs>),
    /// The results.
    Done(Box<Outcome>),
}

impl VerifiedPairs {
    /// Decides which documents stay as [`cluster`](Self::cluster) does, after further searches where they are needed.
    ///
    /// Two documents that stay may be similar without having been compared: by bad luck they share no key, or only those of groups that
    /// were too large to compare all of their pairs. So each document that would stay is compared with the documents that stay for its
    /// neighbors, and those documents of large groups that would stay with each other, again and again for as long as that finds pairs, up
    /// to sixteen times. With transitive deletion, the similarity of documents that go and are in no pair with one that stays is measured in
    /// the end. Where pairs come from files, buffers and pairs of a round take up to about `memory` bytes. Runs in the threads of the
    /// current rayon pool.
    ///
    /// # Errors
    /// If a file cannot be used, or if there are more pairs than fit into the memory.
    pub fn settle<S: FactSource + ?Sized>(mut self, facts: &S, memory: u64) -> Result<Settled, DedupError> {
        let Some(mut rounds) = self.rounds.take() else {
            return Ok(Settled::Done(Box::new(self.cluster(facts))));
        };
        let staying = self.staying(facts);
        if rounds.is_measuring() {
            return Ok(Settled::Done(Box::new(self.decide(&staying, facts))));
        }
        // First what is nearly certain to be found, and cheap.
        if rounds.near < MOST_NEAR {
            let (pairs, groups) = (&self.pairs, &self.exact_groups);
            let near = staying.near_neighbors(pairs, groups, rounds.before.as_ref(), &mut rounds.asked);
            if !near.is_empty() {
                rounds.near += 1;
                self.counts.candidates += near.len() as u64;
                return Ok(self.compare_near(near, rounds, staying));
            }
        }
        self.counts.unsettled = rounds.near == MOST_NEAR;
        // A pair that a search finds is of two documents that stayed: where there is none, nothing has changed since.
        if rounds.searches > 0 && self.pairs.len() == rounds.pairs_before {
            rounds.fruitless += 1;
        } else {
            rounds.fruitless = 0;
        }
        let complete = rounds.fruitless > 0 && rounds.capped_last.len() == 0;
        if complete || rounds.fruitless == MOST_FRUITLESS {
            return self.measured(rounds, &staying, facts);
        }
        if rounds.searches == MOST_SEARCHES {
            self.counts.unsettled = true;
            return self.measured(rounds, &staying, facts);
        }
        let Some(pairs) = self.in_capped_groups(&mut rounds, &staying, facts, memory)? else {
            return self.measured(rounds, &staying, facts);
        };
        rounds.searches += 1;
        rounds.pairs_before = self.pairs.len();
        rounds.before = Some(staying);
        let stored = rounds.source.stored.clone();
        self.rounds = Some(rounds);
        Ok(Settled::More(Box::new(CandidatePairs::new(self, pairs, stored))))
    }

    /// Compares pairs of documents that are likely to be similar, at once if their features are in memory.
    fn compare_near(mut self, near: Vec<ScoredPair>, mut rounds: Rounds, staying: Staying) -> Settled {
        let stored = rounds.source.stored.clone();
        let pairs = match stored {
            Some(_) => near,
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

    /// Candidate pairs of documents that stay in groups that were capped in the first search; similar ones alone, if features are in
    /// memory. None if less than two of these documents stay.
    fn in_capped_groups<S: FactSource + ?Sized>(
        &mut self,
        rounds: &mut Rounds,
        staying: &Staying,
        facts: &S,
        memory: u64,
    ) -> Result<Option<Vec<ScoredPair>>, DedupError> {
        // The texts among which is searched, and the documents that stay with them.
        let texts = staying
            .documents()
            .map(|document| (self.exact_groups.first(document), document));
        let mut stay: Vec<(u32, u32)> = texts.filter(|&(text, _)| rounds.capped.contains(text)).collect();
        if stay.len() < 2 {
            return Ok(None);
        }
        stay.sort_unstable();
        let (texts, documents): (Vec<u32>, Vec<u32>) = stay.into_iter().unzip();
        let further = Further {
            places: &self.decider(facts).places(&documents),
            before: rounds.searches,
        };
        let (pairs, counts) = (rounds.source).join(&texts, &self.contents, Some(further), memory)?;
        self.counts.candidates += counts.candidates;
        rounds.capped_last = counts.capped.members.clone();
        self.capped.append(counts.capped);
        Ok(Some(pairs))
    }

    /// The results, once the similarity of all documents that go is known.
    fn measured<S: FactSource + ?Sized>(
        mut self,
        mut rounds: Rounds,
        staying: &Staying,
        facts: &S,
    ) -> Result<Settled, DedupError> {
        if self.compiled.options.deletion != Deletion::Transitive {
            return Ok(Settled::Done(Box::new(self.decide(staying, facts))));
        }
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

/// The number of searches in the round after all others, which measures similarities and looks for no pairs.
const MEASURING: u32 = u32::MAX;

impl Rounds {
    fn is_measuring(&self) -> bool {
        self.searches == MEASURING
    }
}
