//! The target and options that a module was compiled with.
//!
//! Three sources, in order of trust: the module's attributes, the pipeline of the reproducer, the options in dump headers.
//! Where two disagree, the more trusted one wins, with a note.

use std::sync::LazyLock;

use regex::Regex;

use crate::compiler::Target;
use crate::compiler::pipeline::{Pass, Pipeline};
use crate::compiler::wheel::PACKAGES;

/// `None` where the input says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CompileSettings {
    pub target: Option<Target>,
    pub num_warps: Option<u32>,
    pub num_ctas: Option<u32>,
    pub threads_per_warp: Option<u32>,
    pub num_stages: Option<u32>,
}

impl CompileSettings {
    /// The attributes of a module: `ttg.target = "cuda:80"`, `"ttg.num-warps" = 4 : i32`, up to 3.2.0 with `triton_gpu.`.
    pub(super) fn of_module(text: &str) -> Self {
        let attribute = |name: &str| {
            ["ttg.", "triton_gpu."].iter().find_map(|dialect| {
                text.match_indices(&format!("{dialect}{name}")).find_map(|(at, found)| {
                    let rest = text.get(at + found.len()..)?;
                    let rest = rest.strip_prefix('"').unwrap_or(rest).strip_prefix(" = ")?;
                    rest.split([' ', ',', '}']).next()
                })
            })
        };
        let number = |name: &str| attribute(name).and_then(|value| value.parse().ok());
        CompileSettings {
            target: attribute("target").and_then(|value| value.trim_matches('"').parse().ok()),
            num_warps: number("num-warps"),
            num_ctas: number("num-ctas"),
            threads_per_warp: number("threads-per-warp"),
            num_stages: None,
        }
    }

    /// The options of passes; the first value of each, since some versions pass different ones on purpose.
    pub(super) fn of_passes<'p>(passes: impl Iterator<Item = &'p Pass> + Clone) -> Self {
        let value = |key: &str| passes.clone().find_map(|pass| pass.option(key));
        let number = |key: &str| value(key).and_then(|value| value.parse().ok());
        let arch = value("gfx-arch").or_else(|| value("arch-generation-name"));
        let target = value("target").and_then(|target| target.parse().ok());
        let target = target
            .or_else(|| arch.and_then(|arch| format!("hip:{arch}").parse().ok()))
            .or_else(|| value("compute-capability").and_then(|arch| format!("cuda:{arch}").parse().ok()));
        CompileSettings {
            target,
            num_warps: number("num-warps"),
            num_ctas: number("num-ctas"),
            threads_per_warp: number("threads-per-warp"),
            num_stages: number("num-stages"),
        }
    }

    pub(super) fn of_pipeline(pipeline: &Pipeline) -> Self {
        Self::of_passes(pipeline.passes().iter().map(|nested| &nested.pass))
    }

    /// Fills in values from a less trusted source; notes where it disagrees.
    pub(super) fn or(self, other: Self, source: &str, notes: &mut Vec<String>) -> Self {
        fn pick<T: PartialEq + ToString>(
            name: &str,
            own: Option<T>,
            other: Option<T>,
            source: &str,
            notes: &mut Vec<String>,
        ) -> Option<T> {
            if let (Some(own), Some(other)) = (&own, &other)
                && own != other
            {
                let (own, other) = (own.to_string(), other.to_string());
                notes.push(format!("{source} says {name} is {other}, which was not believed: {own} was found before."));
            }
            own.or(other)
        }
        CompileSettings {
            target: pick("the target", self.target, other.target, source, notes),
            num_warps: pick("the number of warps", self.num_warps, other.num_warps, source, notes),
            num_ctas: pick("the number of CTAs", self.num_ctas, other.num_ctas, source, notes),
            threads_per_warp: pick("the size of a warp", self.threads_per_warp, other.threads_per_warp, source, notes),
            num_stages: pick("the number of stages", self.num_stages, other.num_stages, source, notes),
        }
    }

    /// Sets the target's warp size if it is not the default (AMD's `gfx10` and later can run 64).
    pub(super) fn with_warp_size(mut self) -> Self {
        if let (Some(target), Some(size)) = (&mut self.target, self.threads_per_warp)
            && target.warp_size.is_none()
            && target.threads_per_warp() != size
        {
            target.warp_size = Some(size);
        }
        self
    }
}

/// A version of Triton in a log: `triton-3.6.0` in a path, `triton==3.6.0`, `Triton version: 3.5.1`, a line of `pip list`.
/// Two-part numbers are more often prose than versions.
pub(super) fn triton_version(line: &str) -> Option<&str> {
    static VERSION: LazyLock<Regex> = LazyLock::new(|| {
        let forks: Vec<&str> = PACKAGES.iter().map(|package| package.word).filter(|&word| word != "triton").collect();
        let name = format!(r"(?:^|[^\w])(?:pytorch[-_])?triton(?:[-_](?:rocm|windows|xpu|{}))?", forks.join("|"));
        Regex::new(&format!(r"(?i){name}(?:['\x22]|\s+version)?(?:\s*(?:==|[-:=@/])\s*|\s+)['\x22]?v?(\d+\.\d+\.\d+)"))
            .expect("a pattern")
    });
    let found = VERSION.captures(line)?;
    found.get(1).map(|version| version.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_of_old_and_new_dialects_are_read() {
        let new = CompileSettings::of_module(
            "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 8 : i32, ttg.target = \"hip:gfx942\", \
             \"ttg.threads-per-warp\" = 64 : i32} {",
        );
        assert_eq!((new.num_warps, new.num_ctas, new.threads_per_warp), (Some(8), Some(1), Some(64)));
        assert_eq!(new.with_warp_size().target.unwrap().to_string(), "hip:gfx942");
        let old = CompileSettings::of_module(
            "module attributes {\"triton_gpu.num-warps\" = 4 : i32, triton_gpu.target = \"cuda:90\"} {",
        );
        assert_eq!(old.num_warps, Some(4));
        assert_eq!(old.target.unwrap().to_string(), "cuda:90");
        let generic = CompileSettings::of_module(
            "}) {\"ttg.total-num-warps\" = 9 : i32, \"ttg.num-warps\" = 4 : i32} : () -> ()",
        );
        assert_eq!(generic.num_warps, Some(4));
    }

    #[test]
    fn pipelines_tell_target_warps_and_stages() {
        let pipeline = "builtin.module(convert-triton-to-tritongpu{num-ctas=1 num-warps=4 target=cuda:87 \
                        threads-per-warp=32}, tritongpu-pipeline{num-stages=3}, x{compute-capability=80})";
        let settings = CompileSettings::of_pipeline(&pipeline.parse().unwrap());
        assert_eq!(settings.target.unwrap().to_string(), "cuda:87");
        assert_eq!((settings.num_warps, settings.num_stages), (Some(4), Some(3)));
        let pipeline = "builtin.module(a{gfx-arch=gfx942 kPack=1}, b{num_stages=2})";
        let settings = CompileSettings::of_pipeline(&pipeline.parse().unwrap());
        assert_eq!(settings.target.unwrap().to_string(), "hip:gfx942");
        assert_eq!(settings.num_stages, Some(2));
    }

    #[test]
    fn versions_are_read_where_they_are_meant() {
        for (line, version) in [
            ("/opt/conda/pkgs/triton-3.6.0-py311/lib", Some("3.6.0")),
            ("triton==3.5.1", Some("3.5.1")),
            ("pytorch-triton-rocm==3.1.0+cf34004b8a", Some("3.1.0")),
            ("Triton version: 3.4.0", Some("3.4.0")),
            ("triton                    3.3.1", Some("3.3.1")),
            ("triton: 3.3.0", Some("3.3.0")),
            ("compatibility in Triton 3.9. The default", None),
            ("site-packages/triton/compiler.py\", line 324", None),
            ("tritonsmith 1.2.3", None),
        ] {
            assert_eq!(triton_version(line), version, "{line}");
        }
    }
}
