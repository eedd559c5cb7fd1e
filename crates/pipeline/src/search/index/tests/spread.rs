//! Answers depend on the documents of an index, and not on its history.

use super::*;
use crate::search::index::segment::SegmentReader;

/// More than `max_bucket` near-copies of one text, which share most keys.
fn crowd(numbers: impl IntoIterator<Item = u32>) -> String {
    numbers
        .into_iter()
        .map(|number| line(&format!("crowd{number}"), &member(number)))
        .collect()
}

fn member(number: u32) -> String {
    format!("{}end{number}", text(7, 0))
}

/// Settings with small buckets.
fn capped(limit: u32) -> Settings {
    Settings {
        candidates: Some(format!("lsh:max_bucket={limit}").parse().unwrap()),
        ..Settings::default()
    }
}

fn add_with(place: &Place, name: &str, lines: &str, settings: &Settings) {
    place.with(lines, settings, |job| {
        add(job, &place.index(name), &mut |_| {}).unwrap()
    });
}

fn count(place: &Place, name: &str, lines: &str) -> Queried {
    let index = Index::open(&place.index(name), &Settings::default()).unwrap();
    place.with(lines, &Settings::default(), |job| {
        query(job, &index, &mut Vec::new(), &mut |_| {}).unwrap()
    })
}

#[test]
fn removed_documents_do_not_count_towards_the_cap() {
    let place = Place::new();
    add_with(&place, "i", &crowd(0..60), &capped(20));
    let wanted = line("q", &member(1000));
    let asked = count(&place, "i", &wanted);
    assert_eq!((asked.documents, asked.matched, asked.capped), (1, 1, 1));
    let answer = &place.ask("i", &wanted)[0];
    assert!(
        answer.contains(r#"],"capped":"#) && !answer.contains("estimate"),
        "{answer}"
    );
    let gone: Vec<String> = (0..50).map(|number| format!("crowd{number}")).collect();
    remove(&place.index("i"), gone.iter().map(String::as_str)).unwrap();
    let asked = count(&place, "i", &wanted);
    assert_eq!((asked.matched, asked.capped), (1, 0));
    let answer = &place.ask("i", &wanted)[0];
    assert_eq!(
        answer.matches("\"similarity\"").count(),
        10,
        "all that are left: {answer}"
    );
    compact(&place.index("i"), &Settings::default()).unwrap();
    assert_eq!(&place.ask("i", &wanted)[0], answer);
}

#[test]
fn dedup_counts_documents_whose_keys_are_capped() {
    let place = Place::new();
    add_with(&place, "i", &crowd(0..60), &capped(20));
    let settings = Settings {
        against: Some(place.index("i")),
        ..Settings::default()
    };
    let lines = [line("q", &member(1000)), line("other", &text(50, 0))].concat();
    let outcome = place.with(&lines, &settings, |job| {
        crate::verbs::dedup::dedup(job, &place.index("out"), Default::default()).unwrap()
    });
    assert_eq!(outcome.summary.capped_lookups, Some(1));
}

/// After any sequence of additions, removals, merges and compactions, answers equal those of an index to which the same documents were
/// added at once.
#[test]
fn answers_do_not_depend_on_the_history() {
    let mut random = dehusk_dedup::SplitMix64::new(11);
    let settings = capped(8);
    let wanted = [
        line("q1", &member(1000)),
        line("q2", &member(5)),
        line("q3", &text(3, 1)),
        line("q4", &text(90, 0)),
        line("q5", &text(7, 2)),
    ]
    .concat();
    for _ in 0..6 {
        let place = Place::new();
        let all: Vec<u32> = (0..40).collect();
        let of = |number: u32| match number % 4 {
            0 => line(&format!("d{number}"), &text(number / 8, number % 3)),
            _ => crowd([number]),
        };
        add_with(&place, "i", "", &settings);
        let mut live = std::collections::BTreeSet::new();
        for _ in 0..10 {
            let chosen: Vec<u32> = all
                .iter()
                .copied()
                .filter(|_| random.number().is_multiple_of(4))
                .collect();
            match random.number() % 5 {
                0 | 1 => {
                    let lines: String = chosen.iter().map(|&number| of(number)).collect();
                    add_with(&place, "i", &lines, &settings);
                    live.extend(chosen);
                }
                2 => {
                    let _ = fs::remove_dir_all(place.index("other"));
                    let lines: String = chosen.iter().map(|&number| of(number)).collect();
                    add_with(&place, "other", &lines, &settings);
                    merge(&place.index("i"), &[&place.index("other")], &Settings::default()).unwrap();
                    live.extend(chosen);
                }
                3 => {
                    let ids: Vec<String> = chosen
                        .iter()
                        .flat_map(|number| [format!("d{number}"), format!("crowd{number}")])
                        .collect();
                    remove(&place.index("i"), ids.iter().map(String::as_str)).unwrap();
                    live.retain(|number| !chosen.contains(number));
                }
                _ => compact(&place.index("i"), &Settings::default()).unwrap(),
            }
        }
        // In reverse order, which numbers the documents differently.
        let fresh: String = live.iter().rev().map(|&number| of(number)).collect();
        add_with(&place, "fresh", &fresh, &settings);
        assert_eq!(place.ask("i", &wanted), place.ask("fresh", &wanted), "{live:?}");
    }
}

#[test]
fn many_documents_at_once_are_answered_as_one_by_one() {
    let place = Place::new();
    add_with(&place, "i", &crowd(0..60), &capped(20));
    let lines: Vec<String> = (0..9)
        .map(|number| line(&format!("q{number}"), &member(100 + number)))
        .collect();
    let index = Index::open(&place.index("i"), &Settings::default()).unwrap();
    let documents = place.with(&lines.concat(), &Settings::default(), |job| {
        let inputs = job.open(crate::read::inputs::RecordKind::Documents).unwrap();
        let mut documents = Vec::new();
        super::super::query::incoming_documents(job, &index, &inputs, false, &mut |document| {
            documents.extend(document.ok());
            Ok(())
        })
        .unwrap();
        documents
    });
    let shown = |bytes: u64| {
        let mut lookup = super::super::lookup::Lookup::new(&index, bytes).unwrap();
        format!("{:?}", lookup.answers(&documents).unwrap())
    };
    // With little memory, every batch is split down to single documents.
    assert_eq!(shown(1), shown(u64::MAX));
}

#[test]
fn a_question_reads_few_blocks() {
    let place = Place::new();
    let lines: String = (0..3000)
        .map(|family| line(&format!("old{family}"), &text(family, 0)))
        .collect();
    place.add("i", &lines);
    let index = Index::open(&place.index("i"), &Settings::default()).unwrap();
    let mut readers: Vec<SegmentReader> = index.segments().unwrap();
    let columns = index.manifest.columns;
    for column in 0..columns {
        readers[0]
            .find_keys(column, [1 << 46], usize::MAX, |_, _| {})
            .unwrap();
        readers[0].forget();
    }
    let (read, all) = (readers[0].blocks_read(), index.stats().bytes / 16384);
    assert!(
        read <= u64::from(columns) * 3,
        "{read} blocks of {all} for {columns} columns"
    );
}
