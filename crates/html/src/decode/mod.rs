//! Decoding: the choice of a charset, and the conversion of bytes to text.
//!
//! Sources take precedence in the order of browsers: byte order mark, the caller, the HTTP header,
//! `<meta>`, an XML declaration, a detector. Two cases that are frequent in crawls differ. A page that
//! declares a legacy charset but is valid UTF-8 with non-ASCII characters is decoded as UTF-8 (if there are
//! only few such characters, the letters of the page's language decide whether UTF-8 is likelier). And if a
//! page declares UTF-8 but is mostly invalid, the detector decides.

mod binary;
mod charset;
mod choose;
mod decoded;
#[cfg(any(test, feature = "reference"))]
mod equations;
mod language;
mod prescan;
mod reading;
#[cfg(test)]
mod tests;

pub use charset::{Charset, CharsetHints, CharsetSource};
pub use decoded::{Decoded, decode, from_text};
#[cfg(any(test, feature = "reference"))]
pub use equations::decode_check;
