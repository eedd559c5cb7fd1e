//! SimHash by hyperplanes over a small vector of counts.

use std::sync::Arc;

use crate::numeric::random::SplitMix64;
use crate::sign::estimate::cosine_of_bits;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Context, Document};

/// Positions of the vector of a document.
const POSITIONS: usize = 37;

/// Bases of the polynomial hashes of a word.
const BASES: [u64; 4] = [31, 37, 41, 43];

/// Seed of the hyperplanes.
const SEED: u64 = 7;

/// A SimHash over a vector of 37 counts: every word adds, for three pairs of polynomial hashes, a number from -5 to 5 at a
/// position; a bit is set if the vector lies on the positive side of one of 64 hyperplanes with coordinates from -100 to
/// 100.
///
/// The hash of a word is `Σ (c_i - 'a' + 1) · base^i mod 2^64` over its Unicode scalar values. Words of any number share
/// 37 positions, so long documents are told apart less well than by [`SimHash`](super::SimHash).
///
/// Survives reordering and small edits. Costs four hashes per word and 64 · 37 products; a signature is one word.
#[derive(Clone, Debug)]
pub struct SimHashHyperplane;

impl SimHashHyperplane {
    /// The polynomial hash of a word.
    #[must_use]
    pub fn polynomial(word: &str, base: u64) -> u64 {
        let terms = word.chars().scan(1_u64, |power, letter| {
            let number = u64::from(u32::from(letter))
                .wrapping_sub(u64::from(u32::from('a')))
                .wrapping_add(1);
            let term = number.wrapping_mul(*power);
            *power = power.wrapping_mul(base);
            Some(term)
        });
        terms.fold(0, u64::wrapping_add)
    }

    /// The vector of a document.
    pub fn vector<'a>(words: impl Iterator<Item = &'a str>) -> [i64; POSITIONS] {
        let mut vector = [0_i64; POSITIONS];
        for word in words {
            let hashes = BASES.map(|base| Self::polynomial(word, base));
            for pair in hashes.windows(2) {
                vector[(pair[0] % POSITIONS as u64) as usize] += (pair[1] % 11) as i64 - 5;
            }
        }
        vector
    }

    /// Hyperplanes, drawn row by row.
    fn planes() -> Vec<[i64; POSITIONS]> {
        let mut random = SplitMix64::new(SEED);
        (0..64)
            .map(|_| std::array::from_fn(|_| (random.number() % 201) as i64 - 100))
            .collect()
    }

    fn bits(vector: &[i64; POSITIONS], planes: &[[i64; POSITIONS]]) -> u64 {
        let positive =
            |plane: &[i64; POSITIONS]| vector.iter().zip(plane).map(|(a, b)| a * b).sum::<i64>() > 0;
        planes
            .iter()
            .enumerate()
            .fold(0, |bits, (bit, plane)| bits | u64::from(positive(plane)) << bit)
    }
}

impl Strategy for SimHashHyperplane {
    fn name(&self) -> &'static str {
        "simhash-hyperplane"
    }

    fn summary(&self) -> &'static str {
        "64 bits: sides of hyperplanes that a vector of 37 counts lies on"
    }
}

impl Method for SimHashHyperplane {
    fn form(&self) -> Form {
        Form::Bits
    }

    fn shared(&self) -> Arc<dyn Method> {
        Arc::new(self.clone())
    }

    fn signer(&self, _: &Context) -> Result<Box<dyn Signer>, BuildError> {
        Ok(Box::new(Ready {
            planes: Self::planes(),
        }))
    }
}

struct Ready {
    planes: Vec<[i64; POSITIONS]>,
}

impl Signer for Ready {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        if !document.terms.is_empty() {
            out.push(SimHashHyperplane::bits(
                &SimHashHyperplane::vector(document.terms.iter()),
                &self.planes,
            ));
        }
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        cosine_of_bits(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_examples::{example, text};

    #[test]
    fn vector_and_bits_of_the_example() {
        let seed = example("seed_hyperplane_simhash");
        let expected = &seed["expected"];
        assert_eq!(
            SimHashHyperplane::polynomial("abc", 31),
            expected["polyhash_abc_31"].as_u64().unwrap()
        );
        let words: Vec<&str> = seed["input"]["words"]
            .as_array()
            .unwrap()
            .iter()
            .map(text)
            .collect();
        let vector = SimHashHyperplane::vector(words.iter().copied());
        for (position, value) in vector.iter().enumerate() {
            let expected = expected["nonzero"]
                .get(position.to_string())
                .and_then(serde_json::Value::as_i64);
            assert_eq!(*value, expected.unwrap_or(0));
        }
        let planes = SimHashHyperplane::planes();
        for (plane, expected) in planes.iter().zip(seed["input"]["planes"].as_array().unwrap()) {
            assert_eq!(serde_json::json!(plane.to_vec()), *expected);
        }
        let bits = SimHashHyperplane::bits(&vector, &planes);
        for (bit, expected) in expected["bits"].as_array().unwrap().iter().enumerate() {
            assert_eq!(bits >> bit & 1, expected.as_u64().unwrap());
        }
    }
}
