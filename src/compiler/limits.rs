//! What a target gives one block of threads. A kernel that wants more compiles, and cannot be launched.

use super::Target;
use super::protocol::Metadata;

/// The limits of one block. Sources: for `cuda` the table "Technical specifications per compute capability" of the CUDA
/// programming guide (shared memory that a block can opt in to); for `hip` AMD's instruction set and accelerator manuals
/// (local data share of a work group).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockLimits {
    /// Bytes of shared memory.
    pub shared: u64,
    /// Threads.
    pub threads: u64,
}

/// Shared memory in KiB by architecture; of several entries that fit the first counts.
const CUDA: [(&[u32], u64); 6] = [
    (&[70, 72], 96),
    (&[75], 64),
    (&[80, 87], 163),
    (&[86, 88, 89], 99),
    (&[90, 100, 101, 103, 110], 227),
    (&[120, 121], 99),
];
const HIP: [(&[&str], u64); 3] = [
    (&["gfx950"], 160),
    (&["gfx1250"], 320),
    (&["gfx908", "gfx90a", "gfx940", "gfx941", "gfx942", "gfx10", "gfx11", "gfx12"], 64),
];
const THREADS: u64 = 1024;

impl BlockLimits {
    /// The threads that every known target has, and any amount of shared memory.
    pub const THREADS_ALONE: BlockLimits = BlockLimits { shared: u64::MAX, threads: THREADS };

    /// The limits of a target; nothing where they are not known.
    pub fn of(target: &Target) -> Option<BlockLimits> {
        let kib = match target.kind.as_str() {
            "cuda" => {
                let arch: u32 = target.arch.parse().ok()?;
                CUDA.iter().find(|(archs, _)| archs.contains(&arch))?.1
            }
            "hip" => HIP.iter().find(|(archs, _)| archs.iter().any(|start| target.arch.starts_with(start)))?.1,
            _ => return None,
        };
        Some(BlockLimits { shared: kib << 10, threads: THREADS })
    }

    /// What a compiled kernel wants too much of, in the words of Triton's `OutOfResources`; `metadata` is what its stages
    /// noted for the launch.
    pub fn exceeded(&self, metadata: &Metadata, target: &Target) -> Option<String> {
        let number = |name: &str| metadata.get(name).and_then(serde_json::Value::as_u64).unwrap_or(0);
        let threads = number("num_warps") * u64::from(target.threads_per_warp());
        let over = |what: &str, wanted: u64, limit: u64| {
            (wanted > limit).then(|| format!("out of resource: {what}, required: {wanted}, hardware limit: {limit}"))
        };
        over("shared memory", number("shared"), self.shared).or_else(|| over("threads", threads, self.threads))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_that_wants_more_is_told_what_of() {
        let target: Target = "cuda:90".parse().unwrap();
        let limits = BlockLimits::of(&target).unwrap();
        assert_eq!(limits.shared, 232_448);
        let metadata = |shared: u64, warps: u64| {
            Metadata::from([("shared".to_owned(), shared.into()), ("num_warps".to_owned(), warps.into())])
        };
        assert_eq!(limits.exceeded(&metadata(232_448, 32), &target), None);
        let words = "out of resource: shared memory, required: 262144, hardware limit: 232448";
        assert_eq!(limits.exceeded(&metadata(262_144, 4), &target).as_deref(), Some(words));
        assert!(limits.exceeded(&metadata(0, 64), &target).unwrap().contains("threads, required: 2048"));
    }

    #[test]
    fn an_unknown_target_has_no_limits() {
        for unknown in ["npu:Ascend910B3", "cuda:999", "hip:gfx7"] {
            assert_eq!(BlockLimits::of(&unknown.parse().unwrap()), None, "{unknown}");
        }
    }
}
