//! One input as the user named it: a file, a folder or standard input, checked at once.

use std::fs;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::Error;
use crate::read::chunk::{Format, extension};
use crate::read::compression;
use crate::read::format;
use crate::read::input_folder::InputFolder;
use crate::read::kept_stream::KeptStream;
use crate::read::kinds;
use crate::record::header::MARKER;

/// The kind of records that a run reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordKind {
    /// Pages to extract.
    Pages,
    /// Documents to compare.
    Documents,
}

/// One input: a file, a folder, or standard input.
#[derive(Clone)]
pub(super) struct Input {
    /// As the user typed it.
    pub(super) name: String,
    /// `None` is standard input.
    pub(super) path: Option<PathBuf>,
    pub(super) folder: bool,
    /// What it is called, if it is a folder.
    pub(super) called: Option<Arc<InputFolder>>,
    /// Whether it can be read a second time; a pipe cannot, unless it is kept.
    pub(super) rereadable: bool,
    /// The copy that is read in the place of a pipe.
    pub(super) kept: Option<Arc<KeptStream>>,
    pub(super) bytes: u64,
    pub(super) format: &'static dyn Format,
    /// Whether the user named the format.
    pub(super) given: bool,
    /// Whether all files of the folder are looked into.
    pub(super) all: bool,
}

impl Input {
    /// How a file below the folder is read, or why it is passed over: in the format of the folder, or as an archive if no format was named.
    /// Files whose names say nothing are known by their first bytes, as servers give pages any extension, and tools that mirror sites keep
    /// it. The file is opened for that only if its name does not decide.
    pub(super) fn format_in_folder(&self, path: &Path) -> Result<&'static dyn Format, &'static str> {
        if self.format.takes(path) {
            return Ok(self.format);
        }
        let found = extension(path);
        let named = format::by_extension(path).filter(|_| !self.given);
        let reads_pages = self.format.name() == format::Html.name();
        let is_of_use = |format: &&dyn Format| format.is_archive() && (reads_pages || format.has_documents());
        if let Some(archive) = named.filter(|format| is_of_use(format)) {
            return Ok(archive);
        }
        let says_other = named.is_some() || found.is_some_and(|found| kinds::is_other_extension(&found));
        if !reads_pages || says_other && !self.all {
            return Err(OTHER_EXTENSION);
        }
        let first = compression::first_bytes(&first_of(fs::File::open(path)));
        let archive = format::by_first_bytes(&first).filter(|format| !self.given && format.is_archive());
        let page = || kinds::is_page(&first).then_some(self.format);
        archive.or_else(page).ok_or(OTHER_CONTENT)
    }
}

/// Why files of folders are passed over: by their names, and by their first bytes.
const OTHER_EXTENSION: &str = "other-extension";
const OTHER_CONTENT: &str = "other-content";

/// Whether a name is an address on another machine, and not that of a file.
fn is_remote(name: &str) -> bool {
    name.split_once("://").is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// Looks at an input: it must exist and be readable. With a copy in `kept`, that is read in its place.
pub(super) fn open_one(
    name: &str,
    format: Option<&'static dyn Format>,
    kind: RecordKind,
    kept: Option<&Arc<KeptStream>>,
) -> Result<Input, Error> {
    let usual: &'static dyn Format = match kind {
        RecordKind::Pages => &format::Html,
        RecordKind::Documents => &format::Jsonl,
    };
    // What can be read twice is no stream any more.
    let rereadable = || fs::metadata(name).is_ok_and(|meta| meta.is_dir() || meta.is_file());
    let kept = kept.filter(|_| name == "-" || !rereadable());
    if name == "-" || kept.is_some() {
        // Whoever waits for an answer has sent something before.
        let first = || match kept {
            Some(kept) => format::by_first_bytes(&first_of(kept.open())),
            None => format::by_first_bytes(io::stdin().lock().fill_buf().unwrap_or_default()),
        };
        let given = format.is_some();
        let told = match name {
            "-" => format.or_else(first),
            _ => format,
        };
        return checked(
            Input {
                name: name.to_owned(),
                path: (name != "-").then(|| PathBuf::from(name)),
                folder: false,
                called: None,
                rereadable: kept.is_some(),
                kept: kept.cloned(),
                bytes: kept.map_or(0, |kept| kept.bytes),
                format: told.unwrap_or(usual),
                given,
                all: false,
            },
            kind,
        );
    }
    let path = PathBuf::from(name);
    let meta = fs::metadata(&path).map_err(|error| match is_remote(name) {
        true => Error::usage(format!(
            "`{name}` is an address on another machine, and inputs are files"
        ))
        .with_path(&path)
        .with_help("fetch it first, or pipe it in, as by `curl -s ADDRESS | dehusk extract -`"),
        false => Error::input(&path, error),
    })?;
    let given = format.is_some();
    let format = match format {
        Some(format) => format,
        None if meta.is_file() => format_of(&path).unwrap_or(usual),
        None => usual,
    };
    let opened = if meta.is_dir() {
        fs::read_dir(&path).map(drop)
    } else if meta.is_file() {
        fs::File::open(&path).map(drop)
    } else {
        Ok(()) // a pipe: to open it twice would lose what is in it
    };
    opened.map_err(|e| Error::input(&path, e))?;
    if meta.is_dir() && path.join(MARKER).exists() {
        let message = format!("`{name}` is an output folder of dehusk, not an input");
        let help = "name a file in it: documents.jsonl or kept.jsonl";
        return Err(Error::usage(message).with_path(&path).with_help(help));
    }
    let (name, folder, rereadable) = (name.to_owned(), meta.is_dir(), meta.is_dir() || meta.is_file());
    checked(
        Input {
            name,
            called: folder.then(|| Arc::new(InputFolder::new(&path))),
            path: Some(path),
            folder,
            rereadable,
            kept: None,
            bytes: meta.len(),
            format,
            given,
            all: false,
        },
        kind,
    )
}

/// The format of a file by its extension, else by its first bytes.
fn format_of(path: &Path) -> Option<&'static dyn Format> {
    let first = || format::by_first_bytes(&first_of(fs::File::open(path)));
    format::by_extension(path).or_else(first)
}

/// The first bytes of a file; of one that cannot be read none, since that is told when it is opened.
fn first_of(file: io::Result<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What was read before an error tells the format, too.
    let _ = file.and_then(|mut file| {
        (&mut file)
            .take(compression::FIRST as u64)
            .read_to_end(&mut bytes)?;
        match compression::is_read(&bytes) {
            true => file.take(compression::FIRST_STORED).read_to_end(&mut bytes),
            false => Ok(0),
        }
    });
    bytes
}

fn checked(input: Input, kind: RecordKind) -> Result<Input, Error> {
    if kind == RecordKind::Documents && !input.format.has_documents() {
        let message = format!(
            "`{}` is read as {}, which holds pages, not documents",
            input.name,
            input.format.name()
        );
        return Err(Error::usage(message).with_help(
            "`dehusk run` goes from pages to unique documents; `dehusk extract` makes documents of pages",
        ));
    }
    Ok(input)
}
