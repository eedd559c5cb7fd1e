//! The distinct words of a document with their counts, and keys made of them.

use crate::numeric::narrow;
use crate::text::tokens::Tokens;

/// The distinct terms of a document in alphabetical order, with their counts.
pub(crate) struct Counted<'a> {
    pub(crate) terms: Vec<(&'a str, u32)>,
    /// Number of terms, repetitions included.
    pub(crate) length: usize,
}

impl<'a> Counted<'a> {
    pub(crate) fn new(document: &'a Tokens) -> Self {
        let mut all: Vec<&str> = document.iter().collect();
        // Alphabetical order makes weights and keys independent of the order of words.
        all.sort_unstable();
        let terms = all
            .chunk_by(|a, b| a == b)
            .map(|run| (run[0], narrow::to_u32(run.len())))
            .collect();
        Self {
            terms,
            length: all.len(),
        }
    }

    /// Each term with its weight, which `weight` computes from the term and its count.
    pub(crate) fn weigh(&self, weight: impl Fn(&str, f64) -> f64) -> Vec<(&'a str, f64)> {
        self.terms
            .iter()
            .map(|&(term, count)| (term, weight(term, f64::from(count))))
            .collect()
    }
}

/// Minimum number of distinct terms for which a document gets a signature.
const FEWEST: usize = 3;

/// The key of a document with these weighted terms: CRC-32 of the `count` heaviest ones, joined in alphabetical order,
/// so that the key does not depend on their ranks. Among equal weights the alphabetically first terms are taken. `None`
/// if there are fewer than 3 terms.
pub(crate) fn key_of_heaviest(weights: Vec<(&str, f64)>, count: u32) -> Option<u64> {
    let mut terms = heaviest(weights, count);
    if terms.len() < FEWEST {
        return None;
    }
    terms.sort_unstable();
    Some(checksum(&terms))
}

/// The `count` heaviest terms, heaviest first. `weights` must be in alphabetical order.
pub(crate) fn heaviest(mut weights: Vec<(&str, f64)>, count: u32) -> Vec<&str> {
    weights.sort_by(|a, b| b.1.total_cmp(&a.1)); // stable: ties stay alphabetical
    weights.truncate(count as usize);
    weights.into_iter().map(|(term, _)| term).collect()
}

/// CRC-32 of texts joined by one space.
pub(crate) fn checksum(texts: &[&str]) -> u64 {
    u64::from(crc32fast::hash(texts.join(" ").as_bytes()))
}

/// Frequency of a term that dampens repetitions and long documents, as in the comparison of Zelenkov and Segalovich
/// (2007):
/// `n / (2 (0.25 + 0.75 length / mean length) + n)`.
pub(crate) fn damped_frequency(count: f64, length: usize, mean_length: f64) -> f64 {
    count / (2.0 * (0.25 + 0.75 * length as f64 / mean_length) + count)
}
