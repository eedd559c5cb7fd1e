//! Which documents of an index new ones are duplicates of.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use dehusk_dedup::DocumentKind;
use dehusk_dedup::candidates::KeyProbe;
use rayon::prelude::*;

use crate::error::Error;
use crate::job::Job;
use crate::kernel::verdict::KnownDocuments;
use crate::read::inputs::{Inputs, RecordKind};
use crate::record::document::round;
use crate::record::{Match, MatchesRow, Rejected, Row};
use crate::search::index::store::Index;
use crate::search::memory::MemoryCeiling;
use crate::search::signing::Signing;
use crate::write::format::Jsonl;
use crate::write::sink::{Output, RowSink};

/// A new document, to be looked up in the index.
pub(crate) struct IncomingDocument {
    pub(crate) id: String,
    /// None if it has no words.
    pub(crate) content: Option<u128>,
    pub(crate) keys: Vec<u64>,
    pub(crate) features: Vec<u64>,
}

impl IncomingDocument {
    fn bytes(&self) -> u64 {
        8 * (self.keys.len() + self.features.len()) as u64 + 200
    }
}

/// Reads and signs the documents of inputs, in their order.
pub(super) fn incoming_documents(
    job: &Job<'_>,
    index: &Index,
    inputs: &Inputs,
    visit: &mut dyn FnMut(Result<IncomingDocument, Rejected>) -> Result<(), Error>,
) -> Result<(), Error> {
    let signers = &index.methods.signers;
    let pass = job.pass("reading documents", inputs);
    pass.documents(
        || Signing::new(&index.methods.maker, signers.signer()),
        |signing, item| {
            signing.add(&item.record.text);
            item.id.clone()
        },
        |worked| {
            // Of equal contents in a chunk only the first is signed; the others take its keys.
            let mut full: HashMap<u128, (&[u64], &[u64])> = HashMap::new();
            let mut sketches = worked.sum.rows();
            for row in worked.rows {
                let id = match row {
                    Ok(id) => id,
                    Err(rejected) => {
                        visit(Err(rejected))?;
                        continue;
                    }
                };
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
                    content: (sketch.kind != DocumentKind::Empty).then_some(sketch.content),
                    keys: rows.0.to_vec(),
                    features: rows.1.to_vec(),
                }))?;
            }
            Ok(())
        },
    )?;
    Ok(())
}

/// For each new document, the documents of the index that it is like: the most similar first, then by id.
pub(crate) fn matches(
    index: &Index,
    incoming_documents: &[IncomingDocument],
) -> Result<Vec<Vec<Match>>, Error> {
    let mut found: Vec<Vec<Match>> = vec![Vec::new(); incoming_documents.len()];
    let similarity_name = index.methods.similarity;
    let mut by_content: HashMap<u128, Vec<u32>> = HashMap::new();
    for (number, incoming_document) in (0..).zip(incoming_documents) {
        if let Some(content) = incoming_document.content {
            by_content.entry(content).or_default().push(number);
        }
    }
    let rows: Vec<&[u64]> = incoming_documents
        .iter()
        .map(|incoming_document| incoming_document.keys.as_slice())
        .collect();
    let probe = KeyProbe::new(index.methods.columns, &rows);
    for (mut reader, removed) in index.segments()? {
        let unreadable = |error| index.unreadable(error);
        let mut equal = Vec::new();
        reader
            .contents(|document, content| {
                if let Some(numbers) = by_content.get(&content).filter(|_| !removed.contains(&document)) {
                    equal.extend(numbers.iter().map(|number| (document, *number)));
                }
            })
            .map_err(unreadable)?;
        for (document, number) in equal {
            found[number as usize].push(Match {
                id: reader.id(document).map_err(unreadable)?,
                similarity: 1.0,
                estimate: Some(1.0),
                shared_shingles: shared(index, &incoming_documents[number as usize].features),
                method: "exact",
            });
        }
        // Pairs of an indexed and an incoming document, once for each column in which their keys are equal.
        let mut pairs: Vec<u64> = Vec::new();
        for column in 0..index.manifest.columns {
            let mut probe = probe.column(column);
            reader
                .column(column, |key, document| {
                    let same = probe.next(key);
                    if !removed.contains(&document) {
                        pairs.extend(same.map(|number| u64::from(document) << 32 | u64::from(number)));
                    }
                })
                .map_err(unreadable)?;
        }
        pairs.par_sort_unstable();
        let mut read: Option<(u32, Vec<u64>)> = None;
        for times in pairs.chunk_by(|a, b| a == b) {
            let (document, number) = ((times[0] >> 32) as u32, times[0] as u32 as usize);
            if read.as_ref().is_none_or(|(before, _)| *before != document) {
                read = Some((document, reader.features(document).map_err(unreadable)?));
            }
            let Some((_, features)) = &read else { continue };
            let Some(similarity) = index
                .methods
                .matcher
                .compare(features, &incoming_documents[number].features)
            else {
                continue;
            };
            found[number].push(Match {
                id: reader.id(document).map_err(unreadable)?,
                similarity,
                estimate: index.methods.matcher.estimate(times.len() as u32).map(round),
                shared_shingles: index
                    .methods
                    .matcher
                    .shared_shingles(features, &incoming_documents[number].features),
                method: similarity_name,
            });
        }
    }
    for matches in &mut found {
        // A copy is also found by its keys.
        let exact = matches
            .iter()
            .find(|found| found.method == "exact")
            .map(|found| found.id.clone());
        matches.retain(|found| found.method == "exact" || Some(&found.id) != exact.as_ref());
        matches.sort_by(|a, b| {
            let exact = |found: &Match| found.method == "exact";
            (exact(b).cmp(&exact(a)))
                .then(b.similarity.total_cmp(&a.similarity))
                .then_with(|| a.id.cmp(&b.id))
        });
    }
    Ok(found)
}

/// Shingles that a document shares with an identical one: all of its own.
fn shared(index: &Index, features: &[u64]) -> Option<u64> {
    index.methods.matcher.shared_shingles(features, features)
}

/// Bytes of signed documents that are looked up together, unless memory is short.
const LOOKUP_BYTES: u64 = 128 << 20;

/// Writes for each document of the job's inputs, in their order, which documents of the index it is like:
/// `{"id","matches":[{"id","similarity","estimate","shared_shingles","method"}]}`. Returns how many documents there were, how
/// many of them matched, and how many records could not be used; `rejected` is called with those.
///
/// # Errors
/// If an input or the index cannot be read, or writing fails.
pub fn query(
    job: &Job<'_>,
    index: &Index,
    to: &mut (dyn Write + Send),
    rejected: &mut dyn FnMut(&Rejected),
) -> Result<(u64, u64, u64), Error> {
    let inputs = job.open(RecordKind::Documents)?;
    let mut sink = RowSink::stream(Output::stream(to), &Jsonl, false, None)?;
    let batch_bytes = MemoryCeiling::of(job.settings).batch(LOOKUP_BYTES);
    let (mut batch, mut bytes, mut counts) = (Vec::new(), 0, (0, 0, 0));
    let mut answer = |batch: &mut Vec<IncomingDocument>, counts: &mut (u64, u64, u64)| {
        for (incoming_document, matches) in batch.iter().zip(matches(index, batch)?) {
            counts.0 += 1;
            counts.1 += u64::from(!matches.is_empty());
            sink.row(Row::Matches(&MatchesRow {
                id: &incoming_document.id,
                matches: &matches,
            }))?;
        }
        batch.clear();
        Ok::<(), Error>(())
    };
    incoming_documents(job, index, &inputs, &mut |incoming_document| {
        match incoming_document {
            Ok(incoming_document) => {
                bytes += incoming_document.bytes();
                batch.push(incoming_document);
            }
            Err(row) => {
                counts.2 += 1;
                rejected(&row);
            }
        }
        if bytes > batch_bytes {
            bytes = 0;
            answer(&mut batch, &mut counts)?;
        }
        Ok(())
    })?;
    answer(&mut batch, &mut counts)?;
    sink.finish()?;
    Ok(counts)
}

/// Which documents of inputs the index has duplicates of.
pub(crate) fn known_documents(
    job: &Job<'_>,
    index: &Index,
    inputs: &Inputs,
) -> Result<KnownDocuments, Error> {
    if !inputs.rereadable() {
        return Err(
            Error::usage("documents are looked up in the index before they are compared, but an input cannot be read twice")
                .with_option("against")
                .with_help("name a file"),
        );
    }
    let batch_bytes = MemoryCeiling::of(job.settings).batch(LOOKUP_BYTES);
    let (mut known, mut batch, mut bytes, mut first) = (BTreeMap::new(), Vec::new(), 0, 0_u32);
    let mut look_up = |batch: &mut Vec<IncomingDocument>| {
        let all = matches(index, batch)?;
        known.extend((first..).zip(all).filter(|(_, matches)| !matches.is_empty()));
        first += batch.len() as u32;
        batch.clear();
        Ok::<(), Error>(())
    };
    incoming_documents(job, index, inputs, &mut |incoming_document| {
        // The pass that follows reports rejected records.
        if let Ok(incoming_document) = incoming_document {
            bytes += incoming_document.bytes();
            batch.push(incoming_document);
        }
        if bytes > batch_bytes {
            bytes = 0;
            look_up(&mut batch)?;
        }
        Ok(())
    })?;
    look_up(&mut batch)?;
    Ok(known)
}
