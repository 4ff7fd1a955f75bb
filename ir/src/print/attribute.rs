//! Types and attributes as text. Layouts are written by alias; which ones a text needs is known once it is written.

use super::super::intern::{Attr, NamedAttrs, Piece, Type};
use super::super::lex::is_suffix;
use super::super::{AttrId, AttrsId, Name, TypeId};
use super::Printer;
use std::fmt::Write;

impl Printer<'_> {
    /// A type.
    pub(super) fn ty(&mut self, ty: TypeId) {
        let module = self.module;
        match module.interners.type_data(ty) {
            Type::Unknown => self.out.push_str("<<UNKNOWN TYPE>>"),
            Type::Integer(name) | Type::Float(name) => self.out.push_str(module.interners.name_text(*name)),
            Type::Index => self.out.push_str("index"),
            Type::None => self.out.push_str("none"),
            Type::Tensor { shape, element, encoding } => {
                self.out.push_str("tensor<");
                for size in shape {
                    match size {
                        Some(size) => drop(write!(self.out, "{size}x")),
                        None => self.out.push_str("?x"),
                    }
                }
                self.ty(*element);
                if let Some(encoding) = encoding {
                    self.out.push_str(", ");
                    self.attr(*encoding);
                }
                self.out.push('>');
            }
            Type::Pointer { pointee, space } => {
                self.out.push_str("!tt.ptr");
                self.pointer_body(*pointee, *space);
            }
            Type::Function { inputs, results } => {
                self.type_list(inputs);
                self.out.push_str(" -> ");
                self.results(results);
            }
            Type::Tuple(types) => {
                self.out.push_str("tuple<");
                self.separated(types, Self::ty);
                self.out.push('>');
            }
            Type::Dialect { name, body } => {
                self.out.push('!');
                self.out.push_str(module.interners.name_text(*name));
                self.body(body.as_deref());
            }
            Type::Other(pieces) => self.pieces(pieces),
        }
    }

    fn pointer_body(&mut self, pointee: TypeId, space: u32) {
        self.out.push('<');
        self.ty(pointee);
        if space != 1 {
            let _ = write!(self.out, ", {space}");
        }
        self.out.push('>');
    }

    /// A dialect type without its name, when it is the one that the form leaves out.
    pub(super) fn type_without(&mut self, ty: TypeId, prefix: &str) {
        let module = self.module;
        if let (Type::Pointer { pointee, space }, "tt.ptr") = (module.interners.type_data(ty), prefix) {
            return self.pointer_body(*pointee, *space);
        }
        if let Type::Dialect { name, body: Some(body) } = module.interners.type_data(ty) {
            let name = module.interners.name_text(*name);
            if name == prefix || (prefix == "ttg.memdesc" && name == "tt.memdesc") {
                return self.body(Some(body));
            }
        }
        self.ty(ty);
    }

    /// `(t, t)`.
    pub(super) fn type_list(&mut self, types: &[TypeId]) {
        self.out.push('(');
        self.separated(types, Self::ty);
        self.out.push(')');
    }

    /// The results of a function type: bare if there is one that is no function itself.
    pub(super) fn results(&mut self, types: &[TypeId]) {
        match types {
            [only] if !matches!(self.module.interners.type_data(*only), Type::Function { .. }) => self.ty(*only),
            _ => self.type_list(types),
        }
    }

    /// Items with commas between.
    pub(super) fn separated<T: Copy>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, T)) {
        for (index, &item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            print(self, item);
        }
    }

    fn body(&mut self, body: Option<&[Piece]>) {
        if let Some(body) = body {
            self.out.push('<');
            self.pieces(body);
            self.out.push('>');
        }
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                Piece::Attr(attr) => self.attr(*attr),
                Piece::Type(ty) => self.ty(*ty),
            }
        }
    }

    /// An attribute, by alias if it is a layout worth one.
    pub(super) fn attr(&mut self, attr: AttrId) {
        if let Some(alias) = self.alias(attr) {
            self.out.push('#');
            self.out.push_str(&alias);
            return;
        }
        self.attr_in_full(attr, true);
    }

    /// An attribute with no alias for itself; integers and floats with their type if `typed`.
    pub(super) fn attr_in_full(&mut self, attr: AttrId, typed: bool) {
        let module = self.module;
        match module.interners.attr_data(attr) {
            Attr::Unit => self.out.push_str("unit"),
            Attr::Bool(value) => drop(write!(self.out, "{value}")),
            Attr::Integer(digits, ty) | Attr::Float(digits, ty) => {
                self.out.push_str(digits);
                if typed {
                    self.out.push_str(" : ");
                    self.ty(*ty);
                }
            }
            Attr::String(text) => drop(write!(self.out, "\"{text}\"")),
            Attr::Type(ty) => self.ty(*ty),
            Attr::Array(items) => {
                self.out.push('[');
                self.separated(items, Self::attr);
                self.out.push(']');
            }
            Attr::Dict(list) => self.dictionary(*list),
            Attr::Symbol(text) => {
                self.out.push('@');
                self.out.push_str(text);
            }
            Attr::DenseArray(element, items) => {
                self.out.push_str("array<");
                self.out.push_str(module.interners.name_text(*element));
                if !items.is_empty() {
                    self.out.push_str(": ");
                    self.out.push_str(&items.join(", "));
                }
                self.out.push('>');
            }
            Attr::Dense(keyword, body, ty) => {
                self.out.push_str(module.interners.name_text(*keyword));
                self.out.push('<');
                self.out.push_str(body);
                self.out.push_str("> : ");
                self.ty(*ty);
            }
            Attr::Dialect { name, body } => {
                self.out.push('#');
                self.out.push_str(module.interners.name_text(*name));
                self.body(body.as_deref());
            }
            Attr::Location(pieces) => {
                self.out.push_str("loc(");
                self.location(pieces);
                self.out.push(')');
            }
            Attr::Other(pieces) => self.pieces(pieces),
        }
    }

    /// A dialect attribute without its name.
    pub(super) fn attr_without_name(&mut self, attr: AttrId) {
        match self.module.interners.attr_data(attr) {
            Attr::Dialect { body, .. } => self.body(body.as_deref()),
            _ => self.attr(attr),
        }
    }

    /// The inside of `loc(…)`; locations that it mentions stand in it without `loc`.
    fn location(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Attr(nested) => match self.module.interners.attr_data(*nested) {
                    Attr::Location(pieces) => self.location(pieces),
                    _ => self.attr(*nested),
                },
                Piece::Text(text) => self.out.push_str(text),
                Piece::Type(ty) => self.ty(*ty),
            }
        }
    }

    /// ` loc(…)` if locations are wanted and there is one.
    pub(super) fn location_of(&mut self, loc: Option<AttrId>) {
        if let Some(loc) = loc.filter(|_| self.options.locations) {
            self.out.push(' ');
            self.attr_in_full(loc, true);
        }
    }

    /// `{a = 1, b}`.
    pub(super) fn dictionary(&mut self, list: AttrsId) {
        let module = self.module;
        self.named(module.interners.attrs_data(list));
    }

    /// `{a = 1, b}` of a list that need not be interned.
    pub(super) fn named(&mut self, list: &NamedAttrs) {
        self.out.push('{');
        self.separated(list, Self::named_one);
        self.out.push('}');
    }

    /// `a = 1`, or `b` for a unit attribute.
    pub(super) fn named_one(&mut self, (name, value): (Name, AttrId)) {
        let name = self.module.interners.name_text(name);
        let bare =
            name.bytes().all(is_suffix) && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.contains('-');
        if bare {
            self.out.push_str(name);
        } else {
            let _ = write!(self.out, "\"{name}\"");
        }
        if !matches!(self.module.interners.attr_data(value), Attr::Unit) {
            self.out.push_str(" = ");
            self.attr(value);
        }
    }

    /// The alias of an attribute, given on first use. Layouts that take parameters get one, by their kind; a layout
    /// that is derived from another (a slice, a dot operand) is written out, as Triton does.
    fn alias(&mut self, attr: AttrId) -> Option<String> {
        if !self.options.aliases {
            return None;
        }
        if let Some((_, alias)) = self.aliases.iter().find(|(known, _)| *known == attr) {
            return Some(alias.clone());
        }
        let module = self.module;
        let Attr::Dialect { name, body } = module.interners.attr_data(attr) else { return None };
        let full = module.interners.name_text(*name);
        let kind = full.rsplit('.').next().unwrap_or(full);
        let long = matches!(body.as_deref(), Some([Piece::Text(text), ..]) if text.starts_with('{') && text.len() > 12);
        let memory = kind == "shared_memory" || kind == "tensor_memory";
        if !(memory || long) || kind == "slice" || kind == "dot_op" {
            return None;
        }
        let stem = match kind {
            "shared_memory" => "smem",
            "tensor_memory" => "tmem",
            kind if kind.ends_with("mma") || kind.ends_with("wmma") => "mma",
            kind if kind.contains("shared") => "shared",
            kind => kind,
        };
        let taken = |name: &str| self.aliases.iter().any(|(_, alias)| alias == name);
        let mut alias = stem.to_owned();
        let mut number = 0u32;
        while taken(&alias) {
            number += 1;
            alias = format!("{stem}{number}");
        }
        self.aliases.push((attr, alias.clone()));
        Some(alias)
    }
}
