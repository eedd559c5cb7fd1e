//! SimHash by hyperplanes over a small vector of counts.

use crate::numeric::narrow;
use crate::numeric::random::SplitMix64;
use crate::sign::hyperplanes::Hyperplanes;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::Context;

/// Dimensions of the vector of a document.
const POSITIONS: usize = 37;

/// Bases of the polynomial hashes of a word.
const BASES: [u64; 4] = [31, 37, 41, 43];

/// Seed of the hyperplanes.
const SEED: u64 = 7;

/// A SimHash over a vector of 37 counts. For three pairs of polynomial hashes, every word adds a number from -5 to 5 at
/// a position. A bit is set if the vector lies on the positive side of one of 64 hyperplanes, whose normals have
/// coordinates from -100 to 100.
///
/// The hash of a word is `Σ (c_i - 'a' + 1) · base^i mod 2^64` over its Unicode scalar values. All words share 37
/// positions, so long documents are distinguished less well than by [`SimHash`](super::SimHash).
///
/// Survives reordering and small edits. Costs four hashes per word and 64 · 37 products; a signature is one word.
#[derive(Clone, Debug)]
pub struct SimHashHyperplane;

impl SimHashHyperplane {
    /// The polynomial hash of a word in this base.
    #[must_use]
    pub fn polynomial(word: &str, base: u64) -> u64 {
        // The first character has the lowest power. All arithmetic wraps around, also for characters before
        // `a`.
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

    fn hyperplanes() -> Hyperplanes<POSITIONS> {
        let mut random = SplitMix64::new(SEED);
        let mut coordinate = |_| (random.number() % 201) as f64 - 100.0;
        Hyperplanes {
            // The order of draws fixes the planes: all coordinates of a plane before the next plane.
            planes: (0..64).map(|_| std::array::from_fn(&mut coordinate)).collect(),
            add: |vector, word| {
                let hashes = BASES.map(|base| Self::polynomial(word, base));
                // Each pair of neighboring hashes gives a position by the first and a number by the second.
                for pair in hashes.windows(2) {
                    vector[narrow::to_usize(pair[0] % POSITIONS as u64)] += (pair[1] % 11) as i64 - 5;
                }
            },
        }
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

    fn signer(&self, _: &Context) -> Result<Box<dyn Signer>, BuildError> {
        Ok(Box::new(Self::hyperplanes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_examples::{example, list, text};

    #[test]
    fn vector_and_bits_of_the_example() {
        let seed = example("seed_hyperplane_simhash");
        let expected = &seed["expected"];
        assert_eq!(
            SimHashHyperplane::polynomial("abc", 31),
            expected["polyhash_abc_31"].as_u64().unwrap()
        );
        let words: Vec<&str> = list(&seed["input"]["words"]).iter().map(text).collect();
        let hyperplanes = SimHashHyperplane::hyperplanes();
        let vector = hyperplanes.vector(words.iter().copied());
        for (position, value) in vector.iter().enumerate() {
            let expected = expected["nonzero"]
                .get(position.to_string())
                .and_then(serde_json::Value::as_i64);
            assert_eq!(*value, expected.unwrap_or(0));
        }
        for (plane, expected) in hyperplanes.planes.iter().zip(list(&seed["input"]["planes"])) {
            let plane: Vec<i64> = plane.iter().map(|number| *number as i64).collect();
            assert_eq!(serde_json::json!(plane), *expected);
        }
        let bits = hyperplanes.bits(&vector);
        for (bit, expected) in list(&expected["bits"]).iter().enumerate() {
            assert_eq!(bits >> bit & 1, expected.as_u64().unwrap());
        }
    }
}
