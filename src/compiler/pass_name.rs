//! The two names of a pass, matched by rules.
//!
//! MLIR reports a failing pass by its C++ name (`TritonGPURemoveLayoutConversions`); a pipeline uses the command-line
//! name (`tritongpu-remove-layout-conversions`). Most pairs are the same letters with other punctuation, some are not:
//! `TritonGPUPlanCTAPass` is `triton-nvidia-gpu-plan-cta`, `TritonLoopInvariantCodeMotion` is `triton-licm`, `Canonicalizer`
//! is `canonicalize`. There are three rules, and the first that finds anything counts:
//!
//! 1. the same letters, without punctuation, case and a final `Pass`;
//! 2. the same again without the words for dialects and vendors (`Triton`, `GPU`, `AMD`, …), `To`, a final `Ops` and a
//!    final `r`, of the same vendor if there is one, and Triton's own only if this one is;
//! 3. mostly the same words, in any order; an abbreviation matches the words of which it is the initials (`WS` and
//!    `warp-spec`). Only the most similar name of a pipeline, and only if there is just one.
//!
//! There is no table of passes: a vendor's fork has passes of its own.

use super::pipeline::{NestedPass, Pipeline};

/// Words for dialects and vendors, in which the two names differ most.
const PLACES: [&str; 10] =
    ["tritonnvidiagpu", "tritonamdgpu", "tritonamd", "tritongpu", "triton", "nvidia", "amdgpu", "amd", "gpu", "nv"];

/// The share of common words that the third rule needs.
const SIMILAR_ENOUGH: f64 = 0.66;

/// A pass by its C++ or its command-line name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PassName<'n>(pub &'n str);

impl PassName<'_> {
    /// Whether the other name belongs to the same pass by the first two rules.
    pub fn same_as(&self, other: &str) -> bool {
        letters(self.0) == letters(other) || essence(self.0) == essence(other)
    }

    /// Positions in [`Pipeline::passes`] of the passes that this name may mean: several where a pass runs several times,
    /// none where no name is close enough.
    pub fn find_in(&self, pipeline: &Pipeline) -> Vec<usize> {
        let passes = pipeline.passes();
        let names: Vec<&str> = passes.iter().map(NestedPass::name).collect();
        let positions = |same: &dyn Fn(&str) -> bool| -> Vec<usize> {
            names.iter().enumerate().filter(|(_, name)| same(name)).map(|(position, _)| position).collect()
        };
        let (own_letters, own_essence) = (letters(self.0), essence(self.0));
        let (triton, vendor) = origin(self.0);
        let mut found = positions(&|name| letters(name) == own_letters);
        if found.is_empty() {
            found = positions(&|name| essence(name) == own_essence && origin(name) == (triton, vendor));
        }
        if found.is_empty() {
            found = positions(&|name| essence(name) == own_essence && origin(name).0 == triton);
        }
        if found.is_empty() {
            let best = self.most_similar(&names);
            found = positions(&|name| Some(name) == best);
        }
        found
    }

    fn most_similar<'p>(&self, names: &[&'p str]) -> Option<&'p str> {
        let (own, triton) = (words(self.0), origin(self.0).0);
        let mut best: Option<(&'p str, f64)> = None;
        let mut unique = true;
        for &name in names {
            // Of two that are equally similar, the one that is Triton's own if this one is.
            let score = similarity(&own, &words(name)) + if origin(name).0 == triton { 0.001 } else { 0.0 };
            match best {
                Some((held, _)) if held == name => {}
                Some((_, highest)) if score < highest => {}
                Some((_, highest)) if score == highest => unique = false,
                _ => (best, unique) = (Some((name, score)), true),
            }
        }
        best.filter(|(_, score)| unique && *score >= SIMILAR_ENOUGH).map(|(name, _)| name)
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

/// Whether a pass is Triton's rather than MLIR's, and the vendor in its name.
fn origin(name: &str) -> (bool, Option<&'static str>) {
    let letters = letters(name);
    (letters.contains("triton"), ["nvidia", "amd"].into_iter().find(|vendor| letters.contains(vendor)))
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

/// Dice's coefficient over words, where two words of five letters or more are the same if they begin alike
/// (`convert`, `conversion`), and an abbreviation matches the words of which it is the initials.
fn similarity(a: &[String], b: &[String]) -> f64 {
    let total = a.len() + b.len();
    if total == 0 {
        return 0.0;
    }
    (covered(a, b) + covered(b, a)) as f64 / total as f64
}

/// How many words of `a` have a counterpart in `b`.
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

    fn pipeline(names: &[&str]) -> Pipeline {
        format!("builtin.module({})", names.join(", ")).parse().unwrap()
    }

    #[test]
    fn finds_every_run_of_a_pass() {
        let pipeline = pipeline(&["tritongpu-coalesce", "cse", "tt.func(tritongpu-x, cse)", "tritongpu-coalesce"]);
        assert_eq!(PassName("TritonGPUCoalesce").find_in(&pipeline), [0, 4]);
        assert_eq!(PassName("CSEPass").find_in(&pipeline), [1, 3]);
        assert_eq!(PassName("tritongpu-x").find_in(&pipeline), [2]);
        assert!(PassName("TritonGPUPrefetch").find_in(&pipeline).is_empty());
    }

    #[test]
    fn an_exact_name_wins_over_one_of_another_vendor() {
        let pipeline = pipeline(&["tritonamdgpu-pipeline", "tritongpu-pipeline"]);
        assert_eq!(PassName("TritonGPUPipeline").find_in(&pipeline), [1]);
        assert_eq!(PassName("TritonAMDGPUPipeline").find_in(&pipeline), [0]);
    }

    #[test]
    fn abbreviations_stand_for_their_words() {
        let pipeline = pipeline(&["triton-loop-unroll", "triton-licm", "convert-scf-to-cf", "convert-cf-to-llvm"]);
        assert_eq!(PassName("TritonLoopInvariantCodeMotion").find_in(&pipeline), [1]);
        assert_eq!(PassName("SCFToControlFlowPass").find_in(&pipeline), [2]);
        assert_eq!(PassName("ConvertControlFlowToLLVMPass").find_in(&pipeline), [3]);
    }

    #[test]
    fn what_means_nothing_finds_nothing() {
        let pipeline = pipeline(&["cse", "canonicalize"]);
        for name in ["", "Pass", "::", "LLVMDIScope", "Ünïcödé"] {
            assert!(PassName(name).find_in(&pipeline).is_empty(), "{name}");
        }
        assert!(PassName("CanonicalizerPass").same_as("canonicalize"));
    }
}
