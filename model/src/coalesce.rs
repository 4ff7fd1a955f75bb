//! Coalescing: loads, stores and atomics get layouts in which neighbouring threads access neighbouring addresses, up to 16
//! bytes each. Their operands are converted before them, and their results are converted back after them.

use super::fault::Fault;
use super::layout::{Blocked, convert, convert_operand, in_layout, layout_of};
use super::pass::{Context, PassResult};
use smallvec::SmallVec;
use tritonsmith_ir::{Module, OpId, OpKind, Type, TypeId, Use, ValueId};

/// Bits that one thread moves at once.
const WIDEST_ACCESS: u64 = 128;

pub(super) fn run(module: &mut Module, context: &Context) -> PassResult {
    let uses = module.uses();
    for op in module.walk() {
        context.step()?;
        if matches!(module.kind(op), OpKind::TtLoad | OpKind::TtStore | OpKind::TtAtomicRmw | OpKind::TtAtomicCas) {
            coalesce(module, context, op, &uses);
        }
    }
    Ok(())
}

fn coalesce(module: &mut Module, context: &Context, op: OpId, uses: &[SmallVec<[Use; 2]>]) -> Option<()> {
    let pointer = *module.op(op).operands.first()?;
    let now = layout_of(module, pointer)?;
    let shape = module.interners.shape(module.value(pointer).ty).filter(|shape| !shape.is_empty())?;
    let bits = element_bits(module, module.value(pointer).ty)?;
    let layout = {
        let threads = context.setup.threads_per_warp * context.setup.warps;
        let each = (shape.iter().product::<u64>() / threads.max(1)).max(1);
        let mut size_per_thread = vec![1; shape.len()];
        let last = shape.len() - 1;
        size_per_thread[last] = (WIDEST_ACCESS / bits).min(each).min(shape[last]).max(1);
        Blocked::spread(&shape, size_per_thread, (0..shape.len()).rev().collect(), context.setup).attr(module)
    };
    if layout == now {
        return Some(());
    }
    for index in 0..module.op(op).operands.len() {
        let value = *module.op(op).operands.get(index)?;
        let ty = module.value(value).ty;
        if let Some(wanted) = in_layout(module, ty, layout) {
            convert_operand(module, op, index, wanted);
        }
    }
    for result in module.op(op).results.clone() {
        let old = module.value(result).ty;
        let Some(new) = in_layout(module, old, layout) else { continue };
        let (block, position) = (module.op(op).parent?, module.position(op)?);
        let conversion = convert(module, result, old, op)?;
        let converted = *module.op(conversion).results.first()?;
        module.value_mut(result).ty = new;
        module.insert(conversion, block, position + 1);
        for place in uses.get(result.index()).into_iter().flatten() {
            if context.has(Fault::YieldedUnconverted) && module.is_terminator(place.op) {
                continue;
            }
            redirect(module, *place, result, converted);
        }
    }
    Some(())
}

/// Replaces one use of a value by another value. If a conversion was inserted for the use, its operand is replaced.
fn redirect(module: &mut Module, place: Use, from: ValueId, to: ValueId) {
    let Some(&now) = module.op(place.op).operands.get(place.operand as usize) else { return };
    let (op, operand) = if now == from {
        (place.op, place.operand as usize)
    } else {
        match module.defining_op(now) {
            Some(conversion) if module.op(conversion).operands.first() == Some(&from) => (conversion, 0),
            _ => return,
        }
    };
    if let Some(operand) = module.op_mut(op).operands.get_mut(operand) {
        *operand = to;
    }
}

/// The size of the pointees of a tensor of pointers; `None` for other types.
fn element_bits(module: &Module, ty: TypeId) -> Option<u64> {
    let Type::Tensor { element, .. } = module.interners.type_data(ty) else { return None };
    let Type::Pointer { pointee, .. } = module.interners.type_data(*element) else { return None };
    match module.interners.type_data(*pointee) {
        Type::Integer(name) | Type::Float(name) => {
            let digits: String = (module.interners.name_text(*name).chars())
                .skip_while(|c| !c.is_ascii_digit())
                .take_while(char::is_ascii_digit)
                .collect();
            // Elements smaller than a byte are moved as bytes.
            digits.parse::<u64>().ok().map(|bits| bits.clamp(8, WIDEST_ACCESS))
        }
        Type::Pointer { .. } => Some(64),
        _ => None,
    }
}
