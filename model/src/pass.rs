//! The passes of the model: their names, what they are told, and the ways in which one can stop.

use super::fault::{Fault, FaultSet};
use super::{assign, canonicalize, coalesce, cse, licm, locality, remat};
use std::cell::Cell;
use std::fmt;
use tritonsmith_ir::{Module, OpId};

/// A pass of the model. Its name is that of the pass of MLIR or Triton whose job it does in small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModelPass {
    /// Folds operations, simplifies branches and loops, removes dead code.
    Canonicalize,
    /// Keeps one of equal operations where it dominates the others.
    Cse,
    /// Moves out of loops what does not depend on them.
    LoopInvariantCodeMotion,
    /// Gives every tensor a layout and the module its attributes.
    ConvertToGpu,
    /// Gives loads and stores layouts that touch memory in order.
    Coalesce,
    /// Computes cheap values again in the layout that is wanted, in place of converting them.
    RemoveLayoutConversions,
    /// Lets loops that sum up reductions reduce once, at the end.
    OptimizeThreadLocality,
}

/// All of them in the order in which the whole pipeline runs them; some run twice.
pub const PIPELINE: [ModelPass; 13] = [
    ModelPass::Canonicalize,
    ModelPass::Cse,
    ModelPass::LoopInvariantCodeMotion,
    ModelPass::ConvertToGpu,
    ModelPass::Coalesce,
    ModelPass::Canonicalize,
    ModelPass::RemoveLayoutConversions,
    ModelPass::OptimizeThreadLocality,
    ModelPass::RemoveLayoutConversions,
    ModelPass::Canonicalize,
    ModelPass::LoopInvariantCodeMotion,
    ModelPass::Cse,
    ModelPass::Canonicalize,
];

impl ModelPass {
    const ALL: [ModelPass; 7] = [
        ModelPass::Canonicalize,
        ModelPass::Cse,
        ModelPass::LoopInvariantCodeMotion,
        ModelPass::ConvertToGpu,
        ModelPass::Coalesce,
        ModelPass::RemoveLayoutConversions,
        ModelPass::OptimizeThreadLocality,
    ];

    /// The command-line name.
    pub fn name(self) -> &'static str {
        match self {
            ModelPass::Canonicalize => "canonicalize",
            ModelPass::Cse => "cse",
            ModelPass::LoopInvariantCodeMotion => "loop-invariant-code-motion",
            ModelPass::ConvertToGpu => "convert-triton-to-tritongpu",
            ModelPass::Coalesce => "tritongpu-coalesce",
            ModelPass::RemoveLayoutConversions => "tritongpu-remove-layout-conversions",
            ModelPass::OptimizeThreadLocality => "tritongpu-optimize-thread-locality",
        }
    }

    /// The pass of a command-line name.
    pub fn find(name: &str) -> Option<ModelPass> {
        ModelPass::ALL.into_iter().find(|pass| pass.name() == name)
    }

    /// Its text in a pipeline.
    pub fn text(self, setup: &Setup) -> String {
        match self {
            ModelPass::ConvertToGpu => format!(
                "{}{{num-ctas={} num-warps={} target={} threads-per-warp={}}}",
                self.name(),
                setup.ctas,
                setup.warps,
                setup.target,
                setup.threads_per_warp
            ),
            _ => self.name().to_owned(),
        }
    }

    pub(super) fn apply(self, module: &mut Module, context: &Context) -> PassResult {
        match self {
            ModelPass::Canonicalize => canonicalize::run(module, context),
            ModelPass::Cse => cse::run(module, context),
            ModelPass::LoopInvariantCodeMotion => licm::run(module, context),
            ModelPass::ConvertToGpu => assign::run(module, context),
            ModelPass::Coalesce => coalesce::run(module, context),
            ModelPass::RemoveLayoutConversions => remat::run(module, context),
            ModelPass::OptimizeThreadLocality => locality::run(module, context),
        }
    }
}

impl fmt::Display for ModelPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is compiled for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The target, such as `cuda:80`.
    pub target: String,
    /// Warps of a program.
    pub warps: u64,
    /// Threads of a warp.
    pub threads_per_warp: u64,
    /// Programs of a cluster.
    pub ctas: u64,
}

impl Default for Setup {
    fn default() -> Self {
        Setup { target: "cuda:80".to_owned(), warps: 4, threads_per_warp: 32, ctas: 1 }
    }
}

/// Why a pass did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PassError {
    /// Something that the pass relies on does not hold.
    Assertion { expression: &'static str, file: &'static str, line: u32 },
    /// The pass would have damaged the module beyond repair.
    Fatal { op: OpId, message: &'static str },
    /// The module asks for what is not supported.
    Error { op: OpId, message: String },
    /// It did more than [`steps_for`] allows.
    Endless,
}

pub(super) type PassResult = Result<(), PassError>;

/// Stops the pass if a condition does not hold, as a C++ assertion would.
macro_rules! assert_model {
    ($condition:expr, $expression:literal) => {
        if !$condition {
            return Err($crate::pass::PassError::Assertion { expression: $expression, file: file!(), line: line!() });
        }
    };
}
pub(super) use assert_model;

/// What a pass is told beside the module.
#[derive(Debug)]
pub(super) struct Context<'a> {
    pub faults: FaultSet,
    pub setup: &'a Setup,
    left: Cell<u64>,
}

/// PassFailureKind many steps a pass may take over a module of so many operations. A pass visits an operation a few times in each of
/// its rounds, and rounds are few: a right pass stays far below.
pub(super) fn steps_for(operations: usize) -> u64 {
    500 * (operations as u64 + 64)
}

impl<'a> Context<'a> {
    pub fn new(faults: FaultSet, setup: &'a Setup, module: &Module) -> Self {
        Context { faults, setup, left: Cell::new(steps_for(module.walk().len())) }
    }

    pub fn has(&self, fault: Fault) -> bool {
        self.faults.has(fault)
    }

    /// One step of work.
    pub fn step(&self) -> PassResult {
        match self.left.get().checked_sub(1) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(PassError::Endless),
        }
    }
}
