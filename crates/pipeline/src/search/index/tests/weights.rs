//! Weights of the documents of an index that grows.

use super::*;

/// Ids, cluster sizes and copies, sorted by id.
fn weights(place: &Place, name: &str) -> Vec<(String, u64, u64)> {
    let index = Index::open(&place.index(name), &Settings::default()).unwrap();
    let mut all = Vec::new();
    rows(&index, &mut |row| {
        all.push((row.id, row.cluster_size, row.copies));
        Ok(())
    })
    .unwrap();
    all.sort();
    all
}

fn expected(rows: &[(&str, u64, u64)]) -> Vec<(String, u64, u64)> {
    rows.iter()
        .map(|(id, size, copies)| ((*id).to_owned(), *size, *copies))
        .collect()
}

#[test]
fn copies_count_for_the_document_that_is_there() {
    let place = Place::new();
    // Also within one input.
    let lines = [
        line("a", &text(1, 0)),
        line("a again", &text(1, 0)),
        line("b", &text(2, 0)),
    ]
    .concat();
    place.add("i", &lines);
    assert_eq!(weights(&place, "i"), expected(&[("a", 2, 2), ("b", 1, 1)]));
    let weighted = format!(
        r#"{{"id":"c","text":"{}","cluster_size":5,"copies":3}}"#,
        text(3, 0)
    ) + "\n";
    place.add("i", &[line("b again", &text(2, 0)), weighted.clone()].concat());
    assert_eq!(
        weights(&place, "i"),
        expected(&[("a", 2, 2), ("b", 2, 2), ("c", 5, 3)])
    );
    // The documents that a copy represented count, too. A document with a known id and another text does not.
    place.add("i", &[weighted, line("a", &text(9, 0))].concat());
    let all = expected(&[("a", 2, 2), ("b", 2, 2), ("c", 10, 6)]);
    assert_eq!(weights(&place, "i"), all);
    compact(&place.index("i"), &Settings::default()).unwrap();
    assert_eq!(weights(&place, "i"), all);
    assert!(!fs::read_dir(place.index("i")).unwrap().any(|file| {
        let name = file.unwrap().file_name();
        name.to_string_lossy().ends_with(".weights")
    }));
}

#[test]
fn what_is_removed_takes_what_it_stood_for_along() {
    let place = Place::new();
    place.add("i", &[line("a", &text(1, 0)), line("b", &text(2, 0))].concat());
    place.add(
        "i",
        &[
            line("a2", &text(1, 0)),
            line("a3", &text(1, 0)),
            line("b2", &text(2, 0)),
        ]
        .concat(),
    );
    let removed = remove(&place.index("i"), ["a"]).unwrap();
    assert_eq!((removed.documents, removed.stood_for), (1, 2));
    assert_eq!(weights(&place, "i"), expected(&[("b", 2, 2)]));
    // A document that is added again starts with its own weight.
    place.add("i", &line("a", &text(1, 0)));
    assert_eq!(weights(&place, "i"), expected(&[("a", 1, 1), ("b", 2, 2)]));
}

#[test]
fn merged_indexes_add_up() {
    let place = Place::new();
    let twice = |id: &str, family| [line(id, &text(family, 0)), line("again", &text(family, 0))].concat();
    place.add("i", &twice("a", 1));
    place.add("j", &(twice("other a", 1) + &line("b", &text(2, 0))));
    place.add("j", &line("b2", &text(2, 0)));
    merge(&place.index("i"), &[&place.index("j")], &Settings::default()).unwrap();
    assert_eq!(weights(&place, "i"), expected(&[("a", 4, 4), ("b", 2, 2)]));
    merge(&place.index("i"), &[&place.index("j")], &Settings::default()).unwrap();
    assert_eq!(weights(&place, "i"), expected(&[("a", 6, 6), ("b", 4, 4)]));
}

#[test]
fn damaged_weights_are_noticed() {
    let place = Place::new();
    place.add("i", &old());
    place.add("i", &line("copy", &text(3, 0)));
    let file = place.index("i").join("000002.weights");
    let whole = fs::read(&file).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&file, bytes).unwrap();
        let index = Index::open(&place.index("i"), &Settings::default()).unwrap();
        let error = rows(&index, &mut |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("000002.weights"), "{at}: {error}");
        assert!(error.help().unwrap().contains("index add"), "{error}");
    }
    fs::remove_file(&file).unwrap();
    let index = Index::open(&place.index("i"), &Settings::default()).unwrap();
    assert!(rows(&index, &mut |_| Ok(())).is_err());
}

/// Documents with duplicates in an index follow the actions for exact and for near-duplicates.
#[test]
fn known_documents_follow_the_policies() {
    let place = Place::new();
    place.add("i", &old());
    let upper = text(4, 0).to_uppercase();
    let lines = [
        line("same", &text(3, 0)),
        line("upper", &upper),
        line("near", &text(4, 2)),
        line("near again", &text(4, 2)),
        line("other", &text(50, 0)),
    ]
    .concat();
    let verdicts = |exact: &str, near: &str| {
        let settings = Settings {
            against: Some(place.index("i")),
            on_exact: Some(exact.parse().unwrap()),
            on_near: Some(near.parse().unwrap()),
            ..Settings::default()
        };
        let out = place.index(&format!("{exact}-{near}"));
        let outcome = place.with(&lines, &settings, |job| {
            crate::verbs::dedup::dedup(job, &out, Default::default()).unwrap()
        });
        assert!(outcome.summary.counts.add_up());
        let matches = fs::read_to_string(out.join("matches.jsonl")).unwrap();
        assert_eq!(matches.lines().count(), 4, "{matches}");
        let clusters = fs::read_to_string(out.join("clusters.jsonl")).unwrap();
        let verdict = |line: &str| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let sign = if row["kept"] == true { "+" } else { "-" };
            format!("{sign}{}", row["reason"].as_str().unwrap())
        };
        clusters.lines().map(verdict).collect::<Vec<_>>().join(" ")
    };
    let known = "-known-duplicate";
    assert_eq!(
        verdicts("delete", "delete"),
        format!("{known} {known} {known} {known} +unique")
    );
    // New documents are still compared with each other: `near` is similar to `upper`, which has the words of a known document.
    assert_eq!(
        verdicts("delete", "keep"),
        format!("{known} +known-duplicate +known-duplicate -exact-duplicate +unique")
    );
    assert_eq!(
        verdicts("keep", "delete"),
        format!("+known-duplicate {known} {known} {known} +unique")
    );
    assert_eq!(
        verdicts("demote", "demote"),
        "+demoted +demoted +demoted +demoted +unique"
    );
}
