//! `bit-parallel`: 64 cells of the table at a time.

use std::collections::BTreeMap;

use dehusk_html::narrow;

use super::algorithm::Lcs;

/// Crochemore, Iliopoulos, Pinzon, Reid, "A fast and practical bit-vector algorithm for the longest common
/// subsequence problem", 2001, in the form of Hyyrö, 2004: a row of the table is a vector of bits, zero where
/// the length grows. O(nm/64) time. The pairs need all rows (nm/8 bytes), the length only one.
pub struct BitParallel;

impl BitParallel {
    /// Calls `keep` with the row of each prefix of `b`.
    fn rows(a: &[u32], b: &[u32], keep: &mut dyn FnMut(&[u64])) {
        let words = a.len().div_ceil(64);
        let mut masks: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for (i, x) in a.iter().enumerate() {
            masks.entry(*x).or_insert_with(|| vec![0; words])[i / 64] |= 1 << (i % 64);
        }
        let mut row = vec![u64::MAX; words];
        for y in b {
            if let Some(mask) = masks.get(y) {
                // One addition over the whole row: the carry runs from word to word.
                let mut carry = false;
                for (v, m) in row.iter_mut().zip(mask) {
                    // V becomes (V + (V & M)) | (V & !M).
                    let u = *v & m;
                    let (sum, over) = v.overflowing_add(u);
                    let (sum, more) = sum.overflowing_add(u64::from(carry));
                    carry = over || more;
                    *v = sum | (*v & !m);
                }
            }
            keep(&row);
        }
    }
}

/// Number of zeros among the first `n` bits.
fn zeros(row: &[u64], n: usize) -> usize {
    let count = |(i, word): (usize, &u64)| {
        let used = (n - 64 * i).min(64);
        let mask = if used == 64 { u64::MAX } else { (1 << used) - 1 };
        (!word & mask).count_ones() as usize
    };
    row.iter().enumerate().map(count).sum()
}

impl Lcs for BitParallel {
    fn name(&self) -> &'static str {
        "bit-parallel"
    }

    fn summary(&self) -> &'static str {
        "64 cells of the table at once (2001, 2004): for short vectors with many repeats, O(nm/64)"
    }

    fn pairs(&self, a: &[u32], b: &[u32]) -> Vec<(u32, u32)> {
        let words = a.len().div_ceil(64);
        let mut rows: Vec<u64> = Vec::with_capacity(words * b.len());
        Self::rows(a, b, &mut |row| rows.extend_from_slice(row));
        // Backwards from the end. A zero bit means that the common subsequence grows at this element of `a`.
        let grows = |j: usize, i: usize| (rows[j * words + i / 64] >> (i % 64)) & 1 == 0;
        let (mut i, mut j, mut out) = (a.len(), b.len(), Vec::new());
        while i > 0 && j > 0 {
            if a[i - 1] == b[j - 1] {
                (i, j) = (i - 1, j - 1);
                out.push((narrow::to_u32(i), narrow::to_u32(j)));
            } else if grows(j - 1, i - 1) {
                j -= 1;
            } else {
                i -= 1;
            }
        }
        out.reverse();
        out
    }

    fn length(&self, a: &[u32], b: &[u32]) -> usize {
        let mut out = 0;
        Self::rows(a, b, &mut |row| out = zeros(row, a.len()));
        out
    }
}
