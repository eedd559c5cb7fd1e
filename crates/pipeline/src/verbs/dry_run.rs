//! What `dehusk run` would do.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::Error;
use crate::job::Job;
use crate::read::inputs::Inputs;
use crate::read::walk::Skipped;
use crate::record::RowKind;
use crate::record::header::{
    CLUSTERS, DOCUMENTS, KEPT, MARKER, MATCHES, PAIRS, REJECTED, SUMMARY, TEMPLATES,
};
use crate::search::corpus_stats::CorpusStats;
use crate::search::duplicates::{Search, check_memory};
use crate::search::index::Index;
use crate::search::memory;
use crate::settings::table::Settings;
use crate::site::store::Store;
use crate::verbs::run::begun::Begun;
use crate::verbs::run::gather::VERB;
use crate::verbs::run::keep;
use crate::verbs::run::{Start, Style, is_interrupted, start};
use crate::write::file_form::FileForm;
use crate::write::folder::OutFolder;
use crate::write::format::Tsv;
use crate::write::summary::Summary;

/// What a run would read and write, and by which settings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// What would be read.
    pub inputs: Vec<PlannedInput>,
    /// Files below input folders that would be passed over.
    pub skipped: Skipped,
    /// The settings that decide the results, with their defaults.
    pub settings: Vec<(&'static str, Value)>,
    /// Those of them that differ from the defaults, each with the default.
    pub changed: Vec<(&'static str, Value)>,
    /// The folder that would be written to.
    pub out: PathBuf,
    /// What is in it.
    pub state: FolderState,
    /// Where the run would begin.
    pub start: PlannedStart,
    /// Files that would be written, in shards the first of each list.
    pub writes: Vec<PlannedFile>,
    /// Files of an earlier run that would be removed.
    pub removes: Vec<String>,
    /// What memory is allowed and needed.
    pub memory: PlannedMemory,
}

/// An input of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlannedInput {
    /// As it was named.
    pub name: String,
    /// Name of its format; in folders, that of the files that are no archives.
    pub format: &'static str,
    /// Files that would be read and their bytes; `None` of what can be read once only, such as standard input.
    pub size: Option<(u64, u64)>,
}

/// A file that would be written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlannedFile {
    /// Its name in the output folder.
    pub name: String,
    /// Whether one of this name is there, which would be replaced.
    pub replaces: bool,
}

/// What is in an output folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FolderState {
    /// Nothing: it is empty, or will be made.
    New,
    /// The results of a run that ended.
    Finished,
    /// What is left of a run that did not end, or that goes on.
    Unfinished,
}

/// Where a run would begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlannedStart {
    /// With the first page.
    Anew,
    /// The same, although a run was interrupted in the folder, whose journal would go.
    Discarding,
    /// Behind the pages of the run that was interrupted.
    Resuming,
    /// Nowhere: its results are there.
    Nothing,
}

/// The memory of a run, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlannedMemory {
    /// What the settings allow, if they set a limit.
    pub ceiling: Option<u64>,
    /// What the program takes with its threads, before it keeps anything of a record.
    pub base: u64,
    /// Records of the inputs; counted only if there is a limit, which they fit into.
    pub records: Option<u64>,
}

/// Checks everything that [`run`](super::run::run) checks before its work begins, and tells what it would do. Nothing is written. With
/// a limit on memory, records are counted, which takes as long as reading them.
///
/// # Errors
/// If an input is missing, settings do not fit together, rules or templates are wrong, the folder `out` cannot be used, or memory is
/// too little, or a run that is to be resumed was begun with something else.
pub fn plan(job: &Job<'_>, out: &Path, style: Style) -> Result<Plan, Error> {
    let formats = style.formats;
    let index = known(job, style.add)?;
    let settings = index.as_ref().map_or(job.settings, Index::settings);
    let job = &Job { settings, ..*job };
    let store = Store::of_settings(settings)?;
    let inputs = keep::open(job, out, style.resume)?;
    let duplicates = CorpusStats::given(settings)?.options(settings)?;
    let form = FileForm::folder(settings, formats.format)?;
    Search::new(settings, duplicates, out, form.held)?;
    OutFolder::check(out, "run", job.cancel)?;
    let records = check_memory(job, &inputs, form.held)?;
    let start = planned_start(job, out, style, &inputs, index.as_ref())?;
    let names = names(
        &form,
        (formats.tsv, settings.against.is_some()),
        store.is_some_and(|store| store.iter().next().is_some()),
        settings.learn_sites == Some(true),
    );
    let learns = settings.learn_sites == Some(true);
    let stays = |name: &String| names.contains(name) || (learns && name.starts_with(TEMPLATES));
    let removes = OutFolder::files_of_earlier(out).filter(|name| !stays(name));
    let (inputs, skipped) = planned_inputs(&inputs);
    let (settings_in_force, changed) = effective(settings)?;
    Ok(Plan {
        inputs,
        skipped,
        settings: settings_in_force,
        changed,
        out: out.to_owned(),
        state: state(out),
        start,
        removes: removes.collect(),
        writes: names
            .into_iter()
            .map(|name| PlannedFile {
                replaces: out.join(&name).exists(),
                name,
            })
            .collect(),
        memory: PlannedMemory {
            ceiling: settings.memory_ceiling(),
            base: memory::base(settings, form.held),
            records,
        },
    })
}

/// The index that documents would be compared with, if there is one yet.
fn known(job: &Job<'_>, add: bool) -> Result<Option<Index>, Error> {
    match &job.settings.against {
        Some(folder) if add && !Index::is_in(folder) => Ok(None),
        Some(folder) => Index::open(folder, job.settings).map(Some),
        None => Ok(None),
    }
}

fn planned_start(
    job: &Job<'_>,
    out: &Path,
    style: Style,
    inputs: &Inputs,
    index: Option<&Index>,
) -> Result<PlannedStart, Error> {
    if !style.resume {
        return Ok(match is_interrupted(out) {
            true => PlannedStart::Discarding,
            false => PlannedStart::Anew,
        });
    }
    let mut effective = job.settings.effective_extraction();
    effective.extend(job.settings.effective_duplicates()?);
    let summary = Summary::new(VERB, inputs, effective);
    let state = job.settings.against.as_ref();
    let state = state.map(|_| index.map(Index::state).unwrap_or_default().to_owned());
    let (begun, latest) = Begun::now(job, inputs, &summary, style.formats, state)?;
    let growing = index.filter(|_| style.add);
    Ok(match start(out, &begun, true, inputs, latest, growing)? {
        Start::Anew => PlannedStart::Anew,
        Start::Journal => PlannedStart::Resuming,
        Start::Ended { .. } => PlannedStart::Nothing,
    })
}

fn planned_inputs(inputs: &Inputs) -> (Vec<PlannedInput>, Skipped) {
    let (sizes, skipped) = inputs.sizes();
    let planned = inputs
        .formats()
        .zip(sizes)
        .map(|((name, format), size)| PlannedInput {
            name: name.to_owned(),
            format,
            size,
        });
    (planned.collect(), skipped)
}

type Effective = Vec<(&'static str, Value)>;

/// The settings in force, and the defaults of those that differ from them.
fn effective(settings: &Settings) -> Result<(Effective, Effective), Error> {
    let all = |settings: &Settings| -> Result<Effective, Error> {
        let mut effective = settings.effective_extraction();
        effective.extend(settings.effective_duplicates()?);
        Ok(effective)
    };
    let (in_force, defaults) = (all(settings)?, all(&Settings::default())?);
    let changed = defaults.into_iter().filter(|default| !in_force.contains(default));
    let changed = changed.collect();
    Ok((in_force, changed))
}

/// Names of the files of a run, in the order in which they are described.
fn names(form: &FileForm, (tsv, matches): (bool, bool), sites: bool, learns: bool) -> Vec<String> {
    let mut names: Vec<String> = [
        (DOCUMENTS, RowKind::Document),
        (PAIRS, RowKind::Pair),
        (CLUSTERS, RowKind::Decision),
        (KEPT, RowKind::Document),
        (REJECTED, RowKind::Rejected),
    ]
    .map(|(list, kind)| form.of_list(kind).list_name(list))
    .into();
    if matches {
        names.push(form.of_list(RowKind::Match).list_name(MATCHES));
    }
    if tsv {
        names.push(form.with_format(&Tsv).of_list(RowKind::Pair).list_name(PAIRS));
    }
    if learns {
        names.push(format!("{TEMPLATES}/"));
    }
    if sites || learns {
        names.push("sites.html".to_owned());
    }
    names.extend(["report.html", SUMMARY].map(str::to_owned));
    names
}

fn state(out: &Path) -> FolderState {
    match (out.join(MARKER).exists(), out.join(SUMMARY).exists()) {
        (_, true) => FolderState::Finished,
        (true, false) => FolderState::Unfinished,
        (false, false) => FolderState::New,
    }
}
