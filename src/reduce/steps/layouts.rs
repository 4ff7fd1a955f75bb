//! Layouts merged: one put in place of another throughout, so that conversions between the two go.

use super::{Candidate, edit_each, pair, substitute, unpair};
use crate::ir::{AttrId, LayoutKind, Module, OpKind, Substitution, Type};
use tritonsmith_reducer::{Site, Step};

/// Two blocked layouts of the same rank become one. Which of the two stays is part of the site.
#[derive(Debug)]
pub struct MergeLayouts;

/// Operations whose result's layout follows from the operand's by a rule that another layout may break.
pub(super) const BOUND: [OpKind; 6] =
    [OpKind::TtJoin, OpKind::TtSplit, OpKind::TtReshape, OpKind::TtTrans, OpKind::TtCat, OpKind::TtGather];

impl Step<Candidate> for MergeLayouts {
    fn name(&self) -> &str {
        "merge layouts"
    }

    fn prior(&self) -> f64 {
        0.9
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        if module.walk().iter().any(|&op| BOUND.contains(&module.kind(op))) {
            return Vec::new();
        }
        let layouts = blocked_layouts(module);
        let mut sites = Vec::new();
        for &(from, rank) in &layouts {
            for &(to, other_rank) in &layouts {
                if from != to && rank == other_rank {
                    sites.push(Site::new(pair(from.0, to.0), 1 + conversions(module, from, to)));
                }
            }
        }
        sites
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| {
            let (from, to) = unpair(site);
            let (from, to) = (AttrId(from), AttrId(to));
            let there = blocked_layouts(module);
            if ![from, to].iter().all(|layout| there.iter().any(|(other, _)| other == layout)) {
                return false;
            }
            Substitution::new().attr(from, to).apply(module);
            remove_idle_conversions(module);
            true
        })
    }

    fn chunkable(&self) -> bool {
        false
    }
}

/// The layouts of that kind that tensors have, sliced or not, with their ranks; in order of first use.
fn blocked_layouts(module: &Module) -> Vec<(AttrId, usize)> {
    let mut found: Vec<(AttrId, usize)> = Vec::new();
    let interners = &module.interners;
    let mut look = |layout: AttrId| {
        let mut layouts = std::iter::successors(Some(layout), |&layout| interners.parent_layout(layout));
        if let Some(layout) = layouts.find(|&layout| interners.layout_kind(layout) == LayoutKind::Blocked)
            && !found.iter().any(|(known, _)| *known == layout)
        {
            found.push((layout, interners.layout_numbers(layout, "order").map_or(0, |order| order.len())));
        }
    };
    for op in module.walk() {
        let record = module.op(op);
        let inner = record.regions.iter().flat_map(|&region| &module.region(region).blocks);
        let arguments = inner.flat_map(|&block| &module.block(block).arguments);
        for &value in record.results.iter().chain(arguments) {
            if let Type::Tensor { encoding: Some(encoding), .. } = module.type_of(value) {
                look(*encoding);
            }
        }
    }
    found
}

/// How many conversions would become idle.
fn conversions(module: &Module, from: AttrId, to: AttrId) -> u32 {
    let between = |&op: &crate::ir::OpId| {
        let record = module.op(op);
        let (&[operand], &[result]) = (record.operands.as_slice(), record.results.as_slice()) else { return false };
        let pair = [module.value(operand).ty, module.value(result).ty].map(|ty| module.interners.encoding(ty));
        module.kind(op) == OpKind::TtgConvertLayout
            && (pair == [Some(from), Some(to)] || pair == [Some(to), Some(from)])
    };
    module.walk().iter().filter(|op| between(op)).count() as u32
}

/// Takes out conversions from a type to the same type.
fn remove_idle_conversions(module: &mut Module) {
    for op in module.walk() {
        let record = module.op(op);
        let (&[operand], &[result]) = (record.operands.as_slice(), record.results.as_slice()) else { continue };
        if module.kind(op) == OpKind::TtgConvertLayout && module.value(operand).ty == module.value(result).ty {
            substitute(module, op, &[operand]);
        }
    }
}
