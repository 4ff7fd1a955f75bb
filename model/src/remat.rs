//! Removal of layout conversions by rematerialisation: a value that is cheap to compute is computed again in the new layout
//! instead of being converted.
//!
//! The backward slice of the converted value is copied: the operations that it depends on, each with its layout in the new
//! computation. A slice ends at operations without tensor operands, at values that have the layout already, and at values
//! that were rematerialised before. It fails at expensive operations and at block arguments.
//!
//! Copies replace the conversion in place. A copy may therefore be inside a loop or a branch, and a later conversion of the
//! same value outside of it: a rematerialised value is reused only where it dominates.

use super::fault::Fault;
use super::layout::{axis_of, in_layout, layout_of};
use super::pass::{Context, PassError, PassResult};
use rustc_hash::{FxHashMap, FxHashSet};
use tritonsmith_ir::{Attr, AttrId, Definition, Module, OpId, OpKind, Trait, Type, ValueId};
use tritonsmith_oracle::dominance::Dominance;

/// Most operations that are copied for one conversion: a longer slice costs more than the conversion.
const LONGEST_SLICE: usize = 48;

pub(super) fn run(module: &mut Module, context: &Context) -> PassResult {
    let conversions = module.walk().into_iter().filter(|&op| module.kind(op) == OpKind::TtgConvertLayout);
    let conversions: Vec<OpId> = conversions.collect();
    let mut pass = Rematerialisation { known: FxHashMap::default(), dominance: None };
    for conversion in conversions {
        context.step()?;
        pass.remove(module, context, conversion)?;
    }
    module.erase_dead();
    Ok(())
}

/// A value in a layout.
type ValueInLayout = (ValueId, AttrId);

struct Rematerialisation {
    /// The values rematerialised so far, in order.
    known: FxHashMap<ValueInLayout, Vec<ValueId>>,
    /// Computed on demand, invalid after every edit.
    dominance: Option<Dominance>,
}

/// Operands by position, with the layouts in which they are needed.
type Needs = Vec<(usize, ValueInLayout)>;

impl Rematerialisation {
    fn remove(&mut self, module: &mut Module, context: &Context, conversion: OpId) -> PassResult {
        let (&[source], &[result]) =
            (module.op(conversion).operands.as_slice(), module.op(conversion).results.as_slice())
        else {
            return Ok(());
        };
        let Some(layout) = layout_of(module, result) else { return Ok(()) };
        if !self.is_reachable(module, conversion) {
            return Ok(());
        }
        let Some(members) = self.backward_slice(module, context, (source, layout), conversion)? else { return Ok(()) };
        let Some(new) = self.materialise(module, context, (source, layout), conversion)? else { return Ok(()) };
        module.replace_uses(result, new);
        module.unlink(conversion);
        self.dominance = None;
        if context.has(Fault::EraseSharedSlice) {
            erase(module, &members)?;
        }
        Ok(())
    }

    fn dominance(&mut self, module: &Module) -> &Dominance {
        self.dominance.get_or_insert_with(|| Dominance::new(module))
    }

    fn is_reachable(&mut self, module: &Module, op: OpId) -> bool {
        module.op(op).parent.is_some_and(|block| self.dominance(module).dominators().is_reachable(block))
    }

    /// An existing value in the layout that is needed.
    fn present(&mut self, module: &Module, context: &Context, wanted: ValueInLayout, at: OpId) -> Option<ValueId> {
        if layout_of(module, wanted.0) == Some(wanted.1) {
            return Some(wanted.0);
        }
        let made = self.known.get(&wanted)?.clone();
        if context.has(Fault::ReuseFromChild) {
            let here = module.function_of(at);
            return made.into_iter().find(|&value| {
                module.defining_op(value).is_some_and(|op| module.function_of(op) == here && here.is_some())
            });
        }
        let dominance = self.dominance(module);
        made.into_iter().find(|&value| dominance.reaches(module, value, at))
    }

    /// The operations to copy for a value in a layout; `None` if that is not possible or not worth it.
    fn backward_slice(
        &mut self,
        module: &mut Module,
        context: &Context,
        wanted: ValueInLayout,
        at: OpId,
    ) -> Result<Option<Vec<OpId>>, PassError> {
        let (mut seen, mut members) = (FxHashSet::default(), Vec::new());
        let mut open = vec![wanted];
        while let Some((value, layout)) = open.pop() {
            context.step()?;
            if self.present(module, context, (value, layout), at).is_some() {
                continue;
            }
            if context.has(Fault::SliceThroughCarried)
                && let Some(around) = carried_from(module, value)
            {
                // Every iteration counts as a new one.
                seen.clear();
                open.extend(around.map(|value| (value, layout)));
                continue;
            }
            if !seen.insert((value, layout)) {
                continue;
            }
            let Some((op, needs)) = cheap(module, value, layout) else { return Ok(None) };
            if !members.contains(&op) {
                members.push(op);
            }
            if members.len() > LONGEST_SLICE {
                return Ok(None);
            }
            open.extend(needs.into_iter().map(|(_, wanted)| wanted));
        }
        Ok(Some(members))
    }

    /// Copies a slice before `at`, operands first. The recursion is no deeper than [`LONGEST_SLICE`].
    fn materialise(
        &mut self,
        module: &mut Module,
        context: &Context,
        wanted: ValueInLayout,
        at: OpId,
    ) -> Result<Option<ValueId>, PassError> {
        context.step()?;
        if let Some(value) = self.present(module, context, wanted, at) {
            return Ok(Some(value));
        }
        let Some((op, needs)) = cheap(module, wanted.0, wanted.1) else { return Ok(None) };
        let mut operands = module.op(op).operands.clone();
        for (place, need) in needs {
            match (self.materialise(module, context, need, at)?, operands.get_mut(place)) {
                (Some(value), Some(operand)) => *operand = value,
                _ => return Ok(None),
            }
        }
        let new = if module.kind(op) == OpKind::TtgConvertLayout {
            // A conversion of the conversion's source: what was materialised for it is the value itself.
            operands.first().copied()
        } else {
            copy(module, op, &operands, wanted.1, at)
        };
        self.dominance = None;
        if let Some(new) = new {
            self.known.entry(wanted).or_default().push(new);
        }
        Ok(new)
    }
}

/// The operation that computes a value, if it is cheap to recompute in another layout, and the operands for that.
fn cheap(module: &mut Module, value: ValueId, layout: AttrId) -> Option<(OpId, Needs)> {
    let op = module.defining_op(value)?;
    let record = module.op(op);
    if record.results.len() != 1 || !record.regions.is_empty() || !module.has(op, Trait::Pure) {
        return None;
    }
    let operands = record.operands.clone();
    let tensors = |module: &Module| -> Vec<(usize, ValueId)> {
        let is_tensor = |value: &ValueId| matches!(module.type_of(*value), Type::Tensor { .. });
        operands.iter().copied().enumerate().filter(|(_, value)| is_tensor(value)).collect()
    };
    let needs = match module.kind(op) {
        OpKind::ArithConstant | OpKind::TtMakeRange | OpKind::TtSplat => Vec::new(),
        OpKind::TtBroadcast | OpKind::TtgConvertLayout => vec![(0, (*operands.first()?, layout))],
        OpKind::TtExpandDims => {
            let axis = axis_of(module, op)?;
            vec![(0, (*operands.first()?, module.interners.slice_layout(axis as u64, layout)))]
        }
        _ if module.has(op, Trait::SameOperandsAndResultEncoding) => {
            tensors(module).into_iter().map(|(place, value)| (place, (value, layout))).collect()
        }
        _ => return None,
    };
    Some((op, needs))
}

/// Copies an operation before another one, with other operands and its result in another layout.
fn copy(module: &mut Module, op: OpId, operands: &[ValueId], layout: AttrId, at: OpId) -> Option<ValueId> {
    let &result = module.op(op).results.first()?;
    let ty = module.value(result).ty;
    let ty = in_layout(module, ty, layout)?;
    let name = module.op(op).name;
    let new = module.create_named(name, &[operands], &[ty], Vec::new());
    let old = module.op(op).clone();
    let record = module.op_mut(new);
    (record.props, record.attrs) = (old.props, old.attrs);
    (record.segments, record.syntax, record.loc, record.span) = (old.segments, old.syntax, old.loc, old.span);
    if module.kind(new) == OpKind::ArithConstant {
        retype_constant(module, new);
    }
    let (block, position) = (module.op(at).parent?, module.position(at)?);
    module.insert(new, block, position);
    module.op(new).results.first().copied()
}

/// The type inside a constant's attribute must be that of its result.
fn retype_constant(module: &mut Module, op: OpId) -> Option<()> {
    let ty = module.value(*module.op(op).results.first()?).ty;
    let Attr::Dense(keyword, text, _) = module.interners.attr_data(module.attribute(op, "value")?).clone() else {
        return None;
    };
    let value = module.interners.attr(Attr::Dense(keyword, text, ty));
    module.set_prop(op, "value", Some(value));
    Some(())
}

/// The initial and the yielded value of a carried value.
fn carried_from(module: &Module, value: ValueId) -> Option<[ValueId; 2]> {
    let Definition::Argument(block, index) = module.value(value).definition else { return None };
    let holder = module.block_parent(block);
    if module.kind(holder) != OpKind::ScfFor || index == 0 {
        return None;
    }
    let init = *module.op(holder).operands.get(2 + index as usize)?;
    let terminator = module.terminator(block)?;
    Some([init, *module.op(terminator).operands.get(index as usize - 1)?])
}

/// Erases the operations of a slice, users first.
fn erase(module: &mut Module, members: &[OpId]) -> PassResult {
    for &op in members {
        if module.op(op).parent.is_none() {
            continue;
        }
        let uses = module.uses();
        if module.op(op).results.iter().any(|result| !uses[result.index()].is_empty()) {
            return Err(PassError::Fatal { op, message: "operation destroyed but still has uses" });
        }
        module.unlink(op);
    }
    Ok(())
}
