//! Canonicalisation: folds operations, simplifies control flow ([`super::control`]) and erases dead code, until nothing
//! changes.

use super::constant::{ConstantValue, constant_value, splat_of};
use super::control;
use super::fault::Fault;
use super::pass::{Context, PassResult};
use rustc_hash::FxHashMap;
use tritonsmith_ir::{Module, OpId, OpKind, ValueId};

pub(super) fn run(module: &mut Module, context: &Context) -> PassResult {
    module.remove_unreachable_blocks();
    loop {
        let mut changed = fold_all(module, context)?;
        changed |= control::simplify(module, context)?;
        changed |= erase_dead(module, context) > 0;
        if !changed {
            return Ok(());
        }
    }
}

enum Folded {
    /// To an existing value.
    Value(ValueId),
    /// The operation was changed in place.
    InPlace,
}

fn fold_all(module: &mut Module, context: &Context) -> Result<bool, super::pass::PassError> {
    let mut map: FxHashMap<ValueId, ValueId> = FxHashMap::default();
    let mut changed = false;
    for op in module.walk() {
        context.step()?;
        match fold(module, context, op) {
            Some(Folded::Value(value)) => {
                map.extend(module.op(op).results.first().map(|&result| (result, value)));
                module.unlink(op);
                changed = true;
            }
            Some(Folded::InPlace) => changed = true,
            None => {}
        }
    }
    module.replace_many(&map);
    Ok(changed)
}

fn fold(module: &mut Module, context: &Context, op: OpId) -> Option<Folded> {
    let &[result] = module.op(op).results.as_slice() else { return None };
    let operands = module.op(op).operands.clone();
    match (module.kind(op), operands.as_slice()) {
        (kind, &[left, right]) if kind.dialect() == "arith" => binary(module, context, op, left, right),
        (OpKind::ArithSelect, &[condition, yes, no]) => {
            let taken = match constant_value(module, condition) {
                _ if yes == no => yes,
                Some(ConstantValue::Integer(1, _)) => yes,
                Some(ConstantValue::Integer(0, _)) => no,
                _ => return None,
            };
            Some(Folded::Value(taken))
        }
        (OpKind::TtSplat, &[scalar]) => {
            let ty = module.value(result).ty;
            let constant = splat_of(module, scalar, ty)?;
            put_in_place(module, op, constant)
        }
        (OpKind::TtBroadcast, &[source]) if module.value(source).ty == module.value(result).ty => {
            Some(Folded::Value(source))
        }
        (OpKind::TtgConvertLayout, &[source]) => {
            if module.value(source).ty == module.value(result).ty {
                return Some(Folded::Value(source));
            }
            let before = module.defining_op(source).filter(|&op| module.kind(op) == OpKind::TtgConvertLayout)?;
            let &first = module.op(before).operands.first()?;
            // Only in an unreachable block can a conversion use itself.
            if first == result || first == source {
                return None;
            }
            *module.op_mut(op).operands.first_mut()? = first;
            Some(Folded::InPlace)
        }
        _ => None,
    }
}

/// Folds arithmetic identities, and sums and products of two constants.
fn binary(module: &mut Module, context: &Context, op: OpId, left: ValueId, right: ValueId) -> Option<Folded> {
    let kind = module.kind(op);
    let (a, b) = (constant_value(module, left), constant_value(module, right));
    let commutes = matches!(
        kind,
        OpKind::ArithAddi
            | OpKind::ArithMuli
            | OpKind::ArithAndi
            | OpKind::ArithOri
            | OpKind::ArithXori
            | OpKind::ArithAddf
            | OpKind::ArithMulf
    );
    let result = *module.op(op).results.first()?;
    if module.value(left).ty != module.value(result).ty {
        return None;
    }
    match (kind, a, b) {
        (
            OpKind::ArithAddi | OpKind::ArithMuli,
            Some(ConstantValue::Integer(a, _)),
            Some(ConstantValue::Integer(b, _)),
        ) => {
            let sum = if kind == OpKind::ArithAddi { a.checked_add(b) } else { a.checked_mul(b) };
            let ty = module.value(result).ty;
            if let Some(constant) = sum.and_then(|number| super::constant::integer(module, ty, number)) {
                return put_in_place(module, op, constant);
            }
        }
        (
            OpKind::ArithAddi
            | OpKind::ArithSubi
            | OpKind::ArithOri
            | OpKind::ArithXori
            | OpKind::ArithShli
            | OpKind::ArithShrsi
            | OpKind::ArithShrui,
            _,
            Some(ConstantValue::Integer(0, _)),
        )
        | (OpKind::ArithMuli | OpKind::ArithDivsi | OpKind::ArithDivui, _, Some(ConstantValue::Integer(1, _)))
        | (OpKind::ArithMulf | OpKind::ArithDivf, _, Some(ConstantValue::Float(1.0))) => {
            return Some(Folded::Value(left));
        }
        (OpKind::ArithMuli | OpKind::ArithAndi, _, Some(ConstantValue::Integer(0, _))) => {
            return Some(Folded::Value(right));
        }
        (
            OpKind::ArithAndi
            | OpKind::ArithOri
            | OpKind::ArithMaxsi
            | OpKind::ArithMinsi
            | OpKind::ArithMaxui
            | OpKind::ArithMinui
            | OpKind::ArithMaxnumf
            | OpKind::ArithMinnumf,
            ..,
        ) if left == right => return Some(Folded::Value(left)),
        _ => {}
    }
    let swap = if context.has(Fault::SwapForever) { a.is_some() || b.is_some() } else { a.is_some() && b.is_none() };
    if commutes && swap {
        module.op_mut(op).operands.swap(0, 1);
        return Some(Folded::InPlace);
    }
    None
}

/// Inserts a new operation with one result beside the one that it replaces.
fn put_in_place(module: &mut Module, op: OpId, constant: OpId) -> Option<Folded> {
    let (block, position) = (module.op(op).parent?, module.position(op)?);
    module.op_mut(constant).span = module.op(op).span;
    module.insert(constant, block, position);
    module.op(constant).results.first().map(|&value| Folded::Value(value))
}

/// Erases dead operations and returns their number.
fn erase_dead(module: &mut Module, context: &Context) -> usize {
    if !context.has(Fault::DeadCodeIgnoresRegions) {
        return module.erase_dead();
    }
    let uses = module.uses();
    let is_dead = |op: &OpId| {
        module.is_removable(*op)
            && !module.is_terminator(*op)
            && module.op(*op).results.iter().all(|result| {
                uses[result.index()].iter().all(|place| module.op(place.op).parent != module.op(*op).parent)
            })
    };
    let dead: Vec<OpId> = module.walk().into_iter().filter(is_dead).collect();
    for &op in &dead {
        module.unlink(op);
    }
    dead.len()
}
