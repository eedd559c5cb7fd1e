//! Comparison of sets: sorted lists of numbers without repetitions.

/// Resemblance `|A ∩ B| / |A ∪ B|` of two sorted lists without repetitions; 1 if both are empty.
#[must_use]
pub fn resemblance(a: &[u64], b: &[u64]) -> f64 {
    let total = a.len() + b.len();
    if total == 0 {
        return 1.0;
    }
    let common = common_at_least(a, b, 0).unwrap_or(0);
    common as f64 / (total - common) as f64
}

/// `|A ∩ B| / |A|` of two sorted lists without repetitions: how much of `a` lies in `b`; 1 if `a` is empty.
#[must_use]
pub fn containment(a: &[u64], b: &[u64]) -> f64 {
    if a.is_empty() {
        return 1.0;
    }
    common_at_least(a, b, 0).unwrap_or(0) as f64 / a.len() as f64
}

/// Steps through two lists between two looks at how far they are.
const STEPS: usize = 16;

/// Number of common elements of two sorted lists without repetitions, or none once it is certain to stay below
/// `at_least`.
pub(crate) fn common_at_least(a: &[u64], b: &[u64], at_least: usize) -> Option<usize> {
    // How many elements of each list may still turn out to be its own.
    let mut spare_a = a.len().checked_sub(at_least)?;
    let mut spare_b = b.len().checked_sub(at_least)?;
    let (mut i, mut j) = (0, 0);
    // Steps without branches, so that nothing is guessed wrong; what was spent is seen after each round of them.
    while i + STEPS <= a.len() && j + STEPS <= b.len() {
        let (part_a, part_b) = (&a[i..i + STEPS], &b[j..j + STEPS]);
        let (mut k, mut l, mut own_a, mut own_b) = (0, 0, 0, 0);
        for _ in 0..STEPS {
            let (x, y) = (part_a[k], part_b[l]);
            own_a += usize::from(x < y);
            own_b += usize::from(y < x);
            k += usize::from(x <= y);
            l += usize::from(y <= x);
        }
        spare_a = spare_a.checked_sub(own_a)?;
        spare_b = spare_b.checked_sub(own_b)?;
        (i, j) = (i + k, j + l);
    }
    while let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) {
        if x < y {
            spare_a = spare_a.checked_sub(1)?;
            i += 1;
        } else if y < x {
            spare_b = spare_b.checked_sub(1)?;
            j += 1;
        } else {
            i += 1;
            j += 1;
        }
    }
    // Every element of `a` that was passed is either common or was taken from what it could spare.
    let own = a.len() - at_least - spare_a;
    Some(i - own).filter(|&common| common >= at_least)
}
