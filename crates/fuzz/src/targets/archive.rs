//! Readers of archives: the result does not depend on the sizes of pieces or on a change of readers, and
//! limits are respected.

use dehusk_archive::{
    Event, Form, Limits, PlainStream, Reader, Start, StreamEvent, http, mhtml, probable_starts,
};

/// Largest number of bytes of a block and of a body that are kept.
const BLOCK: usize = 2000;

/// Limits so small that short inputs reach them.
fn limits() -> Limits {
    Limits::default().with_block(BLOCK).with_head(1 << 10)
}

/// Checks the readers of archives. The first byte of the input is the length of pieces minus one; the rest
/// is a file.
pub(super) fn check(input: &[u8]) {
    let [length, file @ ..] = input else {
        return;
    };
    let length = usize::from(*length) + 1;
    for form in [Form::Warc, Form::Arc] {
        // The whole file as one piece is the reference. `max(1)` since chunks cannot be empty.
        let whole = read(file, form, file.len().max(1), false);
        assert_eq!(read(file, form, length, false), whole, "pieces show");
        assert_eq!(
            read(file, form, length, true),
            whole,
            "another reader goes on otherwise"
        );
    }
    // May find no page, but must not panic.
    mhtml::page(file);
    mhtml::each_part(file, &mut |part| assert!(part.body.len() <= file.len()));
    assert_eq!(inflated(file, length), inflated(file, file.len().max(1)));
    let starts: Vec<usize> = probable_starts(file).collect();
    assert!(starts.is_sorted() && starts.iter().all(|start| *start < file.len()));
    message(file);
}

/// Returns the events of a reader as texts. With `replaced`, a new reader takes over at each place where
/// the old one allows it.
fn read(file: &[u8], form: Form, length: usize, replaced: bool) -> Vec<String> {
    let mut told = Vec::new();
    let mut base = 0;
    let mut reader = Reader::new(Start::of(form, 0), limits());
    for piece in file.chunks(length) {
        reader.push(piece, &mut |event| told.push(tell(event, base)));
        if let Some(start) = reader.between_members().filter(|_| replaced) {
            // Positions of the new reader begin at 0 again, so those of the old one are added.
            base += reader.plain_offset();
            reader = Reader::new(start, limits());
        }
    }
    reader.finish(&mut |event| told.push(tell(event, base)));
    told
}

/// Returns an event as text, with its place among all plain bytes. `base` is the number of plain bytes
/// before this reader.
fn tell(event: Event<'_>, base: u64) -> String {
    match event {
        Event::Record(record) => {
            assert!(record.block.len() <= BLOCK);
            message(record.block);
            let plain = record.place.plain + base;
            let reasons: Vec<_> = record
                .damage
                .iter()
                .map(|damage| (damage.reason, damage.bytes))
                .collect();
            let (member, in_member) = (record.place.member, record.place.in_member);
            format!(
                "{member} {in_member} {plain} {:?} {} {:?} {reasons:?} {:?}",
                record.head, record.dropped, record.integrity, record.block
            )
        }
        Event::Damage(damage) => {
            assert!(!damage.to_string().is_empty());
            format!(
                "{} {:?} {}",
                damage,
                damage.place.member,
                damage.place.plain + base
            )
        }
        _ => String::new(),
    }
}

/// Returns the plain bytes of a stream, and its damages, each with the number of plain bytes before it.
fn inflated(file: &[u8], length: usize) -> (Vec<u8>, Vec<(usize, String)>) {
    let (mut plain, mut damages) = (Vec::new(), Vec::new());
    let mut take = |event: StreamEvent<'_>| match event {
        StreamEvent::Plain(bytes) => plain.extend_from_slice(bytes),
        StreamEvent::Damage(damage) => damages.push((plain.len(), format!("{damage:?}"))),
        _ => {}
    };
    let mut stream = PlainStream::new(limits());
    for piece in file.chunks(length) {
        stream.push(piece, &mut take);
    }
    stream.finish(&mut take);
    (plain, damages)
}

/// Splits a block as an HTTP response, and checks that the limit of the body holds.
fn message(block: &[u8]) {
    let message = http::message(block, limits());
    assert!(message.body.len() <= BLOCK);
}
