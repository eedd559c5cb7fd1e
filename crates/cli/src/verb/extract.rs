//! `dehusk extract`

use std::io;
use std::path::PathBuf;

use clap::Args;
use dehusk_pipeline::site::Store;
use dehusk_pipeline::verbs::extract::{self, Output, Style};
use dehusk_pipeline::{Error, Job, Settings};

use crate::flags::{ExtractFlags, InputFlags, RunFlags, SiteFlags, one_of};
use crate::message;
use crate::work::Work;

/// Goes from pages to documents
///
/// Writes to standard output: the text of a single page (Markdown with --markdown, HTML with --html, JSON with --content,
/// --blocks or --timings), and JSON Lines for folders, JSON Lines and several inputs. From standard input it reads one HTML page unless told
/// `--input jsonl`.
///
/// `dehusk extract --input jsonl --output jsonl --threads 1 -` answers each line before it reads the next, so that
/// another program can talk to it. A line it cannot use is answered by {"id","url","error":{"reason","message"}}.
#[derive(Args, Debug)]
pub(crate) struct Extract {
    #[command(flatten)]
    input: InputFlags,

    /// What documents are written as [default: text for a single page, jsonl for several]
    #[arg(long, value_name = "FORM",
          value_parser = one_of::<Output>(Output::NAMES.iter().copied()))]
    output: Option<Output>,

    /// File to write to; it appears when it is complete.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Adds a field `us` to each document: processor microseconds of its extraction, without reading and writing.
    #[arg(long)]
    timings: bool,

    /// Lets documents come as they are done, in any order.
    #[arg(long)]
    unordered: bool,

    #[command(flatten)]
    extract: ExtractFlags,

    #[command(flatten)]
    sites: SiteFlags,

    #[command(flatten)]
    run: RunFlags,
}

impl Extract {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let mut settings = Settings::default();
        self.input.set(&mut settings);
        self.extract.set(&mut settings);
        self.sites.set(&mut settings);
        self.run.set(&mut settings);
        let work = Work::on_rows(&self.run, self.out.as_deref(), false);
        let job = Job {
            url: self.extract.url.as_deref(),
            ..work.job(&self.input.inputs, &settings)
        };
        let store = Store::of_settings(&settings)?;
        let style = Style {
            output: self.output,
            timings: self.timings,
            unordered: self.unordered,
            templates: store.as_ref(),
        };
        let tell = &mut |row: &_| work.reject(row);
        let outcome = work.done(match &self.out {
            Some(path) => extract::write_file(&job, style, path, tell),
            None => extract::write(&job, style, &mut io::stdout(), tell),
        })?;
        if !self.run.quiet {
            let counts = &outcome.summary.counts;
            if counts.read != 1 || counts.kept != 1 {
                message::line(format_args!(
                    "{} pages read, {} documents written",
                    counts.read, counts.kept
                ));
            }
            message::sites(&outcome);
            message::skipped(&outcome);
            message::damaged(&outcome);
        }
        Ok(outcome.exit_code())
    }
}
