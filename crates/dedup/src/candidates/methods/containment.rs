//! Candidates that may lie inside larger documents.

use crate::candidates::columns::{KeyColumns, Layout};
use crate::candidates::input::{Check, JoinCounts, JoinInput};
use crate::candidates::join::asking;
use crate::candidates::join::group::{GroupLimit, KEY_BITS};
use crate::candidates::method::{Candidates, Index};
use crate::candidates::pair::ScoredPair;
use crate::numeric::radix::sort_hashes;
use crate::numeric::random::mix;
use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{at_least, number};
use crate::text::document::{Bound, Context, Document};

/// Every document asks by the rarest of its shingles: it is a candidate with each larger document that has one of these
/// shingles.
///
/// Suppose that a share `t` or more of the `n` shingles of a document lies inside another one (containment: Broder, "On
/// the resemblance and containment of documents", 1997). Then of any `n - ⌈t n⌉ + 1` of its shingles at least one lies
/// inside the other: the prefix filter (Chaudhuri, Ganti, Kaushik, "A primitive operator for similarity joins in data
/// cleaning", 2006; Xiao, Wang, Lin, Yu, "Efficient similarity joins for near duplicate detection", 2008). Here the
/// prefix is that of the smaller document, and the larger one is indexed with all its shingles.
/// So no pair is missed, for any sizes, as long as no group is capped. Pairs of Jaccard similarity `t` are found too. A
/// sample of the shingles, such as [`ModSketch`](crate::sign::ModSketch), would have to contain nearly all of them for
/// a document of 40 words.
///
/// Signatures are not read. A row has a 48-bit key for each shingle, which takes 8 bytes in memory and 10 bytes in a
/// file.
///
/// Document frequencies of shingles are counted approximately. This adds a few comparisons and loses no pair.
/// A shingle is capped, as in [`Lsh`](super::Lsh), if more than 32 documents ask by it and more than `max_bucket`
/// documents have it; such documents consist of very common shingles.
/// An index is built before its queries are known: there a new document is compared with the documents that have enough
/// of its shingles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Containment {
    max_bucket: u32,
}

impl Containment {
    /// The defaults: groups of up to 1000 documents.
    pub const DEFAULT: Self = Self {
        max_bucket: GroupLimit::DEFAULT,
    };

    /// Largest number of documents with a common shingle that are all compared, even if more than 32 of them ask by it;
    /// 2 or more, default 1000.
    #[must_use]
    pub const fn with_max_bucket(mut self, max_bucket: u32) -> Self {
        self.max_bucket = max_bucket;
        self
    }
}

impl Strategy for Containment {
    fn name(&self) -> &'static str {
        "containment"
    }

    fn summary(&self) -> &'static str {
        "documents whose rarest shingles lie in larger ones: finds texts inside texts"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[Parameter::new(
                "max_bucket",
                "1000",
                "documents with a common shingle that are all compared, 2 or more",
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

impl Candidates for Containment {
    fn finds(&self, _: Bound) -> bool {
        true
    }

    fn index(&self, _: &dyn Method, context: &Context) -> Result<Box<dyn Index>, BuildError> {
        at_least("max_bucket", self.max_bucket, 2)?;
        Ok(Box::new(AskingIndex {
            threshold: context.threshold,
            limit: GroupLimit::new(self.max_bucket),
        }))
    }
}

/// Smallest number of shingles that a document of `shingles` shingles shares with another one if the share is at least
/// `threshold`. The product is lowered slightly before rounding up, so that rounding errors lose no pair.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a share of a number of shingles, rounded up"
)]
fn least_common(threshold: f64, shingles: usize) -> usize {
    (threshold * shingles as f64 - 1e-6).ceil().max(1.0) as usize
}

/// The number of shingles by which a document of `shingles` shingles asks. At least one of them lies in every document
/// that contains the share `threshold` or more of its shingles.
pub(crate) fn asked(threshold: f64, shingles: usize) -> usize {
    (shingles + 1).saturating_sub(least_common(threshold, shingles))
}

/// A row holds the upper bits of a hash of each shingle, ascending and without repetitions.
struct AskingIndex {
    threshold: f64,
    limit: GroupLimit,
}

impl Index for AskingIndex {
    fn row(&self, document: &Document<'_>, _: &[u64], out: &mut Vec<u64>) {
        // The signer may pass shingles unsorted and with repetitions.
        let mut keys: Vec<u64> = document.shingles.iter().map(|&shingle| mix(shingle)).collect();
        sort_hashes(&mut keys);
        // Sorting the hashes before the shift keeps keys ascending after it, and two hashes may give one
        // key.
        keys.iter_mut().for_each(|key| *key >>= u64::BITS - KEY_BITS);
        keys.dedup();
        KeyColumns::pack(Layout::Any, keys, out);
    }

    fn needs_signature(&self) -> bool {
        false
    }

    fn columns(&self) -> Option<KeyColumns> {
        Some(KeyColumns {
            columns: 1,
            limit: self.limit,
            layout: Layout::Any,
            asked: true,
        })
    }

    fn asked(&self, keys: usize) -> usize {
        asked(self.threshold, keys)
    }

    fn least_equal(&self, a: usize, b: usize) -> usize {
        // Of two documents the smaller one decides: at least this share of it lies in the larger one.
        least_common(self.threshold, a.min(b))
    }

    fn join(&self, input: &JoinInput<'_>, check: &Check<'_>, found: &mut Vec<ScoredPair>) -> JoinCounts {
        let key = |word| word >> (u64::BITS - KEY_BITS);
        asking::join(&|keys| self.asked(keys), self.limit, input, key, check, found)
    }
}
