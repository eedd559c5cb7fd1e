//! Conversions to smaller numbers whose bound an invariant guarantees. Debug builds check it; release builds convert without a check.
//!
//! Offsets of a page fit into 32 bits because [`Limits::bytes`](crate::Limits::bytes) is at most 256 MiB. Its bytes and
//! [`Limits::nodes`](crate::Limits::nodes) bound its nodes, attributes, lines and blocks. Documents of a collection are numbered with 32 bits.
//! Numbers that the input states, such as lengths in files, need `try_from` and an error instead.
//!
//! ```
//! use dehusk_html::narrow;
//!
//! assert_eq!(narrow::to_u32("a page".len()), 6);
//! ```

#![expect(clippy::cast_possible_truncation, reason = "each function asserts its bound")]

/// Index, offset or length below 2^32.
#[inline(always)]
pub const fn to_u32(number: usize) -> u32 {
    debug_assert!(
        number as u64 <= u32::MAX as u64,
        "an index, offset or length does not fit into 32 bits"
    );
    number as u32
}

/// Number below 2^16, such as that of a name with a constant.
#[inline(always)]
pub const fn to_u16(number: usize) -> u16 {
    debug_assert!(number <= u16::MAX as usize, "a number does not fit into 16 bits");
    number as u16
}

/// Number below 256.
#[inline(always)]
pub const fn to_u8(number: usize) -> u8 {
    debug_assert!(number <= u8::MAX as usize, "a number does not fit into 8 bits");
    number as u8
}

/// Index, offset or length that was stored with 64 bits and lies in memory.
#[inline(always)]
pub const fn to_usize(number: u64) -> usize {
    debug_assert!(
        number <= usize::MAX as u64,
        "an index, offset or length does not fit into memory"
    );
    number as usize
}
