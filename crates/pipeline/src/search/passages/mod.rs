//! The search for passages, with bounded memory: words of documents are collected, compared, proven on texts, and cut from texts.

mod collection;
mod collector;
mod containment;
mod making;
mod prove;
mod report;
mod rewrite;
mod treatment;

pub(crate) use collection::Collection;
pub(crate) use collector::{CollectedFacts, Collector};
pub(crate) use containment::{Containment, contained, settled, write_contained};
pub use making::Making;
#[cfg(feature = "parquet")]
pub(crate) use prove::MAX_CHARS;
pub(crate) use prove::{ProvenPassages, prove};
pub(crate) use report::report;
pub(crate) use rewrite::{Rewritten, Stages, rewrite};
#[cfg(feature = "parquet")]
pub(crate) use treatment::{PlaceInText, Treatment};
