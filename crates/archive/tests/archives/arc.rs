//! ARC files in the manner of their writers, intact and broken.

use dehusk_archive::{Event, Form, Limits, Reader, Reason, RecordKind, Start};
use proptest::prelude::*;

use super::build::gzip;

/// What was found: address, length of the block, and names of damage; or damage alone.
fn found(file: &[u8], most: usize) -> Vec<String> {
    found_within(file, most, Limits::default())
}

fn found_within(file: &[u8], most: usize, limits: Limits) -> Vec<String> {
    found_by(file, most, limits, false)
}

/// Lists what is found within `limits`. With `replaced`, the reader is replaced by a new one at every place where it may be.
fn found_by(file: &[u8], most: usize, limits: Limits, replaced: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut reader = Reader::new(Start::of(Form::Arc, 0), limits);
    let mut visit = |event: Event<'_>| {
        found.push(match event {
            Event::Record(record) => {
                let damage: Vec<&str> = record.damage.iter().map(|damage| damage.reason.name()).collect();
                let url = record.head.target_uri().unwrap_or_default();
                format!(
                    "{url} {} {}",
                    record.block.len() as u64 + record.dropped,
                    damage.join(",")
                )
            }
            Event::Damage(damage) => format!("!{}", damage.reason),
            _ => String::new(),
        });
    };
    for piece in file.chunks(most) {
        reader.push(piece, &mut visit);
        if let Some(start) = reader.between_members().filter(|_| replaced) {
            reader = Reader::new(start, limits);
        }
    }
    reader.finish(&mut visit);
    found
}

fn page(number: usize) -> Vec<u8> {
    let words = "the river rose again ".repeat(number % 7 + 1);
    format!("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page {number}: {words}</p>").into_bytes()
}

fn line(number: usize, length: usize) -> String {
    format!("http://a.example/{number} 192.0.2.1 2001091112{number:02}00 text/html {length}\n")
}

/// A record as writers of version 1 leave it, with the line feed after it.
fn record(number: usize) -> Vec<u8> {
    let page = page(number);
    [line(number, page.len()).as_bytes(), &page, b"\n"].concat()
}

fn version_block(about: &str) -> Vec<u8> {
    let block = format!("{about}\n\n");
    format!(
        "filedesc://crawl.arc 0.0.0.0 20010911120000 text/plain {}\n{block}",
        block.len()
    )
    .into_bytes()
}

const FIRST: &str = "1 0 Crawler\nURL IP-address Archive-date Content-type Archive-length";

/// An archive of the first records.
fn archive(count: usize) -> Vec<Vec<u8>> {
    std::iter::once(version_block(FIRST))
        .chain((1..=count).map(record))
        .collect()
}

fn expected(count: usize) -> Vec<String> {
    let first = format!("filedesc://crawl.arc {} ", FIRST.len() + 2);
    let pages = (1..=count).map(|number| format!("http://a.example/{number} {} ", page(number).len()));
    std::iter::once(first).chain(pages).collect()
}

#[test]
fn records_come_from_every_form_and_any_pushes() {
    let records = archive(9);
    let members: Vec<u8> = records.iter().flat_map(|record| gzip(record, 6)).collect();
    let stored: Vec<u8> = records.iter().flat_map(|record| gzip(record, 0)).collect();
    let across: Vec<u8> = records
        .concat()
        .chunks(77)
        .flat_map(|part| gzip(part, 6))
        .collect();
    for (name, file) in [
        ("plain", records.concat()),
        ("members", members),
        ("stored members", stored),
        ("one member", gzip(&records.concat(), 6)),
        ("members that begin anywhere", across),
    ] {
        for most in [1, 7, 100, 1 << 20] {
            assert_eq!(found(&file, most), expected(9), "{name}, pushes of {most}");
        }
    }
}

#[test]
fn heads_are_those_that_warc_has() {
    let file = [
        version_block("2 0 Crawler\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length"),
        b"http://a.example/x y 192.0.2.1 20010911120102 text/html; charset=koi8-r 200 fac069150 - 97 crawl.arc 3\n<p>\n".to_vec(),
        b"dns:a.example 192.0.2.53 20010911120102 text/dns 4\n1.2.\n".to_vec(),
    ]
    .concat();
    let mut heads = Vec::new();
    let mut reader = Reader::new(Start::of(Form::Arc, 0), Limits::default());
    let mut visit = |event: Event<'_>| {
        if let Event::Record(record) = event {
            let text = |text: Option<std::borrow::Cow<'_, str>>| text.unwrap_or_default().into_owned();
            heads.push((
                record.head.kind(),
                text(record.head.target_uri()),
                text(record.head.date()),
                text(record.head.content_type()),
            ));
        }
    };
    reader.push(&file, &mut visit);
    reader.finish(&mut visit);
    let head = |kind, url: &str, date: &str, of: &str| (kind, url.to_owned(), date.to_owned(), of.to_owned());
    let (noon, page) = ("2001-09-11T12:01:02Z", "text/html; charset=koi8-r");
    assert_eq!(
        heads,
        [
            head(
                RecordKind::Warcinfo,
                "filedesc://crawl.arc",
                "2001-09-11T12:00:00Z",
                "text/plain"
            ),
            head(RecordKind::Response, "http://a.example/x y", noon, page),
            head(RecordKind::Resource, "dns:a.example", noon, "text/dns"),
        ]
    );
}

#[test]
fn a_record_can_be_read_from_where_it_begins() {
    let records = archive(5);
    for file in [
        records.concat(),
        records.iter().flat_map(|record| gzip(record, 6)).collect(),
    ] {
        let mut places = Vec::new();
        let mut reader = Reader::new(Start::of(Form::Arc, 0), Limits::default());
        let mut visit = |event: Event<'_>| {
            if let Event::Record(record) = event {
                places.push((
                    record.place.member,
                    record.head.target_uri().unwrap().into_owned(),
                ));
            }
        };
        reader.push(&file, &mut visit);
        reader.finish(&mut visit);
        assert_eq!(places.len(), 6);
        for (at, url) in places {
            let first = found(&file[at as usize..], 50).remove(0);
            assert!(first.starts_with(&format!("{url} ")), "{first} at {at}");
        }
    }
}

#[test]
fn a_wrong_length_costs_no_other_record() {
    for (told, own) in [
        (-9_i64, "wrong-length"),
        (-1, "wrong-length"),
        // The line feed after the record, which some writers count.
        (1, ""),
        (9, "wrong-length"),
        (100, "wrong-length"),
        (1_000_000, "wrong-length"),
        (9_999_999_999_999, "wrong-length"),
    ] {
        for victim in [1, 3, 4] {
            let mut records = archive(5);
            let page = page(victim);
            let length = (page.len() as i64 + told) as usize;
            records[victim] = [line(victim, length).as_bytes(), &page, b"\n"].concat();
            let got = found(&records.concat(), 64);
            let others = expected(5);
            assert_eq!(got.len(), 6, "{told}: {got:?}");
            for number in 0..6 {
                if number == victim {
                    let same = format!(
                        "http://a.example/{victim} {}",
                        page.len() + usize::from(told == 1)
                    );
                    assert_eq!(got[number], format!("{same} {own}"), "{told}");
                } else {
                    assert_eq!(got[number], others[number], "{told}");
                }
            }
        }
    }
}

#[test]
fn the_last_record_keeps_what_there_is_of_it() {
    let whole = archive(3).concat();
    let cut = &whole[..whole.len() - 20];
    let got = found(cut, 1000);
    let bytes = page(3).len() - 19;
    assert_eq!(
        got[3],
        format!("http://a.example/3 {bytes} cut-record"),
        "{got:?}"
    );
    let members: Vec<u8> = archive(3).iter().flat_map(|record| gzip(record, 6)).collect();
    let got = found(&members[..members.len() - 10], 1000);
    assert_eq!(got.len(), 4, "{got:?}");
    assert!(
        got[3].ends_with("cut-record,cut-member") || got[3].ends_with("cut-member"),
        "{got:?}"
    );
}

#[test]
fn bytes_that_are_no_record_are_skipped_and_told() {
    let mut records = archive(3);
    records.insert(2, b"this is no record\nnor is this\n".to_vec());
    let got = found(&records.concat(), 1000);
    let mut all = expected(3);
    // The length of the record before is right, but what follows is not a line, so that it goes on to the next one.
    all[1] = format!("http://a.example/1 {} wrong-length", page(1).len() + 31 - 1);
    assert_eq!(got, all);
    let junk = [b"\x00\xffjunk".to_vec(), records.concat()].concat();
    assert_eq!(found(&junk, 1000)[0], format!("!{}", Reason::NoRecord));
}

proptest! {
    #[test]
    fn any_bytes_are_read_alike_in_any_pushes(
        parts in prop::collection::vec(
            prop_oneof![
                (0_usize..9).prop_map(record),
                (0_usize..9, 0_usize..300).prop_map(|(number, length)| line(number, length).into_bytes()),
                prop::collection::vec(any::<u8>(), 0..40),
                (0_usize..9).prop_map(|number| gzip(&record(number), 6)),
            ],
            0..9,
        ),
        most in 1_usize..200,
    ) {
        let file = parts.concat();
        for limits in [Limits::default(), Limits::default().with_block(100)] {
            let whole = found_within(&file, usize::MAX >> 1, limits);
            prop_assert_eq!(&found_within(&file, most, limits), &whole);
            prop_assert_eq!(&found_by(&file, most, limits, true), &whole);
        }
    }
}
