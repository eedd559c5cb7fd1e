//! The reader of WARC and ARC files.

use crate::arc::ArcFramer;
use crate::damage::{Damage, Place, Reason};
use crate::limits::Limits;
use crate::members::dictionary::Dictionary;
use crate::members::{Content, Members, Sink};
use crate::warc::Event;
use crate::warc::framer::Framer;
use crate::warc::framing::{Edge, Framing, Visit};

/// File format of an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Form {
    /// WARC 0.17 to 1.1 (ISO 28500).
    #[default]
    Warc,
    /// ARC 1.0, 1.1 and 2.0. Lines of 2.0 have more fields.
    Arc,
}

/// A starting point of a reader: an offset between members, and the state carried over from the bytes before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    form: Form,
    at: u64,
    /// `true` if compressed members of an ARC file precede this offset. Then only members can follow.
    in_members: bool,
    dictionary: Dictionary,
}

impl Start {
    /// Starts at an offset of a WARC file, without a dictionary.
    pub fn at(offset: u64) -> Self {
        Start::of(Form::Warc, offset)
    }

    /// Starts at an offset of a file of this format, without a dictionary.
    pub fn of(form: Form, offset: u64) -> Self {
        Start {
            form,
            at: offset,
            in_members: false,
            dictionary: Dictionary::None,
        }
    }

    /// Returns a start at another offset of the same file, with the same dictionary.
    pub fn moved_to(&self, offset: u64) -> Self {
        Start {
            at: offset,
            ..self.clone()
        }
    }

    /// Returns the offset in the file, in bytes.
    pub fn offset(&self) -> u64 {
        self.at
    }
}

/// Reads the records of a WARC or ARC file, plain or compressed, as its bytes arrive.
///
/// Records of ARC files get the header that WARC would give them: `WARC-Type`, `WARC-Target-URI`,
/// `WARC-IP-Address`, `WARC-Date`, `Content-Type` (of the page, not of the HTTP message) and
/// `Content-Length`.
///
/// Events are independent of how the bytes are split into pushes. A reader can be moved between threads at
/// any time. To read one file in parallel, a thread may start a new reader in the middle of the file; its
/// records are valid if [`between_members`](Self::between_members) of the preceding reader returns that
/// start.
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
    /// Creates a reader for the bytes from `start` on.
    pub fn new(start: Start, limits: Limits) -> Self {
        // WARC records are recognized by their first bytes, so members and uncompressed records may be
        // mixed. An ARC file is either plain or compressed.
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

    /// Pushes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8], visit: &mut dyn FnMut(Event<'_>)) {
        let framer = &mut *self.framer;
        self.members.push(bytes, &mut Frame { framer, visit });
    }

    /// Signals the end of the file.
    pub fn finish(mut self, visit: &mut dyn FnMut(Event<'_>)) {
        let framer = &mut *self.framer;
        self.members.finish(&mut Frame { framer, visit });
        // The members come first: their last bytes may still complete a record.
        self.framer.edge(Edge::Over, visit);
    }

    /// Returns the start from which a new reader would continue exactly like this one. `None` if a member,
    /// record or search is unfinished.
    pub fn between_members(&self) -> Option<Start> {
        // The bytes before this offset must be settled for good: no member, record or search may reach back
        // into them.
        let at = self.members.between().filter(|_| self.framer.is_idle())?;
        Some(Start {
            form: self.form,
            at,
            in_members: match self.members.is_at_start() {
                // Before the first byte nothing has been learned. After it, an ARC file that is not an
                // uncompressed run has members.
                true => self.in_members,
                false => self.form == Form::Arc && !self.members.is_run(),
            },
            dictionary: self.members.dictionary().clone(),
        })
    }

    /// Returns the number of zstd frames that could not be decoded. Frames that lack their dictionary are
    /// reported only once, but all are counted.
    pub fn undecoded_frames(&self) -> u64 {
        self.members.undecoded
    }

    /// Returns the number of plain bytes consumed: those of records and those skipped between records. If
    /// several readers share a file, add the sum of the preceding ones to [`Place::plain`].
    pub fn plain_offset(&self) -> u64 {
        self.framer.plain_offset()
    }
}

/// Passes the content of members to the framer.
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
