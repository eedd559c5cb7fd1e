//! `dehusk generate` and `dehusk compare`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{dehusk, folder, json};

/// A path as an argument.
fn text(path: &Path) -> String {
    path.display().to_string()
}

/// Paragraphs of nine words in varying order, each with an ending of its own.
fn sentences(words: &[&str], paragraphs: usize, ending: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for number in 0..paragraphs {
        for place in 0..9 {
            out += words[(number * 7 + place * (number % 11 + 1) + number / 13) % words.len()];
            out.push(' ');
        }
        out += &ending(number);
        out += ".\n\n";
    }
    out
}

/// Sentences enough for a few hundred documents.
fn texts(at: &Path) -> String {
    const WORDS: [&str; 12] = [
        "river", "stone", "walks", "under", "green", "old", "house", "sings", "night", "bread", "seven",
        "glass",
    ];
    let out = sentences(&WORDS, 900, |number| format!("number {number} here"));
    let path = at.join("texts.txt");
    fs::write(&path, out).expect("written");
    text(&path)
}

#[test]
fn a_generated_set_is_compared() {
    let at = folder(&[]);
    let (set, out) = (text(&at.path().join("set")), text(&at.path().join("out")));
    let texts = texts(at.path());
    dehusk([
        "generate",
        "mutations",
        &texts,
        "--documents",
        "300",
        "--copied",
        "0.5",
        "--out",
        &set,
    ])
    .exits(0)
    .says(&["300 documents written"]);
    let (corpus, truth) = (format!("{set}/corpus.jsonl"), format!("{set}/truth.jsonl"));
    let compare = |out: &str, threads: &str| {
        dehusk([
            "compare",
            &corpus,
            "--truth",
            &truth,
            "--out",
            out,
            "--threads",
            threads,
            "--no-costs",
            "--bootstrap",
            "100",
        ])
        .exits(0)
    };
    let ran = compare(&out, "1");
    assert!(ran.stdout.contains("text (300 documents)"), "{}", ran.stdout);
    let results = json(Path::new(&out).join("results.json").as_path());
    let rows = results["views"][0]["rows"].as_array().expect("rows");
    // Every method of the table is there with verification, and alone unless it is what verifies.
    let methods = dehusk_pipeline::dedup::sign::ALL.len();
    assert_eq!(rows.len(), 2 * methods - 1);
    let row = |method: &str, mode: &str| {
        rows.iter()
            .find(|row| {
                row["method"]
                    .as_str()
                    .is_some_and(|name| name.split(':').next() == Some(method))
                    && row["mode"] == mode
            })
            .unwrap_or_else(|| panic!("{method}"))
    };
    let score =
        |method: &str, mode: &str, what: &str| row(method, mode)["pairs"][what].as_f64().expect("a number");
    assert!(score("md5", "alone", "precision") >= score("minhash", "verified", "precision"));
    assert!(score("minhash", "verified", "recall") > score("md5", "alone", "recall"));
    assert!((score("minhash", "verified", "f1") - score("shingles", "verified", "f1")).abs() < 0.01);
    for method in dehusk_pipeline::dedup::cluster::ALL {
        let named = |row: &Value| row["name"] == method.name();
        assert!(
            results["views"][0]["clusterings"]
                .as_array()
                .expect("rows")
                .iter()
                .any(named)
        );
    }
    // Nothing depends on threads.
    let again = text(&at.path().join("again"));
    compare(&again, "3");
    for name in [
        "report.html",
        "results.json",
        "leaderboard.csv",
        "curves.csv",
        "clusterings.csv",
        "recall.csv",
        "languages.csv",
    ] {
        let read = |folder: &str| fs::read(format!("{folder}/{name}")).expect("written");
        assert!(read(&out) == read(&again), "{name}");
    }
}

/// Copies of a Ukrainian text with other apostrophes, stress marks and Latin letters are duplicates by `near`, and hardly any by `exact`.
#[test]
fn copies_by_spelling_are_found_and_counted_by_language() {
    const WORDS: [&str; 24] = [
        "п'ять",
        "об'єкт",
        "річка",
        "ніч",
        "старий",
        "камінь",
        "хата",
        "зв'язок",
        "міст",
        "поле",
        "співає",
        "ім'я",
        "скло",
        "ліс",
        "вітер",
        "під'їзд",
        "їжак",
        "дорога",
        "село",
        "хліб",
        "день",
        "місяць",
        "сім'я",
        "зелений",
    ];
    let at = folder(&[]);
    let sentences = sentences(&WORDS, 500, |number| format!("номер {number} тут"));
    let path = at.path().join("uk.txt");
    fs::write(&path, sentences).expect("written");
    let set = text(&at.path().join("set"));
    dehusk([
        "generate",
        "mutations",
        &text(&path),
        "--documents",
        "120",
        "--copied",
        "1",
        "--variants",
        "--out",
        &set,
    ])
    .exits(0);
    let (corpus, truth) = (format!("{set}/corpus.jsonl"), format!("{set}/truth.jsonl"));
    let recall = |profile: &str| {
        let out = text(&at.path().join(profile));
        dehusk([
            "compare",
            &corpus,
            "--truth",
            &truth,
            "--out",
            &out,
            "--no-costs",
            "--bootstrap",
            "0",
            "--signature",
            "shingles",
            "--profile",
            profile,
        ])
        .exits(0);
        let table = fs::read_to_string(format!("{out}/languages.csv")).expect("a table");
        let row = table.lines().nth(1).expect("a row").to_owned();
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!((cells[4], cells[5]), ("uk", "120"), "{row}");
        let report = fs::read_to_string(format!("{out}/report.html")).expect("a report");
        assert!(report.contains("<h2>Languages</h2>"));
        cells[8].parse::<f64>().expect("a share")
    };
    let (exact, near) = (recall("exact"), recall("near"));
    assert!(near > 0.99 && exact < 0.6, "{near} {exact}");

    // Finnish has no variants.
    let path = at.path().join("fi.txt");
    fs::write(
        &path,
        "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan koko maailmassa.\n",
    )
    .expect("written");
    dehusk([
        "generate",
        "mutations",
        &text(&path),
        "--documents",
        "2",
        "--variants",
        "--out",
        &text(&at.path().join("fi")),
    ])
    .exits(2)
    .says(&["no variants are known", "languages with variants: ar, de, fa"]);
}

#[test]
fn pages_are_compared_raw_extracted_and_by_templates() {
    let at = folder(&[]);
    let (set, out) = (text(&at.path().join("set")), text(&at.path().join("out")));
    let texts = texts(at.path());
    dehusk([
        "generate", "romip", &texts, "--pages", "120", "--sites", "3", "--out", &set,
    ])
    .exits(0);
    let pages = format!("{set}/pages.xml");
    let read = dehusk(["extract", &pages]).exits(0).stdout;
    assert!(read.lines().count() >= 120);
    let truth = format!("{set}/truth.jsonl");
    dehusk([
        "compare",
        &pages,
        "--truth",
        &truth,
        "--out",
        &out,
        "--signature",
        "md5",
        "minhash:width=64",
        "--no-costs",
    ])
    .exits(0);
    let results = json(Path::new(&out).join("results.json").as_path());
    let views = results["views"].as_array().expect("views");
    let names: Vec<&str> = views.iter().filter_map(|view| view["name"].as_str()).collect();
    assert_eq!(names, ["raw", "extracted", "templates"]);
    let degrees: Vec<&Value> = views[0]["set"]["degrees"]
        .as_array()
        .expect("degrees")
        .iter()
        .map(|d| &d["name"])
        .collect();
    assert_eq!(degrees, ["group", "exact", "story"]);
    // The same groups as ROMIP writes them.
    let groups = format!("{set}/truth.xml");
    dehusk([
        "compare",
        &pages,
        "--truth",
        &groups,
        "--out",
        &text(&at.path().join("xml")),
        "--signature",
        "md5",
        "--views",
        "raw",
        "--no-costs",
    ])
    .exits(0);
    let again = json(&at.path().join("xml/results.json"));
    let pairs = |results: &Value| results["views"][0]["set"]["degrees"][0]["pairs"].clone();
    assert_eq!(pairs(&again), pairs(&results));
    // Boilerplate of copies differs: raw pages have next to no equal texts, extracted ones do.
    let distinct = |place: usize| views[place]["set"]["distinct"].as_u64().expect("a number");
    assert!(distinct(1) < distinct(0), "{} {}", distinct(1), distinct(0));
}

#[test]
fn wrong_comparisons_say_what_is_wrong() {
    let at = folder(&[]);
    let (input, truth, out) = (
        at.path().join("d.jsonl"),
        at.path().join("t.tsv"),
        text(&at.path().join("o")),
    );
    fs::write(&input, "{\"id\":\"a\",\"text\":\"one two\"}\n").expect("written");
    fs::write(&truth, "a\n").expect("written");
    let (input, truth) = (text(&input), text(&truth));
    dehusk(["compare", &input, "--truth", &truth, "--out", &out])
        .exits(2)
        .says(&["line 1: expected `id<TAB>group`"]);
    dehusk(["compare", &input, "--truth", "missing.tsv", "--out", &out])
        .exits(2)
        .says(&["missing.tsv"]);
    dehusk([
        "compare",
        &input,
        "--truth",
        &truth,
        "--out",
        &out,
        "--signature",
        "md6",
    ])
    .exits(2)
    .says(&["`--signature`", "md6"]);
    dehusk(["generate", "records", &input, "--class", "XX", "--out", &out])
        .exits(2)
        .says(&["unknown class `XX`; known: HE"]);
    assert!(!Path::new(&out).exists());
}
