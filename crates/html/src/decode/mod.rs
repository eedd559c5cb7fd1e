//! Bytes to text: the choice of a charset, and decoding.
//!
//! Sources are trusted in the order of browsers: byte order mark, the caller, the HTTP header, `<meta>`, an XML declaration, a detector.
//! Two cases that are frequent in crawls differ: a page that names a legacy charset, but is valid UTF-8 with non-ASCII characters, is
//! UTF-8 (if it has a few of them only, where they are likelier text so); and if a page names UTF-8, but is mostly invalid, the detector decides.

mod binary;
mod charset;
mod choose;
mod decoded;
#[cfg(any(test, feature = "reference"))]
mod equations;
mod prescan;
mod reading;
#[cfg(test)]
mod tests;

pub use charset::{Charset, CharsetHints, CharsetSource};
pub use decoded::{Decoded, decode, from_text};
#[cfg(any(test, feature = "reference"))]
pub use equations::decode_check;
