//! The steps, one small type a transformation, from large to small.
//!
//! A step edits a copy of the module and leaves tidying to `finish`: what an edit makes dead goes with it, but what
//! was dead before stays, because a failure may depend on it. Operations keep their ids while others go, so sites are
//! ids. Only edits that keep every use dominated and every type right are offered; the candidate's oracle checks
//! it once more before a compiler is asked.

mod arguments;
mod attributes;
mod carried;
mod classes;
mod control;
mod dimensions;
mod drop;
mod element_types;
mod elements;
mod flow;
mod layouts;
mod ranks;
mod replace;
mod returns;
mod shapes;
mod warps;

use super::Candidate;
use crate::ir::{Module, OpId, OpKind, Trait, ValueId};
use smallvec::SmallVec;
use tritonsmith_reducer::{Site, Step};

pub use arguments::{DropBlockArguments, MergeArguments};
pub use attributes::{DropAttributes, DropOptionalOperands};
pub use carried::DropCarried;
pub use control::{ForceBranch, InlineRegion, MergeBlocks};
pub use drop::{DropFunctions, DropUnused};
pub use elements::NarrowElements;
pub use layouts::MergeLayouts;
pub use ranks::DropRank;
pub use replace::{ByArgument, ByConstant, ByDominating, ByOperand};
pub use returns::{DropReturned, ReturnOperands};
pub use shapes::ShrinkShapes;
pub(super) use warps::machine;
pub use warps::{LowerWarps, SimplifyLayouts};

/// All steps in the order in which the engine takes them. The prior of each is how often its edits were accepted in
/// reductions of the corpus, roughly.
pub fn all() -> Vec<Box<dyn Step<Candidate>>> {
    vec![
        Box::new(DropFunctions),
        Box::new(ForceBranch),
        Box::new(DropUnused { alone: false }),
        Box::new(MergeLayouts),
        Box::new(ByArgument),
        Box::new(InlineRegion),
        Box::new(ByOperand),
        Box::new(ByDominating),
        Box::new(DropUnused { alone: true }),
        Box::new(ReturnOperands),
        Box::new(DropReturned),
        Box::new(DropCarried),
        Box::new(MergeBlocks),
        Box::new(DropBlockArguments),
        Box::new(ByConstant),
        Box::new(DropOptionalOperands),
        Box::new(MergeArguments),
        Box::new(DropAttributes),
        Box::new(ShrinkShapes),
        Box::new(DropRank),
        Box::new(NarrowElements),
        Box::new(LowerWarps),
        Box::new(SimplifyLayouts),
    ]
}

/// A copy of a candidate's module with the edits of a chunk applied in turn. None if not one of them applied.
fn edit_each(
    candidate: &Candidate,
    sites: &[Site],
    mut edit: impl FnMut(&mut Module, u64) -> bool,
) -> Option<Candidate> {
    let mut module = candidate.module.clone();
    let dead_before = dead(&module);
    let mut changed = false;
    for site in sites {
        changed |= edit(&mut module, site.id);
    }
    changed.then(|| finish(module, &dead_before))
}

/// Removes what an edit made dead.
fn finish(mut module: Module, dead_before: &[bool]) -> Candidate {
    module.remove_unreachable_blocks();
    let now = dead(&module);
    let gone = |op: OpId| now[op.index()] && !dead_before.get(op.index()).copied().unwrap_or(false);
    let order = module.walk();
    let mut uses = vec![0u32; module.value_count()];
    order.iter().flat_map(|&op| &module.op(op).operands).for_each(|value| uses[value.index()] += 1);
    let inside_another = |op: OpId| module.parent_op(op).is_some_and(gone);
    let going: Vec<OpId> = order.into_iter().filter(|&op| gone(op) && !inside_another(op)).collect();
    for op in going.into_iter().rev() {
        // What was dead before stays, and what it uses with it.
        if module.op(op).results.iter().all(|result| uses[result.index()] == 0) {
            for inner in module.walk_from(op) {
                module.op(inner).operands.iter().for_each(|value| uses[value.index()] -= 1);
            }
            module.unlink(op);
        }
    }
    Candidate::new(module)
}

/// Which operations nothing depends on: removable ones whose results only such operations use.
fn dead(module: &Module) -> Vec<bool> {
    let mut live_uses = vec![0u32; module.value_count()];
    let order = module.walk();
    for &op in &order {
        for value in &module.op(op).operands {
            live_uses[value.index()] += 1;
        }
    }
    let mut dead = vec![false; module.op_count()];
    for &op in order.iter().rev() {
        if module.is_removable(op) && module.op(op).results.iter().all(|result| live_uses[result.index()] == 0) {
            for inner in module.walk_from(op) {
                if !std::mem::replace(&mut dead[inner.index()], true) {
                    for value in &module.op(inner).operands {
                        live_uses[value.index()] -= 1;
                    }
                }
            }
        }
    }
    dead
}

/// How many operations would go if `op` did: what is inside, and what only it uses.
fn dies_with(module: &Module, op: OpId, uses: &[SmallVec<[crate::ir::Use; 2]>]) -> u32 {
    let mut gone: SmallVec<[OpId; 16]> = module.walk_from(op).into();
    let mut next = 0;
    while next < gone.len() && gone.len() < 4096 {
        let op = gone[next];
        next += 1;
        for &value in &module.op(op).operands {
            let Some(definition) = module.defining_op(value) else { continue };
            let only_here = module
                .op(definition)
                .results
                .iter()
                .all(|result| uses[result.index()].iter().all(|place| gone.contains(&place.op)));
            if only_here && module.is_removable(definition) && !gone.contains(&definition) {
                gone.extend(module.walk_from(definition));
            }
        }
    }
    gone.len() as u32
}

/// Whether an operation still hangs in the tree.
fn is_linked(module: &Module, mut op: OpId) -> bool {
    loop {
        if op == module.root() {
            return true;
        }
        let Some(block) = module.op(op).parent else { return false };
        let region = module.block(block).region;
        if !module.block(block).ops.contains(&op) || !module.region(region).blocks.contains(&block) {
            return false;
        }
        op = module.region(region).parent;
    }
}

/// Operations that may be replaced or dropped: everything in functions but terminators.
fn body(module: &Module) -> Vec<OpId> {
    let mut ops = Vec::new();
    for function in module.functions() {
        ops.extend(module.walk_from(function).into_iter().skip(1).filter(|&op| !module.is_terminator(op)));
    }
    ops
}

/// Whether an operation stands in the region of a reduction or scan, which must compute from its own arguments.
fn in_combiner(module: &Module, op: OpId) -> bool {
    let mut at = op;
    while let Some(parent) = module.parent_op(at) {
        let name = module.kind(parent);
        if matches!(name, OpKind::TtReduce | OpKind::TtScan | OpKind::TtMapElementwise | OpKind::TtElementwiseInlineAsm)
        {
            return true;
        }
        if module.has(parent, Trait::IsolatedFromAbove) {
            return false;
        }
        at = parent;
    }
    false
}

/// Replaces an operation's results, all of them, and takes it out.
fn substitute(module: &mut Module, op: OpId, by: &[ValueId]) {
    let map = module.op(op).results.iter().copied().zip(by.iter().copied()).collect();
    module.unlink(op);
    module.replace_many(&map);
}

/// Two small numbers in one site.
fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// The two numbers of a site made by [`pair`].
fn unpair(site: u64) -> (u32, u32) {
    ((site >> 32) as u32, site as u32)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ir::{PrintOptions, parse, print};

    /// The text of a module after a step was applied at all of its sites at once.
    pub fn all_at_once(step: &dyn Step<Candidate>, text: &str) -> String {
        let before = Candidate::new(parse(text).expect("a module"));
        assert_eq!(before.text(), text, "the module is written as it is printed");
        let sites = step.sites(&before);
        let after = step.apply(&before, &sites).expect("it applies");
        assert!(crate::oracle::judge(&after.module).is_valid(), "{}", after.text());
        print(&after.module, &PrintOptions::default())
    }
}
