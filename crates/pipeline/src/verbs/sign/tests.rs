use std::fs;

use serde_json::Value;

use super::*;
use crate::exec::cancel::Cancel;
use crate::settings::table::Settings;
use crate::write::format::{Jsonl, Tsv};

const TEXTS: [&str; 4] = [
    "A rose is a rose. The sea is calm tonight, and the moon lies fair upon the straits.",
    "",
    "Another text about roses and the calm sea. It has two sentences with different words.",
    "A rose is a rose. The sea is calm tonight, and the moon lies fair upon the straits.",
];

fn signed(settings: &Settings, format: &'static dyn RowFormat) -> (Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("documents.jsonl");
    let mut rows: String = (0..)
        .zip(TEXTS)
        .map(|(number, text)| {
            format!(
                "{}\n",
                serde_json::json!({"id": format!("d\t{number}"), "text": text})
            )
        })
        .collect();
    rows.push_str("broken\n");
    fs::write(&path, rows).unwrap();
    let (inputs, cancel) = ([path.display().to_string()], Cancel::new());
    let job = Job::new(&inputs, settings, &cancel);
    let (mut out, mut rejected) = (Vec::new(), Vec::new());
    let outcome = write(&job, format, &mut out, &mut |row| rejected.push(row.id.clone())).unwrap();
    assert_eq!((outcome.summary.counts.read, outcome.summary.counts.kept), (5, 4));
    assert!(!outcome.summary.damaged);
    let lines = String::from_utf8(out)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    (lines, rejected)
}

#[test]
fn every_method_signs_and_copies_have_equal_signatures() {
    for method in dehusk_dedup::sign::ALL {
        let mut settings = Settings {
            signature: Some(method.name().parse().unwrap()),
            shingle: Some("2".parse().unwrap()),
            ..Settings::default()
        };
        let mut first: Option<Vec<String>> = None;
        for threads in ["1", "3"] {
            settings.threads = Some(threads.parse().unwrap());
            let (lines, rejected) = signed(&settings, &Jsonl);
            assert_eq!(rejected, ["5"]);
            let rows: Vec<Value> = lines
                .iter()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            assert_eq!(rows[0]["header"]["kind"], "signatures");
            assert!(
                rows[0]["header"]["signature"]
                    .as_str()
                    .unwrap()
                    .starts_with(method.name())
            );
            assert_eq!(rows[1]["signature"], rows[4]["signature"], "{}", method.name());
            assert_eq!(rows[2], serde_json::json!({"id": "d\t1", "signature": ""}));
            assert_eq!(
                first.get_or_insert_with(|| lines.clone()),
                &lines,
                "{threads} threads"
            );
        }
    }
}

#[test]
fn tables_say_the_same() {
    let settings = Settings {
        signature: Some("minhash:width=2".parse().unwrap()),
        ..Settings::default()
    };
    let (lines, _) = signed(&settings, &Jsonl);
    let (table, _) = signed(&settings, &Tsv);
    assert!(
        table[0].starts_with("# {\"") && table[0].contains("\"signature\":\"minhash:width=2,"),
        "{}",
        table[0]
    );
    let (id, signature) = table[1].split_once('\t').unwrap();
    assert_eq!(id, "d\\t0");
    assert_eq!(
        serde_json::from_str::<Value>(&lines[1]).unwrap()["signature"],
        signature
    );
    assert_eq!(signature.len(), 2 * 16 + 1);
    assert_eq!(table[2], "d\\t1\t");
}

#[test]
fn digits_are_those_of_the_number() {
    let mut hex = String::new();
    to_hex(&[0, 0xfedc_ba98_7654_3210, 15], &mut hex);
    assert_eq!(hex, "0000000000000000 fedcba9876543210 000000000000000f");
}

/// Signatures are not documents: a reader of documents rejects their lines, also after arbitrary changes, and never fails on them.
#[test]
fn mutated_signatures_are_rejected_line_by_line() {
    let (lines, _) = signed(&Settings::default(), &Jsonl);
    let whole = lines.join("\n").into_bytes();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("signatures.jsonl");
    let mut random = dehusk_dedup::SplitMix64::new(31);
    for _ in 0..300 {
        fs::write(&path, crate::search::index::tests::mutated(&whole, &mut random)).unwrap();
        let (inputs, settings, cancel) = ([path.display().to_string()], Settings::default(), Cancel::new());
        let job = Job::new(&inputs, &settings, &cancel);
        let outcome = write(&job, &Jsonl, &mut std::io::sink(), &mut |_| {}).unwrap();
        assert_eq!(outcome.summary.counts.kept, 0);
    }
}
