//! Tokenization (section 13.2.5).

mod attributes;
mod markup;
pub(super) mod raw_text;
pub(super) mod runs;
mod search;
pub(super) mod tags;
