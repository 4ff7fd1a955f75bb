//! Atomic operations: read-modify-write on tensors and scalars, a spin lock with compare-and-swap.

use crate::generate::generator::Generator;
use crate::generate::ops::Compare;
use crate::generate::value::{Number, Scalar, Ty, Val};
use crate::ir::{AttrId, OpKind};

/// `RMWOp` of Triton's attributes.
const FADD: i64 = 5;
const INTEGER_KINDS: [i64; 9] = [4, 1, 2, 3, 6, 7, 8, 9, 10];

impl Generator<'_, '_> {
    pub fn atomic(&mut self) {
        match self.c.below(6) {
            0 => self.lock(),
            1 => self.atomic_counter(),
            _ => self.accumulate(),
        }
    }

    fn order(&mut self) -> [(&'static str, AttrId); 2] {
        // Relaxed and acquire-release on the device, most of the time.
        let (order, scope) = (self.c.one_of(4, &[1, 4, 1, 2, 3]), self.c.one_of(1, &[1, 1, 2, 3]));
        [("sem", self.b.int_attr(order, "i32")), ("scope", self.b.int_attr(scope, "i32"))]
    }

    /// `tl.atomic_add` and its kin over a tile, with or without a mask; the old values may be used.
    fn accumulate(&mut self) {
        let wanted =
            |ty: &Ty| ty.is_tensor() && matches!(ty.scalar, Scalar::I32 | Scalar::F32 | Scalar::F16) && !ty.pointer;
        let value = match self.choose(wanted) {
            Some(value) => value,
            None => {
                let shape = self.shape(1);
                let scalar = self.c.one_of(Scalar::F32, &[Scalar::I32]);
                self.load(&Ty::tensor(scalar, &shape))
            }
        };
        let axes = self.axes(&value.ty.shape);
        let base = self.base(value.ty.scalar);
        let tile = self.tile(&base, &axes);
        let all = value.ty.of(Scalar::I1);
        // Without a mask the front end writes one that holds everywhere.
        let mask = self.mask(&axes).unwrap_or_else(|| self.b.constant(&all, Number::One));
        let old = self.modify(&tile.pointer, &value, &mask);
        if self.c.chance(40) {
            self.keep(&old);
        }
    }

    fn modify(&mut self, pointer: &Val, value: &Val, mask: &Val) -> Val {
        let kind = if value.ty.is_float() { FADD } else { self.c.one_of(INTEGER_KINDS[0], &INTEGER_KINDS[1..]) };
        let kind = self.b.int_attr(kind, "i32");
        let [sem, scope] = self.order();
        let ty = value.ty.clone();
        let groups: [&[Val]; 3] =
            [std::slice::from_ref(pointer), std::slice::from_ref(value), std::slice::from_ref(mask)];
        self.b.one(OpKind::TtAtomicRmw, &groups, &ty, &[("atomic_rmw_op", kind), sem, scope])
    }

    /// A scalar atomic counter, whose old value the program may branch on.
    fn atomic_counter(&mut self) {
        let pointer = self.base(Scalar::I32);
        let one = self.b.i32(1);
        let always = self.b.constant(&Ty::scalar(Scalar::I1), Number::One);
        let old = self.modify(&pointer, &one, &always);
        self.keep(&old);
        if self.c.chance(40) {
            let most = self.argument(&Ty::scalar(Scalar::I32));
            let last = self.b.compare(Compare::Equal, &old, &most);
            self.keep(&last);
        }
    }

    /// A spin lock around some statements.
    fn lock(&mut self) {
        let pointer = self.argument(&Ty::pointer(Scalar::I32));
        let (zero, one) = (self.b.i32(0), self.b.i32(1));
        let around = self.b.begin_while(&[], &[]);
        let [sem, scope] = self.order();
        let groups: [&[Val]; 3] =
            [std::slice::from_ref(&pointer), std::slice::from_ref(&zero), std::slice::from_ref(&one)];
        let old = self.b.one(OpKind::TtAtomicCas, &groups, &Ty::scalar(Scalar::I32), &[sem, scope]);
        let taken = self.b.compare(Compare::Equal, &old, &one);
        self.b.while_body(&around, &taken, &[]);
        self.b.end_loop(around, &[], &[]);
        let value = self.working_tensor();
        self.store(&value);
        let always = self.b.constant(&Ty::scalar(Scalar::I1), Number::One);
        let [sem, scope] = self.order();
        let exchange = self.b.int_attr(10, "i32");
        let groups: [&[Val]; 3] = [&[pointer], &[zero], &[always]];
        self.b.one(OpKind::TtAtomicRmw, &groups, &Ty::scalar(Scalar::I32), &[("atomic_rmw_op", exchange), sem, scope]);
    }
}
