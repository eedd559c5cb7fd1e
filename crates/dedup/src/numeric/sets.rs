//! Comparison of sets: sorted lists of numbers without repetitions.

use fearless_simd::prelude::*;
use fearless_simd::u64x8;

use crate::numeric::lanes::eight_words;

/// Resemblance `|A ∩ B| / |A ∪ B|` of two sorted lists without repetitions; 1 if both are empty.
#[must_use]
pub fn resemblance(a: &[u64], b: &[u64]) -> f64 {
    let total = a.len() + b.len();
    if total == 0 {
        return 1.0;
    }
    // With a threshold of 0 the result is never `None`.
    let common = common_at_least(a, b, 0).unwrap_or(0);
    common as f64 / (total - common) as f64
}

/// `|A ∩ B| / |A|` of two sorted lists without repetitions: the share of `a` that lies in `b`; 1 if `a` is empty.
#[must_use]
pub fn containment(a: &[u64], b: &[u64]) -> f64 {
    if a.is_empty() {
        return 1.0;
    }
    common_at_least(a, b, 0).unwrap_or(0) as f64 / a.len() as f64
}

/// Number of steps between two checks of whether the threshold can still be reached. A check after each
/// step would slow the steps down.
const STEPS: usize = 16;

/// Number of common elements of two sorted lists without repetitions. `None` if it is below `at_least`; the scan ends
/// early when this is certain.
pub(crate) fn common_at_least(a: &[u64], b: &[u64], at_least: usize) -> Option<usize> {
    match eight_words() {
        Some(simd) => simd.vectorize(
            #[inline(always)]
            || common_by_eight(simd, a, b, at_least),
        ),
        None => common_singly(a, b, at_least),
    }
}

/// [`common_singly`], eight elements at a time. All elements of two blocks are compared with each other;
/// then the block with the smaller last element is passed, or both if these are equal. A passed block has
/// met every block that could hold its elements, and lists have no repetitions, so each common element is
/// counted once.
#[inline(always)]
fn common_by_eight<S: Simd>(simd: S, a: &[u64], b: &[u64], at_least: usize) -> Option<usize> {
    let (mut rest, mut common) = (Merge::new(a, b), 0);
    while let (Some(in_a), Some(in_b)) = (rest.a.first_chunk::<8>(), rest.b.first_chunk::<8>()) {
        // Even if all remaining elements were common, there would be too few.
        if common + rest.most() < at_least {
            return None;
        }
        let words = u64x8::load_array_ref(simd, in_a);
        let mut equal = words.simd_eq(in_b[0]);
        for &word in &in_b[1..] {
            equal |= words.simd_eq(word);
        }
        common += equal.to_bitmask().count_ones() as usize;
        let (last_a, last_b) = (in_a[7], in_b[7]);
        // Computed without branches, which would often be mispredicted.
        rest.a = &rest.a[8 * usize::from(last_a <= last_b)..];
        rest.b = &rest.b[8 * usize::from(last_b <= last_a)..];
    }
    let common = common + rest.finish();
    (common >= at_least).then_some(common)
}

/// [`common_at_least`], one element at a time, for processors without vectors of eight words.
fn common_singly(a: &[u64], b: &[u64], at_least: usize) -> Option<usize> {
    // Each step depends on the memory read of the step before. So the lower and the upper halves are scanned side by
    // side.
    let half = a.len() / 2;
    // The lists are cut at the same value, so a common element is on the same side in both.
    let cut = a
        .get(half)
        .map_or(0, |&middle| b.partition_point(|&other| other < middle));
    let (mut lower, mut upper) = (
        Merge::new(&a[..half], &b[..cut]),
        Merge::new(&a[half..], &b[cut..]),
    );
    loop {
        if lower.most() + upper.most() < at_least {
            return None;
        }
        // One half may end before the other, which then goes on alone.
        match (lower.ahead(), upper.ahead()) {
            (Some(mut low), Some(mut high)) => {
                for _ in 0..STEPS {
                    low.step();
                    high.step();
                }
                lower.pass(&low);
                upper.pass(&high);
            }
            (Some(mut ahead), None) => {
                (0..STEPS).for_each(|_| ahead.step());
                lower.pass(&ahead);
            }
            (None, Some(mut ahead)) => {
                (0..STEPS).for_each(|_| ahead.step());
                upper.pass(&ahead);
            }
            (None, None) => break,
        }
    }
    let common = lower.finish() + upper.finish();
    (common >= at_least).then_some(common)
}

/// The remaining parts of two sorted lists, and the number of common elements before them.
struct Merge<'l> {
    a: &'l [u64],
    b: &'l [u64],
    common: usize,
}

/// Steps through the fronts of two lists without branches, which would often be mispredicted.
struct Ahead<'l> {
    a: &'l [u64; STEPS],
    b: &'l [u64; STEPS],
    /// Number of elements of each list that were passed.
    passed: [usize; 2],
    common: usize,
}

impl<'l> Merge<'l> {
    fn new(a: &'l [u64], b: &'l [u64]) -> Self {
        Self { a, b, common: 0 }
    }

    /// Upper bound of the number of common elements.
    fn most(&self) -> usize {
        self.common + self.a.len().min(self.b.len())
    }

    /// The fronts of both lists, or `None` if one is too short for a round of steps.
    fn ahead(&self) -> Option<Ahead<'l>> {
        Some(Ahead {
            a: self.a.first_chunk()?,
            b: self.b.first_chunk()?,
            passed: [0; 2],
            common: 0,
        })
    }

    fn pass(&mut self, ahead: &Ahead<'l>) {
        self.a = &self.a[ahead.passed[0]..];
        self.b = &self.b[ahead.passed[1]..];
        self.common += ahead.common;
    }

    /// The total number of common elements.
    fn finish(mut self) -> usize {
        while let (Some((x, rest_a)), Some((y, rest_b))) = (self.a.split_first(), self.b.split_first()) {
            self.common += usize::from(x == y);
            self.a = if x <= y { rest_a } else { self.a };
            self.b = if y <= x { rest_b } else { self.b };
        }
        self.common
    }
}

impl Ahead<'_> {
    /// Passes the smaller of two elements, or both if they are equal. May be called up to `STEPS` times.
    #[inline(always)]
    fn step(&mut self) {
        let [a, b] = &mut self.passed;
        // The remainder changes no place, because at most `STEPS` - 1 steps came before; it lets the
        // compiler drop the bounds checks.
        let (x, y) = (self.a[*a % STEPS], self.b[*b % STEPS]);
        *a += usize::from(x <= y);
        *b += usize::from(y <= x);
        self.common += usize::from(x == y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::SplitMix64;

    #[test]
    fn common_elements_are_counted_and_given_up_in_time() {
        let mut random = SplitMix64::new(8);
        for size in (0..100).chain([300, 1000]) {
            for range in [1, 2, 5, 1000] {
                let mut list = || {
                    let length = random.number() % (size + 1);
                    let mut list: Vec<u64> = (0..length)
                        .map(|_| random.number() % (range * (size + 1)))
                        .collect();
                    list.sort_unstable();
                    list.dedup();
                    list
                };
                let (a, b) = (list(), list());
                let common = a.iter().filter(|x| b.binary_search(x).is_ok()).count();
                for at_least in [0, 1, common / 2, common, common + 1, a.len(), a.len() + 1] {
                    let expected = (at_least <= common).then_some(common);
                    assert_eq!(common_at_least(&a, &b, at_least), expected, "{a:?} and {b:?}");
                    assert_eq!(common_at_least(&b, &a, at_least), expected, "{b:?} and {a:?}");
                    assert_eq!(common_singly(&a, &b, at_least), expected, "{a:?} and {b:?}");
                }
            }
        }
    }
}
