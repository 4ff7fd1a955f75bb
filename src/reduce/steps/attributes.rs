//! Attributes and optional operands that a failure does not need.

use super::{linked, linked_op, pair};
use crate::ir::ods::Arity;
use crate::ir::{AttrsId, Module, NamedAttrs, OpId};
use tritonsmith_reducer::Site;

/// Places in a site's second number from here on mean a function's arguments, 256 attributes to each.
const ARGUMENTS: u32 = 1 << 16;
/// Places from here on mean inherent attributes that may be absent.
const PROPS: u32 = 1 << 15;

/// Attributes one by one: those of operations that no form needs, of function arguments, of the module.
pub(super) fn sites(module: &Module) -> Vec<Site> {
    let mut sites = Vec::new();
    for op in module.walk() {
        let record = module.op(op);
        let mut add = |place: u32| sites.push(Site::new(pair(op.0, place), 1));
        let list = (0..PROPS).zip(module.interners.attrs_data(record.attrs));
        let free = list.filter(|(_, (name, _))| !is_needed(module.interners.name_text(*name)));
        free.for_each(|(index, _)| add(index));
        let props = (PROPS..).zip(module.interners.attrs_data(record.props));
        let droppable = props.filter(|(_, (name, _))| may_be_absent(module, op, module.interners.name_text(*name)));
        droppable.for_each(|(index, _)| add(index));
        if module.attribute(op, "arg_attrs").is_some() {
            for (place, list) in (0..).zip(module.argument_attrs(op)) {
                let count = module.interners.attrs_data(list).len().min(256) as u32;
                (0..count).for_each(|index| add(ARGUMENTS + place * 256 + index));
            }
        }
    }
    sites
}

/// Module attributes that the layouts in the text are verified against when it is parsed, and the target, on which some
/// passes of some versions insist: without it a module fails there in another way.
fn is_needed(name: &str) -> bool {
    [".num-warps", ".threads-per-warp", ".num-ctas", "ttg.target", "triton_gpu.target"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// Whether an inherent attribute may be absent by the operation's definition.
fn may_be_absent(module: &Module, op: OpId, name: &str) -> bool {
    let attribute = module.def(op).and_then(|def| def.attributes.iter().find(|attribute| attribute.name == name));
    attribute.is_some_and(|attribute| attribute.optional || attribute.default.is_some())
        && !["arg_attrs", "res_attrs"].contains(&name)
}

fn without(module: &mut Module, list: AttrsId, index: u32) -> Option<AttrsId> {
    let mut entries: NamedAttrs = module.interners.attrs_data(list).clone();
    let index = Some(index as usize).filter(|&index| index < entries.len())?;
    entries.remove(index);
    Some(module.interners.attrs(entries))
}

/// Drops one attribute.
pub(super) fn drop_attribute(module: &mut Module, site: u64) -> Option<()> {
    let (op, place) = linked(module, site)?;
    if let Some(place) = place.checked_sub(ARGUMENTS) {
        let mut lists = module.argument_attrs(op);
        let argument = (place / 256) as usize;
        lists[argument] = without(module, *lists.get(argument)?, place % 256)?;
        module.set_argument_attrs(op, &lists);
    } else if let Some(index) = place.checked_sub(PROPS) {
        module.op_mut(op).props = without(module, module.op(op).props, index)?;
    } else {
        module.op_mut(op).attrs = without(module, module.op(op).attrs, place)?;
    }
    Some(())
}

/// Operations with a mask, an other value, or whatever else a form may leave out.
pub(super) fn optional_operands(module: &Module) -> Vec<Site> {
    let ops = module.walk().into_iter().filter(|&op| last_optional(module, op).is_some());
    ops.map(|op| Site::new(op.0.into(), 1)).collect()
}

/// Drops the last of those.
pub(super) fn drop_operand(module: &mut Module, site: u64) -> Option<()> {
    let op = linked_op(module, site)?;
    let index = last_optional(module, op)?;
    module.remove_operand(op, index).then_some(())
}

/// The operand of an operation's last optional group that has one, if nothing behind it is there.
fn last_optional(module: &Module, op: OpId) -> Option<usize> {
    let def = module.def(op)?;
    let groups = module.operand_groups(op, def)?;
    let (operand, range) = def.operands.iter().zip(groups).rev().find(|(_, range)| !range.is_empty())?;
    (operand.arity == Arity::Optional).then_some(range.start)
}
