//! Archives and streams of 100 records. One record is broken: the others are extracted, in their order, and the quarantine says where
//! the damage is.

use std::fs;
use std::ops::Range;
use std::path::Path;

use dehusk_pipeline::record::Rejected;
use dehusk_pipeline::verbs::extract::{self, Style};
use dehusk_pipeline::{Cancel, Job, Settings};
use serde_json::Value;

use crate::warc::gzip;

/// Kinds of damage to compressed members. The tests of the archive reader use the same ones.
#[path = "../../crates/archive/tests/archives/damage.rs"]
mod damage;

const COUNT: usize = 100;

/// The records that are broken, one at a time.
const VICTIMS: [usize; 2] = [0, 57];

fn page(number: usize) -> String {
    let mut noise = number as u64 * 0x9E37_79B9 + 1;
    let mut words = String::new();
    for _ in 0..40 {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        words += &format!("{:x} ", noise % 0xFFFF_FFFF);
    }
    format!("<p>page {number} {words}")
}

fn address(number: usize) -> String {
    format!("http://x/{number}.html")
}

fn line(number: usize) -> Vec<u8> {
    format!(
        "{}\n",
        serde_json::json!({ "id": address(number), "html": page(number) })
    )
    .into_bytes()
}

fn record(number: usize) -> Vec<u8> {
    let block = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}",
        page(number)
    );
    let (address, length) = (address(number), block.len());
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{number}>\r\nWARC-Target-URI: {address}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
    .into_bytes()
}

/// A tar entry, in blocks of 512 bytes; after the last one stand two of zeros.
fn entry(number: usize) -> Vec<u8> {
    let (page, mut to) = (page(number), tar::Builder::new(Vec::new()));
    let mut header = tar::Header::new_gnu();
    header.set_size(page.len() as u64);
    to.append_data(&mut header, &address(number)["http://".len()..], page.as_bytes())
        .expect("memory takes all");
    let mut bytes = to.into_inner().expect("memory takes all");
    if number + 1 < COUNT {
        bytes.truncate(bytes.len() - 1024);
    }
    bytes
}

fn zstd(plain: &[u8]) -> Vec<u8> {
    let mut to = zstd::Encoder::new(Vec::new(), 3).expect("a level");
    to.include_checksum(true).expect("a switch");
    std::io::Write::write_all(&mut to, plain).expect("memory takes all");
    to.finish().expect("memory takes all")
}

fn plain(bytes: &[u8]) -> Vec<u8> {
    bytes.to_vec()
}

/// The bytes of a record in its format.
type Made = fn(usize) -> Vec<u8>;
/// How they are stored.
type Packed = fn(&[u8]) -> Vec<u8>;
/// What is done to them.
type Broken = fn(&mut Vec<u8>);

/// Damage of records that are not compressed.
const OF_RECORDS: &[(&str, Made, Broken)] = &[
    ("warc: first line", record, |bytes| bytes[0] = b'X'),
    ("warc: version", record, |bytes| bytes[5] = b'x'),
    ("warc: no type", record, |bytes| {
        replace(bytes, "WARC-Type", "WARC-Typo");
    }),
    ("warc: length is a word", record, |bytes| {
        replace(bytes, "Content-Length: ", "Content-Length: x");
    }),
    ("warc: length too long", record, |bytes| {
        replace(bytes, "Content-Length: ", "Content-Length: 9");
    }),
    ("warc: length is huge", record, |bytes| {
        replace(bytes, "Content-Length: ", "Content-Length: 99999999999999999");
    }),
    ("warc: length is negative", record, |bytes| {
        replace(bytes, "Content-Length: ", "Content-Length: -");
    }),
    ("warc: cut in its head", record, |bytes| bytes.truncate(60)),
    ("warc: cut in its block", record, |bytes| {
        bytes.truncate(bytes.len() - 100);
    }),
    ("warc: bytes are missing", record, |bytes| {
        drop(bytes.drain(250..290));
    }),
    ("warc: garbage before", record, |bytes| {
        drop(bytes.splice(..0, *b"garbage, no record\r\n\r\n"));
    }),
    ("lines: cut", line, |bytes| {
        let cut = bytes.len() / 2;
        bytes.splice(cut.., *b"\n");
    }),
    ("lines: no quote", line, |bytes| bytes[1] = b' '),
    ("lines: another value", line, |bytes| {
        drop(bytes.splice(.., *b"[1, 2]\n"));
    }),
    ("lines: no page", line, |bytes| {
        drop(bytes.splice(.., *b"{\"id\": \"x\"}\n"));
    }),
    ("lines: garbage", line, |bytes| {
        drop(bytes.splice(.., *b"\xff\xfe\0\0garbage\n"));
    }),
    ("tar: name", entry, |bytes| bytes[3] ^= 1),
    ("tar: size", entry, |bytes| bytes[130] ^= 2),
    ("tar: checksum", entry, |bytes| bytes[150] ^= 1),
    ("tar: header is zeros and letters", entry, |bytes| {
        bytes[100..400].fill(b'x');
    }),
    ("tar: header is missing", entry, |bytes| drop(bytes.drain(..512))),
    ("tar: part of the header is missing", entry, |bytes| {
        drop(bytes.drain(..100));
    }),
    ("tar: bytes of the page are missing", entry, |bytes| {
        drop(bytes.drain(600..700));
    }),
    ("tar: a block is missing", entry, |bytes| {
        drop(bytes.drain(512..1024));
    }),
    ("tar: garbage before", entry, |bytes| {
        drop(bytes.splice(..0, *b"garbage, no header"));
    }),
    ("tar: a block of garbage before", entry, |bytes| {
        drop(bytes.splice(..0, [b'x'; 512]));
    }),
    ("tar: size is larger", entry, |bytes| resize(bytes, 9000)),
    ("tar: size is huge", entry, |bytes| resize(bytes, 1 << 40)),
];

fn replace(bytes: &mut Vec<u8>, from: &str, to: &str) {
    let at = bytes
        .windows(from.len())
        .position(|window| window == from.as_bytes());
    let at = at.expect("part of the record");
    bytes.splice(at..at + from.len(), to.bytes());
}

/// Another size in a header that has a right checksum.
fn resize(bytes: &mut [u8], size: u64) {
    let mut header = tar::Header::from_byte_slice(&bytes[..512]).clone();
    header.set_size(size);
    header.set_cksum();
    bytes[..512].copy_from_slice(header.as_bytes());
}

/// Extracts a file: the numbers of the pages that came out, and what was rejected.
fn extracted(file: &Path, threads: &str) -> (Vec<usize>, Vec<Rejected>) {
    let mut settings = Settings::default();
    settings.set("threads", threads).expect("a number");
    let (inputs, cancel) = ([file.to_str().expect("UTF-8").to_owned()], Cancel::new());
    let job = Job::new(&inputs, &settings, &cancel);
    let (mut out, mut rejected) = (Vec::new(), Vec::new());
    let mut told = |row: &Rejected| rejected.push(row.clone());
    extract::write(&job, Style::default(), &mut out, &mut told).expect("damage is no error");
    let pages = String::from_utf8(out).expect("UTF-8");
    let pages = pages.lines().map(|line| {
        let row: Value = serde_json::from_str(line).expect("JSON");
        let text = row["text"].as_str().expect("a text");
        let number = text
            .split(' ')
            .nth(1)
            .and_then(|number| number.trim().parse().ok());
        number.unwrap_or(usize::MAX)
    });
    (pages.collect(), rejected)
}

/// Faults in the output for a file with one broken record, whose bytes are at `place`.
fn faults(file: &Path, victim: usize, place: Range<u64>) -> Option<String> {
    let (pages, rejected) = extracted(file, "2");
    // What was read of a broken page before its damage showed may be there, with another text.
    let is_other = |number: &usize| *number != victim && *number < COUNT;
    let others: Vec<usize> = pages.iter().copied().filter(is_other).collect();
    let expected: Vec<usize> = (0..COUNT).filter(|number| *number != victim).collect();
    if others != expected {
        let lost: Vec<_> = expected
            .iter()
            .filter(|number| !others.contains(number))
            .collect();
        return Some(format!("lost {lost:?}, {} are there; {rejected:?}", others.len()));
    }
    if !others.is_sorted() {
        return Some("order".to_owned());
    }
    // What is there although it was broken needs no place.
    let placed = rejected.iter().any(|row| place.contains(&row.offset));
    let whole = pages.contains(&victim);
    (!placed && !whole).then(|| format!("{place:?} is not told: {rejected:?}"))
}

#[test]
fn ninety_nine_of_a_hundred_records_survive() {
    let dir = tempfile::tempdir().expect("a folder");
    let (mut count, mut classes, mut all) = (0, 0, Vec::new());
    let mut check =
        |name: &str, extension: &str, mut members: Vec<Vec<u8>>, victim: usize, damage: Broken| {
            let before: usize = members[..victim].iter().map(Vec::len).sum();
            damage(&mut members[victim]);
            let place = before as u64..(before + members[victim].len().max(1)) as u64;
            let file = dir.path().join(format!("{count}.{extension}"));
            fs::write(&file, members.concat()).expect("a file");
            if let Some(faults) = faults(&file, victim, place) {
                all.push(format!("{name}, {extension}, {victim}: {faults}"));
            }
            fs::remove_file(&file).expect("a file");
            count += 1;
        };
    for (extension, made, packed) in [
        ("warc.gz", record as Made, gzip as Packed),
        ("warc.zst", record, zstd),
        ("jsonl.gz", line, gzip),
        ("jsonl.zst", line, zstd),
        ("tar.gz", entry, gzip),
        ("tar.zst", entry, zstd),
    ] {
        let members: Vec<Vec<u8>> = (0..COUNT).map(|number| packed(&made(number))).collect();
        for victim in VICTIMS {
            for (name, damage) in damage::OF_MEMBERS {
                check(name, extension, members.clone(), victim, *damage);
            }
        }
    }
    for (name, made, damage) in OF_RECORDS {
        let (kind, _) = name.split_once(':').expect("a format and a damage");
        let extension = if kind == "lines" { "jsonl" } else { kind };
        let members: Vec<Vec<u8>> = (0..COUNT).map(|number| plain(&made(number))).collect();
        for victim in VICTIMS {
            check(name, extension, members.clone(), victim, *damage);
        }
        classes += 1;
    }
    classes += damage::OF_MEMBERS.len();
    assert!(
        count >= 150 && classes >= 16,
        "{count} cases of {classes} classes"
    );
    assert!(all.is_empty(), "{} of {count}\n{}", all.len(), all.join("\n"));
}

#[test]
fn a_cut_file_keeps_what_stands_before_the_cut() {
    let dir = tempfile::tempdir().expect("a folder");
    for (extension, made, packed) in [
        ("warc", record as Made, plain as Packed),
        ("warc.gz", record, gzip),
        ("warc.zst", record, zstd),
        ("jsonl", line, plain),
        ("jsonl.gz", line, gzip),
        ("tar", entry, plain),
        ("tar.gz", entry, gzip),
    ] {
        let members: Vec<Vec<u8>> = (0..COUNT).map(|number| packed(&made(number))).collect();
        let before: usize = members[..80].iter().map(Vec::len).sum();
        let mut bytes = members.concat();
        bytes.truncate(before + members[80].len() / 2);
        let file = dir.path().join(format!("a.{extension}"));
        fs::write(&file, bytes).expect("a file");
        let (pages, rejected) = extracted(&file, "3");
        // What there is of a record of a crawl is a page. Of a frame of zstd that is cut in its only block there is nothing.
        let whole = if matches!(extension, "warc" | "warc.gz") {
            81
        } else {
            80
        };
        assert_eq!(pages, (0..whole).collect::<Vec<_>>(), "{extension}");
        assert!(
            rejected.iter().any(|row| row.offset >= before as u64),
            "{extension}: {rejected:?}"
        );
    }
}

#[cfg(feature = "parquet")]
#[test]
fn a_damaged_row_group_costs_its_rows() {
    let dir = tempfile::tempdir().expect("a folder");
    let lines: Vec<u8> = (0..COUNT).flat_map(line).collect();
    let (source, file) = (dir.path().join("a.jsonl"), dir.path().join("a.parquet"));
    fs::write(&source, lines).expect("a file");
    let (from, to) = (source.to_str().expect("UTF-8"), file.to_str().expect("UTF-8"));
    crate::support::dehusk(["extract", from, "-o", to]).exits(0);
    let whole = fs::read(&file).expect("a file");
    let footer = whole.len()
        - 8
        - u32::from_le_bytes(whole[whole.len() - 8..][..4].try_into().expect("four")) as usize;
    for damage in 0..12 {
        let mut bytes = whole.clone();
        match damage {
            0..8 => {
                let at = 4 + (footer - 4) * damage / 8;
                let end = (at + 64).min(footer);
                bytes[at..end].fill(0xFF);
            }
            8 => bytes.truncate(bytes.len() - 3),
            9 => bytes.truncate(footer / 2),
            10 => bytes[footer..].fill(0),
            _ => bytes.clear(),
        }
        fs::write(&file, &bytes).expect("a file");
        let mut settings = Settings::default();
        settings.set("column", "html=text").expect("columns");
        let (inputs, cancel) = ([to.to_owned()], Cancel::new());
        let job = Job::new(&inputs, &settings, &cancel);
        let (mut out, mut rejected) = (Vec::new(), Vec::new());
        let mut told = |row: &Rejected| rejected.push(row.clone());
        extract::write(&job, Style::default(), &mut out, &mut told).expect("damage is no error");
        let pages = out.split(|byte| *byte == b'\n').count() - 1;
        let rows = if damage < 8 { COUNT } else { 1 };
        assert_eq!(pages + rejected.len(), rows, "{damage}: {:?}", rejected.first());
        assert!(
            rejected.iter().all(|row| row.reason.name() == "bad-archive"),
            "{damage}"
        );
    }
}
