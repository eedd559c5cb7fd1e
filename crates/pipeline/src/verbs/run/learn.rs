//! The first pass of a run that learns the templates of its sites.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::exec::disk;
use crate::job::Job;
use crate::read::inputs::Inputs;
use crate::record::header::{LEARNING, TEMPLATES};
use crate::search::memory::MemoryCeiling;
use crate::settings::table::Settings;
use crate::site::shelf::TemplateShelf;
use crate::site::store::Store;
use crate::verbs::run::learn_pass::pass;
use crate::verbs::run::work_folder;
use crate::write::file::{Finished, whole_file};
use crate::write::folder::OutFolder;
use crate::write::summary::LearntSites;

/// Maximum bytes of learnt templates in the cache of each process, unless memory is short.
const SHELF_BYTES: u64 = 64 << 20;

/// File that describes the learnt templates. It is written after all templates are.
const LEARNT: &str = "learnt.json";

/// Content of the file [`LEARNT`].
#[derive(Serialize, Deserialize)]
struct Learnt {
    /// Hash of the state of the run.
    run: String,
    sites: LearntSites,
}

/// Folder of the templates until the run ends.
pub(super) fn folder_of(out: &Path) -> PathBuf {
    out.join(LEARNING)
}

/// Adds the templates learnt in the folder `out` to given templates and rules.
pub(super) fn with_learnt(
    store: Option<Store>,
    settings: &Settings,
    out: &Path,
    sites: &LearntSites,
) -> Store {
    // Each page process has a cache of its own, and so has this one.
    let processes = settings.threads() as u64 + 1;
    let most_bytes = MemoryCeiling::of(settings).batch(SHELF_BYTES * processes) / processes;
    let shelf = TemplateShelf::new(&folder_of(out), &sites.templates, most_bytes);
    store.unwrap_or_default().with_learnt(shelf)
}

/// The results of an earlier learning pass; `None` unless it is complete. With `run`, it must be of the run
/// with this hash of its state.
pub(super) fn learnt_before(out: &Path, run: Option<&str>) -> Option<LearntSites> {
    let folder = folder_of(out);
    let learnt: Learnt = serde_json::from_slice(&fs::read(folder.join(LEARNT)).ok()?).ok()?;
    // The list may outlive its templates, for example if a program cleans the folder.
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

/// Removes the results of learning in the folder.
pub(super) fn discard(out: &Path) -> Result<(), Error> {
    work_folder::discard(&folder_of(out), LEARNT)
}

/// Learns the templates of all hosts that have none in `given`. With `resume`, the results of an earlier
/// pass of the same run are used.
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
    let temporary = job.settings.temp_dir.clone();
    let temporary = temporary.unwrap_or_else(|| out.path().to_owned());
    let sites = pass(job, inputs, (&folder, temporary), given)?;
    let learnt = Learnt {
        run: run.to_owned(),
        sites,
    };
    // The list is written last, so an interrupted pass is not taken for a complete one.
    let text =
        serde_json::to_vec(&learnt).map_err(|e| Error::failed(format!("cannot write {LEARNT}: {e}")))?;
    whole_file(&folder.join(LEARNT), job.cancel, |file| file.write(&text))?;
    Ok(learnt.sites)
}

/// The templates as files of the output folder. They are renamed together with all other files.
pub(super) fn files(out: &Path, sites: &LearntSites) -> Result<Vec<Finished>, Error> {
    let (from, to) = (folder_of(out), out.join(TEMPLATES));
    // Without templates, no empty folder is created.
    if sites.templates.is_empty() {
        return Ok(Vec::new());
    }
    disk::create_folder(&to).map_err(|e| Error::create(&to, e))?;
    let names = sites.templates.iter().map(|template| &template.file);
    names
        .map(|name| Finished::lying(&from.join(name), TEMPLATES, &to.join(name)))
        .collect()
}
