use super::*;
use crate::read::reader::FilePlace;

fn origin(input: usize, file: Option<u64>) -> Origin {
    Origin {
        name: file.map_or_else(|| format!("i{input}"), |file| format!("i{input}/f{file}")),
        place: FilePlace { input, file },
    }
}

/// Counts `documents` documents and `rejected` rejected records of one file.
fn count(tallies: &mut FileTallies, origin: &Origin, documents: u64, rejected: u64) {
    tallies.go_to(origin, &SkippedRecords::new());
    (0..documents).for_each(|_| tallies.count(None));
    (0..rejected).for_each(|_| tallies.count(Some(Reason::BadJson)));
}

#[test]
fn chunks_in_any_order_give_the_same_rows_by_place() {
    let inputs = ["i0", "i1", "i2", "i3"].map(str::to_owned);
    let chunks = [
        (0, None, 3, 1),
        (1, Some(0), 2, 0),
        (1, Some(1), 0, 2),
        (1, Some(LISTED), 1, 1),
        (1, Some(LISTED + 4), 2, 0),
        (3, Some(LISTED + 5), 5, 0),
    ];
    let tallied = |order: &[usize]| {
        let mut tallies = FileTallies::default();
        for chunk in order {
            let (input, file, documents, rejected) = chunks[*chunk];
            count(&mut tallies, &origin(input, file), documents, rejected);
        }
        tallies.counts(&inputs)
    };
    let rows = tallied(&[0, 1, 2, 3, 4, 5]);
    assert_eq!(rows, tallied(&[5, 4, 1, 3, 0, 2]));
    let shown: Vec<_> = rows
        .iter()
        .map(|row| (row.file.as_deref(), row.files, row.counts.read, row.counts.kept))
        .collect();
    assert_eq!(
        shown,
        [
            (Some("i0"), None, 4, 3),
            (Some("i1/f0"), None, 2, 2),
            (Some("i1/f1"), None, 2, 0),
            (None, Some(5), 4, 3),
            (None, Some(1), 5, 5),
        ]
    );
    let sums = by_input(&inputs, &rows);
    let sums: Vec<_> = sums
        .iter()
        .map(|row| (row.input.as_str(), row.counts.read, row.counts.quarantined))
        .collect();
    assert_eq!(sums, [("i0", 4, 1), ("i1", 8, 3), ("i2", 0, 0), ("i3", 5, 0)]);
}

#[test]
fn verdicts_go_to_the_files_of_their_documents() {
    let inputs = ["i0", "i1"].map(str::to_owned);
    let mut tallies = FileTallies::default();
    count(&mut tallies, &origin(0, None), 3, 2);
    count(&mut tallies, &origin(1, Some(0)), 0, 1);
    count(&mut tallies, &origin(1, Some(1)), 4, 0);
    let mut rows = tallies.counts(&inputs);
    settle(&mut rows, |document| match document {
        1 | 3 => Err("near-duplicate"),
        4 => Err("empty"),
        _ => Ok(()),
    });
    let shown: Vec<_> = rows
        .iter()
        .map(|row| {
            assert!(row.counts.add_up(), "{row:?}");
            (row.counts.kept, row.counts.dropped.clone())
        })
        .collect();
    assert_eq!(
        shown,
        [
            (2, BTreeMap::from([("bad-json", 2), ("near-duplicate", 1)])),
            (0, BTreeMap::from([("bad-json", 1)])),
            (2, BTreeMap::from([("empty", 1), ("near-duplicate", 1)])),
        ]
    );
}

#[test]
fn tallies_outlive_a_process() {
    let mut tallies = FileTallies::default();
    count(&mut tallies, &origin(0, None), 2, 1);
    count(&mut tallies, &origin(1, Some(7)), 1, 0);
    let text = serde_json::to_string(&tallies).unwrap();
    let mut again: FileTallies = serde_json::from_str(&text).unwrap();
    for tallies in [&mut tallies, &mut again] {
        count(tallies, &origin(1, Some(7)), 1, 0);
        count(tallies, &origin(2, None), 0, 1);
    }
    let inputs = ["i0", "i1", "i2"].map(str::to_owned);
    assert_eq!(tallies.counts(&inputs), again.counts(&inputs));
}

#[test]
fn the_report_shows_several_inputs_and_the_files_with_the_most_damage() {
    let inputs: Vec<String> = (0..3).map(|n| format!("i{n}")).collect();
    let mut tallies = FileTallies::default();
    for file in 0..40 {
        count(&mut tallies, &origin(1, Some(file)), 1, file % 30);
    }
    let files = tallies.counts(&inputs);
    let all = by_input(&inputs, &files);
    assert_eq!(shown_inputs(&all).rows.len(), 3);
    assert_eq!(shown_inputs(&all[..1]), InputRows::default());
    let damaged = damaged_files(&files);
    assert_eq!((damaged.rows.len(), damaged.more), (DAMAGED_FILES, 18));
    assert_eq!(
        (damaged.rows[0].name.as_str(), damaged.rows[0].rejected),
        ("i1/f29", 29)
    );
    assert_eq!(damaged_files(&files[1..2]), InputRows::default());
}
