//! The equations of decoding, whatever the bytes are.

use dehusk_html::decode::decode_check;

pub(super) fn check(page: &[u8]) {
    assert_eq!(decode_check(page), Ok(()));
}
