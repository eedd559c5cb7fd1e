//! A sort of repeated pairs from several threads.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::candidates::join::group::pair_word;
use crate::candidates::pair::ScoredPair;
use crate::numeric::narrow;
use crate::numeric::radix::sort_by_key_bits;

/// Collects pairs of numbers and counts the repetitions of each.
///
/// Pairs are distributed to parts by ranges of their smaller number, so that each part is sorted within a processor's
/// cache. A full part is sorted and counted. So memory grows with the number of distinct pairs, not with their
/// repetitions.
pub(crate) struct PairSorter {
    parts: Vec<Mutex<Partition>>,
    shape: Shape,
}

/// The distribution of pairs to parts.
#[derive(Clone, Copy)]
struct Shape {
    /// Number of bits of a number.
    bits: u32,
    /// Number of lower bits of the smaller number that do not choose the part.
    within: u32,
    /// Largest number of uncounted pairs in a part.
    most: usize,
}

/// Pairs whose smaller numbers lie in one range.
#[derive(Default)]
struct Partition {
    waiting: Vec<u64>,
    /// Distinct pairs, ascending. `times` holds the number of repetitions of each.
    pairs: Vec<u64>,
    times: Vec<u16>,
}

/// Smallest number of uncounted pairs in a part that is sorted before the end: a quarter of a megabyte.
const WAITING: usize = 1 << 15;

/// Average number of uncounted pairs per number, over all parts.
const PER_NUMBER: usize = 4;

/// Largest number of parts.
const MAX_PARTS: usize = 256;

/// Number of pairs that a thread collects for a part before it moves them to the sorter.
const GATHERED: usize = 256;

impl PairSorter {
    /// A sorter for pairs of numbers below `numbers`.
    pub(crate) fn new(numbers: usize) -> Self {
        let bits = usize::BITS - numbers.saturating_sub(1).leading_zeros();
        let wanted = (numbers.saturating_mul(PER_NUMBER) / WAITING).clamp(1, MAX_PARTS);
        // Parts are ranges of 2^`within` numbers. `within` is at least 0 even if there are fewer numbers
        // than wanted parts.
        let within = bits - wanted.next_power_of_two().ilog2().min(bits);
        let parts = numbers.div_ceil(1 << within).max(1);
        Self {
            shape: Shape {
                bits,
                within,
                most: (numbers.saturating_mul(PER_NUMBER) / parts).max(WAITING),
            },
            parts: (0..parts).map(|_| Mutex::default()).collect(),
        }
    }

    /// A feed for the pairs of one thread.
    pub(crate) fn feed(&self) -> PairFeed<'_> {
        PairFeed {
            sorter: self,
            gathered: vec![Vec::with_capacity(GATHERED); self.parts.len()],
        }
    }

    /// Calls `check` with every distinct pair, the smaller number first, and with its number of repetitions (at most
    /// 65,535). Appends the results to `found` in the order of pairs. Returns the number of distinct pairs.
    pub(crate) fn finish(
        self,
        found: &mut Vec<ScoredPair>,
        check: impl Fn(u32, u32, u32) -> Option<ScoredPair> + Sync,
    ) -> u64 {
        let shape = self.shape;
        let mut parts: Vec<Partition> = self
            .parts
            .into_par_iter()
            .map(|part| {
                let mut part = part.into_inner().unwrap_or_else(PoisonError::into_inner);
                part.compact(shape);
                part.waiting = Vec::new();
                part
            })
            .collect();
        let pairs = parts.iter().map(|part| part.pairs.len() as u64).sum();
        // Checks only a few parts at a time, because their results are in memory twice until they are
        // appended.
        let at_once = 4 * rayon::current_num_threads().max(1);
        for group in parts.chunks_mut(at_once) {
            let found_in = |part: &mut Partition| -> Vec<ScoredPair> {
                let (pairs, times) = (std::mem::take(&mut part.pairs), std::mem::take(&mut part.times));
                let counted = pairs.iter().zip(&times);
                counted
                    .filter_map(|(&pair, &times)| {
                        check((pair >> 32) as u32, narrow::low_half(pair), times.into())
                    })
                    .collect()
            };
            let group: Vec<Vec<ScoredPair>> = group.par_iter_mut().map(found_in).collect();
            found.extend(group.into_iter().flatten());
        }
        pairs
    }
}

impl Partition {
    /// Sorts the uncounted pairs and merges them into the counted ones.
    fn compact(&mut self, shape: Shape) {
        let Shape { bits, within, .. } = shape;
        // All pairs of a part agree in the upper bits of the smaller number, so sorting `within + bits`
        // bits is enough.
        let key = |pair: u64| {
            let (a, b) = (
                (pair >> 32) & ((1 << within) - 1),
                u64::from(narrow::low_half(pair)),
            );
            a << bits | b
        };
        let mut spare = Vec::new();
        sort_by_key_bits(&mut self.waiting, &mut spare, within + bits, key);
        drop(spare);
        let (pairs, times) = (std::mem::take(&mut self.pairs), std::mem::take(&mut self.times));
        // Merges the sorted new pairs with the pairs counted before, and adds up repetitions. Counts stop
        // at 65,535.
        let mut before = pairs.into_iter().zip(times).peekable();
        let add = |part: &mut Self, pair: u64, times: u16| {
            part.pairs.push(pair);
            part.times.push(times);
        };
        // Taken out so that `add` may borrow `self`. Its memory is reused below.
        let waiting = std::mem::take(&mut self.waiting);
        for equal in waiting.chunk_by(|a, b| a == b) {
            let pair = equal[0];
            while let Some((pair, times)) = before.next_if(|(other, _)| *other < pair) {
                add(self, pair, times);
            }
            let times = u16::try_from(equal.len()).unwrap_or(u16::MAX);
            let others = before
                .next_if(|(other, _)| *other == pair)
                .map_or(0, |(_, times)| times);
            add(self, pair, times.saturating_add(others));
        }
        for (pair, times) in before {
            add(self, pair, times);
        }
        self.waiting = waiting;
        self.waiting.clear();
    }
}

/// Passes the pairs of one thread to a sorter.
pub(crate) struct PairFeed<'s> {
    sorter: &'s PairSorter,
    gathered: Vec<Vec<u64>>,
}

impl PairFeed<'_> {
    /// Adds a pair of two different numbers, in any order.
    #[inline]
    pub(crate) fn push(&mut self, a: u32, b: u32) {
        // The part depends on the smaller number only, so both orders of a pair go to the same part.
        let part = (a.min(b) >> self.sorter.shape.within) as usize;
        let gathered = &mut self.gathered[part];
        gathered.push(pair_word(a, b));
        if gathered.len() == GATHERED {
            self.flush(part);
        }
    }

    /// Moves the pairs collected for a part to the sorter.
    fn flush(&mut self, number: usize) {
        let gathered = &mut self.gathered[number];
        let mut part: MutexGuard<'_, Partition> = self.sorter.parts[number]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        part.waiting.extend_from_slice(gathered);
        gathered.clear();
        if part.waiting.len() >= self.sorter.shape.most {
            // The lock is held while the part is compacted; threads that feed other parts go on.
            part.compact(self.sorter.shape);
        }
    }
}

impl Drop for PairFeed<'_> {
    /// Moves the remaining pairs to the sorter.
    fn drop(&mut self) {
        for part in 0..self.gathered.len() {
            self.flush(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::numeric::random::SplitMix64;

    /// Repeated pairs from several threads.
    #[test]
    fn every_pair_comes_once_with_its_times() {
        for (numbers, count, distinct) in [
            (0, 0, 1),
            (2, 10, 2),
            (100, 1000, 100),
            (1000, 300_000, 30),
            (300_000, 400_000, 300_000),
            (100_000, 400_000, 500),
        ] {
            let mut random = SplitMix64::new(count);
            let mut pairs = Vec::new();
            while pairs.len() < count as usize {
                // Numbers spread over the whole range at equal distances.
                let step = numbers / distinct;
                let [a, b] = [0, 1].map(|_| (random.number() % distinct * step) as u32);
                if a != b {
                    pairs.push((a, b));
                }
            }
            let mut expected: BTreeMap<(u32, u32), u32> = BTreeMap::new();
            for &(a, b) in &pairs {
                *expected.entry((a.min(b), a.max(b))).or_default() += 1;
            }
            let sorter = PairSorter::new(numbers as usize);
            pairs.par_chunks(50_000).for_each(|pairs| {
                let mut feed = sorter.feed();
                pairs.iter().for_each(|&(a, b)| feed.push(a, b));
            });
            let mut found = Vec::new();
            let all = sorter.finish(&mut found, |a, b, times| {
                let similarity = times.into();
                (times % 2 == 1).then_some(ScoredPair::new(a, b, similarity, None))
            });
            assert_eq!(all, expected.len() as u64);
            let odd: Vec<(u32, u32, f64)> = expected
                .iter()
                .filter(|(_, times)| **times % 2 == 1)
                .map(|(&(a, b), &times)| (a, b, times.into()))
                .collect();
            let found: Vec<(u32, u32, f64)> = found
                .iter()
                .map(|pair| (pair.a, pair.b, pair.similarity))
                .collect();
            assert_eq!(found, odd, "{numbers} numbers");
        }
    }
}
