//! The whole shingle set as a signature.

use crate::numeric::sets::resemblance;
use crate::sign::method::{Form, Method, Signer};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Context, Document};

/// The shingle set as its own signature: exact, and as large as the document.
///
/// Survives moved blocks and small edits. Costs a word per shingle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shingles;

impl Strategy for Shingles {
    fn name(&self) -> &'static str {
        "shingles"
    }

    fn summary(&self) -> &'static str {
        "the whole shingle set: exact, as large as the document"
    }
}

impl Method for Shingles {
    fn form(&self) -> Form {
        Form::Set { whole: true }
    }

    fn signer(&self, _: &Context) -> Result<Box<dyn Signer>, BuildError> {
        Ok(Box::new(*self))
    }
}

impl Signer for Shingles {
    fn sign(&self, document: &Document<'_>, out: &mut Vec<u64>) {
        out.extend_from_slice(document.shingles);
    }

    fn estimate(&self, a: &[u64], b: &[u64]) -> f64 {
        resemblance(a, b)
    }
}
