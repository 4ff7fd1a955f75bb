//! Copying what is linked, and nothing else.

use super::module::{Definition, Module};
use super::{BlockId, OpId, RegionId, ValueId};

/// A copy of a module whose arenas hold only what is linked, in reading order.
pub(super) fn compact(module: &Module) -> Module {
    let order = module.walk();
    let mut ops = vec![None; module.op_count()];
    let mut blocks = vec![None; module.block_count()];
    let mut regions = vec![None; module.regions.len()];
    let mut values = vec![None; module.value_count()];
    let mut copied = Vec::new();
    let mut copy = Module {
        interners: module.interners.clone(),
        kinds: module.kinds.clone(),
        aliases: module.aliases.clone(),
        resources: module.resources.clone(),
        ..Module::without_root()
    };
    let mut value = |old: &mut ValueId| {
        *old = *values[old.index()].get_or_insert_with(|| {
            copied.push(module.value(*old).clone());
            ValueId::from(copied.len() - 1)
        });
    };
    // Definitions first, so that ids follow reading order; what is left is used but not defined.
    for &op in &order {
        ops[op.index()] = Some(OpId::from(copy.ops.len()));
        copy.ops.push(module.op(op).clone());
        module.op(op).results.clone().iter_mut().for_each(&mut value);
        for &region in &module.op(op).regions {
            regions[region.index()] = Some(RegionId::from(copy.regions.len()));
            copy.regions.push(module.region(region).clone());
            for &block in &module.region(region).blocks {
                blocks[block.index()] = Some(BlockId::from(copy.blocks.len()));
                copy.blocks.push(module.block(block).clone());
                module.block(block).arguments.clone().iter_mut().for_each(&mut value);
            }
        }
    }
    for op in &mut copy.ops {
        op.parent = op.parent.and_then(|block| blocks[block.index()]);
        op.operands.iter_mut().chain(&mut op.results).for_each(&mut value);
        op.regions.iter_mut().for_each(|region| *region = regions[region.index()].unwrap_or(*region));
        op.successors.iter_mut().for_each(|block| *block = blocks[block.index()].unwrap_or(*block));
    }
    for block in &mut copy.blocks {
        block.region = regions[block.region.index()].unwrap_or(block.region);
        block.ops.iter_mut().for_each(|op| *op = ops[op.index()].unwrap_or(*op));
        block.arguments.iter_mut().for_each(&mut value);
    }
    for region in &mut copy.regions {
        region.parent = ops[region.parent.index()].unwrap_or(region.parent);
        region.blocks.iter_mut().for_each(|block| *block = blocks[block.index()].unwrap_or(*block));
    }
    copy.values = copied;
    for value in &mut copy.values {
        let kept = match value.definition {
            Definition::Result(op, place) => ops[op.index()].map(|op| Definition::Result(op, place)),
            Definition::Argument(block, place) => blocks[block.index()].map(|block| Definition::Argument(block, place)),
            Definition::Missing => None,
        };
        value.definition = kept.unwrap_or(Definition::Missing);
    }
    copy.root = ops[module.root().index()].unwrap_or(OpId(0));
    copy
}
