//! Super-shingles: hashes of groups of MinHash values.

use crate::numeric::hash::murmur3_words;
use crate::sign::method::{Form, Method, Signer};
use crate::sign::methods::minhash::{HashFamily, MinHash, MinHasher};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{number, within};
use crate::text::document::{Context, Document};

/// Super-shingles (Fetterly, Manasse, Najork, "On the evolution of clusters of near-duplicate web pages",
/// 2003): MinHash values in groups, each group hashed to one key. Two documents of Jaccard similarity J
/// agree in the key of a group with probability `J^size`. In the paper near-duplicates have at least two
/// equal keys of six; [`Megashingles`](super::Megashingles) have a key for each such pair.
///
/// Survives moved blocks and edits of a few words. Costs `groups · size` hashes per shingle; a signature is
/// one word per group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supershingles {
    groups: u32,
    size: u32,
    seed: u64,
}

impl Supershingles {
    /// The defaults: 6 groups of 14 values, seed 42.
    pub const DEFAULT: Self = Self {
        groups: 6,
        size: 14,
        seed: 42,
    };

    /// Number of groups, 2 to 64, default 6.
    #[must_use]
    pub const fn with_groups(mut self, groups: u32) -> Self {
        self.groups = groups;
        self
    }

    /// Number of values in a group, 1 to 64, default 14. Larger groups match only more similar documents.
    #[must_use]
    pub const fn with_size(mut self, size: u32) -> Self {
        self.size = size;
        self
    }

    /// Seed of the hash functions, default 42.
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Number of groups.
    #[must_use]
    pub const fn groups(&self) -> u32 {
        self.groups
    }

    /// Checks the parameters and prepares the hash functions.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn hasher(&self) -> Result<SuperHasher, BuildError> {
        within("groups", self.groups, 2..=64)?;
        within("size", self.size, 1..=64)?;
        let minhash = MinHash::DEFAULT
            .with_family(HashFamily::Universal)
            .with_seed(self.seed);
        let minhash = minhash.with_width(self.groups * self.size).hasher()?;
        Ok(SuperHasher {
            minhash,
            size: self.size as usize,
        })
    }

    /// Probability that at least `needed` super-shingles of two documents of Jaccard similarity `similarity` agree:
    /// `Σ_{i ≥ needed} C(groups, i) p^i (1 - p)^(groups - i)` with `p = similarity^size`. With 6 groups of 14 and two
    /// needed it is 0.026 at 0.8, 0.415 at 0.9 and 0.879 at 0.95.
    #[must_use]
    pub fn probability(&self, similarity: f64, needed: u32) -> f64 {
        let p = similarity.powf(f64::from(self.size));
        let mut ways = 1.0; // C(groups, i)
        let mut sum = 0.0;
        for i in 0..=self.groups {
            if i >= needed {
                sum += ways * p.powf(f64::from(i)) * (1.0 - p).powf(f64::from(self.groups - i));
            }
            // C(groups, i + 1) from C(groups, i).
            ways *= f64::from(self.groups - i) / f64::from(i + 1);
        }
        sum
    }

    pub(super) const PARAMETERS: &'static [Parameter] = &[
        Parameter::new("groups", "6", "number of groups, 2 to 64"),
        Parameter::new("size", "14", "MinHash values per group, 1 to 64"),
        Parameter::new("seed", "42", "seed of the hash functions, 0 to 2^64 - 1"),
    ];
}

/// Super-shingles, prepared for a run.
#[derive(Clone, Debug)]
pub struct SuperHasher {
    minhash: MinHasher,
    size: usize,
}

impl SuperHasher {
    /// The super-shingles of a set of shingles: [`murmur3_words`] of each group, seeded by the group's number.
    #[must_use]
    pub fn supershingles(&self, shingles: &[u64]) -> Vec<u64> {
        let mut values = vec![0; self.minhash.width()];
        self.minhash.sign(shingles, &mut values);
        (0..)
            .zip(values.chunks_exact(self.size))
            .map(|(group, values)| murmur3_words(values, group))
            .collect()
    }

    /// The Jaccard similarity at which this share of super-shingles is expected to be equal: `share^(1 / size)`.
    pub(super) fn similarity(&self, share: f64) -> f64 {
        share.powf(1.0 / self.size as f64)
    }
}

impl Strategy for Supershingles {
    fn name(&self) -> &'static str {
        "supershingles"
    }

    fn summary(&self) -> &'static str {
        "hashes of groups of MinHash values; one equal makes a candidate"
    }

    fn parameters(&self) -> &'static [Parameter] {
        Self::PARAMETERS
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "groups" => self.groups = number("groups", value, 2..=64)?,
            "size" => self.size = number("size", value, 1..=64)?,
            "seed" => self.seed = number("seed", value, 0..=u64::MAX)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Method for Supershingles {
    fn form(&self) -> Form {
        Form::Keys { words: 1 }
    }

    fn signer(&self, _: &Context) -> Result<Box<dyn Signer>, BuildError> {
        Ok(Box::new(self.hasher()?))
    }
}

impl Signer for SuperHasher {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        out.extend(self.supershingles(document.shingles));
    }

    /// With the defaults, one equal super-shingle of six estimates 0.880, two 0.925, five 0.987.
    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        // The share of equal places works for super-shingles as for MinHash values: both are compared place
        // by place.
        self.similarity(MinHasher::estimate(a, b))
    }
}
