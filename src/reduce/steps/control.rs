//! Control flow made straight: one way of a branch, a loop's body once, blocks joined.

use super::{Candidate, dies_with, edit_each, is_linked, pair, unpair};
use crate::ir::ods::{EdgeSource, EdgeTarget};
use crate::ir::{BlockId, Module, OpId, OpKind, ValueId};
use rustc_hash::FxHashMap;
use tritonsmith_reducer::{Site, Step};

/// A conditional branch always goes one way; blocks that nothing reaches go.
#[derive(Debug)]
pub struct ForceBranch;

impl Step<Candidate> for ForceBranch {
    fn name(&self) -> &str {
        "force a branch"
    }

    fn prior(&self) -> f64 {
        0.2
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let branches = module.walk().into_iter().filter(|&op| module.kind(op) == OpKind::CfCondBr);
        branches
            .flat_map(|op| {
                // The way that is not taken is what goes: the larger its block, the better.
                let size =
                    |index: usize| module.op(op).successors.get(index).map_or(0, |&b| module.block(b).ops.len() as u32);
                [(0, size(1)), (1, size(0))].map(|(way, gain)| Site::new(pair(op.0, way), gain))
            })
            .collect()
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| {
            let (op, way) = unpair(site);
            let op = OpId(op);
            if !is_linked(module, op) {
                return false;
            }
            let (Some(&to), Some(range)) =
                (module.op(op).successors.get(way as usize), module.successor_operands(op, way as usize))
            else {
                return false;
            };
            let passed: Vec<ValueId> = module.op(op).operands[range].to_vec();
            let (Some(position), Some(block)) = (module.position(op), module.op(op).parent) else { return false };
            let branch = module.create(OpKind::CfBr, &[&passed], &[], Vec::new());
            module.op_mut(branch).successors.push(to);
            module.unlink(op);
            module.insert(branch, block, position);
            true
        })
    }
}

/// A loop or branch gives way to one of its bodies, run once, or to what goes into it.
#[derive(Debug)]
pub struct InlineRegion;

/// What stands in place of an operation with regions.
const SKIP: u32 = 2;

impl Step<Candidate> for InlineRegion {
    fn name(&self) -> &str {
        "inline or skip a region"
    }

    fn prior(&self) -> f64 {
        0.05
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let uses = module.uses();
        let mut sites = Vec::new();
        for op in module.walk() {
            let ways = ways(module, op);
            if ways.is_empty() {
                continue;
            }
            let gain = dies_with(module, op, &uses);
            for way in ways {
                let region = module.op(op).regions.get(way as usize);
                let single = region.is_some_and(|&region| module.region(region).blocks.len() == 1);
                if way == SKIP || single {
                    sites.push(Site::new(pair(op.0, way), if way == SKIP { gain } else { 1 }));
                }
            }
        }
        sites
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| {
            let (op, way) = unpair(site);
            let op = OpId(op);
            is_linked(module, op) && replace_by_region(module, op, way).is_some()
        })
    }
}

/// Ways to put something in place of an operation: nothing, where its operands reach its results, and each region that
/// control enters first and leaves for the results.
fn ways(module: &Module, op: OpId) -> Vec<u32> {
    let edges = module.def(op).map_or(&[][..], |def| &def.edges);
    let entered = |region: usize| {
        edges.iter().any(|edge| {
            matches!(edge.to, EdgeTarget::Region(to, _) if to == region) && !matches!(edge.from, EdgeSource::Region(_))
        })
    };
    let mut ways = Vec::new();
    for edge in edges.iter().filter(|edge| edge.to == EdgeTarget::Results) {
        match edge.from {
            EdgeSource::Region(region) if entered(region) => ways.push(region as u32),
            EdgeSource::Region(_) | EdgeSource::Nothing => {}
            EdgeSource::Operand(_) => ways.push(SKIP),
        }
    }
    ways
}

fn replace_by_region(module: &mut Module, op: OpId, way: u32) -> Option<()> {
    let mut map: FxHashMap<ValueId, ValueId> = FxHashMap::default();
    for flow in module.flow_edges(op) {
        let on_the_way = match (flow.edge.from, flow.edge.to) {
            (EdgeSource::Operand(_), EdgeTarget::Results) => way == SKIP,
            (EdgeSource::Operand(_), EdgeTarget::Region(region, _)) => region as u32 == way,
            (EdgeSource::Region(region), EdgeTarget::Results) => region as u32 == way,
            _ => false,
        };
        if on_the_way {
            map.extend(flow.into.iter().copied().zip(flow.values.iter().copied()));
        }
    }
    if !module.op(op).results.iter().all(|result| map.contains_key(result)) {
        return None;
    }
    if way == SKIP {
        module.unlink(op);
        module.replace_many(&map);
        return Some(());
    }
    let body = module.entry_of(op, way as usize)?;
    let terminator = module.terminator(body)?;
    let (position, block) = (module.position(op)?, module.op(op).parent?);
    module.unlink(terminator);
    module.unlink(op);
    module.splice(body, block, position);
    module.replace_many(&map);
    Some(())
}

/// A block that one plain branch leads to becomes the rest of the block that it comes from.
#[derive(Debug)]
pub struct MergeBlocks;

impl Step<Candidate> for MergeBlocks {
    fn name(&self) -> &str {
        "merge blocks"
    }

    fn prior(&self) -> f64 {
        0.9
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let branches = module.walk().into_iter().filter(|&op| mergeable(module, op).is_some());
        branches.map(|op| Site::new(u64::from(op.0), 1)).collect()
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| {
            let op = OpId(site as u32);
            if !is_linked(module, op) {
                return false;
            }
            let (Some(next), Some(block)) = (mergeable(module, op), module.op(op).parent) else { return false };
            let arguments = module.block(next).arguments.clone();
            let map = arguments.into_iter().zip(module.op(op).operands.clone()).collect();
            module.unlink(op);
            let end = module.block(block).ops.len();
            module.splice(next, block, end);
            let region = module.block(next).region;
            module.region_mut(region).blocks.retain(|other| *other != next);
            module.replace_many(&map);
            true
        })
    }
}

/// The block that a branch leads to, if nothing else does.
fn mergeable(module: &Module, op: OpId) -> Option<BlockId> {
    if module.kind(op) != OpKind::CfBr {
        return None;
    }
    let &[next] = module.op(op).successors.as_slice() else { return None };
    let region = module.region(module.block(next).region);
    if region.blocks.first() == Some(&next) || module.op(op).parent == Some(next) {
        return None;
    }
    let leads_there = |block: &BlockId| {
        let last = module.block(*block).ops.last();
        last.map_or(0, |&op| module.op(op).successors.iter().filter(|&&to| to == next).count())
    };
    (region.blocks.iter().map(leads_there).sum::<usize>() == 1).then_some(next)
}
