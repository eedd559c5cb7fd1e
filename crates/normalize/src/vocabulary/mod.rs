//! Vocabulary: stems, stop words and language detection.

mod certainty;
pub(crate) mod language;
pub(crate) mod stem;
pub(crate) mod stop_words;
