//! `hunt-szymanski`: by the pairs of equal elements.

use std::collections::BTreeMap;

use super::algorithm::Lcs;

/// Hunt, Szymanski, "A fast algorithm for computing longest common subsequences", 1977: keeps, for each
/// length, the smallest end in the second vector, and linked lists of the pairs that lead there. O((r + n)
/// log n) time for r pairs of equal elements, O(r) memory in the worst case.
pub struct HuntSzymanski;

impl Lcs for HuntSzymanski {
    fn name(&self) -> &'static str {
        "hunt-szymanski"
    }

    fn summary(&self) -> &'static str {
        "by pairs of equal elements (1977): for vectors of many distinct ones, O((r + n) log n)"
    }

    fn pairs(&self, a: &[u32], b: &[u32]) -> Vec<(u32, u32)> {
        let mut places: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (j, x) in (0..).zip(b) {
            places.entry(*x).or_default().push(j);
        }
        // ends[k]: smallest position at which a common subsequence of length k + 1 ends; links[k]: the last of its pairs.
        let (mut ends, mut links): (Vec<u32>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut chain: Vec<(u32, u32, Option<usize>)> = Vec::new();
        for (i, x) in (0..).zip(a) {
            // From the last position to the first, so that an element of `a` is used only once.
            for &j in places.get(x).into_iter().flatten().rev() {
                let k = ends.partition_point(|&end| end < j);
                // Another way to the same end gains nothing.
                if ends.get(k) == Some(&j) {
                    continue;
                }
                let before = k.checked_sub(1).map(|k| links[k]);
                chain.push((i, j, before));
                let link = chain.len() - 1;
                if k == ends.len() {
                    ends.push(j);
                    links.push(link);
                } else {
                    (ends[k], links[k]) = (j, link);
                }
            }
        }
        let mut out = Vec::with_capacity(ends.len());
        let mut at = links.last().copied();
        while let Some(link) = at {
            let (i, j, before) = chain[link];
            out.push((i, j));
            at = before;
        }
        out.reverse();
        out
    }
}
