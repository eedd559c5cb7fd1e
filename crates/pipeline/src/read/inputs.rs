//! What the user named: files, folders and standard input, checked at once and read in order.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use crate::error::{Error, plain};
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Source, is_compressed};
use crate::read::columns::Columns;
use crate::read::compression;
use crate::read::format;
use crate::record::header::MARKER;
use crate::record::{Reason, Rejection};

/// The kind of records that a run reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordKind {
    /// Pages to extract.
    Pages,
    /// Documents to compare.
    Documents,
}

/// The inputs of a run, all of which exist.
pub struct Inputs {
    list: Vec<Input>,
    columns: Columns,
}

struct Input {
    /// As the user typed it.
    name: String,
    /// `None` is standard input.
    path: Option<PathBuf>,
    folder: bool,
    /// Whether it can be read a second time; a pipe cannot.
    rereadable: bool,
    bytes: u64,
    format: &'static dyn Format,
    /// Whether the user named the format.
    given: bool,
}

impl Input {
    /// How a file below the folder is read: in the format of the folder, or as an archive if no format was named.
    fn format_in_folder(&self, path: &Path) -> Option<&'static dyn Format> {
        if self.format.takes(path) {
            return Some(self.format);
        }
        format::by_extension(path).filter(|format| !self.given && format.is_archive())
    }
}

impl Inputs {
    /// Looks at every input before anything is done: each must exist and be readable.
    ///
    /// The format is `format`, else that of the extension, else that of the records wanted: HTML for pages, JSON Lines for
    /// documents. `-` is standard input.
    pub fn open(
        names: &[String],
        format: Option<&'static dyn Format>,
        kind: RecordKind,
    ) -> Result<Inputs, Error> {
        if names.is_empty() {
            return Err(Error::usage("no input is named")
                .with_help("name files or folders, or `-` for standard input"));
        }
        let list: Vec<Input> = names
            .iter()
            .map(|name| open_one(name, format, kind))
            .collect::<Result<_, _>>()?;
        if list.iter().filter(|input| input.path.is_none()).count() > 1 {
            return Err(Error::usage("standard input `-` is named twice").with_help("name it once"));
        }
        let columns = Columns::default();
        Ok(Inputs { list, columns })
    }

    /// The same with columns of tables read as these fields.
    ///
    /// # Errors
    /// If a table lacks a column that is needed.
    pub(crate) fn with_columns(mut self, columns: Columns, kind: RecordKind) -> Result<Self, Error> {
        for input in self.list.iter().filter(|input| !input.folder) {
            let documents = kind == RecordKind::Documents;
            input.format.check(input.path.as_deref(), documents, &columns)?;
        }
        self.columns = columns;
        Ok(self)
    }

    /// Names as the user typed them.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|input| input.name.as_str())
    }

    /// Names as the user typed them, each with the name of the format it is read in.
    pub(crate) fn formats(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.list
            .iter()
            .map(|input| (input.name.as_str(), input.format.name()))
    }

    /// Whether there is one page only: one file of a format that holds one page.
    pub fn is_single_page(&self) -> bool {
        matches!(self.list.as_slice(), [one] if !one.folder && !one.format.holds_many())
    }

    /// Whether records come from standard input line by line, perhaps from somebody who waits for each answer.
    pub fn is_conversation(&self) -> bool {
        matches!(self.list.as_slice(), [one] if one.path.is_none() && one.format.is_lines())
    }

    /// Bytes of all inputs, if they can be told before reading, and that soon: folders are walked through for a third of a second at most.
    ///
    /// Of standard input nobody can tell them, and of compressed lines they say nothing, since what was read is counted inflated.
    pub fn bytes(&self) -> Option<u64> {
        let until = Instant::now() + LOOK;
        let bytes = |input: &Input| match &input.path {
            Some(path) if input.folder => folder_bytes(input, path, until),
            Some(path) => tells_bytes(path, input.format).then_some(input.bytes),
            None => None,
        };
        self.list.iter().map(bytes).sum()
    }

    /// Of each input the number of files that are read and their bytes, `None` of those that are read once only, such as standard
    /// input; and what is passed over. Looks at every file.
    pub(crate) fn sizes(&self) -> (Vec<Option<(u64, u64)>>, Skipped) {
        let mut skipped = Skipped::default();
        let sizes = self.list.iter().map(|input| match &input.path {
            Some(path) if input.folder => {
                let files = files_below(input, path, &mut skipped);
                Some(files.fold((0, 0), |(files, bytes), (path, _)| {
                    (files + 1, bytes + fs::metadata(path).map_or(0, |meta| meta.len()))
                }))
            }
            Some(_) if input.rereadable => Some((1, input.bytes)),
            _ => None,
        });
        (sizes.collect(), skipped)
    }

    /// Whether every input can be read a second time.
    pub(crate) fn rereadable(&self) -> bool {
        self.list.iter().all(|input| input.rereadable)
    }

    /// Files among the inputs, for readers that look beside them.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.list
            .iter()
            .filter(|input| !input.folder)
            .filter_map(|input| input.path.as_deref())
    }

    /// Reads the inputs one after the other. With `singly`, each record of standard input comes in a chunk of its own.
    pub fn reader(&self, bounds: Bounds, singly: bool) -> Reader<'_> {
        self.reader_from(Position::default(), bounds, singly)
    }

    /// Reads what stands behind a position that an earlier reader told. Chunks before it come too if reading cannot begin behind them,
    /// and say so.
    pub(crate) fn reader_from(&self, start: Position, bounds: Bounds, singly: bool) -> Reader<'_> {
        Reader {
            inputs: self.list.iter().enumerate(),
            place: FilePlace::default(),
            found: 0,
            columns: &self.columns,
            alone: self.list.len() == 1,
            bounds,
            singly,
            walk: None,
            chunks: None,
            skipped: Skipped::default(),
            start,
            position: Position::default(),
        }
    }

    /// Visits all files that will be read, input by input; those in folders in their order.
    pub(crate) fn each_file(&self, visit: &mut dyn FnMut(&str, &Path)) {
        for input in &self.list {
            match &input.path {
                Some(path) if input.folder => {
                    let (mut walk, mut skipped) = (Walk::start(path), Skipped::default());
                    while let Some(found) = walk.next(input, &mut skipped) {
                        visit(&input.name, &found.path);
                    }
                }
                Some(path) => visit(&input.name, path),
                None => {}
            }
        }
    }
}

/// A place between two chunks of inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Position {
    /// Files that were begun before it.
    files: u64,
    /// Chunks of the last of them that come before it.
    chunks: u64,
}

/// A chunk, and where it ends.
pub(crate) struct Placed {
    pub(crate) chunk: Chunk,
    /// The file that it comes from.
    pub(crate) place: FilePlace,
    /// The place behind it.
    pub(crate) end: Position,
    /// Whether it comes before the position from which on is read.
    pub(crate) passed: bool,
}

/// Time that looking at the sizes of files may take.
const LOOK: Duration = Duration::from_millis(300);

/// Whether the bytes of a file are those that are counted when it is read.
fn tells_bytes(path: &Path, format: &dyn Format) -> bool {
    format.is_archive() || !format.holds_many() || !is_compressed(path)
}

/// Bytes of the files below a folder that are read, if that can be told in time.
fn folder_bytes(input: &Input, folder: &Path, until: Instant) -> Option<u64> {
    let mut skipped = Skipped::default();
    let mut bytes = 0;
    for (path, format) in files_below(input, folder, &mut skipped) {
        if Instant::now() > until || !tells_bytes(&path, format) {
            return None;
        }
        bytes += fs::metadata(&path).map_or(0, |meta| meta.len());
    }
    Some(bytes)
}

/// The files below a folder that are read, in any order, without those that cannot be.
fn files_below<'a>(
    input: &'a Input,
    folder: &Path,
    skipped: &'a mut Skipped,
) -> impl Iterator<Item = (PathBuf, &'static dyn Format)> {
    let mut walk = Walk::unsorted(folder);
    std::iter::from_fn(move || walk.next(input, skipped))
        .filter_map(|found| found.format.ok().map(|format| (found.path, format)))
}

fn open_one(name: &str, format: Option<&'static dyn Format>, kind: RecordKind) -> Result<Input, Error> {
    let usual: &'static dyn Format = match kind {
        RecordKind::Pages => &format::Html,
        RecordKind::Documents => &format::Jsonl,
    };
    if name == "-" {
        // Whoever waits for an answer has sent something before.
        let first = || format::by_first_bytes(io::stdin().lock().fill_buf().unwrap_or_default());
        let given = format.is_some();
        let format = format.or_else(first).unwrap_or(usual);
        let name = name.to_owned();
        return checked(
            Input {
                name,
                path: None,
                folder: false,
                rereadable: false,
                bytes: 0,
                format,
                given,
            },
            kind,
        );
    }
    let path = PathBuf::from(name);
    let meta = fs::metadata(&path).map_err(|e| Error::input(&path, e))?;
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
            path: Some(path),
            folder,
            rereadable,
            bytes: meta.len(),
            format,
            given,
        },
        kind,
    )
}

/// The format of a file by its extension, else by its first bytes.
fn format_of(path: &Path) -> Option<&'static dyn Format> {
    let first = || {
        let mut bytes = Vec::new();
        // A file that cannot be read is told when it is opened.
        let file = fs::File::open(path).ok()?;
        file.take(compression::FIRST_STORED)
            .read_to_end(&mut bytes)
            .ok()?;
        format::by_first_bytes(&bytes)
    };
    format::by_extension(path).or_else(first)
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

/// Files found below input folders that are no input, by reason, and sound records of other kinds than are read, by kind.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Skipped {
    by_reason: BTreeMap<&'static str, (u64, String)>,
    records: BTreeMap<&'static str, u64>,
}

impl Skipped {
    fn add(&mut self, reason: &'static str, path: &Path) {
        let (count, _) = self
            .by_reason
            .entry(reason)
            .or_insert_with(|| (0, path.display().to_string()));
        *count += 1;
    }

    /// The same with these records.
    pub(crate) fn with_records(mut self, records: BTreeMap<&'static str, u64>) -> Self {
        self.records = records;
        self
    }

    /// The same with these records besides.
    pub(crate) fn and_records(mut self, records: BTreeMap<&'static str, u64>) -> Self {
        for (kind, count) in records {
            *self.records.entry(kind).or_default() += count;
        }
        self
    }

    /// Records that were passed over: their kinds, with their number.
    pub fn records(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.records.iter().map(|(kind, count)| (*kind, *count))
    }

    /// Reason, number of files, and the first of them.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64, &str)> {
        self.by_reason
            .iter()
            .map(|(reason, (count, first))| (*reason, *count, first.as_str()))
    }

    /// Number of files.
    pub fn total(&self) -> u64 {
        self.by_reason.values().map(|(count, _)| count).sum()
    }
}

/// Which file of the inputs a chunk comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct FilePlace {
    /// Number of the input.
    pub(crate) input: usize,
    /// Number of the file among all that were found in folders; `None` for an input that is no folder.
    pub(crate) file: Option<u64>,
}

/// Reads chunk after chunk.
pub struct Reader<'i> {
    inputs: std::iter::Enumerate<std::slice::Iter<'i, Input>>,
    place: FilePlace,
    /// Files found in folders so far.
    found: u64,
    columns: &'i Columns,
    alone: bool,
    bounds: Bounds,
    singly: bool,
    walk: Option<(&'i Input, Walk)>,
    chunks: Option<Box<dyn Chunks>>,
    skipped: Skipped,
    start: Position,
    position: Position,
}

impl Reader<'_> {
    /// Files that were passed over so far.
    pub fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    /// The next chunk of the inputs; `None` after the last.
    pub fn next_chunk(&mut self) -> Option<Chunk> {
        self.next_placed().map(|placed| placed.chunk)
    }

    /// The next chunk of the inputs with its place; `None` after the last.
    pub(crate) fn next_placed(&mut self) -> Option<Placed> {
        loop {
            if let Some(chunks) = &mut self.chunks {
                if let Some(chunk) = chunks.next() {
                    return Some(self.placed(chunk));
                }
                self.chunks = None;
            }
            let walked = match &mut self.walk {
                Some((input, walk)) => match walk.next(input, &mut self.skipped) {
                    Some(found) => Some((*input, found)),
                    None => {
                        self.walk = None;
                        continue;
                    }
                },
                None => None,
            };
            match walked {
                Some((input, Found { path, format })) => {
                    self.place.file = Some(self.found);
                    self.found += 1;
                    if !self.begin_file() {
                        continue;
                    }
                    let source = self.found(input, path, *format.as_ref().unwrap_or(&input.format));
                    match format {
                        Ok(format) => self.chunks = Some(format.open(&source, &self.bounds)),
                        Err(error) => return Some(self.unreadable(source, &error)),
                    }
                }
                None => self.next_input()?,
            }
        }
    }

    /// Begins to read the next input.
    fn next_input(&mut self) -> Option<()> {
        let (number, input) = self.inputs.next()?;
        self.place = FilePlace {
            input: number,
            file: None,
        };
        match (&input.path, input.folder) {
            (Some(path), true) => self.walk = Some((input, Walk::start(path))),
            (path, _) if self.begin_file() => {
                let source = Source {
                    name: input.name.clone(),
                    label: self.label(input),
                    path: path.clone(),
                    format: input.format,
                    columns: self.columns.clone(),
                    singly: self.singly && path.is_none(),
                };
                self.chunks = Some(input.format.open(&Arc::new(source), &self.bounds));
            }
            _ => {}
        }
        Some(())
    }

    /// Counts a file. Tells whether something of it is still to be read.
    fn begin_file(&mut self) -> bool {
        self.position = Position {
            files: self.position.files + 1,
            chunks: 0,
        };
        self.position.files >= self.start.files
    }

    fn placed(&mut self, chunk: Chunk) -> Placed {
        self.position.chunks += 1;
        Placed {
            chunk,
            place: self.place,
            end: self.position,
            passed: self.position <= self.start,
        }
    }

    fn unreadable(&mut self, source: Arc<Source>, error: &io::Error) -> Placed {
        let body = Body::Rejected(Rejection::new(Reason::Unreadable, plain(error)));
        self.placed(Chunk::new(&source, 0, 1, body))
    }

    /// A file of lines needs no name in the ids of its records if it is the only input; a page is named by its file.
    fn label(&self, input: &Input) -> String {
        if self.alone && input.format.holds_many() {
            String::new()
        } else {
            input.name.clone()
        }
    }

    /// A file below the folder `input`: named with the folder in messages, and without it in ids if there is only one.
    fn found(&self, input: &Input, path: PathBuf, format: &'static dyn Format) -> Arc<Source> {
        let below = input
            .path
            .as_deref()
            .and_then(|folder| path.strip_prefix(folder).ok())
            .unwrap_or(&path);
        let below = slashes(below);
        let name = format!("{}/{below}", input.name.trim_end_matches('/'));
        let label = if self.alone { below } else { name.clone() };
        Arc::new(Source {
            name,
            label,
            path: Some(path),
            format,
            columns: self.columns.clone(),
            singly: false,
        })
    }
}

/// A relative path in the form that is the same on every system.
fn slashes(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

/// A folder walked through in the order of its names, folder by folder.
struct Walk(walkdir::IntoIter);

struct Found {
    path: PathBuf,
    /// How it is read, or why it cannot be.
    format: Result<&'static dyn Format, io::Error>,
}

impl Walk {
    fn start(root: &Path) -> Walk {
        Walk(WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter())
    }

    /// The same in any order, which begins without a look at a whole folder.
    fn unsorted(root: &Path) -> Walk {
        Walk(WalkDir::new(root).min_depth(1).into_iter())
    }

    /// The next file that is read, or what cannot be.
    fn next(&mut self, input: &Input, skipped: &mut Skipped) -> Option<Found> {
        loop {
            let entry = match self.0.next()? {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().map(Path::to_owned).unwrap_or_default();
                    let error = error.into_io_error();
                    let error = error.unwrap_or_else(|| io::Error::other("a link leads back to its folder"));
                    return Some(Found {
                        path,
                        format: Err(error),
                    });
                }
            };
            let format = input.format_in_folder(entry.path());
            let skips = if entry.file_name().as_encoded_bytes().starts_with(b".") {
                Some("hidden")
            } else {
                match fs::metadata(entry.path()) {
                    Err(error) => {
                        return Some(Found {
                            path: entry.into_path(),
                            format: Err(error),
                        });
                    }
                    Ok(meta) if meta.is_dir() && entry.path().join(MARKER).exists() => Some("output-folder"),
                    // A link to a folder may lead back to where it lies.
                    Ok(meta) if meta.is_dir() && entry.path_is_symlink() => Some("linked-folder"),
                    Ok(meta) if meta.is_dir() => continue,
                    Ok(meta) if !meta.is_file() => Some("special-file"),
                    Ok(_) if format.is_none() => Some("other-extension"),
                    Ok(_) => None,
                }
            };
            let reason = match (skips, format) {
                (None, Some(format)) => {
                    return Some(Found {
                        path: entry.into_path(),
                        format: Ok(format),
                    });
                }
                (skips, _) => skips.unwrap_or("other-extension"),
            };
            skipped.add(reason, entry.path());
            if entry.file_type().is_dir() {
                self.0.skip_current_dir();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    const BOUNDS: Bounds = Bounds {
        page_bytes: 1000,
        ahead: false,
    };

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "<p>x").unwrap();
        }
        dir
    }

    fn labels(inputs: &Inputs) -> (Vec<String>, Skipped) {
        let mut reader = inputs.reader(BOUNDS, false);
        let mut labels = Vec::new();
        while let Some(chunk) = reader.next_chunk() {
            let mark = if matches!(chunk.body, Body::Rejected(_)) {
                "!"
            } else {
                ""
            };
            labels.push(format!("{mark}{}", chunk.source.label));
        }
        (labels, reader.skipped().clone())
    }

    fn open(names: &[&Path], kind: RecordKind) -> Result<Inputs, Error> {
        let names: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
        Inputs::open(&names, None, kind)
    }

    #[test]
    fn folders_are_read_in_the_order_of_names_and_what_is_passed_over_is_counted() {
        let files = [
            "b.html",
            "a/z.htm",
            "a/about",
            "a.html",
            "style.css",
            ".git/x.html",
            "c/d/e.html",
            "l.jsonl",
        ];
        let dir = folder(&files);
        let (labels, skipped) = labels(&open(&[dir.path()], RecordKind::Pages).unwrap());
        assert_eq!(labels, ["a/about", "a/z.htm", "a.html", "b.html", "c/d/e.html"]);
        let skipped: Vec<_> = skipped.iter().map(|(reason, count, _)| (reason, count)).collect();
        assert_eq!(skipped, [("hidden", 1), ("other-extension", 2)]);
    }

    #[test]
    #[cfg(unix)]
    fn dead_and_circular_links_cost_only_themselves() {
        use std::os::unix::fs::symlink;
        let dir = folder(&["a.html", "b/c.html"]);
        symlink("nowhere", dir.path().join("b/dead.html")).unwrap();
        symlink("..", dir.path().join("b/up")).unwrap();
        symlink("../a.html", dir.path().join("b/linked.html")).unwrap();
        let (labels, skipped) = labels(&open(&[dir.path()], RecordKind::Pages).unwrap());
        assert_eq!(labels, ["a.html", "b/c.html", "!b/dead.html", "b/linked.html"]);
        assert_eq!(
            skipped.iter().map(|(reason, ..)| reason).collect::<Vec<_>>(),
            ["linked-folder"]
        );
    }

    #[test]
    fn folders_that_we_write_to_are_no_input() {
        let dir = folder(&["a.html", "out/report.html", "out/.dehusk-lock"]);
        let (labels, skipped) = labels(&open(&[dir.path()], RecordKind::Pages).unwrap());
        assert_eq!(labels, ["a.html"]);
        assert_eq!(
            skipped.iter().map(|(reason, ..)| reason).collect::<Vec<_>>(),
            ["output-folder"]
        );
        let error = open(&[&dir.path().join("out")], RecordKind::Documents)
            .err()
            .unwrap();
        assert!(
            error
                .to_string()
                .ends_with("out` is an output folder of dehusk, not an input"),
            "{error}"
        );
    }

    #[test]
    fn bytes_are_those_of_the_files_that_are_read() {
        let dir = folder(&[
            "a.html",
            "b/c.html",
            "b/style.css",
            ".hidden/d.html",
            "lines.jsonl",
            "packed.jsonl.gz",
        ]);
        let bytes = |names: &[&str]| {
            let paths: Vec<PathBuf> = names.iter().map(|name| dir.path().join(name)).collect();
            let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
            open(&paths, RecordKind::Pages).unwrap().bytes()
        };
        let one = fs::metadata(dir.path().join("a.html")).unwrap().len();
        assert!(one > 0);
        assert_eq!(bytes(&[""]), Some(2 * one));
        assert_eq!(bytes(&["b", "a.html", "lines.jsonl"]), Some(3 * one));
        assert_eq!(bytes(&["a.html", "packed.jsonl.gz"]), None);
    }

    #[test]
    fn with_several_inputs_ids_tell_them_apart() {
        let dir = folder(&["one/a.html", "two/a.html", "list.jsonl"]);
        let at = |name: &str| dir.path().join(name);
        let inputs = open(&[&at("one"), &at("two"), &at("list.jsonl")], RecordKind::Pages).unwrap();
        let labels = labels(&inputs).0;
        assert_eq!(labels.len(), 3);
        assert!(
            labels[0].ends_with("/one/a.html") && labels[1].ends_with("/two/a.html"),
            "{labels:?}"
        );
        assert!(labels[2].ends_with("/list.jsonl"), "{labels:?}");
        let alone = open(&[&at("list.jsonl")], RecordKind::Pages).unwrap();
        let chunk = alone.reader(BOUNDS, false).next_chunk().unwrap();
        assert_eq!(chunk.source.ordinal(7), "7");
    }

    #[test]
    fn what_cannot_be_read_is_refused_before_work_begins() {
        let dir = folder(&["a.html"]);
        let error = open(&[&dir.path().join("none")], RecordKind::Pages)
            .err()
            .unwrap();
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(error.to_string().contains("none`: "), "{error}");
        let error = open(&[dir.path(), &dir.path().join("a.html")], RecordKind::Documents)
            .err()
            .unwrap();
        assert!(error.to_string().contains("a.html` is read as html"), "{error}");
        assert!(open(&[], RecordKind::Pages).is_err());
        assert!(open(&[Path::new("-"), Path::new("-")], RecordKind::Pages).is_err());
    }
}
