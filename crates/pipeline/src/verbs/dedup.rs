//! The verb `dedup`: documents in; pairs, clusters and the documents that stay out.

use std::path::Path;

use crate::error::Error;
use crate::exec::both::both;
use crate::exec::progress::Total;
use crate::job::Job;
use crate::kernel::apart::Apart;
use crate::kernel::asked_facts::AskedFacts;
use crate::kernel::document_table::{DocumentFacts, DocumentTable};
use crate::kernel::verdict::{Verdicts, decide};
use crate::read::chunk::Bounds;
use crate::read::columns::Columns;
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::reread::{Accepted, DocumentLines, Pick, Reread, Stamps};
use crate::record::header::{DOCUMENT_ID_FIELD, Header, KEPT, REJECTED};
use crate::record::mend::MendedCounts;
use crate::record::{Rejected, Row, RowKind, json};
use crate::search::corpus_stats::CorpusStats;
use crate::search::duplicates::{Search, check, check_memory, threads};
use crate::search::index::{self, Index};
use crate::search::signing::Signing;
use crate::write::file::{Finished, OutFile};
use crate::write::file_form::FileForm;
use crate::write::folder::conclude;
use crate::write::format::EncodedRows;
use crate::write::place::Place;
use crate::write::row_folder::{FolderFormats, RowFolder};
use crate::write::summary::{Outcome, Summary, Tally};

/// Advice after an interrupted run of a verb that cannot be resumed.
pub const NOT_RESUMED: &str =
    "nothing was written, and there is nothing to go on with: run the same command again, which begins anew";

/// Finds duplicates among documents, and writes the folder `out` with `pairs.jsonl`, `clusters.jsonl`,
/// `kept.jsonl`, `quarantine.jsonl` and `summary.json`.
///
/// In other formats, compressed or in shards, the lists have other extensions.
///
/// With an index (setting `against`), documents with duplicates in it are dropped, too, and `matches.jsonl`
/// lists these duplicates.
///
/// `kept.jsonl` has the lines of the input with `cluster_size` and `copies` appended. Lines are otherwise unchanged, apart from repaired
/// UTF-8 and JSON. A document without an id, or with a repeated id, gets the id that the other files use.
///
/// Inputs that cannot be read twice, such as standard input, are copied to the output folder for the duration of the run.
///
/// # Errors
/// If an input is missing, settings contradict each other, or the folder cannot be used. An unusable record is not an error.
///
/// # Example
///
/// ```
/// use dehusk_pipeline::verbs::dedup::dedup;
/// use dehusk_pipeline::{Cancel, FolderFormats, Job, Settings};
///
/// let folder = tempfile::tempdir()?;
/// let (documents, out) = (folder.path().join("documents.jsonl"), folder.path().join("out"));
/// std::fs::write(&documents, "{\"id\":\"a\",\"text\":\"The river rose.\"}\n{\"id\":\"b\",\"text\":\"The river rose.\"}\n")?;
/// let (inputs, settings, cancel) = ([documents.display().to_string()], Settings::default(), Cancel::new());
/// let outcome = dedup(&Job::new(&inputs, &settings, &cancel), &out, FolderFormats::default())?;
/// assert_eq!((outcome.summary.counts.read, outcome.summary.counts.kept), (2, 1));
/// assert_eq!(outcome.summary.counts.dropped["exact-duplicate"], 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn dedup(job: &Job<'_>, out: &Path, formats: FolderFormats) -> Result<Outcome, Error> {
    job.cancel.advise(NOT_RESUMED);
    let place = Place::of_folder(out, "dedup", job)?;
    let outcome = dedup_in(job, place.path(), formats)?;
    place.publish(job)?;
    Ok(outcome)
}

/// Writes to a folder of this machine.
fn dedup_in(job: &Job<'_>, out: &Path, formats: FolderFormats) -> Result<Outcome, Error> {
    let Some(path) = &job.settings.against else {
        return dedup_against(job, out, formats, None);
    };
    let index = Index::open(path, job.settings)?;
    let job = Job {
        settings: index.settings(),
        ..*job
    };
    dedup_against(&job, out, formats, Some(&index))
}

/// Like [`dedup_in`], with the settings of the index, if there is one, and the index itself.
fn dedup_against(
    job: &Job<'_>,
    out: &Path,
    formats: FolderFormats,
    index: Option<&Index>,
) -> Result<Outcome, Error> {
    let settings = job.settings;
    let inputs = job.open(RecordKind::Documents)?;
    inputs.files().try_for_each(Header::check)?;
    let stamps = Stamps::of(&inputs);
    check(settings)?;
    let writers = FileForm::folder(settings, formats.format)?.held;
    let records = check_memory(job, &inputs, writers)?;
    let mut summary = Summary::new("dedup", &inputs, settings.effective_duplicates()?);
    let kind = RecordKind::Documents;
    let folder = RowFolder::open(job, out, formats.format, &summary, (&inputs, kind))?;

    // Documents are looked up in the index first, in a pass of their own. So lookups and the search never
    // need memory at the same time.
    let known = index
        .map(|index| index::known_documents(job, index, &inputs))
        .transpose()?
        .map(|(known, capped)| {
            summary.capped_lookups = Some(capped);
            known
        });
    // Methods that weigh words need counts of the whole collection before the first document is signed.
    let options = CorpusStats::of(job, &inputs)?.options(settings)?;
    let mut search = Search::new(settings, options, out, writers)?.with_records(records);
    // The pool is started before the threads of the first pass. Threads that start later reuse the memory
    // that finished threads have freed.
    let pool = threads(settings)?;
    let gathered = gather(job, &inputs, &folder, &mut search, &mut summary)?;
    job.progress
        .stage("comparing documents", Some(Total::UnknownPairs));
    let (is_table, _) = folder.carries();
    let reread = gathered.reread(job, &inputs, is_table);
    let (by, table) = (search.compiled(), &gathered.documents);
    let apart = Apart::of(table, settings.same_url.unwrap_or_default().0, None);
    // The order matters: folded documents leave the search before documents of the index are removed.
    let known = search.leave_out(&apart, known)?;
    let other = gathered.bytes() + apart.bytes();
    let found = search.join(job, &pool, table, other, &reread)?;
    let verdicts = pool.install(|| decide(found, &by, table, (known, apart)));
    job.cancel.check()?;
    let mut found = verdicts.summarize(&mut summary);
    let kept = Some(Total::Documents(summary.counts.kept));
    job.progress.stage("writing", kept);
    // The lists are compressed on worker threads, while copying documents mostly waits for the disk, so
    // both run in parallel. Not with a memory ceiling, since both writers take memory.
    let (mut files, (kept, late)) = both(
        settings.threads() > 1 && settings.memory_ceiling().is_none(),
        || verdicts.write(job, &pool, &folder, formats.tsv, &mut found),
        || copy_kept(job, (&reread, inputs.columns()), &folder, &verdicts, &gathered),
    )?;
    summary.duplicates = Some(found);
    files.extend(kept);
    summary.lines.add(&late);
    // An input that changed between the passes would give wrong documents. Then nothing is published.
    stamps.check(&inputs)?;
    files.extend(gathered.rejected_files);
    conclude(folder.folder, summary, files, gathered.rejected)
}

/// Results of the first pass over the documents.
struct Gathered {
    documents: DocumentTable,
    /// The result of each record of the inputs.
    accepted: Vec<Accepted>,
    /// Documents whose line does not have their id, in ascending order.
    to_name: Vec<u32>,
    /// Copies of the lines of the documents; `None` if the inputs can be read again.
    spool: Option<Finished>,
    rejected_files: Vec<Finished>,
    rejected: Vec<Rejected>,
}

impl Gathered {
    /// Bytes of memory of the value.
    fn bytes(&self) -> u64 {
        self.documents.bytes()
            + (self.accepted.capacity() + self.to_name.capacity() * size_of::<u32>()) as u64
    }

    /// Source from which documents are read again. With `exact`, rows of tables are read so that they can become rows of tables again.
    fn reread<'a>(&'a self, job: &Job<'_>, inputs: &'a Inputs, exact: bool) -> Reread<'a> {
        match &self.spool {
            Some(spool) => Reread::File {
                path: spool.path(),
                columns: inputs.columns(),
            },
            None => Reread::Inputs {
                inputs,
                bounds: Bounds {
                    exact,
                    ..job.settings.bounds()
                },
                accepted: &self.accepted,
            },
        }
    }
}

/// A document signed by a worker thread.
struct Signed {
    facts: DocumentFacts,
    /// Whether its line has the final id.
    named: bool,
    accepted: Accepted,
    /// Its line; `None` unless lines are copied.
    line: Option<Vec<u8>>,
}

/// Reads and signs all documents.
fn gather(
    job: &Job<'_>,
    inputs: &Inputs,
    folder: &RowFolder,
    search: &mut Search,
    summary: &mut Summary,
) -> Result<Gathered, Error> {
    let settings = job.settings;
    let mut rejected_rows = folder.rows(REJECTED, RowKind::Rejected)?;
    let mut spool: Option<OutFile> = if inputs.rereadable() {
        None
    } else {
        Some(folder.folder.file("input.jsonl")?)
    };
    let copies = spool.is_some();
    let (mut documents, mut tally) = (DocumentTable::default(), Tally::default());
    let (mut accepted, mut to_name) = (Vec::new(), Vec::new());

    let asked = AskedFacts::of(settings);
    // Makes batches on worker threads while the search adds earlier ones.
    let maker = search.batch_maker();
    let signers = search.signers(settings)?;
    let pass = job.pass("reading documents", inputs);
    let skipped = pass.documents(
        || Signing::new(&maker, signers.signer()),
        |signing, item| {
            let record = &item.record;
            let mut facts = DocumentFacts::new(
                item.id.clone(),
                record.url.as_deref(),
                &record.ranking,
                &record.text,
            );
            asked.add(&mut facts, || item.line());
            let signed = Signed {
                facts,
                named: record.id.as_deref() == Some(item.id.as_str()),
                accepted: Accepted::of(item),
                line: copies.then(|| item.line().into_owned()),
            };
            signing.add(&record.text);
            signed
        },
        |worked| {
            // `accepted` has one byte for each record.
            let other = documents.bytes() + accepted.capacity() as u64;
            let mut document = search.append(worked.sum, other)?;
            let preference = asked.preference_of_file(&worked.origin.name);
            let mut tally = tally.chunk(&worked.origin, &worked.skipped);
            // Slots of the hash table of ids are prefetched for the whole chunk.
            documents.fetch_ids(
                worked
                    .rows
                    .iter()
                    .flatten()
                    .map(|signed| signed.facts.id.as_str()),
            );
            for row in worked.rows {
                accepted.push(row.as_ref().map_or(Accepted::No, |signed| signed.accepted));
                match tally.count(row) {
                    Ok(Signed {
                        mut facts,
                        named,
                        line,
                        ..
                    }) => {
                        facts.prefer_file(preference);
                        // A repeated id was changed, and a missing id is not in the line: both must be
                        // written into the line later.
                        if documents.push(&facts) || !named {
                            to_name.push(document);
                        }
                        if let (Some(spool), Some(line)) = (&mut spool, line) {
                            spool.line(&line)?;
                        }
                        document += 1;
                    }
                    Err(rejected) => rejected_rows.row(Row::Rejected(&rejected))?,
                }
            }
            Ok(())
        },
    )?;
    summary.repeated_ids = documents.repeated();
    summary.missing_field = asked.missing(documents.len(), documents.has_values());
    documents.close();
    Ok(Gathered {
        documents,
        accepted,
        to_name,
        spool: spool.map(OutFile::finish).transpose()?,
        rejected_files: rejected_rows.finish_files()?,
        rejected: tally.write_to(summary, settings, &skipped),
    })
}

/// Copies the lines of the documents that stay. Also returns the counts of repairs in columns that the first pass did not read.
fn copy_kept(
    job: &Job<'_>,
    (reread, columns): (&Reread<'_>, &Columns),
    folder: &RowFolder,
    verdicts: &Verdicts<'_>,
    gathered: &Gathered,
) -> Result<(Vec<Finished>, MendedCounts), Error> {
    // A different `id` in a document must not be overwritten: a number in a table, or a field that is not read as the id.
    let id_field = match folder.carries().1 || columns.of("id").is_some() {
        true => DOCUMENT_ID_FIELD,
        false => "id",
    };
    let mut kept = folder.rows(KEPT, RowKind::Document)?;
    let of_lines = kept.of_lines();
    let pick = |document| match verdicts.of(document).kept {
        true => Pick::Take,
        false => Pick::Leave,
    };
    let work = |lines: &DocumentLines| {
        // The size of the lines plus line ends is close to that of the rows, so the buffer rarely grows.
        let mut rows = EncodedRows::with_room(lines.iter().map(|(_, line)| line.len() + 1).sum());
        for (document, line) in lines.iter() {
            if gathered.to_name.binary_search(&document).is_ok() {
                let id = gathered.documents.id(document);
                let line = json::with_text(line, id_field, id);
                of_lines.add(&verdicts.kept_line(document, &line), &mut rows);
            } else {
                of_lines.add(&verdicts.kept_line(document, line), &mut rows);
            }
        }
        (rows, lines.iter().count() as u64, lines.late)
    };
    let mut late = MendedCounts::default();
    reread.each(
        &job.plan(),
        pick,
        || (),
        |(), lines| Ok(work(&lines)),
        |(rows, documents, mended)| {
            kept.rows(&rows)?;
            late.add(&mended);
            job.progress.advance(documents, 0);
            Ok(())
        },
    )?;
    Ok((kept.finish_files()?, late))
}

#[cfg(test)]
mod tests;
