//! Values carried through loops and out of branches, dropped one by one.

use super::{blocks_of, linked, pair};
use crate::ir::{BlockId, Module, OpKind};
use tritonsmith_reducer::Site;

/// What loops carry, and what branches give that nothing uses.
pub(super) fn sites(module: &Module) -> Vec<Site> {
    let uses = module.uses();
    let mut sites = Vec::new();
    for op in module.walk() {
        for (index, result) in (0..).zip(&module.op(op).results) {
            let kind = module.kind(op);
            if kind == OpKind::ScfFor || kind == OpKind::ScfIf && uses[result.index()].is_empty() {
                sites.push(Site::new(pair(op.0, index), 1));
            }
        }
    }
    sites
}

/// A loop no longer carries a value: inside and behind it stands what went in. A branch no longer gives a result.
pub(super) fn drop_carried(module: &mut Module, site: u64) -> Option<()> {
    let (op, index) = linked(module, site)?;
    let index = index as usize;
    let result = *module.op(op).results.get(index)?;
    if module.kind(op) == OpKind::ScfFor {
        let init = *module.op(op).operands.get(3 + index)?;
        let body = module.entry(op)?;
        let argument = *module.block(body).arguments.get(1 + index)?;
        module.replace_many(&[(result, init), (argument, init)].into_iter().collect());
        module.remove_block_argument(body, 1 + index);
        module.remove_operand(op, 3 + index);
    }
    for block in blocks_of(module, op).collect::<Vec<BlockId>>() {
        if let Some(&terminator) = module.block(block).ops.last() {
            module.remove_operand(terminator, index);
        }
    }
    module.remove_result(op, index).then_some(())
}
