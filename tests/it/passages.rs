//! `dehusk passages`

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::run_passages::{page_line, ran};
use crate::support::{contents, counts_add_up, dehusk, dehusk_reading, folder, json, prose, rows, text};

pub(crate) const LICENCE: &str = "Anybody may copy this page and hand it on to others without asking us first. \
    Whoever changes it has to say so at its very beginning, with the day of the change. \
    Nothing is promised of what it says, and nobody answers for harm that comes of it. \
    This sentence stands at the end of the licence, so that all of it is long enough.";

pub(crate) fn line(id: &str, host: &str, text: &str) -> String {
    json!({"id": id, "url": format!("http://{host}/{id}"), "text": text, "n": 7}).to_string()
}

/// Own texts around the licence, which share no word beside it.
pub(crate) fn before(seed: u64) -> String {
    format!("{} before{seed}.", prose(seed, 60))
}

fn behind(seed: u64) -> String {
    format!("Behind{seed} {} ends.", prose(seed + 100, 60))
}

/// Three pages of one host and one of another with the licence between own texts, one page without it, and one that is the licence alone.
fn collection() -> String {
    let own = |seed: u64| prose(seed, 60);
    let with = |seed: u64| format!("{}\n\n{LICENCE}\n\n{}", before(seed), behind(seed));
    let lines = [
        line("a1", "a.example", &with(1)),
        line("a2", "a.example", &with(2)),
        line("a3", "a.example", &own(3)),
        line("a4", "a.example", &with(4)),
        line("b1", "b.example", &with(5)),
        line("b2", "b.example", LICENCE),
        "no json".to_owned(),
    ];
    lines.join("\n") + "\n"
}

pub(crate) fn found(dir: &Path, flags: &[&str]) -> std::path::PathBuf {
    let out = dir.join(format!("out{}", flags.join("")));
    let input = text(&dir.join("docs.jsonl"));
    let out_text = text(&out);
    let arguments = ["passages", &input, "--out", &out_text, "--max-bad", "1"];
    dehusk(arguments.iter().chain(flags)).exits(0);
    out
}

#[test]
fn a_licence_is_found_wherever_it_stands() {
    let dir = folder(&[("docs.jsonl", &collection())]);
    let out = found(dir.path(), &[]);
    let passages = rows(&out.join("passages.jsonl"));
    let [passage] = &passages[..] else {
        panic!("{passages:?}")
    };
    let facts = |name: &str| passage[name].clone();
    assert_eq!(facts("documents"), 5);
    assert_eq!(facts("places"), 5);
    assert_eq!(facts("hosts"), 2);
    assert_eq!(facts("scope"), "hosts");
    assert_eq!(facts("document"), "a1");
    assert!(facts("tokens").as_u64() > Some(50));
    let lines: Vec<Value> = collection()
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let occurrences = rows(&out.join("occurrences.jsonl"));
    assert_eq!(occurrences.len(), 5);
    for one in &occurrences {
        assert_eq!(one["passage"], passage["id"]);
        let document = lines.iter().find(|line| line["id"] == one["document"]).unwrap();
        let part = &document["text"].as_str().unwrap()
            [one["start"].as_u64().unwrap() as usize..one["end"].as_u64().unwrap() as usize];
        // The last full stop is not a token.
        assert_eq!(part, LICENCE.trim_end_matches('.'));
    }
    let documents = rows(&out.join("documents.jsonl"));
    let reason = |id: &str| documents.iter().find(|row| row["id"] == id).unwrap()["reason"].clone();
    assert_eq!(
        (reason("a1"), reason("a3"), reason("b2")),
        (json!("repeated"), json!("unique"), json!("repeated"))
    );
    assert!(!out.join("kept.jsonl").exists(), "nothing becomes of passages");
    let summary = json(&out.join("summary.json"));
    assert_eq!(summary["passages"]["passages"], 1);
    assert_eq!(summary["passages"]["of_hosts"], 1);
    assert_eq!(summary["counts"]["kept"], 6);
    // What it lists of documents is not taken for documents.
    dehusk([
        "dedup",
        &text(&out.join("documents.jsonl")),
        "--out",
        &text(&dir.path().join("x")),
    ])
    .exits(2)
    .says(&["the list of documents of an earlier run"]);
}

#[test]
fn policies_cut_whole_sentences_and_count_what_goes() {
    let dir = folder(&[("docs.jsonl", &collection())]);
    let texts = |out: &Path| -> Vec<(String, String)> {
        let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
        rows(&out.join("kept.jsonl"))
            .iter()
            .map(|row| (text(row, "id"), text(row, "text")))
            .collect()
    };
    let drop = found(dir.path(), &["--repeat", "drop"]);
    counts_add_up(&drop);
    let kept = texts(&drop);
    // The page that was the licence alone has nothing left.
    assert_eq!(
        kept.iter().map(|row| &row.0[..]).collect::<Vec<_>>(),
        ["a1", "a2", "a3", "a4", "b1"]
    );
    assert_eq!(kept[0].1, format!("{}\n\n{}", before(1), behind(1)));
    assert_eq!(kept[2].1, prose(3, 60));
    assert!(
        rows(&drop.join("kept.jsonl")).iter().all(|row| row["n"] == 7),
        "other fields stay"
    );
    assert_eq!(
        json(&drop.join("summary.json"))["counts"]["dropped"]["too-much-repeated"],
        1
    );
    let gone = &rows(&drop.join("documents.jsonl"))[5];
    assert_eq!(
        (&gone["kept"], &gone["reason"]),
        (&json!(false), &json!("too-much-repeated"))
    );

    let first = found(dir.path(), &["--repeat", "first"]);
    assert!(texts(&first)[0].1.contains(LICENCE));
    assert_eq!(texts(&first)[1..], kept[1..]);

    let share = found(dir.path(), &["--repeat", "drop", "--max-share", "0.2"]);
    assert_eq!(texts(&share).len(), 1);
    counts_add_up(&share);

    let mark = found(dir.path(), &["--repeat", "mark"]);
    let marked = rows(&mark.join("kept.jsonl"));
    assert_eq!(marked.len(), 6);
    assert_eq!(marked[2]["repeated"], json!([]));
    assert_eq!(marked[5]["repeated"], json!([[0, LICENCE.len() - 1]]));

    let exact = found(dir.path(), &["--repeat", "drop", "--cut", "token"]);
    assert!(
        texts(&exact)[0].1.contains("before1.\n\n.\n\nBehind1 "),
        "{:?}",
        texts(&exact)[0]
    );

    let input = text(&dir.path().join("docs.jsonl"));
    dehusk(["passages", &input, "--out", "x", "--max-share", "0.5"])
        .exits(2)
        .says(&["--max-share", "--repeat first"]);
}

#[test]
fn thresholds_count_documents_and_hosts() {
    let dir = folder(&[("docs.jsonl", &collection())]);
    let count = |flags: &[&str]| rows(&found(dir.path(), flags).join("passages.jsonl")).len();
    assert_eq!(count(&["--min-documents", "5"]), 1);
    assert_eq!(count(&["--min-documents", "6"]), 0);
    assert_eq!(count(&["--min-hosts", "2"]), 1);
    assert_eq!(count(&["--min-hosts", "3"]), 0);
    assert_eq!(count(&["--min-run", "500"]), 0);
    // Of the four sentences of the licence, which is one line and one paragraph.
    assert_eq!(count(&["--unit", "sentence"]), 4);
    assert_eq!(count(&["--unit", "line"]), 1);
    assert_eq!(count(&["--unit", "paragraph"]), 1);
    let lines = found(dir.path(), &["--unit", "line", "--repeat", "first"]);
    let kept = rows(&lines.join("kept.jsonl"));
    assert!(kept[0]["text"].as_str().unwrap().contains(LICENCE));
    assert_eq!(kept[1]["text"], format!("{}\n\n{}", before(2), behind(2)));
}

#[test]
fn threads_memory_and_streams_change_no_byte() {
    let many: Vec<String> = (0..120_u64)
        .map(|n| {
            let text = format!(
                "{} {} {}",
                prose(n, 80),
                prose(n % 7 + 1000, 70),
                prose(n % 11 + 2000, 60)
            );
            line(&format!("d{n}"), &format!("h{}.example", n % 5), &text)
        })
        .collect();
    let all = many.join("\n") + "\n";
    let dir = folder(&[("docs.jsonl", &all)]);
    let input = text(&dir.path().join("docs.jsonl"));
    let mut expected = None;
    for (number, flags) in [
        &["-j", "1"][..],
        &["-j", "3"],
        &["-j", "2", "--memory", "64MiB"],
        &["-j", "1", "--memory", "48MiB"],
    ]
    .into_iter()
    .enumerate()
    {
        let out = dir.path().join(format!("o{number}"));
        let arguments = [
            "passages",
            &input,
            "--repeat",
            "first",
            "--min-run",
            "30",
            "--out",
        ];
        let arguments = arguments.map(str::to_owned).into_iter().chain([text(&out)]);
        dehusk(arguments.chain(flags.iter().map(|flag| (*flag).to_owned()))).exits(0);
        let mut files = contents(&out);
        assert!(!rows(&out.join("occurrences.jsonl")).is_empty());
        files.remove("summary.json");
        assert_eq!(*expected.get_or_insert(files.clone()), files, "{flags:?}");
    }
    let out = dir.path().join("stream");
    let flags = [
        "passages",
        "-",
        "--repeat",
        "first",
        "--min-run",
        "30",
        "--out",
        &text(&out),
    ];
    dehusk_reading(flags, all.as_bytes()).exits(0);
    let kept = |folder: &Path| fs::read(folder.join("kept.jsonl")).unwrap();
    assert!(kept(&out) == kept(&dir.path().join("o0")));
    dehusk([
        "passages",
        &input,
        "--memory",
        "1MiB",
        "--out",
        &text(&dir.path().join("m")),
    ])
    .exits(1)
    .says(&["is too little", "--memory"]);
}

#[test]
fn hostile_collections_end() {
    let same = vec![line("x", "a.example", "The same line."); 3000].join("\n");
    let lines = line("many", "a.example", &"one line\n".repeat(50_000));
    let one = line("one", "a.example", &"a".repeat(200_000));
    let periodic = line("period", "a.example", &"tick tack ".repeat(40_000));
    let empty = [line("e1", "", ""), line("e2", "", " \n ")].join("\n");
    let dir = folder(&[(
        "docs.jsonl",
        &([same, lines, one, periodic, empty].join("\n") + "\n"),
    )]);
    for flags in [
        &["--repeat", "drop"][..],
        &["--unit", "line", "--repeat", "first"],
        &["--min-run", "1"],
    ] {
        let out = found(dir.path(), flags);
        let summary = json(&out.join("summary.json"));
        assert_eq!(summary["counts"]["read"], 3005);
        assert_eq!(summary["passages"]["unverified"], 0);
        let units = summary["passages"]["units"].as_u64().unwrap();
        assert!(rows(&out.join("occurrences.jsonl")).len() as u64 <= units);
    }
}

/// A question of 20 words whole, in part, with a word changed; and short ones.
#[test]
fn test_items_are_found_letter_for_letter() {
    let question = prose(900, 20).trim().to_owned();
    let words: Vec<&str> = question.split(' ').collect();
    let part = words[2..16].join(" ");
    let changed = [&words[..10], &["changed"], &words[11..]].concat().join(" ");
    let around = |seed: u64, item: &str| {
        format!(
            "{} ends. Here is {item}, so it is. The rest {} ends.",
            prose(seed, 40),
            prose(seed + 50, 40)
        )
    };
    let documents = [
        line("whole", "a.example", &around(1, &question)),
        line("part", "a.example", &around(2, &part)),
        line("changed", "a.example", &around(3, &changed)),
        line("short", "a.example", &around(4, "Who wrote Zorba?")),
        line("none", "a.example", &prose(5, 90)),
        line("alone", "a.example", &question),
    ];
    let items = [
        json!({"id": "q1", "question": question, "answer": "yes"}),
        json!({"id": 2, "question": "Who wrote Zorba?", "answer": "Kazantzakis did it"}),
        json!({"question": prose(901, 30)}),
    ];
    let items: Vec<String> = items.iter().map(Value::to_string).collect();
    let dir = folder(&[
        ("docs.jsonl", &(documents.join("\n") + "\n")),
        ("test.jsonl", &items.join("\n")),
    ]);
    let (input, test) = (
        text(&dir.path().join("docs.jsonl")),
        text(&dir.path().join("test.jsonl")),
    );
    let run = |name: &str, flags: &[&str]| {
        let out = dir.path().join(name);
        let fields = [
            "--item-field",
            "question",
            "--item-field",
            "answer",
            "--out",
            &text(&out),
        ]
        .map(str::to_owned);
        let arguments = ["passages", &input, "--against", &test]
            .map(str::to_owned)
            .into_iter()
            .chain(fields);
        dehusk(arguments.chain(flags.iter().map(|flag| (*flag).to_owned()))).exits(0);
        out
    };
    let out = run("mark", &[]);
    counts_add_up(&out);
    let matches = rows(&out.join("matches.jsonl"));
    let facts: Vec<_> = matches
        .iter()
        .map(|row| {
            (
                row["document"].as_str().unwrap(),
                row["item"].as_str().unwrap(),
                row["tokens"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        facts,
        [
            ("whole", "q1", 20),
            ("part", "q1", 14),
            ("short", "2", 3),
            ("alone", "q1", 20)
        ]
    );
    assert_eq!(matches[1]["share"], 0.7);
    let whole: Value = serde_json::from_str(&documents[0]).unwrap();
    let place = matches[0]["start"].as_u64().unwrap() as usize..matches[0]["end"].as_u64().unwrap() as usize;
    assert_eq!(
        &whole["text"].as_str().unwrap()[place],
        question.trim_end_matches('.')
    );
    assert_eq!(
        rows(&out.join("kept.jsonl"))[3]["repeated"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let listed = rows(&out.join("items.jsonl"));
    let of = |row: &Value| {
        (
            row["field"].clone(),
            row["documents"].clone(),
            row["searched"].clone(),
        )
    };
    assert_eq!(of(&listed[0]), (json!("question"), json!(3), json!(true)));
    // `yes` is shorter than the least, and is listed so.
    assert_eq!(of(&listed[1]), (json!("answer"), json!(0), json!(false)));
    assert_eq!(json(&out.join("summary.json"))["items"]["too_short"], 1);

    let cut = run("cut", &["--on-match", "cut"]);
    counts_add_up(&cut);
    let kept = rows(&cut.join("kept.jsonl"));
    assert_eq!(kept.len(), 5, "nothing is left of one");
    assert_eq!(
        kept[0]["text"],
        format!("{} ends. The rest {} ends.", prose(1, 40), prose(51, 40))
    );
    assert!(kept[2]["text"].as_str().unwrap().contains("changed"));

    let drop = run("drop", &["--on-match", "drop"]);
    counts_add_up(&drop);
    assert_eq!(rows(&drop.join("kept.jsonl")).len(), 2);
    assert_eq!(
        json(&drop.join("summary.json"))["counts"]["dropped"]["holds-test-item"],
        4
    );

    let out = text(&dir.path().join("memory"));
    let ceiling = [
        "passages",
        &input,
        "--against",
        &test,
        "--item-field",
        "question",
        "--out",
        &out,
        "--memory",
    ];
    dehusk(ceiling.iter().chain(&["64MiB", "-j", "1"])).exits(0);
    dehusk(ceiling.iter().chain(&["8MiB", "-j", "1"]))
        .exits(1)
        .says(&["is too little", "for 3 items of the test set"]);
    // A test set that does not fit is not read to its end.
    let many: String = (0..40_000)
        .map(|n| json!({"question": prose(n, 40)}).to_string() + "\n")
        .collect();
    let large = dir.path().join("large.jsonl");
    fs::write(&large, many).unwrap();
    let large = text(&large);
    let out = text(&dir.path().join("too-large"));
    let flags = [
        "--item-field",
        "question",
        "--memory",
        "40MiB",
        "-j",
        "1",
        "--out",
        &out,
    ];
    let arguments = ["passages", &input, "--against", &large];
    let ran = dehusk(arguments.iter().chain(&flags)).exits(1);
    assert!(!ran.stderr.contains("for 40000 items"), "{}", ran.stderr);
    ran.says(&["is too little", "items of the test set"]);
    fs::write(
        dir.path().join("bad.jsonl"),
        "{\"question\":\"a b c\"}\n{\"other\":1}\n",
    )
    .unwrap();
    dehusk([
        "passages",
        &input,
        "--against",
        &text(&dir.path().join("bad.jsonl")),
        "--item-field",
        "question",
        "--out",
        "x",
    ])
    .exits(2)
    .says(&["bad.jsonl:2", "--item-field"]);
    dehusk([
        "passages",
        &input,
        "--against",
        &test,
        "--repeat",
        "drop",
        "--out",
        "x",
    ])
    .exits(2)
    .says(&["--repeat"]);
}

#[test]
fn documents_that_stand_in_longer_ones_are_listed_and_go_if_asked() {
    let part = |seed: u64| prose(seed, 80);
    let chapter = format!("{}\n\n{}", part(1), part(2));
    let book = format!("{chapter}\n\n{}\n\n{}", part(3), part(4));
    // At least nine tenths of `most` stand in the book, and one half of `half`.
    let most = format!("{chapter}\n\n{}", prose(50, 10));
    let half = format!("{}\n\n{}", part(3), prose(60, 80));
    let documents = [
        line("chapter", "a.example", &chapter),
        line("most", "a.example", &most),
        line("half", "a.example", &half),
        line("book", "b.example", &book),
        line("copy", "c.example", &book),
        line("other", "c.example", &part(70)),
    ];
    let pages: Vec<String> = [("chapter", &chapter), ("book", &book), ("other", &part(70))]
        .into_iter()
        .map(|(id, whole)| page_line(id, "a.example", &whole.split("\n\n").collect::<Vec<_>>()))
        .collect();
    let dir = folder(&[
        ("docs.jsonl", &(documents.join("\n") + "\n")),
        ("pages.jsonl", &(pages.join("\n") + "\n")),
    ]);
    let listed = |out: &Path| -> Vec<(String, String, f64)> {
        let of = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
        let rows = rows(&out.join("contained.jsonl"));
        rows.iter()
            .map(|row| {
                (
                    of(row, "document"),
                    of(row, "within"),
                    row["share"].as_f64().unwrap(),
                )
            })
            .collect()
    };
    let keep = found(dir.path(), &[]);
    let all = listed(&keep);
    assert!(
        all.contains(&("copy".to_owned(), "book".to_owned(), 1.0)),
        "{all:?}"
    );
    assert!(
        all.iter().any(|one| one.0 == "chapter" && one.2 == 1.0),
        "{all:?}"
    );
    assert!(
        all.iter()
            .any(|one| one.0 == "most" && one.2 > 0.9 && one.2 < 1.0),
        "{all:?}"
    );
    assert!(
        !all.iter()
            .any(|one| ["half", "book", "other"].contains(&&one.0[..])),
        "{all:?}"
    );
    assert_eq!(json(&keep.join("summary.json"))["passages"]["contained"], 3);
    assert!(!keep.join("kept.jsonl").exists());

    let delete = found(dir.path(), &["--on-contained", "delete"]);
    counts_add_up(&delete);
    let ids: Vec<Value> = rows(&delete.join("kept.jsonl"))
        .iter()
        .map(|row| row["id"].clone())
        .collect();
    assert_eq!(ids, ["half", "book", "other"]);
    assert_eq!(
        json(&delete.join("summary.json"))["counts"]["dropped"]["contained"],
        3
    );
    // Nothing goes that no kept text contains.
    for gone in ["chapter", "most", "copy"] {
        let mut containers = listed(&delete).into_iter().filter(|one| one.0 == gone);
        assert!(containers.any(|one| ids.contains(&json!(one.1))), "{gone}");
    }
    let demote = found(dir.path(), &["--on-contained", "demote"]);
    let reasons: Vec<Value> = rows(&demote.join("documents.jsonl"))
        .iter()
        .map(|row| row["reason"].clone())
        .collect();
    assert_eq!(reasons[..3], ["demoted", "demoted", "repeated"]);
    assert_eq!(rows(&demote.join("kept.jsonl")).len(), 6);
    // At a half, the other half is enough.
    let half = found(dir.path(), &["--min-contained", "0.45"]);
    assert!(listed(&half).iter().any(|one| one.0 == "half"));
    let input = text(&dir.path().join("docs.jsonl"));
    dehusk([
        "passages",
        &input,
        "--out",
        "x",
        "--repeat",
        "first",
        "--on-contained",
        "delete",
    ])
    .exits(2)
    .says(&["--on-contained"]);

    let run = ran(
        dir.path(),
        "run",
        &["--passages", "--on-contained", "delete", "--min-contained", "0.8"],
    );
    counts_add_up(&run);
    let clusters = rows(&run.join("clusters.jsonl"));
    assert_eq!(
        (
            &clusters[0]["kept"],
            &clusters[0]["reason"],
            &clusters[0]["representative"]
        ),
        (&json!(false), &json!("contained"), &json!("book"))
    );
    assert_eq!(rows(&run.join("kept.jsonl")).len(), 2);
}

/// Recall of planted runs by length, and the number of other runs found.
#[test]
fn every_planted_run_is_found_and_nothing_else() {
    let dir = folder(&[]);
    let set = dir.path().join("set");
    dehusk([
        "generate",
        "passages",
        "--documents",
        "300",
        "--runs",
        "144",
        "--out",
        &text(&set),
    ])
    .exits(0);
    let planted = rows(&set.join("planted.jsonl"));
    let number = |row: &Value, name: &str| row[name].as_u64().unwrap();
    for least in [13, 50] {
        let out = dir.path().join(format!("found{least}"));
        let corpus = text(&set.join("corpus.jsonl"));
        let least_text = least.to_string();
        dehusk([
            "passages",
            &corpus,
            "--min-run",
            &least_text,
            "--out",
            &text(&out),
        ])
        .exits(0);
        let occurrences = rows(&out.join("occurrences.jsonl"));
        let covers = |one: &Value, part: &Value| {
            one["document"] == part["document"]
                && number(one, "start") <= number(part, "start")
                && number(one, "end") >= number(part, "end")
        };
        let mut found = 0;
        for part in &planted {
            let is_found = occurrences.iter().any(|one| covers(one, part));
            assert_eq!(is_found, number(part, "tokens") >= least, "{part}");
            found += usize::from(is_found);
        }
        // Each occurrence is one of the unchanged parts, to the byte.
        assert_eq!(occurrences.len(), found);
        for one in &occurrences {
            assert!(
                planted.iter().any(|part| covers(one, part) && covers(part, one)),
                "{one}"
            );
        }
    }
    let lengths: std::collections::BTreeSet<u64> = planted.iter().map(|row| number(row, "tokens")).collect();
    assert!(
        lengths.contains(&49) && lengths.contains(&50) && lengths.len() > 20,
        "{lengths:?}"
    );
}
