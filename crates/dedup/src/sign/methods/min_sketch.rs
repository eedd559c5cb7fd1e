//! The smallest shingle hashes.

use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{at_least, number};
use crate::text::document::{Context, Document};

/// MIN_s (Broder, "On the resemblance and containment of documents", 1997): the `s` smallest shingle hashes, or all if
/// there are fewer. Estimates resemblance from a sample of fixed size; cannot estimate containment.
///
/// Survives moved blocks and small edits. Costs a slice of the sorted set; a signature is up to `s` words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinSketch {
    size: u32,
}

impl MinSketch {
    /// The defaults: 128 values.
    pub const DEFAULT: Self = Self { size: 128 };

    /// Number of values, 1 or more, default 128. The standard error of the estimate is about `sqrt(J (1 - J) / size)`.
    #[must_use]
    pub const fn with_size(mut self, size: u32) -> Self {
        self.size = size;
        self
    }

    /// The smallest values of a sorted set.
    #[must_use]
    pub fn sketch<'a>(&self, set: &'a [u64]) -> &'a [u64] {
        &set[..set.len().min(self.size as usize)]
    }

    /// The share of values common to both sketches among the `s` smallest values of their union.
    #[must_use]
    pub fn resemblance(&self, a: &[u64], b: &[u64]) -> f64 {
        // Both lists are merged in ascending order until `size` values of the union were seen.
        let (mut i, mut j, mut united, mut common) = (0, 0, 0, 0);
        while united < self.size && (i < a.len() || j < b.len()) {
            let (x, y) = (a.get(i), b.get(j));
            // In a list that has ended `get` gives `None`, and the other list holds the smaller value.
            let from_a = y.is_none_or(|y| x.is_some_and(|x| x <= y));
            let from_b = x.is_none_or(|x| y.is_some_and(|y| y <= x));
            i += usize::from(from_a);
            j += usize::from(from_b);
            common += u32::from(from_a && from_b);
            united += 1;
        }
        // Two empty sets are equal. Otherwise the union may have fewer values than `size`, and then all of
        // them count.
        if united == 0 {
            1.0
        } else {
            f64::from(common) / f64::from(united)
        }
    }
}

impl Strategy for MinSketch {
    fn name(&self) -> &'static str {
        "min-sketch"
    }

    fn summary(&self) -> &'static str {
        "the smallest shingle hashes: a sample of fixed size"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const { &[Parameter::new("size", "128", "number of values, 1 to 2^32 - 1")] }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "size" => *self = self.with_size(number("size", value, 1..=u32::MAX)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Method for MinSketch {
    fn form(&self) -> Form {
        Form::Set { whole: false }
    }

    fn signer(&self, _: &Context) -> Result<Box<dyn Signer>, BuildError> {
        at_least("size", self.size, 1)?;
        Ok(Box::new(*self))
    }
}

impl Signer for MinSketch {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        out.extend_from_slice(self.sketch(document.shingles));
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        self.resemblance(a, b)
    }
}
