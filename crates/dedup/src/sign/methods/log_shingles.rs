//! A sample of the checksums of shingles.

use crate::numeric::sets::resemblance;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::{at_least, number};
use crate::text::document::{Context, Document};
use crate::text::shingle::for_each_window;

/// Log shingles, as in the comparison of Zelenkov and Segalovich (2007): the CRC-32 checksums of every 5 neighboring
/// words that are divisible by 4.
/// They compare samples by Dice's coefficient D. This crate compares them by resemblance J, which puts pairs in the
/// same order: `J = D / (2 - D)`.
///
/// Survives moved blocks and small edits. Costs a pass over the tokens; a signature is about one word per four tokens.
/// Documents whose sample is empty have no signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogShingles {
    width: u32,
    modulus: u32,
}

impl LogShingles {
    /// The defaults: 5 words, one shingle in 4.
    pub const DEFAULT: Self = Self { width: 5, modulus: 4 };

    /// Number of words in a shingle, 1 or more, default 5. The shingles of the run are not used.
    #[must_use]
    pub const fn with_width(mut self, width: u32) -> Self {
        self.width = width;
        self
    }

    /// The sampling divisor, 1 or more, default 4: about one in `modulus` shingles is taken.
    #[must_use]
    pub const fn with_modulus(mut self, modulus: u32) -> Self {
        self.modulus = modulus;
        self
    }
}

impl Strategy for LogShingles {
    fn name(&self) -> &'static str {
        "log-shingles"
    }

    fn summary(&self) -> &'static str {
        "checksums of five words that four divides"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[
                Parameter::new("width", "5", "words per shingle, 1 or more"),
                Parameter::new("modulus", "4", "one shingle in this number is taken, 1 or more"),
            ]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "width" => *self = self.with_width(number("width", value, 1..=u32::MAX)?),
            "modulus" => *self = self.with_modulus(number("modulus", value, 1..=u32::MAX)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Method for LogShingles {
    fn form(&self) -> Form {
        Form::Set { whole: false }
    }

    fn signer(&self, _: &Context) -> Result<Box<dyn Signer>, BuildError> {
        at_least("width", self.width, 1)?;
        at_least("modulus", self.modulus, 1)?;
        Ok(Box::new(*self))
    }
}

impl Signer for LogShingles {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        let mut sample = Vec::new();
        for_each_window(document.tokens, self.width as usize, |shingle| {
            let checksum = crc32fast::hash(shingle);
            if checksum.is_multiple_of(self.modulus) {
                sample.push(u64::from(checksum));
            }
        });
        // The form `Set` requires ascending values without repetitions.
        sample.sort_unstable();
        sample.dedup();
        out.extend(sample);
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        resemblance(a, b)
    }
}
