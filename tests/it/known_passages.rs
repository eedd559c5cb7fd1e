//! Indexes that hold passages: `index add --passages`, `passages --against-index`, `run --passages --against`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::passages::{LICENCE, before, found, line};
use crate::run_passages::{page_line, ran};
use crate::support::{dehusk, folder, rows, text};

const QUOTED: &str = "The miller said that the old wheel had turned backwards for the whole of one night, and that the flour of that night \
    tasted of rain, as people in the valley still tell.";

fn add(dir: &Path, index: &str, lines: &str, flags: &[&str]) {
    let input = dir.join("add.jsonl");
    fs::write(&input, lines).expect("a file");
    let arguments = ["index", "add", &text(&dir.join(index)), &text(&input)].map(str::to_owned);
    dehusk(
        arguments
            .into_iter()
            .chain(flags.iter().map(|flag| (*flag).to_owned())),
    )
    .exits(0);
}

fn known() -> [String; 3] {
    [
        line("k1", "a.example", &format!("{}\n\n{LICENCE}", before(41))) + "\n",
        line("k2", "k.example", &format!("{QUOTED}\n\n{}", before(42))) + "\n",
        line(
            "k3",
            "k.example",
            &format!("{LICENCE}\n\n{QUOTED}\n\n{}", before(43)),
        ) + "\n",
    ]
}

fn new() -> String {
    let lines = [
        line("n1", "a.example", &format!("{}\n\n{LICENCE}", before(51))),
        line("n2", "b.example", &format!("{}\n\n{QUOTED}", before(52))),
        line("n3", "b.example", &before(53)),
    ];
    lines.join("\n") + "\n"
}

fn facts(out: &Path) -> Vec<(String, u64, u64, u64, u64)> {
    let number = |row: &Value, name: &str| row[name].as_u64().expect("a number");
    let mut facts: Vec<_> = rows(&out.join("passages.jsonl"))
        .iter()
        .map(|row| {
            let of = |name| number(row, name);
            (
                row["document"].as_str().expect("a text").to_owned(),
                of("places"),
                of("documents"),
                of("hosts"),
                of("known"),
            )
        })
        .collect();
    facts.sort();
    facts
}

#[test]
fn what_a_new_document_has_in_common_with_a_known_one_is_a_passage() {
    let dir = folder(&[("docs.jsonl", &new())]);
    let [one, two, three] = known();
    add(
        dir.path(),
        "first",
        &(one.clone() + &two + &three),
        &["--passages"],
    );
    // The same documents in another order, by several changes, a removed one among them.
    let extra = line("gone", "g.example", &format!("{} {QUOTED} {LICENCE}", before(44))) + "\n";
    add(dir.path(), "second", &(extra + &three), &["--passages=tokens"]);
    add(dir.path(), "second", &two, &[]);
    dehusk(["index", "remove", &text(&dir.path().join("second")), "gone"]).exits(0);
    add(dir.path(), "second", &one, &[]);
    let index = |name: &str| format!("--against-index={}", text(&dir.path().join(name)));
    let run = ["--min-run=25", "--repeat=first"];
    let first = found(dir.path(), &[&run[..], &[&index("first")]].concat());
    let expected = [
        ("n1".to_owned(), 3, 3, 2, 2), // of the licence: `k1`, `k3` and `n1`, on two hosts
        ("n2".to_owned(), 3, 3, 2, 2),
    ];
    assert_eq!(facts(&first), expected);
    let kept = |out: &Path| fs::read_to_string(out.join("kept.jsonl")).unwrap();
    assert!(
        !kept(&first).contains("miller"),
        "a passage of the index stands first there: {}",
        kept(&first)
    );
    let plain = found(dir.path(), &run);
    assert!(
        rows(&plain.join("passages.jsonl")).is_empty(),
        "among the new documents nothing is repeated"
    );

    let read = |out: &Path, name: &str| fs::read_to_string(out.join(name)).unwrap();
    for step in ["grown", "compact"] {
        if step == "compact" {
            dehusk(["index", "compact", &text(&dir.path().join("second"))]).exits(0);
        }
        fs::rename(dir.path().join("second"), dir.path().join(step)).unwrap();
        let second = found(dir.path(), &[&run[..], &[&index(step)]].concat());
        for name in [
            "passages.jsonl",
            "occurrences.jsonl",
            "contained.jsonl",
            "documents.jsonl",
            "kept.jsonl",
        ] {
            assert_eq!(
                read(&first, name),
                read(&second, name),
                "{name} with the index {step}"
            );
        }
        fs::rename(dir.path().join(step), dir.path().join("second")).unwrap();
    }
}

#[test]
fn a_document_inside_of_a_known_one_is_contained_in_it() {
    let dir = folder(&[("docs.jsonl", &(line("n", "b.example", LICENCE) + "\n"))]);
    add(dir.path(), "known", &known()[0], &["--passages"]);
    let index = format!("--against-index={}", text(&dir.path().join("known")));
    let out = found(dir.path(), &[&index, "--on-contained=delete"]);
    let contained = rows(&out.join("contained.jsonl"));
    assert_eq!(
        (contained[0]["document"].as_str(), contained[0]["within"].as_str()),
        (Some("n"), Some("k1"))
    );
    assert_eq!(rows(&out.join("documents.jsonl"))[0]["reason"], "contained");
}

#[test]
fn a_run_compares_its_passages_with_an_index_and_adds_them() {
    let pages = [
        page_line("p1", "b.example", &[&before(61), QUOTED]),
        page_line("p2", "c.example", &[&before(62), LICENCE]),
    ];
    let dir = folder(&[("pages.jsonl", &(pages.join("\n") + "\n"))]);
    let index = text(&dir.path().join("known"));
    add(dir.path(), "known", &known()[0], &["--passages"]);
    let flags = [
        "--passages",
        "--min-run=25",
        "--repeat=mark",
        "--against",
        &index,
        "--add",
    ];
    let out = ran(dir.path(), "out", &flags);
    let documents: Vec<String> = facts(&out).into_iter().map(|row| row.0).collect();
    assert_eq!(documents, ["p2"], "the licence is known");
    // What the first run added is known to the next one.
    let later = [page_line("p3", "d.example", &[&before(63), QUOTED])];
    fs::write(dir.path().join("pages.jsonl"), later.join("\n") + "\n").unwrap();
    let out = ran(dir.path(), "later", &flags);
    assert_eq!(facts(&out), [("p3".to_owned(), 2, 2, 2, 1)]);
}

#[test]
fn an_index_of_other_passages_is_refused() {
    let dir = folder(&[("docs.jsonl", &new())]);
    add(dir.path(), "lines", &known()[0], &["--passages=line"]);
    add(dir.path(), "none", &known()[0], &[]);
    let [docs, out] = ["docs.jsonl", "out"].map(|name| text(&dir.path().join(name)));
    let refused = |index: &str, flags: &[&str], told: &str| {
        let index = text(&dir.path().join(index));
        let arguments = ["passages", &docs, "--out", &out, "--against-index", &index];
        dehusk(arguments.iter().chain(flags)).exits(2).says(&[told]);
    };
    refused(
        "lines",
        &[],
        "holds passages by line, but these settings ask for tokens",
    );
    refused("none", &[], "holds no passages");
    refused(
        "lines",
        &["--unit=line", "--profile=exact"],
        "was made with profile near",
    );
    let add = [
        "index",
        "add",
        &text(&dir.path().join("none")),
        &docs,
        "--passages",
    ]
    .map(str::to_owned);
    dehusk(add).exits(2);

    // A damaged file is an error that names it.
    add_then_damage(dir.path());
}

fn add_then_damage(dir: &Path) {
    add(dir, "damaged", &known().concat(), &["--passages"]);
    let segment = dir.join("damaged/000001.segment");
    let mut bytes = fs::read(&segment).expect("a segment");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&segment, bytes).expect("a file");
    let [docs, out, index] = ["docs.jsonl", "out2", "damaged"].map(|name| text(&dir.join(name)));
    let arguments = ["passages", &docs, "--out", &out, "--against-index", &index];
    dehusk(arguments).exits(2).says(&["000001.segment"]);
}
