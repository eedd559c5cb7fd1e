//! The equation: our tree of a document is html5ever's tree of it.
//!
//! `cargo +nightly fuzz run parser -- -max_len=2048` in `crates/html`. What it finds goes into
//! `fixtures/parser/soup.txt`; the corpus is replayed by `cargo test -p dehusk-html`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    for scripting in [true, false] {
        match dehusk_html::reference_check(source, scripting) {
            // html5ever behind our interface differs by itself where its limiter flattens.
            Err(difference) if difference.parser == "whatwg" => panic!("{difference} (scripting {scripting})"),
            _ => {}
        }
    }
});
