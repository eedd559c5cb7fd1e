//! The equations of decoding, whatever the bytes are.
//!
//! `cargo +nightly fuzz run decode -- -max_len=4096` in `crates/html`. The corpus is replayed by `cargo test -p dehusk-html`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|page: &[u8]| {
    if let Err(equation) = dehusk_html::decode::decode_check(page) {
        panic!("does not hold: {equation}");
    }
});
