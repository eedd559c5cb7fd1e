//! Megashingles: hashes of pairs of super-shingles.

use crate::numeric::hash::murmur3_words;
use crate::sign::estimate::any_key;
use crate::sign::method::{Form, Method, Signer};
use crate::sign::methods::supershingles::{SuperHasher, Supershingles};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::text::document::{Context, Document};

/// Megashingles (Broder, "Identifying and filtering near-duplicate documents", 2000; Fetterly, Manasse, Najork 2003;
/// Zelenkov, Segalovich 2007): every pair of super-shingles makes one key. Two documents with an equal key agree in two
/// super-shingles. [`Supershingles::probability`] of this is 0.415 for a Jaccard similarity of 0.9 and 0.879 for 0.95.
///
/// Survives edits of a few words. Costs `groups · size` hashes per shingle to make the super-shingles, and one hash per
/// pair. A signature is `groups · (groups - 1) / 2` words, 15 with the defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Megashingles {
    supershingles: Supershingles,
}

impl Megashingles {
    /// The defaults: pairs of 6 super-shingles of 14 values, seed 42.
    pub const DEFAULT: Self = Self {
        supershingles: Supershingles::DEFAULT,
    };

    /// The super-shingles whose pairs are taken.
    #[must_use]
    pub const fn with_supershingles(mut self, supershingles: Supershingles) -> Self {
        self.supershingles = supershingles;
        self
    }

    /// The megashingles of some super-shingles: [`murmur3_words`] of each pair i < j, seeded by `groups · i + j`.
    pub fn megashingles(supershingles: &[u64]) -> impl Iterator<Item = u64> {
        let pairs = (0..supershingles.len()).flat_map(|i| (i + 1..supershingles.len()).map(move |j| (i, j)));
        pairs.map(|(i, j)| {
            murmur3_words(
                &[supershingles[i], supershingles[j]],
                (supershingles.len() * i + j) as u64,
            )
        })
    }
}

impl Strategy for Megashingles {
    fn name(&self) -> &'static str {
        "megashingles"
    }

    fn summary(&self) -> &'static str {
        "hashes of pairs of super-shingles; one equal makes near-duplicates"
    }

    fn parameters(&self) -> &'static [Parameter] {
        Supershingles::PARAMETERS
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        self.supershingles.change(parameter, value)
    }
}

impl Method for Megashingles {
    fn form(&self) -> Form {
        Form::Keys { words: 1 }
    }

    fn signer(&self, _: &Context) -> Result<Box<dyn Signer>, BuildError> {
        Ok(Box::new(MegaHasher {
            supershingles: self.supershingles.hasher()?,
        }))
    }
}

struct MegaHasher {
    supershingles: SuperHasher,
}

impl Signer for MegaHasher {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        out.extend(Megashingles::megashingles(
            &self.supershingles.supershingles(document.shingles),
        ));
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        any_key(a, b, 1)
    }
}
