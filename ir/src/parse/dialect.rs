//! Types and attributes of dialects, `!name<…>` and `#name<…>`. Pointers, descriptors and layouts are read into data; of
//! any other, and of what is not as expected, the inside is kept as text with the types and attributes in it.

use super::super::intern::{Attr, BodySegment, Type};
use super::super::layout::{FieldValue, Layout, LayoutKind};
use super::super::lex::{Parsed, is_suffix, is_word};
use super::super::{AttrId, Name, TypeId};
use super::Parser;
use super::attribute::DEPTH;

impl<'a> Parser<'a> {
    /// The name behind the sigil at the position.
    pub(super) fn sigil_name(&mut self, expected: &str) -> Parsed<&'a str> {
        let start = self.at.pos;
        self.at.pos += 1;
        let name = self.at.run(is_suffix);
        if name.is_empty() { Err(self.at.error_at(start, expected)) } else { Ok(name) }
    }

    pub(super) fn dialect_type(&mut self) -> Parsed<TypeId> {
        let start = self.at.pos;
        let name = self.sigil_name("expected a type's name after `!`")?;
        if self.at.byte() == b'<' {
            let name = self.module.interners.name(name);
            return self.dialect_type_named(name);
        }
        if !name.contains('.') {
            return match self.type_alias(name)? {
                Some(ty) => Ok(ty),
                None => Err(self.at.error_at(start, format!("type alias `!{name}` is not defined"))),
            };
        }
        let name = self.module.interners.name(name);
        Ok(self.module.interners.ty(Type::Dialect { name, body: None }))
    }

    /// `<…>` as the body of the type of that name.
    pub(super) fn dialect_type_named(&mut self, name: Name) -> Parsed<TypeId> {
        let start = self.at;
        self.at.pos += 1;
        let text = self.module.interners.name_text(name);
        let known = if text == "tt.ptr" {
            self.pointer()?
        } else if text.ends_with(".memdesc") {
            self.memory_descriptor(name)?
        } else if text.ends_with(".tensordesc") {
            self.tensor_descriptor(name)?
        } else {
            None
        };
        let ty = match known.filter(|_| self.at.eat(">")) {
            Some(ty) => ty,
            None => {
                self.at = start;
                Type::Dialect { name, body: Some(self.body()?) }
            }
        };
        Ok(self.module.interners.ty(ty))
    }

    fn pointer(&mut self) -> Parsed<Option<Type>> {
        let pointee = self.ty()?;
        let space = if self.at.eat(",") { self.at.word().parse().ok() } else { Some(1) };
        Ok(space.map(|space| Type::Pointer { pointee, space }))
    }

    /// `64x32xf16`, with what follows it as the layout if that is an attribute: as a tensor type.
    fn block(&mut self) -> Parsed<Option<TypeId>> {
        let Some(shape) = self.sizes().filter(|shape| !shape.is_empty()) else { return Ok(None) };
        // What cannot be an element is kept as text, with the descriptor around it.
        let is_named = self.at.byte() == b'!';
        if !is_named && !self.at.clone().word().starts_with(['i', 's', 'u', 'f', 'b']) {
            return Ok(None);
        }
        let element = match self.ty() {
            Err(error) if is_named => return Err(error),
            Err(_) => return Ok(None),
            Ok(element) => element,
        };
        let encoding = self.attr_behind_comma()?;
        Ok(Some(self.module.interners.ty(Type::Tensor { shape, element, encoding })))
    }

    /// `, #name<…>`, if that is next.
    fn attr_behind_comma(&mut self) -> Parsed<Option<AttrId>> {
        let mut ahead = self.at;
        if ahead.eat(",") && ahead.peek() == b'#' {
            self.at = ahead;
            return Ok(Some(self.nested(Self::hash_attr)?));
        }
        Ok(None)
    }

    fn memory_descriptor(&mut self, name: Name) -> Parsed<Option<Type>> {
        let Some(block) = self.block()? else { return Ok(None) };
        let space = self.attr_behind_comma()?;
        let mut ahead = self.at;
        let mutable = ahead.eat(",") && ahead.eat("mutable");
        if mutable {
            self.at = ahead;
        }
        let mut allocation = None;
        if self.at.eat(",") {
            let sizes = self.at.word().split('x').map(|size| size.parse().ok());
            allocation = sizes.collect();
            if allocation.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(Type::MemDesc { name, block, space, mutable, allocation }))
    }

    fn tensor_descriptor(&mut self, name: Name) -> Parsed<Option<Type>> {
        let bare = !self.at.sees("tensor");
        let block = if bare { self.block()? } else { Some(self.ty()?) };
        let is_tensor = |&block: &TypeId| matches!(self.module.interners.type_data(block), Type::Tensor { .. });
        Ok(block.filter(is_tensor).map(|block| Type::TensorDesc { name, block, bare }))
    }

    /// `#alias`, `#dialect.name`, `#dialect.name<…>`, `#dialect<…>`.
    pub(super) fn hash_attr(&mut self) -> Parsed<AttrId> {
        let start = self.at.pos;
        let name = self.sigil_name("expected an attribute's name after `#`")?;
        if self.at.byte() == b'<' {
            let mut end = self.at;
            end.balanced()?;
            let text = &self.at.text[start..end.pos];
            if let Some(&known) = self.attrs.get(text) {
                self.at = end;
                return Ok(known);
            }
            let name = self.module.interners.name(name);
            let attr = self.dialect_attr_named(name)?;
            self.attrs.insert(text, attr);
            return Ok(attr);
        }
        if !name.contains('.') {
            return match self.attr_alias(name)? {
                Some(attr) => Ok(attr),
                None => Err(self.at.error_at(start, format!("attribute alias `#{name}` is not defined"))),
            };
        }
        let name = self.module.interners.name(name);
        Ok(self.module.interners.attr(Attr::Dialect { name, body: None }))
    }

    /// `<…>` as the body of the attribute of that name.
    pub(super) fn dialect_attr_named(&mut self, name: Name) -> Parsed<AttrId> {
        let mut end = self.at;
        end.balanced()?;
        let start = self.at;
        self.at.pos += 1;
        let attr = match self.layout(name, end.pos - 1)? {
            Some(layout) => Attr::Layout(layout),
            None => {
                self.at = start;
                Attr::Dialect { name, body: Some(self.body()?) }
            }
        };
        self.at = end;
        Ok(self.module.interners.attr(attr))
    }

    /// The inside of `<…>` up to `end` as a layout; nothing if it is no list of fields.
    fn layout(&mut self, name: Name, end: usize) -> Parsed<Option<Layout>> {
        let kind = self.module.interners.kind_of(name);
        let mut before = Vec::new();
        if self.at.peek() == b'[' {
            let mut list = self.at;
            list.balanced()?;
            before = self.segments(list.pos)?;
        }
        let braces = self.at.peek() == b'{';
        if !braces && (kind == LayoutKind::Other || !before.is_empty()) {
            return Ok(None);
        }
        let fields_end = if braces {
            let mut list = self.at;
            list.balanced()?;
            self.at.pos += 1;
            list.pos - 1
        } else {
            end
        };
        let Some(fields) = self.fields(fields_end)? else { return Ok(None) };
        self.at.pos = fields_end + usize::from(braces);
        if self.at.pos > end {
            return Ok(None);
        }
        let is_end = self.at.text[self.at.pos..end].trim().is_empty();
        let after = if is_end { Vec::new() } else { self.segments(end)? };
        Ok(Some(Layout { name, kind, before, braces, fields, after }))
    }

    /// `a = 1, b = [2, 3]` up to `end`; nothing if it is anything else.
    fn fields(&mut self, end: usize) -> Parsed<Option<Vec<(Name, FieldValue)>>> {
        let mut fields = Vec::new();
        self.at.skip();
        while self.at.pos < end {
            let name = self.at.run(is_word);
            if name.is_empty() || !self.at.eat("=") || matches!(self.at.byte(), b'=' | b'>') {
                return Ok(None);
            }
            let Some(value) = self.field_value(end)? else { return Ok(None) };
            fields.push((self.module.interners.name(name), value));
            if self.at.pos < end {
                self.at.pos += 1;
                self.at.skip();
                if self.at.pos >= end {
                    return Ok(None);
                }
            }
        }
        Ok(Some(fields))
    }

    /// A value, and white space behind it: up to a comma or `end`. Nothing if there is none.
    fn field_value(&mut self, end: usize) -> Parsed<Option<FieldValue>> {
        self.at.skip();
        if self.at.pos >= end {
            return Ok(None);
        }
        let start = self.at;
        let end = self.value_end(end)?;
        let text = start.text[start.pos..end].trim_end();
        if text.is_empty() {
            return Ok(None);
        }
        let value = match text.as_bytes()[0] {
            b'#' if self.at.byte_at(1).is_ascii_alphabetic() => Some(FieldValue::Attr(self.nested(Self::hash_attr)?)),
            opening @ (b'[' | b'{') if self.depth < DEPTH && self.closes_at(start.pos + text.len()) => {
                self.at.pos += 1;
                let inside = start.pos + text.len() - 1;
                let value = self.nested(|parser| match opening {
                    b'[' => Ok(parser.items(inside)?.map(FieldValue::List)),
                    _ => Ok(parser.fields(inside)?.map(FieldValue::Fields)),
                })?;
                self.at.pos = inside + 1;
                value
            }
            _ => {
                self.at.pos = start.pos + text.len();
                match text {
                    "true" => Some(FieldValue::Bool(true)),
                    "false" => Some(FieldValue::Bool(false)),
                    _ => text.parse().ok().filter(|n: &i64| n.to_string() == text).map(FieldValue::Integer),
                }
            }
        };
        let value = match value.filter(|_| self.at.pos == start.pos + text.len()) {
            Some(value) => value,
            None => {
                self.at = start;
                FieldValue::Text(self.segments(start.pos + text.len())?)
            }
        };
        self.at.pos = end;
        Ok(Some(value))
    }

    /// `1, [2, 3]` up to `end`; nothing if an item is missing.
    fn items(&mut self, end: usize) -> Parsed<Option<Vec<FieldValue>>> {
        let mut items = Vec::new();
        self.at.skip();
        if self.at.pos >= end {
            return Ok(Some(items));
        }
        loop {
            let Some(item) = self.field_value(end)? else { return Ok(None) };
            items.push(item);
            if self.at.pos >= end {
                return Ok(Some(items));
            }
            self.at.pos += 1;
        }
    }

    /// Whether the bracket here is closed just before `end`.
    fn closes_at(&self, end: usize) -> bool {
        let mut ahead = self.at;
        ahead.balanced().is_ok() && ahead.pos == end
    }

    /// Where a value that begins here ends: at a comma outside of brackets, or at `end`.
    fn value_end(&self, end: usize) -> Parsed<usize> {
        let mut ahead = self.at;
        while ahead.pos < end {
            match ahead.byte() {
                b',' => return Ok(ahead.pos),
                b'"' => drop(ahead.string()?),
                b'<' | b'(' | b'[' | b'{' => drop(ahead.balanced()?),
                _ => ahead.pos += 1,
            }
        }
        Ok(ahead.pos.min(end))
    }

    /// The inside of `<…>` at the position, as segments.
    pub(super) fn body(&mut self) -> Parsed<Vec<BodySegment>> {
        let start = self.at.pos + 1;
        let mut end = self.at;
        end.balanced()?;
        self.at.pos = start;
        let segments = self.segments(end.pos - 1)?;
        self.at.pos = end.pos;
        Ok(segments)
    }

    /// Text from the position to `end`, with the attributes and types in it interned. White space that holds a line
    /// break becomes one blank.
    fn segments(&mut self, end: usize) -> Parsed<Vec<BodySegment>> {
        let mut segments = Vec::new();
        let mut from = self.at.pos;
        let bytes = self.at.text.as_bytes();
        while self.at.pos < end {
            let byte = bytes[self.at.pos];
            let before = if self.at.pos == 0 { b' ' } else { bytes[self.at.pos - 1] };
            match byte {
                b'"' => {
                    self.at.string()?;
                }
                b'#' | b'!' if self.at.byte_at(1).is_ascii_alphabetic() && !is_word(before) => {
                    push_text(&mut segments, &self.at.text[from..self.at.pos]);
                    let nested = match byte {
                        b'#' => BodySegment::Attr(self.nested(Self::hash_attr)?),
                        _ => BodySegment::Type(self.ty()?),
                    };
                    segments.push(nested);
                    from = self.at.pos;
                }
                b't' if !is_word(before) && bytes[self.at.pos..].starts_with(b"tensor<") => {
                    push_text(&mut segments, &self.at.text[from..self.at.pos]);
                    segments.push(BodySegment::Type(self.ty()?));
                    from = self.at.pos;
                }
                _ => self.at.pos += 1,
            }
        }
        if self.at.pos != end {
            return Err(self.at.error_at(end, "brackets do not match here"));
        }
        push_text(&mut segments, &self.at.text[from..end]);
        Ok(segments)
    }
}

pub(super) fn push_text(segments: &mut Vec<BodySegment>, text: &str) {
    if text.is_empty() {
        return;
    }
    let text = if text.contains('\n') {
        let mut joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.starts_with(char::is_whitespace) {
            joined.insert(0, ' ');
        }
        if text.ends_with(char::is_whitespace) && !joined.ends_with(' ') {
            joined.push(' ');
        }
        joined
    } else {
        text.to_owned()
    };
    segments.push(BodySegment::Text(text));
}
