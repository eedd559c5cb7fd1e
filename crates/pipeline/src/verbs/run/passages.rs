//! The stage of passages of a run: writes documents with the positions of repeated passages, and signs the
//! texts that remain.

use serde_json::{Value, json};

use crate::error::Error;
use crate::job::Job;
use crate::kernel::document_table::DocumentTable;
use crate::read::columns::Columns;
use crate::read::pass::Worker as _;
use crate::read::reread::Reread;
use crate::record::RowKind;
use crate::record::header::DOCUMENTS;
use crate::record::json;
use crate::search::duplicates::Search;
use crate::search::index::Index;
use crate::search::passages::{
    CollectedFacts, Collection, Collector, Containment, ProvenPassages, Rewritten, Stages, contained, prove,
    report, rewrite, write_contained,
};
use crate::search::signing::Signing;
use crate::write::file::Finished;
use crate::write::format::EncodedRows;
use crate::write::report::run::data::PassageReport;
use crate::write::row_folder::RowFolder;
use crate::write::summary::PassageCounts;

/// Target name of the documents whose passages are cut. The file is temporary and never gets this name.
const LEFT: &str = "left.jsonl";

/// Result of the stage.
pub(super) struct Staged {
    /// All documents as plain JSON Lines, with the texts that remain.
    pub(super) left: Finished,
    /// Documents that have lost too much text, ascending.
    pub(super) gone: Vec<u32>,
    pub(super) counts: PassageCounts,
    /// Documents that lie mostly inside other documents.
    pub(super) contained: Vec<Containment>,
    pub(super) facts: CollectedFacts,
    pub(super) report: PassageReport,
    /// Files of documents, passages, occurrences and contained documents.
    pub(super) files: Vec<Finished>,
}

/// The data of the run that the stage reads.
#[derive(Clone, Copy)]
pub(super) struct OfRun<'a> {
    /// All documents as plain JSON Lines.
    pub(super) plain: &'a Finished,
    pub(super) table: &'a DocumentTable,
    /// An index that holds passages.
    pub(super) index: Option<&'a Index>,
}

/// Finds the passages of the documents in `plain`, and writes documents, passages and occurrences. Signs
/// the texts that remain for the search for duplicates.
pub(super) fn stage(
    job: &Job<'_>,
    folder: &RowFolder,
    mut collector: Collector,
    search: &mut Search,
    OfRun { plain, table, index }: OfRun<'_>,
) -> Result<Staged, Error> {
    let making = collector.making().clone();
    let mut counts = PassageCounts {
        units: collector.words(),
        ..PassageCounts::default()
    };
    // A text that a document of the index has as well is a passage, too.
    if let Some(index) = index {
        counts.known_documents = Some(collector.add_index(index)?);
    }
    let (found, facts) = collector.find(job, table.bytes())?;
    let columns = Columns::default();
    let reread = Reread::File {
        path: plain.path(),
        columns: &columns,
    };
    // Lines have their final ids: this run has written them.
    let collection = Collection {
        table,
        reread: &reread,
        facts: &facts,
        to_name: &[],
        id_field: "id",
        text_column: None,
    };
    let (proven, mut files) = prove(job, &making, folder, collection, &found, &mut counts)?;
    let contained = contained(&found, &proven, &facts, making.min_contained);
    files.extend(write_contained(folder, collection, &contained, &mut counts)?);

    let mut documents = folder.rows(DOCUMENTS, RowKind::Document)?;
    let mut left = folder.folder.file(LEFT)?;
    let of_lines = documents.of_lines();
    let (maker, signers) = (search.batch_maker(), search.signers(job.settings)?);
    let each = |(rows, lines, signing): &mut (EncodedRows, Vec<u8>, Signing<'_>), one: &Rewritten<'_>| {
        of_lines.add(&marked(one), rows);
        // `left` is read again as plain JSON Lines, whatever the format of the documents.
        lines.extend_from_slice(&one.line_of_rest(&making, collection));
        lines.push(b'\n');
        // Signing comes last: a panic before it leaves the batch without the document.
        signing.add(one.treatment.rest.as_deref().unwrap_or(one.text));
    };
    let done = |(rows, lines, signing): &mut (EncodedRows, Vec<u8>, Signing<'_>)| {
        (std::mem::take(rows), std::mem::take(lines), signing.take_sum())
    };
    let new = || {
        let signing = Signing::new(&maker, signers.signer());
        (EncodedRows::default(), Vec::new(), signing)
    };
    let passages = ProvenPassages {
        found: &found,
        proven: &proven,
    };
    let written = rewrite(
        job,
        &making,
        collection,
        passages,
        &mut counts,
        Stages { new, each, done },
        |(rows, lines, batch)| {
            documents.rows(&rows)?;
            // Each line ends with a line feed, and has no other.
            left.lines(&lines, lines.iter().filter(|byte| **byte == b'\n').count() as u64)?;
            search.append(batch, table.bytes()).map(drop)
        },
    )?;
    files.extend(documents.finish_files()?);
    let report = report(job, &making, collection, passages, &written, &counts)?;
    Ok(Staged {
        left: left.finish()?,
        gone: written.gone,
        counts,
        contained,
        facts,
        report,
        files,
    })
}

/// The line of a document with its repetition and the positions of its passages.
fn marked(one: &Rewritten<'_>) -> Vec<u8> {
    let mut fields: Vec<(&str, Value)> = vec![
        ("repeated_share", json!(one.treatment.repeated_share)),
        ("repetition", json!(one.treatment.repetition)),
    ];
    if !one.treatment.repeated.is_empty() {
        fields.push(("repeated", json!(one.treatment.repeated)));
    }
    if !one.treatment.cut.is_empty() {
        fields.push(("cut", json!(one.treatment.cut)));
    }
    json::with_values(one.line, &fields)
}
