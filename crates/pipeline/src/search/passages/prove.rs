//! Compares the texts of passages at all their positions, and writes passages and occurrences.

use std::ops::Range;

use dehusk_dedup::FoundPassages;
use dehusk_html::narrow;

use crate::error::Error;
use crate::exec::progress::Total;
use crate::job::Job;
use crate::kernel::units::{UnitCutter, bytes_of, hash_of};
use crate::read::reread::{DocumentLines, Pick};
use crate::record::header::{OCCURRENCES, PASSAGES};
use crate::record::{OccurrenceRow, PassageRow, Row, RowKind};
use crate::search::passages::collection::Collection;
use crate::search::passages::making::Making;
use crate::write::file::Finished;
use crate::write::row_folder::RowFolder;
use crate::write::summary::PassageCounts;

/// Maximum characters of a passage in its row.
pub(crate) const MAX_CHARS: usize = 10_000;

/// The result of reading the documents again: byte ranges of passages whose texts are equal.
pub(crate) struct Proven {
    /// By occurrence, its byte range in the text. Empty if its text is not that of its passage.
    pub(crate) spans: Vec<(u32, u32)>,
    /// By passage, whether its texts in the two longest documents that have it are that of its first position.
    pub(crate) longest: Vec<[bool; 2]>,
}

/// Passages as they were found, with the proof of each.
#[derive(Clone, Copy)]
pub(crate) struct ProvenPassages<'p> {
    pub(crate) found: &'p FoundPassages,
    pub(crate) proven: &'p Proven,
}

/// The passages of a document, as a worker thread returns them.
struct Evidence {
    document: u32,
    /// For each occurrence, its byte range and the hash of its tokens.
    occurrences: Vec<(Range<usize>, u128)>,
    /// Passages whose first position is in this document: index, byte range, hash and text.
    firsts: Vec<(u32, Range<usize>, u128, String)>,
    /// Passages for which this document is one of the two longest: index, place among the two, and hash.
    longest: Vec<(u32, usize, u128)>,
}

/// Reads the documents with passages again, compares the texts of each passage at all its positions, and writes passages and
/// occurrences.
pub(crate) fn prove(
    job: &Job<'_>,
    making: &Making,
    folder: &RowFolder,
    collection: Collection<'_>,
    found: &FoundPassages,
    counts: &mut PassageCounts,
) -> Result<(Proven, Vec<Finished>), Error> {
    let table = collection.table;
    let unit = making.unit_name();
    // Passages by document of their first position, so that a worker finds those of a document by binary
    // search.
    let mut by_first: Vec<u32> = (0..narrow::to_u32(found.passages.len())).collect();
    let first = |number: &u32| {
        let passage = &found.passages[*number as usize];
        (passage.document, passage.start, passage.length)
    };
    by_first.sort_unstable_by_key(first);
    // Place in one of the longest documents, passage, and which of the two documents it is.
    let mut by_longest: Vec<((u32, u32), u32, usize)> = Vec::new();
    for (number, passage) in (0_u32..).zip(&found.passages) {
        let places = passage.longest.iter().enumerate();
        by_longest.extend(places.filter_map(|(which, place)| Some(((*place)?, number, which))));
    }
    by_longest.sort_unstable();
    job.progress
        .stage("comparing texts", Some(Total::Documents(table.len().into())));
    let mut passage_rows = folder.rows(PASSAGES, RowKind::Passage)?;
    let mut occurrence_rows = folder.rows(OCCURRENCES, RowKind::Occurrence)?;
    let mut hashes = vec![0_u128; found.passages.len()];
    let mut spans = vec![(0_u32, 0_u32); found.occurrences.len()];
    // Texts of an index are not stored, so their places count as equal without comparing.
    let of_index =
        |place: Option<(u32, u32)>| place.is_some_and(|place| collection.facts.known_id(place.0).is_some());
    let mut longest: Vec<[bool; 2]> = found
        .passages
        .iter()
        .map(|passage| passage.longest.map(of_index))
        .collect();
    // Documents without passages are not parsed again.
    let pick = |document| match found.of_document(document).is_empty() {
        true => Pick::Leave,
        false => Pick::Take,
    };
    let work = |cutter: &mut UnitCutter, lines: DocumentLines| {
        let mut all = Vec::new();
        lines.each_record(&mut |document, record| {
            let pieces = cutter.pieces(&record.text);
            let at = |start: u32, end: u32| {
                let run = pieces.get(start as usize..end as usize).unwrap_or_default();
                (bytes_of(run), hash_of(run))
            };
            let from = by_first.partition_point(|number| first(number).0 < document);
            let firsts = by_first[from..]
                .iter()
                .take_while(|number| first(number).0 == document);
            let from = by_longest.partition_point(|one| one.0.0 < document);
            let of_longest = by_longest[from..].iter().take_while(|one| one.0.0 == document);
            all.push(Evidence {
                document,
                longest: of_longest
                    .map(|&((_, start), number, which)| {
                        let length = found.passages[number as usize].length;
                        (number, which, at(start, start + length).1)
                    })
                    .collect(),
                occurrences: found
                    .of_document(document)
                    .iter()
                    .map(|one| at(one.start, one.end))
                    .collect(),
                firsts: firsts
                    .map(|&number| {
                        let (_, start, length) = first(&number);
                        let (span, hash) = at(start, start + length);
                        let text = record.text.get(span.clone()).unwrap_or_default();
                        (number, span, hash, text.chars().take(MAX_CHARS).collect())
                    })
                    .collect(),
            });
            Ok(())
        })?;
        Ok(all)
    };
    let take = |all: Vec<Evidence>| {
        for evidence in all {
            let id = table.id(evidence.document);
            // All hashes first: a longer passage around a first position begins in the same document, and
            // its hash is read below as `within`. It cannot begin earlier, because the inner passage would
            // then occur earlier, too.
            for (number, _, hash, _) in &evidence.firsts {
                hashes[*number as usize] = *hash;
            }
            for (number, span, hash, text) in &evidence.firsts {
                let passage = &found.passages[*number as usize];
                let scope = scope(passage.documents, passage.hosts);
                *match scope {
                    "document" => &mut counts.of_document,
                    "host" => &mut counts.of_host,
                    "hosts" => &mut counts.of_hosts,
                    _ => &mut counts.of_unknown,
                } += 1;
                counts.passages += 1;
                let within = passage.within.map(|around| id_of(hashes[around as usize]));
                passage_rows.row(Row::Passage(&PassageRow {
                    id: &id_of(*hash),
                    unit: &unit,
                    text,
                    tokens: passage.length,
                    places: passage.places,
                    documents: passage.documents,
                    hosts: passage.hosts,
                    scope,
                    document: id,
                    start: span.start as u64,
                    end: span.end as u64,
                    within: within.as_deref(),
                    known: collection.facts.has_index().then_some(passage.known),
                }))?;
            }
            // `take` gets documents in ascending order, and the first position is in this document or in an
            // earlier one. So its hash is known.
            for (number, which, hash) in &evidence.longest {
                longest[*number as usize][*which] = hashes[*number as usize] == *hash;
            }
            let before = found
                .occurrences
                .partition_point(|one| one.document < evidence.document);
            counts.documents += 1;
            for (number, (span, hash)) in (before..).zip(&evidence.occurrences) {
                // The search compared hashes of units. Here the 128-bit hash of the whole run decides.
                let passage = found.occurrences[number].passage;
                if hashes[passage as usize] != *hash {
                    counts.unverified += 1;
                    continue;
                }
                counts.occurrences += 1;
                // Fits into 32 bits: a text has 1 GiB at most.
                spans[number] = (narrow::to_u32(span.start), narrow::to_u32(span.end));
                occurrence_rows.row(Row::Occurrence(&OccurrenceRow {
                    document: id,
                    start: span.start as u64,
                    end: span.end as u64,
                    passage: &id_of(*hash),
                }))?;
            }
            job.progress.advance(1, 0);
        }
        Ok(())
    };
    collection
        .reread
        .each(&job.plan(), pick, || making.cutter(), work, take)?;
    let mut files = passage_rows.finish_files()?;
    files.extend(occurrence_rows.finish_files()?);
    let proven = Proven { spans, longest };
    Ok((proven, files))
}

/// Where a passage occurs that `documents` documents and `hosts` known hosts have.
fn scope(documents: u32, hosts: u32) -> &'static str {
    match (documents, hosts) {
        (1, _) => "document",
        (_, 0) => "unknown",
        (_, 1) => "host",
        _ => "hosts",
    }
}

/// Returns the id of a passage: the upper 64 bits of its hash, in hexadecimal.
fn id_of(hash: u128) -> String {
    format!("{:016x}", (hash >> 64) as u64)
}
