//! The pages: all pairs of things that a page may have much of.

use dehusk_pipeline::extract::{OPENERS, REPEATED, product};

/// Number of all products.
pub(super) fn all() -> usize {
    OPENERS.len() * REPEATED.len()
}

pub(super) fn name(number: usize) -> String {
    let (opener, repeated) = (
        OPENERS[number / REPEATED.len()],
        REPEATED[number % REPEATED.len()],
    );
    format!("{}, then {}", opener.0, repeated.0)
}

/// A product of about so many bytes.
pub(super) fn page(number: usize, bytes: usize) -> String {
    product(
        OPENERS[number / REPEATED.len()],
        REPEATED[number % REPEATED.len()],
        bytes,
    )
}
