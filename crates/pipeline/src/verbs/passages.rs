//! The verb `passages`: finds passages that occur at several positions of the documents, and writes the
//! documents without them.

pub mod against;

use std::collections::BTreeMap;
use std::path::Path;

use dehusk_dedup::Action;
use serde_json::json;

use crate::error::Error;
use crate::job::Job;
use crate::kernel::apart::{CONTAINED_IN, DEMOTED, TOO_MUCH_REPEATED};
use crate::kernel::document_table::{DocumentFacts, DocumentTable};
use crate::kernel::host::host_of;
use crate::read::chunk::Bounds;
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::reread::{Accepted, Reread, Stamps};
use crate::record::header::{DOCUMENT_ID_FIELD, DOCUMENTS, Header, KEPT, PASSAGES, REJECTED};
use crate::record::{Rejected, RepeatedRow, Row, RowKind};
use crate::search::index::Index;
use crate::search::passages::{
    Collection, Collector, ProvenPassages, Rewritten, Stages, contained, prove, report, rewrite, settled,
    write_contained,
};
use crate::settings::Repeat;
use crate::settings::table::Settings;
use crate::verbs::dedup::NOT_RESUMED;
use crate::write::file::{Finished, OutFile};
use crate::write::file_form::FileForm;
use crate::write::folder::conclude;
use crate::write::format::{EncodedRows, RowEncoder};
use crate::write::place::Place;
use crate::write::report::run::data::ReportData;
use crate::write::report::run::figures::figures;
use crate::write::report::run::render;
use crate::write::row_folder::{FolderFormats, RowFolder};
use crate::write::summary::{Outcome, PassageCounts, Summary, Tally};

pub use crate::search::passages::Making;

/// Finds passages that occur at several positions of the documents, and writes to the folder `out`:
/// `passages.jsonl`, `occurrences.jsonl`, `contained.jsonl`, `documents.jsonl` with a row for each
/// document, `quarantine.jsonl`, `report.html` and `summary.json`. Unless passages and contained documents
/// stay, it also writes `kept.jsonl` with the lines of the input, whose passages are cut or marked.
///
/// With an index that holds passages (setting `against`), positions in documents of the index count, too.
///
/// Inputs that cannot be read twice, such as standard input, are copied to the output folder for the
/// duration of the run.
///
/// # Errors
/// If an input is missing, settings contradict each other, memory is too little, or the folder cannot be
/// used. An unusable record is not an error.
pub fn passages(
    job: &Job<'_>,
    making: &Making,
    out: &Path,
    formats: FolderFormats,
) -> Result<Outcome, Error> {
    job.cancel.advise(NOT_RESUMED);
    let place = Place::of_folder(out, PASSAGES, job)?;
    let outcome = passages_in(job, making, place.path(), formats)?;
    place.publish(job)?;
    Ok(outcome)
}

/// Writes to a folder of this machine.
fn passages_in(job: &Job<'_>, making: &Making, out: &Path, formats: FolderFormats) -> Result<Outcome, Error> {
    let settings = job.settings;
    let inputs = job.open(RecordKind::Documents)?;
    inputs.files().try_for_each(Header::check)?;
    let stamps = Stamps::of(&inputs);
    let writers = FileForm::folder(settings, formats.format)?.held;
    let mut collector = Collector::new(settings, making.clone(), out, writers)?;
    // Opened before the output folder is touched, as other checks are.
    let index = index_of(job, making)?;
    let mut effective = vec![
        ("unit", json!(making.unit_name())),
        ("profile", json!(making.profile.name())),
        ("passes", json!(making.profile.fingerprint())),
    ];
    effective.extend(making.effective());
    if let Some(path) = &settings.against {
        effective.push(("against", json!(path)));
    }
    let mut summary = Summary::new(PASSAGES, &inputs, effective);
    let kind = RecordKind::Documents;
    let folder = RowFolder::open(job, out, formats.format, &summary, (&inputs, kind))?;

    let gathered = gather(job, &inputs, &folder, &mut collector, &mut summary)?;
    let mut counts = PassageCounts {
        units: collector.words(),
        ..PassageCounts::default()
    };
    // Documents of the index come after all others, and have numbers after theirs.
    if let Some(index) = &index {
        counts.known_documents = Some(collector.add_index(index)?);
    }
    let kept = gathered.documents.bytes() + gathered.accepted.capacity() as u64;
    let (found, facts) = collector.find(job, kept)?;
    let collection = Collection {
        table: &gathered.documents,
        reread: &gathered.reread(job, &inputs, folder.carries().0),
        facts: &facts,
        to_name: &gathered.to_name,
        id_field: match folder.carries().1 || inputs.columns().of("id").is_some() {
            true => DOCUMENT_ID_FIELD,
            false => "id",
        },
        text_column: inputs.columns().of("text"),
    };
    // From here on, only passages whose texts are equal count, not merely those whose hashes are.
    let (proven, mut files) = prove(job, making, &folder, collection, &found, &mut counts)?;
    let all_contained = contained(&found, &proven, &facts, making.min_contained);
    files.extend(write_contained(&folder, collection, &all_contained, &mut counts)?);
    // `Delete` and cuts exclude each other (see `Making::of`), so a document that is deleted here has lost
    // no passage.
    let contained = match making.on_contained {
        Action::Keep => Vec::new(),
        _ => settled(&all_contained, &facts, |_| true, |_| true),
    };
    let is_contained = |document: u32| contained.binary_search_by_key(&document, |one| one.0).is_ok();
    // A document that is dropped for lost text keeps that reason, even if it is contained.
    let fate = |one: &Rewritten<'_>| {
        let treatment = &one.treatment;
        match (treatment.stays && is_contained(one.document), making.on_contained) {
            (true, Action::Delete) => (false, CONTAINED_IN),
            (true, _) => (true, DEMOTED),
            _ => (treatment.stays, treatment.reason),
        }
    };

    let mut facts = folder.rows(DOCUMENTS, RowKind::Repeated)?;
    let mut kept = match making.repeat == Repeat::Keep && making.on_contained == Action::Keep {
        true => None,
        false => Some(folder.rows(KEPT, RowKind::Document)?),
    };
    let (format, of_lines) = (facts.format(), kept.as_ref().map(|kept| kept.of_lines()));
    let each = |(rows, lines): &mut (RowEncoder, EncodedRows), one: &Rewritten<'_>| {
        let (stays, reason) = fate(one);
        rows.add(Row::Repeated(&RepeatedRow {
            kept: stays,
            reason,
            ..one.treatment.row(gathered.documents.id(one.document))
        }));
        if let Some(of_lines) = of_lines.filter(|_| stays) {
            of_lines.add(&one.line_of_rest(making, collection), lines);
        }
    };
    let passages = ProvenPassages {
        found: &found,
        proven: &proven,
    };
    let written = rewrite(
        job,
        making,
        collection,
        passages,
        &mut counts,
        Stages {
            new: || (RowEncoder::new(format), EncodedRows::default()),
            each,
            done: |(rows, lines): &mut (RowEncoder, EncodedRows)| (rows.take(), std::mem::take(lines)),
        },
        |(rows, lines)| {
            facts.rows(&rows)?;
            kept.as_mut().map_or(Ok(()), |kept| kept.rows(&lines))
        },
    )?;
    files.extend(facts.finish_files()?);
    if let Some(kept) = kept {
        files.extend(kept.finish_files()?);
    }
    let report = report(job, making, collection, passages, &written, &counts)?;
    let gone = written.gone.iter().map(|document| (*document, TOO_MUCH_REPEATED));
    let mut gone: BTreeMap<u32, &'static str> = gone.collect();
    // A contained document is deleted only if it stays otherwise; the settings allow no other reason here.
    if making.on_contained == Action::Delete {
        gone.extend(contained.iter().map(|(document, _)| (*document, CONTAINED_IN)));
    }
    let reasons = [
        (TOO_MUCH_REPEATED, making.cuts()),
        (CONTAINED_IN, making.on_contained == Action::Delete),
    ];
    // Reasons that the settings allow are listed even with a count of 0.
    for (reason, _) in reasons.into_iter().filter(|(_, is_possible)| *is_possible) {
        let dropped = gone.values().filter(|known| **known == reason).count() as u64;
        summary.counts.dropped.insert(reason, dropped);
        summary.counts.kept -= dropped;
    }
    summary.settle_files(|document| gone.get(&document).map_or(Ok(()), |reason| Err(*reason)));
    summary.passages = Some(counts);
    summary.lines.add(&written.late);
    let figures = ReportData {
        passages: Some(report),
        only_passages: true,
        ..figures(&summary)
    };
    let mut page = folder.folder.file("report.html")?;
    page.write(render(&figures).as_bytes())?;
    files.push(page.finish()?);
    stamps.check(&inputs)?;
    files.extend(gathered.rejected_files);
    conclude(folder.folder, summary, files, gathered.rejected)
}

/// The index that the setting `against` names; `None` without the setting.
///
/// # Errors
/// If it cannot be read, or does not hold the passages that are searched.
fn index_of(job: &Job<'_>, making: &Making) -> Result<Option<Index>, Error> {
    let Some(path) = &job.settings.against else {
        return Ok(None);
    };
    let index = Index::open(path, &Settings::default())?;
    index.check_passages(&making.unit_name(), making.min_unit, &making.profile)?;
    Ok(Some(index))
}

/// Results of the first pass over the documents.
struct Gathered {
    documents: DocumentTable,
    /// How each record of the inputs was accepted, or that it was not.
    accepted: Vec<Accepted>,
    /// Documents whose line has no id or another id than the table, ascending.
    to_name: Vec<u32>,
    /// Copies of the lines of the documents; `None` if the inputs can be read again.
    spool: Option<Finished>,
    rejected_files: Vec<Finished>,
    rejected: Vec<Rejected>,
}

impl Gathered {
    /// Source from which documents are read again. With `exact`, rows of tables are read so that they can
    /// become rows of tables again.
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

/// Result of a worker thread for a document.
struct Read {
    facts: DocumentFacts,
    host: Option<String>,
    words: Vec<u64>,
    /// Whether the id comes from the line itself.
    named: bool,
    accepted: Accepted,
    /// Its line; `None` unless lines are copied.
    line: Option<Vec<u8>>,
}

/// Reads every document and cuts it into words.
fn gather(
    job: &Job<'_>,
    inputs: &Inputs,
    folder: &RowFolder,
    collector: &mut Collector,
    summary: &mut Summary,
) -> Result<Gathered, Error> {
    let mut rejected_rows = folder.rows(REJECTED, RowKind::Rejected)?;
    let mut spool: Option<OutFile> = match inputs.rereadable() {
        true => None,
        false => Some(folder.folder.file("input.jsonl")?),
    };
    let copies = spool.is_some();
    let (mut documents, mut tally) = (DocumentTable::default(), Tally::default());
    let (mut accepted, mut to_name) = (Vec::new(), Vec::new());
    let making = collector.making().clone();
    let pass = job.pass("reading documents", inputs);
    let skipped = pass.documents(
        || making.cutter(),
        |cutter, item| {
            let record = &item.record;
            let url = record.url.as_deref();
            Read {
                facts: DocumentFacts::new(item.id.clone(), url, &record.ranking, &record.text),
                host: url.and_then(host_of),
                words: cutter.words(&record.text),
                named: record.id.as_deref() == Some(item.id.as_str()),
                accepted: Accepted::of(item),
                line: copies.then(|| item.line().into_owned()),
            }
        },
        |worked| {
            let mut tally = tally.chunk(&worked.origin, &worked.skipped);
            for row in worked.rows {
                accepted.push(row.as_ref().map_or(Accepted::No, |read| read.accepted));
                match tally.count(row) {
                    Ok(read) => {
                        let number = documents.len();
                        // A repeated id was changed, and a missing id is not in the line: both must be
                        // written into the line later.
                        if documents.push(&read.facts) || !read.named {
                            to_name.push(number);
                        }
                        collector.add(read.host, &read.words)?;
                        if let (Some(spool), Some(line)) = (&mut spool, read.line) {
                            spool.line(&line)?;
                        }
                    }
                    Err(rejected) => rejected_rows.row(Row::Rejected(&rejected))?,
                }
            }
            Ok(())
        },
    )?;
    summary.repeated_ids = documents.repeated();
    documents.close();
    Ok(Gathered {
        documents,
        accepted,
        to_name,
        spool: spool.map(OutFile::finish).transpose()?,
        rejected_files: rejected_rows.finish_files()?,
        rejected: tally.write_to(summary, job.settings, &skipped),
    })
}
