//! Thread locality: a loop that sums up reductions need not reduce in each iteration. Each thread sums up the elements that
//! it holds, and one reduction after the loop combines them.
//!
//! ```text
//! for … iter(acc = init) {                         for … iter(wide = 0) {
//!   r = reduce(x)                                    wide' = wide * broadcast(scale) + x
//!   acc' = acc * scale + r             -->         }
//! }                                                acc = init + reduce(wide)
//! ```
//!
//! The rescale factor is optional; with one, `init` must be zero. It may be computed after the reduction, so the new update
//! replaces the old one in place. The loop must not read the accumulator except to update it, since its value is known
//! only at the end.

use super::constant::is_zero;
use super::control::body_of;
use super::fault::Fault;
use super::layout::{axis_of, convert, in_layout, layout_of};
use super::pass::{Context, PassError, PassResult, assert_model};
use rustc_hash::FxHashMap;
use tritonsmith_ir::{Attr, AttrId, BlockId, Definition, Module, Name, OpId, OpKind, Type, TypeId, ValueId};

pub(super) fn run(module: &mut Module, context: &Context) -> PassResult {
    let loops: Vec<OpId> = module.walk().into_iter().filter(|&op| module.kind(op) == OpKind::ScfFor).collect();
    let mut changed = false;
    for &op in loops.iter().rev() {
        for index in 0..module.op(op).results.len() {
            context.step()?;
            if let Some(update) = Update::find(module, context, op, index) {
                update.widen(module, context)?;
                changed = true;
            }
        }
    }
    if changed {
        module.erase_dead();
    }
    Ok(())
}

/// A carried sum of reductions, and the operations that compute it.
struct Update {
    loop_op: OpId,
    body: BlockId,
    yield_op: OpId,
    /// Its position among the carried values.
    index: usize,
    argument: ValueId,
    add: OpId,
    /// The multiplication that rescales the accumulator, and the factor.
    rescale: Option<(OpId, ValueId)>,
    reduction: OpId,
    /// The layout conversion between reduction and addition.
    conversion: Option<OpId>,
    /// The operand of the reduction.
    source: ValueId,
    axis: usize,
}

impl Update {
    fn find(module: &Module, context: &Context, loop_op: OpId, index: usize) -> Option<Update> {
        let (body, yield_op) = body_of(module, loop_op)?;
        let &argument = module.block(body).arguments.get(1 + index)?;
        let &yielded = module.op(yield_op).operands.get(index)?;
        let here = |value: ValueId, kind: OpKind| {
            let op = module.defining_op(value)?;
            (module.op(op).parent == Some(body) && module.kind(op) == kind).then_some(op)
        };
        let (add, multiply) = match here(yielded, OpKind::ArithAddf) {
            Some(add) => (add, OpKind::ArithMulf),
            None => (here(yielded, OpKind::ArithAddi)?, OpKind::ArithMuli),
        };
        let &[left, right] = module.op(add).operands.as_slice() else { return None };
        for (kept, summand) in [(left, right), (right, left)] {
            let conversion = here(summand, OpKind::TtgConvertLayout);
            let reduced = conversion.map_or(Some(summand), |op| module.op(op).operands.first().copied())?;
            let Some(reduction) = here(reduced, OpKind::TtReduce) else { continue };
            let rescale = here(kept, multiply).and_then(|op| match *module.op(op).operands.as_slice() {
                [a, factor] | [factor, a] if a == argument && factor != argument => Some((op, factor)),
                _ => None,
            });
            if kept != argument && rescale.is_none() || !combines_with(module, reduction, module.kind(add)) {
                continue;
            }
            let &[source] = module.op(reduction).operands.as_slice() else { continue };
            let axis = axis_of(module, reduction)?;
            let update =
                Update { loop_op, body, yield_op, index, argument, add, rescale, reduction, conversion, source, axis };
            return update.is_safe(module, context).then_some(update);
        }
        None
    }

    /// Whether values whose meaning changes have no other users.
    fn is_safe(&self, module: &Module, context: &Context) -> bool {
        let uses = module.uses();
        let once = |op: OpId| module.op(op).results.iter().all(|result| uses[result.index()].len() == 1);
        let init = module.op(self.loop_op).operands.get(3 + self.index);
        let starts_at_zero = init.is_some_and(|&init| is_zero(module, init));
        let alone = uses[self.argument.index()].len() == 1;
        (alone || context.has(Fault::AccumulatorRead))
            && [Some(self.add), Some(self.reduction), self.conversion, self.rescale.map(|(op, _)| op)]
                .into_iter()
                .flatten()
                .all(once)
            && (self.rescale.is_none() || starts_at_zero)
    }

    fn widen(&self, module: &mut Module, context: &Context) -> PassResult {
        let Some(&old) = module.op(self.loop_op).results.get(self.index) else { return Ok(()) };
        if context.has(Fault::AccumulatorUsedTwice) {
            let uses = module.uses()[old.index()].len();
            assert_model!(uses <= 1, "loop.getResult(index).hasOneUse()");
        }
        let wide_type = module.value(self.source).ty;
        let Some(zero) = module.create_constant(wide_type, 0) else { return Ok(()) };
        let (Some(block), Some(position)) = (module.op(self.loop_op).parent, module.position(self.loop_op)) else {
            return Ok(());
        };
        module.op_mut(zero).span = module.op(self.loop_op).span;
        module.insert(zero, block, position);
        let Some(&start) = module.op(zero).results.first() else { return Ok(()) };
        let (wide, wide_result) = self.carry(module, start, wide_type);
        let place = if context.has(Fault::UpdateAtReduction) { self.reduction } else { self.add };
        let updated = self.update(module, wide, wide_type, place)?;
        module.op_mut(self.yield_op).operands.push(updated);
        if let Some(size) = module.op_mut(self.yield_op).segments.last_mut() {
            *size += 1;
        }
        if let Some(yielded) = module.op_mut(self.yield_op).operands.get_mut(self.index) {
            *yielded = self.argument;
        }
        self.reduce_after(module, context, old, wide_result)
    }

    /// Adds a carried value; returns its block argument and its result.
    fn carry(&self, module: &mut Module, start: ValueId, ty: TypeId) -> (ValueId, ValueId) {
        let argument = module.add_block_argument(self.body, ty);
        let index = module.op(self.loop_op).results.len() as u32;
        let result = module.new_value(ty, Definition::Result(self.loop_op, index));
        let record = module.op_mut(self.loop_op);
        record.operands.push(start);
        record.results.push(result);
        if let Some(size) = record.segments.last_mut() {
            *size += 1;
        }
        (argument, result)
    }

    /// Inserts the new update before `place`.
    fn update(&self, module: &mut Module, wide: ValueId, ty: TypeId, place: OpId) -> Result<ValueId, PassError> {
        let mut kept = wide;
        if let Some((multiply, factor)) = self.rescale {
            let factor = self.widened(module, factor, ty, place);
            kept = like(module, multiply, &[wide, factor], ty, place);
        }
        Ok(like(module, self.add, &[kept, self.source], ty, place))
    }

    /// Broadcasts the rescale factor to the shape of the source.
    fn widened(&self, module: &mut Module, factor: ValueId, ty: TypeId, place: OpId) -> ValueId {
        let factor_type = module.value(factor).ty;
        if !matches!(module.interners.type_data(factor_type), Type::Tensor { .. }) {
            return before(module, OpKind::TtSplat, &[factor], ty, Vec::new(), place);
        }
        let mut factor = factor;
        if let Some(parent) = module.interners.encoding(ty) {
            let wanted = module.interners.slice_layout(self.axis as u64, parent);
            if layout_of(module, factor) != Some(wanted)
                && let Some(wanted) = in_layout(module, factor_type, wanted)
            {
                factor = before(module, OpKind::TtgConvertLayout, &[factor], wanted, Vec::new(), place);
            }
        }
        let Type::Tensor { mut shape, element, encoding } = module.interners.type_data(ty).clone() else {
            return factor;
        };
        if let Some(size) = shape.get_mut(self.axis) {
            *size = Some(1);
        }
        let thin = module.interners.ty(Type::Tensor { shape, element, encoding });
        let axis = axis_attr(module, self.axis);
        let expanded = before(module, OpKind::TtExpandDims, &[factor], thin, vec![axis], place);
        if thin == ty { expanded } else { before(module, OpKind::TtBroadcast, &[expanded], ty, Vec::new(), place) }
    }

    /// Inserts the reduction after the loop, and adds the initial value.
    fn reduce_after(&self, module: &mut Module, context: &Context, old: ValueId, wide: ValueId) -> PassResult {
        let (Some(block), Some(position)) = (module.op(self.loop_op).parent, module.position(self.loop_op)) else {
            return Ok(());
        };
        let reduced_type = (module.op(self.reduction).results.first()).map(|&value| module.value(value).ty);
        let Some(reduced_type) = reduced_type else { return Ok(()) };
        let reduction = copy_reduction(module, self.reduction, wide, reduced_type);
        let mut new = vec![reduction];
        let mut result = module.op(reduction).results.first().copied();
        let ty = module.value(old).ty;
        if self.conversion.is_some()
            && let Some(reduced) = result
            && let Some(conversion) = convert(module, reduced, ty, self.reduction)
        {
            new.push(conversion);
            result = module.op(conversion).results.first().copied();
        }
        let Some(result) = result else { return Ok(()) };
        let name = module.op(self.add).name;
        let add = module.create_named(name, &[&[old], &[result]], &[ty], Vec::new());
        let (props, attrs, span) = (module.op(self.add).props, module.op(self.add).attrs, module.op(self.add).span);
        let record = module.op_mut(add);
        (record.props, record.attrs, record.span) = (props, attrs, span);
        let Some(&total) = module.op(add).results.first() else { return Ok(()) };
        let mut map = FxHashMap::from_iter([(old, total)]);
        if context.has(Fault::AccumulatorRead) {
            map.insert(self.argument, total);
        }
        module.replace_many(&map);
        if let Some(first) = module.op_mut(add).operands.first_mut() {
            *first = old;
        }
        if let Some(yielded) = module.op_mut(self.yield_op).operands.get_mut(self.index) {
            *yielded = self.argument;
        }
        new.push(add);
        for (offset, op) in new.into_iter().enumerate() {
            module.insert(op, block, position + 1 + offset);
        }
        Ok(())
    }
}

/// Whether a reduction's region is just this operation.
fn combines_with(module: &Module, reduction: OpId, kind: OpKind) -> bool {
    let Some(block) = module.entry(reduction) else { return false };
    let (&[combine, last], &[a, b]) = (module.block(block).ops.as_slice(), module.block(block).arguments.as_slice())
    else {
        return false;
    };
    let operands = module.op(combine).operands.as_slice();
    module.kind(combine) == kind
        && (operands == [a, b] || operands == [b, a])
        && module.op(last).operands.as_slice() == module.op(combine).results.as_slice()
}

fn axis_attr(module: &mut Module, axis: usize) -> (Name, AttrId) {
    let ty = module.interners.integer("i32");
    (module.name("axis"), module.interners.attr(Attr::Integer(axis.to_string(), ty)))
}

/// Creates an operation before another one and returns its result.
fn before(
    module: &mut Module,
    kind: OpKind,
    operands: &[ValueId],
    ty: TypeId,
    props: Vec<(Name, AttrId)>,
    place: OpId,
) -> ValueId {
    let groups: Vec<&[ValueId]> = operands.chunks(1).collect();
    let op = module.create(kind, &groups, &[ty], props);
    insert_before(module, op, place)
}

/// Like [`before`], with the name and the attributes of an existing operation.
fn like(module: &mut Module, old: OpId, operands: &[ValueId], ty: TypeId, place: OpId) -> ValueId {
    let groups: Vec<&[ValueId]> = operands.chunks(1).collect();
    let name = module.op(old).name;
    let op = module.create_named(name, &groups, &[ty], Vec::new());
    let (props, attrs) = (module.op(old).props, module.op(old).attrs);
    let record = module.op_mut(op);
    (record.props, record.attrs) = (props, attrs);
    insert_before(module, op, place)
}

fn insert_before(module: &mut Module, op: OpId, place: OpId) -> ValueId {
    module.op_mut(op).span = module.op(place).span;
    if let (Some(block), Some(position)) = (module.op(place).parent, module.position(place)) {
        module.insert(op, block, position);
    }
    // Every caller makes an operation with one result.
    module.op(op).results[0]
}

/// A copy of a reduction over another source, in no block.
fn copy_reduction(module: &mut Module, old: OpId, source: ValueId, ty: TypeId) -> OpId {
    let name = module.op(old).name;
    let new = module.create_named(name, &[&[source]], &[ty], Vec::new());
    let record = module.op(old).clone();
    let copied = module.op_mut(new);
    (copied.props, copied.attrs, copied.span) = (record.props, record.attrs, record.span);
    (copied.segments, copied.syntax) = (record.segments, record.syntax);
    let Some(block) = module.entry(old) else { return new };
    let arguments = module.block(block).arguments.clone();
    let types: Vec<TypeId> = arguments.iter().map(|&value| module.value(value).ty).collect();
    let body = module.create_region(new, &types);
    let mut map: FxHashMap<ValueId, ValueId> =
        arguments.iter().copied().zip(module.block(body).arguments.iter().copied()).collect();
    for op in module.block(block).ops.clone() {
        let record = module.op(op).clone();
        let operands: Vec<ValueId> =
            record.operands.iter().map(|value| map.get(value).copied().unwrap_or(*value)).collect();
        let types: Vec<TypeId> = record.results.iter().map(|&value| module.value(value).ty).collect();
        let name = module.op(op).name;
        let copy = module.create_named(name, &[&operands], &types, Vec::new());
        let copied = module.op_mut(copy);
        (copied.props, copied.attrs, copied.span) = (record.props, record.attrs, record.span);
        (copied.segments, copied.syntax) = (record.segments, record.syntax);
        map.extend(record.results.iter().copied().zip(module.op(copy).results.iter().copied()));
        let end = module.block(body).ops.len();
        module.insert(copy, body, end);
    }
    new
}
