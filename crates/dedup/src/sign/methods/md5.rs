//! A hash of the whole text: the exact baseline.

use md5::{Digest, Md5 as Hasher};

use crate::numeric::narrow;
use crate::sign::estimate::any_key;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Context, Document};

/// MD5 (RFC 1321) of the tokens joined by one space. Finds documents that are equal after normalization; any other edit
/// changes it. Costs a pass over the bytes; a signature is one key of two words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Md5;

impl Md5 {
    /// The MD5 digest of a text.
    #[must_use]
    pub fn digest(text: &str) -> [u8; 16] {
        Hasher::digest(text.as_bytes()).into()
    }
}

impl Strategy for Md5 {
    fn name(&self) -> &'static str {
        "md5"
    }

    fn summary(&self) -> &'static str {
        "a hash of the normalized text: exact copies only"
    }
}

impl Method for Md5 {
    fn form(&self) -> Form {
        Form::Keys { words: 2 }
    }

    fn signer(&self, _: &Context) -> Result<Box<dyn Signer>, BuildError> {
        Ok(Box::new(*self))
    }
}

impl Signer for Md5 {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        // A key has two words: the digest as a big-endian number, upper half first.
        let number = u128::from_be_bytes(Self::digest(document.tokens.text()));
        out.extend([narrow::low_word(number >> 64), narrow::low_word(number)]);
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        any_key(a, b, 2)
    }
}
