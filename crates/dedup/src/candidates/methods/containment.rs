//! Documents that may lie inside larger ones.

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

/// Every document asks by the rarest of its shingles, and is a candidate with each larger one that has one of these.
///
/// If a share `t` of the `n` shingles of a document or more lies inside another one (containment: Broder, "On the resemblance and
/// containment of documents", 1997), then of any `n - ⌈t n⌉ + 1` of them one does: the prefix filter (Chaudhuri, Ganti, Kaushik, "A
/// primitive operator for similarity joins in data cleaning", 2006; Xiao, Wang, Lin, Yu, "Efficient similarity joins for near duplicate
/// detection", 2008), with the prefix of the smaller side and the whole of the larger one. So no pair is missed, whatever the sizes,
/// as long as no group is capped; nor is a pair of that Jaccard similarity. A sample of the shingles, as
/// [`ModSketch`](crate::sign::ModSketch) takes, would have to be nearly all of them for a document of 40 words.
///
/// Signatures are not read. A row has a key of 48 bits for each shingle, in 8 bytes of memory, or 10 bytes of a file.
///
/// How rare a shingle is is counted approximately, which costs a few comparisons but no pair. A shingle by which more than 32 documents
/// ask and that more than `max_bucket` have is capped, as in [`Lsh`](super::Lsh): such documents consist of shingles that very many
/// have. An index does not know what will be asked; there, a new document is compared with those that have enough of its shingles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Containment {
    max_bucket: u32,
}

impl Containment {
    /// The defaults: groups up to 1000.
    pub const DEFAULT: Self = Self {
        max_bucket: GroupLimit::DEFAULT,
    };

    /// Largest number of documents with a common shingle that are all compared, even if more than 32 of them ask by it, 2 or more,
    /// default 1000.
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

/// The fewest shingles of a document with so many that lie inside another one, if the share of them is at least `threshold`. Rounded
/// down, so that rounding loses no pair.
fn least_common(threshold: f64, shingles: usize) -> usize {
    (threshold * shingles as f64 - 1e-6).ceil().max(1.0) as usize
}

/// The number of its shingles by which a document with so many asks, so that one of them lies inside every document that has the share
/// `threshold` of them or more.
pub(crate) fn asked(threshold: f64, shingles: usize) -> usize {
    (shingles + 1).saturating_sub(least_common(threshold, shingles))
}

/// A row holds a part of a hash of each shingle, ascending, each once.
struct AskingIndex {
    threshold: f64,
    limit: GroupLimit,
}

impl Index for AskingIndex {
    fn row(&self, document: &Document<'_>, _: &[u64], out: &mut Vec<u64>) {
        // Shingles may come in any order, and several times.
        let mut keys: Vec<u64> = document.shingles.iter().map(|&shingle| mix(shingle)).collect();
        sort_hashes(&mut keys);
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
        least_common(self.threshold, a.min(b))
    }

    fn join(&self, input: &JoinInput<'_>, check: &Check<'_>, found: &mut Vec<ScoredPair>) -> JoinCounts {
        let key = |word| word >> (u64::BITS - KEY_BITS);
        asking::join(&|keys| self.asked(keys), self.limit, input, key, check, found)
    }
}
