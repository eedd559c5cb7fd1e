//! The glue of dehusk: records, formats, threads, files and reports around the three libraries that do the work.
//!
//! [`extract`], [`normalize`] and [`dedup`] do not know each other; here pages become documents, documents become
//! tokens, and tokens become clusters. Programs that want the whole chain depend on this crate alone: it hands the three
//! on.
//!
//! - [`run`](run::run) goes from pages to unique documents,
//! - [`documents`] from pages to documents,
//! - [`unique`](duplicates::unique) from documents to unique documents,
//! - [`explain`](explain::explain) from a page to a page that shows what became of it,
//! - [`normalized`] from documents to normalized text, tokens and sentences,
//! - [`signatures`] from documents to signatures,
//! - [`index`] keeps what later documents are compared with.
//!
//! The output depends on inputs and [`Settings`] only, not on threads or time. One bad record costs one record.

#![forbid(unsafe_code)]

mod again;
pub mod clock;
mod collection;
mod date;
pub mod documents;
pub mod duplicates;
mod error;
pub mod explain;
pub mod format;
mod guard;
mod ids;
pub mod index;
mod input;
mod lines;
pub mod markup;
mod near;
pub mod normalized;
pub mod output;
mod page;
mod pool;
mod progress;
mod quarantine;
pub mod record;
pub mod report;
pub mod run;
mod search;
pub mod settings;
pub mod signatures;
pub mod site;
mod stats;
mod stop;
pub mod summary;
mod tables;
mod tokens;

pub use dehusk_dedup as dedup;
pub use dehusk_extract as extract;
pub use dehusk_normalize as normalize;

pub use error::{Error, ErrorKind, Interrupt};
pub use guard::guarded;
pub use input::{Inputs, Skipped, Wanted};
pub use progress::Progress;
pub use settings::Settings;
pub use stop::Stop;
pub use summary::Summary;
pub use tables::{Entry, Table, tables};
pub use tokens::{Reads, Tokenizer};

/// What is to be done, on what, and who watches.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Files and folders, or `-`.
    pub inputs: &'a [String],
    /// Settings.
    pub settings: &'a Settings,
    /// Address of a page whose record has none; of use with a single page.
    pub url: Option<&'a str>,
    /// Ends the work early.
    pub stop: &'a Stop,
    /// Hears how far it is.
    pub progress: &'a dyn Progress,
}

/// What came of a job.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Counts, settings and files.
    pub summary: Summary,
    /// The first few records that could not be used.
    pub rejected: Vec<record::Rejected>,
}

impl Outcome {
    /// Exit code of a program that did the job: 0, or 3 if too many records were rejected.
    pub fn exit_code(&self) -> u8 {
        if self.summary.damaged { 3 } else { 0 }
    }
}
