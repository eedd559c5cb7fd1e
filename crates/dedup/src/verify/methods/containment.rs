//! Containment of one shingle set in another.

use crate::numeric::sets::common_at_least;
use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Context, Document};
use crate::verify::similarity::{Comparer, Similarity};

/// Containment (Broder 1997): `|A ∩ B| / |A|`; of the two directions, the larger counts, that is, how much of the
/// smaller document lies in the larger one.
///
/// Banding is planned for Jaccard similarity: of pairs that only contain each other, it misses those whose sizes differ
/// much.
#[derive(Clone, Copy, Debug, Default)]
pub struct Containment;

impl Strategy for Containment {
    fn name(&self) -> &'static str {
        "containment"
    }

    fn summary(&self) -> &'static str {
        "common shingles / shingles of the smaller document"
    }
}

impl Similarity for Containment {
    fn comparer(&self, _: &dyn Method, _: &Context) -> Result<Box<dyn Comparer>, BuildError> {
        Ok(Box::new(*self))
    }
}

impl Comparer for Containment {
    fn row(&self, document: &Document<'_>, _: &[u64], out: &mut Vec<u64>) {
        out.extend_from_slice(document.shingles);
    }

    fn keeps_shingles(&self) -> bool {
        true
    }

    fn compare(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<f64> {
        let smaller = a.len().min(b.len());
        if smaller == 0 {
            return Some(1.0);
        }
        let needed = (at_least * smaller as f64 - 1e-6).ceil().max(0.0) as usize;
        let similarity = common_at_least(a, b, needed)? as f64 / smaller as f64;
        (similarity >= at_least).then_some(similarity)
    }
}
