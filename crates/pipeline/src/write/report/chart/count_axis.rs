//! Axes of counts, and their ticks.

use super::scale::Scale;

/// How the counts of a histogram become heights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CountScale {
    /// Linear from 0.
    Linear,
    /// Logarithmic from 1/2, so that a count of 1 can be seen.
    Log,
}

/// An axis from its lowest to its highest tick.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct CountAxis {
    scale: Scale,
    /// The ticks, ascending.
    pub(super) ticks: Vec<u64>,
}

impl CountAxis {
    /// An axis for counts up to `max`, with three to six ticks.
    pub(super) fn new(scale: CountScale, max: u64) -> Self {
        let max = max.max(1);
        let (scale, ticks) = match scale {
            CountScale::Linear => {
                let (top, ticks) = linear(max);
                (Scale::Linear(0.0, top as f64), ticks)
            }
            CountScale::Log => {
                let (top, ticks) = log(max);
                (Scale::Log(0.5, top as f64), ticks)
            }
        };
        Self { scale, ticks }
    }

    /// Height of a count as a fraction of the axis, from 0 to 1.
    pub(super) fn height(&self, count: u64) -> f64 {
        self.scale.position(count as f64)
    }
}

/// Ticks at multiples of 1, 2 or 5 times a power of ten, with at most five steps. Returns the highest tick and all ticks.
fn linear(max: u64) -> (u64, Vec<u64>) {
    let mut power = 1_u64;
    let step = loop {
        if let Some(step) = [1, 2, 5]
            .into_iter()
            .filter_map(|n| power.checked_mul(n))
            .find(|step| max.div_ceil(*step) <= 5)
        {
            break step;
        }
        // The next power of ten is tried. Near the largest count it overflows, and the last power serves.
        match power.checked_mul(10) {
            Some(next) => power = next,
            None => break power,
        }
    };
    let ticks: Vec<u64> = (0..=max.div_ceil(step)).map(|i| step.saturating_mul(i)).collect();
    (ticks.last().copied().unwrap_or(1), ticks)
}

/// Ticks at powers of ten: all of them, or every nth. Returns the highest tick and all ticks.
fn log(max: u64) -> (u64, Vec<u64>) {
    let decades = if max <= 10 { 1 } else { (max - 1).ilog10() + 1 };
    let power = |exponent: u32| 10_u64.saturating_pow(exponent);
    // At most five steps: 10^12 would otherwise have twelve labels.
    let step = decades.div_ceil(5);
    let decades = decades.next_multiple_of(step);
    let ticks = match decades {
        1 => vec![1, 2, 5, 10],
        2 => vec![1, 3, 10, 30, 100],
        _ => (0..=decades).step_by(step as usize).map(power).collect(),
    };
    (power(decades), ticks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_ticks_are_round_and_reach_the_largest_count() {
        let ticks = |max| CountAxis::new(CountScale::Linear, max).ticks;
        assert_eq!(ticks(0), [0, 1]);
        assert_eq!(ticks(1), [0, 1]);
        assert_eq!(ticks(3), [0, 1, 2, 3]);
        assert_eq!(ticks(7), [0, 2, 4, 6, 8]);
        assert_eq!(ticks(100), [0, 20, 40, 60, 80, 100]);
        assert_eq!(ticks(101), [0, 50, 100, 150]);
        assert_eq!(ticks(1_234_567), [0, 500_000, 1_000_000, 1_500_000]);
        assert!(ticks(u64::MAX).len() <= 6);
    }

    #[test]
    fn log_ticks_are_few_and_reach_the_largest_count() {
        let ticks = |max| CountAxis::new(CountScale::Log, max).ticks;
        assert_eq!(ticks(0), [1, 2, 5, 10]);
        assert_eq!(ticks(11), [1, 3, 10, 30, 100]);
        assert_eq!(ticks(1000), [1, 10, 100, 1000]);
        assert_eq!(ticks(1001), [1, 10, 100, 1000, 10_000]);
        assert_eq!(ticks(1_000_001), [1, 100, 10_000, 1_000_000, 100_000_000]);
        assert_eq!(ticks(u64::MAX).len(), 6);
    }

    #[test]
    fn heights_rise_from_0_to_1() {
        for scale in [CountScale::Linear, CountScale::Log] {
            for max in [1, 2, 9, 10, 11, 99, 12_345, u64::MAX] {
                let axis = CountAxis::new(scale, max);
                let heights = [0, 1, max / 2, max].map(|n| axis.height(n));
                assert_eq!(heights[0], 0.0);
                assert!(
                    heights[1] > 0.0 && heights.iter().all(|h| (0.0..=1.0).contains(h)),
                    "{heights:?}"
                );
                assert!(
                    heights[1] <= heights[3] && heights[2] <= heights[3],
                    "{scale:?} {max} {heights:?}"
                );
            }
        }
    }
}
