//! Extracts the pages, writes the documents, and signs them for the search for duplicates.

use dehusk_dedup::{Batch, BatchMaker};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::exec::ordered_pool::process;
use crate::job::Job;
use crate::kernel::asked_facts::AskedFacts;
use crate::kernel::document_table::{DocumentFacts, DocumentTable};
use crate::kernel::host::host_of;
use crate::kernel::sign::SignerMaker;
use crate::kernel::units::UnitCutter;
use crate::page_process::PageProcesses;
use crate::read::format::skipped_kind;
use crate::read::inputs::Inputs;
use crate::read::pass::{Origin, Worked, Worker};
use crate::read::reader::Position;
use crate::read::records::{Notes, SkippedRecords};
use crate::read::walk::Skipped;
use crate::record::header::{DOCUMENTS, REJECTED};
use crate::record::mend::LineNotes;
use crate::record::{PageRecord, Rejected, Rejection, Row, RowKind, json};
use crate::search::duplicates::Search;
use crate::search::passages::{Collector, Making};
use crate::search::signing::Signing;
use crate::site::extractor::SiteExtractor;
use crate::site::usage::{SiteTally, SiteUse};
use crate::write::file::{Finished, OutFile};
use crate::write::format::{EncodedRows, Jsonl, OfLines, RowEncoder};
use crate::write::journal::{Entries, Journal};
use crate::write::report::run::stats::{PageFacts, Stats};
use crate::write::row_folder::RowFolder;
use crate::write::sink::RowSink;
use crate::write::summary::{LayoutCounts, Summary, Tally};

/// Name of the verb.
pub(in crate::verbs) const VERB: &str = "run";

/// Target name of the plain copy of the documents. The copy is temporary and never gets this name.
const COPY: &str = "copy.jsonl";

/// Result of a page.
#[derive(Serialize, Deserialize)]
#[serde(try_from = "Sent")]
pub(super) struct Made {
    line: EncodedRows,
    /// The text of the document, for the next stage; empty once that has used it.
    text: String,
    facts: DocumentFacts,
    page: PageFacts,
    /// Use of rules and templates; `None` without any.
    site: Option<SiteUse>,
    /// The words of the text for the search for passages. They are not sent between processes: the process
    /// that has the search computes them.
    #[serde(skip)]
    words: Vec<u64>,
}

/// A result as received from a page process or the journal. The text may be empty, since the line contains
/// it.
#[derive(Deserialize)]
struct Sent {
    line: EncodedRows,
    text: String,
    facts: DocumentFacts,
    page: PageFacts,
    site: Option<SiteUse>,
}

impl TryFrom<Sent> for Made {
    type Error = &'static str;

    fn try_from(sent: Sent) -> Result<Made, Self::Error> {
        let text = match sent.text.is_empty() {
            true => {
                let document = json::document(sent.line.bytes(), None);
                document.map_err(|_| "no line of a document")?.text.into_owned()
            }
            false => sent.text,
        };
        Ok(Made {
            line: sent.line,
            text,
            facts: sent.facts,
            page: sent.page,
            site: sent.site,
            words: Vec::new(),
        })
    }
}

impl Made {
    /// Extracts a page.
    ///
    /// # Errors
    /// If the page cannot be used.
    pub(super) fn of(
        extractor: &SiteExtractor<'_>,
        asked: &AskedFacts,
        page: &PageRecord<'_>,
    ) -> Result<Made, Rejection> {
        let (document, site) = extractor.extract(page)?;
        // The line is JSON in any output format. The list of documents makes its rows from it.
        let line = RowEncoder::one(Row::Document(&document), &Jsonl);
        let mut facts = DocumentFacts::of(&document);
        asked.add(&mut facts, || line.bytes().into());
        Ok(Made {
            line,
            facts,
            page: PageFacts::of(&document),
            text: document.text,
            site,
            words: Vec::new(),
        })
    }

    /// Drops the text, which the line contains: unescaping it from the line is faster than sending it
    /// twice.
    pub(super) fn without_text(self) -> Made {
        Made {
            text: String::new(),
            ..self
        }
    }

    /// Computes what the next stage needs of the text, and drops the text.
    fn used(mut self, using: &mut Using<'_>) -> Made {
        match using {
            Using::Signing(signing) => signing.add(&self.text),
            Using::Cutting(cutter) => self.words = cutter.words(&self.text),
        }
        self.without_text()
    }
}

/// The stage after extraction. It uses texts while they are in memory.
pub(super) enum Next<'s> {
    /// The search for duplicates.
    Duplicates(&'s mut Search),
    /// The search for passages. Duplicates are searched in the texts that it leaves.
    Passages(&'s mut Collector),
}

/// What a worker thread does with texts for the next stage.
enum Using<'m> {
    Signing(Box<Signing<'m>>),
    Cutting(Box<UnitCutter>),
}

/// Makes the state of worker threads for the next stage.
enum Maker {
    Signing(BatchMaker, SignerMaker),
    Cutting(Making),
}

impl Maker {
    /// The state of one worker thread.
    fn using(&self) -> Using<'_> {
        match self {
            Maker::Signing(batches, signers) => {
                Using::Signing(Box::new(Signing::new(batches, signers.signer())))
            }
            Maker::Cutting(making) => Using::Cutting(Box::new(making.cutter())),
        }
    }
}

impl Worker for Using<'_> {
    /// The signed documents; `None` if documents are cut into words.
    type Sum = Option<Batch>;

    fn take_sum(&mut self) -> Self::Sum {
        match self {
            Using::Signing(signing) => Some(signing.take_sum()),
            Using::Cutting(_) => None,
        }
    }

    fn recover(&mut self) {
        match self {
            Using::Signing(signing) => signing.recover(),
            Using::Cutting(cutter) => cutter.recover(),
        }
    }
}

/// Results of all pages of the inputs.
pub(super) struct Gathered<'p> {
    pub(super) table: DocumentTable,
    pub(super) stats: Stats,
    /// Counts of the use of layouts. All are meaningless without layouts.
    pub(super) layouts: LayoutCounts,
    /// Counts of the use of rules and templates.
    pub(super) sites: SiteTally,
    pub(super) documents: Vec<Finished>,
    /// The documents as plain JSON Lines; `None` if `documents` has this form.
    pub(super) copy: Option<Finished>,
    pub(super) rejected_files: Vec<Finished>,
    pub(super) rejected: Vec<Rejected>,
    /// Page processes, which are ending.
    pub(super) processes: Option<PageProcesses<'p>>,
}

/// Start of a run: with the entries of a journal, or without any.
pub(super) enum RunStart {
    Journal(Entries),
    Start(Option<Journal>),
}

/// An entry of the journal: the results for the records of one chunk.
#[derive(Serialize)]
struct Entry<'a> {
    end: Position,
    bytes: u64,
    origin: &'a Origin,
    skipped: &'a SkippedRecords,
    lines: &'a LineNotes,
    /// Rejected records are JSON, since their serialization omits fields, which the binary format does not support.
    rows: Vec<Result<&'a Made, String>>,
}

impl<'a> Entry<'a> {
    /// The entry for the results of a chunk.
    fn of<S>(worked: &'a Worked<Made, S>) -> Self {
        let rows = worked.rows.iter();
        Entry {
            end: worked.end,
            bytes: worked.bytes,
            origin: &worked.origin,
            skipped: &worked.skipped,
            lines: &worked.lines,
            rows: rows.map(|row| row.as_ref().map_err(Rejected::to_json)).collect(),
        }
    }
}

/// An entry as it is read back. The fields must be those of `Entry`, in the same order.
#[derive(Deserialize)]
struct Remembered {
    end: Position,
    bytes: u64,
    origin: Origin,
    skipped: Vec<(String, u64)>,
    lines: LineNotes,
    rows: Vec<Result<Made, String>>,
}

/// How pages are extracted, and where the run starts.
pub(super) struct Way<'e, 'p> {
    pub(super) extractor: &'e SiteExtractor<'e>,
    /// Page processes; without them, pages are extracted in this process.
    pub(super) processes: Option<PageProcesses<'p>>,
    pub(super) from: RunStart,
}

/// Extracts all pages and writes the documents. Signs the documents for the search for duplicates, or cuts
/// them into words for the search for passages. Also returns the journal, if there is one.
pub(super) fn gather<'p>(
    job: &Job<'p>,
    inputs: &Inputs,
    folder: &RowFolder,
    next: Next<'_>,
    summary: &mut Summary,
    way: Way<'_, 'p>,
) -> Result<(Gathered<'p>, Option<Journal>), Error> {
    let Way {
        extractor,
        mut processes,
        from,
    } = way;
    let maker = match &next {
        Next::Duplicates(search) => Maker::Signing(search.batch_maker(), search.signers(job.settings)?),
        Next::Passages(collector) => Maker::Cutting(collector.making().clone()),
    };
    let worker = || maker.using();
    let asked = &AskedFacts::of(job.settings);
    let mut gathering = Gathering::begin(folder, next, asked)?;
    let mut pass = job.pass("extracting pages", inputs);
    (pass.bounds.exact, _) = folder.carries();
    pass.bounds.captures.texts = true;
    let mut known = Notes::default();
    let mut journal = match from {
        RunStart::Start(journal) => journal,
        // Results in the journal are taken first, as if they had been computed. Then reading starts after
        // them.
        RunStart::Journal(entries) => {
            pass.begin_stage();
            let (journal, end) = gathering.replay(job, entries, &worker, &mut known)?;
            pass.start = end;
            Some(journal)
        }
    };
    let skipped = pass.pages(
        processes.as_ref(),
        |page| Made::of(extractor, asked, page),
        worker,
        |using, made: Made| made.used(using),
        |worked| {
            // The entry is written before the results are taken: a run that is killed in between repeats
            // nothing and loses nothing.
            if let Some(journal) = &mut journal {
                journal.add(&Entry::of(&worked))?;
            }
            gathering.take(worked)
        },
    )?;
    // The processes end while the lists are completed.
    if let Some(processes) = &mut processes {
        processes.end();
    }
    let gathered = gathering.finish(job, summary, &skipped.with_notes(known))?;
    Ok((
        Gathered {
            processes,
            ..gathered
        },
        journal,
    ))
}

/// Takes the results of successive chunks, in input order.
struct Gathering<'g> {
    next: Next<'g>,
    asked: &'g AskedFacts,
    table: DocumentTable,
    stats: Stats,
    layouts: LayoutCounts,
    sites: SiteTally,
    tally: Tally,
    /// `None` if the stage of passages writes the documents.
    documents: Option<RowSink<'static>>,
    copy: Option<OutFile>,
    rejected: RowSink<'static>,
}

impl<'g> Gathering<'g> {
    /// Opens the lists that are written during extraction.
    fn begin(folder: &RowFolder, next: Next<'g>, asked: &'g AskedFacts) -> Result<Self, Error> {
        let rejected = folder.rows(REJECTED, RowKind::Rejected)?;
        let documents = match next {
            Next::Duplicates(_) => Some(folder.rows(DOCUMENTS, RowKind::Document)?),
            Next::Passages(_) => None,
        };
        // The search reads documents again from a plain file. The list itself serves if it is plain.
        let copy = match documents.is_some() && folder.rereadable() {
            true => None,
            false => Some(folder.folder.file(COPY)?),
        };
        Ok(Gathering {
            next,
            asked,
            table: DocumentTable::default(),
            stats: Stats::default(),
            layouts: LayoutCounts::default(),
            sites: SiteTally::default(),
            tally: Tally::default(),
            documents,
            copy,
            rejected,
        })
    }

    /// Takes the results of a chunk.
    fn take(&mut self, worked: Worked<Made, Option<Batch>>) -> Result<(), Error> {
        // Signed documents are numbered by the search, and those of the table below in the same order. Both
        // skip rejected records.
        if let (Next::Duplicates(search), Some(batch)) = (&mut self.next, worked.sum) {
            search.append(batch, self.table.bytes())?;
        }
        // All records of a chunk come from one file.
        let preference = self.asked.preference_of_file(&worked.origin.name);
        let mut tally = self.tally.chunk(&worked.origin, &worked.skipped);
        for row in worked.rows {
            let mut made = match tally.count(row) {
                Ok(made) => made,
                Err(rejected) => {
                    self.rejected.row(Row::Rejected(&rejected))?;
                    continue;
                }
            };
            self.layouts.count(made.page.warning_codes());
            if let Some(done) = made.site {
                self.sites.count(done);
            }
            made.facts.prefer_file(preference);
            let number = self.table.len();
            if let Next::Passages(collector) = &mut self.next {
                // The host decides whether a passage belongs to a single site.
                collector.add(made.facts.url.as_deref().and_then(host_of), &made.words)?;
            }
            // A repeated id gets a number, and the line must have it, too.
            let line = match self.table.push(&made.facts) {
                true => with_id(&made.line, self.table.id(number)),
                false => made.line,
            };
            if let Some(documents) = &mut self.documents {
                documents.lines(&line)?;
            }
            if let Some(copy) = &mut self.copy {
                copy.lines(line.bytes(), 1)?;
            }
            self.stats.observe(number, self.table.id(number), made.page);
        }
        Ok(())
    }

    /// Takes the results in the journal of an earlier run. Texts are signed or cut again, since the journal
    /// does not have the words.
    ///
    /// Returns the journal to continue, and the position from which the inputs are to be read. `known` gets the notes on the records in the
    /// journal.
    fn replay<'m>(
        &mut self,
        job: &Job<'_>,
        mut entries: Entries,
        worker: &(impl Fn() -> Using<'m> + Sync),
        known: &mut Notes,
    ) -> Result<(Journal, Position), Error> {
        let mut end = Position::default();
        process(
            &job.plan(),
            || entries.next(),
            worker,
            |using, entry: Vec<u8>| {
                let entry: Remembered = postcard::from_bytes(&entry).map_err(|_| damaged())?;
                let mut rows = Vec::with_capacity(entry.rows.len());
                for row in entry.rows {
                    rows.push(match row {
                        Ok(made) => Ok(made.used(using)),
                        Err(rejected) => Err(serde_json::from_str(&rejected).map_err(|_| damaged())?),
                    });
                }
                let skipped = entry.skipped.into_iter();
                let skipped = skipped.map(|(kind, count)| (skipped_kind(&kind), count));
                Ok(Worked {
                    rows,
                    skipped: skipped.collect(),
                    lines: entry.lines,
                    sum: using.take_sum(),
                    origin: entry.origin,
                    end: entry.end,
                    bytes: entry.bytes,
                })
            },
            |worked: Result<Worked<Made, _>, Error>| {
                let worked = worked?;
                known.add(&worked.skipped, &worked.lines);
                // Entries come in their order, so the last entry has the position from which reading goes
                // on.
                end = worked.end;
                job.progress.advance(worked.rows.len() as u64, worked.bytes);
                self.take(worked)
            },
        )?;
        // The reader stops at a damaged entry. Bytes after `end` are cut off before new entries are added.
        Ok((entries.go_on()?, end))
    }

    /// Completes the lists, and hands over what was gathered.
    fn finish<'p>(
        mut self,
        job: &Job<'p>,
        summary: &mut Summary,
        skipped: &Skipped,
    ) -> Result<Gathered<'p>, Error> {
        summary.repeated_ids = self.table.repeated();
        summary.missing_field = self.asked.missing(self.table.len(), self.table.has_values());
        self.table.close();
        Ok(Gathered {
            table: self.table,
            stats: self.stats,
            layouts: self.layouts,
            sites: self.sites,
            documents: self.documents.map_or(Ok(Vec::new()), RowSink::finish_files)?,
            copy: self.copy.map(OutFile::finish).transpose()?,
            rejected_files: self.rejected.finish_files()?,
            rejected: self.tally.write_to(summary, job.settings, skipped),
            processes: None,
        })
    }
}

/// Error for an entry with a valid checksum but another form.
fn damaged() -> Error {
    Error::failed("the journal of the earlier run cannot be read")
        .with_option("resume")
        .with_help("leave out `--resume` to begin anew")
}

/// The line with another id.
fn with_id(line: &EncodedRows, id: &str) -> EncodedRows {
    let mut rows = EncodedRows::default();
    OfLines::Same.add(&json::with_id(line.bytes(), id), &mut rows);
    rows
}
