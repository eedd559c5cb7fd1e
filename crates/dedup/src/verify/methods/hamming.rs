//! Share of equal bits.

use crate::sign::method::{Form, Method, wrong_form};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Context, Document};
use crate::verify::similarity::{Comparer, Similarity};

/// The share of equal bits among the 64 bits of two fingerprints: `1 - distance / 64`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hamming;

impl Strategy for Hamming {
    fn name(&self) -> &'static str {
        "hamming"
    }

    fn summary(&self) -> &'static str {
        "equal bits of two fingerprints / 64"
    }
}

impl Similarity for Hamming {
    fn comparer(&self, signature: &dyn Method, _: &Context) -> Result<Box<dyn Comparer>, BuildError> {
        if signature.form() != Form::Bits {
            return Err(wrong_form(signature, "similarity", self.name(), "fingerprints"));
        }
        Ok(Box::new(*self))
    }
}

impl Comparer for Hamming {
    fn row(&self, _: &Document<'_>, signature: &[u64], out: &mut Vec<u64>) {
        out.extend_from_slice(signature);
    }

    fn needs_signature(&self) -> bool {
        true
    }

    fn compare(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<f64> {
        let (&[a], &[b]) = (a, b) else { return None };
        let similarity = 1.0 - f64::from((a ^ b).count_ones()) / 64.0;
        (similarity >= at_least).then_some(similarity)
    }
}
