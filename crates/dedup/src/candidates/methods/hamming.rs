//! Candidates whose fingerprints differ in few bits.

use crate::candidates::fingerprints::{HammingPlan, lookup, within_window};
use crate::candidates::input::{Check, JoinCounts, JoinInput};
use crate::candidates::join::group::{GroupLimit, KEY_BITS};
use crate::candidates::join::memory::{self, Columns, Filter};
use crate::candidates::method::{Candidates, Index};
use crate::candidates::pair::ScoredPair;
use crate::numeric::narrow;
use crate::numeric::random::mix;
use crate::sign::method::{Form, Method, wrong_form};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{at_least, number, within};
use crate::text::document::{Context, Document};

/// All pairs of fingerprints that differ in at most `distance` bits (Manku, Jain, Das Sarma, "Detecting near-duplicates
/// for web crawling", 2007).
///
/// Fingerprints are cut into blocks. If few bits differ, some blocks are equal. For each choice of blocks
/// that can be equal, documents are sorted by these blocks, and documents with equal blocks are compared.
/// [`HammingPlan`](crate::HammingPlan) chooses by the expected cost for the number of documents: the number
/// of blocks, lookups of 16-bit blocks with near values, or a comparison of all pairs.
///
/// Groups of more than `max_bucket` documents are capped as in [`Lsh`](super::Lsh), so pairs can be missed there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hamming {
    distance: u32,
    tolerance: Option<f64>,
    max_bucket: u32,
}

impl Hamming {
    /// The defaults: distance 3, any lengths, groups of up to 1000 documents.
    pub const DEFAULT: Self = Self {
        distance: 3,
        tolerance: None,
        max_bucket: GroupLimit::DEFAULT,
    };

    /// Largest number of different bits, 0 to 15, default 3. Larger distances find less similar documents and cost much
    /// more.
    #[must_use]
    pub const fn with_distance(mut self, distance: u32) -> Self {
        self.distance = distance;
        self
    }

    /// Largest difference between the word counts of two documents, as a share of the larger count, 0 to 1. Default
    /// `None`: any difference.
    #[must_use]
    pub const fn with_tolerance(mut self, tolerance: Option<f64>) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Largest number of documents with equal blocks among which all pairs are compared, 2 or more, default 1000.
    #[must_use]
    pub const fn with_max_bucket(mut self, max_bucket: u32) -> Self {
        self.max_bucket = max_bucket;
        self
    }
}

impl Strategy for Hamming {
    fn name(&self) -> &'static str {
        "hamming"
    }

    fn summary(&self) -> &'static str {
        "fingerprints that differ in few bits, by permuted tables"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[
                Parameter::new("distance", "3", "largest number of different bits, 0 to 15"),
                Parameter::new(
                    "tolerance",
                    "any",
                    "largest difference of word counts, as a share of the larger one, 0 to 1, or any",
                ),
                Parameter::new(
                    "max_bucket",
                    "1000",
                    "documents with equal blocks among which all pairs are compared, 2 or more",
                ),
            ]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "distance" => self.distance = number("distance", value, 0..=15)?,
            "tolerance" if value == "any" => self.tolerance = None,
            "tolerance" => self.tolerance = Some(number("tolerance", value, 0.0..=1.0)?),
            "max_bucket" => self.max_bucket = number("max_bucket", value, 2..=u32::MAX)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Candidates for Hamming {
    fn index(&self, signature: &dyn Method, _: &Context) -> Result<Box<dyn Index>, BuildError> {
        if signature.form() != Form::Bits {
            return Err(wrong_form(signature, "candidates", self.name(), "fingerprints"));
        }
        within("distance", self.distance, 0..=15)?;
        within("tolerance", self.tolerance.unwrap_or(1.0), 0.0..=1.0)?;
        at_least("max_bucket", self.max_bucket, 2)?;
        Ok(Box::new(HammingIndex { method: *self }))
    }
}

/// A row holds the fingerprint and the number of words.
struct HammingIndex {
    method: Hamming,
}

impl HammingIndex {
    /// True if two rows are within the distance and the tolerance.
    fn admits(&self, a: &[u64], b: &[u64]) -> bool {
        let (&[bits_a, length_a], &[bits_b, length_b]) = (a, b) else {
            return false;
        };
        (bits_a ^ bits_b).count_ones() <= self.method.distance
            && self
                .method
                .tolerance
                .is_none_or(|tolerance| within_window(length_a, length_b, tolerance))
    }
}

impl Index for HammingIndex {
    fn row(&self, document: &Document<'_>, signature: &[u64], out: &mut Vec<u64>) {
        if let &[bits] = signature {
            out.extend([bits, document.tokens.len() as u64]);
        }
    }

    fn join(&self, input: &JoinInput<'_>, check: &Check<'_>, found: &mut Vec<ScoredPair>) -> JoinCounts {
        let limit = GroupLimit::new(self.method.max_bucket);
        let admits = |a: &[u64], b: &[u64]| self.admits(a, b);
        match HammingPlan::choose(input.documents.len(), self.method.distance) {
            HammingPlan::AllPairs => {
                let columns = Tables {
                    admits: &admits,
                    // The empty mask puts all documents into one group.
                    masks: vec![0],
                };
                memory::join(&columns, GroupLimit::NONE, input, check, found)
            }
            HammingPlan::Tables(masks) => memory::join(
                &Tables {
                    admits: &admits,
                    masks,
                },
                limit,
                input,
                check,
                found,
            ),
            HammingPlan::Lookup { radius } => lookup(radius, limit, input, &admits, check, found),
        }
    }
}

/// One column per mask: the key of a document in a column is a hash of the fingerprint's bits under the mask.
struct Tables<'a> {
    admits: &'a Filter<'a>,
    masks: Vec<u64>,
}

impl<'t> Columns for Tables<'t> {
    fn columns(&self) -> u32 {
        narrow::to_u32(self.masks.len())
    }

    #[inline]
    fn keys<'r>(&self, table: u32, row: &'r [u64]) -> impl Iterator<Item = u64> + use<'r, 't> {
        let bits = row.first().map(|bits| bits & self.masks[table as usize]);
        // Masked bits are hashed, because the join splits keys by their upper bits.
        bits.map(|bits| mix(bits) >> (u64::BITS - KEY_BITS)).into_iter()
    }

    fn filter(&self) -> Option<&Filter<'_>> {
        Some(self.admits)
    }
}
