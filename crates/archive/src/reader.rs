//! The reader of archives.

use crate::arc::ArcFramer;
use crate::damage::{Damage, Place, Reason};
use crate::limits::Limits;
use crate::members::dictionary::Dictionary;
use crate::members::{Content, Members, Sink};
use crate::warc::Event;
use crate::warc::framer::Framer;
use crate::warc::framing::{Edge, Framing, Visit};

/// A form of archives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Form {
    /// WARC 0.17 to 1.1 (ISO 28500).
    #[default]
    Warc,
    /// ARC 1.0 and 1.1, and 2.0, whose lines have more fields.
    Arc,
}

/// Where a reader begins: a place between members of a file, and what has to be known there of the bytes before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    form: Form,
    at: u64,
    /// Whether members of an ARC file come before it: then only members follow.
    in_members: bool,
    dictionary: Dictionary,
}

impl Start {
    /// Begins at an offset of a WARC file, knowing of no dictionary.
    pub fn at(offset: u64) -> Self {
        Start::of(Form::Warc, offset)
    }

    /// Begins at an offset of a file of this form, knowing of no dictionary.
    pub fn of(form: Form, offset: u64) -> Self {
        Start {
            form,
            at: offset,
            in_members: false,
            dictionary: Dictionary::None,
        }
    }

    /// Begins at another offset of the same file, with the dictionary that is known here.
    pub fn moved_to(&self, offset: u64) -> Self {
        Start {
            at: offset,
            ..self.clone()
        }
    }

    /// The offset.
    pub fn offset(&self) -> u64 {
        self.at
    }
}

/// Reads records out of the bytes of a WARC or ARC file, plain or compressed, as they arrive.
///
/// Records of ARC files have heads as WARC would have written them: `WARC-Type`, `WARC-Target-URI`, `WARC-IP-Address`, `WARC-Date`,
/// `Content-Type` (that of the page, not of the message) and `Content-Length`.
///
/// What is told does not depend on how the bytes are cut into pushes. The reader can be moved to another thread at any time, so that
/// one thread can go on where another one stopped; and a thread may begin a new reader in the midst of a file and keep what it found if
/// [`between_members`](Self::between_members) of the reader before says that it began right.
///
/// ```
/// use dehusk_archive::{Event, Limits, Reader, RecordKind, Start};
///
/// let file = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n";
/// let mut reader = Reader::new(Start::at(0), Limits::default());
/// let mut blocks = Vec::new();
/// let mut visit = |event: Event<'_>| {
///     if let Event::Record(record) = event {
///         assert_eq!(record.head.kind(), RecordKind::Resource);
///         blocks.push(record.block.to_vec());
///     }
/// };
/// for piece in file.chunks(10) {
///     reader.push(piece, &mut visit);
/// }
/// assert_eq!(reader.between_members(), Some(Start::at(file.len() as u64)));
/// reader.finish(&mut visit);
/// assert_eq!(blocks, [b"hello"]);
/// ```
pub struct Reader {
    form: Form,
    in_members: bool,
    members: Members,
    framer: Box<dyn Framing>,
}

impl Reader {
    /// A reader that is pushed the bytes of a file from some place on.
    pub fn new(start: Start, limits: Limits) -> Self {
        let (content, framer): (_, Box<dyn Framing>) = match start.form {
            Form::Warc => (Content::Records, Box::new(Framer::new(limits))),
            Form::Arc if start.in_members => (Content::Members, Box::new(ArcFramer::new(limits))),
            Form::Arc => (Content::Anything, Box::new(ArcFramer::new(limits))),
        };
        Reader {
            form: start.form,
            in_members: start.in_members,
            members: Members::new(start.at, start.dictionary, content, limits),
            framer,
        }
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8], visit: &mut dyn FnMut(Event<'_>)) {
        let framer = &mut *self.framer;
        self.members.push(bytes, &mut Frame { framer, visit });
    }

    /// Takes the end of the file.
    pub fn finish(mut self, visit: &mut dyn FnMut(Event<'_>)) {
        let framer = &mut *self.framer;
        self.members.finish(&mut Frame { framer, visit });
        self.framer.edge(Edge::Over, visit);
    }

    /// Where a new reader would go on just as this one, if that is possible right here: no member, record or search is pending.
    pub fn between_members(&self) -> Option<Start> {
        let at = self.members.between().filter(|_| self.framer.is_idle())?;
        Some(Start {
            form: self.form,
            at,
            in_members: match self.members.is_at_start() {
                true => self.in_members,
                false => self.form == Form::Arc && !self.members.is_run(),
            },
            dictionary: self.members.dictionary().clone(),
        })
    }

    /// Zstd frames that could not be decoded so far: of those that need a dictionary that is lost, only the first one is told.
    pub fn undecoded_frames(&self) -> u64 {
        self.members.undecoded
    }

    /// Plain bytes that have become records or were skipped. Added to [`Place::plain`] of the next reader where the bytes are shared out
    /// among several.
    pub fn plain_offset(&self) -> u64 {
        self.framer.plain_offset()
    }
}

/// Hands what members hold to the framer.
struct Frame<'f, 'v> {
    framer: &'f mut (dyn Framing + 'f),
    visit: &'f mut Visit<'v>,
}

impl Sink for Frame<'_, '_> {
    fn begin(&mut self, at: u64) {
        self.framer.begin(at);
    }

    fn plain(&mut self, bytes: &[u8]) {
        self.framer.plain(bytes, self.visit);
    }

    fn end(&mut self, checked: bool) {
        self.framer.edge(Edge::End { checked }, self.visit);
    }

    fn broken(&mut self, at: u64, reason: Reason) {
        self.framer.broken(at, reason, self.visit);
    }

    fn damage(&mut self, at: u64, bytes: u64, reason: Reason) {
        let place = Place::of_member(at, self.framer.plain_offset());
        (self.visit)(Event::Damage(&Damage::new(reason, place, bytes)));
    }

    fn run(&mut self, at: u64, bytes: &[u8], whole: bool) -> Option<Vec<u8>> {
        self.framer.run(at, bytes, whole, self.visit)
    }

    fn in_blocks(&self) -> bool {
        self.framer.in_blocks()
    }
}
