//! Documents in, signatures out: what a document is recognized by, for other programs.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use dehusk_dedup::CompiledOptions;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::job::Job;
use crate::kernel::sign::{Signer, SignerMaker};
use crate::read::inputs::RecordKind;
use crate::read::pass::Worker;
use crate::record::header::{FORMAT_VERSION, Header, TOOL, VERSION};
use crate::record::{Rejected, SignatureRow};
use crate::search::corpus_stats::CorpusStats;
use crate::search::duplicates::check;
use crate::verbs::methods::output_format;
use crate::write::file::whole_file;
use crate::write::rows::{JsonLines, RowFormat, Rows, Tsv};
use crate::write::summary::{Outcome, Summary, Tally};

/// How signatures are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Output {
    /// One object a line: `{"id","signature"}`.
    #[default]
    Jsonl,
    /// Id and signature between tabs, in ids tabs, line ends and backslashes as `\t`, `\n`, `\r` and `\\`.
    Tsv,
}

impl Output {
    /// The names that are possible.
    pub const NAMES: &[&str] = &["jsonl", "tsv"];
}

impl FromStr for Output {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        output_format(text, Output::NAMES, &[Output::Jsonl, Output::Tsv])
    }
}

/// Signs every document, and writes the signatures to `to`, in input order.
///
/// The first line is a header: an object under `header`, or in tables a comment behind `#`, with program, version, format
/// version and all settings that decide the signatures. A signature is a list of words of 64 bits, each as 16 hexadecimal
/// digits, joined by spaces; a document in which the method finds too little has an empty one. The documentation of each
/// method says what its words are: places, a sorted set, or keys.
///
/// `on_rejected` is called with every rejected record.
///
/// # Errors
/// If an input is missing, settings do not fit together, or writing fails; a bad record is no error.
pub fn write(
    job: &Job<'_>,
    output: Output,
    to: &mut (dyn Write + Send),
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
    let mut to = BufWriter::with_capacity(64 << 10, to);
    to.write_all(&header(&summary, output)?).map_err(Error::stdout)?;

    let pass = job.pass("signing documents", &inputs);
    let mut tally = Tally::default();
    let skipped = pass.documents(
        || Signing::new(signers.signer(), output),
        |worker, item| worker.add(&item.id, &item.record.text),
        |worked| {
            tally.count_all(worked.rows, on_rejected);
            to.write_all(&worked.sum).map_err(Error::stdout)
        },
    )?;
    to.flush().map_err(Error::stdout)?;
    Ok(tally.outcome(summary, settings, &skipped))
}

/// The same to a file, which appears when it is complete.
///
/// # Errors
/// As [`write()`], and if the file cannot be written.
pub fn write_file(
    job: &Job<'_>,
    output: Output,
    path: &Path,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    // Checked first, so that a wrong name or setting leaves no file behind.
    job.open(RecordKind::Documents)?;
    check(job.settings)?;
    whole_file(path, job.cancel, |file| write(job, output, file, on_rejected))
}

fn header(summary: &Summary, output: Output) -> Result<Vec<u8>, Error> {
    let mut told = Map::new();
    told.insert("tool".to_owned(), TOOL.into());
    told.insert("version".to_owned(), VERSION.into());
    told.insert("format_version".to_owned(), FORMAT_VERSION.into());
    told.insert("kind".to_owned(), "signatures".into());
    for (name, value) in &summary.settings.0 {
        told.insert((*name).to_owned(), value.clone());
    }
    let line = match output {
        Output::Jsonl => serde_json::to_string(&serde_json::json!({"header": Value::Object(told)})),
        Output::Tsv => serde_json::to_string(&told).map(|json| format!("# {json}")),
    };
    let line = line.map_err(|e| Error::failed(format!("cannot write the header: {e}")))?;
    Ok((line + "\n").into_bytes())
}

/// Signs one document after the other, and keeps their rows until the end of a chunk.
struct Signing {
    signer: Signer,
    output: Output,
    hex: String,
    rows: Rows,
}

impl Signing {
    fn new(signer: Signer, output: Output) -> Self {
        Signing {
            signer,
            output,
            hex: String::new(),
            rows: Rows::default(),
        }
    }

    /// Adds the row of a document.
    fn add(&mut self, id: &str, text: &str) {
        to_hex(self.signer.signature(text), &mut self.hex);
        let signature = self.hex.as_str();
        let row = SignatureRow { id, signature };
        match self.output {
            Output::Jsonl => JsonLines.encode(&row, &mut self.rows),
            Output::Tsv => Tsv.encode(&row, &mut self.rows),
        }
    }
}

impl Worker for Signing {
    type Sum = Vec<u8>;

    fn take_sum(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.rows).into_bytes()
    }

    fn recover(&mut self) {
        self.signer.reset();
    }
}

/// Words as 16 hexadecimal digits each, joined by spaces.
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
                .map(|place| char::from(DIGITS[(word >> (4 * place)) as usize & 15])),
        );
    }
}

#[cfg(test)]
mod tests;
