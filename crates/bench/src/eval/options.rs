//! What `cargo xtask eval` can be asked for.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::data::Doc;

/// What to score, and how to show it.
#[derive(Args)]
pub(crate) struct Options {
    /// Only these sets; all unless given
    #[arg(long, num_args = 1.., value_delimiter = ',', value_name = "SET")]
    pub(super) sets: Vec<String>,
    /// Instead of scores: compare the trees of our parser with those of html5ever, page by page
    #[arg(long, conflicts_with_all = ["method", "by", "min_reach", "save", "json"])]
    pub(super) parsers: bool,
    /// Extractor
    #[arg(long, default_value = "default")]
    pub(super) method: String,
    /// Score templates learnt from pages of the same site, on the labelled sites, instead; `--by host` shows each site
    #[arg(long)]
    pub(super) sites: bool,
    /// Score `visual` and `default` with layouts instead, on the sites whose style sheets and images are there: with those of this file, which
    /// `dehusk render` wrote, or else the pages are rendered first
    #[arg(long, num_args = 0..=1, value_name = "FILE")]
    pub(super) layouts: Option<Option<PathBuf>>,
    /// With `--layouts`: lets the browser go without its sandbox, as the superuser has to
    #[arg(long, requires = "layouts")]
    pub(super) no_sandbox: bool,
    /// Score clusterings on labelled records instead: on these files, each with its `.truth.jsonl` beside it, or on those of
    /// the development data
    #[arg(long, num_args = 0.., value_name = "FILE")]
    pub(super) records: Option<Vec<PathBuf>>,
    /// Only every Nth page of a set
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) every: u32,
    /// Also show each group of at least 20 pages
    #[arg(long, value_name = "FIELD")]
    pub(super) by: Option<Field>,
    /// Leave out pages of which less than this share of the gold is in the source, 0 to 1
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    pub(super) min_reach: f64,
    /// Write the texts found to DIR/SET/METHOD.jsonl
    #[arg(long, value_name = "DIR")]
    pub(super) save: Option<PathBuf>,
    /// Write all figures to this file
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
}

/// A field of a page's label.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Field {
    Type,
    Lang,
    Host,
}

impl Field {
    pub(super) fn of(self, doc: &Doc) -> &str {
        let value = match self {
            Field::Type => &doc.kind,
            Field::Lang => &doc.lang,
            Field::Host => &doc.host,
        };
        value.as_deref().unwrap_or("?")
    }
}
