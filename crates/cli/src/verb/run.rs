//! `dehusk run`

use std::path::PathBuf;

use clap::Args;
use dehusk_pipeline::{Error, Job, Settings};

use crate::flags::{
    DuplicateFlags, ExtractFlags, InputFlags, MemoryFlags, RunFlags, SignatureFlag, SiteFlags,
};
use crate::message;
use crate::work::Work;

/// Goes from pages to unique documents
///
/// Writes to the folder DIR: documents.jsonl (all documents), pairs.jsonl and clusters.jsonl (which are duplicates of
/// which), kept.jsonl (the documents that stay), quarantine.jsonl (records that could not be used), report.html (for
/// people) and summary.json (counts and settings). They appear together, when all is done.
///
/// In folders, files named .html, .htm, .xhtml, .xht or .shtml are pages, and so are those without an extension; other
/// files and hidden ones are passed over and counted. JSON Lines have pages as `html`, `html_base64` or `path`, with
/// `id`, `url`, `content_type`, `charset`, `date` and `popularity` if known; other fields are carried along in `extra`.
#[derive(Args, Debug)]
pub(crate) struct Run {
    #[command(flatten)]
    input: InputFlags,

    /// Folder to write to: a new one, an empty one, or one of an earlier run, which is replaced.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,

    /// Settings in TOML, named as the flags are: `threshold = 0.7`. Flags come before them.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    #[command(flatten)]
    extract: ExtractFlags,

    #[command(flatten)]
    sites: SiteFlags,

    #[command(flatten)]
    signature: SignatureFlag,

    #[command(flatten)]
    duplicates: DuplicateFlags,

    #[command(flatten)]
    memory: MemoryFlags,

    #[command(flatten)]
    run: RunFlags,
}

impl Run {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let mut settings = Settings::default();
        self.input.set(&mut settings);
        self.extract.set(&mut settings);
        self.sites.set(&mut settings);
        self.signature.set(&mut settings);
        self.duplicates.set(&mut settings);
        self.memory.set(&mut settings);
        self.run.set(&mut settings);
        if let Some(config) = &self.config {
            settings = settings.or(Settings::from_file(config)?);
        }
        let work = Work::on_files(&self.run);
        let job = Job {
            url: self.extract.url.as_deref(),
            ..work.job(&self.input.inputs, &settings)
        };
        let outcome = work.done(dehusk_pipeline::verbs::run::run(
            &job,
            &self.out,
            self.duplicates.tsv,
        ))?;
        if !self.run.quiet {
            message::outcome(&outcome, &self.out, self.run.verbose);
        }
        Ok(outcome.exit_code())
    }
}
