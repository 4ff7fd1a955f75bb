//! Types and attributes. Both are looked up by their text first: a module repeats a few of them thousands of times.

use super::super::intern::{Attr, BodySegment, NamedAttrs, Type};
use super::super::lex::{Parsed, is_suffix, is_word};
use super::super::{AttrId, AttrsId, TypeId};
use super::Parser;
use super::dialect::push_text;
use smallvec::SmallVec;

/// How deep types and attributes may nest; real ones stay below ten.
pub(super) const DEPTH: u32 = 64;

/// An attribute list as it stands in the text, with the operand segments taken out.
#[derive(Debug, Clone)]
pub(super) struct AttrList {
    pub attrs: AttrsId,
    pub segments: SmallVec<[u32; 4]>,
}

impl<'a> Parser<'a> {
    /// Runs `f` one level deeper, or fails.
    pub(super) fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH {
            return Err(self.at.error("types and attributes nest too deep here"));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// A type.
    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        self.at.skip();
        let start = self.at.pos;
        if let Some(end) = self.type_end() {
            let text = &self.at.text[start..end];
            if let Some(&known) = self.types.get(text) {
                self.at.pos = end;
                return Ok(known);
            }
        }
        let ty = self.nested(Self::new_type)?;
        self.types.insert(&self.at.text[start..self.at.pos], ty);
        Ok(ty)
    }

    /// Where a type that begins here ends, if that can be told from brackets alone.
    fn type_end(&self) -> Option<usize> {
        let mut ahead = self.at;
        match ahead.byte() {
            b'!' => {
                ahead.pos += 1;
                ahead.run(is_suffix);
            }
            b'(' => return None,
            _ => {
                ahead.run(is_word);
            }
        }
        if ahead.byte() == b'<' {
            ahead.balanced().ok()?;
        }
        Some(ahead.pos)
    }

    fn new_type(&mut self) -> Parsed<TypeId> {
        match self.at.peek() {
            b'!' => self.dialect_type(),
            b'(' => {
                let inputs = self.type_list_in_parentheses()?;
                self.expect("->")?;
                let results = self.result_types()?;
                Ok(self.module.interners.ty(Type::Function { inputs, results }))
            }
            _ => self.builtin_type(),
        }
    }

    /// `t` or `(t, t)`, after an arrow.
    pub(super) fn result_types(&mut self) -> Parsed<Vec<TypeId>> {
        if self.at.peek() == b'(' {
            // `() -> (() -> i32)` is a function type in parentheses; a list is what MLIR reads here.
            return self.type_list_in_parentheses();
        }
        Ok(vec![self.ty()?])
    }

    /// `(t, t)`.
    pub(super) fn type_list_in_parentheses(&mut self) -> Parsed<Vec<TypeId>> {
        self.expect("(")?;
        self.types_up_to(")")
    }

    fn types_up_to(&mut self, close: &str) -> Parsed<Vec<TypeId>> {
        let mut types = Vec::new();
        self.separated(close, |parser| parser.ty().map(|ty| types.push(ty)))?;
        Ok(types)
    }

    fn builtin_type(&mut self) -> Parsed<TypeId> {
        let start = self.at.pos;
        let word = self.at.word();
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let integer = |text: &str| ["i", "si", "ui"].iter().any(|p| text.strip_prefix(p).is_some_and(digits));
        let ty = match word {
            "" if self.at.eat("<<UNKNOWN TYPE>>") || self.at.eat("<<NULL TYPE>>") => Type::Unknown,
            "" => return Err(self.at.error_at(start, "expected a type")),
            "index" => Type::Index,
            "none" => Type::None,
            "tensor" if self.at.byte() == b'<' => {
                let back = self.at;
                match self.ranked_tensor()? {
                    Some(tensor) => tensor,
                    None => {
                        self.at = back;
                        Type::Other(self.angled(word)?)
                    }
                }
            }
            "tuple" if self.at.byte() == b'<' => {
                self.at.pos += 1;
                Type::Tuple(self.types_up_to(">")?)
            }
            _ if integer(word) => Type::Integer(self.module.interners.name(word)),
            "bf16" | "tf32" => Type::Float(self.module.interners.name(word)),
            _ if word.strip_prefix('f').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) => {
                Type::Float(self.module.interners.name(word))
            }
            "vector" | "memref" | "complex" if self.at.byte() == b'<' => Type::Other(self.angled(word)?),
            _ => return Err(self.at.error_at(start, format!("`{word}` is not a type"))),
        };
        Ok(self.module.interners.ty(ty))
    }

    /// `<…>` with what stands before it.
    fn angled(&mut self, before: &str) -> Parsed<Vec<BodySegment>> {
        let mut segments = vec![BodySegment::Text(format!("{before}<"))];
        if self.at.byte() == b'<' {
            segments.extend(self.body()?);
        }
        segments.push(BodySegment::Text(">".into()));
        Ok(segments)
    }

    /// `<2x?xf32, #layout>`; nothing if it is unranked or else unusual.
    fn ranked_tensor(&mut self) -> Parsed<Option<Type>> {
        self.at.pos += 1;
        let Some(shape) = self.sizes().filter(|_| self.at.byte() != b'*') else { return Ok(None) };
        let element = self.ty()?;
        let encoding = if self.at.eat(",") { Some(self.attr()?) } else { None };
        if !self.at.eat(">") {
            return Ok(None);
        }
        Ok(Some(Type::Tensor { shape, element, encoding }))
    }

    /// `2x?x`; nothing if a size is followed by something else.
    pub(super) fn sizes(&mut self) -> Option<Vec<Option<u64>>> {
        let mut shape = Vec::new();
        loop {
            self.at.skip();
            let mut ahead = self.at;
            if ahead.byte() == b'?' {
                ahead.pos += 1;
                shape.push(None);
            } else {
                let digits = ahead.run(|b| b.is_ascii_digit());
                match digits.parse() {
                    Ok(size) => shape.push(Some(size)),
                    Err(_) => return Some(shape),
                }
            }
            if ahead.byte() != b'x' {
                return None;
            }
            ahead.pos += 1;
            self.at = ahead;
        }
    }

    /// An attribute.
    pub(super) fn attr(&mut self) -> Parsed<AttrId> {
        self.nested(Self::new_attr)
    }

    fn new_attr(&mut self) -> Parsed<AttrId> {
        let start = self.at;
        let attr = match self.at.peek() {
            b'"' => {
                let text = self.at.string()?.to_owned();
                // A string may carry a type, which only exotic dialects use; it is kept as text.
                Attr::String(text)
            }
            b'[' => {
                self.at.pos += 1;
                let mut items = Vec::new();
                self.separated("]", |parser| parser.attr().map(|item| items.push(item)))?;
                Attr::Array(items)
            }
            b'{' => Attr::Dict(self.dictionary()?),
            b'@' => Attr::Symbol(self.symbol()?),
            b'#' => return self.hash_attr(),
            b'!' | b'(' => Attr::Type(self.ty()?),
            b'-' | b'0'..=b'9' => return self.number(),
            _ => {
                let word = self.at.word();
                match word {
                    "unit" => Attr::Unit,
                    "true" => Attr::Bool(true),
                    "false" => Attr::Bool(false),
                    "array" if self.at.byte() == b'<' => {
                        let inside = self.at.balanced()?;
                        let (element, items) = inside.split_once(':').unwrap_or((inside, ""));
                        self.dense_array(element, items)
                    }
                    "dense" | "dense_resource" | "sparse" if self.at.byte() == b'<' => {
                        let body = self.at.balanced()?.to_owned();
                        self.expect(":")?;
                        let ty = self.ty()?;
                        Attr::Dense(self.module.interners.name(word), body, ty)
                    }
                    "loc" if self.at.peek() == b'(' => return self.location_body(),
                    "affine_map" | "affine_set" | "opaque" | "strided" if self.at.byte() == b'<' => {
                        Attr::Other(self.angled(word)?)
                    }
                    "distinct" if self.at.byte() == b'[' => {
                        let index = self.at.balanced()?;
                        Attr::Other(self.angled(&format!("distinct[{index}]"))?)
                    }
                    "nan" | "inf" => return Err(self.at.error_at(start.pos, "expected an attribute")),
                    _ => {
                        self.at = start;
                        Attr::Type(self.ty().map_err(|_| start.error("expected an attribute"))?)
                    }
                }
            }
        };
        Ok(self.module.interners.attr(attr))
    }

    fn number(&mut self) -> Parsed<AttrId> {
        let start = self.at.pos;
        if self.at.byte() == b'-' {
            self.at.pos += 1;
            self.at.skip();
        }
        let hex = self.at.byte() == b'0' && self.at.byte_at(1) == b'x';
        let body = self.at.run(|b| b.is_ascii_alphanumeric() || b == b'.');
        if body.is_empty() {
            return Err(self.at.error_at(start, "expected a number after `-`"));
        }
        let mut float = !hex && body.contains('.');
        if float && body.ends_with(['e', 'E']) && matches!(self.at.byte(), b'+' | b'-') {
            self.at.pos += 1;
            self.at.run(|b| b.is_ascii_digit());
        }
        let text = self.at.text[start..self.at.pos].to_owned();
        let ty = if self.at.eat(":") {
            let ty = self.ty()?;
            float |= matches!(self.module.interners.type_data(ty), Type::Float(_));
            ty
        } else {
            self.module.interners.plain(if float { "f64" } else { "i64" })
        };
        let attr = if float { Attr::Float(text, ty) } else { Attr::Integer(text, ty) };
        Ok(self.module.interners.attr(attr))
    }

    /// `@a` or `@"a b"` as the name that it stands for, without quotes.
    pub(super) fn symbol_name(&mut self) -> Parsed<String> {
        let symbol = self.symbol()?;
        let inner = symbol.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        Ok(inner.filter(|_| !symbol.contains("::")).map_or(symbol.clone(), str::to_owned))
    }

    /// `@a::@"b c"`, without the first `@`.
    pub(super) fn symbol(&mut self) -> Parsed<String> {
        self.expect("@")?;
        let start = self.at.pos;
        loop {
            if self.at.byte() == b'"' {
                self.at.string()?;
            } else if self.at.run(is_suffix).is_empty() {
                return Err(self.at.error("expected a symbol's name after `@`"));
            }
            if self.at.byte() == b':' && self.at.byte_at(1) == b':' && self.at.byte_at(2) == b'@' {
                self.at.pos += 3;
            } else {
                return Ok(self.at.text[start..self.at.pos].to_owned());
            }
        }
    }

    /// An array of the items that stand in a text.
    pub(super) fn dense_array(&mut self, element: &str, items: &str) -> Attr {
        let items = items.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect();
        Attr::DenseArray(self.module.interners.name(element.trim()), items)
    }

    /// The inside of `{…}` as a list.
    pub(super) fn dictionary(&mut self) -> Parsed<AttrsId> {
        Ok(self.attr_list()?.attrs)
    }

    /// `{a = 1, b}`, looked up by its text.
    pub(super) fn attr_list(&mut self) -> Parsed<AttrList> {
        self.at.skip();
        let start = self.at.pos;
        let mut end = self.at;
        end.balanced()?;
        let text = &self.at.text[start..end.pos];
        if let Some(known) = self.lists.get(text) {
            self.at.pos = end.pos;
            return Ok(known.clone());
        }
        let list = self.new_list()?;
        self.lists.insert(text, list.clone());
        Ok(list)
    }

    fn new_list(&mut self) -> Parsed<AttrList> {
        self.expect("{")?;
        let mut list: NamedAttrs = Vec::new();
        let mut segments = SmallVec::new();
        self.separated("}", |parser| {
            let name = if parser.at.peek() == b'"' { parser.at.string()? } else { parser.at.run(is_suffix) };
            if name.is_empty() {
                return Err(parser.at.error("expected an attribute's name"));
            }
            let value = if parser.at.eat("=") { parser.attr()? } else { parser.module.interners.attr(Attr::Unit) };
            match parser.module.interners.attr_data(value) {
                Attr::DenseArray(_, sizes) if name == "operandSegmentSizes" || name == "operand_segment_sizes" => {
                    segments = sizes.iter().filter_map(|size| size.parse().ok()).collect();
                }
                _ => list.push((parser.module.name(name), value)),
            }
            Ok(())
        })?;
        Ok(AttrList { attrs: self.module.interners.attrs(list), segments })
    }

    /// `loc(…)` if it is next.
    pub(super) fn location(&mut self) -> Parsed<Option<AttrId>> {
        if self.at.eat("loc") { self.location_body().map(Some) } else { Ok(None) }
    }

    /// `(…)` after `loc`.
    fn location_body(&mut self) -> Parsed<AttrId> {
        self.at.skip();
        if self.at.byte() != b'(' {
            return Err(self.at.error("expected `(` after `loc`"));
        }
        let mut end = self.at;
        end.balanced()?;
        self.at.pos += 1;
        let segments = self.location_segments(end.pos - 1)?;
        self.at.pos = end.pos;
        Ok(self.module.interners.attr(Attr::Location(segments)))
    }

    /// Like [`Self::segments`], but a location may be named that a pasted excerpt does not define: it is unknown then.
    fn location_segments(&mut self, end: usize) -> Parsed<Vec<BodySegment>> {
        let mut segments = Vec::new();
        let mut from = self.at.pos;
        while self.at.pos < end {
            match self.at.byte() {
                b'"' => {
                    self.at.string()?;
                }
                b'#' => {
                    push_text(&mut segments, &self.at.text[from..self.at.pos]);
                    self.at.pos += 1;
                    let name = self.at.run(is_suffix);
                    segments.push(match self.nested(|parser| parser.attr_alias(name))? {
                        Some(location) => BodySegment::Attr(location),
                        None => BodySegment::Text("unknown".into()),
                    });
                    from = self.at.pos;
                }
                _ => self.at.pos += 1,
            }
        }
        push_text(&mut segments, &self.at.text[from..end]);
        Ok(segments)
    }
}
