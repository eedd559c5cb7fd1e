//! 64-bit signatures, which reports call fingerprints as Manku, Jain and Das Sarma (2007) do: distances,
//! groups, balance of bits, and comparisons saved by length windows. Also compares measured candidates of
//! bandings with the formula.

use dehusk_pipeline::Error;
use dehusk_pipeline::dedup::Family as _;
use dehusk_pipeline::dedup::candidates::{self, Candidates as _, Hamming, JoinInput, Lsh};
use dehusk_pipeline::dedup::cluster::{Clustering as _, Edge, GreedyDegree, sort_edges};
use dehusk_pipeline::dedup::sign::{self, Form, MinHash, SimHashHyperplane};
use dehusk_pipeline::dedup::{Banding, Rows, ScoredPair, recall_at, within_window};
use dehusk_pipeline::narrow;

use super::clusterings::sizes;
use super::methods::{BINS, Comparison, bin, usage_error};
use super::results::{BandingFacts, BitGroups, BitSignatures, Window};
use crate::random::Random;

/// Number of random pairs whose distance is measured.
const SAMPLE: usize = 200_000;

/// Hamming distances at which documents are grouped, taken from the reports on Simple English Wikipedia.
const DISTANCES: [u32; 3] = [5, 10, 15];

/// Largest difference of lengths within groups, as a share of the larger length, taken from the same reports.
const TOLERANCE: f64 = 0.2;

/// Largest number of distinct texts that are grouped. The number of pairs at large distances grows with its square.
const MAX_UNITS: usize = 20_000;

/// Largest number of pairs at a distance that is grouped. All pairs are kept as edges.
const MAX_EDGES: usize = 20_000_000;

impl Comparison<'_> {
    /// The figures of every method with 64-bit signatures. A poor method is added for comparison: the bits
    /// of a sum of polynomial hashes of words, whose upper bits are rarely set by short words.
    pub(super) fn bit_signatures(&self) -> Result<Vec<BitSignatures>, Error> {
        let collection = self.collection;
        let context = collection.context(self.options.threshold);
        let mut results = Vec::new();
        for method in sign::ALL.iter().filter(|method| method.form() == Form::Bits) {
            let signer = method.signer(&context).map_err(usage_error)?;
            let rows = collection.rows_of(|_, document, row| signer.sign(document, row));
            let mut facts = self.bits_of(method.name(), &rows);
            // Larger sets are not grouped, since the number of pairs grows with the square.
            if collection.distinct() <= MAX_UNITS {
                for distance in DISTANCES {
                    facts.groups.extend(self.group(*method, &rows, distance)?);
                }
            }
            results.push(facts);
        }
        let polynomial = collection.rows_of(|_, document, row| {
            let mut sums = [0_i64; 64];
            for word in document.terms.iter() {
                // Each word adds 1 to the sum of a bit that its hash has set, and subtracts 1 otherwise.
                // Positive sums give the set bits (Charikar 2002).
                let hash = SimHashHyperplane::polynomial(word, 31);
                for (bit, sum) in sums.iter_mut().enumerate() {
                    *sum += if hash >> bit & 1 == 1 { 1 } else { -1 };
                }
            }
            if !document.terms.is_empty() {
                let set = sums.iter().enumerate().filter(|(_, sum)| **sum > 0);
                row.push(set.fold(0, |bits, (bit, _)| bits | 1 << bit));
            }
        });
        results.push(self.bits_of("polynomial hashes", &polynomial));
        Ok(results)
    }

    /// Distances and balance of the signatures, which are the first words of `rows`. Documents without a
    /// signature are left out.
    fn bits_of(&self, name: &str, rows: &Rows) -> BitSignatures {
        let bits: Vec<Option<u64>> = rows.iter().map(|row| row.first().copied()).collect();
        let known: Vec<u64> = bits.iter().flatten().copied().collect();
        let mut random = Random::new(self.options.seed, 1);
        let mut of_random = vec![0; 65];
        for _ in 0..SAMPLE {
            let (a, b) = (random.below(known.len()), random.below(known.len()));
            // A document is not compared with itself. So slightly fewer than `SAMPLE` pairs are counted.
            if a != b {
                of_random[(known[a] ^ known[b]).count_ones() as usize] += 1;
            }
        }
        let mut duplicates = vec![0; 65];
        for pair in self.true_pairs {
            if let (Some(a), Some(b)) = (bits[pair.a as usize], bits[pair.b as usize]) {
                duplicates[(a ^ b).count_ones() as usize] += 1;
            }
        }
        let share = |bit: u32| {
            let set = known.iter().filter(|&&bits| bits >> bit & 1 == 1).count();
            set as f64 / known.len().max(1) as f64
        };
        BitSignatures {
            method: name.to_owned(),
            documents: known.len() as u64,
            random: of_random,
            duplicates,
            balance: (0..64).map(share).collect(),
            groups: Vec::new(),
        }
    }

    /// Groups the documents by the clustering `GreedyDegree`, from pairs within the distance and the length
    /// window. `None` if there are too many pairs.
    fn group(
        &self,
        method: &dyn sign::Method,
        rows: &Rows,
        distance: u32,
    ) -> Result<Option<BitGroups>, Error> {
        let collection = self.collection;
        let context = collection.context(self.options.threshold);
        // Buckets are not capped: the groups must have all pairs.
        let hamming = Hamming::DEFAULT
            .with_distance(distance)
            .with_tolerance(Some(TOLERANCE))
            .with_max_bucket(u32::MAX);
        let index = hamming.index(method, &context).map_err(usage_error)?;
        let keys = collection.rows_of(|distinct, document, row| index.row(document, rows.row(distinct), row));
        let documents: Vec<u32> = (0..narrow::to_u32(collection.distinct())).collect();
        let participants = JoinInput {
            documents: &documents,
            rows: &keys,
            contents: &collection.contents,
            further: None,
        };
        let check = |a: u32, b: u32, _: Option<u32>| {
            let different = rows.row(a as usize).first()? ^ rows.row(b as usize).first()?;
            Some(ScoredPair::new(
                a,
                b,
                1.0 - f64::from(different.count_ones()) / 64.0,
                None,
            ))
        };
        let mut pairs = Vec::new();
        index.join(&participants, &check, &mut pairs);
        if pairs.len() > MAX_EDGES {
            return Ok(None);
        }
        // A pair that shares several keys is found several times.
        pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
        pairs.dedup_by_key(|pair| (pair.a, pair.b));
        let mut edges: Vec<Edge> = pairs
            .iter()
            .map(|pair| Edge {
                u: pair.a,
                v: pair.b,
                similarity: pair.similarity,
            })
            .collect();
        sort_edges(&mut edges);
        let clusters = GreedyDegree.cluster(&collection.copies(), &edges);
        let mut degrees = vec![0_u32; collection.distinct()];
        for edge in &edges {
            degrees[edge.u as usize] += 1;
            degrees[edge.v as usize] += 1;
        }
        // The main document of a group has the highest degree; of equal degrees, the first text.
        let rank = |distinct: &u32| (degrees[*distinct as usize], std::cmp::Reverse(*distinct));
        let mut largest: Vec<&[u32]> = clusters.iter().collect();
        largest.sort_by_key(|group| (std::cmp::Reverse(group.len()), group.first().copied()));
        let largest = largest.iter().take(10).map(|group| {
            let main = group.iter().copied().max_by_key(rank);
            let id = main.and_then(|distinct| collection.members[distinct as usize].first());
            let id = id.map_or("", |&document| collection.ids[document as usize].as_str());
            (group.len() as u64, id.to_owned())
        });
        Ok(Some(BitGroups {
            distance,
            pairs: edges.len() as u64,
            groups: clusters.len() as u64,
            sizes: sizes(clusters.iter().map(|group| group.len() as u64)),
            largest: largest.collect(),
        }))
    }

    /// The number of comparisons within length windows of several widths.
    pub(super) fn windows(&self) -> Vec<Window> {
        let mut lengths = self.collection.lengths.clone();
        lengths.sort_unstable();
        let count = lengths.len() as u64;
        [0.1, TOLERANCE, 0.5]
            .into_iter()
            .map(|tolerance| {
                // Lengths ascend, so the window only moves right. A length is within its own window, so
                // `first` never passes `place`.
                let mut first = 0;
                let mut pairs = 0;
                for (place, &length) in lengths.iter().enumerate() {
                    while !within_window(u64::from(lengths[first]), u64::from(length), tolerance) {
                        first += 1;
                    }
                    pairs += (place - first) as u64;
                }
                Window {
                    tolerance,
                    pairs,
                    all: count * count.saturating_sub(1) / 2,
                }
            })
            .collect()
    }

    /// Two bandings with the predictions of the formula: the example of *Mining of Massive Datasets*,
    /// section 3.4 (MinHash of 100 values in 20 bands of 5), and the default banding for the threshold.
    /// `pairs` are all pairs of different texts at or above the lowest threshold, sorted.
    pub(super) fn bandings(&self, pairs: &[ScoredPair]) -> Result<Vec<BandingFacts>, Error> {
        let default = Lsh::DEFAULT;
        let context = self.collection.context(self.options.threshold);
        let width = MinHash::DEFAULT;
        let chosen = default.index(&width, &context).map_err(usage_error)?.banding();
        let slide = <dyn candidates::Candidates>::named("lsh")
            .and_then(|lsh| lsh.set("bands", "20"))
            .and_then(|lsh| lsh.set("rows", "5"))
            .map_err(usage_error)?;
        let method = <dyn sign::Method>::named("minhash")
            .and_then(|method| method.set("width", "100"))
            .map_err(usage_error)?;
        let mut facts =
            vec![self.banding(&*method, &*slide, (Banding { bands: 20, rows: 5 }, false), pairs)?];
        if let Some(banding) = chosen {
            facts.push(self.banding(&width, &default, (banding, true), pairs)?);
        }
        Ok(facts)
    }

    /// Joins by a banding, and compares the found share of `pairs` with the formula, by similarity.
    fn banding(
        &self,
        method: &dyn sign::Method,
        lsh: &dyn candidates::Candidates,
        (banding, chosen): (Banding, bool),
        pairs: &[ScoredPair],
    ) -> Result<BandingFacts, Error> {
        let collection = self.collection;
        let context = collection.context(self.options.threshold);
        let signer = method.signer(&context).map_err(usage_error)?;
        let index = lsh.index(method, &context).map_err(usage_error)?;
        let rows = collection.rows_of(|_, document, row| {
            let mut signature = Vec::new();
            signer.sign(document, &mut signature);
            index.row(document, &signature, row);
        });
        let documents: Vec<u32> = (0..narrow::to_u32(collection.distinct())).collect();
        let participants = JoinInput {
            documents: &documents,
            rows: &rows,
            contents: &collection.contents,
            further: None,
        };
        // Similarities are known already. Pairs that are not in the list are below the lowest threshold.
        let similarity = |a: u32, b: u32| {
            pairs
                .binary_search_by_key(&(a.min(b), a.max(b)), |pair| (pair.a, pair.b))
                .ok()
        };
        let check = |a: u32, b: u32, _: Option<u32>| similarity(a, b).map(|place| pairs[place]);
        let mut found = Vec::new();
        let counts = index.join(&participants, &check, &mut found);
        found.sort_unstable_by_key(|pair| (pair.a, pair.b));
        found.dedup_by_key(|pair| (pair.a, pair.b));
        // By similarity: number of pairs, number of found pairs, and sum of the predictions.
        let mut bins = vec![(0_u64, 0_u64, 0.0); BINS];
        for pair in pairs {
            let entry = &mut bins[bin(pair.similarity)];
            entry.0 += 1;
            entry.2 += recall_at(pair.similarity, banding.bands, banding.rows);
        }
        for pair in &found {
            bins[bin(pair.similarity)].1 += 1;
        }
        let distinct = collection.distinct() as u64;
        Ok(BandingFacts {
            bands: banding.bands,
            rows: banding.rows,
            chosen,
            bins: bins
                .into_iter()
                .map(|(all, found, formula)| {
                    let count = (all as f64).max(1.0);
                    (all, found as f64 / count, formula / count)
                })
                .collect(),
            candidates: counts.candidates,
            all: distinct * distinct.saturating_sub(1) / 2,
        })
    }
}
