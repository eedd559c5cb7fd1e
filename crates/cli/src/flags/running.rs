//! Flags that set how much a verb reports.

use clap::Args;
use dehusk_pipeline::Error;

/// For verbs with few messages.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Running")]
pub(crate) struct QuietFlag {
    /// Prints nothing but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// For verbs that work on records.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Running")]
pub(crate) struct RunFlags {
    /// Prints nothing but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Prints more: the settings in effect, and every rejected record
    #[arg(long, short, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

/// For verbs that cannot resume a run: `--resume`, a flag of `dehusk run`, is refused with the reason and not as an unknown flag.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct NoResume {
    #[arg(long, hide = true)]
    resume: bool,
}

impl NoResume {
    /// Refuses to resume a run of this verb.
    ///
    /// # Errors
    /// If `--resume` was given.
    pub(crate) fn refuse(self, verb: &str) -> Result<(), Error> {
        match self.resume {
            false => Ok(()),
            true => Err(Error::value(
                "resume",
                format_args!("`dehusk {verb}` keeps nothing of a run that was interrupted"),
            )
            .with_help("run the same command without `--resume`, which begins anew")),
        }
    }
}
