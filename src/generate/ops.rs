//! Single operations with inferred types, in the form that Triton's front end emits.

use super::builder::Builder;
use super::value::{Number, Scalar, Shape, Ty, Val};
use crate::ir::{AttrId, OpKind};

/// The integer that MLIR stores for a comparison of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compare {
    Equal = 0,
    NotEqual = 1,
    Less = 2,
    LessEqual = 3,
    Greater = 4,
    GreaterEqual = 5,
}

impl Compare {
    pub const ALL: [Compare; 6] =
        [Compare::Less, Compare::GreaterEqual, Compare::Equal, Compare::NotEqual, Compare::LessEqual, Compare::Greater];

    /// The ordered comparison of floats; `!=` is the unordered one.
    fn of_floats(self) -> i64 {
        match self {
            Compare::Equal => 1,
            Compare::Greater => 2,
            Compare::GreaterEqual => 3,
            Compare::Less => 4,
            Compare::LessEqual => 5,
            Compare::NotEqual => 13,
        }
    }
}

impl Builder {
    /// `op a, b`, both of one type.
    pub fn binary(&mut self, kind: OpKind, a: &Val, b: &Val) -> Val {
        let ty = a.ty.clone();
        self.pure(kind, &[a, b], &ty, &[])
    }

    /// `op a`, the type kept.
    pub fn unary(&mut self, kind: OpKind, a: &Val) -> Val {
        let ty = a.ty.clone();
        self.pure(kind, &[a], &ty, &[])
    }

    pub fn cast(&mut self, kind: OpKind, a: &Val, to: Scalar) -> Val {
        let ty = a.ty.of(to);
        self.pure(kind, &[a], &ty, &[])
    }

    pub fn add(&mut self, a: &Val, b: &Val) -> Val {
        self.binary(if a.ty.is_float() { OpKind::ArithAddf } else { OpKind::ArithAddi }, a, b)
    }

    pub fn mul(&mut self, a: &Val, b: &Val) -> Val {
        self.binary(if a.ty.is_float() { OpKind::ArithMulf } else { OpKind::ArithMuli }, a, b)
    }

    pub fn sub(&mut self, a: &Val, b: &Val) -> Val {
        self.binary(if a.ty.is_float() { OpKind::ArithSubf } else { OpKind::ArithSubi }, a, b)
    }

    /// `tl.maximum` with the default NaN propagation.
    pub fn max(&mut self, a: &Val, b: &Val) -> Val {
        self.binary(if a.ty.is_float() { OpKind::ArithMaxnumf } else { OpKind::ArithMaxsi }, a, b)
    }

    pub fn min(&mut self, a: &Val, b: &Val) -> Val {
        self.binary(if a.ty.is_float() { OpKind::ArithMinnumf } else { OpKind::ArithMinsi }, a, b)
    }

    pub fn compare(&mut self, how: Compare, a: &Val, b: &Val) -> Val {
        let (kind, number) =
            if a.ty.is_float() { (OpKind::ArithCmpf, how.of_floats()) } else { (OpKind::ArithCmpi, how as i64) };
        let predicate = self.int_attr(number, "i64");
        let ty = a.ty.of(Scalar::I1);
        self.pure(kind, &[a, b], &ty, &[("predicate", predicate)])
    }

    pub fn select(&mut self, condition: &Val, a: &Val, b: &Val) -> Val {
        let ty = a.ty.clone();
        self.pure(OpKind::ArithSelect, &[condition, a, b], &ty, &[])
    }

    /// Splats a scalar; returns it unchanged for an empty shape. A constant is folded into a constant.
    pub fn splat(&mut self, a: &Val, shape: &[u32]) -> Val {
        if shape.is_empty() {
            return a.clone();
        }
        let ty = a.ty.shaped(shape);
        if let Some(number) = self.number_of(a) {
            return self.constant(&ty, number);
        }
        self.pure(OpKind::TtSplat, &[a], &ty, &[])
    }

    pub fn number(&mut self, ty: &Ty, number: i64) -> Val {
        self.constant(ty, Number::Integer(number))
    }

    pub fn broadcast(&mut self, a: &Val, shape: &[u32]) -> Val {
        if a.ty.shape.as_slice() == shape {
            return a.clone();
        }
        let ty = a.ty.shaped(shape);
        self.pure(OpKind::TtBroadcast, &[a], &ty, &[])
    }

    pub fn expand_dims(&mut self, a: &Val, axis: usize) -> Val {
        let mut shape = a.ty.shape.clone();
        shape.insert(axis.min(shape.len()), 1);
        let ty = a.ty.shaped(&shape);
        let axis = self.int_attr(axis as i64, "i32");
        self.pure(OpKind::TtExpandDims, &[a], &ty, &[("axis", axis)])
    }

    /// Expands a tensor of rank 1 to `rank` dimensions, all of size 1 but `axis`.
    pub fn along(&mut self, a: &Val, axis: usize, rank: usize) -> Val {
        let mut value = a.clone();
        for place in (0..rank).filter(|&place| place != axis) {
            value = self.expand_dims(&value, place);
        }
        value
    }

    pub fn range(&mut self, size: u32) -> Val {
        let (start, end) = (self.int_attr(0, "i32"), self.int_attr(size.into(), "i32"));
        self.pure(OpKind::TtMakeRange, &[], &Ty::tensor(Scalar::I32, &[size]), &[("end", end), ("start", start)])
    }

    pub fn program_id(&mut self, axis: u32) -> Val {
        let axis = self.int_attr(axis.into(), "i32");
        self.pure(OpKind::TtGetProgramId, &[], &Ty::scalar(Scalar::I32), &[("axis", axis)])
    }

    pub fn num_programs(&mut self, axis: u32) -> Val {
        let axis = self.int_attr(axis.into(), "i32");
        self.pure(OpKind::TtGetNumPrograms, &[], &Ty::scalar(Scalar::I32), &[("axis", axis)])
    }

    pub fn addptr(&mut self, pointer: &Val, offset: &Val) -> Val {
        let ty = pointer.ty.clone();
        self.pure(OpKind::TtAddptr, &[pointer, offset], &ty, &[])
    }

    /// A load; `extra` are its cache attributes.
    pub fn load(&mut self, pointer: &Val, mask: Option<&Val>, other: Option<&Val>, extra: &[(&str, AttrId)]) -> Val {
        let ty = pointer.ty.of(pointer.ty.scalar);
        let group = |value: Option<&Val>| value.cloned().into_iter().collect::<Vec<_>>();
        self.one(OpKind::TtLoad, &[std::slice::from_ref(pointer), &group(mask), &group(other)], &ty, extra)
    }

    pub fn store(&mut self, pointer: &Val, value: &Val, mask: Option<&Val>, extra: &[(&str, AttrId)]) {
        let mask: Vec<Val> = mask.cloned().into_iter().collect();
        self.op(OpKind::TtStore, &[std::slice::from_ref(pointer), std::slice::from_ref(value), &mask], &[], extra);
    }

    pub fn reshape(&mut self, a: &Val, shape: &[u32], reorder: bool) -> Val {
        let ty = a.ty.shaped(shape);
        if reorder {
            let unit = self.unit_attr();
            return self.pure(OpKind::TtReshape, &[a], &ty, &[("allow_reorder", unit)]);
        }
        self.pure(OpKind::TtReshape, &[a], &ty, &[])
    }

    pub fn transpose(&mut self, a: &Val, order: &[u32]) -> Val {
        let shape: Shape = order.iter().filter_map(|&from| a.ty.shape.get(from as usize).copied()).collect();
        let ty = a.ty.shaped(&shape);
        let order = self.array_attr(order);
        self.pure(OpKind::TtTrans, &[a], &ty, &[("order", order)])
    }

    /// Casts to another element type with the operation that the front end emits for the pair.
    pub fn convert(&mut self, a: &Val, to: Scalar) -> Val {
        let from = a.ty.scalar;
        if from == to {
            return a.clone();
        }
        if from == Scalar::I1 {
            return self.cast(if to.is_float() { OpKind::ArithUitofp } else { OpKind::ArithExtui }, a, to);
        }
        if to == Scalar::I1 {
            let zero = self.constant(&a.ty, Number::ZERO);
            return self.compare(Compare::NotEqual, a, &zero);
        }
        match (from.is_float(), to.is_float()) {
            (false, false) if from.bits() < to.bits() => self.cast(OpKind::ArithExtsi, a, to),
            (false, false) => self.cast(OpKind::ArithTrunci, a, to),
            (false, true) => self.cast(OpKind::ArithSitofp, a, to),
            (true, false) => self.cast(OpKind::ArithFptosi, a, to),
            (true, true) if from == Scalar::F8E5M2 => self.cast(OpKind::TtFpToFp, a, to),
            (true, true) if to == Scalar::F8E5M2 => {
                let rounding = self.int_attr(1, "i32");
                let ty = a.ty.of(to);
                self.pure(OpKind::TtFpToFp, &[a], &ty, &[("rounding", rounding)])
            }
            (true, true) if from.bits() < to.bits() => self.cast(OpKind::ArithExtf, a, to),
            (true, true) if from.bits() > to.bits() => self.cast(OpKind::ArithTruncf, a, to),
            // Between `f16` and `bf16`, through `f32`.
            (true, true) => {
                let wide = self.cast(OpKind::ArithExtf, a, Scalar::F32);
                self.cast(OpKind::ArithTruncf, &wide, to)
            }
        }
    }
}
