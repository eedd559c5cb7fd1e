//! All pairs: the oracle that other candidate methods are tested against.

use crate::candidates::input::{Check, JoinCounts, JoinInput};
use crate::candidates::method::{Candidates, Index};
use crate::candidates::pair::ScoredPair;
use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Bound, Context, Document};

/// Every pair is a candidate. The cost is quadratic in the number of documents; suits a few thousand.
#[derive(Clone, Copy, Debug, Default)]
pub struct BruteForce;

impl Strategy for BruteForce {
    fn name(&self) -> &'static str {
        "brute-force"
    }

    fn summary(&self) -> &'static str {
        "all pairs: misses nothing, quadratic"
    }
}

impl Candidates for BruteForce {
    fn finds(&self, _: Bound) -> bool {
        true
    }

    fn index(&self, _: &dyn Method, _: &Context) -> Result<Box<dyn Index>, BuildError> {
        Ok(Box::new(*self))
    }
}

impl Index for BruteForce {
    fn row(&self, _: &Document<'_>, _: &[u64], _: &mut Vec<u64>) {}

    fn join(&self, input: &JoinInput<'_>, check: &Check<'_>, found: &mut Vec<ScoredPair>) -> JoinCounts {
        let mut counts = JoinCounts::default();
        for (rank, &a) in input.documents.iter().enumerate() {
            for &b in &input.documents[rank + 1..] {
                counts.candidates += 1;
                found.extend(check(a, b, None));
            }
        }
        counts
    }
}
