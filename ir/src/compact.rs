//! Copying what is linked, and nothing else.

use super::module::{Definition, Module};
use super::{BlockId, OpId, RegionId, ValueId};

/// A copy of a module whose arenas hold only what is linked, in reading order.
pub(super) fn compact(module: &Module) -> Module {
    let order = module.walk();
    let mut ops = vec![None; module.op_count()];
    let mut blocks = vec![None; module.block_count()];
    let mut regions = vec![None; module.region_count()];
    let mut values = vec![None; module.value_count()];
    let mut copy =
        Module { ops: Vec::new(), blocks: Vec::new(), regions: Vec::new(), values: Vec::new(), ..clone_head(module) };
    for &op in &order {
        ops[op.index()] = Some(OpId::from(copy.ops.len()));
        copy.ops.push(module.op(op).clone());
        for &region in &module.op(op).regions {
            regions[region.index()] = Some(RegionId::from(copy.regions.len()));
            copy.regions.push(module.region(region).clone());
            for &block in &module.region(region).blocks {
                blocks[block.index()] = Some(BlockId::from(copy.blocks.len()));
                copy.blocks.push(module.block(block).clone());
            }
        }
    }
    let mut value = |copy: &mut Module, old: ValueId| {
        *values[old.index()].get_or_insert_with(|| {
            let new = ValueId::from(copy.values.len());
            copy.values.push(module.value(old).clone());
            new
        })
    };
    // Definitions first, so that ids follow reading order; what is left is used but not defined.
    for &op in &order {
        for &result in &module.op(op).results {
            value(&mut copy, result);
        }
        for &region in &module.op(op).regions {
            for &block in &module.region(region).blocks {
                for &argument in &module.block(block).arguments {
                    value(&mut copy, argument);
                }
            }
        }
    }
    for index in 0..copy.ops.len() {
        let mut record = copy.ops[index].clone();
        record.parent = record.parent.and_then(|block| blocks[block.index()]);
        record.operands.iter_mut().for_each(|operand| *operand = value(&mut copy, *operand));
        record.results.iter_mut().for_each(|result| *result = value(&mut copy, *result));
        record.regions.iter_mut().for_each(|region| *region = regions[region.index()].unwrap_or(*region));
        record.successors.iter_mut().for_each(|block| *block = blocks[block.index()].unwrap_or(*block));
        copy.ops[index] = record;
    }
    for index in 0..copy.blocks.len() {
        let mut record = copy.blocks[index].clone();
        record.region = regions[record.region.index()].unwrap_or(record.region);
        record.ops.iter_mut().for_each(|op| *op = ops[op.index()].unwrap_or(*op));
        record.arguments.iter_mut().for_each(|argument| *argument = value(&mut copy, *argument));
        copy.blocks[index] = record;
    }
    for region in &mut copy.regions {
        region.parent = ops[region.parent.index()].unwrap_or(region.parent);
        region.blocks.iter_mut().for_each(|block| *block = blocks[block.index()].unwrap_or(*block));
    }
    for index in 0..copy.values.len() {
        copy.values[index].definition = match copy.values[index].definition {
            Definition::Result(op, place) => match ops[op.index()] {
                Some(op) => Definition::Result(op, place),
                None => Definition::Missing,
            },
            Definition::Argument(block, place) => match blocks[block.index()] {
                Some(block) => Definition::Argument(block, place),
                None => Definition::Missing,
            },
            Definition::Missing => Definition::Missing,
        };
    }
    copy.root = ops[module.root().index()].unwrap_or(OpId(0));
    copy
}

/// Everything but the arenas.
fn clone_head(module: &Module) -> Module {
    let mut head = Module::without_root();
    head.interners = module.interners.clone();
    head.kinds = module.kinds.clone();
    head.aliases = module.aliases.clone();
    head.resources = module.resources.clone();
    head
}
