//! Pages in, documents out: one after the other, to a stream or a file.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::str::FromStr;

use dehusk_extract::{Options, Page};
use serde::Serialize;

use crate::error::Error;
use crate::job::Job;
use crate::kernel::extract::{ExtractPage, Extractor};
use crate::read::inputs::RecordKind;
use crate::record::{Document, Rejected};
use crate::settings::table::Settings;
use crate::settings::words::{CommentPart, Comments, TablePart, Tables};
use crate::site::Store;
use crate::verbs::methods::output_format;
use crate::write::file::whole_file;
use crate::write::summary::{Outcome, Summary, Tally};

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
        output_format(
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
/// `on_rejected` is called with every rejected record.
///
/// # Errors
/// If an input is missing, or writing fails; a bad record is no error.
pub fn write(
    job: &Job<'_>,
    style: Style<'_>,
    to: &mut (dyn Write + Send),
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    match style.templates {
        Some(store) => {
            let extract = |page: &Page<'_>, options: &Options| store.extract(page, options);
            write_with(job, style, to, on_rejected, &extract)
        }
        None => write_with(job, style, to, on_rejected, &dehusk_extract::extract),
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
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    // Checked first, so that a wrong name leaves no file behind.
    job.open(RecordKind::Pages)?;
    whole_file(path, job.cancel, |file| write(job, style, file, on_rejected))
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
    on_rejected: &mut dyn FnMut(&Rejected),
    extract: &ExtractPage<'_>,
) -> Result<Outcome, Error> {
    let settings = job.settings;
    let inputs = job.open(RecordKind::Pages)?;
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
    let summary = Summary::new("extract", &inputs, settings.effective_extraction());

    let mut options = settings.extraction();
    if output == Output::Markdown {
        options = options.with_markdown(true);
    }
    if output == Output::Html {
        options = options.with_html(true);
    }
    let extractor = Extractor::with(options, extract).with_timings(style.timings);
    let mut pass = job.pass("extracting pages", &inputs);
    pass.plan.ordered = !style.unordered;
    pass.singly = conversation && pass.plan.threads == 1;
    let mut out = Out {
        to: BufWriter::with_capacity(64 << 10, to),
        output,
        single,
        written: 0,
    };
    out.begin()?;
    let mut tally = Tally::default();
    let skipped = pass.pages(
        job.url,
        || (),
        |(), page| Ok(render(&extractor.extract(&page.record)?, output)),
        |worked| {
            for row in worked.rows {
                match tally.count(row) {
                    Ok(rendered) => out.document(&rendered)?,
                    Err(rejected) => {
                        on_rejected(&rejected);
                        if conversation {
                            out.document(&answer(&rejected))?;
                        }
                    }
                }
            }
            if conversation {
                out.flush()?;
            }
            Ok(())
        },
    )?;
    out.end()?;
    let mut outcome = tally.outcome(summary, settings, &skipped);
    outcome.summary.sites = style.templates.map(Store::counts);
    Ok(outcome)
}

fn render(document: &Document, output: Output) -> Vec<u8> {
    let mut bytes = match output {
        Output::Text => document.text.as_bytes().to_vec(),
        Output::Markdown => document.markdown.as_deref().unwrap_or("").as_bytes().to_vec(),
        Output::Html => document.html.as_deref().unwrap_or("").as_bytes().to_vec(),
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
