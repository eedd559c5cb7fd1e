use super::*;
use crate::random::SplitMix64;
use crate::shingle::Shingler;
use crate::tokens::Tokens;
use crate::worked::{assert_close, assert_table_matches_folder, example, numbers, text};

#[test]
fn table_matches_folder() {
    assert_table_matches_folder("similarity", ALL.iter().map(|similarity| similarity.name()));
}

#[test]
fn every_parameter_takes_its_default_and_refuses_nonsense() {
    for similarity in ALL {
        for parameter in similarity.parameters() {
            assert!(similarity.set(parameter.name, parameter.default).is_ok());
            assert!(similarity.set(parameter.name, "nonsense").is_err());
        }
        assert!(similarity.set("none-such", "1").is_err());
    }
    assert!(named("jacard").err().unwrap().to_string().contains("jaccard"));
}

#[test]
fn jaccard_of_the_examples() {
    let basic = example("jaccard_basic");
    let columns: Vec<Vec<u64>> = basic["input"]
        .as_array()
        .unwrap()
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
    let sets: Vec<Vec<u64>> = words["input"]
        .as_array()
        .unwrap()
        .iter()
        .map(|input| {
            let mut out = Vec::new();
            Shingler::words(2).shingle(&text(input).split(' ').collect(), &mut out);
            out
        })
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

/// Leaving early changes nothing: a pair is answered if and only if the definition puts it at or above the threshold.
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

/// What every similarity must do.
#[test]
fn conformance() {
    let texts = [
        "a b c d e f",
        "a b c d e x",
        "f e d c b a",
        "q",
        "a b a b a b",
        "мама мыла раму утром рано",
    ];
    for similarity in ALL {
        let comparer = similarity.comparer(&Context::new(0.5)).unwrap();
        let rows: Vec<Vec<u64>> = texts
            .iter()
            .map(|text| {
                let tokens: Tokens = text.split(' ').collect();
                let mut shingles = Vec::new();
                Shingler::words(2).shingle(&tokens, &mut shingles);
                let mut row = Vec::new();
                comparer.row(
                    &Document {
                        tokens: &tokens,
                        terms: &tokens,
                        shingles: &shingles,
                    },
                    &mut row,
                );
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
