//! Lookup of the documents of inputs in an index.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use dehusk_dedup::DocumentKind;
use serde::Serialize;

use crate::error::Error;
use crate::job::Job;
use crate::kernel::host::host_of;
use crate::kernel::known_documents::KnownDocuments;
use crate::kernel::units::UnitCutter;
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::line::LineFacts;
use crate::read::pass::Worker;
use crate::record::mend::LineNotes;
use crate::record::weight::Weight;
use crate::record::{MatchesRow, Rejected, Row, RowKind};
use crate::search::index::lookup::{Answer, IncomingDocument, Lookup};
use crate::search::index::segment::PassageWords;
use crate::search::index::store::Index;
use crate::search::index::weights::Place;
use crate::search::memory::MemoryCeiling;
use crate::search::signing::Signing;
use crate::write::format::Jsonl;
use crate::write::sink::{Destination, RowSink};

/// Signs documents. Also cuts them into passages if they are added to an index with passages.
struct Reading<'m> {
    signing: Signing<'m>,
    cutter: Option<UnitCutter>,
}

impl<'m> Worker for Reading<'m> {
    type Sum = <Signing<'m> as Worker>::Sum;

    fn take_sum(&mut self) -> Self::Sum {
        self.signing.take_sum()
    }

    fn recover(&mut self) {
        self.signing.recover();
        if let Some(cutter) = &mut self.cutter {
            cutter.recover();
        }
    }
}

/// Reads and signs the documents of inputs, in their order. With `adds`, the weights and passages of
/// documents are read, too, as the index stores them. Returns the notes on their lines.
pub(super) fn incoming_documents(
    job: &Job<'_>,
    index: &Index,
    inputs: &Inputs,
    adds: bool,
    visit: &mut dyn FnMut(Result<IncomingDocument, Rejected>) -> Result<(), Error>,
) -> Result<LineNotes, Error> {
    let signers = &index.methods.signers;
    let pass = job.pass("reading documents", inputs);
    let passed = pass.documents(
        || Reading {
            signing: Signing::new(&index.methods.maker, signers.signer()),
            cutter: index.cutter().filter(|_| adds),
        },
        |reading, item| {
            // Weights and passages are needed only for documents that are added.
            let weight = adds.then(|| Weight::of_record(&item.line()));
            let passages = reading.cutter.as_mut().map(|cutter| PassageWords {
                host: item.record.url.as_deref().and_then(host_of).unwrap_or_default(),
                words: cutter.words(&item.record.text),
            });
            // Signing comes last: a panic before it leaves the batch without the document, so rows and
            // sketches stay in step.
            reading.signing.add(&item.record.text);
            (item.id.clone(), weight, passages)
        },
        |worked| {
            // If a chunk has several documents with equal content, only the first is signed; the others take its keys.
            let mut full: HashMap<u128, (&[u64], &[u64])> = HashMap::new();
            let mut sketches = worked.sum.rows();
            for row in worked.rows {
                let (id, weight, passages) = match row {
                    Ok(row) => row,
                    Err(rejected) => {
                        visit(Err(rejected))?;
                        continue;
                    }
                };
                // Rejected records have no sketch. So `next` is called for usable rows only.
                let Some(sketch) = sketches.next() else { break };
                let mut rows = (sketch.index_row, sketch.features);
                if sketch.kind == DocumentKind::Full {
                    if rows.0.is_empty() {
                        rows = full.get(&sketch.content).copied().unwrap_or(rows);
                    } else {
                        full.insert(sketch.content, rows);
                    }
                }
                visit(Ok(IncomingDocument {
                    id,
                    text: (sketch.kind != DocumentKind::Empty).then_some((sketch.content, sketch.exact)),
                    keys: rows.0.to_vec(),
                    features: rows.1.to_vec(),
                    weight,
                    passages,
                }))?;
            }
            Ok(())
        },
    )?;
    Ok(*passed.lines())
}

/// Bytes of signed documents that are looked up together, unless memory is short.
const LOOKUP_BYTES: u64 = 128 << 20;

/// Counts of a query.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Queried {
    /// Number of documents looked up.
    pub documents: u64,
    /// Number of documents with a match in the index.
    pub matched: u64,
    /// Number of documents that share a key with more documents of the index than they were compared with, so that matches may be missing.
    pub capped: u64,
    /// Number of records that could not be used.
    pub rejected: u64,
    /// Facts about the lines of all records read.
    #[serde(flatten)]
    pub lines: LineFacts,
}

/// Gathers documents, and looks them up batch by batch. `most` is the size of a batch in bytes.
struct Batches<'i> {
    lookup: Lookup<'i>,
    documents: Vec<IncomingDocument>,
    bytes: u64,
    most: u64,
}

impl<'i> Batches<'i> {
    /// A lookup without documents.
    fn new(job: &Job<'_>, index: &'i Index) -> Result<Self, Error> {
        let most = MemoryCeiling::of(job.settings).batch(LOOKUP_BYTES);
        Ok(Self {
            lookup: Lookup::new(index, most)?,
            documents: Vec::new(),
            bytes: 0,
            most,
        })
    }

    /// Adds a document. Once a batch is full, `visit` is called with its documents and their answers.
    fn add(&mut self, document: IncomingDocument, visit: &mut Visit<'_>) -> Result<(), Error> {
        self.bytes += document.bytes();
        self.documents.push(document);
        if self.bytes > self.most {
            self.finish(visit)?;
        }
        Ok(())
    }

    /// Calls `visit` with the remaining documents and their answers.
    fn finish(&mut self, visit: &mut Visit<'_>) -> Result<(), Error> {
        // `drain` keeps the allocation for the next batch.
        let answers = self.lookup.answers(&self.documents)?;
        self.bytes = 0;
        self.documents
            .drain(..)
            .zip(answers)
            .try_for_each(|(document, answer)| visit(document, answer))
    }
}

/// Receives a document and its answer.
type Visit<'v> = dyn FnMut(IncomingDocument, Answer) -> Result<(), Error> + 'v;

/// Writes a row for each document of the job's inputs, in their order, with the similar documents of the index.
///
/// Rows have the form `{"id","matches":[{"id","similarity","estimate","shared_shingles","method","contained"}]}`, and also `"capped"` if
/// the document shares a key with more documents of the index than were compared. `rejected` is called with records that could not be used.
///
/// # Errors
/// If an input or the index cannot be read, or writing fails.
pub fn query(
    job: &Job<'_>,
    index: &Index,
    to: &mut (dyn Write + Send),
    rejected: &mut dyn FnMut(&Rejected),
) -> Result<Queried, Error> {
    let inputs = job.open(RecordKind::Documents)?;
    let mut sink = RowSink::open(
        Destination::Stream(to),
        job,
        &Jsonl,
        RowKind::Matches,
        false,
        None,
    )?;
    let mut batches = Batches::new(job, index)?;
    let (mut counts, mut unusable) = (Queried::default(), 0);
    let mut answer = |document: IncomingDocument, answer: Answer| {
        counts.documents += 1;
        counts.matched += u64::from(!answer.matches.is_empty());
        counts.capped += u64::from(answer.capped > 0);
        let capped = answer.capped;
        sink.row(Row::Matches(&MatchesRow {
            id: &document.id,
            matches: &answer.rows(),
            capped,
        }))
    };
    let lines = incoming_documents(job, index, &inputs, false, &mut |document| match document {
        Ok(document) => batches.add(document, &mut answer),
        Err(row) => {
            unusable += 1;
            rejected(&row);
            Ok(())
        }
    })?;
    batches.finish(&mut answer)?;
    sink.finish()?;
    counts.rejected = unusable;
    let read = counts.documents + counts.rejected;
    counts.lines = LineFacts::of(job.settings.column.as_ref(), &lines, read);
    Ok(counts)
}

/// A document of an index.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct IndexRow {
    /// Its id.
    pub id: String,
    /// Number of documents that it represents, including itself.
    pub cluster_size: u64,
    /// Number of documents with its text that it represents, including itself.
    pub copies: u64,
}

/// Visits the live documents of an index, in the order in which they are stored, with their total weights.
///
/// # Errors
/// If the index cannot be read. Also the first error of `visit`.
pub fn rows(index: &Index, visit: &mut dyn FnMut(IndexRow) -> Result<(), Error>) -> Result<(), Error> {
    let weights = index.weights()?;
    for (segment, mut reader) in (0..).zip(index.segments()?) {
        let mut live = Vec::new();
        // Ids are gathered first: the visit of ids borrows the reader, which the weights need, too.
        reader.ids(|document, id| live.push((document, id)))?;
        for (document, id) in live {
            let mut weight = reader.weight(document)?;
            let place = Place { segment, document };
            weight.add(weights.get(&place).copied().unwrap_or(Weight::NONE));
            visit(IndexRow {
                id,
                cluster_size: weight.cluster_size,
                copies: weight.copies,
            })?;
        }
    }
    Ok(())
}

/// Looks up the documents of inputs in the index. Returns those that documents of the index represent, and
/// the number of documents that share a key with more documents of the index than they were compared with.
pub(crate) fn known_documents(
    job: &Job<'_>,
    index: &Index,
    inputs: &Inputs,
) -> Result<(KnownDocuments, u64), Error> {
    if !inputs.rereadable() {
        return Err(
            Error::usage("documents are looked up in the index before they are compared, but an input cannot be read twice")
                .with_option("against")
                .with_help("name a file"),
        );
    }
    let mut batches = Batches::new(job, index)?;
    let (mut known, mut number, mut capped) = (BTreeMap::new(), 0_u32, 0);
    let mut look_up = |_: IncomingDocument, answer: Answer| {
        capped += u64::from(answer.capped > 0);
        let matches = answer.rows_that_stand();
        // Documents are numbered as the pass that follows numbers them, without rejected records.
        known.insert(number, matches);
        number += 1;
        Ok(())
    };
    incoming_documents(job, index, inputs, false, &mut |document| match document {
        Ok(document) => batches.add(document, &mut look_up),
        Err(_) => Ok(()), // the pass that follows reports rejected records
    })?;
    batches.finish(&mut look_up)?;
    Ok((KnownDocuments::new(job.settings, known), capped))
}
