//! Containment of documents in an index, in both directions.

use super::*;

fn settings(threshold: &str) -> Settings {
    Settings {
        similarity: Some("containment".parse().unwrap()),
        threshold: Some(threshold.parse().unwrap()),
        ..Settings::default()
    }
}

fn words(from: usize, count: usize) -> Vec<String> {
    (from..from + count).map(|word| format!("w{word}")).collect()
}

/// Long texts of 500, 2,000 and 8,000 words, each with a query: 40 of its words, one in ten of them changed.
fn planted() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (number, size) in [500, 2000, 8000].into_iter().cycle().take(60).enumerate() {
        let mut long = words(10_000 * number, size);
        let start = number * 7 % (size - 40);
        let mut short = long[start..start + 40].to_vec();
        (3..40)
            .step_by(10)
            .for_each(|place| short[place] = format!("changed{number}"));
        // Some words that occur in all texts.
        for text in [&mut short, &mut long] {
            text.extend(words(9_000_000, 15));
        }
        all.push((short.join(" "), long.join(" ")));
    }
    all
}

fn lines<'t>(kind: &str, texts: impl Iterator<Item = &'t String>) -> Vec<String> {
    let line = |(number, text): (usize, &String)| line(&format!("{kind}{number}"), text);
    texts.enumerate().map(line).collect()
}

/// An index of three segments.
fn index(place: &Place, name: &str, lines: &[String], settings: &Settings) -> PathBuf {
    for part in lines.chunks(lines.len().div_ceil(3)) {
        place.with(&part.concat(), settings, |job| {
            add(job, &place.index(name), &mut |_| {}).unwrap()
        });
    }
    place.index(name)
}

#[test]
fn short_and_long_documents_find_each_other() {
    let place = Place::new();
    let planted = planted();
    let short = lines("short", planted.iter().map(|(short, _)| short));
    let long = lines("long", planted.iter().map(|(_, long)| long));
    let settings = settings("0.5");
    for (stored, name, asked) in [(&long, "of long", &short), (&short, "of short", &long)] {
        index(&place, name, stored, &settings);
        let answers = place.ask(name, &asked.concat());
        for (number, answer) in answers.iter().enumerate() {
            let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
            let matches = answer["matches"].as_array().unwrap();
            assert_eq!(matches.len(), 1, "{name}: {answer}");
            assert_eq!(matches[0]["contained"], format!("short{number}"), "{name}");
            assert_eq!(matches[0]["method"], "containment");
        }
        compact(&place.index(name), &Settings::default()).unwrap();
        assert_eq!(place.ask(name, &asked.concat()), answers);
    }
}

/// More documents than `max_bucket` share a key. Of documents that share all keys, only that many are compared, and the answer says so. A
/// document with enough rarer common keys is found.
#[test]
fn keys_that_very_many_have_hide_nobody_who_shares_rarer_ones() {
    let place = Place::new();
    let settings = Settings {
        candidates: Some("containment:max_bucket=10".parse().unwrap()),
        ..settings("0.8")
    };
    let text = |number: usize| {
        let own = words(1000 * (number + 1), 200);
        [own, words(9_000_000, 30)].concat().join(" ")
    };
    let stored: Vec<String> = (0..50).map(|n| line(&format!("old{n}"), &text(n))).collect();
    index(&place, "i", &stored, &settings);
    // All of the frequent words, and some words of a single document.
    let part = |number: usize| text(number).split(' ').skip(150).collect::<Vec<_>>().join(" ");
    for number in [0, 17, 49] {
        let answer = &place.ask("i", &line("new", &part(number)))[0];
        assert!(answer.contains(&format!("\"id\":\"old{number}\"")), "{answer}");
        assert!(answer.contains("\"capped\":27"), "{answer}");
        assert_eq!(answer.matches("\"similarity\"").count(), 1, "{answer}");
    }
    let common = words(9_000_000, 30).join(" ");
    let answer = &place.ask("i", &line("new", &common))[0];
    assert_eq!(answer.matches("\"similarity\"").count(), 10, "{answer}");
    assert!(answer.contains("\"capped\":27"), "{answer}");
}

/// A document that is contained in a document of the index goes. A document that contains a document of the index stays.
#[test]
fn only_a_document_that_lies_inside_one_of_the_index_is_known() {
    let place = Place::new();
    let stored = [
        line("long", &words(0, 300).join(" ")),
        line("part", &words(5000, 60).join(" ")),
    ];
    index(&place, "i", &stored, &settings("0.9"));
    let new = [
        line("inside", &words(100, 50).join(" ")),
        line("around", &words(4900, 400).join(" ")),
        line("same", &words(5000, 60).join(" ")),
    ];
    let settings = Settings {
        against: Some(place.index("i")),
        ..settings("0.9")
    };
    place.with(&new.concat(), &settings, |job| {
        crate::verbs::dedup::dedup(job, &place.index("out"), Default::default()).unwrap()
    });
    let read = |file: &str| fs::read_to_string(place.index("out").join(file)).unwrap();
    let kept = read("kept.jsonl");
    assert!(
        kept.lines().count() == 1 && kept.contains("\"id\":\"around\""),
        "{kept}"
    );
    let matches = read("matches.jsonl");
    assert_eq!(matches.lines().count(), 2, "{matches}");
    assert!(
        matches.contains(r#""a":"inside","b":"long","similarity":1.0"#),
        "{matches}"
    );
    assert!(matches.contains(r#""contained":"inside""#), "{matches}");
}
