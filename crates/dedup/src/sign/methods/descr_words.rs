//! A bit for each of some chosen words: is it frequent in the document?

use std::sync::Arc;

use crate::numeric::narrow;
use crate::sign::estimate::any_key;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::number;
use crate::text::descriptive::DescriptiveWords;
use crate::text::document::{Context, Document};

/// DescrWords (Ilyinsky, Kuzmin, Melkov, Segalovich, "An efficient method to detect duplicates of Web
/// documents with the use of inverted index", 2002): one bit for each of some [descriptive
/// words](DescriptiveWords), set if the word's frequency in the document reaches a threshold of its own.
/// Documents with equal bits match.
///
/// Survives edits that move no frequency across its threshold. Costs a lookup per term; a signature is one key of two
/// words, a hash of the bits. Documents with fewer set bits than `min_ones` have no signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescrWords {
    min_ones: u32,
}

impl DescrWords {
    /// The defaults: 3 bits make a signature.
    pub const DEFAULT: Self = Self { min_ones: 3 };

    /// Minimum number of set bits for which a document gets a signature, 1 or more, default 3.
    #[must_use]
    pub const fn with_min_ones(mut self, min_ones: u32) -> Self {
        self.min_ones = min_ones;
        self
    }
}

impl Strategy for DescrWords {
    fn name(&self) -> &'static str {
        "descr-words"
    }

    fn summary(&self) -> &'static str {
        "which descriptive words of the collection are frequent here"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[Parameter::new(
                "min_ones",
                "3",
                "fewest frequent words that make a signature, 1 or more",
            )]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "min_ones" => *self = self.with_min_ones(number("min_ones", value, 1..=u32::MAX)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Method for DescrWords {
    fn form(&self) -> Form {
        Form::Keys { words: 2 }
    }

    fn is_lexical(&self) -> bool {
        true
    }

    fn needs_statistics(&self) -> bool {
        true
    }

    fn needs_descriptive_words(&self) -> bool {
        true
    }

    fn signer(&self, context: &Context) -> Result<Box<dyn Signer>, BuildError> {
        let words = context
            .descriptive_words
            .clone()
            .ok_or_else(|| BuildError::statistics(self.name()))?;
        Ok(Box::new(DescrWordsSigner {
            min_ones: self.min_ones.max(1),
            words,
        }))
    }
}

struct DescrWordsSigner {
    min_ones: u32,
    words: Arc<DescriptiveWords>,
}

impl Signer for DescrWordsSigner {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        let bits = self.words.bits(document.terms);
        let ones: u32 = bits.iter().map(|byte| byte.count_ones()).sum();
        if ones >= self.min_ones {
            // Two hashes of 64 bits, so that documents do not match by chance.
            let hash = xxhash_rust::xxh3::xxh3_128(&bits);
            out.extend([narrow::low_word(hash >> 64), narrow::low_word(hash)]);
        }
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        any_key(a, b, 2)
    }
}
