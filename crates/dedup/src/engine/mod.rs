//! The search as a whole: settings, batches of documents, pairs, and what becomes of documents.

pub(crate) mod batch;
pub(crate) mod deduper;
pub(crate) mod error;
pub(crate) mod exact_groups;
pub(crate) mod expand;
pub(crate) mod matcher;
pub(crate) mod options;
pub(crate) mod outcome;
pub(crate) mod screen;
