//! `dehusk dedup`

use std::path::PathBuf;

use clap::Args;
use dehusk_pipeline::{Error, Settings};

use crate::flags::{
    AgainstFlag, DuplicateFlags, InputFlags, MemoryFlags, MethodFlag, RunFlags, SaveStatsFlag,
};
use crate::message;
use crate::work::Work;

/// Goes from documents to unique documents
///
/// Reads JSON Lines with `text`, and `id`, `url`, `date` and `popularity` if known: documents.jsonl of `dehusk run`, or
/// lines of your own. Writes to the folder DIR: pairs.jsonl and clusters.jsonl (which are duplicates of which),
/// kept.jsonl (the lines that stay, as they were), quarantine.jsonl (records that could not be used) and summary.json
/// (counts and settings). They appear together, when all is done.
#[derive(Args, Debug)]
pub(crate) struct Dedup {
    #[command(flatten)]
    input: InputFlags,

    /// Folder to write to: a new one, an empty one, or one of an earlier run, which is replaced.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,

    #[command(flatten)]
    method: MethodFlag,

    #[command(flatten)]
    duplicates: DuplicateFlags,

    #[command(flatten)]
    against: AgainstFlag,

    #[command(flatten)]
    save_stats: SaveStatsFlag,

    #[command(flatten)]
    memory: MemoryFlags,

    #[command(flatten)]
    run: RunFlags,
}

impl Dedup {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let mut settings = Settings::default();
        self.input.set(&mut settings);
        self.method.set(&mut settings);
        self.duplicates.set(&mut settings);
        self.against.set(&mut settings);
        self.save_stats.set(&mut settings);
        self.memory.set(&mut settings);
        self.run.set(&mut settings);
        let work = Work::on_files(&self.run);
        let job = work.job(&self.input.inputs, &settings);
        let outcome = work.done(dehusk_pipeline::verbs::dedup::unique(
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
