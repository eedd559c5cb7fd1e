//! The steps of a search, joined by a few lines here as an engine joins them, against the search on one machine.

mod engine;

use dehusk_dedup::SplitMix64;

use self::engine::Engine;
use crate::exec::cancel::Cancel;
use crate::job::Job;
use crate::output_format::Jsonl;
use crate::settings::Settings;
use crate::write::row_folder::FolderFormats;

/// Texts of which most are like an earlier one, by chains; some are copies, of which some differ in case, some short or empty.
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
        format!("{} {}", names.join(" "), row["kept"])
    };
    let pair = |row: &serde_json::Value| {
        let names = ["a", "b", "method"].map(|name| text(row, name));
        let real = |name: &str| row[name].as_f64().unwrap();
        format!("{} {} {}", names.join(" "), real("similarity"), real("estimate"))
    };
    [read("clusters.jsonl", &decision), read("pairs.jsonl", &pair)]
}

fn check(change: impl Fn(&mut Settings), further: bool) {
    let mut settings = Settings {
        threshold: Some("0.6".parse().unwrap()),
        ..Settings::default()
    };
    change(&mut settings);
    let texts = texts(400);
    let wanted = of_one_machine(&settings, &texts);
    assert!(wanted[1].len() > 100, "{} pairs", wanted[1].len());
    for rows in [7, 100_000] {
        let mut engine = Engine::new(&settings, &texts, rows);
        engine.run();
        assert_eq!(engine.searches > 1, further, "{} searches", engine.searches);
        assert_eq!(engine.rows(), wanted);
    }
}

#[test]
fn steps_that_an_engine_joins_give_the_rows_of_one_machine() {
    check(|_| {}, false);
}

#[test]
fn so_they_do_where_large_groups_are_capped() {
    let change = |settings: &mut Settings, name: &str, value: &str| {
        let all = crate::settings::table::ALL.iter();
        let setting = all.into_iter().find(|setting| setting.name == name).unwrap();
        setting.set(settings, value).unwrap();
    };
    // All that look at what pairs connect alone; the others are refused.
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
