//! The pipeline of dehusk: records, formats, threads, files and reports around the three libraries that do the core work.
//!
//! [`extract`], [`normalize`] and [`dedup`] are independent of each other. This crate connects them: pages become documents, documents
//! become tokens, and tokens become clusters. Programs that need the whole chain depend on this crate alone, which re-exports the three.
//!
//! - [`verbs::run`] turns pages into unique documents,
//! - [`verbs::extract`] pages into documents,
//! - [`verbs::dedup`] documents into unique documents,
//! - [`verbs::explain`] a page into an HTML page that shows which blocks were kept, and why,
//! - [`verbs::normalize`] documents into normalized text, tokens and sentences,
//! - [`verbs::sign`] documents into signatures,
//! - [`index`] stores documents with which later ones are compared,
//! - [`kernel`] has the steps that need no files, for programs with records of their own,
//! - `batch` has the same steps for Arrow record batches, with the feature `parquet`.
//!
//! The output depends only on inputs and [`Settings`], not on threads or time. An unusable record costs only itself.

#![forbid(unsafe_code)]
// Changes of the file system go through `exec::disk`. Tests are exempt.
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
