//! Bytes to text: which charset a page is in, and its decoding.
//!
//! The order of trust is that of browsers: byte order mark, what the caller or the HTTP header says, `<meta>` or an XML
//! declaration, a detector. It is left in two cases that real crawls are full of: a page that names a legacy charset
//! although its bytes are valid UTF-8 beyond ASCII, and one that names UTF-8 and is not.

mod binary;
mod charset;
mod choose;
mod decoded;
mod prescan;
#[cfg(test)]
mod tests;

pub use charset::{Charset, CharsetHints, CharsetSource};
pub use decoded::{Decoded, decode, from_text};
