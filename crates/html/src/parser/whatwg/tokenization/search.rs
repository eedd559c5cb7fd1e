//! Searches for bytes that are usually close.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x16, u8x64};
use memchr::{memchr, memchr3};

use crate::parser::whatwg::token::Form;

/// Bytes of the first step, in which most searches succeed.
pub(super) const STEP: usize = 16;

/// Bytes of the second step. Everything after it counts as far.
const WINDOW: usize = 64;

/// Offset of the first `byte` from `from` on; `None` if it does not occur. Close bytes are found inline,
/// which is faster than a call to `memchr`.
#[inline(always)]
pub(super) fn find<S: Simd>(simd: S, bytes: &[u8], from: usize, byte: u8) -> Option<usize> {
    let mut at = from;
    let mut rest = bytes.get(from..)?;
    // Fewer than 16 bytes are left to `memchr`.
    if let Some((step, after)) = rest.split_first_chunk::<STEP>() {
        let found = u8x16::load_array_ref(simd, step).simd_eq(byte).to_bitmask();
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        at += STEP;
        rest = after;
        if let Some((window, after)) = rest.split_first_chunk::<WINDOW>() {
            let found = u8x64::load_array_ref(simd, window).simd_eq(byte).to_bitmask();
            if found != 0 {
                return Some(at + found.trailing_zeros() as usize);
            }
            at += WINDOW;
            rest = after;
        }
    }
    memchr(byte, rest).map(|found| at + found)
}

/// Offset of the first `<` from `from` on, or of the end, and whether `&`, a carriage return or U+0000 precedes it.
#[inline(always)]
pub(super) fn text_end(bytes: &[u8], from: usize) -> (usize, bool) {
    let (mut at, mut marked) = (from, false);
    // Up to 64 bytes are searched inline. Longer texts are worth a call with longer vectors.
    for _ in 0..WINDOW / STEP {
        let Some(step) = bytes.get(at..).and_then(<[u8]>::first_chunk::<STEP>) else {
            break;
        };
        let (ends, marks) = dispatch!(Level::baseline(), simd => {
            ends_and_marks(u8x16::load_array_ref(simd, step))
        });
        // The bits of `marks` below the lowest bit of `ends` are the bytes before the `<`.
        if ends != 0 {
            return (
                at + ends.trailing_zeros() as usize,
                marked | (marks & ends.wrapping_sub(1) & !ends != 0),
            );
        }
        marked |= marks != 0;
        at += STEP;
    }
    let (end, more) = far_text_end(bytes, at);
    (end, marked | more)
}

#[inline(never)]
fn far_text_end(bytes: &[u8], from: usize) -> (usize, bool) {
    dispatch!(Level::new(), simd => far_text_end_with(simd, bytes, from))
}

/// Like [`text_end`], with the longest vectors of the processor.
#[inline(always)]
fn far_text_end_with<S: Simd>(simd: S, bytes: &[u8], from: usize) -> (usize, bool) {
    let (mut at, mut marked) = (from, false);
    while let Some(window) = bytes.get(at..).and_then(<[u8]>::first_chunk::<WINDOW>) {
        let (ends, marks) = ends_and_marks(u8x64::load_array_ref(simd, window));
        if ends != 0 {
            return (
                at + ends.trailing_zeros() as usize,
                marked | (marks & ends.wrapping_sub(1) & !ends != 0),
            );
        }
        marked |= marks != 0;
        at += WINDOW;
    }
    // Less than a window is left.
    let rest = bytes.get(at..).unwrap_or_default();
    let len = memchr(b'<', rest).unwrap_or(rest.len());
    (at + len, marked | memchr3(b'&', b'\r', 0, &rest[..len]).is_some())
}

/// Two masks: bytes that are `<`, and bytes that are `&`, carriage return or U+0000.
#[inline(always)]
fn ends_and_marks<S: Simd, V: SimdInt<S, Element = u8>>(bytes: V) -> (u64, u64) {
    let marks = bytes.simd_eq(b'&') | bytes.simd_eq(b'\r') | bytes.simd_eq(0);
    (bytes.simd_eq(b'<').to_bitmask(), marks.to_bitmask())
}

/// Mask of the bytes that may end an attribute name: white space and other control characters, `/`, `=` and `>`.
#[inline(always)]
pub(super) fn may_end_name(step: &[u8; STEP]) -> u64 {
    dispatch!(Level::baseline(), simd => {
        let step = u8x16::load_array_ref(simd, step);
        // After the subtraction `=` is 0 and `>` is 1; smaller bytes wrap around to large numbers.
        let equals_or_greater = (step - u8x16::splat(simd, b'=')).simd_le(1);
        (step.simd_le(b' ') | step.simd_eq(b'/') | equals_or_greater).to_bitmask()
    })
}

/// Length and form of the text from `from` on; `None` unless the first step contains a `<` and no U+0000 before it.
#[inline(always)]
pub(super) fn near_text(bytes: &[u8], from: usize) -> Option<(usize, Form)> {
    let step = bytes.get(from..)?.first_chunk::<STEP>()?;
    dispatch!(Level::baseline(), simd => near_text_with(simd, step))
}

/// [`near_text`] for one step.
#[inline(always)]
fn near_text_with<S: Simd>(simd: S, step: &[u8; STEP]) -> Option<(usize, Form)> {
    let step = u8x16::load_array_ref(simd, step);
    let ends = step.simd_eq(b'<').to_bitmask();
    if ends == 0 {
        return None;
    }
    // The bits below the lowest bit of `ends`: the bytes before the `<`. No bits for an empty text.
    let before = ends.wrapping_sub(1) & !ends;
    let form = if before & !white(simd, step) == 0 {
        Form::Blank
    } else if before & ends_and_marks(step).1 == 0 {
        Form::Verbatim
    } else if before & step.simd_eq(0).to_bitmask() == 0 {
        Form::Encoded
    } else {
        return None;
    };
    Some((ends.trailing_zeros() as usize, form))
}

/// Mask of the white space bytes.
#[inline(always)]
fn white<S: Simd>(simd: S, step: u8x16<S>) -> u64 {
    // The bytes 0x09 to 0x0D become 0 to 4; smaller ones wrap around. U+000B is included.
    let tab_to_return = (step - u8x16::splat(simd, b'\t')).simd_le(b'\r' - b'\t');
    (step.simd_eq(b' ') | tab_to_return).to_bitmask()
}

/// Whether all bytes are white space.
#[inline]
pub(super) fn is_blank(bytes: &[u8]) -> bool {
    let is_white = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    // The first byte decides for texts that begin with a word. The last step may overlap the one before it.
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
            let found = dispatch!(Level::baseline(), simd => find(simd, bytes, from, b'"'));
            prop_assert_eq!(found, plain(b"\""));
        }

        #[test]
        fn texts_end_at_the_first_tag(
            before in "[a-z \u{BC}\u{43C}]{0,150}",
            mark in "[&\r\u{0}]{0,1}",
            at in 0..160_usize,
            after in "[a ]{0,20}(<[a&]{0,90})?",
            from in 0..150_usize,
        ) {
            let mut text = before;
            text.insert_str(text.floor_char_boundary(at), &mark);
            text.push_str(&after);
            let bytes = text.as_bytes();
            let from = from.min(bytes.len());
            let end = (from..bytes.len()).find(|&i| bytes[i] == b'<').unwrap_or(bytes.len());
            let marked = bytes[from..end].iter().any(|b| matches!(b, b'&' | b'\r' | 0));
            prop_assert_eq!(text_end(bytes, from), (end, marked));
        }

        #[test]
        fn near_text_ends_at_the_first_step_with_a_mark(
            white in "[ \t\n\r\u{B}\u{C}]{0,40}",
            other in "[a&\u{0}\u{8}\u{E}\u{1F}\u{A0}]{0,1}",
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
                let form = if text.contains(&0) {
                    return None;
                } else if is_white(text) {
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
