//! Edits of a valid file, chosen by the fuzzer's input. Most of the file stays unchanged.

use arbitrary::{Result, Unstructured};

/// Applies one to six edits chosen by the input: sets, flips, inserts or removes a byte, doubles a range,
/// cuts off the end, writes a number, or inserts a token.
pub(crate) fn apply(bytes: &mut Vec<u8>, input: &mut Unstructured<'_>) -> Result<()> {
    for _ in 0..input.int_in_range(1..=6)? {
        if bytes.is_empty() {
            return Ok(());
        }
        // Chosen for each edit, since the length changes.
        let at = input.choose_index(bytes.len())?;
        match input.int_in_range(0..=7)? {
            0 => bytes[at] = input.arbitrary()?,
            1 => bytes[at] ^= 1 << input.int_in_range(0..=7)?,
            2 => bytes.insert(at, input.arbitrary()?),
            3 => drop(bytes.remove(at)),
            4 => {
                let end = bytes.len().min(at + input.int_in_range(1..=64)?);
                let range = bytes[at..end].to_vec();
                bytes.splice(at..at, range);
            }
            5 => bytes.truncate(at),
            6 => number(bytes, at, input)?,
            _ => {
                let token = input.choose(TOKENS)?;
                bytes.splice(at..at, token.bytes());
            }
        }
        // Without input, every choice would be the first one, and all edits the same.
        if input.is_empty() {
            return Ok(());
        }
    }
    Ok(())
}

/// Tokens that readers often handle wrongly.
const TOKENS: &[&str] = &[
    "\n",
    "\t",
    "\"",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "=",
    "null",
    "1e999",
    "-1",
    "NaN",
    "inf",
    "\u{FEFF}",
    "\\u0000",
    "\\ud800",
    "18446744073709551616",
    "4294967296",
    "..",
    "/",
    "'''",
    "#",
    "[[parts]]\n",
];

/// Replaces the decimal number at a place by another one, or else the next 8 bytes by a binary number.
fn number(bytes: &mut Vec<u8>, at: usize, input: &mut Unstructured<'_>) -> Result<()> {
    let value = match input.int_in_range(0..=5)? {
        0 => 0,
        1 => u64::MAX,
        2 => u64::from(u32::MAX),
        3 => 1 << 63,
        4 => u64::from(input.arbitrary::<u16>()?),
        _ => input.arbitrary()?,
    };
    // In text, a number is replaced with all of its digits; its length may change.
    let digits = bytes[at..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if digits > 0 {
        bytes.splice(at..at + digits, value.to_string().into_bytes());
    } else {
        let end = bytes.len().min(at + 8);
        let length = end - at;
        // In binary data, the length must stay, or all that follows would be shifted. Little-endian, as in
        // the files of an index.
        bytes[at..end].copy_from_slice(&value.to_le_bytes()[..length]);
    }
    Ok(())
}
