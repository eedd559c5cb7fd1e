//! Strings whose escapes are resolved one by one, for processors without the instructions that [`super::packed`] needs.

use std::borrow::Cow;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x64};

use super::escape::{ESCAPED, hex_escape};
use super::room::{CHAR, Made, StringRoom, checked};

/// Number of bytes that are searched in one step.
const BLOCK: usize = 64;

/// Returns the string that begins at `start`, after its quotation mark, and the offset after it. `None` if
/// it is not a valid string.
pub(super) fn string<'de>(
    bytes: &'de [u8],
    start: usize,
    room: Option<&'de StringRoom>,
) -> Option<(Cow<'de, str>, usize)> {
    let mut made = Made::default();
    // Bytes before `from` have already been copied.
    let mut from = start;
    for base in (start..bytes.len()).step_by(BLOCK) {
        let mut marks = marks(bytes.get(base..).unwrap_or_default());
        // An escape of the previous block may continue in this block.
        if let Some(taken) = from.checked_sub(base) {
            marks &= u64::MAX.checked_shl(u32::try_from(taken).ok()?).unwrap_or(0);
        }
        while marks != 0 {
            let bit = marks.trailing_zeros();
            let at = base + bit as usize;
            marks &= marks - 1;
            match bytes[at] {
                // Without an escape the string is borrowed.
                b'"' if made.is_empty() && from == start => {
                    let text = simdutf8::basic::from_utf8(bytes.get(start..at)?).ok()?;
                    return Some((text.into(), at + 1));
                }
                b'"' => {
                    made.copy(bytes, from, at, room);
                    return Some((checked(made, room)?, at + 1));
                }
                b'\\' => {}
                _ => return None,
            }
            made.copy(bytes, from, at, room);
            match ESCAPED[usize::from(*bytes.get(at + 1)?)] {
                0 => {
                    let (char, end) = hex_escape(bytes, at)?;
                    made.push(char.encode_utf8(&mut [0; CHAR]).as_bytes());
                    from = end;
                    // A surrogate pair has a second backslash, which is skipped.
                    let taken = u32::try_from(end - base).ok()?;
                    marks &= u64::MAX.checked_shl(taken).unwrap_or(0);
                }
                byte => {
                    made.push(&[byte]);
                    from = at + 2;
                    // The escaped byte does not end the string or begin an escape.
                    marks &= !(2 << bit);
                }
            }
        }
    }
    None
}

/// Returns the bit set of the bytes that end a run to be copied: quotation marks, backslashes, and control
/// characters.
#[inline(always)]
fn marks(bytes: &[u8]) -> u64 {
    match bytes.first_chunk() {
        Some(block) => dispatch!(Level::baseline(), simd => marks_of_block(simd, block)),
        None => {
            let mut block = [b' '; BLOCK];
            block[..bytes.len()].copy_from_slice(bytes);
            dispatch!(Level::baseline(), simd => marks_of_block(simd, &block))
        }
    }
}

#[inline(always)]
fn marks_of_block<S: Simd>(simd: S, block: &[u8; BLOCK]) -> u64 {
    let block = u8x64::load_array_ref(simd, block);
    (block.simd_eq(b'"') | block.simd_eq(b'\\') | block.simd_lt(b' ')).to_bitmask()
}
