//! Values as bytes whose lexicographic order is the order of the values, for callers that sort documents by bytes.
//!
//! No encoding is a prefix of another encoding of the same kind of value, so encodings can be concatenated.

/// Appends bytes whose order is that of the numbers.
pub(crate) fn ascending(number: i64, out: &mut Vec<u8>) {
    // With the sign bit flipped, negative numbers precede the others.
    out.extend_from_slice(&(number ^ i64::MIN).to_be_bytes());
}

/// Appends bytes whose order is that of [`f64::total_cmp`].
pub(crate) fn ascending_real(number: f64, out: &mut Vec<u8>) {
    let bits = number.to_bits().cast_signed();
    // For negative numbers the order of the other bits is reversed.
    ascending(bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed(), out);
}

/// Appends bytes whose order is that of the bytes of the texts.
pub(crate) fn ascending_text(text: &str, out: &mut Vec<u8>) {
    for &byte in text.as_bytes() {
        out.push(byte);
        // The end of a text is two zero bytes. A zero byte within the text is followed by 255, so that it sorts after
        // the end.
        if byte == 0 {
            out.push(u8::MAX);
        }
    }
    out.extend_from_slice(&[0, 0]);
}

/// Reverses the order of the bytes that were appended from `start` on.
pub(crate) fn descend(start: usize, out: &mut [u8]) {
    for byte in out.iter_mut().skip(start) {
        *byte = !*byte;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bytes(append: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut out = Vec::new();
        append(&mut out);
        out
    }

    proptest! {
        #[test]
        fn bytes_compare_as_values(
            numbers in any::<[i64; 2]>(),
            bits in any::<[u64; 2]>(),
            texts in prop::array::uniform2("[\0\u{1}a\u{ff}]{0,4}"),
        ) {
            let [a, b] = numbers.map(|number| bytes(|out| ascending(number, out)));
            prop_assert_eq!(a.cmp(&b), numbers[0].cmp(&numbers[1]));
            let reals = bits.map(f64::from_bits);
            let [a, b] = reals.map(|real| bytes(|out| ascending_real(real, out)));
            prop_assert_eq!(a.cmp(&b), reals[0].total_cmp(&reals[1]));
            let [mut a, mut b] = [0, 1].map(|text| bytes(|out| ascending_text(&texts[text], out)));
            prop_assert_eq!(a.cmp(&b), texts[0].cmp(&texts[1]));
            descend(0, &mut a);
            descend(0, &mut b);
            prop_assert_eq!(b.cmp(&a), texts[0].cmp(&texts[1]));
        }
    }
}
