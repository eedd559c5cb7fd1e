//! Candidates with an equal key.

use crate::candidates::columns::{KeyColumns, Layout};
use crate::candidates::input::{Check, JoinCounts, JoinInput};
use crate::candidates::join::group::{GroupLimit, KEY_BITS};
use crate::candidates::join::memory::{self, Columns};
use crate::candidates::method::{Candidates, Index};
use crate::candidates::pair::ScoredPair;
use crate::numeric::hash::combine;
use crate::numeric::random::mix;
use crate::sign::method::{Form, Method, wrong_form};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{at_least, number};
use crate::text::document::{Context, Document};

/// Documents with an equal key are candidates. They are found by sorting (key, document).
///
/// Only the upper [`KEY_BITS`] bits of a key's hash are compared. Pairs that are equal by chance are removed by
/// verification, or without verification by comparing signatures. Groups of more than `max_bucket` documents with an
/// equal key are capped as in [`Lsh`](super::Lsh).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactKey {
    max_bucket: u32,
}

impl ExactKey {
    /// The defaults: groups of up to 1000 documents.
    pub const DEFAULT: Self = Self {
        max_bucket: GroupLimit::DEFAULT,
    };

    /// Largest number of documents with an equal key among which all pairs are compared, 2 or more, default 1000.
    #[must_use]
    pub const fn with_max_bucket(mut self, max_bucket: u32) -> Self {
        self.max_bucket = max_bucket;
        self
    }
}

impl Strategy for ExactKey {
    fn name(&self) -> &'static str {
        "exact-key"
    }

    fn summary(&self) -> &'static str {
        "documents with an equal key"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[Parameter::new(
                "max_bucket",
                "1000",
                "documents with an equal key among which all pairs are compared, 2 or more",
            )]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "max_bucket" => *self = self.with_max_bucket(number("max_bucket", value, 2..=u32::MAX)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Candidates for ExactKey {
    fn index(&self, signature: &dyn Method, _: &Context) -> Result<Box<dyn Index>, BuildError> {
        let Form::Keys { words } = signature.form() else {
            return Err(wrong_form(signature, "candidates", self.name(), "keys"));
        };
        at_least("max_bucket", self.max_bucket, 2)?;
        Ok(Box::new(KeyIndex {
            words: words.max(1) as usize,
            limit: GroupLimit::new(self.max_bucket),
        }))
    }
}

/// A row holds the upper bits of the hash of each key, ascending and without repetitions.
struct KeyIndex {
    words: usize,
    limit: GroupLimit,
}

impl KeyIndex {
    /// A hash of each key.
    fn hashes(&self, signature: &[u64]) -> impl Iterator<Item = u64> {
        signature
            .chunks_exact(self.words)
            .map(|key| key.iter().fold(0, |hash, &word| combine(mix(hash), word)))
    }
}

impl Index for KeyIndex {
    fn row(&self, _: &Document<'_>, signature: &[u64], out: &mut Vec<u64>) {
        let keys = self.hashes(signature).map(|hash| hash >> (u64::BITS - KEY_BITS));
        let mut row: Vec<u64> = keys.collect();
        // A document with the same key twice would otherwise be paired with itself.
        row.sort_unstable();
        row.dedup();
        KeyColumns::pack(Layout::Any, row, out);
    }

    fn keys(&self, signature: &[u64], out: &mut Vec<u64>) -> bool {
        out.extend(self.hashes(signature));
        true
    }

    fn columns(&self) -> Option<KeyColumns> {
        Some(KeyColumns {
            columns: 1,
            limit: self.limit,
            layout: Layout::Any,
            asked: false,
        })
    }

    fn join(&self, input: &JoinInput<'_>, check: &Check<'_>, found: &mut Vec<ScoredPair>) -> JoinCounts {
        memory::join(self, self.limit, input, check, found)
    }
}

impl Columns for KeyIndex {
    fn columns(&self) -> u32 {
        1
    }

    #[inline]
    fn keys<'r>(&self, _: u32, row: &'r [u64]) -> impl Iterator<Item = u64> + use<'r> {
        row.iter().map(|word| word >> (u64::BITS - KEY_BITS))
    }
}
