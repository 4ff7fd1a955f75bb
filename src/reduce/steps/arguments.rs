//! Arguments of blocks and functions: dropped where nothing needs them, merged where one serves for two.

use super::{Candidate, edit_each, pair, unpair};
use crate::ir::{AttrsId, BlockId, Module, ValueId};
use tritonsmith_reducer::{Site, Step};

/// A function's argument that nothing uses goes; one of a later block gives way to a fresh function argument.
#[derive(Debug)]
pub struct DropBlockArguments;

impl Step<Candidate> for DropBlockArguments {
    fn name(&self) -> &str {
        "drop arguments"
    }

    fn prior(&self) -> f64 {
        0.95
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let uses = module.uses();
        let mut sites = Vec::new();
        for function in module.functions() {
            if module.is_called(function) {
                continue;
            }
            let Some(&region) = module.op(function).regions.first() else { continue };
            for (place, &block) in module.region(region).blocks.iter().enumerate() {
                for &argument in &module.block(block).arguments {
                    if place > 0 || uses[argument.index()].is_empty() {
                        sites.push(Site::new(u64::from(argument.0), 1));
                    }
                }
            }
        }
        sites
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| drop_argument(module, ValueId(site as u32)).is_some())
    }
}

fn drop_argument(module: &mut Module, argument: ValueId) -> Option<()> {
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

/// Two arguments of a function that have the same type become one.
#[derive(Debug)]
pub struct MergeArguments;

impl Step<Candidate> for MergeArguments {
    fn name(&self) -> &str {
        "merge function arguments"
    }

    fn prior(&self) -> f64 {
        0.9
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let module = &candidate.module;
        let mut sites = Vec::new();
        for function in module.functions() {
            let Some(entry) = module.entry(function).filter(|_| !module.is_called(function)) else { continue };
            let arguments = &module.block(entry).arguments;
            for (place, &later) in arguments.iter().enumerate() {
                let same = |&&earlier: &&ValueId| module.value(earlier).ty == module.value(later).ty;
                for &earlier in arguments[..place].iter().filter(same).take(2) {
                    sites.push(Site::new(pair(later.0, earlier.0), 1));
                }
            }
        }
        sites
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        edit_each(candidate, sites, |module, site| {
            let (later, earlier) = unpair(site);
            let (later, earlier) = (ValueId(later), ValueId(earlier));
            let Some(block) = module.defining_block(later) else { return false };
            let function = module.block_parent(block);
            let arguments = &module.block(block).arguments;
            let Some(index) = arguments.iter().position(|&argument| argument == later) else { return false };
            if !arguments.contains(&earlier) {
                return false;
            }
            module.replace_uses(later, earlier);
            module.remove_function_argument(function, index)
        })
    }
}
