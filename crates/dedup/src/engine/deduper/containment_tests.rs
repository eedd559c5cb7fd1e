//! Documents inside larger ones are found for all sizes, with keys in memory and in files.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::*;
use crate::candidates::join::spill::tests::MemoryFiles;
use crate::candidates::pair::Contained;
use crate::candidates::{Candidates, Containment, ExactJoin};
use crate::numeric::random::SplitMix64;
use crate::numeric::sets::containment;
use crate::sign::Shingles;
use crate::strategy::entry::Family;
use crate::text::shingle::Shingler;
use crate::verify;

fn options(threshold: f64) -> Options {
    Options::default()
        .with_similarity(Arc::new(verify::Containment))
        .with_threshold(threshold)
}

fn words(random: &mut SplitMix64, count: usize) -> Vec<String> {
    (0..count)
        .map(|_| format!("w{}", random.number() % 20_000))
        .collect()
}

/// For each length in `sizes`, in words, `each` texts. Each text is preceded by a query: 40 of its words, with
/// `changed` of them changed. All texts and queries end in the same `boilerplate` words.
fn planted(seed: u64, sizes: &[usize], each: usize, changed: usize, boilerplate: usize) -> Vec<String> {
    let mut random = SplitMix64::new(seed);
    let shared = words(&mut random, boilerplate);
    let mut texts = Vec::new();
    for &size in sizes {
        for _ in 0..each {
            let long = words(&mut random, size);
            let start = random.number() as usize % (size - 40);
            let mut short = long[start..start + 40].to_vec();
            for change in 0..changed {
                let place = change * 40 / changed + random.number() as usize % (40 / changed);
                short[place] = format!("x{}", random.number());
            }
            for text in [short, long] {
                texts.push([text, shared.clone()].concat().join(" "));
            }
        }
    }
    texts
}

fn tokens(text: &str) -> Tokens {
    text.split(' ').collect()
}

/// The pairs whose containment reaches the threshold, computed by definition.
fn definition(texts: &[String], threshold: f64) -> BTreeSet<(u32, u32)> {
    let set = |text: &String| {
        let mut set = Vec::new();
        Shingler::default().shingle(&tokens(text), &mut set);
        set
    };
    let sets: Vec<Vec<u64>> = texts.iter().map(set).collect();
    let mut pairs = BTreeSet::new();
    for (a, one) in (0..).zip(&sets) {
        for (b, other) in (0..).zip(&sets).skip(a as usize + 1) {
            let (small, large) = if one.len() <= other.len() {
                (one, other)
            } else {
                (other, one)
            };
            if containment(small, large) >= threshold {
                pairs.insert((a, b));
            }
        }
    }
    pairs
}

/// The outcome with keys in memory, or in files with buffers of up to `memory` bytes.
fn found(options: Options, texts: &[String], memory: Option<u64>) -> Outcome {
    let mut deduper = Deduper::new(options).unwrap();
    if memory.is_some() {
        assert!(deduper.spill(Box::new(MemoryFiles::unlimited())).unwrap());
    }
    for text in texts {
        deduper.add_joined(text).unwrap();
    }
    let mut candidates = deduper.candidates(memory.unwrap_or(u64::MAX)).unwrap();
    loop {
        match candidates.finish().unwrap().settle(&(), u64::MAX).unwrap() {
            Settled::More(more) => candidates = *more,
            Settled::Done(outcome) => return *outcome,
        }
    }
}

fn pairs(outcome: &Outcome) -> BTreeSet<(u32, u32)> {
    outcome.pairs.iter().map(|pair| (pair.a, pair.b)).collect()
}

/// Queries of 40 words, up to one in ten of them changed, inside texts of 500, 2,000 and 8,000 words: exactly the
/// pairs at the threshold are found.
#[test]
fn short_texts_are_found_inside_long_ones() {
    for (changed, threshold) in [(0, 1.0), (1, 0.8), (4, 0.5)] {
        let texts = planted(7, &[500, 2000, 8000], 60, changed, 0);
        let expected = definition(&texts, threshold);
        assert!(expected.len() >= 170, "{changed} changed: {}", expected.len());
        for memory in [None, Some(8 << 20)] {
            let outcome = found(options(threshold), &texts, memory);
            assert_eq!(pairs(&outcome), expected, "{changed} changed, {memory:?}");
            // The query precedes its text in the input.
            assert!(
                outcome
                    .pairs
                    .iter()
                    .all(|pair| pair.contained() == Contained::First)
            );
        }
    }
}

/// All configurations find the pairs of the definition, even if all texts share many words.
#[test]
fn every_way_finds_what_the_definition_says() {
    for (seed, boilerplate) in [(1, 0), (2, 30), (3, 120)] {
        let mut texts = planted(seed, &[50, 90, 300], 25, 1, boilerplate);
        texts.extend_from_within(..10);
        texts.push(texts[1].split(' ').rev().collect::<Vec<_>>().join(" "));
        for threshold in [0.3, 0.5, 0.8, 0.95, 1.0] {
            let outcome = found(options(threshold), &texts, None);
            let expected = definition(&texts[..], threshold);
            let first = |document: u32| outcome.exact_groups.first(document);
            let expected: BTreeSet<(u32, u32)> = expected
                .into_iter()
                .map(|(a, b)| (first(a).min(first(b)), first(a).max(first(b))))
                .filter(|(a, b)| a != b)
                .collect();
            assert_eq!(pairs(&outcome), expected, "{boilerplate} words, {threshold}");
            for memory in [1 << 20, 64 << 20] {
                let in_files = found(options(threshold), &texts, Some(memory));
                assert_eq!(in_files.pairs, outcome.pairs);
                assert_eq!(in_files.decisions, outcome.decisions);
                assert_eq!(
                    in_files.counts, outcome.counts,
                    "{boilerplate} words, {threshold}"
                );
            }
            let exact = options(threshold)
                .with_signature(Arc::new(Shingles))
                .with_candidates(Arc::new(ExactJoin));
            assert_eq!(found(exact, &texts, None).pairs, outcome.pairs);
            // If two documents resemble each other, one lies inside the other to at least the same degree.
            let by_resemblance = |candidates: Arc<dyn Candidates>| {
                Options::default()
                    .with_threshold(threshold)
                    .with_signature(Arc::new(Shingles))
                    .with_candidates(candidates)
            };
            let jaccard = found(
                by_resemblance(Arc::new(Containment::DEFAULT)),
                &texts,
                Some(1 << 20),
            );
            let expected = found(by_resemblance(Arc::new(ExactJoin)), &texts, None);
            assert_eq!(jaccard.pairs, expected.pairs);
            assert!(
                jaccard
                    .pairs
                    .iter()
                    .all(|pair| pair.contained() == Contained::Neither)
            );
        }
    }
}

/// Boilerplate that all documents share makes no candidates, and a text that consists of boilerplate is found in all
/// documents.
#[test]
fn common_shingles_are_passed_over_for_rarer_ones() {
    let mut texts = planted(5, &[200], 1000, 1, 30);
    let boilerplate: Vec<&str> = texts[0].split(' ').skip(40).collect();
    texts.push(boilerplate.join(" "));
    let last = texts.len() as u32 - 1;
    let small = Arc::new(Containment::DEFAULT.with_max_bucket(50));
    let outcome = found(options(0.8).with_candidates(small), &texts, None);
    assert_eq!(outcome.counts.capped_buckets, 0);
    let of_last = outcome.pairs.iter().filter(|pair| pair.b == last);
    assert!(of_last.clone().all(|pair| pair.contained() == Contained::Second));
    assert_eq!(of_last.count(), 2000);
    let own = (0..1000).filter(|text| pairs(&outcome).contains(&(2 * text, 2 * text + 1)));
    assert!(own.count() > 950);
    assert!(outcome.counts.candidates < 10_000, "{:?}", outcome.counts);
}

/// Many documents with the same shingles cost work linear in their number, and joins in memory and in files cap the
/// same groups.
#[test]
fn large_groups_are_capped() {
    let mut work = Vec::new();
    for size in [300, 600, 1200] {
        let mut random = SplitMix64::new(size);
        let common = words(&mut random, 100);
        let text = |number: u64| {
            let mut text = common.clone();
            text[number as usize % 100] = format!("own{number}");
            text.join(" ")
        };
        let texts: Vec<String> = (0..size).map(text).collect();
        let small = Arc::new(Containment::DEFAULT.with_max_bucket(40));
        let options = options(0.8).with_candidates(small);
        let outcome = found(options.clone(), &texts, None);
        assert!(outcome.counts.capped_buckets > 0);
        assert_eq!(outcome.clusters.iter().count(), 1);
        let in_files = found(options, &texts, Some(8 << 20));
        assert_eq!(in_files.pairs, outcome.pairs);
        assert_eq!(in_files.decisions, outcome.decisions);
        assert_eq!(in_files.counts, outcome.counts);
        work.push(outcome.counts.candidates as f64 / size as f64);
    }
    assert!(work[2] < 1.5 * work[0], "{work:?} comparisons per document");
}

#[test]
fn methods_that_miss_contained_documents_are_refused() {
    for candidates in <dyn Candidates>::all() {
        let built = Deduper::new(options(0.8).with_candidates(candidates.shared()));
        let finds = ["containment", "brute-force"].contains(&candidates.name());
        assert_eq!(built.is_ok(), finds, "{}", candidates.name());
    }
    let lsh = <dyn Candidates>::named("lsh").unwrap();
    let error = Deduper::new(options(0.8).with_candidates(lsh)).err().unwrap();
    assert_eq!(error.parameter(), Some("candidates"));
    assert_eq!(
        error.to_string(),
        "candidates by `lsh` miss a document that lies inside a larger one, which similarity by `containment` looks for: leave \
         `candidates` out, or choose one of exact-join, containment, brute-force"
    );
    let error = Deduper::new(options(0.8).with_verification(false)).err().unwrap();
    assert_eq!(error.parameter(), Some("verify"));
}

/// Pairs of copies keep which side lies inside the other, for any order of documents.
#[test]
fn lists_of_pairs_say_which_document_lies_inside() {
    let planted = planted(11, &[300], 2, 0, 0);
    let texts: Vec<String> = [1, 0, 2, 3, 0, 1]
        .map(|text: usize| planted[text].clone())
        .to_vec();
    let outcome = found(options(0.9), &texts, None);
    let words = |document: u32| texts[document as usize].split(' ').count();
    let all: Vec<_> = outcome.all_pairs().collect();
    assert_eq!(all.len(), 4 + 1 + 2); // pairs with two copies of two texts, a pair of texts, and pairs of copies
    for pair in all {
        let expected = match words(pair.a).cmp(&words(pair.b)) {
            std::cmp::Ordering::Less => Contained::First,
            std::cmp::Ordering::Greater => Contained::Second,
            std::cmp::Ordering::Equal => Contained::Both,
        };
        assert_eq!(pair.contained(), expected, "{pair:?}");
    }
    for every in [false, true] {
        let backwards = |a: u32, b: u32| b.cmp(&a);
        let lists = outcome.pair_lists(|_| 0, backwards, every);
        for pair in (0..texts.len()).flat_map(|place| lists.list(place)) {
            let (first, second) = (words(pair.first), words(pair.second));
            assert_eq!(pair.contained == Contained::First, first < second, "{pair:?}");
            assert_eq!(pair.contained == Contained::Second, first > second, "{pair:?}");
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(60))]

    /// Texts of few distinct words, which share many words and repeat themselves.
    #[test]
    fn any_texts_are_found_as_the_definition_says(
        texts in proptest::collection::vec(proptest::collection::vec(0_u8..6, 20..120), 2..14),
        percent in 5_u32..=100,
    ) {
        let threshold = f64::from(percent) / 100.0;
        let texts: BTreeSet<String> = texts
            .into_iter()
            .map(|text| text.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" "))
            .collect();
        let texts: Vec<String> = texts.into_iter().collect();
        let expected = definition(&texts, threshold);
        proptest::prop_assert_eq!(&pairs(&found(options(threshold), &texts, None)), &expected);
        proptest::prop_assert_eq!(pairs(&found(options(threshold), &texts, Some(1 << 20))), expected);
    }
}
