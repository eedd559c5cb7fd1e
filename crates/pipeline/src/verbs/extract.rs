//! Pages in, documents out: one after the other, to a stream or a file.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::str::FromStr;

use dehusk_extract::{Options, Page};
use serde::Serialize;

use crate::error::Error;
use crate::exec::ordered_pool::{Plan, process};
use crate::kernel::extract::{Extract, PageWork};
use crate::read::format::Chunk;
use crate::read::inputs::{Inputs, RecordKind};
use crate::record::{Document, Rejected};
use crate::settings::table::Settings;
use crate::settings::words::{CommentPart, Comments, TablePart, Tables};
use crate::site::Store;
use crate::verbs::methods::named;
use crate::write::file::WholeFile;
use crate::write::summary::{Summary, Tally};
use crate::{Job, Outcome};

/// How documents are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Output {
    /// Main text; pages are parted by a line with a form feed.
    Text,
    /// Main text as Markdown; pages are parted in the same way.
    Markdown,
    /// Main text as HTML of structure alone, a fragment a page; they are parted in the same way.
    Html,
    /// An object for one page, an array for several.
    Json,
    /// One object a line.
    Jsonl,
}

impl Output {
    /// The names that are possible.
    pub const NAMES: &[&str] = &["text", "markdown", "html", "json", "jsonl"];
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        named(
            "output format",
            text,
            Output::NAMES,
            &[
                Output::Text,
                Output::Markdown,
                Output::Html,
                Output::Json,
                Output::Jsonl,
            ],
        )
    }
}

/// What [`write()`] does beside what the settings say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style<'a> {
    /// How documents are written. Unless set, several pages become JSON Lines; a single page becomes JSON if blocks,
    /// content or timings are asked for, else Markdown or HTML if one of them is, else text.
    pub output: Option<Output>,
    /// Whether documents tell the processor time of their extraction in microseconds.
    pub timings: bool,
    /// Whether documents may come in another order than their pages.
    pub unordered: bool,
    /// Templates and rules of sites, by which pages of theirs are extracted.
    pub templates: Option<&'a Store>,
}

/// Extracts every page and writes the documents to `to`.
///
/// Where lines of JSON come from standard input and go out as lines of JSON, somebody may wait for each answer: every
/// record is answered by one line, `{"id","url","error":{"reason","message"}}` if it could not be used, and output is
/// flushed as soon as input has been worked off. With one thread, a line is answered before the next one is read.
///
/// `rejected` hears of every record that could not be used.
///
/// # Errors
/// If an input is missing, or writing fails; a bad record is no error.
pub fn write(
    job: &Job<'_>,
    style: Style<'_>,
    to: &mut (dyn Write + Send),
    rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    match style.templates {
        Some(store) => {
            let extract = |page: &Page<'_>, options: &Options| store.extract(page, options);
            write_with(job, style, to, rejected, &extract)
        }
        None => write_with(job, style, to, rejected, &dehusk_extract::extract),
    }
}

/// The same to a file, which appears when it is complete.
///
/// # Errors
/// As [`write()`], and if the file cannot be written.
pub fn write_file(
    job: &Job<'_>,
    style: Style<'_>,
    path: &Path,
    rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    // Looked at first, so that a wrong name leaves no file behind.
    Inputs::open(job.inputs, job.settings.format(), RecordKind::Pages)?;
    let mut file = WholeFile::create(path, job.cancel)?;
    let outcome = write(job, style, &mut file, rejected).map_err(|e| e.with_path(path))?;
    file.commit()?;
    Ok(outcome)
}

/// Whether documents are to have fields that only JSON can hold.
fn wants_fields(settings: &Settings) -> bool {
    settings.blocks == Some(true)
        || settings.content == Some(true)
        || settings.tables == Some(TablePart(Tables::Field))
        || settings.comments == Some(CommentPart(Comments::Field))
}

fn write_with(
    job: &Job<'_>,
    style: Style<'_>,
    to: &mut (dyn Write + Send),
    told: &mut dyn FnMut(&Rejected),
    extract: Extract<'_>,
) -> Result<Outcome, Error> {
    let settings = job.settings;
    let inputs = Inputs::open(job.inputs, settings.format(), RecordKind::Pages)?;
    let single = inputs.is_single_page();
    let output = style.output.unwrap_or(match single {
        false => Output::Jsonl,
        true if wants_fields(settings) || style.timings => Output::Json,
        true if settings.markdown == Some(true) && settings.html == Some(true) => Output::Json,
        true if settings.markdown == Some(true) => Output::Markdown,
        true if settings.html == Some(true) => Output::Html,
        true => Output::Text,
    });
    let conversation = inputs.is_conversation() && output == Output::Jsonl;
    let threads = settings.threads();
    let mut summary = Summary::new("extract", &inputs, settings.effective_extraction());
    let mut reader = inputs.reader(settings.bounds(), conversation && threads == 1);
    let mut tally = Tally::default();
    let mut first_rejected = Vec::new();

    let mut options = settings.extraction();
    if output == Output::Markdown {
        options = options.with_markdown(true);
    }
    if output == Output::Html {
        options = options.with_html(true);
    }
    let work = PageWork {
        extract,
        options,
        url: job.url,
        timings: style.timings,
    };
    let plan = Plan {
        threads,
        ordered: !style.unordered,
        cancel: job.cancel,
    };
    job.progress.stage("extracting pages", inputs.bytes());
    let mut out = Out {
        to: BufWriter::with_capacity(64 << 10, to),
        output,
        single,
        written: 0,
    };
    out.begin()?;
    process(
        &plan,
        || reader.next_chunk(),
        || (),
        |(), chunk: Chunk| {
            let mut rows = Vec::new();
            work.each(&chunk, &mut |result| {
                rows.push(result.map(|document| render(&document, output)));
            });
            (rows, chunk.len())
        },
        |(rows, bytes)| {
            let count = rows.len() as u64;
            for row in rows {
                match row {
                    Ok(rendered) => {
                        tally.accept();
                        out.document(&rendered)?;
                    }
                    Err(rejected) => {
                        tally.reject(&rejected);
                        told(&rejected);
                        if conversation {
                            out.document(&answer(&rejected))?;
                        }
                        if first_rejected.len() < 5 {
                            first_rejected.push(rejected);
                        }
                    }
                }
            }
            if conversation {
                out.flush()?;
            }
            job.progress.advance(count, bytes);
            Ok(())
        },
    )?;
    out.end()?;
    tally.settle(&mut summary.counts);
    summary.counts.kept = tally.read - tally.rejected();
    summary.damaged = tally.damaged(settings);
    summary.skipped(reader.skipped());
    summary.sites = style.templates.map(Store::counts);
    Ok(Outcome {
        summary,
        rejected: first_rejected,
    })
}

fn render(document: &Document<'_>, output: Output) -> Vec<u8> {
    let mut bytes = match output {
        Output::Text => document.text.as_bytes().to_vec(),
        Output::Markdown => document.markdown.unwrap_or("").as_bytes().to_vec(),
        Output::Html => document.html.unwrap_or("").as_bytes().to_vec(),
        // Strings, numbers and lists of them always are JSON.
        Output::Json => serde_json::to_vec_pretty(document).unwrap_or_default(),
        Output::Jsonl => serde_json::to_vec(document).unwrap_or_default(),
    };
    if bytes.last().is_some_and(|last| *last != b'\n') && output != Output::Json {
        bytes.push(b'\n');
    }
    bytes
}

/// What is said in the place of a document.
fn answer(rejected: &Rejected) -> Vec<u8> {
    #[derive(Serialize)]
    struct Answer<'a> {
        id: &'a str,
        url: Option<&'a str>,
        error: Why<'a>,
    }
    #[derive(Serialize)]
    struct Why<'a> {
        reason: &'a str,
        message: &'a str,
    }
    let error = Why {
        reason: rejected.reason.name(),
        message: &rejected.message,
    };
    let answer = Answer {
        id: &rejected.id,
        url: rejected.url.as_deref(),
        error,
    };
    let mut bytes = serde_json::to_vec(&answer).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// Puts documents one behind the other.
struct Out<'a> {
    to: BufWriter<&'a mut (dyn Write + Send)>,
    output: Output,
    single: bool,
    written: u64,
}

impl Out<'_> {
    fn begin(&mut self) -> Result<(), Error> {
        if self.output == Output::Json && !self.single {
            self.put(b"[")
        } else {
            Ok(())
        }
    }

    fn document(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let between: &[u8] = match self.output {
            Output::Jsonl => b"",
            Output::Json if self.single => b"",
            Output::Json if self.written == 0 => b"\n",
            Output::Json => b",\n",
            Output::Text | Output::Markdown | Output::Html if self.written == 0 => b"",
            Output::Text | Output::Markdown | Output::Html => b"\x0c\n",
        };
        self.written += 1;
        self.put(between)?;
        self.put(bytes)
    }

    fn end(&mut self) -> Result<(), Error> {
        if self.output == Output::Json {
            let close: &[u8] = match (self.single, self.written) {
                (true, 0) => b"",
                (true, _) => b"\n",
                (false, 0) => b"]\n",
                (false, _) => b"\n]\n",
            };
            self.put(close)?;
        }
        self.flush()
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.to.write_all(bytes).map_err(Error::stdout)
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.to.flush().map_err(Error::stdout)
    }
}

#[cfg(test)]
mod tests;
