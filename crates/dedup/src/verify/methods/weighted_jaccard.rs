//! Jaccard similarity in which rare words count more.

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

/// Weighted Jaccard similarity (Hassanzadeh, Chiang, Lee, Miller 2009): the weight of common terms by the weight of all
/// terms of both documents, where a term weighs its inverse document frequency.
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
    /// Hash and weight of each term, by ascending hash.
    fn row(&self, document: &Document<'_>, _: &[u64], out: &mut Vec<u64>) {
        let counted = Counted::new(document.terms);
        let mut weights: Vec<(u64, f64)> = counted
            .terms
            .iter()
            .map(|(term, _)| (murmur3(term.as_bytes(), 0), self.statistics.idf(term)))
            .collect();
        weights.sort_by_key(|&(hash, _)| hash);
        out.extend(
            weights
                .into_iter()
                .flat_map(|(hash, weight)| [hash, weight.to_bits()]),
        );
    }

    fn compare(&self, a: &[u64], b: &[u64], at_least: f64) -> Option<f64> {
        let pairs = |row: &[u64]| {
            row.chunks_exact(2)
                .map(|pair| (pair[0], f64::from_bits(pair[1])))
                .collect::<Vec<_>>()
        };
        let similarity = weighted_jaccard(&pairs(a), &pairs(b));
        (similarity >= at_least).then_some(similarity)
    }
}

/// The weight of common elements by the weight of all, of two lists of elements and their weights, ascending and without
/// repetitions; 1 if nothing weighs anything and the elements are the same, 0 if they are not.
#[must_use]
pub fn weighted_jaccard(a: &[(u64, f64)], b: &[(u64, f64)]) -> f64 {
    let (mut i, mut j) = (0, 0);
    let (mut common, mut all) = (0.0, 0.0);
    let mut same = true;
    while i < a.len() || j < b.len() {
        let order = match (a.get(i), b.get(j)) {
            (Some((x, _)), Some((y, _))) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        let (weight, in_both) = match order {
            Ordering::Less => (a[i].1, false),
            Ordering::Equal => (a[i].1, true),
            Ordering::Greater => (b[j].1, false),
        };
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
        all += weight;
        common += if in_both { weight } else { 0.0 };
        same &= in_both;
    }
    if all > 0.0 {
        common / all
    } else {
        f64::from(u8::from(same))
    }
}
