//! Operations in their custom form, read by walking over the elements of their row.

use super::super::intern::{Attr, NamedAttrs, Piece, Type};
use super::super::lex::{Parsed, is_word};
use super::super::module::Syntax;
use super::super::table::{Count, Element, Entry, Form, Kind, Prop, Rule, Shape, Slot, Spelling};
use super::super::{AttrId, AttrsId, OpId, TypeId, ValueId};
use super::{BlockId, Names, Parser, Span};
use smallvec::SmallVec;

/// What one form has given so far.
#[derive(Default)]
struct Draft {
    /// Operands of each group.
    operands: Vec<SmallVec<[(ValueId, Span); 2]>>,
    /// Types spelled for each operand group.
    spelled: Vec<Vec<TypeId>>,
    /// Types spelled for each result group.
    results: Vec<Option<Vec<TypeId>>>,
    /// Inherent attributes, by prop.
    props: Vec<Option<AttrId>>,
    /// The attributes that stand in the attribute list.
    rest: Option<AttrsId>,
    segments_given: bool,
}

impl<'a> Parser<'a> {
    /// An operation whose name is a bare word.
    pub(super) fn custom(&mut self, block: BlockId, names: &Names<'a>) -> Parsed<OpId> {
        let start = self.at.pos;
        let word = self.at.run(is_word);
        // `module`, `func`, `return` and the like: MLIR leaves out the dialect that an operation's region defaults to.
        let full = match word {
            "module" => "builtin.module",
            "unrealized_conversion_cast" => "builtin.unrealized_conversion_cast",
            _ => word,
        };
        if !full.contains('.') {
            return Err(self
                .at
                .error_at(start, format!("`{word}` is no operation: a name has a dialect, as in tt.load")));
        }
        let name = self.module.name(full);
        let op = self.module.new_op(name);
        self.module.op_mut(op).parent = Some(block);
        self.module.op_mut(op).span = self.span_from(start);
        let after_name = self.at;
        let mut first_error = None;
        if let Some(entry) = self.module.row(op) {
            for (index, form) in entry.shape().forms.iter().enumerate() {
                let attempt = match form {
                    Form::Special(special) => {
                        self.module.op_mut(op).syntax = Syntax::Custom(index as u8);
                        self.special(op, special, names)?;
                        return Ok(op);
                    }
                    Form::Elements(elements) => self.try_form(op, entry, elements, names),
                };
                match attempt {
                    Ok(()) => {
                        self.module.op_mut(op).syntax = Syntax::Custom(index as u8);
                        return Ok(op);
                    }
                    Err(error) => {
                        if !self.module.op(op).regions.is_empty() {
                            return Err(error);
                        }
                        first_error.get_or_insert(error);
                        self.at = after_name;
                        let record = self.module.op_mut(op);
                        record.operands.clear();
                        record.results.clear();
                        record.successors.clear();
                        record.segments.clear();
                        if let Some(spans) = self.module.use_spans.get_mut(op.index()) {
                            spans.clear();
                        }
                    }
                }
            }
        }
        match self.text_operation(op, names) {
            Ok(()) => Ok(op),
            Err(error) => Err(first_error.unwrap_or(error)),
        }
    }

    fn try_form(
        &mut self,
        op: OpId,
        entry: &'static Entry,
        elements: &'static [Element],
        names: &Names<'a>,
    ) -> Parsed<()> {
        let shape = entry.shape();
        let mut draft = Draft {
            operands: vec![SmallVec::new(); shape.operands.len()],
            spelled: vec![Vec::new(); shape.operands.len()],
            results: vec![None; shape.results.len()],
            props: vec![None; shape.props.len()],
            ..Draft::default()
        };
        self.elements(op, shape, elements, &mut draft)?;
        // An older form may be the beginning of a newer one: nothing of this operation must be left.
        if matches!(self.at.peek(), b'-' | b':' | b',' | b'=' | b'(' | b'[' | b'<' | b'>' | b'{')
            && !self.at.sees("{-#")
        {
            return Err(self.at.error("this belongs to no form of the operation"));
        }
        self.finish_form(op, entry, draft, names)
    }

    fn elements(
        &mut self,
        op: OpId,
        shape: &'static Shape,
        elements: &'static [Element],
        draft: &mut Draft,
    ) -> Parsed<()> {
        for element in elements {
            self.element(op, shape, element, draft)?;
        }
        Ok(())
    }

    fn element(&mut self, op: OpId, shape: &'static Shape, element: &'static Element, draft: &mut Draft) -> Parsed<()> {
        match element {
            Element::Literal(token) => self.expect(token)?,
            Element::Operand(group) => self.operand_group(shape.operands[*group].count, &mut draft.operands[*group])?,
            Element::Attribute(prop) => draft.props[*prop] = Some(self.prop_value(&shape.props[*prop])?),
            Element::Type(slot, prefix) => {
                let types = self.group_types(shape, *slot, *prefix, draft)?;
                store_types(draft, *slot, types);
            }
            Element::Functional(from, to) => {
                let inputs = self.type_list_in_parentheses()?;
                self.expect("->")?;
                let outputs = self.result_types()?;
                self.distribute(shape, from, inputs, draft)?;
                self.distribute(shape, to, outputs, draft)?;
            }
            Element::Attributes(keyword) => {
                let there = match keyword {
                    Some(keyword) => self.at.eat(keyword),
                    None => self.at.peek() == b'{' && self.list_is_next(),
                };
                if there {
                    let list = self.attr_list()?;
                    draft.rest = Some(list.attrs);
                    if !list.segments.is_empty() {
                        draft.segments_given = true;
                        self.module.op_mut(op).segments = list.segments;
                    }
                }
            }
            Element::Successor(takes) => {
                let block = self.label()?;
                self.module.op_mut(op).successors.push(block);
                if let Some(group) = takes
                    && self.at.eat("(")
                {
                    self.operand_group(Count::Variadic, &mut draft.operands[*group])?;
                    self.expect(":")?;
                    for index in 0..draft.operands[*group].len() {
                        if index > 0 {
                            self.expect(",")?;
                        }
                        let ty = self.ty()?;
                        draft.spelled[*group].push(ty);
                    }
                    self.expect(")")?;
                }
            }
            Element::Region { rest } => {
                self.region(op, Vec::new())?;
                while *rest && self.at.eat(",") {
                    self.region(op, Vec::new())?;
                }
            }
            Element::Present(slot) => {
                if let Slot::Result(index) = *slot
                    && let Some(Rule::Fixed(text)) = shape.results[index].rule
                {
                    let ty = self.fixed_type(op, text);
                    draft.results[index] = Some(vec![ty]);
                }
            }
            Element::Repeated(inner) => {
                while inner.first().is_some_and(|first| self.can_start(shape, first)) {
                    for element in inner {
                        match element {
                            Element::Operand(group) => draft.operands[*group].push(self.operand()?),
                            other => self.element(op, shape, other, draft)?,
                        }
                    }
                }
            }
            Element::Optional(inner) => {
                if inner.first().is_some_and(|first| self.can_start(shape, first)) {
                    self.elements(op, shape, inner, draft)?;
                    // A literal alone can carry a unit attribute: its presence is the value.
                    for element in inner {
                        if let Element::Attribute(prop) = element
                            && draft.props[*prop].is_none()
                        {
                            return Err(self.at.error(format!("expected `{}`", shape.props[*prop].name)));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether the brace at the position opens an attribute list rather than a region.
    pub(super) fn list_is_next(&self) -> bool {
        let mut ahead = self.at;
        ahead.pos += 1;
        match ahead.peek() {
            b'}' => true,
            // An attribute's name may be quoted, and so is the name of an operation in generic form.
            b'"' => ahead.string().is_ok() && ahead.peek() != b'(',
            byte if is_word(byte) => {
                ahead.word();
                matches!(ahead.peek(), b'=' | b',' | b'}')
            }
            _ => false,
        }
    }

    fn can_start(&mut self, shape: &Shape, element: &Element) -> bool {
        match element {
            Element::Literal(token) => self.at.sees(token),
            Element::Operand(_) => matches!(self.at.peek(), b'%'),
            Element::Attribute(prop) => match shape.props[*prop].kind {
                Kind::Enum(e) => e.number(self.at.clone().word()).is_some(),
                Kind::Integer(_) => self.at.peek().is_ascii_digit() || self.at.byte() == b'-',
                Kind::Bool => self.at.sees("true") || self.at.sees("false"),
                Kind::String => self.at.peek() == b'"',
                Kind::Symbol => self.at.peek() == b'@',
                Kind::DenseArray(_) => self.at.peek() == b'[',
                Kind::Stripped(_) => self.at.peek() == b'<',
                Kind::Unit => true,
                Kind::Any | Kind::Type => !matches!(self.at.peek(), b':' | b'{' | b',' | b')'),
            },
            Element::Attributes(Some(keyword)) => self.at.sees(keyword),
            Element::Attributes(None) => self.at.peek() == b'{',
            Element::Successor(_) => self.at.peek() == b'^',
            Element::Region { .. } => self.at.peek() == b'{',
            Element::Functional(..) => self.at.peek() == b'(',
            Element::Type(..) => !matches!(self.at.peek(), b'{' | b':' | b')' | b'}'),
            Element::Optional(_) | Element::Present(_) | Element::Repeated(_) => false,
        }
    }

    pub(super) fn operand_group(&mut self, count: Count, into: &mut SmallVec<[(ValueId, Span); 2]>) -> Parsed<()> {
        match count {
            Count::One => into.push(self.operand()?),
            Count::Optional => {
                if matches!(self.at.peek(), b'%' | b'<') {
                    into.push(self.operand()?);
                }
            }
            Count::Variadic => {
                if matches!(self.at.peek(), b'%' | b'<') {
                    into.push(self.operand()?);
                    while self.at.sees(",") {
                        let back = self.at;
                        self.at.eat(",");
                        if !matches!(self.at.peek(), b'%' | b'<') {
                            self.at = back;
                            break;
                        }
                        into.push(self.operand()?);
                    }
                }
            }
        }
        Ok(())
    }

    fn group_types(&mut self, shape: &Shape, slot: Slot, prefix: Option<&str>, draft: &Draft) -> Parsed<Vec<TypeId>> {
        let (group, expected) = match slot {
            Slot::Operand(index) => (&shape.operands[index], Some(draft.operands[index].len())),
            Slot::Result(index) => (&shape.results[index], None),
        };
        let mut types = Vec::new();
        if expected == Some(0) {
            return Ok(types);
        }
        loop {
            types.push(self.type_with_prefix(prefix)?);
            let more = group.count == Count::Variadic && expected.is_none_or(|n| types.len() < n);
            if !more || !self.at.eat(",") {
                break;
            }
        }
        if expected.is_some_and(|n| n != types.len()) {
            return Err(self.at.error(format!("`{}` needs a type for each of its values", group.name)));
        }
        Ok(types)
    }

    /// A type whose `!name` the form leaves out.
    fn type_with_prefix(&mut self, prefix: Option<&str>) -> Parsed<TypeId> {
        let Some(name) = prefix.filter(|_| self.at.peek() == b'<') else { return self.ty() };
        let older = self.module.interners.find_name("tt.memdesc").is_some() && name == "ttg.memdesc";
        let name = self.module.name(if older { "tt.memdesc" } else { name });
        self.dialect_type_named(name)
    }

    /// Deals the types of a functional type out to groups; one group at most may take any number.
    fn distribute(&mut self, shape: &Shape, slots: &[Slot], types: Vec<TypeId>, draft: &mut Draft) -> Parsed<()> {
        let fixed = |slot: &Slot, draft: &Draft| match *slot {
            Slot::Operand(index) => Some(draft.operands[index].len()),
            Slot::Result(index) if shape.results[index].count == Count::One => Some(1),
            Slot::Result(_) => None,
        };
        let known: usize = slots.iter().filter_map(|slot| fixed(slot, draft)).sum();
        let open = slots.iter().filter(|slot| fixed(slot, draft).is_none()).count();
        if known > types.len() || (open == 0 && known != types.len()) || open > 1 {
            return Err(self.at.error("the functional type has another number of types than there are values"));
        }
        let mut left = types.len() - known;
        let mut types = types.into_iter();
        for slot in slots {
            let take = fixed(slot, draft).unwrap_or_else(|| std::mem::take(&mut left));
            store_types(draft, *slot, types.by_ref().take(take).collect());
        }
        Ok(())
    }

    /// An inherent attribute as its kind is written.
    fn prop_value(&mut self, prop: &'static Prop) -> Parsed<AttrId> {
        let attr = match prop.kind {
            Kind::Integer(ty) => {
                self.at.skip();
                let start = self.at.pos;
                if self.at.byte() == b'-' {
                    self.at.pos += 1;
                }
                if self.at.run(|b| b.is_ascii_digit()).is_empty() {
                    return Err(self.at.error_at(start, "expected a number"));
                }
                let digits = self.at.text[start..self.at.pos].to_owned();
                let ty = self.integer_type(ty);
                Attr::Integer(digits, ty)
            }
            Kind::Bool => match self.at.word() {
                "true" => Attr::Bool(true),
                "false" => Attr::Bool(false),
                _ => return Err(self.at.error("expected `true` or `false`")),
            },
            Kind::String => Attr::String(self.at_string()?),
            Kind::Symbol => {
                self.at.skip();
                Attr::Symbol(self.symbol()?)
            }
            Kind::Type => Attr::Type(self.ty()?),
            Kind::Unit => Attr::Unit,
            Kind::DenseArray(element) => {
                if self.at.peek() != b'[' {
                    return Err(self.at.error("expected `[`"));
                }
                let inside = self.at.balanced()?;
                let items = inside.split(',').map(str::trim).filter(|i| !i.is_empty()).map(str::to_owned).collect();
                Attr::DenseArray(self.module.interners.name(element), items)
            }
            Kind::Any => return self.attr(),
            Kind::Stripped(name) => {
                if self.at.peek() != b'<' {
                    return Err(self.at.error("expected `<`"));
                }
                let name = self.module.name(name);
                return self.dialect_attr_named(name);
            }
            Kind::Enum(e) => {
                self.at.skip();
                let start = self.at.pos;
                let word = self.at.word();
                let Some(number) = e.number(word) else {
                    return Err(self.at.error_at(start, format!("`{word}` is no {}", e.name)));
                };
                return Ok(self.enum_attr(e.spelling, word, number));
            }
        };
        Ok(self.module.interners.attr(attr))
    }

    fn enum_attr(&mut self, spelling: Spelling, word: &str, number: i64) -> AttrId {
        let (name, body) = match spelling {
            Spelling::Integer(ty) => {
                let ty = self.integer_type(ty);
                return self.module.interners.attr(Attr::Integer(number.to_string(), ty));
            }
            Spelling::Attribute(name) => (name, word.to_owned()),
            Spelling::Parameter(prefix) => {
                let (dialect, mnemonic) = prefix.split_once('<').unwrap_or((prefix, ""));
                (dialect, format!("{mnemonic} {word}"))
            }
        };
        let name = self.module.name(name);
        self.module.interners.attr(Attr::Dialect { name, body: Some(vec![Piece::Text(body)]) })
    }

    fn integer_type(&mut self, text: &str) -> TypeId {
        if text == "index" {
            return self.module.interners.ty(Type::Index);
        }
        let name = self.module.interners.name(text);
        self.module.interners.ty(Type::Integer(name))
    }

    fn at_string(&mut self) -> Parsed<String> {
        self.at.string().map(str::to_owned)
    }

    /// From a draft to the operation: operands in order, attributes sorted into inherent and other, result types.
    fn finish_form(&mut self, op: OpId, entry: &'static Entry, draft: Draft, names: &Names<'a>) -> Parsed<()> {
        let shape = entry.shape();
        let mut segments: SmallVec<[u32; 4]> = SmallVec::new();
        let Draft { operands, spelled, results, mut props, rest, segments_given } = draft;
        let mut place = 0;
        for (group, types) in operands.into_iter().zip(spelled) {
            segments.push(group.len() as u32);
            for (index, operand) in group.into_iter().enumerate() {
                self.push_operand(op, operand);
                if let Some(&ty) = types.get(index) {
                    self.spell(op, place, ty);
                }
                place += 1;
            }
        }
        if !segments_given {
            self.module.op_mut(op).segments = segments.clone();
        }
        let mut other: NamedAttrs = Vec::new();
        if let Some(rest) = rest {
            for (name, value) in self.module.interners.attrs_data(rest).clone() {
                let text = self.module.interners.name_text(name);
                match shape.props.iter().position(|prop| prop.name == text) {
                    Some(prop) => props[prop] = Some(value),
                    None => other.push((name, value)),
                }
            }
        }
        let inherent: NamedAttrs = shape
            .props
            .iter()
            .zip(&props)
            .filter_map(|(prop, value)| value.map(|value| (self.module.name(prop.name), value)))
            .collect();
        let (inherent, other) = (self.module.interners.attrs(inherent), self.module.interners.attrs(other));
        self.module.op_mut(op).props = inherent;
        self.module.op_mut(op).attrs = other;
        let total: u32 = names.iter().map(|(_, count, _)| count).sum();
        let mut types: Vec<TypeId> = Vec::new();
        for (index, group) in shape.results.iter().enumerate() {
            match (&results[index], group.count, group.rule) {
                (Some(spelled), _, _) => types.extend(spelled),
                (None, Count::One, Some(rule)) => {
                    let ty = self.ruled_type(op, &segments, &types, rule, &props);
                    types.push(ty);
                }
                (None, Count::One, None) => types.push(TypeId::UNKNOWN),
                // An optional result that the form does not speak of is not there.
                (None, Count::Optional, _) => {}
                // The types of all values of another group.
                (None, Count::Variadic, Some(Rule::Same(Slot::Operand(group)))) => {
                    let from: usize = segments[..group].iter().map(|&size| size as usize).sum();
                    let values = &self.module.op(op).operands[from..from + segments[group] as usize];
                    types.extend(values.iter().map(|&value| self.module.value(value).ty));
                }
                (None, Count::Variadic, _) => types.resize(types.len().max(total as usize), TypeId::UNKNOWN),
            }
        }
        if total != 0 && total as usize != types.len() {
            return Err(self.at.error(format!("this form has {} results, but {total} are named", types.len())));
        }
        self.push_results(op, &types);
        Ok(())
    }

    /// A type that a row spells. A dialect's name before Triton 3.3 is that of the operation.
    fn fixed_type(&mut self, op: OpId, text: &str) -> TypeId {
        let older = self.module.op_name(op).starts_with("triton_gpu.");
        match text.strip_prefix("!ttg.").filter(|_| older) {
            Some(name) => self.module.interners.plain(&format!("!triton_gpu.{name}")),
            None => self.module.interners.plain(text),
        }
    }

    fn ruled_type(
        &mut self,
        op: OpId,
        segments: &[u32],
        results: &[TypeId],
        rule: Rule,
        props: &[Option<AttrId>],
    ) -> TypeId {
        let of = |parser: &Self, slot: Slot| match slot {
            Slot::Operand(group) => {
                let at: u32 = segments[..group].iter().sum();
                let value = parser.module.op(op).operands.get(at as usize).filter(|_| segments[group] > 0);
                value.map_or(TypeId::UNKNOWN, |&value| parser.module.value(value).ty)
            }
            Slot::Result(index) => results.get(index).copied().unwrap_or(TypeId::UNKNOWN),
        };
        let interners = &mut self.module.interners;
        match rule {
            Rule::Same(slot) => of(self, slot),
            Rule::Bool(slot) => {
                let like = of(self, slot);
                self.module.interners.bool_like(like)
            }
            Rule::Pointee(slot) => {
                let pointer = of(self, slot);
                self.module.interners.pointee(pointer)
            }
            Rule::Element(slot) => {
                let tensor = of(self, slot);
                self.module.interners.element(tensor)
            }
            Rule::Fixed(text) => self.fixed_type(op, text),
            Rule::Attribute(prop) => match props[prop].map(|attr| interners.attr_data(attr)) {
                Some(Attr::Integer(_, ty) | Attr::Float(_, ty) | Attr::Dense(_, _, ty) | Attr::Type(ty)) => *ty,
                Some(Attr::Bool(_)) => {
                    let name = interners.name("i1");
                    interners.ty(Type::Integer(name))
                }
                _ => TypeId::UNKNOWN,
            },
        }
    }
}

fn store_types(draft: &mut Draft, slot: Slot, types: Vec<TypeId>) {
    match slot {
        Slot::Operand(index) => draft.spelled[index] = types,
        Slot::Result(index) => draft.results[index] = Some(types),
    }
}
