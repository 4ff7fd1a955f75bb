//! The model without faults raises no alarm.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(alarm) = tritonsmith::checks::model(bytes) {
        panic!("{alarm}");
    }
});
