//! FNV-1a of 64 bits (Fowler, Noll and Vo): a hash that is quick for a few bytes and the same in every version and on every
//! machine. It is not safe against chosen input: whoever finds equal hashes compares the bytes, or does not mind.
//!
//! ```
//! use dehusk_html::fnv;
//!
//! assert_eq!(b"foobar".iter().fold(fnv::START, |hash, &byte| fnv::extend(hash, byte.into())), 0x8594_4171_f739_67e8);
//! ```

/// The hash of nothing.
pub const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Extends a hash by a byte. Larger units may be added, too, which makes a hash of them that is FNV in form only.
#[inline]
pub const fn extend(hash: u64, unit: u64) -> u64 {
    (hash ^ unit).wrapping_mul(0x0100_0000_01b3)
}
