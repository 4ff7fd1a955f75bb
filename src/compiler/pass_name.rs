//! The two names of a pass, compared by rules.
//!
//! MLIR reports a failing pass by its C++ name (`TritonGPURemoveLayoutConversions`); a pipeline uses the command-line
//! name (`tritongpu-remove-layout-conversions`). Most pairs are the same letters with other punctuation, some are not:
//! `TritonGPUPlanCTAPass` is `triton-nvidia-gpu-plan-cta`, `Canonicalizer` is `canonicalize`. Two names are the same if they
//! have the same letters without punctuation, case and a final `Pass`, or if they have them also without the words for
//! dialects and vendors (`Triton`, `GPU`, `AMD`, …), `To`, a final `Ops` and a final `r`.
//!
//! There is no table of passes: a vendor's fork has passes of its own.

/// Words for dialects and vendors, in which the two names differ most.
const PLACES: [&str; 10] =
    ["tritonnvidiagpu", "tritonamdgpu", "tritonamd", "tritongpu", "triton", "nvidia", "amdgpu", "amd", "gpu", "nv"];

/// A pass by its C++ or its command-line name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PassName<'n>(pub &'n str);

impl PassName<'_> {
    /// Whether the other name belongs to the same pass.
    pub fn same_as(&self, other: &str) -> bool {
        letters(self.0) == letters(other) || essence(self.0) == essence(other)
    }
}

/// Lower-case letters and digits, without a final `pass`.
fn letters(name: &str) -> String {
    let mut letters: String =
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    if letters.len() > "pass".len() && letters.ends_with("pass") {
        letters.truncate(letters.len() - "pass".len());
    }
    letters
}

/// The words for what a pass does, without dialects and vendors.
fn essence(name: &str) -> String {
    let mut essence = words(name).concat();
    for ending in ["ops", "r"] {
        if let Some(shorter) = essence.strip_suffix(ending).filter(|shorter| !shorter.is_empty()) {
            essence.truncate(shorter.len());
        }
    }
    essence
}

/// The words of a name in lower case: between dashes, or by camel case with runs of capitals as one word (`GPUWS`, `Task`).
fn words(name: &str) -> Vec<String> {
    let bytes = name.as_bytes();
    let mut words: Vec<String> = Vec::new();
    let mut fresh = true;
    for (index, &byte) in bytes.iter().enumerate() {
        if !byte.is_ascii_alphanumeric() {
            fresh = true;
            continue;
        }
        let before = index.checked_sub(1).and_then(|before| bytes.get(before)).copied().unwrap_or(b' ');
        let after = bytes.get(index + 1).copied().unwrap_or(b' ');
        let rises = byte.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || (before.is_ascii_uppercase() && after.is_ascii_lowercase()));
        if fresh || rises {
            words.push(String::new());
        }
        fresh = false;
        if let Some(word) = words.last_mut() {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    for word in &mut words {
        while let Some(place) = PLACES.iter().find(|place| word.starts_with(**place)) {
            word.drain(..place.len());
        }
    }
    words.retain(|word| !word.is_empty() && word != "to" && word != "pass");
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_what_differs() {
        for (class, command) in [
            ("TritonGPUCoalesce", "tritongpu-coalesce"),
            ("CSEPass", "cse"),
            ("CanonicalizerPass", "canonicalize"),
            ("TritonGPUPlanCTAPass", "triton-nvidia-gpu-plan-cta"),
        ] {
            assert!(PassName(class).same_as(command), "{class}");
        }
        assert!(!PassName("TritonGPUPrefetch").same_as("tritongpu-pipeline"));
    }

    #[test]
    fn what_means_nothing_is_no_pass() {
        for name in ["", "Pass", "::", "LLVMDIScope", "Ünïcödé"] {
            assert!(!PassName(name).same_as("cse"), "{name}");
        }
    }
}
