//! Input formats: a format cuts files into chunks and reads the records of a chunk.
//!
//! Reading is split in two so that it scales. [`Format::open`] cuts a file into [`Chunk`]s; this is fast and runs on one thread at a time.
//! [`Format::pages`] and [`Format::documents`] read the records of a chunk; this is slow and runs on all threads.

use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dehusk_archive::Answer;

use crate::error::{Error, plain};
pub(crate) use crate::read::capture_rules::{Captures, Digests};
use crate::read::columns::Columns;
use crate::read::compression::Members;
use crate::read::entry::Entry;
use crate::read::files;
use crate::read::input_folder::InputFolder;
use crate::read::kept_stream::KeptStream;
use crate::read::line_buffers::LineBytes;
use crate::read::located::Located;
use crate::read::mirror::query_start;
use crate::read::named_files::NamedFiles;
use crate::read::piece::Piece;
use crate::read::rows::Rows;
use crate::read::span::Span;
pub use crate::record::StartAt;
use crate::record::mend::Mended;
use crate::record::{DocumentRecord, PageRecord, Reason, Rejection};

/// An input format.
pub trait Format: Sync {
    /// Returns the name as users type it.
    fn name(&self) -> &'static str;

    /// Returns a description of one line for help texts.
    fn summary(&self) -> &'static str;

    /// Returns the file extensions of the format, in lower case, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// Returns `true` if a file in a folder read in this format belongs to the format.
    fn takes(&self, path: &Path) -> bool {
        extension(path).is_some_and(|found| self.extensions().contains(&found.as_str()))
    }

    /// Returns `true` if content that begins with these bytes is certainly in this format, whatever its file name.
    fn begins(&self, first: &[u8]) -> bool {
        let _ = first;
        false
    }

    /// Returns `true` if files of this format are read even in folders read in another format.
    fn is_archive(&self) -> bool {
        false
    }

    /// Returns `true` if the records can be documents, not only pages.
    fn has_documents(&self) -> bool {
        false
    }

    /// Returns `true` if a file holds any number of records, not exactly one page.
    fn holds_many(&self) -> bool {
        self.has_documents()
    }

    /// Returns `true` if each record is a line. Such a record can be answered as soon as its line ends.
    fn is_lines(&self) -> bool {
        false
    }

    /// Checks before any work whether a file can be read as documents or as pages; `None` is standard
    /// input. Damage in the file is not an error here.
    ///
    /// # Errors
    /// If something required is missing, such as a column.
    fn check(&self, path: Option<&Path>, documents: bool, columns: &Columns) -> Result<(), Error> {
        let _ = (path, documents, columns);
        Ok(())
    }

    /// Starts to cut a file into chunks. Errors become chunks with [`Body::Rejected`].
    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks>;

    /// Starts in the middle of a file, at the place of a record. Returns `None` if the bytes before it would have to be read.
    fn open_at(&self, source: &Arc<Source>, bounds: &Bounds, at: StartAt) -> Option<Box<dyn Chunks>> {
        let _ = (source, bounds, at);
        None
    }

    /// Returns the first offset after `from` at which a part of the file may begin. `None` if the format
    /// cannot be read in parts, or has no start near.
    fn part_start(&self, source: &Source, from: u64) -> Option<u64> {
        let _ = (source, from);
        None
    }

    /// Starts to read a part of a file, which begins and ends at offsets of
    /// [`part_start`](Self::part_start), at the start or at the end of the file. Returns `None` if the
    /// format cannot be read in parts.
    fn open_part(&self, source: &Arc<Source>, bounds: &Bounds, part: Range<u64>) -> Option<Box<dyn Chunks>> {
        let _ = (source, bounds, part);
        None
    }

    /// Reads the pages of a chunk.
    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>));

    /// Visits the resources that pages of the archive may request, such as style sheets and images. Formats
    /// without resources visit nothing.
    fn assets(&self, chunk: &Chunk, visit: &mut dyn FnMut(Answer<'_>)) {
        let _ = (chunk, visit);
    }

    /// Visits the documents of a chunk. Formats without documents visit nothing.
    fn documents(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<DocumentRecord<'_>>)) {
        let _ = (chunk, visit);
    }
}

/// Result of reading one record.
pub enum Found<R> {
    /// A page or a document.
    Record(R),
    /// A record that is damaged or otherwise unusable.
    Rejected(Rejection),
    /// A valid record that is not wanted, such as a request in an archive, with the reason for skipping it.
    Skipped(&'static str),
}

impl<R> From<Result<R, Rejection>> for Found<R> {
    fn from(read: Result<R, Rejection>) -> Self {
        read.map_or_else(Found::Rejected, Found::Record)
    }
}

/// Iterator over the chunks of an open file.
pub trait Chunks: Send {
    /// Returns the next chunk, or `None` at the end of the file.
    fn next(&mut self) -> Option<Chunk>;
}

/// Chunks of a file that is read as one chunk.
pub(crate) struct WholeFile(Option<Chunk>);

impl WholeFile {
    /// Returns one rejected chunk for a file that cannot be opened.
    pub(crate) fn unreadable(source: &Arc<Source>, error: &io::Error) -> Self {
        let rejection = Rejection::new(Reason::Unreadable, plain(error));
        WholeFile::new(source, Body::Rejected(rejection))
    }

    /// Returns one chunk with this body.
    pub(crate) fn new(source: &Arc<Source>, body: Body) -> Self {
        WholeFile(Some(Chunk::new(source, 0, 1, body)))
    }
}

impl Chunks for WholeFile {
    fn next(&mut self) -> Option<Chunk> {
        self.0.take()
    }
}

/// Reads up to `most + 1` bytes. The extra byte shows that there are more.
pub(crate) fn read_up_to(from: impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A file or standard input.
pub struct Source {
    /// Name as given by the user, or found below a folder given by the user.
    pub name: String,
    /// Prefix for the IDs of records without an ID of their own: the name, shortened or empty if other inputs cannot be confused with it.
    pub label: String,
    /// Path of the file; `None` for standard input.
    pub path: Option<PathBuf>,
    /// Copy that is read instead, if the input is a stream that can be read only once.
    pub(crate) kept: Option<Arc<KeptStream>>,
    /// Format in which it is read.
    pub format: &'static dyn Format,
    /// The input folder that contains the file, if the user named a folder.
    pub(crate) folder: Option<Arc<InputFolder>>,
    /// Mapping of columns to fields.
    pub columns: Columns,
    /// Rules for the page files that its records may name.
    pub(crate) named_files: NamedFiles,
    /// `true` if each chunk holds one record, so that it can be answered before the next one is read.
    pub singly: bool,
}

impl Source {
    /// A file that is read by itself: outside of an input folder, with its own columns, and without rules for other files.
    pub(crate) fn of_file(path: PathBuf, format: &'static dyn Format) -> Source {
        Source {
            name: path.display().to_string(),
            label: String::new(),
            path: Some(path),
            kept: None,
            format,
            folder: None,
            columns: Columns::default(),
            named_files: NamedFiles::default(),
            singly: false,
        }
    }

    /// Returns `true` if the file name indicates compression.
    pub(crate) fn is_packed(&self) -> bool {
        let name = self.path.as_deref().and_then(Path::file_name);
        let name = name.map(|name| name.to_string_lossy().to_ascii_lowercase());
        name.is_some_and(|name| COMPRESSED.iter().chain(&[".tgz"]).any(|end| name.ends_with(end)))
    }

    /// Returns the folder to which paths in the records are relative; `None` is the current folder.
    pub(crate) fn page_folder(&self) -> Option<&Path> {
        self.named_files.folder(self.path.as_deref())
    }

    /// Opens the input for reading from its first byte.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(crate) fn stream(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(match (&self.kept, &self.path) {
            // A kept copy is read instead of the stream, which can be read only once.
            (Some(kept), _) => kept.open()?,
            (None, None) => Box::new(io::stdin()),
            (None, Some(path)) => files::open(path, 0)?,
        })
    }

    /// Opens the file at a byte offset. Returns `None` for standard input, kept streams and files that cannot be opened or seeked.
    pub(crate) fn file_from(&self, offset: u64) -> Option<Box<dyn Read + Send>> {
        let path = self.path.as_deref().filter(|_| self.kept.is_none())?;
        files::open(path, offset).ok()
    }

    /// Returns the ID of a record that has no other ID.
    pub(crate) fn ordinal(&self, line: u64) -> String {
        if self.label.is_empty() {
            line.to_string()
        } else {
            format!("{}:{line}", self.label)
        }
    }
}

/// Limits on memory and threads while reading, and how to read.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Bytes of a page that the extractor uses; the rest is cut.
    pub page_bytes: usize,
    /// `true` if compressed files may be decompressed on a separate thread.
    pub ahead: bool,
    /// `true` if lines of plain files may be returned unread, as [`Body::Span`].
    pub unread: bool,
    /// `true` if rows of tables keep every value without loss, for output to files with columns of the same types.
    pub exact: bool,
    /// Settings for captures in crawl archives.
    pub captures: Captures,
}

impl Bounds {
    /// No limit on page size, for files written by this crate.
    pub(crate) const NONE: Bounds = Bounds {
        page_bytes: usize::MAX / 4,
        ahead: false,
        unread: false,
        exact: false,
        captures: Captures {
            digests: Digests::Warn,
            texts: false,
        },
    };

    /// Returns the most bytes of a line with a page. This leaves room for base64 or escapes and for other fields.
    pub(crate) fn line_bytes(&self) -> usize {
        self.page_bytes.saturating_mul(2).saturating_add(1 << 20)
    }
}

/// Some consecutive records of a file, not yet parsed.
pub struct Chunk {
    /// The file that the chunk belongs to.
    pub source: Arc<Source>,
    /// Byte offset of the chunk: in the decompressed file, or for pieces of crawl archives in the file as
    /// stored. For rows, the number of the first row, from 0.
    pub offset: u64,
    /// Line number of the first record, from 1. Always 1 in formats without lines.
    pub line: u64,
    /// Content of the chunk.
    pub body: Body,
    /// Position of the chunk in the compressed file. `None` if the file is not compressed, or if the body keeps track of it.
    pub(crate) packed: Option<Packed>,
}

/// Position of a chunk in a compressed file.
pub(crate) struct Packed {
    /// Approximate number of compressed bytes of the chunk. They add up to the size of the file.
    pub(crate) bytes: u64,
    pub(crate) members: Members,
}

/// Content of a chunk.
pub enum Body {
    /// Whole lines.
    Lines {
        /// The lines, with line feeds.
        bytes: LineBytes,
        /// `true` if the file ends with this chunk and the last line has no line feed, so that it may be truncated.
        open_end: bool,
    },
    /// A span of whole lines whose bytes are not read yet; see [`Bounds::unread`].
    Span(Span),
    /// One whole page.
    Page(Vec<u8>),
    /// One page stored as a separate file.
    File,
    /// A piece of a crawl archive.
    Archive(Piece),
    /// Records of a crawl archive whose places an index gave.
    Located(Located),
    /// Entries of a tar archive.
    Entries {
        /// The entries, in the order of the archive.
        entries: Vec<Entry>,
        /// Number of bytes of the entries in the archive.
        bytes: u64,
    },
    /// Rows of a table.
    Rows(Box<dyn Rows>),
    /// An input that cannot be read.
    Rejected(Rejection),
}

impl Chunk {
    /// Creates a chunk without a position in a compressed file.
    pub(crate) fn new(source: &Arc<Source>, offset: u64, line: u64, body: Body) -> Self {
        Chunk {
            source: Arc::clone(source),
            offset,
            line,
            body,
            packed: None,
        }
    }

    /// Returns the place of a byte, given by its offset in the decompressed file.
    pub(crate) fn place(&self, plain: u64) -> Place<'static> {
        // Reading a compressed file can start only at a member, so its offset is the place. The plain
        // offset finds the record in it.
        match self.packed.as_ref().and_then(|packed| packed.members.at(plain)) {
            Some(member) => Place {
                plain: Some(plain),
                ..Place::at(member)
            },
            None => Place::at(plain),
        }
    }

    /// Returns the number of input bytes that the chunk covers.
    pub(crate) fn len(&self) -> u64 {
        // Compressed bytes add up to the size of the file, decompressed ones would not.
        if let Some(packed) = &self.packed {
            return packed.bytes;
        }
        match &self.body {
            Body::Lines { bytes, .. } => bytes.len() as u64,
            Body::Span(span) => span.len(),
            Body::Page(bytes) => bytes.len() as u64,
            Body::Archive(piece) => piece.len(),
            Body::Located(located) => located.len(),
            Body::Entries { bytes, .. } => *bytes,
            Body::Rows(rows) => rows.bytes(),
            Body::File | Body::Rejected(_) => 0,
        }
    }
}

/// Position of a record in its file.
#[derive(Clone, Copy, Debug)]
pub struct Place<'c> {
    /// Byte offset of the record, in the compressed file if there is one. For rows of a table, the row number from 0.
    pub offset: u64,
    /// Line or row number, from 1. `None` in formats without lines or rows.
    pub line: Option<u64>,
    /// The line of the record as in the file, except for repairs that make it UTF-8 and JSON. Empty in formats without lines.
    pub raw: &'c [u8],
    /// Repairs applied to the line.
    pub(crate) mended: Mended,
    /// Bit set of the [columns](Columns) present in the record.
    pub(crate) columns: u16,
    /// Byte offset in the decompressed file, for archives.
    pub plain: Option<u64>,
    /// Value of `WARC-Record-ID`.
    pub record: Option<&'c str>,
    /// Path of the entry, for archives of files.
    pub entry: Option<&'c str>,
    /// Address of a record that is a resource of pages, not a page.
    pub asset: Option<&'c str>,
}

impl Place<'_> {
    /// Creates a place with nothing but an offset.
    pub(crate) fn at(offset: u64) -> Self {
        Place {
            offset,
            line: None,
            raw: &[],
            mended: Mended::default(),
            columns: 0,
            plain: None,
            record: None,
            entry: None,
            asset: None,
        }
    }
}

/// Extensions that indicate compression. They follow the extension of the format.
const COMPRESSED: &[&str] = &[".gz", ".zst"];

/// Returns `true` if the file name indicates compression.
pub(crate) fn is_compressed(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    COMPRESSED.iter().any(|end| name.ends_with(end))
}

/// Returns the extension in lower case, without an extension of compression.
///
/// A query that mirroring tools append to the name is ignored: `page.html?id=3`, `page.html@id=3`.
pub(crate) fn extension(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    let query = query_start(name.as_bytes())
        .into_iter()
        .chain(name.find('#'))
        .min();
    let name = &name[..query.unwrap_or(name.len())];
    let plain = COMPRESSED.iter().find_map(|end| {
        let at = name.len().checked_sub(end.len())?;
        let found = name.get(at..)?;
        found.eq_ignore_ascii_case(end).then(|| &name[..at])
    });
    let (stem, extension) = plain.unwrap_or(name).rsplit_once('.')?;
    // `.html` is a hidden file without an extension.
    if stem.is_empty() {
        None
    } else {
        Some(extension.to_ascii_lowercase())
    }
}
