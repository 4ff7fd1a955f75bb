//! Mask reuse: one mask of rows is used at several places: in a block that returns early, in a branch, in a loop, after it;
//! alone or combined with a mask of columns, at rank 1 or broadcast over a tile. Kernels over ragged batches, with tokens
//! sorted by expert, look like this.

use crate::generate::generator::Generator;
use crate::generate::memory::Axis;
use crate::generate::ops::Compare;
use crate::generate::value::{Number, Scalar, Ty, Val};
use crate::ir::OpKind;

/// The rows of a kernel and the mask over them.
pub(super) struct Rows {
    pub axis: Axis,
    pub mask: Val,
}

impl Generator<'_, '_> {
    /// The statement: rows with a mask, then two to four places that use it.
    pub fn mask_reuse(&mut self) {
        let rows = self.rows();
        let places = self.c.between(2, 4);
        for _ in 0..places {
            match self.c.below(6) {
                0 | 1 if self.b.at_top() && !self.in_device => self.rows_exit(&rows),
                2 => self.rows_branch(&rows),
                3 | 4 => self.rows_loop(&rows),
                _ => self.rows_use(&rows),
            }
        }
        self.rows_use(&rows);
    }

    fn rows(&mut self) -> Rows {
        let size = self.size();
        let mut axis = self.new_axis(size);
        if self.c.chance(30) {
            // Row indices that are read from a table.
            let base = self.base(Scalar::I32);
            let tile = self.tile(&base, std::slice::from_ref(&axis));
            let named = self.b.load(&tile.pointer, None, None, &[]);
            axis.index = self.b.convert(&named, axis.bound.ty.scalar);
            if self.c.chance(50) && axis.bound.ty.scalar == Scalar::I32 {
                axis.index = self.b.convert(&axis.index, Scalar::I64);
                axis.bound = self.b.convert(&axis.bound, Scalar::I64);
            }
            self.scope().axes.push(axis.clone());
        }
        let bound = self.b.splat(&axis.bound, &[size]);
        let mut mask = self.b.compare(Compare::Less, &axis.index, &bound);
        if self.c.chance(15) {
            let zero = self.b.constant(&axis.index.ty, Number::ZERO);
            let above = self.b.compare(Compare::GreaterEqual, &axis.index, &zero);
            mask = self.b.binary(OpKind::ArithAndi, &mask, &above);
        }
        self.keep(&mask);
        Rows { axis, mask }
    }

    /// The axes of a tile of rows and columns, and the mask over it.
    fn rows_mask(&mut self, rows: &Rows, columns: Option<&Axis>) -> (Vec<Axis>, Val) {
        let Some(columns) = columns else { return (vec![rows.axis.clone()], rows.mask.clone()) };
        let axes = vec![rows.axis.clone(), columns.clone()];
        let mut masks = vec![self.b.along(&rows.mask, 0, 2)];
        if self.c.chance(60) {
            masks.push(self.bounded(columns, 1, 2));
        }
        let shape = [rows.axis.size(), columns.size()];
        let whole = self.all_of(&masks, &shape);
        (axes, whole.unwrap_or_else(|| rows.mask.clone()))
    }

    fn columns(&mut self, rows: &Rows) -> Option<Axis> {
        if self.c.chance(20) {
            return None;
        }
        let size = self.size_beside(rows.axis.size().into());
        Some(self.axis(size))
    }

    /// Loads or stores under the mask, or selects by it.
    fn rows_use(&mut self, rows: &Rows) {
        let columns = self.columns(rows);
        let (axes, mask) = self.rows_mask(rows, columns.as_ref());
        let scalar = self.data();
        let ty = mask.ty.of(scalar);
        match self.c.below(4) {
            0 => {
                let base = self.base(scalar);
                let tile = self.tile(&base, &axes);
                let other = self.b.number(&ty, 0);
                let value = self.b.load(&tile.pointer, Some(&mask), Some(&other), &[]);
                self.keep(&value);
            }
            1 if scalar != Scalar::F8E5M2 => {
                let value = self.want(&ty, 2);
                let other = self.b.number(&ty, 0);
                let value = self.b.select(&mask, &value, &other);
                self.keep(&value);
            }
            _ => {
                let value = self.want(&ty, 2);
                self.masked_store(&axes, &mask, &value);
            }
        }
    }

    fn masked_store(&mut self, axes: &[Axis], mask: &Val, value: &Val) {
        let base = self.base(value.ty.scalar);
        let tile = self.tile(&base, axes);
        self.b.store(&tile.pointer, value, Some(mask), &[]);
    }

    /// The program stores zeros to its rows and returns.
    fn rows_exit(&mut self, rows: &Rows) {
        let condition = self.condition();
        let Some(rest) = self.b.begin_exit(&condition) else { return };
        self.open(None);
        if self.c.chance(75) {
            let columns = self.columns(rows);
            let (axes, mask) = self.rows_mask(rows, columns.as_ref());
            let scalar = self.data();
            let zeros = self.b.number(&mask.ty.of(scalar), 0);
            self.masked_store(&axes, &mask, &zeros);
        }
        self.close();
        self.shut();
        self.b.resume(rest, &[]);
    }

    fn rows_branch(&mut self, rows: &Rows) {
        let condition = self.condition();
        let branch = self.b.begin_if(&condition, &[]);
        self.open(None);
        self.rows_use(rows);
        self.close();
        self.shut();
        if self.c.chance(40) {
            self.b.otherwise(&branch, &[]);
            self.open(None);
            self.rows_use(rows);
            self.close();
            self.shut();
        }
        self.b.end_if(branch, &[]);
    }

    /// A loop over blocks of columns: a product of matrices, a sum, or loads and stores.
    fn rows_loop(&mut self, rows: &Rows) {
        if self.c.chance(50) && (16..=256).contains(&rows.axis.size()) {
            return self.matmul_over(Some(rows));
        }
        let size = self.size_beside(rows.axis.size().into());
        let scalar = self.arithmetic_float();
        let reduced = self.c.chance(50);
        let shape = [rows.axis.size(), size];
        let ty = Ty::tensor(scalar, if reduced { &shape[..1] } else { &shape });
        let init = self.b.number(&ty, 0);
        let bounds = self.bounds();
        let around = self.b.begin_for(bounds.each_ref(), &[init]);
        self.open(Some(around.induction.clone()));
        let columns = self.new_axis(size);
        let (axes, mask) = self.rows_mask(rows, Some(&columns));
        let base = self.base(scalar);
        let tile = self.tile(&base, &axes);
        let other = self.b.number(&mask.ty.of(scalar), 0);
        let other = self.c.chance(80).then_some(other);
        let mut value = self.b.load(&tile.pointer, Some(&mask), other.as_ref(), &[]);
        if self.c.chance(40) {
            value = self.grow(&value);
        }
        if self.c.chance(25) {
            self.masked_store(&axes, &mask, &value);
        }
        if reduced {
            value = self.reduce_over(&value, 1);
        }
        let sum = self.b.add(&around.carried[0], &value);
        self.close();
        self.shut();
        let attrs = self.loop_attrs();
        for value in self.b.end_loop(around, &[sum], &attrs) {
            self.keep(&value);
        }
    }

    /// The mask of rows broadcast over a tile, combined with a mask of columns.
    pub(super) fn rows_and(&mut self, rows: &Rows, columns: Option<&Val>, shape: &[u32]) -> Option<Val> {
        let mut masks = vec![self.b.along(&rows.mask, 0, 2)];
        masks.extend(columns.cloned());
        self.all_of(&masks, shape)
    }
}
