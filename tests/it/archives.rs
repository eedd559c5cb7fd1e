//! Archives as different crawlers write them, saved pages, folders of files without extensions, and formats that are not read.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use sha1::{Digest, Sha1};

use crate::support::{
    contents, counts_add_up, dehusk, dehusk_reading, folder, json, page, prose, rows, text,
};
use crate::warc::gzip;

/// A page with a title, whose text names its number.
fn numbered(number: usize) -> String {
    page(&format!("Page {number}"), &prose(number as u64 + 50, 120))
}

fn url(number: usize) -> String {
    format!("http://a.example/{number}")
}

fn http(head: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 {head}\r\n\r\n").as_bytes(), body].concat()
}

fn html(body: &str) -> Vec<u8> {
    http(
        "200 OK\r\nContent-Type: text/html; charset=utf-8",
        body.as_bytes(),
    )
}

fn digest(bytes: &[u8]) -> String {
    let digits = Sha1::digest(bytes);
    let digits = digits.iter().map(|byte| format!("{byte:02x}"));
    format!("sha1:{}", digits.collect::<String>())
}

/// A response; `about` are further fields, each with its line end.
fn response(number: usize, about: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012x}>\r\n\
         WARC-Date: 2021-05-01T00:00:00Z\r\nWARC-Target-URI: {}\r\n{about}\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        url(number),
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A file of the folder, and the documents that are made of it with the exit code.
#[track_caller]
fn extracted(dir: &Path, name: &str, bytes: &[u8], code: i32) -> Vec<serde_json::Value> {
    let file = dir.join(name);
    fs::write(&file, bytes).expect("a file");
    let ran = dehusk(["extract", "--output-format", "jsonl", &text(&file)]).exits(code);
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn ids(documents: &[serde_json::Value]) -> Vec<&str> {
    documents.iter().filter_map(|row| row["id"].as_str()).collect()
}

/// The records of an ARC file: pages 0 and 1 among other captures. The address of the second page has a space.
fn arc_records(version: u8) -> Vec<Vec<u8>> {
    let fields = match version {
        1 => "URL IP-address Archive-date Content-type Archive-length",
        _ => {
            "URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length"
        }
    };
    let about = format!("{version} 0 A crawler\n{fields}\n\n");
    let record = |url: &str, kind: &str, block: &[u8]| {
        let more = if version == 1 { "" } else { "200 - - 0 a.arc " };
        let line = format!("{url} 192.0.2.7 20050312120102 {kind} {more}{}\n", block.len());
        [line.as_bytes(), block, b"\n"].concat()
    };
    vec![
        record("filedesc://a.arc", "text/plain", about.as_bytes()),
        record(
            "dns:a.example",
            "text/dns",
            b"20050312120102\na.example. IN A 192.0.2.7\n",
        ),
        record(&url(0), "text/html", &html(&numbered(0))),
        record(
            "http://a.example/i.gif",
            "image/gif",
            &http("200 OK\r\nContent-Type: image/gif", b"GIF89a"),
        ),
        record(
            "http://a.example/gone",
            "text/html",
            &http("404 Gone", b"<p>gone"),
        ),
        // A server of the first years of the web sends no head.
        record("http://a.example/1 b", "text/html", numbered(1).as_bytes()),
    ]
}

#[test]
fn arc_files_are_read_in_every_form_and_by_any_number_of_threads() {
    let dir = folder(&[]);
    let plain = dehusk_reading(["extract", "-"], numbered(0).as_bytes())
        .exits(0)
        .stdout;
    for version in [1, 2] {
        let records = arc_records(version);
        let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
        for (name, bytes) in [
            ("a.arc", records.concat()),
            ("b.arc.gz", members.clone()),
            ("c.arc.gz", gzip(&records.concat())),
            ("no-extension", members),
        ] {
            let documents = extracted(dir.path(), name, &bytes, 0);
            assert_eq!(
                ids(&documents),
                [url(0).as_str(), "http://a.example/1 b"],
                "{name}"
            );
            assert_eq!(documents[0]["text"], plain, "{name}");
            assert_eq!(
                documents[0]["extra"]["captured"], "2005-03-12T12:01:02Z",
                "{name}"
            );
            let file = text(&dir.path().join(name));
            let on = |threads| dehusk(["extract", "-j", threads, &file]).exits(0).stdout;
            assert!(on("1") == on("7"), "{name}");
        }
    }
    let folder_of_all = text(dir.path());
    let ran = dehusk(["extract", &folder_of_all]).exits(0);
    assert_eq!(ran.stdout.lines().count(), 8, "archives in folders are read, too");
}

/// A zip file of files with names, each stored or deflated.
fn zipped(files: &[(&str, &[u8], bool)]) -> Vec<u8> {
    let (mut zip, mut list) = (Vec::new(), Vec::new());
    for (name, bytes, deflated) in files {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let packed = if *deflated { deflate(bytes) } else { bytes.to_vec() };
        // Version, flags, method, time, date, checksum, both sizes, length of the name, and that of more fields.
        let mut about = vec![20, 0, 0, 0, if *deflated { 8 } else { 0 }, 0, 0, 0, 0x21, 0x50];
        for number in [crc.sum(), packed.len() as u32, bytes.len() as u32] {
            about.extend(number.to_le_bytes());
        }
        about.extend((name.len() as u16).to_le_bytes());
        about.extend([0, 0]);
        list.extend(b"PK\x01\x02\x14\0");
        list.extend(&about);
        list.extend([0; 10]);
        list.extend((zip.len() as u32).to_le_bytes());
        list.extend(name.as_bytes());
        for part in [b"PK\x03\x04", about.as_slice(), name.as_bytes(), &packed] {
            zip.extend(part);
        }
    }
    let count = (files.len() as u16).to_le_bytes();
    let (bytes, start) = (
        (list.len() as u32).to_le_bytes(),
        (zip.len() as u32).to_le_bytes(),
    );
    zip.extend(list);
    for part in [
        b"PK\x05\x06\0\0\0\0".as_slice(),
        &count,
        &count,
        &bytes,
        &start,
        &[0, 0],
    ] {
        zip.extend(part);
    }
    zip
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut to = DeflateEncoder::new(Vec::new(), Compression::fast());
    to.write_all(bytes).expect("memory takes all");
    to.finish().expect("memory takes all")
}

#[test]
fn wacz_files_are_the_archives_in_them() {
    let dir = folder(&[]);
    let members: Vec<u8> = (0..3)
        .flat_map(|number| gzip(&response(number, "", &html(&numbered(number)))))
        .collect();
    let plain = response(3, "", &html(&numbered(3)));
    let list = b"{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"All\"}\n";
    let about = b"{\"profile\":\"data-package\",\"wacz_version\":\"1.1.1\"}";
    let file = zipped(&[
        ("archive/b.warc", &plain, true),
        ("archive/a.warc.gz", &members, false),
        (
            "indexes/index.cdx.gz",
            &gzip(b"example,a)/0 20210501000000 {}\n"),
            false,
        ),
        ("pages/pages.jsonl", list, true),
        ("datapackage.json", about, true),
    ]);
    for name in ["a.wacz", "known-by-its-bytes"] {
        let documents = extracted(dir.path(), name, &file, 0);
        let expected: Vec<String> = (0..4).map(url).collect();
        assert_eq!(ids(&documents), expected, "{name}");
    }
    let out = dir.path().join("out");
    let input = text(&dir.path().join("a.wacz"));
    dehusk(["run", &input, "--out", &text(&out)]).exits(0);
    counts_add_up(&out);
    assert_eq!(rows(&out.join("documents.jsonl")).len(), 4);
    // The list of files stands at the end, so that of a file that is cut nothing is known.
    fs::write(dir.path().join("cut.wacz"), &file[..file.len() - 60]).expect("a file");
    let cut = text(&dir.path().join("cut.wacz"));
    dehusk(["extract", &cut])
        .exits(3)
        .says(&["bad-archive", "its list of files"]);
    dehusk_reading(["extract", "-"], &file)
        .exits(3)
        .says(&["write it to a file first"]);
    let other = zipped(&[("word/document.xml", b"<w:document/>", true)]);
    fs::write(dir.path().join("a.docx"), other).expect("a file");
    let docx = text(&dir.path().join("a.docx"));
    dehusk(["extract", &docx])
        .exits(1)
        .says(&["1 record (office, such as in ", "save them as HTML"]);
}

/// As a browser saves a page with an image.
fn mhtml(body: &str) -> String {
    let lines = body.as_bytes().chunks(70);
    let lines: Vec<String> = lines
        .map(|line| String::from_utf8_lossy(line).replace('=', "=3D"))
        .collect();
    format!(
        "From: <Saved by a browser>\r\nSnapshot-Content-Location: {}\r\nSubject: x\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"----x\"\r\n\r\n\r\n\
         ------x\r\nContent-Type: text/html\r\nContent-ID: <f@x>\r\nContent-Transfer-Encoding: quoted-printable\r\n\
         Content-Location: {}\r\n\r\n{}\r\n------x\r\nContent-Type: image/gif\r\nContent-Transfer-Encoding: base64\r\n\
         Content-Location: http://a.example/i.gif\r\n\r\nR0lGODlh\r\n------x--\r\n",
        url(7),
        url(7),
        lines.join("=\r\n")
    )
}

#[test]
fn saved_pages_are_pages() {
    let dir = folder(&[("in/a.mhtml", &mhtml(&numbered(7))), ("in/b.html", &numbered(8))]);
    let plain = dehusk_reading(["extract", "-"], numbered(7).as_bytes())
        .exits(0)
        .stdout;
    let file = text(&dir.path().join("in/a.mhtml"));
    assert_eq!(dehusk(["extract", &file]).exits(0).stdout, plain);
    assert_eq!(
        dehusk_reading(["extract", "-"], mhtml(&numbered(7)).as_bytes())
            .exits(0)
            .stdout,
        plain
    );
    let documents = extracted(dir.path(), "c.mht", mhtml(&numbered(7)).as_bytes(), 0);
    assert_eq!(ids(&documents), [url(7)]);
    assert_eq!(
        dehusk(["extract", &text(&dir.path().join("in"))])
            .exits(0)
            .stdout
            .lines()
            .count(),
        2
    );
}

#[test]
fn a_wrong_digest_of_the_block_alone_is_a_warning() {
    let dir = folder(&[]);
    let block = html(&numbered(0));
    let body = numbered(0);
    let wrong = digest(b"another head");
    let of_block = format!("WARC-Block-Digest: {wrong}\r\n");
    let right = format!("{of_block}WARC-Payload-Digest: {}\r\n", digest(body.as_bytes()));
    let both = format!("{of_block}WARC-Payload-Digest: {wrong}\r\n");
    let image = http("200 OK\r\nContent-Type: image/png", b"\x89PNG\r\n\x1a\n");
    let file = |about: &str| [response(0, about, &block), response(1, "", &html(&numbered(1)))].concat();
    let count = |name: &str, about: &str, how: &str, code: i32| {
        let path = dir.path().join(name);
        fs::write(&path, file(about)).expect("a file");
        let ran = dehusk(["extract", "--digests", how, &text(&path)]).exits(code);
        (ran.stdout.lines().count(), ran.stdout.contains("damaged-source"))
    };
    assert_eq!(count("a.warc", &right, "warn", 0), (2, true));
    assert_eq!(count("b.warc", &of_block, "warn", 0), (2, true));
    assert_eq!(count("c.warc", &both, "warn", 3), (1, false));
    for about in [&right, &of_block, &both] {
        assert_eq!(count("d.warc", about, "require", 3), (1, false));
        assert_eq!(count("e.warc", about, "ignore", 0), (2, false));
    }
    // Faults of records that are not pages do not decide the exit code.
    let image = [response(5, &both, &image), response(0, "", &block)].concat();
    assert_eq!(extracted(dir.path(), "f.warc", &image, 0).len(), 1);
}

#[test]
fn a_last_record_that_is_cut_gives_the_text_that_is_there() {
    let dir = folder(&[]);
    let records: Vec<Vec<u8>> = (0..3)
        .map(|number| response(number, "", &html(&numbered(number))))
        .collect();
    let plain = records.concat();
    let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    let arc = arc_records(1).concat();
    for (name, bytes, least) in [
        ("a.warc", &plain[..plain.len() - 60], 3),
        ("b.warc.gz", &members[..members.len() - 40], 3),
        ("c.arc", &arc[..arc.len() - 60], 2),
    ] {
        // The exit code says that something is missing, unless that is allowed.
        let documents = extracted(dir.path(), name, bytes, 3);
        assert_eq!(documents.len(), least, "{name}");
        let last = &documents[least - 1];
        let is_told = |warning: &serde_json::Value| warning["code"] == "truncated";
        assert!(
            last["warnings"]
                .as_array()
                .is_some_and(|all| all.iter().any(is_told)),
            "{last}"
        );
        assert!(
            last["text"].as_str().is_some_and(|text| text.len() > 100),
            "{name}: {last}"
        );
        let file = text(&dir.path().join(name));
        dehusk(["extract", "--max-bad", "1", &file]).exits(0);
    }
}

#[test]
fn types_that_say_nothing_leave_it_to_the_bytes() {
    let dir = folder(&[]);
    let page = numbered(0);
    let xhtml = format!("<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n{page}");
    let cases: &[(&str, &str, bool)] = &[
        ("text/html", &page, true),
        ("text/htm; charset=utf-8", &page, true),
        ("application/vnd.wap.xhtml+xml", &page, true),
        ("unknown", &page, true),
        ("application/octet-stream", &page, true),
        ("application/xml", &xhtml, true),
        (
            "application/xml",
            "<?xml version=\"1.0\"?><rss><title>x</title></rss>",
            false,
        ),
        ("text/plain", &page, false),
        ("unknown", "some words, and no page", false),
        (
            "text/html",
            "{\"html\": \"<p>JSON is no page, whatever is in it</p>\"}",
            false,
        ),
        ("text/html", "%PDF-1.4 <html>", false),
        ("text/css", &page, false),
    ];
    for (number, (kind, body, is_page)) in cases.iter().enumerate() {
        let block = http(&format!("200 OK\r\nContent-Type: {kind}"), body.as_bytes());
        let name = format!("{number}.warc");
        let documents = extracted(
            dir.path(),
            &name,
            &response(number, "", &block),
            i32::from(!is_page),
        );
        assert_eq!(documents.len(), usize::from(*is_page), "{kind}: {body}");
    }
}

#[test]
fn files_of_a_mirror_are_known_by_their_bytes() {
    let page = |number: usize| numbered(number);
    let dir = folder(&[
        ("site/index.php", &page(0)),
        ("site/view.php?id=3", &page(1)),
        ("site/view.asp@id=3.4", &page(2)),
        ("site/story.2024", &page(3)),
        ("site/about", &page(4)),
        ("site/a/b.jsp", &page(5)),
        ("site/program.php", "<?php echo '<html>'; ?>"),
        ("site/README", "This is a file of words."),
        ("site/feed.cgi", "<?xml version='1.0'?><rss><channel><title>x"),
        ("site/style.css", "<html>"),
        ("site/.hidden.html", &page(6)),
    ]);
    let site = text(&dir.path().join("site"));
    let ran = dehusk(["extract", &site]).exits(0);
    assert_eq!(ran.stdout.lines().count(), 6, "{}", ran.stdout);
    ran.says(&["1 hidden", "3 other-content", "1 other-extension"]);
    let all = dehusk(["extract", "--all-files", &site]).exits(0);
    assert_eq!(
        all.stdout.lines().count(),
        8,
        "the hidden page and the page under another name"
    );
    // An archive of the same files holds the same pages.
    let mut to = tar::Builder::new(Vec::new());
    for (name, bytes) in [
        ("a.php", page(0)),
        ("b.2024", page(1)),
        ("README", "words".to_owned()),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        to.append_data(&mut header, name, bytes.as_bytes())
            .expect("memory takes all");
    }
    let tar = to.into_inner().expect("memory takes all");
    assert_eq!(extracted(dir.path(), "a.tar", &tar, 0).len(), 2);
}

#[test]
fn what_is_not_read_is_named_with_what_to_do() {
    let dir = folder(&[
        ("in/a.css", "x"),
        ("in/b.css", "x"),
        ("in/c.bin", "x"),
        ("a.cdx", " CDX N b a m s k r M S V g\n"),
        ("a.pdf", "%PDF-1.4\n"),
        ("a.json", "{\"a\": [1, 2]}"),
        ("a.xml.html", "<?xml version='1.0'?><rss><channel/></rss>"),
        ("empty.jsonl", ""),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let out = at("out");
    dehusk(["run", &at("in"), "--out", &out]).exits(1).says(&[
        "nothing was read of what was given",
        "2 files .css (other-extension, such as ",
        "a.css)",
        "1 file .bin",
        "--all-files",
    ]);
    let summary = json(&dir.path().join("out/summary.json"));
    assert_eq!(summary["passed_over"][1]["extension"], "css");
    assert_eq!(summary["passed_over"][1]["files"], 2);
    for (name, told) in [
        ("a.cdx", "give the WARC files that they list"),
        ("a.pdf", "pdftotext"),
        ("a.xml.html", "feeds"),
    ] {
        let ran = dehusk(["extract", &at(name)]).exits(1).says(&[told]);
        assert_eq!(ran.stdout, "", "{name}");
    }
    // Beside something that is read, it is only counted.
    fs::write(dir.path().join("b.html"), numbered(0)).expect("a file");
    let ran = dehusk(["extract", &at("b.html"), &at("a.pdf")])
        .exits(0)
        .says(&["1 pdf"]);
    assert_eq!(ran.stdout.lines().count(), 1);
    // Nothing was given, and nothing passed over.
    dehusk(["extract", &at("empty.jsonl")]).exits(0);
    let unreachable = "http://127.0.0.1:9/x.warc.gz";
    let told = match cfg!(feature = "remote") {
        true => ["the server did not send it", "check the address"],
        false => ["without reading of other machines", "`remote`"],
    };
    dehusk(["extract", unreachable])
        .exits(2)
        .says(&[&format!("cannot read `{unreachable}`")])
        .says(&told);
}

/// The text of a page, as a WET file has it.
fn conversion(number: usize) -> Vec<u8> {
    let words = prose(number as u64 + 50, 120);
    let head = format!(
        "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: {}\r\nWARC-Date: 2024-05-18T01:58:1{number}Z\r\n\
         WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012x}>\r\nWARC-Identified-Content-Language: eng\r\n\
         Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
        url(number),
        words.len()
    );
    [head.as_bytes(), words.as_bytes(), b"\r\n\r\n"].concat()
}

#[test]
fn texts_of_archives_go_through_a_run_without_extraction() {
    let dir = folder(&[]);
    let file = dir.path().join("a.warc.wet.gz");
    let members: Vec<u8> = [0, 1, 0].map(|number| gzip(&conversion(number))).concat();
    fs::write(&file, members).expect("a file");
    let file = text(&file);
    for (verb, threads) in [("run", "1"), ("run", "3"), ("dedup", "2")] {
        let out = dir.path().join(format!("{verb}{threads}"));
        dehusk([verb, &file, "--out", &text(&out), "-j", threads]).exits(0);
        let kept = rows(&out.join("kept.jsonl"));
        assert_eq!(kept.len(), 2, "{verb}");
        let row = &kept[0];
        assert_eq!(
            (&row["id"], &row["language"]),
            (&url(0).into(), &"eng".into()),
            "{verb}"
        );
        assert_eq!(row["date"], "2024-05-18T01:58:10Z", "{verb}");
        let id = if verb == "run" {
            &row["extra"]["warc_id"]
        } else {
            &row["warc_id"]
        };
        assert_eq!(*id, "<urn:uuid:00000000-0000-4000-8000-000000000000>", "{verb}");
        assert_eq!(
            row["text"].as_str().map(str::trim_end),
            Some(prose(50, 120).trim_end()),
            "{verb}"
        );
        if verb == "run" {
            assert_eq!(row["method"], "given");
        }
    }
    let all = |name: &str| contents(&dir.path().join(name));
    assert!(all("run1").get("documents.jsonl") == all("run3").get("documents.jsonl"));
    dehusk(["extract", &file]).exits(1).says(&[
        "3 records (conversion, such as in ",
        "`dehusk run` and `dehusk dedup` read them",
    ]);
    // Of a WAT file nothing is read.
    let wat = String::from_utf8(conversion(0))
        .expect("UTF-8")
        .replace("conversion", "metadata");
    fs::write(dir.path().join("a.warc.wat"), wat).expect("a file");
    let wat = text(&dir.path().join("a.warc.wat"));
    dehusk(["extract", &wat])
        .exits(1)
        .says(&["1 record (metadata, such as in ", "give the WARC files"]);
}

/// `generate archives` writes in the manner of some sixty programs, and lists the pages. Every one of them is found, with its own text, and nothing else.
#[cfg(feature = "lab")]
#[test]
fn pages_of_generated_archives_of_every_manner_are_found() {
    let dir = folder(&[]);
    let set = dir.path().join("set");
    dehusk(["generate", "archives", "--out", &text(&set)]).exits(0);
    let list = rows(&set.join("archives.jsonl"));
    assert!(list.len() >= 60, "{}", list.len());
    for archive in &list {
        let file = archive["file"].as_str().expect("a name");
        // Texts are documents already; `run` passes them on.
        let (verb, out, rows_of) = match file.contains(".wet") {
            true => ("run", format!("{file}.out"), "documents.jsonl"),
            false => ("extract", format!("{file}.jsonl"), ""),
        };
        let out = dir.path().join(out);
        dehusk([verb, "--out", &text(&out), &text(&set.join(file))]).exits(0);
        let documents = match rows_of {
            "" => rows(&out),
            name => rows(&out.join(name)),
        };
        let found: Vec<&str> = documents.iter().filter_map(|row| row["url"].as_str()).collect();
        let wanted: Vec<&str> = archive["pages"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|url| url.as_str())
            .collect();
        assert_eq!(found, wanted, "{file}");
        for (document, url) in documents.iter().zip(&wanted) {
            let word = url.rsplit('/').next().expect("a word");
            let text = document["text"].as_str().expect("a text");
            assert!(text.matches(word).count() >= 12, "{file}: {text}");
        }
    }
}
