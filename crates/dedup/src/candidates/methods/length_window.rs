//! Candidates of nearly equal length.

use rayon::prelude::*;

use crate::candidates::fingerprints::within_window;
use crate::candidates::input::{Check, ComparedPairs, JoinCounts, JoinInput};
use crate::candidates::method::{Candidates, Index};
use crate::candidates::pair::ScoredPair;
use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{number, within};
use crate::text::document::{Context, Document};

/// Pairs whose word counts differ by at most a share of the larger count. Documents are sorted by length, and each is
/// compared with the following ones until they are too long. The cost is quadratic if many documents have the same
/// length; suits some ten thousand documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthWindow {
    tolerance: f64,
}

impl LengthWindow {
    /// The defaults: a difference of up to a fifth.
    pub const DEFAULT: Self = Self { tolerance: 0.2 };

    /// Largest difference between word counts, as a share of the larger count, 0 to 1, default 0.2.
    #[must_use]
    pub const fn with_tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }
}

impl Strategy for LengthWindow {
    fn name(&self) -> &'static str {
        "length-window"
    }

    fn summary(&self) -> &'static str {
        "documents of nearly equal length"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[Parameter::new(
                "tolerance",
                "0.2",
                "largest difference of word counts, as a share of the larger one, 0 to 1",
            )]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "tolerance" => *self = self.with_tolerance(number("tolerance", value, 0.0..=1.0)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Candidates for LengthWindow {
    fn index(&self, _: &dyn Method, _: &Context) -> Result<Box<dyn Index>, BuildError> {
        within("tolerance", self.tolerance, 0.0..=1.0)?;
        Ok(Box::new(*self))
    }
}

impl Index for LengthWindow {
    fn row(&self, document: &Document<'_>, _: &[u64], out: &mut Vec<u64>) {
        out.push(document.tokens.len() as u64);
    }

    fn join(&self, input: &JoinInput<'_>, check: &Check<'_>, found: &mut Vec<ScoredPair>) -> JoinCounts {
        let length = |document: u32| input.rows.row(document as usize).first().copied().unwrap_or(0);
        let mut sorted: Vec<(u64, u32)> = input
            .documents
            .iter()
            .map(|&document| (length(document), document))
            .collect();
        sorted.sort_unstable();
        let compared = (0..sorted.len())
            .into_par_iter()
            .map(|rank| {
                let (own, a) = sorted[rank];
                // Sorted by length: once a document is too long, so are all that follow.
                let others = sorted[rank + 1..]
                    .iter()
                    .take_while(|(other, _)| within_window(own, *other, self.tolerance));
                let mut pairs = ComparedPairs::default();
                for &(_, b) in others {
                    pairs.compare(check, a, b);
                }
                pairs
            })
            .collect();
        JoinCounts {
            candidates: ComparedPairs::gather(compared, found),
            ..JoinCounts::default()
        }
    }
}
