//! Fingerprints by hyperplanes: a bit says on which side of a hyperplane the vector of a document lies.

use crate::sign::estimate::cosine_of_bits;
use crate::sign::method::Signer;
use crate::text::document::Document;

/// Signs documents by 64 hyperplanes.
pub(crate) struct Hyperplanes<const POSITIONS: usize> {
    /// The normal vector of each hyperplane.
    pub(crate) planes: Vec<[f64; POSITIONS]>,
    /// Adds a word to the vector of a document.
    pub(crate) add: fn(&mut [i64; POSITIONS], &str),
}

impl<const POSITIONS: usize> Hyperplanes<POSITIONS> {
    /// The vector of a document with these words: the sum of what each word adds.
    pub(crate) fn vector<'a>(&self, words: impl Iterator<Item = &'a str>) -> [i64; POSITIONS] {
        let mut vector = [0; POSITIONS];
        words.for_each(|word| (self.add)(&mut vector, word));
        vector
    }

    /// Bit `i` is set if the vector lies on the positive side of plane `i`.
    pub(crate) fn bits(&self, vector: &[i64; POSITIONS]) -> u64 {
        // Integers below 2^53 convert to `f64` exactly.
        let vector = vector.map(|sum| sum as f64);
        let positive =
            |plane: &[f64; POSITIONS]| vector.iter().zip(plane).map(|(a, b)| a * b).sum::<f64>() > 0.0;
        let planes = self.planes.iter().enumerate();
        planes.fold(0, |bits, (bit, plane)| bits | u64::from(positive(plane)) << bit)
    }
}

impl<const POSITIONS: usize> Signer for Hyperplanes<POSITIONS> {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        // A document may have tokens and no terms, for example only stop words: it gets no fingerprint.
        if !document.terms.is_empty() {
            out.push(self.bits(&self.vector(document.terms.iter())));
        }
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        cosine_of_bits(a, b)
    }
}
