//! Jaccard similarity with larger weights for rare words.

use std::sync::Arc;

use crate::sign::method::Method;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Context, Document};
use crate::text::statistics::Statistics;
use crate::verify::similarity::{Comparer, Similarity};
use crate::verify::term_weights::{read_row, term_weights, visit_both, write_row};

/// Weighted Jaccard similarity (Hassanzadeh, Chiang, Lee, Miller 2009): the total weight of common terms divided by the
/// total weight of all terms of both documents. The weight of a term is its inverse document frequency.
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightedJaccard;

impl Strategy for WeightedJaccard {
    fn name(&self) -> &'static str {
        "weighted-jaccard"
    }

    fn summary(&self) -> &'static str {
        "weight of common words / weight of all words of both, by inverse document frequency"
    }
}

impl Similarity for WeightedJaccard {
    fn needs_statistics(&self) -> bool {
        true
    }

    fn comparer(&self, _: &dyn Method, context: &Context) -> Result<Box<dyn Comparer>, BuildError> {
        Ok(Box::new(WeightedJaccardComparer {
            statistics: context.required_statistics(self.name())?,
        }))
    }
}

struct WeightedJaccardComparer {
    statistics: Arc<Statistics>,
}

impl Comparer for WeightedJaccardComparer {
    /// Hash and weight of each term, ascending by hash.
    fn row(&self, document: &Document<'_>, _: &[u64], out: &mut Vec<u64>) {
        write_row(term_weights(document, |term, _| self.statistics.idf(term)), out);
    }

    fn compare(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<f64> {
        let similarity = weighted_jaccard(read_row(a), read_row(b));
        (similarity >= at_least).then_some(similarity)
    }
}

/// The total weight of common elements divided by that of all elements. `a` and `b` are lists of elements with their
/// weights, ascending and without repetitions. If all weights are 0, the result is 1 for equal lists of elements, else
/// 0.
#[must_use]
pub fn weighted_jaccard(
    a: impl IntoIterator<Item = (u64, f64)>,
    b: impl IntoIterator<Item = (u64, f64)>,
) -> f64 {
    let (mut common, mut all) = (0.0, 0.0);
    let mut same = true;
    visit_both(a, b, |x, y| {
        let in_both = x.is_some() && y.is_some();
        let weight = x.or(y).unwrap_or(0.0);
        all += weight;
        common += if in_both { weight } else { 0.0 };
        same &= in_both;
    });
    if all > 0.0 {
        common / all
    } else {
        f64::from(u8::from(same))
    }
}
