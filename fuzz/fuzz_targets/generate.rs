//! Any bytes make a module that is valid, the same each time.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(alarm) = tritonsmith::checks::generate(bytes) {
        panic!("{alarm}");
    }
});
