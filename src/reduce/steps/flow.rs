//! Which values must have one type because control carries one into the place of the other: what a loop begins with, its
//! arguments, what it yields and its results, and the same for branches, calls and returns. A step that changes a type
//! changes it along all of these.

use super::control::successor_operands;
use crate::ir::{Attr, BlockId, Module, OpId, Type, TypeId, ValueId};
use rustc_hash::FxHashMap;

/// Operations of which [`Flows`] says everything that a type depends on.
pub(super) const FLOWING: [&str; 12] = [
    "builtin.module",
    "tt.func",
    "tt.call",
    "tt.return",
    "scf.for",
    "scf.if",
    "scf.while",
    "scf.yield",
    "scf.condition",
    "scf.execute_region",
    "cf.br",
    "cf.cond_br",
];

/// What control connects.
#[derive(Debug, Default)]
pub(super) struct Flows {
    /// Two values that have one type.
    pub pairs: Vec<(ValueId, ValueId)>,
    /// Values whose type is fixed by something that is no value: a declaration without a body, an operation that keeps its
    /// text, or one that is not known.
    pub fixed: Vec<ValueId>,
}

impl Flows {
    /// All flows of a module.
    pub fn of(module: &Module) -> Flows {
        let mut flows = Flows::default();
        let functions = by_symbol(module);
        for op in module.walk() {
            flows.operation(module, op, &functions);
        }
        flows
    }

    fn operation(&mut self, module: &Module, op: OpId, functions: &FxHashMap<&str, OpId>) {
        let record = module.op(op);
        let inside = |region: usize| -> Option<BlockId> {
            record.regions.get(region).and_then(|&region| module.region(region).blocks.first().copied())
        };
        let handed_over = |region: usize| -> &[ValueId] {
            let last = inside(region).and_then(|block| module.block(block).ops.last());
            last.map_or(&[], |&last| module.op(last).operands.as_slice())
        };
        let taken = |region: usize| inside(region).map_or(&[][..], |block| module.block(block).arguments.as_slice());
        match module.canonical_name(op) {
            "scf.for" => {
                let (bounds, inits) = record.operands.split_at(record.operands.len().min(3));
                let (counter, carried) = taken(0).split_at(taken(0).len().min(1));
                for bound in bounds {
                    self.all(std::slice::from_ref(bound), counter);
                }
                self.all(inits, carried);
                self.all(carried, &record.results);
                self.all(carried, handed_over(0));
            }
            "scf.if" | "scf.execute_region" | "ttg.mask" => {
                for region in 0..record.regions.len() {
                    self.all(&record.results, handed_over(region));
                }
            }
            "scf.while" => {
                self.all(&record.operands, taken(0));
                let passed = handed_over(0).get(1..).unwrap_or_default();
                self.all(passed, taken(1));
                self.all(passed, &record.results);
                self.all(handed_over(1), taken(0));
            }
            "cf.br" | "cf.cond_br" => {
                for (index, &block) in record.successors.iter().enumerate() {
                    let passed = successor_operands(module, op, index).and_then(|range| record.operands.get(range));
                    self.all(passed.unwrap_or_default(), &module.block(block).arguments);
                }
            }
            "tt.return" => {
                let first = module.parent_op(op).and_then(|function| returned(module, function));
                self.all(&record.operands, first.unwrap_or_default());
            }
            "tt.call" => {
                let callee = symbol(module, op, "callee").and_then(|name| functions.get(name));
                let body = callee.and_then(|&function| Some((module.entry(function)?, returned(module, function)?)));
                match body {
                    Some((entry, returned)) => {
                        self.all(&record.operands, &module.block(entry).arguments);
                        self.all(&record.results, returned);
                    }
                    None => self.fix(module, op),
                }
            }
            "ttg.warp_specialize" => {
                self.all(&record.results, handed_over(0));
                for inner in module.walk_from(op) {
                    for &region in &module.op(inner).regions {
                        if module.canonical_name(inner) == "ttg.warp_specialize.partitions"
                            && let Some(&block) = module.region(region).blocks.first()
                        {
                            self.all(&record.operands, &module.block(block).arguments);
                        }
                    }
                }
            }
            _ if module.row(op).is_none() || matches!(record.syntax, crate::ir::Syntax::Text(_)) => {
                self.fix(module, op);
            }
            _ => {}
        }
    }

    fn all(&mut self, some: &[ValueId], others: &[ValueId]) {
        if some.len() == others.len() {
            self.pairs.extend(some.iter().copied().zip(others.iter().copied()));
        } else {
            self.fixed.extend(some.iter().chain(others));
        }
    }

    fn fix(&mut self, module: &Module, op: OpId) {
        let record = module.op(op);
        self.fixed.extend(record.operands.iter().chain(&record.results));
        for &region in &record.regions {
            for &block in &module.region(region).blocks {
                self.fixed.extend(&module.block(block).arguments);
                // What an unknown terminator hands over.
                self.fixed.extend(module.block(block).ops.last().map_or(&[][..], |&last| &module.op(last).operands));
            }
        }
    }
}

fn symbol<'m>(module: &'m Module, op: OpId, name: &str) -> Option<&'m str> {
    match module.interners.attr_data(module.attribute(op, name)?) {
        Attr::String(text) | Attr::Symbol(text) => Some(text.trim_start_matches('@').trim_matches('"')),
        _ => None,
    }
}

fn by_symbol(module: &Module) -> FxHashMap<&str, OpId> {
    let functions = module.functions().into_iter();
    functions.filter_map(|function| symbol(module, function, "sym_name").map(|name| (name, function))).collect()
}

/// What the first `tt.return` of a function returns.
fn returned(module: &Module, function: OpId) -> Option<&[ValueId]> {
    let returns = |&&block: &&BlockId| {
        let last = module.block(block).ops.last();
        last.filter(|&&last| module.canonical_name(last) == "tt.return").is_some()
    };
    let &region = module.op(function).regions.first()?;
    let &block = module.region(region).blocks.iter().find(returns)?;
    module.block(block).ops.last().map(|&last| module.op(last).operands.as_slice())
}

/// Every value that something linked defines, in reading order.
pub(super) fn values(module: &Module) -> Vec<ValueId> {
    let mut values = Vec::new();
    for op in module.walk() {
        values.extend(module.op(op).results.iter().copied());
        for &region in &module.op(op).regions {
            for &block in &module.region(region).blocks {
                values.extend(module.block(block).arguments.iter().copied());
            }
        }
    }
    values
}

/// Gives values other types, and all that repeats a type what it must be then: constants their attribute, functions
/// their signature. Operations that do nothing any more give way to their operand.
pub(super) fn retype(module: &mut Module, types: &[(ValueId, TypeId)]) {
    for &(value, ty) in types {
        module.value_mut(value).ty = ty;
    }
    for op in module.walk() {
        if module.canonical_name(op) == "arith.constant"
            && let Some(value) = module.attribute(op, "value")
            && let Some(&result) = module.op(op).results.first()
        {
            let ty = module.value(result).ty;
            let new = match module.interners.attr_data(value).clone() {
                Attr::Dense(keyword, body, _) => Attr::Dense(keyword, body, ty),
                Attr::Integer(digits, _) => Attr::Integer(digits, ty),
                Attr::Float(digits, _) => Attr::Float(digits, ty),
                other => other,
            };
            let new = module.interners.attr(new);
            module.set_prop(op, "value", Some(new));
        }
    }
    for function in module.functions() {
        let Some((_, mut results)) = module.function_type(function) else { continue };
        let Some(entry) = module.entry(function) else { continue };
        let inputs = module.block(entry).arguments.iter().map(|&argument| module.value(argument).ty).collect();
        if let Some(returned) = returned(module, function).filter(|returned| returned.len() == results.len()) {
            results = returned.iter().map(|&value| module.value(value).ty).collect();
        }
        module.set_function_type(function, inputs, results);
    }
}

/// Operations that hand on what they get when the type stays.
const IDLE: [&str; 9] = [
    "ttg.convert_layout",
    "tt.broadcast",
    "arith.extsi",
    "arith.extui",
    "arith.trunci",
    "arith.extf",
    "arith.truncf",
    "tt.fp_to_fp",
    "tt.bitcast",
];

/// Takes out conversions from a type to the same type. Returns how many.
pub(super) fn remove_idle(module: &mut Module) -> usize {
    let mut removed = 0;
    for op in module.walk() {
        let record = module.op(op);
        let (&[operand], &[result]) = (record.operands.as_slice(), record.results.as_slice()) else { continue };
        let ty = module.value(operand).ty;
        if ty == module.value(result).ty
            && !matches!(module.interners.type_data(ty), Type::Unknown)
            && IDLE.contains(&module.canonical_name(op))
        {
            super::substitute(module, op, &[operand]);
            removed += 1;
        }
    }
    removed
}
