use super::*;
use crate::candidates::join::spill::SpillError;
use crate::numeric::random::SplitMix64;
use crate::strategy::entry::Family;
use crate::text::shingle::Shingler;
use crate::verify;

fn corpus() -> Vec<String> {
    let mut random = SplitMix64::new(77);
    let mut texts: Vec<String> = Vec::new();
    for number in 0..300 {
        let text = match texts.get(number / 2) {
            Some(other) if number % 3 > 0 => {
                let words = other.split(' ').map(|word| match random.number() % 15 {
                    0 => format!("x{}", random.number() % 100),
                    _ => word.to_owned(),
                });
                words.collect::<Vec<_>>().join(" ")
            }
            _ => (0..40)
                .map(|_| format!("w{}", random.number() % 300))
                .collect::<Vec<_>>()
                .join(" "),
        };
        texts.push(text);
    }
    texts.extend(["".to_owned(), "short".to_owned(), "short".to_owned()]);
    texts.extend_from_within(..20);
    texts
}

fn tokens(text: &str) -> Tokens {
    text.split(' ').collect()
}

fn options() -> Options {
    Options::default()
        .with_shingler(Shingler::words(2))
        .with_threshold(0.5)
}

fn candidates(options: Options, texts: &[String]) -> CandidatePairs {
    let mut bounded = Deduper::new(options).unwrap().with_feature_budget(0);
    assert!(bounded.is_empty());
    for chunk in texts.chunks(37) {
        let mut batch = bounded.batch_maker().batch();
        for text in chunk {
            batch.add_joined(text);
        }
        bounded.append(batch).unwrap();
    }
    assert_eq!(bounded.len(), texts.len());
    bounded.candidates(u64::MAX).unwrap()
}

/// With any memory limit, the result is that of a deduper without limit.
#[test]
fn equals_a_deduper() {
    let texts = corpus();
    for similarity in verify::ALL
        .iter()
        .filter(|similarity| !similarity.needs_statistics())
    {
        let options = options().with_similarity(similarity.shared());
        let Ok(mut deduper) = Deduper::new(options.clone()) else {
            continue;
        };
        for text in &texts {
            deduper.add_joined(text).unwrap();
        }
        let expected = deduper.verified_pairs().unwrap().cluster(&());
        assert!(expected.pairs.len() > 50);
        for (max_bytes, batches_expected) in [(0, 50..10_000), (20_000, 3..500), (u64::MAX, 1..2)] {
            let mut candidates = candidates(options.clone(), &texts);
            let mut batches = 0;
            while let Some(mut batch) = candidates.next_batch(max_bytes) {
                let mut lists = [batch.features(), batch.features()];
                for (document, text) in (0..).zip(&texts).filter(|(document, _)| batch.needs(*document)) {
                    lists[document as usize % 2].add(document, &tokens(text), &tokens(text));
                }
                for features in lists {
                    batch.append(features).unwrap();
                }
                candidates.verify(&batch).unwrap();
                batches += 1;
            }
            assert!(
                batches_expected.contains(&batches),
                "{batches} batches of {max_bytes} bytes"
            );
            let found = candidates.finish().unwrap().cluster(&());
            assert_eq!(found.pairs, expected.pairs, "{}", similarity.name());
            assert_eq!(found.clusters, expected.clusters);
            assert_eq!(found.decisions, expected.decisions);
            assert_eq!(found.counts, expected.counts);
        }
    }
}

/// The next batch is prepared in advance. If it is requested with another size, it is made again, and no pair is lost.
#[test]
fn sizes_of_batches_may_change() {
    let texts = corpus();
    let mut candidates = candidates(options(), &texts);
    let (all, mut verified, mut sizes) = (candidates.len(), 0, [0, 5000, 5000, 40_000].into_iter().cycle());
    let mut pairs = Vec::new();
    while let Some(mut batch) = candidates.next_batch(sizes.next().unwrap()) {
        let mut features = batch.features();
        for (document, text) in (0..).zip(&texts).filter(|(document, _)| batch.needs(*document)) {
            features.add(document, &tokens(text), &tokens(text));
        }
        batch.append(features).unwrap();
        candidates.verify(&batch).unwrap();
        verified += batch.pairs().len();
        pairs.extend(batch.pairs().iter().map(|pair| (pair.a, pair.b)));
        assert_eq!(candidates.len() + verified, all);
        assert_eq!(candidates.is_empty(), verified == all);
    }
    pairs.sort_unstable();
    pairs.dedup();
    assert!(pairs.len() == all && all > 50);
    assert!(candidates.finish().is_ok());
}

#[test]
fn a_batch_that_was_made_early_still_waits() {
    let texts = corpus();
    let mut candidates = candidates(options(), &texts);
    let mut batch = candidates.next_batch(0).unwrap();
    let mut features = batch.features();
    for (document, text) in (0..).zip(&texts).filter(|(document, _)| batch.needs(*document)) {
        features.add(document, &tokens(text), &tokens(text));
    }
    batch.append(features).unwrap();
    while candidates.len() > 1 {
        // Every batch but the first is taken and dropped without being verified.
        candidates.next_batch(0).unwrap();
    }
    candidates.verify(&batch).unwrap();
    assert_eq!(candidates.len(), 1);
    assert!(matches!(candidates.finish(), Err(DedupError::Unread { .. })));
}

#[test]
fn documents_that_are_missing_or_changed_are_named() {
    let texts = corpus();
    let mut candidates = candidates(options(), &texts);
    let batch = candidates.next_batch(1000).unwrap();
    let missing = batch.documents()[0];
    let error = candidates.verify(&batch).unwrap_err();
    assert!(matches!(error, DedupError::Unread { document } if document == missing));
    assert_eq!(
        error.to_string(),
        format!("document {missing} was not read again")
    );

    let mut batch = candidates.next_batch(1000).unwrap();
    let mut features = batch.features();
    let changed = batch.documents()[0];
    features.add(changed, &tokens("another text"), &tokens("another text"));
    let error = batch.append(features).unwrap_err();
    assert!(matches!(error, DedupError::Changed { document } if document == changed));
}

fn finish(mut candidates: CandidatePairs, texts: &[String]) -> crate::Outcome {
    loop {
        while let Some(mut batch) = candidates.next_batch(10_000) {
            candidates.read_stored(&mut batch).unwrap();
            let mut features = batch.features();
            for (document, text) in (0..).zip(texts).filter(|(document, _)| batch.needs(*document)) {
                features.add(document, &tokens(text), &tokens(text));
            }
            batch.append(features).unwrap();
            candidates.verify(&batch).unwrap();
        }
        match candidates.finish().unwrap().settle(&(), 1 << 20).unwrap() {
            Settled::More(further) => candidates = *further,
            Settled::Done(outcome) => return *outcome,
        }
    }
}

fn assert_equal(found: &crate::Outcome, expected: &crate::Outcome, case: &str) {
    assert_eq!(found.pairs, expected.pairs, "{case}");
    assert_eq!(found.clusters, expected.clusters, "{case}");
    assert_eq!(found.decisions, expected.decisions, "{case}");
    assert_eq!(found.counts, expected.counts, "{case}");
    let [found, expected] = [found, expected].map(|outcome| {
        let mut capped = outcome.capped.clone();
        capped.unlike.sort_unstable();
        capped
    });
    assert_eq!(found, expected, "{case}");
}

/// Keys in files or in memory, features kept or read again, capped groups or not: the result is the same.
#[test]
fn files_equal_memory() {
    let mut texts = corpus();
    let hot = texts[0].clone();
    texts.extend((0..60).map(|number| format!("{hot} e{number}")));
    for max_bucket in [2, 5, 1000] {
        let lsh = crate::candidates::methods::Lsh::DEFAULT.with_max_bucket(max_bucket);
        let options = options().with_candidates(std::sync::Arc::new(lsh));
        let mut deduper = Deduper::new(options.clone()).unwrap();
        for text in &texts {
            deduper.add_joined(text).unwrap();
        }
        let expected = deduper.finish(&()).unwrap();
        assert!(expected.pairs.len() > 50);
        assert_eq!(expected.counts.capped_buckets > 0, max_bucket < 10);
        for (keep, memory) in [
            (0, u64::MAX),
            (0, 600_000),
            (u64::MAX, u64::MAX),
            (30_000, 600_000),
        ] {
            for spills in [true, false] {
                let mut bounded = Deduper::new(options.clone()).unwrap().with_feature_budget(keep);
                if spills {
                    assert!(
                        bounded
                            .spill(Box::new(
                                crate::candidates::join::spill::tests::MemoryFiles::unlimited()
                            ))
                            .unwrap()
                    );
                }
                for chunk in texts.chunks(41) {
                    let mut batch = bounded.batch_maker().batch();
                    chunk.iter().for_each(|text| batch.add_joined(text));
                    bounded.append(batch).unwrap();
                }
                let found = finish(bounded.candidates(memory).unwrap(), &texts);
                assert_equal(
                    &found,
                    &expected,
                    &format!("{max_bucket} {keep} {memory} {spills}"),
                );
            }
        }
    }
}

/// With all, some or none of the features in files, the result is the same, and documents in files are not read again.
#[test]
fn features_in_files_equal_those_in_memory() {
    use crate::candidates::join::spill::tests::MemoryFiles;
    let mut texts = corpus();
    texts.extend_from_within(..100); // also identical documents in close succession
    texts.push("the same words ".repeat(20).trim_end().to_owned());
    texts.push("the same words ".repeat(22).trim_end().to_owned());
    let mut deduper = Deduper::new(options()).unwrap();
    for text in &texts {
        deduper.add_joined(text).unwrap();
    }
    let expected = deduper.finish(&()).unwrap();
    for (keep, bytes, files, all) in [
        (0, 1 << 30, u32::MAX, true),
        (0, 400_000, u32::MAX, true),
        (30_000, 400_000, u32::MAX, true),
        (30_000, 90_000, u32::MAX, false),
        (0, 400_000, 3, false),
        (0, 400_000, 0, false),
        (0, 0, u32::MAX, false),
    ] {
        let mut bounded = Deduper::new(options()).unwrap().with_feature_budget(keep);
        bounded = bounded.with_feature_files(Box::new(MemoryFiles(files.into())), bytes);
        for (number, chunk) in texts.chunks(7).enumerate() {
            // Some batches have features although the deduper does not keep them.
            let mut batch = match number % 5 {
                0 => Batch::new(Arc::clone(bounded.compiled())),
                _ => bounded.batch_maker().batch(),
            };
            chunk.iter().for_each(|text| batch.add_joined(text));
            bounded.append(batch).unwrap();
        }
        let case = format!("{keep} {bytes} {files}");
        let mut candidates = bounded.candidates(u64::MAX).unwrap();
        let mut batch = candidates.next_batch(u64::MAX).unwrap();
        let wanted = batch.documents().len();
        candidates.read_stored(&mut batch).unwrap();
        let missing = batch.documents().len();
        assert_eq!(missing == 0, all, "{case}: {missing} of {wanted}");
        assert_eq!(
            missing < wanted,
            bytes > 0 && files > 0,
            "{case}: {missing} of {wanted}"
        );
        let mut features = batch.features();
        for (document, text) in (0..).zip(&texts).filter(|(document, _)| batch.needs(*document)) {
            features.add(document, &tokens(text), &tokens(text));
        }
        batch.append(features).unwrap();
        candidates.verify(&batch).unwrap();
        assert_equal(&finish(candidates, &texts), &expected, &case);
    }
}

#[test]
fn too_little_memory_or_disk_is_an_error() {
    let fill = |bounded: &mut Deduper| {
        let mut batch = bounded.batch_maker().batch();
        corpus().iter().for_each(|text| batch.add_joined(text));
        bounded.append(batch)
    };
    let mut bounded = Deduper::new(options()).unwrap().with_feature_budget(0);
    assert!(
        bounded
            .spill(Box::new(
                crate::candidates::join::spill::tests::MemoryFiles::unlimited()
            ))
            .unwrap()
    );
    fill(&mut bounded).unwrap();
    let error = bounded.candidates(1000).err().unwrap();
    let DedupError::Spill(SpillError::Memory(needed)) = error else {
        panic!("{error}")
    };
    assert!(needed > 1000);

    let mut bounded = Deduper::new(options()).unwrap().with_feature_budget(0);
    let spill = crate::candidates::join::spill::tests::MemoryFiles(3.into());
    assert!(matches!(
        bounded.spill(Box::new(spill)),
        Err(DedupError::Spill(SpillError::File(_)))
    ));
}

#[test]
fn what_is_not_verified_is_kept() {
    let method = std::sync::Arc::new(crate::sign::methods::Md5);
    let options = options().with_signature(method).with_verification(false);
    let texts = corpus();
    let mut deduper = Deduper::new(options.clone()).unwrap();
    texts.iter().for_each(|text| {
        deduper.add_joined(text).unwrap();
    });
    assert_equal(
        &finish(candidates(options, &texts), &texts),
        &deduper.finish(&()).unwrap(),
        "md5",
    );
}

proptest::proptest! {
    /// For any texts, memory limit and method, the result with files is that of a deduper in memory.
    #[test]
    fn any_texts_and_any_memory_give_the_result_of_a_deduper(
        texts in proptest::collection::vec("[ab]{1,2}( [ab]{1,2}){0,12}", 0..40),
        keep in 0_u64..3000,
        filed in 0_u64..3000,
        spilled_after in 0_usize..50,
        max_bucket in 2_u32..20,
        keyed in proptest::prelude::any::<bool>(),
    ) {
        let options = Options::default()
            .with_shingler(Shingler::words(2))
            .with_threshold(0.3)
            .with_min_tokens(1);
        let options = if keyed {
            let candidates = crate::candidates::methods::ExactKey::DEFAULT.with_max_bucket(max_bucket);
            options
                .with_signature(<dyn crate::sign::Method>::named("supershingles").unwrap())
                .with_candidates(std::sync::Arc::new(candidates))
        } else {
            let candidates = crate::candidates::methods::Lsh::DEFAULT.with_max_bucket(max_bucket);
            options.with_candidates(std::sync::Arc::new(candidates))
        };
        let mut deduper = Deduper::new(options.clone()).unwrap();
        let mut bounded = Deduper::new(options).unwrap().with_feature_budget(keep);
        if filed > 0 {
            let files = crate::candidates::join::spill::tests::MemoryFiles::unlimited();
            bounded = bounded.with_feature_files(Box::new(files), filed);
        }
        for (number, text) in texts.iter().enumerate() {
            deduper.add_joined(text).unwrap();
            if number == spilled_after {
                proptest::prop_assert!(bounded.spill(Box::new(crate::candidates::join::spill::tests::MemoryFiles::unlimited())).unwrap());
            }
            // Some batches have features although the deduper does not keep them.
            let mut batch = if number % 3 == 0 {
                Batch::new(std::sync::Arc::clone(bounded.compiled()))
            } else {
                bounded.batch_maker().batch()
            };
            batch.add_joined(text);
            bounded.append(batch).unwrap();
        }
        let expected = deduper.finish(&()).unwrap();
        let found = finish(bounded.candidates(1 << 20).unwrap(), &texts);
        assert_equal(&found, &expected, "by files");
    }
}
