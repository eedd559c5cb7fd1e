//! `dehusk explain`

use std::path::{Path, PathBuf};

use clap::Args;
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::{Error, Job, verbs};

use crate::flags::input::{InputFlags, PageFlags};
use crate::flags::running::RunFlags;
use crate::flags::settings::{OF_PAGES, SettingFlags, TakesSettings};
use crate::work::Work;
use crate::{message, outcome};

/// Shows what was kept of a page, what was dropped, and why
///
/// Writes one file of HTML: the page beside its text, its blocks marked as kept, dropped or unsure. Pointing at a block, or
/// reaching it with the Tab key, shows the reason, the figures and the verdict of each method. The file loads nothing and runs no
/// script. `dehusk extract --blocks` writes the same data as JSON.
#[derive(Args, Debug)]
pub(crate) struct Explain {
    #[command(flatten)]
    input: InputFlags,

    /// File to write to, which appears when it is complete; `-` is standard output
    #[arg(long, short, value_name = "FILE", default_value = "explain.html")]
    out: PathBuf,

    /// List of passages, as `dehusk passages` and `dehusk run --passages` write it: parts of the text that stand in it have a color of their own,
    /// and say in how many documents they are
    #[arg(long, value_name = "FILE")]
    passage_list: Option<PathBuf>,

    #[command(flatten)]
    page: PageFlags,

    #[command(flatten)]
    settings: SettingFlags<Explain>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Explain {
    const GROUPS: &'static [Group] = OF_PAGES;
}

impl Explain {
    pub(crate) fn run(&self) -> Result<u8, Error> {
        let inputs = self.input.names()?;
        let work = Work::on_files(self.run);
        let job = Job {
            url: self.page.url.as_deref(),
            ..work.job(&inputs, &self.settings.given)
        };
        let passages = self
            .passage_list
            .as_deref()
            .map(verbs::explain::read_passages)
            .transpose()?;
        let file = Some(self.out.as_path()).filter(|out| *out != Path::new("-"));
        let done = work.done(verbs::explain::explain(&job, passages.as_ref(), file))?;
        if !self.run.quiet {
            if let Some(file) = file {
                message::line(format_args!("written to `{}`", file.display()));
            }
            outcome::rows(&done, "pages", "shown", self.run.verbose, &work.spent());
        }
        Ok(done.exit_code())
    }
}
