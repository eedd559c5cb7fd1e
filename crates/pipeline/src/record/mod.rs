//! Data passed between stages and files: pages and documents in; documents, pairs, decisions and rejected records out.
//!
//! In JSON Lines, each of these is one object per line in UTF-8. Unknown fields of an input page are copied
//! to the document under `extra`, byte for byte, except for invalid UTF-8 and JSON: see `record/mend.rs`.

pub(crate) mod date;
pub(crate) mod document;
pub(crate) mod field;
pub(crate) mod header;
pub(crate) mod json;
pub(crate) mod mend;
mod object;
pub(crate) mod page;
pub(crate) mod rejected;
pub(crate) mod rows;
pub(crate) mod start_at;
pub(crate) mod weight;

pub(crate) use object::StringRoom;

pub use document::{Capture, Document, DocumentRecord, Ranking, Warning};
pub use page::{Content, Extra, PageRecord, RecordPlace, UrlSource};
pub(crate) use page::{DAMAGED_SOURCE, DEEP_FIELD, NO_LAYOUT, TRUNCATED};
pub use rejected::{Reason, Rejected, RejectedCounts, Rejection};
pub use rows::{
    ClusterRow, ContainedRow, Failure, FailureRow, ItemMatchRow, ItemRow, LayoutRow, Match, MatchRow,
    MatchesRow, NormalizedRow, OccurrenceRow, PairRow, PassageRow, RepeatedRow, Repetition, Row, RowKind,
    Sentence, SignatureRow, SiteTextRow,
};

pub use start_at::StartAt;

#[cfg(test)]
mod tests;
