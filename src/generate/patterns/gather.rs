//! Gathers along an axis, and histograms.

use crate::generate::generator::Generator;
use crate::generate::ops::Compare;
use crate::generate::value::{Scalar, Ty, Val};
use crate::ir::OpKind;

impl Generator<'_, '_> {
    pub fn gather(&mut self) {
        if self.settings.has_gather() && self.c.chance(55) { self.gathered() } else { self.histogram() }
    }

    /// `tl.gather(source, index, axis)`: the index has the shape of the result, and of the source but for the axis.
    fn gathered(&mut self) {
        let source = self.working_tensor();
        let axis = self.c.below(source.ty.rank());
        let mut shape = source.ty.shape.clone();
        if self.c.chance(30) {
            let others = source.ty.count() / u64::from(source.ty.shape[axis]).max(1);
            shape[axis] = self.size_beside(others);
        }
        let size = source.ty.shape[axis];
        let ty = Ty::tensor(Scalar::I32, &shape);
        let index = self.want(&ty, 2);
        let size = self.b.number(&ty, size.into());
        let index = self.b.binary(OpKind::ArithRemui, &index, &size);
        let result = source.ty.shaped(&shape);
        let axis = self.b.int_attr(axis as i64, "i32");
        let result = self.b.pure(OpKind::TtGather, &[&source, &index], &result, &[("axis", axis)]);
        self.keep(&result);
    }

    fn histogram(&mut self) {
        let source = match self.choose(|ty| ty.rank() == 1 && ty.scalar == Scalar::I32 && !ty.pointer) {
            Some(value) => value,
            None => {
                let shape = self.shape(1);
                self.load(&Ty::tensor(Scalar::I32, &shape))
            }
        };
        let bins = self.c.one_of(64, &[16, 128, 256]);
        let mut operands: Vec<Val> = vec![source.clone()];
        let mut mask = Vec::new();
        if self.settings.has_masked_histogram() && self.c.chance(40) {
            let limit = self.argument(&Ty::scalar(Scalar::I32));
            let limit = self.b.splat(&limit, &source.ty.shape);
            mask.push(self.b.compare(Compare::Less, &source, &limit));
        }
        let ty = Ty::tensor(Scalar::I32, &[bins]);
        let groups: [&[Val]; 2] = [&operands, &mask];
        let result = self.b.one(OpKind::TtHistogram, &groups, &ty, &[]);
        operands.clear();
        self.keep(&result);
    }
}
