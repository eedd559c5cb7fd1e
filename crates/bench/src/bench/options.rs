//! What `cargo xtask bench` can be asked for.

use std::path::PathBuf;

use clap::Args;

use super::callgrind::Work;
use super::products::Products;

/// What to measure, and how often.
#[derive(Args)]
pub(crate) struct Options {
    /// Take every Nth page of the development data
    #[arg(long, default_value_t = 7, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) every: u32,
    /// Documents to search for duplicates
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) documents: u32,
    /// Rounds, of which the median counts
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) rounds: u32,
    /// Also write the figures to this file
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Instead: count how the instructions of parser and extraction grow with hostile documents (needs valgrind)
    #[arg(long, conflicts_with_all = ["parsers", "json"])]
    pub(super) growth: bool,
    #[command(flatten)]
    pub(super) products: Products,
    /// Instead: measure how many cores the one reader of a run can feed, by the form of the input
    #[arg(long, conflicts_with_all = ["parsers", "growth"])]
    pub(super) reader: bool,
    /// Instead: measure what the program takes for pages in a file of JSON Lines, beside the extraction of the same pages in memory
    #[arg(long, conflicts_with_all = ["parsers", "growth", "reader"])]
    pub(super) runs: bool,
    /// The program that is measured by --runs; the work tree, built in the release profile, unless given
    #[arg(long, value_name = "BINARY", requires = "runs")]
    pub(super) program: Option<PathBuf>,
    /// Instead: compare our parser with scraper and turbohtml, in time and memory
    #[arg(long, conflicts_with = "json")]
    pub(super) parsers: bool,
    /// Python that has turbohtml
    #[arg(long, default_value = "python3", value_name = "PROGRAM", requires = "parsers")]
    pub(super) python: String,
    /// What valgrind runs
    #[arg(long, hide = true)]
    pub(super) count: Option<Work>,
}
