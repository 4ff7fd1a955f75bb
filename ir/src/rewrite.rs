//! Rewriting types and attributes throughout a module: one layout put in place of another, wherever it is nested.

use super::intern::{Attr, BodySegment, Interners, Type};
use super::layout::{FieldValue, Layout};
use super::module::{Module, Syntax, TemplateSegment};
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
            if let Syntax::Text(segments) = &mut op.syntax {
                for segment in segments {
                    match segment {
                        TemplateSegment::Type(ty) => *ty = self.map_type(interners, *ty),
                        TemplateSegment::Attr(attr) => *attr = self.map_attr(interners, *attr),
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
        let mut data = interners.type_data(ty).clone();
        data.each(&mut |inside| self.map_inside(interners, inside));
        let mut new = interners.ty(data);
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
        let mut data = interners.attr_data(attr).clone();
        data.each(&mut |inside| self.map_inside(interners, inside));
        if let Attr::Layout(layout) = &mut data {
            layout.kind = interners.kind_of(layout.name);
        }
        let mut new = interners.attr(data);
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
        let mut entries = interners.attrs_data(list).clone();
        for (name, value) in &mut entries {
            self.map_inside(interners, Inside::Name(NamePlace::Key, name));
            self.map_inside(interners, Inside::Attr(value));
        }
        let new = interners.attrs(entries);
        self.lists.insert(list, new);
        new
    }

    fn map_inside(&mut self, interners: &mut Interners, inside: Inside<'_>) {
        match inside {
            Inside::Type(ty) => *ty = self.map_type(interners, *ty),
            Inside::Attr(attr) => *attr = self.map_attr(interners, *attr),
            Inside::List(list) => *list = self.map_list(interners, *list),
            Inside::Name(place, name) => {
                if let Some(new) = self.rename.and_then(|rename| rename(place, interners.name_text(*name))) {
                    *name = interners.name(&new);
                }
            }
        }
    }
}

/// What stands directly in a type or an attribute.
pub(super) enum Inside<'a> {
    Type(&'a mut TypeId),
    Attr(&'a mut AttrId),
    List(&'a mut AttrsId),
    Name(NamePlace, &'a mut Name),
}

impl Type {
    fn each(&mut self, f: &mut impl FnMut(Inside<'_>)) {
        match self {
            Type::Tensor { element: ty, encoding: attr, .. } => {
                f(Inside::Type(ty));
                attr.iter_mut().for_each(|attr| f(Inside::Attr(attr)));
            }
            Type::Pointer { pointee, .. } => f(Inside::Type(pointee)),
            Type::MemDesc { name, block, space, .. } => {
                f(Inside::Name(NamePlace::Type, name));
                f(Inside::Type(block));
                space.iter_mut().for_each(|space| f(Inside::Attr(space)));
            }
            Type::TensorDesc { name, block, .. } => {
                f(Inside::Name(NamePlace::Type, name));
                f(Inside::Type(block));
            }
            Type::Function { inputs, results } => inputs.iter_mut().chain(results).for_each(|ty| f(Inside::Type(ty))),
            Type::Tuple(types) => types.iter_mut().for_each(|ty| f(Inside::Type(ty))),
            Type::Dialect { name, body } => {
                f(Inside::Name(NamePlace::Type, name));
                each_segment(body.iter_mut().flatten(), f);
            }
            Type::Other(segments) => each_segment(segments, f),
            Type::Unknown | Type::Integer(_) | Type::Float(_) | Type::Index | Type::None => {}
        }
    }
}

impl Attr {
    pub(super) fn each(&mut self, f: &mut impl FnMut(Inside<'_>)) {
        match self {
            Attr::Integer(_, ty) | Attr::Float(_, ty) | Attr::Type(ty) | Attr::Dense(_, _, ty) => f(Inside::Type(ty)),
            Attr::Array(items) => items.iter_mut().for_each(|item| f(Inside::Attr(item))),
            Attr::Dict(list) => f(Inside::List(list)),
            Attr::Layout(Layout { name, before, fields, after, .. }) => {
                f(Inside::Name(NamePlace::Attribute, name));
                each_segment(before, f);
                fields.iter_mut().for_each(|(_, value)| value.each(f));
                each_segment(after, f);
            }
            Attr::Dialect { name, body } => {
                f(Inside::Name(NamePlace::Attribute, name));
                each_segment(body.iter_mut().flatten(), f);
            }
            Attr::Other(segments) => each_segment(segments, f),
            // No layout is in a location.
            Attr::Location(_)
            | Attr::Unit
            | Attr::Bool(_)
            | Attr::String(_)
            | Attr::Symbol(_)
            | Attr::DenseArray(..) => {}
        }
    }
}

impl FieldValue {
    fn each(&mut self, f: &mut impl FnMut(Inside<'_>)) {
        match self {
            FieldValue::Attr(attr) => f(Inside::Attr(attr)),
            FieldValue::List(items) => items.iter_mut().for_each(|item| item.each(f)),
            FieldValue::Fields(fields) => fields.iter_mut().for_each(|(_, value)| value.each(f)),
            FieldValue::Text(segments) => each_segment(segments, f),
            FieldValue::Integer(_) | FieldValue::Bool(_) => {}
        }
    }
}

fn each_segment<'a>(segments: impl IntoIterator<Item = &'a mut BodySegment>, f: &mut impl FnMut(Inside<'_>)) {
    for segment in segments {
        match segment {
            BodySegment::Attr(attr) => f(Inside::Attr(attr)),
            BodySegment::Type(ty) => f(Inside::Type(ty)),
            BodySegment::Text(_) => {}
        }
    }
}
