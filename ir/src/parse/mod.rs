//! From text to a [`Module`].
//!
//! A recursive descent over bytes. [`parse`] takes the custom form, the generic form and mixtures of both; aliases may
//! stand anywhere in the text, and text without a module around it gets one. The custom form of an operation is read by
//! its definition (`custom`, `special`); where none fits, the operation keeps its text as segments (`text`), so an unknown
//! operation is never an error. Recursion is bounded, so no input overflows the stack.

mod attribute;
mod custom;
mod dialect;
mod region;
mod scope;
mod special;
mod text;

use super::intern::{Attr, NamedAttrs};
use super::lex::{Cursor, ParseError, Parsed, is_suffix, is_word};
use super::module::{Definition, Module, Syntax};
use super::ods::OpKind;
use super::{AttrId, AttrsId, BlockId, OpId, RegionId, Span, TypeId, Use, ValueId};
use attribute::AttrList;
use rustc_hash::FxHashMap;
use scope::{Pending, Scopes, ValueGroup};
use smallvec::SmallVec;

/// How deep regions may nest; real modules stay below ten.
const REGION_DEPTH: u32 = 128;

/// What an operation takes in text, roughly; room for so many is made ahead.
const BYTES_PER_OPERATION: usize = 100;

/// What to keep beside the module itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct ParseOptions {
    /// Where every operand stands, for pointing at it ([`Module::use_span`]).
    pub spans: bool,
}

/// Reads a module. The text must be shorter than 4 GiB.
///
/// # Errors
/// The first place that is no MLIR. A value that is never defined, defined twice or used where it is not visible is no
/// error here: the oracle judges it.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    parse_with(text, ParseOptions::default())
}

/// [`parse`] with options.
pub fn parse_with(text: &str, options: ParseOptions) -> Result<Module, ParseError> {
    if u32::try_from(text.len()).is_err() {
        return Err(Cursor::new(text).error_at(0, "this text is larger than 4 GiB"));
    }
    let mut parser = Parser::new(text, options);
    parser.collect_aliases();
    parser.file()?;
    Ok(parser.module)
}

/// The left-hand side of an operation: a name, how many results it stands for, where it is.
type ResultNames<'a> = SmallVec<[(&'a str, u32, Span); 2]>;

#[derive(Debug, Clone, Copy)]
enum Alias<T> {
    /// Where its right-hand side stands.
    At(usize),
    /// Being resolved: an alias that mentions itself finds this.
    Busy,
    Known(T),
}

struct Parser<'a> {
    at: Cursor<'a>,
    options: ParseOptions,
    module: Module,
    scopes: Scopes<'a>,
    types: FxHashMap<&'a str, TypeId>,
    /// Dialect attributes with a body.
    attrs: FxHashMap<&'a str, AttrId>,
    lists: FxHashMap<&'a str, AttrList>,
    attr_aliases: FxHashMap<&'a str, Alias<AttrId>>,
    type_aliases: FxHashMap<&'a str, Alias<TypeId>>,
    /// Labels of the regions around the position, innermost last.
    labels: Vec<FxHashMap<&'a str, BlockId>>,
    /// Stand-ins of uses that came before their definition, and what they turned out to be.
    forwards: Vec<(ValueId, ValueId)>,
    depth: u32,
    region_depth: u32,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, options: ParseOptions) -> Self {
        let mut module = Module::without_root();
        // About as many as there are in generic form, where an operation takes the most text.
        module.ops.reserve(text.len() / BYTES_PER_OPERATION);
        module.values.reserve(text.len() / BYTES_PER_OPERATION);
        Parser {
            at: Cursor::new(text),
            options,
            module,
            scopes: Scopes::default(),
            types: FxHashMap::default(),
            attrs: FxHashMap::default(),
            lists: FxHashMap::default(),
            attr_aliases: FxHashMap::default(),
            type_aliases: FxHashMap::default(),
            labels: Vec::new(),
            forwards: Vec::new(),
            depth: 0,
            region_depth: 0,
        }
    }

    /// Takes `token` or fails.
    fn expect(&mut self, token: &str) -> Parsed<()> {
        if self.at.eat(token) { Ok(()) } else { Err(self.at.error(format!("expected `{token}`"))) }
    }

    /// Takes items with commas between up to `close`, as many as there are.
    fn separated(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        if self.at.eat(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.at.eat(",") {
                return self.expect(close);
            }
        }
    }

    fn span_from(&self, start: usize) -> Span {
        Span { start: start as u32, end: self.at.pos as u32 }
    }

    /// Finds the lines `#name = …` and `!name = …`; MLIR prints locations after the module.
    fn collect_aliases(&mut self) {
        let text = self.at.text;
        let bytes = text.as_bytes();
        let mut line = 0;
        loop {
            let sigil = bytes.get(line).copied().unwrap_or(0);
            if sigil == b'#' || sigil == b'!' {
                let mut ahead = Cursor { text, pos: line + 1 };
                let name = ahead.run(is_suffix);
                if !name.is_empty() && ahead.eat("=") {
                    match sigil {
                        b'#' => drop(self.attr_aliases.insert(name, Alias::At(ahead.pos))),
                        _ => drop(self.type_aliases.insert(name, Alias::At(ahead.pos))),
                    }
                }
            }
            match memchr::memchr(b'\n', &bytes[line.min(bytes.len())..]) {
                Some(next) => line += next + 1,
                None => return,
            }
        }
    }

    fn attr_alias(&mut self, name: &'a str) -> Parsed<Option<AttrId>> {
        self.alias(
            name,
            '#',
            |parser| &mut parser.attr_aliases,
            |parser| {
                let attr = parser.attr()?;
                if !matches!(parser.module.interners.attr_data(attr), Attr::Location(_)) {
                    let name = parser.module.name(name);
                    parser.module.aliases.push((name, attr));
                }
                Ok(attr)
            },
        )
    }

    fn type_alias(&mut self, name: &'a str) -> Parsed<Option<TypeId>> {
        self.alias(name, '!', |parser| &mut parser.type_aliases, Self::ty)
    }

    /// What an alias stands for, read where it is defined the first time that it is used; none if it is not defined.
    fn alias<T: Copy>(
        &mut self,
        name: &'a str,
        sigil: char,
        aliases: fn(&mut Self) -> &mut FxHashMap<&'a str, Alias<T>>,
        read: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<Option<T>> {
        let at = match aliases(self).get(name) {
            None => return Ok(None),
            Some(Alias::Known(known)) => return Ok(Some(*known)),
            Some(Alias::Busy) => return Err(self.at.error(format!("alias `{sigil}{name}` is defined by itself"))),
            Some(Alias::At(at)) => *at,
        };
        aliases(self).insert(name, Alias::Busy);
        let back = self.at;
        self.at.pos = at;
        let read = read(self);
        self.at = back;
        let read = read?;
        aliases(self).insert(name, Alias::Known(read));
        Ok(Some(read))
    }

    /// The whole text: aliases, operations, resources.
    fn file(&mut self) -> Parsed<()> {
        // Operations are read into a module of our own; if they turn out to be one module, that one is the root.
        let name = self.module.name(OpKind::BuiltinModule.name());
        let root = self.module.new_op(name);
        self.module.root = root;
        self.module.op_mut(root).syntax = Syntax::Custom(0);
        let region = self.module.new_region(root);
        let block = self.module.new_block(region);
        self.labels.push(FxHashMap::default());
        loop {
            match self.at.peek() {
                _ if self.at.at_end() => break,
                b'#' | b'!' => self.alias_line()?,
                b'{' if self.at.byte_at(1) == b'-' => self.resource_block()?,
                _ => self.operation(block)?,
            }
        }
        for (pending, found) in self.scopes.finish() {
            self.connect(&pending, found);
        }
        let labels = self.labels.pop().unwrap_or_default();
        self.all_stand(labels)?;
        self.resolve_forwards();
        let only = match self.module.block(block).ops.as_slice() {
            [] => return Err(self.at.error_at(0, "there is no operation in this text")),
            [only] if self.module.op(*only).name == name => *only,
            _ => return Ok(()),
        };
        self.module.op_mut(only).parent = None;
        self.module.root = only;
        Ok(())
    }

    fn alias_line(&mut self) -> Parsed<()> {
        let sigil = self.at.byte();
        self.at.pos += 1;
        let name = self.at.run(is_suffix);
        self.expect("=")?;
        // A second one on a line is not known yet.
        let at = self.at.pos;
        if sigil == b'!' {
            self.type_aliases.entry(name).or_insert(Alias::At(at));
            self.ty()?;
        } else {
            self.attr_aliases.entry(name).or_insert(Alias::At(at));
            self.attr()?;
        }
        Ok(())
    }

    fn resource_block(&mut self) -> Parsed<()> {
        let start = self.at.pos + 3;
        let rest = self.at.text.get(start..).unwrap_or("");
        let Some(length) = rest.find("#-}") else {
            return Err(self.at.error("the resource block `{-#` is not closed by `#-}`"));
        };
        self.module.resources = Some(rest[..length].to_owned());
        self.at.pos = start + length + 3;
        Ok(())
    }

    /// One operation, appended to `block`.
    fn operation(&mut self, block: BlockId) -> Parsed<()> {
        self.at.skip();
        let start = self.at.pos;
        let names = self.result_names()?;
        self.at.skip();
        let op = match self.at.byte() {
            b'"' => self.generic(block)?,
            byte if is_word(byte) && !byte.is_ascii_digit() => self.custom(block, &names)?,
            _ => return Err(self.at.error("expected an operation")),
        };
        if self.module.op(op).loc.is_none() {
            self.module.op_mut(op).loc = self.location()?;
        }
        self.module.op_mut(op).span.start = start as u32;
        self.define_results(op, &names, start)?;
        self.module.block_mut(block).ops.push(op);
        Ok(())
    }

    /// `%a, %b:2 =`.
    fn result_names(&mut self) -> Parsed<ResultNames<'a>> {
        let mut names = SmallVec::new();
        if self.at.byte() != b'%' {
            return Ok(names);
        }
        self.separated("=", |parser| {
            let (name, span) = parser.value_name()?;
            let mut count = 1;
            if parser.at.eat(":") {
                let digits = parser.at.run(|b| b.is_ascii_digit());
                let number = digits.parse().ok().filter(|&n| n < 1 << 16);
                count = number.ok_or_else(|| parser.at.error("expected the number of results after `:`"))?;
            }
            names.push((name, count, span));
            Ok(())
        })?;
        Ok(names)
    }

    /// `%name`, percent sign left out.
    fn value_name(&mut self) -> Parsed<(&'a str, Span)> {
        self.at.skip();
        let start = self.at.pos;
        if self.at.byte() != b'%' {
            return Err(self.at.error("expected a value, `%name`"));
        }
        let name = self.sigil_name("expected a value's name after `%`")?;
        Ok((name, self.span_from(start)))
    }

    /// Gives the names on the left-hand side to an operation's results.
    fn define_results(&mut self, op: OpId, names: &ResultNames<'a>, start: usize) -> Parsed<()> {
        if names.is_empty() {
            return Ok(());
        }
        let total: u32 = names.iter().map(|(_, count, _)| count).sum();
        let results = self.module.op(op).results.clone();
        if total as usize != results.len() {
            let has = results.len();
            let message = format!("`{}` has {has} results, but {total} are named", self.module.op_name(op));
            return Err(self.at.error_at(start, message));
        }
        let mut from = 0;
        for &(name, count, span) in names {
            let group: ValueGroup = results[from..from + count as usize].iter().copied().collect();
            from += count as usize;
            self.define(name, span, group);
        }
        Ok(())
    }

    /// Defines a name. Uses that came before get the values of `group`.
    fn define(&mut self, name: &'a str, span: Span, group: ValueGroup) {
        // Results are numbered anew when they are printed: of a name that is a number nothing would come.
        let number = name.bytes().all(|byte| byte.is_ascii_digit());
        for &value in &group {
            let keep = !number || matches!(self.module.value(value).definition, Definition::Argument(..));
            let hint = keep.then(|| self.module.name(name));
            let value = self.module.value_mut(value);
            value.span = span;
            value.name = hint;
        }
        for pending in self.scopes.take_pending(name) {
            let found = group.get(pending.index as usize).copied();
            self.connect(&pending, found);
        }
        if let Some(first) = self.scopes.define(name, group) {
            self.module.redefinitions.extend(first.first().map(|&value| (value, span)));
        }
    }

    /// Makes the stand-in of a use that came before its definition the value itself.
    fn connect(&mut self, pending: &Pending, value: Option<ValueId>) {
        match value {
            Some(value) => self.forwards.push((pending.value, value)),
            None => self.module.value_mut(pending.value).span = pending.span,
        }
    }

    fn resolve_forwards(&mut self) {
        if self.forwards.is_empty() {
            return;
        }
        let map: FxHashMap<ValueId, ValueId> = self.forwards.drain(..).collect();
        for index in 0..self.module.ops.len() {
            for operand in 0..self.module.ops[index].operands.len() {
                let stand_in = self.module.ops[index].operands[operand];
                let Some(&value) = map.get(&stand_in) else { continue };
                self.module.ops[index].operands[operand] = value;
                let (spelled, own) = (self.module.value(stand_in).ty, self.module.value(value).ty);
                if !self.module.interners.is_same(spelled, own) && spelled != TypeId::UNKNOWN && own != TypeId::UNKNOWN
                {
                    let place = Use { op: OpId::from(index), operand: operand as u32 };
                    self.module.type_notes.push((place, spelled));
                }
            }
        }
    }

    /// An operand: `%name`, `%name#1`, or what MLIR prints where there is no definition.
    fn operand(&mut self) -> Parsed<(ValueId, Span)> {
        if self.at.peek() == b'<' {
            let start = self.at.pos;
            for unknown in ["<<UNKNOWN SSA VALUE>>", "<<NULL VALUE>>"] {
                if self.at.eat(unknown) {
                    let value = self.module.new_value(TypeId::UNKNOWN, Definition::Missing);
                    return Ok((value, self.span_from(start)));
                }
            }
        }
        let (name, mut span) = self.value_name()?;
        let mut index = 0;
        if self.at.byte() == b'#' && self.at.byte_at(1).is_ascii_digit() {
            self.at.pos += 1;
            let digits = self.at.run(|b| b.is_ascii_digit());
            index =
                digits.parse().map_err(|_| self.at.error_at(span.start as usize, "this result number is too large"))?;
            span.end = self.at.pos as u32;
        }
        if let Some(value) = self.scopes.find(name, index) {
            return Ok((value, span));
        }
        let value = self.module.new_value(TypeId::UNKNOWN, Definition::Missing);
        let hint = self.module.name(name);
        self.module.value_mut(value).name = Some(hint);
        self.scopes.expect(name, Pending { index, value, span });
        Ok((value, span))
    }

    /// An operand of an operation, added to it.
    fn used_operand(&mut self, op: OpId) -> Parsed<()> {
        let operand = self.operand()?;
        self.push_operand(op, operand);
        Ok(())
    }

    /// Adds an operand to an operation.
    fn push_operand(&mut self, op: OpId, (value, span): (ValueId, Span)) {
        self.module.op_mut(op).operands.push(value);
        if self.options.spans {
            let spans = &mut self.module.use_spans;
            if spans.len() <= op.index() {
                spans.resize(op.index() + 1, SmallVec::new());
            }
            spans[op.index()].push(span);
        }
    }

    /// Compares the type that the text spells for an operand with its value's; a stand-in learns it.
    fn spell(&mut self, op: OpId, operand: usize, ty: TypeId) {
        let Some(&value) = self.module.op(op).operands.get(operand) else { return };
        let own = self.module.value(value).ty;
        if own == TypeId::UNKNOWN {
            self.module.value_mut(value).ty = ty;
        } else if !self.module.interners.is_same(own, ty) {
            self.module.type_notes.push((Use { op, operand: operand as u32 }, ty));
        }
    }

    /// `"name"(operands)[successors]<{props}>({regions}) {attributes} : type`.
    fn generic(&mut self, block: BlockId) -> Parsed<OpId> {
        let start = self.at.pos;
        let name = self.at.string()?;
        if name.is_empty() {
            return Err(self.at.error_at(start, "an operation's name is empty"));
        }
        let name = self.module.name(name);
        let op = self.module.new_op(name);
        self.module.op_mut(op).parent = Some(block);
        self.module.op_mut(op).span = self.span_from(start);
        self.expect("(")?;
        self.separated(")", |parser| parser.used_operand(op))?;
        if self.at.eat("[") {
            self.separated("]", |parser| parser.successor(op))?;
        }
        if self.at.peek() == b'<' && self.at.byte_at(1) == b'{' {
            self.at.pos += 1;
            let list = self.attr_list()?;
            self.expect(">")?;
            self.module.op_mut(op).props = list.attrs;
            self.module.op_mut(op).segments = list.segments;
        }
        if self.at.eat("(") {
            self.separated(")", |parser| parser.region(op, Vec::new()).map(drop))?;
        }
        if self.at.peek() == b'{' {
            let list = self.attr_list()?;
            self.module.op_mut(op).attrs = list.attrs;
            if !list.segments.is_empty() {
                self.module.op_mut(op).segments = list.segments;
            }
            self.split_inherent(op);
        }
        self.expect(":")?;
        let colon = self.at.pos;
        let mut inputs = 0;
        self.expect("(")?;
        self.separated(")", |parser| {
            let ty = parser.ty()?;
            parser.spell(op, inputs, ty);
            inputs += 1;
            Ok(())
        })?;
        let operands = self.module.op(op).operands.len();
        if inputs != operands {
            let message = format!("{operands} operands, but {inputs} types for them");
            return Err(self.at.error_at(colon, message));
        }
        self.expect("->")?;
        let results = self.result_types()?;
        self.module.push_results(op, &results);
        Ok(op)
    }

    /// Moves what the row calls inherent from the other attributes to the inherent ones: before MLIR had properties,
    /// the generic form kept all in one list.
    fn split_inherent(&mut self, op: OpId) {
        let Some(def) = self.module.def(op) else { return };
        if self.module.op(op).props != AttrsId::EMPTY {
            return;
        }
        let list = self.module.interners.attrs_data(self.module.op(op).attrs);
        let inherent =
            |name| def.attributes.iter().any(|attribute| attribute.name == self.module.interners.name_text(name));
        let (props, rest): (Vec<_>, Vec<_>) = list.iter().copied().partition(|&(name, _)| inherent(name));
        if !props.is_empty() {
            self.set_lists(op, props, rest);
        }
    }

    /// Sets the inherent attributes of an operation and the other ones.
    fn set_lists(&mut self, op: OpId, props: NamedAttrs, attrs: NamedAttrs) {
        let (props, attrs) = (self.module.interners.attrs(props), self.module.interners.attrs(attrs));
        let record = self.module.op_mut(op);
        (record.props, record.attrs) = (props, attrs);
    }

    /// `^label`, `^label(%a, %b : t, t)`: the operands are appended to the operation's.
    fn successor(&mut self, op: OpId) -> Parsed<()> {
        let block = self.label()?;
        self.module.op_mut(op).successors.push(block);
        let before = self.module.op(op).operands.len();
        if self.at.eat("(") && !self.at.eat(")") {
            self.separated(":", |parser| parser.used_operand(op))?;
            for index in before..self.module.op(op).operands.len() {
                if index > before {
                    self.expect(",")?;
                }
                let ty = self.ty()?;
                self.spell(op, index, ty);
            }
            self.expect(")")?;
        }
        Ok(())
    }

    /// `^name`: the block of that label in the region at hand, which may still have to come.
    fn label(&mut self) -> Parsed<BlockId> {
        self.at.skip();
        let start = self.at.pos;
        self.expect("^")?;
        let name = self.at.run(is_suffix);
        if name.is_empty() {
            return Err(self.at.error_at(start, "expected a block's name after `^`"));
        }
        let Some(labels) = self.labels.last_mut() else { return Err(self.at.error("no region is open here")) };
        if let Some(&block) = labels.get(name) {
            return Ok(block);
        }
        let block = self.module.new_detached_block(RegionId(u32::MAX));
        labels.insert(name, block);
        // Where it is used first, until its own place is known.
        self.module.block_mut(block).span = self.span_from(start);
        Ok(block)
    }
}

/// A block argument as the text names it.
struct Argument<'a> {
    name: &'a str,
    span: Span,
    ty: TypeId,
    loc: Option<AttrId>,
}
