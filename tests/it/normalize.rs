//! `dehusk normalize`

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{dehusk, dehusk_reading, folder, prose, rows, text};

/// One of the worked examples.
fn example(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/worked-examples.json");
    let all: Value = serde_json::from_slice(&fs::read(path).expect("as written")).expect("as written");
    let examples = all["examples"].as_array().expect("as written");
    examples
        .iter()
        .find(|example| example["name"] == name)
        .expect("as written")
        .clone()
}

/// The rows for documents read from standard input.
fn normalized(texts: &[&str], flags: &[&str]) -> Vec<Value> {
    let lines: String = texts
        .iter()
        .map(|text| json!({ "text": text }).to_string() + "\n")
        .collect();
    let arguments = ["normalize", "--input-format", "jsonl", "-"].iter().chain(flags);
    let ran = dehusk_reading(arguments, lines.as_bytes()).exits(0);
    ran.stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("as written"))
        .collect()
}

fn strings(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .expect("as written")
        .iter()
        .map(|text| text.as_str().expect("as written"))
        .collect()
}

#[test]
fn worked_examples_come_out_as_they_should() {
    let texts = example("normalize_text");
    let found = normalized(&strings(&texts["input"]), &["--profile", "near"]);
    let found: Vec<&str> = found
        .iter()
        .map(|row| row["text"].as_str().expect("as written"))
        .collect();
    assert_eq!(found, strings(&texts["expected"]));

    let numbers = example("normalize_numbers");
    for mode in ["keep", "drop", "mask"] {
        let found = normalized(&strings(&numbers["input"]), &["--numbers", mode]);
        assert_eq!(found[0]["text"], numbers["expected"][mode], "{mode}");
    }

    let words = example("uax29_words");
    let found = normalized(&strings(&words["input"]), &["--profile", "exact", "--tokens"]);
    assert_eq!(found[0], json!({"id": "1", "tokens": words["expected"]}));

    let stems = example("snowball_stems");
    for language in ["russian", "english"] {
        let all = strings(&stems["input"][language]).join(" ");
        let found = normalized(&[&all], &["--tokens", "--stem"]);
        assert_eq!(found[0]["tokens"], stems["expected"][language]);
    }

    let sentences = example("sentence_split");
    let original = sentences["input"].as_str().expect("as written");
    let found = normalized(&[original], &["--sentences"]);
    let found = found[0]["sentences"].as_array().expect("as written");
    let texts: Vec<&str> = found
        .iter()
        .map(|one| one["text"].as_str().expect("as written"))
        .collect();
    assert_eq!(texts, strings(&sentences["expected"]));
    for one in found {
        let place =
            |name: &str| usize::try_from(one[name].as_u64().expect("as written")).expect("as written");
        assert_eq!(
            original[place("start")..place("end")],
            *one["text"].as_str().expect("as written")
        );
    }
}

#[test]
fn a_plain_text_is_one_document_and_text_comes_out_bare_if_asked_for() {
    let dir = folder(&[("a.txt", "\u{feff}Ёлка,\nи PИC…\n")]);
    let input = text(&dir.path().join("a.txt"));
    let out = dir.path().join("out.jsonl");
    dehusk(["normalize", &input, "--out", &text(&out)]).exits(0);
    assert_eq!(rows(&out), [json!({"id": input, "text": "елка и рис"})]);
    let ran = dehusk(["normalize", &input, "--output-format", "text"]).exits(0);
    assert_eq!(ran.stdout, "елка и рис\n");
    let ran = dehusk_reading(["normalize", "-"], "Ёлка".as_bytes()).exits(0);
    assert_eq!(ran.stdout, "{\"id\":\"-\",\"text\":\"елка\"}\n");
    // Offsets are those of the file, byte order mark and all.
    let ran = dehusk(["normalize", &input, "--tokens", "--offsets", "--sentences"]).exits(0);
    let row: Value = serde_json::from_str(&ran.stdout).expect("as written");
    let file = fs::read_to_string(&input).expect("as written");
    let at = |range: &Value| {
        let end = |n: usize| usize::try_from(range[n].as_u64().expect("as written")).expect("as written");
        &file[end(0)..end(1)]
    };
    let originals: Vec<&str> = row["offsets"]
        .as_array()
        .expect("as written")
        .iter()
        .map(at)
        .collect();
    assert_eq!(originals, ["Ёлка", "и", "PИC"]);
    assert_eq!(row["sentences"][0]["start"], 3);
}

#[test]
fn offsets_lead_from_tokens_to_the_original_even_through_a_reduced_list() {
    let original = "The ﬁles of Mосква, и pаypal: ко\u{ad}рова — 東京 &amp; x²";
    for flags in [
        &["--tokens", "--offsets"][..],
        &["--tokens", "--offsets", "--stop-words", "--stem"],
        &["--tokens", "--offsets", "--stop-words", "--profile", "exact"],
    ] {
        let found = normalized(&[original], flags);
        let tokens = strings(&found[0]["tokens"]);
        let offsets = found[0]["offsets"].as_array().expect("as written");
        assert_eq!(tokens.len(), offsets.len());
        let reduced = flags.contains(&"--stop-words");
        assert_eq!(
            tokens
                .iter()
                .any(|token| ["the", "The", "of", "и"].contains(token)),
            !reduced
        );
        for (token, range) in tokens.iter().zip(offsets) {
            let end = |n: usize| usize::try_from(range[n].as_u64().expect("as written")).expect("as written");
            let again = normalized(
                &[&original[end(0)..end(1)]],
                &[&["--tokens"], &flags[2..]].concat(),
            );
            assert_eq!(strings(&again[0]["tokens"]), [*token]);
        }
    }
}

#[test]
fn a_profile_of_ones_own_is_read_from_toml() {
    let own = "name = \"mine\"\npasses = [\"nfkc\", \"lower-case\", \"numbers\", \"white-space\"]\nnumbers = \"mask\"\n";
    let dir = folder(&[("own.toml", own)]);
    let own = text(&dir.path().join("own.toml"));
    let found = normalized(&["Ёлка,  В 2016 ГОДУ!"], &["--profile", &own]);
    assert_eq!(found[0]["text"], "елка, в 0 году!");
    let found = normalized(
        &["Ёлка,  В 2016 ГОДУ!"],
        &["--profile", &own, "--numbers", "keep"],
    );
    assert_eq!(found[0]["text"], "елка, в 2016 году!");
    let ran = dehusk_reading(["normalize", "-", "--profile", &own, "--verbose"], b"x").exits(0);
    ran.says(&["profile = \"mine\"", "nfkc lower-case numbers=mask white-space"]);
}

#[test]
fn a_built_in_profile_may_be_changed() {
    let german = "base = \"near\"\nadd = [\"german\"]\nremove = [\"hyphenation\"]\n";
    let words = "base = \"near\"\nadd = [\"dictionary\"]\n";
    let dir = folder(&[("german.toml", german), ("words.toml", words)]);
    let own = |name: &str| text(&dir.path().join(name));
    let found = normalized(&["Mueller, Zucker-\nrohr"], &["--profile", &own("german.toml")]);
    assert_eq!(found[0]["text"], "muller zucker rohr");
    let flags = ["--profile", &own("words.toml"), "--tokens"];
    let found = normalized(&["我们去東京タワー"], &flags);
    assert_eq!(found[0]["tokens"], json!(["我们", "去", "東京", "タワー"]));
    // Symbols that count in short texts stay apart from the words of a dictionary.
    let pages = "{\"id\":\"a\",\"text\":\"東京タワー<大阪\"}\n{\"id\":\"b\",\"text\":\"東京タワー>大阪\"}\n";
    let dir = folder(&[("pages.jsonl", pages), ("words.toml", words)]);
    let place = |name: &str| text(&dir.path().join(name));
    let (pages, profile, out) = (place("pages.jsonl"), place("words.toml"), place("out"));
    dehusk(["dedup", &pages, "--profile", &profile, "--out", &out]).exits(0);
    assert_eq!(rows(&dir.path().join("out/kept.jsonl")).len(), 2);
    let summary = fs::read_to_string(dir.path().join("out/summary.json")).expect("written");
    assert!(
        summary.contains("\"words\"") && summary.contains(" dictionary"),
        "{summary}"
    );
    let wrong = place("pages.toml");
    fs::write(&wrong, "base = \"near\"\nadd = [\"x\"]\n").expect("written");
    dehusk(["dedup", &pages, "--profile", &wrong, "--out", &out])
        .exits(2)
        .says(&["line 2, column 8: unknown pass `x`"]);
}

#[test]
fn a_wrong_profile_is_refused_with_place_and_reason() {
    let files = [
        (
            "order.toml",
            "name = \"mine\"\npasses = [\n  \"nfkc\",\n  \"numero\",\n]\n",
        ),
        ("twice.toml", "passes = [\"nfkc\", \"nfkc\"]\n"),
        ("unknown.toml", "passes = [\"nfkd\"]\n"),
        ("mode.toml", "passes = [\"numbers\"]\nnumbers = \"hide\"\n"),
        ("idle.toml", "passes = [\"nfkc\"]\nnumbers = \"mask\"\n"),
        ("field.toml", "passes = []\npass = 1\n"),
        ("none.toml", "name = \"mine\"\n"),
        ("both.toml", "passes = [\"nfc\"]\nadd = [\"digits\"]\n"),
        ("base.toml", "base = \"nera\"\n"),
        ("add.toml", "base = \"near\"\nadd = [\"germna\"]\n"),
        ("remove.toml", "base = \"exact\"\nremove = [\"digits\"]\n"),
    ];
    let dir = folder(&files);
    let refused = |value: &str| dehusk_reading(["normalize", "-", "--profile", value], b"").exits(2);
    let own = |name: &str| refused(&text(&dir.path().join(name)));
    own("order.toml").says(&[
        "order.toml`, line 4, column 3: pass `numero` must come before `nfkc`: NFKC turns № into the letters No",
        "dehusk methods",
    ]);
    own("twice.toml").says(&["line 1, column 19: pass `nfkc` is named twice"]);
    own("unknown.toml").says(&["line 1, column 11: unknown pass `nfkd`; known: decode, "]);
    own("mode.toml").says(&["line 2, column 11: unknown number mode `hide`; known: keep, drop, mask"]);
    own("idle.toml").says(&["line 2, column 11: `numbers` is set, but there is no pass `numbers`"]);
    own("field.toml").says(&["line 2, column 1: unknown field `pass`, expected one of `name`, `passes`"]);
    own("none.toml").says(&["none.toml`, line 1, column 1: neither `passes` nor `base` is there"]);
    own("both.toml").says(&["line 1, column 1: `passes` lists all passes"]);
    own("base.toml").says(&["line 1, column 8: unknown profile `nera`; known: none, canonical"]);
    own("add.toml").says(&["line 2, column 8: unknown pass `germna`; known: decode, "]);
    own("remove.toml").says(&["line 2, column 11: profile `exact` has no pass `digits`"]);
    own("missing.toml").says(&["cannot read `", "missing.toml`"]);
    refused("nera").says(&[
        "unknown profile `nera`; known: none, canonical, exact, near, spaceless, search",
        ".toml",
    ]);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let dir = folder(&[("a.jsonl", "{\"text\":\"x\"}\n"), ("a.html", "<p>x")]);
    let documents = text(&dir.path().join("a.jsonl"));
    let page = text(&dir.path().join("a.html"));
    dehusk(["normalize", &documents, "--output-format", "text"])
        .exits(2)
        .says(&["`--output-format`: `text` is for a single text"]);
    dehusk(["normalize", "-", "--output-format", "text", "--tokens"])
        .exits(2)
        .says(&["the normalized text alone"]);
    dehusk(["normalize", "-", "--stem"]).exits(2).says(&["--tokens"]);
    dehusk(["normalize", "-", "--profile", "exact", "--numbers", "drop"])
        .exits(2)
        .says(&["`--numbers`: profile `exact` has no pass `numbers`"]);
    dehusk(["normalize", "-", "--numbers", "hide"])
        .exits(2)
        .says(&["keep, drop, mask"]);
    dehusk(["normalize", "-", "--input-format", "html"])
        .exits(2)
        .says(&["`html` is no format of documents; known: text, jsonl"]);
    dehusk(["normalize", &page])
        .exits(2)
        .says(&["holds pages, not documents"]);
    let missing = text(&dir.path().join("missing"));
    let out = dir.path().join("out");
    dehusk(["normalize", &missing, "--out", &text(&out)])
        .exits(2)
        .says(&["missing`"]);
    assert!(!out.exists());
}

#[test]
fn stems_and_stop_words_are_those_of_the_language() {
    let german = "Die Häuser am Fluss wurden von den Bewohnern der kleinen Stadt verlassen, weil das Wasser in der Nacht \
                  gestiegen war und niemand wusste, wie hoch es noch kommen würde.";
    let wanted = ["--tokens", "--stem", "--stop-words"];
    let tokens = |flags: &[&str]| {
        let flags = [&wanted, flags].concat();
        let found = normalized(&[german], &flags);
        let tokens = strings(&found[0]["tokens"]).into_iter();
        tokens.map(str::to_owned).collect::<Vec<_>>()
    };
    let told = tokens(&[]);
    assert_eq!(told, tokens(&["--language", "de"]));
    assert!(
        told.iter().any(|stem| stem == "haus") && !told.iter().any(|stem| stem == "die"),
        "{told:?}"
    );
    // As English, they are other words.
    assert!(tokens(&["--language", "en"]).iter().any(|stem| stem == "die"));
    dehusk(["normalize", "-", "--tokens", "--language", "German"])
        .exits(2)
        .says(&["`German` is no language code of two small letters, such as `ru`"]);
}

#[test]
fn neither_threads_nor_pipes_change_a_byte() {
    let line =
        |n: u64| json!({"id": format!("d{n}"), "text": prose(n, 150) + " Ёлки, 東京."}).to_string() + "\n";
    let lines: String = (0..2000).map(line).collect();
    let dir = folder(&[("docs.jsonl", &lines)]);
    let input = text(&dir.path().join("docs.jsonl"));
    let ran = |flags: &[&str]| dehusk(["normalize", &input].iter().chain(flags)).exits(0).stdout;
    for flags in [&[][..], &["--tokens", "--offsets", "--stem", "--sentences"]] {
        let one = ran(&[flags, &["--threads", "1"]].concat());
        assert_eq!(one.lines().count(), 2000);
        assert!(one == ran(&[flags, &["--threads", "2"]].concat()));
    }
    let piped = dehusk_reading(["normalize", "--input-format", "jsonl", "-"], lines.as_bytes()).exits(0);
    assert!(piped.stdout == ran(&[]));
}

#[test]
fn a_wrong_line_costs_itself() {
    let lines =
        "{\"id\":\"a\",\"text\":\"Ёлка\"}\nnot json\n{\"id\":\"b\",\"html\":\"<p>x\"}\n{\"text\":\"Дом\"}\n";
    let dir = folder(&[("docs.jsonl", lines)]);
    let input = text(&dir.path().join("docs.jsonl"));
    let ran = dehusk(["normalize", &input]).exits(3);
    assert_eq!(
        ran.stdout,
        "{\"id\":\"a\",\"text\":\"елка\"}\n{\"id\":\"4\",\"text\":\"дом\"}\n"
    );
    ran.says(&[
        "docs.jsonl: bad-json: line 2: ",
        "missing-content: line 3: ",
        "4 documents read, 2 normalized",
        "2 of 4 records were rejected",
    ]);
    let ran = dehusk(["normalize", &input, "--max-bad", "2", "--quiet"]).exits(0);
    assert_eq!(ran.stderr, "");
}

#[test]
fn a_text_that_cannot_be_read_is_rejected_whole() {
    let ran = dehusk_reading(["normalize", "-"], b"ab\xff\xfe").exits(3);
    assert_eq!(ran.stdout, "");
    ran.says(&["-: unreadable: byte 2 is not UTF-8"]);
    let ran = dehusk_reading(["normalize", "-", "--max-bytes", "4"], b"abcde").exits(3);
    ran.says(&["the text is longer than the 4 bytes allowed"]);
}
