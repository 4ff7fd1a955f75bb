//! Attributes and optional operands that a failure does not need.

use super::{Candidate, edit_each, is_linked, pair, unpair};
use crate::ir::ods::Arity;
use crate::ir::{AttrsId, Module, NamedAttrs, OpId};
use tritonsmith_reducer::{Site, Step};

/// Drops attributes one by one: those of operations that no form needs, of function arguments, of the module.
#[derive(Debug)]
pub struct DropAttributes;

/// Places in a site's second number from here on mean a function's arguments, 256 attributes to each.
const ARGUMENTS: u32 = 1 << 16;
/// Places from here on mean inherent attributes that may be absent.
const PROPS: u32 = 1 << 15;

impl Step<Candidate> for DropAttributes {
    fn name(&self) -> &str {
        "drop attributes"
    }

    fn prior(&self) -> f64 {
        0.98
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let mut sites = Vec::new();
        for op in module.walk() {
            let record = module.op(op);
            let list = (0u32..PROPS).zip(module.interners.attrs_data(record.attrs));
            let free = list.filter(|(_, (name, _))| !layouts_need(module.interners.name_text(*name)));
            sites.extend(free.map(|(index, _)| Site::new(pair(op.0, index), 1)));
            let droppable = droppable_props(module, op);
            sites.extend(droppable.into_iter().map(|index| Site::new(pair(op.0, PROPS + index), 1)));
            if module.attribute(op, "arg_attrs").is_some() {
                for (place, list) in (0u32..).zip(module.argument_attrs(op)) {
                    let count = module.interners.attrs_data(list).len().min(256) as u32;
                    sites.extend((0..count).map(|index| Site::new(pair(op.0, ARGUMENTS + place * 256 + index), 1)));
                }
            }
        }
        // From the last to the first, so that positions stay right within a chunk.
        sites.reverse();
        sites
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        let mut sites = sites.to_vec();
        sites.sort_by_key(|site| std::cmp::Reverse(site.id));
        edit_each(candidate, &sites, |module, site| {
            let (op, place) = unpair(site);
            let op = OpId(op);
            is_linked(module, op) && drop_attribute(module, op, place)
        })
    }
}

/// Module attributes that the layouts in the text are verified against when it is parsed.
fn layouts_need(name: &str) -> bool {
    [".num-warps", ".threads-per-warp", ".num-ctas"].iter().any(|end| name.ends_with(end))
}

/// Indices of inherent attributes that may be absent by the operation's definition.
fn droppable_props(module: &Module, op: OpId) -> Vec<u32> {
    let Some(def) = module.def(op) else { return Vec::new() };
    let optional = |name: &str| {
        let attribute = def.attributes.iter().find(|attribute| attribute.name == name);
        attribute.is_some_and(|attribute| attribute.optional || attribute.default.is_some())
            && name != "arg_attrs"
            && name != "res_attrs"
    };
    let list = module.interners.attrs_data(module.op(op).props);
    (0u32..).zip(list).filter(|(_, (name, _))| optional(module.interners.name_text(*name))).map(|(i, _)| i).collect()
}

fn without(module: &mut Module, list: AttrsId, index: usize) -> Option<AttrsId> {
    let mut entries: NamedAttrs = module.interners.attrs_data(list).clone();
    (index < entries.len()).then(|| {
        entries.remove(index);
        module.interners.attrs(entries)
    })
}

fn drop_attribute(module: &mut Module, op: OpId, place: u32) -> bool {
    if let Some(place) = place.checked_sub(ARGUMENTS) {
        let mut lists = module.argument_attrs(op);
        let (argument, index) = ((place / 256) as usize, (place % 256) as usize);
        let Some(list) = lists.get(argument).and_then(|&list| without(module, list, index)) else { return false };
        lists[argument] = list;
        module.set_argument_attrs(op, &lists);
        return true;
    }
    let record = module.op(op);
    let (list, index) = match place.checked_sub(PROPS) {
        Some(index) => (record.props, index),
        None => (record.attrs, place),
    };
    let Some(shorter) = without(module, list, index as usize) else { return false };
    let record = module.op_mut(op);
    if place >= PROPS {
        record.props = shorter;
    } else {
        record.attrs = shorter;
    }
    true
}

/// Drops a mask, an other value, or whatever else a form may leave out, from the last optional group on.
#[derive(Debug)]
pub struct DropOptionalOperands;

impl Step<Candidate> for DropOptionalOperands {
    fn name(&self) -> &str {
        "drop optional operands"
    }

    fn prior(&self) -> f64 {
        0.75
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        module
            .walk()
            .into_iter()
            .filter(|&op| last_optional(module, op).is_some())
            .map(|op| Site::new(u64::from(op.0), 1))
            .collect()
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| {
            let op = OpId(site as u32);
            if !is_linked(module, op) {
                return false;
            }
            last_optional(module, op).is_some_and(|index| module.remove_operand(op, index))
        })
    }
}

/// The operand of an operation's last optional group that has one, if nothing behind it is there.
fn last_optional(module: &Module, op: OpId) -> Option<usize> {
    let def = module.def(op)?;
    let groups = module.operand_groups(op, def)?;
    let (operand, range) = def.operands.iter().zip(groups).rev().find(|(_, range)| !range.is_empty())?;
    (operand.arity == Arity::Optional).then_some(range.start)
}
