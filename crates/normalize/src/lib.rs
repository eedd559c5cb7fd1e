//! Text in one form, with a way back to the original; words, sentences, stems, stop words, language.
//!
//! Two copies of a text rarely have the same bytes: quotation marks, dashes, soft hyphens, character references and line breaks differ. A
//! [`Normalizer`] brings texts into a form in which copies are equal, and maps ranges of that form back to the original.
//!
//! ```
//! use dehusk_normalize::{Normalizer, Profile, near_tokens};
//!
//! let mut normalizer = Normalizer::new(Profile::near());
//! let text = "\u{201c}The&nbsp;River\u{201d} -- ro\u{ad}se!";
//! let normal = normalizer.normalize(text);
//! assert_eq!(normal.text(), "the river rose");
//! let last = near_tokens(normal.text()).last().unwrap();
//! assert_eq!(&text[normal.source(last)], "ro\u{ad}se");
//! ```
//!
//! Functions take and return text; malformed text is not an error. The crate does not know pages, files or threads.
//!
//! # Map
//!
//! | to | use |
//! |---|---|
//! | normalize | [`Normalizer`] with a [`Profile`]: a built-in one of [`profile::ALL`], or a sequence of [`passes`] of your own |
//! | map ranges back | [`Normalized::source`], [`Alignment`] |
//! | cut into words | [`words`]; [`near_tokens`] for text in the form `near`; [`words_and_symbols`] for code, formulas and product names |
//! | cut into sentences | [`Splitter`] with lists of [`Abbreviations`] |
//! | stem, drop function words | [`Stemmer`], [`StopWords`] |
//! | detect the language | [`detect_language`] |
//! | name what decides the result | [`Profile::fingerprint`], [`VERSION`] |

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
