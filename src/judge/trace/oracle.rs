//! Oracles of single steps: what can tell that a step did wrong by looking at the modules around it.

use super::Snapshot;
use crate::compiler::plan::Action;
use crate::ir::Module;
use crate::oracle;

/// A step with the modules around it.
#[derive(Debug, Clone, Copy)]
pub struct Transition<'a> {
    /// Its position among all steps, from 0.
    pub index: usize,
    /// What it does.
    pub action: &'a Action,
    /// What it left.
    pub after: &'a Module,
    pub(super) input: &'a Snapshot,
    pub(super) before: Option<&'a Snapshot>,
}

impl<'a> Transition<'a> {
    /// The module that the first step got, where our parser reads it.
    pub fn input(&self) -> Option<&'a Module> {
        self.input.module()?.ok()
    }

    /// The module that this step got, where it is there and our parser reads it.
    pub fn before(&self) -> Option<&'a Module> {
        self.before?.module()?.ok()
    }
}

/// Something that can tell that a step did wrong. It sees the module before the step, after it, and at the very beginning,
/// so that one that compares meanings plugs in beside those that look at one module alone. A closure with a name is one.
pub trait StepOracle: Sync {
    /// What to call it.
    fn name(&self) -> &str;
    /// What is wrong after the step, in a sentence; nothing if all is well.
    fn complaint(&self, step: &Transition<'_>) -> Option<String>;
}

/// Every use must be dominated by its definition.
#[derive(Debug, Clone, Copy)]
pub struct DominanceOracle;

/// Blocks, branches, regions, calls and types must fit together.
#[derive(Debug, Clone, Copy)]
pub struct Structure;

/// The oracles that judge every trace unless others are named.
pub const ORACLES: [&dyn StepOracle; 2] = [&DominanceOracle, &Structure];

impl StepOracle for DominanceOracle {
    fn name(&self) -> &str {
        "dominance"
    }

    fn complaint(&self, step: &Transition<'_>) -> Option<String> {
        oracle::dominance::check(step.after).first().map(ToString::to_string)
    }
}

impl StepOracle for Structure {
    fn name(&self) -> &str {
        "structure"
    }

    fn complaint(&self, step: &Transition<'_>) -> Option<String> {
        oracle::structure::check(step.after).first().map(ToString::to_string)
    }
}

impl<F: Fn(&Transition<'_>) -> Option<String> + Sync> StepOracle for (&str, F) {
    fn name(&self) -> &str {
        self.0
    }

    fn complaint(&self, step: &Transition<'_>) -> Option<String> {
        (self.1)(step)
    }
}
