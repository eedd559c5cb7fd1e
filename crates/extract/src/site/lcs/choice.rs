//! Which algorithm suits two vectors.

use super::algorithm::Lcs;
use super::bit_parallel::BitParallel;
use super::hunt_szymanski::HuntSzymanski;
use super::myers::{self, Myers};

/// Elements of the shorter vector up to which bits are always cheap.
const SHORT: usize = 512;
/// Cells of the table up to which its bits are kept: 8 MiB.
const CELLS: u64 = 1 << 26;

/// The algorithm for two vectors. Myers if they differ in one element of eight at most, which is found out on the way and given up
/// early; of short vectors bit-parallel; of long ones that or Hunt-Szymanski, by the pairs of equal elements.
pub fn choose(a: &[u32], b: &[u32]) -> &'static dyn Lcs {
    let shorter = a.len().min(b.len());
    if myers::within(a, b, FEW + shorter.min(SHORT) / 8) {
        return &Myers;
    }
    if shorter <= SHORT {
        return &BitParallel;
    }
    let cells = a.len() as u64 * b.len() as u64;
    // Hunt-Szymanski does a binary search for each matching pair, bit-parallel a word operation for 64 cells.
    if cells <= CELLS && matching_pairs(a, b).saturating_mul(8) > cells / 64 {
        &BitParallel
    } else {
        &HuntSzymanski
    }
}

/// Differences that are few whatever the length.
const FEW: usize = 2;

/// Pairs of positions with equal elements: `r` in the cost of Hunt and Szymanski.
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
