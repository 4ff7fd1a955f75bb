//! Removal of layout conversions by rematerialisation: where the value that is converted is cheap to compute, it is
//! computed once more in the layout that is wanted, and the conversion goes.
//!
//! What must be computed again is the backward slice of the converted value: the operations that it depends on, each with
//! the layout that it takes in the new computation. A slice ends at operations without tensor operands, at values that
//! have the layout already, and at values that were rematerialised before. It fails at what is not cheap or what a block
//! is given.
//!
//! Copies stand where the conversion stood. A copy may therefore be made inside a loop or a branch, and a later conversion
//! of the same value may stand outside of it: a rematerialised value is reused only where it dominates.

use super::fault::Fault;
use super::layout::{in_layout, layout_of};
use super::pass::{Context, PassResult, Stop};
use rustc_hash::{FxHashMap, FxHashSet};
use tritonsmith_ir::{Attr, AttrId, Definition, Module, OpId, OpKind, Trait, Type, ValueId};
use tritonsmith_oracle::dominance::Dominance;

/// Operations that are copied for one conversion, at most: a longer slice costs more than the conversion.
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
type Wanted = (ValueId, AttrId);

struct Rematerialisation {
    /// What was rematerialised so far, in order.
    known: FxHashMap<Wanted, Vec<ValueId>>,
    /// Made when it is needed, void after every edit.
    dominance: Option<Dominance>,
}

/// What a wanted value depends on: operands by position, with the layouts that they take.
type Needs = Vec<(usize, Wanted)>;

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

    /// A value that is there already in the layout that is wanted.
    fn present(&mut self, module: &Module, context: &Context, wanted: Wanted, at: OpId) -> Option<ValueId> {
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

    /// The operations to copy for a wanted value; none if that is not worth it or not possible.
    fn backward_slice(
        &mut self,
        module: &mut Module,
        context: &Context,
        wanted: Wanted,
        at: OpId,
    ) -> Result<Option<Vec<OpId>>, Stop> {
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
                // Each time round is taken for a new one.
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
        wanted: Wanted,
        at: OpId,
    ) -> Result<Option<ValueId>, Stop> {
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

/// The operation that computes a value, if it is cheap to do again in another layout, and what that needs.
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
            let Attr::Integer(axis, _) = module.interners.attr_data(module.attribute(op, "axis")?) else { return None };
            let axis: u64 = axis.parse().ok()?;
            vec![(0, (*operands.first()?, module.interners.slice_layout(axis, layout)))]
        }
        _ if module.has(op, Trait::SameOperandsAndResultEncoding) => {
            tensors(module).into_iter().map(|(place, value)| (place, (value, layout))).collect()
        }
        _ => return None,
    };
    Some((op, needs))
}

/// A copy of an operation before another one, with other operands and its result in another layout.
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

/// The number of a constant names the constant's type.
fn retype_constant(module: &mut Module, op: OpId) -> Option<()> {
    let ty = module.value(*module.op(op).results.first()?).ty;
    let Attr::Dense(keyword, text, _) = module.interners.attr_data(module.attribute(op, "value")?).clone() else {
        return None;
    };
    let value = module.interners.attr(Attr::Dense(keyword, text, ty));
    module.set_prop(op, "value", Some(value));
    Some(())
}

/// What a carried value of a loop is at first and what it is each time after.
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

/// Destroys the operations of a slice, users before what they use.
fn erase(module: &mut Module, members: &[OpId]) -> PassResult {
    for &op in members {
        if module.op(op).parent.is_none() {
            continue;
        }
        let uses = module.uses();
        if module.op(op).results.iter().any(|result| !uses[result.index()].is_empty()) {
            return Err(Stop::Fatal { op, message: "operation destroyed but still has uses" });
        }
        module.unlink(op);
    }
    Ok(())
}
