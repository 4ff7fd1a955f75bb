//! Simplifies control flow: carried values that are unused or invariant, branches on constants, branches that only select
//! values.

use super::constant::{ConstantValue, constant_value};
use super::fault::Fault;
use super::licm::may_move;
use super::pass::{Context, PassError};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tritonsmith_ir::{BlockId, Module, OpId, OpKind, Use, ValueId};

/// A branch becomes a selection if its regions hold at most so many operations each.
const CHEAP_BRANCH: usize = 3;

type Uses = [SmallVec<[Use; 2]>];

/// One round over all structured operations; returns whether something changed.
pub(super) fn simplify(module: &mut Module, context: &Context) -> Result<bool, PassError> {
    let mut changed = false;
    let mut uses = module.uses();
    // Inner operations first, so that outer ones see them simplified.
    for op in module.walk().into_iter().rev() {
        context.step()?;
        let this = match module.kind(op) {
            OpKind::ScfFor => drop_carried(module, context, op, &uses),
            OpKind::ScfIf => {
                drop_unused_results(module, op, &uses) || inline_taken(module, op) || select(module, context, op)
            }
            OpKind::CfCondBr => straighten(module, op),
            _ => false,
        };
        if this {
            changed = true;
            module.remove_unreachable_blocks();
            uses = module.uses();
        }
    }
    Ok(changed)
}

fn unused(uses: &Uses, value: ValueId) -> bool {
    uses.get(value.index()).is_none_or(SmallVec::is_empty)
}

/// Removes carried values that a loop yields unchanged, or that are unused.
fn drop_carried(module: &mut Module, context: &Context, op: OpId, uses: &Uses) -> bool {
    let Some((body, terminator)) = body_of(module, op) else { return false };
    for index in (0..module.op(op).results.len()).rev() {
        let (Some(&result), Some(&init), Some(&argument), Some(&yielded)) = (
            module.op(op).results.get(index),
            module.op(op).operands.get(3 + index),
            module.block(body).arguments.get(1 + index),
            module.op(terminator).operands.get(index),
        ) else {
            return false;
        };
        let dead = unused(uses, result) && unused(uses, argument);
        if dead || yielded == argument || yielded == init {
            module.replace_many(&FxHashMap::from_iter([(result, init), (argument, init)]));
            if !context.has(Fault::DeadArgumentKeepsYield) {
                module.remove_operand(terminator, index);
            }
            return remove_carried(module, op, body, index);
        }
    }
    false
}

fn remove_carried(module: &mut Module, op: OpId, body: BlockId, index: usize) -> bool {
    module.remove_operand(op, 3 + index);
    module.remove_block_argument(body, 1 + index);
    module.remove_result(op, index)
}

fn drop_unused_results(module: &mut Module, op: OpId, uses: &Uses) -> bool {
    let Some(index) = module.op(op).results.iter().rposition(|&result| unused(uses, result)) else { return false };
    for region in module.op(op).regions.clone() {
        for block in module.region(region).blocks.clone() {
            if let Some(terminator) = module.terminator(block) {
                module.remove_operand(terminator, index);
            }
        }
    }
    module.remove_result(op, index)
}

/// Replaces a branch on a constant by the operations of the region that is taken.
fn inline_taken(module: &mut Module, op: OpId) -> bool {
    let Some(ConstantValue::Integer(taken, _)) =
        module.op(op).operands.first().and_then(|&value| constant_value(module, value))
    else {
        return false;
    };
    let Some(&region) = module.op(op).regions.get(usize::from(taken == 0)) else { return false };
    let (Some(block), Some(position)) = (module.op(op).parent, module.position(op)) else { return false };
    let mut map = FxHashMap::default();
    if let Some(&inner) = module.region(region).blocks.first() {
        let Some(terminator) = module.terminator(inner) else { return false };
        map.extend(module.op(op).results.iter().copied().zip(module.op(terminator).operands.iter().copied()));
        module.unlink(terminator);
        module.unlink(op);
        module.splice(inner, block, position);
    } else {
        module.unlink(op);
    }
    module.replace_many(&map);
    true
}

/// Replaces a branch that only chooses between cheap values by an `arith.select` for each.
fn select(module: &mut Module, context: &Context, op: OpId) -> bool {
    let record = module.op(op);
    let (&[condition], &[yes, no]) = (record.operands.as_slice(), record.regions.as_slice()) else { return false };
    let (Some(&yes), Some(&no)) = (module.region(yes).blocks.first(), module.region(no).blocks.first()) else {
        return false;
    };
    let cheap = |block: BlockId| {
        let ops = &module.block(block).ops;
        ops.len() <= 1 + CHEAP_BRANCH && ops.iter().all(|&op| module.is_terminator(op) || may_move(module, op))
    };
    let (Some(yes_end), Some(no_end)) = (module.terminator(yes), module.terminator(no)) else { return false };
    let results = record.results.clone();
    if results.is_empty() || !cheap(yes) || !cheap(no) {
        return false;
    }
    let (on_yes, on_no) = (module.op(yes_end).operands.clone(), module.op(no_end).operands.clone());
    let (Some(block), Some(mut position)) = (record.parent, module.position(op)) else { return false };
    if on_yes.len() != results.len() || on_no.len() != results.len() {
        return false;
    }
    let span = record.span;
    module.unlink(yes_end);
    module.unlink(no_end);
    module.unlink(op);
    if !context.has(Fault::SelectWithoutHoisting) {
        for inner in [yes, no] {
            let count = module.block(inner).ops.len();
            module.splice(inner, block, position);
            position += count;
        }
    }
    let mut map = FxHashMap::default();
    for ((result, yes), no) in results.into_iter().zip(on_yes).zip(on_no) {
        let ty = module.value(result).ty;
        let choice = module.create(OpKind::ArithSelect, &[&[condition], &[yes], &[no]], &[ty], Vec::new());
        module.op_mut(choice).span = span;
        module.insert(choice, block, position);
        position += 1;
        map.extend(module.op(choice).results.first().map(|&new| (result, new)));
    }
    module.replace_many(&map);
    true
}

/// Replaces a `cf.cond_br` on a constant by a `cf.br`.
fn straighten(module: &mut Module, op: OpId) -> bool {
    let Some(ConstantValue::Integer(taken, _)) =
        module.op(op).operands.first().and_then(|&value| constant_value(module, value))
    else {
        return false;
    };
    let way = usize::from(taken == 0);
    let Some(range) = module.successor_operands(op, way) else { return false };
    let passed: Vec<ValueId> = module.op(op).operands.get(range).unwrap_or_default().to_vec();
    let (Some(&target), Some(block), Some(position)) =
        (module.op(op).successors.get(way), module.op(op).parent, module.position(op))
    else {
        return false;
    };
    let branch = module.create(OpKind::CfBr, &[&passed], &[], Vec::new());
    module.op_mut(branch).successors.push(target);
    module.op_mut(branch).span = module.op(op).span;
    module.unlink(op);
    module.insert(branch, block, position);
    true
}

/// The block of a loop's body and its terminator.
pub(super) fn body_of(module: &Module, op: OpId) -> Option<(BlockId, OpId)> {
    let &region = module.op(op).regions.first()?;
    let &[body] = module.region(region).blocks.as_slice() else { return None };
    let terminator = module.terminator(body)?;
    (module.kind(terminator) == OpKind::ScfYield).then_some((body, terminator))
}
