//! `myers`: by the differences.

use dehusk_html::narrow;

use super::algorithm::Lcs;

/// Myers, "An O(ND) difference algorithm and its variations", 1986, with the middle snake: O((n + m) D) time
/// for D differences, memory linear in n + m. The halves are kept on an explicit stack, without recursion.
pub struct Myers;

impl Lcs for Myers {
    fn name(&self) -> &'static str {
        "myers"
    }

    fn summary(&self) -> &'static str {
        "by differences, linear memory (1986): for vectors that differ little, O((n + m) D)"
    }

    fn pairs(&self, a: &[u32], b: &[u32]) -> Vec<(u32, u32)> {
        let mut out = Vec::new();
        // Stack of ranges that remain to be compared, the leftmost on top.
        let mut open = vec![(0, a.len(), 0, b.len())];
        while let Some((mut a0, mut a1, mut b0, mut b1)) = open.pop() {
            while a0 < a1 && b0 < b1 && a[a0] == b[b0] {
                out.push((narrow::to_u32(a0), narrow::to_u32(b0)));
                (a0, b0) = (a0 + 1, b0 + 1);
            }
            while a0 < a1 && b0 < b1 && a[a1 - 1] == b[b1 - 1] {
                (a1, b1) = (a1 - 1, b1 - 1);
                out.push((narrow::to_u32(a1), narrow::to_u32(b1)));
            }
            if a0 == a1 || b0 == b1 {
                continue;
            }
            let (x, y) = middle(&a[a0..a1], &b[b0..b1]);
            // Both ranges are smaller than this one, since the point is neither of its ends.
            open.push((a0 + x, a1, b0 + y, b1));
            open.push((a0, a0 + x, b0, b0 + y));
        }
        // Common prefixes and suffixes are found before the middle, so the pairs must be sorted.
        out.sort_unstable();
        out
    }
}

/// Returns whether two vectors differ in at most `most` elements, counting insertions and deletions. O(n + m + most²) time.
pub(super) fn within(a: &[u32], b: &[u32], most: usize) -> bool {
    if a.len().abs_diff(b.len()) > most {
        return false;
    }
    let size = (a.len() as isize, b.len() as isize);
    let (n, m) = size;
    let offset = most as isize + 1;
    let mut ways = vec![UNREACHED; 2 * offset as usize + 1];
    for d in 0..=most as isize {
        // With `d` differences only diagonals of the parity of `d` are reached.
        for k in (-d..=d).step_by(2) {
            let x = step(&ways, offset, (d, k), size, |x, y| a[x as usize] == b[y as usize]);
            if (x, x - k) == (n, m) {
                return true;
            }
            ways[(k + offset) as usize] = x;
        }
    }
    false
}

/// End of a diagonal that no path has reached.
const UNREACHED: isize = isize::MIN / 2;

/// Returns the furthest point of diagonal `k` after one more difference and the equal elements that follow
/// it, as a position in the first vector. `same` compares elements; `n` and `m` are the lengths.
fn step(
    ways: &[isize],
    offset: isize,
    (d, k): (isize, isize),
    (n, m): (isize, isize),
    same: impl Fn(isize, isize) -> bool,
) -> isize {
    let at = |k: isize| ways[(k + offset) as usize];
    // Without a difference the path begins at the origin.
    let down = if d == 0 { 0 } else { at(k + 1) };
    let right = at(k - 1) + 1;
    // Points outside the table are unreachable.
    let down = if down >= 0 && down - k <= m {
        down
    } else {
        UNREACHED
    };
    let right = if d > 0 && (1..=n).contains(&right) && right >= k {
        right
    } else {
        UNREACHED
    };
    let mut x = down.max(right);
    while x >= 0 && x < n && x - k < m && same(x, x - k) {
        x += 1;
    }
    x
}

/// Returns a point on a shortest edit path, other than its ends, where the searches from both ends meet. The
/// vectors must differ in their first and in their last elements, so that there are at least two differences.
fn middle(a: &[u32], b: &[u32]) -> (usize, usize) {
    let size = (a.len() as isize, b.len() as isize);
    let (n, m) = size;
    let delta = n - m;
    // If the difference of the lengths is odd, the searches meet after a step forward, otherwise after a step
    // back.
    let odd = delta % 2 != 0;
    let most = (n + m + 1) / 2;
    let offset = most + 1;
    let (mut forth, mut back) = (
        vec![UNREACHED; 2 * offset as usize + 1],
        vec![UNREACHED; 2 * offset as usize + 1],
    );
    let at = |k: isize| (k + offset) as usize;
    for d in 0..=most {
        for k in (-d..=d).step_by(2) {
            let x = step(&forth, offset, (d, k), size, |x, y| {
                a[x as usize] == b[y as usize]
            });
            forth[at(k)] = x;
            let other = delta - k;
            if odd && other.abs() < d && x + back[at(other)] >= n {
                return (x as usize, (x - k) as usize);
            }
        }
        for k in (-d..=d).step_by(2) {
            let x = step(&back, offset, (d, k), size, |x, y| {
                a[(n - 1 - x) as usize] == b[(m - 1 - y) as usize]
            });
            back[at(k)] = x;
            let other = delta - k;
            if !odd && other.abs() <= d && x + forth[at(other)] >= n {
                return ((n - x) as usize, (m - (x - k)) as usize);
            }
        }
    }
    // Unreachable: the searches meet after half of all differences.
    (a.len() / 2, b.len() / 2)
}
