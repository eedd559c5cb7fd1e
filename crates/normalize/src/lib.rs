//! Text normalization with a way back to the original, tokens and sentences.
//!
//! Text goes in and comes out; this crate knows no pages, files or threads. Malformed text is not an error: every
//! function takes any string.
//!
//! - [`Normalizer`] brings a text into the form of a [`Profile`], a sequence of passes ([`passes::ALL`]), and maps ranges
//!   of the result back to the original.
//! - [`words`] and [`near_tokens`] yield the byte ranges of tokens, [`words_and_symbols`] those of symbols, too, and [`Splitter`]
//!   those of sentences.
//! - [`Stemmer`], [`StopWords`] and [`detect_language`] look at what the words are.

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
pub use words::symbols::{InnerSymbols, WordOrSymbol, WordsAndSymbols, count_symbols, words_and_symbols};
pub use words::uax29::{Words, words};

#[cfg(test)]
mod tests;

/// The examples of the README are tested, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
