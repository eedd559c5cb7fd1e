//! `dehusk dedup`

use clap::Args;
use dehusk_pipeline::output_format::RowFormat;
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::{Error, FolderFormats, verbs};

use crate::flags::input::InputFlags;
use crate::flags::names::folder_format;
use crate::flags::out::OutFolder;
use crate::flags::running::{NoResume, RunFlags};
use crate::flags::settings::{SettingFlags, TakesSettings};
use crate::outcome;
use crate::work::Work;

/// Finds duplicate documents, and keeps one of each group
///
/// Reads JSON Lines with `text`, and `id`, `url`, `date` and `popularity` if known: documents.jsonl of `dehusk run`, or lines of
/// your own. Writes to the folder DIR: pairs.jsonl and clusters.jsonl (the duplicates, by pair and by cluster), kept.jsonl (the
/// lines of kept documents, unchanged), quarantine.jsonl (records that could not be used) and summary.json (counts and settings).
/// The files appear together at the end. With --output-format, --compress or --shard-size lists have other names, such as
/// kept.parquet, kept.jsonl.gz or kept-00000.jsonl.
///
/// Keeps nothing of a run that was interrupted: the same command begins anew.
#[derive(Args, Debug)]
#[command(before_help = "\
Examples:
  $ dehusk dedup documents.jsonl --out unique/                   # documents without near-duplicates
  $ dehusk dedup documents.jsonl --keep newest --out unique/     # the newest of each group stays
  $ dehusk dedup documents.jsonl --on-near demote --out marked/  # near-duplicates stay, and are marked")]
pub(crate) struct Dedup {
    #[command(flatten)]
    input: InputFlags,

    #[command(flatten)]
    out: OutFolder,

    #[command(flatten)]
    resume: NoResume,

    /// Format of the lists; lists that it cannot hold stay JSON Lines
    #[arg(long, value_name = "FORMAT", default_value = "jsonl", value_parser = folder_format(), help_heading = "Output")]
    output_format: &'static dyn RowFormat,

    /// Also writes pairs.tsv, separated by tabs: two ids, their similarity, the number of pairs that the row stands for, and
    /// the id that lies inside the other one, if any
    #[arg(long, help_heading = "Output")]
    tsv: bool,

    #[command(flatten)]
    settings: SettingFlags<Dedup>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Dedup {
    const GROUPS: &'static [Group] = &[
        Group::Input,
        Group::Output,
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
        self.resume.refuse("dedup")?;
        let inputs = self.input.names()?;
        let work = Work::on_files(self.run);
        let job = work.job(&inputs, &self.settings.given);
        let out = &self.out.out;
        let formats = FolderFormats {
            format: self.output_format,
            tsv: self.tsv,
        };
        let done = work.done(verbs::dedup::dedup(&job, out, formats))?;
        if !self.run.quiet {
            outcome::folder(&done, out, self.run.verbose, &work.spent());
        }
        Ok(done.exit_code())
    }
}
