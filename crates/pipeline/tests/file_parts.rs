//! Parts of archives: together they give the records of the whole file.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::io::Write;

use dehusk_pipeline::record::Content;
use dehusk_pipeline::{Cancel, FileParts, Job, Portion, Settings};
use flate2::Compression;
use flate2::write::GzEncoder;

fn record(number: usize) -> Vec<u8> {
    let words = (0..number * 37 % 200).map(|word| format!("{} ", word * number * 7919 % 1000));
    let page = format!("<title>{number}</title><p>{}", words.collect::<String>());
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}");
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{number}>\r\n\
         WARC-Target-URI: https://a.example/{number}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    format!("{head}{block}\r\n\r\n").into_bytes()
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut to = GzEncoder::new(Vec::new(), Compression::default());
    to.write_all(plain).unwrap();
    to.finish().unwrap()
}

/// Pages of a portion: address, offset and content, or the message of a rejected record.
fn read(job: &Job<'_>, portion: &Portion) -> Vec<String> {
    let mut found = Vec::new();
    job.each_page_of(portion, &mut |page| {
        found.push(match page {
            Ok(page) => {
                let place = page.place.as_ref().map(|place| place.offset);
                let Content::Bytes(bytes) = &page.content else {
                    panic!("a page of an archive has bytes")
                };
                format!("{:?} {place:?} {}", page.url, String::from_utf8_lossy(bytes))
            }
            Err(rejected) => rejected.message,
        });
        true
    })
    .unwrap();
    found
}

fn parts(file: u64, of: &FileParts) -> Vec<Portion> {
    let starts = [0].into_iter().chain(of.cuts.iter().copied());
    let ends = of.cuts.iter().copied().chain([of.bytes]);
    let part = |(number, (start, end)): (usize, (u64, u64))| Portion::Part {
        file,
        number: number as u64,
        bytes: start..end,
    };
    starts.zip(ends).enumerate().map(part).collect()
}

#[test]
fn parts_give_the_records_of_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let records: Vec<Vec<u8>> = (0..400).map(record).collect();
    let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    for (name, bytes, is_cut) in [
        ("a.warc.gz", members, true),
        ("b.warc", records.concat(), true),
        // One member cannot be read from its middle.
        ("c.warc.gz", gzip(&records.concat()), false),
    ] {
        let path = dir.path().join(name);
        fs::write(&path, &bytes).unwrap();
        let (inputs, settings, cancel) = ([path.display().to_string()], Settings::default(), Cancel::new());
        let job = Job::new(&inputs, &settings, &cancel);
        let whole = read(&job, &Portion::Files(0..1));
        assert_eq!(whole.len(), 400, "{name}");
        for most in [1, 3000, 20_000] {
            let found = job.file_parts(most).unwrap();
            let [file] = found.as_slice() else {
                panic!("{name}: one file")
            };
            assert_eq!(file.bytes, bytes.len() as u64);
            assert!(
                file.cuts.is_sorted() && file.cuts.len() <= 250,
                "{name}: {:?}",
                file.cuts
            );
            assert_eq!(file.cuts.len() > 3, is_cut, "{name}: {:?}", file.cuts);
            let all: Vec<String> = parts(0, file).iter().flat_map(|part| read(&job, part)).collect();
            assert!(all == whole, "{name}, parts of {most} bytes");
        }
        assert!(job.file_parts(u64::MAX).unwrap()[0].cuts.is_empty());
    }
}

#[test]
fn a_part_that_ends_inside_a_record_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.warc.gz");
    let members: Vec<u8> = (0..40).flat_map(|number| gzip(&record(number))).collect();
    fs::write(&path, &members).unwrap();
    let (inputs, settings, cancel) = ([path.display().to_string()], Settings::default(), Cancel::new());
    let job = Job::new(&inputs, &settings, &cancel);
    let cut = job.file_parts(2000).unwrap()[0].cuts[0];
    let part = Portion::Part {
        file: 0,
        number: 0,
        bytes: 0..cut + 20,
    };
    let found = read(&job, &part);
    let last = found.last().unwrap();
    assert!(
        last.contains("split=False") && last.contains(&format!("byte {}", cut + 20)),
        "{last}"
    );
}
