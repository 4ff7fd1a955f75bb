//! Changes of shape: reshapes, transposes, joins and splits, interleaving, concatenation.

use crate::generate::generator::Generator;
use crate::generate::value::{Scalar, Shape, Val};
use crate::ir::OpKind;

impl Generator<'_, '_> {
    pub fn shape_change(&mut self) {
        let value = self.working_tensor();
        match self.c.below(7) {
            0 | 1 => self.transposed(&value),
            2 => self.reshaped(&value),
            3 => self.halves(&value),
            4 => self.joined(&value, true),
            5 => self.joined(&value, false),
            _ => self.concatenated(&value),
        }
    }

    fn transposed(&mut self, value: &Val) {
        let value = if value.ty.rank() < 2 {
            let shape = self.shape(2);
            let scalar = self.data();
            self.load(&value.ty.of(scalar).shaped(&shape))
        } else {
            value.clone()
        };
        let rank = value.ty.rank() as u32;
        let order: Vec<u32> = match (rank, self.c.below(4)) {
            (3, 0) => vec![2, 0, 1],
            (3, 1) => vec![0, 2, 1],
            (3, 2) => vec![1, 0, 2],
            _ => (0..rank).rev().collect(),
        };
        let result = self.b.transpose(&value, &order);
        self.keep(&result);
        if self.c.chance(40) {
            let other = self.want(&result.ty, 2);
            let both = if result.ty.is_mask() {
                self.b.binary(OpKind::ArithXori, &result, &other)
            } else if result.ty.scalar == Scalar::F8E5M2 {
                return;
            } else {
                self.b.add(&result, &other)
            };
            self.keep(&both);
        }
    }

    /// Another shape with as many elements: flat, a dimension split in two, or a factor moved from the last dimension to
    /// the first.
    fn reshaped(&mut self, value: &Val) {
        let mut shape = value.ty.shape.clone();
        let reorder = self.c.chance(20);
        match self.c.below(3) {
            0 if shape.len() > 1 => shape = Shape::from_slice(&[value.ty.count() as u32]),
            1 if shape.len() > 1 => {
                let last = shape.len() - 1;
                if shape[last] > 1 {
                    shape[last] /= 2;
                    shape[0] *= 2;
                }
            }
            _ => {
                let place = self.c.below(shape.len());
                let part = self.c.one_of(2, &[4, 8]);
                if shape[place] > part && shape.len() < 4 {
                    shape[place] /= part;
                    shape.insert(place + 1, part);
                }
            }
        }
        if shape == value.ty.shape {
            return self.transposed(value);
        }
        let result = self.b.reshape(value, &shape, reorder);
        self.keep(&result);
        if self.c.chance(40) {
            // And back, after an elementwise operation.
            let grown = self.grow(&result);
            let back = self.b.reshape(&grown, &value.ty.shape, false);
            self.keep(&back);
        }
    }

    /// The even and odd elements, as `tl.split` gives them.
    fn halves(&mut self, value: &Val) {
        let mut shape = value.ty.shape.clone();
        let Some(last) = shape.last_mut().filter(|last| **last > 2) else { return self.joined(value, false) };
        *last /= 2;
        let half = value.ty.shaped(&shape);
        shape.push(2);
        let pairs = self.b.reshape(value, &shape, false);
        let op = self.b.op(OpKind::TtSplit, &[&[pairs]], &[half.clone(), half.clone()], &[]);
        let halves = self.b.results(op, &[half.clone(), half]);
        if let [first, second] = halves.as_slice() {
            let [first, second] = [self.grow(first), self.grow(second)];
            if self.c.chance(60) {
                let joined = self.join(&first, &second);
                let back = self.b.reshape(&joined, &value.ty.shape, false);
                self.keep(&back);
            } else {
                self.keep(&first);
                self.keep(&second);
            }
        }
    }

    fn join(&mut self, a: &Val, b: &Val) -> Val {
        let mut shape = a.ty.shape.clone();
        shape.push(2);
        let ty = a.ty.shaped(&shape);
        self.b.pure(OpKind::TtJoin, &[a, b], &ty, &[])
    }

    /// Two tensors side by side, kept as pairs or interleaved.
    fn joined(&mut self, value: &Val, interleaved: bool) {
        if value.ty.rank() > 3 || value.ty.count() > self.config.most_elements {
            return self.transposed(value);
        }
        let other = self.want(&value.ty, 2);
        let joined = self.join(value, &other);
        if !interleaved {
            self.keep(&joined);
            return;
        }
        let mut shape = value.ty.shape.clone();
        if let Some(last) = shape.last_mut() {
            *last *= 2;
        }
        let result = self.b.reshape(&joined, &shape, false);
        self.keep(&result);
    }

    /// `tl.cat(a, b, can_reorder=True)`: of rank 1.
    fn concatenated(&mut self, value: &Val) {
        if value.ty.rank() != 1 || value.ty.count() > self.config.most_elements {
            return self.reshaped(value);
        }
        let other = self.want(&value.ty, 2);
        let ty = value.ty.shaped(&[value.ty.shape[0] * 2]);
        let result = self.b.pure(OpKind::TtCat, &[value, &other], &ty, &[]);
        self.keep(&result);
    }
}
