//! Arguments of blocks and functions: dropped where nothing needs them, merged where one serves for two.

use super::{blocks_of, free_functions, pair, unpair};
use crate::ir::{AttrsId, BlockId, Module, ValueId};
use tritonsmith_reducer::Site;

/// Arguments of functions that nothing uses, and all of later blocks.
pub(super) fn droppable(module: &Module) -> Vec<Site> {
    let uses = module.uses();
    let mut sites = Vec::new();
    for function in free_functions(module) {
        for (place, block) in blocks_of(module, function).enumerate() {
            let arguments = module.block(block).arguments.iter();
            let free = arguments.filter(|argument| place > 0 || uses[argument.index()].is_empty());
            sites.extend(free.map(|argument| Site::new(argument.0.into(), 1)));
        }
    }
    sites
}

/// A function's argument goes; one of a later block gives way to a fresh function argument.
pub(super) fn drop_argument(module: &mut Module, site: u64) -> Option<()> {
    let argument = ValueId(site as u32);
    let block = module.defining_block(argument)?;
    let function = module.block_parent(block);
    let index = module.block(block).arguments.iter().position(|&other| other == argument)?;
    if module.entry(function) == Some(block) {
        return module.remove_function_argument(function, index).then_some(());
    }
    let ty = module.value(argument).ty;
    let stand_in = module.add_function_argument(function, ty, AttrsId::EMPTY)?;
    module.replace_uses(argument, stand_in);
    remove_passed(module, block, index)?;
    module.remove_block_argument(block, index);
    Some(())
}

/// Removes the operand that every branch to a block passes for its argument of that index.
fn remove_passed(module: &mut Module, block: BlockId, index: usize) -> Option<()> {
    for from in module.region(module.block(block).region).blocks.clone() {
        let Some(&branch) = module.block(from).ops.last() else { continue };
        for successor in 0..module.op(branch).successors.len() {
            if module.op(branch).successors[successor] == block {
                let range = module.successor_operands(branch, successor)?;
                module.remove_operand(branch, range.start + index);
            }
        }
    }
    Some(())
}

/// Pairs of arguments of a function that have the same type, the later one first.
pub(super) fn alike(module: &Module) -> Vec<Site> {
    let mut sites = Vec::new();
    for entry in free_functions(module).filter_map(|function| module.entry(function)) {
        let arguments = &module.block(entry).arguments;
        for (place, &later) in arguments.iter().enumerate() {
            let same = |earlier: &&ValueId| module.value(**earlier).ty == module.value(later).ty;
            let earlier = arguments[..place].iter().filter(same).take(2);
            sites.extend(earlier.map(|earlier| Site::new(pair(later.0, earlier.0), 1)));
        }
    }
    sites
}

/// Two such arguments become one.
pub(super) fn merge(module: &mut Module, site: u64) -> Option<()> {
    let (later, earlier) = unpair(site);
    let (later, earlier) = (ValueId(later), ValueId(earlier));
    let block = module.defining_block(later)?;
    let arguments = &module.block(block).arguments;
    let index = arguments.iter().position(|&argument| argument == later)?;
    if !arguments.contains(&earlier) {
        return None;
    }
    module.replace_uses(later, earlier);
    module.remove_function_argument(module.block_parent(block), index).then_some(())
}
