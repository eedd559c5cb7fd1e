//! What travels between stages and in files: pages and documents in; documents, pairs, decisions and rejected records out.
//!
//! In JSON Lines these are one object a line, UTF-8. Fields of an input page that we do not know are carried to the document
//! under `extra`, byte for byte, but for what is not UTF-8 or no JSON: see `record/mend.rs`.

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
pub use page::{Content, Extra, PageRecord, UrlSource};
pub(crate) use page::{DAMAGED_SOURCE, DEEP_FIELD, NO_LAYOUT, TRUNCATED};
pub use rejected::{Reason, Rejected, RejectedCounts, Rejection};
pub use rows::{
    ClusterRow, Failure, FailureRow, LayoutRow, Match, MatchRow, MatchesRow, NormalizedRow, PairRow, Row,
    RowKind, Sentence, SignatureRow, SiteTextRow,
};

pub use start_at::StartAt;

#[cfg(test)]
mod tests;
