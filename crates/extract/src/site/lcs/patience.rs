//! Patience: only elements that occur exactly once in both vectors.

use std::collections::BTreeMap;

/// Returns pairs of a common subsequence of the elements that occur once in each vector: the longest ascending run of their positions (Cohen's
/// patience diff). O(n log n). The result is not always a longest common subsequence, so it serves as a filter only.
pub fn patience(a: &[u32], b: &[u32]) -> Vec<(u32, u32)> {
    let once = |of: &[u32]| -> BTreeMap<u32, Option<u32>> {
        let mut out = BTreeMap::new();
        for (i, x) in (0..).zip(of) {
            out.entry(*x).and_modify(|place| *place = None).or_insert(Some(i));
        }
        out
    };
    let (in_a, in_b) = (once(a), once(b));
    let unique = (0_u32..)
        .zip(a)
        .filter(|(_, x)| in_a.get(x).is_some_and(Option::is_some));
    let pairs: Vec<(u32, u32)> = unique
        .filter_map(|(i, x)| in_b.get(x).copied().flatten().map(|j| (i, j)))
        .collect();
    // Longest ascending subsequence of the positions in the second vector.
    let (mut ends, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
    for (p, &(_, j)) in pairs.iter().enumerate() {
        let k = ends.partition_point(|&end| pairs[end].1 < j);
        before.push(k.checked_sub(1).map(|k| ends[k]));
        if k == ends.len() {
            ends.push(p);
        } else {
            ends[k] = p;
        }
    }
    let mut out = Vec::new();
    let mut at = ends.last().copied();
    while let Some(p) = at {
        out.push(pairs[p]);
        at = before[p];
    }
    out.reverse();
    out
}
