//! The first pass of a run that learns: templates of the sites of its pages.

use std::fs;
use std::path::{Path, PathBuf};

use dehusk_extract::site::Sample;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::exec::disk;
use crate::job::Job;
use crate::kernel::extract::page;
use crate::read::inputs::Inputs;
use crate::record::header::{LEARNING, TEMPLATES};
use crate::record::{PageRecord, Rejection};
use crate::search::memory::MemoryCeiling;
use crate::settings::table::Settings;
use crate::site::group::Member;
use crate::site::key;
use crate::site::page_marks::PageMeasure;
use crate::site::shelf::TemplateShelf;
use crate::site::store::Store;
use crate::site::stream::{SettledHosts, StreamLearner, TemplateSink};
use crate::verbs::run::work_folder;
use crate::write::file::{Finished, whole_file};
use crate::write::folder::OutFolder;
use crate::write::summary::{LayoutStart, LearntSites};

/// Name of the work on pages.
pub(super) const WORK: &str = "run, learning";

/// Most bytes of pages whose layouts are learnt at a time. The results depend on it, and so it does not depend on the memory that may
/// be taken: what is held counts in that.
const MOST_BYTES: u64 = 256 << 20;

/// Most bytes of templates that each process keeps of those that pages were extracted by, unless memory is short.
const SHELF_BYTES: u64 = 64 << 20;

/// The file that tells that all is learnt, and what.
const LEARNT: &str = "learnt.json";

/// What that file says.
#[derive(Serialize, Deserialize)]
struct Learnt {
    /// The run it is of.
    run: String,
    sites: LearntSites,
}

/// Where templates lie until the run ends.
pub(super) fn folder_of(out: &Path) -> PathBuf {
    out.join(LEARNING)
}

/// Adds what was learnt in the folder `out` to templates and rules that are given.
pub(super) fn with_learnt(
    store: Option<Store>,
    settings: &Settings,
    out: &Path,
    sites: &LearntSites,
) -> Store {
    let processes = settings.threads() as u64 + 1;
    let most_bytes = MemoryCeiling::of(settings).batch(SHELF_BYTES * processes) / processes;
    let shelf = TemplateShelf::new(&folder_of(out), &sites.templates, most_bytes);
    store.unwrap_or_default().with_learnt(shelf)
}

/// What an earlier pass learnt, if it is complete; `run` is the hash of what the run was begun with, if that is known.
pub(super) fn learnt_before(out: &Path, run: Option<&str>) -> Option<LearntSites> {
    let folder = folder_of(out);
    let learnt: Learnt = serde_json::from_slice(&fs::read(folder.join(LEARNT)).ok()?).ok()?;
    let all_there = || {
        let mut files = learnt
            .sites
            .templates
            .iter()
            .map(|template| folder.join(&template.file));
        files.all(|file| file.is_file())
    };
    (run.is_none_or(|run| learnt.run == run) && all_there()).then_some(learnt.sites)
}

/// Removes what a run learnt in the folder.
pub(super) fn discard(out: &Path) -> Result<(), Error> {
    work_folder::discard(&folder_of(out), LEARNT)
}

/// Learns the templates of all hosts that have none in `given`. With `resume`, what an earlier pass of the same run learnt is taken.
pub(super) fn learn(
    job: &Job<'_>,
    inputs: &Inputs,
    out: &OutFolder,
    run: &str,
    given: Option<&Store>,
    resume: bool,
) -> Result<LearntSites, Error> {
    let before = resume.then(|| learnt_before(out.path(), Some(run))).flatten();
    if let Some(sites) = before {
        return Ok(sites);
    }
    discard(out.path())?;
    let folder = folder_of(out.path());
    disk::create_folder(&folder).map_err(|e| Error::create(&folder, e))?;
    let sites = pass(job, inputs, &folder, given)?;
    let learnt = Learnt {
        run: run.to_owned(),
        sites,
    };
    let text =
        serde_json::to_vec(&learnt).map_err(|e| Error::failed(format!("cannot write {LEARNT}: {e}")))?;
    whole_file(&folder.join(LEARNT), job.cancel, |file| file.write(&text))?;
    Ok(learnt.sites)
}

/// A page that was looked at or passed over.
struct Met {
    url: Option<String>,
    member: Option<Member<()>>,
}

fn pass(job: &Job<'_>, inputs: &Inputs, folder: &Path, given: Option<&Store>) -> Result<LearntSites, Error> {
    let options = job.settings.extraction();
    let processes = job.page_processes(inputs, WORK)?;
    let settled = SettledHosts::default();
    let wanted = |record: &PageRecord<'_>| {
        // The address that a page itself or its folder tells is known when it is parsed.
        let Some(url) = record.url.as_deref() else {
            return true;
        };
        key::site_key(url).is_some_and(|key| {
            let host = key::host_key(&key);
            let known = given.is_some_and(|store| store.has_host(host));
            !known && !settled.pass_over(host, url)
        })
    };
    let sink = TemplateSink {
        folder,
        method: options.extractor().name(),
        cancel: job.cancel,
    };
    let mut learner = StreamLearner::new(&settled, sink, MOST_BYTES);
    let memory = MemoryCeiling::of(job.settings);
    let mut records = 0;
    job.pass("learning sites", inputs).pages(
        job.addresses(),
        None,
        |record| -> Result<(Option<String>, Option<Sample>), Rejection> {
            let url = record.url.as_deref().map(str::to_owned);
            let sample = match (wanted(record), &processes) {
                (false, _) => None,
                (true, Some(processes)) => Some(processes.work(record)?),
                (true, None) => Some(sampled(record, &options)?),
            };
            Ok((url, sample))
        },
        PageMeasure::new,
        |measure, (url, sample)| {
            let found = || sample.as_ref().map(|sample| sample.name().to_owned());
            let url = url.or_else(found).filter(|url| !url.is_empty());
            let member = sample.map(|sample| {
                let marks = measure.marks(&sample);
                Member {
                    sample,
                    with: (),
                    marks,
                }
            });
            Met { url, member }
        },
        |worked| {
            for row in worked.rows {
                records += 1;
                let Ok(Met {
                    url: Some(url),
                    member,
                }) = row
                else {
                    continue;
                };
                let Some(key) = key::site_key(&url) else { continue };
                let host = key::host_key(&key);
                if given.is_some_and(|store| store.has_host(host)) {
                    continue;
                }
                learner.take(host, &url, member, |member| LayoutStart {
                    record: records,
                    file: worked.origin.name.clone(),
                    url: url.clone(),
                    date: member.sample.date().map(str::to_owned),
                })?;
                memory.check(learner.bytes(), || {
                    "for the pages of sites that are learnt".to_owned()
                })?;
            }
            Ok(())
        },
    )?;
    learner.finish()
}

/// A page taken apart.
pub(super) fn sampled(
    record: &PageRecord<'_>,
    options: &dehusk_extract::Options,
) -> Result<Sample, Rejection> {
    Ok(Sample::new(&page(record)?, options))
}

/// The templates as files of the output folder, which get their names with all others.
pub(super) fn files(out: &Path, sites: &LearntSites) -> Result<Vec<Finished>, Error> {
    let (from, to) = (folder_of(out), out.join(TEMPLATES));
    if sites.templates.is_empty() {
        return Ok(Vec::new());
    }
    disk::create_folder(&to).map_err(|e| Error::create(&to, e))?;
    let names = sites.templates.iter().map(|template| &template.file);
    names
        .map(|name| Finished::lying(&from.join(name), TEMPLATES, &to.join(name)))
        .collect()
}
