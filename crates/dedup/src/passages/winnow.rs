//! Winnowing (Schleimer, Wilkerson, Aiken, SIGMOD 2003): selects positions of a text that depend on the
//! words around them alone, so that equal runs have the same selected positions.

use crate::numeric::random::mix;

/// Parameters that find runs of at least a given length: hashes cover `width` tokens, and one hash of each
/// window of `window` is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Winnowing {
    /// Tokens that a hash covers: a third of the run. With fewer tokens, more hashes are equal by chance;
    /// with more, more positions are selected.
    pub(crate) width: usize,
    /// Hashes in a window. A run of `width + window - 1` tokens contains a whole window.
    pub(crate) window: usize,
}

impl Winnowing {
    /// Returns the parameters for runs of at least `tokens` tokens, 1 or more.
    pub(crate) fn for_runs(tokens: u32) -> Self {
        let tokens = (tokens as usize).max(1);
        let width = tokens.div_ceil(3);
        // `width + window - 1` is `tokens`: every run of this length contains a whole window of hashes.
        Self {
            width,
            window: tokens - width + 1,
        }
    }

    /// Tokens of the shortest run that is certainly found.
    pub(crate) fn least_run(self) -> usize {
        self.width + self.window - 1
    }

    /// Number of tokens after a selected position that decide the next one, if the text has that many.
    pub(crate) fn horizon(self) -> usize {
        self.width + self.window
    }

    /// Calls `visit` with each selected position of a text and its hash, ascending. A text shorter than the
    /// shortest run has no selected position.
    pub(crate) fn each(self, tokens: &[u64], scratch: &mut Vec<u64>, mut visit: impl FnMut(usize, u64)) {
        scratch.clear();
        if tokens.len() >= self.least_run() {
            each_hash(tokens, self.width, |_, hash| scratch.push(hash));
            each_minimum(scratch, self.window, &mut visit);
        }
    }
}

/// Calls `visit` with the start and the hash of each run of `width` tokens. Does nothing if there are fewer
/// tokens, or if `width` is 0.
pub(crate) fn each_hash(tokens: &[u64], width: usize, mut visit: impl FnMut(usize, u64)) {
    // A polynomial modulo 2^64. Two different runs of equal hash only cost a comparison: equality is
    // decided on the tokens.
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    if width == 0 || tokens.len() < width {
        return;
    }
    // The factor of the token that leaves: `BASE` to the power of `width - 1`.
    let leading = (1..width).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut sum = 0_u64;
    for (place, token) in tokens.iter().enumerate() {
        if place >= width {
            // Removes the token that leaves before the sum is multiplied.
            sum = sum.wrapping_sub(tokens[place - width].wrapping_mul(leading));
        }
        sum = sum.wrapping_mul(BASE).wrapping_add(*token);
        if place + 1 >= width {
            visit(place + 1 - width, mix(sum));
        }
    }
}

/// Calls `visit` once for each position that has the smallest hash of a window of `window` hashes, the
/// rightmost position if several have it. Fewer hashes than `window` form one window.
fn each_minimum(hashes: &[u64], window: usize, visit: &mut impl FnMut(usize, u64)) {
    let mut least: Option<usize> = None;
    let mut told = None;
    for end in 0..hashes.len() {
        let start = (end + 1).saturating_sub(window);
        least = match least {
            // Of equal hashes the rightmost is selected, as in the paper.
            Some(place) if place >= start => Some(if hashes[end] <= hashes[place] { end } else { place }),
            // The minimum has left the window: search the whole window again. This happens each time a
            // minimum leaves, so a position is looked at twice on average, and `window` times at most.
            _ => (start..=end).rev().min_by_key(|place| hashes[*place]),
        };
        let is_whole = end + 1 >= window || end + 1 == hashes.len();
        // A minimum is reported once, although several windows have it.
        if let Some(place) = least.filter(|place| is_whole && told != Some(*place)) {
            visit(place, hashes[place]);
            told = Some(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_examples::{example, numbers};

    #[test]
    fn the_worked_example_selects_these() {
        let example = example("winnowing");
        let mut found = Vec::new();
        let window = example["params"]["w"].as_u64().unwrap() as usize;
        each_minimum(&numbers(&example["input"]), window, &mut |place, hash| {
            found.push(vec![place as u64, hash]);
        });
        let expected: Vec<Vec<u64>> = example["expected"]
            .as_array()
            .unwrap()
            .iter()
            .map(numbers)
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn windows_add_up_to_the_run() {
        for tokens in 1..200 {
            let winnowing = Winnowing::for_runs(tokens);
            assert_eq!(winnowing.least_run(), tokens as usize);
            assert!(winnowing.width >= 1 && winnowing.window >= 1);
        }
    }
}
