//! Comparison of all methods on one labelled set.
//!
//! Documents are read once, cut into tokens and shingles, and counted ([`PreparedCorpus`]). Then every signature method
//! of [`dehusk_pipeline::dedup`] runs on them, alone and with verification, and every clustering on the same edges.

mod bit_signatures;
mod clusterings;
mod cost;
mod deletion;
mod examples;
mod gold;
mod methods;
mod options;
mod prepared_corpus;
mod results;
mod views;

use std::path::Path;
use std::sync::Arc;

use dehusk_pipeline::dedup::Family as _;
use dehusk_pipeline::dedup::candidates::{self, JoinInput};
use dehusk_pipeline::dedup::sign::{self, Method};
use dehusk_pipeline::dedup::{Context, ScoredPair};
use dehusk_pipeline::narrow;
use dehusk_pipeline::{Error, Job, Total};
use rayon::prelude::*;

pub use cost::Cost;
pub use deletion::Deletion;
pub use options::{ChosenMethod, Options, all_methods, study_name, sweep};
pub use prepared_corpus::PreparedCorpus;
pub use results::*;
pub use views::{Source, views};

use cost::measured;
use gold::Gold;
use methods::{BINS, Comparison, Exact, MeasuredRow, TruePair, bin, usage_error};
use options::row_name;

use crate::metrics::Bootstrap;
use crate::sets::Truth;

/// Largest number of true pairs of different texts whose similarity is computed.
const MAX_TRUE_PAIRS: usize = 2_000_000;

/// Compares all methods on the documents of the job's inputs.
///
/// # Errors
/// If an input or the truth is missing or malformed, if settings exclude each other, or if the job was cancelled.
pub fn compare(job: &Job<'_>, truth: &Path, options: &Options, view: &str) -> Result<View, Error> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(job.settings.threads())
        .build()
        .map_err(|error| Error::failed(format!("cannot start threads: {error}")))?;
    pool.install(|| compare_here(job, truth, options, view))
}

/// The comparison, in the current thread pool.
fn compare_here(job: &Job<'_>, truth: &Path, options: &Options, view: &str) -> Result<View, Error> {
    let (read, reading) = measured(|| PreparedCorpus::read(job, options.shingler));
    let mut collection = read?;
    if collection.distinct() == 0 {
        return Err(Error::usage("no document of the inputs has text")
            .with_help("documents are lines of JSON with `id` and `text`"));
    }
    let truth = Truth::read(truth, &collection.ids)?;
    let used: Vec<Arc<dyn Method>> = options.methods.iter().map(ChosenMethod::strategy).collect();
    // Statistics are counted only if a method needs them.
    let ((), counting) = measured(|| collection.count(&used));
    let collection = collection;
    let golds: Vec<Gold<'_>> = truth
        .degrees
        .iter()
        .map(|degree| Gold::new(degree, &truth.languages, &collection))
        .collect();
    let Some(gold) = golds.first() else {
        return Err(Error::usage("the truth names no group"));
    };
    let (labelled, labelling) = measured(|| true_pairs(gold, &collection));
    let (mut true_pairs, copies) = labelled?;
    true_pairs.sort_by_key(|pair| (pair.a, pair.b));

    let comparison = Comparison {
        collection: &collection,
        golds: &golds,
        options,
        true_pairs: &true_pairs,
    };
    let mut measured_rows: Vec<MeasuredRow> = Vec::new();
    for (number, method) in (1..).zip(&options.methods) {
        job.cancel.check()?;
        let of = options.methods.len();
        let stage = format!("{}, method {number} of {of}", row_name(method));
        let documents = collection.distinct() as u64;
        job.progress.stage(&stage, Some(Total::Documents(documents)));
        measured_rows.extend(comparison.run(method, job.progress)?);
    }
    job.progress.stage("clustering", None);
    let (edges, joining) = measured(|| exact_pairs(&comparison));
    let edges = edges?;
    let clusterings = comparison.clusterings(&edges);
    job.cancel.check()?;
    job.progress.stage("fingerprints", None);
    let bit_signatures = comparison.bit_signatures()?;
    let bandings = comparison.bandings(&edges)?;

    // Names break ties, so that equal inputs give equal files.
    measured_rows.sort_by(|a, b| {
        let key = |row: &Row| (row.name.clone(), row.mode.name());
        b.row
            .pairs
            .f1
            .total_cmp(&a.row.pairs.f1)
            .then_with(|| key(&a.row).cmp(&key(&b.row)))
    });
    // The differences of all rows to the best one use the same replicates.
    let best: Option<Bootstrap> = measured_rows.first().and_then(|row| row.bootstrap.clone());
    for row in measured_rows.iter_mut().skip(1) {
        row.row.difference = row
            .bootstrap
            .as_ref()
            .zip(best.as_ref())
            .map(|(own, best)| own.difference(best));
    }
    let false_positives = comparison.false_positives(&edges, &measured_rows);
    let false_negatives = comparison.false_negatives(&true_pairs, &measured_rows);
    let mut bins = vec![0.0; BINS];
    for pair in &true_pairs {
        bins[bin(pair.similarity)] += pair.weight;
    }
    // Documents with equal texts have similarity 1.
    bins[BINS - 1] += copies;
    let similarity = bins
        .into_iter()
        .enumerate()
        .map(|(place, pairs)| Bin {
            from: place as f64 / 20.0,
            pairs,
        })
        .collect();
    let shared = reading.and(counting).and(labelling).and(joining);
    Ok(View {
        name: view.to_owned(),
        set: facts(&collection, &truth, &golds),
        rows: measured_rows.into_iter().map(|row| row.row).collect(),
        clusterings,
        similarity,
        bit_signatures,
        windows: comparison.windows(),
        bandings,
        false_positives,
        false_negatives,
        shared: options.costs.then_some(shared),
        peak: cost::peak().filter(|_| options.costs),
    })
}

/// The true pairs of different texts with their similarities, and the number of other true pairs: those of
/// documents with equal texts.
fn true_pairs(gold: &Gold<'_>, collection: &PreparedCorpus) -> Result<(Vec<TruePair>, f64), Error> {
    let exact = Exact::new(collection)?;
    let pairs = gold.distinct_pairs(collection, MAX_TRUE_PAIRS);
    let different: f64 = pairs.iter().map(|pair| pair.2).sum();
    let pairs = pairs
        .par_iter()
        .map(|&(a, b, weight)| TruePair {
            a,
            b,
            weight,
            similarity: exact.at_least(a, b, 0.0).unwrap_or(0.0),
        })
        .collect();
    Ok((pairs, (gold.pairs - different).max(0.0)))
}

/// All pairs of different texts with a similarity at or above the lowest threshold, sorted.
fn exact_pairs(comparison: &Comparison<'_>) -> Result<Vec<ScoredPair>, Error> {
    let (collection, floor) = (comparison.collection, comparison.floor());
    let index = <dyn candidates::Candidates>::named("exact-join")
        .and_then(|join| join.index(&sign::Shingles, &Context::new(floor)))
        .map_err(usage_error)?;
    let documents: Vec<u32> = (0..narrow::to_u32(collection.distinct())).collect();
    let participants = JoinInput {
        documents: &documents,
        rows: &collection.shingles,
        contents: &collection.contents,
        further: None,
    };
    let exact = Exact::new(collection)?;
    let check = |a: u32, b: u32, _: Option<u32>| exact.pair(a, b, floor);
    let mut pairs = Vec::new();
    let counts = index.join(&participants, &check, &mut pairs);
    methods::complete(&counts)?;
    pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
    pairs.dedup_by_key(|pair| (pair.a, pair.b));
    Ok(pairs)
}

/// The figures of each language that the truth names.
fn languages(gold: &Gold<'_>) -> Vec<LanguageFacts> {
    let tallies = gold.by_language(&gold.start().tallies);
    let documents = gold.documents_by_language();
    let names = gold.languages.iter().cloned();
    names
        .zip(documents)
        .zip(tallies)
        .map(|((name, documents), tally)| LanguageFacts {
            name,
            documents,
            pairs: tally.all,
        })
        .collect()
}

/// The figures of the set.
fn facts(collection: &PreparedCorpus, truth: &Truth, golds: &[Gold<'_>]) -> SetFacts {
    let degrees = golds.iter().map(|gold| {
        let large = gold.sizes.iter().filter(|size| **size > 1);
        DegreeFacts {
            name: gold.degree.name.clone(),
            groups: large.clone().count() as u64,
            documents: large.sum(),
            pairs: gold.pairs,
        }
    });
    SetFacts {
        documents: collection.len() as u64,
        rejected: collection.rejected.total(),
        rejected_by_reason: collection.rejected.clone(),
        empty: collection
            .distinct_of
            .iter()
            .filter(|distinct| distinct.is_none())
            .count() as u64,
        distinct: collection.distinct() as u64,
        tokens: collection.lengths.iter().map(|&length| u64::from(length)).sum(),
        unknown: truth.unknown,
        degrees: degrees.collect(),
        languages: golds.first().map_or_else(Vec::new, languages),
        sizes: golds
            .first()
            .map_or_else(Vec::new, |gold| clusterings::sizes(gold.sizes.iter().copied())),
    }
}

#[cfg(test)]
mod tests;
