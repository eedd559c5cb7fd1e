//! Decoding: the properties checked by `decode_check` hold for any bytes.

use dehusk_html::decode::decode_check;

/// Checks the decoder on the bytes of a page.
pub(super) fn check(page: &[u8]) {
    assert_eq!(decode_check(page), Ok(()));
}
