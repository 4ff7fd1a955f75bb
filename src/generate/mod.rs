//! Making modules: at random from bytes, and by damage from other modules.
//!
//! [`generate`] turns bytes into a module that Triton's front end could have written: valid by construction, of
//! operations that the front end emits for the targets and versions in [`Settings`], in its idiom. The bytes come from
//! a seed ([`from_seed`]), from a fuzzer or from a test; equal bytes give an equal module, and bytes that run out end it
//! soundly. What a module is made of is drawn first (`config`: swarm testing); then [`Pattern`]s, each in its own file
//! under `patterns`, are drawn one after another and inside one another over a scope of values (`smith`); operations are
//! appended by `builder`, which makes dominance hold by construction. Everything that is made is used in the end: by a
//! store, a carried value or a result. At [`Level::Ttgir`] every tensor then gets a random legal layout (`lay_out`).
//!
//! [`damage()`] changes a real module at random in ways that may break dominance and break nothing else. What it makes is
//! no test for Triton's passes, it is a test for the oracle: on every such module, our verdict and that of Triton's verifier
//! must agree.

mod builder;
mod choice;
mod combine;
mod config;
mod damage;
mod elementwise;
mod graft;
mod lay_out;
mod layout;
mod memory;
mod ops;
mod pattern;
mod patterns;
mod settings;
mod smith;
mod value;

pub use damage::{DamageKind, damage, damage_as};
pub use pattern::Pattern;
pub use settings::{Backend, Level, Settings, Version};

use crate::ir::Module;
use arbitrary::Unstructured;
use rand::Rng;
use std::collections::BTreeMap;

/// How many bytes a seed is stretched to: what the largest module takes, and some to spare.
const SEED_BYTES: usize = 8192;

/// A generated module and what it was made of.
#[derive(Debug, Clone)]
pub struct Generated {
    /// The module.
    pub module: Module,
    /// The patterns in it, in the order in which they were begun.
    pub patterns: Vec<Pattern>,
    /// Operations by name, with their number.
    pub operations: BTreeMap<String, usize>,
    /// The number of warps that goes with it, for the pipeline's options.
    pub warps: u32,
    /// The number of pipeline stages that goes with it.
    pub stages: u32,
}

/// A module from bytes. It takes as many bytes as it needs, and makes do with fewer.
pub fn generate(settings: &Settings, bytes: &mut Unstructured<'_>) -> Generated {
    smith::kernel(settings, bytes)
}

/// A module from a seed: the bytes are those of the PCG32 generator of that seed.
pub fn from_seed(settings: &Settings, seed: u64) -> Generated {
    let mut bytes = vec![0; SEED_BYTES];
    // The stream is PCG's own default; any fixed one would do.
    rand_pcg::Pcg32::new(seed, 0x0a02_bdbf_7bb3_c0a7).fill_bytes(&mut bytes);
    generate(settings, &mut Unstructured::new(&bytes))
}
