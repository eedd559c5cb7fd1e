//! Reads inputs chunk by chunk, from any position on.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::plain;
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Source, WholeFile};
use crate::read::columns::Columns;
use crate::read::crawl_index::Fetching;
use crate::read::files::{self, About, Kind};
use crate::read::input::Input;
use crate::read::named_files::{AllowedRoots, NamedFiles};
use crate::read::walk::{Found, Skipped, Walk};
use crate::record::{Reason, Rejection};

/// A position between two chunks of the inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Position {
    /// Number of files begun before the position.
    files: u64,
    /// Number of chunks of the last file before the position.
    chunks: u64,
}

impl Position {
    /// Returns the number of chunks of the last file before the position.
    pub(crate) fn chunks(self) -> u64 {
        self.chunks
    }

    /// Returns the position before the file with this number.
    pub(crate) fn of_file(number: u64) -> Self {
        Position {
            // The position `(n + 1, 0)` lies after the start of file `n` and before its first chunk. For
            // file 0 it is the default position.
            files: number.saturating_add(u64::from(number > 0)),
            chunks: 0,
        }
    }

    /// Returns the number of the file of the preceding chunk.
    pub(crate) fn file(self) -> u64 {
        self.files.saturating_sub(1)
    }
}

/// A chunk with its end position.
pub(crate) struct Placed {
    pub(crate) chunk: Chunk,
    /// File that the chunk comes from.
    pub(crate) place: FilePlace,
    /// Position after the chunk.
    pub(crate) end: Position,
    /// `true` if the chunk lies before the position at which reading should start.
    pub(crate) passed: bool,
}

/// Identifies the file of a chunk among the inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct FilePlace {
    /// Index of the input.
    pub(crate) input: usize,
    /// Index of the file among all files found in folders; `None` for an input that is not a folder.
    pub(crate) file: Option<u64>,
}

/// Reads the inputs chunk by chunk.
pub struct Reader<'i> {
    inputs: std::iter::Enumerate<std::slice::Iter<'i, Input>>,
    place: FilePlace,
    /// Number of files found in folders so far.
    found: u64,
    columns: &'i Columns,
    allowed: &'i AllowedRoots,
    /// `true` if there is only one input, whose name IDs need not repeat.
    alone: bool,
    bounds: Bounds,
    singly: bool,
    walk: Option<(&'i Input, Walk)>,
    chunks: Option<Box<dyn Chunks>>,
    fetching: Option<Fetching>,
    skipped: Skipped,
    /// The file that is being read, as it was when it was opened.
    open: Option<OpenedFile>,
    /// Long files whose chunks may still be read when the next file is begun.
    watched: Vec<OpenedFile>,
    start: Position,
    position: Position,
    /// The bytes of the first file that are read, if it is not read as a whole.
    part: Option<Range<u64>>,
}

/// Length in bytes from which a file is checked for changes once more after all reading, because its chunks
/// may still be read when the next file begins.
const LONG: u64 = 1 << 20;

/// A local file, as it was when it was opened.
struct OpenedFile {
    source: Arc<Source>,
    about: About,
}

impl OpenedFile {
    /// Returns `None` if a change cannot be detected here: the input is a pipe, or a remote file, whose
    /// version each request checks.
    fn new(source: &Arc<Source>) -> Option<Self> {
        let path = source
            .path
            .as_deref()
            .filter(|path| files::address(path).is_none())?;
        let about = files::about(path).ok().filter(|about| about.kind == Kind::File)?;
        Some(OpenedFile {
            source: Arc::clone(source),
            about,
        })
    }

    fn is_changed(&self) -> bool {
        let now = self.source.path.as_deref().map(files::about);
        let same = |now: About| (now.bytes, now.modified) == (self.about.bytes, self.about.modified);
        !now.is_some_and(|now| now.is_ok_and(same))
    }
}

impl<'i> Reader<'i> {
    /// Reads the inputs from `start` on.
    pub(super) fn new(
        inputs: &'i [Input],
        (columns, allowed): (&'i Columns, &'i AllowedRoots),
        start: Position,
        bounds: Bounds,
        singly: bool,
    ) -> Self {
        Reader {
            inputs: inputs.iter().enumerate(),
            place: FilePlace::default(),
            found: 0,
            columns,
            allowed,
            alone: inputs.len() == 1,
            bounds,
            singly,
            walk: None,
            chunks: None,
            fetching: None,
            skipped: Skipped::default(),
            open: None,
            watched: Vec::new(),
            start,
            position: Position::default(),
            part: None,
        }
    }

    /// Restricts reading to these bytes of the first file.
    pub(crate) fn with_part(mut self, part: Option<Range<u64>>) -> Self {
        self.part = part;
        self
    }

    /// Returns what was skipped so far, including files that changed while they were read. Call it when all
    /// chunks are processed.
    pub fn skipped(&mut self) -> &Skipped {
        self.close_file();
        for file in self.watched.drain(..).filter(OpenedFile::is_changed) {
            self.skipped.add_changed(&file.source.name);
        }
        &self.skipped
    }

    /// Checks whether the current file changed since it was opened.
    fn close_file(&mut self) {
        let Some(file) = self.open.take() else {
            return;
        };
        if file.is_changed() {
            self.skipped.add_changed(&file.source.name);
        } else if file.about.bytes >= LONG {
            self.watched.push(file);
        }
    }

    /// Returns the next chunk of the inputs, or `None` after the last one.
    pub fn next_chunk(&mut self) -> Option<Chunk> {
        self.next_placed().map(|placed| placed.chunk)
    }

    /// Returns the next chunk of the inputs with its place, or `None` after the last one.
    pub(crate) fn next_placed(&mut self) -> Option<Placed> {
        loop {
            // Continue the open file, else the open index, else begin the next file.
            if let Some(chunks) = &mut self.chunks {
                if let Some(chunk) = chunks.next() {
                    return Some(self.placed(chunk));
                }
                self.chunks = None;
                self.close_file();
            }
            if let Some(fetching) = &mut self.fetching {
                if let Some((chunk, archive)) = fetching.next(&self.bounds) {
                    self.place.file = archive;
                    self.begin_file();
                    return Some(self.placed(chunk));
                }
                self.fetching = None;
            }
            let Some((source, unread)) = self.next_file() else {
                // `next_file` also returns `None` if it has begun an index.
                match self.fetching {
                    Some(_) => continue,
                    None => return None,
                }
            };
            match unread {
                None => {
                    self.open = OpenedFile::new(&source);
                    self.chunks = Some(self.open_chunks(&source));
                }
                Some(error) => return Some(self.unreadable(&source, &error)),
            }
        }
    }

    fn open_chunks(&mut self, source: &Arc<Source>) -> Box<dyn Chunks> {
        // Only the first file is read in part.
        let Some(part) = self.part.take() else {
            return source.format.open(source, &self.bounds);
        };
        source
            .format
            .open_part(source, &self.bounds, part)
            .unwrap_or_else(|| {
                let error = io::Error::other("it cannot be read in parts any more");
                Box::new(WholeFile::unreadable(source, &error))
            })
    }

    /// Returns all remaining files, in order. Unreadable files are included.
    pub(crate) fn files(mut self) -> Vec<Arc<Source>> {
        std::iter::from_fn(|| self.next_file())
            .map(|(source, _)| source)
            .collect()
    }

    /// Returns the next file from which something must be read, with the error if it is unreadable.
    fn next_file(&mut self) -> Option<(Arc<Source>, Option<io::Error>)> {
        loop {
            let Some((input, walk)) = &mut self.walk else {
                let (number, input) = self.inputs.next()?;
                self.place = FilePlace {
                    input: number,
                    file: None,
                };
                if let Some(plan) = &input.plan {
                    // Each request counts as a file. A position thus lies between two requests, and passed
                    // requests are not repeated. A file without a chunk before the position is not passed.
                    let passed = self.start.files.saturating_sub(u64::from(self.start.chunks == 0));
                    let passed = passed.saturating_sub(self.position.files);
                    self.position.files += passed;
                    self.fetching = Some(Fetching::new(plan, passed));
                    return None;
                }
                match (&input.path, input.folder) {
                    (Some(path), true) => self.walk = Some((input, Walk::start(path))),
                    // `begin_file` counts every file. Files before the start are not opened.
                    (path, _) if self.begin_file() => {
                        return Some((Arc::new(self.named(input, path.clone())), None));
                    }
                    _ => {}
                }
                continue;
            };
            let input = *input;
            let Some(Found { path, format, .. }) = walk.next(input, &mut self.skipped) else {
                self.walk = None;
                continue;
            };
            self.place.file = Some(self.found);
            self.found += 1;
            if self.begin_file() {
                let source = self.found(input, path, *format.as_ref().unwrap_or(&input.format));
                return Some((source, format.err()));
            }
        }
    }

    /// Returns the source of an input that is not a folder.
    fn named(&self, input: &Input, path: Option<PathBuf>) -> Source {
        Source {
            name: input.name.clone(),
            label: self.label(input),
            kept: input.kept.clone(),
            folder: None,
            format: input.format,
            columns: self.columns.clone(),
            named_files: NamedFiles::new(self.allowed.clone()),
            singly: self.singly && path.is_none() && input.kept.is_none(),
            path,
        }
    }

    /// Counts a file. Returns `true` if its chunks are not all before the start position.
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

    fn unreadable(&mut self, source: &Arc<Source>, error: &io::Error) -> Placed {
        let body = Body::Rejected(Rejection::new(Reason::Unreadable, plain(error)));
        self.placed(Chunk::new(source, 0, 1, body))
    }

    /// Returns the label of an input. It is empty if the only input holds many records, because then IDs
    /// need no file name. A page is named by its file.
    fn label(&self, input: &Input) -> String {
        if self.alone && input.format.holds_many() {
            String::new()
        } else {
            input.name.clone()
        }
    }

    /// Returns the source of a file below the folder `input`. Messages include the folder in its name; IDs
    /// omit the folder if it is the only input.
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
            kept: None,
            folder: input.called.clone(),
            format,
            columns: self.columns.clone(),
            named_files: NamedFiles::new(self.allowed.clone()),
            singly: false,
        })
    }
}

/// Returns a relative path with slashes, the same on every system.
fn slashes(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}
