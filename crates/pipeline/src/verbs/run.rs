//! The whole chain: pages in; documents, pairs, clusters, kept documents and a report out.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::job::Job;
use crate::kernel::document_table::{DocumentFacts, DocumentTable};
use crate::kernel::extract::Extractor;
use crate::kernel::verdict::{Verdicts, decide};
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::reread::{Pick, Reread};
use crate::record::header::{DOCUMENTS, KEPT, REJECTED, TOOL, VERSION};
use crate::record::{PageRecord, Reason, Rejected, Rejection, Row, RowKind, json};
use crate::search::corpus_stats::CorpusStats;
use crate::search::duplicates::{Search, check_memory, threads};
use crate::search::signing::Signing;
use crate::site;
use crate::site::extractor::SiteExtractor;
use crate::site::store::Store;
use crate::site::usage::{SiteTally, SiteUse, SmallestHashes};
use crate::write::file::{Finished, OutFile};
use crate::write::file_form::FileForm;
use crate::write::folder::conclude;
use crate::write::format::{EncodedRows, Jsonl, OfLines, RowEncoder};
use crate::write::report::run::data::{self, CLUSTER_MEMBERS, Count, Dropped, PageRow, ReportData, Setting};
use crate::write::report::run::render;
use crate::write::report::run::stats::{PageFacts, Stats, excerpt};
use crate::write::row_folder::{FolderFormats, RowFolder};
use crate::write::summary::{Outcome, Summary, Tally};

/// Goes from pages to unique documents, and writes to the folder `out`: `documents.jsonl`, `pairs.jsonl`,
/// `clusters.jsonl`, `kept.jsonl`, `quarantine.jsonl`, `report.html` and `summary.json`; with templates `sites.html`, too. In other
/// formats, compressed or in shards, the lists have other extensions.
///
/// Memory holds what the search for duplicates keeps of each document, but not its text: documents are read again, from
/// `documents.jsonl`. Where that is written in another form, a plain copy of it lies in the folder for the time of the run.
///
/// # Errors
/// If an input is missing, settings do not fit together, or the folder cannot be used; a bad record is no error.
pub fn run(job: &Job<'_>, out: &Path, formats: FolderFormats) -> Result<Outcome, Error> {
    let (store, report) = (Store::of_settings(job.settings)?, SmallestHashes::default());
    let extractor = Extractor::new(job.settings.extraction());
    let extractor = SiteExtractor::new(extractor, store.as_ref(), Some(&report));
    run_with(job, out, formats, &extractor, store.as_ref())
}

/// Works on pages that the program [`run`] runs in hands to this process, see [`Job::launch`]: `job` is the same.
///
/// # Errors
/// If settings do not fit together, or that program is gone.
pub fn serve(job: &Job<'_>) -> Result<(), Error> {
    let (store, report) = (Store::of_settings(job.settings)?, SmallestHashes::default());
    let extractor = Extractor::new(job.settings.extraction());
    let extractor = SiteExtractor::new(extractor, store.as_ref(), Some(&report));
    job.serve_pages(VERB, |page| Made::of(&extractor, page))
}

/// Name of the verb.
const VERB: &str = "run";

/// Name that the plain copy of the documents is written under. It is never given that name.
const COPY: &str = "copy.jsonl";

/// What a page is made into.
#[derive(Serialize, Deserialize)]
struct Made {
    line: EncodedRows,
    /// The text again, for the search for duplicates.
    text: String,
    facts: DocumentFacts,
    page: PageFacts,
    /// What rules and templates did.
    site: Option<SiteUse>,
}

impl Made {
    fn of(extractor: &SiteExtractor<'_>, page: &PageRecord<'_>) -> Result<Made, Rejection> {
        let (document, site) = extractor.extract(page)?;
        Ok(Made {
            line: RowEncoder::one(Row::Document(&document), &Jsonl),
            facts: DocumentFacts::of(&document),
            page: PageFacts::of(&document),
            text: document.text,
            site,
        })
    }
}

pub(crate) fn run_with(
    job: &Job<'_>,
    out: &Path,
    formats: FolderFormats,
    extractor: &SiteExtractor<'_>,
    store: Option<&Store>,
) -> Result<Outcome, Error> {
    let settings = job.settings;
    let inputs = job.open(RecordKind::Pages)?;
    let duplicates = CorpusStats::given(settings)?.options(settings)?;
    let writers = FileForm::folder(settings, formats.format)?.held;
    let records = check_memory(job, &inputs, writers)?;
    let mut search = Search::new(settings, duplicates, out, writers)?.with_records(records);
    let mut effective = settings.effective_extraction();
    effective.extend(settings.effective_duplicates()?);
    let mut summary = Summary::new(VERB, &inputs, effective);
    let folder = RowFolder::open(job, out, formats.format, &summary)?;

    // As in `dedup`: before the threads of the first pass.
    let pool = threads(settings)?;
    let gathered = gather(job, &inputs, &folder, &mut search, &mut summary, extractor)?;
    summary.sites = store.map(|store| store.counts(&gathered.sites));
    let Gathered {
        table,
        mut stats,
        sites,
        documents,
        copy,
        rejected_files,
        rejected,
    } = gathered;
    job.progress.stage("comparing documents", None);
    let reread = Reread::File(copy.as_ref().unwrap_or(&documents[0]).path());
    let by = search.compiled();
    let found = search.join(job, &pool, (&table, None), table.bytes(), &reread)?;
    let verdicts = decide(found, &by, &table, None);
    job.cancel.check()?;
    let (found, mut files) = verdicts.write(job, &pool, &folder, formats.tsv, &mut summary.counts)?;
    job.progress.stage("writing", None);
    let (kept, largest) = finish_documents(job, &folder, &verdicts, &reread, &mut stats)?;
    drop(copy);
    files.extend(kept.into_iter().chain(documents).chain(rejected_files));
    summary.duplicates = Some(found);
    debug_assert!(summary.counts.add_up(), "{:?}", summary.counts);

    let figures = report_data(largest, stats, &verdicts, &summary);
    let folder = folder.folder;
    let mut page = folder.file("report.html")?;
    page.write(render(&figures).as_bytes())?;
    files.push(page.finish()?);
    if let Some(sites) = store.and_then(|store| site::page::render(store, &sites)) {
        let mut page = folder.file("sites.html")?;
        page.write(sites.as_bytes())?;
        files.push(page.finish()?);
    }
    conclude(folder, summary, files, rejected)
}

/// What one pass over the pages brought together.
struct Gathered {
    table: DocumentTable,
    stats: Stats,
    /// What rules and templates did.
    sites: SiteTally,
    documents: Vec<Finished>,
    /// The documents again as plain JSON Lines, if they are written in another form.
    copy: Option<Finished>,
    rejected_files: Vec<Finished>,
    rejected: Vec<Rejected>,
}

/// Extracts every page, writes the documents, and signs them for the search for duplicates.
fn gather(
    job: &Job<'_>,
    inputs: &Inputs,
    folder: &RowFolder,
    search: &mut Search,
    summary: &mut Summary,
    extractor: &SiteExtractor<'_>,
) -> Result<Gathered, Error> {
    let settings = job.settings;
    let mut rejected_rows = folder.rows(REJECTED, RowKind::Rejected)?;
    let mut documents = folder.rows(DOCUMENTS, RowKind::Document)?;
    let mut copy = match folder.rereadable() {
        true => None,
        false => Some(folder.folder.file(COPY)?),
    };
    let (mut table, mut stats, mut tally) = (DocumentTable::default(), Stats::default(), Tally::default());
    let mut sites = SiteTally::default();

    let processes = job.page_processes(inputs, VERB)?;
    let maker = search.batch_maker();
    let signers = search.signers(settings)?;
    let pass = job.pass("extracting pages", inputs);
    let skipped = pass.pages(
        job.url,
        processes.as_ref(),
        |page| Made::of(extractor, page),
        || Signing::new(&maker, signers.signer()),
        |signing, mut made: Made| {
            signing.add(&std::mem::take(&mut made.text));
            made
        },
        |worked| {
            let mut number = search.append(worked.sum, table.bytes())?;
            for row in worked.rows {
                match tally.count(row) {
                    Ok(Made {
                        line,
                        facts,
                        page,
                        site,
                        ..
                    }) => {
                        if let Some(done) = site {
                            sites.count(done);
                        }
                        let line = match table.push(&facts) {
                            true => with_id(&line, table.id(number)),
                            false => line,
                        };
                        documents.lines(&line)?;
                        if let Some(copy) = &mut copy {
                            copy.lines(line.bytes(), 1)?;
                        }
                        stats.observe(number, table.id(number), page);
                        number += 1;
                    }
                    Err(rejected) => rejected_rows.row(Row::Rejected(&rejected))?,
                }
            }
            Ok(())
        },
    )?;
    summary.repeated_ids = table.repeated();
    table.close();
    Ok(Gathered {
        table,
        stats,
        sites,
        documents: documents.finish_files()?,
        copy: copy.map(OutFile::finish).transpose()?,
        rejected_files: rejected_rows.finish_files()?,
        rejected: tally.write_to(summary, settings, &skipped),
    })
}

/// The same line with another id.
fn with_id(line: &EncodedRows, id: &str) -> EncodedRows {
    let mut rows = EncodedRows::default();
    OfLines::Same.add(&json::with_id(line.bytes(), id), &mut rows);
    rows
}

/// Copies the documents that stay, and reads what the report shows of single documents.
fn finish_documents(
    job: &Job<'_>,
    folder: &RowFolder,
    verdicts: &Verdicts<'_>,
    reread: &Reread<'_>,
    stats: &mut Stats,
) -> Result<(Vec<Finished>, Vec<data::ClusterRow>), Error> {
    let mut largest = verdicts.largest(CLUSTER_MEMBERS);
    // Where a document is shown: in clusters by place and member, and among the least confident.
    let mut members: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (place, (_, documents)) in largest.iter().enumerate() {
        members.extend(
            documents
                .iter()
                .enumerate()
                .map(|(member, document)| (*document, (place, member))),
        );
    }
    let pages = stats.least_confident();
    let mut shown: BTreeMap<u32, &mut PageRow> =
        pages.iter_mut().map(|(document, row)| (*document, row)).collect();
    let mut kept = folder.rows(KEPT, RowKind::Document)?;
    let of_lines = kept.of_lines();
    reread.each(
        &job.plan(),
        |_| Pick::Take,
        || (),
        |(), lines| {
            let mut rows = EncodedRows::default();
            for (_, line) in lines.iter().filter(|(document, _)| verdicts.of(*document).kept) {
                of_lines.add(line, &mut rows);
            }
            Ok((rows, lines))
        },
        |(rows, lines)| {
            kept.rows(&rows)?;
            for (document, line) in lines.iter() {
                let (member, page) = (members.get(&document), shown.get_mut(&document));
                if (member.is_some() || page.is_some())
                    && let Ok(record) = json::document(line)
                {
                    let title = record.title.as_deref().map(str::to_owned);
                    if let Some(page) = page {
                        page.url = record.url.as_deref().map(str::to_owned);
                        page.title.clone_from(&title);
                        page.excerpt = excerpt(&record.text);
                    }
                    if let Some((place, member)) = member {
                        largest[*place].0.members[*member].title = title;
                    }
                }
            }
            Ok(())
        },
    )?;
    let clusters = largest.into_iter().map(|(cluster, _)| cluster).collect();
    Ok((kept.finish_files()?, clusters))
}

/// Counts as rows of the report.
fn counted(counts: &BTreeMap<&'static str, u64>) -> Vec<Count> {
    let row = |(name, count): (&&str, &u64)| Count {
        name: (*name).to_owned(),
        count: *count,
    };
    counts.iter().map(row).collect()
}

fn report_data(
    largest: Vec<data::ClusterRow>,
    stats: Stats,
    verdicts: &Verdicts<'_>,
    summary: &Summary,
) -> ReportData {
    let counts = &summary.counts;
    let dropped = |(reason, count): (&&str, &u64)| Dropped {
        stage: if Reason::ALL.iter().any(|known| known.name() == *reason) {
            "read"
        } else {
            "dedup"
        }
        .to_owned(),
        reason: (*reason).to_owned(),
        count: *count,
    };
    let mut dropped: Vec<Dropped> = counts
        .dropped
        .iter()
        .map(dropped)
        .filter(|row| row.count > 0)
        .collect();
    dropped.sort_by_key(|row| row.stage != "read");
    let found = summary.duplicates.clone().unwrap_or_default();
    let mut figures = ReportData {
        tool: format!("{TOOL} {VERSION}"),
        inputs: summary.inputs.clone(),
        settings: summary
            .settings
            .0
            .iter()
            .map(|(name, value)| Setting {
                name: (*name).to_owned(),
                value: value.as_str().map_or_else(|| value.to_string(), str::to_owned),
            })
            .collect(),
        counts: data::Counts {
            read: counts.read,
            kept: counts.kept,
            dropped,
            skipped_files: counted(&summary.skipped_files),
            skipped_records: counted(&summary.skipped_records),
            pairs: found.all_pairs,
            clusters: found.clusters,
        },
        cluster_sizes: verdicts.size_bins(),
        largest_clusters: largest,
        ..ReportData::default()
    };
    stats.report(&mut figures);
    figures
}

#[cfg(test)]
mod tests;
