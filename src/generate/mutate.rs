//! Random mutation: small changes to a module that keep it parsable and its types right, so that dominance alone decides
//! whether it is still valid.
//!
//! Operations are moved, operands are rewired to values of the same type, branches are redirected, blocks are split, cut off
//! and reordered, and runs of operations are wrapped in regions. The oracle is not consulted: only the position in the tree
//! decides where a change goes. All randomness comes from the `rng` argument.

use super::graft::Graft;
use crate::ir::{BlockId, Definition, Module, OpId, OpKind, Trait, TypeId, Use, ValueId};
use rand::{Rng, RngExt};
use rustc_hash::FxHashMap;
use strum::VariantArray;

/// One kind of change. "Earlier", "around" and the like say where the new position or value is, seen from the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, VariantArray)]
pub enum MutationKind {
    /// An operation moved up in its block.
    OperationEarlier,
    /// An operation moved down in its block.
    OperationLater,
    /// An operation moved out of a region, before or after the operation that has the region.
    OperationOut,
    /// An operation moved into a region of an operation of the same block.
    OperationIn,
    /// An operation moved to a block that its own branches to, or that branches to its own.
    OperationAcrossBranch,
    /// An operation moved to another block anywhere in the function.
    OperationElsewhere,
    /// An operation moved to another function.
    OperationToFunction,
    /// An operand rewired to any value of the module.
    OperandAnywhere,
    /// An operand rewired to a result of the operation itself.
    OperandItself,
    /// An operand rewired to a value defined earlier in the same block.
    OperandEarlier,
    /// An operand rewired to a value defined later in the same block.
    OperandLater,
    /// An operand rewired to a value of another block of the same region.
    OperandOtherBlock,
    /// An operand rewired to a value of a region around it.
    OperandAround,
    /// An operand rewired to a result of an operation around it.
    OperandOwnRegion,
    /// An operand rewired to a value of a region inside the same region.
    OperandChild,
    /// An operand rewired to a value of a region of which neither is inside the other.
    OperandSibling,
    /// An operand rewired to a value of another function.
    OperandOtherFunction,
    /// A block split in two, with a branch between them.
    BlockSplit,
    /// A branch made conditional, with another block of the region as its second target.
    BranchAdded,
    /// A branch redirected to another block of the region.
    BranchRedirected,
    /// The targets of two branches exchanged.
    BranchesSwapped,
    /// A block split in two with a return between them, and an operand after it rewired.
    BlockCutOff,
    /// Two blocks exchanged in the order of the text.
    BlocksReordered,
    /// Neighbouring operations put into a region.
    RegionWrapped,
    /// A function copied under another name.
    FunctionCopied,
}

impl MutationKind {
    /// Kinds that leave a valid module valid and give the others more places.
    pub const SHAPES: [MutationKind; 3] =
        [MutationKind::BlockSplit, MutationKind::BlocksReordered, MutationKind::FunctionCopied];
}

/// Mutates a copy of the module in a random way. `None` if none of the kinds drawn finds a place.
pub fn mutate(module: &Module, rng: &mut impl Rng) -> Option<(Module, MutationKind)> {
    (0..16).find_map(|_| {
        let kind = MutationKind::VARIANTS[rng.random_range(0..MutationKind::VARIANTS.len())];
        mutate_as(module, kind, rng).map(|mutated| (mutated, kind))
    })
}

/// Mutates a copy of the module in the given way, at a random place. `None` if there is none.
pub fn mutate_as(module: &Module, kind: MutationKind, rng: &mut impl Rng) -> Option<Module> {
    let mut mutator = Mutator::new(module.clone(), rng)?;
    mutator.apply(kind)?;
    Some(mutator.graft.module)
}

/// Where a value is defined, seen from an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Itself,
    Earlier,
    Later,
    OtherBlock,
    Around,
    OwnRegion,
    Child,
    Sibling,
    OtherFunction,
}

fn relation(module: &Module, value: ValueId, op: OpId) -> Option<Relation> {
    let used_in = module.op(op).parent?;
    let defined_in = module.defining_block(value)?;
    let region = |block: BlockId| module.block(block).region;
    if defined_in == used_in {
        let Definition::Result(definition, _) = module.value(value).definition else { return Some(Relation::Earlier) };
        let first = module.block(used_in).ops.iter().find(|&&other| other == op || other == definition)?;
        return Some(match (definition == op, *first == definition) {
            (true, _) => Relation::Itself,
            (_, true) => Relation::Earlier,
            (_, false) => Relation::Later,
        });
    }
    if region(defined_in) == region(used_in) {
        return Some(Relation::OtherBlock);
    }
    let outward = |block| std::iter::successors(Some(block), |&b| module.op(module.block_parent(b)).parent);
    if outward(used_in).any(|block| Some(module.block_parent(block)) == module.defining_op(value)) {
        return Some(Relation::OwnRegion);
    }
    if outward(used_in).any(|block| region(block) == region(defined_in)) {
        return Some(Relation::Around);
    }
    if outward(defined_in).any(|block| region(block) == region(used_in)) {
        return Some(Relation::Child);
    }
    Some(if function_of(module, used_in) == function_of(module, defined_in) {
        Relation::Sibling
    } else {
        Relation::OtherFunction
    })
}

fn module_function(module: &Module, op: OpId) -> Option<OpId> {
    module.op(op).parent.map(|block| function_of(module, block))
}

fn function_of(module: &Module, block: BlockId) -> OpId {
    let mut op = module.block_parent(block);
    while let Some(parent) = module.parent_op(op)
        && !module.has(op, Trait::IsolatedFromAbove)
    {
        op = parent;
    }
    op
}

struct Mutator<'a, R> {
    graft: Graft,
    rng: &'a mut R,
    /// Operations inside functions that may be moved: no terminators.
    movable: Vec<OpId>,
    blocks: Vec<BlockId>,
    uses: Vec<Use>,
    values: FxHashMap<TypeId, Vec<ValueId>>,
}

impl<'a, R: Rng> Mutator<'a, R> {
    fn new(module: Module, rng: &'a mut R) -> Option<Self> {
        let mut mutator = Mutator {
            movable: Vec::new(),
            blocks: Vec::new(),
            uses: Vec::new(),
            values: FxHashMap::default(),
            graft: Graft { module },
            rng,
        };
        let module = &mutator.graft.module;
        for function in module.functions() {
            for op in module.walk_from(function) {
                for &region in &module.op(op).regions {
                    mutator.blocks.extend(&module.region(region).blocks);
                }
                if op == function {
                    continue;
                }
                let operands = 0..module.op(op).operands.len() as u32;
                mutator.uses.extend(operands.map(|operand| Use { op, operand }));
                if module.op(op).parent.is_some_and(|block| module.block(block).ops.last() != Some(&op)) {
                    mutator.movable.push(op);
                }
            }
        }
        for &block in &mutator.blocks {
            let results = module.block(block).ops.iter().flat_map(|&op| &module.op(op).results);
            for &value in module.block(block).arguments.iter().chain(results) {
                mutator.values.entry(module.value(value).ty).or_default().push(value);
            }
        }
        mutator.values.remove(&TypeId::UNKNOWN);
        (!mutator.movable.is_empty()).then_some(mutator)
    }

    fn apply(&mut self, kind: MutationKind) -> Option<()> {
        match kind {
            MutationKind::OperationEarlier => self.move_within(true),
            MutationKind::OperationLater => self.move_within(false),
            MutationKind::OperationOut => self.move_out(),
            MutationKind::OperationIn => self.move_in(),
            MutationKind::OperationAcrossBranch => self.move_to(|module, op, block| {
                let from = module.op(op).parent;
                let leads = |a, b| module.terminator(a).is_some_and(|last| module.op(last).successors.contains(&b));
                from.is_some_and(|from| from != block && (leads(from, block) || leads(block, from)))
            }),
            MutationKind::OperationElsewhere => self.move_to(|module, op, block| {
                let from = module.op(op).parent;
                from.is_some_and(|from| from != block && function_of(module, from) == function_of(module, block))
            }),
            MutationKind::OperationToFunction => self.move_to(|module, op, block| {
                let from = module.op(op).parent;
                from.is_some_and(|from| function_of(module, from) != function_of(module, block))
            }),
            MutationKind::OperandAnywhere => self.rewire(|_| true),
            MutationKind::OperandItself => self.rewire(|relation| relation == Relation::Itself),
            MutationKind::OperandEarlier => self.rewire(|relation| relation == Relation::Earlier),
            MutationKind::OperandLater => self.rewire(|relation| relation == Relation::Later),
            MutationKind::OperandOtherBlock => self.rewire(|relation| relation == Relation::OtherBlock),
            MutationKind::OperandAround => self.rewire(|relation| relation == Relation::Around),
            MutationKind::OperandOwnRegion => self.rewire(|relation| relation == Relation::OwnRegion),
            MutationKind::OperandChild => self.rewire(|relation| relation == Relation::Child),
            MutationKind::OperandSibling => self.rewire(|relation| relation == Relation::Sibling),
            MutationKind::OperandOtherFunction => self.rewire(|relation| relation == Relation::OtherFunction),
            MutationKind::BlockSplit => {
                let (block, rest) = self.split()?;
                self.graft.branch(block, rest);
                Some(())
            }
            MutationKind::BranchAdded => self.add_branch(),
            MutationKind::BranchRedirected => self.redirect(),
            MutationKind::BranchesSwapped => self.swap_branches(),
            MutationKind::BlockCutOff => self.cut_off(),
            MutationKind::BlocksReordered => self.reorder(),
            MutationKind::RegionWrapped => self.wrap(),
            MutationKind::FunctionCopied => {
                let functions = self.graft.module.functions();
                let function = self.pick(&functions)?;
                self.graft.copy_function(function)
            }
        }
    }

    fn pick<T: Copy>(&mut self, among: &[T]) -> Option<T> {
        (!among.is_empty()).then(|| among[self.rng.random_range(0..among.len())])
    }

    fn pick_movable(&mut self) -> Option<OpId> {
        let index = self.rng.random_range(0..self.movable.len());
        Some(self.movable[index])
    }

    /// A random position before the block's last operation.
    fn place_in(&mut self, block: BlockId) -> usize {
        let ops = self.graft.module.block(block).ops.len();
        self.rng.random_range(0..ops.max(1))
    }

    fn move_within(&mut self, up: bool) -> Option<()> {
        for _ in 0..32 {
            let op = self.pick_movable()?;
            let block = self.graft.module.op(op).parent?;
            let ops = &self.graft.module.block(block).ops;
            let (at, count) = (ops.iter().position(|&other| other == op)?, ops.len());
            let to = if up { 0..at } else { at + 1..count - 1 };
            if !to.is_empty() {
                let to = self.rng.random_range(to);
                self.graft.relocate(op, block, to);
                return Some(());
            }
        }
        None
    }

    fn move_out(&mut self) -> Option<()> {
        for _ in 0..64 {
            let op = self.pick_movable()?;
            let around = self.graft.module.parent_op(op)?;
            if !self.movable.contains(&around) {
                continue;
            }
            let block = self.graft.module.op(around).parent?;
            let at = self.graft.module.block(block).ops.iter().position(|&other| other == around)?;
            let to = at + usize::from(self.rng.random_bool(0.5));
            self.graft.relocate(op, block, to);
            return Some(());
        }
        None
    }

    fn move_in(&mut self) -> Option<()> {
        self.move_to(|module, op, block| {
            let around = module.block_parent(block);
            around != op && module.op(around).parent == module.op(op).parent
        })
    }

    fn move_to(&mut self, fits: impl Fn(&Module, OpId, BlockId) -> bool) -> Option<()> {
        for _ in 0..128 {
            let op = self.pick_movable()?;
            let block = self.blocks[self.rng.random_range(0..self.blocks.len())];
            let module = &self.graft.module;
            let mut outward = std::iter::successors(Some(block), |&b| module.op(module.block_parent(b)).parent);
            if fits(module, op, block) && !outward.any(|block| module.block_parent(block) == op) {
                let to = self.place_in(block);
                let from = module_function(&self.graft.module, op);
                self.graft.relocate(op, block, to);
                if module_function(&self.graft.module, op) != from {
                    let moved = self.graft.module.op(op);
                    for value in moved.operands.iter().chain(&moved.results).copied().collect::<Vec<_>>() {
                        self.graft.make_distinct(value);
                    }
                }
                return Some(());
            }
        }
        None
    }

    fn rewire(&mut self, fits: impl Fn(Relation) -> bool) -> Option<()> {
        self.rewire_at(|_, _| true, fits)
    }

    fn rewire_at(&mut self, wanted: impl Fn(&Module, Use) -> bool, fits: impl Fn(Relation) -> bool) -> Option<()> {
        for _ in 0..512 {
            let uses = &self.uses;
            let place = *uses.get(self.rng.random_range(0..uses.len().max(1)))?;
            let module = &self.graft.module;
            let old = module.op(place.op).operands[place.operand as usize];
            let Some(values) = self.values.get(&module.value(old).ty) else { continue };
            let new = values[self.rng.random_range(0..values.len())];
            let Some(relation) = relation(module, new, place.op) else { continue };
            if new != old && wanted(module, place) && fits(relation) {
                if relation == Relation::OtherFunction {
                    self.graft.make_distinct(new);
                }
                self.graft.module.op_mut(place.op).operands[place.operand as usize] = new;
                return Some(());
            }
        }
        None
    }

    /// Splits a block of a region that may have several; the second half has no predecessor yet.
    fn split(&mut self) -> Option<(BlockId, BlockId)> {
        for _ in 0..64 {
            let block = self.blocks[self.rng.random_range(0..self.blocks.len())];
            let module = &self.graft.module;
            if matches!(module.kind(module.block_parent(block)), OpKind::TtFunc | OpKind::ScfExecuteRegion) {
                let at = self.place_in(block);
                return Some((block, self.graft.split(block, at)));
            }
        }
        None
    }

    /// The branches without operands and their targets' positions.
    fn plain_branches(&self) -> Vec<(OpId, usize)> {
        let module = &self.graft.module;
        let last = self.blocks.iter().filter_map(|&block| module.terminator(block));
        last.filter(|&op| matches!(module.kind(op), OpKind::CfBr | OpKind::CfCondBr))
            .flat_map(|op| (0..module.op(op).successors.len()).map(move |position| (op, position)))
            .filter(|&(op, position)| self.takes_nothing(module.op(op).successors[position]))
            .collect()
    }

    fn takes_nothing(&self, block: BlockId) -> bool {
        self.graft.module.block(block).arguments.is_empty()
    }

    /// Another block of the operation's region that may be branched to without operands.
    fn target(&mut self, from: OpId) -> Option<BlockId> {
        let module = &self.graft.module;
        let region = module.block(module.op(from).parent?).region;
        let later = module.region(region).blocks.get(1..)?;
        let targets: Vec<BlockId> = later.iter().copied().filter(|&block| self.takes_nothing(block)).collect();
        self.pick(&targets)
    }

    fn add_branch(&mut self) -> Option<()> {
        let module = &self.graft.module;
        let unconditional =
            |&(op, _): &(OpId, usize)| module.kind(op) == OpKind::CfBr && module.op(op).operands.is_empty();
        let branches: Vec<_> = self.plain_branches().into_iter().filter(unconditional).collect();
        let (branch, _) = self.pick(&branches)?;
        let second = self.target(branch)?;
        let flag = self.graft.module.interners.integer("i1");
        let conditions = self.values.get(&flag)?.clone();
        let module = &self.graft.module;
        let near = |value: &ValueId| relation(module, *value, branch) == Some(Relation::Earlier);
        let earlier: Vec<ValueId> = conditions.iter().copied().filter(near).collect();
        let condition = self.pick(if earlier.is_empty() { &conditions } else { &earlier })?;
        self.graft.branch_or(branch, condition, second);
        Some(())
    }

    fn redirect(&mut self) -> Option<()> {
        let branches = self.plain_branches();
        let (branch, position) = self.pick(&branches)?;
        let target = self.target(branch)?;
        let old = std::mem::replace(&mut self.graft.module.op_mut(branch).successors[position], target);
        (old != target).then_some(())
    }

    fn swap_branches(&mut self) -> Option<()> {
        let branches = self.plain_branches();
        let (one, at) = self.pick(&branches)?;
        let (other, other_at) = self.pick(&branches)?;
        let module = &mut self.graft.module;
        let region = |module: &Module, op: OpId| module.op(op).parent.map(|block| module.block(block).region);
        let (first, second) = (module.op(one).successors[at], module.op(other).successors[other_at]);
        if first == second || region(module, one) != region(module, other) {
            return None;
        }
        module.op_mut(one).successors[at] = second;
        module.op_mut(other).successors[other_at] = first;
        Some(())
    }

    fn cut_off(&mut self) -> Option<()> {
        let (block, rest) = self.split()?;
        self.graft.end(block)?;
        // With nothing rewired it is an unreachable block, which is a case of its own.
        if self.rng.random_bool(0.8) {
            self.rewire_at(|module, place| module.op(place.op).parent == Some(rest), |_| true);
        }
        Some(())
    }

    fn reorder(&mut self) -> Option<()> {
        for _ in 0..16 {
            let block = self.blocks[self.rng.random_range(0..self.blocks.len())];
            let region = self.graft.module.block(block).region;
            let count = self.graft.module.region(region).blocks.len();
            if count > 2 {
                let (a, b) = (self.rng.random_range(1..count), self.rng.random_range(1..count));
                self.graft.module.region_mut(region).blocks.swap(a, b);
                return (a != b).then_some(());
            }
        }
        None
    }

    fn wrap(&mut self) -> Option<()> {
        let first = self.pick_movable()?;
        let block = self.graft.module.op(first).parent?;
        let ops = &self.graft.module.block(block).ops;
        let from = ops.iter().position(|&op| op == first)?;
        let most = (ops.len() - 1 - from).min(8);
        let count = self.rng.random_range(1..=most.max(1));
        self.graft.wrap(block, from, count);
        Some(())
    }
}
