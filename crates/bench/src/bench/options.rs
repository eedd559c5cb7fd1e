//! Options of `cargo xtask bench`.

use std::path::PathBuf;

use clap::Args;

use super::callgrind::Work;
use super::products::Products;

/// What to measure, and how often
#[derive(Args)]
pub(crate) struct Options {
    /// Use every Nth page of the development data
    #[arg(long, default_value_t = 7, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) every: u32,
    /// Number of documents to search for duplicates
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) documents: u32,
    /// Number of rounds; the median counts
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) rounds: u32,
    /// Also write the figures to this file, as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Instead: measure how the instructions of parser and extraction grow on hostile documents (needs valgrind)
    #[arg(long, conflicts_with_all = ["parsers", "json"])]
    pub(super) growth: bool,
    #[command(flatten)]
    pub(super) products: Products,
    /// Instead: measure how many cores the single reader of a run can feed, for each format of input
    #[arg(long, conflicts_with_all = ["parsers", "growth"])]
    pub(super) reader: bool,
    /// Instead: compare the cost of the program on a file of JSON Lines with the extraction of the same pages in memory
    #[arg(long, conflicts_with_all = ["parsers", "growth", "reader"])]
    pub(super) runs: bool,
    /// The program that --runs measures [default: the work tree, built in the release profile]
    #[arg(long, value_name = "BINARY", requires = "runs")]
    pub(super) program: Option<PathBuf>,
    /// Instead: compare time and memory of our parser with those of scraper and turbohtml
    #[arg(long, conflicts_with = "json")]
    pub(super) parsers: bool,
    /// A Python that has turbohtml installed
    #[arg(long, default_value = "python3", value_name = "PROGRAM", requires = "parsers")]
    pub(super) python: String,
    /// The work to do inside valgrind
    #[arg(long, hide = true)]
    pub(super) count: Option<Work>,
}
