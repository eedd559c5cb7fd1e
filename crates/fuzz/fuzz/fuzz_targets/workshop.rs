#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| dehusk_fuzz::check("workshop", input));
