//! What can be said of types: shapes, elements, and the types that rows derive from others.

use super::intern::{Interners, Type};
use super::ods::Transform;
use super::{AttrId, TypeId};

impl Interners {
    /// The integer type of that spelling, such as `i32`.
    pub fn integer(&mut self, text: &str) -> TypeId {
        let name = self.name(text);
        self.ty(Type::Integer(name))
    }

    /// The type of a spelling without brackets: `i32`, `f32`, `index`, `!ttg.async.token`.
    pub fn plain(&mut self, text: &str) -> TypeId {
        let ty = match text.strip_prefix('!') {
            Some(name) => Type::Dialect { name: self.name(name), body: None },
            None if text == "index" => Type::Index,
            None if text.starts_with(['f', 'b']) => Type::Float(self.name(text)),
            None => Type::Integer(self.name(text)),
        };
        self.ty(ty)
    }

    /// Whether it is `i1` itself.
    pub fn is_bool(&self, ty: TypeId) -> bool {
        matches!(self.type_data(ty), Type::Integer(name) if self.name_text(*name) == "i1")
    }

    /// The same shape and layout with another element type; the element itself for what is no tensor.
    pub fn with_element(&mut self, like: TypeId, element: TypeId) -> TypeId {
        match self.type_data(like) {
            Type::Tensor { shape, encoding, .. } => {
                let (shape, encoding) = (shape.clone(), *encoding);
                self.ty(Type::Tensor { shape, element, encoding })
            }
            Type::Unknown => TypeId::UNKNOWN,
            _ => element,
        }
    }

    /// `i1` in the shape and layout of `like`: what a comparison gives.
    pub fn bool_like(&mut self, like: TypeId) -> TypeId {
        let bool_type = self.integer("i1");
        self.with_element(like, bool_type)
    }

    /// What a pointer or a tensor of pointers points to; a tensor for a tensor.
    pub fn pointee(&mut self, pointer: TypeId) -> TypeId {
        match *self.type_data(pointer) {
            Type::Pointer { pointee, .. } => pointee,
            Type::Tensor { element, .. } => match *self.type_data(element) {
                Type::Pointer { pointee, .. } => self.with_element(pointer, pointee),
                _ => TypeId::UNKNOWN,
            },
            _ => TypeId::UNKNOWN,
        }
    }

    /// Whether a type is the one that follows from another; none where that cannot be told (vectors, unknown types).
    pub fn follows(&self, from: TypeId, to: TypeId, transform: Transform) -> Option<bool> {
        let same_shape = |a: &Type, b: &Type| match (a, b) {
            (Type::Tensor { shape: a, encoding: x, .. }, Type::Tensor { shape: b, encoding: y, .. }) => {
                a == b && x == y
            }
            (Type::Tensor { .. }, _) | (_, Type::Tensor { .. }) => false,
            _ => true,
        };
        let (a, b) = (self.type_data(from), self.type_data(to));
        let is_known = |ty: &Type| !matches!(ty, Type::Unknown | Type::Other(_) | Type::Dialect { .. });
        if !is_known(a) || !is_known(b) {
            return None;
        }
        match (transform, a) {
            (Transform::ElementType, _) => Some(self.element(from) == to),
            (Transform::I1SameShape, _) => Some(same_shape(a, b) && self.is_bool(self.element(to))),
            (Transform::Pointee, Type::Pointer { pointee, .. }) => Some(*pointee == to),
            (Transform::Pointee, Type::Tensor { element, .. }) => match self.type_data(*element) {
                Type::Pointer { pointee, .. } => Some(same_shape(a, b) && *pointee == self.element(to)),
                _ => Some(false),
            },
            (Transform::Pointee, _) => Some(false),
        }
    }

    /// The element type of a tensor; the type itself for what is no tensor.
    pub fn element(&self, ty: TypeId) -> TypeId {
        match *self.type_data(ty) {
            Type::Tensor { element, .. } => element,
            _ => ty,
        }
    }

    /// The shape of a tensor whose dimensions are all known.
    pub fn shape(&self, ty: TypeId) -> Option<Vec<u64>> {
        match self.type_data(ty) {
            Type::Tensor { shape, .. } => shape.iter().copied().collect(),
            _ => None,
        }
    }

    /// The layout of a tensor.
    pub fn encoding(&self, ty: TypeId) -> Option<AttrId> {
        match self.type_data(ty) {
            Type::Tensor { encoding, .. } => *encoding,
            _ => None,
        }
    }
}
