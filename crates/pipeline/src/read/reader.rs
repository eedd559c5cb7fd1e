//! Inputs, read chunk by chunk, from any position on.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::plain;
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Source};
use crate::read::columns::Columns;
use crate::read::input::Input;
use crate::read::named_files::{AllowedRoots, NamedFiles};
use crate::read::walk::{Found, Skipped, Walk};
use crate::record::{Reason, Rejection};

/// A place between two chunks of inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Position {
    /// Files that were begun before it.
    files: u64,
    /// Chunks of the last of them that come before it.
    chunks: u64,
}

impl Position {
    /// Chunks of the last file that come before it.
    pub(crate) fn chunks(self) -> u64 {
        self.chunks
    }

    /// The place before the file of this number.
    pub(crate) fn of_file(number: u64) -> Self {
        Position {
            files: number.saturating_add(u64::from(number > 0)),
            chunks: 0,
        }
    }

    /// The number of the file that the chunk before it comes from.
    pub(crate) fn file(self) -> u64 {
        self.files.saturating_sub(1)
    }
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
    allowed: &'i AllowedRoots,
    alone: bool,
    bounds: Bounds,
    singly: bool,
    walk: Option<(&'i Input, Walk)>,
    chunks: Option<Box<dyn Chunks>>,
    skipped: Skipped,
    start: Position,
    position: Position,
}

impl<'i> Reader<'i> {
    /// Reads what stands behind `start` in the inputs.
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
            skipped: Skipped::default(),
            start,
            position: Position::default(),
        }
    }

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
            let (source, unread) = self.next_file()?;
            match unread {
                None => self.chunks = Some(source.format.open(&source, &self.bounds)),
                Some(error) => return Some(self.unreadable(&source, &error)),
            }
        }
    }

    /// All files that are left, in order. What is wrong with one shows when it is read.
    pub(crate) fn files(mut self) -> Vec<Arc<Source>> {
        std::iter::from_fn(|| self.next_file())
            .map(|(source, _)| source)
            .collect()
    }

    /// The next file of which something is to be read, or what is wrong with it.
    fn next_file(&mut self) -> Option<(Arc<Source>, Option<io::Error>)> {
        loop {
            let Some((input, walk)) = &mut self.walk else {
                let (number, input) = self.inputs.next()?;
                self.place = FilePlace {
                    input: number,
                    file: None,
                };
                match (&input.path, input.folder) {
                    (Some(path), true) => self.walk = Some((input, Walk::start(path))),
                    (path, _) if self.begin_file() => {
                        return Some((Arc::new(self.named(input, path.clone())), None));
                    }
                    _ => {}
                }
                continue;
            };
            let input = *input;
            let Some(Found { path, format }) = walk.next(input, &mut self.skipped) else {
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

    /// An input that is no folder.
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

    fn unreadable(&mut self, source: &Arc<Source>, error: &io::Error) -> Placed {
        let body = Body::Rejected(Rejection::new(Reason::Unreadable, plain(error)));
        self.placed(Chunk::new(source, 0, 1, body))
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
            kept: None,
            folder: input.called.clone(),
            format,
            columns: self.columns.clone(),
            named_files: NamedFiles::new(self.allowed.clone()),
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
