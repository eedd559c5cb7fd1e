//! The whole chain: pages in; documents, pairs, clusters, kept documents and a report out.

use std::collections::BTreeMap;
use std::path::Path;

use dehusk_dedup::{Batch, BatchMaker, CompiledOptions};
use dehusk_extract::{Options, Page};

use crate::error::Error;
use crate::exec::ordered_pool::{Plan, process};
use crate::exec::panic_guard::catch_panic;
use crate::kernel::document_table::{DocumentFacts, DocumentTable};
use crate::kernel::extract::{Extract, PageWork};
use crate::kernel::tokens::Tokenizer;
use crate::read::format::Chunk;
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::reread::reread;
use crate::record::{self, Document, Ranking, Reason, Rejected};
use crate::search::collection::Collection;
use crate::search::duplicates::{Search, threads};
use crate::search::reread::Again;
use crate::search::verdict;
use crate::settings::table::Settings;
use crate::site::{self, Store};
use crate::write::file::Finished;
use crate::write::folder::{OutFolder, SUMMARY};
use crate::write::rejected::RejectedFile;
use crate::write::report::run::data::{self, CLUSTER_MEMBERS, Count, Dropped, PageRow, ReportData, Setting};
use crate::write::report::run::render;
use crate::write::report::run::stats::{PageFacts, Stats, excerpt};
use crate::write::summary::{Summary, TOOL, Tally, VERSION};
use crate::{Job, Outcome};

/// Goes from pages to unique documents, and writes to the folder `out`: `documents.jsonl`, `pairs.jsonl`,
/// `clusters.jsonl`, `kept.jsonl`, `quarantine.jsonl`, `report.html` and `summary.json`; with templates `sites.html`, too.
///
/// Memory holds what the search for duplicates keeps of each document, but not its text. With `tsv`, pairs are also
/// written to `pairs.tsv`.
///
/// # Errors
/// If an input is missing, settings do not fit together, or the folder cannot be used; a bad record is no error.
pub fn run(job: &Job<'_>, out: &Path, tsv: bool) -> Result<Outcome, Error> {
    let store = Store::of_settings(job.settings)?.map(Store::watching);
    match &store {
        Some(sites) => {
            let by_site = |page: &Page<'_>, options: &Options| sites.extract(page, options);
            run_with(job, out, tsv, &by_site, Some(sites))
        }
        None => run_with(job, out, tsv, &dehusk_extract::extract, None),
    }
}

pub(crate) fn run_with(
    job: &Job<'_>,
    out: &Path,
    tsv: bool,
    extract: Extract<'_>,
    sites: Option<&Store>,
) -> Result<Outcome, Error> {
    let settings = job.settings;
    let inputs = Inputs::open(job.inputs, settings.format(), RecordKind::Pages)?;
    let duplicates = Collection::given(settings)?.options(settings)?;
    let mut search = Search::new(settings, duplicates, out)?;
    let mut effective = settings.effective_extraction();
    effective.extend(settings.effective_duplicates()?);
    let mut summary = Summary::new("run", &inputs, effective);
    let mut folder = OutFolder::open(out, "run", job.cancel)?;

    // As in `unique`: before the threads of the first pass.
    let pool = threads(settings)?;
    let gathered = gather(job, &inputs, &mut folder, &mut search, &mut summary, extract)?;
    summary.sites = sites.map(Store::counts);
    let Gathered {
        known,
        mut stats,
        documents,
        quarantine,
        rejected,
    } = gathered;
    job.progress.stage("comparing documents", None);
    let joined = search.join(job, &pool, known.bytes(), &Again::File(&documents.path))?;
    let verdicts = verdict::decide(joined, &known, None, &pool);
    job.cancel.check()?;
    let (found, mut files) = verdicts.write(job, &pool, &mut folder, tsv, &mut summary.counts)?;
    job.progress.stage("writing", None);
    let (kept, largest) = finish_documents(job, &mut folder, &verdicts, &documents, &mut stats)?;
    files.extend([kept, documents, quarantine]);
    summary.duplicates = Some(found);
    debug_assert!(summary.counts.add_up(), "{:?}", summary.counts);

    let figures = report_data(largest, stats, &verdicts, &summary);
    let mut page = folder.file("report.html")?;
    page.write(render(&figures).as_bytes())?;
    files.push(page.finish()?);
    if let Some(sites) = sites.and_then(site::page::render) {
        let mut page = folder.file("sites.html")?;
        page.write(sites.as_bytes())?;
        files.push(page.finish()?);
    }
    conclude(folder, summary, &files, rejected)
}

/// What one pass over the pages brought together.
struct Gathered {
    known: DocumentTable,
    stats: Stats,
    documents: Finished,
    quarantine: Finished,
    rejected: Vec<Rejected>,
}

/// What becomes of a page on a worker thread.
enum Row {
    Document {
        line: Vec<u8>,
        facts: DocumentFacts,
        page: PageFacts,
        sketch: Box<Batch>,
    },
    Rejected(Rejected),
}

/// Extracts every page, writes the documents, and prepares the search for duplicates.
fn gather(
    job: &Job<'_>,
    inputs: &Inputs,
    folder: &mut OutFolder,
    search: &mut Search,
    summary: &mut Summary,
    extract: Extract<'_>,
) -> Result<Gathered, Error> {
    let settings = job.settings;
    let mut quarantine = RejectedFile::open(folder)?;
    let mut documents = folder.file("documents.jsonl")?;
    let mut reader = inputs.reader(settings.bounds(), false);
    let (mut known, mut stats, mut tally) = (DocumentTable::default(), Stats::default(), Tally::default());

    let work = PageWork {
        extract,
        options: settings.extraction(),
        url: job.url,
        timings: false,
    };
    let (profile, reads) = (settings.profile(), settings.reads()?);
    let plan = Plan {
        threads: settings.threads(),
        ordered: true,
        cancel: job.cancel,
    };
    job.progress.stage("extracting pages", inputs.bytes());
    let maker = &search.batch_maker();
    process(
        &plan,
        || reader.next_chunk(),
        || Tokenizer::new(profile.clone(), reads),
        |tokenizer, chunk: Chunk| {
            let mut rows = Vec::new();
            work.each(&chunk, &mut |result| {
                rows.push(row(result, &chunk, tokenizer, maker));
            });
            (rows, chunk.len())
        },
        |(rows, bytes)| {
            let count = rows.len() as u64;
            for row in rows {
                match row {
                    Row::Document {
                        line,
                        facts,
                        page,
                        sketch,
                    } => {
                        tally.accept();
                        let document = search.append(*sketch, known.bytes())?;
                        if known.push(&facts) {
                            documents.line(&record::with_id(&line, known.id(document)))?;
                        } else {
                            documents.line(&line)?;
                        }
                        stats.observe(document, known.id(document), page);
                    }
                    Row::Rejected(rejected) => {
                        tally.reject(&rejected);
                        quarantine.add(rejected)?;
                    }
                }
            }
            job.progress.advance(count, bytes);
            Ok(())
        },
    )?;
    tally.settle(&mut summary.counts);
    summary.damaged = tally.damaged(settings);
    summary.repeated_ids = known.repeated();
    known.close();
    summary.skipped(reader.skipped());
    let (quarantine, rejected) = quarantine.finish()?;
    Ok(Gathered {
        known,
        stats,
        documents: documents.finish()?,
        quarantine,
        rejected,
    })
}

fn row(
    result: Result<Document<'_>, Rejected>,
    chunk: &Chunk,
    tokenizer: &mut Tokenizer,
    maker: &BatchMaker,
) -> Row {
    let document = match result {
        Ok(document) => document,
        Err(rejected) => return Row::Rejected(rejected),
    };
    // The sketch of a document is a batch of its own: if signing it fails, no other document is touched.
    let prepared = catch_panic(|| {
        let mut sketch = maker.batch();
        tokenizer.add(document.text, &mut sketch);
        (Box::new(sketch), serde_json::to_vec(&document))
    });
    let ranking = Ranking {
        date: document.date.map(Into::into),
        popularity: document.popularity,
        kept_chars: Some(document.kept_chars as u64),
        all_chars: Some(document.all_chars as u64),
    };
    let failed = |message| {
        Row::Rejected(Rejected {
            input: chunk.source.name.clone(),
            offset: chunk.offset,
            id: document.id.to_owned(),
            url: document.url.map(str::to_owned),
            reason: Reason::Panic,
            message,
        })
    };
    match prepared {
        Ok((sketch, Ok(line))) => Row::Document {
            line,
            facts: DocumentFacts::new(document.id.to_owned(), document.url, &ranking, document.text),
            page: PageFacts::of(&document),
            sketch,
        },
        Ok((_, Err(error))) => failed(error.to_string()),
        Err(panic) => {
            tokenizer.reset();
            failed(panic)
        }
    }
}

/// Copies the documents that stay, and reads what the report shows of single documents.
fn finish_documents(
    job: &Job<'_>,
    folder: &mut OutFolder,
    verdicts: &verdict::Verdicts<'_>,
    documents: &Finished,
    stats: &mut Stats,
) -> Result<(Finished, Vec<data::ClusterRow>), Error> {
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
    let mut kept = folder.file("kept.jsonl")?;
    reread(&documents.path, &mut |document, line| {
        if document % 1024 == 0 {
            job.cancel.check()?;
        }
        if verdicts.of(document).kept {
            kept.line(line)?;
        }
        let (member, page) = (members.get(&document), shown.get_mut(&document));
        if (member.is_some() || page.is_some())
            && let Ok(record) = record::document(line)
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
        Ok(())
    })?;
    let clusters = largest.into_iter().map(|(cluster, _)| cluster).collect();
    Ok((kept.finish()?, clusters))
}

fn report_data(
    largest: Vec<data::ClusterRow>,
    stats: Stats,
    verdicts: &verdict::Verdicts<'_>,
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
            skipped_files: summary
                .skipped_files
                .iter()
                .map(|(name, count)| Count {
                    name: (*name).to_owned(),
                    count: *count,
                })
                .collect(),
            pairs: found.pairs,
            clusters: found.clusters,
        },
        cluster_sizes: verdicts.size_bins(),
        largest_clusters: largest,
        ..ReportData::default()
    };
    stats.report(&mut figures);
    figures
}

/// Checks the settings of a search for duplicates, as far as they can be checked before the collection is known.
pub(crate) fn check(settings: &Settings) -> Result<(), Error> {
    match CompiledOptions::new(settings.duplicates()?) {
        Err(error) if !error.needs_statistics() => Err(wrong_settings(&error)),
        _ => Ok(()),
    }
}

pub(crate) fn wrong_settings(error: &dehusk_dedup::BuildError) -> Error {
    let option = error.parameter().map(|name| name.replace('_', "-"));
    let wrong = Error::usage(error.to_string());
    match option {
        Some(option) => wrong.with_option(&option),
        None => wrong,
    }
}

/// Writes the summary and gives all files their names.
pub(crate) fn conclude(
    mut folder: OutFolder,
    mut summary: Summary,
    files: &[Finished],
    rejected: Vec<Rejected>,
) -> Result<Outcome, Error> {
    for file in files {
        summary.file(file);
    }
    let mut file = folder.file(SUMMARY)?;
    let text = serde_json::to_vec_pretty(&summary)
        .map_err(|e| Error::failed(format!("cannot write {SUMMARY}: {e}")))?;
    file.line(&text)?;
    file.finish()?;
    folder.commit()?;
    Ok(Outcome { summary, rejected })
}

#[cfg(test)]
mod tests;
