//! Percent-encoding of file names as parts of addresses (RFC 3986, section 2).

use std::fmt::Write;

/// Treatment of sequences such as `%41` in a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Triples {
    /// The percent sign is literal and is encoded.
    Encode,
    /// The sequence is an encoded byte and is kept.
    Keep,
}

/// Appends a name to an address. Bytes not allowed in a path, other than those in `also`, are encoded. For
/// a query, `also` lists the additional characters allowed there.
pub(super) fn encode(name: &[u8], triples: Triples, also: &[u8], to: &mut String) {
    for (at, &byte) in name.iter().enumerate() {
        let is_triple = || {
            let digits = name.get(at + 1..at + 3);
            triples == Triples::Keep && digits.is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
        };
        let stays =
            byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte) || also.contains(&byte);
        if stays || (byte == b'%' && is_triple()) {
            to.push(char::from(byte));
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(to, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_that_have_a_meaning_in_addresses_are_encoded() {
        let encoded = |name: &str, triples| {
            let mut to = String::new();
            encode(name.as_bytes(), triples, b"", &mut to);
            to
        };
        for (name, whole, kept) in [
            ("a-b_c.html", "a-b_c.html", "a-b_c.html"),
            ("a b?c#d/e", "a%20b%3Fc%23d%2Fe", "a%20b%3Fc%23d%2Fe"),
            ("река", "%D1%80%D0%B5%D0%BA%D0%B0", "%D1%80%D0%B5%D0%BA%D0%B0"),
            ("100%", "100%25", "100%25"),
            ("%3F%4", "%253F%254", "%3F%254"),
        ] {
            assert_eq!(encoded(name, Triples::Encode), whole);
            assert_eq!(encoded(name, Triples::Keep), kept);
        }
    }
}
