#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use dehusk_pipeline::Cancel;
use serde_json::Value;

use super::*;

fn pool(words: &[&str]) -> Pool {
    let mut random = crate::Random::new(9, 9);
    let sentences = (0..400)
        .map(|number| {
            let count = random.between(6, 14);
            let chosen: Vec<&str> = (0..count).map(|_| *random.pick(words).unwrap()).collect();
            format!("{} {number}.", chosen.join(" "))
        })
        .collect();
    Pool::of(sentences).unwrap()
}

fn english() -> Pool {
    pool(&[
        "river", "stone", "walks", "under", "green", "old", "house", "sings", "night", "bread", "seven",
        "glass",
    ])
}

fn russian() -> Pool {
    pool(&[
        "река",
        "камень",
        "идёт",
        "под",
        "зелёный",
        "старый",
        "дом",
        "поёт",
        "ночь",
        "хлеб",
        "семь",
        "стекло",
    ])
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The contents of all files of a set, concatenated.
fn bytes(folder: &Path) -> Vec<u8> {
    let names = ["corpus.jsonl", "pages.xml", "truth.jsonl", "generated.json"];
    names
        .iter()
        .flat_map(|name| fs::read(folder.join(name)).unwrap_or_default())
        .collect()
}

#[test]
fn languages_are_told_by_letters() {
    assert_eq!(english().language, Language::English);
    assert_eq!(russian().language, Language::Russian);
    assert!(Pool::of(vec!["1 2 3".to_owned()]).is_none());
}

#[test]
fn mutations_are_copies_of_their_parents() {
    let folder = tempfile::tempdir().unwrap();
    let options = Mutations {
        documents: 3000,
        copied: 500_000,
        seed: 4,
        ..Mutations::default()
    };
    let make = |name: &str, options: &Mutations| {
        let out = folder.path().join(name);
        let count = mutations(&[english(), russian()], options, &out, &Cancel::new()).unwrap();
        assert_eq!(count, 3000);
        out
    };
    let out = make("a", &options);
    assert_eq!(bytes(&out), bytes(&make("b", &options)));
    assert_ne!(bytes(&out), bytes(&make("c", &Mutations { seed: 5, ..options })));

    let (texts, truth) = (lines(&out.join("corpus.jsonl")), lines(&out.join("truth.jsonl")));
    let text = |id: &Value| {
        texts[id.as_str().unwrap().parse::<usize>().unwrap()]["text"]
            .as_str()
            .unwrap()
    };
    let mut ops = BTreeMap::new();
    for row in &truth {
        *ops.entry(row["op"].as_str().unwrap()).or_insert(0) += 1;
        if row["parent"].is_null() {
            assert_eq!(row["op"], "base");
            continue;
        }
        let parent = &truth[row["parent"].as_str().unwrap().parse::<usize>().unwrap()];
        assert_eq!(parent["group"], row["group"]);
        let (own, other) = (text(&row["id"]), text(&parent["id"]));
        assert!(row["op"] != "exact" || own == other, "{row}");
        let words = |text: &str| -> BTreeSet<String> { text.split_whitespace().map(str::to_owned).collect() };
        let (own, other) = (words(own), words(other));
        if row["op"] == "words" && row["rate"].as_f64() <= Some(0.05) {
            let common = own.intersection(&other).count();
            assert!(2 * common > other.len(), "{row}");
        }
    }
    let kinds = [
        "base", "boiler", "drop", "exact", "mixed", "noise", "shuffle", "typos", "words",
    ];
    assert_eq!(ops.keys().copied().collect::<Vec<_>>(), kinds);
    assert!(
        ops["words"] > 2 * ops["typos"] && ops["words"] < 4 * ops["typos"],
        "{ops:?}"
    );
}

#[test]
fn records_are_as_dirty_as_their_class() {
    let folder = tempfile::tempdir().unwrap();
    let names = folder.path().join("names.csv");
    let mut table = "Symbol,Name\n".to_owned();
    for number in 0..60 {
        let name = ["River", "Stone", "Green", "Glass", "Seven"][number % 5];
        table += &format!(
            "X{number},\"{name} {number} Holdings, Inc. Common Stock\"\nY{number},{name} Fund {number}\n"
        );
    }
    fs::write(&names, table).unwrap();
    let names = [names.display().to_string()];
    let make = |class: &str| {
        let out = folder.path().join(class);
        let options = Records {
            records: 1000,
            clusters: 50,
            ..Records::new(class).unwrap()
        };
        assert_eq!(records(&names, &options, &out, &Cancel::new()).unwrap(), 1000);
        let rows = lines(&out.join("truth.jsonl"));
        let groups: BTreeSet<u64> = rows.iter().map(|row| row["group"].as_u64().unwrap()).collect();
        assert_eq!(groups.len(), 50);
        rows.iter().filter(|row| row["op"] == "error").count()
    };
    let (high, medium, low) = (make("HE"), make("ME"), make("LE"));
    assert!((800..900).contains(&high) && (420..530).contains(&medium) && (60..130).contains(&low));
    for profile in PROFILES {
        make(&profile.name.to_lowercase());
    }
    assert!(
        Records::new("XX")
            .unwrap_err()
            .to_string()
            .contains("known: HE, ME, LE, AB, TS, EDL")
    );
    let few = Records {
        clusters: 500,
        ..Records::new("HE").unwrap()
    };
    let error = records(&names, &few, &folder.path().join("few"), &Cancel::new()).unwrap_err();
    assert!(error.to_string().contains("60 names"), "{error}");
}

#[test]
fn a_web_has_truth_of_three_degrees() {
    let folder = tempfile::tempdir().unwrap();
    let options = Romip {
        pages: 400,
        sites: 8,
        seed: 2,
    };
    let make = |name: &str| {
        let out = folder.path().join(name);
        romip(&[english(), russian()], &options, &out, &Cancel::new()).unwrap();
        out
    };
    let out = make("a");
    assert_eq!(bytes(&out), bytes(&make("b")));
    let truth = lines(&out.join("truth.jsonl"));
    let mut near_of_exact = BTreeMap::new();
    let mut story_of_near = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for row in &truth {
        // Equal texts are near-duplicates, and near-duplicates are on the same story.
        let number = |name: &str| row[name].as_u64().unwrap();
        assert_eq!(
            *near_of_exact.entry(number("exact")).or_insert(number("group")),
            number("group")
        );
        assert_eq!(
            *story_of_near.entry(number("group")).or_insert(number("story")),
            number("story")
        );
        assert!(ids.insert(row["id"].as_str().unwrap().to_owned()), "{row}");
    }
    let ops: BTreeSet<&str> = truth.iter().map(|row| row["op"].as_str().unwrap()).collect();
    for op in [
        "original", "print", "archive", "mirror", "reprint", "retold", "list",
    ] {
        assert!(ops.contains(op), "{op}");
    }
    let distinct = |name: &str| {
        truth
            .iter()
            .map(|row| row[name].as_u64())
            .collect::<BTreeSet<_>>()
            .len()
    };
    assert!(distinct("exact") > distinct("group") && distinct("group") > distinct("story"));
}

#[test]
fn hard_sets_are_as_many_documents_as_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let cancel = Cancel::new();
    let texts = |out: &Path| -> Vec<String> {
        let rows = lines(&out.join("corpus.jsonl"));
        rows.iter()
            .map(|row| row["text"].as_str().unwrap().to_owned())
            .collect()
    };

    let options = Parts {
        documents: 50,
        ..Parts::default()
    };
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    assert_eq!(parts(&options, &a, &cancel).unwrap(), 50);
    parts(&options, &b, &cancel).unwrap();
    assert_eq!(bytes(&a), bytes(&b));
    for text in texts(&a) {
        assert_eq!(text.split(' ').count(), 200);
        let replaced = text.split(' ').filter(|word| !word.contains("v0")).count();
        assert!((5..=20).contains(&replaced) && replaced % 5 == 0, "{text}");
    }
    let none = Parts { parts: 0, ..options };
    assert!(parts(&none, &b, &cancel).is_err());

    let options = Stars {
        stars: 4,
        copies: 6,
        seed: 3,
    };
    let out = folder.path().join("stars");
    assert_eq!(stars(&options, &out, &cancel).unwrap(), 24);
    assert!(!texts(&out).is_sorted(), "copies are not beside each other");
    let different: BTreeSet<String> = texts(&out).into_iter().collect();
    assert_eq!(different.len(), 4);
}

#[test]
fn variants_differ_in_spelling_alone() {
    let french = pool(&[
        "l'été",
        "œuvre",
        "rivière",
        "à",
        "l’homme",
        "chante",
        "sous",
        "les",
        "pierres",
        "déjà",
        "vertes",
        "vieille",
        "maison",
        "qu'elle",
        "connaît",
        "depuis",
        "toujours",
    ]);
    assert_eq!(french.code, Some("fr"));
    let folder = tempfile::tempdir().unwrap();
    let options = Mutations {
        documents: 400,
        copied: 900_000,
        variants: true,
        ..Mutations::default()
    };
    let out = folder.path().join("set");
    mutations(&[french], &options, &out, &Cancel::new()).unwrap();
    let (texts, truth) = (lines(&out.join("corpus.jsonl")), lines(&out.join("truth.jsonl")));
    let text = |id: &Value| -> &str {
        let row = texts.iter().find(|row| row["id"] == *id).unwrap();
        row["text"].as_str().unwrap()
    };
    let mut names = BTreeSet::new();
    let mut changed = 0;
    for row in &truth {
        assert_eq!(
            (&row["language"], &row["rate"]),
            (&Value::from("fr"), &Value::from(0.0))
        );
        if row["parent"].is_null() {
            continue;
        }
        names.insert(row["op"].as_str().unwrap());
        let (copy, parent) = (text(&row["id"]), text(&row["parent"]));
        changed += usize::from(copy != parent);
        assert_eq!(copy.split_whitespace().count(), parent.split_whitespace().count());
    }
    assert!(names.len() >= 6 && changed > 50, "{names:?} {changed}");

    // A language whose habits are not known is named before anything is written.
    let error = mutations(&[russian()], &options, &folder.path().join("ru"), &Cancel::new()).unwrap_err();
    assert!(
        error.to_string().contains("for which no variants are known"),
        "{error}"
    );
    assert!(!folder.path().join("ru").exists());
}

/// Thirteen short files gave two texts with a similarity of .938 that truth called different.
#[test]
fn texts_that_are_too_short_for_so_many_documents_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let sentence = |n: usize| format!("Sentence {n} of a short file has some words of its own.");
    let short = || Pool::of((0..40).map(sentence).collect()).unwrap();
    let options = |documents| Mutations {
        documents,
        ..Mutations::default()
    };
    let out = dir.path().join("set");
    let error = mutations(&[english(), short()], &options(200), &out, &Cancel::new()).unwrap_err();
    assert!(
        error.to_string().contains("words, too few for 200 documents"),
        "{error}"
    );
    assert!(!out.join("truth.jsonl").exists());
    // As long as no sentence comes back, the same texts will do.
    mutations(&[short()], &options(2), &out, &Cancel::new()).unwrap();
    let web = Romip {
        pages: 120,
        ..Romip::default()
    };
    let refused = romip(&[short()], &web, &dir.path().join("web"), &Cancel::new());
    assert!(refused.is_err());
}
