//! Layouts merged: one put in place of another throughout, so that conversions between the two go.

use super::flow::{one_to_one, remove_no_ops, values};
use super::{layouts_of, pair, unpair};
use crate::ir::{AttrId, LayoutKind, Module, OpId, OpKind, Substitution, Type};
use tritonsmith_reducer::Site;

/// Operations whose result's layout follows from the operand's by a rule that another layout may break.
const BOUND: [OpKind; 6] =
    [OpKind::TtJoin, OpKind::TtSplit, OpKind::TtReshape, OpKind::TtTrans, OpKind::TtCat, OpKind::TtGather];

/// Whether there is one of those.
pub(super) fn is_bound(module: &Module) -> bool {
    module.walk().iter().any(|&op| BOUND.contains(&module.kind(op)))
}

/// Pairs of blocked layouts of the same rank. Which of the two stays is part of the site.
pub(super) fn mergeable(module: &Module) -> Vec<Site> {
    let layouts = if is_bound(module) { Vec::new() } else { blocked_layouts(module) };
    let mut sites = Vec::new();
    for &(from, rank) in &layouts {
        for &(to, _) in layouts.iter().filter(|&&(to, other_rank)| from != to && rank == other_rank) {
            sites.push(Site::new(pair(from.0, to.0), 1 + conversions(module, from, to)));
        }
    }
    sites
}

/// Two such layouts become one.
pub(super) fn merge(module: &mut Module, site: u64) -> Option<()> {
    let (from, to) = unpair(site);
    let (from, to) = (AttrId(from), AttrId(to));
    let there = blocked_layouts(module);
    if ![from, to].iter().all(|layout| there.iter().any(|(other, _)| other == layout)) {
        return None;
    }
    Substitution::new().attr(from, to).apply(module);
    remove_no_ops(module, |kind| kind == OpKind::TtgConvertLayout);
    Some(())
}

/// The layouts of that kind that tensors have, sliced or not, with their ranks; in order of first use.
fn blocked_layouts(module: &Module) -> Vec<(AttrId, usize)> {
    let mut found: Vec<(AttrId, usize)> = Vec::new();
    let interners = &module.interners;
    for value in values(module).into_iter().filter(|&value| matches!(module.type_of(value), Type::Tensor { .. })) {
        let mut layouts = layouts_of(interners, module.value(value).ty);
        if let Some(layout) = layouts.find(|&layout| interners.layout_kind(layout) == LayoutKind::Blocked)
            && !found.iter().any(|(known, _)| *known == layout)
        {
            found.push((layout, interners.layout_numbers(layout, "order").map_or(0, |order| order.len())));
        }
    }
    found
}

/// How many conversions would do nothing.
fn conversions(module: &Module, from: AttrId, to: AttrId) -> u32 {
    let between = |&op: &OpId| {
        let Some((operand, result)) = one_to_one(module, op) else { return false };
        let pair = [operand, result].map(|value| module.interners.encoding(module.value(value).ty));
        module.kind(op) == OpKind::TtgConvertLayout
            && (pair == [Some(from), Some(to)] || pair == [Some(to), Some(from)])
    };
    module.walk().iter().filter(|op| between(op)).count() as u32
}
