#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;

use dehusk_pipeline::verbs::extract::{self, Style};
use dehusk_pipeline::{Cancel, Job, Settings};

use super::*;

fn ids(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn read(name: &str, text: &str) -> Result<Truth, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    Truth::read(&path, &ids(&["a", "b", "c", "d"])).map_err(|error| {
        let message = error.to_string();
        message.replace(&folder.path().display().to_string(), "")
    })
}

#[test]
fn groups_and_pairs_in_all_forms() {
    let groups = |truth: &Truth| truth.degrees[0].groups.clone();
    let jsonl = read(
        "t.jsonl",
        "{\"id\":\"a\",\"group\":7,\"story\":1}\n\n{\"id\":\"b\",\"group\":\"7\"}\n{\"id\":\"x\",\"group\":7}\n{\"id\":\"d\",\"group\":null}\n",
    )
    .unwrap();
    assert_eq!(groups(&jsonl), [0, 0, 1, 2]);
    assert_eq!(
        (jsonl.degrees.len(), jsonl.degrees[1].name.as_str(), jsonl.unknown),
        (2, "story", 1)
    );
    assert!(jsonl.languages.is_empty());
    let told = "{\"id\":\"b\",\"group\":1,\"language\":\"fa\"}\n{\"id\":\"a\",\"group\":1}\n";
    let languages = read("t.jsonl", told).unwrap().languages;
    assert_eq!(languages, [None, Some("fa".to_owned()), None, None]);
    assert_eq!(groups(&read("t.tsv", "a\tg 1\nc\tg 1\n").unwrap()), [0, 1, 0, 2]);
    for pairs in ["b\ta\t0.5\nb\tc\t0.9\nb\tb\t1\n", "b a 0.5\r\nc b 0.9\r\n"] {
        let truth = read("t.tsv", pairs).unwrap();
        assert_eq!(groups(&truth), [0, 0, 0, 3]);
        assert_eq!(truth.degrees[0].pairs, Some(vec![(0, 1), (1, 2)]));
    }
    let pairs = read("t.jsonl", "{\"a\":\"a\",\"b\":\"d\",\"similarity\":0.5}").unwrap();
    assert_eq!(pairs.degrees[0].pairs, Some(vec![(0, 3)]));
    let xml = romip::groups("C", "s<", &[vec!["a", "d"], vec!["b", "c"]]);
    assert_eq!(groups(&read("t.xml", &xml).unwrap()), [0, 1, 1, 0]);
}

#[test]
fn wrong_lines_are_named() {
    let wrong = |name, text| read(name, text).unwrap_err();
    assert!(wrong("t.jsonl", "{}").contains("t.jsonl`, line 1: neither `id`, `url`"));
    assert!(wrong("t.tsv", "a\tb\nc\n").contains("line 2: expected"));
    assert!(wrong("t.tsv", "a\tg\na\tb\t0.5\n").contains("some lines are groups"));
    assert!(wrong("t.tsv", "").contains("says nothing"));
    assert!(wrong("t.xml", "<a/>").contains("no `doclist`"));
}

/// Written pages are read back byte for byte by the program's reader.
#[test]
fn pages_survive_romip() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pages.xml");
    let html = "<html><head><meta charset='windows-1251'></head><body><p>Рысь & «ёж» живут в лесу у самой реки, и оба спят.</p></body></html>";
    let chinese = html.replace("Рысь", "山猫").replace("windows-1251", "utf-8");
    let mut xml = romip::head("A\"B");
    xml += &romip::document("http://a.example/?x=1&y=<2>", html);
    xml += &romip::document("http://b.example/", &chinese);
    xml += romip::TAIL;
    fs::write(&path, xml).unwrap();
    let (mut settings, cancel) = (Settings::default(), Cancel::new());
    settings.extractor = Some("all-text".parse().unwrap());
    let inputs = [path.display().to_string()];
    let job = Job::new(&inputs, &settings, &cancel);
    let mut out = Vec::new();
    extract::write(&job, Style::default(), &mut out, &mut |row| panic!("{row:?}")).unwrap();
    let rows: Vec<serde_json::Value> = String::from_utf8(out)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["id"], "http://a.example/?x=1&y=<2>");
    assert_eq!(rows[0]["charset"], "windows-1251");
    assert!(rows[0]["text"].as_str().unwrap().contains("Рысь & «ёж»"));
    assert!(rows[1]["text"].as_str().unwrap().contains("山猫"));
}
