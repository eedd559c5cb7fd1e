//! `dehusk sign`

use std::io;
use std::path::PathBuf;

use clap::Args;
use dehusk_pipeline::verbs::sign::{self, Output};
use dehusk_pipeline::{Error, Settings};

use crate::flags::{InputFlags, MethodFlag, RunFlags, SaveStatsFlag, ShingleFlags, one_of};
use crate::message;
use crate::work::Work;

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
          value_parser = one_of::<Output>(Output::NAMES.iter().copied()))]
    output: Output,

    /// File to write to; it appears when it is complete.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    run: RunFlags,
}

impl Sign {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let mut settings = Settings::default();
        self.input.set(&mut settings);
        self.method.set(&mut settings);
        self.shingles.set(&mut settings);
        self.save_stats.set(&mut settings);
        self.run.set(&mut settings);
        let work = Work::on_rows(&self.run, self.out.as_deref(), self.save_stats.is_set());
        let job = work.job(&self.input.inputs, &settings);
        let tell = &mut |row: &_| work.reject(row);
        let outcome = work.done(match &self.out {
            Some(path) => sign::write_file(&job, self.output, path, tell),
            None => sign::write(&job, self.output, &mut io::stdout(), tell),
        })?;
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
