//! Precision and recall of pairs, and of single documents.

use serde::{Deserialize, Serialize};

/// Precision, recall and their harmonic mean, 0 to 1.
///
/// ```
/// use dehusk_lab::metrics::Prf;
///
/// let scores = Prf::new(3.0, 4.0, 6.0); // 3 of 4 found pairs are right, of 6 true ones
/// assert_eq!((scores.precision, scores.recall, scores.f1), (0.75, 0.5, 0.6));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Prf {
    /// Share of the found items that are right; 1 if nothing was found.
    pub precision: f64,
    /// Share of the true items that were found; 1 if there are no true items.
    pub recall: f64,
    /// Harmonic mean of precision and recall; 0 if both are 0.
    pub f1: f64,
}

impl Prf {
    /// Scores from three counts: found items that are right, found items, and true items.
    #[must_use]
    pub fn new(right: f64, found: f64, all: f64) -> Self {
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 1.0 };
        Self::of(share(right, found), share(right, all))
    }

    /// Scores from precision and recall.
    #[must_use]
    pub fn of(precision: f64, recall: f64) -> Self {
        let sum = precision + recall;
        let f1 = if sum > 0.0 {
            2.0 * precision * recall / sum
        } else {
            0.0
        };
        Self {
            precision,
            recall,
            f1,
        }
    }
}

/// Number of pairs among `n` documents.
#[must_use]
pub fn choose_two(n: u64) -> f64 {
    n as f64 * (n as f64 - 1.0).max(0.0) / 2.0
}

/// The measure by documents: a document is found if it is in a found group of two or more, and right if it
/// is in a true group of two or more. The identity of the group does not matter. Groups are given as a
/// label for each document.
#[must_use]
pub fn url_level(found: &[u32], truth: &[u32]) -> Prf {
    let (found, truth) = (in_groups(found), in_groups(truth));
    let count = |which: &dyn Fn(bool, bool) -> bool| {
        found.iter().zip(&truth).filter(|&(&f, &t)| which(f, t)).count() as f64
    };
    Prf::new(count(&|f, t| f && t), count(&|f, _| f), count(&|_, t| t))
}

/// For each document, whether its label occurs more than once.
fn in_groups(labels: &[u32]) -> Vec<bool> {
    let mut counts = vec![0_u32; labels.iter().max().map_or(0, |&most| most as usize + 1)];
    for &label in labels {
        counts[label as usize] += 1;
    }
    labels.iter().map(|&label| counts[label as usize] > 1).collect()
}
