//! The verb `normalize`: documents in; normalized text, tokens or sentences out.

use std::io::Write;
use std::path::Path;

use dehusk_html::narrow;
use dehusk_normalize::{Normalizer, Profile, Splitter};
use serde_json::json;

use crate::error::Error;
use crate::job::Job;
use crate::kernel::words::Cutter;
use crate::read::format;
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::pass::Worker;
use crate::read::plain_text;
use crate::record::{DocumentRecord, NormalizedRow, Rejected, Row, RowKind, Sentence};
use crate::write::format::{EncodedRows, RowEncoder, RowFormat, Text};
use crate::write::sink::{Destination, RowSink};
use crate::write::summary::{Outcome, Summary, Tally};

pub use crate::kernel::lexicon::LanguageCode;
pub use crate::kernel::words::Tokens;

/// How an input is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Input {
    /// One text in UTF-8.
    Text,
    /// Documents, in the format of the settings, or else of the extension, or else JSON Lines.
    Documents,
}

impl Input {
    /// How an input is read by default: as documents if it is a folder or has the extension of a format,
    /// else as one text. Standard input is a text.
    pub fn usual(name: &str) -> Input {
        let path = Path::new(name);
        if name != "-" && (path.is_dir() || format::by_extension(path).is_some()) {
            Input::Documents
        } else {
            Input::Text
        }
    }

    /// How several inputs are read by default.
    ///
    /// # Errors
    /// If some are texts and others hold documents.
    pub fn of_all(names: &[String]) -> Result<Input, Error> {
        let texts = names
            .iter()
            .filter(|name| Input::usual(name) == Input::Text)
            .count();
        match texts {
            0 => Ok(Input::Documents),
            all if all == names.len() => Ok(Input::Text),
            _ => Err(
                Error::usage("some inputs are plain texts and others hold documents")
                    .with_help("name them apart, or say how all are read with `--input-format`"),
            ),
        }
    }
}

/// Options of [`write()`] besides the settings.
#[derive(Clone, Debug)]
pub struct Making {
    /// Interpretation of the inputs.
    pub input: Input,
    /// Normalization profile.
    pub profile: Profile,
    /// Options of tokens; `None` if tokens are not requested. Tokens replace the text.
    pub tokens: Option<Tokens>,
    /// Whether sentences of the original text replace the normalized text.
    pub sentences: bool,
    /// Output format: JSON Lines, or, for a single text, the normalized text alone.
    pub output: &'static dyn RowFormat,
}

/// Normalizes all documents and writes the results to `to`, in input order.
///
/// Results are JSON Lines with `id` and `text`, or with `tokens`, `offsets` and `sentences` if requested.
///
/// `on_rejected` is called with every rejected record.
///
/// # Errors
/// If an input is missing, options contradict each other, or writing fails. An unusable record is not an error.
pub fn write(
    job: &Job<'_>,
    making: &Making,
    to: &mut (dyn Write + Send),
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    write_to(job, making, Destination::Stream(to), on_rejected)
}

/// Normalizes all documents to a destination.
fn write_to(
    job: &Job<'_>,
    making: &Making,
    to: Destination<'_>,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    let inputs = open(job, making)?;
    let effective = vec![
        ("profile", json!(making.profile.name())),
        ("passes", json!(making.profile.fingerprint())),
    ];
    let summary = Summary::new("normalize", &inputs, effective);
    // Another program may wait for each answer.
    let flushed = inputs.is_conversation();
    let mut pass = job.pass("normalizing documents", &inputs);
    pass.singly = flushed && pass.plan.threads == 1;
    let (kind, single) = (RowKind::Normalized, inputs.is_single_page());
    let mut sink = RowSink::open(to, job, making.output, kind, single, Some(&summary.header()))?;
    let mut tally = Tally::default();
    let skipped = pass.documents(
        || Normalizing::new(making),
        |worker, item| {
            // A plain text may start after a byte order mark, which counts in the offsets of the file.
            let base = match item.place.line {
                None => narrow::to_usize(item.place.offset),
                Some(_) => 0,
            };
            worker.document(&item.id, &item.record, base);
        },
        |worked| {
            let mut tally = tally.chunk(&worked.origin, &worked.skipped);
            tally.count_all(worked.rows, on_rejected);
            sink.rows(&worked.sum)?;
            if flushed {
                sink.flush()?;
            }
            Ok(())
        },
    )?;
    sink.finish()?;
    Ok(tally.outcome(summary, job.settings, &skipped))
}

/// Like [`write()`], to a file, which appears when it is complete.
///
/// # Errors
/// The errors of [`write()`]; also if the file cannot be written.
pub fn write_file(
    job: &Job<'_>,
    making: &Making,
    path: &Path,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    // Checked first, so that a missing input leaves no output file.
    open(job, making)?;
    write_to(job, making, Destination::File(path), on_rejected)
}

/// Opens the inputs, and refuses options that the output format cannot represent.
fn open(job: &Job<'_>, making: &Making) -> Result<Inputs, Error> {
    let inputs = match making.input {
        // Like a page, a text is a whole file.
        Input::Text => job.open_as(Some(&plain_text::Text), RecordKind::Pages, &[])?,
        Input::Documents => job.open(RecordKind::Documents)?,
    };
    if making.output.name() == Text.name() {
        if !inputs.is_single_page() {
            return Err(Error::value(
                "output-format",
                "`text` is for a single text, not for a list of documents",
            )
            .with_help("write `jsonl`, or read the input with `--input-format text`"));
        }
        if making.tokens.is_some() || making.sentences {
            return Err(Error::value(
                "output-format",
                "`text` is the normalized text alone, without tokens and sentences",
            )
            .with_help("write `jsonl`"));
        }
    }
    Ok(inputs)
}

/// State of a thread that is reused from document to document.
struct Normalizing<'m> {
    making: &'m Making,
    normalizer: Normalizer,
    cutter: Cutter,
    splitter: Splitter,
    /// Rows of the documents of the current chunk.
    encoder: RowEncoder,
}

impl Worker for Normalizing<'_> {
    type Sum = EncodedRows;

    fn take_sum(&mut self) -> EncodedRows {
        self.encoder.take()
    }

    fn recover(&mut self) {
        // The encoder has the finished rows of the chunk, so it is kept and drops only the row in progress.
        let fresh = Normalizing::new(self.making);
        let encoder = std::mem::replace(self, fresh).encoder;
        self.encoder = encoder;
        self.encoder.recover();
    }
}

impl<'m> Normalizing<'m> {
    /// A state without rows.
    fn new(making: &'m Making) -> Self {
        Normalizing {
            making,
            normalizer: Normalizer::new(making.profile.clone()),
            cutter: Cutter::new(&making.profile, making.tokens.unwrap_or_default()),
            splitter: Splitter::new(),
            encoder: RowEncoder::new(making.output),
        }
    }

    /// Adds the row of a document. `base` is the byte offset of the text in its file; offsets count from
    /// there.
    fn document(&mut self, id: &str, document: &DocumentRecord<'_>, base: usize) {
        let (making, original) = (self.making, document.text.as_ref());
        let mut row = NormalizedRow {
            id,
            ..NormalizedRow::default()
        };
        if let Some(wanted) = making.tokens {
            let mut offsets = Vec::new();
            let tokens = if wanted.offsets {
                // Only offsets need the mapping from normalized to original bytes, which takes time and
                // memory.
                let normal = self.normalizer.normalize(original);
                self.cutter.cut(original, normal.text(), |range| {
                    let source = normal.source(range);
                    offsets.push((base + source.start, base + source.end));
                })
            } else {
                self.cutter
                    .cut(original, self.normalizer.normalize_text(original), |_| ())
            };
            row.tokens = Some(tokens);
            row.offsets = wanted.offsets.then_some(offsets);
        } else if !making.sentences {
            row.text = Some(self.normalizer.normalize_text(original));
        }
        if making.sentences {
            let sentence = |range: std::ops::Range<usize>| Sentence {
                start: base + range.start,
                end: base + range.end,
                text: &original[range],
            };
            row.sentences = Some(self.splitter.sentences(original).map(sentence).collect());
        }
        self.encoder.add(Row::Normalized(&row));
    }
}
