//! SimHash by evenly spread hyperplanes over bits of MD5.

use md5::{Digest, Md5};

use crate::sign::hyperplanes::Hyperplanes;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::Context;

/// Number of MD5 bits of a word that are used, most significant bit of the first byte first.
const POSITIONS: usize = 42;

/// 64 unit vectors in 42 dimensions, spread by [`repel`](crate::repel). `cargo xtask planes` writes the file.
const PLANES: &str = include_str!("../../../data/repelled-64x42.txt");

/// A SimHash over sums of MD5 bits. Every word adds 1 at each of 42 positions where its MD5 has a set bit and -1 at the
/// others. A bit of the signature is set if the sums lie on the positive side of one of 64 hyperplanes.
/// The hyperplanes were pushed apart like charges on a sphere, each repelling the others and their opposites, so that
/// no two bits are nearly equivalent.
///
/// Survives reordering and small edits. Costs MD5 of every word and 64 · 42 products; a signature is one word.
#[derive(Clone, Debug)]
pub struct SimHashRepelled;

impl SimHashRepelled {
    /// The first bits of the MD5 of a word, as 1 and -1.
    fn signs(word: &str) -> [i64; POSITIONS] {
        let digest: [u8; 16] = Md5::digest(word.as_bytes()).into();
        std::array::from_fn(|bit| {
            if digest[bit / 8] >> (7 - bit % 8) & 1 == 1 {
                1
            } else {
                -1
            }
        })
    }

    fn hyperplanes() -> Hyperplanes<POSITIONS> {
        // A missing or malformed number becomes 0; the test that each plane has unit length would then fail.
        let plane = |line: &str| {
            let mut numbers = line.split(' ').map(|number| number.parse().unwrap_or(0.0));
            std::array::from_fn(|_| numbers.next().unwrap_or(0.0))
        };
        Hyperplanes {
            planes: PLANES.lines().map(plane).collect(),
            add: |vector, word| {
                for (sum, sign) in vector.iter_mut().zip(Self::signs(word)) {
                    *sum += sign;
                }
            },
        }
    }
}

impl Strategy for SimHashRepelled {
    fn name(&self) -> &'static str {
        "simhash-repelled"
    }

    fn summary(&self) -> &'static str {
        "64 bits: sides of evenly spread hyperplanes that sums of MD5 bits lie on"
    }
}

impl Method for SimHashRepelled {
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
    fn vector_of_the_example() {
        let seed = example("seed_md5_fingerprint");
        let bits: String = SimHashRepelled::signs("the")
            .iter()
            .map(|sign| if *sign > 0 { '1' } else { '0' })
            .collect();
        assert_eq!(bits, text(&seed["expected"]["md5bits_the"]));
        let words = list(&seed["input"]).iter().map(text);
        assert_eq!(
            serde_json::json!(SimHashRepelled::hyperplanes().vector(words).to_vec()),
            seed["expected"]["fingerprint"]
        );
    }

    #[test]
    fn planes_are_unit_vectors_far_apart() {
        let planes = SimHashRepelled::hyperplanes().planes;
        assert_eq!(planes.len(), 64);
        for (number, a) in planes.iter().enumerate() {
            assert_eq!(a.len(), POSITIONS);
            assert!((a.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-6);
            for b in &planes[number + 1..] {
                let cosine = a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
                assert!(cosine.abs() < 0.2, "no two planes are nearly parallel: {cosine}");
            }
        }
    }
}
