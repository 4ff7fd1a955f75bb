//! Which blocks of a region dominate which: block A dominates block B if every path from the region's entry to B goes
//! through A.
//!
//! Computed with the iteration of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001) over blocks in
//! reverse postorder, and stored as an interval for every block, so that a question costs two comparisons. A region with
//! one block, which nearly every region is, costs nothing to compute.
//!
//! A block that the entry does not reach is dominated by every block, because there is no path to it at all; it dominates
//! only other unreachable blocks.

use tritonsmith_ir::{BlockId, Module, RegionId};

/// The dominator trees of those regions of a module that were added to it.
#[derive(Debug, Clone, Default)]
pub struct Dominators {
    /// When a walk of the dominator tree enters each block; 0 for blocks that are not reachable or not in an added
    /// region.
    enter: Vec<u32>,
    /// The last entry time inside the block's subtree.
    leave: Vec<u32>,
    /// Each block's position in its region.
    position: Vec<u32>,
    scratch: Scratch,
}

/// Buffers for one region at a time, by position of the block in it.
#[derive(Debug, Clone, Default)]
struct Scratch {
    /// Successors of block `i`: `successors[first_successor[i]..first_successor[i + 1]]`.
    first_successor: Vec<u32>,
    successors: Vec<u32>,
    /// Reachable blocks, entry last.
    postorder: Vec<u32>,
    /// Position of each block in `postorder`.
    number: Vec<u32>,
    idom: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Dominators {
    /// No region yet, with room for every block of the module.
    pub fn new(module: &Module) -> Self {
        let count = module.block_count();
        Dominators {
            enter: vec![0; count],
            leave: vec![0; count],
            position: vec![0; count],
            scratch: Scratch::default(),
        }
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
        let blocks = &module.region(region).blocks[..];
        match blocks {
            [] => {}
            [only] => {
                self.enter[only.index()] = 1;
                self.leave[only.index()] = 1;
            }
            _ => {
                for (index, block) in blocks.iter().enumerate() {
                    self.position[block.index()] = index as u32;
                }
                let scratch = &mut self.scratch;
                scratch.first_successor.clear();
                scratch.successors.clear();
                for &block in blocks {
                    scratch.first_successor.push(scratch.successors.len() as u32);
                    if let Some(&last) = module.block(block).ops.last() {
                        let inside = module.op(last).successors.iter().filter(|s| module.block(**s).region == region);
                        scratch.successors.extend(inside.map(|s| self.position[s.index()]));
                    }
                }
                scratch.first_successor.push(scratch.successors.len() as u32);
                scratch.number_reachable(blocks.len());
                scratch.immediate_dominators();
                self.number_intervals(blocks);
            }
        }
    }

    /// Numbers the dominator tree. A block's immediate dominator comes before it in reverse postorder, so subtree sizes
    /// add up in postorder and entry times follow in reverse.
    fn number_intervals(&mut self, blocks: &[BlockId]) {
        let Scratch { postorder, idom, number, .. } = &mut self.scratch;
        let count = postorder.len();
        let mut size = vec![1u32; count];
        for index in 0..count.saturating_sub(1) {
            size[idom[index] as usize] += size[index];
        }
        // `number` is not needed as such any more: it now holds where the next child's interval begins.
        for index in (0..count).rev() {
            let block = blocks[postorder[index] as usize].index();
            let enter = if index + 1 == count {
                1
            } else {
                let parent = idom[index] as usize;
                let enter = number[parent];
                number[parent] += size[index];
                enter
            };
            number[index] = enter + 1;
            self.enter[block] = enter;
            self.leave[block] = enter + size[index] - 1;
        }
    }
}

impl Scratch {
    fn successors_of(&self, block: u32) -> &[u32] {
        let range = self.first_successor[block as usize]..self.first_successor[block as usize + 1];
        &self.successors[range.start as usize..range.end as usize]
    }

    /// A depth-first walk from block 0 that fills `postorder` and `number`.
    fn number_reachable(&mut self, count: usize) {
        self.postorder.clear();
        self.number.clear();
        self.number.resize(count, NONE);
        let mut seen = vec![false; count];
        seen[0] = true;
        let mut stack = vec![(0u32, 0usize)];
        while let Some((block, next)) = stack.pop() {
            match self.successors_of(block).get(next) {
                Some(&successor) => {
                    stack.push((block, next + 1));
                    if !std::mem::replace(&mut seen[successor as usize], true) {
                        stack.push((successor, 0));
                    }
                }
                None => {
                    self.number[block as usize] = self.postorder.len() as u32;
                    self.postorder.push(block);
                }
            }
        }
    }

    /// Fills `idom` with the immediate dominator of every reachable block but the entry, all as postorder numbers.
    fn immediate_dominators(&mut self) {
        let count = self.postorder.len();
        let entry = count as u32 - 1;
        let mut first_predecessor = vec![0u32; count + 1];
        for &block in &self.postorder {
            for &successor in self.successors_of(block) {
                first_predecessor[self.number[successor as usize] as usize] += 1;
            }
        }
        let mut total = 0;
        for slot in &mut first_predecessor {
            total += *slot;
            *slot = total;
        }
        let mut predecessors = vec![0u32; total as usize];
        for (index, &block) in self.postorder.iter().enumerate() {
            for &successor in self.successors_of(block) {
                let slot = &mut first_predecessor[self.number[successor as usize] as usize];
                *slot -= 1;
                predecessors[*slot as usize] = index as u32;
            }
        }
        self.idom.clear();
        self.idom.resize(count, NONE);
        self.idom[entry as usize] = entry;
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..entry).rev() {
                let range = first_predecessor[block as usize]..first_predecessor[block as usize + 1];
                let known = predecessors[range.start as usize..range.end as usize]
                    .iter()
                    .copied()
                    .filter(|&p| self.idom[p as usize] != NONE);
                let Some(meet) = known.reduce(|a, b| meet(&self.idom, a, b)) else { continue };
                changed |= self.idom[block as usize] != meet;
                self.idom[block as usize] = meet;
            }
        }
    }
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
