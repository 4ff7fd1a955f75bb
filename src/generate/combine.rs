//! Reductions and scans over any axis, with the combining functions of `tl.sum`, `tl.max`, `tl.argmax`, `tl.cumsum` and of
//! user kernels.

use super::builder::Builder;
use super::generator::Generator;
use super::ops::Compare;
use super::settings::IrLevel;
use super::value::{Number, Scalar, Shape, Ty, Val};
use crate::ir::OpKind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Combiner {
    Sum,
    Max,
    Min,
    Product,
    /// `xor` of integers, the larger absolute value of floats.
    Other,
}

impl Combiner {
    pub const ALL: [Combiner; 5] = [Combiner::Sum, Combiner::Max, Combiner::Min, Combiner::Product, Combiner::Other];

    /// The neutral element, or near enough as the initial value of a carried value.
    pub fn start(self) -> Number {
        match self {
            Combiner::Max => Number::NegativeInfinity,
            Combiner::Min => Number::PositiveInfinity,
            Combiner::Product => Number::One,
            Combiner::Sum | Combiner::Other => Number::ZERO,
        }
    }

    /// Combines two values: scalars in a reduction's region, tensors in a loop.
    pub fn apply(self, b: &mut Builder, left: &Val, right: &Val) -> Val {
        let float = left.ty.is_float();
        match self {
            Combiner::Sum => b.add(left, right),
            Combiner::Max => b.max(left, right),
            Combiner::Min => b.min(left, right),
            Combiner::Product => b.mul(left, right),
            Combiner::Other if !float => b.binary(OpKind::ArithXori, left, right),
            Combiner::Other => {
                let (a, c) = (b.unary(OpKind::MathAbsf, left), b.unary(OpKind::MathAbsf, right));
                let larger = b.compare(Compare::Greater, &a, &c);
                b.select(&larger, left, right)
            }
        }
    }
}

/// The shape without a dimension.
fn without(shape: &[u32], axis: usize) -> Shape {
    let mut shape: Shape = shape.into();
    if axis < shape.len() {
        shape.remove(axis);
    }
    shape
}

impl Generator<'_, '_> {
    /// Reduces with a given function; integers of few bits are widened and `bf16` promoted, as `tl.sum` does.
    pub fn reduce_with(&mut self, value: &Val, axis: usize, combiner: Combiner) -> Val {
        let value = match value.ty.scalar {
            Scalar::I1 | Scalar::I8 | Scalar::I16 => self.b.convert(value, Scalar::I32),
            Scalar::BF16 | Scalar::F8E5M2 => self.b.convert(value, Scalar::F32),
            _ => value.clone(),
        };
        let result = Ty::tensor(value.ty.scalar, &without(&value.ty.shape, axis));
        let axis = self.b.int_attr(axis as i64, "i32");
        let results = self.b.combining(
            OpKind::TtReduce,
            std::slice::from_ref(&value),
            std::slice::from_ref(&result),
            &[("axis", axis)],
            |b, left, right| vec![combiner.apply(b, &left[0], &right[0])],
        );
        results.into_iter().next().unwrap_or(value)
    }

    /// Reduces with some function, most often a sum or a maximum; the type is kept but for floats of eight bits.
    pub fn reduce_over(&mut self, value: &Val, axis: usize) -> Val {
        let combiner = self.combiner();
        let result = self.reduce_with(value, axis, combiner);
        if value.ty.scalar == Scalar::F8E5M2 {
            // `f8E5M2` is a storage type: there are no scalars of it.
            return result;
        }
        self.b.convert(&result, value.ty.scalar)
    }

    pub fn combiner(&mut self) -> Combiner {
        self.c.one_of(Combiner::Sum, &[Combiner::Max, Combiner::Sum, Combiner::Min, Combiner::Other, Combiner::Max])
    }

    fn reducible(&mut self) -> Val {
        match self.c.chance(60).then(|| self.choose(|ty| ty.is_tensor() && !ty.pointer && ty.scalar != Scalar::I1)) {
            Some(Some(value)) => value,
            _ => self.fresh_tensor(),
        }
    }

    /// The statement: one or more reductions of a tensor.
    pub fn reduction(&mut self) {
        let value = self.reducible();
        match self.c.below(6) {
            0 => self.arg_reduction(&value),
            1 if value.ty.is_float() && value.ty.scalar != Scalar::F64 => self.moments(&value),
            // `assign_layouts` does not infer the layout of a reshape.
            2 if value.ty.rank() > 1 && self.settings.level == IrLevel::Ttir => self.whole_reduction(&value),
            _ => {
                let axis = self.c.below(value.ty.rank());
                let combiner = self.combiner();
                let result = self.reduce_with(&value, axis, combiner);
                self.keep(&result);
                if self.c.chance(50) {
                    let centred = self.back_over(&value, &result, axis);
                    self.keep(&centred);
                }
            }
        }
    }

    /// Combines a tensor with its own reduction, broadcast over the axis, as normalisations do.
    pub fn back_over(&mut self, value: &Val, reduced: &Val, axis: usize) -> Val {
        let value = self.b.convert(value, reduced.ty.scalar);
        let spread = self.spread(reduced, axis, &value.ty.shape);
        match self.c.below(3) {
            0 => self.b.sub(&value, &spread),
            1 => self.b.mul(&value, &spread),
            _ if value.ty.scalar.is_wide_float() => self.b.binary(OpKind::ArithDivf, &value, &spread),
            _ => self.b.add(&value, &spread),
        }
    }

    /// Broadcasts a reduction to the shape that it was reduced from.
    pub fn spread(&mut self, reduced: &Val, axis: usize, shape: &[u32]) -> Val {
        if reduced.ty.is_tensor() {
            let expanded = self.b.expand_dims(reduced, axis);
            self.b.broadcast(&expanded, shape)
        } else {
            self.b.splat(reduced, shape)
        }
    }

    /// Reduces all elements: reshapes to one dimension with `allow_reorder` first.
    fn whole_reduction(&mut self, value: &Val) {
        let flat = self.b.reshape(value, &[value.ty.count() as u32], true);
        let result = self.reduce_over(&flat, 0);
        self.keep(&result);
    }

    /// `tl.argmax` and `tl.argmin`: the value and its index.
    fn arg_reduction(&mut self, value: &Val) {
        let value = match value.ty.scalar {
            Scalar::I8 | Scalar::I16 => self.b.convert(value, Scalar::I32),
            Scalar::BF16 | Scalar::F8E5M2 => self.b.convert(value, Scalar::F32),
            _ => value.clone(),
        };
        let axis = self.c.below(value.ty.rank());
        let size = value.ty.shape.get(axis).copied().unwrap_or(1);
        let range = self.b.range(size);
        let range = self.b.along(&range, axis, value.ty.rank());
        let index = self.b.broadcast(&range, &value.ty.shape);
        let shape = without(&value.ty.shape, axis);
        let types = [Ty::tensor(value.ty.scalar, &shape), Ty::tensor(Scalar::I32, &shape)];
        let axis = self.b.int_attr(axis as i64, "i32");
        let how = self.c.one_of(Compare::Greater, &[Compare::Less]);
        let tie_left = self.c.chance(60);
        let results =
            self.b.combining(OpKind::TtReduce, &[value, index], &types, &[("axis", axis)], |b, left, right| {
                let mut first = b.compare(how, &left[0], &right[0]);
                if tie_left {
                    let equal = b.compare(Compare::Equal, &left[0], &right[0]);
                    let before = b.compare(Compare::Less, &left[1], &right[1]);
                    let tie = b.binary(OpKind::ArithAndi, &equal, &before);
                    first = b.binary(OpKind::ArithOri, &first, &tie);
                }
                vec![b.select(&first, &left[0], &right[0]), b.select(&first, &left[1], &right[1])]
            });
        for result in &results {
            self.keep(result);
        }
    }

    /// Mean and variance in one reduction (Welford).
    fn moments(&mut self, value: &Val) {
        let value = self.b.convert(value, Scalar::F32);
        let axis = self.c.below(value.ty.rank());
        let zero = self.b.constant(&value.ty, Number::ZERO);
        let one = self.b.constant(&value.ty, Number::One);
        let ty = Ty::tensor(Scalar::F32, &without(&value.ty.shape, axis));
        let types = [ty.clone(), ty.clone(), ty];
        let axis = self.b.int_attr(axis as i64, "i32");
        let results =
            self.b.combining(OpKind::TtReduce, &[value, zero, one], &types, &[("axis", axis)], |b, left, right| {
                let difference = b.sub(&right[0], &left[0]);
                let weight = b.add(&left[2], &right[2]);
                let share = b.binary(OpKind::ArithDivf, &right[2], &weight);
                let step = b.mul(&difference, &share);
                let mean = b.add(&left[0], &step);
                let spread = b.add(&left[1], &right[1]);
                let square = b.mul(&difference, &difference);
                let square = b.mul(&square, &left[2]);
                let square = b.mul(&square, &share);
                vec![mean, b.add(&spread, &square), weight]
            });
        for result in &results {
            self.keep(result);
        }
    }

    /// The statement: a scan of one or two tensors.
    pub fn scan(&mut self) {
        let value = self.reducible();
        let value = match value.ty.scalar {
            Scalar::BF16 | Scalar::F8E5M2 => self.b.convert(&value, Scalar::F32),
            Scalar::I8 | Scalar::I16 => self.b.convert(&value, Scalar::I32),
            _ => value,
        };
        let place = self.c.below(value.ty.rank());
        let (axis, reverse) = (self.b.int_attr(place as i64, "i32"), self.c.chance(25));
        let reverse = self.b.bool_attr(reverse);
        let props = [("axis", axis), ("reverse", reverse)];
        let ty = value.ty.clone();
        let results = if ty.is_float() && self.c.chance(25) {
            // A linear recurrence: pairs of a factor and a sum.
            let other = self.want(&ty, 1);
            self.b.combining(OpKind::TtScan, &[value, other], &[ty.clone(), ty], &props, |b, left, right| {
                let factor = b.mul(&left[0], &right[0]);
                let moved = b.mul(&left[1], &right[0]);
                vec![factor, b.add(&moved, &right[1])]
            })
        } else {
            let combiner = self.c.one_of(Combiner::Sum, &Combiner::ALL);
            self.b.combining(OpKind::TtScan, &[value], &[ty], &props, |b, left, right| {
                vec![combiner.apply(b, &left[0], &right[0])]
            })
        };
        for result in &results {
            self.keep(result);
        }
    }
}
