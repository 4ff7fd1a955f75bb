//! The names of the patterns.

use super::settings::{GeneratorSettings, IrLevel};
use strum::{Display, EnumString, VariantArray};

/// A shape of code. Each is general: none is made for a known bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Pattern {
    /// Loads, arithmetic on tensors and scalars, stores.
    Elementwise,
    /// `scf.for` with carried values of all kinds.
    Loop,
    /// `scf.while`.
    While,
    /// `scf.if` with results or without.
    Branch,
    /// One flag that is tested at several places.
    Flag,
    /// An early return, or two paths that join: `cf.cond_br`.
    Exit,
    /// A mask built once and used at several places and ranks.
    MaskReuse,
    /// A running maximum and sum with rescaling, and an accumulator.
    SoftmaxCarry,
    /// A product of matrices, in a loop or alone.
    Matmul,
    /// Reductions over an axis.
    Reduction,
    /// Scans along an axis.
    Scan,
    /// Reshapes, transposes, joins, splits, concatenation.
    Shape,
    /// Gathers and histograms.
    Gather,
    /// Atomic operations.
    Atomic,
    /// Calls of device functions.
    Call,
    /// Loads and stores through tensor descriptors.
    Descriptor,
}

impl Pattern {
    /// Its weight before swarm testing changes it; 0 where the settings exclude it.
    pub(super) fn base_weight(self, settings: &GeneratorSettings) -> u32 {
        let wanted = settings.patterns.is_empty() || settings.patterns.contains(&self);
        let there = match self {
            Pattern::Descriptor => settings.has_descriptors() && settings.level == IrLevel::Ttir,
            // `assign_layouts` does not implement their layout inference.
            Pattern::Shape | Pattern::Gather | Pattern::Call => settings.level == IrLevel::Ttir,
            _ => true,
        };
        if !wanted || !there {
            return 0;
        }
        match self {
            Pattern::Elementwise | Pattern::Loop | Pattern::SoftmaxCarry | Pattern::MaskReuse => 4,
            Pattern::Branch | Pattern::Matmul | Pattern::Reduction => 3,
            Pattern::Flag | Pattern::Exit | Pattern::Scan | Pattern::Shape | Pattern::Descriptor => 2,
            Pattern::While | Pattern::Gather | Pattern::Atomic | Pattern::Call => 1,
        }
    }
}
