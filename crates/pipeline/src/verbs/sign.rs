//! The verb `sign`: documents in, signatures out, for other programs.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use dehusk_dedup::CompiledOptions;

use crate::error::Error;
use crate::job::Job;
use crate::kernel::sign::{Signer, SignerMaker};
use crate::read::inputs::RecordKind;
use crate::read::pass::Worker;
use crate::record::header::Header;
use crate::record::{Rejected, Row, RowKind, SignatureRow};
use crate::search::corpus_stats::CorpusStats;
use crate::search::duplicates::check;
use crate::search::memory::MemoryCeiling;
use crate::write::format::{EncodedRows, RowEncoder, RowFormat};
use crate::write::sink::{Destination, RowSink};
use crate::write::summary::{Outcome, Summary, Tally};

/// Signs all documents and writes the signatures to `to` in a signature format, in input order.
///
/// The first line is a header with program, version, format version and all settings that decide the signatures: an object under `header`,
/// or in tables a comment after `#`.
///
/// A signature is a list of 64-bit words, each of 16 hexadecimal digits, separated by spaces. It is empty
/// if the method finds too little in a document. The documentation of each method states the meaning of its
/// words: positions, a sorted set, or keys.
///
/// `on_rejected` is called with every rejected record.
///
/// # Errors
/// If an input is missing, settings contradict each other, or writing fails. An unusable record is not an error.
///
/// # Example
///
/// ```
/// use dehusk_pipeline::output_format::Jsonl;
/// use dehusk_pipeline::verbs::sign::write;
/// use dehusk_pipeline::{Cancel, Job, Settings};
///
/// let folder = tempfile::tempdir()?;
/// let documents = folder.path().join("documents.jsonl");
/// std::fs::write(&documents, "{\"id\":\"a\",\"text\":\"The river rose overnight.\"}\n")?;
/// let mut settings = Settings::default();
/// settings.signature = Some("simhash".parse()?);
/// let (inputs, cancel, mut out) = ([documents.display().to_string()], Cancel::new(), Vec::new());
/// write(&Job::new(&inputs, &settings, &cancel), &Jsonl, &mut out, &mut |_| ())?;
/// let out = String::from_utf8(out)?;
/// assert!(out.lines().next().unwrap().contains("simhash")); // a header with all settings
/// assert_eq!(out.lines().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(
    job: &Job<'_>,
    format: &'static dyn RowFormat,
    to: &mut (dyn Write + Send),
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    write_to(job, format, Destination::Stream(to), on_rejected)
}

/// Signs all documents to a destination.
fn write_to(
    job: &Job<'_>,
    format: &'static dyn RowFormat,
    to: Destination<'_>,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    let settings = job.settings;
    let inputs = job.open(RecordKind::Documents)?;
    inputs.files().try_for_each(Header::check)?;
    check(settings)?;
    let options = CorpusStats::of(job, &inputs)?.options(settings)?;
    let compiled = CompiledOptions::new(options).map_err(|error| Error::settings(&error))?;
    let signers = SignerMaker::new(settings, Arc::new(compiled))?;
    let summary = Summary::new("sign", &inputs, settings.effective_signing()?);
    let mut sink = RowSink::open(
        to,
        job,
        format,
        RowKind::Signature,
        false,
        Some(&summary.header()),
    )?;
    // Formats with row groups need a buffer of fixed size, which may already exceed the ceiling.
    MemoryCeiling::of(settings).check(sink.held(), || "to write a file of this form".to_owned())?;

    let pass = job.pass("signing documents", &inputs);
    let mut tally = Tally::default();
    let skipped = pass.documents(
        || Signing::new(signers.signer(), format),
        |worker, item| worker.add(&item.id, &item.record.text),
        |worked| {
            let mut tally = tally.chunk(&worked.origin, &worked.skipped);
            tally.count_all(worked.rows, on_rejected);
            sink.rows(&worked.sum)
        },
    )?;
    sink.finish()?;
    Ok(tally.outcome(summary, settings, &skipped))
}

/// Like [`write()`], to a file, which appears when it is complete.
///
/// # Errors
/// The errors of [`write()`]; also if the file cannot be written.
pub fn write_file(
    job: &Job<'_>,
    format: &'static dyn RowFormat,
    path: &Path,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    // Checked first, so that a missing input or wrong setting leaves no output file.
    job.open(RecordKind::Documents)?;
    check(job.settings)?;
    write_to(job, format, Destination::File(path), on_rejected)
}

/// State of a thread: signs documents, and holds their rows until the end of a chunk.
struct Signing {
    signer: Signer,
    hex: String,
    encoder: RowEncoder,
}

impl Signing {
    /// A state without rows.
    fn new(signer: Signer, format: &'static dyn RowFormat) -> Self {
        Signing {
            signer,
            hex: String::new(),
            encoder: RowEncoder::new(format),
        }
    }

    /// Adds the row of a document.
    fn add(&mut self, id: &str, text: &str) {
        to_hex(self.signer.signature(text), &mut self.hex);
        let signature = self.hex.as_str();
        self.encoder.add(Row::Signature(&SignatureRow { id, signature }));
    }
}

impl Worker for Signing {
    type Sum = EncodedRows;

    fn take_sum(&mut self) -> EncodedRows {
        self.encoder.take()
    }

    fn recover(&mut self) {
        self.signer.reset();
        self.encoder.recover();
    }
}

/// Writes words of 16 hexadecimal digits, separated by spaces.
fn to_hex(words: &[u64], to: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    to.clear();
    for (number, word) in words.iter().enumerate() {
        if number > 0 {
            to.push(' ');
        }
        to.extend(
            (0..16)
                .rev()
                .map(|place| char::from(DIGITS[usize::from((word >> (4 * place)).to_le_bytes()[0] & 15)])),
        );
    }
}

#[cfg(test)]
mod tests;
