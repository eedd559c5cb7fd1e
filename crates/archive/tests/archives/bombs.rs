//! Archives made to be large, or to be slow.

use std::time::{Duration, Instant};

use dehusk_archive::{Event, Limits, PlainStream, Reader, Reason, Start, StreamEvent};

use super::build::*;

fn reasons(told: &Told) -> Vec<&str> {
    told.damage.iter().map(|(_, reason)| reason.as_str()).collect()
}

#[test]
fn members_that_inflate_without_end_are_left() {
    let zeros = vec![0; 48 << 20];
    let bomb = head_and_block(50, "Content-Length: 50331648", &zeros);
    for form in [Form::Gzip, Form::Zstd] {
        let archive = [
            member(&record(0), form),
            member(&bomb, form),
            member(&record(1), form),
        ]
        .concat();
        let told = read(&archive);
        assert_eq!(told.intact, [0, 1], "{form:?}");
        assert!(
            told.damage.iter().any(|(_, reason)| reason == "ratio"),
            "{:?}",
            told.damage
        );
        assert_eq!(read_in(&archive, &[4000, 77], Limits::default()), told);
    }
}

/// A stream is one member with many entries, which zeros in one of them must not cost. All of a stream
/// together have a bound.
#[test]
fn zeros_in_a_stream_end_at_a_bound_for_the_whole_of_it() {
    let zeros = vec![0; 48 << 20];
    // Gzip makes zeros little more than 1,000 times smaller, so that they hardly use up the bound.
    for (form, members, most) in [(Form::Gzip, 3, 144), (Form::Zstd, 24, 1_060)] {
        let packed = member(&zeros, form);
        let (mut plain, mut reasons) = (0, Vec::new());
        let mut stream = PlainStream::new(Limits::default());
        for _ in 0..members {
            stream.push(&packed, &mut |event| match event {
                StreamEvent::Plain(bytes) => plain += bytes.len(),
                StreamEvent::Damage(damage) => reasons.push(damage.reason),
                _ => {}
            });
        }
        let mib = plain >> 20;
        assert!((144..=most).contains(&mib), "{form:?}: {mib} MiB");
        assert_eq!(
            reasons.contains(&Reason::Ratio),
            form == Form::Zstd,
            "{form:?}: {reasons:?}"
        );
    }
}

#[test]
fn a_file_that_was_compressed_twice_is_told() {
    for (inner, outer) in [
        (Form::Gzip, Form::Gzip),
        (Form::Zstd, Form::Gzip),
        (Form::Gzip, Form::Zstd),
    ] {
        let once: Vec<u8> = (0..3).flat_map(|number| member(&record(number), inner)).collect();
        let twice = member(&once, outer);
        let told = read(&twice);
        assert!(told.intact.is_empty());
        assert_eq!(reasons(&told), ["packed-twice"], "{inner:?} in {outer:?}");
        assert_eq!(read_in(&twice, &[1, 7, 400], Limits::default()), told);
        // A member of another kind costs itself alone.
        let mixed = [member(&record(5), outer), twice, member(&record(6), outer)].concat();
        assert_eq!(read(&mixed).intact, [5, 6], "{inner:?} in {outer:?}");
    }
}

#[test]
fn long_blocks_are_counted_and_dropped() {
    let limits = Limits::default().with_block(1000);
    let long: Vec<u8> = (0..90_000_u32)
        .flat_map(|number| number.wrapping_mul(0x9E37_79B9).to_le_bytes())
        .collect();
    for form in FORMS {
        let records = [
            record(0),
            head_and_block(50, &format!("Content-Length: {}", long.len()), &long),
            record(1),
        ];
        let archive: Vec<u8> = records.iter().flat_map(|record| member(record, form)).collect();
        let mut blocks = Vec::new();
        let mut reader = Reader::new(Start::at(0), limits);
        let mut visit = |event: Event<'_>| {
            let Event::Record(record) = event else {
                panic!("{event:?}")
            };
            blocks.push((record.block.len() as u64, record.dropped));
        };
        reader.push(&archive, &mut visit);
        reader.finish(&mut visit);
        let rest = |length: usize| (length.min(1000) as u64, length.saturating_sub(1000) as u64);
        assert_eq!(
            blocks,
            [rest(block(0).len()), rest(long.len()), rest(block(1).len())],
            "{form:?}"
        );
    }
}

#[test]
fn a_false_length_beyond_what_is_kept_is_seen_by_the_digest() {
    let limits = Limits::default().with_block(60_000);
    let mut records: Vec<Vec<u8>> = (0..40).map(record).collect();
    records[1] = head_and_block(1, "Content-Length: 100000000", &block(1));
    let told = read_in(&gzip(&records.concat(), 6), &[usize::MAX >> 1], limits);
    assert_eq!(told.intact, (0..40).collect::<Vec<usize>>());
    assert_eq!(reasons(&told), ["wrong-length"]);
}

#[test]
fn a_lost_dictionary_is_one_error() {
    // Frames name a dictionary that is nowhere; others follow that need none.
    let mut archive = Vec::new();
    for number in 0..10 {
        let frame = zstd(&record(number), true, &[]);
        // The number of the dictionary: one byte after the header's first byte and the window.
        let descriptor = frame[4];
        assert_eq!(descriptor & 3, 0);
        let at = 5 + usize::from(descriptor & 0x20 == 0);
        archive.extend([&frame[..4], &[descriptor | 1], &frame[5..at], &[7], &frame[at..]].concat());
    }
    archive.extend(gzip(&record(3), 6));
    let told = read(&archive);
    assert_eq!(reasons(&told), ["no-dictionary"]);
    assert_eq!(told.damage[0].0, 0);
    assert_eq!(told.intact, [3]);
    let mut reader = Reader::new(Start::at(0), Limits::default());
    reader.push(&archive, &mut |_| {});
    assert_eq!(reader.undecoded_frames(), 10);
}

#[test]
fn windows_that_are_too_large_cost_their_frame() {
    let wide = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x90, 0x1D, 0, 0, b'W', b'A', b'R'];
    let archive = [
        zstd(&record(0), true, &[]),
        wide.to_vec(),
        zstd(&record(1), true, &[]),
    ]
    .concat();
    let told = read(&archive);
    assert_eq!(told.intact, [0, 1]);
    assert_eq!(reasons(&told), ["window"]);
}

/// Shapes in which one beginning stands in the other, or one look ahead follows the other. Quadratic work
/// would take minutes.
#[test]
fn hostile_shapes_take_linear_time() {
    let magic = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
    let stored = [&magic, [0, 0xFF, 0xFF, 0, 0].as_slice(), b"WARC/1.0\r\n"].concat();
    let head = |length: &str| head_and_block(0, length, b"abc");
    let shapes: &[(&str, Vec<u8>)] = &[
        ("members", magic.to_vec()),
        ("stored members in each other", stored),
        ("versions", b"WARC/1.0\n".to_vec()),
        ("names", b"WARC/".to_vec()),
        (
            "heads without end",
            [
                b"WARC/1.0\nWARC-Type: x\nContent-Length: 1\n".as_slice(),
                &b"a:b\n".repeat(1200),
            ]
            .concat(),
        ),
        ("long lengths", head("Content-Length: 400000")),
        ("no lengths", head("X: y")),
        (
            "garbage and long lengths",
            [
                head("Content-Length: 3"),
                b"xx".to_vec(),
                head("Content-Length: 400000"),
            ]
            .concat(),
        ),
        (
            "mixed",
            [
                head("Content-Length: 3"),
                gzip(b"", 6),
                head("Content-Length: 400000"),
            ]
            .concat(),
        ),
        ("cut members", gzip(&record(3), 6)[..400].to_vec()),
        (
            "zstd frames",
            vec![0x28, 0xB5, 0x2F, 0xFD, 0, 0x58, 0xFD, 0, 0, 9],
        ),
    ];
    for (name, unit) in shapes {
        let bytes: Vec<u8> = unit.iter().copied().cycle().take(1 << 20).collect();
        let begun = Instant::now();
        read(&bytes);
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "{name}: {:?}",
            begun.elapsed()
        );
    }
}

#[test]
fn broken_streams_go_on_with_the_next_member() {
    let lines = |number: usize| format!("{{\"page\": {number}}}\n").repeat(50).into_bytes();
    for form in [Form::Gzip, Form::Zstd] {
        let mut members: Vec<Vec<u8>> = (0..4).map(|number| member(&lines(number), form)).collect();
        let at = members[1].len() - 6;
        members[1][at] ^= 1;
        let (mut plain, mut damage) = (Vec::new(), Vec::new());
        let mut visit = |event: StreamEvent<'_>| match event {
            StreamEvent::Plain(bytes) => plain.extend_from_slice(bytes),
            StreamEvent::Damage(told) => damage.push((told.place.member, told.reason.name())),
            _ => {}
        };
        let mut stream = PlainStream::new(Limits::default());
        for piece in members.concat().chunks(10) {
            stream.push(piece, &mut visit);
        }
        stream.finish(&mut visit);
        assert_eq!(damage.len(), 1, "{damage:?}");
        assert_eq!(damage[0].0, members[0].len() as u64);
        assert!(plain.starts_with(&lines(0)));
        assert!(plain.ends_with(&[lines(2), lines(3)].concat()));
    }
}
