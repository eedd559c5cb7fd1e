//! FNV-1a with 64 bits (Fowler, Noll and Vo): a hash that is fast for a few bytes, and equal in every
//! version and on every machine. It does not resist chosen input: callers compare the bytes of equal
//! hashes, or tolerate collisions.
//!
//! ```
//! use dehusk_html::fnv;
//!
//! assert_eq!(b"foobar".iter().fold(fnv::START, |hash, &byte| fnv::extend(hash, byte.into())), 0x8594_4171_f739_67e8);
//! ```

/// Hash of the empty input.
pub const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Extends a hash by a byte. Larger units are possible, too; the hash then follows FNV in form only.
#[inline]
pub const fn extend(hash: u64, unit: u64) -> u64 {
    (hash ^ unit).wrapping_mul(0x0100_0000_01b3)
}
