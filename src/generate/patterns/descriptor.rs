//! Tensor descriptors: made once from a pointer, sizes and strides, then blocks loaded, stored and added through them.

use crate::generate::generator::Generator;
use crate::generate::value::{Number, Scalar, Ty, Val};
use crate::ir::{OpKind, Type, TypeId, ValueId};

impl Generator<'_, '_> {
    /// The statement: a descriptor, a block loaded in a loop or alone, and a block stored.
    pub fn descriptor(&mut self) {
        if self.in_device || !self.b.at_top() {
            return self.elementwise();
        }
        let scalar = match self.float() {
            Scalar::F64 | Scalar::F8E5M2 => Scalar::F16,
            scalar => scalar,
        };
        // The innermost dimension is at least 16 bytes.
        let least = 128 / scalar.bits();
        let shape = [self.size().clamp(1, 128), self.size().clamp(least, 128)];
        let block = Ty::tensor(scalar, &shape);
        let (source, target) = (self.make_descriptor(&block), self.make_descriptor(&block));
        let (rows, columns) = (self.integer(), self.integer());
        let value = if self.c.chance(50) {
            self.descriptor_loop(source, &block, &rows)
        } else {
            self.descriptor_load(source, &block, &rows, &columns)
        };
        self.keep(&value);
        let value = self.grow(&value);
        let desc = Val { id: target, ty: block };
        self.b.op(OpKind::TtDescriptorStore, &[&[desc], &[value], &[rows, columns]], &[], &[]);
    }

    fn descriptor_type(&mut self, block: &Ty) -> TypeId {
        let (id, bare) = (self.b.ty(block), self.settings.bare_descriptors());
        let name = self.b.module.name("tt.tensordesc");
        self.b.module.interners.ty(Type::TensorDesc { name, block: id, bare })
    }

    fn make_descriptor(&mut self, block: &Ty) -> ValueId {
        let base = self.argument(&Ty::pointer(block.scalar));
        let (rows, columns) = (self.argument(&Ty::scalar(Scalar::I32)), self.argument(&Ty::scalar(Scalar::I32)));
        let stride = self.b.convert(&columns, Scalar::I64);
        let one = self.b.constant(&Ty::scalar(Scalar::I64), Number::One);
        let ty = self.descriptor_type(block);
        let groups: [&[Val]; 3] = [&[base], &[rows, columns], &[stride, one]];
        self.b.one_of_type(OpKind::TtMakeTensorDescriptor, &groups, ty)
    }

    fn descriptor_load(&mut self, descriptor: ValueId, block: &Ty, row: &Val, column: &Val) -> Val {
        let desc = Val { id: descriptor, ty: block.clone() };
        self.b.one(OpKind::TtDescriptorLoad, &[&[desc], &[row.clone(), column.clone()]], block, &[])
    }

    /// A loop that sums up blocks along a row.
    fn descriptor_loop(&mut self, descriptor: ValueId, block: &Ty, row: &Val) -> Val {
        let init = self.b.number(block, 0);
        let (zero, end) = (self.b.i32(0), self.argument(&Ty::scalar(Scalar::I32)));
        let step = self.b.i32(block.shape.last().copied().unwrap_or(1).into());
        let around = self.b.begin_for([&zero, &end, &step], &[init]);
        self.open(Some(around.induction.clone()));
        let loaded = self.descriptor_load(descriptor, block, row, &around.induction.clone());
        let sum = self.b.add(&around.carried[0], &loaded);
        self.close();
        self.shut();
        let attrs = self.loop_attrs();
        self.b.end_loop(around, std::slice::from_ref(&sum), &attrs).into_iter().next().unwrap_or(sum)
    }
}
