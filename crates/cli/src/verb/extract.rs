//! `dehusk extract`

use std::io;

use clap::Args;
use dehusk_pipeline::output_format::RowFormat;
use dehusk_pipeline::record::RowKind;
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::site::Store;
use dehusk_pipeline::verbs::extract::{self, Style};
use dehusk_pipeline::{Error, Job};

use crate::flags::input::{InputFlags, PageFlags};
use crate::flags::names::{chosen_format, output_format};
use crate::flags::out::OutFile;
use crate::flags::running::RunFlags;
use crate::flags::settings::{SettingFlags, TakesSettings};
use crate::work::Work;
use crate::{outcome, page_process};

/// Extracts the main text of pages
///
/// Writes the text of a single page (Markdown with --markdown, HTML with --html, JSON with --content, --blocks or --timings), and
/// JSON Lines for folders, JSON Lines and several inputs. From standard input it reads one HTML page unless `--input-format
/// jsonl` is given.
///
/// `dehusk extract --input-format jsonl --output-format jsonl --threads 1 -` answers each line before it reads the next, so that
/// another program can talk to it. A line it cannot use is answered by {"id","url","error":{"reason","message"}}.
#[derive(Args, Debug)]
#[command(before_help = "\
Examples:
  $ dehusk extract page.html                     # the main text of a page
  $ dehusk extract --markdown --links page.html  # as Markdown, with its links
  $ dehusk extract crawl/ --out documents.jsonl  # a folder: JSON Lines, a page each")]
pub(crate) struct Extract {
    #[command(flatten)]
    input: InputFlags,

    /// Format of the documents [default: by the extension of the output, else text for a single page, jsonl for several]
    #[arg(long, value_name = "FORMAT", value_parser = output_format(RowKind::Document), help_heading = "Output")]
    output_format: Option<&'static dyn RowFormat>,

    #[command(flatten)]
    out: OutFile,

    /// Adds a field `us` to each document: processor microseconds of its extraction, without reading and writing
    #[arg(long, help_heading = "Output")]
    timings: bool,

    /// Writes documents as soon as they are done, in any order
    #[arg(long, help_heading = "Output")]
    unordered: bool,

    #[command(flatten)]
    page: PageFlags,

    #[command(flatten)]
    settings: SettingFlags<Extract>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Extract {
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
        Group::Running,
    ];
}

impl Extract {
    pub(crate) fn run(&self) -> Result<u8, Error> {
        let inputs = self.input.names()?;
        let (out, settings) = (self.out.path(), &self.settings.given);
        let work = Work::on_rows(self.run, &inputs, out, false);
        let job = Job {
            url: self.page.url.as_deref(),
            ..work.job_on_pages(&inputs, settings)
        };
        let store = Store::of_settings(settings)?;
        let style = Style {
            output: chosen_format(self.output_format, out, RowKind::Document),
            timings: self.timings,
            unordered: self.unordered,
            templates: store.as_ref(),
        };
        // A page process answers requests on standard input, and never opens the inputs and outputs of the
        // flags.
        if page_process::work().is_some() {
            return extract::serve(&job, style).map(|()| 0);
        }
        let tell = &mut |row: &_| work.reject(row);
        let done = work.done(match out {
            Some(path) => extract::write_file(&job, style, path, tell),
            None => extract::write(&job, style, &mut io::stdout(), tell),
        })?;
        if !self.run.quiet {
            outcome::rows(
                &done,
                "pages",
                "documents written",
                self.run.verbose,
                &work.spent(),
            );
        }
        Ok(done.exit_code())
    }
}
