//! The last touch: names that say what values are, and function arguments in the order of their use.
//!
//! It changes nothing that a pass looks at, and still what is handed over is what was run: the module is asked about once
//! more. Layouts need nothing here, the printer names them by their kind (`#blocked`, `#mma`). Names need not be unique
//! either; the printer counts those that stand twice.

use super::steps::defined;
use crate::ir::{Attr, BlockId, Definition, Module, OpId, OpKind, Type, Use, ValueId};

/// A copy with such names.
pub(super) fn named(module: &Module) -> Module {
    let mut module = module.clone();
    for function in module.functions() {
        order_arguments(&mut module, function);
    }
    let uses = module.uses();
    for op in module.walk() {
        for value in defined(&module, op).collect::<Vec<_>>() {
            let word = match module.value(value).definition {
                Definition::Argument(block, index) => {
                    argument_word(&module, value, block, index as usize, &uses[value.index()]).to_owned()
                }
                _ => result_word(&module, op, value),
            };
            let name = module.name(&word);
            module.value_mut(value).name = Some(name);
        }
    }
    module
}

/// Puts the arguments of a function that nothing calls in the order in which they are used first.
fn order_arguments(module: &mut Module, function: OpId) {
    let Some(entry) = module.entry(function).filter(|_| !module.is_called(function)) else { return };
    let arguments = module.block(entry).arguments.clone();
    let mut order: Vec<usize> = Vec::with_capacity(arguments.len());
    let ops = module.walk_from(function);
    let operands = ops.iter().flat_map(|&op| &module.op(op).operands);
    let used = operands.filter_map(|operand| arguments.iter().position(|argument| argument == operand));
    for index in used.chain(0..arguments.len()) {
        if !order.contains(&index) {
            order.push(index);
        }
    }
    module.order_function_arguments(function, &order);
}

/// What a type alone says.
fn type_word(module: &Module, value: ValueId) -> Option<&'static str> {
    let ty = module.value(value).ty;
    let element = module.interners.element(ty);
    if module.interners.number(ty) == Some("i1") && module.interners.sizes(ty).is_some() {
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

fn argument_word(module: &Module, argument: ValueId, block: BlockId, index: usize, uses: &[Use]) -> &'static str {
    let parent = module.block_parent(block);
    let accumulates =
        |place: &Use| role(module, *place) == Some("acc") || module.kind(place.op).result_name() == Some("sum");
    match module.kind(parent) {
        OpKind::ScfFor if index == 0 => "i",
        OpKind::ScfFor if uses.iter().any(accumulates) => "acc",
        OpKind::ScfFor => "carried",
        OpKind::TtReduce | OpKind::TtScan if index < module.block(block).arguments.len() / 2 => "lhs",
        OpKind::TtReduce | OpKind::TtScan => "rhs",
        _ => type_word(module, argument).unwrap_or_else(|| match module.entry(parent) == Some(block) {
            true => uses.iter().find_map(|place| role(module, *place)).unwrap_or_else(|| kind(module, argument)),
            false => "arg",
        }),
    }
}

/// What an operand is for, where the operation says so by its place.
fn role(module: &Module, place: Use) -> Option<&'static str> {
    let roles: &[&str] = match module.kind(place.op) {
        OpKind::TtDot | OpKind::TtDotScaled => &["a", "b", "acc"],
        OpKind::ScfFor => return Some(["lower", "upper", "step", "init"][(place.operand as usize).min(3)]),
        OpKind::TtAddptr if place.operand == 1 => return Some("offset"),
        OpKind::TtLoad if place.operand == 2 => return Some("other"),
        _ => &[],
    };
    roles.get(place.operand as usize).copied()
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
        // What a constant is called does not suit what is made of it.
        && module.defining_op(operand).is_none_or(|op| module.kind(op) != OpKind::ArithConstant)
    {
        return module.interners.name_text(word).to_owned();
    }
    let own = module.op_name(op);
    let word = match kind {
        OpKind::TtReduce | OpKind::TtScan => combined(module, op),
        _ => name.filter(|name| !name.starts_with('$')).unwrap_or(own.rsplit('.').next().unwrap_or(own)),
    };
    word.to_owned()
}

/// What a reduction or scan computes.
fn combined(module: &Module, op: OpId) -> &'static str {
    let combiner = module.entry(op).map(|block| module.block(block).ops.as_slice()).unwrap_or_default();
    let does = |name: &str| combiner.iter().any(|&op| module.kind(op).result_name() == Some(name));
    let words = [("sum", "total"), ("max", "max"), ("min", "min")];
    words.into_iter().find(|(name, _)| does(name)).map_or("combined", |(_, word)| word)
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
