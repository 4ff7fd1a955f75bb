//! Which values must have one type because control carries one into the place of the other: what a loop begins with, its
//! arguments, what it yields and its results, and the same for branches, calls and returns. A step that changes a type
//! changes it along all of these.

use super::dimensions::integer;
use super::{blocks_of, substitute};
use crate::ir::ods::TypeTrait;
use crate::ir::{Attr, Module, OpDef, OpId, OpKind, Syntax, Trait, TypeId, ValueId};
use rustc_hash::FxHashMap;

/// Whether [`Flows`] says everything that the types of an operation's values depend on.
pub(super) fn flows_everywhere(def: &OpDef) -> bool {
    !def.edges.is_empty()
        || [Trait::SymbolTable, Trait::FunctionOpInterface, Trait::CallOpInterface, Trait::ReturnLike]
            .into_iter()
            .any(|of| def.has(of))
}

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
        let Some(def) = module.def(op).filter(|_| !matches!(record.syntax, Syntax::Text(_))) else {
            return self.fix(module, op);
        };
        for flow in module.flow_edges(op) {
            self.all(flow.values, flow.into);
        }
        if def.has(Trait::LoopLikeOpInterface) {
            for of in &def.types {
                // The bounds of a loop, which its induction variable shares its type with.
                let TypeTrait::AllTypesMatch(names) = of else { continue };
                let values: Vec<ValueId> =
                    names.iter().flat_map(|name| module.values_named(op, name)).copied().collect();
                self.pairs.extend(values.windows(2).map(|pair| (pair[0], pair[1])));
            }
        }
        if def.has(Trait::ReturnLike) {
            let first = module.parent_op(op).and_then(|function| returned(module, function));
            self.all(&record.operands, first.unwrap_or_default());
        }
        if def.has(Trait::CallOpInterface) {
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
        for block in blocks_of(module, op) {
            self.fixed.extend(&module.block(block).arguments);
            // What an unknown terminator forwards.
            self.fixed.extend(module.block(block).ops.last().map_or(&[][..], |&last| &module.op(last).operands));
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

/// What the first return of a function returns.
fn returned(module: &Module, function: OpId) -> Option<&[ValueId]> {
    let mut lasts = blocks_of(module, function).filter_map(|block| module.block(block).ops.last());
    lasts.find(|&&last| module.has(last, Trait::ReturnLike)).map(|&last| module.op(last).operands.as_slice())
}

/// The results of an operation and the arguments of its blocks.
pub(in crate::reduce) fn defined(module: &Module, op: OpId) -> impl Iterator<Item = ValueId> {
    let arguments = blocks_of(module, op).flat_map(|block| &module.block(block).arguments);
    module.op(op).results.iter().chain(arguments).copied()
}

/// Every value that something linked defines, in reading order.
pub(super) fn values(module: &Module) -> Vec<ValueId> {
    let mut values = Vec::new();
    for op in module.walk() {
        values.extend(defined(module, op));
    }
    values
}

/// Gives values other types, and all that repeats a type what it must be then: constants their attribute, ranges their
/// end, functions their signature. Operations that do nothing any more give way to their operand.
pub(super) fn retype(module: &mut Module, types: &[(ValueId, TypeId)]) {
    for &(value, ty) in types {
        module.value_mut(value).ty = ty;
    }
    for op in module.walk() {
        let name = match module.kind(op) {
            OpKind::ArithConstant => "value",
            OpKind::TtMakeRange => "end",
            _ => continue,
        };
        let (Some(attr), Some(&result)) = (module.attribute(op, name), module.op(op).results.first()) else { continue };
        let ty = module.value(result).ty;
        let start = integer(module, op, "start");
        let new = match (module.interners.attr_data(attr).clone(), start, module.interners.sizes(ty).as_deref()) {
            (Attr::Integer(_, ty), Some(start), Some(&[size])) => {
                Attr::Integer(start.saturating_add_unsigned(size).to_string(), ty)
            }
            (Attr::Dense(keyword, body, _), ..) => Attr::Dense(keyword, body, ty),
            (Attr::Integer(digits, _), ..) => Attr::Integer(digits, ty),
            (Attr::Float(digits, _), ..) => Attr::Float(digits, ty),
            (other, ..) => other,
        };
        let new = module.interners.attr(new);
        module.set_prop(op, name, Some(new));
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
    remove_no_ops(module, is_conversion);
}

/// Whether an operation gives what it gets when the type stays.
pub(super) fn is_conversion(kind: OpKind) -> bool {
    kind.has(Trait::CastOpInterface)
        || matches!(kind, OpKind::TtgConvertLayout | OpKind::TtBroadcast | OpKind::TtFpToFp | OpKind::TtBitcast)
}

/// The operand and the result of an operation that has one each.
pub(super) fn one_to_one(module: &Module, op: OpId) -> Option<(ValueId, ValueId)> {
    match (module.op(op).operands.as_slice(), module.op(op).results.as_slice()) {
        (&[operand], &[result]) => Some((operand, result)),
        _ => None,
    }
}

/// Takes out conversions of these kinds from a type to the same type.
pub(super) fn remove_no_ops(module: &mut Module, kinds: fn(OpKind) -> bool) {
    for op in module.walk() {
        let Some((operand, result)) = one_to_one(module, op).filter(|_| kinds(module.kind(op))) else { continue };
        if same_type(module, operand, result) {
            substitute(module, op, &[operand]);
        }
    }
}

/// Whether two values have one type that is known.
pub(super) fn same_type(module: &Module, a: ValueId, b: ValueId) -> bool {
    let ty = module.value(a).ty;
    ty != TypeId::UNKNOWN && ty == module.value(b).ty
}
