//! Random loops: `scf.for` with carried values of all kinds, nested in one another, and `scf.while`.

use crate::generate::combine::Combiner;
use crate::generate::generator::Generator;
use crate::generate::memory::Tile;
use crate::generate::ops::Compare;
use crate::generate::value::{Number, Scalar, Ty, Val};
use crate::ir::{AttrId, OpKind};

/// Most values that a random loop carries.
const MOST_CARRIED: u32 = 4;

enum Role {
    /// A value that the body updates.
    Accumulator,
    /// A tile of pointers that the body advances.
    Tile(Tile),
}

impl Generator<'_, '_> {
    /// Bounds and step of a loop: over an argument, over its blocks, strided by the grid, over a constant.
    pub fn bounds(&mut self) -> [Val; 3] {
        let bound = self.argument(&Ty::scalar(Scalar::I32));
        let (zero, one) = (self.b.i32(0), self.b.i32(1));
        let size = self.size().max(2);
        match self.c.below(6) {
            0 | 1 => [zero, bound, one],
            2 => {
                let step = self.b.i32(size.into());
                [zero, bound, step]
            }
            3 => {
                let blocks = self.ceil_div(&bound, size);
                [zero, blocks, one]
            }
            4 => {
                let (pid, programs) = (self.b.program_id(0), self.b.num_programs(0));
                [pid, bound, programs]
            }
            _ => {
                let count = self.c.one_of(4, &[8, 3, 16]);
                let count = self.b.i32(count);
                [zero, count, one]
            }
        }
    }

    /// `tl.cdiv(a, size)`.
    pub fn ceil_div(&mut self, a: &Val, size: u32) -> Val {
        let (less, size) = (self.b.i32(i64::from(size) - 1), self.b.i32(size.into()));
        let sum = self.b.add(a, &less);
        self.b.binary(OpKind::ArithDivsi, &sum, &size)
    }

    /// What `tl.range` leaves on a loop.
    pub fn loop_attrs(&mut self) -> Vec<(&'static str, AttrId)> {
        let mut attrs = Vec::new();
        if self.c.chance(10) {
            let stages = self.c.one_of(2, &[1, 3, 4]);
            attrs.push(("tt.num_stages", self.b.int_attr(stages, "i32")));
        }
        if self.c.chance(4) && self.settings.is_nvidia() {
            attrs.push(("tt.flatten", self.b.unit_attr()));
        }
        attrs
    }

    /// The statement: a loop over carried values with statements in it.
    pub fn counted_loop(&mut self) {
        let bounds = self.bounds();
        let mut inits = Vec::new();
        let mut roles = Vec::new();
        for _ in 0..self.c.between(1, MOST_CARRIED) {
            let (init, role) = self.carried();
            inits.push(init);
            roles.push(role);
        }
        let around = self.b.begin_for(bounds.each_ref(), &inits);
        let carried = around.carried.clone();
        self.open(Some(around.induction.clone()));
        for (value, role) in carried.iter().zip(&roles) {
            match role {
                Role::Accumulator => self.keep(value),
                Role::Tile(tile) => {
                    let tile = Tile { pointer: value.clone(), axes: tile.axes.clone() };
                    if self.c.chance(70) {
                        let loaded = self.load_tile(&tile);
                        self.keep(&loaded);
                    }
                    self.scope().tiles.push(tile);
                }
            }
        }
        let count = self.c.between(0, 3);
        self.statements(count);
        let yields: Vec<Val> = carried.iter().map(|value| self.next(value)).collect();
        self.close();
        self.shut();
        let attrs = self.loop_attrs();
        let results = self.b.end_loop(around, &yields, &attrs);
        for (value, role) in results.iter().zip(&roles) {
            if matches!(role, Role::Accumulator) {
                self.keep(value);
                self.use_up(value);
            }
        }
    }

    fn carried(&mut self) -> (Val, Role) {
        match self.c.below(6) {
            0 | 1 => {
                let arithmetic = |ty: &Ty| !ty.pointer && ty.scalar != Scalar::I1 && ty.scalar != Scalar::F8E5M2;
                if let Some(value) = self.choose(arithmetic) {
                    return (value, Role::Accumulator);
                }
            }
            2 => {
                let scalar = self.c.one_of(Scalar::F32, &[Scalar::I32]);
                let number = self.c.one_of(Number::ZERO, &[Number::One]);
                let init = self.b.constant(&Ty::scalar(scalar), number);
                return (init, Role::Accumulator);
            }
            3 => {
                let rank = self.c.one_of(2, &[1]);
                let shape = self.shape(rank);
                let axes = self.axes(&shape);
                let scalar = self.data();
                let base = self.base(scalar);
                let tile = self.tile(&base, &axes);
                return (tile.pointer.clone(), Role::Tile(tile));
            }
            _ => {}
        }
        // An accumulator, often of the type of a visible value.
        let number = self.c.one_of(Number::ZERO, &[Number::One, Number::NegativeInfinity]);
        let arithmetic = |ty: &Ty| ty.is_tensor() && ty.is_float() && ty.scalar != Scalar::F8E5M2;
        if self.c.chance(60)
            && let Some(like) = self.choose(arithmetic)
        {
            return (self.b.constant(&like.ty, number), Role::Accumulator);
        }
        let rank = self.c.one_of(2, &[1, 1]);
        let shape = self.shape(rank);
        let scalar = self.arithmetic_float();
        (self.b.constant(&Ty::tensor(scalar, &shape), number), Role::Accumulator)
    }

    /// The value that a loop yields for a carried value: advanced, combined with another value, or replaced.
    pub fn next(&mut self, value: &Val) -> Val {
        if value.ty.pointer {
            let like = value.ty.of(Scalar::I32);
            let step = if self.c.chance(40) {
                let stride = self.argument(&Ty::scalar(Scalar::I32));
                self.b.splat(&stride, &like.shape)
            } else {
                let size = self.size();
                self.b.number(&like, size.into())
            };
            return self.b.addptr(value, &step);
        }
        let other = self.partner(value);
        match self.c.below(7) {
            0..3 => self.b.add(value, &other),
            3 if value.ty.scalar != Scalar::BF16 => self.b.max(value, &other),
            4 => {
                let factor = self.want(&value.ty, 1);
                let scaled = self.b.mul(value, &factor);
                self.b.add(&scaled, &other)
            }
            5 if self.b.uses(value) > 0 => other,
            6 => {
                let condition = self.condition();
                self.b.select(&condition, value, &other)
            }
            _ => self.b.mul(value, &other),
        }
    }

    /// Another value of the same type: preferably an unused one, or a reduction of a larger tensor.
    fn partner(&mut self, value: &Val) -> Val {
        let ty = value.ty.clone();
        let others = self.visible(|other| *other == ty);
        let unused = others.iter().find(|other| self.b.uses(other) == 0 && *other != value).cloned();
        if let Some(unused) = unused
            && self.c.chance(80)
        {
            return unused;
        }
        let larger = |other: &Ty| {
            !other.pointer
                && other.scalar == ty.scalar
                && other.rank() == ty.rank() + 1
                && (0..other.rank()).any(|axis| matches_without(&other.shape, axis, &ty.shape))
        };
        if let Some(tensor) = self.choose(larger)
            && let Some(axis) = (0..tensor.ty.rank()).find(|&axis| matches_without(&tensor.ty.shape, axis, &ty.shape))
        {
            return self.reduced(&tensor, axis, &ty);
        }
        if ty.rank() == 1 && self.c.chance(40) && ty.scalar != Scalar::I1 {
            // A row sum of a fresh tile: the axis to reduce over comes first or last.
            let row = ty.shape.first().copied().unwrap_or(1);
            let size = self.size_beside(row.into());
            let first = self.c.chance(40);
            let shape = if first { [size, row] } else { [row, size] };
            let tile = self.load(&ty.shaped(&shape));
            return self.reduced(&tile, usize::from(!first), &ty);
        }
        let value = self.want(&ty, 2);
        if self.c.chance(30) { self.grow(&value) } else { value }
    }

    /// A reduction cast to a type: one of 8-bit floats returns a wider type.
    fn reduced(&mut self, tensor: &Val, axis: usize, ty: &Ty) -> Val {
        let row = self.reduce_over(tensor, axis);
        self.b.convert(&row, ty.scalar)
    }

    /// Sometimes uses a result at once: in a store, or in an expression that is kept.
    pub fn use_up(&mut self, value: &Val) {
        match self.c.below(5) {
            0 => self.store(value),
            1 => {
                let grown = self.grow(value);
                self.keep(&grown);
            }
            2 => {
                let square = self.b.mul(value, value);
                self.keep(&square);
            }
            _ => {}
        }
    }

    /// The statement: an iteration that runs until an error is small, bounded by a count.
    pub fn while_loop(&mut self) {
        let ty = match self.choose(|ty| ty.is_tensor() && ty.is_float() && ty.scalar == Scalar::F32) {
            Some(value) => value.ty,
            None => {
                let shape = self.shape(1);
                Ty::tensor(Scalar::F32, &shape)
            }
        };
        let (error, count) = (Ty::scalar(Scalar::F32), Ty::scalar(Scalar::I32));
        let first = self.want(&ty, 2);
        let inits = [self.b.constant(&error, Number::One), first, self.b.i32(0)];
        let results = [ty, count];
        let around = self.b.begin_while(&inits, &results);
        let limit = self.b.constant(&error, Number::Half);
        let goes_on = self.b.compare(Compare::Greater, &around.carried[0], &limit);
        let most = self.c.one_of(8, &[16, 50]);
        let most = self.b.i32(most);
        let few = self.b.compare(Compare::Less, &around.carried[2], &most);
        let goes_on = self.b.binary(OpKind::ArithAndi, &goes_on, &few);
        let passed = self.b.while_body(&around, &goes_on, &around.carried[1..]);
        self.open(None);
        self.keep(&passed[0]);
        let count = self.c.between(0, 2);
        self.statements(count);
        let next = self.next(&passed[0]);
        let step = self.b.sub(&next, &passed[0]);
        let step = self.b.unary(OpKind::MathAbsf, &step);
        let mut step = step;
        while step.ty.is_tensor() {
            step = self.reduce_with(&step, 0, Combiner::Max);
        }
        let one = self.b.i32(1);
        let counted = self.b.add(&passed[1], &one);
        self.close();
        self.shut();
        let results = self.b.end_loop(around, &[step, next, counted], &[]);
        for value in results.iter().take(1) {
            self.keep(value);
        }
    }
}

/// Whether a shape without a dimension is another shape.
fn matches_without(shape: &[u32], axis: usize, other: &[u32]) -> bool {
    shape.len() == other.len() + 1 && shape[..axis] == other[..axis] && shape[axis + 1..] == other[axis..]
}
