//! Crawl archives cut into pieces, which threads decompress and read in parallel.
//!
//! The start of a record is certain only after all bytes before it were read. Pieces therefore begin where
//! a compressed member probably begins.
//!
//! A thread reads its piece ahead from there. Then it takes the reader of the preceding piece and compares
//! positions. If that reader ended exactly at the start of the piece, the records read ahead are valid.
//! Otherwise that reader continues with the bytes of the piece. The result is thus the same as with a
//! single thread, for any input.

use std::io::{self, Read};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dehusk_archive::warc::Head;
use dehusk_archive::{
    Damage, Event, Form, Integrity, Limits, Place, Reader, Record, RecordKind, Start, probable_starts,
};
use dehusk_html::narrow;

use crate::exec::baton::Baton;
use crate::read::capture_rules::Captures;

/// Approximate size of a piece in bytes: small enough that threads share a file of usual size, large enough that boundaries cost little.
pub(crate) const PIECE: usize = 1 << 20;

/// Largest number of bytes of records that a thread buffers before it processes them. With more, records
/// are processed while the next thread still waits for the reader.
const HELD: usize = 32 << 20;

/// Number of bytes read ahead between checks of the buffered size.
const AT_ONCE: usize = 64 << 10;

/// A piece of a crawl archive.
pub struct Piece {
    bytes: Vec<u8>,
    /// Offset of the piece in the file.
    offset: u64,
    /// `true` if a member probably begins at the start of the piece.
    begins: bool,
    /// `true` if the file ends with this piece.
    last: bool,
    form: Form,
    captures: Captures,
    limits: Limits,
    before: Arc<Baton<Box<Course>>>,
    after: Arc<Baton<Box<Course>>>,
    /// Offset at which reading started: 0, or the start of a part of the file.
    start: u64,
    /// If a part of the file ends with this piece, where it ends, and whether a record goes on there.
    end: Option<PartEnd>,
    /// `true` once the piece was visited.
    visited: AtomicBool,
}

/// End of a part of an archive.
#[derive(Clone)]
struct PartEnd {
    offset: u64,
    /// Set if the part ends inside a record, so that it was cut at the wrong place.
    is_torn: Arc<AtomicBool>,
}

/// Reading state that is passed from piece to piece.
struct Course {
    reader: Reader,
    /// Number of plain bytes before the place where the reader started.
    plain: u64,
}

/// A record or damage found in an archive, with its own copy of the bytes.
pub(crate) enum Held {
    Record(Box<HeldRecord>),
    /// Damage that belongs to no readable record.
    Damage(Damage),
}

/// A record with its own copy of the bytes.
pub(crate) struct HeldRecord {
    pub(crate) head: Head,
    /// Block; empty for record kinds that hold neither a page nor a text.
    pub(crate) block: Vec<u8>,
    pub(crate) place: Place,
    pub(crate) integrity: Integrity,
    pub(crate) damage: Vec<Damage>,
}

/// Buffered records and damage.
#[derive(Default)]
pub(crate) struct Holding {
    pub(crate) found: Vec<Held>,
    bytes: usize,
    /// Number of plain bytes before the place where the reader started.
    plain: u64,
}

/// Buffers a record or damage. Other events are ignored.
impl Holding {
    pub(crate) fn add(&mut self, event: Event<'_>) {
        let held = match event {
            Event::Record(record) => Held::Record(Box::new(self.record(record))),
            Event::Damage(damage) => Held::Damage(self.damage(damage)),
            _ => return,
        };
        self.found.push(held);
    }

    /// Copies a record. Blocks that hold neither a page nor a text are left out.
    fn record(&mut self, record: Record<'_>) -> HeldRecord {
        let holds_content = matches!(
            record.head.kind(),
            RecordKind::Response | RecordKind::Resource | RecordKind::Conversion
        );
        let block = if holds_content { record.block } else { &[] };
        self.bytes += block.len();
        HeldRecord {
            head: record.head.clone(),
            block: block.to_vec(),
            place: self.place(record.place),
            integrity: record.integrity,
            damage: record.damage.iter().map(|damage| self.damage(damage)).collect(),
        }
    }

    fn damage(&self, damage: &Damage) -> Damage {
        let mut damage = damage.clone();
        damage.place = self.place(damage.place);
        damage
    }

    /// Returns a place with its plain offset counted from the start of the file.
    fn place(&self, place: Place) -> Place {
        Place {
            plain: self.plain + place.plain,
            ..place
        }
    }

    /// Visits everything that is buffered, and removes it.
    fn empty(&mut self, visit: &mut dyn FnMut(Held)) {
        self.bytes = 0;
        self.found.drain(..).for_each(visit);
    }
}

impl Piece {
    /// Returns the number of file bytes in the piece.
    pub(crate) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Returns the offset of a record in the decompressed file. `None` for a part of a file, since the bytes before the part are not read.
    pub(crate) fn plain_offset(&self, place: Place) -> Option<u64> {
        (self.start == 0).then_some(place.plain)
    }

    /// Returns how its captures are read.
    pub(crate) fn captures(&self) -> Captures {
        self.captures
    }

    /// Visits all records and damage of the piece in file order. Only the first call visits anything.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(Held)) {
        // A second visit is impossible, because the first one passes the reader on.
        if self.visited.swap(true, Ordering::Relaxed) {
            return;
        }
        // If the reader is here already, reading ahead would gain nothing.
        let ahead = (self.begins && !self.before.is_here()).then(|| self.read_ahead());
        let begin = || {
            Box::new(Course {
                reader: Reader::new(Start::of(self.form, self.offset), self.limits),
                plain: 0,
            })
        };
        // The reader is lost if the thread of the preceding piece failed. Reading starts again at this
        // piece.
        let mut course = self.before.take().unwrap_or_else(begin);
        let mut holding = Holding::default();
        // Records read ahead are valid only if the reader of the preceding piece ended exactly here, between members.
        let right = course.reader.between_members() == Some(Start::of(self.form, self.offset));
        match ahead.flatten() {
            Some((reader, found)) if right => {
                // The new reader counts plain bytes from its own start.
                course.plain += course.reader.plain_offset();
                course.reader = reader;
                holding.plain = course.plain;
                for found in found.found {
                    holding.found.push(match found {
                        Held::Damage(damage) => Held::Damage(holding.damage(&damage)),
                        Held::Record(mut record) => {
                            record.place = holding.place(record.place);
                            for damage in &mut record.damage {
                                damage.place = holding.place(damage.place);
                            }
                            Held::Record(record)
                        }
                    });
                }
            }
            // Nothing was read ahead, or in vain: the reader of the preceding piece continues.
            _ => {
                holding.plain = course.plain;
                let reader = &mut course.reader;
                reader.push(&self.bytes, &mut |event| {
                    holding.add(event);
                    // Records are visited early to bound memory, although the next piece still waits.
                    if holding.bytes > HELD {
                        holding.empty(visit);
                    }
                });
            }
        }
        if self.last {
            // A part must end where a member begins, because the next part starts there.
            if let Some(end) = &self.end
                && course.reader.between_members() != Some(Start::of(self.form, end.offset))
            {
                end.is_torn.store(true, Ordering::Relaxed);
            }
            course.reader.finish(&mut |event| holding.add(event));
        } else {
            // The reader is passed on before the records are processed, so that the next piece need not
            // wait for that.
            self.after.pass(course);
        }
        holding.empty(visit);
    }

    /// Reads the piece as if a member began with it. Returns `None` if it would buffer more than [`HELD`] bytes.
    fn read_ahead(&self) -> Option<(Reader, Holding)> {
        let mut reader = Reader::new(Start::of(self.form, self.offset), self.limits);
        let mut holding = Holding::default();
        for bytes in self.bytes.chunks(AT_ONCE) {
            reader.push(bytes, &mut |event| holding.add(event));
            if holding.bytes > HELD {
                return None;
            }
        }
        Some((reader, holding))
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        // The next piece must not wait for a thread that has ended.
        self.after.lose();
    }
}

/// Cuts an archive into pieces.
pub(crate) struct Pieces<R> {
    from: R,
    form: Form,
    captures: Captures,
    limits: Limits,
    /// Approximate size of a piece in bytes.
    most: usize,
    /// Bytes already read that belong to the next piece. `offset` is their offset in the file.
    rest: Vec<u8>,
    offset: u64,
    /// `true` if a member probably begins with them.
    begins: bool,
    before: Arc<Baton<Box<Course>>>,
    ended: bool,
    /// Error of the input, returned after the piece with the bytes before it.
    failed: Option<io::Error>,
    start: u64,
    end: Option<PartEnd>,
}

impl<R: Read> Pieces<R> {
    /// Cuts the input into pieces of about `most` bytes. `from` yields the bytes of a file from the offset `start` on.
    pub(crate) fn new(
        (from, start): (R, u64),
        (form, captures): (Form, Captures),
        limits: Limits,
        most: usize,
    ) -> Self {
        let reader = Reader::new(Start::of(form, start), limits);
        let before = Baton::here(Box::new(Course { reader, plain: 0 }));
        Pieces {
            from,
            form,
            captures,
            limits,
            most,
            rest: Vec::new(),
            offset: start,
            begins: true,
            before: Arc::new(before),
            ended: false,
            failed: None,
            start,
            end: None,
        }
    }

    /// States that the input is a part of a file that ends at this offset. A record that goes on there is
    /// reported by [`take_torn`](Self::take_torn).
    pub(crate) fn ending_at(mut self, offset: u64) -> Self {
        self.end = Some(PartEnd {
            offset,
            is_torn: Arc::default(),
        });
        self
    }

    /// Returns the end of the part if a record goes on there; `None` at the second call. All pieces must
    /// have been visited.
    pub(crate) fn take_torn(&mut self) -> Option<u64> {
        let end = self.end.take()?;
        end.is_torn.load(Ordering::Relaxed).then_some(end.offset)
    }

    /// Returns the next piece, or `None` after the last one. Bytes that were read before an error are a piece before it.
    pub(crate) fn next(&mut self) -> Option<io::Result<Piece>> {
        if let Some(error) = self.failed.take() {
            return Some(Err(error));
        }
        if self.ended {
            return None;
        }
        let mut bytes = mem::take(&mut self.rest);
        let room = self.most.saturating_sub(bytes.len()) as u64;
        bytes.reserve(narrow::to_usize(room));
        match (&mut self.from).take(room).read_to_end(&mut bytes) {
            // Fewer bytes than requested mean the end of the input.
            Ok(read) => self.ended = (read as u64) < room,
            // The bytes before an error may hold whole records, and the reader of the pieces before has to end.
            Err(error) => {
                self.ended = true;
                self.failed = Some(error);
            }
        }
        let mut next_begins = false;
        // The last probable start becomes the start of the next piece. Offset 0 would leave this piece empty.
        if !self.ended
            && let Some(at) = probable_starts(&bytes).filter(|at| *at > 0).last()
        {
            self.rest = bytes.split_off(at);
            next_begins = true;
        }
        let after = Arc::new(Baton::default());
        let piece = Piece {
            offset: self.offset,
            begins: mem::replace(&mut self.begins, next_begins),
            last: self.ended,
            form: self.form,
            captures: self.captures,
            limits: self.limits,
            before: mem::replace(&mut self.before, Arc::clone(&after)),
            after,
            start: self.start,
            end: self.end.clone().filter(|_| self.ended),
            visited: AtomicBool::new(false),
            bytes,
        };
        self.offset += piece.len();
        Some(Ok(piece))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::Mutex;
    use std::thread;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(plain: &[u8], level: u32) -> Vec<u8> {
        let mut to = GzEncoder::new(Vec::new(), Compression::new(level));
        to.write_all(plain).unwrap();
        to.finish().unwrap()
    }

    fn record(number: usize, block: &[u8]) -> Vec<u8> {
        let head = format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:{number}>\r\nContent-Length: {}\r\n\r\n",
            block.len()
        );
        [head.as_bytes(), block, b"\r\n\r\n"].concat()
    }

    /// Returns records of many lengths. Some contain archives whose members lie uncompressed in the file.
    fn records() -> Vec<Vec<u8>> {
        let block = |number: usize| -> Vec<u8> {
            let words = (0..number * 37 % 400).map(|word| format!("{} ", word * number * 7919 % 1000));
            words.collect::<String>().into_bytes()
        };
        let inner: Vec<u8> = (100..110)
            .flat_map(|number| gzip(&record(number, &block(number)), 6))
            .collect();
        let with_inner = |number: usize| {
            if number % 9 == 4 {
                inner.clone()
            } else {
                block(number)
            }
        };
        (0..60)
            .map(|number| record(number, &with_inner(number)))
            .collect()
    }

    fn told(held: Held) -> String {
        match held {
            Held::Record(record) => {
                let id = record.head.id().map(|id| id.into_owned());
                format!(
                    "{:?} {:?} {} {:?} {:?}",
                    id,
                    record.place,
                    record.block.len(),
                    record.integrity,
                    record.damage
                )
            }
            Held::Damage(damage) => format!("{damage:?}"),
        }
    }

    /// Returns the contents of a file read in pieces of about `most` bytes on this many threads, in file order.
    fn found(file: &[u8], most: usize, threads: usize) -> Vec<String> {
        let pieces = Mutex::new((
            0,
            Pieces::new((file, 0), Default::default(), Limits::default(), most),
        ));
        let mut all: Vec<(usize, Vec<String>)> = thread::scope(|scope| {
            let work = || {
                let mut mine = Vec::new();
                loop {
                    let (number, piece) = {
                        let mut pieces = pieces.lock().unwrap();
                        let Some(piece) = pieces.1.next() else { return mine };
                        pieces.0 += 1;
                        (pieces.0, piece.unwrap())
                    };
                    let mut some = Vec::new();
                    piece.each(&mut |held| some.push(told(held)));
                    mine.push((number, some));
                }
            };
            let started: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            started
                .into_iter()
                .flat_map(|thread| thread.join().unwrap())
                .collect()
        });
        all.sort();
        all.into_iter().flat_map(|(_, some)| some).collect()
    }

    #[test]
    fn pieces_and_threads_change_nothing() {
        let records = records();
        let members: Vec<u8> = records.iter().flat_map(|record| gzip(record, 6)).collect();
        let stored: Vec<u8> = records.iter().flat_map(|record| gzip(record, 0)).collect();
        let mut broken = stored.clone();
        for at in (0..broken.len()).step_by(broken.len() / 7) {
            broken[at] ^= 0x20;
        }
        for (name, file) in [
            ("members", members),
            ("stored members", stored),
            ("broken members", broken),
            ("one member", gzip(&records.concat(), 6)),
            ("plain", records.concat()),
            ("nothing", Vec::new()),
        ] {
            let whole = found(&file, 1 << 22, 1);
            if name != "nothing" && name != "broken members" {
                assert_eq!(whole.len(), 60, "{name}");
            }
            for (most, threads) in [(1, 1), (700, 1), (700, 3), (5000, 2), (5000, 7), (40_000, 16)] {
                assert!(
                    found(&file, most, threads) == whole,
                    "{name}, pieces of {most} bytes, {threads} threads"
                );
            }
        }
    }

    #[test]
    fn a_piece_without_a_reader_costs_itself() {
        let members: Vec<u8> = records().iter().flat_map(|record| gzip(record, 6)).collect();
        let whole = found(&members, 1 << 22, 1).len();
        let mut pieces = Pieces::new(
            (members.as_slice(), 0),
            Default::default(),
            Limits::default(),
            5000,
        );
        let mut left = 0;
        for number in 0.. {
            let Some(piece) = pieces.next() else { break };
            let piece = piece.unwrap();
            if number != 2 {
                piece.each(&mut |held| left += usize::from(matches!(held, Held::Record(_))));
                piece.each(&mut |_| panic!("a piece is visited once"));
            }
        }
        assert!(left < whole && left > whole / 2, "{left} of {whole}");
    }

    /// Fails at each read.
    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }

    #[test]
    fn an_error_of_the_input_comes_after_the_records_before_it() {
        let members: Vec<u8> = records().iter().flat_map(|record| gzip(record, 6)).collect();
        let whole = found(&members, 1 << 22, 1).len();
        for most in [5000, 1 << 22] {
            let from = members.as_slice().chain(Broken);
            let mut pieces = Pieces::new((from, 0), Default::default(), Limits::default(), most);
            let (mut left, mut errors) = (0, 0);
            while let Some(piece) = pieces.next() {
                match piece {
                    Ok(piece) => piece.each(&mut |_| left += 1),
                    Err(_) => errors += 1,
                }
            }
            assert_eq!((left, errors), (whole, 1), "pieces of {most} bytes");
        }
    }
}
