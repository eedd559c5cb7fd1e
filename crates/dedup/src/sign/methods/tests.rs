use std::sync::Arc;

use super::*;
use crate::numeric::random::SplitMix64;
use crate::numeric::sets::resemblance;
use crate::sign::estimate::any_key;
use crate::sign::method::{Form, Method, Signer};
use crate::text::descriptive::DescriptiveWords;
use crate::text::document::{Context, Document};
use crate::text::lexicon::Lexicon;
use crate::text::statistics::{Statistics, StatisticsBuilder};
use crate::text::tokens::Tokens;
use crate::worked_examples::{
    TEXTS, assert_close, assert_settings, assert_table_matches_folder, example, hex, list, numbers,
    statistics, text, words_and_shingles,
};

/// A context in which every method can be built.
fn context() -> Context {
    let statistics = statistics(&["a b c", "b c d", "e f", "f", "мама мыла", "x y z"]);
    let words = DescriptiveWords::from_words(["a", "b", "c", "мама"].map(|word| (word, 0.1)));
    Context::new(0.8)
        .with_statistics(statistics)
        .with_descriptive_words(Arc::new(words))
}

/// Signature of a text whose shingles are two words.
fn sign(signer: &dyn Signer, text: &str) -> Vec<u64> {
    let (tokens, shingles) = words_and_shingles(text);
    let mut out = Vec::new();
    signer.sign(&Document::new(&tokens, &shingles), &mut out);
    out
}

fn shingles_of(text: &str) -> Vec<u64> {
    words_and_shingles(text).1
}

const FAMILIES: [HashFamily; 3] = [
    HashFamily::Universal,
    HashFamily::OnePermutation,
    HashFamily::FastSketch,
];

#[test]
fn table_matches_folder() {
    assert_table_matches_folder::<dyn Method>("sign/methods");
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    let error = <dyn Method>::named("minhsah").err().unwrap();
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
    assert_settings::<dyn Method>("minhsah", "minhash");
}

/// Properties that every signature method must have.
#[test]
fn conformance() {
    for method in ALL {
        let signer = method.signer(&context()).unwrap();
        let signatures: Vec<Vec<u64>> = TEXTS.iter().map(|text| sign(&*signer, text)).collect();
        for (text, a) in TEXTS.iter().zip(&signatures) {
            assert_eq!(
                *a,
                sign(&*signer, text),
                "{}: equal documents have equal signatures",
                method.name()
            );
            match method.form() {
                Form::Values(width) => assert_eq!(a.len(), width as usize),
                Form::Set { .. } => assert!(a.windows(2).all(|pair| pair[0] < pair[1])),
                Form::Keys { words } => assert!(a.len().is_multiple_of(words as usize)),
                Form::Bits => assert_eq!(a.len(), 1),
            }
            if !a.is_empty() {
                assert_eq!(signer.estimate(a, a), 1.0, "{}: {text}", method.name());
            }
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
        .with_family(HashFamily::Universal)
        .hasher()
        .unwrap();
    let coefficients = list(&universal["expected"]["a1_b1"]);
    let expected: Vec<u64> = coefficients
        .iter()
        .map(|number| text(number).parse().unwrap())
        .collect();
    assert_eq!(hasher.coefficients()[0], (expected[0], expected[1]));

    let signatures: Vec<Vec<u64>> = list(&universal["input"])
        .iter()
        .map(|input| {
            let mut out = vec![0; 8];
            hasher.sign(&shingles_of(text(input)), &mut out);
            out
        })
        .collect();
    for (found, name) in signatures.iter().zip(["sig1", "sig2", "empty"]) {
        let expected: Vec<u64> = list(&universal["expected"][name]).iter().map(hex).collect();
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
    for (place, width) in list(&error["input"]["n"]).iter().enumerate() {
        let width = width.as_u64().unwrap() as u32;
        let hasher = MinHash::DEFAULT
            .with_width(width)
            .with_family(HashFamily::Universal)
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

/// The lecture's examples give the permutations and hash functions: signatures are minima by definition.
#[test]
fn minhash_by_definition() {
    let slide = example("minhash_permutations");
    let rows: Vec<&[u8]> = list(&slide["input"]["rows"])
        .iter()
        .map(|row| text(row).as_bytes())
        .collect();
    let permutations = list(&slide["input"]["permutations"]);
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

/// Over many pairs of sets, the mean error of estimates is near 0, and their variance is at most that of the formula.
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
            let allowed = if family == HashFamily::OnePermutation {
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

#[test]
fn md5_of_the_example() {
    let vectors = example("hash_vectors");
    for (input, expected) in list(&vectors["input"])
        .iter()
        .zip(list(&vectors["expected"]["md5"]))
    {
        let digest: String = Md5::digest(text(input))
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(digest, text(expected));
    }
    let signed = sign(&Md5, "привет мир");
    assert_eq!(
        format!("{:016x}{:016x}", signed[0], signed[1]),
        text(&vectors["expected"]["md5"][3])
    );
}

#[test]
fn supershingles_of_the_example() {
    let supers = example("supershingles");
    let shingles = shingles_of(text(&supers["input"]));
    let found = Supershingles::DEFAULT.hasher().unwrap().supershingles(&shingles);
    let expected: Vec<u64> = list(&supers["expected"]["supershingles"])
        .iter()
        .map(hex)
        .collect();
    assert_eq!(found, expected);
    let megashingles: Vec<u64> = Megashingles::megashingles(&found).collect();
    assert_eq!(megashingles.len() as u64, supers["expected"]["megashingle_count"]);
    assert_eq!(megashingles[0], hex(&supers["expected"]["first_megashingle"]));

    let probability = example("supershingle_probability");
    for (place, similarity) in list(&probability["input"]).iter().enumerate() {
        let similarity = similarity.as_f64().unwrap();
        assert_close(
            similarity.powi(14),
            &probability["expected"]["one_supershingle"][place],
        );
        assert_close(
            Supershingles::DEFAULT.probability(similarity, 2),
            &probability["expected"]["match"][place],
        );
    }
}

#[test]
fn broder_sketches_of_the_example() {
    let sketches = example("broder_sketches");
    let (a, b) = (numbers(&sketches["input"]["A"]), numbers(&sketches["input"]["B"]));
    let expected = &sketches["expected"];
    let min = MinSketch::DEFAULT.with_size(4);
    assert_eq!(min.sketch(&a), numbers(&expected["MIN_A"]));
    assert_eq!(min.sketch(&b), numbers(&expected["MIN_B"]));
    assert_close(
        min.resemblance(min.sketch(&a), min.sketch(&b)),
        &expected["resemblance_min"],
    );
    let modulo = ModSketch::DEFAULT.with_modulus(3);
    let (mod_a, mod_b): (Vec<u64>, Vec<u64>) = (modulo.sketch(&a).collect(), modulo.sketch(&b).collect());
    assert_eq!(mod_a, numbers(&expected["MOD_A"]));
    assert_eq!(mod_b, numbers(&expected["MOD_B"]));
    assert_close(resemblance(&mod_a, &mod_b), &expected["resemblance_mod"]);
    assert_close(
        crate::numeric::sets::containment(&mod_a, &mod_b),
        &expected["containment_mod_A_in_B"],
    );
    assert_close(resemblance(&a, &b), &expected["resemblance_exact"]);
}

/// Sketches estimate resemblance.
#[test]
fn sketches_estimate_resemblance() {
    let mut random = SplitMix64::new(2);
    let set = |random: &mut SplitMix64, from: &[u64], own: usize| {
        let mut set: Vec<u64> = from
            .iter()
            .copied()
            .chain((0..own).map(|_| random.number()))
            .collect();
        set.sort_unstable();
        set
    };
    for method in [&MinSketch::DEFAULT as &dyn Method, &ModSketch::DEFAULT] {
        let signer = method.signer(&context()).unwrap();
        let tokens = Tokens::new();
        let common = set(&mut random, &[], 10_000);
        let sets = [set(&mut random, &common, 2500), set(&mut random, &common, 2500)];
        let signatures = sets.map(|set| {
            let mut out = Vec::new();
            signer.sign(&Document::new(&tokens, &set), &mut out);
            out
        });
        let estimate = signer.estimate(&signatures[0], &signatures[1]);
        assert!(
            (estimate - 10.0 / 15.0).abs() < 0.1,
            "{}: {estimate}",
            method.name()
        );
    }
}

/// The documents of an example, and their statistics.
fn collection(input: &serde_json::Value) -> (Vec<(&str, Tokens)>, Arc<Statistics>) {
    let documents: Vec<(&str, Tokens)> = input
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, input)| {
            let mut tokens = Tokens::new();
            match input.as_array() {
                Some(sentences) => {
                    for sentence in sentences {
                        tokens.push_joined(&text(sentence).to_lowercase());
                        tokens.end_sentence();
                    }
                }
                None => tokens.push_joined(text(input)),
            }
            (name.as_str(), tokens)
        })
        .collect();
    let mut statistics = StatisticsBuilder::new();
    for (_, tokens) in &documents {
        statistics.add(tokens);
    }
    (documents, Arc::new(statistics.build()))
}

fn signature_of(method: &dyn Method, statistics: &Arc<Statistics>, tokens: &Tokens) -> Vec<u64> {
    let signer = method
        .signer(&Context::new(0.8).with_statistics(Arc::clone(statistics)))
        .unwrap();
    let mut out = Vec::new();
    signer.sign(&Document::new(tokens, &[]), &mut out);
    out
}

#[test]
fn lexical_signatures_of_the_example() {
    let lexical = example("lexical_signatures");
    let (documents, statistics) = collection(&lexical["input"]);
    let expected = &lexical["expected"];
    assert_close(statistics.mean_length(), &expected["avgdl"]);
    for (term, documents) in expected["df"].as_object().unwrap() {
        assert_eq!(
            u64::from(statistics.term(term).documents),
            documents.as_u64().unwrap()
        );
    }

    let first = &documents[0].1;
    let check = |weights: Vec<(&str, f64)>, name: &str| {
        let expected = expected[name].as_object().unwrap();
        assert_eq!(weights.len(), expected.len());
        for (term, weight) in weights {
            assert_close(weight, &expected[term]);
        }
    };
    let okapi = TfIdf::DEFAULT.with_formula(Formula::Okapi);
    check(Tf::DEFAULT.weights(first, &statistics), "tf_a");
    check(TfIdf::DEFAULT.weights(first, &statistics), "tfidf_slide_a");
    check(okapi.weights(first, &statistics), "tfidf_zs_a");
    check(TfRidf::DEFAULT.weights(first, &statistics), "tfridf_a");
    check(OptFreq::DEFAULT.weights(first, &statistics), "optfreq_a");

    for (name, tokens) in &documents {
        let expected = &expected["signatures"][name];
        let heaviest = |weights| serde_json::json!(crate::text::terms::heaviest(weights, 3));
        assert_eq!(
            heaviest(Tf::DEFAULT.weights(tokens, &statistics)),
            expected["TF_terms"]
        );
        assert_eq!(
            heaviest(TfIdf::DEFAULT.weights(tokens, &statistics)),
            expected["TFIDF_terms"]
        );
        assert_eq!(
            heaviest(OptFreq::DEFAULT.weights(tokens, &statistics)),
            expected["OptFreq_terms"]
        );
        let three = Tf::DEFAULT.with_terms(3);
        assert_eq!(signature_of(&three, &statistics, tokens), [hex(&expected["TF"])]);
        let three = TfIdf::DEFAULT.with_terms(3);
        assert_eq!(
            signature_of(&three, &statistics, tokens),
            [hex(&expected["TFIDF"])]
        );
    }
    let few: Tokens = "кот и кот".split(' ').collect();
    assert!(
        signature_of(&Tf::DEFAULT, &statistics, &few).is_empty(),
        "two different terms are too few"
    );
}

#[test]
fn sentence_signatures_of_the_examples() {
    let long = example("long_sent");
    let (documents, statistics) = collection(&long["input"]);
    for (name, tokens) in &documents {
        let expected = &long["expected"][name];
        let chosen = LongSent::DEFAULT.choose(tokens, &statistics);
        let mut sentences: Vec<&str> = chosen.into_iter().map(|(_, text)| text).collect();
        sentences.sort_unstable();
        assert_eq!(serde_json::json!(sentences), expected["sentences"]);
        assert_eq!(
            signature_of(&LongSent::DEFAULT, &statistics, tokens),
            [hex(&expected["signature"])]
        );
    }

    let heavy = example("heavy_sent");
    for (name, tokens) in &documents {
        let expected = &heavy["expected"][name];
        let chosen = HeavySent::DEFAULT.choose(tokens, &statistics);
        for ((weight, sentence), expected) in chosen.into_iter().zip(list(&expected["ranked"])) {
            assert_close(weight, &expected[0]);
            assert_eq!(sentence, text(&expected[1]));
        }
        assert_eq!(
            signature_of(&HeavySent::DEFAULT, &statistics, tokens),
            [hex(&expected["signature"])]
        );
    }
}

#[test]
fn lexicon_signatures_of_the_examples() {
    let random = example("lex_rand");
    let (documents, statistics) = collection(&random["input"]["docs"]);
    let lexicon = |terms: &serde_json::Value| Arc::new(Lexicon::from_terms(list(terms).iter().map(text)));
    let i_match = IMatch::DEFAULT.with_min_terms(2);
    let hexadecimal = |key: u64| format!("{key:016x}");
    for (name, tokens) in &documents {
        let primary = i_match.clone().with_lexicon(lexicon(&random["input"]["primary"]));
        let found = signature_of(&primary, &statistics, tokens)
            .first()
            .copied()
            .map(hexadecimal);
        assert_eq!(
            serde_json::json!(found),
            random["expected"]["i_match_primary"][name]
        );

        let mut keys = Vec::new();
        for (number, terms) in random["input"]["sub_lexicons"].as_object().unwrap() {
            let lexicon = lexicon(terms);
            let key = i_match.key(tokens, |term| lexicon.contains(term));
            keys.extend(key.map(|key| format!("{number}:{}", hexadecimal(key))));
        }
        assert_eq!(serde_json::json!(keys), random["expected"]["lex_rand"][name]);
    }

    let reduced = example("lex_rand_sublexicons");
    let terms: Vec<&str> = list(&reduced["input"]).iter().map(text).collect();
    for (number, expected) in (0..).zip(list(&reduced["expected"])) {
        let mut kept: Vec<&str> = terms
            .iter()
            .copied()
            .filter(|term| LexRand::DEFAULT.keeps(number, term))
            .collect();
        kept.sort_unstable();
        assert_eq!(serde_json::json!(kept), *expected);
    }
}

#[test]
fn lex_rand_survives_what_breaks_i_match() {
    let primary = Arc::new(Lexicon::from_terms(["a", "b", "c", "d", "e", "f", "g", "h"]));
    let i_match = IMatch::DEFAULT.with_lexicon(primary);
    let lex_rand = LexRand::DEFAULT.with_i_match(i_match.clone()).with_primary(true);
    let statistics = Arc::new(Statistics::default());
    let keys = |text: &str| signature_of(&lex_rand, &statistics, &text.split(' ').collect());
    let (a, b) = (keys("a b c d e f g"), keys("a b c d e f h"));
    assert_eq!(a.len(), 22, "ten lexicons and the primary one, two words each");
    assert_eq!(any_key(&a, &b, 2), 1.0);
    let key = |text: &str| signature_of(&i_match, &statistics, &text.split(' ').collect());
    assert_ne!(key("a b c d e f g"), key("a b c d e f h"));
    assert_eq!(
        key("a b c d e f g"),
        key("g f e d c b a q a"),
        "order and other words do not matter"
    );
}

#[test]
fn statistics_are_asked_for() {
    for method in ALL {
        let without = method.signer(&Context::new(0.8));
        assert_eq!(without.is_err(), method.needs_statistics(), "{}", method.name());
        if let Err(error) = without {
            assert!(error.needs_statistics());
            assert!(error.to_string().contains(method.name()));
        }
    }
}

#[test]
fn simhash_of_the_examples() {
    let toy = example("simhash_toy");
    let binary = |text: &str| u64::from_str_radix(text.trim_start_matches("0b"), 2).unwrap();
    let features: Vec<(u64, f64)> = list(&toy["input"])
        .iter()
        .map(|feature| {
            (
                binary(text(&feature["hash"])),
                feature["weight"].as_f64().unwrap(),
            )
        })
        .collect();
    let bits = |tie| SimHash::DEFAULT.with_tie(tie).bits(features.iter().copied()) & 0b1111;
    assert_eq!(bits(Tie::Zero), binary(text(&toy["expected"]["tie_zero"])));
    assert_eq!(bits(Tie::One), binary(text(&toy["expected"]["tie_one"])));

    let simhash = example("simhash64");
    let signer = SimHash::DEFAULT.signer(&context()).unwrap();
    let inputs = list(&simhash["input"]);
    let found: Vec<u64> = inputs
        .iter()
        .map(|input| sign(&*signer, text(input)).first().copied().unwrap_or(0))
        .collect();
    let expected: Vec<u64> = list(&simhash["expected"]["simhash"]).iter().map(hex).collect();
    assert_eq!(found, expected);
    let distance = |a: usize, b: usize| u64::from((found[a] ^ found[b]).count_ones());
    assert_eq!(
        distance(0, 1),
        simhash["expected"]["hamming_1_2"].as_u64().unwrap()
    );
    assert_eq!(
        distance(0, 2),
        simhash["expected"]["hamming_1_3"].as_u64().unwrap()
    );

    let theory = example("simhash_theory");
    let degrees = list(&theory["input"]["angle_degrees"]).iter();
    for (degrees, expected) in degrees.zip(list(&theory["expected"]["expected_hamming"])) {
        let hamming = 64.0 * degrees.as_f64().unwrap() / 180.0;
        assert!((hamming - expected.as_f64().unwrap()).abs() < 1e-4);
    }
}

#[test]
fn simhash_options() {
    let bits = |method: SimHash, text: &str| sign(&*method.signer(&context()).unwrap(), text)[0];
    let (a, b) = ("a b c d e f g h", "h g f e d c b a");
    assert_eq!(
        bits(SimHash::DEFAULT, a),
        bits(SimHash::DEFAULT, b),
        "the order of words does not matter"
    );
    let pairs = SimHash::DEFAULT.with_words(2);
    assert_ne!(bits(pairs, a), bits(pairs, b), "that of pairs of words does");
    let weighted = SimHash::DEFAULT.with_weight(Weight::TfIdf);
    assert_ne!(
        bits(weighted, "a b c q r s"),
        bits(SimHash::DEFAULT, "a b c q r s")
    );
    assert!(pairs.with_weight(Weight::TfIdf).signer(&context()).is_err());
    assert!(SimHash::DEFAULT.with_words(0).signer(&context()).is_err());
}
