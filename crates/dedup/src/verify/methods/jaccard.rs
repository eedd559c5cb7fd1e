//! Jaccard similarity of shingle sets.

use crate::numeric::sets::common_at_least;
use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Context, Document};
use crate::verify::similarity::{Comparer, Similarity};

/// Resemblance (Broder 1997): `|A ∩ B| / |A ∪ B|` of the shingle sets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jaccard;

impl Strategy for Jaccard {
    fn name(&self) -> &'static str {
        "jaccard"
    }

    fn summary(&self) -> &'static str {
        "common shingles / all shingles of both"
    }
}

impl Similarity for Jaccard {
    fn comparer(&self, _: &dyn Method, _: &Context) -> Result<Box<dyn Comparer>, BuildError> {
        Ok(Box::new(*self))
    }
}

impl Comparer for Jaccard {
    fn row(&self, document: &Document<'_>, _: &[u64], out: &mut Vec<u64>) {
        out.extend_from_slice(document.shingles);
    }

    fn keeps_shingles(&self) -> bool {
        true
    }

    fn compare(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<f64> {
        let total = a.len() + b.len();
        if total == 0 {
            return Some(1.0);
        }
        // J >= t if and only if common >= t / (1 + t) · total. The bound is lowered slightly before rounding up, so
        // that rounding errors lose no pair.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a share of a number of shingles, rounded up"
        )]
        let needed = (at_least / (1.0 + at_least) * total as f64 - 1e-6)
            .ceil()
            .max(0.0) as usize;
        let common = common_at_least(a, b, needed)?;
        let similarity = common as f64 / (total - common) as f64;
        (similarity >= at_least).then_some(similarity)
    }
}
