//! Parquet files: the rows of JSON Lines, in columns.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use serde_json::{Map, Value, json};

#[path = "../../crates/pipeline/src/write/format/parquet/tests/nulls.rs"]
mod nulls;

use crate::support::{contents, dehusk, folder, page, prose, rows, text};

/// Columns and members that hold JSON as text.
const JSON: [&str; 3] = ["content", "elements", "extra"];

/// Pages with tables, comments, dates, other fields, and copies; and lines that are not pages.
fn pages() -> tempfile::TempDir {
    let mut lines = String::new();
    for n in 0..40_u64 {
        let html = page(&format!("Page {n}"), &prose(n / 3, 200)).replace(
            "</article>",
            "<table><caption>Levels</caption><tr><th>River<td>Level<ul><li>high<li>low</ul></tr><tr><td>a<td>2</tr></table>\
             <p>The bridges were closed for the night, and the schools stayed closed on the day after it.</p></article>\
             <section id=comments class=comments><div class=comment itemscope itemtype=http://schema.org/Comment>\
             <span itemprop=author>Bob</span><time itemprop=dateCreated datetime=2024-03-06>March</time>\
             <div itemprop=text>I saw it from the bridge.</div></div></section>",
        );
        let html = html.replace(
            "</title>",
            "</title><meta property=article:modified_time content=1969-07-21><meta property=article:tag content=water>",
        );
        let id = if n == 7 { 6 } else { n };
        let row = json!({"id": format!("page {id}"), "html": html, "popularity": n, "date": "2024", "rank": {"n": n}});
        lines += &format!("{row}\n");
    }
    lines += "{broken\n{\"id\":\"no content\"}\n";
    folder(&[("pages.jsonl", &lines)])
}

const FIELDS: [&str; 9] = [
    "--markdown",
    "--html",
    "--content",
    "--blocks",
    "--tables",
    "field",
    "--comments",
    "field",
    "--tsv",
];

fn run(dir: &Path, verb: &str, input: &str, out: &str, flags: &[&str]) {
    let (input, out) = (text(&dir.join(input)), text(&dir.join(out)));
    let arguments = [verb, &input, "--out", &out, "--max-bad", "3"];
    dehusk(arguments.iter().chain(flags)).exits(0);
}

const PARQUET: [&str; 2] = ["--output-format", "parquet"];

fn run_to_columns(dir: &Path, out: &str, threads: &str) {
    let flags = [&FIELDS[..], &PARQUET, &["--threads", threads]].concat();
    run(dir, "run", "pages.jsonl", out, &flags);
}

fn read(path: &Path) -> Vec<Value> {
    let reader = SerializedFileReader::new(File::open(path).expect("a file")).expect("a Parquet file");
    let rows = reader.get_row_iter(None).expect("rows");
    rows.map(|row| object(&row.expect("a row"))).collect()
}

fn object(row: &Row) -> Value {
    let members = row
        .get_column_iter()
        .filter(|(_, field)| !matches!(field, Field::Null));
    let members = members.map(|(name, field)| match field {
        Field::Str(text) if JSON.contains(&name.as_str()) => (
            name.clone(),
            without_nulls(serde_json::from_str(text).expect("JSON")),
        ),
        field => (name.clone(), value(field)),
    });
    members.collect::<Map<_, _>>().into()
}

fn value(field: &Field) -> Value {
    match field {
        Field::Str(text) => json!(text),
        Field::Bool(value) => json!(value),
        Field::Long(value) => json!(value),
        Field::Double(value) => json!(value),
        Field::Date(_) => json!(field.to_string()),
        Field::Group(row) => object(row),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        Field::MapInternal(map) => {
            let entries = map.entries().iter();
            let entries =
                entries.map(|(key, item)| (value(key).as_str().expect("a name").to_owned(), value(item)));
            entries.collect::<Map<_, _>>().into()
        }
        other => panic!("{other:?}"),
    }
}

/// Without nulls, and with every number as a real one: one that is whole is written as such where its column is of reals, and the other
/// way round.
fn without_nulls(value: Value) -> Value {
    nulls::without_nulls(value, &|number| json!(number.as_f64()))
}

fn comparable(rows: Vec<Value>) -> Vec<Value> {
    rows.into_iter().map(without_nulls).collect()
}

#[test]
fn lists_of_run_and_dedup_hold_the_same_rows() {
    let dir = pages();
    let dir = dir.path();
    run(dir, "run", "pages.jsonl", "lines", &FIELDS);
    run_to_columns(dir, "columns", "1");
    run_to_columns(dir, "again", "3");
    run(dir, "dedup", "lines/documents.jsonl", "dedup-lines", &[]);
    run(dir, "dedup", "lines/documents.jsonl", "dedup-columns", &PARQUET);
    for (lines, columns) in [("lines", "columns"), ("dedup-lines", "dedup-columns")] {
        for list in ["documents", "kept", "pairs", "clusters", "quarantine"] {
            if columns == "dedup-columns" && list == "documents" {
                continue;
            }
            let found = comparable(read(&dir.join(columns).join(format!("{list}.parquet"))));
            let expected = comparable(rows(&dir.join(lines).join(format!("{list}.jsonl"))));
            assert!(!expected.is_empty() || columns == "dedup-columns", "{list}");
            assert_eq!(found, expected, "{columns} {list}");
        }
    }
    let (one, three) = (contents(&dir.join("columns")), contents(&dir.join("again")));
    for (name, bytes) in one.iter().filter(|(name, _)| name.ends_with(".parquet")) {
        assert!(*bytes == three[name], "{name}");
    }
    assert!(one.contains_key("pairs.tsv") && !one.contains_key("kept.jsonl"));
    // Results in another form replace those of an earlier run.
    run(dir, "run", "pages.jsonl", "columns", &FIELDS);
    assert!(!contents(&dir.join("columns")).contains_key("kept.parquet"));
    let refused = |input: &str, says: &str| {
        let out = text(&dir.join("z"));
        let arguments = ["run", input, "--out", &out, "--compress", "gzip"];
        dehusk(arguments.iter().chain(&PARQUET)).exits(2).says(&[says]);
    };
    refused("x", "cannot read `x`");
    let input = text(&dir.join("pages.jsonl"));
    refused(&input, "`--compress`: `parquet` compresses by itself");
}

#[test]
fn single_files_tell_their_form_by_their_names() {
    let dir = pages();
    let dir = dir.path();
    run(dir, "extract", "pages.jsonl", "documents.jsonl", &[]);
    for (verb, input, flags) in [
        ("extract", "pages.jsonl", &FIELDS[..8]),
        ("extract", "pages.jsonl", &["--shard-size", "20KiB"]),
        ("sign", "documents.jsonl", &["--signature", "simhash"]),
        (
            "normalize",
            "documents.jsonl",
            &["--tokens", "--offsets", "--sentences"],
        ),
        ("normalize", "documents.jsonl", &[]),
    ] {
        run(dir, verb, input, "out.jsonl", flags);
        run(dir, verb, input, "out.parquet", flags);
        let all = |extension: &str| -> Vec<std::path::PathBuf> {
            let entries = fs::read_dir(dir)
                .expect("a folder")
                .flatten()
                .map(|entry| entry.path());
            let mut paths: Vec<_> = entries
                .filter(|path| {
                    let name = path.file_name().unwrap_or_default().to_string_lossy();
                    name.starts_with("out") && name.ends_with(extension)
                })
                .collect();
            paths.sort();
            paths
        };
        let found: Vec<Value> = all(".parquet").iter().flat_map(|path| read(path)).collect();
        let mut expected: Vec<Value> = all(".jsonl").iter().flat_map(|path| rows(path)).collect();
        if verb == "sign" {
            let header = expected.remove(0);
            assert_eq!(header["header"]["kind"], "signatures");
        }
        assert_eq!(comparable(found), comparable(expected), "{verb} {flags:?}");
        for path in all(".parquet").into_iter().chain(all(".jsonl")) {
            fs::remove_file(path).expect("removed");
        }
    }
}

/// Reads the lists of a folder with a library of Python, and compares them with the lines of another.
const COMPARE: &str = r#"
import datetime, importlib, json, os, sys

library, lines, columns = sys.argv[1:]
importlib.import_module(library)

def table(path):
    if library == "pyarrow":
        import pyarrow.parquet
        return pyarrow.parquet.read_table(path).to_pylist()
    if library == "polars":
        import polars
        return polars.read_parquet(path).to_dicts()
    import duckdb
    found = duckdb.sql(f"SELECT * FROM read_parquet('{path}')")
    return [dict(zip(found.columns, row)) for row in found.fetchall()]

def plain(name, value):
    if isinstance(value, str) and name in ("content", "elements", "extra"):
        return plain("", json.loads(value))
    if name in ("scores", "votes") and isinstance(value, list):
        value = [(item["key"], item["value"]) if isinstance(item, dict) else item for item in value]
        value = dict(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, dict):
        return {key: plain(key, item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [plain("", item) for item in value]
    return value

for name in sorted(os.listdir(columns)):
    if name.endswith(".parquet"):
        found = [plain("", row) for row in table(os.path.join(columns, name))]
        with open(os.path.join(lines, name.replace(".parquet", ".jsonl")), encoding="utf-8") as file:
            expected = [plain("", json.loads(line)) for line in file]
        assert found == expected, (name, next(pair for pair in zip(found, expected) if pair[0] != pair[1]))
        print(name, len(found), "rows")
"#;

/// `cargo test -p dehusk-cli --test it -- --ignored --nocapture others_read`, with `DEHUSK_PYTHON` as the Python that has the libraries.
#[test]
#[ignore = "needs a Python with pyarrow, duckdb and polars"]
fn others_read_what_is_written() {
    let python = std::env::var("DEHUSK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let dir = pages();
    let dir = dir.path();
    run(dir, "run", "pages.jsonl", "lines", &FIELDS);
    run_to_columns(dir, "columns", "2");
    for library in ["pyarrow", "duckdb", "polars"] {
        let there = Command::new(&python)
            .args(["-c", &format!("import {library}")])
            .output();
        if !there.is_ok_and(|output| output.status.success()) {
            println!("SKIPPED: {python} has no {library}; set DEHUSK_PYTHON to one that has");
            continue;
        }
        let (lines, columns) = (text(&dir.join("lines")), text(&dir.join("columns")));
        let output = Command::new(&python)
            .args(["-c", COMPARE, library, &lines, &columns])
            .output()
            .expect("Python starts");
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert!(output.status.success(), "{library}: {err}");
        assert_eq!(out.lines().count(), 5, "{out}");
        println!("{library}: {}", out.replace('\n', ", "));
    }
}

/// What `run` wrote is read again as it was: the same duplicates, and the same fields of what stays.
#[test]
fn documents_in_columns_are_those_in_lines() {
    let dir = pages();
    let dir = dir.path();
    run(dir, "run", "pages.jsonl", "lines", &FIELDS);
    run_to_columns(dir, "columns", "2");
    run(dir, "dedup", "lines/documents.jsonl", "of-lines", &[]);
    for (threads, memory) in [("1", None), ("7", None), ("3", Some("64MiB"))] {
        let mut flags = vec!["--threads", threads];
        flags.extend(memory.iter().flat_map(|size| ["--memory", size]));
        run(dir, "dedup", "columns/documents.parquet", "of-columns", &flags);
        let read = |folder: &str, list: &str| rows(&dir.join(folder).join(list));
        for list in ["pairs.jsonl", "clusters.jsonl"] {
            assert_eq!(read("of-columns", list), read("of-lines", list), "{list}");
        }
        let kept = |folder: &str| comparable(read(folder, "kept.jsonl"));
        assert_eq!(kept("of-columns"), kept("of-lines"));
    }
    // And once more, of what was kept.
    run(dir, "dedup", "columns/kept.parquet", "of-kept", &[]);
    assert_eq!(
        rows(&dir.join("of-kept/kept.jsonl")).len(),
        read(&dir.join("columns/kept.parquet")).len()
    );
}

#[test]
fn inputs_say_what_they_lack() {
    let dir = pages();
    let dir = dir.path();
    run(dir, "run", "pages.jsonl", "out", &["--output-format", "parquet"]);
    let file = text(&dir.join("out/kept.parquet"));
    let rows = read(&dir.join("out/kept.parquet")).len();
    let pairs = text(&dir.join("out/pairs.parquet"));
    dehusk(["extract", &pairs]).exits(2).says(&[
        "has no column `html` or `html_base64` or `path`; its columns: a, b, ",
        "--column html=NAME",
    ]);
    dehusk(["extract", &file, "--column", "html=body"])
        .exits(2)
        .says(&["has no column `body`"]);
    let config = dir.join("columns.toml");
    fs::write(&config, "column = [\"html=text\", \"url=id\"]\n").expect("a file");
    for more in [
        &["--column", "html=text", "--column", "url=id"][..],
        &["--column", "html=text,url=id"],
        &["--config", &text(&config)],
    ] {
        let ran = dehusk([&["extract", &file][..], more].concat()).exits(0);
        let documents: Vec<Value> = ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert_eq!(documents.len(), rows);
        assert!(
            documents
                .iter()
                .all(|row| row["url"].as_str().is_some_and(|url| url.starts_with("page ")))
        );
    }
    let bytes = fs::read(&file).expect("a file");
    crate::support::dehusk_reading(["dedup", "-", "--out", &text(&dir.join("piped"))], &bytes)
        .exits(2)
        .says(&["save it to a file first"]);
}
