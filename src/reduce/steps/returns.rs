//! What an operation at the end of a function consumes is returned instead: a store keeps a value alive only at the price
//! of a pointer, a return is there anyway.

use super::{blocks_of, free_functions, linked_op, pair, unpair};
use crate::ir::{AttrsId, Module, OpId, OpKind, Type, Use, ValueId};
use smallvec::SmallVec;
use tritonsmith_reducer::Site;

/// Operations that only the function's return uses, or that have no results.
pub(super) fn consumers(module: &Module) -> Vec<Site> {
    let uses = module.uses();
    let mut sites = Vec::new();
    for (function, _) in returning(module) {
        for last in returns(module, function) {
            let Some(block) = module.op(last).parent else { continue };
            let ops = module.block(block).ops.iter().filter(|&&op| op != last);
            let consuming = ops.filter(|&&op| ends_in(module, op, last, &uses) && !returned(module, op).is_empty());
            sites.extend(consuming.map(|op| Site::new(op.0.into(), 1)));
        }
    }
    sites
}

/// What functions return.
pub(super) fn returned_values(module: &Module) -> Vec<Site> {
    let functions = returning(module).rev();
    functions.flat_map(|(function, count)| (0..count).map(move |at| Site::new(pair(function.0, at), 1))).collect()
}

/// Functions that nothing calls and whose type can be changed, with the number of their results.
fn returning(module: &Module) -> impl DoubleEndedIterator<Item = (OpId, u32)> {
    let results = |function| module.function_type(function).map(|(_, results)| (function, results.len() as u32));
    free_functions(module).filter_map(results)
}

/// The operations that return from a function.
fn returns(module: &Module, function: OpId) -> Vec<OpId> {
    let lasts = blocks_of(module, function).filter_map(|block| module.block(block).ops.last().copied());
    lasts.filter(|&op| module.kind(op) == OpKind::TtReturn).collect()
}

/// Whether only `last` uses what `op` computes.
fn ends_in(module: &Module, op: OpId, last: OpId, uses: &[SmallVec<[Use; 2]>]) -> bool {
    module.op(op).results.iter().all(|result| uses[result.index()].iter().all(|place| place.op == last))
}

/// The operands of an operation that keep something alive: what is computed with operands of its own.
fn returned(module: &Module, op: OpId) -> Vec<ValueId> {
    let computed = |&value: &ValueId| {
        let definition = module.defining_op(value);
        definition.is_some_and(|op| !module.op(op).operands.is_empty())
            && !matches!(module.type_of(value), Type::Unknown)
    };
    module.op(op).operands.iter().copied().filter(computed).collect()
}

/// Such an operation gives way to its operands in that return. Other returns of the function give fresh arguments.
pub(super) fn return_operands(module: &mut Module, site: u64) -> Option<()> {
    let op = linked_op(module, site)?;
    let function = module.function_of(op)?;
    let own = *module.block(module.op(op).parent?).ops.last()?;
    let values = returned(module, op);
    for index in (0..module.op(own).operands.len()).rev() {
        if module.op(op).results.contains(&module.op(own).operands[index]) {
            remove_returned(module, function, index)?;
        }
    }
    let (inputs, mut results) = module.function_type(function)?;
    results.extend(values.iter().map(|&value| module.value(value).ty));
    module.set_function_type(function, inputs, results);
    module.set_prop(function, "res_attrs", None);
    module.unlink(op);
    for other in returns(module, function) {
        for &value in &values {
            let passed = if other == own {
                value
            } else {
                let ty = module.value(value).ty;
                module.add_function_argument(function, ty, AttrsId::EMPTY)?
            };
            module.op_mut(other).operands.push(passed);
        }
        let count = module.op(other).operands.len() as u32;
        module.op_mut(other).segments = smallvec::smallvec![count];
    }
    Some(())
}

/// A function no longer returns a value.
pub(super) fn drop_returned(module: &mut Module, site: u64) -> Option<()> {
    let (function, index) = unpair(site);
    remove_returned(module, OpId(function), index as usize)
}

/// The function no longer returns its value of that index.
fn remove_returned(module: &mut Module, function: OpId, index: usize) -> Option<()> {
    let (inputs, mut results) = module.function_type(function)?;
    if index >= results.len() {
        return None;
    }
    results.remove(index);
    module.set_function_type(function, inputs, results);
    module.set_prop(function, "res_attrs", None);
    for op in returns(module, function) {
        module.remove_operand(op, index);
    }
    Some(())
}
