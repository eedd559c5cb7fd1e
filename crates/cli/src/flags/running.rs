//! How much a verb says.

use clap::Args;

/// For verbs that say little.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Running")]
pub(crate) struct QuietFlag {
    /// Says nothing but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// For verbs that work on records.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Running")]
pub(crate) struct RunFlags {
    /// Says nothing but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Says more: the settings that were used, and every rejected record
    #[arg(long, short, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}
