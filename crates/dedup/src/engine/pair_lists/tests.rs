use std::collections::BTreeMap;

use super::*;
use crate::engine::deduper::Deduper;
use crate::engine::options::Options;

/// A text of a hundred words. One word is unique.
fn text(number: usize) -> String {
    let word = |place: usize| {
        let own = place == 2 * number % 100;
        if own {
            format!("own{number}")
        } else {
            format!("w{place}")
        }
    };
    (0..100).map(word).collect::<Vec<_>>().join(" ")
}

fn run(texts: &[String]) -> Outcome {
    let mut deduper = Deduper::new(Options::default()).unwrap();
    for text in texts {
        deduper.add_joined(text).unwrap();
    }
    deduper.finish(&()).unwrap()
}

fn lists(outcome: &Outcome, every: bool) -> (Vec<ListedPair>, PairTotals) {
    // The order of the lists is descending by document number.
    let lists = outcome.pair_lists(|_| 0, |a, b| b.cmp(&a), every);
    let listed: Vec<ListedPair> = lists
        .parts(7)
        .flatten()
        .flat_map(|place| lists.list(place))
        .collect();
    for pairs in listed.windows(2) {
        assert!((pairs[0].first, pairs[0].second) > (pairs[1].first, pairs[1].second));
    }
    let totals = lists.totals();
    assert_eq!(totals.listed, listed.len() as u64);
    assert_eq!(
        totals.linked,
        listed.iter().filter(|pair| pair.stands_for > 1).count() as u64
    );
    assert_eq!(totals.all, listed.iter().map(|pair| pair.stands_for).sum::<u64>());
    (listed, totals)
}

#[test]
fn copies_of_similar_texts_are_listed_once() {
    let (texts, copies) = (20, 16);
    let documents: Vec<String> = (0..texts * copies).map(|number| text(number % texts)).collect();
    let outcome = run(&documents);
    let (every, totals) = lists(&outcome, true);
    assert_eq!((every.len(), totals.linked), (320 * 319 / 2, 0));
    let expected: Vec<(u32, u32)> = outcome.all_pairs().map(|pair| (pair.a, pair.b)).collect();
    let mut found: Vec<(u32, u32)> = every.iter().map(|pair| (pair.second, pair.first)).collect();
    found.sort_unstable();
    assert_eq!(found, expected);

    let (linked, totals) = lists(&outcome, false);
    assert_eq!(totals.all, every.len() as u64);
    assert_eq!(linked.len(), texts * (copies - 1) + texts * (texts - 1) / 2);
    for pair in &linked {
        // The last copies are the first documents of their texts.
        assert!(pair.first as usize >= documents.len() - texts);
        assert_eq!(
            pair.exact,
            pair.first as usize % texts == pair.second as usize % texts
        );
        assert!(pair.exact || pair.stands_for == (copies * copies) as u64);
        assert!(every.iter().any(|other| ListedPair {
            stands_for: pair.stands_for,
            ..*other
        } == *pair));
    }
}

#[test]
fn texts_that_are_similar_to_many_are_listed_with_their_representative() {
    for texts in [MANY, MANY + 1, 3 * MANY] {
        let documents: Vec<String> = (0..texts).map(text).collect();
        let outcome = run(&documents);
        assert_eq!(outcome.pairs.len(), texts * (texts - 1) / 2);
        let (linked, totals) = lists(&outcome, false);
        assert_eq!(totals.all as usize, outcome.pairs.len());
        if texts == MANY {
            assert_eq!((linked.len(), totals.linked), (outcome.pairs.len(), 0));
            continue;
        }
        let representative = outcome.decisions[0].representative;
        let mut rows: BTreeMap<u32, usize> = BTreeMap::new();
        for pair in &linked {
            assert!(!pair.exact);
            *rows.entry(pair.first).or_default() += 1;
            *rows.entry(pair.second).or_default() += 1;
        }
        assert_eq!(rows.len(), texts, "every text is listed");
        assert!(rows[&representative] >= texts - 1);
        assert!(linked.len() <= texts, "{} rows of {texts} texts", linked.len());
    }
}

#[test]
fn no_documents_are_no_lists() {
    let (listed, totals) = lists(&run(&["short".to_owned()]), false);
    assert_eq!((listed, totals), (Vec::new(), PairTotals::default()));
}

proptest::proptest! {
    /// Every document in a pair is listed, and the rows together represent all pairs.
    #[test]
    fn rows_stand_for_all_pairs(numbers in proptest::collection::vec(0_usize..150, 0..300)) {
        let documents: Vec<String> = numbers.iter().map(|&number| text(number)).collect();
        let outcome = run(&documents);
        let (every, _) = lists(&outcome, true);
        let (linked, totals) = lists(&outcome, false);
        proptest::prop_assert_eq!(totals.all, every.len() as u64);
        let listed = |pairs: &[ListedPair]| {
            let mut all: Vec<u32> = pairs.iter().flat_map(|pair| [pair.first, pair.second]).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        proptest::prop_assert_eq!(listed(&linked), listed(&every));
        proptest::prop_assert!(linked.len() <= documents.len() * (MANY + 1));
    }
}
