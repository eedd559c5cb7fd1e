//! `dehusk explain`

use std::path::PathBuf;

use clap::Args;
use dehusk_pipeline::verbs::explain::explain;
use dehusk_pipeline::{Cancel, Error, Job, Settings};

use crate::flags::{ExtractFlags, InputFlags, RunFlags, SiteFlags};
use crate::message;
use crate::progress::Bar;
use crate::signals;

/// Shows what became of a page
///
/// Writes one file of HTML: the page beside its text, its blocks marked as kept, dropped or unsure. Pointing at a block, or
/// reaching it with the Tab key, shows the reason, the figures and what each method makes of it. The file loads nothing and runs no
/// script. `dehusk extract --explain` writes the same data as JSON.
#[derive(Args, Debug)]
pub(crate) struct Explain {
    #[command(flatten)]
    input: InputFlags,

    /// File to write to; it appears when it is complete.
    #[arg(long, short, value_name = "FILE", default_value = "explain.html")]
    out: PathBuf,

    #[command(flatten)]
    extract: ExtractFlags,

    #[command(flatten)]
    sites: SiteFlags,

    #[command(flatten)]
    run: RunFlags,
}

impl Explain {
    pub(super) fn run(&self) -> Result<u8, Error> {
        let mut settings = Settings::default();
        self.input.set(&mut settings);
        self.extract.set(&mut settings);
        self.sites.set(&mut settings);
        self.run.set(&mut settings);
        let cancel = Cancel::new();
        signals::watch(&cancel);
        let job = Job {
            inputs: &self.input.inputs,
            settings: &settings,
            url: self.extract.url.as_deref(),
            cancel: &cancel,
            progress: &Bar::new(true),
        };
        let outcome = explain(&job, &self.out)?;
        if !self.run.quiet {
            message::line(format_args!("written to `{}`", self.out.display()));
        }
        Ok(outcome.exit_code())
    }
}
