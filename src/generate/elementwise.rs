//! Arithmetic: one more operation on a value, as an expression in a kernel grows. Values are widened where the front end
//! widens them (division and elementary functions of narrow floats).

use super::generator::Generator;
use super::ops::Compare;
use super::value::{Number, Scalar, Ty, Val};
use crate::ir::OpKind;

/// Elementary functions of `tl.math` on wide floats.
const FUNCTIONS: [OpKind; 10] = [
    OpKind::MathExp,
    OpKind::MathExp2,
    OpKind::MathLog,
    OpKind::MathLog2,
    OpKind::MathSqrt,
    OpKind::MathRsqrt,
    OpKind::MathSin,
    OpKind::MathCos,
    OpKind::MathFloor,
    OpKind::MathCeil,
];

impl Generator<'_, '_> {
    /// A value with one more operation on it, of the same type.
    pub fn grow(&mut self, value: &Val) -> Val {
        if value.ty.pointer {
            return value.clone();
        }
        if value.ty.is_mask() {
            let other = self.want(&value.ty.clone(), 1);
            let name = self.c.one_of(OpKind::ArithAndi, &[OpKind::ArithOri, OpKind::ArithXori]);
            return self.b.binary(name, value, &other);
        }
        if value.ty.scalar.is_float() { self.grow_float(value) } else { self.grow_integer(value) }
    }

    fn grow_float(&mut self, value: &Val) -> Val {
        let scalar = value.ty.scalar;
        if scalar == Scalar::F8E5M2 {
            let wide = self.b.convert(value, Scalar::F32);
            let wide = self.grow_float(&wide);
            return self.b.convert(&wide, scalar);
        }
        match self.c.below(14) {
            0..2 => {
                let other = self.want(&value.ty, 1);
                self.b.add(value, &other)
            }
            2 => {
                let other = self.want(&value.ty, 1);
                self.b.sub(value, &other)
            }
            3 | 4 => {
                let other = self.want(&value.ty, 1);
                self.b.mul(value, &other)
            }
            5 | 12 | 13 => self.in_wide(value, |generator, wide| {
                let name = generator.c.one_of(FUNCTIONS[0], &FUNCTIONS[1..]);
                generator.b.unary(name, wide)
            }),
            6 => self.in_wide(value, |generator, wide| {
                let other = generator.want(&wide.ty, 1);
                let precise = wide.ty.scalar == Scalar::F32 && generator.c.chance(20);
                generator.b.binary(if precise { OpKind::TtPreciseDivf } else { OpKind::ArithDivf }, wide, &other)
            }),
            7 => self.in_promoted(value, |generator, wide| {
                let other = generator.want(&wide.ty, 1);
                let nan = generator.c.chance(20);
                match (generator.c.chance(50), nan) {
                    (false, false) => generator.b.max(wide, &other),
                    (true, false) => generator.b.min(wide, &other),
                    (false, true) => generator.b.binary(OpKind::ArithMaximumf, wide, &other),
                    (true, true) => generator.b.binary(OpKind::ArithMinimumf, wide, &other),
                }
            }),
            8 => self.chosen(value),
            9 => self.b.unary(OpKind::MathAbsf, value),
            10 => self.in_promoted(value, Self::fused),
            _ => self.detour(value),
        }
    }

    /// `fma`, `clampf`, `erf`, `precise_sqrt`: functions of several arguments or of `f32` only.
    fn fused(&mut self, value: &Val) -> Val {
        match self.c.below(3) {
            0 => {
                let (a, b) = (self.want(&value.ty, 1), self.want(&value.ty, 1));
                let ty = value.ty.clone();
                self.b.pure(OpKind::MathFma, &[value, &a, &b], &ty, &[])
            }
            1 => {
                let low = self.b.constant(&value.ty, Number::Minus);
                let high = self.b.constant(&value.ty, Number::Two);
                let nan = self.b.int_attr(0, "i32");
                let ty = value.ty.clone();
                self.b.pure(OpKind::TtClampf, &[value, &low, &high], &ty, &[("propagateNan", nan)])
            }
            _ if value.ty.scalar == Scalar::F32 => {
                let name = self.c.one_of(OpKind::MathErf, &[OpKind::TtPreciseSqrt]);
                self.b.unary(name, value)
            }
            _ => self.b.unary(OpKind::MathAbsf, value),
        }
    }

    /// `where(comparison, value, other)`.
    fn chosen(&mut self, value: &Val) -> Val {
        let condition = if self.c.chance(50) && value.ty.is_tensor() {
            self.want(&value.ty.of(Scalar::I1), 1)
        } else {
            let limit = self.b.constant(&value.ty, Number::ZERO);
            let how = self.c.one_of(Compare::Greater, &Compare::ALL);
            self.b.compare(how, value, &limit)
        };
        let other = self.want(&value.ty, 1);
        self.b.select(&condition, value, &other)
    }

    /// Through another type and back: another float format, an integer, the bits.
    fn detour(&mut self, value: &Val) -> Val {
        let scalar = value.ty.scalar;
        match self.c.below(4) {
            0 if scalar == Scalar::F32 => {
                let bits = self.bitcast(value, Scalar::I32);
                let bits = self.grow_integer(&bits);
                self.bitcast(&bits, scalar)
            }
            1 => {
                let whole = self.b.convert(value, Scalar::I32);
                self.b.convert(&whole, scalar)
            }
            2 if scalar == Scalar::F32 && self.settings.has_fp8() && value.ty.is_tensor() && self.c.chance(40) => {
                let narrow = self.b.convert(value, Scalar::F8E5M2);
                self.b.convert(&narrow, scalar)
            }
            3 => {
                // An `i1` as a float.
                let zero = self.b.constant(&value.ty, Number::ZERO);
                let truth = self.b.compare(Compare::Less, value, &zero);
                let truth = self.b.convert(&truth, scalar);
                self.b.add(value, &truth)
            }
            _ => {
                let to = if scalar == Scalar::F32 { Scalar::F16 } else { Scalar::F32 };
                let other = self.b.convert(value, to);
                let other = self.b.mul(&other, &other);
                self.b.convert(&other, scalar)
            }
        }
    }

    fn bitcast(&mut self, value: &Val, to: Scalar) -> Val {
        self.b.cast(OpKind::TtBitcast, value, to)
    }

    /// In `f32` where the format is narrower, and back.
    fn in_wide(&mut self, value: &Val, work: impl FnOnce(&mut Self, &Val) -> Val) -> Val {
        let scalar = value.ty.scalar;
        let wide = if scalar.is_wide_float() { value.clone() } else { self.b.convert(value, Scalar::F32) };
        let wide = work(self, &wide);
        self.b.convert(&wide, scalar)
    }

    /// In `f32` where the format is `bf16`, and back.
    fn in_promoted(&mut self, value: &Val, work: impl FnOnce(&mut Self, &Val) -> Val) -> Val {
        if value.ty.scalar == Scalar::BF16 { self.in_wide(value, work) } else { work(self, value) }
    }

    fn grow_integer(&mut self, value: &Val) -> Val {
        let ty = value.ty.clone();
        let small = |generator: &mut Self, choices: &[i64]| {
            let number = generator.c.pick(choices).unwrap_or(1);
            generator.b.number(&ty, number)
        };
        match self.c.below(12) {
            0 | 1 => {
                let other = self.want(&ty, 1);
                self.b.add(value, &other)
            }
            2 => {
                let other = self.want(&ty, 1);
                self.b.sub(value, &other)
            }
            3 => {
                let other = self.want(&ty, 1);
                self.b.mul(value, &other)
            }
            4 => {
                let divisor = small(self, &[7, 2, 3, 16]);
                let name =
                    self.c.one_of(OpKind::ArithDivsi, &[OpKind::ArithRemsi, OpKind::ArithDivui, OpKind::ArithRemui]);
                self.b.binary(name, value, &divisor)
            }
            5 => {
                let places = small(self, &[1, 2, 3]);
                let name = self.c.one_of(OpKind::ArithShli, &[OpKind::ArithShrsi, OpKind::ArithShrui]);
                self.b.binary(name, value, &places)
            }
            6 | 7 => {
                let other = self.want(&ty, 1);
                let name = self.c.one_of(OpKind::ArithXori, &[OpKind::ArithAndi, OpKind::ArithOri]);
                self.b.binary(name, value, &other)
            }
            8 => {
                let other = self.want(&ty, 1);
                let name =
                    self.c.one_of(OpKind::ArithMaxsi, &[OpKind::ArithMinsi, OpKind::ArithMaxui, OpKind::ArithMinui]);
                self.b.binary(name, value, &other)
            }
            9 => self.chosen(value),
            10 if ty.scalar == Scalar::I32 && ty.is_tensor() => {
                let other = self.want(&ty, 1);
                self.b.binary(OpKind::TtMulhiui, value, &other)
            }
            10 => self.b.unary(OpKind::MathAbsi, value),
            _ => {
                let to = if ty.scalar == Scalar::I64 { Scalar::I32 } else { Scalar::I64 };
                let other = self.b.convert(value, to);
                let other = self.b.mul(&other, &other);
                self.b.convert(&other, ty.scalar)
            }
        }
    }

    /// Data to work on: a visible tensor, or a new one from memory.
    pub fn working_tensor(&mut self) -> Val {
        if self.c.chance(60)
            && let Some(value) = self.choose(|ty| ty.is_tensor() && !ty.pointer && ty.scalar != Scalar::I1)
        {
            return value;
        }
        self.fresh_tensor()
    }

    /// A new tensor from memory, most often of rank 1 or 2.
    pub fn fresh_tensor(&mut self) -> Val {
        let rank = self.c.one_of(2, &[1, 2, 1, 2, 3]);
        let shape = self.shape(rank);
        let scalar = self.data();
        self.load(&Ty::tensor(scalar, &shape))
    }

    /// The statement: an expression of some operations over a tensor or a scalar, kept or stored.
    pub fn elementwise(&mut self) {
        let mut value = if self.c.chance(15) {
            let ty = Ty::scalar(self.c.one_of(Scalar::F32, &[Scalar::I32]));
            self.want(&ty, 1)
        } else {
            self.working_tensor()
        };
        for _ in 0..self.c.between(1, 4) {
            value = self.grow(&value);
        }
        self.keep(&value);
        if self.c.chance(25) {
            self.store(&value);
        }
    }
}
