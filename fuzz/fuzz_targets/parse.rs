//! Any bytes: the parser neither panics nor loops, and what it reads is printed and read again to the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(alarm) = tritonsmith::checks::parse(bytes) {
        panic!("{alarm}");
    }
});
