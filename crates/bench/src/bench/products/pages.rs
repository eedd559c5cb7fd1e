//! The pages of products: all pairs of properties that a page may have in large amounts.

use dehusk_pipeline::extract::{OPENERS, REPEATED, product};

/// Returns the number of products.
pub(super) fn all() -> usize {
    OPENERS.len() * REPEATED.len()
}

/// Returns the names of the two properties of a product.
pub(super) fn name(number: usize) -> String {
    let (opener, repeated) = (
        OPENERS[number / REPEATED.len()],
        REPEATED[number % REPEATED.len()],
    );
    format!("{}, then {}", opener.0, repeated.0)
}

/// Returns the page of a product, about `bytes` bytes long.
pub(super) fn page(number: usize, bytes: usize) -> String {
    product(
        OPENERS[number / REPEATED.len()],
        REPEATED[number % REPEATED.len()],
        bytes,
    )
}
