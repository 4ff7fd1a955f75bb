//! Random layouts of tensors, and what operations infer from them.
//!
//! A blocked layout says how many elements a thread holds in each dimension, how threads are arranged in a warp and warps
//! in a block, and the order of the dimensions. Any powers of two whose product is the number of threads are legal for any
//! shape: a layout larger than the tensor holds copies. A slice is a layout of one rank more without a dimension, which a
//! reduction returns and `expand_dims` takes; a dot's operands have layouts that name the result's as parent.

use super::choice::Choice;
use crate::ir::{AttrId, FieldValue, Interners};
use rustc_hash::FxHashMap;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum DrawnLayout {
    Blocked { size: Vec<u32>, threads: Vec<u32>, warps: Vec<u32>, order: Vec<u32> },
    Slice { dim: usize, parent: Box<DrawnLayout> },
    DotOperand { index: u32, parent: Box<DrawnLayout> },
}

/// The layouts of a module by attribute, and the pool from which most of its tensors draw.
#[derive(Debug)]
pub(super) struct Layouts {
    threads: u32,
    warps: u32,
    /// By rank, from 1: a few blocked layouts for the whole module, as passes leave few.
    pool: Vec<Vec<DrawnLayout>>,
    known: FxHashMap<AttrId, DrawnLayout>,
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

    /// Draws a blocked layout: each factor of two of the threads and of the warps goes to some dimension.
    fn blocked(&self, choice: &mut Choice<'_, '_>, rank: usize) -> DrawnLayout {
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
        DrawnLayout::Blocked { size, threads, warps, order }
    }

    /// Draws a layout for a rank: one of the pool, a new one, or a slice.
    pub fn any(&mut self, choice: &mut Choice<'_, '_>, rank: usize) -> DrawnLayout {
        if rank < MOST_RANK && choice.chance(25) {
            let dim = choice.below(rank + 1);
            return DrawnLayout::Slice { dim, parent: Box::new(self.any_blocked(choice, rank + 1)) };
        }
        self.any_blocked(choice, rank)
    }

    pub fn any_blocked(&mut self, choice: &mut Choice<'_, '_>, rank: usize) -> DrawnLayout {
        let pool = self.pool.get(rank.max(1) - 1).cloned().unwrap_or_default();
        match choice.pick(&pool).filter(|_| !choice.chance(10)) {
            Some(layout) => layout,
            None => self.blocked(choice, rank.max(1)),
        }
    }

    /// The layout of an attribute that [`Layouts::attr`] made.
    pub fn find(&self, attr: AttrId) -> Option<&DrawnLayout> {
        self.known.get(&attr)
    }

    pub fn attr(&mut self, interners: &mut Interners, layout: &DrawnLayout) -> AttrId {
        let numbers = |list: &[u32]| FieldValue::List(list.iter().map(|&number| u64::from(number).into()).collect());
        let attr = match layout {
            DrawnLayout::Blocked { size, threads, warps, order } => {
                let fields = vec![
                    ("sizePerThread", numbers(size)),
                    ("threadsPerWarp", numbers(threads)),
                    ("warpsPerCTA", numbers(warps)),
                    ("order", numbers(order)),
                ];
                interners.new_layout("ttg.blocked", fields)
            }
            DrawnLayout::Slice { dim, parent } => {
                let parent = self.attr(interners, parent);
                interners.slice_layout(*dim as u64, parent)
            }
            DrawnLayout::DotOperand { index, parent } => {
                let parent = self.attr(interners, parent);
                interners.dot_operand_layout(u64::from(*index), parent)
            }
        };
        self.known.insert(attr, layout.clone());
        attr
    }
}

/// The layout of a transposed tensor: dimension `i` of the result is dimension `order[i]` of the source.
pub(super) fn transposed(layout: &DrawnLayout, permutation: &[u32]) -> Option<DrawnLayout> {
    let DrawnLayout::Blocked { size, threads, warps, order } = layout else { return None };
    let take = |list: &[u32]| -> Option<Vec<u32>> {
        permutation.iter().map(|&from| list.get(from as usize).copied()).collect()
    };
    let place = |dim: &u32| permutation.iter().position(|from| from == dim).map(|place| place as u32);
    let order = order.iter().map(place).collect::<Option<Vec<u32>>>()?;
    Some(DrawnLayout::Blocked { size: take(size)?, threads: take(threads)?, warps: take(warps)?, order })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transposed_layout_goes_with_its_dimensions() {
        let layout = DrawnLayout::Blocked {
            size: vec![1, 2, 4],
            threads: vec![8, 2, 2],
            warps: vec![1, 1, 4],
            order: vec![2, 1, 0],
        };
        let moved = transposed(&layout, &[2, 0, 1]);
        let expected = DrawnLayout::Blocked {
            size: vec![4, 1, 2],
            threads: vec![2, 8, 2],
            warps: vec![4, 1, 1],
            order: vec![0, 2, 1],
        };
        assert_eq!(moved, Some(expected));
    }
}
