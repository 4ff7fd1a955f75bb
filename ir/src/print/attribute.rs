//! Types and attributes as text. Layouts are written by alias; which ones a text needs is known once it is written.

use super::super::intern::{Attr, BodySegment, NamedAttrs, Type};
use super::super::layout::{FieldValue, Layout, LayoutKind};
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
            Type::Tensor { .. } => {
                self.out.push_str("tensor<");
                self.tensor_body(ty);
                self.out.push('>');
            }
            Type::Pointer { pointee, space } => {
                self.out.push_str("!tt.ptr");
                self.pointer_body(*pointee, *space);
            }
            Type::MemDesc { name, .. } | Type::TensorDesc { name, .. } => {
                let _ = write!(self.out, "!{}", module.interners.name_text(*name));
                self.descriptor_body(ty);
            }
            Type::Function { inputs, results } => {
                self.function_type(inputs, results);
            }
            Type::Tuple(types) => {
                self.out.push_str("tuple");
                self.enclosed('<', types, '>', Self::ty);
            }
            Type::Dialect { name, body } => {
                let _ = write!(self.out, "!{}", module.interners.name_text(*name));
                self.body(body.as_deref());
            }
            Type::Other(segments) => self.segments(segments),
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

    /// `64x32xf16, #layout`.
    fn tensor_body(&mut self, ty: TypeId) {
        let Type::Tensor { shape, element, encoding } = self.module.interners.type_data(ty) else { return self.ty(ty) };
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
    }

    /// What is between the angle brackets of a memory descriptor or a tensor descriptor, with these.
    fn descriptor_body(&mut self, ty: TypeId) {
        self.out.push('<');
        match self.module.interners.type_data(ty) {
            Type::MemDesc { block, space, mutable, allocation, .. } => {
                self.tensor_body(*block);
                if let Some(space) = space {
                    self.out.push_str(", ");
                    self.attr(*space);
                }
                if *mutable {
                    self.out.push_str(", mutable");
                }
                for (place, size) in allocation.iter().flatten().enumerate() {
                    let _ = write!(self.out, "{}{size}", if place == 0 { ", " } else { "x" });
                }
            }
            Type::TensorDesc { block, bare: true, .. } => self.tensor_body(*block),
            Type::TensorDesc { block, bare: false, .. } => self.ty(*block),
            _ => {}
        }
        self.out.push('>');
    }

    /// A dialect type without its name, when it is the one that the form leaves out.
    pub(super) fn type_without(&mut self, ty: TypeId, prefix: &str) {
        let module = self.module;
        if let (Type::Pointer { pointee, space }, "tt.ptr") = (module.interners.type_data(ty), prefix) {
            return self.pointer_body(*pointee, *space);
        }
        let left_out = |name: Name| {
            let name = module.interners.name_text(name);
            name == prefix || (prefix == "ttg.memdesc" && name == "tt.memdesc")
        };
        match module.interners.type_data(ty) {
            Type::MemDesc { name, .. } | Type::TensorDesc { name, .. } if left_out(*name) => self.descriptor_body(ty),
            Type::Dialect { name, body: Some(body) } if left_out(*name) => self.body(Some(body)),
            _ => self.ty(ty),
        }
    }

    /// `(t, t)`.
    pub(super) fn type_list(&mut self, types: &[TypeId]) {
        self.enclosed('(', types, ')', Self::ty);
    }

    /// `(t, t) -> t`.
    pub(super) fn function_type(&mut self, inputs: &[TypeId], results: &[TypeId]) {
        self.type_list(inputs);
        self.out.push_str(" -> ");
        self.results(results);
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

    /// The same in brackets.
    pub(super) fn enclosed<T: Copy>(&mut self, open: char, items: &[T], close: char, print: impl FnMut(&mut Self, T)) {
        self.out.push(open);
        self.separated(items, print);
        self.out.push(close);
    }

    fn body(&mut self, body: Option<&[BodySegment]>) {
        if let Some(body) = body {
            self.out.push('<');
            self.segments(body);
            self.out.push('>');
        }
    }

    fn segments(&mut self, segments: &[BodySegment]) {
        for segment in segments {
            match segment {
                BodySegment::Text(text) => self.out.push_str(text),
                BodySegment::Attr(attr) => self.attr(*attr),
                BodySegment::Type(ty) => self.ty(*ty),
            }
        }
    }

    /// An attribute, by alias if it is a layout worth one.
    pub(super) fn attr(&mut self, attr: AttrId) {
        if let Some(alias) = self.alias(attr) {
            let _ = write!(self.out, "#{alias}");
        } else {
            self.attr_in_full(attr, true);
        }
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
                self.enclosed('[', items, ']', Self::attr);
            }
            Attr::Dict(list) => self.dictionary(*list),
            Attr::Symbol(text) => drop(write!(self.out, "@{text}")),
            Attr::DenseArray(element, items) => {
                let colon = if items.is_empty() { "" } else { ": " };
                let _ = write!(self.out, "array<{}{colon}{}>", module.interners.name_text(*element), items.join(", "));
            }
            Attr::Dense(keyword, body, ty) => {
                let _ = write!(self.out, "{}<{body}> : ", module.interners.name_text(*keyword));
                self.ty(*ty);
            }
            Attr::Layout(Layout { name, .. }) | Attr::Dialect { name, .. } => {
                let _ = write!(self.out, "#{}", module.interners.name_text(*name));
                self.attr_without_name(attr);
            }
            Attr::Location(segments) => {
                self.out.push_str("loc(");
                self.location(segments);
                self.out.push(')');
            }
            Attr::Other(segments) => self.segments(segments),
        }
    }

    /// A dialect attribute without its name.
    pub(super) fn attr_without_name(&mut self, attr: AttrId) {
        match self.module.interners.attr_data(attr) {
            Attr::Layout(layout) => self.layout_body(layout),
            Attr::Dialect { body, .. } => self.body(body.as_deref()),
            _ => self.attr(attr),
        }
    }

    /// `<{a = 1, b = [2, 3]}>`.
    fn layout_body(&mut self, layout: &Layout) {
        self.out.push('<');
        if !layout.before.is_empty() {
            self.segments(&layout.before);
            self.out.push(' ');
        }
        self.fields(&layout.fields, layout.braces);
        self.segments(&layout.after);
        self.out.push('>');
    }

    fn fields(&mut self, fields: &[(Name, FieldValue)], braces: bool) {
        self.out.push_str(if braces { "{" } else { "" });
        let fields: Vec<_> = fields.iter().collect();
        self.separated(&fields, |printer, (name, value)| {
            let _ = write!(printer.out, "{} = ", printer.module.interners.name_text(*name));
            printer.field_value(value);
        });
        self.out.push_str(if braces { "}" } else { "" });
    }

    fn field_value(&mut self, value: &FieldValue) {
        match value {
            FieldValue::Integer(number) => drop(write!(self.out, "{number}")),
            FieldValue::Bool(value) => drop(write!(self.out, "{value}")),
            FieldValue::List(items) => {
                let items: Vec<_> = items.iter().collect();
                self.enclosed('[', &items, ']', Self::field_value);
            }
            FieldValue::Fields(fields) => self.fields(fields, true),
            FieldValue::Attr(attr) => self.attr(*attr),
            FieldValue::Text(segments) => self.segments(segments),
        }
    }

    /// The inside of `loc(…)`; locations that it mentions stand in it without `loc`.
    fn location(&mut self, segments: &[BodySegment]) {
        for segment in segments {
            match segment {
                BodySegment::Attr(nested) => match self.module.interners.attr_data(*nested) {
                    Attr::Location(segments) => self.location(segments),
                    _ => self.attr(*nested),
                },
                BodySegment::Text(text) => self.out.push_str(text),
                BodySegment::Type(ty) => self.ty(*ty),
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
        self.enclosed('{', list, '}', Self::named_one);
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
        let name = match module.interners.attr_data(attr) {
            Attr::Layout(Layout { kind: LayoutKind::Slice | LayoutKind::DotOperand, .. }) => return None,
            Attr::Layout(layout) if layout.braces && layout.before.is_empty() && !layout.fields.is_empty() => {
                layout.name
            }
            Attr::Dialect { name, .. } => *name,
            _ => return None,
        };
        let full = module.interners.name_text(name);
        let stem = match full.rsplit('.').next().unwrap_or(full) {
            "shared_memory" => "smem",
            "tensor_memory" => "tmem",
            _ if matches!(module.interners.attr_data(attr), Attr::Dialect { .. }) => return None,
            kind if kind.ends_with("mma") => "mma",
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
