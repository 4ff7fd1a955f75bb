//! Generates modules: at random from bytes, or by mutation of other modules.
//!
//! [`generate`] turns bytes into a module that Triton's front end could have written: valid by construction, of
//! operations that the front end emits for the targets and versions in [`GeneratorSettings`]. The bytes come from
//! a seed ([`from_seed`]), a fuzzer or a test; equal bytes give an equal module, and when they run out the module is
//! still completed. The configuration is drawn first (`config`: swarm testing); then `generator` draws [`Pattern`]s (one
//! file each under `patterns`) after one another and inside one another, over a scope of values. `builder` appends the
//! operations and keeps dominance by construction. Every value is used in the end: by a store, a carried value or a
//! result. At [`IrLevel::Ttgir`] every tensor then gets a random legal layout (`assign_layouts`).
//!
//! [`mutate()`] changes a real module at random in ways that may break dominance and nothing else. Its modules test the
//! oracle rather than Triton's passes: our verdict on each must be that of Triton's verifier.

mod assign_layouts;
mod builder;
mod choice;
mod combine;
mod config;
mod elementwise;
mod generator;
mod graft;
mod layout;
mod memory;
mod mutate;
mod ops;
mod pattern;
mod patterns;
mod settings;
mod value;

pub use mutate::{MutationKind, mutate, mutate_as};
pub use pattern::Pattern;
pub use settings::{Backend, GeneratorSettings, IrLevel, Version};

use crate::ir::Module;
use arbitrary::Unstructured;
use rand::Rng;
use std::collections::BTreeMap;

/// Bytes drawn for a seed: more than the largest module takes.
const SEED_BYTES: usize = 8192;

/// A generated module and what it was made of.
#[derive(Debug, Clone)]
pub struct Generated {
    pub module: Module,
    /// In the order in which they begin.
    pub patterns: Vec<Pattern>,
    /// Count of each operation, by name.
    pub operations: BTreeMap<String, usize>,
    /// For the pipeline's option `num_warps`.
    pub warps: u32,
    /// For the pipeline's option `num_stages`.
    pub stages: u32,
}

/// Generates a module from bytes; when they run out it ends early.
pub fn generate(settings: &GeneratorSettings, bytes: &mut Unstructured<'_>) -> Generated {
    generator::kernel(settings, bytes)
}

/// Generates a module from the bytes of the PCG32 generator with this seed.
pub fn from_seed(settings: &GeneratorSettings, seed: u64) -> Generated {
    let mut bytes = vec![0; SEED_BYTES];
    // The stream is PCG's own default; any fixed one would do.
    rand_pcg::Pcg32::new(seed, 0x0a02_bdbf_7bb3_c0a7).fill_bytes(&mut bytes);
    generate(settings, &mut Unstructured::new(&bytes))
}
