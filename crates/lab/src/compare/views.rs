//! The texts by which pages are compared: their whole text, their main text, and their main text by
//! templates of their sites.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use dehusk_pipeline::output_format::Jsonl;
use dehusk_pipeline::record::Rejected;
use dehusk_pipeline::site::Store;
use dehusk_pipeline::verbs::extract::{self, Style};
use dehusk_pipeline::{Error, Inputs, Job, RecordKind, Settings, verbs};

/// The names of the texts, in the order of the report.
const VIEWS: &[&str] = &["raw", "extracted", "templates"];

/// One of the texts to compare: its name, and the file to read.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name, as in [`View`](super::View).
    pub name: &'static str,
    /// JSON Lines with a field `text`; `None` if the inputs are documents already.
    pub file: Option<PathBuf>,
}

/// Whether the inputs hold pages instead of documents: if they cannot be opened as documents, or if the
/// first line is a record with a page and without `text`.
fn hold_pages(job: &Job<'_>) -> Result<bool, Error> {
    let format = job.settings.format();
    if Inputs::open(job.inputs, format, RecordKind::Documents).is_err() {
        Inputs::open(job.inputs, format, RecordKind::Pages)?;
        return Ok(true);
    }
    let Some(first) = job.inputs.first().filter(|name| name.as_str() != "-") else {
        return Ok(false);
    };
    let path = Path::new(first);
    if !path.is_file() {
        return Ok(path.is_dir());
    }
    let mut line = String::new();
    let file = File::open(path).map_err(|e| Error::input(path, e))?;
    // A line that is not UTF-8 is rejected when the documents are read, with its line number.
    if BufReader::new(file).read_line(&mut line).is_err() {
        return Ok(false);
    }
    let fields: Option<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(&line).ok();
    Ok(fields.is_some_and(|fields| {
        let has = |name: &str| fields.contains_key(name);
        !has("text") && (has("html") || has("html_base64") || has("path"))
    }))
}

/// The texts to compare. Pages are extracted into the folder `scratch`, once for each view in `wanted`, or
/// for all views if `wanted` is empty. Templates are learnt from the pages themselves. That view is left
/// out if no template can be learnt.
///
/// # Errors
/// If an input is missing, a view is unknown, or writing fails.
pub fn views(
    job: &Job<'_>,
    wanted: &[String],
    scratch: &Path,
    rejected: &mut dyn FnMut(&Rejected),
) -> Result<Vec<Source>, Error> {
    if let Some(unknown) = wanted.iter().find(|name| !VIEWS.contains(&name.as_str())) {
        return Err(Error::value(
            "views",
            format_args!("unknown text `{unknown}`; known: {}", VIEWS.join(", ")),
        ));
    }
    if !hold_pages(job)? {
        return Ok(vec![Source {
            name: "text",
            file: None,
        }]);
    }
    let mut sources = Vec::new();
    for &name in VIEWS {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == name) {
            continue;
        }
        let file = scratch.join(format!("{name}.jsonl"));
        let mut settings: Settings = job.settings.clone();
        if name == "raw" {
            settings.extractor = Some("all-text".parse().map_err(Error::usage)?);
        }
        let job = Job {
            settings: &settings,
            ..*job
        };
        let store;
        let templates = if name == "templates" {
            let folder = scratch.join("templates");
            // Pages without addresses belong to no site, so there are no templates and nothing to compare.
            if verbs::site::learn(&job, &folder, &mut |_| ())?.layouts.is_empty() {
                continue;
            }
            store = Store::open(&folder)?;
            Some(&store)
        } else {
            None
        };
        let style = Style {
            output: Some(&Jsonl),
            templates,
            ..Style::default()
        };
        // Each view rejects the same records, so only the first reports them.
        let mut told = |row: &Rejected| {
            if sources.is_empty() {
                rejected(row);
            }
        };
        extract::write_file(&job, style, &file, &mut told)?;
        sources.push(Source {
            name,
            file: Some(file),
        });
    }
    Ok(sources)
}
