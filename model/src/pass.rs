//! The passes of the model: their names, their context and their errors.

use super::fault::{Fault, FaultSet};
use super::{assign, canonicalize, coalesce, cse, licm, locality, remat};
use std::cell::Cell;
use tritonsmith_ir::{Module, OpId};

/// A pass of the model. Its name is that of the pass of MLIR or Triton that it imitates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, strum::Display, strum::EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum ModelPass {
    /// Folds operations, simplifies branches and loops, removes dead code.
    Canonicalize,
    /// Keeps one of equal operations where it dominates the others.
    Cse,
    /// Moves operations out of loops that do not depend on them.
    LoopInvariantCodeMotion,
    /// Assigns every tensor a layout and sets the module's attributes.
    #[strum(serialize = "convert-triton-to-tritongpu")]
    ConvertToGpu,
    /// Assigns loads and stores layouts with coalesced accesses.
    #[strum(serialize = "tritongpu-coalesce")]
    Coalesce,
    /// Recomputes cheap values in the layout that is needed, instead of converting them.
    #[strum(serialize = "tritongpu-remove-layout-conversions")]
    RemoveLayoutConversions,
    /// Moves the reductions of loops that sum them up behind the loop.
    #[strum(serialize = "tritongpu-optimize-thread-locality")]
    OptimizeThreadLocality,
}

/// The whole pipeline. Some passes run more than once.
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
    /// Its text in a pipeline, with options.
    pub fn text(self, setup: &Setup) -> String {
        match self {
            ModelPass::ConvertToGpu => format!(
                "{self}{{num-ctas={} num-warps={} target={} threads-per-warp={}}}",
                setup.ctas, setup.warps, setup.target, setup.threads_per_warp
            ),
            _ => self.to_string(),
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

/// What is compiled for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Such as `cuda:80`.
    pub target: String,
    pub warps: u64,
    pub threads_per_warp: u64,
    /// CTAs of a cluster.
    pub ctas: u64,
}

impl Default for Setup {
    fn default() -> Self {
        Setup { target: "cuda:80".to_owned(), warps: 4, threads_per_warp: 32, ctas: 1 }
    }
}

/// Why a pass stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PassError {
    /// An assertion of the pass failed.
    Assertion { expression: &'static str, file: &'static str, line: u32 },
    /// As `llvm::report_fatal_error`: going on would corrupt the module.
    Fatal { op: OpId, message: &'static str },
    /// The pass does not support the module.
    Error { op: OpId, message: String },
    /// It took more steps than [`steps_for`] allows.
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

#[derive(Debug)]
pub(super) struct Context<'a> {
    pub faults: FaultSet,
    pub setup: &'a Setup,
    left: Cell<u64>,
}

/// The steps that a pass may take over a module of this size. A pass visits an operation a few times in each of its few
/// rounds: a correct pass stays far below.
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

    /// Counts one step.
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
