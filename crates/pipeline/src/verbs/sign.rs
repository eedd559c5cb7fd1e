//! Documents in, signatures out: what a document is recognized by, for other programs.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use dehusk_dedup::sign::Signer;
use dehusk_dedup::{Context, Document, Shingler};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::exec::ordered_pool::{Plan, process};
use crate::exec::panic_guard::catch_panic;
use crate::kernel::extract::{ordinal, reject};
use crate::kernel::tokens::Tokenizer;
use crate::read::format::{Body, Chunk, Place};
use crate::read::inputs::{Inputs, RecordKind};
use crate::record::{Id, Reason, Rejected, Rejection};
use crate::search::collection::Collection;
use crate::settings::table::Settings;
use crate::verbs::methods::named;
use crate::verbs::run::{check, wrong_settings};
use crate::write::file::WholeFile;
use crate::write::summary::{FORMAT_VERSION, Header, Summary, TOOL, Tally, VERSION};
use crate::{Job, Outcome};

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
        named(
            "output format",
            text,
            Output::NAMES,
            &[Output::Jsonl, Output::Tsv],
        )
    }
}

/// Signs every document, and writes the signatures to `to`, in input order.
///
/// The first line is a header: an object under `header`, or in tables a comment behind `#`, with program, version, format
/// version and all settings that decide the signatures. A signature is a list of words of 64 bits, each as 16 hexadecimal
/// digits, joined by spaces; a document in which the method finds too little has an empty one. How words make up a
/// signature is told with each method: places, a sorted set, or keys.
///
/// `rejected` hears of every record that could not be used.
///
/// # Errors
/// If an input is missing, settings do not fit together, or writing fails; a bad record is no error.
pub fn write(
    job: &Job<'_>,
    output: Output,
    to: &mut (dyn Write + Send),
    rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    let settings = job.settings;
    let inputs = Inputs::open(job.inputs, settings.format(), RecordKind::Documents)?;
    inputs.files().try_for_each(Header::check)?;
    check(settings)?;
    let work = Work::new(settings, &Collection::of(job, &inputs)?, output)?;
    let mut summary = Summary::new("sign", &inputs, settings.effective_signing()?);
    let mut to = BufWriter::with_capacity(64 << 10, to);
    let header = header(&summary, output)?;
    to.write_all(&header).map_err(Error::stdout)?;

    let (profile, reads) = (settings.profile(), settings.reads()?);
    let plan = Plan {
        threads: settings.threads(),
        ordered: true,
        cancel: job.cancel,
    };
    job.progress.stage("signing documents", inputs.bytes());
    let mut reader = inputs.reader(settings.bounds(), false);
    let (mut tally, mut first) = (Tally::default(), Vec::new());
    process(
        &plan,
        || reader.next_chunk(),
        || Tokenizer::new(profile.clone(), reads),
        |tokenizer, chunk: Chunk| work.chunk(&chunk, tokenizer),
        |signed: Signed| {
            for _ in 0..signed.documents {
                tally.accept();
            }
            for row in signed.rejected {
                tally.reject(&row);
                rejected(&row);
                if first.len() < 5 {
                    first.push(row);
                }
            }
            to.write_all(&signed.rows).map_err(Error::stdout)?;
            job.progress.advance(signed.documents, signed.bytes);
            Ok(())
        },
    )?;
    to.flush().map_err(Error::stdout)?;
    tally.settle(&mut summary.counts);
    summary.counts.kept = tally.read - tally.rejected();
    summary.damaged = tally.damaged(settings);
    summary.skipped(reader.skipped());
    Ok(Outcome {
        summary,
        rejected: first,
    })
}

/// The same to a file, which appears when it is complete.
///
/// # Errors
/// As [`write()`], and if the file cannot be written.
pub fn write_file(
    job: &Job<'_>,
    output: Output,
    path: &Path,
    rejected: &mut dyn FnMut(&Rejected),
) -> Result<Outcome, Error> {
    // Looked at first, so that a wrong name or setting leaves no file behind.
    Inputs::open(job.inputs, job.settings.format(), RecordKind::Documents)?;
    check(job.settings)?;
    let mut file = WholeFile::create(path, job.cancel)?;
    let outcome = write(job, output, &mut file, rejected).map_err(|e| e.with_path(path))?;
    file.commit()?;
    Ok(outcome)
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

/// Signs the documents of one chunk after the other.
struct Work {
    signer: Box<dyn Signer>,
    shingler: Shingler,
    output: Output,
}

/// What came of a chunk.
#[derive(Default)]
struct Signed {
    rows: Vec<u8>,
    documents: u64,
    rejected: Vec<Rejected>,
    bytes: u64,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    signature: &'a str,
}

impl Work {
    fn new(settings: &Settings, collection: &Collection, output: Output) -> Result<Self, Error> {
        let options = collection.options(settings)?;
        let mut context = Context::new(options.threshold());
        if let Some(statistics) = &collection.statistics {
            context = context.with_statistics(Arc::clone(statistics));
        }
        if let Some(words) = &collection.descriptive {
            context = context.with_descriptive_words(Arc::clone(words));
        }
        Ok(Work {
            signer: options
                .signature()
                .signer(&context)
                .map_err(|error| wrong_settings(&error))?,
            shingler: options.shingler(),
            output,
        })
    }

    fn chunk(&self, chunk: &Chunk, tokenizer: &mut Tokenizer) -> Signed {
        let mut signed = Signed {
            bytes: chunk.len(),
            ..Signed::default()
        };
        if let Body::Rejected(rejection) = &chunk.body {
            let place = Place {
                offset: chunk.offset,
                line: Some(chunk.line),
                raw: &[],
            };
            signed
                .rejected
                .push(reject(&chunk.source, place, rejection.clone()));
        }
        let (mut shingles, mut words, mut hex) = (Vec::new(), Vec::new(), String::new());
        chunk.source.format.documents(chunk, &mut |place, document| {
            let done = document.and_then(|document| {
                let id = Id {
                    given: document.id.as_deref(),
                    url: document.url.as_deref(),
                    path: document.path.as_deref(),
                }
                .resolve(|| ordinal(&chunk.source, place));
                words.clear();
                let sign = || self.sign(tokenizer, &document.text, &mut shingles, &mut words);
                catch_panic(sign).map_err(|panic| {
                    tokenizer.reset();
                    Rejection {
                        id: Some(id.clone()),
                        url: document.url.as_deref().map(str::to_owned),
                        reason: Reason::Panic,
                        message: panic,
                    }
                })?;
                Ok(id)
            });
            match done {
                Ok(id) => {
                    signed.documents += 1;
                    to_hex(&words, &mut hex);
                    self.row(&id, &hex, &mut signed.rows);
                }
                Err(rejection) => signed.rejected.push(reject(&chunk.source, place, rejection)),
            }
        });
        signed
    }

    fn sign(&self, tokenizer: &mut Tokenizer, text: &str, shingles: &mut Vec<u64>, words: &mut Vec<u64>) {
        let (tokens, terms) = tokenizer.read(text);
        if tokens.is_empty() {
            return;
        }
        self.shingler.shingle(tokens, shingles);
        let document = Document {
            tokens,
            terms,
            shingles,
        };
        self.signer.sign(&document, words);
    }

    fn row(&self, id: &str, signature: &str, to: &mut Vec<u8>) {
        match self.output {
            Output::Jsonl => {
                // Two strings always are JSON, and memory takes all of it.
                let _ = serde_json::to_writer(&mut *to, &Row { id, signature });
            }
            Output::Tsv => {
                to.extend_from_slice(crate::search::verdict::field(id).as_bytes());
                to.push(b'\t');
                to.extend_from_slice(signature.as_bytes());
            }
        }
        to.push(b'\n');
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
