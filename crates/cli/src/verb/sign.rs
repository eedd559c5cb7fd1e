//! `dehusk sign`

use std::io;

use clap::Args;
use dehusk_pipeline::Error;
use dehusk_pipeline::output_format::{Jsonl, RowFormat};
use dehusk_pipeline::record::RowKind;
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::verbs::sign;

use crate::flags::input::InputFlags;
use crate::flags::names::{chosen_format, output_format};
use crate::flags::out::OutFile;
use crate::flags::running::RunFlags;
use crate::flags::settings::{SettingFlags, TakesSettings};
use crate::outcome;
use crate::work::Work;

/// Computes signatures of documents
///
/// Reads JSON Lines with `text`, and `id` or `url` if known. Writes a header with all settings that decide signatures, and then
/// for each document `id` and `signature`: words of 64 bits, each as 16 hexadecimal digits, joined by spaces. The signature is
/// empty if the document is too short for the method.
///
/// Methods that compare a document with its collection read the input twice, or take the statistics of an earlier run: only
/// signatures by the same statistics can be compared.
#[derive(Args, Debug)]
pub(crate) struct Sign {
    #[command(flatten)]
    input: InputFlags,

    /// Format of the signatures [default: by the extension of the output, else jsonl]
    #[arg(long, value_name = "FORMAT", value_parser = output_format(RowKind::Signature))]
    output_format: Option<&'static dyn RowFormat>,

    #[command(flatten)]
    out: OutFile,

    #[command(flatten)]
    settings: SettingFlags<Sign>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Sign {
    const GROUPS: &'static [Group] = &[
        Group::Input,
        Group::Output,
        Group::Text,
        Group::Signing,
        Group::SaveStats,
        Group::Memory,
        Group::Running,
    ];
}

impl Sign {
    pub(crate) fn run(&self) -> Result<u8, Error> {
        let inputs = self.input.names()?;
        let (out, settings) = (self.out.path(), &self.settings.given);
        let work = Work::on_rows(self.run, &inputs, out, settings.save_stats.is_some());
        let job = work.job(&inputs, settings);
        let format = chosen_format(self.output_format, out, RowKind::Signature).unwrap_or(&Jsonl);
        let tell = &mut |row: &_| work.reject(row);
        let done = work.done(match out {
            Some(path) => sign::write_file(&job, format, path, tell),
            None => sign::write(&job, format, &mut io::stdout(), tell),
        })?;
        if !self.run.quiet {
            outcome::rows(&done, "documents", "signed", self.run.verbose, &work.spent());
        }
        Ok(done.exit_code())
    }
}
