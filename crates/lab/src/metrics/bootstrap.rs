//! Confidence intervals of scores, by bootstrap over true groups.

use serde::{Deserialize, Serialize};

use super::pairs::Prf;
use crate::random::Random;

/// The counts of pairs of one true group. A wrong pair belongs to two groups and counts half in each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Number of pairs of the group that were found.
    pub right: f64,
    /// Number of wrong pairs with a document of the group, each counted half.
    pub wrong: f64,
    /// Number of pairs of the group.
    pub all: f64,
}

/// A 95 % confidence interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Replicates of a score, for which groups are drawn with replacement: in each replicate, the weight of a
/// group is a Poisson variable of mean 1. With many groups this is equivalent to drawing, and needs no list
/// of draws (Chamandy, Muralidharan, Najmi, Naidu, "Estimating uncertainty for massive data streams",
/// 2012). Groups are drawn and not pairs, because groups are nearly independent and pairs of documents are
/// not.
///
/// The weights depend only on seed, group and replicate. So all methods are compared on the same
/// replicates.
///
/// ```
/// use dehusk_lab::metrics::{Bootstrap, Tally};
///
/// // Two groups of the truth: pairs that were found, wrong pairs, and all pairs of the group.
/// let groups = [(0, Tally { right: 3.0, wrong: 0.0, all: 3.0 }), (1, Tally { right: 1.0, wrong: 1.0, all: 3.0 })];
/// let interval = Bootstrap::new(&groups, 1000, 1).f1();
/// assert!(interval.low <= interval.high);
/// ```
#[derive(Clone, Debug)]
pub struct Bootstrap {
    f1: Vec<f64>,
    precision: Vec<f64>,
    recall: Vec<f64>,
}

/// `P(X <= k)` of a Poisson variable of mean 1, times 2^32.
const POISSON: [u32; 9] = [
    1_580_030_168,
    3_160_060_337,
    3_950_075_421,
    4_213_413_783,
    4_279_248_373,
    4_292_415_291,
    4_294_609_777,
    4_294_923_276,
    4_294_962_463,
];

impl Bootstrap {
    /// Draws `replicates` replicates. Each group is given by its number and its contribution.
    #[must_use]
    pub fn new(groups: &[(u32, Tally)], replicates: u32, seed: u64) -> Self {
        let mut counts = vec![Tally::default(); replicates as usize];
        for &(group, tally) in groups {
            let mut random = Random::new(seed, u64::from(group));
            // Each random number gives the weights of two replicates, from 32 bits each.
            for pair in counts.chunks_mut(2) {
                let number = random.number();
                for (count, half) in pair.iter_mut().zip([number >> 32, number]) {
                    #[expect(
                        clippy::cast_possible_truncation,
                        reason = "the lower half of a random number, or what was shifted there"
                    )]
                    let draw = half as u32;
                    // The inverse of the distribution function turns a uniform number into a Poisson variable.
                    let times = POISSON.iter().take_while(|&&bound| draw >= bound).count() as f64;
                    count.right += times * tally.right;
                    count.wrong += times * tally.wrong;
                    count.all += times * tally.all;
                }
            }
        }
        let scores: Vec<Prf> = counts
            .iter()
            .map(|count| Prf::new(count.right, count.right + count.wrong, count.all))
            .collect();
        Self {
            f1: scores.iter().map(|score| score.f1).collect(),
            precision: scores.iter().map(|score| score.precision).collect(),
            recall: scores.iter().map(|score| score.recall).collect(),
        }
    }

    /// The 95 % interval of F1.
    #[must_use]
    pub fn f1(&self) -> Interval {
        interval(&self.f1)
    }

    /// The 95 % interval of precision.
    #[must_use]
    pub fn precision(&self) -> Interval {
        interval(&self.precision)
    }

    /// The 95 % interval of recall.
    #[must_use]
    pub fn recall(&self) -> Interval {
        interval(&self.recall)
    }

    /// The 95 % interval of the difference of F1 to another method on the same replicates, and its two-sided p-value:
    /// twice the smaller share of replicates in which the difference is at most, or at least, 0. It is at least 1 /
    /// replicates.
    #[must_use]
    pub fn difference(&self, other: &Self) -> (Interval, f64) {
        let differences: Vec<f64> = self.f1.iter().zip(&other.f1).map(|(a, b)| a - b).collect();
        let count = differences.len().max(1) as f64;
        let share = |which: fn(f64) -> bool| differences.iter().filter(|d| which(**d)).count() as f64 / count;
        let p = 2.0 * share(|d| d <= 0.0).min(share(|d| d >= 0.0));
        (interval(&differences), p.clamp(1.0 / count, 1.0))
    }
}

/// The interval that contains the middle 95 % of the values.
fn interval(values: &[f64]) -> Interval {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |permille: usize| {
        // Rounded to the nearest rank.
        let place = (sorted.len().saturating_sub(1) * permille + 500) / 1000;
        sorted.get(place).copied().unwrap_or(0.0)
    };
    Interval {
        low: at(25),
        high: at(975),
    }
}
