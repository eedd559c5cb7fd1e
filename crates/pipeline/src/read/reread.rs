//! Documents that are read a second time, by their numbers.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use crate::error::Error;
use crate::exec::ordered_pool::{Plan, process};
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Source};
use crate::read::columns::Columns;
use crate::read::format::{Jsonl, each_line};
use crate::read::inputs::Inputs;
use crate::read::reader::Reader;
use crate::read::records::{SkippedRecords, each_document};
use crate::read::rows::Wanted;
use crate::record::Reason;

/// Where documents are found again.
#[derive(Clone, Copy)]
pub(crate) enum Reread<'a> {
    /// In the inputs.
    Inputs {
        inputs: &'a Inputs,
        bounds: Bounds,
        /// Whether each record became a document when it was read first.
        accepted: &'a [bool],
    },
    /// In a file of this run, one on each line.
    File(&'a Path),
}

/// Whether a document is wanted again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pick {
    Take,
    Leave,
    /// Neither this one nor any later one is.
    End,
}

/// Lines of a chunk with the numbers of their documents.
pub(crate) struct DocumentLines {
    chunk: Chunk,
    lines: Vec<(u32, Range<usize>)>,
}

impl DocumentLines {
    /// Lines that were made of something else.
    fn new(source: &Arc<Source>, bytes: Vec<u8>, lines: Vec<(u32, Range<usize>)>) -> Self {
        let body = Body::Lines {
            bytes: bytes.into(),
            open_end: false,
        };
        let chunk = Chunk::new(source, 0, 1, body);
        DocumentLines { chunk, lines }
    }

    /// The bytes in which the lines lie.
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.chunk.body {
            Body::Lines { bytes, .. } => bytes,
            _ => &[],
        }
    }

    /// The lines as places in [`bytes`](Self::bytes), without line feeds.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (u32, Range<usize>)> {
        self.lines.iter().cloned()
    }

    /// The lines without line feeds.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let bytes = self.bytes();
        self.ranges().map(|(document, range)| (document, &bytes[range]))
    }
}

/// Documents of a chunk that are wanted.
enum Picked {
    /// As lines.
    Lines(DocumentLines),
    /// As rows, which threads decode: with the numbers of the documents, those of their rows in the chunk.
    Rows(Chunk, Vec<(u32, usize)>),
}

impl Picked {
    fn is_empty(&self) -> bool {
        match self {
            Picked::Lines(lines) => lines.lines.is_empty(),
            Picked::Rows(_, wanted) => wanted.is_empty(),
        }
    }

    /// Decodes what is wanted.
    fn load(self) -> Result<DocumentLines, Error> {
        let (chunk, wanted) = match self {
            Picked::Lines(lines) => return Ok(lines),
            Picked::Rows(chunk, wanted) => (chunk, wanted),
        };
        let (mut bytes, mut lines, mut result) = (Vec::new(), Vec::new(), Ok(()));
        let (mut number, mut wanted) = (0, wanted.into_iter().peekable());
        if let Body::Rows(rows) = &chunk.body {
            rows.each(Wanted::All, &mut |row| {
                if let Some((document, _)) = wanted.next_if(|(_, row)| *row == number) {
                    match row {
                        Ok(row) => {
                            lines.push((document, bytes.len()..bytes.len() + row.len()));
                            bytes.extend_from_slice(row);
                            bytes.push(b'\n');
                        }
                        Err(why) => {
                            let name = &chunk.source.name;
                            result = Err(Error::failed(format!("cannot read `{name}` again: {why}")));
                        }
                    }
                }
                number += 1;
            });
        }
        result.map(|()| DocumentLines::new(&chunk.source, bytes, lines))
    }
}

impl Reread<'_> {
    /// Reads the documents that `pick` takes by their numbers, has threads work on the lines of each chunk, and hands what
    /// came of them to `take` in the calling thread.
    ///
    /// # Errors
    /// Those of `work` and `take`; or if an input is not what it was when it was read first.
    pub(crate) fn each<W, T: Send>(
        &self,
        plan: &Plan<'_>,
        mut pick: impl FnMut(u32) -> Pick + Send,
        worker: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, DocumentLines) -> Result<T, Error> + Sync,
        mut take: impl FnMut(T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut open = self.open();
        process(
            plan,
            || open.next(&mut pick),
            worker,
            |worker, picked: Result<Picked, Error>| work(worker, picked.and_then(Picked::load)?),
            |done| take(done?),
        )
    }

    fn open(&self) -> Open<'_> {
        let from = match self {
            Reread::Inputs {
                inputs,
                bounds,
                accepted,
            } => From::Inputs(Box::new(inputs.reader(*bounds, false)), accepted.iter()),
            Reread::File(path) => {
                let source = Source {
                    name: path.display().to_string(),
                    label: String::new(),
                    path: Some(path.to_path_buf()),
                    kept: None,
                    folder: None,
                    format: &Jsonl,
                    columns: Columns::default(),
                    singly: false,
                };
                From::File(Jsonl.open(&Arc::new(source), &Bounds::NONE))
            }
        };
        Open {
            from,
            document: 0,
            ended: false,
        }
    }
}

enum From<'a> {
    Inputs(Box<Reader<'a>>, std::slice::Iter<'a, bool>),
    File(Box<dyn Chunks>),
}

/// Documents that are being read again.
struct Open<'a> {
    from: From<'a>,
    /// Number of the next document.
    document: u32,
    ended: bool,
}

impl Open<'_> {
    /// The next chunk of which a document is wanted.
    fn next(&mut self, pick: &mut impl FnMut(u32) -> Pick) -> Option<Result<Picked, Error>> {
        while !self.ended {
            let chunk = match &mut self.from {
                From::Inputs(reader, _) => reader.next_chunk(),
                From::File(chunks) => chunks.next(),
            };
            let Some(chunk) = chunk else {
                self.ended = true;
                return self.next_accepted().map(|_| Err(changed()));
            };
            match self.pick(chunk, pick) {
                Ok(picked) if picked.is_empty() => {}
                Ok(picked) => return Some(Ok(picked)),
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }

    /// Whether the next record of the inputs became a document when it was read first.
    fn next_accepted(&mut self) -> Option<bool> {
        match &mut self.from {
            From::Inputs(_, accepted) => accepted.next().copied(),
            From::File(_) => None,
        }
    }

    /// Counts the documents of a chunk, and notes which of them are wanted.
    fn pick(&mut self, chunk: Chunk, pick: &mut impl FnMut(u32) -> Pick) -> Result<Picked, Error> {
        let Body::Rows(rows) = &chunk.body else {
            return self.lines(chunk, pick).map(Picked::Lines);
        };
        let mut wanted = Vec::new();
        for row in 0..rows.count() {
            wanted.extend(self.pick_next(pick)?.map(|document| (document, row)));
        }
        Ok(Picked::Rows(chunk, wanted))
    }

    /// Counts the documents of a chunk, and notes the places of those that are wanted.
    fn lines(&mut self, chunk: Chunk, pick: &mut impl FnMut(u32) -> Pick) -> Result<DocumentLines, Error> {
        if let Body::Rejected(rejection) = &chunk.body
            && self.next_accepted() != Some(false)
        {
            let why = match rejection.reason {
                Reason::LineTooLong => "a line is too long",
                _ => rejection.message.as_str(),
            };
            let name = &chunk.source.name;
            let error = Error::failed(format!("cannot read `{name}` again: {why}"));
            return Err(
                error.with_help("leave inputs as they are while they are read, and run the command again")
            );
        }
        if let Body::Archive(_) = &chunk.body {
            return self.archived(&chunk, pick);
        }
        let (mut lines, mut result) = (Vec::new(), Ok(()));
        if let Body::Lines { bytes, .. } = &chunk.body {
            let start = bytes.as_ptr().addr();
            each_line(&chunk, &mut |place, _| {
                if result.is_err() {
                    return;
                }
                match self.pick_next(pick) {
                    Ok(Some(document)) => {
                        let from = place.raw.as_ptr().addr() - start;
                        lines.push((document, from..from + place.raw.len()));
                    }
                    Ok(None) => {}
                    Err(error) => result = Err(error),
                }
            });
        }
        result.map(|()| DocumentLines { chunk, lines })
    }

    /// The documents of a piece of an archive, as lines that are made of them.
    fn archived(
        &mut self,
        chunk: &Chunk,
        pick: &mut impl FnMut(u32) -> Pick,
    ) -> Result<DocumentLines, Error> {
        let (mut bytes, mut lines, mut result) = (Vec::new(), Vec::new(), Ok(()));
        each_document(chunk, &mut SkippedRecords::new(), &mut |visited| {
            if result.is_err() {
                return;
            }
            match (self.pick_next(pick), visited) {
                (Ok(Some(document)), Ok(item)) => {
                    let from = bytes.len();
                    bytes.extend_from_slice(&item.line());
                    lines.push((document, from..bytes.len()));
                    bytes.push(b'\n');
                }
                (Ok(Some(_)), Err(_)) => result = Err(changed()),
                (Ok(None), _) => {}
                (Err(error), _) => result = Err(error),
            }
        });
        result.map(|()| DocumentLines::new(&chunk.source, bytes, lines))
    }

    /// The number of the next document, if it became one when it was read first, and is wanted.
    fn pick_next(&mut self, pick: &mut impl FnMut(u32) -> Pick) -> Result<Option<u32>, Error> {
        if self.ended {
            return Ok(None);
        }
        if let From::Inputs(..) = self.from {
            match self.next_accepted() {
                Some(true) => {}
                Some(false) => return Ok(None),
                None => return Err(changed()),
            }
        }
        let document = self.document;
        self.document += 1;
        match pick(document) {
            Pick::Take => Ok(Some(document)),
            Pick::Leave => Ok(None),
            Pick::End => {
                self.ended = true;
                Ok(None)
            }
        }
    }
}

/// Size and time of change of each file among the inputs: what tells that one was changed in place.
#[derive(PartialEq, Eq)]
pub(crate) struct Stamps<'a>(Vec<(&'a Path, Option<(u64, SystemTime)>)>);

impl<'a> Stamps<'a> {
    pub(crate) fn of(inputs: &'a Inputs) -> Self {
        let stamp = |path: &Path| {
            let meta = fs::metadata(path).ok()?;
            Some((meta.len(), meta.modified().ok()?))
        };
        Stamps(inputs.files().map(|path| (path, stamp(path))).collect())
    }

    /// Checks that the files are still the same.
    ///
    /// # Errors
    /// If one was changed; it is named.
    pub(crate) fn check(&self, inputs: &Inputs) -> Result<(), Error> {
        let now = Stamps::of(inputs);
        match self.0.iter().zip(&now.0).find(|(before, now)| before != now) {
            None => Ok(()),
            Some(((path, _), _)) => {
                let message = format!("`{}` was changed while it was read", path.display());
                Err(Error::failed(message)
                    .with_path(path)
                    .with_help("run the command again"))
            }
        }
    }
}

/// An input is not what it was when it was read first.
pub(crate) fn changed() -> Error {
    Error::failed("an input was changed while it was read").with_help("run the command again")
}
