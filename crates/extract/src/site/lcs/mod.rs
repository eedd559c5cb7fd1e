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

/// Elements of the shorter vector up to which rows of bits are cheap to keep.
const SHORT: usize = 512;

/// The algorithm for two vectors, by their lengths and the pairs of equal elements: bit-parallel for short vectors full of
/// repeats, Hunt-Szymanski else. Myers needs vectors that differ little, which nobody knows beforehand; the lengths of ends
/// that agree hint at it.
pub fn choose(a: &[u32], b: &[u32]) -> &'static dyn Lcs {
    let shorter = a.len().min(b.len());
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let tail = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    if 10 * (head + tail).min(shorter) >= 9 * shorter && a.len().abs_diff(b.len()) * 10 <= shorter {
        return &Myers;
    }
    let matches = matching_pairs(a, b);
    let cells = a.len() as u64 * b.len() as u64;
    // Hunt-Szymanski does a binary search for each matching pair, bit-parallel a word operation for 64 cells.
    if shorter <= SHORT && matches.saturating_mul(8) > cells / 64 {
        &BitParallel
    } else {
        &HuntSzymanski
    }
}

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
