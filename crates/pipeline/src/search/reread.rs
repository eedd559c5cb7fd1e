//! Documents that are read a second time, to be compared.

use std::path::Path;
use std::sync::Arc;

use dehusk_dedup::{FeatureBatch, VerifyBatch};

use crate::Job;
use crate::error::Error;
use crate::exec::ordered_pool::{Plan, process};
use crate::kernel::tokens::Tokenizer;
use crate::read::format::{Body, Bounds, Chunk, Chunks, Format, Jsonl, Source, each_line};
use crate::read::inputs::{self, Inputs};
use crate::read::reread::unreadable;
use crate::record;
use crate::search::duplicates::changed;

/// Where the documents are found again.
#[derive(Clone, Copy)]
pub(crate) enum Again<'a> {
    /// In the inputs, where a record is a document if its place in the list says so.
    Inputs(&'a Inputs, &'a [bool]),
    /// In a file of this run, one on each line.
    File(&'a Path),
}

/// The same, opened.
enum Open<'a> {
    Inputs(inputs::Reader<'a>, std::slice::Iter<'a, bool>),
    File(Box<dyn Chunks>),
}

/// Lines of a chunk that are needed, with the numbers of their documents.
struct Needed {
    chunk: Chunk,
    lines: Vec<(u32, std::ops::Range<usize>)>,
}

impl Again<'_> {
    /// Reads the documents that a batch of candidate pairs needs, and computes their features.
    pub(crate) fn read(&self, job: &Job<'_>, batch: &mut VerifyBatch) -> Result<(), Error> {
        let settings = job.settings;
        let (profile, reads) = (settings.profile(), settings.reads()?);
        let mut source = self.open(settings.bounds());
        let wanted = batch.documents().to_vec();
        let (mut next_wanted, mut document) = (wanted.iter().copied().peekable(), 0);
        let next = || {
            while next_wanted.peek().is_some() {
                let chunk = source.next()?;
                match source.needed(chunk, &mut document, &mut next_wanted) {
                    Ok(needed) if needed.lines.is_empty() => {}
                    other => return Some(other),
                }
            }
            None
        };
        let plan = Plan {
            threads: settings.threads(),
            ordered: false,
            cancel: job.cancel,
        };
        let blank = batch.features();
        process(
            &plan,
            next,
            || Tokenizer::new(profile.clone(), reads),
            |tokenizer, needed: Result<Needed, Error>| {
                needed.and_then(|needed| read(&needed, tokenizer, &blank))
            },
            |features| batch.append(features?).map_err(|_| changed()),
        )
    }

    fn open(&self, bounds: Bounds) -> Open<'_> {
        match self {
            Again::Inputs(inputs, accepted) => Open::Inputs(inputs.reader(bounds, false), accepted.iter()),
            Again::File(path) => {
                let source = Source {
                    name: path.display().to_string(),
                    label: String::new(),
                    path: Some(path.to_path_buf()),
                    format: &Jsonl,
                    singly: false,
                };
                let all = Bounds {
                    page_bytes: usize::MAX / 4,
                };
                Open::File(Jsonl.open(&Arc::new(source), &all))
            }
        }
    }
}

impl Open<'_> {
    fn next(&mut self) -> Option<Chunk> {
        match self {
            Open::Inputs(reader, _) => reader.next_chunk(),
            Open::File(chunks) => chunks.next(),
        }
    }

    /// Counts the documents of a chunk, and notes where those are that are needed.
    fn needed(
        &mut self,
        chunk: Chunk,
        document: &mut u32,
        wanted: &mut std::iter::Peekable<impl Iterator<Item = u32>>,
    ) -> Result<Needed, Error> {
        if matches!(chunk.body, Body::Rejected(_)) {
            let expected = match self {
                Open::Inputs(_, accepted) => accepted.next() == Some(&false),
                Open::File(_) => false,
            };
            if !expected {
                let why = unreadable(&chunk).unwrap_or("a line is too long");
                return Err(Error::failed(format!(
                    "cannot read `{}` again: {why}",
                    chunk.source.name
                )));
            }
        }
        let mut lines = Vec::new();
        if let Body::Lines { bytes, .. } = &chunk.body {
            let start = bytes.as_ptr().addr();
            each_line(&chunk, &mut |place, _| {
                let is_document = match self {
                    Open::Inputs(_, accepted) => accepted.next() == Some(&true),
                    Open::File(_) => true,
                };
                if is_document {
                    if wanted.next_if_eq(document).is_some() {
                        let from = place.raw.as_ptr().addr() - start;
                        lines.push((*document, from..from + place.raw.len()));
                    }
                    *document += 1;
                }
            });
        }
        Ok(Needed { chunk, lines })
    }
}

fn read(needed: &Needed, tokenizer: &mut Tokenizer, blank: &FeatureBatch) -> Result<FeatureBatch, Error> {
    let mut features = blank.another();
    if let Body::Lines { bytes, .. } = &needed.chunk.body {
        for (document, range) in &needed.lines {
            let record = record::document(&bytes[range.clone()]).map_err(|_| changed())?;
            let (tokens, terms) = tokenizer.read(&record.text);
            features.add(*document, tokens, terms);
        }
    }
    Ok(features)
}
