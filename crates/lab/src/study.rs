//! A whole comparison: from inputs and truth to results.

use std::path::Path;

use dehusk_pipeline::record::Rejected;
use dehusk_pipeline::{Error, Job, Settings, verbs};

use crate::compare::{self, ChosenMethod, FORMAT_VERSION, Options, Results};
use crate::scratch::Scratch;

/// A comparison: its settings, besides the inputs and settings of the job.
///
/// ```
/// use dehusk_lab::{Study, compare::Options};
/// use std::path::Path;
///
/// let mut study = Study::new("my pages", Path::new("truth.jsonl"), Options::default());
/// study.views = vec!["raw".to_owned(), "extracted".to_owned()]; // pages are compared before and after extraction
/// assert_eq!(study.options.threshold, 0.7);
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Study<'a> {
    /// Name of the set, for the title of the report.
    pub title: String,
    /// File with the true groups or pairs.
    pub truth: &'a Path,
    /// Methods, thresholds and other options.
    pub options: Options,
    /// For pages, the names of the texts to compare; empty for all of them.
    pub views: Vec<String>,
}

impl<'a> Study<'a> {
    /// A study of all texts.
    #[must_use]
    pub fn new(title: impl Into<String>, truth: &'a Path, options: Options) -> Self {
        Self {
            title: title.into(),
            truth,
            options,
            views: Vec::new(),
        }
    }

    /// Runs the comparison. Pages are first extracted into temporary files, once for each view.
    ///
    /// # Errors
    /// If an input or the truth is missing or malformed, or if the job was cancelled.
    ///
    /// After this call, no output opened with the job's [`Cancel`](dehusk_pipeline::Cancel) may replace an input or the
    /// truth.
    pub fn run(&self, job: &Job<'_>, rejected: &mut dyn FnMut(&Rejected)) -> Result<Results, Error> {
        job.cancel.advise(verbs::dedup::NOT_RESUMED);
        job.cancel.reads("the truth", self.truth);
        let scratch = Scratch::new()
            .map_err(|error| Error::failed(format!("cannot make a temporary folder: {error}")))?;
        let sources = compare::views(job, &self.views, scratch.path(), rejected)?;
        let mut views = Vec::new();
        for source in &sources {
            let mut settings: Settings = job.settings.clone();
            let inputs;
            let names = match &source.file {
                // The extracted files are JSON Lines, whatever the format of the inputs.
                Some(file) => {
                    settings.input_format = None;
                    inputs = [file.display().to_string()];
                    &inputs
                }
                None => job.inputs,
            };
            let job = Job {
                inputs: names,
                settings: &settings,
                ..*job
            };
            views.push(compare::compare(&job, self.truth, &self.options, source.name)?);
        }
        Ok(Results {
            tool: format!("dehusk {}", env!("CARGO_PKG_VERSION")),
            format_version: FORMAT_VERSION,
            title: self.title.clone(),
            settings: self.effective_settings(job),
            views,
        })
    }

    /// The settings that affect the results, as pairs of name and value.
    fn effective_settings(&self, job: &Job<'_>) -> Vec<(String, String)> {
        let options = &self.options;
        let list = |values: &[f64]| values.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let methods: Vec<String> = options.methods.iter().map(ChosenMethod::describe).collect();
        let profile = job.settings.profile();
        let shingler = options.shingler;
        let unit = match shingler.unit() {
            dehusk_pipeline::dedup::TextUnit::Word => "word",
            dehusk_pipeline::dedup::TextUnit::Char => "char",
        };
        vec![
            ("threshold".to_owned(), options.threshold.to_string()),
            ("thresholds".to_owned(), list(&options.thresholds)),
            ("shingle".to_owned(), shingler.width().to_string()),
            ("unit".to_owned(), unit.to_owned()),
            ("profile".to_owned(), profile.name().to_owned()),
            ("distance".to_owned(), options.distance.to_string()),
            ("bootstrap".to_owned(), options.replicates.to_string()),
            ("seed".to_owned(), options.seed.to_string()),
            ("methods".to_owned(), methods.join(" ")),
        ]
    }
}
