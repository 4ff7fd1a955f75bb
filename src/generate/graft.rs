//! Structural edits that do not keep a module valid, for [`super::mutate()`].

use crate::ir::{Attr, BlockId, Definition, Module, OpId, OpKind, RegionId, ValueId};
use rustc_hash::FxHashMap;

pub(super) struct Graft {
    pub module: Module,
}

impl Graft {
    /// Moves an operation to a position of a block; positions count without the operation itself.
    pub fn relocate(&mut self, op: OpId, block: BlockId, position: usize) {
        self.module.unlink(op);
        self.module.insert(op, block, position);
    }

    /// Gives a value a name that is unique in the module. Every function numbers its own `%0`, `%1`, …, so a use of
    /// another function's value would otherwise print as a use of its own.
    pub fn make_distinct(&mut self, value: ValueId) {
        let name = self.module.name(&format!("far_{}", value.0));
        self.module.value_mut(value).name = Some(name);
    }

    fn append(&mut self, block: BlockId, op: OpId) {
        self.module.insert(op, block, usize::MAX);
    }

    fn new_op(&mut self, kind: OpKind) -> OpId {
        let name = self.module.name(kind.name());
        self.module.new_op(name)
    }

    /// Moves the operations from that position on to a new block right after it.
    pub fn split(&mut self, block: BlockId, position: usize) -> BlockId {
        let region = self.module.block(block).region;
        let rest = self.module.new_block(region);
        let blocks = &mut self.module.region_mut(region).blocks;
        blocks.pop();
        let at = blocks.iter().position(|&other| other == block).map_or(blocks.len(), |at| at + 1);
        blocks.insert(at, rest);
        let position = position.min(self.module.block(block).ops.len());
        let ops = self.module.block_mut(block).ops.split_off(position);
        for &op in &ops {
            self.module.op_mut(op).parent = Some(rest);
        }
        self.module.block_mut(rest).ops = ops;
        rest
    }

    pub fn branch(&mut self, block: BlockId, target: BlockId) {
        let branch = self.new_op(OpKind::CfBr);
        self.module.op_mut(branch).successors.push(target);
        self.append(block, branch);
    }

    /// Makes a branch without operands conditional.
    pub fn branch_or(&mut self, branch: OpId, condition: ValueId, second: BlockId) {
        let conditional = self.new_op(OpKind::CfCondBr);
        let first = self.module.op(branch).successors.first().copied().unwrap_or(second);
        let op = self.module.op_mut(conditional);
        op.operands.push(condition);
        op.segments.extend([1, 0, 0]);
        op.successors.extend([first, second]);
        if let Some(block) = self.module.op(branch).parent {
            self.module.unlink(branch);
            self.append(block, conditional);
        }
    }

    /// Ends a block with the terminator of the region around it, if that takes no operands.
    pub fn end(&mut self, block: BlockId) -> Option<()> {
        let parent = self.module.block_parent(block);
        let name = match self.module.kind(parent) {
            OpKind::TtFunc if self.module.function_type(parent).is_some_and(|(_, results)| results.is_empty()) => {
                OpKind::TtReturn
            }
            OpKind::ScfExecuteRegion if self.module.op(parent).results.is_empty() => OpKind::ScfYield,
            _ => return None,
        };
        let end = self.new_op(name);
        self.append(block, end);
        Some(())
    }

    /// Puts `count` operations of a block from that position on into the region of a new `scf.execute_region`.
    pub fn wrap(&mut self, block: BlockId, position: usize, count: usize) {
        let around = self.new_op(OpKind::ScfExecuteRegion);
        let region = self.module.new_region(around);
        let inner = self.module.new_block(region);
        let ops: Vec<OpId> = self.module.block(block).ops.iter().copied().skip(position).take(count).collect();
        for op in ops {
            self.relocate(op, inner, usize::MAX);
        }
        let end = self.new_op(OpKind::ScfYield);
        self.append(inner, end);
        self.relocate(around, block, position);
    }

    /// Inserts a copy of a function, under a new name, after it.
    pub fn copy_function(&mut self, function: OpId) -> Option<()> {
        let block = self.module.op(function).parent?;
        let mut copy = Copy { module: &mut self.module, values: FxHashMap::default(), blocks: FxHashMap::default() };
        let twin = copy.operation(function);
        copy.reconnect(twin);
        let number = self.module.op_count();
        self.rename(twin, number);
        let at = self.module.position(function)? + 1;
        self.relocate(twin, block, at);
        Some(())
    }

    fn rename(&mut self, function: OpId, number: usize) {
        let Some(name) = self.module.attribute(function, "sym_name") else { return };
        if let Attr::String(text) = self.module.interners.attr_data(name) {
            let name = Attr::String(format!("{text}_{number}"));
            let name = self.module.interners.attr(name);
            self.module.set_prop(function, "sym_name", Some(name));
        }
    }
}

/// A deep copy in progress.
struct Copy<'a> {
    module: &'a mut Module,
    values: FxHashMap<ValueId, ValueId>,
    blocks: FxHashMap<BlockId, BlockId>,
}

impl Copy<'_> {
    fn value(&mut self, old: ValueId, definition: Definition) -> ValueId {
        let new = self.module.new_value(self.module.value(old).ty, definition);
        self.module.value_mut(new).name = self.module.value(old).name;
        self.values.insert(old, new);
        new
    }

    /// Copies an operation and what is inside it; operands and successors still point at the old ones.
    fn operation(&mut self, old: OpId) -> OpId {
        let new = self.module.new_op(self.module.op(old).name);
        let mut copy = self.module.op(old).clone();
        copy.parent = None;
        copy.regions.clear();
        for (index, result) in copy.results.iter_mut().enumerate() {
            *result = self.value(*result, Definition::Result(new, index as u32));
        }
        *self.module.op_mut(new) = copy;
        for region in self.module.op(old).regions.clone() {
            self.region(new, region);
        }
        new
    }

    fn region(&mut self, parent: OpId, old: RegionId) {
        let region = self.module.new_region(parent);
        for old in self.module.region(old).blocks.clone() {
            let block = self.module.new_block(region);
            self.blocks.insert(old, block);
            for (index, argument) in self.module.block(old).arguments.clone().into_iter().enumerate() {
                let argument = self.value(argument, Definition::Argument(block, index as u32));
                self.module.block_mut(block).arguments.push(argument);
            }
            for op in self.module.block(old).ops.clone() {
                let op = self.operation(op);
                self.module.op_mut(op).parent = Some(block);
                self.module.block_mut(block).ops.push(op);
            }
        }
    }

    fn reconnect(&mut self, copy: OpId) {
        for op in self.module.walk_from(copy) {
            let op = self.module.op_mut(op);
            for operand in &mut op.operands {
                *operand = self.values.get(operand).copied().unwrap_or(*operand);
            }
            for successor in &mut op.successors {
                *successor = self.blocks.get(successor).copied().unwrap_or(*successor);
            }
        }
    }
}
