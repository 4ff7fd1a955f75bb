//! Which blocks of a region dominate which: block A dominates block B if every path from the region's entry to B goes
//! through A.
//!
//! Computed with the iteration of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001) over blocks in
//! reverse postorder, and stored as an interval for every block, so that a question costs two comparisons. A region with
//! one block, which nearly every region is, costs nothing to compute.
//!
//! A block that the entry does not reach is dominated by every block, because there is no path to it at all; it dominates
//! only other unreachable blocks.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use tritonsmith_ir::{BlockId, Module, RegionId};

/// The dominator trees of those regions of a module that were added to it.
#[derive(Debug, Clone)]
pub struct Dominators {
    /// When a walk of the dominator tree enters each block; 0 for blocks that are not reachable or not in an added
    /// region.
    enter: Vec<u32>,
    /// The last entry time inside the block's subtree.
    leave: Vec<u32>,
    /// Where each reachable block of the region that is being added comes in its postorder; [`NONE`] elsewhere.
    number: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Dominators {
    /// No region yet, with room for every block of the module.
    pub fn new(module: &Module) -> Self {
        let count = module.block_count();
        Dominators { enter: vec![0; count], leave: vec![0; count], number: vec![NONE; count] }
    }

    /// Whether a path leads from the entry of the block's region to it.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.enter[block.index()] != 0
    }

    /// Whether `a` dominates `b`; both must be in the same region. Every block dominates itself.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let (a, b) = (a.index(), b.index());
        if a == b || self.enter[b] == 0 {
            return true;
        }
        self.enter[a] != 0 && self.enter[a] <= self.enter[b] && self.leave[b] <= self.leave[a]
    }

    /// Computes the tree of one region from the successors of each block's last operation. Successors in other regions
    /// (never valid) are left out.
    pub fn add(&mut self, module: &Module, region: RegionId) {
        match module.region(region).blocks[..] {
            [] => {}
            [only] => (self.enter[only.index()], self.leave[only.index()]) = (1, 1),
            [entry, ..] => {
                let postorder = self.postorder(module, region, entry);
                let idom = self.immediate_dominators(module, region, &postorder);
                self.number_intervals(&postorder, &idom);
            }
        }
    }

    /// The blocks that the entry reaches, itself last, numbered in this order.
    fn postorder(&mut self, module: &Module, region: RegionId, entry: BlockId) -> Vec<BlockId> {
        let mut postorder = Vec::new();
        let mut stack = vec![(entry, 0)];
        let mut seen = FxHashSet::from_iter([entry]);
        while let Some((block, next)) = stack.pop() {
            match successors(module, region, block).nth(next) {
                Some(successor) => {
                    stack.push((block, next + 1));
                    if seen.insert(successor) {
                        stack.push((successor, 0));
                    }
                }
                None => {
                    self.number[block.index()] = postorder.len() as u32;
                    postorder.push(block);
                }
            }
        }
        postorder
    }

    /// The immediate dominator of every reachable block, the entry's being itself; all as postorder numbers.
    fn immediate_dominators(&self, module: &Module, region: RegionId, postorder: &[BlockId]) -> Vec<u32> {
        let mut predecessors: Vec<SmallVec<[u32; 4]>> = vec![SmallVec::new(); postorder.len()];
        for (index, &block) in postorder.iter().enumerate() {
            for successor in successors(module, region, block) {
                predecessors[self.number[successor.index()] as usize].push(index as u32);
            }
        }
        let entry = postorder.len() - 1;
        let mut idom = vec![NONE; postorder.len()];
        idom[entry] = entry as u32;
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..entry).rev() {
                let known = predecessors[block].iter().copied().filter(|&p| idom[p as usize] != NONE);
                let Some(meet) = known.reduce(|a, b| meet(&idom, a, b)) else { continue };
                changed |= idom[block] != meet;
                idom[block] = meet;
            }
        }
        idom
    }

    /// Numbers the dominator tree. A block's immediate dominator comes before it in reverse postorder, so subtree sizes
    /// add up in postorder and entry times follow in reverse.
    fn number_intervals(&mut self, postorder: &[BlockId], idom: &[u32]) {
        let entry = postorder.len() - 1;
        let mut size = vec![1u32; postorder.len()];
        for index in 0..entry {
            size[idom[index] as usize] += size[index];
        }
        // Where the next child's interval begins.
        let mut free = vec![1u32; postorder.len()];
        for (index, block) in postorder.iter().enumerate().rev() {
            let parent = idom[index] as usize;
            let enter = free[parent];
            free[parent] += if index == entry { 0 } else { size[index] };
            free[index] = enter + 1;
            self.enter[block.index()] = enter;
            self.leave[block.index()] = enter + size[index] - 1;
        }
    }
}

/// The blocks of the region that control may go to from one of its blocks.
fn successors(module: &Module, region: RegionId, block: BlockId) -> impl Iterator<Item = BlockId> {
    let last = module.block(block).ops.last();
    let all = last.map_or(&[][..], |&last| &module.op(last).successors);
    all.iter().copied().filter(move |&successor| module.block(successor).region == region)
}

/// The nearest block that dominates both, found by climbing from the lower of the two.
fn meet(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        if a < b {
            a = idom[a as usize];
        } else {
            b = idom[b as usize];
        }
    }
    a
}
