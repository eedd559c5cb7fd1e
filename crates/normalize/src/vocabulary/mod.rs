//! What the words of a text are: stems, function words, the language they belong to.

pub(crate) mod language;
pub(crate) mod stem;
pub(crate) mod stop_words;
