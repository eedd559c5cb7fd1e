//! Searches for bytes that are mostly near: in place, which takes less than to call a search for far ones.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x16, u8x64};
use memchr::{memchr, memchr3};

use crate::parser::whatwg::token::Form;

/// Bytes of the first step, in which most of what is sought is found.
const STEP: usize = 16;

/// Bytes of the second step. What is not in it is far.
const WINDOW: usize = 64;

/// Offset of the first `byte` from `from` on.
#[inline(always)]
pub(super) fn find(bytes: &[u8], from: usize, byte: u8) -> Option<usize> {
    near_or_far(bytes, from, [byte; 3], |rest| memchr(byte, rest))
}

/// Offset of the first of three bytes from `from` on.
#[inline(always)]
pub(super) fn find3(bytes: &[u8], from: usize, wanted: [u8; 3]) -> Option<usize> {
    let [a, b, c] = wanted;
    near_or_far(bytes, from, wanted, |rest| memchr3(a, b, c, rest))
}

/// Offset of the first of three bytes from `from` on, which `search` finds, too.
#[inline(always)]
fn near_or_far(
    bytes: &[u8],
    from: usize,
    wanted: [u8; 3],
    search: impl FnOnce(&[u8]) -> Option<usize>,
) -> Option<usize> {
    let mut at = from;
    let mut rest = bytes.get(from..)?;
    if let Some((step, after)) = rest.split_first_chunk::<STEP>() {
        let found = dispatch!(Level::baseline(), simd => {
            wanted_among(u8x16::load_array_ref(simd, step), wanted)
        });
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        at += STEP;
        rest = after;
        if let Some((window, after)) = rest.split_first_chunk::<WINDOW>() {
            let found = dispatch!(Level::baseline(), simd => {
                wanted_among(u8x64::load_array_ref(simd, window), wanted)
            });
            if found != 0 {
                return Some(at + found.trailing_zeros() as usize);
            }
            at += WINDOW;
            rest = after;
        }
    }
    search(rest).map(|found| at + found)
}

/// A bit for each byte that is one of three.
#[inline(always)]
fn wanted_among<S: Simd, V: SimdInt<S, Element = u8>>(bytes: V, [a, b, c]: [u8; 3]) -> u64 {
    (bytes.simd_eq(a) | bytes.simd_eq(b) | bytes.simd_eq(c)).to_bitmask()
}

/// Length and form of the text from `from` on, if a `<` is in the first step.
#[inline(always)]
pub(super) fn near_text(bytes: &[u8], from: usize) -> Option<(usize, Form)> {
    let step = bytes.get(from..)?.first_chunk::<STEP>()?;
    dispatch!(Level::baseline(), simd => near_text_with(simd, step))
}

/// As [`near_text`], of a step.
#[inline(always)]
fn near_text_with<S: Simd>(simd: S, step: &[u8; STEP]) -> Option<(usize, Form)> {
    let step = u8x16::load_array_ref(simd, step);
    let ends = step.simd_eq(b'<').to_bitmask();
    if ends == 0 {
        return None;
    }
    let before = ends.wrapping_sub(1) & !ends;
    let form = if before & !white(simd, step) == 0 {
        Form::Blank
    } else if before & (step.simd_eq(b'&') | step.simd_eq(b'\r')).to_bitmask() == 0 {
        Form::Verbatim
    } else {
        Form::Encoded
    };
    Some((ends.trailing_zeros() as usize, form))
}

/// A bit for each byte that is white space.
#[inline(always)]
fn white<S: Simd>(simd: S, step: u8x16<S>) -> u64 {
    let tab_to_return = (step - u8x16::splat(simd, b'\t')).simd_le(b'\r' - b'\t');
    (step.simd_eq(b' ') | tab_to_return).to_bitmask()
}

/// Whether bytes are white space alone.
#[inline]
pub(super) fn is_blank(bytes: &[u8]) -> bool {
    let is_white = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    // Steps may overlap.
    match bytes.last_chunk::<STEP>() {
        Some(last) => {
            let steps = bytes.as_chunks::<STEP>().0;
            is_white(&bytes[0]) && steps.iter().chain([last]).all(|step| {
                dispatch!(Level::baseline(), simd => white(simd, u8x16::load_array_ref(simd, step)) == 0xFFFF)
            })
        }
        None => bytes.iter().all(is_white),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_byte_is_found_near_and_far(
            before in "[a-z;=%#\u{BC}\u{43C}]{0,120}",
            found in "[\"!&]{0,2}",
            after in "[a\"]{0,40}",
            from in 0..150_usize,
        ) {
            let text = [before, found, after].concat();
            let bytes = text.as_bytes();
            let plain = |wanted: &[u8]| (from..bytes.len()).find(|&i| wanted.contains(&bytes[i]));
            prop_assert_eq!(find(bytes, from, b'"'), plain(b"\""));
            prop_assert_eq!(find3(bytes, from, *b"&\"\r"), plain(b"&\"\r"));
        }

        #[test]
        fn near_text_ends_at_the_first_step_with_a_mark(
            white in "[ \t\n\r\u{B}\u{C}]{0,40}",
            other in "[a&\u{8}\u{E}\u{1F}\u{A0}]{0,1}",
            at in 0..40_usize,
            after in "(<[ a]{0,20})?",
            from in 0..30_usize,
        ) {
            let mut text = white;
            text.insert_str(at.min(text.len()), &other);
            let is_white = |bytes: &[u8]| bytes.iter().all(|b| matches!(b, b' ' | 9..=13));
            prop_assert_eq!(is_blank(text.as_bytes()), is_white(text.as_bytes()));
            text.push_str(&after);
            let step = text.as_bytes().get(from..from + STEP);
            let plain = step.and_then(|step| {
                let len = step.iter().position(|&b| b == b'<')?;
                let text = &step[..len];
                let form = if is_white(text) {
                    Form::Blank
                } else if text.contains(&b'&') || text.contains(&b'\r') {
                    Form::Encoded
                } else {
                    Form::Verbatim
                };
                Some((len, form))
            });
            prop_assert_eq!(near_text(text.as_bytes(), from), plain);
        }
    }
}
