//! Vocabulary: stems, stop words and language detection.

pub(crate) mod language;
pub(crate) mod stem;
pub(crate) mod stop_words;
