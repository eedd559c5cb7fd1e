//! `dehusk run`

use clap::Args;
use dehusk_pipeline::output_format::RowFormat;
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::verbs::dry_run::{FolderState, Plan, PlannedMemory, PlannedStart};
use dehusk_pipeline::verbs::run::Style;
use dehusk_pipeline::{Error, FolderFormats, Job, SkippedFiles, printable, verbs};

use crate::flags::input::{InputFlags, PageFlags};
use crate::flags::names::folder_format;
use crate::flags::out::OutFolder;
use crate::flags::running::RunFlags;
use crate::flags::settings::{SettingFlags, TakesSettings};
use crate::message::{self, extension_of, print};
use crate::outcome;
use crate::page_process;
use crate::progress::size;
use crate::work::Work;

/// Turns pages into unique documents
///
/// Writes to the folder DIR: documents.jsonl (all documents), pairs.jsonl and clusters.jsonl (the duplicates, by pair and by
/// cluster), kept.jsonl (the documents that stay), quarantine.jsonl (records that could not be used), report.html (for people)
/// and summary.json (counts and settings). The files appear together at the end; a run that was killed goes on with --resume.
/// With --output-format, --compress or --shard-size lists have other names, such as kept.parquet, kept.jsonl.gz or
/// kept-00000.jsonl.
///
/// In folders, files named .html, .htm, .xhtml, .xht or .shtml are pages, and so are those without an extension; other files and
/// hidden ones are passed over and counted. JSON Lines have pages as `html`, `html_base64` or `path`, with `id`, `url`,
/// `content_type`, `charset`, `date` and `popularity` if known; other fields are carried along in `extra`.
#[derive(Args, Debug)]
#[command(before_help = "\
Examples:
  $ dehusk run crawl/ --out clean/                       # a folder of pages and archives
  $ dehusk run crawl/ --out clean/ --resume              # goes on with a run that was interrupted
  $ dehusk run crawl.warc.gz --learn-sites --out clean/  # an archive, its sites learnt first")]
pub(crate) struct Run {
    #[command(flatten)]
    input: InputFlags,

    #[command(flatten)]
    out: OutFolder,

    /// Format of the lists; lists that it cannot hold stay JSON Lines
    #[arg(long, value_name = "FORMAT", default_value = "jsonl", value_parser = folder_format(), help_heading = "Output")]
    output_format: &'static dyn RowFormat,

    /// Also writes pairs.tsv, separated by tabs: two ids, their similarity, the number of pairs that the row stands for, and
    /// the id that lies inside the other one, if any
    #[arg(long, help_heading = "Output")]
    tsv: bool,

    /// Continues the run that was interrupted in DIR, given the same command; does nothing if it was completed. Refused if
    /// settings, inputs, rules or the version are others now
    #[arg(long)]
    resume: bool,

    /// Adds the kept documents to the index that --against names, which is made if it is missing
    #[arg(long, requires = "against")]
    add: bool,

    /// Prints the inputs, files and settings that the run would have, and writes nothing
    #[arg(long)]
    dry_run: bool,

    /// Writes a configuration file to standard output, with all settings and their current values, and does nothing else
    #[arg(id = "print_config", long = "print-config")]
    _print_config: bool,

    #[command(flatten)]
    page: PageFlags,

    #[command(flatten)]
    settings: SettingFlags<Run>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Run {
    const GROUPS: &'static [Group] = &[
        Group::Input,
        Group::Index,
        Group::NamedFiles,
        Group::Addresses,
        Group::Output,
        Group::Extractor,
        Group::Parts,
        Group::Fields,
        Group::Parsing,
        Group::Layouts,
        Group::Sites,
        Group::Learning,
        Group::Passages,
        Group::Text,
        Group::Signing,
        Group::Similarity,
        Group::Duplicates,
        Group::Against,
        Group::Memory,
        Group::TemporaryFiles,
        Group::Running,
    ];
}

impl Run {
    pub(crate) fn run(&self) -> Result<u8, Error> {
        let inputs = self.input.names()?;
        let work = Work::on_files(self.run);
        let job = Job {
            url: self.page.url.as_deref(),
            ..work.job_on_pages(&inputs, &self.settings.given)
        };
        let out = &self.out.out;
        // A page process extracts pages for the process that started it, and writes nothing to the folder.
        if let Some(work) = page_process::work() {
            return verbs::run::serve(&job, out, &work).map(|()| 0);
        }
        let formats = FolderFormats {
            format: self.output_format,
            tsv: self.tsv,
        };
        let style = Style {
            formats,
            resume: self.resume,
            add: self.add,
        };
        // Before the check below, since a dry run describes an interrupted run by itself.
        if self.dry_run {
            return print(described(&verbs::dry_run::plan(&job, out, style)?).as_bytes());
        }
        if !self.resume && !self.run.quiet && verbs::run::is_interrupted(out, &self.settings.given) {
            message::line(
                "an earlier run in this folder was interrupted; this one begins anew, `--resume` would go on with it",
            );
        }
        let ran = work.done(verbs::run::run(&job, out, style))?;
        if !self.run.quiet {
            match ran.outcome() {
                Some(done) => outcome::folder(done, out, self.run.verbose, &work.spent()),
                None => message::line(format_args!(
                    "nothing to do: `{}` has the results of this run",
                    out.display()
                )),
            }
        }
        Ok(ran.exit_code())
    }
}

/// Describes what a run would do, in lines: inputs, the output folder and its files, memory, and settings.
fn described(plan: &Plan) -> String {
    let mut lines = Vec::new();
    for input in &plan.inputs {
        let size = match input.size {
            Some((1, bytes)) => format!("1 file, {}", size(bytes)),
            Some((files, bytes)) => format!("{files} files, {}", size(bytes)),
            None => "its size is not known before it is read".to_owned(),
        };
        lines.push(format!("reads {} as {}: {size}", input.name, input.format));
    }
    for SkippedFiles {
        reason,
        extension,
        files,
        example,
    } in plan.skipped.files()
    {
        let extension = extension_of(&extension);
        lines.push(format!(
            "passes over {files} {reason}{extension}, the first is {example}"
        ));
    }
    lines.push(format!(
        "writes to {}, {}",
        plan.out.display(),
        match plan.state {
            FolderState::Finished => "whose results of an earlier run are replaced",
            FolderState::Unfinished => "where an earlier run has not ended",
            _ => "which is new or empty",
        }
    ));
    match plan.start {
        PlannedStart::Discarding => {
            lines.push("begins anew; `--resume` would go on with the run that was interrupted".to_owned());
        }
        PlannedStart::Resuming => lines.push("goes on with the run that was interrupted".to_owned()),
        PlannedStart::Nothing => lines.push("does nothing: the results of this run are there".to_owned()),
        _ => {}
    }
    for file in &plan.writes {
        let replaces = if file.replaces {
            ", replacing the one that is there"
        } else {
            ""
        };
        lines.push(format!("writes {}{replaces}", file.name));
    }
    lines.extend(plan.removes.iter().map(|name| format!("removes {name}")));
    lines.push(memory(plan.memory));
    // Changed settings come first, since the list of all settings is long.
    for (name, default) in &plan.changed {
        let value = plan.settings.iter().find(|(known, _)| known == name);
        let value = value.map_or(default, |(_, value)| value);
        lines.push(format!(
            "differs from the default: {name} = {value}, not {default}"
        ));
    }
    lines.extend(
        plan.settings
            .iter()
            .map(|(name, value)| format!("{name} = {value}")),
    );
    lines
        .iter()
        // Names of files and values of settings may contain control characters.
        .map(|line| format!("{}\n", printable(line)))
        .collect()
}

/// Describes the memory that is allowed and needed.
fn memory(planned: PlannedMemory) -> String {
    let base = format!("{} before anything is kept of a page", size(planned.base));
    match (planned.ceiling, planned.records) {
        (Some(ceiling), Some(records)) => format!(
            "takes up to {} of memory, {base}; the {records} records of the inputs fit",
            size(ceiling)
        ),
        (Some(ceiling), None) => format!("takes up to {} of memory, {base}", size(ceiling)),
        (None, _) => format!("takes as much memory as the documents need, {base}"),
    }
}
