//! Replacing what an operation computes by something that is there already, so that it and its sources go.

use super::{Candidate, body, dies_with, edit_each, in_combiner, is_linked, pair, substitute, unpair};
use crate::ir::{AttrsId, Definition, Module, OpId, OpKind, Type, TypeId, ValueId};
use crate::oracle::dominance::Dominance;
use smallvec::SmallVec;
use tritonsmith_reducer::{Site, Step};

/// Operations with results that are used.
fn computing(module: &Module) -> Vec<(OpId, u32)> {
    let uses = module.uses();
    let used = |op: OpId| module.op(op).results.iter().any(|result| !uses[result.index()].is_empty());
    body(module).into_iter().filter(|&op| used(op)).map(|op| (op, dies_with(module, op, &uses))).collect()
}

/// A result becomes one of the operation's own operands of the same type: `a + b` becomes `a`.
#[derive(Debug)]
pub struct ByOperand;

impl Step<Candidate> for ByOperand {
    fn name(&self) -> &str {
        "replace by an operand"
    }

    fn prior(&self) -> f64 {
        0.2
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let mut sites = Vec::new();
        for (op, gain) in computing(module) {
            let record = module.op(op);
            let &[result] = record.results.as_slice() else { continue };
            let mut seen: SmallVec<[ValueId; 4]> = SmallVec::new();
            for (index, &operand) in record.operands.iter().enumerate() {
                if same_type(module, operand, result) && !seen.contains(&operand) {
                    seen.push(operand);
                    sites.push(Site::new(pair(op.0, index as u32), gain));
                }
            }
        }
        sites
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| {
            let (op, index) = unpair(site);
            let op = OpId(op);
            let Some(&operand) = module.op(op).operands.get(index as usize) else { return false };
            if !is_linked(module, op) || module.op(op).results.contains(&operand) {
                return false;
            }
            substitute(module, op, &[operand]);
            true
        })
    }
}

fn same_type(module: &Module, a: ValueId, b: ValueId) -> bool {
    let ty = module.value(a).ty;
    ty != TypeId::UNKNOWN && ty == module.value(b).ty
}

/// A result becomes an earlier value of the same type that dominates every use of it.
#[derive(Debug)]
pub struct ByDominating;

/// How many earlier values are tried for each result: the nearest ones.
const NEAREST: usize = 3;

impl Step<Candidate> for ByDominating {
    fn name(&self) -> &str {
        "replace by an earlier value"
    }

    fn prior(&self) -> f64 {
        0.03
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
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
                for value in earlier.iter().rev().filter(fits).take(NEAREST) {
                    sites.push(Site::new(pair(op.0, value.0), gain));
                }
            }
            earlier.extend(record.results.iter().copied());
            for &region in &record.regions {
                for &block in &module.region(region).blocks {
                    earlier.extend(module.block(block).arguments.iter().copied());
                }
            }
        }
        sites
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| {
            let (op, value) = unpair(site);
            let (op, value) = (OpId(op), ValueId(value));
            let defined = match module.value(value).definition {
                Definition::Result(definition, _) => is_linked(module, definition),
                Definition::Argument(..) => true,
                Definition::Missing => false,
            };
            if !defined || !is_linked(module, op) {
                return false;
            }
            substitute(module, op, &[value]);
            true
        })
    }
}

/// Results become fresh function arguments of the same types, layouts included.
#[derive(Debug)]
pub struct ByArgument;

impl Step<Candidate> for ByArgument {
    fn name(&self) -> &str {
        "replace by a function argument"
    }

    fn prior(&self) -> f64 {
        0.4
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let fits = |op: OpId| {
            let function = module.function_of(op);
            let known = module.op(op).results.iter().all(|&result| can_be_argument(module, module.value(result).ty));
            known && !in_combiner(module, op) && function.is_some_and(|function| !module.is_called(function))
        };
        computing(module)
            .into_iter()
            .filter(|&(op, _)| fits(op))
            .map(|(op, gain)| Site::new(u64::from(op.0), gain))
            .collect()
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| {
            let op = OpId(site as u32);
            if !is_linked(module, op) {
                return false;
            }
            let Some(function) = module.function_of(op) else { return false };
            let uses = module.uses();
            let mut by = Vec::new();
            for result in module.op(op).results.clone() {
                if uses[result.index()].is_empty() {
                    by.push(result);
                    continue;
                }
                let ty = module.value(result).ty;
                let Some(argument) = module.add_function_argument(function, ty, AttrsId::EMPTY) else { return false };
                by.push(argument);
            }
            substitute(module, op, &by);
            true
        })
    }
}

/// Types that a function may take: data, and not what stands for an order of events.
fn can_be_argument(module: &Module, ty: TypeId) -> bool {
    match module.interners.type_data(ty) {
        Type::Unknown | Type::None | Type::Function { .. } | Type::Tuple(_) | Type::Other(_) => false,
        Type::Dialect { name, .. } => module.interners.name_text(*name).ends_with("token"),
        _ => true,
    }
}

/// A result with more than itself behind it becomes a constant, 0 or 1.
#[derive(Debug)]
pub struct ByConstant;

impl Step<Candidate> for ByConstant {
    fn name(&self) -> &str {
        "replace by a constant"
    }

    fn prior(&self) -> f64 {
        0.03
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let fits = |op: OpId| match module.op(op).results.as_slice() {
            &[result] => {
                let element = module.interners.element(module.value(result).ty);
                let number =
                    matches!(module.interners.type_data(element), Type::Integer(_) | Type::Float(_) | Type::Index);
                number && module.kind(op) != OpKind::ArithConstant
            }
            _ => false,
        };
        // In place of one operation a constant gains nothing.
        let ops = computing(module).into_iter().filter(|&(op, gain)| gain > 1 && fits(op));
        ops.flat_map(|(op, gain)| [0, 1].map(|number| Site::new(pair(op.0, number), gain))).collect()
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| {
            let (op, number) = unpair(site);
            let op = OpId(op);
            let (Some(position), Some(block)) = (module.position(op), module.op(op).parent) else { return false };
            if !is_linked(module, op) {
                return false;
            }
            let ty = module.op(op).results.first().map(|&result| module.value(result).ty);
            let Some(constant) = ty.and_then(|ty| module.create_constant(ty, number)) else { return false };
            module.insert(constant, block, position);
            let value = module.op(constant).results[0];
            substitute(module, op, &[value]);
            true
        })
    }
}
