//! One input as named by the user: a file, a folder or standard input. It is checked at once.

use std::fs;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::Error;
use crate::read::chunk::{Format, extension};
use crate::read::compression;
use crate::read::crawl_index::Plan;
use crate::read::files::{self, Kind};
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
    /// Name as the user typed it.
    pub(super) name: String,
    /// Path; `None` for standard input and for indexes.
    pub(super) path: Option<PathBuf>,
    pub(super) folder: bool,
    /// Path and names of the folder, if the input is a folder.
    pub(super) called: Option<Arc<InputFolder>>,
    /// `true` if the input can be read a second time. A pipe cannot, unless a copy is kept.
    pub(super) rereadable: bool,
    /// Copy that is read instead of a pipe.
    pub(super) kept: Option<Arc<KeptStream>>,
    pub(super) bytes: u64,
    pub(super) format: &'static dyn Format,
    /// `true` if the user named the format.
    pub(super) given: bool,
    /// `true` if all files of the folder are examined, whatever their names.
    pub(super) all: bool,
    /// Plan of the captures to read, if the input consists of indexes.
    pub(super) plan: Option<Arc<Plan>>,
}

impl Input {
    /// Returns the format of a file below the folder, or the reason for skipping the file.
    ///
    /// The format is that of the folder or, if the user named no format, that of an archive. A file whose
    /// name does not decide is opened, and its first bytes decide: servers give pages any extension, and
    /// mirroring tools keep it.
    pub(super) fn format_in_folder(&self, path: &Path) -> Result<&'static dyn Format, &'static str> {
        if self.format.takes(path) {
            return Ok(self.format);
        }
        let found = extension(path);
        let named = format::by_extension(path).filter(|_| !self.given);
        let reads_pages = self.format.name() == format::Html.name();
        // Folders of pages may hold any archive, folders of documents only archives with documents.
        let is_of_use = |format: &&dyn Format| format.is_archive() && (reads_pages || format.has_documents());
        if let Some(archive) = named.filter(|format| is_of_use(format)) {
            return Ok(archive);
        }
        let says_other = named.is_some() || found.is_some_and(|found| kinds::is_other_extension(&found));
        if !reads_pages || says_other && !self.all {
            return Err(OTHER_EXTENSION);
        }
        let first = compression::first_bytes(&first_of(files::open(path, 0)));
        let archive = format::by_first_bytes(&first).filter(|format| !self.given && format.is_archive());
        let page = || kinds::is_page(&first).then_some(self.format);
        archive.or_else(page).ok_or(OTHER_CONTENT)
    }
}

/// Reasons for skipping files of folders: by name, and by first bytes.
const OTHER_EXTENSION: &str = "other-extension";
const OTHER_CONTENT: &str = "other-content";

/// Opens an input, which must exist and be readable. With a copy in `kept`, the copy is read instead of a stream.
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
    // If the name now refers to a regular file or a folder, the copy of the former stream is not needed.
    let rereadable = || fs::metadata(name).is_ok_and(|meta| meta.is_dir() || meta.is_file());
    let kept = kept.filter(|_| name == "-" || !rereadable());
    if name == "-" || kept.is_some() {
        // Waiting for the first bytes is safe: an interactive sender sends something before it waits for an answer.
        let first = || match kept {
            Some(kept) => format::by_first_bytes(&first_of(kept.open())),
            // `fill_buf` consumes nothing, so the reader gets these bytes again.
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
                plan: None,
            },
            kind,
        );
    }
    let path = PathBuf::from(name);
    let unreadable = |error: io::Error| Error::input(&path, error).with_help(files::help(&path));
    let about = files::about(&path).map_err(unreadable)?;
    let given = format.is_some();
    let format = match format {
        Some(format) => format,
        None if about.kind == Kind::File => format_of(&path).unwrap_or(usual),
        None => usual,
    };
    let is_folder = about.kind == Kind::Folder;
    let opened = match about.kind {
        // `about` has already asked the server.
        _ if files::address(&path).is_some() => Ok(()),
        Kind::Folder => fs::read_dir(&path).map(drop),
        Kind::File => fs::File::open(&path).map(drop),
        Kind::Other => Ok(()), // opening a pipe twice would lose its content
    };
    opened.map_err(unreadable)?;
    if is_folder && path.join(MARKER).exists() {
        let message = format!("`{name}` is an output folder of dehusk, not an input");
        let help = "name a file in it: documents.jsonl or kept.jsonl";
        return Err(Error::usage(message).with_path(&path).with_help(help));
    }
    let rereadable = about.kind != Kind::Other;
    checked(
        Input {
            name: name.to_owned(),
            called: is_folder.then(|| Arc::new(InputFolder::new(&path))),
            path: Some(path),
            folder: is_folder,
            rereadable,
            kept: None,
            bytes: about.bytes,
            format,
            given,
            all: false,
            plan: None,
        },
        kind,
    )
}

/// Returns the captures of indexes as one input.
pub(super) fn of_plan(plan: Plan) -> Input {
    let name = match plan.indexes.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
    };
    Input {
        name,
        path: None,
        folder: false,
        called: None,
        rereadable: true,
        kept: None,
        bytes: plan.bytes(),
        format: &format::Warc,
        given: true,
        all: false,
        plan: Some(Arc::new(plan)),
    }
}

/// Returns the format of a file by its extension, else by its first bytes. `None` if neither decides.
fn format_of(path: &Path) -> Option<&'static dyn Format> {
    let first = || format::by_first_bytes(&first_of(files::open(path, 0)));
    format::by_extension(path).or_else(first)
}

/// Returns the first bytes of a file. Empty if it cannot be read, which is reported when it is opened.
fn first_of(file: io::Result<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Bytes read before an error still show the format.
    let _ = file.and_then(|mut file| {
        (&mut file)
            .take(compression::FIRST as u64)
            .read_to_end(&mut bytes)?;
        // Compressed content needs more bytes until the first plain ones are complete.
        match compression::is_read(&bytes) {
            true => file.take(compression::FIRST_STORED).read_to_end(&mut bytes),
            false => Ok(0),
        }
    });
    bytes
}

/// Returns the input if its format can hold records of this kind.
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
