use std::fs;
use std::path::Path;

use super::*;
use crate::exec::cancel::Cancel;

/// Documents with frequent and rare words, enough to choose descriptive words.
fn documents(folder: &Path) -> String {
    let row = |number: u32| {
        let rare = if number.is_multiple_of(3) { "walrus " } else { "" };
        let text = format!(
            "The {}cats sleep. {rare}{rare}Number word{number} is alone here.",
            rare.repeat(number as usize % 4)
        );
        format!(
            "{}\n",
            serde_json::json!({"id": format!("d{number}"), "text": text})
        )
    };
    let path = folder.join("documents.jsonl");
    let rows: String = (0..60).map(row).collect();
    fs::write(&path, rows + "not json\n").unwrap();
    path.display().to_string()
}

fn of(settings: &Settings, input: &str) -> Result<CorpusStats, Error> {
    let (inputs, cancel) = ([input.to_owned()], Cancel::new());
    let job = Job::new(&inputs, settings, &cancel);
    CorpusStats::of(&job, &Inputs::open(&inputs, None, crate::RecordKind::Documents)?)
}

fn settings(signature: &str) -> Settings {
    Settings {
        signature: Some(signature.parse().unwrap()),
        ..Settings::default()
    }
}

#[test]
fn words_are_counted_only_where_a_method_asks() {
    let folder = tempfile::tempdir().unwrap();
    let input = documents(folder.path());
    assert!(of(&Settings::default(), &input).unwrap().statistics.is_none());
    let known = of(&settings("tf-idf"), &input).unwrap();
    let statistics = known.statistics.unwrap();
    assert_eq!(statistics.documents(), 60);
    // Words are stemmed, and "the", "is" and "here" are dropped.
    assert_eq!(statistics.term("cat").documents, 60);
    assert_eq!(statistics.term("walrus").documents, 20);
    assert!(known.descriptive.is_none());
    assert!(
        !of(&settings("descr-words"), &input)
            .unwrap()
            .descriptive
            .unwrap()
            .words()
            .is_empty()
    );
    let cosine = Settings {
        similarity: Some("cosine".parse().unwrap()),
        ..Settings::default()
    };
    assert_eq!(
        of(&cosine, &input)
            .unwrap()
            .statistics
            .unwrap()
            .term("cats")
            .documents,
        60
    );
}

#[test]
fn what_was_saved_is_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let input = documents(folder.path());
    let path = folder.path().join("words.stats");
    for threads in ["1", "3"] {
        let mut counted = settings("descr-words");
        counted.threads = Some(threads.parse().unwrap());
        counted.save_stats = Some(path.clone());
        let known = of(&counted, &input).unwrap();
        let mut given = settings("descr-words");
        given.stats = Some(path.clone());
        let read = CorpusStats::given(&given).unwrap();
        let (ours, theirs) = (known.statistics.unwrap(), read.statistics.unwrap());
        assert_eq!(ours.terms(), theirs.terms());
        assert_eq!(
            (ours.documents(), ours.tokens()),
            (theirs.documents(), theirs.tokens())
        );
        assert_eq!(
            known.descriptive.unwrap().words(),
            read.descriptive.unwrap().words()
        );
    }
}

#[test]
fn files_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let input = documents(folder.path());
    let path = folder.path().join("words.stats");
    let mut counted = settings("tf-idf");
    counted.save_stats = Some(path.clone());
    of(&counted, &input).unwrap();
    let refusal = |settings: &Settings| of(settings, &input).err().unwrap().to_string();

    let mut given = settings("tf-idf");
    given.stats = Some(path.clone());
    of(&given, &input).unwrap();
    given.profile = Some("exact".parse().unwrap());
    let other = refusal(&given);
    assert!(
        other.contains("passes `v3 decode references") && other.contains("have `v3 decode invisible"),
        "{other}"
    );
    given.profile = None;
    given.symbol_share = Some("1".parse().unwrap());
    let other = refusal(&given);
    assert!(
        other.contains("symbols `symbol-share 0.3, min-tokens 20`"),
        "{other}"
    );
    given.symbol_share = None;
    given.terms = Some("plain".parse().unwrap());
    assert!(refusal(&given).contains("terms `stemmed`, but these settings have `plain`"));
    let mut words = settings("descr-words");
    words.stats = Some(path.clone());
    assert!(refusal(&words).contains("no descriptive words"));

    given.terms = None;
    let text = fs::read_to_string(&path).unwrap();
    let cut: Vec<&str> = text.lines().collect();
    for (damaged, says) in [
        (String::new(), "holds no collection statistics"),
        (
            "{\"tool\":\"other\"}\n".to_owned(),
            "holds no collection statistics",
        ),
        (cut[..cut.len() - 1].join("\n"), "cut off"),
        (format!("{text}{}\n", cut[1]), "cut off"),
        (
            text.replace("\"format_version\":2", "\"format_version\":7"),
            "format version 7",
        ),
        (text.replacen('\t', " ", 1), "line 2: not as the header says"),
    ] {
        fs::write(&path, damaged).unwrap();
        let message = refusal(&given);
        assert!(message.contains(says), "{message}");
    }
    let none = CorpusStats::given(&settings("tf-idf")).err().unwrap();
    assert_eq!(none.option(), Some("stats"));
}

/// Every file of statistics is either read or refused with an error, and statistics that were read can be used.
#[test]
fn mutated_files_are_errors_and_no_panics() {
    let folder = tempfile::tempdir().unwrap();
    let input = documents(folder.path());
    let path = folder.path().join("words.stats");
    let mut counted = settings("descr-words");
    counted.save_stats = Some(path.clone());
    of(&counted, &input).unwrap();
    let whole = fs::read(&path).unwrap();
    let mut random = dehusk_dedup::SplitMix64::new(9);
    let mut used = 0;
    for round in 0..600 {
        fs::write(&path, crate::search::index::tests::mutated(&whole, &mut random)).unwrap();
        let mut given = settings(["descr-words", "tf-idf", "lex-rand"][round % 3]);
        given.stats = Some(path.clone());
        let (inputs, cancel) = ([input.clone()], Cancel::new());
        let job = Job::new(&inputs, &given, &cancel);
        let signed = crate::verbs::sign::write(
            &job,
            &crate::write::format::Jsonl,
            &mut std::io::sink(),
            &mut |_| {},
        );
        used += u32::from(signed.is_ok());
    }
    assert!(used > 20, "some changes are harmless: {used}");
}
