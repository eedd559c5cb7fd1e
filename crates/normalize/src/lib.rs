//! Text normalization with a way back to the original, tokens and sentences.
//!
//! Functions take and return text; this crate does not know pages, files or threads. Malformed text is not an error:
//! every function accepts any string.
//!
//! - [`Normalizer`] converts a text into the form of a [`Profile`], a sequence of passes ([`passes::ALL`]), and maps ranges
//!   of the result back to the original.
//! - [`words`] and [`near_tokens`] yield the byte ranges of tokens, [`words_and_symbols`] also those of symbols, and [`Splitter`]
//!   those of sentences.
//! - [`Stemmer`], [`StopWords`] and [`detect_language`] analyze the vocabulary of a text.

#![forbid(unsafe_code)]

mod error;
mod normalizer;
pub mod passes;
pub mod profile;
mod sentences;
mod text;
mod vocabulary;
mod words;

pub use error::{ProfileError, UnknownName};
pub use normalizer::{Normalized, Normalizer};
pub use passes::{Locale, Numbers, Options, Pass};
pub use profile::{Profile, VERSION};
pub use sentences::{Abbreviations, Sentences, Splitter};
pub use text::alignment::Alignment;
pub use text::rewrite::Rewrite;
pub use text::word_list::ListError;
pub use vocabulary::language::{Language, detect_language};
pub use vocabulary::stem::Stemmer;
pub use vocabulary::stop_words::StopWords;
pub use words::near_tokens::{NearTokens, near_tokens};
pub use words::rule::{TokenRule, TokensByRule};
pub use words::symbols::{InnerSymbols, WordOrSymbol, WordsAndSymbols, count_symbols, words_and_symbols};
pub use words::uax29::{Words, words};

#[cfg(test)]
mod tests;

/// Tests the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
