//! Types that have a shape: tensors, pointers to tensors, memory descriptors and tensor descriptors, read and rewritten
//! alike. All but a tensor hold one, which says the shape, the element and the layout.

use super::intern::{Interners, Type};
use super::{AttrId, TypeId};

impl Type {
    /// Whether it describes memory that holds a tensor: `!ttg.memdesc<…>`, `!tt.tensordesc<…>`.
    pub fn is_descriptor(&self) -> bool {
        matches!(self, Type::MemDesc { .. } | Type::TensorDesc { .. })
    }

    /// The type that this one points to or describes.
    fn inside(&self) -> Option<TypeId> {
        match self {
            Type::Pointer { pointee: inside, .. }
            | Type::MemDesc { block: inside, .. }
            | Type::TensorDesc { block: inside, .. } => Some(*inside),
            _ => None,
        }
    }

    /// The same pointer or descriptor of something else.
    fn with_inside(mut self, new: TypeId) -> Self {
        if let Type::Pointer { pointee: inside, .. }
        | Type::MemDesc { block: inside, .. }
        | Type::TensorDesc { block: inside, .. } = &mut self
        {
            *inside = new;
        }
        self
    }
}

impl Interners {
    /// The tensor type that a type is, points to or describes.
    fn tensor_of(&self, ty: TypeId) -> Option<TypeId> {
        let data = self.type_data(ty);
        let tensor = data.inside().unwrap_or(ty);
        matches!(self.type_data(tensor), Type::Tensor { .. }).then_some(tensor)
    }

    /// The sizes of a type that has them, all of them known; none for a scalar.
    pub fn sizes(&self, ty: TypeId) -> Option<Vec<u64>> {
        self.shape(self.tensor_of(ty)?)
    }

    /// The same type with other sizes; their number may be less, the layout is the caller's to mind. None for a type that
    /// has no sizes.
    pub fn with_sizes(&mut self, ty: TypeId, sizes: &[u64]) -> Option<TypeId> {
        let tensor = self.tensor_of(ty)?;
        let Type::Tensor { element, encoding, .. } = *self.type_data(tensor) else { return None };
        let shape = sizes.iter().copied().map(Some).collect();
        let new = self.ty(Type::Tensor { shape, element, encoding });
        if tensor == ty {
            return Some(new);
        }
        let mut data = self.type_data(ty).clone();
        if let (Type::MemDesc { allocation: Some(whole), .. }, Some(old)) = (&mut data, self.shape(tensor)) {
            // The allocation's last dimensions are the descriptor's; what is before them counts buffers.
            for ((whole, &old), &new) in whole.iter_mut().rev().zip(old.iter().rev()).zip(sizes.iter().rev()) {
                *whole = (whole.saturating_mul(new) / old.max(1)).max(1);
            }
        }
        Some(self.ty(data.with_inside(new)))
    }

    /// The number type that a type is made of, as it is spelled: that of a scalar, of a tensor's elements, of what a pointer
    /// points to. None for types without one.
    pub fn number(&self, ty: TypeId) -> Option<&str> {
        match self.type_data(ty) {
            Type::Integer(name) | Type::Float(name) => Some(self.name_text(*name)),
            Type::Tensor { element, .. } => self.number(*element),
            other => self.number(other.inside()?),
        }
    }

    /// The same type made of another number type.
    pub fn with_number(&mut self, ty: TypeId, number: &str) -> Option<TypeId> {
        match self.type_data(ty).clone() {
            Type::Integer(_) | Type::Float(_) => Some(self.plain(number)),
            Type::Tensor { shape, element, encoding } => {
                let element = self.with_number(element, number)?;
                Some(self.ty(Type::Tensor { shape, element, encoding }))
            }
            other => {
                let inside = self.with_number(other.inside()?, number)?;
                Some(self.ty(other.with_inside(inside)))
            }
        }
    }

    /// The layout of a tensor, of the tensor that a pointer points to, or of a descriptor.
    pub fn layout(&self, ty: TypeId) -> Option<AttrId> {
        self.encoding(self.tensor_of(ty)?)
    }

    /// Whether two types are one to MLIR: an allocation that says the same as the shape may be left out.
    pub fn is_same(&self, a: TypeId, b: TypeId) -> bool {
        let without_repetition = |ty| {
            let mut data = self.type_data(ty).clone();
            if let Type::MemDesc { block, allocation, .. } = &mut data
                && *allocation == self.shape(*block)
            {
                *allocation = None;
            }
            data
        };
        a == b || (self.type_data(a).is_descriptor() && without_repetition(a) == without_repetition(b))
    }

    /// How many bits a number type has, as it is spelled: 32 for `f32`, 8 for `f8E4M3FN`.
    pub fn bits(number: &str) -> Option<u32> {
        let digits = number.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Module, PrintOptions, parse, print};

    fn module(ty: &str) -> Module {
        parse(&format!("tt.func @f(%x: {ty}) {{\n  tt.return\n}}")).expect("a function of one argument")
    }

    /// A module with a function that takes a value of this type, and the type.
    fn argument(ty: &str) -> (Module, TypeId) {
        let module = module(ty);
        let entry = module.entry(module.functions()[0]).expect("a body");
        let ty = module.value(module.block(entry).arguments[0]).ty;
        (module, ty)
    }

    const TYPES: [&str; 9] = [
        "tensor<64x32xf16>",
        "!tt.ptr<tensor<64x32xf16>>",
        "!tt.tensordesc<tensor<64x32xf16>>",
        "!tt.tensordesc<64x32xf16>",
        "!tt.tensordesc<64x32xf16, #ttg.shared>",
        "!tt.memdesc<64x32xf16, #triton_gpu.shared>",
        "!ttg.memdesc<64x32xf16, #ttg.shared, #ttg.shared_memory, mutable>",
        "!ttg.memdesc<64x32x!tt.ptr<f16>, #ttg.shared, #ttg.shared_memory>",
        "tensor<64x32x!tt.ptr<f16>>",
    ];

    #[test]
    fn every_type_with_a_shape_is_read_and_rewritten() {
        for text in TYPES {
            let (mut module, ty) = argument(text);
            assert_eq!(module.interners.sizes(ty).as_deref(), Some(&[64, 32][..]), "{text}");
            assert_eq!(module.interners.number(ty), Some("f16"), "{text}");
            let smaller = module.interners.with_sizes(ty, &[16, 8]).expect("it has sizes");
            let smaller = module.interners.with_number(smaller, "f8E5M2").expect("it has numbers");
            let (mut other, wanted) = argument(&text.replace("64x32x", "16x8x").replace("f16", "f8E5M2"));
            assert_eq!(module.interners.sizes(smaller), other.interners.sizes(wanted), "{text}");
            assert_eq!(module.interners.number(smaller), other.interners.number(wanted), "{text}");
            // And back: nothing else of it was lost.
            let back = module.interners.with_sizes(smaller, &[64, 32]).expect("it has sizes");
            assert_eq!(module.interners.with_number(back, "f16"), Some(ty), "{text}");
            assert_eq!(other.interners.with_number(wanted, "f8E5M2"), Some(wanted), "{text}");
        }
    }

    #[test]
    fn descriptors_are_printed_as_they_were_written() {
        let more = [
            "!ttg.memdesc<64x32xf16, #ttg.shared, #ttg.shared_memory, mutable, 64x32>",
            "!ttg.memdesc<64x32xf16, #ttg.shared, #ttg.shared_memory, 3x64x32>",
            "!ttg.memdesc<64x32xodd, #ttg.shared, odd>",
            "!tt.tensordesc<?x32xf16>",
            "!triton_gpu.memdesc<1xi64>",
            "!ttng.tensordesc_im2col<tensor<64x32xf16>>",
            "!tt.tensordesc<tensor<*xf16>>",
        ];
        for text in TYPES.into_iter().chain(more) {
            let printed = print(&module(text), &PrintOptions { aliases: false, ..PrintOptions::default() });
            assert!(printed.contains(&format!("%x: {text})")), "{text} in\n{printed}");
        }
        // White space says nothing.
        let (spaced, ty) = argument("!ttg.memdesc< 64x32xf16 ,\n #ttg.shared,mutable >");
        let Type::MemDesc { mutable: true, space: None, .. } = spaced.interners.type_data(ty) else {
            panic!("a descriptor")
        };
    }

    #[test]
    fn the_allocation_behind_a_view_shrinks_with_it() {
        let (mut module, ty) = argument("!ttg.memdesc<64x32xf16, #ttg.shared, #ttg.shared_memory, mutable, 3x64x32>");
        let smaller = module.interners.with_sizes(ty, &[16, 32]).expect("it has sizes");
        let Type::MemDesc { allocation, .. } = module.interners.type_data(smaller) else { panic!("a descriptor") };
        assert_eq!(allocation.as_deref(), Some(&[3, 16, 32][..]));
    }

    #[test]
    fn an_allocation_equal_to_the_shape_makes_no_other_type() {
        let text = "tt.func @f(%m: !ttg.memdesc<16x32xf16, #ttg.shared, mutable>) {\n  %y = ttg.local_load %m : \
                    !ttg.memdesc<16x32xf16 , #ttg.shared, mutable, 16x32> -> tensor<16x32xf16>\n  tt.return\n}";
        assert_eq!(parse(text).expect("a function").type_notes(), []);
        let other = parse(&text.replace("mutable, 16x32", "mutable, 32x32")).expect("a function");
        assert_eq!(other.type_notes().len(), 1);
    }

    #[test]
    fn scalars_have_no_sizes() {
        let (module, ty) = argument("f32");
        assert_eq!((module.interners.sizes(ty), module.interners.number(ty)), (None, Some("f32")));
        assert_eq!(Interners::bits("f8E4M3FN"), Some(8));
        assert_eq!(Interners::bits("bf16"), Some(16));
    }
}
