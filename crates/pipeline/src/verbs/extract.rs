//! The verb `extract`: pages in, documents out, to a stream or a file.

use std::io::Write;
use std::path::Path;

use crate::error::Error;
use crate::job::Job;
use crate::kernel::extract::Extractor;
use crate::read::inputs::RecordKind;
use crate::record::{FailureRow, PageRecord, Rejected, Rejection, Row, RowKind};
use crate::settings::table::Settings;
use crate::settings::words::{CommentPart, Comments, TablePart, Tables};
use crate::site::Store;
use crate::site::extractor::SiteExtractor;
use crate::site::usage::{SiteTally, SiteUse};
use crate::write::format::{EncodedRows, Html, Json, Jsonl, Markdown, RowEncoder, RowFormat, Text};
use crate::write::place::Place;
use crate::write::sink::{Destination, RowSink};
use crate::write::summary::{LayoutCounts, Outcome, Summary, Tally};

/// Options of [`write()`] besides the settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style<'a> {
    /// Output format. `None` means JSON Lines for several pages. A single page becomes JSON if blocks,
    /// content or other fields or timings are requested, else Markdown or HTML if one of these is, else
    /// text.
    pub output: Option<&'static dyn RowFormat>,
    /// Whether documents state the processor time of their extraction in microseconds.
    pub timings: bool,
    /// Whether documents may be written in another order than their pages.
    pub unordered: bool,
    /// Templates and rules of sites with which pages are extracted.
    pub templates: Option<&'a Store>,
}

/// Extracts all pages and writes the documents to `to`.
///
/// If JSON Lines are read from standard input and JSON Lines are written, another program may wait for each answer. Every record is then
/// answered by one line, which is `{"id","url","error":{"reason","message"}}` for an unusable one, and output is flushed whenever the input
/// read so far is processed. With one thread, each line is answered before the next is read.
///
/// `on_rejected` is called with every rejected record.
///
/// # Errors
/// If an input is missing, or writing fails. An unusable record is not an error.
///
/// # Example
///
/// ```
/// use dehusk_pipeline::verbs::extract::{Style, write};
/// use dehusk_pipeline::{Cancel, Job, Settings};
///
/// let folder = tempfile::tempdir()?;
/// let page = folder.path().join("flood.html");
/// std::fs::write(&page, "<title>Flood</title><nav><a href=/>Home</a></nav><p>The river rose overnight.")?;
/// let (inputs, settings, cancel) = ([page.display().to_string()], Settings::default(), Cancel::new());
/// let mut out = Vec::new();
/// write(&Job::new(&inputs, &settings, &cancel), Style::default(), &mut out, &mut |rejected| panic!("{rejected:?}"))?;
/// assert_eq!(String::from_utf8(out)?, "The river rose overnight.\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(
    job: &Job<'_>,
    style: Style<'_>,
    to: &mut (dyn Write + Send),
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    write_to(job, style, Destination::Stream(to), on_rejected)
}

/// Processes pages for a parent that runs [`write()`], see [`Job::launch`]. `job` and `style` must equal those of the parent.
///
/// # Errors
/// If the parent has ended.
pub fn serve(job: &Job<'_>, style: Style<'_>) -> Result<(), Error> {
    let format = style.output.unwrap_or(&Jsonl);
    let layouts = job.layouts()?;
    let extractor = extractor(job.settings, style, format).with_layouts(layouts.as_ref());
    job.serve_pages(&described(style, format), |page| made(&extractor, format, page))
}

/// Result of a page: the row of its document, whether the document has text, the use of its layout, and the
/// use of rules and templates.
type Made = (EncodedRows, bool, LayoutCounts, Option<SiteUse>);

/// Extracts a page and encodes its document.
fn made(
    extractor: &SiteExtractor<'_>,
    format: &'static dyn RowFormat,
    page: &PageRecord<'_>,
) -> Result<Made, Rejection> {
    let (document, done) = extractor.extract(page)?;
    let has_text = !document.text.is_empty();
    let mut layouts = LayoutCounts::default();
    layouts.count(document.warnings.iter().map(|warning| warning.code));
    let row = RowEncoder::one(Row::Document(&document), format);
    Ok((row, has_text, layouts, done))
}

/// The extractor for the settings, with the fields that the format needs.
fn extractor<'a>(settings: &Settings, style: Style<'a>, format: &dyn RowFormat) -> SiteExtractor<'a> {
    let options = format.extraction(settings.extraction());
    let extractor = Extractor::new(options).with_timings(style.timings);
    SiteExtractor::new(extractor, style.templates, None)
}

/// Everything besides the settings for extraction that decides the result of a page. Parent and page
/// processes compare it.
fn described(style: Style<'_>, format: &dyn RowFormat) -> String {
    format!("extract {} {}", format.name(), style.timings)
}

/// Like [`write()`], to a file, which appears when it is complete.
///
/// # Errors
/// The errors of [`write()`]; also if the file cannot be written.
pub fn write_file(
    job: &Job<'_>,
    style: Style<'_>,
    path: &Path,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    let place = Place::of_file(path, job)?;
    let outcome = write_to(job, style, Destination::File(place.path()), on_rejected)?;
    place.publish(job)?;
    Ok(outcome)
}

/// Whether documents have fields that only JSON can represent.
fn wants_fields(settings: &Settings) -> bool {
    settings.blocks == Some(true)
        || settings.structured == Some(true)
        || settings.content == Some(true)
        || settings.tables == Some(TablePart(Tables::Field))
        || settings.comments == Some(CommentPart(Comments::Field))
}

/// Extracts all pages to a destination.
fn write_to(
    job: &Job<'_>,
    style: Style<'_>,
    to: Destination<'_>,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    let settings = job.settings;
    let inputs = job.open(RecordKind::Pages)?;
    let single = inputs.is_single_page();
    // Text, Markdown and HTML have no separator, so only a single page is written in them. Both at once
    // need JSON.
    let format = style.output.unwrap_or(match single {
        false => &Jsonl,
        true if wants_fields(settings) || style.timings => &Json,
        true if settings.markdown == Some(true) && settings.html == Some(true) => &Json,
        true if settings.markdown == Some(true) => &Markdown,
        true if settings.html == Some(true) => &Html,
        true => &Text,
    });
    let conversation = inputs.is_conversation() && format.kinds().contains(&RowKind::Failure);
    let summary = Summary::new("extract", &inputs, settings.effective_extraction());

    let layouts = job.layouts()?;
    let extractor = extractor(settings, style, format).with_layouts(layouts.as_ref());
    let processes = job.page_processes(&inputs, &described(style, format))?;
    let mut pass = job.pass("extracting pages", &inputs);
    pass.plan.ordered = !style.unordered;
    if single {
        // Starting threads takes longer than extracting a small page.
        pass.plan.threads = 1;
    }
    // With one thread, each record is a chunk of its own: its answer must not wait for the next record.
    pass.singly = conversation && pass.plan.threads == 1;
    pass.bounds.exact = format.has_columns();
    let header = summary.header();
    let mut sink = RowSink::of_pages(to, job, format, (single, Some(&header)), &inputs)?;
    let (mut tally, mut sites, mut without_text) = (Tally::default(), SiteTally::default(), 0);
    let mut counts = LayoutCounts::default();
    let skipped = pass.pages(
        processes.as_ref(),
        |page| made(&extractor, format, page),
        EncodedRows::default,
        |rows, (row, has_text, layout, done): Made| {
            // In a conversation each document is a batch of its own, so that it can be interleaved with answers to rejected records.
            let own = conversation.then_some(&row);
            if own.is_none() {
                rows.append(&row);
            }
            (own.cloned(), has_text, layout, done)
        },
        |worked| {
            let mut tally = tally.chunk(&worked.origin, &worked.skipped);
            for row in worked.rows {
                match tally.count(row) {
                    Ok((document, has_text, layout, done)) => {
                        counts.add(layout);
                        without_text += u64::from(!has_text);
                        if let Some(document) = document {
                            sink.rows(&document)?;
                        }
                        if let Some(done) = done {
                            sites.count(done);
                        }
                    }
                    Err(rejected) => {
                        on_rejected(&rejected);
                        if conversation {
                            sink.row(Row::Failure(&FailureRow::from(&rejected)))?;
                        }
                    }
                }
            }
            // In a conversation, `worked.sum` is empty: its documents were written above.
            sink.rows(&worked.sum)?;
            if conversation {
                sink.flush()?;
            }
            Ok(())
        },
    )?;
    sink.finish()?;
    let mut outcome = tally.outcome(summary, settings, &skipped);
    outcome.summary.without_text = Some(without_text);
    outcome.summary.layouts = layouts.is_some().then_some(counts);
    outcome.summary.sites = style.templates.map(|store| store.counts(&sites));
    Ok(outcome)
}

#[cfg(test)]
mod tests;
