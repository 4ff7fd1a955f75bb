//! Common subexpression elimination: users of a pure operation take the results of an equal one that dominates it.

use super::fault::Fault;
use super::pass::{Context, PassResult};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tritonsmith_ir::{AttrsId, Module, Name, OpId, Trait, TypeId, ValueId};
use tritonsmith_oracle::dominance::Dominance;

/// Operations with equal expressions are equal.
#[derive(PartialEq, Eq, Hash)]
struct Expression {
    name: Name,
    operands: SmallVec<[ValueId; 3]>,
    segments: SmallVec<[u32; 4]>,
    props: AttrsId,
    attrs: AttrsId,
    types: SmallVec<[TypeId; 1]>,
}

pub(super) fn run(module: &mut Module, context: &Context) -> PassResult {
    // Operations are erased only at the end, so this stays valid.
    let dominance = Dominance::new(module);
    let mut known: FxHashMap<Expression, SmallVec<[OpId; 2]>> = FxHashMap::default();
    let mut same: FxHashMap<ValueId, ValueId> = FxHashMap::default();
    let mut dead = Vec::new();
    for op in module.walk() {
        context.step()?;
        for operand in &mut module.op_mut(op).operands {
            *operand = same.get(operand).copied().unwrap_or(*operand);
        }
        let record = module.op(op);
        if !module.has(op, Trait::Pure) || module.is_terminator(op) || !record.regions.is_empty() {
            continue;
        }
        let key = Expression {
            name: record.name,
            operands: record.operands.clone(),
            segments: record.segments.clone(),
            props: record.props,
            attrs: record.attrs,
            types: record.results.iter().map(|&result| module.value(result).ty).collect(),
        };
        let earlier = known.entry(key).or_default();
        match earlier.iter().copied().find(|&first| may_reuse(module, &dominance, context, first, op)) {
            None => earlier.push(op),
            Some(first) => {
                let (gone, kept) = if context.has(Fault::KeepLater) && module.op(first).parent == record.parent {
                    (first, op)
                } else {
                    (op, first)
                };
                same.extend(module.op(gone).results.iter().copied().zip(module.op(kept).results.iter().copied()));
                dead.push(gone);
                if gone == first {
                    earlier.retain(|other| *other != first);
                    earlier.push(op);
                }
            }
        }
    }
    module.replace_many(&same);
    for op in dead {
        module.unlink(op);
    }
    Ok(())
}

/// Whether the users of `op` may use the results of `first`.
fn may_reuse(module: &Module, dominance: &Dominance, context: &Context, first: OpId, op: OpId) -> bool {
    let (Some(&result), Some(there), Some(here)) =
        (module.op(first).results.first(), module.op(first).parent, module.op(op).parent)
    else {
        return false;
    };
    // In unreachable blocks any use is valid, and dominance says nothing.
    if !dominance.dominators().is_reachable(there) || !dominance.dominators().is_reachable(here) {
        return false;
    }
    let one_region = module.block(there).region == module.block(here).region;
    let one_function = module.function_of(first) == module.function_of(op);
    dominance.reaches(module, result, op)
        || one_function && !one_region && context.has(Fault::ReuseAcrossRegions)
        || one_region && there != here && context.has(Fault::ReuseAcrossBlocks)
}
