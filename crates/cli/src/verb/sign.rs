//! `dehusk sign`

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use pipeline::record::Rejected;
use pipeline::signatures::{self, Output};
use pipeline::{Error, Job, Settings, Stop};

use crate::flags::{InputFlags, MethodFlag, RunFlags, SaveStatsFlag, ShingleFlags};
use crate::message;
use crate::progress::Bar;
use crate::signals;

/// Goes from documents to signatures
///
/// Reads JSON Lines with `text`, and `id` or `url` if known. Writes a header with all settings that decide signatures, and
/// then for each document `id` and `signature`: words of 64 bits, each as 16 hexadecimal digits, joined by spaces. The
/// signature of a document in which the method finds too little is empty.
///
/// Methods that compare a document with its collection read the input twice, or take the statistics of an earlier run:
/// only signatures by the same statistics can be compared.
#[derive(Args, Debug)]
pub(crate) struct Sign {
    #[command(flatten)]
    input: InputFlags,

    #[command(flatten)]
    method: MethodFlag,

    #[command(flatten)]
    shingles: ShingleFlags,

    #[command(flatten)]
    save_stats: SaveStatsFlag,

    /// What is written: jsonl or tsv.
    #[arg(long, value_name = "FORM", default_value = "jsonl",
          value_parser = PossibleValuesParser::new(Output::NAMES).try_map(|name| name.parse::<Output>()))]
    output: Output,

    /// File to write to; it appears when it is complete.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    run: RunFlags,
}

/// Rejected records that are told of one by one, unless more are wanted.
const TOLD: u64 = 10;

impl Sign {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let mut settings = Settings::default();
        self.input.set(&mut settings);
        self.method.set(&mut settings);
        self.shingles.set(&mut settings);
        self.save_stats.set(&mut settings);
        self.run.set(&mut settings);
        let stop = Stop::new();
        let to_file = self.out.is_some();
        if to_file || self.save_stats.is_set() {
            // Without a file to clean up, signals do what they always do.
            signals::watch(&stop);
        }
        // A bar between the lines of a terminal would only disturb.
        let bar = Bar::new(self.run.quiet || (!to_file && io::stdout().is_terminal()));
        let job = Job {
            inputs: &self.input.inputs,
            settings: &settings,
            url: None,
            stop: &stop,
            progress: &bar,
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
            Some(path) => signatures::write_file(&job, self.output, path, &mut tell),
            None => signatures::write(&job, self.output, &mut io::stdout(), &mut tell),
        };
        bar.clear();
        let outcome = outcome?;
        if !self.run.quiet {
            let counts = &outcome.summary.counts;
            message::line(format_args!(
                "{} documents read, {} signed",
                counts.read, counts.kept
            ));
            message::skipped(&outcome);
            message::damaged(&outcome);
        }
        Ok(outcome.exit_code())
    }
}
