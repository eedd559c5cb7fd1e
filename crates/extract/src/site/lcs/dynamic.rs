//! `dynamic`: the reference for the other algorithms.

use dehusk_html::narrow;

use super::algorithm::Lcs;

/// Dynamic programming over all prefixes (Wagner, Fischer, "The string-to-string correction problem", 1974), here over suffixes, with a walk forward
/// that prefers to advance in the first vector. O(nm) time and memory.
pub struct Dynamic;

impl Lcs for Dynamic {
    fn name(&self) -> &'static str {
        "dynamic"
    }

    fn summary(&self) -> &'static str {
        "dynamic programming (Wagner, Fischer 1974): reference, O(nm) time and memory"
    }

    fn pairs(&self, a: &[u32], b: &[u32]) -> Vec<(u32, u32)> {
        let width = b.len() + 1;
        let mut table = vec![0_u32; (a.len() + 1) * width];
        for i in (0..a.len()).rev() {
            for j in (0..b.len()).rev() {
                table[i * width + j] = if a[i] == b[j] {
                    table[(i + 1) * width + j + 1] + 1
                } else {
                    table[(i + 1) * width + j].max(table[i * width + j + 1])
                };
            }
        }
        let (mut i, mut j, mut out) = (0, 0, Vec::new());
        while i < a.len() && j < b.len() {
            if a[i] == b[j] {
                out.push((narrow::to_u32(i), narrow::to_u32(j)));
                (i, j) = (i + 1, j + 1);
            } else if table[(i + 1) * width + j] >= table[i * width + j + 1] {
                i += 1;
            } else {
                j += 1;
            }
        }
        out
    }
}
