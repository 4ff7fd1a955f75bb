//! Layouts: names for the ways in which threads hold a tensor, drawn at random, and what operations derive from them.
//!
//! A blocked layout says how many elements a thread holds together, how threads lie in a warp and warps in a block, and
//! which dimension comes first. Any product of powers of two that uses all threads is legal for any shape: what is larger than
//! the tensor holds copies. A slice is a layout of one rank more with a dimension left out, which a reduction
//! gives and `expand_dims` takes; a dot's operands have layouts of their own that name the result's.

use super::choice::Choice;
use crate::ir::{AttrId, FieldValue, Interners};
use rustc_hash::FxHashMap;

/// A layout.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Layout {
    Blocked { size: Vec<u32>, threads: Vec<u32>, warps: Vec<u32>, order: Vec<u32> },
    Slice { dim: usize, parent: Box<Layout> },
    DotOperand { index: u32, parent: Box<Layout> },
}

/// The layouts of a module, both ways, and the ones that its tensors most often have.
#[derive(Debug)]
pub(super) struct Layouts {
    threads: u32,
    warps: u32,
    /// By rank, from 1: a few blocked layouts for the whole module, as a pass leaves few.
    pool: Vec<Vec<Layout>>,
    known: FxHashMap<AttrId, Layout>,
}

/// The highest rank that layouts are drawn for: tensors have up to 4 dimensions, and a slice's parent one more.
const MOST_RANK: usize = 5;

impl Layouts {
    pub fn draw(choice: &mut Choice<'_, '_>, threads: u32, warps: u32) -> Layouts {
        let mut layouts = Layouts { threads, warps, pool: Vec::new(), known: FxHashMap::default() };
        for rank in 1..=MOST_RANK {
            let count = choice.between(1, 3);
            let drawn = (0..count).map(|_| layouts.blocked(choice, rank)).collect();
            layouts.pool.push(drawn);
        }
        layouts
    }

    /// A new blocked layout: each factor of two of the threads and of the warps goes to some dimension.
    fn blocked(&self, choice: &mut Choice<'_, '_>, rank: usize) -> Layout {
        let share = |product: u32, choice: &mut Choice<'_, '_>| {
            let mut parts = vec![1; rank];
            let favourite = choice.below(rank);
            for _ in 0..product.trailing_zeros() {
                let place = if choice.chance(50) { choice.below(rank) } else { favourite };
                parts[place] *= 2;
            }
            parts
        };
        let threads = share(self.threads, choice);
        let warps = share(self.warps, choice);
        let size = (0..rank).map(|_| choice.one_of(1, &[1, 2, 4, 8])).collect();
        let mut order: Vec<u32> = (0..rank as u32).rev().collect();
        for place in 1..rank {
            if choice.chance(25) {
                let other = choice.below(place + 1);
                order.swap(place, other);
            }
        }
        Layout::Blocked { size, threads, warps, order }
    }

    /// A layout for tensors of a rank: one of the pool, a new one, or a slice.
    pub fn any(&mut self, choice: &mut Choice<'_, '_>, rank: usize) -> Layout {
        if rank < MOST_RANK && choice.chance(25) {
            let dim = choice.below(rank + 1);
            return Layout::Slice { dim, parent: Box::new(self.any_blocked(choice, rank + 1)) };
        }
        self.any_blocked(choice, rank)
    }

    pub fn any_blocked(&mut self, choice: &mut Choice<'_, '_>, rank: usize) -> Layout {
        let pool = self.pool.get(rank.max(1) - 1).cloned().unwrap_or_default();
        match choice.pick(&pool).filter(|_| !choice.chance(10)) {
            Some(layout) => layout,
            None => self.blocked(choice, rank.max(1)),
        }
    }

    /// The layout of an attribute that [`Layouts::attr`] made.
    pub fn find(&self, attr: AttrId) -> Option<&Layout> {
        self.known.get(&attr)
    }

    /// A layout as an attribute.
    pub fn attr(&mut self, interners: &mut Interners, layout: &Layout) -> AttrId {
        let numbers = |list: &[u32]| FieldValue::List(list.iter().map(|&number| u64::from(number).into()).collect());
        let attr = match layout {
            Layout::Blocked { size, threads, warps, order } => {
                let fields = vec![
                    ("sizePerThread", numbers(size)),
                    ("threadsPerWarp", numbers(threads)),
                    ("warpsPerCTA", numbers(warps)),
                    ("order", numbers(order)),
                ];
                interners.new_layout("ttg.blocked", fields)
            }
            Layout::Slice { dim, parent } => {
                let parent = self.attr(interners, parent);
                interners.slice_layout(*dim as u64, parent)
            }
            Layout::DotOperand { index, parent } => {
                let parent = self.attr(interners, parent);
                interners.dot_operand_layout(u64::from(*index), parent)
            }
        };
        self.known.insert(attr, layout.clone());
        attr
    }
}

/// The layout of a transposed tensor: dimension `i` of the result is dimension `order[i]` of the source.
pub(super) fn transposed(layout: &Layout, permutation: &[u32]) -> Option<Layout> {
    let Layout::Blocked { size, threads, warps, order } = layout else { return None };
    let take = |list: &[u32]| -> Option<Vec<u32>> {
        permutation.iter().map(|&from| list.get(from as usize).copied()).collect()
    };
    let place = |dim: &u32| permutation.iter().position(|from| from == dim).map(|place| place as u32);
    let order = order.iter().map(place).collect::<Option<Vec<u32>>>()?;
    Some(Layout::Blocked { size: take(size)?, threads: take(threads)?, warps: take(warps)?, order })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transposed_layout_goes_with_its_dimensions() {
        let layout =
            Layout::Blocked { size: vec![1, 2, 4], threads: vec![8, 2, 2], warps: vec![1, 1, 4], order: vec![2, 1, 0] };
        let moved = transposed(&layout, &[2, 0, 1]);
        let expected =
            Layout::Blocked { size: vec![4, 1, 2], threads: vec![2, 8, 2], warps: vec![4, 1, 1], order: vec![0, 2, 1] };
        assert_eq!(moved, Some(expected));
    }
}
