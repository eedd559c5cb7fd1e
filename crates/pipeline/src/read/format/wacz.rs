//! WACZ: zip files with WARC archives, as written by browser-based crawlers.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use dehusk_archive::{Answer, Form};
use flate2::read::DeflateDecoder;
use zip::{CompressionMethod, ZipArchive};

use crate::read::captures;
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Found, Place, Source, WholeFile, extension};
use crate::read::files::{self, RandomAccess};
use crate::read::named_files::NamedFiles;
use crate::record::{PageRecord, Reason, Rejection};

/// WACZ 1.0 and 1.1. The WARC archives in the zip file, stored or deflated, are read in the order of their names.
///
/// Offsets of records are relative to the inner archive, whose name is appended to that of the file. Page
/// lists and indexes in the file are not needed and not read.
pub struct Wacz;

/// Beginnings of the first name in zip files that are WACZ files.
const FIRST_NAMES: &[&[u8]] = &[
    b"archive/",
    b"datapackage.json",
    b"datapackage-digest.json",
    b"pages/",
    b"indexes/",
    b"logs/",
];

impl Format for Wacz {
    fn name(&self) -> &'static str {
        "wacz"
    }

    fn summary(&self) -> &'static str {
        "WACZ files of crawlers in browsers: the WARC archives in them"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["wacz"]
    }

    fn begins(&self, first: &[u8]) -> bool {
        // The name follows the local header of 30 bytes, which begins with 4 bytes of magic.
        let name = first.strip_prefix(b"PK\x03\x04").and_then(|head| head.get(26..));
        name.is_some_and(|name| FIRST_NAMES.iter().any(|known| name.starts_with(known)))
    }

    fn is_archive(&self) -> bool {
        true
    }

    fn holds_many(&self) -> bool {
        true
    }

    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks> {
        let path = source.path.as_deref().filter(|_| source.kept.is_none());
        let Some(path) = path else {
            let message = "a WACZ file is read from its end: write it to a file first, and name that";
            return rejected(source, Reason::Unreadable, message.to_owned());
        };
        match inner_archives(path) {
            Ok(list) if list.is_empty() => {
                let message = "it is a zip file without archives in a folder `archive`";
                rejected(source, Reason::BadArchive, message.to_owned())
            }
            Ok(list) => Box::new(Archives {
                source: Arc::clone(source),
                bounds: *bounds,
                left: list.into(),
                current: None,
            }),
            Err(error) => {
                let message = format!("its list of files, at its end, cannot be read: {error}");
                rejected(source, Reason::BadArchive, message)
            }
        }
    }

    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
        // Offsets are relative to the inner archive, so resources could not be found again in the file.
        captures::pages(chunk, &mut |place, found| {
            visit(Place { asset: None, ..place }, found);
        });
    }

    fn assets(&self, chunk: &Chunk, visit: &mut dyn FnMut(Answer<'_>)) {
        captures::assets(chunk, visit);
    }
}

/// Returns one chunk with a rejection.
fn rejected(source: &Arc<Source>, reason: Reason, message: String) -> Box<dyn Chunks> {
    let body = Body::Rejected(Rejection::new(reason, message));
    Box::new(WholeFile::new(source, body))
}

/// An archive inside the zip file.
struct Inner {
    name: String,
    form: Form,
    /// Offset of its bytes in the file.
    start: u64,
    bytes: u64,
    /// `true` if the bytes are deflated; `None` if they are encrypted or compressed by another method.
    deflated: Option<bool>,
}

/// Returns the archives in a zip file, sorted by name.
fn inner_archives(path: &Path) -> Result<Vec<Inner>, zip::result::ZipError> {
    let file = RandomAccess::open(path)?.ok_or_else(|| io::Error::from(io::ErrorKind::NotSeekable))?;
    let mut file = BufReader::new(file.reader()?);
    let mut zip = ZipArchive::new(&mut file)?;
    let mut list = Vec::new();
    for number in 0..zip.len() {
        let entry = zip.by_index_raw(number)?;
        let name = entry.name().to_owned();
        let form = match extension(Path::new(&name)).as_deref() {
            Some("warc") => Form::Warc,
            Some("arc") => Form::Arc,
            _ => continue,
        };
        let Some(start) = entry.data_start() else { continue };
        list.push(Inner {
            name,
            form,
            start,
            bytes: entry.compressed_size(),
            deflated: match entry.compression() {
                _ if entry.encrypted() => None,
                CompressionMethod::Stored => Some(false),
                method if method == CompressionMethod::DEFLATE => Some(true),
                _ => None,
            },
        });
    }
    // Writers differ in their order. Sorting by name gives the order in which a folder with the same files is read.
    list.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(list)
}

/// Chunks of all archives in a file.
struct Archives {
    source: Arc<Source>,
    bounds: Bounds,
    left: VecDeque<Inner>,
    current: Option<Box<dyn Chunks>>,
}

impl Archives {
    /// Starts to cut an archive into pieces.
    fn open(&self, inner: &Inner) -> Box<dyn Chunks> {
        let source = Arc::new(named(&self.source, &inner.name));
        let Some(deflated) = inner.deflated else {
            let message = "it is encrypted, or compressed neither by deflate nor not at all; pack it again";
            return rejected(&source, Reason::Compressed, message.to_owned());
        };
        let open = || -> io::Result<_> {
            let path = source.path.as_deref().unwrap_or(Path::new(""));
            Ok(files::open(path, inner.start)?.take(inner.bytes))
        };
        match open() {
            Ok(from) if deflated => {
                let from = DeflateDecoder::new(from);
                Box::new(captures::cut(&source, inner.form, &self.bounds, from, 0))
            }
            Ok(from) => Box::new(captures::cut(&source, inner.form, &self.bounds, from, 0)),
            Err(error) => Box::new(WholeFile::unreadable(&source, &error)),
        }
    }
}

/// Returns the inner archive as a source. Messages name it with the file; IDs omit the file if it is the only input.
fn named(of: &Source, name: &str) -> Source {
    let label = match of.label.is_empty() {
        true => name.to_owned(),
        false => format!("{}/{name}", of.label),
    };
    Source {
        name: format!("{}/{name}", of.name),
        label,
        path: of.path.clone(),
        kept: None,
        format: of.format,
        folder: of.folder.clone(),
        columns: of.columns.clone(),
        named_files: NamedFiles::default(),
        singly: false,
    }
}

impl Chunks for Archives {
    fn next(&mut self) -> Option<Chunk> {
        loop {
            if let Some(chunk) = self.current.as_mut().and_then(|current| current.next()) {
                return Some(chunk);
            }
            let inner = self.left.pop_front()?;
            self.current = Some(self.open(&inner));
        }
    }
}
