//! The place of a record in its document: `source`, `offset` and `plain_offset`, by which the record is found again.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{dehusk, dehusk_reading, folder, page, prose, rows, text};
use crate::warc::gzip;

fn html(number: u64) -> String {
    page(&format!("Page {number}"), &prose(number + 900, 90))
}

/// A response of an archive.
pub(crate) fn response(number: u64) -> Vec<u8> {
    let block = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}",
        html(number)
    );
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{number}>\r\nWARC-Date: 2024-05-01T00:00:00Z\r\n\
         WARC-Target-URI: http://a.example/{number}\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
    .into_bytes()
}

fn lines(count: u64) -> String {
    let line = |number| json!({"id": format!("p{number}"), "html": html(number)}).to_string() + "\n";
    (0..count).map(line).collect()
}

/// The documents of inputs of a folder.
fn extracted(dir: &Path, arguments: &[&str]) -> Vec<Value> {
    let out = dir.join("out.jsonl");
    let paths: Vec<String> = arguments.iter().map(|name| text(&dir.join(name))).collect();
    let out_name = text(&out);
    let fixed = ["extract", "--out", &out_name];
    dehusk(fixed.iter().copied().chain(paths.iter().map(String::as_str))).exits(0);
    rows(&out)
}

fn place(document: &Value) -> (&str, u64, Option<u64>) {
    let source = document["source"].as_str().expect("a source");
    let offset = document["offset"].as_u64().expect("an offset");
    (source, offset, document["plain_offset"].as_u64())
}

#[test]
fn documents_say_where_their_records_are_and_these_are_read_again_there() {
    let dir = folder(&[("lines.jsonl", &lines(4)), ("pages/b/a.html", &html(1))]);
    let at = |name: &str| dir.path().join(name);
    let members: Vec<Vec<u8>> = (0..4).map(|number| gzip(&response(number))).collect();
    let plain: Vec<u8> = (0..4).flat_map(response).collect();
    for (name, bytes) in [
        ("members.warc.gz", members.concat()),
        ("plain.warc", plain.clone()),
        ("one.warc.gz", gzip(&plain)),
        ("lines.jsonl.gz", gzip(lines(4).as_bytes())),
    ] {
        fs::write(at(name), bytes).expect("a file");
    }

    let page = &extracted(dir.path(), &["pages"])[0];
    let name = format!("{}/b/a.html", text(&at("pages")));
    assert_eq!(place(page), (name.as_str(), 0, None));

    let documents = extracted(dir.path(), &["lines.jsonl", "members.warc.gz", "plain.warc"]);
    assert_eq!(documents.len(), 12);
    for document in &documents {
        // Reading begins with the record at the offset; bytes before it do not matter.
        let (source, offset, plain) = place(document);
        let rest = &fs::read(source).expect("the source is there")[offset as usize..];
        assert_eq!(plain.is_some(), !source.ends_with("jsonl"), "{source}");
        let format = if source.ends_with("jsonl") {
            "jsonl"
        } else {
            "warc"
        };
        let ran = dehusk_reading(
            [
                "extract",
                "--input-format",
                format,
                "--output-format",
                "jsonl",
                "-",
            ],
            rest,
        );
        let first: Value = serde_json::from_str(ran.stdout.lines().next().expect("a line")).expect("JSON");
        assert_eq!(
            (&first["id"], &first["text"]),
            (&document["id"], &document["text"])
        );
        assert_eq!(place(&first).0, "-");
    }

    // Records of one member share its offset, and have different offsets in the inflated bytes.
    for (name, content) in [("one.warc.gz", plain), ("lines.jsonl.gz", lines(4).into_bytes())] {
        let documents = extracted(dir.path(), &[name]);
        let begin = |plain: u64| {
            content[plain as usize..].starts_with(if name.starts_with("one") { b"WARC/" } else { b"{\"" })
        };
        let places: Vec<_> = documents.iter().map(place).collect();
        assert_eq!(places.len(), 4, "{name}");
        for (source, offset, plain) in &places {
            assert!(
                source.ends_with(name) && *offset == 0 && plain.is_some_and(begin),
                "{places:?}"
            );
        }
        assert!(places.windows(2).all(|two| two[0].2 < two[1].2), "{places:?}");
    }
}

#[test]
fn later_steps_keep_the_place_of_the_page() {
    let dir = folder(&[("lines.jsonl", &lines(3))]);
    let at = |name: &str| text(&dir.path().join(name));
    dehusk(["run", &at("lines.jsonl"), "--out", &at("run")]).exits(0);
    let documents = rows(&dir.path().join("run/documents.jsonl"));
    assert_eq!(documents.len(), 3);
    let source = at("lines.jsonl");
    assert!(documents.iter().all(|document| place(document).0 == source));
    assert!(place(&documents[0]).1 == 0 && place(&documents[2]).1 > 0);
    dehusk(["dedup", &at("run/documents.jsonl"), "--out", &at("again")]).exits(0);
    let kept = rows(&dir.path().join("again/kept.jsonl"));
    let places = |rows: &[Value]| {
        rows.iter()
            .map(|row| format!("{:?}", place(row)))
            .collect::<Vec<_>>()
    };
    assert_eq!(places(&kept), places(&documents));

    // A field of the same name in the input is a field of the input.
    let line = json!({"id": "x", "html": html(1), "source": "a shelf", "offset": "third"});
    fs::write(dir.path().join("own.jsonl"), line.to_string()).expect("a file");
    let own = &extracted(dir.path(), &["own.jsonl"])[0];
    assert_eq!(place(own), (at("own.jsonl").as_str(), 0, None));
    assert_eq!(own["extra"], json!({"source": "a shelf", "offset": "third"}));
}

#[test]
fn texts_of_archives_say_where_they_are() {
    let dir = folder(&[]);
    let record = |number: u64| {
        let block = prose(number, 60);
        format!(
            "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.example/{number}\r\nWARC-Date: 2024-05-01T00:00:00Z\r\n\
             Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    };
    let members: Vec<Vec<u8>> = (0..3).map(|number| gzip(record(number).as_bytes())).collect();
    let file = dir.path().join("a.warc.wet.gz");
    fs::write(&file, members.concat()).expect("a file");
    let second = members[0].len() as u64;
    for verb in ["dedup", "run"] {
        let out = dir.path().join(verb);
        dehusk([verb, &text(&file), "--out", &text(&out)]).exits(0);
        let kept = rows(&out.join("kept.jsonl"));
        assert_eq!(kept.len(), 3, "{verb}");
        let plain = record(0).len() as u64;
        assert_eq!(
            place(&kept[1]),
            (text(&file).as_str(), second, Some(plain)),
            "{verb}"
        );
    }
}

#[cfg(feature = "parquet")]
#[test]
fn rows_of_tables_have_their_numbers_and_tables_have_columns_for_places() {
    let dir = folder(&[("lines.jsonl", &lines(3))]);
    let at = |name: &str| text(&dir.path().join(name));
    dehusk([
        "extract",
        &at("lines.jsonl"),
        "--html",
        "--out",
        &at("pages.parquet"),
    ])
    .exits(0);
    let options = ["--column", "html=html"];
    let fixed = ["extract", &at("pages.parquet"), "--out", &at("again.jsonl")].map(str::to_owned);
    dehusk(fixed.iter().map(String::as_str).chain(options)).exits(0);
    let documents = rows(&dir.path().join("again.jsonl"));
    let places: Vec<_> = documents.iter().map(place).collect();
    let source = at("pages.parquet");
    assert_eq!(
        places,
        [
            (source.as_str(), 0, None),
            (source.as_str(), 1, None),
            (source.as_str(), 2, None)
        ]
    );
    // The columns of the table say where the lines were.
    let of_lines = &documents[1]["extra"];
    let line = lines(1).len() as u64;
    assert_eq!(
        (&of_lines["source"], &of_lines["offset"]),
        (&json!(at("lines.jsonl")), &json!(line))
    );
}
