//! Spans of plain files: lines that nobody has read yet, and that are read where they are worked on.

use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::exec::baton::Baton;
use crate::exec::file_id::FileId;
use crate::exec::regular_file;
use crate::read::compression::Stored;
use crate::read::line_buffers::LineBuffers;
use crate::record::StartAt;

/// A file that can be read from anywhere, and the buffers that its lines are read into.
pub(crate) struct PlainFile {
    file: File,
    id: FileId,
    bytes: u64,
    pub(crate) buffers: Arc<LineBuffers>,
}

impl PlainFile {
    /// The file of this name; none if it is no regular one, or the system does not tell which it is.
    pub(crate) fn open(path: &Path) -> Option<PlainFile> {
        // To open anything else may take something from it.
        if !fs::metadata(path).ok()?.is_file() {
            return None;
        }
        let file = regular_file::open(path).ok()?;
        let meta = file.metadata().ok()?;
        Some(PlainFile {
            id: FileId::of(&meta)?,
            file,
            bytes: meta.len(),
            buffers: Arc::default(),
        })
    }

    pub(crate) fn id(&self) -> FileId {
        self.id
    }

    /// Bytes that it had when it was opened.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Its bytes from this one on.
    pub(crate) fn from(&self, at: u64) -> impl Stored {
        From { file: &self.file, at }
    }
}

/// A file that is read from a byte on, wherever others have read to.
struct From<'f> {
    file: &'f File,
    at: u64,
}

impl Read for From<'_> {
    #[cfg(unix)]
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = std::os::unix::fs::FileExt::read_at(self.file, to, self.at)?;
        self.at += read as u64;
        Ok(read)
    }

    #[cfg(not(unix))]
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Stored for From<'_> {}

/// All lines that begin in a span of a plain file. Where the first of them begins, and how many lines come before it, is handed on by who
/// reads the span before it.
pub struct Span {
    pub(crate) file: Arc<PlainFile>,
    begins: Range<u64>,
    /// Bytes of a line that is read.
    pub(crate) most: usize,
    before: Arc<Baton<StartAt>>,
    after: Arc<Baton<StartAt>>,
}

impl Span {
    /// Handed on in the place of a start where nothing can be read any more.
    pub(crate) const NOWHERE: StartAt = StartAt {
        offset: u64::MAX,
        line: 0,
    };

    /// The lines that begin among these bytes of a file, and are no longer than `most`.
    pub(crate) fn new(
        file: &Arc<PlainFile>,
        begins: Range<u64>,
        most: usize,
        before: Arc<Baton<StartAt>>,
        after: &Arc<Baton<StartAt>>,
    ) -> Span {
        Span {
            file: Arc::clone(file),
            begins,
            most,
            before,
            after: Arc::clone(after),
        }
    }

    /// Bytes of the file that it stands for.
    pub(crate) fn len(&self) -> u64 {
        self.begins.end - self.begins.start
    }

    /// The byte before which its lines begin.
    pub(crate) fn until(&self) -> u64 {
        self.begins.end
    }

    /// Where its first line begins, once that is known; behind it if it has none. None if nobody will ever know.
    pub(crate) fn start(&self) -> Option<StartAt> {
        self.before.look()
    }

    /// Hands on where the first line behind it begins.
    pub(crate) fn pass(&self, end: StartAt) {
        self.after.pass(end);
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        // Nobody may wait for a thread that is gone.
        self.after.lose();
    }
}
