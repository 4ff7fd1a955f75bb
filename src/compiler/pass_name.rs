//! The names of a pass, matched by rules.
//!
//! MLIR reports a failing pass by its C++ name (`TritonGPURemoveLayoutConversions`); a pipeline uses the command-line
//! name (`tritongpu-remove-layout-conversions`). Most pairs are the same letters with other punctuation, some are not:
//! `TritonGPUPlanCTAPass` is `triton-nvidia-gpu-plan-cta`, `TritonLoopInvariantCodeMotion` is `triton-licm`, `Canonicalizer`
//! is `canonicalize`. Two names belong to the same pass
//!
//! 1. if they have the same letters, without punctuation, case and a final `Pass`;
//! 2. if one is a C++ name and the other a command-line name, both are Triton's or neither is, the vendor is the same, and
//!    they have the same words in any order, without those for dialects (`Triton`, `GPU`, …), `To`, `Convert`, a final
//!    `Ops` and a final `r`; an abbreviation is the words of which it is the initials (`WS` and `warp-spec`);
//! 3. if [`OTHER_NAMES`] says so, which has what no rule can know.
//!
//! Two different command-line names are two passes: a pass that a release does not have is never taken for a similar one.

/// Words for dialects and vendors, in which the two names differ most.
const PLACES: [&str; 9] =
    ["tritonnvidiagpu", "tritonamdgpu", "tritonamd", "tritongpu", "triton", "nvidia", "amdgpu", "amd", "gpu"];

/// Words that one of the two names often lacks.
const FILLERS: [&str; 4] = ["to", "pass", "convert", "conversion"];

/// Pairs of names of one pass that have too little in common: those of passes that were renamed, the older name first, and
/// of C++ classes whose command-line name is other words.
const OTHER_NAMES: [[&str; 2]; 8] = [
    ["tritonamdgpu-stream-pipeline", "tritonamdgpu-pipeline"],
    ["tritonamdgpu-stream-pipeline-v2", "tritonamdgpu-pipeline"],
    ["triton-nvidia-gpu-plan-cta", "triton-nvidia-gpu-assign-cga-layouts"],
    ["TritonGPUGlobalScratchAllocation", "tritongpu-global-scratch-memory-allocation"],
    ["TritonNvidiaGPUFuseTMEMLoadReduce", "triton-nvidia-tmem-load-reduce"],
    ["TritionTensorMemoryAllocation", "triton-tensor-memory-allocation"],
    ["LowerInstructionSchedHints", "lower-insert-instruction-sched-hints"],
    ["LLVMDIScope", "enable-line-info"],
];

/// A pass by its C++ or its command-line name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PassName<'n>(pub &'n str);

impl PassName<'_> {
    /// Whether the other name belongs to the same pass.
    pub fn same_as(&self, other: &str) -> bool {
        let either = |[a, b]: &[&str; 2]| alike(self.0, a) && alike(other, b) || alike(self.0, b) && alike(other, a);
        alike(self.0, other) || OTHER_NAMES.iter().any(either)
    }

    /// The positions of the passes that this name belongs to: several where a pass runs several times. Another name of the
    /// pass counts only where this one is not there.
    pub fn find_in<'p>(&self, names: impl Iterator<Item = &'p str> + Clone) -> Vec<usize> {
        let positions = |same: &dyn Fn(&str) -> bool| -> Vec<usize> {
            names.clone().enumerate().filter(|(_, name)| same(name)).map(|(position, _)| position).collect()
        };
        let found = positions(&|name| alike(self.0, name));
        if found.is_empty() { positions(&|name| self.same_as(name)) } else { found }
    }
}

/// Whether two names follow from each other by rule.
fn alike(a: &str, b: &str) -> bool {
    let (own, other) = (letters(a), letters(b));
    !own.is_empty() && own == other || is_class(a) != is_class(b) && same_origin(a, b) && same_words(a, b)
}

/// Whether this is a C++ name: a command-line name has dashes, or is one word in lower case.
fn is_class(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains('-')
}

/// Nvidia's passes may be named like those of no vendor.
fn same_origin(a: &str, b: &str) -> bool {
    let ((a_triton, a_vendor), (b_triton, b_vendor)) = (origin(a), origin(b));
    let vendor = |vendor: Option<&'static str>| vendor.filter(|vendor| *vendor != "nvidia");
    a_triton == b_triton && (a_vendor == b_vendor || vendor(a_vendor) == vendor(b_vendor))
}

fn same_words(a: &str, b: &str) -> bool {
    let (a_words, b_words) = (words(a), words(b));
    let all = |a: &[String], b: &[String]| covered(a, b) == a.len();
    !a_words.is_empty()
        && !b_words.is_empty()
        && (essence(&a_words) == essence(&b_words) || all(&a_words, &b_words) && all(&b_words, &a_words))
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

/// Whether a pass is Triton's rather than MLIR's, and the vendor in its name.
fn origin(name: &str) -> (bool, Option<&'static str>) {
    let letters = letters(name);
    (letters.contains("triton"), ["nvidia", "amd"].into_iter().find(|vendor| letters.contains(vendor)))
}

/// The words for what a pass does as one, however they were separated.
fn essence(words: &[String]) -> String {
    let mut essence = words.concat();
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
    words.retain(|word| !word.is_empty() && !FILLERS.contains(&word.as_str()));
    words
}

/// How many words of `a` have a counterpart in `b`: two words of five letters or more are the same if they begin alike
/// (`insert`, `insertion`), and an abbreviation is the words of which it is the initials.
fn covered(a: &[String], b: &[String]) -> usize {
    let mut hit = vec![false; a.len()];
    for (index, word) in a.iter().enumerate() {
        let alike = |other: &String| other == word || (stem(word).len() == STEM && stem(word) == stem(other));
        if (b.iter().any(alike) || (word.len() > 1 && b.windows(word.len()).any(|run| initials(run) == *word)))
            && let Some(hit) = hit.get_mut(index)
        {
            *hit = true;
        }
    }
    for word in b.iter().filter(|word| word.len() > 1 && word.len() <= a.len()) {
        for (start, run) in a.windows(word.len()).enumerate() {
            if initials(run) == *word {
                hit.iter_mut().skip(start).take(word.len()).for_each(|hit| *hit = true);
            }
        }
    }
    hit.into_iter().filter(|hit| *hit).count()
}

const STEM: usize = 5;

fn stem(word: &str) -> &str {
    word.get(..STEM).unwrap_or(word)
}

fn initials(words: &[String]) -> String {
    words.iter().filter_map(|word| word.chars().next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, names: &[&str]) -> Vec<usize> {
        PassName(name).find_in(names.iter().copied())
    }

    #[test]
    fn finds_every_run_of_a_pass() {
        let names = ["tritongpu-coalesce", "cse", "tritongpu-x", "cse", "tritongpu-coalesce"];
        assert_eq!(found("TritonGPUCoalesce", &names), [0, 4]);
        assert_eq!(found("CSEPass", &names), [1, 3]);
        assert_eq!(found("tritongpu-x", &names), [2]);
        assert!(found("TritonGPUPrefetch", &names).is_empty());
    }

    #[test]
    fn a_pass_of_another_vendor_is_another_pass() {
        let names = ["tritonamdgpu-pipeline", "tritongpu-pipeline"];
        assert_eq!(found("TritonGPUPipeline", &names), [1]);
        assert_eq!(found("TritonAMDGPUPipeline", &names), [0]);
        assert!(found("TritonGPUPipeline", &names[..1]).is_empty());
        assert!(found("TritonIntelGPUPipeline", &names).is_empty());
    }

    #[test]
    fn abbreviations_are_their_words() {
        let names = ["triton-loop-unroll", "triton-licm", "convert-scf-to-cf", "convert-cf-to-llvm"];
        assert_eq!(found("TritonLoopInvariantCodeMotion", &names), [1]);
        assert_eq!(found("SCFToControlFlowPass", &names), [2]);
        assert_eq!(found("ConvertControlFlowToLLVMPass", &names), [3]);
    }

    #[test]
    fn a_similar_pass_is_another_pass() {
        for (name, other) in [
            ("tritongpu-hoist-tmem-alloc", "tritongpu-hoist-tmem-store"),
            ("TritonGPUHoistTMEMAlloc", "tritongpu-hoist-tmem-store"),
            ("tritongpu-remove", "tritongpu-remove-layout-conversions"),
            ("tritonamdgpu-sink-layout-conversions", "tritonamdgpu-hoist-layout-conversions"),
        ] {
            assert!(!PassName(name).same_as(other) && !PassName(other).same_as(name), "{name} {other}");
        }
    }

    #[test]
    fn a_renamed_pass_is_found_by_all_of_its_names() {
        let newer = ["tritonamdgpu-pipeline", "triton-nvidia-gpu-assign-cga-layouts"];
        assert_eq!(found("tritonamdgpu-stream-pipeline", &newer), [0]);
        assert_eq!(found("TritonAMDGPUStreamPipelineV2", &newer), [0]);
        assert_eq!(found("TritonGPUPlanCTAPass", &newer), [1]);
        assert_eq!(found("TritonNvidiaGPUAssignCGALayoutsPass", &["triton-nvidia-gpu-plan-cta"]), [0]);
        // Where both are there, they are two passes.
        assert_eq!(found("tritonamdgpu-pipeline", &["tritonamdgpu-stream-pipeline", newer[0]]), [1]);
    }

    #[test]
    fn what_means_nothing_finds_nothing() {
        for name in ["", "Pass", "::", "Triton", "Ünïcödé"] {
            assert!(found(name, &["cse", "canonicalize", "triton"]).is_empty() || name == "Triton", "{name}");
        }
        assert!(PassName("CanonicalizerPass").same_as("canonicalize"));
    }
}
