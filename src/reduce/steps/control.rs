//! Control flow made straight: one way of a branch, a loop's body once, blocks joined.

use super::{dies_with, linked, linked_op, pair};
use crate::ir::ods::{EdgeSource, EdgeTarget};
use crate::ir::{BlockId, Module, OpId, OpKind, ValueId};
use rustc_hash::FxHashMap;
use tritonsmith_reducer::Site;

/// Both ways of every conditional branch.
pub(super) fn branches(module: &Module) -> Vec<Site> {
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

/// A conditional branch always goes one way; blocks that nothing reaches go.
pub(super) fn force_branch(module: &mut Module, site: u64) -> Option<()> {
    let (op, way) = linked(module, site)?;
    let to = *module.op(op).successors.get(way as usize)?;
    let range = module.successor_operands(op, way as usize)?;
    let passed: Vec<ValueId> = module.op(op).operands[range].to_vec();
    let (position, block) = (module.position(op)?, module.op(op).parent?);
    let branch = module.create(OpKind::CfBr, &[&passed], &[], Vec::new());
    module.op_mut(branch).successors.push(to);
    module.unlink(op);
    module.insert(branch, block, position);
    Some(())
}

/// What stands in place of an operation with regions.
const SKIP: u32 = 2;

/// Loops and branches with what could stand in their place.
pub(super) fn regions(module: &Module) -> Vec<Site> {
    let uses = module.uses();
    let mut sites = Vec::new();
    for op in module.walk() {
        for way in ways(module, op) {
            let region = module.op(op).regions.get(way as usize);
            if way == SKIP {
                sites.push(Site::new(pair(op.0, way), dies_with(module, op, &uses)));
            } else if region.is_some_and(|&region| module.region(region).blocks.len() == 1) {
                sites.push(Site::new(pair(op.0, way), 1));
            }
        }
    }
    sites
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

/// A loop or branch gives way to one of its bodies, run once, or to what goes into it.
pub(super) fn inline_region(module: &mut Module, site: u64) -> Option<()> {
    let (op, way) = linked(module, site)?;
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

/// Branches that can go, by [`lone_target`].
pub(super) fn lone_branches(module: &Module) -> Vec<Site> {
    let branches = module.walk().into_iter().filter(|&op| lone_target(module, op).is_some());
    branches.map(|op| Site::new(op.0.into(), 1)).collect()
}

/// A block that one plain branch leads to becomes the rest of the block that it comes from.
pub(super) fn merge_blocks(module: &mut Module, site: u64) -> Option<()> {
    let op = linked_op(module, site)?;
    let (next, block) = (lone_target(module, op)?, module.op(op).parent?);
    let arguments = module.block(next).arguments.clone();
    let map = arguments.into_iter().zip(module.op(op).operands.clone()).collect();
    module.unlink(op);
    let end = module.block(block).ops.len();
    module.splice(next, block, end);
    let region = module.block(next).region;
    module.region_mut(region).blocks.retain(|other| *other != next);
    module.replace_many(&map);
    Some(())
}

/// The block that a branch leads to, if nothing else does.
fn lone_target(module: &Module, op: OpId) -> Option<BlockId> {
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
