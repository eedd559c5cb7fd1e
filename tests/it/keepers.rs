//! Which documents stay: the order of the input, keepers, preferred sources, and documents of one address.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Ran, counts_add_up, dehusk, dehusk_reading, folder, json, page, prose, rows, text};

/// Ids of the documents that stay, in their order.
fn kept(out: &Path) -> Vec<String> {
    let id = |row: &Value| row["id"].as_str().expect("a string").to_owned();
    rows(&out.join("kept.jsonl")).iter().map(id).collect()
}

/// A collection of documents and the output for it.
struct Case {
    dir: tempfile::TempDir,
    verb: &'static str,
}

impl Case {
    fn new(verb: &'static str, files: &[(&str, Vec<Value>)]) -> Case {
        let lines = |rows: &Vec<Value>| rows.iter().map(|row| format!("{row}\n")).collect::<String>();
        let files: Vec<(&str, String)> = files.iter().map(|(name, rows)| (*name, lines(rows))).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        Case {
            dir: folder(&files),
            verb,
        }
    }

    fn path(&self, name: &str) -> String {
        text(&self.dir.path().join(name))
    }

    fn out(&self) -> std::path::PathBuf {
        self.dir.path().join("out")
    }

    fn ran(&self, inputs: &[&str], more: &[&str]) -> Ran {
        let (inputs, out) = (inputs.iter().map(|name| self.path(name)), self.path("out"));
        let inputs: Vec<String> = inputs.collect();
        let mut arguments = vec![self.verb];
        arguments.extend(inputs.iter().map(String::as_str));
        arguments.extend(["--out", &out]);
        arguments.extend(more);
        let ran = dehusk(arguments).exits(0);
        counts_add_up(&self.out());
        ran
    }

    /// Ids of the documents that stay.
    fn kept(&self, inputs: &[&str], more: &[&str]) -> Vec<String> {
        self.ran(inputs, more);
        kept(&self.out())
    }
}

/// A document of the same text as all others of this number.
#[allow(clippy::needless_pass_by_value, reason = "made in the call")]
fn document(id: &str, number: u64, more: Value) -> Value {
    let mut row = json!({"id": id, "text": prose(number, 80)});
    let fields = row.as_object_mut().expect("an object");
    fields.extend(more.as_object().cloned().unwrap_or_default());
    row
}

#[test]
fn first_seen_is_the_order_in_which_documents_come() {
    let (last, first) = (
        document("a", 1, json!({"date": "1999"})),
        document("zebra/00017", 1, json!({})),
    );
    let case = Case::new(
        "dedup",
        &[
            (
                "x.jsonl",
                vec![first.clone(), document("other", 2, json!({})), last.clone()],
            ),
            ("b/1.jsonl", vec![first.clone()]),
            ("b/2.jsonl", vec![last.clone()]),
        ],
    );
    for threads in ["1", "3"] {
        let kept = |inputs: &[&str], more: &[&str]| case.kept(inputs, &[&["-j", threads], more].concat());
        assert_eq!(kept(&["x.jsonl"], &[]), ["zebra/00017", "other"]);
        assert_eq!(kept(&["x.jsonl"], &["--keep", "oldest"]), ["other", "a"]);
        assert_eq!(
            kept(&["b/2.jsonl", "b/1.jsonl"], &[]),
            ["a"],
            "as inputs are named"
        );
        assert_eq!(kept(&["b"], &[]), ["zebra/00017"], "in the order of the folder");
        assert_eq!(
            kept(&["x.jsonl"], &["--memory", "64MiB"]),
            ["zebra/00017", "other"]
        );
    }
    let lines = format!("{first}\n{last}\n");
    dehusk_reading(["dedup", "-", "--out", &case.path("out")], lines.as_bytes()).exits(0);
    assert_eq!(kept(&case.out()), ["zebra/00017"]);
}

/// Near-duplicates, whose texts differ and have different lengths.
#[test]
fn every_keeper_ends_with_the_order_of_the_input() {
    let text = prose(3, 120);
    let row = |id: &str, edits: usize| {
        let edited = text.replacen(' ', " edited ", edits);
        json!({"id": id, "text": edited, "date": "2020-02-02", "popularity": 3, "kept_chars": 700, "all_chars": 1000})
    };
    let case = Case::new(
        "dedup",
        &[("x.jsonl", vec![row("z", 1), row("m", 2), row("a", 0)])],
    );
    for keeper in [
        "first-seen",
        "oldest",
        "newest",
        "popularity",
        "cleanest",
        "longest",
        "canonical",
        "weighted",
        "field:popularity",
        "field:date:min",
    ] {
        let stays = case.kept(&["x.jsonl"], &["--keep", keeper, "--threshold", "0.6"]);
        assert_eq!(stays, ["z"], "{keeper}");
    }
}

#[test]
fn dates_decide_for_the_oldest_and_the_newest() {
    let rows = vec![
        document("unknown", 1, json!({})),
        document("middle", 1, json!({"date": "2021-05-05"})),
        document("new", 1, json!({"date": "Tue, 12 Mar 2024 10:20:30 GMT"})),
        document("old", 1, json!({"date": "20080311"})),
    ];
    let case = Case::new("dedup", &[("x.jsonl", rows)]);
    assert_eq!(case.kept(&["x.jsonl"], &["--keep", "newest"]), ["new"]);
    assert_eq!(case.kept(&["x.jsonl"], &["--keep", "oldest"]), ["old"]);
}

#[test]
fn a_field_of_the_user_decides() {
    let rows = vec![
        document("none", 1, json!({})),
        document("two", 1, json!({"meta": {"score": 2, "name": "beta"}})),
        document("ten", 1, json!({"meta": {"score": 10.5, "name": "alpha"}})),
        document("minus", 1, json!({"meta": {"score": -1, "name": "Omega"}})),
        document("odd", 1, json!({"meta": {"score": [99], "name": null}})),
    ];
    let case = Case::new("dedup", &[("x.jsonl", rows)]);
    for (keeper, stays) in [
        ("field:meta.score", "ten"),
        ("field:meta.score:max", "ten"),
        ("field:meta.score:min", "minus"),
        ("field:meta.name", "two"),
        ("field:meta.name:min", "minus"),
        ("field:id:min", "minus"),
        ("field:id", "two"),
    ] {
        for threads in ["1", "3"] {
            let ran = case.ran(&["x.jsonl"], &["--keep", keeper, "-j", threads]);
            assert_eq!(kept(&case.out()), [stays], "{keeper}");
            assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
        }
    }
    let summary = json(&case.out().join("summary.json"));
    assert_eq!(summary["settings"]["keep"], "field:id:max");

    case.ran(&["x.jsonl"], &["--keep", "field:meta.rank"])
        .says(&["no document has the field `meta.rank`", "--keep field:meta.score"]);
    assert_eq!(kept(&case.out()), ["none"]);
    assert_eq!(
        json(&case.out().join("summary.json"))["missing_field"],
        "meta.rank"
    );
    for wrong in ["field", "field:", "field::max"] {
        dehusk([
            "dedup",
            &case.path("x.jsonl"),
            "--out",
            &case.path("out"),
            "--keep",
            wrong,
        ])
        .exits(2)
        .says(&["the name of a field, as in `field:meta.score`"]);
    }
}

/// Records of pages: their fields are carried to documents, where a second run finds them again.
fn pages() -> Vec<Value> {
    let row = |id: &str, title: &str, more: Value| {
        let mut row = json!({"id": id, "html": page(title, &prose(5, 120))});
        let fields = row.as_object_mut().expect("an object");
        fields.extend(more.as_object().cloned().unwrap_or_default());
        row
    };
    vec![
        row(
            "c",
            "One",
            json!({"quality": {"rank": 1}, "url": "http://c.example/1", "date": "2020"}),
        ),
        row(
            "b",
            "Two",
            json!({"quality": {"rank": 7}, "url": "http://b.example/1", "date": "2021"}),
        ),
        row(
            "a",
            "Three",
            json!({"url": "http://B.example:80/1#top", "date": "2019"}),
        ),
    ]
}

#[test]
fn a_run_reads_the_fields_of_pages_and_of_documents() {
    let case = Case::new("run", &[("pages.jsonl", pages())]);
    for more in [&["-j", "1"][..], &["-j", "3"], &["-j", "3", "--in-process"]] {
        let kept = |arguments: &[&str]| case.kept(&["pages.jsonl"], &[more, arguments].concat());
        assert_eq!(kept(&[]), ["c"]);
        assert_eq!(kept(&["--keep", "field:quality.rank"]), ["b"]);
        assert_eq!(
            kept(&["--keep", "field:title:min"]),
            ["c"],
            "a field of documents"
        );
        assert_eq!(kept(&["--keep", "field:title"]), ["b"]);
        assert_eq!(
            kept(&["--keep", "newest", "--prefer", "http://C.*,*/pages.jsonl"]),
            ["b"]
        );
        assert_eq!(kept(&["--prefer", "http://b.example/*"]), ["b"]);
        // The newest of its address takes part, and so the other one is not there to be preferred.
        assert_eq!(kept(&["--same-url", "newest", "--prefer", "a"]), ["c"]);
    }
    let documents = case.path("out/documents.jsonl");
    let again = case.path("again");
    dehusk([
        "dedup",
        &documents,
        "--out",
        &again,
        "--keep",
        "field:quality.rank",
    ])
    .exits(0);
    assert_eq!(kept(Path::new(&again)), ["b"]);
}

#[cfg(feature = "parquet")]
#[test]
fn tables_have_fields_as_lines_have_them() {
    let case = Case::new("run", &[("pages.jsonl", pages())]);
    let (pages, out, again) = (case.path("pages.jsonl"), case.path("out"), case.path("again"));
    dehusk(["run", &pages, "--out", &out, "--output-format", "parquet"]).exits(0);
    let documents = case.path("out/documents.parquet");
    for (keeper, stays) in [
        ("field:quality.rank", "b"),
        ("field:quality.rank:min", "c"),
        ("field:title", "b"),
        ("field:charset", "c"),
    ] {
        let ran = dehusk(["dedup", &documents, "--out", &again, "--keep", keeper]).exits(0);
        assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
        assert_eq!(kept(Path::new(&again)), [stays], "{keeper}");
    }
}

#[test]
fn preferred_sources_come_first_whatever_the_keeper() {
    let of = |name: &str, host: &str, chars: u64| {
        document(
            name,
            1,
            json!({"url": format!("https://{host}/x"), "kept_chars": chars}),
        )
    };
    let case = Case::new(
        "dedup",
        &[
            (
                "web/1.jsonl",
                vec![of("long", "copy.example", 900), of("short", "good.example", 10)],
            ),
            (
                "wiki/2.jsonl",
                vec![of("wiki", "wiki.example", 5), document("plain-3", 1, json!({}))],
            ),
        ],
    );
    let kept = |more: &[&str]| case.kept(&["web/1.jsonl", "wiki/2.jsonl"], more);
    assert_eq!(kept(&["--keep", "longest"]), ["long"]);
    let good = ["--prefer", "https://good.example/*"];
    for keeper in [
        "first-seen",
        "longest",
        "weighted",
        "canonical",
        "field:kept_chars",
    ] {
        assert_eq!(kept(&["--keep", keeper, good[0], good[1]]), ["short"], "{keeper}");
    }
    assert_eq!(kept(&["--prefer", "*/wiki/*.jsonl"]), ["wiki"], "by the file");
    assert_eq!(kept(&["--prefer", "plain-?"]), ["plain-3"], "by the id");
    assert_eq!(
        kept(&["--prefer", "plain-*", "--prefer", "*/wiki/*"]),
        ["plain-3"],
        "in their order"
    );
    assert_eq!(kept(&["--prefer", "nobody,https://wiki.*,plain-3"]), ["wiki"]);
    let settings = &json(&case.out().join("summary.json"))["settings"];
    assert_eq!(settings["prefer"], json!(["nobody", "https://wiki.*", "plain-3"]));
    dehusk([
        "dedup",
        &case.path("web/1.jsonl"),
        "--out",
        &case.path("out"),
        "--prefer",
        "a,,b",
    ])
    .exits(2)
    .says(&["empty pattern"]);
}

#[test]
fn of_one_address_the_newest_or_the_first_is_compared() {
    let at = |id: &str, number: u64, url: &str, date: &str| {
        document(id, number, json!({"url": url, "date": date}))
    };
    let rows = vec![
        at("old", 1, "http://a.example/news", "2023-01-01"),
        // A copy of the old text under another address: with its original gone it stays.
        at("mirror", 1, "http://mirror.example/", "2023-01-02"),
        at("new", 2, "HTTP://A.example:80/news#top", "2024-01-01"),
        at("newer copy", 2, "http://b.example/", "2025-01-01"),
        at("older", 3, "http://a.example/news", "2022-01-01"),
        at("near", 4, "http://a.example/news?page=2", "2022-01-01"),
        document("no address", 1, json!({})),
        document("no address either", 5, json!({"url": ""})),
    ];
    let case = Case::new("dedup", &[("x.jsonl", rows)]);
    let all = case.kept(&["x.jsonl"], &[]);
    assert_eq!(all, ["old", "new", "older", "near", "no address either"]);
    let dropped = &json(&case.out().join("summary.json"))["counts"]["dropped"];
    assert!(
        dropped.get("same-url").is_none(),
        "nothing is folded unless it is asked for"
    );

    for more in [&["-j", "1"][..], &["-j", "3"], &["-j", "1", "--memory", "32MiB"]] {
        let newest = case.kept(&["x.jsonl"], &[more, &["--same-url", "newest"]].concat());
        assert_eq!(newest, ["mirror", "new", "near", "no address either"]);
        let summary = json(&case.out().join("summary.json"));
        assert_eq!(summary["counts"]["dropped"]["same-url"], 2);
        assert_eq!(summary["settings"]["same-url"], "newest");
        let clusters = rows_of(&case, "clusters.jsonl");
        for id in ["old", "older"] {
            let row = clusters.iter().find(|row| row["id"] == id).expect("a row");
            let wanted = json!({"id": id, "cluster": id, "representative": "new", "cluster_size": 1, "kept": false, "reason": "same-url"});
            assert_eq!(*row, wanted);
        }
        let pairs = rows_of(&case, "pairs.jsonl");
        let ends: Vec<(&str, &str)> = pairs
            .iter()
            .map(|pair| (pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap()))
            .collect();
        assert_eq!(ends, [("mirror", "no address"), ("new", "newer copy")]);

        let first = case.kept(&["x.jsonl"], &[more, &["--same-url", "first"]].concat());
        assert_eq!(first, ["old", "newer copy", "near", "no address either"]);
    }
}

fn rows_of(case: &Case, name: &str) -> Vec<Value> {
    rows(&case.out().join(name))
}

#[test]
fn folded_documents_are_not_looked_up_in_an_index() {
    let at = |id: &str, number: u64, date: &str| {
        document(id, number, json!({"url": "http://a.example/", "date": date}))
    };
    let case = Case::new(
        "dedup",
        &[
            ("known.jsonl", vec![document("known", 1, json!({}))]),
            (
                "x.jsonl",
                vec![
                    at("old", 1, "2020"),
                    at("new", 2, "2021"),
                    document("copy", 1, json!({})),
                ],
            ),
        ],
    );
    let index = case.path("index");
    dehusk(["index", "add", &index, &case.path("known.jsonl")]).exits(0);
    let stays = case.kept(&["x.jsonl"], &["--against", &index, "--same-url", "newest"]);
    assert_eq!(stays, ["new"]);
    let dropped = &json(&case.out().join("summary.json"))["counts"]["dropped"];
    assert_eq!(
        (&dropped["same-url"], &dropped["known-duplicate"]),
        (&json!(1), &json!(1))
    );
    let matches: Vec<Value> = rows_of(&case, "matches.jsonl");
    assert_eq!(matches.len(), 1, "{matches:?}");
    assert_eq!(matches[0]["a"], "copy");
}
