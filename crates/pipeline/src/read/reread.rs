//! Reading documents a second time, by their numbers.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use crate::error::Error;
use crate::exec::ordered_pool::{Plan, process};
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Source};
use crate::read::columns::Columns;
use crate::read::files;
use crate::read::format::{Jsonl, each_line};
use crate::read::inputs::Inputs;
use crate::read::named_files::NamedFiles;
use crate::read::reader::Reader;
use crate::read::records::{Item, Notes, each_document};
use crate::read::rows::Wanted;
use crate::record::mend::{Mended, MendedCounts, mend};
use crate::record::{DocumentRecord, Reason, json};

/// Source of documents that are read again.
#[derive(Clone, Copy)]
pub(crate) enum Reread<'a> {
    /// The inputs of the run.
    Inputs {
        inputs: &'a Inputs,
        bounds: Bounds,
        /// Outcome of each record on the first reading.
        accepted: &'a [Accepted],
    },
    /// A file of this run with one document per line.
    File {
        path: &'a Path,
        /// Column mapping of the lines; they have the columns of the inputs that they were copied from.
        columns: &'a Columns,
    },
}

/// Outcome of a record on the first reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Accepted {
    /// Not a document.
    No,
    /// A document whose line is valid UTF-8 and JSON.
    AsItIs,
    /// A document whose line was repaired and must be repaired again.
    Mended,
}

impl Accepted {
    /// Returns the outcome of an accepted item.
    pub(crate) fn of(item: &Item<'_, DocumentRecord<'_>>) -> Self {
        match item.place.mended == Mended::default() {
            true => Accepted::AsItIs,
            false => Accepted::Mended,
        }
    }
}

/// Decision whether a document is read again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pick {
    Take,
    Leave,
    /// Skip this document and all later ones.
    End,
}

/// Lines of a chunk with their document numbers.
pub(crate) struct DocumentLines {
    chunk: Chunk,
    lines: Vec<(u32, Range<usize>)>,
    /// Number of repairs in columns of rows that the first reading did not include.
    pub(crate) late: MendedCounts,
}

impl DocumentLines {
    /// Creates document lines from bytes that were built, not read.
    fn new(source: &Arc<Source>, bytes: Vec<u8>, lines: Vec<(u32, Range<usize>)>) -> Self {
        let body = Body::Lines {
            bytes: bytes.into(),
            open_end: false,
        };
        let chunk = Chunk::new(source, 0, 1, body);
        DocumentLines {
            chunk,
            lines,
            late: MendedCounts::default(),
        }
    }

    /// Returns the lines repaired to valid UTF-8 and JSON.
    #[cold]
    fn mended(&self) -> Self {
        let (mut bytes, mut lines) = (Vec::new(), Vec::new());
        for (document, line) in self.iter() {
            let from = bytes.len();
            match mend(line) {
                Some((line, _)) => bytes.extend_from_slice(&line),
                None => bytes.extend_from_slice(line),
            }
            lines.push((document, from..bytes.len()));
            bytes.push(b'\n');
        }
        DocumentLines::new(&self.chunk.source, bytes, lines)
    }

    /// Returns the bytes that hold the lines.
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.chunk.body {
            Body::Lines { bytes, .. } => bytes,
            _ => &[],
        }
    }

    /// Returns document numbers and ranges of lines in [`bytes`](Self::bytes), without line feeds.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (u32, Range<usize>)> {
        self.lines.iter().cloned()
    }

    /// Parses the documents of the lines.
    ///
    /// # Errors
    /// If a line is no longer a document; or the first error of `visit`.
    pub(crate) fn each_record(
        &self,
        visit: &mut dyn FnMut(u32, &DocumentRecord<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let columns = &self.chunk.source.columns;
        self.iter().try_for_each(|(document, line)| {
            if columns.is_empty() {
                return visit(document, &json::document(line, None).map_err(|_| changed())?);
            }
            let (line, _) = columns.renamed(line).map_err(|_| changed())?;
            visit(document, &json::document(&line, None).map_err(|_| changed())?)
        })
    }

    /// Returns document numbers and lines, without line feeds.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let bytes = self.bytes();
        self.ranges().map(|(document, range)| (document, &bytes[range]))
    }
}

/// Selected documents of a chunk.
enum Picked {
    /// Documents as lines.
    Lines(DocumentLines),
    /// Documents as rows, to be decoded by worker threads. Each has its document number, its row number in
    /// the chunk and its outcome on the first reading.
    Rows(Chunk, Vec<(u32, usize, Accepted)>),
}

impl Picked {
    fn is_empty(&self) -> bool {
        match self {
            Picked::Lines(lines) => lines.lines.is_empty(),
            Picked::Rows(_, wanted) => wanted.is_empty(),
        }
    }

    /// Decodes the selected rows into lines.
    fn load(self) -> Result<DocumentLines, Error> {
        let (chunk, wanted) = match self {
            Picked::Lines(lines) => return Ok(lines),
            Picked::Rows(chunk, wanted) => (chunk, wanted),
        };
        let to_mend = wanted.iter().any(|(.., accepted)| *accepted == Accepted::Mended);
        let mut late = MendedCounts::default();
        let (mut bytes, mut lines, mut result) = (Vec::new(), Vec::new(), Ok(()));
        let (mut number, mut wanted) = (0, wanted.into_iter().peekable());
        if let Body::Rows(rows) = &chunk.body {
            rows.each(Wanted::All, &mut |row| {
                if let Some((document, _, accepted)) = wanted.next_if(|(_, row, _)| *row == number) {
                    match row {
                        Ok((row, mended)) => {
                            // The first reading decoded only the compared columns and counted their
                            // repairs. Repairs of the other columns show only here.
                            if accepted == Accepted::AsItIs {
                                late.count(mended);
                            }
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
        let lines = result.map(|()| DocumentLines::new(&chunk.source, bytes, lines))?;
        let lines = if to_mend { lines.mended() } else { lines };
        Ok(DocumentLines { late, ..lines })
    }
}

impl Reread<'_> {
    /// Reads the documents that `pick` selects by number. The lines of each chunk are processed on threads,
    /// and the results are passed to `take` on the calling thread.
    ///
    /// # Errors
    /// Errors of `work` and `take`; or if an input changed since the first reading.
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

    /// Starts to read from the first document.
    fn open(&self) -> Open<'_> {
        let from = match self {
            Reread::Inputs {
                inputs,
                bounds,
                accepted,
            } => ReadAgain::Inputs(Box::new(inputs.reader(*bounds, false)), accepted.iter()),
            Reread::File { path, columns } => {
                let source = Source {
                    name: path.display().to_string(),
                    label: String::new(),
                    path: Some(path.to_path_buf()),
                    kept: None,
                    folder: None,
                    format: &Jsonl,
                    columns: (*columns).clone(),
                    named_files: NamedFiles::default(),
                    singly: false,
                };
                ReadAgain::File(Jsonl.open(&Arc::new(source), &Bounds::NONE))
            }
        };
        Open {
            from,
            document: 0,
            ended: false,
        }
    }
}

/// Source of the documents.
enum ReadAgain<'a> {
    Inputs(Box<Reader<'a>>, std::slice::Iter<'a, Accepted>),
    File(Box<dyn Chunks>),
}

/// Documents that are being read again.
struct Open<'a> {
    from: ReadAgain<'a>,
    /// Number of the next document.
    document: u32,
    ended: bool,
}

impl Open<'_> {
    /// Returns the next chunk with a selected document; `None` at the end.
    fn next(&mut self, pick: &mut impl FnMut(u32) -> Pick) -> Option<Result<Picked, Error>> {
        while !self.ended {
            let chunk = match &mut self.from {
                ReadAgain::Inputs(reader, _) => reader.next_chunk(),
                ReadAgain::File(chunks) => chunks.next(),
            };
            let Some(chunk) = chunk else {
                // An outcome that is left means that a record of the first reading is missing.
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

    /// Returns the outcome of the next input record on the first reading.
    fn next_accepted(&mut self) -> Option<Accepted> {
        match &mut self.from {
            ReadAgain::Inputs(_, accepted) => accepted.next().copied(),
            ReadAgain::File(_) => None,
        }
    }

    /// Counts the documents of a chunk and collects the selected ones.
    fn pick(&mut self, chunk: Chunk, pick: &mut impl FnMut(u32) -> Pick) -> Result<Picked, Error> {
        let Body::Rows(rows) = &chunk.body else {
            return self.lines(chunk, pick).map(Picked::Lines);
        };
        let mut wanted = Vec::new();
        // Rows are only counted here. Worker threads decode them.
        for row in 0..rows.count() {
            let picked = self.pick_next(pick)?;
            wanted.extend(picked.map(|(document, accepted)| (document, row, accepted)));
        }
        Ok(Picked::Rows(chunk, wanted))
    }

    /// Counts the documents of a chunk of lines and collects the ranges of the selected ones.
    fn lines(&mut self, chunk: Chunk, pick: &mut impl FnMut(u32) -> Pick) -> Result<DocumentLines, Error> {
        // A rejected chunk was one record of the first reading, and must have been rejected then too.
        if let Body::Rejected(rejection) = &chunk.body
            && self.next_accepted() != Some(Accepted::No)
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
        let (mut lines, mut to_mend, mut result) = (Vec::new(), false, Ok(()));
        if let Body::Lines { bytes, .. } = &chunk.body {
            // Lines are slices of `bytes`, so their addresses give their ranges.
            let start = bytes.as_ptr().addr();
            each_line(&chunk, &mut |place, _| {
                // `each_line` cannot be stopped, so the lines after an error are ignored.
                if result.is_err() {
                    return;
                }
                match self.pick_next(pick) {
                    Ok(Some((document, accepted))) => {
                        let from = place.raw.as_ptr().addr() - start;
                        to_mend |= accepted == Accepted::Mended;
                        lines.push((document, from..from + place.raw.len()));
                    }
                    Ok(None) => {}
                    Err(error) => result = Err(error),
                }
            });
        }
        let lines = result.map(|()| DocumentLines {
            chunk,
            lines,
            late: MendedCounts::default(),
        })?;
        Ok(if to_mend { lines.mended() } else { lines })
    }

    /// Returns the selected documents of a piece of an archive, converted to lines.
    fn archived(
        &mut self,
        chunk: &Chunk,
        pick: &mut impl FnMut(u32) -> Pick,
    ) -> Result<DocumentLines, Error> {
        let (mut bytes, mut lines, mut result) = (Vec::new(), Vec::new(), Ok(()));
        each_document(chunk, &mut Notes::default(), &mut |visited| {
            if result.is_err() {
                return;
            }
            // Rejected records advance too, because `accepted` has an entry for each of them.
            match (self.pick_next(pick), visited) {
                (Ok(Some((document, _))), Ok(item)) => {
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

    /// Advances to the next record. Returns document number and outcome if it was a document and is selected.
    fn pick_next(&mut self, pick: &mut impl FnMut(u32) -> Pick) -> Result<Option<(u32, Accepted)>, Error> {
        if self.ended {
            return Ok(None);
        }
        let accepted = match self.from {
            // An outcome that is missing means that the input has more records than on the first reading.
            ReadAgain::Inputs(..) => self.next_accepted().ok_or_else(changed)?,
            ReadAgain::File(_) => Accepted::AsItIs,
        };
        if accepted == Accepted::No {
            return Ok(None);
        }
        let document = self.document;
        self.document += 1;
        match pick(document) {
            Pick::Take => Ok(Some((document, accepted))),
            Pick::Leave => Ok(None),
            Pick::End => {
                self.ended = true;
                Ok(None)
            }
        }
    }
}

/// Size and modification time of each input file, to detect files changed in place.
#[derive(PartialEq, Eq)]
pub(crate) struct Stamps<'a>(Vec<(&'a Path, Option<(u64, SystemTime)>)>);

impl<'a> Stamps<'a> {
    pub(crate) fn of(inputs: &'a Inputs) -> Self {
        let stamp = |path: &Path| {
            let about = files::about(path).ok()?;
            Some((about.bytes, about.modified?))
        };
        Stamps(inputs.files().map(|path| (path, stamp(path))).collect())
    }

    /// Checks that the files are unchanged.
    ///
    /// # Errors
    /// If a file was changed; the error names it.
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

/// Returns the error for an input that changed since the first reading.
pub(crate) fn changed() -> Error {
    Error::failed("an input was changed while it was read").with_help("run the command again")
}
