//! Search for 64-bit fingerprints that differ in few bits.

use rayon::prelude::*;

use crate::candidates::input::{Check, ComparedPairs, JoinCounts, JoinInput};
use crate::candidates::join::group::{GroupLimit, MAX_PARTNERS};
use crate::candidates::pair::ScoredPair;
use crate::numeric::narrow;

/// A strategy for finding all pairs of fingerprints within a Hamming distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HammingPlan {
    /// Every pair is compared.
    AllPairs,
    /// For each mask, fingerprints that are equal in the bits of the mask are compared. Every pair within the distance
    /// is equal under at least one mask.
    Tables(Vec<u64>),
    /// Fingerprints are cut into four blocks of 16 bits. Two fingerprints are compared if one of their blocks differs
    /// in at most `radius` bits.
    Lookup {
        /// Largest number of different bits in the block.
        radius: u32,
    },
}

/// Cost of putting a document into a table, in comparisons of two fingerprints.
const TABLE_COST: f64 = 15.0;

/// Largest number of fingerprints for which all pairs may be compared.
const FEW: usize = 4096;

/// Largest number of tables.
const MAX_TABLES: usize = 300;

impl HammingPlan {
    /// The plan with the least expected cost for `fingerprints` random fingerprints, to find pairs that differ in up to
    /// `distance` bits, 0 to 15.
    ///
    /// For few fingerprints the cheapest plan compares all pairs. For more it uses tables, whose masks have about
    /// log2(`fingerprints`) bits. For large distances it looks up near blocks.
    #[must_use]
    pub fn choose(fingerprints: usize, distance: u32) -> Self {
        let n = fingerprints as f64;
        let pairs = n * n / 2.0;
        let mut best = (
            if fingerprints <= FEW { pairs } else { f64::INFINITY },
            Self::AllPairs,
        );
        for blocks in distance + 1..=64 {
            let masks = masks(blocks, distance);
            // Empty if too many tables would be needed. More blocks need even more, so the search ends.
            if masks.is_empty() {
                break;
            }
            // Two random fingerprints are equal under a mask of `b` bits with probability 2^-b.
            let compared: f64 = masks
                .iter()
                .map(|mask| pairs / 2_f64.powi(mask.count_ones() as i32))
                .sum();
            let cost = masks.len() as f64 * TABLE_COST * n + compared;
            if cost < best.0 {
                best = (cost, Self::Tables(masks));
            }
        }
        // Pigeonhole: if `distance` bits differ in four blocks, one block differs in at most `distance / 4`
        // of them.
        let radius = distance / 4;
        let probes = near_blocks(radius).len() as f64;
        // Each of the four blocks is looked up with `probes` values, and n / 2^16 fingerprints have a value
        // on average.
        let cost = 4.0 * n * (TABLE_COST + probes * (2.0 + n / 65_536.0));
        if cost < best.0 {
            Self::Lookup { radius }
        } else {
            best.1
        }
    }
}

/// The masks for fingerprints cut into `blocks` blocks of nearly equal width: each mask covers `blocks - distance` of
/// them. Two fingerprints that differ in up to `distance` bits are equal under at least one mask. Empty if no block
/// would be equal or if there are too many masks.
#[must_use]
pub fn masks(blocks: u32, distance: u32) -> Vec<u64> {
    let blocks = blocks.clamp(1, 64);
    let equal = blocks.saturating_sub(distance);
    // The number of masks: the binomial coefficient C(blocks, equal).
    let ways = (0..equal).fold(1.0, |ways, i| ways * f64::from(blocks - i) / f64::from(i + 1));
    // The half absorbs rounding errors of `ways`.
    if equal == 0 || ways > MAX_TABLES as f64 + 0.5 {
        return Vec::new();
    }
    // If `blocks` does not divide 64, the first blocks are one bit wider.
    let mut start = 0;
    let parts: Vec<u64> = (0..blocks)
        .map(|block| {
            let width = 64 / blocks + u32::from(block < 64 % blocks);
            let part = (u64::MAX >> (64 - width)) << start;
            start += width;
            part
        })
        .collect();
    let mut masks = vec![(0_u64, 0_usize)]; // (mask, number of the first block that may be added)
    // Each round adds one block to every mask, always a later one, so that each choice of blocks occurs
    // once. `room` blocks are kept free for the rounds that follow.
    for chosen in 0..equal as usize {
        let room = equal as usize - chosen;
        masks = masks
            .into_iter()
            .flat_map(|(mask, first)| {
                let parts = &parts;
                (first..=parts.len() - room).map(move |block| (mask | parts[block], block + 1))
            })
            .collect();
    }
    masks.into_iter().map(|(mask, _)| mask).collect()
}

/// True if the lengths differ by at most `tolerance` times the larger one.
#[must_use]
pub fn within_window(a: u64, b: u64, tolerance: f64) -> bool {
    // The tolerance 1e-9 absorbs rounding errors.
    a.abs_diff(b) as f64 <= tolerance * a.max(b) as f64 + 1e-9
}

/// Number of possible values of a block.
const BLOCK_VALUES: usize = 1 << 16;

/// All numbers of 16 bits with at most `radius` bits set.
fn near_blocks(radius: u32) -> Vec<u16> {
    (0..=u16::MAX)
        .filter(|bits| bits.count_ones() <= radius)
        .collect()
}

/// Number of documents in a task of one thread.
const BLOCK: usize = 1024;

/// Compares the fingerprints (first words of rows) that have a 16-bit block within `radius` of each other and whose
/// rows `admits` accepts.
///
/// A block value with more documents than `limit`, plus room for chance, is capped: the other documents are compared
/// only with the first [`MAX_PARTNERS`] documents of that value.
pub(crate) fn lookup(
    radius: u32,
    limit: GroupLimit,
    input: &JoinInput<'_>,
    admits: &(dyn Fn(&[u64], &[u64]) -> bool + Sync),
    check: &Check<'_>,
    found: &mut Vec<ScoredPair>,
) -> JoinCounts {
    let near = near_blocks(radius);
    let row = |document: u32| input.rows.row(document as usize);
    let documents: Vec<u32> = input
        .documents
        .iter()
        .copied()
        .filter(|&document| !row(document).is_empty())
        .collect();
    let bits: Vec<u64> = documents.iter().map(|&document| row(document)[0]).collect();
    let limit = limit.with_room_for_chance(documents.len(), BLOCK_VALUES);
    let mut counts = JoinCounts::default();
    // A document's bit for a block is set if lookups find the document by this block. It is clear if the block value is
    // capped and the document is not among its first ones.
    let mut held = vec![0_u8; bits.len()];
    for block in 0..4 {
        let mut values = Values::new(&bits, block);
        // Capping comes first, because `held` then records which documents lookups find.
        counts.capped_buckets += values.cap(limit, |value, ranks| {
            for &rank in &*ranks {
                counts.capped.members.insert(documents[rank as usize]);
            }
            input.sort_partners(ranks, value, |rank| documents[rank as usize]);
        });
        for &rank in &values.ranks_that_count() {
            held[rank as usize] |= 1 << block;
        }
        let holds = |block: u32, rank: usize| held[rank] >> block & 1 == 1;
        let mut compared: Vec<ComparedPairs> = bits
            .par_chunks(BLOCK)
            .enumerate()
            .map(|(chunk, own)| {
                let mut pairs = ComparedPairs::default();
                for (rank, &fingerprint) in (chunk * BLOCK..).zip(own) {
                    let value = block_of(fingerprint, block);
                    for &other in near.iter().flat_map(|flip| values.ranks(value ^ flip)) {
                        let different = fingerprint ^ bits[other as usize];
                        let other_rank = other as usize;
                        // Each pair is compared in one block only: the first in which the values are near and lookups
                        // find at least one of the two documents. The later document compares it, unless lookups do not
                        // find the earlier one there.
                        let first = (0..block).all(|earlier| {
                            block_of(different, earlier).count_ones() > radius
                                || !holds(earlier, rank) && !holds(earlier, other_rank)
                        });
                        let due = other_rank < rank || other_rank > rank && !holds(block, rank);
                        if !first || !due {
                            continue;
                        }
                        // The filter is cheap, so it precedes the comparison; rejected pairs are not
                        // counted as candidates.
                        let (a, b) = (documents[rank], documents[other as usize]);
                        if admits(row(a), row(b)) {
                            pairs.compare_and_keep(check, a, b);
                        }
                    }
                }
                pairs
            })
            .collect();
        counts
            .capped
            .unlike
            .extend(ComparedPairs::take_unlike(&mut compared));
        counts.candidates += ComparedPairs::gather(compared, found);
    }
    // A pair outside the capped groups was found or is dissimilar; only pairs inside them must be
    // remembered.
    let JoinCounts { capped, .. } = &mut counts;
    capped
        .unlike
        .retain(|&(a, b)| capped.members.contains(a) && capped.members.contains(b));
    counts
}

/// The value of 16-bit block number `block`, 0 to 3.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the upper blocks are dropped on purpose"
)]
fn block_of(bits: u64, block: u32) -> u16 {
    (bits >> (16 * block)) as u16
}

/// Ranks of the fingerprints, grouped by the value of one block.
struct Values {
    ranks: Vec<u32>,
    /// For each value, the start of its ranks in `ranks` and the number of ranks that lookups return.
    places: Vec<(u32, u32)>,
}

impl Values {
    fn new(bits: &[u64], block: u32) -> Self {
        let mut places = vec![(0_u32, 0_u32); BLOCK_VALUES];
        for &bits in bits {
            places[usize::from(block_of(bits, block))].1 += 1;
        }
        // Turns the counts into starts and leaves 0 in their place. The second pass counts again while it
        // writes.
        let mut start = 0;
        for place in &mut places {
            place.0 = start;
            start += std::mem::take(&mut place.1);
        }
        let mut ranks = vec![0; bits.len()];
        for (rank, &bits) in (0..).zip(bits) {
            let place = &mut places[usize::from(block_of(bits, block))];
            ranks[(place.0 + place.1) as usize] = rank;
            place.1 += 1;
        }
        Self { ranks, places }
    }

    /// The ranks that a lookup of `value` returns.
    fn ranks(&self, value: u16) -> &[u32] {
        let (start, count) = self.places[usize::from(value)];
        &self.ranks[start as usize..(start + count) as usize]
    }

    /// All ranks that lookups return.
    fn ranks_that_count(&self) -> Vec<u32> {
        let of = |&(start, count): &(u32, u32)| &self.ranks[start as usize..(start + count) as usize];
        self.places.iter().flat_map(of).copied().collect()
    }

    /// Caps values with too many documents: sorts their ranks by `sort` and keeps the first [`MAX_PARTNERS`]. Returns
    /// the number of capped values.
    fn cap(&mut self, limit: GroupLimit, mut sort: impl FnMut(u64, &mut [u32])) -> u64 {
        let mut capped = 0;
        for (value, (start, count)) in (0..).zip(&mut self.places) {
            // A group of up to `MAX_PARTNERS` members is complete whatever the limit is.
            let documents = *count as usize;
            if limit.caps(documents) && documents > MAX_PARTNERS {
                let ranks = &mut self.ranks[*start as usize..(*start + *count) as usize];
                sort(value, ranks);
                *count = narrow::to_u32(MAX_PARTNERS);
                capped += 1;
            }
        }
        capped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_examples::{example, hex, list};

    #[test]
    fn designs_of_the_example() {
        let designs = example("manku_table_designs");
        for expected in list(&designs["expected"]) {
            let Some(blocks) = expected["blocks"].as_u64() else {
                continue;
            };
            let masks = masks(blocks as u32, 3);
            assert_eq!(masks.len() as u64, expected["tables"].as_u64().unwrap());
            let mut prefixes: Vec<u32> = masks.iter().map(|mask| mask.count_ones()).collect();
            prefixes.sort_unstable();
            prefixes.dedup();
            assert_eq!(serde_json::json!(prefixes), expected["prefix_bits"]);
            let scans: Vec<u32> = prefixes
                .iter()
                .map(|prefix| 34_u32.saturating_sub(*prefix))
                .collect();
            assert_eq!(serde_json::json!(scans), expected["expected_scan_log2"]);
        }
    }

    #[test]
    fn lookup_of_the_example() {
        let lookup = example("manku_lookup");
        let bits: Vec<u64> = list(&lookup["input"]).iter().map(hex).collect();
        let query = hex(&lookup["params"]["query"]);
        let masks = masks(4, 3);
        let shown = |test: &dyn Fn(u64) -> bool| -> Vec<String> {
            bits.iter()
                .filter(|&&bits| test(bits))
                .map(|bits| format!("{bits:#018x}"))
                .collect()
        };
        let candidates = shown(&|bits| masks.iter().any(|mask| (bits ^ query) & mask == 0));
        assert_eq!(serde_json::json!(candidates), lookup["expected"]["candidates"]);
        let matches = shown(&|bits| (bits ^ query).count_ones() <= 3);
        assert_eq!(serde_json::json!(matches), lookup["expected"]["matches"]);
    }

    /// For any difference of up to `distance` bits, at least one mask covers none of the differing bits.
    #[test]
    fn masks_miss_no_difference() {
        for distance in 0..=5 {
            for blocks in distance + 1..distance + 4 {
                let masks = masks(blocks, distance);
                assert!(masks.iter().all(|mask| *mask != 0));
                // Differing bits that are spread over the largest possible number of blocks.
                for start in 0..64 {
                    let different = (0..distance).fold(0_u64, |bits, i| bits | 1 << ((start + i * 11) % 64));
                    assert!(
                        masks.iter().any(|mask| mask & different == 0),
                        "{blocks} blocks, {different:#x}"
                    );
                }
            }
        }
        assert!(masks(3, 3).is_empty());
        assert!(masks(40, 15).is_empty(), "too many tables");
    }

    #[test]
    fn plans_follow_the_number_of_fingerprints() {
        assert_eq!(HammingPlan::choose(50, 3), HammingPlan::AllPairs);
        let tables = |n, distance| match HammingPlan::choose(n, distance) {
            HammingPlan::Tables(masks) => masks.len(),
            other => panic!("{other:?}"),
        };
        assert_eq!(tables(20_000, 3), 4);
        assert_eq!(tables(5_000_000, 3), 10);
        assert_eq!(tables(1_000_000, 0), 1);
        assert_eq!(
            HammingPlan::choose(1_000_000, 15),
            HammingPlan::Lookup { radius: 3 }
        );
    }

    #[test]
    fn windows_of_the_example() {
        let window = example("length_window");
        let lengths = crate::worked_examples::numbers(&window["input"]);
        let mut pairs = Vec::new();
        for (place, &a) in lengths.iter().enumerate() {
            pairs.extend(
                lengths[place + 1..]
                    .iter()
                    .filter(|&&b| within_window(a, b, 0.2))
                    .map(|&b| [a, b]),
            );
        }
        assert_eq!(pairs.len() as u64, window["expected"]["pairs"].as_u64().unwrap());
        pairs.retain(|pair| pair.contains(&100));
        assert_eq!(serde_json::json!(pairs), window["expected"]["pairs_of_100"]);
    }
}
