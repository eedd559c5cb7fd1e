#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;

use dehusk_pipeline::dedup::Shingler;
use dehusk_pipeline::{Cancel, Settings};

use super::*;
use crate::metrics::Prf;
use crate::random::Random;

/// Texts with copies, and a truth that partly disagrees with them.
fn set(documents: usize) -> (Vec<String>, Vec<u32>) {
    let mut random = Random::new(3, 3);
    let mut texts: Vec<String> = Vec::new();
    let mut groups = Vec::new();
    for _ in 0..documents {
        let copied = random.below(texts.len().max(1));
        match (random.below(4), texts.get(copied).cloned()) {
            (0, Some(text)) => {
                // An equal text, sometimes in another group.
                texts.push(text);
                groups.push(if random.chance(300_000) {
                    1000
                } else {
                    groups[copied]
                });
            }
            (1, Some(text)) => {
                texts.push(format!("{text} {}", random.below(1000)));
                groups.push(groups[copied]);
            }
            _ => {
                let words: Vec<String> = (0..20).map(|_| format!("w{}", random.below(200))).collect();
                texts.push(words.join(" "));
                groups.push(groups.len() as u32);
            }
        }
    }
    texts.push(String::new());
    groups.push(2000);
    (texts, groups)
}

struct Files {
    folder: tempfile::TempDir,
    settings: Settings,
    cancel: Cancel,
}

impl Files {
    fn new(texts: &[String], groups: &[u32]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (mut corpus, mut truth) = (String::new(), String::new());
        for (number, (text, group)) in texts.iter().zip(groups).enumerate() {
            corpus += &format!(
                "{}\n",
                serde_json::json!({"id": number.to_string(), "text": text})
            );
            truth += &format!("{number}\t{group}\n");
        }
        fs::write(folder.path().join("corpus.jsonl"), corpus).unwrap();
        fs::write(folder.path().join("truth.tsv"), truth).unwrap();
        Self {
            folder,
            settings: Settings::default(),
            cancel: Cancel::new(),
        }
    }

    fn compare(&self, options: &Options) -> View {
        let inputs = [self.folder.path().join("corpus.jsonl").display().to_string()];
        let job = Job::new(&inputs, &self.settings, &self.cancel);
        compare(&job, &self.folder.path().join("truth.tsv"), options, "text").unwrap()
    }
}

/// Jaccard similarity of word pairs, by definition.
fn jaccard(a: &str, b: &str) -> f64 {
    let shingles = |text: &str| -> std::collections::BTreeSet<String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() < 2 {
            return words.iter().map(|&word| word.to_owned()).collect();
        }
        words.windows(2).map(|pair| pair.join(" ")).collect()
    };
    let (a, b) = (shingles(a), shingles(b));
    a.intersection(&b).count() as f64 / a.union(&b).count().max(1) as f64
}

fn options() -> Options {
    Options {
        shingler: Shingler::words(2),
        threshold: 0.8,
        replicates: 50,
        ..Options::default()
    }
}

#[test]
fn counts_are_those_of_all_pairs_of_documents() {
    let (texts, groups) = set(160);
    let view = Files::new(&texts, &groups).compare(&options());
    let (mut right, mut found, mut all) = (0.0, 0.0, 0.0);
    let (mut equal_right, mut equal) = (0.0, 0.0);
    for a in 0..texts.len() {
        for b in a + 1..texts.len() {
            let same = f64::from(u8::from(groups[a] == groups[b]));
            all += same;
            if !texts[a].is_empty() && jaccard(&texts[a], &texts[b]) >= 0.8 {
                found += 1.0;
                right += same;
            }
            if texts[a] == texts[b] {
                equal += 1.0;
                equal_right += same;
            }
        }
    }
    assert!(found > equal && equal > equal_right && equal_right > 5.0);
    let row = |method: &str, mode| {
        let mut rows = view.rows.iter();
        rows.find(|row| row.method.split(':').next() == Some(method) && row.mode == mode)
            .unwrap()
    };
    let exact = row("shingles", Mode::Verified);
    assert_eq!((exact.pairs, exact.found), (Prf::new(right, found, all), found));
    for mode in [Mode::Alone, Mode::Verified] {
        assert_eq!(row("md5", mode).pairs, Prf::new(equal_right, equal, all));
    }
    // For copies with one added word, MinHash finds all pairs at this threshold.
    assert_eq!(row("minhash", Mode::Verified).pairs, exact.pairs);
    assert_eq!(view.set.degrees[0].pairs, all);
    let similarity: f64 = view.similarity.iter().map(|bin| bin.pairs).sum();
    assert!((similarity - all).abs() < 1e-9, "{similarity} {all}");
    for row in &view.rows {
        let recalled: f64 = row
            .recall_by_similarity
            .iter()
            .zip(&view.similarity)
            .take(20)
            .map(|(recall, bin)| recall.unwrap_or(0.0) * bin.pairs)
            .sum();
        assert!(recalled <= row.pairs.recall * all + 1e-6, "{}", row.name);
        let [precision, recall, f1] = row.intervals.unwrap();
        for (interval, value) in [
            (precision, row.pairs.precision),
            (recall, row.pairs.recall),
            (f1, row.pairs.f1),
        ] {
            assert!(
                interval.low <= value + 1e-9 && value <= interval.high + 1e-9,
                "{} {interval:?} {value}",
                row.name
            );
        }
    }
}

/// Languages part the groups, so their counts add up to those of all documents.
#[test]
fn languages_have_scores_of_their_own() {
    let (texts, groups) = set(160);
    let files = Files::new(&texts, &groups);
    let language = |group: u32| ["fa", "th"][(group % 2) as usize];
    let truth: String = (0..)
        .zip(&groups)
        .map(|(number, &group): (usize, _)| {
            format!(
                "{{\"id\":\"{number}\",\"group\":{group},\"language\":\"{}\"}}\n",
                language(group)
            )
        })
        .collect();
    fs::write(files.folder.path().join("truth.jsonl"), truth).unwrap();
    let inputs = [files.folder.path().join("corpus.jsonl").display().to_string()];
    let job = Job::new(&inputs, &files.settings, &files.cancel);
    let view = compare(&job, &files.folder.path().join("truth.jsonl"), &options(), "text").unwrap();
    let names: Vec<_> = view
        .set
        .languages
        .iter()
        .map(|facts| facts.name.as_str())
        .collect();
    assert_eq!(names, ["fa", "th"]);
    let documents: u64 = view.set.languages.iter().map(|facts| facts.documents).sum();
    assert_eq!(documents, texts.len() as u64);
    for row in &view.rows {
        let mut right = 0.0;
        for (facts, scores) in view.set.languages.iter().zip(&row.languages) {
            right += facts.pairs * scores.recall;
        }
        let all = view.set.degrees[0].pairs;
        assert!((right - all * row.pairs.recall).abs() < 1e-6, "{}", row.name);
        assert!(
            row.languages
                .iter()
                .any(|scores| scores.precision <= row.pairs.precision + 1e-9)
        );
    }
    let plain = Files::new(&texts, &groups).compare(&options());
    assert!(plain.set.languages.is_empty() && plain.rows[0].languages.is_empty());
}

#[test]
fn rows_bear_the_names_of_the_study() {
    let (texts, groups) = set(40);
    let view = Files::new(&texts, &groups).compare(&options());
    for name in [
        "MD5",
        "TF",
        "TF*IDF",
        "TF*RIDF",
        "Opt Freq",
        "Long Sent",
        "Heavy Sent",
        "Lex Rand",
        "Log Shingles",
        "Megashingles",
        "Descr Words",
    ] {
        assert!(view.rows.iter().any(|row| row.name == name), "{name}");
    }
    let changed = Options {
        methods: vec!["minhash:width=64".parse().unwrap()],
        ..options()
    };
    let view = Files::new(&texts, &groups).compare(&changed);
    assert_eq!(view.rows[0].name, "MinHash (width=64)");
    assert!(!sweep().is_empty() && sweep().iter().all(|method| !options::row_name(method).is_empty()));
}

#[test]
fn pairs_may_be_the_truth() {
    let (texts, groups) = set(60);
    let files = Files::new(&texts, &groups);
    let twins: Vec<(usize, usize)> = (0..texts.len())
        .flat_map(|a| (a + 1..texts.len()).map(move |b| (a, b)))
        .filter(|&(a, b)| texts[a] == texts[b] && !texts[a].is_empty())
        .collect();
    let pairs: String = twins.iter().map(|(a, b)| format!("{a}\t{b}\t1.0\n")).collect();
    fs::write(files.folder.path().join("truth.tsv"), pairs).unwrap();
    let view = files.compare(&options());
    let md5 = view.rows.iter().find(|row| row.name == "MD5").unwrap();
    assert_eq!(
        md5.pairs,
        Prf::new(twins.len() as f64, md5.found, twins.len() as f64)
    );
    assert_eq!(
        (md5.pairs.recall, md5.pairs.precision, md5.intervals),
        (1.0, 1.0, None)
    );
}
