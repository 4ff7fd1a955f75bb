//! Matrix products: a loop over blocks of the inner dimension that carries the accumulator, with tiles of pointers that are
//! carried or recomputed, or a single dot; operands are loaded, cast, scaled, transposed, or the result of another dot.

use super::mask_reuse::Rows;
use crate::generate::builder::Loop;
use crate::generate::generator::Generator;
use crate::generate::memory::{Axis, Tile};
use crate::generate::ops::Compare;
use crate::generate::value::{Scalar, Ty, Val};
use crate::ir::AttrId;
use crate::ir::OpKind;

/// Element types of a product.
#[derive(Debug, Clone, Copy)]
pub(super) struct Formats {
    pub operand: Scalar,
    pub accumulator: Scalar,
}

impl Generator<'_, '_> {
    pub(super) fn dot_formats(&mut self) -> Formats {
        let float = self.float();
        let operand = match float {
            Scalar::F64 => Scalar::F32,
            Scalar::F8E5M2 if !self.settings.has_fp8_dot() => Scalar::F16,
            Scalar::F32 if self.c.chance(50) => Scalar::F16,
            scalar => scalar,
        };
        if self.config.integers.contains(&Scalar::I8) && self.c.chance(20) {
            return Formats { operand: Scalar::I8, accumulator: Scalar::I32 };
        }
        let half = operand == Scalar::F16 && self.c.chance(8);
        Formats { operand, accumulator: if half { Scalar::F16 } else { Scalar::F32 } }
    }

    /// A size that a dot takes: at least 16, and 32 along the inner dimension of bytes.
    pub(super) fn dot_size(&mut self, least: u32) -> u32 {
        self.size().clamp(least, 256)
    }

    /// `tl.dot(a, b, c)`.
    pub(super) fn dot(&mut self, a: &Val, b: &Val, c: &Val) -> Val {
        // 0 is `tf32`, the front end's default for NVIDIA; 2, `ieee`, is not printed.
        let mut precision = if self.settings.is_nvidia() { 0 } else { 2 };
        if a.ty.scalar == Scalar::F32 {
            precision = match self.c.below(6) {
                0 => 2,
                1 if self.settings.is_nvidia() => 1,
                _ => precision,
            };
        }
        let precision = self.b.int_attr(precision, "i32");
        let imprecise = if a.ty.scalar == Scalar::F8E5M2 && self.c.chance(30) { 32 } else { 0 };
        let imprecise = self.b.int_attr(imprecise, "i32");
        let props: [(&str, AttrId); 2] = [("inputPrecision", precision), ("maxNumImpreciseAcc", imprecise)];
        let ty = c.ty.clone();
        self.b.pure(OpKind::TtDot, &[a, b, c], &ty, &props)
    }

    /// The statement: a product in a loop, or a single one of what is visible.
    pub fn matmul(&mut self) {
        if self.c.chance(25) { self.single_dot() } else { self.matmul_over(None) }
    }

    fn single_dot(&mut self) {
        let formats = self.dot_formats();
        let least = if formats.operand.bits() == 8 { 32 } else { 16 };
        let visible = |ty: &Ty| {
            ty.rank() == 2
                && (ty.is_float() || ty.scalar == Scalar::I32)
                && ty.shape.iter().all(|&size| (least..=256).contains(&size))
        };
        let a = match self.choose(visible) {
            Some(value) => self.b.convert(&value, formats.operand),
            None => {
                let shape = [self.dot_size(16), self.dot_size(least)];
                self.load(&Ty::tensor(formats.operand, &shape))
            }
        };
        let shape = [a.ty.shape[1], self.dot_size(16)];
        let b = self.operand(&shape, formats.operand);
        let c = self.b.number(&Ty::tensor(formats.accumulator, &[a.ty.shape[0], shape[1]]), 0);
        let c = if self.c.chance(20) { self.want(&c.ty, 2) } else { c };
        let d = self.dot(&a, &b, &c);
        self.keep(&d);
    }

    /// An operand of a dot: loaded, transposed, or cast from a narrower type.
    pub(super) fn operand(&mut self, shape: &[u32; 2], scalar: Scalar) -> Val {
        match self.c.below(6) {
            0 => {
                let loaded = self.load(&Ty::tensor(scalar, &[shape[1], shape[0]]));
                self.b.transpose(&loaded, &[1, 0])
            }
            1 if matches!(scalar, Scalar::F16 | Scalar::BF16) => {
                let loaded = self.load(&Ty::tensor(Scalar::I8, shape));
                self.b.convert(&loaded, scalar)
            }
            2 if scalar != Scalar::F8E5M2 && scalar.is_float() => {
                let loaded = self.load(&Ty::tensor(scalar, shape));
                self.grow(&loaded)
            }
            _ => self.load(&Ty::tensor(scalar, shape)),
        }
    }

    /// A product over blocks of the inner dimension, masked by `rows` where they are given.
    pub(super) fn matmul_over(&mut self, rows: Option<&Rows>) {
        let formats = self.dot_formats();
        let least = if formats.operand.bits() == 8 { 32 } else { 16 };
        let (n, k) = (self.dot_size(16), self.dot_size(least));
        let (row_axis, m) = match rows {
            Some(rows) => (rows.axis.clone(), rows.axis.size()),
            None => {
                let m = self.dot_size(16);
                (self.axis(m), m)
            }
        };
        let columns = self.axis(n);
        let inner = self.b.range(k);
        let length = self.argument(&Ty::scalar(Scalar::I32));
        let range = Axis { index: inner, bound: length.clone() };
        let bases = [self.base(formats.operand), self.base(formats.operand)];
        let carried_pointers = self.c.chance(60);
        let tiles = carried_pointers.then(|| {
            let a = self.tile(&bases[0], &[row_axis.clone(), range.clone()]);
            let b = self.tile(&bases[1], &[range.clone(), columns.clone()]);
            [a, b]
        });
        let accumulator = self.b.number(&Ty::tensor(formats.accumulator, &[m, n]), 0);
        let mut inits = vec![accumulator];
        inits.extend(tiles.iter().flatten().map(|tile| tile.pointer.clone()));
        let by_block = carried_pointers || self.c.chance(50);
        let (zero, one) = (self.b.i32(0), self.b.i32(1));
        let (blocks, step) =
            if by_block { (self.ceil_div(&length, k), one) } else { (length.clone(), self.b.i32(k.into())) };
        let around = self.b.begin_for([&zero, &blocks, &step], &inits);
        self.open(Some(around.induction.clone()));
        let (left, right) = self.inner_operands(&around, &tiles, rows, (&row_axis, &range, &columns), by_block, &bases);
        let left = self.touched(&left);
        let mut sum = self.dot(&left, &right, &around.carried[0]);
        if self.c.chance(12) && sum.ty.is_float() {
            sum = self.grow(&sum);
        }
        if self.c.chance(20) {
            self.statements(1);
        }
        let mut yields = vec![sum];
        for pointer in &around.carried[1..] {
            yields.push(self.next(pointer));
        }
        self.close();
        self.shut();
        let attrs = self.loop_attrs();
        if let Some(result) = self.b.end_loop(around, &yields, &attrs).first() {
            self.finish_product(result, &row_axis, &columns, rows);
        }
    }

    /// The two tiles of one iteration, possibly masked by the remaining inner dimension.
    fn inner_operands(
        &mut self,
        around: &Loop,
        tiles: &Option<[Tile; 2]>,
        rows: Option<&Rows>,
        (row_axis, range, columns): (&Axis, &Axis, &Axis),
        by_block: bool,
        bases: &[Val; 2],
    ) -> (Val, Val) {
        let (m, k, n) = (row_axis.size(), range.size(), columns.size());
        let masked = self.c.chance(self.config.masked);
        let start = if by_block {
            let size = self.b.i32(k.into());
            self.b.mul(&around.induction, &size)
        } else {
            around.induction.clone()
        };
        let left = self.b.sub(&range.bound, &start);
        let inside = |generator: &mut Self, place: usize| {
            let index = generator.b.along(&range.index, place, 2);
            let bound = generator.b.splat(&left, &index.ty.shape);
            generator.b.compare(Compare::Less, &index, &bound)
        };
        let masks: [Option<Val>; 2] =
            [masked.then(|| inside(self, 1)), (masked && self.c.chance(80)).then(|| inside(self, 0))];
        let a_mask = match rows {
            Some(rows) => self.rows_and(rows, masks[0].as_ref(), &[m, k]),
            None => masks[0].as_ref().map(|mask| self.b.broadcast(mask, &[m, k])),
        };
        let b_mask = masks[1].as_ref().map(|mask| self.b.broadcast(mask, &[k, n]));
        let pointers = match tiles {
            Some(_) => [around.carried[1].clone(), around.carried[2].clone()],
            None => {
                let begin = self.b.splat(&start, &[k]);
                let index = self.b.add(&begin, &range.index);
                let here = Axis { index, bound: range.bound.clone() };
                let a = self.tile(&bases[0], &[row_axis.clone(), here.clone()]);
                let b = self.tile(&bases[1], &[here, columns.clone()]);
                [a.pointer, b.pointer]
            }
        };
        let [a, b] = [(&pointers[0], a_mask), (&pointers[1], b_mask)].map(|(pointer, mask)| {
            let zero = self.b.number(&pointer.ty.of(pointer.ty.scalar), 0);
            let other = mask.is_some() && self.c.chance(80);
            self.b.load(pointer, mask.as_ref(), other.then_some(&zero), &[])
        });
        (a, b)
    }

    /// Sometimes an elementwise operation on the left operand.
    fn touched(&mut self, value: &Val) -> Val {
        if value.ty.scalar == Scalar::F8E5M2 || !value.ty.is_float() || !self.c.chance(15) {
            return value.clone();
        }
        self.grow(value)
    }

    /// What follows a product: an epilogue, and a store over its rows and columns or another use.
    fn finish_product(&mut self, product: &Val, rows: &Axis, columns: &Axis, masked: Option<&Rows>) {
        let mut value = product.clone();
        if self.c.chance(30) {
            value = self.grow(&value);
        }
        if !self.c.chance(70) {
            self.keep(&value);
            return;
        }
        if value.ty.scalar == Scalar::F32 && self.c.chance(70) {
            let to = self.float();
            value = self.b.convert(&value, to);
        }
        let base = self.base(value.ty.scalar);
        let axes = [rows.clone(), columns.clone()];
        let tile = self.tile(&base, &axes);
        let mask = match masked {
            Some(masked) => {
                let column_mask = self.c.chance(70).then(|| self.bounded(columns, 1, 2));
                self.rows_and(masked, column_mask.as_ref(), &value.ty.shape)
            }
            None => self.mask(&axes),
        };
        self.b.store(&tile.pointer, &value, mask.as_ref(), &[]);
    }
}
