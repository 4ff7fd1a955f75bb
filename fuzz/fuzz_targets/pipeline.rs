//! Modules through a real wheel; stops at a bug that is neither known nor muted. See `tritonsmith::checks::CompilerCheck`.
#![no_main]

use std::sync::LazyLock;
use tritonsmith::checks::CompilerCheck;

static PIPELINE: LazyLock<CompilerCheck> =
    LazyLock::new(|| CompilerCheck::from_environment().unwrap_or_else(|error| panic!("{error}")));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(alarm) = PIPELINE.check(bytes) {
        panic!("{alarm}");
    }
});
