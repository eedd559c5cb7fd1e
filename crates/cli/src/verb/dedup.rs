//! `dehusk dedup`

use clap::Args;
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::{Error, verbs};

use crate::flags::input::InputFlags;
use crate::flags::out::OutFolder;
use crate::flags::running::RunFlags;
use crate::flags::settings::{SettingFlags, TakesSettings};
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

    #[command(flatten)]
    out: OutFolder,

    /// Writes the pairs also to pairs.tsv: two ids and their similarity, between tabs
    #[arg(long)]
    tsv: bool,

    #[command(flatten)]
    settings: SettingFlags<Dedup>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Dedup {
    const GROUPS: &'static [Group] = &[
        Group::Input,
        Group::Text,
        Group::Signing,
        Group::SaveStats,
        Group::Similarity,
        Group::Duplicates,
        Group::Against,
        Group::Memory,
        Group::TemporaryFiles,
        Group::Running,
    ];
}

impl Dedup {
    pub(crate) fn run(&self) -> Result<u8, Error> {
        let inputs = self.input.names()?;
        let work = Work::on_files(self.run);
        let job = work.job(&inputs, &self.settings.given);
        let out = &self.out.out;
        let outcome = work.done(verbs::dedup::dedup(&job, out, self.tsv))?;
        if !self.run.quiet {
            message::outcome(&outcome, out, self.run.verbose);
        }
        Ok(outcome.exit_code())
    }
}
