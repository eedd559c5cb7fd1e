//! What all stages share: classes of characters, the map back to the original, lists of words.

pub(crate) mod alignment;
pub(crate) mod chars;
pub(crate) mod clusters;
pub(crate) mod compose;
pub(crate) mod rewrite;
pub(crate) mod word_list;
