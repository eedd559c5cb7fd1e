//! The longest common subsequence of two sequences of words.

use std::collections::HashMap;

/// The places of a word in a sequence: numbers of 64-bit blocks, ascending, and the bits in each.
type Places = Vec<(usize, u64)>;

/// Returns the length of the longest common subsequence.
///
/// Bit-parallel (Hyyrö, "Bit-parallel LCS-length computation revisited", AWOCA 2004): one bit per word of
/// the shorter sequence, one addition per word of the longer. Only blocks that contain the word, and blocks
/// that a carry reaches, are processed.
pub(super) fn length(a: &[u32], b: &[u32]) -> usize {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut places: HashMap<u32, Places> = HashMap::new();
    // Positions ascend, so a word's blocks are in order and its last block is the only one that can get
    // another bit.
    for (at, word) in short.iter().enumerate() {
        let (block, bit) = (at / 64, 1 << (at % 64));
        let places = places.entry(*word).or_default();
        match places.last_mut() {
            Some((last, bits)) if *last == block => *bits |= bit,
            _ => places.push((block, bit)),
        }
    }
    // A zero bit stands for one more word of the subsequence up to this position. All bits are 1 at first.
    let mut row = vec![u64::MAX; short.len().div_ceil(64)];
    for word in long {
        // A word that the shorter sequence lacks changes no bit.
        let Some(places) = places.get(word) else { continue };
        let mut carry = false;
        let mut next = 0;
        for &(block, bits) in places {
            // Without a carry, a block without the word stays as it is: `step` with `hit` 0 would not
            // change it.
            while carry && next < block {
                carry = step(&mut row[next], 0, carry);
                next += 1;
            }
            carry = step(&mut row[block], bits, carry);
            next = block + 1;
        }
        while carry && next < row.len() {
            carry = step(&mut row[next], 0, carry);
            next += 1;
        }
    }
    // In the last block, bits beyond the end of the sequence may have been cleared by a carry; they are
    // ignored.
    let zeros = row.iter().enumerate().map(|(block, bits)| {
        let used = short.len() - block * 64;
        let used = if used < 64 { (1 << used) - 1 } else { u64::MAX };
        (!bits & used).count_ones() as usize
    });
    zeros.sum()
}

/// Computes one block of `row = (row + (row & hit)) | (row & !hit)`. Returns the carry out of it.
fn step(row: &mut u64, hit: u64, carry: bool) -> bool {
    // At most one of the two additions overflows, so the carry is at most 1.
    let (sum, first) = row.overflowing_add(*row & hit);
    let (sum, second) = sum.overflowing_add(u64::from(carry));
    *row = sum | (*row & !hit);
    first || second
}

#[cfg(test)]
mod tests {
    use dehusk_pipeline::dedup::SplitMix64;

    use super::*;

    /// Returns the length by Wagner and Fischer's table.
    fn by_table(a: &[u32], b: &[u32]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    #[test]
    fn equals_the_table() {
        let mut random = SplitMix64::new(7);
        let mut below = |n: u64| random.number() % n;
        for round in 0..400 {
            let words = [2, 5, 40, 400][round % 4];
            let mut sequence = |most: u64| -> Vec<u32> {
                let len = below(most);
                (0..len).map(|_| u32::try_from(below(words)).unwrap()).collect()
            };
            let (a, b) = (sequence(300), sequence(300));
            assert_eq!(length(&a, &b), by_table(&a, &b), "{a:?} {b:?}");
            assert_eq!(length(&a, &a), a.len());
        }
    }

    #[test]
    fn ends_of_blocks() {
        for n in [0, 1, 63, 64, 65, 127, 128, 129] {
            let all: Vec<u32> = (0..n).collect();
            let same = vec![1; all.len()];
            assert_eq!(length(&all, &all), all.len());
            assert_eq!(length(&same, &same), all.len());
            assert_eq!(length(&all, &[]), 0);
        }
    }
}
