//! The steps of a search, joined by a small test engine, compared with the search on one machine.

mod engine;

use std::collections::BTreeSet;

use dehusk_dedup::SplitMix64;

use self::engine::Engine;
use crate::exec::cancel::Cancel;
use crate::job::Job;
use crate::output_format::Jsonl;
use crate::settings::Settings;
use crate::write::row_folder::FolderFormats;

/// Texts in chains: most are similar to an earlier text. Some are copies, some of these in another case; a few are short or empty.
fn texts(count: usize) -> Vec<String> {
    let mut random = SplitMix64::new(3);
    let mut texts: Vec<Vec<u64>> = Vec::new();
    for number in 0..count {
        let mut pick = |below: u64| random.number() % below;
        let text = match pick(10) {
            0..3 => (0..60).map(|_| pick(400)).collect(),
            3 if number > 0 => texts[pick(number as u64) as usize].clone(),
            4 => (0..pick(5)).map(|_| pick(3)).collect(),
            _ if number > 0 => {
                let mut text = texts[pick(number as u64) as usize].clone();
                for _ in 0..pick(4) {
                    let place = pick(text.len().max(1) as u64) as usize;
                    let word = pick(400);
                    text.get_mut(place).into_iter().for_each(|old| *old = word);
                }
                text
            }
            _ => vec![1; 30],
        };
        texts.push(text);
    }
    let word = |word: &u64| format!("w{word}");
    let join = |(number, text): (usize, &Vec<u64>)| {
        let text = text.iter().map(word).collect::<Vec<_>>().join(" ");
        if number % 3 == 0 {
            text.to_uppercase()
        } else {
            text
        }
    };
    texts.iter().enumerate().map(join).collect()
}

/// The rows that `dedup` writes.
fn of_one_machine(settings: &Settings, texts: &[String]) -> [Vec<String>; 2] {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("in.jsonl"), dir.path().join("out"));
    let line = |(number, text): (usize, &String)| {
        serde_json::json!({"id": format!("d{number}"), "text": text}).to_string()
    };
    let lines: Vec<String> = texts.iter().enumerate().map(line).collect();
    std::fs::write(&file, lines.join("\n")).unwrap();
    let (inputs, cancel) = ([file.display().to_string()], Cancel::new());
    let formats = FolderFormats {
        format: &Jsonl,
        tsv: false,
    };
    crate::verbs::dedup::dedup(&Job::new(&inputs, settings, &cancel), &out, formats).unwrap();
    let read = |name: &str, show: &dyn Fn(&serde_json::Value) -> String| {
        let text = std::fs::read_to_string(out.join(name)).unwrap();
        let mut rows: Vec<String> = text
            .lines()
            .map(|line| show(&serde_json::from_str(line).unwrap()))
            .collect();
        rows.sort();
        rows
    };
    let text = |row: &serde_json::Value, name: &str| row[name].as_str().unwrap().to_owned();
    let decision = |row: &serde_json::Value| {
        let names = ["id", "cluster", "representative", "reason"].map(|name| text(row, name));
        let similarity = row["similarity"].as_f64();
        format!(
            "{} {} {similarity:?} {}",
            names.join(" "),
            row["kept"],
            row["cluster_size"]
        )
    };
    let pair = |row: &serde_json::Value| {
        let names = ["a", "b", "method"].map(|name| text(row, name));
        let similarity = row["similarity"].as_f64().unwrap();
        format!(
            "{} {similarity:?} {:?}",
            names.join(" "),
            row["estimate"].as_f64()
        )
    };
    [read("clusters.jsonl", &decision), read("pairs.jsonl", &pair)]
}

fn check(change: impl Fn(&mut Settings), further: bool) {
    let mut settings = Settings {
        threshold: Some("0.6".parse().unwrap()),
        all_pairs: Some(true),
        ..Settings::default()
    };
    change(&mut settings);
    let texts = texts(400);
    let wanted = of_one_machine(&settings, &texts);
    assert!(wanted[1].len() > 100, "{} pairs", wanted[1].len());
    for rows in [7, 100_000] {
        let mut engine = Engine::new(&settings, &texts, rows);
        engine.run();
        assert_eq!(engine.searches > 0, further, "{} searches", engine.searches);
        assert!(
            engine.near > 0,
            "no text was compared with those that stay for its neighbors"
        );
        let [decisions, pairs] = engine.rows();
        assert_eq!(decisions, wanted[0]);
        assert_eq!(pairs, wanted[1]);
        covers_all_and_keeps_no_pair(&wanted);
    }
}

/// Asserts that each near-duplicate that goes forms a pair with the document that its row names, which stays, and that no two documents
/// that stay form a pair.
fn covers_all_and_keeps_no_pair([decisions, pairs]: &[Vec<String>; 2]) {
    let fields = |row: &String| row.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let decisions: Vec<Vec<String>> = decisions.iter().map(fields).collect();
    let stay: BTreeSet<&str> = decisions
        .iter()
        .filter(|row| row[4] == "true")
        .map(|row| row[0].as_str())
        .collect();
    let pairs: BTreeSet<[String; 2]> = pairs
        .iter()
        .map(fields)
        .map(|row| [row[0].clone(), row[1].clone()])
        .collect();
    for row in decisions.iter().filter(|row| row[3] == "near-duplicate") {
        let mut pair = [row[0].clone(), row[2].clone()];
        pair.sort();
        assert!(stay.contains(row[2].as_str()) && pairs.contains(&pair), "{row:?}");
    }
    for [a, b] in &pairs {
        assert!(
            !stay.contains(a.as_str()) || !stay.contains(b.as_str()),
            "{a} {b}"
        );
    }
}

#[test]
fn steps_that_an_engine_joins_give_the_rows_of_one_machine() {
    check(|_| {}, false);
}

#[test]
fn so_they_do_by_fields_of_documents_and_by_preferred_ones() {
    for (keep, prefer) in [
        ("field:id", "d?"),
        ("field:id:min", "*7"),
        ("first-seen", "d3*,d2*"),
    ] {
        check(
            |settings| {
                settings.set("keep", keep).unwrap();
                settings.set("prefer", prefer).unwrap();
            },
            false,
        );
    }
}

#[test]
fn so_they_do_where_large_groups_are_capped() {
    let change = |settings: &mut Settings, name: &str, value: &str| settings.set(name, value).unwrap();
    // Only clusterings that decide from connected pairs alone are supported; the others are refused.
    let local = dehusk_dedup::cluster::ALL
        .iter()
        .filter(|clustering| clustering.is_local());
    let local: Vec<&str> = local.map(|clustering| clustering.name()).collect();
    assert!(local.len() > 6 && !local.contains(&"ricochet-sr"));
    for clustering in local {
        check(
            |settings| {
                change(settings, "candidates", "lsh:max_bucket=4");
                change(settings, "cluster", clustering);
                change(settings, "keep", "longest");
            },
            true,
        );
    }
}

/// Columns of batches are fields of documents, also members of structs. Addresses are returned only if documents are folded by them.
#[test]
fn batches_are_read_for_fields_and_addresses_if_these_are_asked_for() {
    use std::sync::Arc;

    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;
    use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray, StructArray};
    use arrow_schema::{DataType, Field};
    use dehusk_dedup::{CompiledOptions, Matcher};

    use crate::kernel::SignerMaker;

    let texts = |values: [Option<&str>; 3]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
    let scores = Arc::new(Int64Array::from(vec![Some(1), Some(9), None])) as ArrayRef;
    let meta = StructArray::from(vec![(
        Arc::new(Field::new("score", DataType::Int64, true)),
        scores,
    )]);
    let columns = [
        ("id", texts([Some("a"), Some("b"), Some("c")])),
        (
            "url",
            texts([Some("HTTP://X.example"), Some("http://x.example/#top"), None]),
        ),
        ("date", texts([Some("1970-01-02"), None, Some("1970-01-01")])),
        ("text", texts([Some("one"), Some("two"), Some("three")])),
        ("meta", Arc::new(meta) as ArrayRef),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(columns.map(|(name, of)| (name, of, true))).unwrap();
    let with = |settings: &[(&str, &str)]| {
        let mut all = Settings::default();
        settings
            .iter()
            .for_each(|(name, value)| all.set(name, value).unwrap());
        let compiled = Arc::new(CompiledOptions::new(all.duplicates().unwrap()).unwrap());
        let groups = Matcher::new(Arc::clone(&compiled)).groups().unwrap();
        let signers = SignerMaker::new(&all, Arc::clone(&compiled)).unwrap();
        let keyed = super::keyed(&batch, &all, &Cancel::new(), (groups, &compiled), &|| {
            signers.signer()
        })
        .unwrap();
        let text = |name: &str, row: usize| {
            let column = keyed.column_by_name(name).unwrap().as_string::<i32>().clone();
            column.is_valid(row).then(|| column.value(row).to_owned())
        };
        let dates = keyed
            .column_by_name("date")
            .unwrap()
            .as_primitive::<Int64Type>()
            .clone();
        let rows: Vec<_> = (0..3)
            .map(|row| {
                (
                    text("id", row),
                    text("address", row),
                    dates.is_valid(row).then(|| dates.value(row)),
                )
            })
            .collect();
        // Rows arrive in any order: they are sorted by key, and then by position.
        let keys = keyed.column_by_name("key").unwrap().as_binary::<i32>();
        let positions = [30, 10, 20];
        let mut order: Vec<(&[u8], i64)> = (0..3).map(|row| (keys.value(row), positions[row])).collect();
        order.sort_unstable();
        (
            rows,
            order
                .into_iter()
                .map(|(_, position)| position)
                .collect::<Vec<_>>(),
        )
    };
    let (rows, order) = with(&[]);
    assert!(rows.iter().all(|row| *row == (None, None, None)), "{rows:?}");
    assert_eq!(
        order,
        [10, 20, 30],
        "rows come in any order, and the positions count"
    );
    assert_eq!(with(&[("keep", "field:meta.score")]).1, [10, 30, 20]);
    assert_eq!(with(&[("keep", "oldest"), ("prefer", "b,c")]).1, [10, 20, 30]);
    assert_eq!(with(&[("keep", "oldest")]).1, [20, 30, 10]);
    let (rows, _) = with(&[("same-url", "newest")]);
    let x = || Some("http://x.example/".to_owned());
    let name = |id: &str| Some(id.to_owned());
    assert_eq!(
        rows,
        [
            (name("a"), x(), Some(86_400)),
            (name("b"), x(), None),
            (name("c"), None, Some(0))
        ]
    );
}
