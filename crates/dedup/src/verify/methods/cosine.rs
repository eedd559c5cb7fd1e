//! Cosine of TF-IDF vectors.

use std::sync::Arc;

use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Context, Document};
use crate::text::statistics::Statistics;
use crate::verify::similarity::{Comparer, Similarity};
use crate::verify::term_weights::{read_row, term_weights, visit_both, write_row};

/// Cosine of the angle between two documents' TF·IDF vectors: the weight of a term is its count times `ln(N / df)`. A
/// document whose terms all have weight 0 is similar to no other document.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cosine;

impl Strategy for Cosine {
    fn name(&self) -> &'static str {
        "cosine"
    }

    fn summary(&self) -> &'static str {
        "cosine of the angle of TF-IDF vectors"
    }
}

impl Similarity for Cosine {
    fn needs_statistics(&self) -> bool {
        true
    }

    fn comparer(&self, _: &dyn Method, context: &Context) -> Result<Box<dyn Comparer>, BuildError> {
        Ok(Box::new(CosineComparer {
            statistics: context.required_statistics(self.name())?,
        }))
    }
}

struct CosineComparer {
    statistics: Arc<Statistics>,
}

impl Comparer for CosineComparer {
    /// Hash and coordinate of each term in the unit vector, ascending by hash. Empty if the vector is zero.
    fn row(&self, document: &Document<'_>, _: &[u64], out: &mut Vec<u64>) {
        let mut weights = term_weights(document, |term, count| count * self.statistics.idf(term));
        // Terms of weight 0 would add entries that change nothing.
        weights.retain(|&(_, weight)| weight > 0.0);
        let squares = weights.iter().map(|(_, weight)| weight * weight);
        // A zero vector has no entries, so its length of 0 is never used as a divisor.
        let length = squares.sum::<f64>().sqrt();
        let shares = weights.into_iter().map(|(hash, weight)| (hash, weight / length));
        write_row(shares, out);
    }

    fn compare(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<f64> {
        // Rounding errors must not give a document and its copy a similarity below 1.
        let similarity = if a == b && !a.is_empty() {
            1.0
        } else {
            dot(a, b).clamp(0.0, 1.0)
        };
        (similarity >= at_least).then_some(similarity)
    }
}

fn dot(a: &[u64], b: &[u64]) -> f64 {
    let mut sum = 0.0;
    visit_both(read_row(a), read_row(b), |x, y| {
        if let (Some(x), Some(y)) = (x, y) {
            sum += x * y;
        }
    });
    sum
}
