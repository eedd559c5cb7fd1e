//! Containment of one shingle set in another.

use std::cmp::Ordering;

use crate::candidates::pair::Contained;
use crate::numeric::sets::common_at_least;
use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Bound, Context, Document};
use crate::verify::similarity::{Comparer, Similarity};

/// Containment (Broder, "On the resemblance and containment of documents", 1997): `|A ∩ B| / |A|`, where A is the
/// smaller of the two shingle sets. So it measures how much of the smaller document lies in the larger one. A pair
/// records which document is the smaller.
///
/// Candidate methods for resemblance miss pairs of very different sizes, so combining them with this similarity is an
/// error. [`Containment`](crate::candidates::Containment) finds such pairs.
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
    fn bound(&self) -> Bound {
        Bound::Containment
    }

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

    fn contained(&self, a: &[u64], b: &[u64]) -> Contained {
        match a.len().cmp(&b.len()) {
            Ordering::Less => Contained::First,
            Ordering::Greater => Contained::Second,
            Ordering::Equal => Contained::Both,
        }
    }

    fn compare(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<f64> {
        let smaller = a.len().min(b.len());
        // An empty set lies in every other one.
        if smaller == 0 {
            return Some(1.0);
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a share of a number of shingles, rounded up"
        )]
        // Lowered slightly before rounding up, so that rounding errors lose no pair.
        let needed = (at_least * smaller as f64 - 1e-6).ceil().max(0.0) as usize;
        let similarity = common_at_least(a, b, needed)? as f64 / smaller as f64;
        (similarity >= at_least).then_some(similarity)
    }
}
