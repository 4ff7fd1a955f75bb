//! Types that have a shape: tensors, pointers to tensors, memory descriptors and tensor descriptors, read and rewritten
//! alike. What a descriptor says is text between angle brackets (`64x32xf16, #shared, #smem, mutable`), so its leading
//! sizes and its element are read from there; tensor descriptors before 3.8 hold a whole tensor type instead.

use super::intern::{Attr, Interners, Piece, Type};
use super::{AttrId, TypeId};

/// A memory descriptor or tensor descriptor whose sizes stand in its text.
struct Described<'a> {
    /// `64x32`, as numbers.
    shape: Vec<u64>,
    /// `f16`.
    element: &'a str,
    /// What follows the element.
    rest: &'a str,
}

/// Reads `64x32xf16` and what follows.
fn described(text: &str) -> Option<Described<'_>> {
    let mut rest = text.trim_start();
    let mut shape = Vec::new();
    while rest.starts_with(|first: char| first.is_ascii_digit()) {
        let (size, behind) = rest.split_once('x')?;
        shape.push(size.parse().ok()?);
        rest = behind;
    }
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let (element, rest) = rest.split_at(end);
    (!shape.is_empty() && !element.is_empty()).then_some(Described { shape, element, rest })
}

/// The sizes of the allocation that a descriptor is a part of, where they stand at the end: `, mutable, 3x64x32`.
fn allocation(text: &str) -> Option<(&str, Vec<u64>)> {
    let (before, last) = text.rsplit_once(' ')?;
    let sizes = last.split('x').map(|size| size.parse().ok()).collect::<Option<Vec<u64>>>()?;
    Some((before, sizes))
}

fn joined(sizes: &[u64]) -> String {
    sizes.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}

impl Interners {
    fn is_descriptor(&self, ty: &Type) -> bool {
        let Type::Dialect { name, body: Some(_) } = ty else { return false };
        let name = self.name_text(*name);
        name.ends_with(".memdesc") || name.ends_with(".tensordesc")
    }

    /// The sizes of a type that has them, all of them known; none for a scalar.
    pub fn sizes(&self, ty: TypeId) -> Option<Vec<u64>> {
        match self.type_data(ty) {
            Type::Tensor { .. } => self.shape(ty),
            Type::Pointer { pointee, .. } => self.shape(*pointee),
            data @ Type::Dialect { body: Some(body), .. } if self.is_descriptor(data) => match body.as_slice() {
                [Piece::Type(tensor), ..] => self.shape(*tensor),
                [Piece::Text(text), ..] => described(text).map(|described| described.shape),
                _ => None,
            },
            _ => None,
        }
    }

    /// The same type with other sizes; their number may be less, the layout is the caller's to mind. None for a type that
    /// has no sizes.
    pub fn with_sizes(&mut self, ty: TypeId, sizes: &[u64]) -> Option<TypeId> {
        let new = match self.type_data(ty).clone() {
            Type::Tensor { element, encoding, .. } => {
                Type::Tensor { shape: sizes.iter().copied().map(Some).collect(), element, encoding }
            }
            Type::Pointer { pointee, space } => Type::Pointer { pointee: self.with_sizes(pointee, sizes)?, space },
            data @ Type::Dialect { .. } if self.is_descriptor(&data) => {
                let Type::Dialect { name, body: Some(mut body) } = data else { return None };
                let first = match body.first()? {
                    &Piece::Type(tensor) => Piece::Type(self.with_sizes(tensor, sizes)?),
                    Piece::Text(text) => {
                        let before = described(text)?;
                        let text = format!("{}x{}{}", joined(sizes), before.element, before.rest);
                        Piece::Text(text)
                    }
                    Piece::Attr(_) => return None,
                };
                let old = self.sizes(ty)?;
                body[0] = first;
                if let [_, .., Piece::Text(last)] = body.as_mut_slice()
                    && let Some((before, mut whole)) = allocation(last)
                {
                    // The allocation's last dimensions are the descriptor's; what stands before them counts buffers.
                    for ((whole, &old), &new) in whole.iter_mut().rev().zip(old.iter().rev()).zip(sizes.iter().rev()) {
                        *whole = (*whole * new / old.max(1)).max(1);
                    }
                    *last = format!("{before} {}", joined(&whole));
                }
                Type::Dialect { name, body: Some(body) }
            }
            _ => return None,
        };
        Some(self.ty(new))
    }

    /// The number type that a type is made of, as it is spelled: that of a scalar, of a tensor's elements, of what a pointer
    /// points to. None for types without one.
    pub fn number(&self, ty: TypeId) -> Option<&str> {
        match self.type_data(ty) {
            Type::Integer(name) | Type::Float(name) => Some(self.name_text(*name)),
            Type::Tensor { element, .. } => self.number(*element),
            Type::Pointer { pointee, .. } => self.number(*pointee),
            data @ Type::Dialect { body: Some(body), .. } if self.is_descriptor(data) => match body.as_slice() {
                [Piece::Type(tensor), ..] => self.number(*tensor),
                [Piece::Text(text), ..] => described(text).map(|described| described.element),
                _ => None,
            },
            _ => None,
        }
    }

    /// The same type made of another number type.
    pub fn with_number(&mut self, ty: TypeId, number: &str) -> Option<TypeId> {
        let new = match self.type_data(ty).clone() {
            Type::Integer(_) | Type::Float(_) => return Some(self.plain(number)),
            Type::Tensor { shape, element, encoding } => {
                Type::Tensor { shape, element: self.with_number(element, number)?, encoding }
            }
            Type::Pointer { pointee, space } => Type::Pointer { pointee: self.with_number(pointee, number)?, space },
            data @ Type::Dialect { .. } if self.is_descriptor(&data) => {
                let Type::Dialect { name, body: Some(mut body) } = data else { return None };
                body[0] = match body.first()? {
                    &Piece::Type(tensor) => Piece::Type(self.with_number(tensor, number)?),
                    Piece::Text(text) => {
                        let before = described(text)?;
                        Piece::Text(format!("{}x{number}{}", joined(&before.shape), before.rest))
                    }
                    Piece::Attr(_) => return None,
                };
                Type::Dialect { name, body: Some(body) }
            }
            _ => return None,
        };
        Some(self.ty(new))
    }

    /// The layout of a tensor, of the tensor that a pointer points to, or of a descriptor.
    pub fn layout(&self, ty: TypeId) -> Option<AttrId> {
        match self.type_data(ty) {
            Type::Tensor { encoding, .. } => *encoding,
            Type::Pointer { pointee, .. } => self.layout(*pointee),
            data @ Type::Dialect { body: Some(body), .. } if self.is_descriptor(data) => {
                body.iter().find_map(|piece| match piece {
                    Piece::Attr(layout) => Some(*layout),
                    Piece::Type(tensor) => self.layout(*tensor),
                    Piece::Text(_) => None,
                })
            }
            _ => None,
        }
    }

    /// The last word of a dialect attribute's name: `blocked` for `#ttg.blocked<…>`.
    pub fn layout_kind(&self, layout: AttrId) -> Option<&str> {
        match self.attr_data(layout) {
            Attr::Dialect { name, .. } => self.name_text(*name).rsplit('.').next(),
            _ => None,
        }
    }

    /// The layout that another is nested in, as a slice in its parent.
    pub fn parent_layout(&self, layout: AttrId) -> Option<AttrId> {
        match self.attr_data(layout) {
            Attr::Dialect { body: Some(body), .. } => body.iter().find_map(|piece| match piece {
                Piece::Attr(parent) => Some(*parent),
                _ => None,
            }),
            _ => None,
        }
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
    use crate::{Module, parse};

    /// A module with a function that takes a value of this type, and the type.
    fn argument(ty: &str) -> (Module, TypeId) {
        let text = format!("tt.func @f(%x: {ty}) {{\n  tt.return\n}}");
        let module = parse(&text).expect("a function of one argument");
        let entry = module.entry(module.functions()[0]).expect("a body");
        let ty = module.value(module.block(entry).arguments[0]).ty;
        (module, ty)
    }

    const TYPES: [&str; 6] = [
        "tensor<64x32xf16>",
        "!tt.ptr<tensor<64x32xf16>>",
        "!tt.tensordesc<tensor<64x32xf16>>",
        "!tt.tensordesc<64x32xf16>",
        "!ttg.memdesc<64x32xf16, #ttg.shared, #ttg.shared_memory, mutable>",
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
    fn the_allocation_behind_a_view_shrinks_with_it() {
        let (mut module, ty) = argument("!ttg.memdesc<64x32xf16, #ttg.shared, #ttg.shared_memory, mutable, 3x64x32>");
        let smaller = module.interners.with_sizes(ty, &[16, 32]).expect("it has sizes");
        let Type::Dialect { body: Some(body), .. } = module.interners.type_data(smaller) else {
            panic!("a descriptor")
        };
        assert_eq!(body.last(), Some(&Piece::Text(", mutable, 3x16x32".into())));
    }

    #[test]
    fn scalars_have_no_sizes() {
        let (module, ty) = argument("f32");
        assert_eq!((module.interners.sizes(ty), module.interners.number(ty)), (None, Some("f32")));
        assert_eq!(Interners::bits("f8E4M3FN"), Some(8));
        assert_eq!(Interners::bits("bf16"), Some(16));
    }
}
