//! Passages are exactly those that a comparison of all positions finds.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use crate::candidates::join::spill::tests::MemoryFiles;
use crate::numeric::random::{SplitMix64, mix};
use crate::passages::{
    CountedWindow, FoundPassages, KeyedRun, KeyedRuns, KeyedSearch, Occurrence, Passage, PassageRule,
    Passages, RunKeys, RunWindow, TestItems,
};
use crate::worked_examples::{assert_close, example, text};

fn find_in(memory: u64, texts: &[(Option<u32>, Vec<u64>)], rule: PassageRule) -> FoundPassages {
    let mut passages = Passages::new(Box::new(MemoryFiles::unlimited()), memory / 4);
    for (host, words) in texts {
        passages.add(*host, words).unwrap();
    }
    passages.finish(rule, memory).unwrap()
}

fn find(texts: &[(Option<u32>, Vec<u64>)], rule: PassageRule) -> FoundPassages {
    find_in(1 << 40, texts, rule)
}

fn runs_of(least: u32) -> PassageRule {
    PassageRule {
        least_run: Some(least),
        min_documents: 1,
        min_hosts: 0,
    }
}

fn unhosted(texts: &[&[u64]]) -> Vec<(Option<u32>, Vec<u64>)> {
    texts.iter().map(|words| (None, words.to_vec())).collect()
}

/// The first place in each of the two longest documents.
fn longest(texts: &[(Option<u32>, Vec<u64>)], places: &[(u32, u32)]) -> [Option<(u32, u32)>; 2] {
    let mut firsts = places.to_vec();
    firsts.dedup_by_key(|place| place.0);
    firsts.sort_by_key(|place| (std::cmp::Reverse(texts[place.0 as usize].1.len()), *place));
    [firsts.first().copied(), firsts.get(1).copied()]
}

/// Compares every position with every other one: at each position, the runs that occur often enough and
/// that no longer such run contains, each with the number of its places, documents and hosts, and its first
/// place.
fn by_brute_force(texts: &[(Option<u32>, Vec<u64>)], rule: PassageRule) -> FoundPassages {
    let least = rule.least_run.unwrap() as usize;
    let facts = |run: &[u64]| {
        let (mut places, mut documents, mut hosts) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        for (document, (host, words)) in texts.iter().enumerate() {
            for (start, window) in words.windows(run.len()).enumerate() {
                if window == run {
                    places.push((document as u32, start as u32));
                    documents.insert(document);
                    hosts.extend(*host);
                }
            }
        }
        let counts = places.len() > 1 && rule.counts(documents.len() as u32, hosts.len() as u32);
        counts.then_some((places, documents.len() as u32, hosts.len() as u32))
    };
    let mut found = Vec::new();
    for (document, (_, words)) in texts.iter().enumerate() {
        let mut covered = 0;
        for start in 0..words.len() {
            let longest = (start + least..=words.len())
                .rev()
                .find(|end| facts(&words[start..*end]).is_some());
            if let Some(end) = longest.filter(|end| *end > covered) {
                covered = end;
                found.push((document as u32, start, end));
            }
        }
    }
    let (mut numbers, mut all) = (BTreeMap::new(), FoundPassages::default());
    for &(document, start, end) in &found {
        let run = &texts[document as usize].1[start..end];
        let number = *numbers.entry(run).or_insert_with(|| {
            let (places, documents, hosts) = facts(run).unwrap();
            let (first, first_start) = places[0];
            all.passages.push(Passage {
                document: first,
                start: first_start,
                length: run.len() as u32,
                places: places.len() as u32,
                documents,
                hosts,
                known: 0,
                longest: longest(texts, &places),
                within: None,
            });
            all.passages.len() as u32 - 1
        });
        all.occurrences.push(Occurrence {
            document,
            start: start as u32,
            end: end as u32,
            passage: number,
        });
    }
    set_within(&mut all);
    all
}

/// Sets the passage around the first place of each one.
fn set_within(all: &mut FoundPassages) {
    for number in 0..all.passages.len() {
        let Passage {
            document,
            start,
            length,
            ..
        } = all.passages[number];
        let end = start + length;
        let is_around = |one: &&Occurrence| {
            one.document == document
                && one.start <= start
                && one.end >= end
                && one.end - one.start > end - start
        };
        all.passages[number].within = all.occurrences.iter().rfind(is_around).map(|one| one.passage);
    }
}

/// Texts over few different words, so that they share much; some contain runs of others.
fn texts() -> impl Strategy<Value = Vec<(Option<u32>, Vec<u64>)>> {
    let text = (
        proptest::option::of(0_u32..4),
        1_u64..12,
        proptest::collection::vec(any::<u64>(), 0..60),
        any::<u64>(),
    );
    proptest::collection::vec(text, 1..7).prop_map(|drawn| {
        let mut texts: Vec<(Option<u32>, Vec<u64>)> = Vec::new();
        for (host, letters, numbers, choice) in drawn {
            let mut words: Vec<u64> = numbers.iter().map(|number| mix(number % letters)).collect();
            if let Some((_, other)) = texts.get(choice as usize % (texts.len() + 1)) {
                let from = (choice >> 8) as usize % (other.len() + 1);
                let run = other[from..].to_vec();
                let place = (choice >> 32) as usize % (words.len() + 1);
                words.splice(place..place, run);
            }
            texts.push((host, words));
        }
        texts
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_common_run_is_found_and_no_other(
        texts in texts(), least in 1_u32..14, min_documents in 1_u32..4, min_hosts in 0_u32..3
    ) {
        let rule = PassageRule { least_run: Some(least), min_documents, min_hosts };
        let expected = by_brute_force(&texts, rule);
        prop_assert_eq!(&find(&texts, rule), &expected);
    }

    #[test]
    fn equal_units_are_counted(texts in texts(), min_documents in 1_u32..4, min_hosts in 0_u32..3) {
        let rule = PassageRule { least_run: None, min_documents, min_hosts };
        let mut places: BTreeMap<u64, Vec<(u32, u32)>> = BTreeMap::new();
        for (document, (_, words)) in (0..).zip(&texts) {
            for (start, word) in (0..).zip(words) {
                places.entry(*word).or_default().push((document, start));
            }
        }
        let found = find(&texts, rule);
        let mut expected = 0;
        for (word, places) in places {
            let documents: BTreeSet<u32> = places.iter().map(|place| place.0).collect();
            let hosts: BTreeSet<u32> = documents.iter().filter_map(|document| texts[*document as usize].0).collect();
            if places.len() < 2 || !rule.counts(documents.len() as u32, hosts.len() as u32) {
                continue;
            }
            expected += places.len();
            let at = |one: &&Occurrence| (one.document, one.start) == places[0];
            let passage = found.passages[found.occurrences.iter().find(at).unwrap().passage as usize];
            prop_assert_eq!((passage.document, passage.start), places[0]);
            prop_assert_eq!(passage.places as usize, places.len());
            prop_assert_eq!((passage.documents as usize, passage.hosts as usize), (documents.len(), hosts.len()));
            prop_assert_eq!(texts[passage.document as usize].1[passage.start as usize], word);
        }
        prop_assert_eq!(found.occurrences.len(), expected);
    }
}

/// What an engine of joins finds: documents are seen one at a time, and between the steps only equal keys
/// are counted. `places` and the lists of `longest` come from the places of each key.
fn by_keys(texts: &[(Option<u32>, Vec<u64>)], rule: PassageRule) -> (FoundPassages, usize) {
    let runs = KeyedRuns::new(rule.least_run.unwrap());
    let counts = |places: &[(u32, u32)]| {
        let documents: BTreeSet<u32> = places.iter().map(|place| place.0).collect();
        let hosts: BTreeSet<u32> = documents
            .iter()
            .filter_map(|document| texts[*document as usize].0)
            .collect();
        (
            places.len() > 1 && rule.counts(documents.len() as u32, hosts.len() as u32),
            documents.len() as u32,
            hosts.len() as u32,
        )
    };
    let mut samples: BTreeMap<u64, Vec<(u32, u32)>> = BTreeMap::new();
    for (document, (_, words)) in (0..).zip(texts) {
        runs.samples(words, |hash| samples.entry(hash).or_default().push((document, 0)));
    }
    let keys: Vec<RunKeys> = texts.iter().map(|(_, words)| RunKeys::of(words)).collect();
    let windows: Vec<Vec<RunWindow>> = texts
        .iter()
        .zip(&keys)
        .map(|((_, words), keys)| runs.windows(words, keys, |hash| counts(&samples[&hash]).0))
        .collect();
    let mut classes: BTreeMap<u128, Vec<(u32, RunWindow)>> = BTreeMap::new();
    for (document, windows) in (0..).zip(&windows) {
        windows
            .iter()
            .for_each(|window| classes.entry(window.key).or_default().push((document, *window)));
    }
    let differs = |class: &[(u32, RunWindow)], word: fn(&RunWindow) -> Option<u64>| {
        class
            .iter()
            .any(|(_, window)| word(window).is_none() || word(window) != word(&class[0].1))
    };
    let counted: Vec<Vec<CountedWindow>> = windows
        .iter()
        .map(|windows| {
            let class = windows.iter().map(|window| (window.start, &classes[&window.key]));
            let counted = class.filter(|(_, class)| {
                counts(
                    &class
                        .iter()
                        .map(|(document, window)| (*document, window.start))
                        .collect::<Vec<_>>(),
                )
                .0
            });
            let counted = counted.map(|(start, class)| CountedWindow {
                start,
                opens: differs(class, |window| window.before),
                closes: differs(class, |window| window.after),
            });
            counted.collect()
        })
        .collect();
    let mut answers: BTreeMap<u128, Vec<(u32, u32)>> = BTreeMap::new();
    for rounds in 1.. {
        let searches: Vec<KeyedSearch> = keys
            .iter()
            .zip(&counted)
            .map(|(keys, counted)| runs.search(keys, counted, |key| Some(counts(answers.get(&key)?).0)))
            .collect();
        let mut is_done = true;
        for (document, search) in searches.iter().enumerate() {
            for run in &search.asked {
                is_done = false;
                let (start, end) = (run.start as usize, run.end as usize);
                let class = &classes[&keys[document].key(start..start + runs.least_run())];
                let at = class.iter().filter(|(other, window)| {
                    let at = window.start as usize;
                    at + end - start <= keys[*other as usize].len()
                        && keys[*other as usize].key(at..at + end - start) == run.key
                });
                answers.insert(
                    run.key,
                    at.map(|(document, window)| (*document, window.start)).collect(),
                );
            }
        }
        if is_done {
            let mut all = FoundPassages::default();
            let mut numbers: BTreeMap<u128, u32> = BTreeMap::new();
            for (document, search) in (0..).zip(searches) {
                for run in search.occurrences {
                    let places = &answers[&run.key];
                    let (_, documents, hosts) = counts(places);
                    let number = *numbers.entry(run.key).or_insert_with(|| {
                        all.passages.push(Passage {
                            document: places[0].0,
                            start: places[0].1,
                            length: run.end - run.start,
                            places: places.len() as u32,
                            documents,
                            hosts,
                            known: 0,
                            longest: longest(texts, places),
                            within: None,
                        });
                        all.passages.len() as u32 - 1
                    });
                    let KeyedRun { start, end, .. } = run;
                    all.occurrences.push(Occurrence {
                        document,
                        start,
                        end,
                        passage: number,
                    });
                }
            }
            set_within(&mut all);
            return (all, rounds);
        }
    }
    unreachable!("rounds are not bounded")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn counts_of_equal_keys_find_the_same(
        texts in texts(), least in 1_u32..14, min_documents in 1_u32..4, min_hosts in 0_u32..3
    ) {
        let rule = PassageRule { least_run: Some(least), min_documents, min_hosts };
        prop_assert_eq!(&by_keys(&texts, rule).0, &find(&texts, rule));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Known documents count, and the passages of the others are those of a search among all.
    #[test]
    fn passages_of_new_documents_are_those_among_all(
        texts in texts(), known in 0_usize..7, least in 0_u32..9, min_documents in 1_u32..4, min_hosts in 0_u32..3
    ) {
        let rule = PassageRule { least_run: least.checked_sub(1).filter(|least| *least > 0), min_documents, min_hosts };
        let new = texts.len().saturating_sub(known) as u32;
        let mut all = find(&texts, rule);
        let mut search = Passages::new(Box::new(MemoryFiles::unlimited()), 1 << 20);
        for (number, (host, words)) in (0..).zip(&texts) {
            if number == new {
                search.known_from_here();
            }
            search.add(*host, words).unwrap();
        }
        let mut found = search.finish(rule, u64::MAX).unwrap();
        all.occurrences.retain(|one| one.document < new);
        let mut numbers: Vec<u32> = all.occurrences.iter().map(|one| one.passage).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let number = |passage: u32| numbers.binary_search(&passage).unwrap() as u32;
        all.occurrences.iter_mut().for_each(|one| one.passage = number(one.passage));
        all.passages = numbers.iter().map(|old| all.passages[*old as usize]).collect();
        all.passages.iter_mut().for_each(|one| one.within = one.within.map(number));
        for passage in &mut found.passages {
            let run = &texts[passage.document as usize].1[passage.start as usize..][..passage.length as usize];
            let known = texts[new as usize..].iter().flat_map(|(_, words)| words.windows(run.len()));
            prop_assert_eq!(passage.known as usize, known.filter(|window| *window == run).count());
            passage.known = 0;
        }
        prop_assert_eq!(found, all);
    }
}

#[test]
fn a_period_takes_few_rounds_of_counts() {
    let periods: Vec<u64> = (0..3000).map(|place| mix(place % 7)).collect();
    let texts = unhosted(&[&periods, &vec![1; 1000], &periods[3..1500]]);
    let (found, rounds) = by_keys(&texts, runs_of(20));
    assert_eq!(found, find(&texts, runs_of(20)));
    assert!(rounds < 10, "{rounds} rounds");
}

fn words_of(sentence: &str) -> Vec<u64> {
    sentence
        .split(' ')
        .map(|word| crate::murmur3(word.as_bytes(), 0))
        .collect()
}

#[test]
fn the_worked_examples_hold() {
    let runs = example("common_runs");
    let [a, b] = ["a", "b"].map(|name| words_of(text(&runs["input"][name])));
    let least = runs["params"]["tokens"].as_u64().unwrap() as u32;
    let found = find(&unhosted(&[&a, &b]), runs_of(least));
    let of = |document: u32| {
        let runs = found.of_document(document).iter();
        runs.map(|run| (run.passage, run.start, run.end - run.start))
            .collect::<Vec<_>>()
    };
    let expected: Vec<Vec<u32>> = serde_json::from_value(runs["expected"].clone()).unwrap();
    let starts = |side: usize| -> Vec<(u32, u32, u32)> {
        (0..)
            .zip(&expected)
            .map(|(passage, run)| (passage, run[side], run[2]))
            .collect()
    };
    assert_eq!((of(0), of(1)), (starts(0), starts(1)));
    let share = example("contained_share");
    for (document, words, name) in [(0, &a, "a_in_b"), (1, &b, "b_in_a")] {
        let covered: u32 = found
            .of_document(document)
            .iter()
            .map(|run| run.end - run.start)
            .sum();
        assert_close(f64::from(covered) / words.len() as f64, &share["expected"][name]);
    }
}

#[test]
fn a_part_that_more_documents_have_is_a_passage_there() {
    // Two documents share 1..=9, a third one 4..=7 only.
    let long: Vec<u64> = (1..=9).collect();
    let texts = unhosted(&[&long, &[&[50], &long[..]].concat(), &[60, 4, 5, 6, 7, 61]]);
    let found = find(&texts, runs_of(4));
    let facts: Vec<_> = found
        .passages
        .iter()
        .map(|one| (one.document, one.start, one.length, one.documents, one.within))
        .collect();
    assert_eq!(facts, [(0, 0, 9, 2, None), (0, 3, 4, 3, Some(0))]);
    assert_eq!(found.occurrences.len(), 3);
    // With a minimum of three documents, only the part occurs often enough.
    let three = PassageRule {
        min_documents: 3,
        ..runs_of(4)
    };
    assert_eq!(
        find(&texts, three)
            .occurrences
            .iter()
            .map(|one| one.end - one.start)
            .collect::<Vec<_>>(),
        [4; 3]
    );
}

/// Hostile collections: the size of the result stays proportional to the words, and time does not grow faster.
#[test]
fn hostile_collections_stay_linear() {
    let mut random = SplitMix64::new(7);
    let mut noise = |count: usize| -> Vec<u64> { (0..count).map(|_| random.number()).collect() };
    let licence = noise(5_000);
    let shared: Vec<Vec<u64>> = (0..60)
        .map(|_| [noise(20), licence.clone(), noise(20)].concat())
        .collect();
    let staircase: Vec<Vec<u64>> = (1..400).map(|length| vec![mix(1); length]).collect();
    let collections = [
        vec![vec![mix(1); 300_000]],
        vec![(0..300_000).map(|place| mix(place % 7)).collect()],
        vec![(0..300_000).map(|place| mix(place % 1_000)).collect()],
        vec![
            (0..300_000_u64)
                .map(|place| mix(u64::from((place ^ (place + 1)).trailing_ones() % 2 == 0)))
                .collect(),
        ],
        shared,
        staircase,
        vec![noise(300_000)],
        vec![Vec::new(), vec![1], vec![1]],
    ];
    for (number, collection) in collections.iter().enumerate() {
        let words: usize = collection.iter().map(Vec::len).sum();
        let texts: Vec<(Option<u32>, Vec<u64>)> =
            collection.iter().map(|words| (Some(0), words.clone())).collect();
        let begun = std::time::Instant::now();
        let found = find(&texts, runs_of(50));
        let took = begun.elapsed().as_secs_f64();
        assert!(found.occurrences.len() <= words, "{number}");
        assert!(took < 60.0, "collection {number}: {took} s");
        let expected = match number {
            // The whole text without its last word, and the whole text without its first.
            0 => 2,
            4 => 60,
            // Each text but the longest is contained in the next one; the longest has its own start and end.
            5 => 399 - 49 + 1,
            6 | 7 => 0,
            _ => continue,
        };
        assert_eq!(found.occurrences.len(), expected, "{number}");
    }
}

/// The shortest time of five that a search takes, in seconds.
fn seconds(search: &dyn Fn()) -> f64 {
    let times = (0..5).map(|_| {
        let begun = std::time::Instant::now();
        search();
        begun.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

/// Hostile collections of nine times the size take about nine times as long. Work that grew with the square
/// would take 81 times as long, which is seconds. Short times say more of the machine than of the work, so
/// 30 ms are the least that counts.
#[test]
fn hostile_collections_take_time_in_proportion() {
    let mut random = SplitMix64::new(11);
    let noise: Vec<u64> = (0..40_000).map(|_| random.number()).collect();
    let licence = &noise[..200];
    // By size in words: a collection.
    type Made<'n> = (&'static str, Box<dyn Fn(usize) -> Vec<Vec<u64>> + 'n>);
    let collections: [Made<'_>; 6] = [
        ("one word", Box::new(|size| vec![vec![mix(1); size]])),
        (
            "a period",
            Box::new(|size| vec![(0..size as u64).map(|place| mix(place % 7)).collect()]),
        ),
        (
            "a long period",
            Box::new(|size| vec![(0..size as u64).map(|place| mix(place % 700)).collect()]),
        ),
        (
            "one line in many documents",
            Box::new(|size| vec![licence[..60].to_vec(); size / 60]),
        ),
        (
            "a licence in many documents",
            Box::new(|size| {
                let own = |number: usize| &noise[200 + number * 20..][..20];
                (0..size / 240)
                    .map(|number| [own(number), licence, own(number + 1)].concat())
                    .collect()
            }),
        ),
        ("nothing in common", Box::new(|size| vec![noise[..size].to_vec()])),
    ];
    for (name, collection) in collections {
        for rule in [
            runs_of(50),
            PassageRule {
                least_run: None,
                ..runs_of(1)
            },
        ] {
            let of_size = |size: usize| {
                let texts: Vec<_> = collection(size)
                    .into_iter()
                    .map(|words| (Some(0), words))
                    .collect();
                seconds(&|| drop(find(&texts, rule)))
            };
            let times = [of_size(3_000), of_size(9_000), of_size(27_000)];
            assert!(
                times[2] < 27.0 * times[0].max(0.03),
                "{name}, {rule:?}: {times:?}"
            );
        }
    }
}

/// Work is linear for a test set of many equal items and a document that repeats them.
#[test]
fn hostile_items_take_time_in_proportion() {
    let words: Vec<u64> = (0..60).map(mix).collect();
    let periodic: Vec<u64> = (0..2_000).map(|place| mix(place % 3)).collect();
    let of_size = |copies: usize| {
        let mut items = TestItems::new(13);
        (0..copies).for_each(|_| items.add(&words));
        items.add(&periodic);
        let items = items.indexed();
        let document = [words.repeat(copies), periodic.repeat(1 + copies / 100)].concat();
        seconds(&|| {
            let found = items.find(&document);
            assert_eq!(found.matches.len(), copies + 1);
            assert!(found.matches.iter().all(|one| one.share == 1.0));
        })
    };
    let times = [of_size(20), of_size(60), of_size(180)];
    assert!(times[2] < 27.0 * times[0].max(0.03), "{times:?}");
}

#[test]
fn memory_and_threads_change_nothing() {
    let mut random = SplitMix64::new(3);
    let texts: Vec<(Option<u32>, Vec<u64>)> = (0..300)
        .map(|number| {
            let words: Vec<u64> = (0..400)
                .map(|place| {
                    if place / 60 % 2 == 0 {
                        mix(number % 20 * 1_000 + place)
                    } else {
                        random.number()
                    }
                })
                .collect();
            (Some(number as u32 % 9), words)
        })
        .collect();
    for rule in [
        runs_of(50),
        PassageRule {
            least_run: None,
            ..runs_of(1)
        },
    ] {
        let expected = find(&texts, rule);
        assert!(expected.passages.len() > 50);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            // Words, and hashes being sorted, go to files.
            assert_eq!(pool.install(|| find_in(6 << 20, &texts, rule)), expected);
            assert_eq!(pool.install(|| find(&texts, rule)), expected);
        }
        let mut passages = Passages::new(Box::new(MemoryFiles::unlimited()), 1 << 10);
        texts
            .iter()
            .for_each(|(host, words)| passages.add(*host, words).unwrap());
        let refused = passages.finish(rule, 1 << 10).unwrap_err().to_string();
        assert!(refused.contains("bytes of memory are needed"), "{refused}");
    }
}
