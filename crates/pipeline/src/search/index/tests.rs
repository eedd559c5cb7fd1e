use std::fs;
use std::path::PathBuf;

use super::*;
use crate::exec::cancel::Cancel;
use crate::job::Job;
use crate::search::index::store::{Manifest, Writer};
use crate::settings::{Memory, Settings, Threshold};

mod containment;
mod damage;
mod spread;
mod weights;

fn text(family: u32, edits: u32) -> String {
    (0..60)
        .map(|n| format!("w{family}x{n}y{} ", if n < edits { edits } else { 0 }))
        .collect()
}

fn line(id: &str, text: &str) -> String {
    format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}\n")
}

struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Place {
            dir: tempfile::tempdir().unwrap(),
        }
    }

    fn index(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn with<T>(&self, lines: &str, settings: &Settings, work: impl FnOnce(&Job<'_>) -> T) -> T {
        let input = self.dir.path().join("in.jsonl");
        fs::write(&input, lines).unwrap();
        let inputs = [input.display().to_string()];
        let cancel = Cancel::new();
        work(&Job::new(&inputs, settings, &cancel))
    }

    fn add(&self, name: &str, lines: &str) -> Added {
        self.with(lines, &Settings::default(), |job| {
            add(job, &self.index(name), &mut |_| {}).unwrap()
        })
    }

    fn ask(&self, name: &str, lines: &str) -> Vec<String> {
        let index = Index::open(&self.index(name), &Settings::default()).unwrap();
        let mut out = Vec::new();
        self.with(lines, &Settings::default(), |job| {
            query(job, &index, &mut out, &mut |_| {}).unwrap();
        });
        String::from_utf8(out)
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect()
    }
}

fn old() -> String {
    (0..20)
        .map(|family| line(&format!("old{family}"), &text(family, 0)))
        .collect()
}

fn new() -> String {
    [
        line("same", &text(3, 0)),
        line("near", &text(4, 2)),
        line("other", &text(50, 0)),
        line("near again", &text(4, 2)),
        line("empty", ""),
    ]
    .concat()
}

const SAME: &str = r#"{"id":"same","matches":[{"id":"old3","similarity":1.0,"estimate":1.0,"shared_shingles":57,"method":"exact"}]}"#;

#[test]
fn answers_name_the_document_the_similarity_and_the_shared_shingles() {
    let place = Place::new();
    let added = place.add("i", &old());
    assert_eq!((added.read, added.added), (20, 20));
    let answers = place.ask("i", &new());
    assert_eq!(answers.len(), 5);
    assert_eq!(answers[0], SAME);
    assert!(
        answers[1].starts_with(r#"{"id":"near","matches":[{"id":"old4","similarity":0.9"#),
        "{}",
        answers[1]
    );
    assert!(
        answers[1].contains(r#""shared_shingles":55,"method":"jaccard""#),
        "{}",
        answers[1]
    );
    assert_eq!(answers[2], r#"{"id":"other","matches":[]}"#);
    assert_eq!(answers[3].replace("near again", "near"), answers[1]);
    assert_eq!(answers[4], r#"{"id":"empty","matches":[]}"#);
}

#[test]
fn what_is_there_is_not_added_again() {
    let place = Place::new();
    place.add("i", &old());
    let lines = [
        line("copy", &text(3, 0)),
        line("old5", &text(60, 0)),
        line("new", &text(61, 0)),
        line("e", ""),
    ]
    .concat();
    let added = place.add("i", &lines);
    assert_eq!(
        (
            added.read,
            added.added,
            added.copies,
            added.known_ids,
            added.empty
        ),
        (4, 1, 1, 1, 1)
    );
    let stats = Index::open(&place.index("i"), &Settings::default())
        .unwrap()
        .stats();
    assert_eq!((stats.documents, stats.segments, stats.removed), (21, 2, 0));
}

#[test]
fn texts_that_only_the_profile_makes_equal_are_both_there() {
    let place = Place::new();
    let text = text(3, 0);
    let (upper, pointed) = (text.to_uppercase(), text.replacen(' ', ". ", 3));
    let lines = [
        line("a", &text),
        line("b", &upper),
        line("b again", &format!("  {upper}")),
    ]
    .concat();
    let added = place.add("i", &lines);
    assert_eq!((added.added, added.copies), (2, 1));
    let ask = [
        line("upper", &upper),
        line("pointed", &pointed),
        line("short", "x y"),
    ]
    .concat();
    let answers = place.ask("i", &ask);
    let found = |id: &str, method: &str| {
        format!(r#"{{"id":"{id}","similarity":1.0,"estimate":1.0,"shared_shingles":57,"method":"{method}"}}"#)
    };
    let expected =
        |id: &str, matches: &[String]| format!(r#"{{"id":"{id}","matches":[{}]}}"#, matches.join(","));
    assert_eq!(
        answers[0],
        expected("upper", &[found("b", "exact"), found("a", "jaccard")])
    );
    assert_eq!(
        answers[1],
        expected("pointed", &[found("a", "jaccard"), found("b", "jaccard")])
    );
    // Segments do not matter, and a removed text can be added again.
    assert_eq!(place.add("i", &line("c", &pointed)).added, 1);
    compact(&place.index("i"), &Settings::default()).unwrap();
    assert!(place.ask("i", &ask)[1].contains(&found("c", "exact")));
    assert_eq!(remove(&place.index("i"), ["b"]).unwrap().documents, 1);
    assert_eq!(place.ask("i", &ask)[0].matches("jaccard").count(), 2);
    place.add("j", &line("b back", &upper));
    let merged = merge(&place.index("i"), &[&place.index("j")], &Settings::default()).unwrap();
    assert_eq!((merged.added, merged.known), (1, 0));
}

#[test]
fn removing_merging_and_compacting_change_what_they_should() {
    let place = Place::new();
    place.add("i", &old());
    assert_eq!(
        remove(&place.index("i"), ["old3", "old3", "nobody"])
            .unwrap()
            .documents,
        1
    );
    assert_eq!(remove(&place.index("i"), ["old3"]).unwrap().documents, 0);
    assert!(place.ask("i", &new())[0].contains(r#""matches":[]"#));
    // Removed documents may be added again, here from another index.
    place.add(
        "j",
        &[
            line("back", &text(3, 0)),
            line("j4", &text(4, 0)),
            line("j5", &text(70, 0)),
        ]
        .concat(),
    );
    let merged = merge(&place.index("i"), &[&place.index("j")], &Settings::default()).unwrap();
    assert_eq!((merged.added, merged.known), (2, 1));
    let before = place.ask("i", &new());
    assert_eq!(before[0], SAME.replace("old3", "back"));
    compact(&place.index("i"), &Settings::default()).unwrap();
    assert_eq!(place.ask("i", &new()), before);
    let stats = Index::open(&place.index("i"), &Settings::default())
        .unwrap()
        .stats();
    assert_eq!((stats.documents, stats.segments, stats.removed), (21, 1, 0));
    let files = fs::read_dir(place.index("i")).unwrap().count();
    assert_eq!(files, 3, "manifest, lock and one segment");
    // A compact index is left as it is: neither the manifest nor the names of segments change.
    let manifest = || fs::read(place.index("i").join("index.json")).unwrap();
    let compacted = manifest();
    compact(&place.index("i"), &Settings::default()).unwrap();
    assert_eq!(manifest(), compacted);
}

#[test]
fn other_settings_are_refused_with_both_values() {
    let place = Place::new();
    place.add("i", &old());
    let settings = Settings {
        threshold: Some(Threshold(0.5)),
        ..Settings::default()
    };
    let error = Index::open(&place.index("i"), &settings).err().unwrap();
    assert!(
        error
            .to_string()
            .ends_with("was made with threshold 0.8, but these settings have 0.5"),
        "{error}"
    );
    assert_eq!(error.option(), Some("threshold"));
    let error = place
        .with(&old(), &settings, |job| add(job, &place.index("i"), &mut |_| {}))
        .unwrap_err();
    assert_eq!(error.option(), Some("threshold"));

    place.with(&old(), &settings, |job| {
        add(job, &place.index("j"), &mut |_| {}).unwrap()
    });
    let error = merge(&place.index("i"), &[&place.index("j")], &Settings::default()).unwrap_err();
    assert!(error.to_string().contains("threshold 0.5"), "{error}");
}

#[test]
fn an_interrupted_change_has_not_happened() {
    let place = Place::new();
    place.add("i", &old());
    let folder = place.index("i");
    // A process was killed before it could rename its manifest.
    fs::write(folder.join("000002.segment"), "half").unwrap();
    fs::write(folder.join(".index.json.Ab12Cd.dehusk-partial"), "{").unwrap();
    assert_eq!(place.ask("i", &new())[0], SAME);
    place.add("i", &line("x", &text(80, 0)));
    let stats = Index::open(&folder, &Settings::default()).unwrap().stats();
    assert_eq!((stats.documents, stats.segments), (21, 2));
    assert!(!folder.join(".index.json.Ab12Cd.dehusk-partial").exists());
}

#[test]
fn strangers_are_told() {
    let place = Place::new();
    place.add("i", &old());
    let stranger = place.index("s");
    fs::create_dir(&stranger).unwrap();
    fs::write(stranger.join("thesis.txt"), "").unwrap();
    let error = place
        .with(&old(), &Settings::default(), |job| {
            add(job, &stranger, &mut |_| {})
        })
        .unwrap_err();
    assert!(error.to_string().contains("is not empty"), "{error}");
    let error = Index::open(&stranger, &Settings::default()).err().unwrap();
    assert!(error.help().unwrap().contains("index add"), "{error}");
    assert!(remove(&place.index("nothing"), ["x"]).is_err());
    assert!(!place.index("nothing").exists());
}

#[test]
fn one_process_at_a_time_changes_an_index() {
    let place = Place::new();
    place.add("i", &old());
    let writer = Writer::open(&place.index("i"), &Cancel::new()).unwrap();
    let error = compact(&place.index("i"), &Settings::default()).unwrap_err();
    assert!(error.to_string().contains("another process"), "{error}");
    drop(writer);
    compact(&place.index("i"), &Settings::default()).unwrap();
}

#[test]
fn documents_of_an_index_go_and_are_named() {
    let place = Place::new();
    place.add("i", &old());
    let lines = [new(), line("other near", &text(50, 1)), line("near", &text(4, 3))].concat();
    let settings = Settings {
        against: Some(place.index("i")),
        ..Settings::default()
    };
    let out = place.index("out");
    let outcome = place.with(&lines, &settings, |job| {
        crate::verbs::dedup::dedup(job, &out, Default::default()).unwrap()
    });
    assert!(outcome.summary.counts.add_up());
    assert_eq!(outcome.summary.counts.dropped["known-duplicate"], 4);
    assert_eq!(outcome.summary.counts.kept, 1);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    assert!(read("kept.jsonl").starts_with(r#"{"id":"other","#));
    let matches = read("matches.jsonl");
    let matches: Vec<&str> = matches.lines().collect();
    assert_eq!(matches.len(), 4);
    assert_eq!(
        matches[0],
        r#"{"a":"same","b":"old3","similarity":1.0,"estimate":1.0,"shared_shingles":57,"method":"exact"}"#
    );
    assert!(
        matches[3].starts_with(r#"{"a":"near#2","b":"old4""#),
        "{}",
        matches[3]
    );
    let clusters = read("clusters.jsonl");
    let row = r#"{"id":"near","cluster":"near","representative":"old4","similarity":0.9322033898305084,"cluster_size":1,"kept":false,"reason":"known-duplicate"}"#;
    assert!(clusters.contains(row), "{clusters}");
    assert_eq!(read("pairs.jsonl").lines().count(), 1);
}

#[test]
fn documents_are_also_found_by_keys() {
    let place = Place::new();
    let settings = Settings {
        signature: Some("megashingles".parse().unwrap()),
        threshold: Some(Threshold(0.5)),
        ..Settings::default()
    };
    let add_to = |name: &str, lines: &str| {
        place.with(lines, &settings, |job| {
            add(job, &place.index(name), &mut |_| {}).unwrap()
        })
    };
    add_to("i", &old());
    add_to("i", &line("one more", &text(90, 0)));
    let wanted = [line("near", &text(90, 1)), line("other", &text(91, 0))].concat();
    let before = place.ask("i", &wanted);
    assert!(
        before[0].starts_with(r#"{"id":"near","matches":[{"id":"one more","similarity":0.9"#),
        "{}",
        before[0]
    );
    assert_eq!(before[1], r#"{"id":"other","matches":[]}"#);
    compact(&place.index("i"), &Settings::default()).unwrap();
    assert_eq!(place.ask("i", &wanted), before);
    let other = Settings {
        signature: Some("simhash".parse().unwrap()),
        ..Settings::default()
    };
    let error = place
        .with(&old(), &other, |job| add(job, &place.index("h"), &mut |_| {}))
        .unwrap_err();
    assert!(
        error.to_string().contains("`lsh`, `exact-key` or `containment`"),
        "{error}"
    );
}

/// Changes, removes or doubles some bytes, or truncates the end.
pub(crate) fn mutated(bytes: &[u8], random: &mut dehusk_dedup::SplitMix64) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..=random.number() % 4 {
        if out.is_empty() {
            break;
        }
        let at = (random.number() % out.len() as u64) as usize;
        match random.number() % 6 {
            0 => out.truncate(at),
            1 => drop(out.remove(at)),
            2 => out.insert(at, random.number() as u8),
            3 => out[at] = b"0123456789-\t\n\"{}e."[(random.number() % 18) as usize],
            _ => out[at] ^= 1 << (random.number() % 8),
        }
    }
    out
}

#[test]
fn an_index_that_does_not_fit_is_left_as_it_was() {
    let place = Place::new();
    place.add("whole", &old());
    let little = Settings {
        memory: Some(Memory(1 << 20)),
        ..Settings::default()
    };
    let refused = place.with(&new(), &little, |job| {
        add(job, &place.index("whole"), &mut |_| {})
    });
    let refused = refused.unwrap_err();
    assert_eq!(refused.option(), Some("memory"), "{refused}");
    assert_eq!(place.add("whole", &old()).copies, 20);
    place.add("other", &new());
    for refused in [
        compact(&place.index("whole"), &little).err(),
        merge(&place.index("whole"), &[&place.index("other")], &little).err(),
    ] {
        assert_eq!(refused.unwrap().option(), Some("memory"));
    }
    assert_eq!(place.add("whole", &old()).copies, 20);
    // With little memory, lookups use smaller batches.
    let index = Index::open(&place.index("whole"), &little).unwrap();
    let mut out = Vec::new();
    place.with(&new(), &little, |job| {
        query(job, &index, &mut out, &mut |_| {}).unwrap();
    });
    let lines: Vec<&str> = std::str::from_utf8(&out).unwrap().lines().collect();
    assert_eq!(lines, place.ask("whole", &new()));
}

/// Figures are added up, and name files that are read and written, before any segment is read.
#[test]
fn a_manifest_that_contradicts_itself_is_refused() {
    let place = Place::new();
    place.add("i", &old());
    remove(&place.index("i"), ["old3"]).unwrap();
    let path = place.index("i").join("index.json");
    let whole = fs::read_to_string(&path).unwrap();
    for (from, to) in [
        ("\"documents\": 20", "\"documents\": 18446744073709551615"),
        ("\"bytes\": ", "\"bytes\": 9"),
        ("\"file\": \"000001.segment\"", "\"file\": \"../000001.segment\""),
        ("\"file\": \"000001.segment\"", "\"file\": \"1.segment\""),
        ("\"next\": 2", "\"next\": 1"),
        ("\"next\": 2", "\"next\": 18446744073709551615"),
        (
            "\"000001.segment\": [\n      11",
            "\"000001.segment\": [\n      20",
        ),
        ("\"000001.segment\": [", "\"000002.segment\": ["),
        (
            "\"000001.segment\": [\n      11",
            "\"000001.segment\": [\n      11, 11",
        ),
    ] {
        assert!(whole.contains(from), "{from} is not in {whole}");
        let mut changed: Manifest = serde_json::from_str(&whole.replacen(from, to, 1)).unwrap();
        changed.checksum = changed.expected_checksum().unwrap();
        fs::write(&path, serde_json::to_string(&changed).unwrap()).unwrap();
        let refused = Index::open(&place.index("i"), &Settings::default()).err();
        let message = refused.unwrap_or_else(|| panic!("{to} is accepted")).to_string();
        assert!(message.contains("contradict"), "{to}: {message}");
    }
    fs::write(&path, whole).unwrap();
    assert_eq!(place.ask("i", &new())[0], r#"{"id":"same","matches":[]}"#);
}

#[test]
fn what_the_caller_holds_counts_when_an_index_grows() {
    let place = Place::new();
    let lines: String = (0..40).map(|n| line(&format!("d{n}"), &text(n, 0))).collect();
    let settings = Settings {
        threads: Some(crate::settings::Threads(1)),
        memory: Some(Memory(20 << 20)),
        ..Settings::default()
    };
    let grow = |held: u64| {
        place.with(&lines, &settings, |job| {
            let mut growth = Growth::open(&place.index("known"), job)?;
            let inputs = job.open(crate::read::inputs::RecordKind::Documents)?;
            growth.add(job, &inputs, held, &|_| Fate::Added(None), &mut |_| {})
        })
    };
    let refused = grow(3 << 20).unwrap_err();
    assert_eq!(refused.option(), Some("memory"), "{refused}");
    assert_eq!(grow(2 << 20).unwrap().added, 40);
}
