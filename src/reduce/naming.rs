//! The last touch: names that say what values are, and function arguments in the order of their use.
//!
//! It changes nothing that a pass looks at, and still what is handed over is what was run: the module is asked about once
//! more. Layouts need nothing here, the printer names them by their kind (`#blocked`, `#mma`). Names need not be unique
//! either; the printer counts those that stand twice.

use crate::ir::{Attr, Definition, Module, OpId, OpKind, Type, Use, ValueId};
use smallvec::SmallVec;

/// A copy with such names.
pub(super) fn named(module: &Module) -> Module {
    let mut module = module.clone();
    for function in module.functions() {
        order_arguments(&mut module, function);
    }
    let uses = module.uses();
    for op in module.walk() {
        for index in 0..module.op(op).regions.len() {
            let region = module.op(op).regions[index];
            for block in module.region(region).blocks.clone() {
                for argument in module.block(block).arguments.clone() {
                    let word = argument_word(&module, argument, &uses[argument.index()]);
                    set(&mut module, argument, word);
                }
            }
        }
        for result in module.op(op).results.clone() {
            let word = result_word(&module, op, result);
            set(&mut module, result, word);
        }
    }
    module
}

fn set(module: &mut Module, value: ValueId, word: String) {
    let name = module.name(&word);
    module.value_mut(value).name = Some(name);
}

/// Puts the arguments of a function that nothing calls in the order in which they are used first.
fn order_arguments(module: &mut Module, function: OpId) {
    let Some(entry) = module.entry(function).filter(|_| !module.is_called(function)) else { return };
    let arguments = module.block(entry).arguments.clone();
    let mut order: Vec<usize> = Vec::with_capacity(arguments.len());
    for op in module.walk_from(function) {
        for operand in &module.op(op).operands {
            if let Some(index) = arguments.iter().position(|argument| argument == operand)
                && !order.contains(&index)
            {
                order.push(index);
            }
        }
    }
    order.extend((0..arguments.len()).filter(|index| !order.contains(index)).collect::<Vec<_>>());
    module.order_function_arguments(function, &order);
}

fn is_mask(module: &Module, value: ValueId) -> bool {
    let ty = module.value(value).ty;
    module.interners.number(ty) == Some("i1") && module.interners.sizes(ty).is_some()
}

/// What a type alone says.
fn type_word(module: &Module, value: ValueId) -> Option<&'static str> {
    let ty = module.value(value).ty;
    let element = module.interners.element(ty);
    if is_mask(module, value) {
        return Some("mask");
    }
    match module.interners.type_data(element) {
        Type::Pointer { .. } => Some("ptr"),
        Type::MemDesc { .. } => Some("buffer"),
        Type::TensorDesc { .. } => Some("desc"),
        Type::Dialect { name, .. } if module.interners.name_text(*name).ends_with(".token") => Some("token"),
        _ if module.interners.is_bool(element) => Some("cond"),
        _ => None,
    }
}

fn argument_word(module: &Module, argument: ValueId, uses: &SmallVec<[Use; 2]>) -> String {
    let Definition::Argument(block, index) = module.value(argument).definition else { return "arg".to_owned() };
    let parent = module.block_parent(block);
    let is_entry = module.entry(parent) == Some(block);
    let word =
        match (module.kind(parent), index) {
            (OpKind::ScfFor, 0) => "i",
            (OpKind::ScfFor, _) => "carried",
            (OpKind::TtReduce | OpKind::TtScan, index) => {
                if (index as usize) < module.block(block).arguments.len() / 2 { "lhs" } else { "rhs" }
            }
            _ => match type_word(module, argument) {
                Some(word) => word,
                None if is_entry => {
                    uses.iter().find_map(|place| role(module, *place)).unwrap_or_else(|| kind(module, argument))
                }
                None => "arg",
            },
        };
    let adds = |place: &Use| module.kind(place.op).result_name() == Some("sum");
    let accumulates = |place: &Use| role(module, *place) == Some("acc") || adds(place);
    if word == "carried" {
        return if uses.iter().any(accumulates) { "acc".to_owned() } else { word.to_owned() };
    }
    word.to_owned()
}

/// What an operand is for, where the operation says so by its place.
fn role(module: &Module, place: Use) -> Option<&'static str> {
    match (module.kind(place.op), place.operand) {
        (OpKind::TtDot | OpKind::TtDotScaled, 0) => Some("a"),
        (OpKind::TtDot | OpKind::TtDotScaled, 1) => Some("b"),
        (OpKind::TtDot | OpKind::TtDotScaled, 2) => Some("acc"),
        (OpKind::ScfFor, 0) => Some("lower"),
        (OpKind::ScfFor, 1) => Some("upper"),
        (OpKind::ScfFor, 2) => Some("step"),
        (OpKind::ScfFor, _) => Some("init"),
        (OpKind::TtAddptr, 1) => Some("offset"),
        (OpKind::TtLoad, 2) => Some("other"),
        _ => None,
    }
}

/// What a plain number or a tensor of them is called.
fn kind(module: &Module, value: ValueId) -> &'static str {
    let ty = module.value(value).ty;
    let integer = matches!(module.interners.type_data(module.interners.element(ty)), Type::Integer(_) | Type::Index);
    match (integer, module.interners.sizes(ty).is_some()) {
        (true, true) => "index",
        (true, false) => "n",
        (false, _) => "x",
    }
}

fn result_word(module: &Module, op: OpId, result: ValueId) -> String {
    let kind = module.kind(op);
    if kind == OpKind::ArithConstant {
        return constant_word(module, op, result);
    }
    if let Some(word) = type_word(module, result) {
        return word.to_owned();
    }
    let name = kind.result_name();
    if name.is_some_and(|name| name.starts_with('$'))
        && let Some(&operand) = module.op(op).operands.first()
        && let Some(word) = module.value(operand).name
    {
        // What a constant is called does not suit what is made of it.
        let constant = module.defining_op(operand).is_some_and(|op| module.kind(op) == OpKind::ArithConstant);
        if !constant {
            return module.interners.name_text(word).to_owned();
        }
    }
    let own = module.op_name(op);
    let last = own.rsplit('.').next().unwrap_or(own);
    let word = match kind {
        OpKind::TtReduce | OpKind::TtScan => combined(module, op),
        _ => name.filter(|name| !name.starts_with('$')).unwrap_or(last),
    };
    word.to_owned()
}

/// What a reduction or scan computes.
fn combined(module: &Module, op: OpId) -> &'static str {
    let combiner = module.entry(op).map(|block| module.block(block).ops.as_slice()).unwrap_or_default();
    let does = |name: &str| combiner.iter().any(|&op| module.kind(op).result_name() == Some(name));
    match () {
        () if does("sum") => "total",
        () if does("max") => "max",
        () if does("min") => "min",
        () => "combined",
    }
}

/// As MLIR's printer names constants: `c1_i32`, `true`, `cst`.
fn constant_word(module: &Module, op: OpId, result: ValueId) -> String {
    let ty = module.value(result).ty;
    match module.attribute(op, "value").map(|value| module.interners.attr_data(value)) {
        Some(Attr::Bool(value)) => value.to_string(),
        Some(Attr::Integer(digits, _)) => match module.interners.type_data(ty) {
            Type::Index => format!("c{digits}"),
            _ => format!("c{digits}_{}", module.interners.number(ty).unwrap_or("int")),
        },
        _ => "cst".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{PrintOptions, parse, print};

    #[test]
    fn values_are_named_for_what_they_are_and_arguments_come_in_order_of_use() {
        let text = "\
module {
  tt.func @f(%arg0: tensor<8xi1>, %arg1: i32, %arg2: tensor<8x!tt.ptr<f32>>) -> tensor<8xf32> {
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg2, %arg0 : tensor<8x!tt.ptr<f32>>
    %1 = scf.for %arg3 = %arg1 to %arg1 step %c1_i32 iter_args(%arg4 = %0) -> (tensor<8xf32>) : i32 {
      %2 = arith.addf %arg4, %0 : tensor<8xf32>
      scf.yield %2 : tensor<8xf32>
    }
    tt.return %1 : tensor<8xf32>
  }
}
";
        let module = named(&parse(text).expect("a module"));
        let wanted = "\
module {
  tt.func @f(%ptr: tensor<8x!tt.ptr<f32>>, %mask: tensor<8xi1>, %lower: i32) -> tensor<8xf32> {
    %c1_i32 = arith.constant 1 : i32
    %loaded = tt.load %ptr, %mask : tensor<8x!tt.ptr<f32>>
    %loop = scf.for %i = %lower to %lower step %c1_i32 iter_args(%acc = %loaded) -> (tensor<8xf32>) : i32 {
      %sum = arith.addf %acc, %loaded : tensor<8xf32>
      scf.yield %sum : tensor<8xf32>
    }
    tt.return %loop : tensor<8xf32>
  }
}
";
        assert_eq!(print(&module, &PrintOptions::default()), wanted);
    }
}
