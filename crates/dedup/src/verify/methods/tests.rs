use super::*;
use crate::numeric::random::SplitMix64;
use crate::numeric::sets::{containment, resemblance};
use crate::sign::method::Method;
use crate::sign::methods::SimHash;
use crate::sign::methods::minhash::MinHash;
use crate::text::document::{Context, Document};
use crate::text::shingle::TextUnit;
use crate::text::tokens::Tokens;
use crate::verify::similarity::{Comparer, Similarity};
use crate::worked_examples::{
    TEXTS, assert_close, assert_settings, assert_table_matches_folder, example, list, numbers, statistics,
    text, words_and_shingles,
};

#[test]
fn table_matches_folder() {
    assert_table_matches_folder::<dyn Similarity>("verify/methods");
}

#[test]
fn every_parameter_takes_its_default_and_refuses_nonsense() {
    assert_settings::<dyn Similarity>("jacard", "jaccard");
}

#[test]
fn jaccard_of_the_examples() {
    let basic = example("jaccard_basic");
    let columns: Vec<Vec<u64>> = list(&basic["input"])
        .iter()
        .map(|column| {
            (0..)
                .zip(numbers(column))
                .filter(|&(_, bit)| bit == 1)
                .map(|(row, _)| row)
                .collect()
        })
        .collect();
    assert_close(
        resemblance(&columns[0], &columns[1]),
        &basic["expected"]["jaccard"],
    );

    let words = example("jaccard_word_shingles");
    let sets: Vec<Vec<u64>> = list(&words["input"])
        .iter()
        .map(|input| words_and_shingles(text(input)).1)
        .collect();
    assert_close(resemblance(&sets[0], &sets[1]), &words["expected"]["jaccard"]);
    assert_close(
        containment(&sets[0], &sets[1]),
        &words["expected"]["containment_a_in_b"],
    );
}

#[test]
fn empty_sets() {
    assert_eq!(resemblance(&[], &[]), 1.0);
    assert_eq!(resemblance(&[], &[1]), 0.0);
    assert_eq!(containment(&[], &[1]), 1.0);
    assert_eq!(containment(&[1], &[]), 0.0);
}

fn random_set(random: &mut SplitMix64) -> Vec<u64> {
    let mut set: Vec<u64> = (0..random.number() % 30).map(|_| random.number() % 40).collect();
    set.sort_unstable();
    set.dedup();
    set
}

/// Ending early changes no result: a pair is returned if and only if its similarity by definition reaches the
/// threshold.
#[test]
fn thresholds_are_exact() {
    let mut random = SplitMix64::new(3);
    for _ in 0..3000 {
        let (a, b) = (random_set(&mut random), random_set(&mut random));
        let common = a.iter().filter(|x| b.contains(x)).count();
        let union = a.len() + b.len() - common;
        let jaccard = if union == 0 {
            1.0
        } else {
            common as f64 / union as f64
        };
        let smaller = a.len().min(b.len());
        let contained = if smaller == 0 {
            1.0
        } else {
            common as f64 / smaller as f64
        };
        for threshold in [0.0, 0.1, 0.5, 0.7, 0.75, 0.8, 1.0, jaccard, contained] {
            let expected = (jaccard >= threshold).then_some(jaccard);
            assert_eq!(
                Jaccard.compare(&a, &b, threshold),
                expected,
                "{a:?} {b:?} at {threshold}"
            );
            let expected = (contained >= threshold).then_some(contained);
            assert_eq!(
                Containment.compare(&a, &b, threshold),
                expected,
                "{a:?} {b:?} at {threshold}"
            );
        }
    }
}

/// Properties that every similarity must have.
#[test]
fn conformance() {
    for similarity in ALL {
        let context = Context::new(0.5).with_statistics(statistics(&TEXTS));
        let comparer = similarity.comparer(&SimHash::DEFAULT, &context).unwrap();
        let signer = SimHash::DEFAULT.signer(&context).unwrap();
        let rows: Vec<Vec<u64>> = TEXTS
            .iter()
            .map(|text| {
                let (tokens, shingles) = words_and_shingles(text);
                let mut signature = Vec::new();
                let mut row = Vec::new();
                let document = Document::new(&tokens, &shingles);
                signer.sign(&document, &mut signature);
                comparer.row(&document, &signature, &mut row);
                row
            })
            .collect();
        for a in &rows {
            assert_eq!(comparer.compare(a, a, 1.0), Some(1.0), "{}", similarity.name());
            for b in &rows {
                let found = comparer.compare(a, b, 0.0).unwrap();
                assert!((0.0..=1.0).contains(&found), "{}", similarity.name());
                assert_eq!(
                    comparer.compare(b, a, 0.0),
                    Some(found),
                    "{}: symmetric",
                    similarity.name()
                );
                assert_eq!(
                    comparer.compare(a, b, found),
                    Some(found),
                    "{}: at the threshold",
                    similarity.name()
                );
                if found < 1.0 {
                    assert_eq!(
                        comparer.compare(a, b, found + 1e-9),
                        None,
                        "{}",
                        similarity.name()
                    );
                }
            }
        }
    }
}

#[test]
fn forms_and_statistics_are_asked_for() {
    let error = Hamming
        .comparer(&MinHash::DEFAULT, &Context::new(0.5))
        .err()
        .unwrap();
    assert_eq!(
        error.to_string(),
        "similarity by `hamming` needs fingerprints, but `minhash` makes values that are compared place by place"
    );
    for similarity in ALL {
        let built = similarity.comparer(&SimHash::DEFAULT, &Context::new(0.5));
        assert_eq!(
            built.is_err(),
            similarity.needs_statistics(),
            "{}",
            similarity.name()
        );
    }
}

#[test]
fn weighted_jaccard_of_the_example() {
    let example = example("weighted_jaccard");
    let mut lists = ["a", "b"].map(|name| -> Vec<(u64, f64)> {
        let words = list(&example["input"][name]).iter();
        words
            .map(|word| {
                let weight = example["input"]["weights"][text(word)].as_f64().unwrap();
                (crate::numeric::hash::murmur3(text(word).as_bytes(), 0), weight)
            })
            .collect()
    });
    for list in &mut lists {
        list.sort_by_key(|&(hash, _)| hash);
    }
    let [a, b] = lists;
    assert_close(weighted_jaccard(a, b), &example["expected"]);
    assert_eq!(weighted_jaccard([], []), 1.0);
    assert_eq!(weighted_jaccard([(1, 0.0)], [(1, 0.0)]), 1.0);
    assert_eq!(weighted_jaccard([(1, 0.0)], [(2, 0.0)]), 0.0);
}

#[test]
fn cosine_of_the_example() {
    let example = example("cosine_tfidf");
    let texts: Vec<(&str, &str)> = example["input"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, input)| (name.as_str(), text(input)))
        .collect();
    let context = Context::new(0.5).with_statistics(statistics(
        &texts.iter().map(|&(_, text)| text).collect::<Vec<_>>(),
    ));
    let comparer = Cosine.comparer(&SimHash::DEFAULT, &context).unwrap();
    let row = |name: &str| {
        let tokens: Tokens = texts
            .iter()
            .find(|text| text.0 == name)
            .unwrap()
            .1
            .split(' ')
            .collect();
        let mut row = Vec::new();
        comparer.row(&Document::new(&tokens, &[]), &[], &mut row);
        row
    };
    for (pair, expected) in example["expected"].as_object().unwrap() {
        let found = comparer.compare(&row(&pair[..1]), &row(&pair[1..]), 0.0).unwrap();
        assert_close(found, expected);
    }
}

#[test]
fn edit_similarity_of_the_examples() {
    let edit = example("edit_similarity");
    let rows = list(&edit["input"]).iter().zip(list(&edit["expected"]));
    for (pair, expected) in rows {
        let letters = |text: &str| {
            text.chars()
                .map(|letter| u64::from(u32::from(letter)))
                .collect::<Vec<_>>()
        };
        let (a, b) = (letters(text(&pair[0])), letters(text(&pair[1])));
        assert_eq!(
            edit_distance(&a, &b, 100),
            expected["distance"].as_u64().map(|distance| distance as usize)
        );
        assert_close(
            Edit::DEFAULT.compare(&a, &b, 0.0).unwrap(),
            &expected["similarity"],
        );
    }
    let words = example("edit_similarity_tokens");
    let comparer = Edit::DEFAULT
        .comparer(&SimHash::DEFAULT, &Context::new(0.5))
        .unwrap();
    let [a, b] = [0, 1].map(|place| {
        let tokens: Tokens = text(&words["input"][place]).split(' ').collect();
        let mut row = Vec::new();
        comparer.row(&Document::new(&tokens, &[]), &[], &mut row);
        row
    });
    assert_eq!(
        edit_distance(&a, &b, 9),
        words["expected"]["distance"]
            .as_u64()
            .map(|distance| distance as usize)
    );
    assert_close(
        comparer.compare(&a, &b, 0.0).unwrap(),
        &words["expected"]["similarity"],
    );
    assert!(
        Edit::DEFAULT
            .with_unit(TextUnit::Char)
            .comparer(&SimHash::DEFAULT, &Context::new(0.5))
            .is_ok()
    );
}

/// The bit-parallel distance equals that of the full table, for all lengths and limits.
#[test]
fn edit_distance_equals_the_table() {
    fn by_table(a: &[u64], b: &[u64]) -> usize {
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], i + 1);
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = (above + 1).min(row[j] + 1).min(diagonal + usize::from(x != y));
                diagonal = above;
            }
        }
        row[b.len()]
    }
    let mut random = SplitMix64::new(31);
    for round in 0..400 {
        let alphabet = 2 + random.number() % 20;
        let length = [10, 70, 140, 200][round % 4];
        let a: Vec<u64> = (0..random.number() % length)
            .map(|_| random.number() % alphabet)
            .collect();
        // Related documents in even rounds, unrelated ones in odd rounds.
        let b: Vec<u64> = if round % 2 == 0 {
            let kept = a
                .iter()
                .filter(|_| !random.number().is_multiple_of(5))
                .copied()
                .collect::<Vec<_>>();
            kept.into_iter()
                .flat_map(|x| {
                    if random.number().is_multiple_of(7) {
                        vec![x, 1]
                    } else {
                        vec![x]
                    }
                })
                .collect()
        } else {
            (0..random.number() % length)
                .map(|_| random.number() % alphabet)
                .collect()
        };
        let expected = by_table(&a, &b);
        for most in [0, expected.saturating_sub(1), expected, expected + 3, 1000] {
            assert_eq!(
                edit_distance(&a, &b, most),
                (expected <= most).then_some(expected),
                "{a:?} {b:?} {most}"
            );
            assert_eq!(
                edit_distance(&b, &a, most),
                (expected <= most).then_some(expected)
            );
        }
    }
}
