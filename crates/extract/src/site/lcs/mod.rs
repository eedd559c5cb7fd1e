//! Longest common subsequences of two vectors.
//!
//! All algorithms give a longest one; where several are equally long, which of them may differ.

mod bit_parallel;
mod dynamic;
mod hunt_szymanski;
mod myers;
mod patience;

pub use bit_parallel::BitParallel;
pub use dynamic::Dynamic;
pub use hunt_szymanski::HuntSzymanski;
pub use myers::Myers;
pub use patience::patience;

/// Every algorithm.
pub static ALL: &[&dyn Lcs] = &[&HuntSzymanski, &Myers, &BitParallel, &Dynamic];

/// An algorithm that finds a longest common subsequence.
pub trait Lcs: Sync {
    /// Name as users type it.
    fn name(&self) -> &'static str;

    /// What it is good for, in one line.
    fn summary(&self) -> &'static str;

    /// Pairs of positions with equal elements, both rising, as many as there can be.
    fn pairs(&self, a: &[u32], b: &[u32]) -> Vec<(u32, u32)>;

    /// Their number.
    fn length(&self, a: &[u32], b: &[u32]) -> usize {
        self.pairs(a, b).len()
    }
}

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

#[cfg(test)]
mod tests;
