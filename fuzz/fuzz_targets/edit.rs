//! No transformation of the reducer breaks a module.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(alarm) = tritonsmith::checks::edit(bytes) {
        panic!("{alarm}");
    }
});
