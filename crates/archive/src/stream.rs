//! Compressed streams that hold no records: `.jsonl.gz`, `.xml.zst`.

use crate::damage::{Damage, Place, Reason};
use crate::limits::Limits;
use crate::members::dictionary::Dictionary;
use crate::members::{Content, Members, Sink};

/// What a stream tells, in the order of the file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum StreamEvent<'a> {
    /// A compressed member begins at this byte of the file: plain bytes that follow are of it.
    Member(u64),
    /// Plain bytes that continue those before.
    Plain(&'a [u8]),
    /// Something is wrong. Plain bytes after it do not continue those before.
    Damage(&'a Damage),
}

/// Inflates a file of gzip members or zstd frames, one or many, as its bytes arrive. A file that is neither is handed on as it is.
///
/// After damage it goes on with the next member that can be found. What is told does not depend on how the bytes are cut into pushes,
/// apart from the borders of the plain pieces.
///
/// ```
/// use dehusk_archive::{Limits, PlainStream, StreamEvent};
///
/// let mut stream = PlainStream::new(Limits::default());
/// let mut plain = Vec::new();
/// let mut visit = |event: StreamEvent<'_>| {
///     if let StreamEvent::Plain(bytes) = event {
///         plain.extend_from_slice(bytes);
///     }
/// };
/// stream.push(b"{\"a\": ", &mut visit);
/// stream.push(b"1}\n", &mut visit);
/// stream.finish(&mut visit);
/// assert_eq!(plain, b"{\"a\": 1}\n");
/// ```
pub struct PlainStream {
    members: Members,
    plain: u64,
}

impl PlainStream {
    /// A stream that is pushed a file from its beginning.
    pub fn new(limits: Limits) -> Self {
        PlainStream {
            members: Members::new(0, Dictionary::None, Content::Anything, limits),
            plain: 0,
        }
    }

    /// The same of a file that is surely compressed: where it does not begin like that, its beginning is damaged.
    pub fn packed(limits: Limits) -> Self {
        PlainStream {
            members: Members::new(0, Dictionary::None, Content::Packed, limits),
            plain: 0,
        }
    }

    /// Takes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8], visit: &mut dyn FnMut(StreamEvent<'_>)) {
        let plain = &mut self.plain;
        self.members.push(bytes, &mut Pass { plain, visit });
    }

    /// Takes the end of the file.
    pub fn finish(mut self, visit: &mut dyn FnMut(StreamEvent<'_>)) {
        let plain = &mut self.plain;
        self.members.finish(&mut Pass { plain, visit });
    }

    /// Whether the file is handed on as it is.
    pub fn is_plain(&self) -> bool {
        self.members.is_run()
    }
}

struct Pass<'p, 'v> {
    plain: &'p mut u64,
    visit: &'p mut (dyn FnMut(StreamEvent<'_>) + 'v),
}

impl Sink for Pass<'_, '_> {
    fn begin(&mut self, at: u64) {
        (self.visit)(StreamEvent::Member(at));
    }

    fn plain(&mut self, bytes: &[u8]) {
        *self.plain += bytes.len() as u64;
        (self.visit)(StreamEvent::Plain(bytes));
    }

    fn end(&mut self, _: bool) {}

    fn broken(&mut self, at: u64, reason: Reason) {
        self.damage(at, 0, reason);
    }

    fn damage(&mut self, at: u64, bytes: u64, reason: Reason) {
        let place = Place::of_member(at, *self.plain);
        (self.visit)(StreamEvent::Damage(&Damage::new(reason, place, bytes)));
    }

    fn run(&mut self, _: u64, bytes: &[u8], _: bool) -> Option<Vec<u8>> {
        if !bytes.is_empty() {
            self.plain(bytes);
        }
        None
    }

    fn in_blocks(&self) -> bool {
        true
    }
}
