//! From pages in files to clean, unique documents in files: records, formats, threads, folders and reports around [`extract`], [`normalize`] and [`dedup`].
//!
//! Those three crates know neither each other nor files. This crate connects them, so that a program that
//! needs the whole chain depends on it alone. It decides nothing about content.
//!
//! ```
//! use dehusk_pipeline::verbs::run::{Style, run};
//! use dehusk_pipeline::{Cancel, Job, Settings};
//!
//! let folder = tempfile::tempdir()?;
//! let (pages, out) = (folder.path().join("pages.jsonl"), folder.path().join("out"));
//! std::fs::write(&pages, r#"{"id":"a","html":"<title>Flood</title><nav><a href=/>Home</a></nav><p>The river rose overnight."}
//! {"id":"b","html":"<main>The river rose overnight.</main>"}
//! not a record"#)?;
//!
//! let (inputs, settings, cancel) = ([pages.display().to_string()], Settings::default(), Cancel::new());
//! let ran = run(&Job::new(&inputs, &settings, &cancel), &out, Style::default())?;
//! let outcome = ran.outcome().expect("this run did not exist before");
//! assert_eq!((outcome.summary.counts.read, outcome.summary.counts.kept), (3, 1));
//! assert_eq!(outcome.rejected[0].reason.name(), "bad-json");
//! assert!(std::fs::read_to_string(out.join("kept.jsonl"))?.contains("The river rose overnight."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Map
//!
//! A *verb* goes from inputs to files, and never fails because of a bad record. A [`Job`] is what a verb
//! works on: inputs, [`Settings`], a [`Cancel`] to stop it and a [`Progress`] to watch it.
//!
//! | from | to | use |
//! |---|---|---|
//! | pages | unique documents, pairs, clusters, a report | [`verbs::run`] |
//! | pages | documents | [`verbs::extract`] |
//! | documents | unique documents | [`verbs::dedup`] |
//! | documents | passages they share, documents without them | [`verbs::passages`] |
//! | documents | normalized text, tokens, sentences | [`verbs::normalize`] |
//! | documents | signatures | [`verbs::sign`] |
//! | documents | an index with which later documents are compared | [`index`] |
//! | one page | an HTML page that shows what was kept, and why | [`verbs::explain`] |
//! | pages of sites | templates; checks of rules | [`site`], [`verbs::site`] |
//!
//! Programs with records of their own use the steps without files and threads:
//!
//! | from | to | use |
//! |---|---|---|
//! | a page in memory | a document | [`kernel::Extractor`], with types of [`record`] |
//! | a text | tokens, as the search for duplicates reads them | [`Tokenizer`] |
//! | a text | signature, keys, features | [`kernel::Signer`] |
//! | a normalized text | words, stems, without stop words | [`kernel::Cutter`] |
//! | Arrow record batches | Arrow record batches | `batch`, with the feature `parquet` |
//! | inputs | their pages, one by one | [`Job::each_page`], [`PageCatalog`] |
//!
//! A run that fails returns an [`Error`], which has a kind, a place and a remedy. An unusable record does
//! not end a run: it is rejected with a [`Reason`](record::Reason). The output depends only on inputs and
//! settings, not on threads or time.

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        reason = "tests choose their numbers, which are small"
    )
)]
// Changes of the file system go through `exec::disk`, except in tests.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

#[cfg(feature = "parquet")]
pub mod batch;
mod error;
mod exec;
mod job;
pub mod kernel;
mod page_process;
mod read;
pub mod record;
mod search;
pub mod settings;
pub mod site;
pub mod verbs;
pub mod write;

#[cfg(feature = "browser")]
pub use dehusk_browser as browser;
pub use dehusk_dedup as dedup;
pub use dehusk_extract as extract;
#[doc(hidden)]
pub use dehusk_html::narrow;
pub use dehusk_normalize as normalize;

pub use error::{Error, ErrorKind, Interrupt};
pub use exec::background::{Background, Done, InOrder};
pub use exec::cancel::Cancel;
pub use exec::clock;
#[cfg(feature = "failing-disk")]
pub use exec::disk::faults as failing_disk;
pub use exec::panic_guard::{catch_panic, guarded};
pub use exec::progress::{Progress, Total};
pub use job::Job;
pub use kernel::tokens::{Reads, SymbolRule, Tokenizer};
pub use page_process::Launch;
pub use read::advice;
pub use read::catalog::{CatalogPage, PageCatalog};
pub use read::compression::inflate;
pub use read::format;
pub use read::inputs::{Inputs, RecordKind};
pub use read::layouts::Layouts;
pub use read::lists::{each_row, files_of_list};
pub use read::parts::{FileParts, Portion};
pub use read::pass::{Pass, Worked, Worker};
pub use read::records::Item;
pub use read::walk::{ChangedFiles, Skipped, SkippedFiles};
pub use search::corpus_stats::compile;
pub use search::index;
pub use settings::Settings;
pub use verbs::methods::{Entry, Table, tables};
pub use write::file::{Finished, OutFile, write_file};
pub use write::folder::OutFolder;
pub use write::format as output_format;
pub use write::report::chart;
pub use write::report::explain::BlockVerdict;
pub use write::report::markup;
pub use write::report::number;
pub use write::report::run as report;
pub use write::row_folder::FolderFormats;
pub use write::summary::{self, Outcome, Summary};
pub use write::terminal::printable;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
