use std::sync::Arc;

use std::collections::BTreeSet;
use std::sync::Mutex;

use super::*;
use crate::candidates::input::{JoinCounts, JoinInput};
use crate::candidates::join::group::GroupLimit;
use crate::candidates::method::{Candidates, Index};
use crate::candidates::pair::ScoredPair;
use crate::numeric::random::SplitMix64;
use crate::numeric::rows::Rows;
use crate::numeric::sets::resemblance;
use crate::sign;
use crate::sign::banding::recall_at;
use crate::sign::method::Method;
use crate::sign::methods::minhash::MinHash;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Context, Document};
use crate::text::tokens::Tokens;
use crate::worked_examples::{assert_settings, assert_table_matches_folder, list};

/// A context in which every method can be built.
fn context() -> Context {
    Context::new(0.7)
        .with_statistics(Arc::default())
        .with_descriptive_words(Arc::default())
}

#[test]
fn table_matches_folder() {
    assert_table_matches_folder::<dyn Candidates>("candidates/methods");
}

#[test]
fn every_parameter_takes_its_default_and_refuses_nonsense() {
    assert_settings::<dyn Candidates>("hsl", "lsh");
}

#[test]
fn bands_must_fit_the_signature() {
    let message = |lsh: Lsh| {
        lsh.index(&MinHash::DEFAULT, &context())
            .err()
            .map(|error| error.to_string())
    };
    assert_eq!(
        message(Lsh::DEFAULT.with_bands(20)).unwrap(),
        "`bands` is 20, which does not divide the signature width 128; give `rows` too"
    );
    assert_eq!(
        message(Lsh::DEFAULT.with_bands(33).with_rows(4)).unwrap(),
        "`bands` is 33 and `rows` is 4, which together take 132 values of a signature of width 128"
    );
    assert!(message(Lsh::DEFAULT.with_rows(129)).is_some());
    assert!(message(Lsh::DEFAULT.with_rows(0)).is_some());
    assert!(message(Lsh::DEFAULT.with_recall(1.5)).is_some());
    assert!(message(Lsh::DEFAULT.with_max_bucket(1)).is_some());
    assert_eq!(message(Lsh::DEFAULT.with_bands(20).with_rows(5)), None);
    let error = Lsh::DEFAULT
        .index(&crate::sign::methods::Shingles, &context())
        .err()
        .unwrap();
    assert_eq!(
        error.to_string(),
        "candidates by `lsh` needs values that are compared place by place, but `shingles` makes sets"
    );
}

/// Documents given by their shingle sets, and the pairs that a method proposes for them.
struct Case {
    sets: Vec<Vec<u64>>,
    contents: Vec<u128>,
}

impl Case {
    fn new(sets: Vec<Vec<u64>>) -> Self {
        // Distinct numbers in another order than the documents.
        let contents = (0..sets.len() as u128)
            .map(|number| number * 7919 % 1_000_003)
            .collect();
        Self { sets, contents }
    }

    /// The pairs that were checked, repetitions included, and the counts.
    fn join(&self, candidates: &dyn Candidates, signature: &dyn Method) -> (Vec<(u32, u32)>, JoinCounts) {
        self.join_with(&*candidates.index(signature, &context()).unwrap(), signature)
    }

    fn estimate(&self, signature: &dyn Method, a: u32, b: u32) -> f64 {
        let signer = signature.signer(&context()).unwrap();
        let tokens = Tokens::new();
        let [a, b] = [a, b].map(|document| {
            let mut out = Vec::new();
            let shingles = &self.sets[document as usize];
            signer.sign(&Document::new(&tokens, shingles), &mut out);
            out
        });
        signer.estimate(&a, &b)
    }

    fn join_with(&self, index: &dyn Index, signature: &dyn Method) -> (Vec<(u32, u32)>, JoinCounts) {
        let signer = signature.signer(&context()).unwrap();
        let tokens = Tokens::new();
        let mut rows = Rows::new();
        for set in &self.sets {
            let document = Document::new(&tokens, set);
            let (mut signed, mut row) = (Vec::new(), Vec::new());
            signer.sign(&document, &mut signed);
            index.row(&document, &signed, &mut row);
            rows.push(&row);
        }
        let documents: Vec<u32> = (0..self.sets.len() as u32).collect();
        let checked = Mutex::new(Vec::new());
        let input = JoinInput {
            documents: &documents,
            rows: &rows,
            contents: &self.contents,
            further: None,
        };
        let counts = index.join(
            &input,
            &|a, b, _| {
                checked.lock().unwrap().push((a.min(b), a.max(b)));
                None
            },
            &mut Vec::new(),
        );
        let mut checked = checked.into_inner().unwrap();
        checked.sort_unstable();
        (checked, counts)
    }
}

/// A set of `size` shingles that shares `common` of them with `with`.
fn related(random: &mut SplitMix64, with: &[u64], common: usize, size: usize) -> Vec<u64> {
    let mut set: Vec<u64> = with[..common].to_vec();
    set.extend((common..size).map(|_| random.number()));
    set.sort_unstable();
    set
}

fn random_set(random: &mut SplitMix64, size: usize) -> Vec<u64> {
    (0..size).map(|_| random.number()).collect()
}

/// The share of pairs that banding proposes follows the S-curve.
#[test]
fn lsh_recall_follows_the_s_curve() {
    let (size, pairs) = (90, 1000);
    for family in [
        sign::HashFamily::Universal,
        sign::HashFamily::FastSketch,
        sign::HashFamily::OnePermutation,
    ] {
        let minhash = MinHash::DEFAULT.with_family(family);
        for common in [40, 55, 66, 74] {
            let mut random = SplitMix64::new(common as u64);
            let mut sets = Vec::new();
            for _ in 0..pairs {
                let a = random_set(&mut random, size);
                sets.push(related(&mut random, &a, common, size));
                sets.push(a);
            }
            let exact = common as f64 / (2 * size - common) as f64;
            let expected = recall_at(exact, 32, 4);
            let (checked, _) = Case::new(sets).join(&Lsh::DEFAULT, &minhash);
            let found = checked.iter().filter(|(a, b)| a / 2 == b / 2).count() as f64 / f64::from(pairs);
            let deviation = (expected * (1.0 - expected) / f64::from(pairs)).sqrt();
            // Places that are copies of others make the recall of one-permutation hashing a little lower.
            let slack = if family == sign::HashFamily::OnePermutation {
                0.03
            } else {
                0.005
            };
            assert!(
                (found - expected).abs() < 4.0 * deviation + slack,
                "{family:?} at {exact}: {found}, {expected}"
            );
        }
    }
}

/// Banding proposes exactly the pairs with an equal band, each once.
#[test]
fn lsh_equals_the_definition() {
    let mut random = SplitMix64::new(9);
    let mut sets: Vec<Vec<u64>> = Vec::new();
    for number in 0..60_usize {
        let set = match sets.get(number / 2).cloned() {
            Some(with) if number % 3 > 0 => related(&mut random, &with, 40 + number % 50, 100),
            _ => random_set(&mut random, 100),
        };
        sets.push(set);
    }
    let minhash = MinHash::DEFAULT;
    let hasher = minhash.hasher().unwrap();
    let signatures: Vec<Vec<u64>> = sets
        .iter()
        .map(|set| {
            let mut out = vec![0; 128];
            hasher.sign(set, &mut out);
            out
        })
        .collect();
    for (bands, rows) in [(32, 4), (31, 3), (1, 2), (6, 5)] {
        let mut expected = Vec::new();
        for a in 0..sets.len() {
            for b in a + 1..sets.len() {
                let band = |number: usize| number * rows..(number + 1) * rows;
                if (0..bands).any(|number| signatures[a][band(number)] == signatures[b][band(number)]) {
                    expected.push((a as u32, b as u32));
                }
            }
        }
        assert!(!expected.is_empty());
        let lsh = Lsh::DEFAULT.with_bands(bands as u32).with_rows(rows as u32);
        let (checked, counts) = Case::new(sets.clone()).join(&lsh, &minhash);
        assert_eq!(checked, expected, "{bands} bands of {rows} rows");
        assert_eq!(
            counts,
            JoinCounts {
                candidates: expected.len() as u64,
                ..JoinCounts::default()
            }
        );
    }
}

/// Many documents with the same signature, or with a common band, cost linear work.
#[test]
fn hot_buckets_stay_linear() {
    let mut random = SplitMix64::new(4);
    let common = random_set(&mut random, 400);
    for (what, own) in [("equal signatures", 0), ("similar", 4)] {
        let mut work = Vec::new();
        for size in [1000, 2000, 4000] {
            let sets: Vec<Vec<u64>> = (0..size)
                .map(|_| related(&mut random, &common, 400, 400 + own))
                .collect();
            let lsh = Lsh::DEFAULT.with_max_bucket(100);
            let (checked, counts) = Case::new(sets).join(&lsh, &MinHash::DEFAULT);
            assert!(counts.capped_buckets > 0, "{what}");
            let distinct: BTreeSet<_> = checked.iter().collect();
            assert!(
                distinct.len() >= size - 1,
                "{what}: every document is compared with some other"
            );
            // At most the leaders of each band, in either pass.
            assert!(counts.candidates <= 2 * 32 * 32 * size as u64, "{what}");
            work.push(counts.candidates as f64 / size as f64);
        }
        assert!(
            work[2] < 1.5 * work[0],
            "{what}: {work:?} comparisons per document"
        );
    }
}

/// A pair that one capped bucket leaves out is still found through another band.
#[test]
fn capped_buckets_hide_no_pair_that_others_show() {
    let mut random = SplitMix64::new(5);
    // Rows of 4 values; the first band is common to all, the last one to pairs of neighbors.
    #[derive(Clone)]
    struct Given;
    impl Strategy for Given {
        fn name(&self) -> &'static str {
            "given"
        }
        fn summary(&self) -> &'static str {
            "the shingles are the signature"
        }
    }
    impl Method for Given {
        fn form(&self) -> sign::Form {
            sign::Form::Values(4)
        }
        fn signer(&self, _: &Context) -> Result<Box<dyn sign::Signer>, BuildError> {
            sign::Shingles.signer(&context())
        }
    }
    let sets = (0..500)
        .map(|number: u64| vec![1, random.number(), random.number(), number / 2])
        .collect();
    let lsh = Lsh::DEFAULT.with_bands(4).with_rows(1).with_max_bucket(50);
    let (checked, counts) = Case::new(sets).join(&lsh, &Given);
    assert_eq!(counts.capped_buckets, 1);
    for pair in 0..250 {
        assert!(checked.contains(&(2 * pair, 2 * pair + 1)), "{pair}");
    }
}

/// Properties that every candidate method must have with signatures of a form that it reads.
#[test]
fn conformance() {
    let mut random = SplitMix64::new(6);
    let mut sets = vec![random_set(&mut random, 50)];
    for number in 1..40_usize {
        let with = sets[number / 2].clone();
        let common = if number % 2 == 0 { 48 } else { 0 };
        sets.push(related(&mut random, &with, common, 50));
    }
    for set in &mut sets {
        set.sort_unstable();
    }
    let case = Case::new(sets.clone());
    for candidates in ALL {
        for method in sign::ALL {
            let Ok(index) = candidates.index(*method, &context()) else {
                continue;
            };
            let (checked, counts) = case.join(*candidates, *method);
            assert_eq!(counts.candidates, checked.len() as u64, "{}", candidates.name());
            assert!(
                checked.windows(2).all(|pair| pair[0] != pair[1]),
                "{}: each pair once",
                candidates.name()
            );
            for a in 0..sets.len() as u32 {
                for b in a + 1..sets.len() as u32 {
                    let similar = resemblance(&sets[a as usize], &sets[b as usize]) > 0.9;
                    let due = match method.form() {
                        _ if !index.needs_signature() => similar,
                        sign::Form::Values(_) | sign::Form::Set { whole: true } => similar,
                        sign::Form::Set { whole: false } => false, // a sample may miss the common shingles
                        sign::Form::Keys { .. } => case.estimate(*method, a, b) > 0.0,
                        sign::Form::Bits => false, // fingerprints are made of words, and these documents have none
                    };
                    let what = format!("{} for {}: {a} and {b}", candidates.name(), method.name());
                    assert!(!due || checked.contains(&(a, b)), "{what}");
                }
            }
            for few in 0..2 {
                let (checked, _) = Case::new(sets[..few].to_vec()).join(*candidates, *method);
                assert!(checked.is_empty());
            }
        }
    }
}

#[test]
fn broder_of_the_example() {
    let sort = crate::worked_examples::example("broder_sort");
    let names = ["d1", "d2", "d3", "d4", "d5"];
    let case = Case::new(
        names
            .iter()
            .map(|name| crate::worked_examples::numbers(&sort["input"][name]))
            .collect(),
    );
    let joined = |max_df, threshold| {
        let broder = Broder::DEFAULT.with_max_df(max_df);
        let index = broder.index(&sign::Shingles, &Context::new(threshold)).unwrap();
        let (pairs, counts) = case.join_with(&*index, &sign::Shingles);
        (
            pairs
                .iter()
                .map(|&(a, b)| [names[a as usize], names[b as usize]])
                .collect::<Vec<_>>(),
            counts.cut_shingles,
        )
    };
    let pairs = |expected: &serde_json::Value, threshold: f64| -> Vec<[String; 2]> {
        let rows = list(&expected["pair_counts"]).iter();
        // The example rounds resemblance to six decimals.
        rows.filter(|row| row[3].as_f64().unwrap() >= threshold - 1e-6)
            .map(|row| [0, 1].map(|place| row[place].as_str().unwrap().to_owned()))
            .collect()
    };
    for threshold in [0.01, 0.125, 0.166_666, 0.2, 0.5, 0.6, 0.666_666, 0.7] {
        let expected = &sort["expected"];
        assert_eq!(
            serde_json::json!(joined(3, threshold).0),
            serde_json::json!(pairs(expected, threshold))
        );
        let expected = &expected["without_cut"];
        assert_eq!(
            serde_json::json!(joined(9, threshold).0),
            serde_json::json!(pairs(expected, threshold))
        );
    }
    assert_eq!(serde_json::json!(joined(3, 0.5).0), sort["expected"]["pairs"]);
    assert_eq!((joined(3, 0.5).1, joined(9, 0.5).1), (1, 0));
}

/// Counting proposes exactly the pairs that are similar enough.
#[test]
fn broder_equals_the_definition() {
    let mut random = SplitMix64::new(21);
    let sets: Vec<Vec<u64>> = (0..300)
        .map(|_| {
            let mut set: Vec<u64> = (0..random.number() % 12).map(|_| random.number() % 30).collect();
            set.sort_unstable();
            set.dedup();
            set
        })
        .collect();
    let (checked, _) = Case::new(sets.clone()).join(&Broder::DEFAULT, &sign::Shingles);
    let mut expected = Vec::new();
    for a in 0..sets.len() {
        for b in a + 1..sets.len() {
            if !sets[a].is_empty() && !sets[b].is_empty() && resemblance(&sets[a], &sets[b]) >= 0.7 {
                expected.push((a as u32, b as u32));
            }
        }
    }
    assert!(expected.len() > 10);
    assert_eq!(checked, expected);
}

/// The exact join proposes every pair at or above the threshold.
#[test]
fn exact_join_misses_nothing() {
    let mut random = SplitMix64::new(33);
    let sets: Vec<Vec<u64>> = (0..400)
        .map(|_| {
            let mut set: Vec<u64> = (0..random.number() % 20).map(|_| random.number() % 60).collect();
            set.sort_unstable();
            set.dedup();
            set
        })
        .collect();
    let case = Case::new(sets.clone());
    for threshold in [0.1, 0.3, 0.5, 0.7, 0.9, 1.0] {
        let index = ExactJoin
            .index(&sign::Shingles, &Context::new(threshold))
            .unwrap();
        let (checked, counts) = case.join_with(&*index, &sign::Shingles);
        assert_eq!(checked.len() as u64, counts.candidates);
        assert!(
            checked.windows(2).all(|pair| pair[0] != pair[1]),
            "each pair once"
        );
        let mut due = 0;
        for a in 0..sets.len() {
            for b in a + 1..sets.len() {
                if !sets[a].is_empty() && !sets[b].is_empty() && resemblance(&sets[a], &sets[b]) >= threshold
                {
                    assert!(
                        checked.contains(&(a as u32, b as u32)),
                        "{:?} {:?} at {threshold}",
                        sets[a],
                        sets[b]
                    );
                    due += 1;
                }
            }
        }
        assert!(due > 0 && checked.len() < 400 * 399 / 2);
    }
}

/// A signature method that returns the document's first shingle.
#[derive(Clone)]
struct Fingerprint;

impl Strategy for Fingerprint {
    fn name(&self) -> &'static str {
        "fingerprint"
    }
    fn summary(&self) -> &'static str {
        "the shingles are the signature"
    }
}

impl Method for Fingerprint {
    fn form(&self) -> sign::Form {
        sign::Form::Bits
    }
    fn signer(&self, _: &Context) -> Result<Box<dyn sign::Signer>, BuildError> {
        sign::Shingles.signer(&context())
    }
}

/// Random fingerprints. Some of them differ from an earlier one in few bits.
fn fingerprints(random: &mut SplitMix64, count: usize) -> Vec<u64> {
    let mut all: Vec<u64> = Vec::new();
    for number in 0..count {
        let bits = match all.get((random.number() % (number as u64 + 1)) as usize) {
            Some(&other) if number % 3 > 0 => {
                (0..random.number() % 20).fold(other, |bits, _| bits ^ 1 << (random.number() % 64))
            }
            _ => random.number(),
        };
        all.push(bits);
    }
    all
}

/// Tables and lookups find all pairs within the distance, as a comparison of all pairs does.
#[test]
fn hamming_is_complete() {
    let mut random = SplitMix64::new(41);
    for count in [300, 6000] {
        let bits = fingerprints(&mut random, count);
        let case = Case::new(bits.iter().map(|&bits| vec![bits]).collect());
        for distance in [0, 1, 3, 5, 8, 15] {
            let hamming = Hamming::DEFAULT
                .with_distance(distance)
                .with_max_bucket(count as u32);
            let (checked, _) = case.join(&hamming, &Fingerprint);
            let mut expected = Vec::new();
            for a in 0..bits.len() {
                for b in a + 1..bits.len() {
                    if (bits[a] ^ bits[b]).count_ones() <= distance {
                        expected.push((a as u32, b as u32));
                    }
                }
            }
            assert!(expected.len() > 10 || count == 300);
            assert!(checked == expected, "{count} fingerprints, distance {distance}");
        }
    }
}

/// The lookup of near 16-bit blocks finds all pairs for every distance in its range, including distances for which
/// another plan is cheaper.
#[test]
fn lookups_of_near_blocks_are_complete() {
    let mut random = SplitMix64::new(43);
    let bits = fingerprints(&mut random, 1500);
    let mut rows = Rows::new();
    bits.iter().for_each(|bits| rows.push(&[*bits]));
    let documents: Vec<u32> = (0..bits.len() as u32).collect();
    let contents: Vec<u128> = documents.iter().map(|&document| document.into()).collect();
    let input = JoinInput {
        documents: &documents,
        rows: &rows,
        contents: &contents,
        further: None,
    };
    for distance in 0..=15 {
        let admits = |a: &[u64], b: &[u64]| (a[0] ^ b[0]).count_ones() <= distance;
        let check = |a: u32, b: u32, _: Option<u32>| Some(ScoredPair::new(a, b, 1.0, None));
        let mut found = Vec::new();
        crate::candidates::fingerprints::lookup(
            distance / 4,
            GroupLimit::new(1500),
            &input,
            &admits,
            &check,
            &mut found,
        );
        let mut found: Vec<(u32, u32)> = found.iter().map(|pair| (pair.a, pair.b)).collect();
        found.sort_unstable();
        let mut expected = Vec::new();
        for &a in &documents {
            for b in a + 1..bits.len() as u32 {
                if (bits[a as usize] ^ bits[b as usize]).count_ones() <= distance {
                    expected.push((a, b));
                }
            }
        }
        assert!(found == expected, "distance {distance}");
    }
}

/// A pair that a capped value of one block leaves out is compared in a later block that has it, and every pair is
/// compared once.
#[test]
fn a_capped_block_hides_no_pair_that_a_later_block_shows() {
    let mut random = SplitMix64::new(47);
    let half = 150_u32;
    let later = (0..half).map(|_| random.number() >> 16 << 16);
    let later: Vec<u64> = later.collect();
    // All documents agree in the first block, and each agrees with one other document in the second block.
    let bits = later.iter().map(|bits| bits | 7);
    let partners = later.iter().map(|bits| (bits ^ 1 << 40) | 7);
    let mut rows = Rows::new();
    bits.chain(partners).for_each(|bits| rows.push(&[bits]));
    let documents: Vec<u32> = (0..2 * half).collect();
    let contents: Vec<u128> = documents
        .iter()
        .map(|&document| (document * 7 % 300).into())
        .collect();
    let input = JoinInput {
        documents: &documents,
        rows: &rows,
        contents: &contents,
        further: None,
    };
    let check = |a: u32, b: u32, _: Option<u32>| Some(ScoredPair::new(a, b, 1.0, None));
    let mut found = Vec::new();
    let limit = GroupLimit::new(50);
    let counts = crate::candidates::fingerprints::lookup(0, limit, &input, &|_, _| true, &check, &mut found);
    assert_eq!(counts.capped_buckets, 1);
    let mut found: Vec<(u32, u32)> = found.iter().map(|pair| (pair.a, pair.b)).collect();
    found.sort_unstable();
    assert!(found.windows(2).all(|pairs| pairs[0] != pairs[1]));
    assert_eq!(counts.candidates, found.len() as u64);
    let missed = (0..half).filter(|&a| found.binary_search(&(a, a + half)).is_err());
    assert_eq!(missed.count(), 0);
}

/// Equal fingerprints of many documents cost linear work, and each document is compared at least once.
#[test]
fn hot_fingerprints_stay_linear() {
    let mut random = SplitMix64::new(43);
    for distance in [3, 12] {
        let mut work = Vec::new();
        for count in [5000_usize, 10_000, 20_000] {
            let bits: Vec<u64> = (0..count)
                .map(|number| if number % 2 == 0 { 7 } else { random.number() })
                .collect();
            let case = Case::new(bits.into_iter().map(|bits| vec![bits]).collect());
            let hamming = Hamming::DEFAULT.with_distance(distance).with_max_bucket(100);
            let (checked, counts) = case.join(&hamming, &Fingerprint);
            assert!(counts.capped_buckets > 0);
            let mut met = vec![false; count];
            for (a, b) in checked {
                met[a as usize] = true;
                met[b as usize] = true;
            }
            assert!(met.iter().step_by(2).all(|met| *met), "distance {distance}");
            work.push(counts.candidates as f64 / count as f64);
        }
        assert!(work[2] < 1.5 * work[0], "{work:?} comparisons per document");
    }
}

#[test]
fn lengths_decide() {
    let lengths = crate::worked_examples::example("length_window");
    let index = LengthWindow::DEFAULT
        .index(&MinHash::DEFAULT, &context())
        .unwrap();
    let lengths = crate::worked_examples::numbers(&lengths["input"]);
    let mut rows = Rows::new();
    for &length in &lengths {
        let tokens: Tokens = (0..length).map(|_| "a").collect();
        let mut row = Vec::new();
        index.row(&Document::new(&tokens, &[]), &[], &mut row);
        rows.push(&row);
    }
    let documents: Vec<u32> = (0..lengths.len() as u32).collect();
    let input = JoinInput {
        documents: &documents,
        rows: &rows,
        contents: &[],
        further: None,
    };
    assert_eq!(
        index.join(&input, &|_, _, _| None, &mut Vec::new()).candidates,
        19
    );

    // With a tolerance, fingerprints of documents of different lengths are not compared.
    let near = Hamming::DEFAULT
        .with_tolerance(Some(0.2))
        .index(&Fingerprint, &context())
        .unwrap();
    let mut rows = Rows::new();
    for &length in &lengths {
        rows.push(&[5, length]);
    }
    let input = JoinInput {
        documents: &documents,
        rows: &rows,
        contents: &[],
        further: None,
    };
    assert_eq!(near.join(&input, &|_, _, _| None, &mut Vec::new()).candidates, 19);
    assert!(
        Hamming::DEFAULT
            .with_tolerance(Some(2.0))
            .index(&Fingerprint, &context())
            .is_err()
    );
    assert!(
        Hamming::DEFAULT
            .with_distance(16)
            .index(&Fingerprint, &context())
            .is_err()
    );
}
