//! `dehusk extract`

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use pipeline::documents::{self, Output, Style};
use pipeline::record::Rejected;
use pipeline::site::Store;
use pipeline::{Error, Job, Settings, Stop};

use crate::flags::{ExtractFlags, InputFlags, RunFlags};
use crate::message;
use crate::progress::Bar;
use crate::signals;

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
          value_parser = PossibleValuesParser::new(Output::NAMES).try_map(|name| name.parse::<Output>()))]
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

    /// Folder of templates that `dehusk site learn` made: pages of their sites are extracted by them.
    #[arg(long, value_name = "DIR")]
    templates: Option<PathBuf>,

    #[command(flatten)]
    extract: ExtractFlags,

    #[command(flatten)]
    run: RunFlags,
}

/// Rejected records that are told of one by one, unless more are wanted.
const TOLD: u64 = 10;

impl Extract {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let mut settings = Settings::default();
        self.input.set(&mut settings);
        self.extract.set(&mut settings);
        self.run.set(&mut settings);
        let stop = Stop::new();
        let to_file = self.out.is_some();
        if to_file {
            // Without a file to clean up, signals do what they always do.
            signals::watch(&stop);
        }
        // A bar between the lines of a terminal would only disturb.
        let bar = Bar::new(self.run.quiet || (!to_file && io::stdout().is_terminal()));
        let job = Job {
            inputs: &self.input.inputs,
            settings: &settings,
            url: self.extract.url.as_deref(),
            stop: &stop,
            progress: &bar,
        };
        let store = self.templates.as_deref().map(Store::open).transpose()?;
        let style = Style {
            output: self.output,
            timings: self.timings,
            unordered: self.unordered,
            templates: store.as_ref(),
        };
        let mut rejected = 0;
        let mut tell = |row: &Rejected| {
            rejected += 1;
            if !self.run.quiet && (rejected <= TOLD || self.run.verbose) {
                bar.clear();
                message::rejected(row);
            }
        };
        let outcome = match &self.out {
            Some(path) => documents::write_file(&job, style, path, &mut tell),
            None => documents::write(&job, style, &mut io::stdout(), &mut tell),
        };
        bar.clear();
        let outcome = outcome?;
        if !self.run.quiet {
            let counts = &outcome.summary.counts;
            if counts.read != 1 || counts.kept != 1 {
                message::line(format_args!(
                    "{} pages read, {} documents written",
                    counts.read, counts.kept
                ));
            }
            if let Some(met) = store.as_ref().map(Store::met) {
                message::line(format_args!(
                    "  templates: fired on {} pages, fitted none of {} pages of their sites, {} pages of other sites",
                    met.fired, met.unknown, met.without
                ));
            }
            message::skipped(&outcome);
            message::damaged(&outcome);
        }
        Ok(outcome.exit_code())
    }
}
