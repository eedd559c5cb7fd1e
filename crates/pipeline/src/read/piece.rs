//! Archives cut into pieces, which threads inflate and read at the same time.
//!
//! Where the next record of an archive begins is known only when all before it was read. A piece begins, if possible, where a member
//! probably does: its thread reads ahead from there, and then asks the thread of the piece before where its reader stands. If it stands
//! at that place, what was read ahead is right; if not, that reader goes on with the bytes of this piece. What is found is therefore the
//! same as if one thread had read all, whatever the bytes are.

use std::io::{self, Read};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dehusk_archive::warc::Head;
use dehusk_archive::{
    Damage, Event, Form, Integrity, Limits, Place, Reader, Record, RecordKind, Start, probable_starts,
};

use crate::exec::baton::Baton;
use crate::read::capture_rules::Captures;

/// Bytes of a piece, about: few enough that the threads share a file of usual size, and enough that a boundary costs little.
pub(crate) const PIECE: usize = 1 << 20;

/// Plain bytes of records that a thread holds while the next one waits for its reader. Those of more are worked on meanwhile.
const HELD: usize = 32 << 20;

/// Bytes that are read ahead before it is asked how much they hold.
const AT_ONCE: usize = 64 << 10;

/// A piece of an archive.
pub struct Piece {
    bytes: Vec<u8>,
    /// Where it begins in the file.
    offset: u64,
    /// Whether a member probably begins there.
    begins: bool,
    /// Whether the file ends with it.
    last: bool,
    form: Form,
    captures: Captures,
    limits: Limits,
    before: Arc<Baton<Box<Course>>>,
    after: Arc<Baton<Box<Course>>>,
    /// Whether it was visited.
    visited: AtomicBool,
}

/// How far an archive was read.
struct Course {
    reader: Reader,
    /// Plain bytes before the place where the reader began.
    plain: u64,
}

/// Something found in an archive, with bytes of its own.
pub(crate) enum Held {
    Record(Box<HeldRecord>),
    /// What belongs to no record that could be read.
    Damage(Damage),
}

/// A record.
pub(crate) struct HeldRecord {
    pub(crate) head: Head,
    /// Empty for kinds that hold no page and no text.
    pub(crate) block: Vec<u8>,
    pub(crate) place: Place,
    pub(crate) integrity: Integrity,
    pub(crate) damage: Vec<Damage>,
}

/// What was found and not worked on yet.
#[derive(Default)]
struct Holding {
    found: Vec<Held>,
    bytes: usize,
    /// Plain bytes before the place where the reader began.
    plain: u64,
}

impl Holding {
    fn add(&mut self, event: Event<'_>) {
        let held = match event {
            Event::Record(record) => Held::Record(Box::new(self.record(record))),
            Event::Damage(damage) => Held::Damage(self.damage(damage)),
            _ => return,
        };
        self.found.push(held);
    }

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

    fn place(&self, place: Place) -> Place {
        Place {
            plain: self.plain + place.plain,
            ..place
        }
    }

    fn empty(&mut self, visit: &mut dyn FnMut(Held)) {
        self.bytes = 0;
        self.found.drain(..).for_each(visit);
    }
}

impl Piece {
    /// Bytes of the file that it stands for.
    pub(crate) fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// How its captures are read.
    pub(crate) fn captures(&self) -> Captures {
        self.captures
    }

    /// Visits all that is found in the piece, in the order of the file. Called once; later calls find nothing.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(Held)) {
        if self.visited.swap(true, Ordering::Relaxed) {
            return;
        }
        let ahead = (self.begins && !self.before.is_here()).then(|| self.read_ahead());
        let begin = || {
            Box::new(Course {
                reader: Reader::new(Start::of(self.form, self.offset), self.limits),
                plain: 0,
            })
        };
        let mut course = self.before.take().unwrap_or_else(begin);
        let mut holding = Holding::default();
        let right = course.reader.between_members() == Some(Start::of(self.form, self.offset));
        match ahead.flatten() {
            Some((reader, found)) if right => {
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
            _ => {
                holding.plain = course.plain;
                let reader = &mut course.reader;
                reader.push(&self.bytes, &mut |event| {
                    holding.add(event);
                    if holding.bytes > HELD {
                        holding.empty(visit);
                    }
                });
            }
        }
        if self.last {
            course.reader.finish(&mut |event| holding.add(event));
        } else {
            self.after.pass(course);
        }
        holding.empty(visit);
    }

    /// Reads the piece as if a member began with it; nothing if it holds too much.
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
        // Nobody may wait for a thread that is gone.
        self.after.lose();
    }
}

/// Cuts an archive into pieces.
pub(crate) struct Pieces<R> {
    from: R,
    form: Form,
    captures: Captures,
    limits: Limits,
    /// Bytes of a piece.
    most: usize,
    /// Bytes that were read and belong to the next piece, and where they begin in the file.
    rest: Vec<u8>,
    offset: u64,
    /// Whether a member probably begins with them.
    begins: bool,
    before: Arc<Baton<Box<Course>>>,
    ended: bool,
}

impl<R: Read> Pieces<R> {
    /// Pieces of about `most` bytes.
    pub(crate) fn new(from: R, (form, captures): (Form, Captures), limits: Limits, most: usize) -> Self {
        let reader = Reader::new(Start::of(form, 0), limits);
        let before = Baton::here(Box::new(Course { reader, plain: 0 }));
        Pieces {
            from,
            form,
            captures,
            limits,
            most,
            rest: Vec::new(),
            offset: 0,
            begins: true,
            before: Arc::new(before),
            ended: false,
        }
    }

    /// The next piece; none after the last.
    pub(crate) fn next(&mut self) -> Option<io::Result<Piece>> {
        if self.ended {
            return None;
        }
        let mut bytes = mem::take(&mut self.rest);
        let room = self.most.saturating_sub(bytes.len()) as u64;
        bytes.reserve(room as usize);
        match (&mut self.from).take(room).read_to_end(&mut bytes) {
            Ok(read) => self.ended = (read as u64) < room,
            Err(error) => {
                self.ended = true;
                return Some(Err(error));
            }
        }
        let mut next_begins = false;
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

    /// Records of many lengths; some hold archives, whose members stand in the file as they are.
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

    /// What is found in pieces of about `most` bytes by so many threads, in the order of the file.
    fn found(file: &[u8], most: usize, threads: usize) -> Vec<String> {
        let pieces = Mutex::new((0, Pieces::new(file, Default::default(), Limits::default(), most)));
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
    fn a_piece_that_nobody_reads_costs_itself() {
        let members: Vec<u8> = records().iter().flat_map(|record| gzip(record, 6)).collect();
        let whole = found(&members, 1 << 22, 1).len();
        let mut pieces = Pieces::new(members.as_slice(), Default::default(), Limits::default(), 5000);
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
}
