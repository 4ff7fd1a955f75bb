//! The dominance oracle says what the definition says, on random trees of regions and blocks.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(alarm) = tritonsmith::checks::dominance(bytes) {
        panic!("{alarm}");
    }
});
