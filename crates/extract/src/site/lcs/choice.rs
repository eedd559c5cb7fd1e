//! Selection of an algorithm for two vectors.

use super::algorithm::Lcs;
use super::bit_parallel::BitParallel;
use super::hunt_szymanski::HuntSzymanski;
use super::myers::{self, Myers};

/// Maximum length of the shorter vector for which bit-parallel is always chosen over Hunt-Szymanski.
const MAX_SHORT: usize = 512;
/// Maximum number of table cells for bit-parallel. Their bits take 8 MiB.
const MAX_CELLS: u64 = 1 << 26;

/// Returns an algorithm for two vectors. Myers is chosen if they differ in at most one of eight elements, which a bounded search tests. Otherwise
/// bit-parallel is chosen for short vectors, and bit-parallel or Hunt-Szymanski for long ones, by the number of matching pairs.
pub fn choose(a: &[u32], b: &[u32]) -> &'static dyn Lcs {
    let shorter = a.len().min(b.len());
    if myers::within(a, b, MIN_DIFFERENCES + shorter.min(MAX_SHORT) / 8) {
        return &Myers;
    }
    if shorter <= MAX_SHORT {
        return &BitParallel;
    }
    let cells = a.len() as u64 * b.len() as u64;
    // Hunt-Szymanski does a binary search for each matching pair, bit-parallel a word operation for 64 cells.
    if cells <= MAX_CELLS && matching_pairs(a, b).saturating_mul(8) > cells / 64 {
        &BitParallel
    } else {
        &HuntSzymanski
    }
}

/// Number of differences that counts as small for vectors of any length.
const MIN_DIFFERENCES: usize = 2;

/// Returns the number of pairs of positions with equal elements: `r` in the cost of Hunt and Szymanski.
pub fn matching_pairs(a: &[u32], b: &[u32]) -> u64 {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    a.sort_unstable();
    b.sort_unstable();
    let (mut i, mut j, mut out) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        if a[i] < b[j] {
            i += 1;
        } else if a[i] > b[j] {
            j += 1;
        } else {
            let run = |of: &[u32], from: usize| of[from..].iter().take_while(|x| **x == of[from]).count();
            let (n, m) = (run(&a, i), run(&b, j));
            out += n as u64 * m as u64;
            i += n;
            j += m;
        }
    }
    out
}
