//! What an operation at the end of a function consumes is returned instead: a store keeps a value alive only at the price
//! of a pointer, a return is there anyway.

use super::{Candidate, edit_each, is_linked, pair, unpair};
use crate::ir::{AttrsId, Module, OpId, OpKind, Type, Use, ValueId};
use smallvec::SmallVec;
use tritonsmith_reducer::{Site, Step};

/// An operation that only the function's return uses, or that has no results, gives way to its operands in that return.
/// Other returns of the function give fresh arguments.
#[derive(Debug)]
pub struct ReturnOperands;

impl Step<Candidate> for ReturnOperands {
    fn name(&self) -> &str {
        "return what is consumed"
    }

    fn prior(&self) -> f64 {
        0.9
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let uses = module.uses();
        let mut sites = Vec::new();
        for (function, _) in free_functions(module) {
            for last in returns(module, function) {
                let Some(block) = module.op(last).parent else { continue };
                let ops = module.block(block).ops.iter().filter(|&&op| op != last);
                let consuming = ops.filter(|&&op| ends_in(module, op, last, &uses) && !returned(module, op).is_empty());
                sites.extend(consuming.map(|op| Site::new(u64::from(op.0), 1)));
            }
        }
        sites
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| {
            let op = OpId(site as u32);
            is_linked(module, op) && return_operands(module, op).is_some()
        })
    }
}

/// A function no longer returns a value.
#[derive(Debug)]
pub struct DropReturned;

impl Step<Candidate> for DropReturned {
    fn name(&self) -> &str {
        "drop returned values"
    }

    fn prior(&self) -> f64 {
        0.05
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let mut sites = Vec::new();
        for (function, count) in free_functions(module) {
            // From the last to the first, so that positions stay right within a chunk.
            sites.extend((0..count).rev().map(|index| Site::new(pair(function.0, index), 1)));
        }
        sites
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        let mut sites = sites.to_vec();
        sites.sort_by_key(|site| std::cmp::Reverse(site.id));
        edit_each(candidate, &sites, |module, site| {
            let (function, index) = unpair(site);
            drop_returned(module, OpId(function), index as usize).is_some()
        })
    }
}

/// Functions that nothing calls and whose type can be changed, with the number of their results.
fn free_functions(module: &Module) -> Vec<(OpId, u32)> {
    let results = |function| module.function_type(function).map(|(_, results)| (function, results.len() as u32));
    module.functions().into_iter().filter(|&function| !module.is_called(function)).filter_map(results).collect()
}

/// The operations that return from a function.
fn returns(module: &Module, function: OpId) -> Vec<OpId> {
    let Some(&region) = module.op(function).regions.first() else { return Vec::new() };
    let lasts = module.region(region).blocks.iter().filter_map(|&block| module.block(block).ops.last().copied());
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

fn return_operands(module: &mut Module, op: OpId) -> Option<()> {
    let function = module.function_of(op)?;
    let own = *module.block(module.op(op).parent?).ops.last()?;
    let values = returned(module, op);
    for index in (0..module.op(own).operands.len()).rev() {
        if module.op(op).results.contains(&module.op(own).operands[index]) {
            drop_returned(module, function, index)?;
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

fn drop_returned(module: &mut Module, function: OpId, index: usize) -> Option<()> {
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
