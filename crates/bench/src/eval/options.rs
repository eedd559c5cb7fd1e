//! Options of `cargo xtask eval`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::data::Doc;

/// What to score, and how to show it
#[derive(Args)]
pub(crate) struct Options {
    /// Use only these sets [default: all]
    #[arg(long, num_args = 1.., value_delimiter = ',', value_name = "SET")]
    pub(super) sets: Vec<String>,
    /// Instead of scoring, compare our parser's tree of each page with that of html5ever
    #[arg(long, conflicts_with_all = ["method", "by", "min_reach", "save", "json"])]
    pub(super) parsers: bool,
    /// Name of the extractor
    #[arg(long, default_value = "default")]
    pub(super) method: String,
    /// Score templates learnt from pages of the same site instead, on the labelled sites; `--by host` shows each site
    #[arg(long)]
    pub(super) sites: bool,
    /// Score `visual` and `default` with layouts instead, on the sites with style sheets and images; layouts are read
    /// from this file, written by `dehusk render`, or else the pages are rendered first
    #[arg(long, num_args = 0..=1, value_name = "FILE")]
    pub(super) layouts: Option<Option<PathBuf>>,
    /// With `--layouts`: run the browser without its sandbox, which the superuser needs
    #[arg(long, requires = "layouts")]
    pub(super) no_sandbox: bool,
    /// Score clusterings on labelled records instead: on these files, each with its `.truth.jsonl` next to it, or on
    /// the records of the development data
    #[arg(long, num_args = 0.., value_name = "FILE")]
    pub(super) records: Option<Vec<PathBuf>>,
    /// Use only every Nth page of a set
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) every: u32,
    /// Also show each group of at least 20 pages
    #[arg(long, value_name = "FIELD")]
    pub(super) by: Option<Field>,
    /// Leave out pages whose source contains less than this share of the label's words, 0 to 1
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    pub(super) min_reach: f64,
    /// Write the extracted texts to DIR/SET/METHOD.jsonl
    #[arg(long, value_name = "DIR")]
    pub(super) save: Option<PathBuf>,
    /// Also write all figures to this file, as JSON
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
