//! A hash of names and words that is the same for all versions of the compiler.

use dehusk_html::fnv;

/// Returns the FNV-1a hash of a text.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(fnv::START, |hash, byte| fnv::extend(hash, byte.into()))
}
