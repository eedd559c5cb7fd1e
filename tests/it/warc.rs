//! Archives of crawls, and compressed inputs.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::support::{
    contents, counts_add_up, dehusk, dehusk_reading, folder, json, page, prose, rows, text, unplaced,
};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

pub(crate) fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut to = GzEncoder::new(Vec::new(), Compression::best());
    to.write_all(plain).expect("memory takes all");
    to.finish().expect("memory takes all")
}

fn record_id(number: usize) -> String {
    format!("<urn:uuid:00000000-0000-4000-8000-{number:012x}>")
}

/// A record of an archive; `about` are further fields, each with its line end.
fn record(kind: &str, number: usize, about: &str, block: &[u8]) -> Vec<u8> {
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {}\r\n\
         WARC-Date: 2024-05-01T00:00:00Z\r\n{about}Content-Length: {}\r\n\r\n",
        record_id(number),
        block.len()
    )
    .into_bytes();
    record.extend(block);
    record.extend(b"\r\n\r\n");
    record
}

/// Body of an answer: compressed with `form` 0, in chunks with 1, plain otherwise.
fn response(number: usize, url: &str, head: &str, body: &[u8], form: usize) -> Vec<u8> {
    let (coding, body) = match form {
        0 => ("Content-Encoding: gzip\r\n", gzip(body)),
        1 => {
            let chunk = |chunk: &[u8]| [format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat();
            let mut chunks: Vec<u8> = body.chunks(5000).flat_map(chunk).collect();
            chunks.extend(b"0\r\n\r\n");
            ("Transfer-Encoding: chunked\r\n", chunks)
        }
        _ => ("", body.to_vec()),
    };
    let mut block = format!("HTTP/1.1 {head}\r\n{coding}\r\n").into_bytes();
    block.extend(body);
    let about = format!("WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n");
    record("response", number, &about, &block)
}

/// The records of an archive of the crawl among the fixtures: before each response its request, and among them what else archives hold.
fn crawl_records() -> Vec<Vec<u8>> {
    let mut out = vec![record(
        "warcinfo",
        0,
        "Content-Type: application/warc-fields\r\n",
        b"description: the crawl among the fixtures\r\n",
    )];
    for (number, page) in rows(&fixtures().join("crawl/expect.jsonl")).iter().enumerate() {
        let url = page["url"].as_str().expect("an address");
        let path = page["path"].as_str().expect("a path");
        let body = fs::read(fixtures().join("crawl").join(path)).expect("a page");
        let about = format!("WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=request\r\n");
        let request = format!("GET {url} HTTP/1.1\r\n\r\n");
        out.push(record("request", 2 * number + 1, &about, request.as_bytes()));
        let head = "200 OK\r\nContent-Type: text/html";
        out.push(response(2 * number + 2, url, head, &body, number % 3));
    }
    let others = [
        (
            "404 Not Found\r\nContent-Type: text/html",
            "/gone",
            "<h1>Not here</h1><p>This page is gone.",
        ),
        ("301 Moved\r\nLocation: /", "/moved", ""),
        (
            "200 OK\r\nContent-Type: text/css",
            "/style.css",
            "p { color: black }",
        ),
    ];
    for (number, (head, path, body)) in others.into_iter().enumerate() {
        let url = format!("https://news.example{path}");
        out.push(response(1000 + number, &url, head, body.as_bytes(), 2));
    }
    let about = "WARC-Target-URI: https://news.example/\r\nWARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n";
    out.push(record("revisit", 2000, about, b""));
    out
}

fn inflated(file: &Path) -> Vec<u8> {
    let mut plain = Vec::new();
    let file = fs::File::open(file).expect("the archive of the fixtures");
    MultiGzDecoder::new(file)
        .read_to_end(&mut plain)
        .expect("gzip members");
    plain
}

/// Where it is not, `DEHUSK_WRITE_FIXTURES=1 cargo test -p dehusk-cli --test it warc` makes it so.
#[test]
fn the_archive_among_the_fixtures_holds_the_crawl() {
    let (file, records) = (fixtures().join("crawl.warc.gz"), crawl_records());
    if std::env::var_os("DEHUSK_WRITE_FIXTURES").is_some() {
        let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
        fs::write(&file, members).expect("a file");
    }
    assert!(
        inflated(&file) == records.concat(),
        "the archive holds other records"
    );
}

/// Texts by address.
fn texts(lines: &str) -> BTreeMap<String, String> {
    let row = |line| -> Value { serde_json::from_str(line).expect("JSON") };
    lines
        .lines()
        .map(row)
        .map(|row| {
            (
                row["id"].as_str().expect("an id").to_owned(),
                row["text"].as_str().expect("a text").to_owned(),
            )
        })
        .collect()
}

#[test]
fn pages_of_an_archive_are_those_of_its_files() {
    let crawl = text(&fixtures().join("crawl"));
    let expected = texts(&dehusk(["extract", &crawl, "--max-bad", "1"]).exits(0).stdout);
    let file = text(&fixtures().join("crawl.warc.gz"));
    let ran = dehusk(["extract", &file, "--max-bad", "1", "-j", "1"])
        .exits(0)
        .says(&[
            "79 pages read",
            "1 http-error, 1 http-redirect, 2 not-html, 80 request, 1 revisit, 1 warcinfo",
        ]);
    let got = texts(&ran.stdout);
    assert_eq!(got.len(), expected.len());
    for page in rows(&fixtures().join("crawl/expect.jsonl")) {
        let (path, url) = (page["path"].as_str().unwrap(), page["url"].as_str().unwrap());
        // A page may yield another text with its address than without it, so only emptiness is compared.
        if let (Some(expected), Some(got)) = (expected.get(path), got.get(url)) {
            assert_eq!(expected.is_empty(), got.is_empty(), "{url}");
        }
    }
    let plain = inflated(&fixtures().join("crawl.warc.gz"));
    let whole = fs::read(&file).unwrap();
    for threads in ["1", "2", "7", "16"] {
        for input in [&plain, &whole, &gzip(&plain)] {
            let again = dehusk_reading(["extract", "-", "--max-bad", "1", "-j", threads], input).exits(0);
            assert!(
                unplaced(&again.stdout) == unplaced(&ran.stdout),
                "{threads} threads, {} bytes",
                input.len()
            );
        }
    }
}

#[test]
fn a_run_reads_archives_in_folders_beside_pages() {
    let dir = folder(&[("in/a.html", &page("Alone", &prose(1, 80)))]);
    fs::copy(
        fixtures().join("crawl.warc.gz"),
        dir.path().join("in/crawl.warc.gz"),
    )
    .unwrap();
    fs::write(
        dir.path().join("in/b.html.gz"),
        gzip(page("Packed", &prose(2, 80)).as_bytes()),
    )
    .unwrap();
    let (input, out) = (text(&dir.path().join("in")), dir.path().join("out"));
    dehusk(["run", &input, "--out", &text(&out), "--max-bad", "1"]).exits(0);
    counts_add_up(&out);
    let summary = json(&out.join("summary.json"));
    assert_eq!(summary["counts"]["read"], 81);
    assert_eq!(summary["skipped_records"]["request"], 80);
    let first = contents(&out);
    let again = dir.path().join("again");
    dehusk(["run", &input, "--out", &text(&again), "--max-bad", "1", "-j", "7"]).exits(0);
    for (name, bytes) in contents(&again) {
        if name != "summary.json" && name != "report.html" {
            assert!(first[&name] == bytes, "{name}");
        }
    }
}

/// A broken member costs only its own record, which is reported with its place.
#[test]
fn a_damaged_record_costs_itself() {
    let dir = folder(&[]);
    let records: Vec<Vec<u8>> = (0..100)
        .map(|number| {
            let html = page("Title", &prose(number, 300));
            let url = format!("http://a.example/{number}");
            response(
                number as usize,
                &url,
                "200 OK\r\nContent-Type: text/html",
                html.as_bytes(),
                2,
            )
        })
        .collect();
    let members: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    let plain_before: usize = records[..40].iter().map(Vec::len).sum();
    let before: usize = members[..40].iter().map(Vec::len).sum();
    let mut archive = members.concat();
    archive[before + members[40].len() / 2] ^= 0x10;
    let file = dir.path().join("a.warc.gz");
    fs::write(&file, &archive).unwrap();
    for threads in ["1", "3"] {
        let out = dir.path().join(threads);
        dehusk(["run", &text(&file), "--out", &text(&out), "-j", threads]).exits(0);
        let documents = rows(&out.join("documents.jsonl"));
        assert_eq!(documents.len(), 99);
        assert!(documents.iter().all(|row| row["id"] != "http://a.example/40"));
        let told = rows(&out.join("quarantine.jsonl"));
        assert!(!told.is_empty());
        for row in &told {
            assert_eq!(
                (row["offset"].as_u64(), row["reason"].as_str()),
                (Some(before as u64), Some("bad-archive"))
            );
            assert_eq!(row["plain_offset"].as_u64(), Some(plain_before as u64));
            let id = row["record"].as_str();
            assert!(id.is_none_or(|id| id == record_id(40)), "{row}");
        }
        counts_add_up(&out);
    }
    // Cut in its last member: the rest is there, and the exit code says that something is missing.
    fs::write(&file, &archive[..archive.len() - 50]).unwrap();
    let out = text(&dir.path().join("cut"));
    dehusk(["run", &text(&file), "--out", &out]).exits(3);
    let documents = rows(&dir.path().join("cut/documents.jsonl"));
    assert_eq!(documents.len(), 99);
    assert_eq!(documents[98]["warnings"][0]["code"], "truncated");
}

#[test]
fn texts_of_an_archive_are_documents() {
    let dir = folder(&[]);
    let conversion = |number: usize, words: &str| {
        let about = format!("WARC-Target-URI: http://a.example/{number}\r\nContent-Type: text/plain\r\n");
        gzip(&record("conversion", number, &about, words.as_bytes()))
    };
    let mut archive = gzip(&record("warcinfo", 0, "", b"software: a crawler\r\n"));
    for number in 0..30 {
        archive.extend(conversion(number, &prose(number as u64 % 20, 200)));
    }
    let file = dir.path().join("a.warc.wet.gz");
    fs::write(&file, archive).unwrap();
    for more in [&[][..], &["--memory", "200MiB"]] {
        let out = dir.path().join(format!("out{}", more.len()));
        dehusk(
            ["dedup", &text(&file), "--out", &text(&out)]
                .iter()
                .copied()
                .chain(more.iter().copied()),
        )
        .exits(0);
        let summary = json(&out.join("summary.json"));
        assert_eq!(
            (&summary["counts"]["read"], &summary["counts"]["kept"]),
            (&30.into(), &20.into())
        );
        assert_eq!(summary["skipped_records"]["warcinfo"], 1);
    }
    let ran = dehusk(["extract", &text(&file)]).exits(1);
    ran.says(&["30 conversion"]);
    let (archive, out) = (fs::read(&file).unwrap(), dir.path().join("piped"));
    dehusk_reading(["dedup", "-", "--out", &text(&out)], &archive).exits(0);
    let kept =
        |folder: &str| unplaced(&fs::read_to_string(dir.path().join(folder).join("kept.jsonl")).unwrap());
    assert_eq!(kept("piped"), kept("out0"));
}

#[test]
fn compressed_lines_are_read_and_a_damaged_member_costs_its_lines() {
    let dir = folder(&[]);
    let line = |number: u64| {
        format!(
            "{}\n",
            serde_json::json!({"id": number.to_string(), "text": prose(number, 100)})
        )
    };
    let members: Vec<Vec<u8>> = (0..3)
        .map(|member| {
            gzip(
                (0..10)
                    .map(|number| line(member * 10 + number))
                    .collect::<String>()
                    .as_bytes(),
            )
        })
        .collect();
    let (whole, mut broken) = (members.concat(), members.concat());
    let kept = |name: &str, bytes: &[u8], code| {
        let (file, out) = (dir.path().join(name), dir.path().join(format!("{name}.out")));
        fs::write(&file, bytes).unwrap();
        dehusk(["dedup", &text(&file), "--max-bad", "0", "--out", &text(&out)]).exits(code);
        (
            rows(&out.join("kept.jsonl")).len(),
            rows(&out.join("quarantine.jsonl")),
        )
    };
    assert_eq!(kept("whole.jsonl.gz", &whole, 0).0, 30);
    assert_eq!(kept("named-otherwise", &whole, 0).0, 30);
    let at = members[0].len() + members[1].len() / 2;
    broken[at] ^= 0x10;
    let (left, told) = kept("broken.jsonl.gz", &broken, 3);
    assert!(left >= 20, "{left} are left");
    assert!(
        told.iter().any(|row| row["message"]
            .as_str()
            .is_some_and(|told| told.contains("compressed byte"))),
        "{told:?}"
    );
}

/// Lines that are inflated on a thread of their own come as those that are not, broken ones too.
#[test]
fn compressed_lines_do_not_depend_on_threads() {
    let dir = folder(&[]);
    let lines: Vec<Vec<u8>> = (0..300)
        .map(|number| {
            let html = page("Title", &prose(number, 200));
            format!("{}\n", serde_json::json!({"id": number, "html": html})).into_bytes()
        })
        .collect();
    let members: Vec<Vec<u8>> = lines.iter().map(|line| gzip(line)).collect();
    let mut broken = members.concat();
    let at: usize = members[..90].iter().map(Vec::len).sum();
    broken[at + members[90].len() / 2] ^= 0x55;
    let plain = lines.concat();
    let mut cut = gzip(&plain);
    cut.truncate(cut.len() / 2);
    let zstd = zstd::encode_all(&*plain, 3).expect("memory takes all");
    for (name, bytes) in [
        ("one.jsonl.gz", gzip(&plain)),
        ("members.jsonl.gz", members.concat()),
        ("frame.jsonl.zst", zstd),
        ("broken.jsonl.gz", broken),
        ("cut.jsonl.gz", cut),
    ] {
        let file = dir.path().join(name);
        fs::write(&file, bytes).expect("a file");
        let first = dehusk(["extract", &text(&file), "--max-bad", "2", "-j", "1"]);
        let pages = first.stdout.lines().count();
        match name {
            // A changed byte of the text shows only in the checksum, and is reported.
            "broken.jsonl.gz" => {
                assert!((299..=300).contains(&pages), "{pages}");
                assert!(
                    first.stderr.contains("damaged at compressed byte"),
                    "{}",
                    first.stderr
                );
            }
            "cut.jsonl.gz" => assert!((1..300).contains(&pages), "{pages}"),
            _ => assert_eq!(pages, 300, "{name}"),
        }
        for threads in ["2", "7", "16"] {
            let again = dehusk(["extract", &text(&file), "--max-bad", "2", "-j", threads]);
            assert!(again.stdout == first.stdout, "{name}, {threads} threads");
            assert_eq!(again.said(), first.said(), "{name}, {threads} threads");
        }
    }
}

#[test]
fn a_record_says_when_its_page_was_fetched_and_changed() {
    let page = |line: &str| {
        format!(
            "<title>Flood</title><h1>Flood</h1><p class=date>{line}</p><p>{}</p>",
            prose(3, 60)
        )
    };
    let answer = |number: usize, line: &str, changed: &str| {
        let url = format!("http://a.example/{number}");
        let head = format!("200 OK\r\nContent-Type: text/html\r\nLast-Modified: {changed}");
        response(number, &url, &head, page(line).as_bytes(), 2)
    };
    let archive = [
        answer(1, "3 days ago", "Mon, 04 Mar 2024 10:30:00 GMT"),
        answer(2, "12 March 2024, 10:15", "Wed, 01 May 2024 00:00:00 GMT"),
        answer(3, "by the river", "Mon, 04 Mar 2024 10:30:00 GMT"),
    ];
    let dir = folder(&[]);
    fs::write(dir.path().join("a.warc"), archive.concat()).expect("written");
    let run = dehusk([
        "extract",
        &text(&dir.path().join("a.warc")),
        "--output-format",
        "jsonl",
    ])
    .exits(0);
    let told: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let field = |row: usize, name: &str| told[row][name].as_str().map(str::to_owned);
    let dates: Vec<_> = (0..3)
        .map(|row| (field(row, "date"), field(row, "date_precision")))
        .collect();
    let day = |date: &str, precision: &str| (Some(date.to_owned()), Some(precision.to_owned()));
    assert_eq!(
        dates,
        [
            day("2024-04-28", "day"),
            day("2024-03-12T10:15", "minute"),
            (None, None)
        ]
    );
    // What was made for the request did not change before it.
    let changed: Vec<_> = (0..3).map(|row| field(row, "modified")).collect();
    let header = Some("2024-03-04T10:30:00+00:00".to_owned());
    assert_eq!(changed, [header.clone(), None, header]);
    assert_eq!(told[0]["metadata_sources"]["modified"], "received: Last-Modified");
}
