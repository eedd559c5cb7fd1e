//! A hash of names and words that no version of the compiler changes.

use dehusk_html::fnv;

/// FNV-1a of a text.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(fnv::START, |hash, byte| fnv::extend(hash, byte.into()))
}
