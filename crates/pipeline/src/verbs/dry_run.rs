//! What `dehusk run` would do.

use std::path::Path;

use serde_json::Value;

use crate::error::Error;
use crate::job::Job;
use crate::read::inputs::RecordKind;
use crate::search::corpus_stats::CorpusStats;
use crate::search::duplicates::Search;
use crate::site::store::Store;
use crate::write::file_form::FileForm;
use crate::write::folder::OutFolder;
use crate::write::row_folder::FolderFormats;

/// What a run would read, and by which settings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// Each input as it was named, and the name of its format.
    pub inputs: Vec<(String, &'static str)>,
    /// The settings that decide the results, with their defaults.
    pub settings: Vec<(&'static str, Value)>,
}

/// Checks everything that [`run`](super::run::run) checks before its work begins, and tells what it would do. Nothing is written.
///
/// # Errors
/// If an input is missing, settings do not fit together, rules or templates are wrong, or the folder `out` cannot be used.
pub fn plan(job: &Job<'_>, out: &Path, formats: FolderFormats) -> Result<Plan, Error> {
    let settings = job.settings;
    Store::of_settings(settings)?;
    let inputs = job.open(RecordKind::Pages)?;
    let duplicates = CorpusStats::given(settings)?.options(settings)?;
    let form = FileForm::folder(settings, formats.format)?;
    Search::new(settings, duplicates, out, form.held)?;
    OutFolder::check(out, "run")?;
    let mut effective = settings.effective_extraction();
    effective.extend(settings.effective_duplicates()?);
    Ok(Plan {
        inputs: inputs
            .formats()
            .map(|(name, format)| (name.to_owned(), format))
            .collect(),
        settings: effective,
    })
}
