//! Shared by all stages: character classes, maps back to the original, word lists.

pub(crate) mod alignment;
pub(crate) mod chars;
pub(crate) mod clusters;
pub(crate) mod compose;
pub(crate) mod rewrite;
pub(crate) mod word_list;
