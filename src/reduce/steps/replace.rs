//! Replacing what an operation computes by something that is there already, so that it and its sources go.

use super::flow::{defined, same_type};
use super::{body, dies_with, in_combiner, is_linked, linked, linked_op, pair, substitute};
use crate::ir::{AttrsId, Definition, Module, OpId, OpKind, Type, TypeId, ValueId};
use crate::oracle::dominance::Dominance;
use tritonsmith_reducer::Site;

/// Operations with results that are used.
fn computing(module: &Module) -> Vec<(OpId, u32)> {
    let uses = module.uses();
    let used = |op: OpId| module.op(op).results.iter().any(|result| !uses[result.index()].is_empty());
    body(module).into_iter().filter(|&op| used(op)).map(|op| (op, dies_with(module, op, &uses))).collect()
}

/// Operands of an operation that have its result's type.
pub(super) fn operand_sites(module: &Module) -> Vec<Site> {
    let mut sites = Vec::new();
    for (op, gain) in computing(module) {
        let record = module.op(op);
        let &[result] = record.results.as_slice() else { continue };
        for (index, operand) in record.operands.iter().enumerate() {
            if same_type(module, *operand, result) && !record.operands[..index].contains(operand) {
                sites.push(Site::new(pair(op.0, index as u32), gain));
            }
        }
    }
    sites
}

/// A result becomes one of those: `a + b` becomes `a`.
pub(super) fn by_operand(module: &mut Module, site: u64) -> Option<()> {
    let (op, index) = linked(module, site)?;
    let operand = *module.op(op).operands.get(index as usize)?;
    let own = module.op(op).results.contains(&operand);
    (!own).then(|| substitute(module, op, &[operand]))
}

/// How many earlier values are tried for each result: the nearest ones.
const NEAREST: usize = 3;

/// Earlier values of a result's type that dominate every use of it.
pub(super) fn earlier_sites(module: &Module) -> Vec<Site> {
    let dominance = Dominance::new(module);
    let mut earlier: Vec<ValueId> = Vec::new();
    let gains: rustc_hash::FxHashMap<OpId, u32> = computing(module).into_iter().collect();
    let mut sites = Vec::new();
    for op in module.walk() {
        let record = module.op(op);
        if let (Some(&gain), &[result]) = (gains.get(&op), record.results.as_slice()) {
            let fits = |value: &&ValueId| {
                same_type(module, **value, result)
                    && !record.operands.contains(value)
                    && dominance.reaches(module, **value, op)
            };
            let nearest = earlier.iter().rev().filter(fits).take(NEAREST);
            sites.extend(nearest.map(|value| Site::new(pair(op.0, value.0), gain)));
        }
        earlier.extend(defined(module, op));
    }
    sites
}

/// A result becomes such a value.
pub(super) fn by_earlier(module: &mut Module, site: u64) -> Option<()> {
    let (op, value) = linked(module, site)?;
    let defined = match module.value(ValueId(value)).definition {
        Definition::Result(definition, _) => is_linked(module, definition),
        Definition::Argument(..) => true,
        Definition::Missing => false,
    };
    defined.then(|| substitute(module, op, &[ValueId(value)]))
}

/// Operations whose results a function could take.
pub(super) fn argument_sites(module: &Module) -> Vec<Site> {
    let fits = |op: OpId| {
        let function = module.function_of(op);
        let known = module.op(op).results.iter().all(|&result| can_be_argument(module, module.value(result).ty));
        known && !in_combiner(module, op) && function.is_some_and(|function| !module.is_called(function))
    };
    let ops = computing(module).into_iter().filter(|&(op, _)| fits(op));
    ops.map(|(op, gain)| Site::new(op.0.into(), gain)).collect()
}

/// Results become fresh function arguments of the same types, layouts included.
pub(super) fn by_argument(module: &mut Module, site: u64) -> Option<()> {
    let op = linked_op(module, site)?;
    let function = module.function_of(op)?;
    let uses = module.uses();
    let mut by = module.op(op).results.clone();
    for result in by.iter_mut().filter(|result| !uses[result.index()].is_empty()) {
        *result = module.add_function_argument(function, module.value(*result).ty, AttrsId::EMPTY)?;
    }
    substitute(module, op, &by);
    Some(())
}

/// Types that a function may take: data, and not what stands for an order of events.
fn can_be_argument(module: &Module, ty: TypeId) -> bool {
    match module.interners.type_data(ty) {
        Type::Unknown | Type::None | Type::Function { .. } | Type::Tuple(_) | Type::Other(_) => false,
        Type::Dialect { name, .. } => module.interners.name_text(*name).ends_with("token"),
        _ => true,
    }
}

/// Results with more than themselves behind them, for 0 and 1.
pub(super) fn constant_sites(module: &Module) -> Vec<Site> {
    let fits = |op: OpId| {
        let &[result] = module.op(op).results.as_slice() else { return false };
        let element = module.interners.element(module.value(result).ty);
        matches!(module.interners.type_data(element), Type::Integer(_) | Type::Float(_) | Type::Index)
            && module.kind(op) != OpKind::ArithConstant
    };
    // In place of one operation a constant gains nothing.
    let ops = computing(module).into_iter().filter(|&(op, gain)| gain > 1 && fits(op));
    ops.flat_map(|(op, gain)| [0, 1].map(|number| Site::new(pair(op.0, number), gain))).collect()
}

/// A result becomes a constant.
pub(super) fn by_constant(module: &mut Module, site: u64) -> Option<()> {
    let (op, number) = linked(module, site)?;
    let (position, block) = (module.position(op)?, module.op(op).parent?);
    let ty = module.value(*module.op(op).results.first()?).ty;
    let constant = module.create_constant(ty, number)?;
    module.insert(constant, block, position);
    let value = module.op(constant).results[0];
    substitute(module, op, &[value]);
    Some(())
}
