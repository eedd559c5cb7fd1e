//! The state at the beginning of a run. A later run resumes this run, or finds its results complete, only
//! if its state is equal.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::error::Error;
use crate::job::Job;
use crate::read::input_state::{self, InputState};
use crate::read::inputs::Inputs;
use crate::record::header::{FORMAT_VERSION, SUMMARY, TOOL, VERSION};
use crate::write::row_folder::FolderFormats;
use crate::write::summary::Summary;

/// Everything that decides the output of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::verbs) struct Begun {
    tool: String,
    version: String,
    format_version: u32,
    settings: Map<String, Value>,
    /// Hash of the contents of rule, template and statistics files.
    files: String,
    inputs: Vec<InputState>,
    /// State of the index that is queried or added to; `None` without one.
    index: Option<String>,
}

/// The fields of the summary of a completed run that are compared.
#[derive(Deserialize)]
struct Ended {
    version: String,
    settings: Map<String, Value>,
    identity: Option<String>,
    damaged: bool,
}

impl Begun {
    /// The state of a run that is described by `summary`, and the latest modification time of its inputs.
    pub(in crate::verbs) fn now(
        job: &Job<'_>,
        inputs: &Inputs,
        summary: &Summary,
        formats: FolderFormats,
        index: Option<String>,
    ) -> Result<(Begun, Option<SystemTime>), Error> {
        let settings = job.settings;
        let mut all: Map<String, Value> = summary
            .settings
            .0
            .iter()
            .map(|(n, v)| ((*n).to_owned(), v.clone()))
            .collect();
        let forms = inputs.formats().map(|(_, format)| format).collect::<Vec<_>>();
        let more = [
            ("url", json!(job.url)),
            ("input-format", json!(forms)),
            ("output-format", json!(formats.format.name())),
            ("tsv", json!(formats.tsv)),
            (
                "compress",
                json!(settings.compress.unwrap_or_default().to_string()),
            ),
            ("shard-size", json!(settings.shard_size.map(|size| size.0))),
            ("against", json!(settings.against)),
        ];
        all.extend(more.map(|(name, value)| (name.to_owned(), value)));
        let mut files = Xxh3::new();
        files.update(&settings.hash_of_sites()?.to_le_bytes());
        // The settings only name the file, so its content is hashed.
        if let Some(path) = &settings.stats {
            files.update(&fs::read(path).map_err(|e| Error::input(path, e))?);
        }
        let (inputs, latest) = input_state::states(inputs);
        let begun = Begun {
            tool: TOOL.to_owned(),
            version: VERSION.to_owned(),
            format_version: FORMAT_VERSION,
            settings: all,
            files: format!("{:032x}", files.digest128()),
            inputs,
            index,
        };
        Ok((begun, latest))
    }

    /// Hash of everything that decides the results, in hexadecimal digits. Modification times are left out,
    /// and the state of the index, which the run itself changes.
    pub(super) fn identity(&self) -> String {
        let mut same = self.clone();
        same.index = None;
        for input in &mut same.inputs {
            input.times = String::new();
        }
        same.hash()
    }

    /// Hash of the whole state, in hexadecimal digits.
    pub(super) fn hash(&self) -> String {
        let json = serde_json::to_vec(self);
        debug_assert!(json.is_ok(), "maps with string keys always serialize");
        format!("{:032x}", xxh3_128(&json.unwrap_or_default()))
    }

    /// Differences from an earlier state, one sentence each. Empty if a run can be resumed.
    pub(super) fn differences(&self, earlier: &Begun) -> Vec<String> {
        let mut told = settings_that_differ(
            (&earlier.version, &earlier.settings),
            (&self.version, &self.settings),
        );
        if earlier.files != self.files {
            told.push("a file of rules, templates or statistics was changed".to_owned());
        }
        if earlier.index != self.index {
            told.push("the index was changed".to_owned());
        }
        let names = |begun: &Begun| {
            begun
                .inputs
                .iter()
                .map(|input| input.name.clone())
                .collect::<Vec<_>>()
        };
        if names(earlier) != names(self) {
            told.push(format!(
                "the inputs were `{}`, now they are `{}`",
                names(earlier).join("` `"),
                names(self).join("` `")
            ));
            return told;
        }
        // Names are equal here, so the inputs are in the same order.
        for (old, new) in earlier.inputs.iter().zip(&self.inputs) {
            if (old.files, old.bytes) != (new.files, new.bytes) {
                told.push(format!(
                    "`{}` had {} files of {} bytes, now it has {} of {}",
                    old.name, old.files, old.bytes, new.files, new.bytes
                ));
            } else if old != new {
                told.push(format!("`{}` was changed", old.name));
            }
        }
        told
    }

    /// Whether the folder has the results of this run. `Some(true)` if too many of its records were
    /// rejected, `None` if there are no results.
    ///
    /// `latest` is the latest modification time of the inputs.
    ///
    /// # Errors
    /// If the folder has the results of another run.
    pub(super) fn ended(&self, folder: &Path, latest: Option<SystemTime>) -> Result<Option<bool>, Error> {
        let path = folder.join(SUMMARY);
        // A run writes the summary last, so without it there are no results.
        let Ok(text) = fs::read(&path) else {
            return Ok(None);
        };
        let written = fs::metadata(&path).and_then(|meta| meta.modified()).ok();
        let Ok(ended) = serde_json::from_slice::<Ended>(&text) else {
            return Err(self.refused(folder, vec![format!("`{SUMMARY}` cannot be read")]));
        };
        let mut told =
            settings_that_differ((&ended.version, &ended.settings), (&self.version, &self.settings));
        // The summary has only the settings that decide documents. A setting that it lacks is not a
        // difference.
        told.retain(|line| !line.contains(" was nothing "));
        // Differences of settings are more helpful than the hash, which only shows that something differs.
        if told.is_empty() && ended.identity.as_ref() != Some(&self.identity()) {
            told.push(
                "the inputs, the form of the output, or files of rules, templates or statistics are others"
                    .to_owned(),
            );
        }
        if told.is_empty() && latest > written {
            told.push("an input was changed after the run".to_owned());
        }
        match told.is_empty() {
            true => Ok(Some(ended.damaged)),
            false => Err(self.refused(folder, told)),
        }
    }

    /// Error for a run that cannot be resumed.
    pub(super) fn refused(&self, folder: &Path, differences: Vec<String>) -> Error {
        let message = format!(
            "the run in `{}` was begun with something else and cannot be resumed",
            folder.display()
        );
        Error::usage(message)
            .with_path(folder)
            .with_option("resume")
            .with_notes(differences)
            .with_help("give the same command as then, or leave out `--resume` to begin anew")
    }
}

/// Settings whose values differ, one sentence each.
fn settings_that_differ(
    (old_version, old): (&str, &Map<String, Value>),
    (version, new): (&str, &Map<String, Value>),
) -> Vec<String> {
    let mut told = Vec::new();
    if old_version != version {
        told.push(format!(
            "the program was {TOOL} {old_version}, now it is {TOOL} {version}"
        ));
    }
    let shown = |value: Option<&Value>| match value {
        None | Some(Value::Null) => "nothing".to_owned(),
        Some(value) => value.to_string(),
    };
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let (old, new) = (shown(old.get(name)), shown(new.get(name)));
        if old != new {
            told.push(format!("`{name}` was {old} and is {new}"));
        }
    }
    told
}
