//! 64-bit words: hashes, pseudo-random numbers, sorting, rows and sets.

pub(crate) mod bit_set;
pub(crate) mod hash;
#[cfg(target_arch = "x86_64")]
pub(crate) mod hash_lanes;
#[cfg(target_arch = "x86_64")]
pub(crate) mod lanes;
pub(crate) mod radix;
pub(crate) mod random;
pub(crate) mod rows;
pub(crate) mod sets;
