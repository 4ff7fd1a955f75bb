//! Rewriting types and attributes throughout a module: one layout put in place of another, wherever it is nested.

use super::intern::{Attr, Interners, Piece, Type};
use super::layout::{FieldValue, Layout};
use super::module::{Hole, Module, Syntax};
use super::{AttrId, AttrsId, Name, OpId, TypeId};
use rustc_hash::FxHashMap;

/// Where a name stands: one word can be renamed in one place and kept in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamePlace {
    /// An operation's name.
    Operation,
    /// A dialect type's name.
    Type,
    /// A dialect attribute's name.
    Attribute,
    /// The key of a named attribute.
    Key,
}

/// What types and attributes become. What is put in beforehand is taken as it is; everything else is rewritten from the
/// inside out, and remembered.
#[derive(Debug, Default)]
pub struct Substitution {
    rename: Option<fn(NamePlace, &str) -> Option<String>>,
    retype: Option<fn(&Type) -> Option<Type>>,
    reword: Option<fn(&Interners, &Attr) -> Option<Attr>>,
    attrs: FxHashMap<AttrId, AttrId>,
    types: FxHashMap<TypeId, TypeId>,
    lists: FxHashMap<AttrsId, AttrsId>,
}

impl Substitution {
    /// Nothing is replaced yet.
    pub fn new() -> Self {
        Substitution::default()
    }

    /// `from` becomes `to` wherever it stands.
    pub fn attr(mut self, from: AttrId, to: AttrId) -> Self {
        self.attrs.insert(from, to);
        self
    }

    /// `from` becomes `to` wherever it stands.
    pub fn ty(mut self, from: TypeId, to: TypeId) -> Self {
        self.types.insert(from, to);
        self
    }

    /// Names for which `rename` has another one get that.
    pub fn names(mut self, rename: fn(NamePlace, &str) -> Option<String>) -> Self {
        self.rename = Some(rename);
        self
    }

    /// Types for which `retype` has another one become that; it is asked about a type whose inside is rewritten already.
    pub fn types(mut self, retype: fn(&Type) -> Option<Type>) -> Self {
        self.retype = Some(retype);
        self
    }

    /// The same for attributes.
    pub fn attrs(mut self, reword: fn(&Interners, &Attr) -> Option<Attr>) -> Self {
        self.reword = Some(reword);
        self
    }

    /// Rewrites the whole module.
    pub fn apply(mut self, module: &mut Module) {
        if let Some(rename) = self.rename {
            for index in 0..module.ops.len() {
                if let Some(new) = rename(NamePlace::Operation, module.op_name(OpId::from(index))) {
                    module.ops[index].name = module.name(&new);
                }
            }
        }
        let Module { interners, ops, values, .. } = module;
        for value in values {
            value.ty = self.map_type(interners, value.ty);
        }
        for op in ops {
            op.props = self.map_list(interners, op.props);
            op.attrs = self.map_list(interners, op.attrs);
            if let Syntax::Text(holes) = &mut op.syntax {
                for hole in holes {
                    match hole {
                        Hole::Type(ty) => *ty = self.map_type(interners, *ty),
                        Hole::Attr(attr) => *attr = self.map_attr(interners, *attr),
                        _ => {}
                    }
                }
            }
        }
    }

    /// What a type becomes.
    pub fn map_type(&mut self, interners: &mut Interners, ty: TypeId) -> TypeId {
        if let Some(&known) = self.types.get(&ty) {
            return known;
        }
        let each = |this: &mut Self, interners: &mut Interners, types: &[TypeId]| -> Vec<TypeId> {
            types.iter().map(|&ty| this.map_type(interners, ty)).collect()
        };
        let new = match interners.type_data(ty).clone() {
            Type::Tensor { shape, element, encoding } => {
                let element = self.map_type(interners, element);
                let encoding = encoding.map(|encoding| self.map_attr(interners, encoding));
                Some(Type::Tensor { shape, element, encoding })
            }
            Type::Pointer { pointee, space } => {
                Some(Type::Pointer { pointee: self.map_type(interners, pointee), space })
            }
            Type::MemDesc { name, block, space, mutable, allocation } => {
                let name = self.map_name(interners, NamePlace::Type, name);
                let block = self.map_type(interners, block);
                let space = space.map(|space| self.map_attr(interners, space));
                Some(Type::MemDesc { name, block, space, mutable, allocation })
            }
            Type::TensorDesc { name, block, bare } => {
                let name = self.map_name(interners, NamePlace::Type, name);
                Some(Type::TensorDesc { name, block: self.map_type(interners, block), bare })
            }
            Type::Function { inputs, results } => {
                let inputs = each(self, interners, &inputs);
                Some(Type::Function { inputs, results: each(self, interners, &results) })
            }
            Type::Tuple(types) => Some(Type::Tuple(each(self, interners, &types))),
            Type::Dialect { name, body } => {
                let name = self.map_name(interners, NamePlace::Type, name);
                Some(Type::Dialect { name, body: body.map(|body| self.map_pieces(interners, body)) })
            }
            Type::Other(pieces) => Some(Type::Other(self.map_pieces(interners, pieces))),
            _ => None,
        };
        let mut new = new.map_or(ty, |new| interners.ty(new));
        if let Some(other) = self.retype.and_then(|retype| retype(interners.type_data(new))) {
            new = interners.ty(other);
        }
        self.types.insert(ty, new);
        new
    }

    /// What an attribute becomes.
    pub fn map_attr(&mut self, interners: &mut Interners, attr: AttrId) -> AttrId {
        if let Some(&known) = self.attrs.get(&attr) {
            return known;
        }
        let new = match interners.attr_data(attr).clone() {
            Attr::Integer(digits, ty) => Some(Attr::Integer(digits, self.map_type(interners, ty))),
            Attr::Float(digits, ty) => Some(Attr::Float(digits, self.map_type(interners, ty))),
            Attr::Type(ty) => Some(Attr::Type(self.map_type(interners, ty))),
            Attr::Array(items) => {
                Some(Attr::Array(items.into_iter().map(|item| self.map_attr(interners, item)).collect()))
            }
            Attr::Dict(list) => Some(Attr::Dict(self.map_list(interners, list))),
            Attr::Dense(keyword, body, ty) => Some(Attr::Dense(keyword, body, self.map_type(interners, ty))),
            Attr::Layout(Layout { name, before, braces, fields, after, .. }) => {
                let name = self.map_name(interners, NamePlace::Attribute, name);
                Some(Attr::Layout(Layout {
                    name,
                    kind: interners.kind_of(name),
                    before: self.map_pieces(interners, before),
                    braces,
                    fields: self.map_fields(interners, fields),
                    after: self.map_pieces(interners, after),
                }))
            }
            Attr::Dialect { name, body } => {
                let name = self.map_name(interners, NamePlace::Attribute, name);
                Some(Attr::Dialect { name, body: body.map(|body| self.map_pieces(interners, body)) })
            }
            Attr::Other(pieces) => Some(Attr::Other(self.map_pieces(interners, pieces))),
            _ => None,
        };
        let mut new = new.map_or(attr, |new| interners.attr(new));
        if let Some(other) = self.reword.and_then(|reword| reword(interners, interners.attr_data(new))) {
            new = interners.attr(other);
        }
        self.attrs.insert(attr, new);
        new
    }

    fn map_list(&mut self, interners: &mut Interners, list: AttrsId) -> AttrsId {
        if let Some(&known) = self.lists.get(&list) {
            return known;
        }
        let entries = interners.attrs_data(list).clone();
        let mut entry =
            |(name, value)| (self.map_name(interners, NamePlace::Key, name), self.map_attr(interners, value));
        let entries = entries.into_iter().map(&mut entry).collect();
        let new = interners.attrs(entries);
        self.lists.insert(list, new);
        new
    }

    fn map_name(&self, interners: &mut Interners, place: NamePlace, name: Name) -> Name {
        match self.rename.and_then(|rename| rename(place, interners.name_text(name))) {
            Some(new) => interners.name(&new),
            None => name,
        }
    }

    fn map_fields(&mut self, interners: &mut Interners, fields: Vec<(Name, FieldValue)>) -> Vec<(Name, FieldValue)> {
        fields.into_iter().map(|(name, value)| (name, self.map_value(interners, value))).collect()
    }

    fn map_value(&mut self, interners: &mut Interners, value: FieldValue) -> FieldValue {
        match value {
            FieldValue::Attr(attr) => FieldValue::Attr(self.map_attr(interners, attr)),
            FieldValue::Text(pieces) => FieldValue::Text(self.map_pieces(interners, pieces)),
            FieldValue::Fields(fields) => FieldValue::Fields(self.map_fields(interners, fields)),
            FieldValue::List(items) => {
                FieldValue::List(items.into_iter().map(|item| self.map_value(interners, item)).collect())
            }
            FieldValue::Integer(_) | FieldValue::Bool(_) => value,
        }
    }

    fn map_pieces(&mut self, interners: &mut Interners, pieces: Vec<Piece>) -> Vec<Piece> {
        pieces
            .into_iter()
            .map(|piece| match piece {
                Piece::Attr(attr) => Piece::Attr(self.map_attr(interners, attr)),
                Piece::Type(ty) => Piece::Type(self.map_type(interners, ty)),
                text @ Piece::Text(_) => text,
            })
            .collect()
    }
}
