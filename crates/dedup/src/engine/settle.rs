//! Further searches for the pairs that large groups have left out, until no document that stays has to go.

use crate::candidates::input::Further;
use crate::engine::candidate_pairs::CandidatePairs;
use crate::engine::error::DedupError;
use crate::engine::outcome::Outcome;
use crate::engine::verified_pairs::VerifiedPairs;
use crate::keep::facts::FactSource;

/// Most further rounds: each compares as many pairs as the first search at most, so the work stays linear in documents.
pub(crate) const MOST_ROUNDS: u32 = 16;

/// What comes after pairs were verified.
pub enum Settled {
    /// Further pairs are to be verified first: of documents that would stay, and that groups which were too large for all of their
    /// pairs have not brought together.
    More(Box<CandidatePairs>),
    /// The results.
    Done(Box<Outcome>),
}

impl VerifiedPairs {
    /// Groups the pairs to clusters and decides as [`cluster`](Self::cluster) does, but if groups were too large to compare all of their pairs, the documents of them that would stay are compared
    /// with each other first, in as many rounds as let some of them go, up to sixteen. Where pairs come from files, buffers
    /// and pairs of a round take up to about `memory` bytes. Runs in the threads of the current rayon pool.
    ///
    /// # Errors
    /// If a file cannot be used, or if there are more pairs than fit into the memory.
    pub fn settle<S: FactSource + ?Sized>(mut self, facts: &S, memory: u64) -> Result<Settled, DedupError> {
        let Some(mut rounds) = self.rounds.take() else {
            return Ok(Settled::Done(Box::new(self.cluster(facts))));
        };
        let (kept, gone) = self.keep(rounds.kept.take(), facts);
        // The documents by their texts, which are sought.
        let mut stay: Vec<(u32, u32)> = Vec::new();
        if rounds.done == 0 || gone > 0 && rounds.done < MOST_ROUNDS {
            let texts = kept
                .documents()
                .map(|document| (self.exact_groups.first(document), document));
            let asked = |text| rounds.capped.contains(text) && !self.left_out.contains(text);
            stay.extend(texts.filter(|&(text, _)| asked(text)));
            stay.sort_unstable();
        }
        if stay.len() < 2 {
            return Ok(Settled::Done(Box::new(self.decide(kept, facts))));
        }
        let (texts, documents): (Vec<u32>, Vec<u32>) = stay.into_iter().unzip();
        let further = Further {
            places: &self.decider(facts).places(&documents),
            before: rounds.done,
        };
        let (pairs, counts) = (rounds.source).join(&texts, &self.contents, Some(further), memory)?;
        rounds.done += 1;
        self.counts.candidates += counts.candidates;
        rounds.capped = counts.capped.members.clone();
        rounds.kept = Some(kept);
        self.capped.append(counts.capped);
        let stored = rounds.source.stored.clone();
        self.rounds = Some(rounds);
        Ok(Settled::More(Box::new(CandidatePairs::new(self, pairs, stored))))
    }
}
