//! Escapes in JSON strings.

/// The byte that a backslash and this byte encode; 0 if the result has several bytes, or for an invalid escape.
pub(super) const ESCAPED: [u8; 256] = {
    let mut escaped = [0; 256];
    let pairs = *b"\"\"\\\\//b\x08f\x0cn\nr\rt\t";
    let mut at = 0;
    while at < pairs.len() {
        escaped[pairs[at] as usize] = pairs[at + 1];
        at += 2;
    }
    escaped
};

/// Returns the character of a hexadecimal escape whose backslash is at `at`, and the offset after the
/// escape (after both escapes of a surrogate pair).
#[cold]
pub(super) fn hex_escape(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let unit = code_unit(bytes, at)?;
    let (units, length): (&[u16], _) = match unit {
        0xD800..0xDC00 => (&[unit, code_unit(bytes, at + 6)?], 12),
        _ => (&[unit], 6),
    };
    let char = char::decode_utf16(units.iter().copied()).next()?.ok()?;
    Some((char, at + length))
}

/// Returns the UTF-16 code unit of an escape.
fn code_unit(bytes: &[u8], at: usize) -> Option<u16> {
    let [b'\\', b'u', digits @ ..] = *bytes.get(at..)?.first_chunk::<6>()? else {
        return None;
    };
    let [a, b, c, d] = digits.map(|digit| DIGITS[usize::from(digit)]);
    // Digits are below 16 and the mark of other bytes is not, so one comparison tests all four.
    ((a | b | c | d) < 16).then_some(a << 12 | b << 8 | c << 4 | d)
}

/// Value of a byte as a hexadecimal digit; `u16::MAX` if it is not one.
const DIGITS: [u16; 256] = {
    let mut digits = [u16::MAX; 256];
    let (lower, upper) = (*b"0123456789abcdef", *b"0123456789ABCDEF");
    let mut value = 0;
    while value < 16 {
        digits[lower[value as usize] as usize] = value;
        digits[upper[value as usize] as usize] = value;
        value += 1;
    }
    digits
};
