//! Forks of Triton, known by words that only they have.
//!
//! A module, a pipeline or a log of a fork says nothing about a release of Triton: the same kernel through another backend
//! is another compile. So whoever runs one asks [`Fork::of`] first.

use std::fmt;

/// A fork of Triton, or a backend that lives outside of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fork {
    /// Whose it is.
    pub name: &'static str,
    /// The word before the colon of its releases, where they can be installed.
    pub package: Option<&'static str>,
    /// What a module or a pipeline of it has: dialects, attributes, passes.
    dialects: &'static [&'static str],
    /// What else a log of it has: paths, exceptions, programs.
    words: &'static [&'static str],
}

/// The forks that are known here.
pub const FORKS: [Fork; 12] = [
    Fork {
        name: "Intel's XPU backend",
        package: None,
        dialects: &["triton_intel_gpu.", "ttig.", "tritonintelgpu-", "ttg.target = \"xpu"],
        words: &["TritonIntelGPU", "third_party/intel", "backends/intel"],
    },
    Fork {
        name: "Ascend's fork",
        package: Some("ascend"),
        dialects: &["hivm.", "hfusion.", "triton-to-annotation", "ttg.target = \"npu"],
        words: &["[ERROR][Triton][BEG]", "ConvertTritonIRToLinalgIR", "bishengir", "backends/ascend", "ttadapter"],
    },
    Fork {
        name: "Intel Gaudi's backend",
        package: None,
        dialects: &["tpcd.", "triton_gaudi.", "tritongaudi", "ttg.target = \"hpu"],
        words: &["third_party/gaudi", "backends/gaudi", "backends/hpu", "habana_frameworks"],
    },
    Fork {
        name: "Cambricon's MLU backend",
        package: None,
        dialects: &["linalg_ext.", "tritonmlu", "triton-mlu", "ttg.target = \"mlu"],
        words: &["third_party/cambricon", "third_party/mlu", "backends/mlu", "torch_mlu"],
    },
    Fork {
        name: "Kunlunxin's XPU backend",
        package: None,
        dialects: &["triton_xpu.", "tritonxpu-"],
        words: &["TritonXPU", "third_party/xpu", "backends/xpu"],
    },
    Fork {
        name: "Moore Threads' backend",
        package: None,
        dialects: &["tritonmtgpu", "ttg.target = \"musa"],
        words: &["third_party/mthreads", "backends/mthreads", "backends/musa", "torch_musa"],
    },
    Fork {
        name: "MetaX's backend",
        package: None,
        dialects: &["tritonmetaxgpu", "ttg.target = \"maca"],
        words: &["TritonMETAXGPU", "third_party/metax", "backends/metax"],
    },
    Fork {
        name: "Iluvatar's backend",
        package: None,
        dialects: &["tritoniluvatargpu"],
        words: &["third_party/iluvatar", "backends/iluvatar"],
    },
    Fork {
        name: "Qualcomm's Hexagon backend",
        package: None,
        dialects: &["hexagonmem.", "hexkl.", "tritonhexagon"],
        words: &["backends/qcom_hexagon_backend", "hexagon-mlir"],
    },
    Fork {
        name: "the CPU backend of triton-cpu",
        package: None,
        dialects: &["triton_cpu.", "triton-cpu-", "ttc."],
        words: &["third_party/cpu", "backends/cpu/"],
    },
    Fork {
        name: "triton-shared",
        package: None,
        dialects: &["tptr.", "tts.", "triton-to-linalg-experimental"],
        words: &["triton_shared", "triton-shared-opt"],
    },
    Fork { name: "FlagTree", package: None, dialects: &["flagtree."], words: &["flagtree", "FlagTree"] },
];

/// A fork, and the word that shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sign {
    /// Which fork.
    pub fork: Fork,
    /// The word.
    pub word: &'static str,
}

impl Fork {
    /// The fork that a module, a pipeline and the lines around them are of, if it is one.
    pub fn of<'t>(
        modules: impl IntoIterator<Item = &'t str>,
        around: impl IntoIterator<Item = &'t str>,
    ) -> Option<Sign> {
        let modules: Vec<&str> = modules.into_iter().collect();
        let around: Vec<&str> = around.into_iter().collect();
        FORKS.into_iter().find_map(|fork| {
            let found = |words: &[&'static str], texts: &[&str]| {
                words.iter().copied().find(|word| texts.iter().any(|text| has_word(text, word)))
            };
            // A pipeline may stand among the lines around.
            let word = found(fork.dialects, &modules).or_else(|| found(fork.words, &around))?;
            Some(Sign { fork, word })
        })
    }
}

/// Whether a text has a word that is not the end of another: `ttc.` is not in `attc.x`.
fn has_word(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || "_.-%@#".contains(c);
    text.match_indices(word).any(|(at, _)| !text.get(..at).is_some_and(|before| before.ends_with(inside)))
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is of {} (`{}`), whose passes no release of Triton has", self.fork.name, self.word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fork_is_known_by_its_dialects_passes_and_paths() {
        let of = |module: &str, around: &str| Fork::of([module], [around]).map(|sign| sign.fork.name);
        assert_eq!(
            of("module attributes {triton_intel_gpu.min_sg_size = 16 : i32} {", ""),
            Some("Intel's XPU backend")
        );
        assert_eq!(of("builtin.module(tritonintelgpu-coalesce)", ""), Some("Intel's XPU backend"));
        assert_eq!(of("%0 = triton_xpu.load %p", ""), Some("Kunlunxin's XPU backend"));
        assert_eq!(
            of("", "  File \"site-packages/triton/backends/ascend/compiler.py\", line 3"),
            Some("Ascend's fork")
        );
        for module in ["module attributes {ttg.target = \"cuda:90\"} {", "%0 = arith.constant 1 : i32", "%tts.x = a.b"]
        {
            assert_eq!(of(module, "File \"site-packages/triton/backends/nvidia/compiler.py\""), None, "{module}");
        }
    }
}
