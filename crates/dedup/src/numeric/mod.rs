//! 64-bit words: hashes, pseudo-random numbers, sorting, rows and sets.

pub(crate) mod bit_set;
pub(crate) mod hash;
pub(crate) mod hash_lanes;
pub(crate) mod lanes;
pub(crate) mod narrow;
pub(crate) mod radix;
pub(crate) mod random;
pub(crate) mod rows;
pub(crate) mod sets;
