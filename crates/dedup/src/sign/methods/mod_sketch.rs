//! The shingle hashes that are divisible by a number.

use crate::numeric::sets::resemblance;
use crate::sign::method::{Form, Method, Signer};
use crate::sign::methods::min_sketch::MinSketch;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{at_least, number};
use crate::text::document::{Context, Document};

/// MOD_m (Broder, "On the resemblance and containment of documents", 1997): the shingle hashes that are divisible by
/// `m`. The sample grows with the document, so it estimates both resemblance and containment.
///
/// If the sample is empty, which happens to short documents, the signature is the 8 [smallest](MinSketch) values
/// instead.
///
/// Survives moved blocks and small edits. Costs a pass over the shingles; a signature is about one word per `m`
/// shingles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModSketch {
    modulus: u64,
}

/// The smallest values, for a document whose sample is empty.
const FALLBACK: MinSketch = MinSketch::DEFAULT.with_size(8);

impl ModSketch {
    /// The defaults: about one in 25 shingles, as in Broder, Glassman, Manasse, Zweig, "Syntactic clustering of the
    /// web", 1997.
    pub const DEFAULT: Self = Self { modulus: 25 };

    /// The divisor, 1 or more, default 25: about one in `modulus` shingles is taken. Smaller divisors suit documents of
    /// a few hundred words.
    #[must_use]
    pub const fn with_modulus(mut self, modulus: u64) -> Self {
        self.modulus = modulus;
        self
    }

    /// The values of a sorted set that are divisible by the modulus.
    pub fn sketch(&self, set: &[u64]) -> impl Iterator<Item = u64> {
        let modulus = self.modulus.max(1);
        // A part of an ascending set is an ascending set, so the result needs no sort.
        set.iter()
            .copied()
            .filter(move |value| value.is_multiple_of(modulus))
    }
}

impl Strategy for ModSketch {
    fn name(&self) -> &'static str {
        "mod-sketch"
    }

    fn summary(&self) -> &'static str {
        "the shingle hashes that a number divides: a sample that grows with the document"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[Parameter::new(
                "modulus",
                "25",
                "one shingle in this number is taken, 1 or more",
            )]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "modulus" => *self = self.with_modulus(number("modulus", value, 1..=u64::MAX)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Method for ModSketch {
    fn form(&self) -> Form {
        Form::Set { whole: false }
    }

    fn signer(&self, _: &Context) -> Result<Box<dyn Signer>, BuildError> {
        at_least("modulus", self.modulus, 1)?;
        Ok(Box::new(*self))
    }
}

impl Signer for ModSketch {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        let start = out.len();
        out.extend(self.sketch(document.shingles));
        if out.len() == start {
            out.extend_from_slice(FALLBACK.sketch(document.shingles));
        }
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        resemblance(a, b)
    }
}
