//! Loop-invariant code motion for `scf.for`.
//!
//! Only operations directly in the loop's body move, innermost loops first, so that what leaves an inner loop may leave the
//! outer one too. Divisions stay: before a loop without iterations they might divide by zero.

use super::fault::Fault;
use super::pass::{Context, PassResult};
use tritonsmith_ir::{BlockId, Definition, Module, OpId, OpKind, Trait, ValueId};

pub(super) fn run(module: &mut Module, context: &Context) -> PassResult {
    let loops: Vec<OpId> = module.walk().into_iter().filter(|&op| module.kind(op) == OpKind::ScfFor).collect();
    for &op in loops.iter().rev() {
        hoist(module, context, op)?;
    }
    Ok(())
}

fn hoist(module: &mut Module, context: &Context, loop_op: OpId) -> PassResult {
    let Some(body) = module.entry(loop_op) else { return Ok(()) };
    let (Some(outside), Some(start)) = (module.op(loop_op).parent, module.position(loop_op)) else { return Ok(()) };
    let mut moved = 0;
    for op in module.block(body).ops.clone() {
        context.step()?;
        if !may_move(module, op) || !operands_stay(module, context, op, loop_op, body) {
            continue;
        }
        module.unlink(op);
        module.insert(op, outside, if context.has(Fault::HoistInReverse) { start } else { start + moved });
        moved += 1;
    }
    Ok(())
}

/// Whether an operation is safe to execute speculatively.
pub(super) fn may_move(module: &Module, op: OpId) -> bool {
    const DIVISIONS: [OpKind; 7] = [
        OpKind::ArithDivsi,
        OpKind::ArithDivui,
        OpKind::ArithRemsi,
        OpKind::ArithRemui,
        OpKind::ArithCeildivsi,
        OpKind::ArithCeildivui,
        OpKind::ArithFloordivsi,
    ];
    module.has(op, Trait::Pure)
        && !module.is_terminator(op)
        && module.op(op).regions.is_empty()
        && !DIVISIONS.contains(&module.kind(op))
}

/// Whether all operands are defined outside of the loop.
fn operands_stay(module: &Module, context: &Context, op: OpId, loop_op: OpId, body: BlockId) -> bool {
    let looked_at = if context.has(Fault::HoistDependent) { 1 } else { usize::MAX };
    module.op(op).operands.iter().take(looked_at).all(|&value| {
        let induction_variable = module.value(value).definition == Definition::Argument(body, 0);
        !defined_inside(module, value, loop_op) || induction_variable && context.has(Fault::HoistInductionVariable)
    })
}

/// Whether a value is defined inside an operation's regions, at any depth.
pub(super) fn defined_inside(module: &Module, value: ValueId, holder: OpId) -> bool {
    let mut at = module.defining_block(value);
    while let Some(block) = at {
        let parent = module.block_parent(block);
        if parent == holder {
            return true;
        }
        at = module.op(parent).parent;
    }
    false
}
