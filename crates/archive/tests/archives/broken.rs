//! Archives with one damage each: every other record is read, in order, and the damage is reported with its place.

use dehusk_archive::{Event, Integrity, Limits, Reader, Start};
use proptest::prelude::*;

use super::build::*;
use super::damage::OF_MEMBERS;

/// Records of an archive.
const COUNT: usize = 12;

/// Records that are damaged, one at a time.
const VICTIMS: [usize; 3] = [0, 5, COUNT - 1];

/// How records lie in members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    /// Each in its own.
    Each,
    /// All in one.
    One,
    /// Members of this many bytes, which begin inside records.
    Blocks(usize),
}

/// Damage of a record before it is compressed.
type Text = fn(usize) -> Vec<u8>;

fn replaced(number: usize, from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut record = record(number);
    let at = memchr::memmem::find(&record, from).expect("part of the record");
    record.splice(at..at + from.len(), to.iter().copied());
    record
}

const OF_RECORDS: &[(&str, Text)] = &[
    ("length too short", |n| {
        head_and_block(n, "Content-Length: 100", &block(n))
    }),
    ("length one too short", |n| {
        head_and_block(n, &format!("content-length: {}", block(n).len() - 1), &block(n))
    }),
    ("length one too long", |n| {
        head_and_block(n, &format!("content-length: {}", block(n).len() + 1), &block(n))
    }),
    ("length too long", |n| {
        head_and_block(n, &format!("content-length: {}", block(n).len() + 900), &block(n))
    }),
    ("length of two records", |n| {
        head_and_block(
            n,
            &format!("content-length: {}", block(n).len() + 9000),
            &block(n),
        )
    }),
    ("length is huge", |n| {
        head_and_block(n, "Content-Length: 999999999999999", &block(n))
    }),
    ("length is absurd", |n| {
        head_and_block(n, "Content-Length: 99999999999999999999999", &block(n))
    }),
    ("length is negative", |n| {
        head_and_block(n, "Content-Length: -5", &block(n))
    }),
    ("length is a word", |n| {
        head_and_block(n, "Content-Length: many", &block(n))
    }),
    ("no length", |n| head_and_block(n, "X: y", &block(n))),
    ("first line", |n| {
        replaced(n, b"WARC/1.0\r\nWARC-Type", b"XARC/1.0\r\nWARC-Type")
    }),
    ("version", |n| {
        replaced(n, b"WARC/1.0\r\nWARC-Type", b"WARC/x\r\nWARC-Type")
    }),
    ("no empty line", |n| replaced(n, b"\r\n\r\nHTTP", b"\r\nHTTP")),
    ("head is cut in a line", |n| record(n)[..60].to_vec()),
    ("head is cut in the first line", |n| record(n)[..7].to_vec()),
    ("head is cut between lines", |n| {
        record(n)[..memchr::memmem::find(&record(n), b"\r\nWARC-T").expect("a field") + 2].to_vec()
    }),
    ("block is cut", |n| {
        let record = record(n);
        record[..record.len() - 300].to_vec()
    }),
    ("bytes of the block are missing", |n| {
        let mut record = record(n);
        let at = record.len() - 200;
        record.drain(at..at + 50);
        record
    }),
    ("garbage behind", |n| {
        [record(n), b"no record\r\nWARC/1.0\r\n\r\n".to_vec()].concat()
    }),
    ("changed byte", |n| {
        let mut record = record(n);
        let at = record.len() - 100;
        record[at] ^= 1;
        record
    }),
    ("line without colon", |n| {
        replaced(n, b"\r\n\r\nHTTP", b"\r\nno colon here\r\n\r\nHTTP")
    }),
    ("head that is too long", |n| {
        let field: Vec<u8> = (0..12_000)
            .flat_map(|line: u32| format!("\r\nA: {}", u64::from(line) * 0x9E37_79B9_7F4A).into_bytes())
            .collect();
        let long = [&field, b"\r\n\r\nHTTP".as_slice()].concat();
        replaced(n, b"\r\n\r\nHTTP", &long)
    }),
    ("line of 100 KiB", |n| {
        let long = [b"\r\nA: ".as_slice(), &vec![b'a'; 100 << 10], b"\r\n\r\nHTTP"].concat();
        replaced(n, b"\r\n\r\nHTTP", &long)
    }),
];

/// An archive, and where its members begin.
fn archive(records: &[Vec<u8>], form: Form, layout: Layout) -> (Vec<u8>, Vec<u64>) {
    let plain = records.concat();
    let members: Vec<Vec<u8>> = match layout {
        Layout::Each => records.iter().map(|record| member(record, form)).collect(),
        Layout::One => vec![member(&plain, form)],
        Layout::Blocks(length) => plain.chunks(length).map(|piece| member(piece, form)).collect(),
    };
    let mut offsets = vec![0];
    for member in &members {
        offsets.push(offsets[offsets.len() - 1] + member.len() as u64);
    }
    (members.concat(), offsets)
}

/// Checks the events of a broken archive. Returns the faults found, or an empty text.
fn faults(told: &Told, victim: usize, place: Option<u64>) -> String {
    let mut expected: Vec<usize> = (0..COUNT).filter(|number| *number != victim).collect();
    let mut faults = String::new();
    let others: Vec<usize> = told
        .intact
        .iter()
        .copied()
        .filter(|number| *number != victim)
        .collect();
    if others != expected {
        expected.retain(|number| !others.contains(number));
        faults += &format!("lost {expected:?} of {:?}; ", told.intact);
    }
    if !told.intact.is_sorted() {
        faults += "order; ";
    }
    // An unchanged record must report no damage.
    if told.intact.contains(&victim) && told.damage.is_empty() {
        return faults;
    }
    if told.damage.is_empty() || place.is_some_and(|place| told.damage.iter().all(|(at, _)| *at != place)) {
        faults += &format!("damage {:?} for {place:?}; ", told.damage);
    }
    if told.damage.len() > 3 {
        faults += &format!("much damage: {:?}; ", told.damage);
    }
    faults
}

/// Reads a broken archive at once and in pieces.
fn check(bytes: &[u8], victim: usize, place: Option<u64>, name: &str, all: &mut Vec<String>) {
    // A head may be longer than a line, but not by much.
    let limits = Limits::default().with_head(200 << 10);
    let told = read_in(bytes, &[bytes.len()], limits);
    let faults = faults(&told, victim, place);
    if !faults.is_empty() {
        all.push(format!("{name}: {faults}"));
    }
    for lengths in [[1, 4096], [bytes.len() / 2, 997]] {
        let pieces = read_in(bytes, &lengths, limits);
        if pieces != told {
            all.push(format!(
                "{name}: differs in pieces\n{:#?}\n{:#?}",
                told.all, pieces.all
            ));
        }
    }
}

#[test]
fn broken_members_cost_one_record() {
    let (mut all, mut count) = (Vec::new(), 0);
    for form in [Form::Gzip, Form::Stored, Form::Zstd, Form::Unchecked] {
        for victim in VICTIMS {
            for (name, damage) in OF_MEMBERS {
                let mut members: Vec<Vec<u8>> =
                    (0..COUNT).map(|number| member(&record(number), form)).collect();
                let place = members[..victim].iter().map(Vec::len).sum::<usize>();
                let length = members[victim].len();
                damage(&mut members[victim]);
                let place = if *name == "garbage behind" {
                    place + length
                } else {
                    place
                };
                check(
                    &members.concat(),
                    victim,
                    Some(place as u64),
                    &format!("{form:?} {victim} {name}"),
                    &mut all,
                );
                count += 1;
            }
        }
    }
    assert!(all.is_empty(), "{} of {count}\n{}", all.len(), all.join("\n"));
    assert!(count >= 200);
}

#[test]
fn broken_records_cost_themselves() {
    let (mut all, mut count) = (Vec::new(), 0);
    let layouts = [Layout::Each, Layout::One, Layout::Blocks(3000)];
    for (form, layout) in FORMS
        .iter()
        .flat_map(|form| layouts.map(|layout| (*form, layout)))
    {
        if form == Form::Plain && layout != Layout::Each {
            continue;
        }
        for victim in VICTIMS {
            for (name, damage) in OF_RECORDS {
                let mut records: Vec<Vec<u8>> = (0..COUNT).map(record).collect();
                records[victim] = damage(victim);
                let (bytes, offsets) = archive(&records, form, layout);
                let place = match layout {
                    Layout::Each if *name == "garbage behind" && form == Form::Plain => {
                        Some(offsets[victim] + record(victim).len() as u64)
                    }
                    Layout::Each => Some(offsets[victim]),
                    Layout::One => Some(0),
                    Layout::Blocks(_) => None,
                };
                check(
                    &bytes,
                    victim,
                    place,
                    &format!("{form:?} {layout:?} {victim} {name}"),
                    &mut all,
                );
                count += 1;
            }
        }
    }
    assert!(all.is_empty(), "{} of {count}\n{}", all.len(), all.join("\n"));
    assert!(count >= 800);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// The events of a broken archive do not depend on how its bytes arrive.
    #[test]
    fn cuts_do_not_show(
        forms in prop::collection::vec(0..5_usize, 1..8),
        block in prop::option::of(20..3000_usize),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..5_usize), 0..4),
        lengths in prop::collection::vec(1..3000_usize, 1..12),
    ) {
        let mut bytes: Vec<u8> = match block {
            None => forms.iter().enumerate().flat_map(|(number, form)| member(&record(number), FORMS[*form])).collect(),
            Some(length) => {
                let plain: Vec<u8> = (0..forms.len()).flat_map(record).collect();
                plain.chunks(length).flat_map(|piece| member(piece, FORMS[forms[0]])).collect()
            }
        };
        for (index, value, kind) in edits {
            let at = index.index(bytes.len().max(1));
            match kind {
                0 if at < bytes.len() => bytes[at] = value,
                1 => bytes.truncate(at),
                2 => bytes.insert(at, value),
                3 => drop(bytes.drain(at..bytes.len().min(at + usize::from(value)))),
                _ => {
                    let piece = bytes[at..bytes.len().min(at + 900)].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
        }
        let limits = Limits::default().with_block(2000).with_head(1024);
        let told = read_in(&bytes, &[bytes.len()], limits);
        prop_assert_eq!(&read_in(&bytes, &lengths, limits), &told);
        prop_assert_eq!(&read_in(&bytes, &[1], limits), &told);
    }
}

/// Deflate finds its way back in other data: a member that was cut is read on into its neighbors, and may
/// seem to end where one of them does. They are found nevertheless.
#[test]
fn neighbors_of_a_cut_member_survive() {
    let words = |number: usize| -> Vec<u8> {
        let mut noise = number as u64 * 0x9E37_79B9 + 1;
        let words = std::iter::repeat_with(|| {
            noise ^= noise << 13;
            noise ^= noise >> 7;
            noise ^= noise << 17;
            format!("{:x} ", noise % 0xFFFF_FFFF)
        });
        words.take(40).collect::<String>().into_bytes()
    };
    let record = |number| {
        let block = words(number);
        head_and_block(number, &format!("Content-Length: {}", block.len()), &block)
    };
    let members: Vec<Vec<u8>> = (0..80).map(|number| gzip(&record(number), 9)).collect();
    for victim in 0..70 {
        for left in [members[victim].len() - 10, members[victim].len() / 2] {
            let mut broken = members.clone();
            broken[victim].truncate(left);
            let mut ids = Vec::new();
            let mut reader = Reader::new(Start::at(0), Limits::default());
            let mut visit = |event: Event<'_>| {
                if let Event::Record(record) = event
                    && record.integrity == Integrity::Digest
                {
                    ids.push(record.head.id().unwrap_or_default().into_owned());
                }
            };
            reader.push(&broken.concat(), &mut visit);
            reader.finish(&mut visit);
            let others = (0..80).filter(|number| *number != victim);
            let expected: Vec<String> = others.map(|number| format!("<urn:x:{number}>")).collect();
            ids.retain(|id| *id != format!("<urn:x:{victim}>"));
            assert_eq!(ids, expected, "{victim} of which {left} bytes are left");
        }
    }
}
