use super::*;
use crate::random::SplitMix64;
use crate::shingle::Shingler;
use crate::similarity::resemblance;
use crate::tokens::Tokens;
use crate::worked::{assert_close, assert_table_matches_folder, example, hex, text};

fn context() -> Context {
    Context { threshold: 0.8 }
}

/// Signature of a text whose shingles are two words.
fn sign(signer: &dyn Signer, text: &str) -> Vec<u64> {
    let tokens: Tokens = text.split(' ').collect();
    let mut shingles = Vec::new();
    Shingler::words(2).shingle(&tokens, &mut shingles);
    let mut out = Vec::new();
    signer.sign(
        &Document {
            tokens: &tokens,
            shingles: &shingles,
        },
        &mut out,
    );
    out
}

fn shingles_of(text: &str) -> Vec<u64> {
    let mut shingles = Vec::new();
    Shingler::words(2).shingle(&text.split(' ').collect(), &mut shingles);
    shingles
}

const FAMILIES: [Family; 3] = [Family::Universal, Family::OnePermutation, Family::FastSketch];

#[test]
fn table_matches_folder() {
    assert_table_matches_folder("signature", ALL.iter().map(|method| method.name()));
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    let error = named("minhsah").err().unwrap();
    assert_eq!(error.parameter(), Some("signature"));
    assert!(error.known().contains(&"minhash"));
    assert!(
        error
            .to_string()
            .starts_with("unknown signature `minhsah`; known: "),
        "{error}"
    );
}

#[test]
fn every_parameter_takes_its_default_and_refuses_nonsense() {
    for method in ALL {
        for parameter in method.parameters() {
            assert!(
                method.set(parameter.name, parameter.default).is_ok(),
                "{} {}",
                method.name(),
                parameter.name
            );
            let error = method.set(parameter.name, "nonsense").err().unwrap();
            assert!(error.to_string().contains("nonsense"), "{error}");
        }
        let error = method.set("none-such", "1").err().unwrap();
        assert!(error.to_string().contains("none-such"), "{error}");
    }
}

/// What every signature method must do.
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
    for method in ALL {
        let signer = method.signer(&context()).unwrap();
        let signatures: Vec<Vec<u64>> = texts.iter().map(|text| sign(&*signer, text)).collect();
        for (text, a) in texts.iter().zip(&signatures) {
            assert_eq!(
                *a,
                sign(&*signer, text),
                "{}: equal documents have equal signatures",
                method.name()
            );
            match method.form() {
                Form::Values(width) => assert_eq!(a.len(), width as usize),
                Form::Set => assert!(a.windows(2).all(|pair| pair[0] < pair[1])),
            }
            assert_eq!(signer.estimate(a, a), 1.0, "{}: {text}", method.name());
            for b in &signatures {
                let estimate = signer.estimate(a, b);
                assert!((0.0..=1.0).contains(&estimate), "{}", method.name());
                assert_eq!(estimate, signer.estimate(b, a), "{}: symmetric", method.name());
            }
        }
    }
}

#[test]
fn minhash_of_the_example() {
    let universal = example("minhash_universal");
    let hasher = MinHash::DEFAULT
        .with_width(8)
        .with_family(Family::Universal)
        .hasher()
        .unwrap();
    let coefficients = universal["expected"]["a1_b1"].as_array().unwrap();
    let expected: Vec<u64> = coefficients
        .iter()
        .map(|number| text(number).parse().unwrap())
        .collect();
    assert_eq!(hasher.coefficients()[0], (expected[0], expected[1]));

    let signatures: Vec<Vec<u64>> = universal["input"]
        .as_array()
        .unwrap()
        .iter()
        .map(|input| {
            let mut out = vec![0; 8];
            hasher.sign(&shingles_of(text(input)), &mut out);
            out
        })
        .collect();
    for (found, name) in signatures.iter().zip(["sig1", "sig2", "empty"]) {
        let expected: Vec<u64> = universal["expected"][name]
            .as_array()
            .unwrap()
            .iter()
            .map(hex)
            .collect();
        assert_eq!(*found, expected, "{name}");
    }
    assert_close(
        MinHasher::estimate(&signatures[0], &signatures[1]),
        &universal["expected"]["estimate"],
    );
}

#[test]
fn minhash_error_of_the_example() {
    let error = example("minhash_error");
    let texts = example("minhash_universal")["input"].clone();
    let sets = [shingles_of(text(&texts[0])), shingles_of(text(&texts[1]))];
    let exact = resemblance(&sets[0], &sets[1]);
    assert_close(exact, &error["expected"]["exact"]);
    for (place, width) in error["input"]["n"].as_array().unwrap().iter().enumerate() {
        let width = width.as_u64().unwrap() as u32;
        let hasher = MinHash::DEFAULT
            .with_width(width)
            .with_family(Family::Universal)
            .hasher()
            .unwrap();
        let mut rows = [vec![0; width as usize], vec![0; width as usize]];
        for (row, set) in rows.iter_mut().zip(&sets) {
            hasher.sign(set, row);
        }
        assert_close(
            MinHasher::estimate(&rows[0], &rows[1]),
            &error["expected"]["estimate"][place],
        );
        assert_close(
            (exact * (1.0 - exact) / f64::from(width)).sqrt(),
            &error["expected"]["stderr_formula"][place],
        );
    }
}

/// The lecture's examples, in which the permutations and hash functions are given: minima by definition.
#[test]
fn minhash_by_definition() {
    let slide = example("minhash_permutations");
    let rows: Vec<&[u8]> = slide["input"]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| text(row).as_bytes())
        .collect();
    let permutations = slide["input"]["permutations"].as_array().unwrap();
    let columns: Vec<Vec<usize>> = (0..4)
        .map(|column| (0..rows.len()).filter(|&row| rows[row][column] == b'1').collect())
        .collect();
    let signature = |column: &[usize]| -> Vec<u64> {
        permutations
            .iter()
            .map(|order| {
                column
                    .iter()
                    .map(|&row| order[row].as_u64().unwrap())
                    .min()
                    .unwrap()
            })
            .collect()
    };
    let signatures: Vec<Vec<u64>> = columns.iter().map(|column| signature(column)).collect();
    let expected = &slide["expected"];
    assert_eq!(serde_json::json!(signatures), expected["signatures_by_column"]);
    let sets: Vec<Vec<u64>> = columns
        .iter()
        .map(|column| column.iter().map(|&row| row as u64).collect())
        .collect();
    for (pair, a, b) in [("1-3", 0, 2), ("2-4", 1, 3), ("1-2", 0, 1), ("3-4", 2, 3)] {
        assert_close(resemblance(&sets[a], &sets[b]), &expected["col_col"][pair]);
        assert_close(
            MinHasher::estimate(&signatures[a], &signatures[b]),
            &expected["sig_sig"][pair],
        );
    }
}

#[test]
fn order_and_repetition_do_not_matter() {
    for family in FAMILIES {
        let hasher = MinHash::DEFAULT.with_family(family).hasher().unwrap();
        let mut random = SplitMix64::new(1);
        for size in [1, 2, 17, 300] {
            let set: Vec<u64> = (0..size).map(|_| random.number()).collect();
            let mut mixed: Vec<u64> = set.iter().rev().chain(&set).copied().collect();
            mixed.rotate_left(size / 3);
            let (mut a, mut b) = (vec![0; 128], vec![0; 128]);
            hasher.sign(&set, &mut a);
            hasher.sign(&mixed, &mut b);
            assert_eq!(a, b, "{family:?}");
            assert!(!a.contains(&u64::MAX), "{family:?}: no place stays empty");
        }
    }
}

/// Over many pairs of sets, estimates are right on average, and scatter no more than the formula says.
#[test]
fn estimates_are_unbiased() {
    let (size, rounds, width) = (90_u32, 400_u32, 128);
    for family in FAMILIES {
        for common in [30, 60, 80] {
            let exact = f64::from(common) / f64::from(2 * size - common);
            let (mut sum, mut squares) = (0.0, 0.0);
            for round in 0..rounds {
                let mut random = SplitMix64::new(u64::from(round) << 20);
                let all: Vec<u64> = (0..2 * size - common).map(|_| random.number()).collect();
                let hasher = MinHash::DEFAULT
                    .with_family(family)
                    .with_seed(u64::from(round))
                    .hasher()
                    .unwrap();
                let (mut a, mut b) = (vec![0; width], vec![0; width]);
                hasher.sign(&all[..size as usize], &mut a);
                hasher.sign(&all[(size - common) as usize..], &mut b);
                let error = MinHasher::estimate(&a, &b) - exact;
                sum += error;
                squares += error * error;
            }
            let deviation = (squares / f64::from(rounds)).sqrt();
            let formula = (exact * (1.0 - exact) / width as f64).sqrt();
            let mean_error = sum / f64::from(rounds);
            assert!(
                mean_error.abs() < 4.0 * deviation / f64::from(rounds).sqrt(),
                "{family:?} {exact}: {mean_error}"
            );
            let allowed = if family == Family::OnePermutation {
                1.5
            } else {
                1.15
            };
            assert!(
                deviation < allowed * formula,
                "{family:?} {exact}: {deviation}, formula {formula}"
            );
        }
    }
}

#[test]
fn widths_out_of_range_are_refused() {
    for width in [0, 4097] {
        let error = MinHash::DEFAULT.with_width(width).hasher().unwrap_err();
        assert_eq!(error.parameter(), Some("width"));
    }
}
