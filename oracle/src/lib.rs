//! Judges of modules: pure functions from a module to what is wrong with it, with no compiler asked.
//!
//! [`judge`] runs them all. [`dominance`] says whether every use sees its definition, [`structure`] whether blocks,
//! branches, regions and calls fit together. Both follow what MLIR's own verifier accepts and rejects, so that a module
//! that passes here and is rejected there (or the other way round) is worth a look: either this room is wrong, or the
//! compiler is. An operation without a definition is checked for dominance like any other, and is never
//! an error by itself.
//!
#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod dominance;
pub mod dominators;
pub mod structure;

use std::fmt;
use tritonsmith_ir::Module;

/// Everything that is wrong with a module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Violations {
    /// Uses that their definitions do not dominate, and names defined twice.
    pub dominance: Vec<dominance::DominanceViolation>,
    /// Blocks, branches, regions, calls and types that do not fit together.
    pub structure: Vec<structure::StructureViolation>,
}

impl Violations {
    /// Whether nothing is wrong.
    pub fn is_valid(&self) -> bool {
        self.dominance.is_empty() && self.structure.is_empty()
    }

    /// How many things are wrong.
    pub fn len(&self) -> usize {
        self.dominance.len() + self.structure.len()
    }

    /// The same as [`Violations::is_valid`], by the name that goes with [`Violations::len`].
    pub fn is_empty(&self) -> bool {
        self.is_valid()
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dominance = self.dominance.iter().map(|violation| violation as &dyn fmt::Display);
        let structure = self.structure.iter().map(|violation| violation as &dyn fmt::Display);
        for (index, violation) in dominance.chain(structure).enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{violation}")?;
        }
        Ok(())
    }
}

/// Asks every oracle about a module.
pub fn judge(module: &Module) -> Violations {
    Violations { dominance: dominance::check(module), structure: structure::check(module) }
}
