//! Documents in; pairs, clusters and the documents that stay out.

use std::ops::Range;
use std::path::Path;

use dehusk_dedup::{Batch, BatchMaker};

use crate::error::Error;
use crate::exec::ordered_pool::{Plan, process};
use crate::exec::panic_guard::catch_panic;
use crate::kernel::document_table::{DocumentFacts, DocumentTable};
use crate::kernel::extract::{ordinal, reject};
use crate::kernel::tokens::Tokenizer;
use crate::read::format::{Body, Chunk, each_line};
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::reread::{reread, unreadable};
use crate::record::{self, DocumentRecord, Id, Reason, Rejected, Rejection};
use crate::search::collection::Collection;
use crate::search::duplicates::{Search, changed, threads};
use crate::search::index::{self, Index};
use crate::search::reread::Again;
use crate::search::verdict;
use crate::verbs::run::{check, conclude};
use crate::write::file::{Finished, OutFile};
use crate::write::folder::OutFolder;
use crate::write::rejected::RejectedFile;
use crate::write::summary::{Header, Summary, Tally};
use crate::{Job, Outcome};

/// Finds the documents that stay, and writes to the folder `out`: `pairs.jsonl`, `clusters.jsonl`, `kept.jsonl`,
/// `quarantine.jsonl` and `summary.json`; with `tsv`, pairs also as `pairs.tsv`.
///
/// With an index to compare with, documents that it has duplicates of go too, and `matches.jsonl` names those.
///
/// `kept.jsonl` has the lines of the input as they were; only a document that brought no id, or one that another document
/// has too, gets the id of the other files. Inputs that cannot be read twice, such as standard input, are copied to the
/// output folder for the time of the run.
///
/// # Errors
/// If an input is missing, settings do not fit together, or the folder cannot be used; a bad record is no error.
pub fn unique(job: &Job<'_>, out: &Path, tsv: bool) -> Result<Outcome, Error> {
    let Some(path) = &job.settings.against else {
        return unique_against(job, out, tsv, None);
    };
    let index = Index::open(path, job.settings)?;
    let job = Job {
        settings: index.settings(),
        ..*job
    };
    unique_against(&job, out, tsv, Some(&index))
}

fn unique_against(job: &Job<'_>, out: &Path, tsv: bool, index: Option<&Index>) -> Result<Outcome, Error> {
    let settings = job.settings;
    let inputs = Inputs::open(job.inputs, settings.format(), RecordKind::Documents)?;
    inputs.files().try_for_each(Header::check)?;
    check(settings)?;
    let mut summary = Summary::new("dedup", &inputs, settings.effective_duplicates()?);
    let mut folder = OutFolder::open(out, "dedup", job.cancel)?;

    let known = index.map(|index| index::known(job, index, &inputs)).transpose()?;
    let options = Collection::of(job, &inputs)?.options(settings)?;
    let mut search = Search::new(settings, options, out)?;
    // Threads that are there before those of the first pass do not take over the memory that it leaves: the threads that read
    // documents again do.
    let pool = threads(settings)?;
    let gathered = gather(job, &inputs, &mut folder, &mut search, &mut summary)?;
    job.progress.stage("comparing documents", None);
    let again = match &gathered.spool {
        Some(spool) => Again::File(&spool.path),
        None => Again::Inputs(&inputs, &gathered.accepted),
    };
    let joined = search.join(job, &pool, gathered.bytes(), &again)?;
    let verdicts = verdict::decide(joined, &gathered.known, known, &pool);
    job.cancel.check()?;
    let (found, mut files) = verdicts.write(job, &pool, &mut folder, tsv, &mut summary.counts)?;
    summary.duplicates = Some(found);
    debug_assert!(summary.counts.add_up(), "{:?}", summary.counts);
    job.progress.stage("writing", inputs.bytes());
    files.push(copy_kept(job, &inputs, &mut folder, &verdicts, &gathered)?);
    files.push(gathered.quarantine);
    conclude(folder, summary, &files, gathered.rejected)
}

/// What one pass over the documents brought together.
struct Gathered {
    known: DocumentTable,
    /// Whether each record of the inputs became a document.
    accepted: Vec<bool>,
    /// Documents whose line does not have their id, ascending.
    to_name: Vec<u32>,
    /// The lines of the documents, if the inputs cannot be read again.
    spool: Option<Finished>,
    quarantine: Finished,
    rejected: Vec<Rejected>,
}

impl Gathered {
    /// Bytes of memory that this takes.
    fn bytes(&self) -> u64 {
        self.known.bytes() + (self.accepted.capacity() + self.to_name.capacity() * size_of::<u32>()) as u64
    }
}

/// The documents of one chunk.
pub(crate) struct Sketched {
    pub(crate) batch: Batch,
    pub(crate) rows: Vec<Row>,
    /// Lines of its documents, if they are to be copied.
    lines: Vec<u8>,
    pub(crate) bytes: u64,
}

/// A record of a chunk.
pub(crate) enum Row {
    Document {
        facts: DocumentFacts,
        /// Whether the line brought the id itself.
        named: bool,
    },
    Rejected(Rejected),
}

fn gather(
    job: &Job<'_>,
    inputs: &Inputs,
    folder: &mut OutFolder,
    search: &mut Search,
    summary: &mut Summary,
) -> Result<Gathered, Error> {
    let settings = job.settings;
    let mut quarantine = RejectedFile::open(folder)?;
    let mut spool: Option<OutFile> = if inputs.rereadable() {
        None
    } else {
        Some(folder.scratch("input.jsonl")?)
    };
    let mut reader = inputs.reader(settings.bounds(), false);
    let (mut known, mut tally) = (DocumentTable::default(), Tally::default());
    let (mut accepted, mut to_name) = (Vec::new(), Vec::new());

    // Makes batches on the worker threads while the other one takes them in.
    let maker = search.batch_maker();
    let sketcher = Sketcher {
        maker: &maker,
        copies: spool.is_some(),
    };
    let (profile, reads) = (settings.profile(), settings.reads()?);
    let plan = Plan {
        threads: settings.threads(),
        ordered: true,
        cancel: job.cancel,
    };
    job.progress.stage("reading documents", inputs.bytes());
    process(
        &plan,
        || reader.next_chunk(),
        || Tokenizer::new(profile.clone(), reads),
        |tokenizer, chunk: Chunk| sketcher.sketch(&chunk, tokenizer),
        |sketched: Sketched| {
            let count = sketched.rows.len() as u64;
            let other = known.bytes() + accepted.capacity() as u64;
            let mut document = search.append(sketched.batch, other)?;
            for row in sketched.rows {
                accepted.push(matches!(row, Row::Document { .. }));
                match row {
                    Row::Document { facts, named } => {
                        tally.accept();
                        if known.push(&facts) || !named {
                            to_name.push(document);
                        }
                        document += 1;
                    }
                    Row::Rejected(rejected) => {
                        tally.reject(&rejected);
                        quarantine.add(rejected)?;
                    }
                }
            }
            if let Some(spool) = &mut spool {
                spool.write(&sketched.lines)?;
            }
            job.progress.advance(count, sketched.bytes);
            Ok(())
        },
    )?;
    tally.settle(&mut summary.counts);
    summary.damaged = tally.damaged(settings);
    summary.repeated_ids = known.repeated();
    known.close();
    summary.skipped(reader.skipped());
    let (quarantine, rejected) = quarantine.finish()?;
    let spool = spool.map(OutFile::finish).transpose()?;
    Ok(Gathered {
        known,
        accepted,
        to_name,
        spool,
        quarantine,
        rejected,
    })
}

/// Reads and signs the documents of a chunk.
pub(crate) struct Sketcher<'a> {
    maker: &'a BatchMaker,
    copies: bool,
}

impl<'a> Sketcher<'a> {
    pub(crate) fn new(maker: &'a BatchMaker) -> Self {
        Self { maker, copies: false }
    }

    pub(crate) fn sketch(&self, chunk: &Chunk, tokenizer: &mut Tokenizer) -> Sketched {
        // A document on which the code fails leaves its batch half filled: the chunk is done again without it.
        let mut failures = Vec::new();
        loop {
            match self.attempt(chunk, tokenizer, &failures) {
                Ok(sketched) => return sketched,
                Err(failure) => {
                    tokenizer.reset();
                    failures.push(failure);
                }
            }
        }
    }

    /// Does the chunk but for the records that failed before, given by number with their panics.
    fn attempt(
        &self,
        chunk: &Chunk,
        tokenizer: &mut Tokenizer,
        failures: &[(usize, String)],
    ) -> Result<Sketched, (usize, String)> {
        let mut batch = self.maker.batch();
        let mut rows = Vec::new();
        let mut lines = Vec::new();
        let mut failure = None;
        if let Body::Rejected(rejection) = &chunk.body {
            let place = crate::read::format::Place {
                offset: chunk.offset,
                line: Some(chunk.line),
                raw: &[],
            };
            rows.push(Row::Rejected(reject(&chunk.source, place, rejection.clone())));
        }
        chunk.source.format.documents(chunk, &mut |place, document| {
            if failure.is_some() {
                return;
            }
            let number = rows.len();
            let document =
                document.and_then(
                    |document| match failures.iter().find(|(failed, _)| *failed == number) {
                        Some((_, panic)) => Err(Rejection {
                            id: document.id.as_deref().map(str::to_owned),
                            url: document.url.as_deref().map(str::to_owned),
                            reason: Reason::Panic,
                            message: panic.clone(),
                        }),
                        None => Ok(document),
                    },
                );
            match document {
                Ok(document) => {
                    let added = catch_panic(|| tokenizer.add(&document.text, &mut batch));
                    if let Err(panic) = added {
                        failure = Some((number, panic));
                        return;
                    }
                    if self.copies {
                        lines.extend_from_slice(place.raw);
                        lines.push(b'\n');
                    }
                    let id = Id {
                        given: document.id.as_deref(),
                        url: document.url.as_deref(),
                        path: document.path.as_deref(),
                    };
                    rows.push(row(&document, id.resolve(|| ordinal(&chunk.source, place))));
                }
                Err(rejection) => rows.push(Row::Rejected(reject(&chunk.source, place, rejection))),
            }
        });
        match failure {
            Some(failure) => Err(failure),
            None => Ok(Sketched {
                batch,
                rows,
                lines,
                bytes: chunk.len(),
            }),
        }
    }
}

fn row(document: &DocumentRecord<'_>, id: String) -> Row {
    let named = document.id.as_deref() == Some(id.as_str());
    let facts = DocumentFacts::new(id, document.url.as_deref(), &document.ranking, &document.text);
    Row::Document { facts, named }
}

/// Copies the lines of the documents that stay.
fn copy_kept(
    job: &Job<'_>,
    inputs: &Inputs,
    folder: &mut OutFolder,
    verdicts: &verdict::Verdicts<'_>,
    gathered: &Gathered,
) -> Result<Finished, Error> {
    let mut kept = folder.file("kept.jsonl")?;
    let copy_of = |document: u32, line: &[u8]| {
        if !verdicts.of(document).kept {
            return Copied::Not;
        }
        match gathered.to_name.binary_search(&document) {
            Ok(_) => Copied::Renamed(record::with_id(line, gathered.known.id(document))),
            Err(_) => Copied::AsIs,
        }
    };
    if let Some(spool) = &gathered.spool {
        reread(&spool.path, &mut |document, line| match copy_of(document, line) {
            Copied::Not => Ok(()),
            Copied::AsIs => kept.line(line),
            Copied::Renamed(line) => kept.line(&line),
        })?;
        return kept.finish();
    }

    let mut accepted = gathered.accepted.iter();
    let mut document = 0;
    let mut reader = inputs.reader(job.settings.bounds(), false);
    let next = || {
        let chunk = reader.next_chunk()?;
        let staying = Staying::of(chunk, &mut accepted, &mut |line| {
            document += 1;
            copy_of(document - 1, line)
        });
        Some(staying)
    };
    let plan = Plan {
        threads: job.settings.threads(),
        ordered: true,
        cancel: job.cancel,
    };
    process(
        &plan,
        next,
        || (),
        |(), staying| staying,
        |staying: Result<Staying, Error>| {
            let staying = staying?;
            let Body::Lines { bytes, .. } = &staying.chunk.body else {
                return Ok(());
            };
            for piece in &staying.pieces {
                match piece {
                    Piece::Lines(range, count) => kept.lines(&bytes[range.clone()], *count)?,
                    Piece::Line(line) => kept.line(line)?,
                }
            }
            job.progress.advance(0, staying.chunk.len());
            Ok(())
        },
    )?;
    if accepted.next().is_some() {
        Err(changed())
    } else {
        kept.finish()
    }
}

/// What becomes of a line.
enum Copied {
    Not,
    AsIs,
    /// With another id.
    Renamed(Vec<u8>),
}

/// What is copied of a chunk.
struct Staying {
    chunk: Chunk,
    pieces: Vec<Piece>,
}

enum Piece {
    /// Whole lines of the chunk that lie side by side, and how many.
    Lines(Range<usize>, u64),
    /// Another line.
    Line(Vec<u8>),
}

impl Staying {
    /// Asks `copy_of` about the line of each document.
    fn of(
        chunk: Chunk,
        accepted: &mut std::slice::Iter<'_, bool>,
        copy_of: &mut dyn FnMut(&[u8]) -> Copied,
    ) -> Result<Self, Error> {
        if matches!(chunk.body, Body::Rejected(_)) {
            let before = accepted.next();
            if before != Some(&false) {
                let why = unreadable(&chunk).unwrap_or("a line is too long");
                return Err(Error::failed(format!(
                    "cannot read `{}` again: {why}",
                    chunk.source.name
                )));
            }
        }
        let mut pieces = Vec::new();
        let mut result = Ok(());
        if let Body::Lines { bytes, .. } = &chunk.body {
            let start = bytes.as_ptr().addr();
            each_line(&chunk, &mut |place, _| {
                let line = place.raw;
                match accepted.next() {
                    Some(true) => {}
                    Some(false) => return,
                    None => {
                        result = Err(changed());
                        return;
                    }
                }
                let from = line.as_ptr().addr() - start;
                let to = from + line.len();
                match (copy_of(line), pieces.last_mut()) {
                    (Copied::Not, _) => {}
                    (Copied::Renamed(line), _) => pieces.push(Piece::Line(line)),
                    // White space around a line does not stay.
                    (Copied::AsIs, _) if bytes.get(to) != Some(&b'\n') => {
                        pieces.push(Piece::Line(line.to_vec()));
                    }
                    (Copied::AsIs, Some(Piece::Lines(range, count))) if range.end == from => {
                        range.end = to + 1;
                        *count += 1;
                    }
                    (Copied::AsIs, _) => pieces.push(Piece::Lines(from..to + 1, 1)),
                }
            });
        }
        result.map(|()| Self { chunk, pieces })
    }
}

#[cfg(test)]
mod tests;
