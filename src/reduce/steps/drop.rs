//! Dropping operations that nothing uses, effects or not, and functions that nothing calls.

use super::{Candidate, body, dies_with, free_functions, linked_op};
use crate::ir::{Module, OpId};
use tritonsmith_reducer::Site;

/// Operations whose results nothing uses: stores, loops without results, dead code. All that dies with one is its gain.
pub(super) fn unused(module: &Module) -> Vec<Site> {
    let uses = module.uses();
    let unused = |op: &OpId| module.op(*op).results.iter().all(|result| uses[result.index()].is_empty());
    body(module).into_iter().filter(unused).map(|op| Site::new(op.0.into(), dies_with(module, op, &uses))).collect()
}

/// The same operations where each goes by itself.
pub(super) fn unused_alone(module: &Module) -> Vec<Site> {
    unused(module).into_iter().map(|site| Site::new(site.id, 1)).collect()
}

/// Takes an operation out.
pub(super) fn unlink(module: &mut Module, site: u64) -> Option<()> {
    let op = linked_op(module, site)?;
    module.unlink(op);
    Some(())
}

/// Functions that nothing refers to.
pub(super) fn functions(module: &Module) -> Vec<Site> {
    if module.functions().len() < 2 {
        return Vec::new();
    }
    free_functions(module).map(|op| Site::new(op.0.into(), module.walk_from(op).len() as u32)).collect()
}

/// One function is left at least.
pub(super) fn leaves_functions(_: &Candidate, after: Candidate) -> Option<Candidate> {
    (!after.module.functions().is_empty()).then_some(after)
}
