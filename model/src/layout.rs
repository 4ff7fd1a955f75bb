//! Layouts: which thread of which warp holds which elements of a tensor.
//!
//! A blocked layout says, for each dimension, how many neighbouring elements a thread holds and how many threads of a warp
//! and how many warps there are, and in which order the dimensions are filled, fastest first. A slice is a layout without
//! one dimension, that of a reduction's result. A dot operand's layout has the product's as its parent.

use super::pass::Setup;
use tritonsmith_ir::{Attr, AttrId, Module, OpId, OpKind, Type, TypeId, ValueId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Blocked {
    pub size_per_thread: Vec<u64>,
    pub threads_per_warp: Vec<u64>,
    pub warps: Vec<u64>,
    /// Fastest dimension first.
    pub order: Vec<usize>,
}

impl Blocked {
    /// Distributes threads and warps over a shape, fastest dimension first, so that as few as possible hold the same
    /// elements; the rest goes to the slowest dimension.
    pub fn spread(shape: &[u64], size_per_thread: Vec<u64>, order: Vec<usize>, setup: &Setup) -> Blocked {
        let mut threads_per_warp = vec![1; shape.len()];
        let mut warps = vec![1; shape.len()];
        let (mut threads_left, mut warps_left) = (setup.threads_per_warp, setup.warps);
        for (place, &dimension) in order.iter().enumerate() {
            let last = place + 1 == order.len();
            let wanted = (shape[dimension] / size_per_thread[dimension].max(1)).max(1);
            let threads = if last { threads_left } else { wanted.min(threads_left) };
            let here = if last { warps_left } else { (wanted / threads).clamp(1, warps_left) };
            threads_per_warp[dimension] = threads;
            warps[dimension] = here;
            threads_left /= threads;
            warps_left /= here;
        }
        Blocked { size_per_thread, threads_per_warp, warps, order }
    }

    /// The default layout: one element per thread, the last dimension fastest.
    pub fn default_of(shape: &[u64], setup: &Setup) -> Blocked {
        Blocked::spread(shape, vec![1; shape.len()], (0..shape.len()).rev().collect(), setup)
    }

    /// The layout of a result of `tt.join`: a new last dimension of two elements, both in one thread.
    pub fn joined(mut self) -> Blocked {
        let dimension = self.order.len();
        self.size_per_thread.push(2);
        self.threads_per_warp.push(1);
        self.warps.push(1);
        self.order.insert(0, dimension);
        self
    }

    /// The layout of a transposed tensor: dimension `i` of the result is dimension `permutation[i]` of the source.
    pub fn transposed(&self, permutation: &[usize]) -> Option<Blocked> {
        let pick =
            |values: &[u64]| permutation.iter().map(|&from| values.get(from).copied()).collect::<Option<Vec<_>>>();
        let order = self.order.iter().map(|from| permutation.iter().position(|other| other == from));
        Some(Blocked {
            size_per_thread: pick(&self.size_per_thread)?,
            threads_per_warp: pick(&self.threads_per_warp)?,
            warps: pick(&self.warps)?,
            order: order.collect::<Option<_>>()?,
        })
    }

    pub fn attr(&self, module: &mut Module) -> AttrId {
        let order: Vec<u64> = self.order.iter().map(|&dimension| dimension as u64).collect();
        let fields = vec![
            ("sizePerThread", self.size_per_thread.as_slice().into()),
            ("threadsPerWarp", self.threads_per_warp.as_slice().into()),
            ("warpsPerCTA", self.warps.as_slice().into()),
            ("order", order.as_slice().into()),
        ];
        module.interners.new_layout("ttg.blocked", fields)
    }
}

/// A tensor type with another layout; `None` for other types.
pub(super) fn in_layout(module: &mut Module, ty: TypeId, layout: AttrId) -> Option<TypeId> {
    let Type::Tensor { shape, element, .. } = module.interners.type_data(ty).clone() else { return None };
    Some(module.interners.ty(Type::Tensor { shape, element, encoding: Some(layout) }))
}

pub(super) fn layout_of(module: &Module, value: ValueId) -> Option<AttrId> {
    module.interners.encoding(module.value(value).ty)
}

/// The dimension of `tt.reduce` or `tt.expand_dims`.
pub(super) fn axis_of(module: &Module, op: OpId) -> Option<usize> {
    match module.interners.attr_data(module.attribute(op, "axis")?) {
        Attr::Integer(digits, _) => digits.parse().ok(),
        _ => None,
    }
}

/// Converts an operand to a type, unless it has that already.
pub(super) fn convert_operand(module: &mut Module, op: OpId, operand: usize, ty: TypeId) {
    let Some(&value) = module.op(op).operands.get(operand) else { return };
    let (Some(block), Some(position)) = (module.op(op).parent, module.position(op)) else { return };
    if module.value(value).ty == ty {
        return;
    }
    if let Some(converted) = convert(module, value, ty, op)
        && let Some(&result) = module.op(converted).results.first()
        && let Some(place) = module.op_mut(op).operands.get_mut(operand)
    {
        *place = result;
        module.insert(converted, block, position);
    }
}

/// A conversion of a value to a type, in no block, with the location of `like`.
pub(super) fn convert(module: &mut Module, value: ValueId, ty: TypeId, like: OpId) -> Option<OpId> {
    let op = module.create(OpKind::TtgConvertLayout, &[&[value]], &[ty], Vec::new());
    module.op_mut(op).span = module.op(like).span;
    Some(op)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tritonsmith_ir::{PrintOptions, parse, print};

    #[test]
    fn threads_and_warps_are_spread_over_the_fastest_dimensions() {
        let setup = Setup::default();
        let blocked = Blocked::default_of(&[16, 8], &setup);
        assert_eq!((blocked.threads_per_warp, blocked.warps), (vec![4, 8], vec![4, 1]));
        let blocked = Blocked::default_of(&[2, 256], &setup);
        assert_eq!((blocked.threads_per_warp, blocked.warps), (vec![1, 32], vec![1, 4]));
        let blocked = Blocked::default_of(&[1], &setup);
        assert_eq!((blocked.threads_per_warp, blocked.warps), (vec![32], vec![4]));
    }

    #[test]
    fn transposing_twice_gives_the_layout_again() {
        let blocked = Blocked::default_of(&[4, 8, 64], &Setup::default());
        let there = blocked.transposed(&[2, 0, 1]).unwrap();
        assert_eq!(there.transposed(&[1, 2, 0]), Some(blocked));
    }

    #[test]
    fn layouts_are_those_that_the_parser_makes_of_their_text() {
        let mut module = Module::new();
        let blocked = Blocked::default_of(&[16, 8], &Setup::default()).attr(&mut module);
        let sliced = module.interners.slice_layout(1, blocked);
        let element = module.interners.plain("f32");
        let ty = module.interners.ty(Type::Tensor { shape: vec![Some(16)], element, encoding: Some(sliced) });
        let op = module.create(OpKind::UbPoison, &[], &[ty], Vec::new());
        let block = module.entry(module.root()).unwrap();
        module.insert(op, block, 0);
        let text = print(&module, &PrintOptions::default());
        let again = parse(&text).unwrap();
        assert_eq!(print(&again, &PrintOptions::default()), text);
        assert!(text.contains("#ttg.slice<{dim = 1, parent = #blocked}>"), "{text}");
    }
}
