//! What an input format is: it cuts files into chunks, and reads the records of a chunk.
//!
//! Reading is split in two, so that it scales: [`Format::open`] cuts a file into [`Chunk`]s, which is quick and happens on
//! one thread at a time, and [`Format::pages`] or [`Format::documents`] reads the records of a chunk, which is the slow
//! part and happens on every thread.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dehusk_archive::Answer;

use crate::error::{Error, plain};
pub(crate) use crate::read::capture_rules::{Captures, Digests};
use crate::read::columns::Columns;
use crate::read::compression::Members;
use crate::read::entry::Entry;
use crate::read::input_folder::InputFolder;
use crate::read::kept_stream::KeptStream;
use crate::read::line_buffers::LineBytes;
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
    /// Name as users type it.
    fn name(&self) -> &'static str;

    /// One line for help texts.
    fn summary(&self) -> &'static str;

    /// Extensions of its files, in lower case, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether a file found in a folder that is read in this format belongs to it.
    fn takes(&self, path: &Path) -> bool {
        extension(path).is_some_and(|found| self.extensions().contains(&found.as_str()))
    }

    /// Whether content that begins with these bytes is surely of it, whatever its name is.
    fn begins(&self, first: &[u8]) -> bool {
        let _ = first;
        false
    }

    /// Whether its files are read in folders of files of another format, too.
    fn is_archive(&self) -> bool {
        false
    }

    /// Whether its records can be documents, and not only pages.
    fn has_documents(&self) -> bool {
        false
    }

    /// Whether a file holds any number of records, and not one page.
    fn holds_many(&self) -> bool {
        self.has_documents()
    }

    /// Whether each record is a line, so that it can be answered as soon as the line has ended.
    fn is_lines(&self) -> bool {
        false
    }

    /// Checks before any work whether a file, or standard input, can be read as documents or as pages. Damage is no matter here.
    ///
    /// # Errors
    /// What is missing.
    fn check(&self, path: Option<&Path>, documents: bool, columns: &Columns) -> Result<(), Error> {
        let _ = (path, documents, columns);
        Ok(())
    }

    /// Starts to cut a file into chunks. Whatever goes wrong becomes a chunk that says so.
    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks>;

    /// Starts in the middle of a file, at the place of a record, if that can be done without reading what comes before.
    fn open_at(&self, source: &Arc<Source>, bounds: &Bounds, at: StartAt) -> Option<Box<dyn Chunks>> {
        let _ = (source, bounds, at);
        None
    }

    /// Reads the pages of a chunk.
    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>));

    /// Reads what pages of the archive may ask for, such as style sheets and images; nothing if the format has none.
    fn assets(&self, chunk: &Chunk, visit: &mut dyn FnMut(Answer<'_>)) {
        let _ = (chunk, visit);
    }

    /// Reads the documents of a chunk; none if the format has none.
    fn documents(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<DocumentRecord<'_>>)) {
        let _ = (chunk, visit);
    }
}

/// What stands in a place of a file.
pub enum Found<R> {
    /// A page or a document.
    Record(R),
    /// A record that cannot be used.
    Rejected(Rejection),
    /// A sound record of another kind than is read, such as a request in an archive; why it is passed over.
    Skipped(&'static str),
}

impl<R> From<Result<R, Rejection>> for Found<R> {
    fn from(read: Result<R, Rejection>) -> Self {
        read.map_or_else(Found::Rejected, Found::Record)
    }
}

/// A file that is being cut into chunks.
pub trait Chunks: Send {
    /// The next chunk; `None` at the end of the file.
    fn next(&mut self) -> Option<Chunk>;
}

/// The chunks of a file that is cut nowhere.
pub(crate) struct WholeFile(Option<Chunk>);

impl WholeFile {
    /// A file that cannot be opened.
    pub(crate) fn unreadable(source: &Arc<Source>, error: &io::Error) -> Self {
        let rejection = Rejection::new(Reason::Unreadable, plain(error));
        WholeFile::new(source, Body::Rejected(rejection))
    }

    /// A file that has this in it.
    pub(crate) fn new(source: &Arc<Source>, body: Body) -> Self {
        WholeFile(Some(Chunk::new(source, 0, 1, body)))
    }
}

impl Chunks for WholeFile {
    fn next(&mut self) -> Option<Chunk> {
        self.0.take()
    }
}

/// Reads up to `most` bytes, and one more, so that it is noticed if there are more.
pub(crate) fn read_up_to(from: impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// One file, or standard input.
pub struct Source {
    /// Name as the user gave it, or found below a folder the user gave.
    pub name: String,
    /// Name for the ids of records that bring none: the same, but short where no other input needs telling apart.
    pub label: String,
    /// Where it is; `None` is standard input.
    pub path: Option<PathBuf>,
    /// The copy that is read in its place, if it is a stream that can be read once only.
    pub(crate) kept: Option<Arc<KeptStream>>,
    /// How to read it.
    pub format: &'static dyn Format,
    /// The folder that was named as input, if it lies in one.
    pub(crate) folder: Option<Arc<InputFolder>>,
    /// Which of its columns are read as which fields.
    pub columns: Columns,
    /// Files that its records may name as their pages.
    pub(crate) named_files: NamedFiles,
    /// Whether records come one to a chunk, so that each can be answered before the next is read.
    pub singly: bool,
}

impl Source {
    /// Whether its name says that it is compressed.
    pub(crate) fn is_packed(&self) -> bool {
        let name = self.path.as_deref().and_then(Path::file_name);
        let name = name.map(|name| name.to_string_lossy().to_ascii_lowercase());
        name.is_some_and(|name| COMPRESSED.iter().chain(&[".tgz"]).any(|end| name.ends_with(end)))
    }

    /// The folder that paths in its records are relative to; `None` is the current one.
    pub(crate) fn page_folder(&self) -> Option<&Path> {
        self.named_files.folder(self.path.as_deref())
    }

    /// Its bytes, from the first one on.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(crate) fn stream(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(match (&self.kept, &self.path) {
            (Some(kept), _) => kept.open()?,
            (None, None) => Box::new(io::stdin()),
            (None, Some(path)) => Box::new(File::open(path)?),
        })
    }

    /// The file from a byte on; none if it is no file that can be read from anywhere.
    pub(crate) fn file_from(&self, offset: u64) -> Option<File> {
        let path = self.path.as_deref().filter(|_| self.kept.is_none())?;
        let mut file = File::open(path).ok()?;
        file.seek(SeekFrom::Start(offset)).ok()?;
        Some(file)
    }

    /// The id of a record that brings none.
    pub(crate) fn ordinal(&self, line: u64) -> String {
        if self.label.is_empty() {
            line.to_string()
        } else {
            format!("{}:{line}", self.label)
        }
    }
}

/// Bounds on what is read into memory at once, and on threads.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Bytes of a page that are of use; the extractor cuts the rest.
    pub page_bytes: usize,
    /// Whether compressed files may be inflated on a thread of their own.
    pub ahead: bool,
    /// Whether the lines of plain files may come unread.
    pub unread: bool,
    /// Whether rows of tables come in a form in which no value is lost, for files that have columns of the same types.
    pub exact: bool,
    /// How captures in archives of crawls are read.
    pub captures: Captures,
}

impl Bounds {
    /// None on pages, for files of our own.
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

    /// Bytes of a line that may hold a page: room for base64 or for escapes, and for other fields.
    pub(crate) fn line_bytes(&self) -> usize {
        self.page_bytes.saturating_mul(2).saturating_add(1 << 20)
    }
}

/// Some records of a file, unread.
pub struct Chunk {
    /// The file.
    pub source: Arc<Source>,
    /// Byte at which the chunk begins, in what the file inflates to; of rows, the number of the first, from 0.
    pub offset: u64,
    /// Line at which it begins, from 1; 1 in formats without lines.
    pub line: u64,
    /// The records.
    pub body: Body,
    /// What is known of its bytes where they are stored, if they are compressed there.
    pub(crate) packed: Option<Packed>,
}

/// How the bytes of a chunk are stored.
pub(crate) struct Packed {
    /// Compressed bytes that it stands for, about: those of all chunks are those of the file.
    pub(crate) bytes: u64,
    pub(crate) members: Members,
}

/// What a chunk holds.
pub enum Body {
    /// Whole lines.
    Lines {
        /// The lines with their line feeds.
        bytes: LineBytes,
        /// Whether the file ends with this chunk and its last line has no line feed: it may have been cut off.
        open_end: bool,
    },
    /// Whole lines that nobody has read yet, in a format of lines; see [`Bounds::unread`].
    Span(Span),
    /// One whole page.
    Page(Vec<u8>),
    /// One page that is a file of its own.
    File,
    /// A piece of an archive.
    Archive(Piece),
    /// Entries of a tar archive.
    Entries {
        /// The entries, in their order.
        entries: Vec<Entry>,
        /// Bytes that they take in the archive.
        bytes: u64,
    },
    /// Rows of a table.
    Rows(Box<dyn Rows>),
    /// A record that cannot even be read.
    Rejected(Rejection),
}

impl Chunk {
    /// A chunk of a file whose bytes are stored as they are, or that tells itself how they are.
    pub(crate) fn new(source: &Arc<Source>, offset: u64, line: u64, body: Body) -> Self {
        Chunk {
            source: Arc::clone(source),
            offset,
            line,
            body,
            packed: None,
        }
    }

    /// The place of a plain byte of the file.
    pub(crate) fn place(&self, plain: u64) -> Place<'static> {
        match self.packed.as_ref().and_then(|packed| packed.members.at(plain)) {
            Some(member) => Place {
                plain: Some(plain),
                ..Place::at(member)
            },
            None => Place::at(plain),
        }
    }

    /// Bytes of input that it stands for.
    pub(crate) fn len(&self) -> u64 {
        if let Some(packed) = &self.packed {
            return packed.bytes;
        }
        match &self.body {
            Body::Lines { bytes, .. } => bytes.len() as u64,
            Body::Span(span) => span.len(),
            Body::Page(bytes) => bytes.len() as u64,
            Body::Archive(piece) => piece.len(),
            Body::Entries { bytes, .. } => *bytes,
            Body::Rows(rows) => rows.bytes(),
            Body::File | Body::Rejected(_) => 0,
        }
    }
}

/// Where a record stands.
#[derive(Clone, Copy, Debug)]
pub struct Place<'c> {
    /// Byte at which it begins; of a row of a table, its number, from 0.
    pub offset: u64,
    /// Its line, from 1, in formats with lines or rows.
    pub line: Option<u64>,
    /// Its line, in formats with lines: as it stands in the file, but for what was mended so that it is UTF-8 and JSON.
    pub raw: &'c [u8],
    /// What was mended in it.
    pub(crate) mended: Mended,
    /// Which [columns](Columns) it has, by bits.
    pub(crate) columns: u16,
    /// Byte at which it begins in what the file inflates to, in archives.
    pub plain: Option<u64>,
    /// `WARC-Record-ID`.
    pub record: Option<&'c str>,
    /// Path in its archive, in archives of files.
    pub entry: Option<&'c str>,
    /// Address of a record that is no page, but that pages may ask for.
    pub asset: Option<&'c str>,
}

impl Place<'_> {
    /// A place of which nothing is known but its offset.
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

/// Extensions of compressed files, which stand behind that of their format.
const COMPRESSED: &[&str] = &[".gz", ".zst"];

/// Whether the name of a file says that it is compressed.
pub(crate) fn is_compressed(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    COMPRESSED.iter().any(|end| name.ends_with(end))
}

/// The extension in lower case, before that of compression. A query does not count, which mirroring tools append to the name:
/// `page.html?id=3`, `page.html@id=3`.
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
    if stem.is_empty() {
        None
    } else {
        Some(extension.to_ascii_lowercase())
    }
}
