//! Bytes to text: the choice of a charset, and decoding.
//!
//! Sources are trusted in the order of browsers: byte order mark, the caller, the HTTP header, `<meta>`, an XML declaration, a
//! detector. Two cases are decided otherwise, as crawls are full of them: a page that names a legacy charset although its bytes
//! are valid UTF-8 beyond ASCII is UTF-8, and one that names UTF-8 although most of it is invalid goes to the detector.

mod binary;
mod charset;
mod choose;
mod decoded;
#[cfg(any(test, feature = "reference"))]
mod equations;
mod prescan;
#[cfg(test)]
mod tests;

pub use charset::{Charset, CharsetHints, CharsetSource};
pub use decoded::{Decoded, decode, from_text};
#[cfg(any(test, feature = "reference"))]
pub use equations::decode_check;
