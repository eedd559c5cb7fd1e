//! The verb `run`, the whole chain: pages in; documents, pairs, clusters, kept documents and a report out.

pub(super) mod begun;
pub(super) mod gather;
pub(in crate::verbs) mod keep;
pub(in crate::verbs) mod learn;
mod learn_pass;
mod passages;
mod work_folder;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::SystemTime;

use dehusk_dedup::Action;
use serde_json::Value;

use crate::error::{Error, ErrorKind};
use crate::exec::both::both;
use crate::exec::progress::Total;
use crate::job::Job;
use crate::kernel::apart::Apart;
use crate::kernel::asked_facts::AskedFacts;
use crate::kernel::extract::Extractor;
use crate::kernel::verdict::{Verdicts, decide};
use crate::read::columns::Columns;
use crate::read::inputs::{Inputs, RecordKind};
use crate::read::reread::{Pick, Reread};
use crate::record::header::KEPT;
use crate::record::{DocumentRecord, RowKind, json};
use crate::search::corpus_stats::CorpusStats;
use crate::search::duplicates::{Search, check_memory, threads};
use crate::search::index::{self, Fate, Growth, Index};
use crate::search::passages::{Collector, Making, settled};
use crate::settings::table::Settings;
use crate::site;
use crate::site::extractor::SiteExtractor;
use crate::site::store::Store;
use crate::site::usage::SmallestHashes;
use crate::verbs::run::begun::Begun;
use crate::verbs::run::gather::{Gathered, Made, Next, RunStart, VERB, Way, gather};
use crate::write::file::Finished;
use crate::write::file_form::FileForm;
use crate::write::folder::conclude;
use crate::write::format::EncodedRows;
use crate::write::journal::{self, Journal};
use crate::write::place::{self, Place};
use crate::write::report::run::data::{
    self, CLUSTER_MEMBERS, EXCERPT_CHARS, PageRow, PassageReport, ReportData, SiteRows,
};
use crate::write::report::run::figures::figures;
use crate::write::report::run::render;
use crate::write::report::run::stats::{Stats, excerpt};
use crate::write::row_folder::{FolderFormats, RowFolder};
use crate::write::summary::{Outcome, Summary};

/// Options of [`run`] besides the settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Formats of the lists.
    pub formats: FolderFormats,
    /// Whether to resume an interrupted run in the same folder. Without one, the run starts from the
    /// beginning. If the run is complete, nothing is done.
    pub resume: bool,
    /// Whether the documents that stay are added to the index that the setting `against` names. The index is created if missing.
    pub add: bool,
}

/// Result of [`run`].
#[derive(Clone, Debug)]
pub enum Ran {
    /// The run was carried out.
    Now(Box<Outcome>),
    /// The results of the same run existed already. Nothing was done.
    Before {
        /// Whether too many of its records had been rejected.
        damaged: bool,
    },
}

impl Ran {
    /// Counts, settings and files of the run; `None` if its results existed already.
    pub fn outcome(&self) -> Option<&Outcome> {
        match self {
            Ran::Now(outcome) => Some(outcome),
            Ran::Before { .. } => None,
        }
    }

    /// Exit code of a program for this result: 0, or 3 if too many records were rejected.
    pub fn exit_code(&self) -> u8 {
        match self {
            Ran::Now(outcome) => outcome.exit_code(),
            Ran::Before { damaged: true } => 3,
            Ran::Before { damaged: false } => 0,
        }
    }
}

/// Turns pages into unique documents, and writes them to the folder `out`.
///
/// The files are `documents.jsonl`, `pairs.jsonl`, `clusters.jsonl`, `kept.jsonl`, `quarantine.jsonl`,
/// `report.html` and `summary.json`, and with templates `sites.html`. In other formats, compressed or in
/// shards, the lists have other extensions. With an index (setting `against`), documents with duplicates in
/// it are dropped, too, and `matches.jsonl` lists these duplicates.
///
/// Memory holds the data of each document for the search for duplicates, but not its text. Documents are
/// read again from `documents.jsonl`. If that file has another form, a plain copy is kept in the folder for
/// the duration of the run.
///
/// `out` may be an address of a store of objects. The folder is then made in the folder of temporary files
/// and sent when it is complete, the summary last.
///
/// Unless an input is a pipe, a journal in the folder records the results of the pages. A run that is
/// killed at any moment can be resumed, and writes the same bytes as an undisturbed run. Documents are
/// added to an index after all files of the folder have their names.
///
/// # Errors
/// If an input is missing, settings contradict each other, the folder cannot be used, or a run to be resumed was begun differently. An
/// unusable record is not an error.
pub fn run(job: &Job<'_>, out: &Path, style: Style) -> Result<Ran, Error> {
    let place = Place::of_folder(out, VERB, job)?;
    let ran = run_in(job, place.path(), style)?;
    place.publish(job)?;
    Ok(ran)
}

/// Runs in a folder of this machine.
fn run_in(job: &Job<'_>, out: &Path, style: Style) -> Result<Ran, Error> {
    let store = Store::of_settings(job.settings)?;
    let extractor = Extractor::new(job.settings.extraction());
    run_with(job, out, style, extractor, store).map_err(|error| match error.kind() {
        ErrorKind::Interrupted(_) if is_interrupted(out, job.settings) => {
            error.with_help("give the same command with `--resume` to go on")
        }
        ErrorKind::Failed if error.notes().is_empty() && is_interrupted(out, job.settings) => {
            let note = "what was extracted is remembered: the same command with `--resume` goes on with it";
            error.with_notes(vec![note.to_owned()])
        }
        _ => error,
    })
}

/// Processes pages for a parent that runs [`run`], see [`Job::launch`]. `job` and `out` must equal those of the parent. `work` is the name
/// with which the process was launched.
///
/// # Errors
/// If settings contradict each other, or the parent has ended.
pub fn serve(job: &Job<'_>, out: &Path, work: &str) -> Result<(), Error> {
    let out = &*place::local(out, job.settings);
    if work == learn_pass::WORK {
        let options = job.settings.extraction();
        return job.serve_pages(work, |page| learn_pass::sampled(page, &options));
    }
    let (mut store, report) = (Store::of_settings(job.settings)?, SmallestHashes::default());
    if job.settings.learn_sites == Some(true) {
        let gone = || Error::failed("what was learnt of sites is not there").with_path(out);
        let sites = learn::learnt_before(out, None).ok_or_else(gone)?;
        store = Some(learn::with_learnt(store, job.settings, out, &sites));
    }
    let extractor = Extractor::new(job.settings.extraction());
    let layouts = job.layouts()?;
    let extractor =
        SiteExtractor::new(extractor, store.as_ref(), Some(&report)).with_layouts(layouts.as_ref());
    let asked = AskedFacts::of(job.settings);
    job.serve_pages(VERB, |page| {
        Made::of(&extractor, &asked, page).map(Made::without_text)
    })
}

/// Whether the folder has an interrupted run that could be resumed.
pub fn is_interrupted(out: &Path, settings: &Settings) -> bool {
    journal::head::<serde::de::IgnoredAny>(&place::local(out, settings)).is_some()
}

/// The index of the setting `against`.
enum Known {
    /// An index that is only queried.
    Asked(Box<Index>),
    /// An index to which the documents that stay are added.
    Growing(Box<Growth>),
}

impl Known {
    /// Opens the index. With `add`, it is locked or created.
    ///
    /// # Errors
    /// If it cannot be used, or if `add` is set without an index.
    fn of(job: &Job<'_>, add: bool) -> Result<Option<Self>, Error> {
        match &job.settings.against {
            Some(path) if add => {
                let growth = Growth::open(path, job)?;
                Ok(Some(Known::Growing(Box::new(growth))))
            }
            Some(path) => {
                let index = Index::open(path, job.settings)?;
                Ok(Some(Known::Asked(Box::new(index))))
            }
            None if add => Err(Error::usage("`--add` adds to no index")
                .with_option("add")
                .with_help("name the index with `--against`")),
            None => Ok(None),
        }
    }

    /// The index, if documents are added to it; else `None`.
    fn growing(&self) -> Option<&Index> {
        match self {
            Known::Asked(_) => None,
            Known::Growing(growth) => Some(growth.index()),
        }
    }

    /// The index before the run.
    fn index(&self) -> &Index {
        match self {
            Known::Asked(index) => index,
            Known::Growing(growth) => growth.index(),
        }
    }
}

/// The whole chain, with an extractor and the given templates and rules.
pub(crate) fn run_with(
    job: &Job<'_>,
    out: &Path,
    style: Style,
    extractor: Extractor<'_>,
    mut store: Option<Store>,
) -> Result<Ran, Error> {
    let known = Known::of(job, style.add)?;
    let of_index = known.as_ref().map(|known| known.index().settings().clone());
    let settings = of_index.as_ref().unwrap_or(job.settings);
    let job = &Job { settings, ..*job };
    let inputs = keep::open(job, out, style.resume)?;
    // Page processes take a moment to start, so they are launched before other checks. A run that learns
    // launches them once the templates exist.
    let learns = settings.learn_sites == Some(true);
    let started = match learns {
        true => None,
        false => job.page_processes(&inputs, VERB)?,
    };
    let duplicates = CorpusStats::given(settings)?.options(settings)?;
    let writers = FileForm::folder(settings, style.formats.format)?.held;
    let records = check_memory(job, &inputs, writers)?;
    let mut search = Search::new(settings, duplicates, out, writers)?.with_records(records);
    let making = Making::of_run(settings)?;
    let cuts = making.as_ref().is_some_and(Making::cuts);
    let on_contained = making.as_ref().map_or(Action::Keep, |making| making.on_contained);
    let searched = known
        .as_ref()
        .map(Known::index)
        .filter(|index| index.has_passages());
    if let (Some(making), Some(index)) = (&making, searched) {
        index.check_passages(&making.unit_name(), making.min_unit, &making.profile)?;
    }
    let collector = making.map(|making| Collector::new(settings, making, out, writers));
    let mut collector = collector.transpose()?;
    let mut summary = Summary::new(VERB, &inputs, effective(settings)?);
    let pages = (&inputs, RecordKind::Pages);
    let folder = RowFolder::open(job, out, style.formats.format, &summary, pages)?;
    // From here on, all inputs can be read again, unless a stream is read in a run that does not learn.
    let inputs = keep::keep(job, inputs, &folder.folder, style.resume)?;
    let index = known.as_ref().map(|known| known.index().state().to_owned());
    let (begun, latest) = Begun::now(job, &inputs, &summary, style.formats, index)?;
    summary.identity = Some(begun.identity());
    let (dir, growing) = (folder.folder.path(), known.as_ref().and_then(Known::growing));
    let start = start(dir, &begun, style.resume, &inputs, latest, growing)?;
    // `start` refuses resumed runs only. Their journal and results are untouched up to here.
    let mut journal = match start {
        Start::Ended { damaged } => {
            Journal::discard(&folder.folder)?;
            learn::discard(dir)?;
            keep::discard(settings, dir)?;
            return Ok(Ran::Before { damaged });
        }
        Start::Anew if inputs.rereadable() => Some(Journal::create(&folder.folder, &begun)?),
        _ => None,
    };
    if learns {
        // The journal is kept even without entries, so that a run interrupted during learning can be resumed.
        journal = journal.map(Journal::keep);
        let run = begun.hash();
        let sites = learn::learn(job, &inputs, &folder.folder, &run, store.as_ref(), style.resume)?;
        store = Some(learn::with_learnt(store, settings, dir, &sites));
        summary.learnt = Some(sites);
    }
    let (store, report) = (store.as_ref(), SmallestHashes::default());
    let layouts = job.layouts()?;
    let extractor = &SiteExtractor::new(extractor, store, Some(&report)).with_layouts(layouts.as_ref());
    let from = match start {
        Start::Journal => RunStart::Journal(Journal::open(&folder.folder)?),
        _ => RunStart::Start(journal),
    };

    let processes = match learns {
        true => job.page_processes(&inputs, VERB)?,
        false => started,
    };
    // The pool is started before the threads of the first pass, see `dedup`.
    let pool = threads(settings)?;
    let way = Way {
        extractor,
        processes,
        from,
    };
    let next = match &mut collector {
        Some(collector) => Next::Passages(collector),
        None => Next::Duplicates(&mut search),
    };
    let (gathered, journal) = gather(job, &inputs, &folder, next, &mut summary, way)?;
    summary.layouts = settings.layout.is_some().then_some(gathered.layouts);
    summary.sites = store.map(|store| store.counts(&gathered.sites));
    let Gathered {
        table,
        mut stats,
        layouts: _,
        sites,
        mut documents,
        mut copy,
        rejected_files,
        rejected,
        processes: _ending,
    } = gathered;
    // With passages, the texts that remain after cutting are the documents of all later stages.
    let (mut cut_away, mut passage_report, mut containments) = (None, None, None);
    if let (Some(collector), Some(plain)) = (collector, &copy) {
        let index = known
            .as_ref()
            .map(Known::index)
            .filter(|index| index.has_passages());
        let of_run = passages::OfRun {
            plain,
            table: &table,
            index,
        };
        let staged = passages::stage(job, &folder, collector, &mut search, of_run)?;
        documents.extend(staged.files);
        copy = Some(staged.left);
        cut_away = cuts.then_some(staged.gone);
        summary.passages = Some(staged.counts);
        passage_report = Some(staged.report);
        containments = Some((staged.contained, staged.facts));
    }
    let plain = match copy.as_ref().or(documents.first()) {
        Some(plain) => plain.path().to_owned(),
        None => return Err(Error::failed("the documents were not written")),
    };
    // The index is asked about the final texts, so it is read after the passages are cut.
    let again = known.as_ref().map(|_| Inputs::documents_in(&plain)).transpose()?;
    let in_index = match (&known, &again) {
        (Some(known), Some(again)) => {
            let (found, capped) = index::known_documents(job, known.index(), again)?;
            summary.capped_lookups = Some(capped);
            Some(found)
        }
        _ => None,
    };
    job.progress
        .stage("comparing documents", Some(Total::UnknownPairs));
    let columns = Columns::default();
    let reread = Reread::File {
        path: &plain,
        columns: &columns,
    };
    let by = search.compiled();
    let apart = Apart::of(&table, settings.same_url.unwrap_or_default().0, cut_away);
    let in_index = search.leave_out(&apart, in_index)?;
    let other = table.bytes() + apart.bytes();
    let found = search.join(job, &pool, &table, other, &reread)?;
    let mut verdicts = pool.install(|| decide(found, &by, &table, (in_index, apart)));
    if let Some((contained, facts)) = &containments
        && on_contained != Action::Keep
    {
        // A document that stands for others in its cluster stays: they are its duplicates, and need not be in the longer one.
        let gone = settled(
            contained,
            facts,
            |document| verdicts.of(document).kept,
            |document| verdicts.cluster_size(document) == 1,
        );
        verdicts.contained = Some((on_contained, gone));
    }
    job.cancel.check()?;
    let mut found = verdicts.summarize(&mut summary);
    let total = summary.counts.read - summary.counts.quarantined;
    job.progress.stage("writing", Some(Total::Documents(total)));
    // The other files take processor time on worker threads, while copying documents takes system time, so that both run in parallel. With
    // a memory ceiling they do not, since writers take memory.
    let (mut files, (kept, largest)) = both(
        settings.threads() > 1 && settings.memory_ceiling().is_none(),
        || verdicts.write(job, &pool, &folder, style.formats.tsv, &mut found),
        || finish_documents(job, &folder, &verdicts, &reread, &mut stats),
    )?;
    // Documents are prepared for the index now, while `plain` exists, and committed after the files of the
    // folder.
    let grown = match (known, &again) {
        (Some(Known::Growing(mut growth)), Some(again)) => {
            let fate = |document| fate(&verdicts, document);
            let held = table.bytes() + verdicts.bytes();
            summary.added = Some(growth.add(job, again, held, &fate, &mut |_| {})?);
            Some(growth)
        }
        _ => None,
    };
    // Deletes the plain copy.
    drop(copy);
    files.extend(kept.into_iter().chain(documents).chain(rejected_files));
    summary.duplicates = Some(found);

    let mut figures = report_data(largest, stats, &verdicts, (&summary, passage_report));
    figures.sites = match store {
        Some(store) => site::report::rows(store, &sites)?,
        None => SiteRows::default(),
    };
    let folder = folder.folder;
    let mut page = folder.file("report.html")?;
    page.write(render(&figures).as_bytes())?;
    files.push(page.finish()?);
    let sites = store.map(|store| site::page::render(store, &sites, summary.learnt.as_ref()));
    if let Some(sites) = sites.transpose()?.flatten() {
        let mut page = folder.file("sites.html")?;
        page.write(sites.as_bytes())?;
        files.push(page.finish()?);
    }
    if let Some(learnt) = &summary.learnt {
        files.extend(learn::files(out, learnt)?);
    }
    let outcome = conclude(folder, summary, files, rejected)?;
    // The index is committed only after the summary is in place. A run that is killed in between still has
    // its journal, and a resumed run commits the same change.
    if let Some(growth) = grown {
        growth.commit(Some(begun.hash()))?;
    }
    // The journal goes last: until then, the run can be resumed.
    journal.map_or(Ok(()), Journal::remove)?;
    learn::discard(out)?;
    keep::discard(settings, out)?;
    Ok(Ran::Now(Box::new(outcome)))
}

/// The settings that decide the results of a run, by name.
pub(in crate::verbs) fn effective(settings: &Settings) -> Result<Vec<(&'static str, Value)>, Error> {
    let mut effective = settings.effective_extraction();
    if let Some(making) = Making::of_run(settings)? {
        effective.push(("passages", making.unit_name().into()));
        effective.extend(making.effective());
    }
    effective.extend(settings.effective_duplicates()?);
    Ok(effective)
}

/// Start of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::verbs) enum Start {
    /// At the first page.
    Anew,
    /// Behind the records in a journal.
    Journal,
    /// The results of the same run exist, possibly with its journal.
    Ended {
        /// Whether too many of its records had been rejected.
        damaged: bool,
    },
}

/// Decides where a run starts. Changes nothing. `latest` is the latest modification time of the inputs,
/// `index` the index that grows.
pub(in crate::verbs) fn start(
    folder: &Path,
    begun: &Begun,
    resume: bool,
    inputs: &Inputs,
    latest: Option<SystemTime>,
    index: Option<&Index>,
) -> Result<Start, Error> {
    if !resume {
        return Ok(Start::Anew);
    }
    if !inputs.rereadable() {
        return Err(
            Error::usage("an input cannot be read twice, so that its run cannot be resumed")
                .with_option("resume")
                .with_help("name files or folders"),
        );
    }
    let Some(earlier) = journal::head::<Begun>(folder) else {
        let ended = begun.ended(folder, latest)?;
        return Ok(ended.map_or(Start::Anew, |damaged| Start::Ended { damaged }));
    };
    // Documents are added to the index last. If the index has the documents of this run, all is done and
    // only the journal is left.
    let added = index.is_some_and(|index| index.last_run() == Some(earlier.hash().as_str()));
    if added && let Some(damaged) = begun.ended(folder, latest)? {
        return Ok(Start::Ended { damaged });
    }
    let differences = begun.differences(&earlier);
    match differences.is_empty() {
        true => Ok(Start::Journal),
        false => Err(begun.refused(folder, differences)),
    }
}

/// What the index does with a document of the run.
fn fate<'v>(verdicts: &'v Verdicts<'_>, document: u32) -> Fate<'v> {
    if verdicts.of(document).kept {
        return Fate::Added(Some(verdicts.weight(document)));
    }
    match verdicts.gone_for(document) {
        Some(known) => Fate::Known {
            by: &known.id,
            exact: known.is_exact(),
        },
        None => Fate::Apart,
    }
}

/// Copies the documents that stay, and reads the fields of single documents that the report shows.
fn finish_documents(
    job: &Job<'_>,
    folder: &RowFolder,
    verdicts: &Verdicts<'_>,
    reread: &Reread<'_>,
    stats: &mut Stats,
) -> Result<(Vec<Finished>, Vec<data::ClusterRow>), Error> {
    let mut largest = verdicts.largest(CLUSTER_MEMBERS);
    // Places where the report shows a document: index of cluster and member, and row of the least confident pages.
    let mut members: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (place, (_, documents)) in largest.iter().enumerate() {
        members.extend(
            documents
                .iter()
                .enumerate()
                .map(|(member, document)| (*document, (place, member))),
        );
    }
    let pages = stats.pages_to_check();
    let mut shown: BTreeMap<u32, &mut PageRow> =
        pages.iter_mut().map(|(document, row)| (*document, row)).collect();
    let wanted: BTreeSet<u32> = members.keys().chain(shown.keys()).copied().collect();
    let mut kept = folder.rows(KEPT, RowKind::Document)?;
    let of_lines = kept.of_lines();
    reread.each(
        &job.plan(),
        |_| Pick::Take,
        || (),
        |(), lines| {
            let (mut rows, mut found, mut documents) =
                (EncodedRows::with_room(lines.bytes().len()), Vec::new(), 0);
            for (document, line) in lines.iter() {
                documents += 1;
                if verdicts.of(document).kept {
                    of_lines.add(&verdicts.kept_line(document, line), &mut rows);
                }
                if wanted.contains(&document)
                    && let Ok(record) = json::document(line, None)
                {
                    found.push((document, Shown::of(&record)));
                }
            }
            Ok((rows, found, documents))
        },
        |(rows, found, documents)| {
            kept.rows(&rows)?;
            job.progress.advance(documents, 0);
            for (document, record) in found {
                if let Some((place, member)) = members.get(&document) {
                    largest[*place].0.members[*member].title.clone_from(&record.title);
                }
                if let Some(page) = shown.get_mut(&document) {
                    page.url = record.url;
                    page.title = record.title;
                    page.excerpt = record.excerpt;
                }
            }
            Ok(())
        },
    )?;
    let clusters = largest.into_iter().map(|(cluster, _)| cluster).collect();
    Ok((kept.finish_files()?, clusters))
}

/// Fields of a document that the report shows.
struct Shown {
    url: Option<String>,
    title: Option<String>,
    excerpt: String,
}

impl Shown {
    /// The fields of a document, with the beginning of its text.
    fn of(record: &DocumentRecord<'_>) -> Self {
        Shown {
            url: record.url.as_deref().map(str::to_owned),
            title: record.title.as_deref().map(str::to_owned),
            excerpt: excerpt(&record.text, EXCERPT_CHARS),
        }
    }
}

/// The data of the report.
fn report_data(
    largest: Vec<data::ClusterRow>,
    stats: Stats,
    verdicts: &Verdicts<'_>,
    (summary, passages): (&Summary, Option<PassageReport>),
) -> ReportData {
    let found = summary.duplicates.clone().unwrap_or_default();
    let mut figures = ReportData {
        cluster_sizes: verdicts.size_bins(),
        deleted: found
            .deleted
            .histogram
            .iter()
            .map(|step| data::SimilarityBin {
                from: step.from,
                to: step.to,
                documents: step.documents,
            })
            .collect(),
        deleted_below_threshold: found.deleted.below_threshold,
        largest_clusters: largest,
        passages,
        ..figures(summary)
    };
    stats.report(&mut figures);
    figures
}

#[cfg(test)]
mod tests;
