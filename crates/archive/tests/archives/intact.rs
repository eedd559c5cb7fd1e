//! Archives in which nothing is wrong.

use dehusk_archive::{Event, Integrity, Limits, PlainStream, Reader, Start, StreamEvent, probable_starts};

use super::build::*;

fn numbers(count: usize) -> Vec<usize> {
    (0..count).collect()
}

fn assert_intact(told: &Told, count: usize, what: &str) {
    assert_eq!(told.damage, [], "{what}");
    assert_eq!(told.intact, numbers(count), "{what}");
}

/// A reader can go on in another thread.
#[test]
fn readers_can_be_moved() {
    fn moved<T: Send>() {}
    moved::<Reader>();
    moved::<PlainStream>();
}

#[test]
fn archives_of_every_form_are_read() {
    for form in FORMS {
        let archive: Vec<u8> = (0..20).flat_map(|number| member(&record(number), form)).collect();
        assert_intact(&read(&archive), 20, &format!("{form:?}"));
        let plain: Vec<u8> = (0..20).flat_map(record).collect();
        assert_intact(&read(&member(&plain, form)), 20, &format!("one {form:?}"));
    }
}

#[test]
fn members_that_begin_inside_records_are_joined() {
    let plain: Vec<u8> = (0..20).flat_map(record).collect();
    for form in [Form::Gzip, Form::Stored, Form::Zstd, Form::Unchecked] {
        for length in [1, 7, 500, 4096, 65280] {
            if length == 1 && form != Form::Unchecked {
                continue;
            }
            let archive: Vec<u8> = plain
                .chunks(length)
                .flat_map(|piece| member(piece, form))
                .collect();
            assert_intact(&read(&archive), 20, &format!("{form:?} {length}"));
        }
    }
}

#[test]
fn forms_may_be_mixed() {
    let archive: Vec<u8> = (0..30)
        .flat_map(|number| member(&record(number), FORMS[number % 5]))
        .collect();
    assert_intact(&read(&archive), 30, "mixed");
}

#[test]
fn empty_members_and_padding_are_no_damage() {
    let mut archive = Vec::new();
    for number in 0..10 {
        archive.extend(gzip(b"", 6));
        archive.extend(gzip(&record(number), 6));
        archive.extend([0; 13]);
    }
    assert_intact(&read(&archive), 10, "padded");
}

#[test]
fn places_are_where_records_can_be_read_again() {
    for form in FORMS {
        let plain: Vec<u8> = (0..20).flat_map(record).collect();
        let archives = [
            (0..20)
                .flat_map(|number| member(&record(number), form))
                .collect::<Vec<u8>>(),
            member(&plain, form),
            plain.chunks(777).flat_map(|piece| member(piece, form)).collect(),
        ];
        for archive in archives {
            let mut places = Vec::new();
            let mut reader = Reader::new(Start::at(0), Limits::default());
            let mut visit = |event: Event<'_>| {
                let Event::Record(record) = event else { panic!() };
                places.push((record.place, record.block.to_vec()));
            };
            reader.push(&archive, &mut visit);
            reader.finish(&mut visit);
            let mut plain = 0;
            for (number, (place, block)) in places.iter().enumerate() {
                assert_eq!(place.plain, plain);
                plain += record(number).len() as u64;
                let mut bytes = Vec::new();
                let mut stream = PlainStream::new(Limits::default());
                stream.push(&archive[place.member as usize..], &mut |event| {
                    if let StreamEvent::Plain(plain) = event {
                        bytes.extend_from_slice(plain);
                    }
                });
                let record = record(number);
                let bytes = &bytes[place.in_member as usize..];
                assert!(bytes.starts_with(&record), "{form:?} {number}");
                assert!(record[..record.len() - 4].ends_with(block));
            }
        }
    }
}

#[test]
fn integrity_says_what_vouches_for_a_record() {
    let integrity = |archive: &[u8], digests: bool| {
        let mut all = Vec::new();
        let mut reader = Reader::new(Start::at(0), Limits::default().with_all_digests(digests));
        let mut visit = |event: Event<'_>| {
            if let Event::Record(record) = event {
                all.push(record.integrity);
            }
        };
        reader.push(archive, &mut visit);
        reader.finish(&mut visit);
        all
    };
    let two = [record(0), record(1)].concat();
    assert_eq!(integrity(&gzip(&record(0), 6), true), [Integrity::Digest]);
    assert_eq!(integrity(&gzip(&record(0), 6), false), [Integrity::Checksum]);
    assert_eq!(
        integrity(&gzip(&two, 6), false),
        [Integrity::Digest, Integrity::Checksum]
    );
    assert_eq!(
        integrity(&zstd(&record(0), false, &[]), false),
        [Integrity::Digest]
    );
    assert_eq!(integrity(&two, false), [Integrity::Digest; 2]);
    let without = b"WARC/1.0\nWARC-Type: resource\nContent-Length: 2\n\nab\n\n";
    assert_eq!(integrity(without, true), [Integrity::Unknown]);
    assert_eq!(integrity(&gzip(without, 6), true), [Integrity::Checksum]);
}

#[test]
fn dictionaries_are_used_plain_or_compressed() {
    let dictionary = record(1);
    for content in [dictionary.clone(), zstd(&dictionary, true, &[])] {
        let mut archive = 0x184D_2A5D_u32.to_le_bytes().to_vec();
        archive.extend((content.len() as u32).to_le_bytes());
        archive.extend(&content);
        archive.extend((0..10).flat_map(|number| zstd(&record(number), true, &dictionary)));
        assert_intact(&read(&archive), 10, "dictionary");
        assert_eq!(read_in(&archive, &[3], Limits::default()), read(&archive));
    }
}

/// The plan of several threads: pieces that begin at probable starts are read on their own, and kept if the
/// reader before ends there.
#[test]
fn pieces_read_on_their_own_give_what_one_reader_gives() {
    for form in FORMS {
        let inner: Vec<u8> = (50..53)
            .flat_map(|number| member(&record(number), Form::Gzip))
            .collect();
        let trap = head_and_block(99, &format!("Content-Length: {}", inner.len()), &inner);
        let mut archive: Vec<u8> = (0..20).flat_map(|number| member(&record(number), form)).collect();
        // A stored archive inside a record looks like members.
        archive.extend(member(
            &trap,
            if form == Form::Plain { form } else { Form::Stored },
        ));
        archive.extend((20..40).flat_map(|number| member(&record(number), form)));
        let whole = read(&archive);
        let mut starts: Vec<usize> = probable_starts(&archive).collect();
        assert!(starts.len() >= 41, "{form:?} {}", starts.len());
        starts.push(archive.len());
        let (mut told, mut kept) = (Told::default(), 0);
        let mut before: Option<Reader> = None;
        for piece in starts.windows(2) {
            let begun = Start::at(piece[0] as u64);
            let (reader, right) = match before.take() {
                Some(before) if before.between_members().as_ref() != Some(&begun) => (before, false),
                _ => (Reader::new(begun, Limits::default()), true),
            };
            kept += usize::from(right);
            let mut reader = reader;
            reader.push(&archive[piece[0]..piece[1]], &mut |event| told.take(event));
            before = Some(reader);
        }
        before.unwrap().finish(&mut |event| told.take(event));
        assert_eq!(told.intact, whole.intact, "{form:?}");
        assert_eq!(told.damage, whole.damage, "{form:?}");
        assert!(kept >= 40 && kept < starts.len(), "{form:?} {kept}");
    }
}
