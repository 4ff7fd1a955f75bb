//! Constants that the model folds.

use tritonsmith_ir::{Attr, Module, OpId, OpKind, Type, TypeId, ValueId};

/// The value of a constant; for a splat, that of each element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ConstantValue {
    /// An integer and its width in bits; `index` counts as 64.
    Integer(i128, u32),
    /// A float. Hexadecimal literals are not read.
    Float(f64),
}

/// The value of an `arith.constant`.
pub(super) fn constant_value(module: &Module, value: ValueId) -> Option<ConstantValue> {
    let op = module.defining_op(value)?;
    if module.kind(op) != OpKind::ArithConstant {
        return None;
    }
    let (text, ty) = match module.interners.attr_data(module.attribute(op, "value")?) {
        Attr::Bool(value) => return Some(ConstantValue::Integer(i128::from(*value), 1)),
        Attr::Integer(text, ty) | Attr::Float(text, ty) => (text, *ty),
        Attr::Dense(_, text, ty) => (text, *ty),
        _ => return None,
    };
    let element = module.interners.element(ty);
    match module.interners.type_data(element) {
        Type::Float(_) => text.parse().ok().filter(|number: &f64| number.is_finite()).map(ConstantValue::Float),
        Type::Integer(_) | Type::Index => {
            let number = match text.as_str() {
                "true" => 1,
                "false" => 0,
                digits => digits.parse().ok()?,
            };
            Some(ConstantValue::Integer(number, width(module, element)?))
        }
        _ => None,
    }
}

/// A new integer constant or splat, if the number fits the type.
pub(super) fn integer(module: &mut Module, ty: TypeId, number: i128) -> Option<OpId> {
    let element = module.interners.element(ty);
    let bits = width(module, element)?;
    // `i1` has spellings of its own.
    if bits == 1 || number < -(1i128 << (bits - 1)) || number >= 1i128 << (bits - 1) {
        return None;
    }
    let attr = match module.interners.type_data(ty) {
        Type::Tensor { .. } => {
            let dense = module.interners.name("dense");
            Attr::Dense(dense, number.to_string(), ty)
        }
        _ => Attr::Integer(number.to_string(), ty),
    };
    Some(constant(module, ty, attr))
}

/// A new constant tensor, the splat of a constant scalar.
pub(super) fn splat_of(module: &mut Module, scalar: ValueId, ty: TypeId) -> Option<OpId> {
    let op = module.defining_op(scalar).filter(|&op| module.kind(op) == OpKind::ArithConstant)?;
    let text = match module.interners.attr_data(module.attribute(op, "value")?) {
        Attr::Bool(value) => value.to_string(),
        Attr::Integer(text, _) | Attr::Float(text, _) => text.clone(),
        _ => return None,
    };
    if !matches!(module.interners.type_data(ty), Type::Tensor { .. }) {
        return None;
    }
    let dense = module.interners.name("dense");
    Some(constant(module, ty, Attr::Dense(dense, text, ty)))
}

pub(super) fn is_zero(module: &Module, value: ValueId) -> bool {
    match constant_value(module, value) {
        Some(ConstantValue::Integer(number, _)) => number == 0,
        Some(ConstantValue::Float(number)) => number == 0.0 && number.is_sign_positive(),
        None => false,
    }
}

fn constant(module: &mut Module, ty: TypeId, value: Attr) -> OpId {
    let value = module.interners.attr(value);
    let name = module.name("value");
    module.create(OpKind::ArithConstant, &[], &[ty], vec![(name, value)])
}

/// The width in bits of a signless integer, up to 64.
fn width(module: &Module, ty: TypeId) -> Option<u32> {
    match module.interners.type_data(ty) {
        Type::Index => Some(64),
        Type::Integer(name) => {
            let bits = module.interners.name_text(*name).strip_prefix('i')?.parse().ok()?;
            (1..=64).contains(&bits).then_some(bits)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tritonsmith_ir::parse;

    #[test]
    fn reads_scalars_and_splats() {
        let module = parse(
            "%0 = arith.constant 7 : i32\n%1 = arith.constant true\n%2 = arith.constant dense<-1> : tensor<4xi64>\n\
             %3 = arith.constant 1.500000e+00 : f32\n%4 = arith.constant dense<[1, 2]> : tensor<2xi32>\n",
        )
        .unwrap();
        let numbers: Vec<_> =
            (module.walk().into_iter().skip(1)).map(|op| constant_value(&module, module.op(op).results[0])).collect();
        assert_eq!(
            numbers,
            [
                Some(ConstantValue::Integer(7, 32)),
                Some(ConstantValue::Integer(1, 1)),
                Some(ConstantValue::Integer(-1, 64)),
                Some(ConstantValue::Float(1.5)),
                None
            ]
        );
    }

    #[test]
    fn a_number_that_does_not_fit_is_no_constant() {
        let mut module = Module::new();
        let i8 = module.interners.integer("i8");
        assert!(integer(&mut module, i8, 127).is_some());
        assert!(integer(&mut module, i8, 128).is_none());
        assert!(integer(&mut module, i8, -129).is_none());
    }
}
