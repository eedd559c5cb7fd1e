//! The table of input formats. A format is a file of this folder and a line in [`ALL`].

use std::path::Path;

use crate::read::chunk::extension;
use crate::read::{captures, compression, kinds};

mod arc;
mod html;
mod jsonl;
mod mhtml;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
pub mod romip;
mod tar;
mod wacz;
mod warc;

pub use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Found, Place, Source, StartAt};
pub use crate::read::columns::Columns;
pub use crate::read::entry::Entry;
pub use crate::read::rows::{Rows, Visit, Wanted};
pub use arc::ArcArchive;
pub use html::Html;
pub use jsonl::Jsonl;
pub(crate) use jsonl::{each_line, read_span};
pub use mhtml::Mhtml;
#[cfg(feature = "parquet")]
pub use parquet::Parquet;
pub use romip::Romip;
pub use tar::Tar;
pub use wacz::Wacz;
pub use warc::Warc;

/// All input formats, in the order in which help texts list them.
pub static ALL: &[&dyn Format] = &[
    &ArcArchive,
    &Html,
    &Jsonl,
    &Mhtml,
    #[cfg(feature = "parquet")]
    &Parquet,
    &Romip,
    &Tar,
    &Wacz,
    &Warc,
];

/// Returns all reasons for skipping a record.
pub(crate) fn skipped_records() -> impl Iterator<Item = &'static str> {
    let others = kinds::OTHERS.iter().map(|other| other.name);
    captures::SKIPPED
        .iter()
        .chain(tar::SKIPPED)
        .copied()
        .chain(others)
}

/// Returns the static name of a reason for skipping records; `other-record` if it is unknown.
pub(crate) fn skipped_kind(name: &str) -> &'static str {
    let known = skipped_records().find(|kind| *kind == name);
    known.unwrap_or("other-record")
}

/// Returns the format of a file by its extension, or `None` if the extension is unknown.
pub(crate) fn by_extension(path: &Path) -> Option<&'static dyn Format> {
    let found = extension(path)?;
    ALL.iter()
        .copied()
        .find(|format| format.extensions().contains(&found.as_str()))
}

/// Returns the format of content by its first bytes, or `None` if no format recognizes them.
pub(crate) fn by_first_bytes(bytes: &[u8]) -> Option<&'static dyn Format> {
    let first = compression::first_bytes(bytes);
    ALL.iter().copied().find(|format| format.begins(&first))
}

#[cfg(test)]
mod tests;
