//! The dominance oracle agrees with the definition on random trees of regions and blocks.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(alarm) = tritonsmith::checks::dominance(bytes) {
        panic!("{alarm}");
    }
});
