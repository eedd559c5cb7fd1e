//! The dry run of `dehusk run`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::Error;
use crate::job::Job;
use crate::read::files;
use crate::read::inputs::Inputs;
use crate::read::walk::Skipped;
use crate::record::RowKind;
use crate::record::header::{
    CLUSTERS, CONTAINED, DOCUMENTS, KEPT, MARKER, MATCHES, OCCURRENCES, PAIRS, PASSAGES, REJECTED, SUMMARY,
    TEMPLATES,
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
use crate::verbs::run::{Start, Style, effective as effective_of_run, is_interrupted, start};
use crate::write::file_form::FileForm;
use crate::write::folder::OutFolder;
use crate::write::format::Tsv;
use crate::write::summary::Summary;

/// What a run would read and write, and with which settings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// Inputs that would be read.
    pub inputs: Vec<PlannedInput>,
    /// Files below input folders that would be skipped.
    pub skipped: Skipped,
    /// The settings that decide the results, including defaults.
    pub settings: Vec<(&'static str, Value)>,
    /// The default values of settings that differ from their defaults.
    pub changed: Vec<(&'static str, Value)>,
    /// The output folder.
    pub out: PathBuf,
    /// State of the output folder.
    pub state: FolderState,
    /// Position at which the run would start.
    pub start: PlannedStart,
    /// Files that would be written; of lists in shards, the first shard.
    pub writes: Vec<PlannedFile>,
    /// Files of an earlier run that would be removed.
    pub removes: Vec<String>,
    /// Memory allowed and needed.
    pub memory: PlannedMemory,
}

/// An input of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlannedInput {
    /// Name as the user gave it.
    pub name: String,
    /// Name of its format; for folders, the format of files that are not archives.
    pub format: &'static str,
    /// Number of files and their total bytes; `None` for inputs that can be read only once, such as standard input.
    pub size: Option<(u64, u64)>,
}

/// A file that would be written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlannedFile {
    /// Name in the output folder.
    pub name: String,
    /// Whether it would replace an existing file.
    pub replaces: bool,
}

/// State of an output folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FolderState {
    /// Empty or missing.
    New,
    /// It has the results of a completed run.
    Finished,
    /// It has the files of a run that was interrupted or is still running.
    Unfinished,
}

/// Where a run would start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlannedStart {
    /// At the first page.
    Anew,
    /// At the first page; the journal of an interrupted run in the folder would be discarded.
    Discarding,
    /// After the pages of the interrupted run.
    Resuming,
    /// Nothing would be done, since the results exist.
    Nothing,
}

/// Memory of a run in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlannedMemory {
    /// Memory ceiling of the settings; `None` without one.
    pub ceiling: Option<u64>,
    /// Memory of the program and its threads, without data kept of records.
    pub base: u64,
    /// Number of records of the inputs; `None` without a ceiling, since they are counted only to check it.
    pub records: Option<u64>,
}

/// Makes all checks that [`run`](super::run::run) makes before its work begins, and returns what a run
/// would do. Writes nothing.
///
/// With a memory ceiling, records are counted, which takes as long as reading them.
///
/// # Errors
/// If an input is missing, settings contradict each other, rules or templates are invalid, the folder `out` cannot be used, or memory is
/// too little. Also if a run is to be resumed that was begun differently.
pub fn plan(job: &Job<'_>, out: &Path, style: Style) -> Result<Plan, Error> {
    if files::address(out).is_some() {
        return Err(Error::usage("a dry run asks no store what lies below an address")
            .with_path(out)
            .with_option("out")
            .with_help("name a folder with --out, or leave out --dry-run"));
    }
    let formats = style.formats;
    let index = known(job, style.add)?;
    let settings = index.as_ref().map_or(job.settings, Index::settings);
    let job = &Job { settings, ..*job };
    let store = Store::of_settings(settings)?;
    let inputs = keep::open(job, out, style.resume)?;
    let duplicates = CorpusStats::given(settings)?.options(settings)?;
    let form = FileForm::folder(settings, formats.format)?;
    // Made only to check the memory ceiling.
    Search::new(settings, duplicates, out, form.held)?;
    OutFolder::check(out, "run", job.cancel)?;
    let records = check_memory(job, &inputs, form.held)?;
    let start = planned_start(job, out, style, &inputs, index.as_ref())?;
    let names = names(
        &form,
        (formats.tsv, settings.against.is_some()),
        store.is_some_and(|store| store.iter().next().is_some()),
        settings.learn_sites == Some(true),
        settings.passages.is_some(),
    );
    let learns = settings.learn_sites == Some(true);
    // A run that learns writes its own files of templates, whose names are unknown before learning.
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

/// The index that documents would be compared with; `None` without one, or if it does not exist yet.
fn known(job: &Job<'_>, add: bool) -> Result<Option<Index>, Error> {
    match &job.settings.against {
        Some(folder) if add && !Index::is_in(folder) => Ok(None),
        Some(folder) => Index::open(folder, job.settings).map(Some),
        None => Ok(None),
    }
}

/// Where the run would start, by the checks of `start`.
fn planned_start(
    job: &Job<'_>,
    out: &Path,
    style: Style,
    inputs: &Inputs,
    index: Option<&Index>,
) -> Result<PlannedStart, Error> {
    // Without `--resume`, a run starts over whatever the folder has.
    if !style.resume {
        return Ok(match is_interrupted(out, job.settings) {
            true => PlannedStart::Discarding,
            false => PlannedStart::Anew,
        });
    }
    let summary = Summary::new(VERB, inputs, effective_of_run(job.settings)?);
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

/// The inputs with formats and sizes, and the skipped files.
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

/// Settings by name.
type Effective = Vec<(&'static str, Value)>;

/// The effective settings, and the default values of settings that differ from their defaults.
fn effective(settings: &Settings) -> Result<(Effective, Effective), Error> {
    let (in_force, defaults) = (
        effective_of_run(settings)?,
        effective_of_run(&Settings::default())?,
    );
    let changed = defaults.into_iter().filter(|default| !in_force.contains(default));
    let changed = changed.collect();
    Ok((in_force, changed))
}

/// Names of the files of a run, in the order of their description.
fn names(
    form: &FileForm,
    (tsv, matches): (bool, bool),
    sites: bool,
    learns: bool,
    passages: bool,
) -> Vec<String> {
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
    if passages {
        names.push(form.of_list(RowKind::Passage).list_name(PASSAGES));
        names.push(form.of_list(RowKind::Occurrence).list_name(OCCURRENCES));
        names.push(form.of_list(RowKind::Contained).list_name(CONTAINED));
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

/// The state of an output folder, by its marker and its summary.
fn state(out: &Path) -> FolderState {
    match (out.join(MARKER).exists(), out.join(SUMMARY).exists()) {
        (_, true) => FolderState::Finished,
        (true, false) => FolderState::Unfinished,
        (false, false) => FolderState::New,
    }
}
