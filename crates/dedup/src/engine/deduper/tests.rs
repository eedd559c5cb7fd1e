use proptest::prelude::*;

use super::*;
use crate::candidates;
use crate::candidates::BruteForce;
use crate::candidates::join::spill::tests::MemoryFiles;
use crate::cluster;
use crate::engine::document_rows::DocumentKind;
use crate::engine::options::{Action, ShortDocuments};
use crate::engine::outcome::Reason;
use crate::keep::facts::DocumentFacts;
use crate::keep::methods::Oldest;
use crate::numeric::random::SplitMix64;
use crate::sign;
use crate::sign::Shingles;
use crate::strategy::entry::Family;
use crate::text::descriptive::DescriptiveWords;
use crate::text::shingle::Shingler;
use crate::text::statistics::StatisticsBuilder;
use crate::verify;

/// A text of `count` random words.
fn words(random: &mut SplitMix64, count: usize) -> Vec<String> {
    (0..count)
        .map(|_| format!("w{}", random.number() % 5000))
        .collect()
}

/// The words with about one in `one_in` changed.
fn edited(random: &mut SplitMix64, words: &[String], one_in: u64) -> Vec<String> {
    let mut edit = |word: &String| {
        if random.number().is_multiple_of(one_in) {
            format!("x{}", random.number())
        } else {
            word.clone()
        }
    };
    words.iter().map(&mut edit).collect()
}

/// Originals, copies, near copies, short and empty documents.
fn corpus(seed: u64, size: usize) -> Vec<String> {
    let mut random = SplitMix64::new(seed);
    let mut texts: Vec<String> = Vec::new();
    let mut original = words(&mut random, 60);
    for number in 0..size {
        let text = match number % 7 {
            0 => {
                original = words(&mut random, 60);
                original.clone()
            }
            1 => original.clone(),
            2 | 3 => edited(&mut random, &original, 40),
            4 => edited(&mut random, &original, 12),
            5 => words(&mut random, number % 3),
            _ => words(&mut random, 60),
        };
        texts.push(text.join(" "));
    }
    texts
}

fn run(options: &Options, texts: &[String]) -> Outcome {
    let mut deduper = Deduper::new(options.clone()).unwrap();
    for text in texts {
        deduper.add(text.split(' ')).unwrap();
    }
    deduper.finish(&()).unwrap()
}

fn pairs(outcome: &Outcome) -> Vec<(u32, u32, f64)> {
    outcome
        .all_pairs()
        .map(|pair| (pair.a, pair.b, pair.similarity))
        .collect()
}

/// All pairs of documents by definition, identical documents included.
fn expected(options: &Options, texts: &[String]) -> Vec<(u32, u32, f64)> {
    let sets: Vec<(usize, Vec<u64>)> = texts
        .iter()
        .map(|text| {
            let tokens: Tokens = text.split(' ').collect();
            let mut out = Vec::new();
            options.shingler().shingle(&tokens, &mut out);
            (tokens.len(), out)
        })
        .collect();
    let mut expected = Vec::new();
    for (a, (length, set)) in sets.iter().enumerate() {
        for (b, (_, other)) in sets.iter().enumerate().skip(a + 1) {
            let similarity = crate::numeric::sets::resemblance(set, other);
            let identical = *length > 0 && texts[a] == texts[b];
            let near = *length >= 20 && sets[b].0 >= 20 && similarity >= options.threshold();
            if identical || near {
                expected.push((a as u32, b as u32, similarity));
            }
        }
    }
    expected
}

#[test]
fn finds_what_the_definition_says() {
    let texts = corpus(1, 200);
    let options = Options::default()
        .with_threshold(0.6)
        .with_shingler(Shingler::words(2));
    let expected = expected(&options, &texts);
    assert!(expected.len() > 100);
    assert_eq!(pairs(&run(&options, &texts)), expected, "minhash and lsh");
    let exact = options
        .with_signature(Arc::new(Shingles))
        .with_candidates(Arc::new(BruteForce));
    assert_eq!(pairs(&run(&exact, &texts)), expected, "all pairs");
    assert_eq!(
        pairs(&run(&exact.with_verification(false), &texts)),
        expected,
        "by the signature alone"
    );
}

#[test]
fn counts_add_up() {
    let texts = corpus(2, 210);
    let outcome = run(&Options::default(), &texts);
    let counts = outcome.counts;
    assert_eq!(counts.documents, 210);
    let of_kind = |kind| outcome.kinds.iter().filter(|other| **other == kind).count() as u64;
    assert_eq!(
        (counts.empty, counts.short),
        (of_kind(DocumentKind::Empty), of_kind(DocumentKind::Short))
    );
    let short_copies: u64 = outcome
        .exact_groups
        .groups()
        .iter()
        .filter(|group| outcome.kinds[group[0] as usize] == DocumentKind::Short)
        .map(|group| group.len() as u64 - 1)
        .sum();
    assert_eq!(
        counts.compared + counts.identical - short_copies + counts.empty + counts.short,
        counts.documents
    );
    assert_eq!(counts.verified, outcome.pairs.len() as u64);
    assert!(counts.candidates >= counts.verified);
    assert_eq!(outcome.decisions.len(), 210);
}

#[test]
fn batches_and_threads_change_nothing() {
    let texts = corpus(3, 300);
    let options = Options::default()
        .with_shingler(Shingler::words(2))
        .with_threshold(0.5);
    let whole = run(&options, &texts);
    for threads in [1, 2, 7] {
        for size in [1, 10, 299] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let outcome = pool.install(|| {
                let mut deduper = Deduper::new(options.clone()).unwrap();
                for (number, chunk) in texts.chunks(size).enumerate() {
                    let mut batch = deduper.batch_maker().batch();
                    for text in chunk {
                        batch.add_joined(text);
                    }
                    assert_eq!(batch.len(), chunk.len());
                    assert_eq!(deduper.append(batch).unwrap() as usize, number * size);
                }
                deduper.finish(&()).unwrap()
            });
            assert_eq!(outcome.pairs, whole.pairs);
            assert_eq!(outcome.clusters, whole.clusters);
            assert_eq!(outcome.decisions, whole.decisions);
            assert_eq!(outcome.counts, whole.counts);
        }
    }
}

#[test]
fn the_order_of_input_changes_no_cluster() {
    let texts = corpus(4, 150);
    let mut random = SplitMix64::new(8);
    for clustering in cluster::ALL {
        let options = Options::default()
            .with_shingler(Shingler::words(2))
            .with_threshold(0.4)
            .with_clustering(clustering.shared());
        // A cluster is represented by the sorted texts of its members.
        let clusters = |texts: &[String]| {
            let outcome = run(&options, texts);
            let mut clusters: Vec<Vec<String>> = outcome
                .clusters
                .iter()
                .map(|group| {
                    let mut group: Vec<String> = group
                        .iter()
                        .map(|&member| texts[member as usize].clone())
                        .collect();
                    group.sort();
                    group
                })
                .collect();
            clusters.sort();
            clusters
        };
        let first = clusters(&texts);
        assert!(first.len() > 10);
        let mut shuffled = texts.clone();
        for _ in 0..3 {
            for place in (1..shuffled.len()).rev() {
                shuffled.swap(place, (random.number() % (place as u64 + 1)) as usize);
            }
            assert_eq!(clusters(&shuffled), first, "{}", clustering.name());
        }
    }
}

#[test]
fn empty_and_short_documents() {
    let long = ["a b c d e f g h i j k l m n o p q r s t u v w x y z"; 2].join(" ");
    let texts: Vec<String> = [
        "",
        "short text",
        "",
        "short text",
        "short texts",
        &long,
        &format!("{long} end"),
        " ",
    ]
    .map(String::from)
    .to_vec();
    let outcome = run(&Options::default(), &texts);
    assert_eq!(
        outcome.clusters.iter().collect::<Vec<_>>(),
        [&[1, 3][..], &[5, 6]]
    );
    let reasons: Vec<&str> = outcome
        .decisions
        .iter()
        .map(|decision| decision.reason.name())
        .collect();
    assert_eq!(
        reasons,
        [
            "empty",
            "representative",
            "empty",
            "exact-duplicate",
            "unique",
            "representative",
            "near-duplicate",
            "empty"
        ]
    );
    let actions: Vec<Action> = outcome.decisions.iter().map(|decision| decision.action).collect();
    assert_eq!(actions[3], Action::Delete);
    assert_eq!(actions[6], Action::Demote);
    assert!(actions[..3].iter().all(|action| *action == Action::Keep));
    assert_eq!(outcome.decisions[6].representative, 5);
    assert!(
        matches!(outcome.decisions[6].reason, Reason::NearDuplicate { similarity: Some(found) } if found > 0.8)
    );

    let options = Options::default()
        .with_short(ShortDocuments::Near)
        .with_shingler(Shingler::chars(3))
        .with_threshold(0.7);
    assert_eq!(run(&options, &texts).clusters.group(0), [1, 3, 4]);
    let nothing = run(&Options::default(), &[]);
    assert!(nothing.clusters.is_empty() && nothing.decisions.is_empty());
}

#[test]
fn several_members_may_stay() {
    let mut random = SplitMix64::new(12);
    let original = words(&mut random, 80);
    let texts: Vec<String> = (0..6)
        .map(|number| {
            if number == 3 {
                original.join(" ")
            } else {
                edited(&mut random, &original, 25).join(" ")
            }
        })
        .chain([original.join(" ")])
        .collect();
    let facts: Vec<DocumentFacts<'_>> = (0..7)
        .map(|number| DocumentFacts {
            date: Some(if number == 5 { 9_999 } else { 100 - number }),
            url: if number < 3 {
                "http://a.com/x"
            } else {
                "http://b.com/x"
            },
            ..DocumentFacts::default()
        })
        .collect();
    let decide = |options: Options| {
        let options = options
            .with_threshold(0.3)
            .with_shingler(Shingler::words(2))
            .with_keeper(Arc::new(Oldest))
            .with_latest_date(Some(5_000));
        let mut deduper = Deduper::new(options).unwrap();
        for text in &texts {
            deduper.add_joined(text).unwrap();
        }
        deduper.finish(&facts[..]).unwrap()
    };
    let kept = |outcome: &Outcome| -> Vec<u32> {
        let kept = outcome
            .decisions
            .iter()
            .filter(|decision| decision.action == Action::Keep);
        kept.map(|decision| decision.document).collect()
    };
    let outcome = decide(Options::default());
    assert_eq!(
        kept(&outcome),
        [6],
        "the earliest date; document 5 is from the future"
    );
    assert_eq!(
        outcome.decisions[6].reason,
        Reason::Representative {
            because: "earliest date"
        }
    );
    assert_eq!(outcome.decisions[3].reason, Reason::ExactDuplicate { of: 6 });
    let outcome = decide(Options::default().with_max_keep(3));
    assert_eq!(kept(&outcome), [2, 4, 6], "document 3 has the content of 6");
    let outcome = decide(Options::default().with_max_keep(3).with_max_per_host(Some(1)));
    assert_eq!(kept(&outcome), [2, 6]);
}

#[test]
fn estimates_come_with_pairs() {
    let texts = corpus(5, 100);
    for options in [Options::default(), Options::default().with_estimates(true)] {
        let outcome = run(
            &options.with_threshold(0.5).with_shingler(Shingler::words(2)),
            &texts,
        );
        assert!(!outcome.pairs.is_empty());
        for pair in &outcome.pairs {
            let estimate = f64::from(pair.estimate().unwrap());
            assert!((estimate - pair.similarity).abs() < 0.25, "{pair:?}");
        }
    }
}

#[test]
fn settings_out_of_range_are_named() {
    let message = |options: Options| Deduper::new(options).err().unwrap().to_string();
    let default = Options::default;
    for threshold in [0.0, -1.0, 1.1, f64::NAN] {
        assert!(message(default().with_threshold(threshold)).starts_with("`threshold` is "));
    }
    assert!(message(default().with_max_keep(0)).starts_with("`max_keep` is 0"));
    assert!(message(default().with_max_per_host(Some(0))).starts_with("`max_per_host` is 0"));
    assert!(message(default().with_shingler(Shingler::words(0))).starts_with("`shingle` is 0"));
    assert!(message(default().with_verification(false)).starts_with("`verify` is false"));
    let lsh = <dyn candidates::Candidates>::named("lsh").unwrap();
    assert!(message(default().with_signature(Arc::new(Shingles)).with_candidates(lsh)).contains("`lsh`"));
    let wide = sign::MinHash::DEFAULT.with_width(0);
    assert!(message(default().with_signature(Arc::new(wide))).starts_with("`width` is 0"));
}

proptest! {
    /// For any texts, nothing panics, every document gets a decision, and clusters are a partition.
    #[test]
    fn any_texts(texts in proptest::collection::vec("[ab ]{0,12}", 0..30), near in any::<bool>()) {
        let short = if near { ShortDocuments::Near } else { ShortDocuments::Exact };
        let options = Options::default().with_short(short).with_threshold(0.4).with_shingler(Shingler::words(2));
        let outcome = run(&options, &texts);
        prop_assert_eq!(outcome.decisions.len(), texts.len());
        let mut members: Vec<u32> = outcome.clusters.iter().flatten().copied().collect();
        members.sort_unstable();
        prop_assert!(members.windows(2).all(|pair| pair[0] < pair[1]));
        for decision in &outcome.decisions {
            let to = &outcome.decisions[decision.representative as usize];
            prop_assert_eq!(to.action, Action::Keep);
            prop_assert_eq!(to.cluster, decision.cluster);
            prop_assert!(decision.cluster <= decision.document);
        }
        for pair in outcome.all_pairs() {
            prop_assert!(pair.a < pair.b && pair.similarity >= 0.4 && pair.similarity <= 1.0);
        }
    }
}

/// Every signature method with its default candidate method, with and without verification, through the public API.
#[test]
fn every_method_finds_copies_and_breaks_nothing() {
    let texts = corpus(6, 120);
    let documents: Vec<Tokens> = texts
        .iter()
        .map(|text| {
            let mut tokens = Tokens::new();
            for (place, word) in text.split(' ').enumerate() {
                tokens.push(word);
                if place % 9 == 8 {
                    tokens.end_sentence();
                }
            }
            tokens
        })
        .collect();
    let mut statistics = StatisticsBuilder::new();
    for document in &documents {
        statistics.add(document);
    }
    let statistics = Arc::new(statistics.build());
    let words = DescriptiveWords::from_hashes(
        statistics
            .terms()
            .iter()
            .map(|term| (term.hash, 0.01))
            .take(500)
            .collect(),
    );
    let options = Options::default()
        .with_shingler(Shingler::words(2))
        .with_threshold(0.6)
        .with_statistics(statistics)
        .with_descriptive_words(Arc::new(words));
    for method in sign::ALL {
        for similarity in verify::ALL {
            for verify in [true, false] {
                let options = options
                    .clone()
                    .with_signature(method.shared())
                    .with_similarity(similarity.shared())
                    .with_verification(verify);
                // Skipped: banding without verification, and similarities that do not read this form of signature.
                let Ok(mut deduper) = Deduper::new(options) else {
                    continue;
                };
                for document in &documents {
                    deduper.add_document(document, document).unwrap();
                }
                let outcome = deduper.finish(&()).unwrap();
                let what = format!("{} verified by {}: {verify}", method.name(), similarity.name());
                for (number, text) in texts.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
                    let first = texts.iter().position(|other| other == text).unwrap();
                    assert_eq!(
                        outcome.decisions[number].cluster, outcome.decisions[first].cluster,
                        "{what}"
                    );
                }
                for pair in outcome.all_pairs() {
                    assert!(pair.similarity >= 0.6 && pair.similarity <= 1.0, "{what}");
                }
                assert_eq!(outcome.decisions.len(), texts.len());
            }
        }
    }
}

/// Documents that are left out do not change the comparisons of the others. Their copies represent the content instead,
/// although without `signing_every_copy` only the first of several copies in close succession is signed.
#[test]
fn what_is_left_out_leaves_the_others_as_they_would_be_without_it() {
    let mut random = SplitMix64::new(33);
    let original = words(&mut random, 80);
    let near = edited(&mut random, &original, 40).join(" ");
    let (original, other) = (original.join(" "), words(&mut random, 80).join(" "));
    // Documents 0, 1 and 4 are copies of the original; 3 and 5 have the other text.
    let texts = [&original, &original, &near, &other, &original, &other, &near];
    let left_out = [0, 3, 5];
    let found = |texts: &[&String], left_out: &[u32], budget: u64, spill: bool| {
        let options = Options::default().with_threshold(0.5);
        let mut deduper = Deduper::new(options)
            .unwrap()
            .with_feature_budget(budget)
            .signing_every_copy();
        if spill {
            assert!(deduper.spill(Box::new(MemoryFiles::unlimited())).unwrap());
        }
        for text in texts {
            deduper.add_joined(text).unwrap();
        }
        deduper.leave_out(left_out.iter().copied()).unwrap();
        deduper.finish(&()).unwrap()
    };
    let stay: Vec<u32> = (0..)
        .take(texts.len())
        .filter(|document| !left_out.contains(document))
        .collect();
    let rest: Vec<&String> = stay.iter().map(|document| texts[*document as usize]).collect();
    let wanted = found(&rest, &[], u64::MAX, false);
    assert_eq!(wanted.clusters.len(), 1);
    for spill in [false, true] {
        let outcome = found(&texts, &left_out, u64::MAX, spill);
        let pairs: Vec<(u32, u32)> = outcome.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        let number = |document: u32| stay[document as usize];
        let expected: Vec<(u32, u32)> = wanted
            .pairs
            .iter()
            .map(|pair| (number(pair.a), number(pair.b)))
            .collect();
        assert_eq!(pairs, expected);
        assert_eq!(outcome.clusters.group(0), [1, 2, 4, 6]);
        for (decision, document) in wanted.decisions.iter().zip(&stay) {
            let found = outcome.decisions[*document as usize];
            assert_eq!(found.representative, number(decision.representative));
            assert_eq!(found.action, decision.action);
        }
        for document in left_out {
            assert_eq!(outcome.kinds[document as usize], DocumentKind::LeftOut);
            assert!(outcome.exact_groups.copies(document).is_none());
        }
        assert_eq!((outcome.counts.empty, outcome.counts.identical), (0, 2));
    }
}
