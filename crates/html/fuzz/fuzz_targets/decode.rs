//! The equations of decoding: a page that is valid UTF-8 and declares nothing else is its own text; whatever the bytes are, no
//! hint makes decoding panic or read past the limit, and the text that comes out decodes to itself.
//!
//! `cargo +nightly fuzz run decode -- -max_len=4096` in `crates/html`. The input's first line serves as the header
//! `Content-Type`.

#![no_main]

use dehusk_html::decode::{CharsetHints, decode, from_text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let line = bytes.split(|&b| b == b'\n').next().unwrap_or_default();
    for content_type in [None, std::str::from_utf8(line).ok()] {
        let hints = CharsetHints {
            content_type,
            ..CharsetHints::default()
        };
        let decoded = decode(bytes, hints, usize::MAX);
        let again = from_text(&decoded.text, usize::MAX);
        assert_eq!(again.text, decoded.text.strip_prefix('\u{FEFF}').unwrap_or(&decoded.text));
        let half = bytes.len() / 2;
        assert_eq!(decode(bytes, hints, half).text, {
            let mut part = decode(&bytes[..half], hints, usize::MAX);
            std::mem::take(&mut part.text)
        });
    }
    let hints = CharsetHints {
        charset: Some("utf-8"),
        content_type: None,
    };
    let decoded = decode(bytes, hints, usize::MAX);
    if let Ok(text) = std::str::from_utf8(bytes)
        && !decoded.text.is_empty()
        && decoded.charset.name == "UTF-8"
    {
        assert_eq!(decoded.text, text.strip_prefix('\u{FEFF}').unwrap_or(text));
    }
});
