//! Runs every method on the same documents: its signatures alone, and with verification.

use std::collections::HashMap;

use dehusk_pipeline::dedup::Family as _;
use dehusk_pipeline::dedup::candidates::{self, Candidates, JoinCounts, JoinInput};
use dehusk_pipeline::dedup::sign::{Form, Signer};
use dehusk_pipeline::dedup::verify::{Comparer, Jaccard, Similarity};
use dehusk_pipeline::dedup::{Document, Rows, ScoredPair};
use dehusk_pipeline::narrow;
use dehusk_pipeline::{Error, Progress};
use std::sync::Arc;

use super::cost::{Cost, measured};
use super::gold::{Counted, Gold};
use super::options::{ChosenMethod, Options, row_name};
use super::prepared_corpus::PreparedCorpus;
use super::results::{Mode, Point, Row};
use crate::metrics::{Bootstrap, Prf, partition};

/// The data on which all methods are compared.
pub(super) struct Comparison<'a> {
    pub(super) collection: &'a PreparedCorpus,
    /// The degree of truth that decides the ranking, then the other degrees.
    pub(super) golds: &'a [Gold<'a>],
    pub(super) options: &'a Options,
    /// True pairs of different texts, sorted, with weight and similarity.
    pub(super) true_pairs: &'a [TruePair],
}

/// A pair of different texts that belong together.
#[derive(Clone, Copy, Debug)]
pub(super) struct TruePair {
    pub(super) a: u32,
    pub(super) b: u32,
    /// Number of document pairs of the two texts.
    pub(super) weight: f64,
    pub(super) similarity: f64,
}

/// A row of the leaderboard, with data that later steps need.
pub(super) struct MeasuredRow {
    pub(super) row: Row,
    pub(super) bootstrap: Option<Bootstrap>,
    /// The pairs of different texts that the method found.
    pub(super) found: Found,
}

/// The duplicates that a method found.
pub(super) enum Found {
    Pairs(Vec<ScoredPair>),
    /// A label for each distinct text.
    Labels(Vec<u32>),
}

impl Found {
    /// True if a pair of distinct texts, the smaller one first, was found.
    pub(super) fn holds(&self, a: u32, b: u32) -> bool {
        match self {
            Self::Pairs(pairs) => pairs
                .binary_search_by_key(&(a, b), |pair| (pair.a, pair.b))
                .is_ok(),
            Self::Labels(labels) => labels[a as usize] == labels[b as usize],
        }
    }
}

/// Number of documents between progress reports: large enough that reporting does not distort the measured
/// time of signing.
const TOLD: usize = 256;

/// Number of ranges of similarity for which recall is reported: 20 of width 0.05, and one for 1.
pub(super) const BINS: usize = 21;

/// The range that a similarity is in.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the fraction is dropped: a range begins at a whole number"
)]
pub(super) fn bin(similarity: f64) -> usize {
    // The summand keeps 0.85 and the like in the range that begins there, despite rounding.
    ((similarity * 20.0 + 1e-9) as usize).min(BINS - 1)
}

/// Computes the Jaccard similarity of shingles of two distinct texts.
pub(super) struct Exact<'a> {
    comparer: Box<dyn Comparer>,
    collection: &'a PreparedCorpus,
}

impl<'a> Exact<'a> {
    /// A comparer of the texts of a collection.
    pub(super) fn new(collection: &'a PreparedCorpus) -> Result<Self, Error> {
        let context = collection.context(1.0);
        let signature = dehusk_pipeline::dedup::sign::Shingles;
        let comparer = Jaccard.comparer(&signature, &context).map_err(usage_error)?;
        Ok(Self { comparer, collection })
    }

    /// The Jaccard similarity, or `None` if it is below `least`.
    pub(super) fn at_least(&self, a: u32, b: u32, least: f64) -> Option<f64> {
        let row = |distinct: u32| self.collection.shingles.row(distinct as usize);
        self.comparer.compare(row(a), row(b), least)
    }

    /// The pair with its Jaccard similarity, or `None` if that is below `least`.
    pub(super) fn pair(&self, a: u32, b: u32, least: f64) -> Option<ScoredPair> {
        self.at_least(a, b, least)
            .map(|similarity| ScoredPair::new(a, b, similarity, None))
    }
}

/// The error of a setting that a method rejects.
pub(super) fn usage_error(error: impl std::fmt::Display) -> Error {
    Error::usage(error.to_string())
}

/// An error if a method gave up its search because it would have compared too many pairs.
pub(super) fn complete(counts: &JoinCounts) -> Result<(), Error> {
    match counts.too_many {
        Some(most) => Err(Error::failed(format!(
            "more than {most} pairs of documents may be similar, which the exact join does not compare; take fewer documents"
        ))),
        None => Ok(()),
    }
}

impl Comparison<'_> {
    /// Runs a method in both modes. Reports the number of signed documents as progress.
    pub(super) fn run(
        &self,
        chosen: &ChosenMethod,
        progress: &dyn Progress,
    ) -> Result<Vec<MeasuredRow>, Error> {
        let Comparison {
            collection, options, ..
        } = *self;
        let method = chosen.strategy();
        // Bands are chosen for the main threshold, as in real use. So candidates and curves at lower
        // thresholds lack the pairs that these bands miss.
        let context = collection.context(options.threshold);
        let signer = method.signer(&context).map_err(usage_error)?;
        let sign = |distinct: usize, document: &Document<'_>, row: &mut Vec<u64>| {
            signer.sign(document, row);
            // At each 256th document, the whole block from it on is reported: threads finish blocks in any
            // order.
            if distinct.is_multiple_of(TOLD) {
                progress.advance((collection.distinct() - distinct).min(TOLD) as u64, 0);
            }
        };
        let (signatures, signing) = measured(|| collection.rows_of(sign));
        let form = method.form();
        let mut candidates: Arc<dyn Candidates> =
            <dyn candidates::Candidates>::named(form.candidates()).map_err(usage_error)?;
        // The search covers the largest distance of the curve, not only the distance that decides.
        if form == Form::Bits {
            let distance = self.farthest().to_string();
            candidates = candidates.set("distance", &distance).map_err(usage_error)?;
        }
        let index = candidates.index(&*method, &context).map_err(usage_error)?;
        let (rows, indexing) = if index.keeps_signature() {
            (None, Cost::default())
        } else {
            let make = || {
                collection
                    .rows_of(|distinct, document, row| index.row(document, signatures.row(distinct), row))
            };
            let (rows, cost) = measured(make);
            (Some(rows), cost)
        };
        let documents: Vec<u32> = (0..narrow::to_u32(collection.distinct())).collect();
        let participants = JoinInput {
            documents: &documents,
            rows: rows.as_ref().unwrap_or(&signatures),
            contents: &collection.contents,
            further: None,
        };
        let join = |check: &candidates::Check<'_>| {
            let mut pairs = Vec::new();
            let counts = index.join(&participants, check, &mut pairs);
            // A pair that shares several keys is found several times.
            pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
            pairs.dedup_by_key(|pair| (pair.a, pair.b));
            (pairs, counts)
        };
        let bytes = 8.0 * signatures.words() as f64 / collection.distinct().max(1) as f64;
        let row = |mode| Row {
            name: row_name(chosen),
            method: chosen.describe(),
            mode,
            bytes,
            signing: options.costs.then_some(signing),
            ..Row::default()
        };
        let mut results = Vec::new();

        // If the signature is the whole set of shingles, verification compares the signatures, so both
        // modes would be equal.
        if form != (Form::Set { whole: true }) {
            let floor = self.floor();
            let estimate = |a: u32, b: u32, _: Option<u32>| {
                let (x, y) = (signatures.row(a as usize), signatures.row(b as usize));
                let similarity = estimate(form, &*signer, x, y);
                // Pairs down to the floor are kept for the curve; those that the decision accepts are
                // chosen later.
                let least = match form {
                    Form::Bits => 1.0 - f64::from(self.farthest()) / 64.0,
                    Form::Keys { .. } => 1.0,
                    _ => floor,
                };
                (similarity >= least - 1e-9).then_some(ScoredPair::new(a, b, similarity, None))
            };
            let ((found, counts), searching) = measured(|| match form {
                // With one key for each document, equal keys are classes, and no pairs need to be listed.
                Form::Keys { words } if is_single(&signatures, words) => {
                    (Found::Labels(by_key(&signatures)), None)
                }
                _ => {
                    let (pairs, counts) = join(&estimate);
                    (Found::Pairs(pairs), Some(counts))
                }
            });
            let at = match form {
                Form::Bits => 1.0 - f64::from(options.distance) / 64.0,
                _ => options.threshold,
            };
            let mut row = row(Mode::Alone);
            row.searching = options.costs.then_some(indexing.and(searching));
            results.push(self.scored(row, found, counts, at, form));
        }

        // Verified mode: the same candidates, decided by their Jaccard similarity.
        let exact = Exact::new(collection)?;
        let floor = self.floor();
        let verify = |a: u32, b: u32, _: Option<u32>| exact.pair(a, b, floor);
        let ((pairs, counts), searching) = measured(|| join(&verify));
        // An exact join that gave up would silently lack pairs.
        complete(&counts)?;
        let mut row = row(Mode::Verified);
        row.searching = options.costs.then_some(indexing.and(searching));
        results.push(self.scored(
            row,
            Found::Pairs(pairs),
            Some(counts),
            options.threshold,
            Form::Values(1),
        ));
        Ok(results)
    }

    /// Smallest similarity of pairs that the curves need.
    pub(super) fn floor(&self) -> f64 {
        self.options
            .all_thresholds()
            .first()
            .copied()
            .unwrap_or(self.options.threshold)
    }

    /// Largest Hamming distance of pairs that the curves need.
    fn farthest(&self) -> u32 {
        (self.options.distance + 3).min(15)
    }

    /// Scores what a method found: over pairs, by language, by similarity, as groups, and with bootstrap
    /// intervals. `at` is the similarity that decides.
    fn scored(
        &self,
        mut row: Row,
        found: Found,
        counts: Option<JoinCounts>,
        at: f64,
        form: Form,
    ) -> MeasuredRow {
        let Comparison {
            collection,
            golds,
            options,
            true_pairs,
        } = *self;
        let gold = &golds[0];
        let distinct = collection.distinct() as f64;
        let all = distinct * (distinct - 1.0) / 2.0;
        if let Some(counts) = counts {
            row.candidates = Some((counts.candidates, counts.candidates as f64 / all.max(1.0)));
            row.capped = counts.capped_buckets;
        }
        // Pairs are sorted by texts, so the chosen ones are, too, and can be searched.
        let accepted = |pairs: &[ScoredPair], at: f64| -> Vec<(u32, u32)> {
            let chosen = pairs.iter().filter(|pair| pair.similarity >= at - 1e-9);
            chosen.map(|pair| (pair.a, pair.b)).collect()
        };
        // Labels of distinct texts for scores of groups, and for each true pair whether it was found.
        let (labels, hits): (Vec<u32>, Vec<bool>);
        let counted = match &found {
            Found::Labels(found) => {
                labels = found.clone();
                hits = true_pairs
                    .iter()
                    .map(|pair| found[pair.a as usize] == found[pair.b as usize])
                    .collect();
                let counted = |gold: &Gold<'_>| gold.of_labels(found);
                let tell = |a: u32, b: u32| found[a as usize] == found[b as usize];
                row.degrees = others(golds, |gold| score(gold, collection, &counted(gold), tell));
                let counted = counted(gold);
                row.pairs = score(gold, collection, &counted, tell);
                row.curve = vec![Point {
                    at: 1.0,
                    pairs: row.pairs,
                }];
                counted
            }
            Found::Pairs(pairs) => {
                let chosen = accepted(pairs, at);
                // The groups are connected components of the found pairs.
                labels = crate::sets::labels_of_pairs(collection.distinct(), chosen.iter().copied());
                let tell = |a: u32, b: u32| chosen.binary_search(&(a, b)).is_ok();
                hits = true_pairs.iter().map(|pair| tell(pair.a, pair.b)).collect();
                let counted = |gold: &Gold<'_>| gold.of_pairs(chosen.iter().copied());
                row.degrees = others(golds, |gold| score(gold, collection, &counted(gold), tell));
                let counted = counted(gold);
                row.pairs = score(gold, collection, &counted, tell);
                let steps: Vec<(f64, f64)> = match form {
                    Form::Keys { .. } => vec![(1.0, 1.0)],
                    Form::Bits => (0..=self.farthest())
                        .map(|distance| (f64::from(distance), 1.0 - f64::from(distance) / 64.0))
                        .collect(),
                    _ => options.all_thresholds().into_iter().map(|t| (t, t)).collect(),
                };
                for (told, at) in steps {
                    let chosen = accepted(pairs, at);
                    let counted = gold.of_pairs(chosen.iter().copied());
                    let tell = |a: u32, b: u32| chosen.binary_search(&(a, b)).is_ok();
                    row.curve.push(Point {
                        at: told,
                        pairs: score(gold, collection, &counted, tell),
                    });
                }
                counted
            }
        };
        row.found = counted.found;
        row.languages = gold
            .by_language(&counted.tallies)
            .iter()
            .map(|tally| Prf::new(tally.right, tally.right + tally.wrong, tally.all))
            .collect();
        row.recall_by_similarity = recall_by_similarity(true_pairs, &hits);
        row.closure = partition(&document_labels(collection, &labels), &gold.degree.groups);
        // Groups are resampled. A truth that lists pairs has no groups.
        let bootstrap = (options.replicates > 0 && gold.degree.pairs.is_none()).then(|| {
            let groups: Vec<_> = (0..)
                .zip(counted.tallies)
                .filter(|(_, tally)| tally.all > 0.0 || tally.wrong > 0.0)
                .collect();
            Bootstrap::new(&groups, options.replicates, options.seed)
        });
        row.intervals = bootstrap
            .as_ref()
            .map(|replicates| [replicates.precision(), replicates.recall(), replicates.f1()]);
        MeasuredRow {
            row,
            bootstrap,
            found: match found {
                Found::Pairs(mut pairs) => {
                    pairs.retain(|pair| pair.similarity >= at - 1e-9);
                    Found::Pairs(pairs)
                }
                labels @ Found::Labels(_) => labels,
            },
        }
    }
}

/// The scores by all degrees of truth except the first.
fn others<'a>(golds: &[Gold<'a>], score: impl Fn(&Gold<'a>) -> Prf) -> Vec<(String, Prf)> {
    golds
        .iter()
        .skip(1)
        .map(|gold| (gold.degree.name.clone(), score(gold)))
        .collect()
}

/// Precision, recall and F1 over pairs of documents.
fn score(
    gold: &Gold<'_>,
    collection: &PreparedCorpus,
    counted: &Counted,
    found: impl Fn(u32, u32) -> bool,
) -> Prf {
    let right = gold.listed(collection, found).unwrap_or(counted.right);
    Prf::new(right, counted.found, gold.pairs)
}

/// The similarity of two distinct texts, estimated from their signatures. For bits it is the share of equal
/// bits; for keys 1 if a key is equal, else 0.
fn estimate(form: Form, signer: &dyn Signer, a: &[u64], b: &[u64]) -> f64 {
    match (form, a, b) {
        (Form::Bits, [a], [b]) => 1.0 - f64::from((a ^ b).count_ones()) / 64.0,
        (Form::Keys { words }, ..) => {
            let words = words.max(1) as usize;
            let equal = a
                .chunks_exact(words)
                .any(|key| b.chunks_exact(words).any(|other| key == other));
            f64::from(u8::from(equal))
        }
        _ => signer.estimate(a, b),
    }
}

/// Whether no document has more than one key of `words` words.
fn is_single(signatures: &Rows, words: u32) -> bool {
    signatures.iter().all(|row| row.len() <= words as usize)
}

/// Labels that are equal for distinct texts with equal signatures. A text without a signature has a label
/// of its own.
fn by_key(signatures: &Rows) -> Vec<u32> {
    let mut first: HashMap<&[u64], u32> = HashMap::new();
    (0..)
        .zip(signatures.iter())
        .map(|(distinct, row)| {
            if row.is_empty() {
                distinct
            } else {
                *first.entry(row).or_insert(distinct)
            }
        })
        .collect()
}

/// The labels of documents for labels of distinct texts. Each empty document has a label of its own.
pub(super) fn document_labels(collection: &PreparedCorpus, labels: &[u32]) -> Vec<u32> {
    let beyond = labels.iter().max().map_or(0, |&most| most + 1);
    // Numbers above all labels are unused, and a different one is offered to each document.
    (beyond..)
        .zip(&collection.distinct_of)
        .map(|(alone, distinct)| distinct.map_or(alone, |distinct| labels[distinct as usize]))
        .collect()
}

/// The recall in each range of similarity; `None` for ranges without true pairs.
fn recall_by_similarity(true_pairs: &[TruePair], hits: &[bool]) -> Vec<Option<f64>> {
    let mut bins = [(0.0, 0.0); BINS];
    for (pair, &hit) in true_pairs.iter().zip(hits) {
        let (found, all) = &mut bins[bin(pair.similarity)];
        *all += pair.weight;
        *found += if hit { pair.weight } else { 0.0 };
    }
    bins.iter()
        .map(|&(found, all)| (all > 0.0).then(|| found / all))
        .collect()
}
