//! `dehusk index`

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use dehusk_pipeline::index::{self, Index as Opened};
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::settings::{PassageUnitName, Positive};
use dehusk_pipeline::{Error, Settings};
use serde_json::json;

use crate::flags::input::{InputFlags, lines};
use crate::flags::names::value_of;
use crate::flags::running::{QuietFlag, RunFlags};
use crate::flags::settings::{SettingFlags, TakesSettings};
use crate::message::{self, counted, print};
use crate::work::Work;

/// Keeps an index of documents on disk, to compare later documents with
///
/// An index is a folder with signatures, band keys, ids and shingles of documents. It stores the settings it was made with, and
/// refuses others. `dehusk dedup NEW --against DIR` drops the documents that an index has already.
///
/// Every change is made completely or not at all. One process at a time may change an index, and any number may read it.
#[derive(Args, Debug)]
pub(crate) struct Index {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    Add(Box<Add>),
    Query(Box<Query>),
    Remove(Remove),
    Merge(Box<Merge>),
    Compact(Box<Compact>),
    List(List),
    /// Shows the figures and settings of an index, as JSON
    Stats {
        /// Folder of the index.
        #[arg(value_name = "DIR")]
        index: PathBuf,
    },
}

/// Adds documents to an index, which is made if it is missing
///
/// A document whose text the index has already is not added, and counts for the one that is there (`dehusk index list`). A
/// document whose id the index has already is not added either: remove the old one first. Documents that `dehusk` kept bring the
/// `cluster_size` and `copies` that they have.
#[derive(Args, Debug)]
#[command(
    override_usage = "dehusk index add [OPTIONS] <DIR> <INPUT>...\n       dehusk index add [OPTIONS] <DIR> --files-from <FILE>"
)]
struct Add {
    /// Folder of the index.
    #[arg(value_name = "DIR")]
    index: PathBuf,

    #[command(flatten)]
    input: InputFlags,

    /// Makes an index that holds passages, too: `dehusk passages --against-index DIR` and `dehusk run --passages --against DIR` find what new
    /// documents have in common with its documents. The unit is line, sentence, paragraph or tokens; tokens if none is given. A later
    /// `add` goes on with it
    #[arg(id = "index_passages", long = "passages", value_name = "UNIT", num_args = 0..=1, require_equals = true, default_missing_value = "tokens", value_parser = value_of::<PassageUnitName>())]
    passages: Option<PassageUnitName>,

    /// Tokens of the shortest line, sentence or paragraph that the index holds as a passage
    #[arg(id = "index_min_unit", long = "min-unit", value_name = "N", default_value = "1", value_parser = value_of::<Positive>(), requires = "index_passages")]
    min_unit: Positive,

    #[command(flatten)]
    settings: SettingFlags<Add>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Add {
    const GROUPS: &'static [Group] = &[
        Group::Input,
        Group::Text,
        Group::Signing,
        Group::Similarity,
        Group::Memory,
        Group::Running,
    ];
}

/// Lists the documents of an index that each document is similar to
///
/// Writes JSON Lines to standard output: `id` and `matches`, the most similar first, each with `id`, `similarity`, `estimate`,
/// `shared_shingles` and `method`; by similarity `containment` also `contained`, the id of the document that lies inside the
/// other one.
#[derive(Args, Debug)]
#[command(
    override_usage = "dehusk index query [OPTIONS] <DIR> <INPUT>...\n       dehusk index query [OPTIONS] <DIR> --files-from <FILE>"
)]
struct Query {
    /// Folder of the index.
    #[arg(value_name = "DIR")]
    index: PathBuf,

    #[command(flatten)]
    input: InputFlags,

    #[command(flatten)]
    settings: SettingFlags<Query>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Query {
    const GROUPS: &'static [Group] = &[Group::Input, Group::Memory, Group::Running];
}

/// Removes documents from an index by their ids
///
/// Duplicates that they stood for are removed with them: the index does not have the text of these, and later documents like them
/// count as new.
#[derive(Args, Debug)]
struct Remove {
    /// Folder of the index.
    #[arg(value_name = "DIR")]
    index: PathBuf,

    /// Ids of documents.
    #[arg(value_name = "ID", required_unless_present = "ids_from")]
    ids: Vec<String>,

    /// File with more ids, one a line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    ids_from: Option<PathBuf>,

    #[command(flatten)]
    run: QuietFlag,
}

/// Writes a row of JSON for each document of an index
///
/// `id`, and the number of documents that it stands for, itself included: `copies` are those with its text, `cluster_size` are
/// all. Documents that were not added count, too: those whose text the index had, and those that `run --add` found to be
/// duplicates.
#[derive(Args, Debug)]
struct List {
    /// Folder of the index.
    #[arg(value_name = "DIR")]
    index: PathBuf,
}

/// Takes over the documents of other indexes of the same settings
#[derive(Args, Debug)]
struct Merge {
    /// Folder of the index.
    #[arg(value_name = "DIR")]
    index: PathBuf,

    /// Folders of other indexes, which stay as they are.
    #[arg(value_name = "OTHER", required = true)]
    others: Vec<PathBuf>,

    #[command(flatten)]
    settings: SettingFlags<Merge>,

    #[command(flatten)]
    run: QuietFlag,
}

impl TakesSettings for Merge {
    const GROUPS: &'static [Group] = &[Group::Memory];
}

/// Drops the data of removed documents, and merges small files
#[derive(Args, Debug)]
struct Compact {
    /// Folder of the index.
    #[arg(value_name = "DIR")]
    index: PathBuf,

    #[command(flatten)]
    settings: SettingFlags<Compact>,
}

impl TakesSettings for Compact {
    const GROUPS: &'static [Group] = &[Group::Memory];
}

impl Index {
    pub(crate) fn run(&self) -> Result<u8, Error> {
        match &self.what {
            What::Add(add) => add.run(),
            What::Query(query) => query.run(),
            What::Remove(remove) => remove.run(),
            What::Merge(merge) => {
                let others: Vec<&Path> = merge.others.iter().map(PathBuf::as_path).collect();
                let merged = index::merge(&merge.index, &others, &merge.settings.given)?;
                if !merge.run.quiet {
                    message::line(format_args!(
                        "{} documents taken over, {} known already",
                        merged.added, merged.known
                    ));
                }
                Ok(0)
            }
            What::Compact(compact) => index::compact(&compact.index, &compact.settings.given).map(|()| 0),
            What::List(list) => {
                let index = Opened::open(&list.index, &Settings::default())?;
                let mut out = BufWriter::new(io::stdout().lock());
                index::rows(&index, &mut |row| {
                    let line = serde_json::to_string(&row).unwrap_or_default(); // cannot fail: a struct of text and numbers
                    writeln!(out, "{line}").map_err(Error::stdout)
                })?;
                out.flush().map_err(Error::stdout)?;
                Ok(0)
            }
            What::Stats { index } => {
                let stats = Opened::open(index, &Settings::default())?.stats();
                let mut text = serde_json::to_vec_pretty(&stats).unwrap_or_default(); // cannot fail: the keys of all maps are names
                text.push(b'\n');
                print(&text)
            }
        }
    }
}

impl Add {
    fn run(&self) -> Result<u8, Error> {
        let inputs = self.input.names()?;
        let mut settings = self.settings.given.clone();
        settings.passages = self.passages;
        // Without `--passages`, the default of `--min-unit` must not count as given.
        settings.min_unit = self.passages.map(|_| self.min_unit);
        let settings = &settings;
        let work = Work::on_files(self.run);
        let job = work.job(&inputs, settings);
        let added = work.done(index::add(&job, &self.index, &mut |row| work.reject(row)))?;
        let figures = vec![
            ("added", added.added.into()),
            ("copies", added.copies.into()),
            ("known_ids", added.known_ids.into()),
            ("empty", added.empty.into()),
            ("rejected", added.rejected.into()),
            ("mended", json!(added.lines.mended)),
            ("missing_columns", json!(added.lines.missing_columns)),
        ];
        let told = (added.read, &work.rejected());
        Ok(work.conclude("index add", settings, told, figures, || {
            message::line(format_args!(
                "{} read, {} added",
                counted(added.read, "documents"),
                added.added
            ));
            message::lines(&added.lines);
            for (count, what) in [
                (added.copies, "have the text of another one"),
                (added.known_ids, "have the id of another one"),
                (added.empty, "have no words"),
                (added.rejected, "could not be used"),
            ] {
                if count > 0 {
                    message::line(format_args!("  {count} {what}"));
                }
            }
        }))
    }
}

impl Query {
    fn run(&self) -> Result<u8, Error> {
        let (inputs, settings) = (self.input.names()?, &self.settings.given);
        let index = Opened::open(&self.index, settings)?;
        let work = Work::on_rows(self.run, &inputs, None, false);
        let job = work.job(&inputs, settings);
        let told = &mut |row: &_| work.reject(row);
        let found = work.done(index::query(&job, &index, &mut io::stdout(), told))?;
        let read = found.documents + found.rejected;
        let figures = vec![
            ("documents", found.documents.into()),
            ("matched", found.matched.into()),
            ("capped", found.capped.into()),
            ("rejected", found.rejected.into()),
        ];
        let told = (read, &work.rejected());
        Ok(work.conclude("index query", settings, told, figures, || {
            message::line(format_args!(
                "{} read, {} are in the index",
                counted(found.documents, "documents"),
                found.matched
            ));
            message::lines(&found.lines);
            if found.capped > 0 {
                message::line(format_args!(
                    "  {} of them share a key with too many documents of the index to compare all; see max_bucket in `dehusk methods`",
                    found.capped
                ));
            }
        }))
    }
}

impl Remove {
    fn run(&self) -> Result<u8, Error> {
        // A set, so that an id that is given twice counts once.
        let mut ids: BTreeSet<String> = self.ids.iter().cloned().collect();
        if let Some(file) = &self.ids_from {
            ids.extend(lines(file)?);
        }
        let removed = index::remove(&self.index, ids.iter().map(String::as_str))?;
        if !self.run.quiet {
            message::line(format_args!(
                "{} of {} documents removed",
                removed.documents,
                ids.len()
            ));
            if removed.stood_for > 0 {
                message::line(format_args!(
                    "  they stood for {} that the index knows no longer either",
                    counted(removed.stood_for, "others")
                ));
            }
        }
        Ok(0)
    }
}
