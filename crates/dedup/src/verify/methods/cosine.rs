//! Cosine of TF-IDF vectors.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::numeric::hash::murmur3;
use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Context, Document};
use crate::text::statistics::Statistics;
use crate::text::terms::Counted;
use crate::verify::similarity::{Comparer, Similarity};

/// Cosine of the angle of two documents' TF·IDF vectors: a term weighs its count times `ln(N / df)`. A document whose terms
/// all weigh nothing is similar to none.
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
    /// Hash and share of each term in the unit vector, by ascending hash; nothing if the vector is zero.
    fn row(&self, document: &Document<'_>, _: &[u64], out: &mut Vec<u64>) {
        let counted = Counted::new(document.terms);
        let mut weights: Vec<(u64, f64)> = counted
            .terms
            .iter()
            .map(|&(term, count)| {
                (
                    murmur3(term.as_bytes(), 0),
                    f64::from(count) * self.statistics.idf(term),
                )
            })
            .filter(|&(_, weight)| weight > 0.0)
            .collect();
        weights.sort_by_key(|&(hash, _)| hash);
        let length = weights
            .iter()
            .map(|(_, weight)| weight * weight)
            .sum::<f64>()
            .sqrt();
        out.extend(
            weights
                .into_iter()
                .flat_map(|(hash, weight)| [hash, (weight / length).to_bits()]),
        );
    }

    fn compare(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<f64> {
        // Rounding must not put a document below full similarity with its copy.
        let similarity = if a == b && !a.is_empty() {
            1.0
        } else {
            dot(a, b).clamp(0.0, 1.0)
        };
        (similarity >= at_least).then_some(similarity)
    }
}

fn dot(a: &[u64], b: &[u64]) -> f64 {
    let (mut a, mut b) = (a.chunks_exact(2).peekable(), b.chunks_exact(2).peekable());
    let mut sum = 0.0;
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        match x[0].cmp(&y[0]) {
            Ordering::Less => _ = a.next(),
            Ordering::Greater => _ = b.next(),
            Ordering::Equal => {
                sum += f64::from_bits(x[1]) * f64::from_bits(y[1]);
                a.next();
                b.next();
            }
        }
    }
    sum
}
