//! Decompression of files that hold no records, such as `.jsonl.gz` and `.xml.zst`.

use crate::damage::{Damage, Place, Reason};
use crate::limits::{Allowance, Limits};
use crate::members::dictionary::Dictionary;
use crate::members::{Content, Members, Sink};

/// An event of a [`PlainStream`], in the order of the file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum StreamEvent<'a> {
    /// A compressed member begins at this offset of the file. The plain bytes that follow belong to it.
    Member(u64),
    /// Plain bytes that continue the previous plain bytes.
    Plain(&'a [u8]),
    /// Damaged input. Plain bytes after this event do not continue the previous ones.
    Damage(&'a Damage),
}

/// Decompresses a file of one or more gzip members or zstd frames as its bytes arrive. Other files are
/// passed through unchanged.
///
/// After damage, decompression resumes at the next member that can be found. Events are independent of how
/// the bytes are split into pushes, except for where `Plain` pieces are cut.
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
    /// Creates a stream for a file that is pushed from its beginning.
    pub fn new(limits: Limits) -> Self {
        PlainStream {
            members: Members::new(0, Dictionary::None, Content::Anything, limits)
                .with_allowance(Allowance::STREAM),
            plain: 0,
        }
    }

    /// Creates a stream for a file that is known to be compressed. A beginning that is not a member is
    /// reported as damage.
    pub fn packed(limits: Limits) -> Self {
        PlainStream {
            members: Members::new(0, Dictionary::None, Content::Packed, limits)
                .with_allowance(Allowance::STREAM),
            plain: 0,
        }
    }

    /// Pushes the next bytes of the file.
    pub fn push(&mut self, bytes: &[u8], visit: &mut dyn FnMut(StreamEvent<'_>)) {
        let plain = &mut self.plain;
        self.members.push(bytes, &mut Pass { plain, visit });
    }

    /// Signals the end of the file.
    pub fn finish(mut self, visit: &mut dyn FnMut(StreamEvent<'_>)) {
        let plain = &mut self.plain;
        self.members.finish(&mut Pass { plain, visit });
    }

    /// Returns `true` if the file is not compressed and is passed through unchanged.
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
        // An empty piece carries no bytes and would be an event without content.
        if !bytes.is_empty() {
            self.plain(bytes);
        }
        None
    }

    fn in_blocks(&self) -> bool {
        true
    }
}
