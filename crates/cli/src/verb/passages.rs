//! `dehusk passages`

use std::path::{Path, PathBuf};

use clap::{Args, value_parser};
use dehusk_pipeline::output_format::RowFormat;
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::settings::{OnMatchPolicy, PassageUnitName, profile};
use dehusk_pipeline::verbs::passages::against::{self, Against};
use dehusk_pipeline::verbs::passages::{self, Making};
use dehusk_pipeline::{Error, FolderFormats};

use crate::flags::input::InputFlags;
use crate::flags::names::{folder_format, value_of};
use crate::flags::out::OutFolder;
use crate::flags::running::{NoResume, RunFlags};
use crate::flags::settings::{SettingFlags, TakesSettings};
use crate::work::Work;
use crate::{outcome, reading};

/// Finds repeated passages in a collection: lines, sentences, paragraphs, or runs of tokens
///
/// Reads JSON Lines with `text`, and `id` and `url` if known: documents.jsonl of `dehusk run`, or lines of your own. Writes to
/// the folder DIR: passages.jsonl (each passage with its places, documents and hosts), occurrences.jsonl (the passages of each
/// document, with their bytes in its text), documents.jsonl (for each document, how much is repeated and how much was cut),
/// quarantine.jsonl (records that could not be used) and summary.json; with --repeat first, drop or mark also kept.jsonl, the
/// lines that stay. The files appear together at the end.
///
/// By --unit tokens every run of at least N tokens that stands at two places, in one document or in two, is found, and extended as
/// far as both agree. A passage in several documents of one host is a part of that site; one on several hosts is syndicated or
/// quoted: the field `scope` distinguishes them.
///
/// Keeps nothing of a run that was interrupted: the same command begins anew.
#[derive(Args, Debug)]
pub(crate) struct Passages {
    #[command(flatten)]
    input: InputFlags,

    #[command(flatten)]
    out: OutFolder,

    #[command(flatten)]
    resume: NoResume,

    /// Format of the lists; lists that it cannot hold stay JSON Lines
    #[arg(long, value_name = "FORMAT", default_value = "jsonl", value_parser = folder_format())]
    output_format: &'static dyn RowFormat,

    /// Unit of passages: a line, a sentence, a paragraph between empty lines, or a run of tokens
    #[arg(id = "passage_unit", long = "unit", value_name = "UNIT", default_value = "tokens", value_parser = value_of::<PassageUnitName>())]
    unit: PassageUnitName,

    /// Normalization before texts are compared: none, canonical, exact, near, spaceless, search, or a file of your own that ends in .toml
    #[arg(
        id = "passage_profile",
        long = "profile",
        value_name = "NAME|FILE",
        default_value = "near"
    )]
    profile: String,

    /// File of a test set, in JSON Lines, Parquet, or text with an item on each line: finds the documents that hold --min-run tokens of an
    /// item in a row, or all of an item that is shorter, and nothing else. Writes matches.jsonl (which document holds which item, where,
    /// how much of it) and items.jsonl (in how many documents each is); may be given several times
    #[arg(id = "test_set", long = "against", value_name = "FILE", conflicts_with_all = ["passage_unit", "repeat", "min-documents", "min-hosts", "min-unit", "at", "min-host-share", "max-share", "min-contained", "on-contained"])]
    against: Vec<PathBuf>,

    /// Index that `dehusk index add --passages` has made: what a document has in common with one of the index is a passage, and counts with
    /// the documents and hosts of the index; `known` in passages.jsonl says how often. By --repeat first, such a passage stays nowhere. Unit and
    /// normalization are those of the index
    #[arg(
        id = "passage_index",
        long = "against-index",
        value_name = "DIR",
        conflicts_with = "test_set"
    )]
    against_index: Option<PathBuf>,

    /// Fields of a test set in JSON Lines or Parquet that are items, each by itself; may be given several times
    #[arg(long, value_name = "NAME", default_value = "text", requires = "test_set")]
    item_field: Vec<String>,

    /// Tokens of the shortest item to look for; items.jsonl lists the shorter ones
    #[arg(long, value_name = "N", default_value = "3", value_parser = value_parser!(u32).range(1..), requires = "test_set")]
    min_item: u32,

    /// Treatment of documents that hold an item: they stay, with a field `repeated`; lose the sentences that hold it, or by --cut
    /// token the item alone; or are dropped
    #[arg(long, value_name = "POLICY", default_value = "mark", value_parser = value_of::<OnMatchPolicy>(), requires = "test_set")]
    on_match: OnMatchPolicy,

    #[command(flatten)]
    settings: SettingFlags<Passages>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Passages {
    const GROUPS: &'static [Group] = &[
        Group::Input,
        Group::Output,
        Group::Passages,
        Group::Memory,
        Group::TemporaryFiles,
        Group::Running,
    ];
    /// The verb is the search itself, and its unit a flag of its own.
    const EXCEPT: &'static [&'static str] = &["passages"];
}

impl Passages {
    pub(crate) fn run(&self) -> Result<u8, Error> {
        self.resume.refuse("passages")?;
        let inputs = self.input.names()?;
        if self.profile.ends_with(".toml") {
            reading::note("the profile", Path::new(&self.profile));
        }
        let profile = profile(&self.profile, None)?;
        let work = Work::on_files(self.run);
        let mut settings = self.settings.given.clone();
        settings.against.clone_from(&self.against_index);
        let job = work.job(&inputs, &settings);
        let out = &self.out.out;
        let formats = FolderFormats {
            format: self.output_format,
            tsv: false,
        };
        let done = if self.against.is_empty() {
            let making = Making::of(job.settings, self.unit.0, profile)?;
            passages::passages(&job, &making, out, formats)
        } else {
            let making = Against {
                files: self.against.clone(),
                fields: self.item_field.clone(),
                min_run: job.settings.min_run.map_or(against::MIN_RUN, |length| length.0),
                min_item: self.min_item,
                profile,
                on_match: self.on_match.0,
                cut: job.settings.cut.unwrap_or_default().0,
            };
            self.against
                .iter()
                .for_each(|file| reading::note("the test set", file));
            against::against(&job, &making, out, formats)
        };
        let done = work.done(done)?;
        if !self.run.quiet {
            outcome::folder(&done, out, self.run.verbose, &work.spent());
        }
        Ok(done.exit_code())
    }
}
