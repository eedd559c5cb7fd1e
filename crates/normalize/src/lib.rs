//! Text normalization with a way back to the original, tokens and sentences.
//!
//! Text goes in and comes out; this crate knows no pages, files or threads. Malformed text is not an error: every
//! function takes any string.
//!
//! - [`Normalizer`] brings a text into the form of a [`Profile`], a sequence of passes ([`pass::ALL`]), and maps ranges
//!   of the result back to the original.
//! - [`words`] and [`near_tokens`] yield the byte ranges of tokens, [`Splitter`] those of sentences.
//! - [`Stemmer`], [`StopWords`] and [`detect_language`] look at what the words are.

#![forbid(unsafe_code)]

mod alignment;
mod chain;
mod chars;
mod error;
mod language;
mod list;
mod near;
mod normalizer;
mod order;
pub mod pass;
pub mod profile;
mod rewrite;
mod sentence;
mod stem;
mod stop;
mod words;

pub use alignment::Alignment;
pub use error::{ProfileError, UnknownName};
pub use language::{Language, detect_language};
pub use list::ListError;
pub use normalizer::{Normalized, Normalizer};
pub use pass::{Numbers, Options, Pass};
pub use profile::Profile;
pub use rewrite::Rewrite;
pub use sentence::{Abbreviations, Sentences, Splitter};
pub use stem::Stemmer;
pub use stop::StopWords;
pub use words::{NearTokens, Words, near_tokens, words};

/// Raised whenever the same profile gives another text than before, so that stored signatures can be told apart.
pub const VERSION: u32 = 1;

#[cfg(test)]
mod tests;
