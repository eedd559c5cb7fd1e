//! Spans of plain files: lines that are read only where they are processed.

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

/// A file open for reading at any offset, with the buffers for its lines.
pub(crate) struct PlainFile {
    file: File,
    id: FileId,
    bytes: u64,
    pub(crate) buffers: Arc<LineBuffers>,
}

impl PlainFile {
    /// Opens a file. `None` if it is not a regular file, or if the system provides no file ID.
    pub(crate) fn open(path: &Path) -> Option<PlainFile> {
        // Checked before opening, because opening a pipe or device may have side effects.
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

    /// Returns the size of the file in bytes when it was opened.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns a reader that starts at this offset.
    pub(crate) fn from(&self, at: u64) -> impl Stored {
        ReaderAt { file: &self.file, at }
    }
}

/// A reader with its own position in a shared file.
struct ReaderAt<'f> {
    file: &'f File,
    at: u64,
}

impl Read for ReaderAt<'_> {
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

impl Stored for ReaderAt<'_> {}

/// The lines that begin in a byte range of a plain file.
///
/// The reader of the preceding span passes on where the first line begins, and how many lines precede it.
pub struct Span {
    pub(crate) file: Arc<PlainFile>,
    begins: Range<u64>,
    /// Maximum number of bytes of a line.
    pub(crate) most: usize,
    before: Arc<Baton<StartAt>>,
    after: Arc<Baton<StartAt>>,
}

impl Span {
    /// Passed on instead of a start if the rest of the file cannot be read.
    pub(crate) const NOWHERE: StartAt = StartAt {
        offset: u64::MAX,
        line: 0,
    };

    /// Creates the span of lines that begin in the range `begins`. Lines longer than `most` bytes are rejected.
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

    /// Returns the number of file bytes in the span.
    pub(crate) fn len(&self) -> u64 {
        self.begins.end - self.begins.start
    }

    /// Returns the offset before which its lines begin.
    pub(crate) fn until(&self) -> u64 {
        self.begins.end
    }

    /// Waits until the start of the first line is known and returns it. It lies after the span if no line
    /// begins in it. `None` if the start will never be known.
    pub(crate) fn start(&self) -> Option<StartAt> {
        // The value stays in its place, because the start is looked up more than once.
        self.before.look()
    }

    /// Passes on the start of the first line after this span.
    pub(crate) fn pass(&self, end: StartAt) {
        self.after.pass(end);
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        // The next span must not wait for a thread that has ended.
        self.after.lose();
    }
}
