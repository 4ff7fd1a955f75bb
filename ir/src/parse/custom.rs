//! Operations in their custom form, read by walking over the directives of their assembly format.

use super::super::intern::{Attr, BodySegment, NamedAttrs};
use super::super::lex::{Parsed, is_word};
use super::super::module::Syntax;
use super::super::ods::{
    Arity, Assembly, AttrDef, AttrKind, Directive, OpDef, OpKind, Slot, Spelling, Trait, Transform, TypeRule,
};
use super::super::{AttrId, AttrsId, OpId, TypeId, ValueId};
use super::{BlockId, Parser, ResultNames, Span};
use smallvec::SmallVec;

/// What one form has given so far.
#[derive(Default)]
struct CustomDraft {
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
    pub(super) fn custom(&mut self, block: BlockId, names: &ResultNames<'a>) -> Parsed<OpId> {
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
        if let Some(def) = self.module.def(op) {
            for (index, assembly) in def.assemblies.iter().enumerate() {
                let attempt = match assembly {
                    Assembly::Custom => {
                        self.module.op_mut(op).syntax = Syntax::Custom(index as u8);
                        self.special(op)?;
                        return Ok(op);
                    }
                    Assembly::Declarative(directives) => self.declarative(op, def, directives, names),
                };
                match attempt {
                    Ok(()) => {
                        self.module.op_mut(op).syntax = Syntax::Custom(index as u8);
                        return Ok(op);
                    }
                    Err(error) => {
                        // The forms of these two are the same in every release: another text is a mistake.
                        let certain = matches!(def.kind, OpKind::BuiltinModule | OpKind::ArithConstant);
                        if certain || !self.module.op(op).regions.is_empty() {
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

    fn declarative(
        &mut self,
        op: OpId,
        def: &'static OpDef,
        directives: &'static [Directive],
        names: &ResultNames<'a>,
    ) -> Parsed<()> {
        let mut draft = CustomDraft {
            operands: vec![SmallVec::new(); def.operands.len()],
            spelled: vec![Vec::new(); def.operands.len()],
            results: vec![None; def.results.len()],
            props: vec![None; def.attributes.len()],
            ..CustomDraft::default()
        };
        directives.iter().try_for_each(|directive| self.directive(op, def, directive, &mut draft))?;
        // An older form may be the beginning of a newer one: nothing of this operation must be left.
        if matches!(self.at.peek(), b'-' | b':' | b',' | b'=' | b'(' | b'[' | b'<' | b'>' | b'{')
            && !self.at.sees("{-#")
        {
            return Err(self.at.error("this belongs to no form of the operation"));
        }
        self.finish_form(op, def, draft, names)
    }

    fn directive(
        &mut self,
        op: OpId,
        def: &'static OpDef,
        directive: &'static Directive,
        draft: &mut CustomDraft,
    ) -> Parsed<()> {
        match directive {
            Directive::Literal(token) => self.expect(token)?,
            Directive::Operand(index) => {
                self.operand_group(def.operands[*index].arity, &mut draft.operands[*index])?;
            }
            Directive::Attribute(index) => draft.props[*index] = Some(self.prop_value(&def.attributes[*index])?),
            Directive::Type(slot, prefix) => {
                let types = self.types_of_slot(def, *slot, *prefix, draft)?;
                store_types(draft, *slot, types);
            }
            Directive::FunctionalType(from, to) => {
                let inputs = self.type_list_in_parentheses()?;
                self.expect("->")?;
                let outputs = self.result_types()?;
                self.distribute(def, from, inputs, draft)?;
                self.distribute(def, to, outputs, draft)?;
            }
            Directive::AttrDict(keyword) => {
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
            Directive::Successor => {
                let block = self.label()?;
                self.module.op_mut(op).successors.push(block);
            }
            Directive::Region { variadic } => {
                let region = self.region(op, Vec::new())?;
                if def.has(Trait::HasOnlyGraphRegion) {
                    self.module.ensure_block(region);
                }
                while *variadic && self.at.eat(",") {
                    self.region(op, Vec::new())?;
                }
            }
            Directive::Token(dep, token) => {
                if self.at.eat("[") {
                    self.operand_group(Arity::Optional, &mut draft.operands[*dep])?;
                    self.expect("]")?;
                    if let Some(TypeRule::Exactly(text)) = def.results[*token].infer {
                        let ty = self.fixed_type(op, text);
                        draft.results[*token] = Some(vec![ty]);
                    }
                }
            }
            Directive::BarriersAndPreds(barriers, preds) => {
                while self.at.eat(",") {
                    draft.operands[*barriers].push(self.operand()?);
                    self.expect("[")?;
                    draft.operands[*preds].push(self.operand()?);
                    self.expect("]")?;
                }
            }
            Directive::Optional(inner, _) => {
                if inner.first().is_some_and(|first| self.can_start(def, first)) {
                    inner.iter().try_for_each(|directive| self.directive(op, def, directive, draft))?;
                    for directive in inner {
                        if let Directive::Attribute(index) = directive
                            && draft.props[*index].is_none()
                        {
                            return Err(self.at.error(format!("expected `{}`", def.attributes[*index].name)));
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

    fn can_start(&mut self, def: &OpDef, directive: &Directive) -> bool {
        match directive {
            Directive::Literal(token) => self.at.sees(token),
            Directive::Operand(_) => matches!(self.at.peek(), b'%'),
            Directive::Attribute(index) => match def.attributes[*index].kind {
                AttrKind::Enum(e) => e.number(self.at.clone().word()).is_some(),
                AttrKind::Integer(_) => self.at.peek().is_ascii_digit() || self.at.byte() == b'-',
                AttrKind::Bool => self.at.sees("true") || self.at.sees("false"),
                AttrKind::String => self.at.peek() == b'"',
                AttrKind::Symbol | AttrKind::SymbolName => self.at.peek() == b'@',
                AttrKind::DenseArray(_) => self.at.peek() == b'[',
                AttrKind::Dialect(_) => self.at.peek() == b'<',
                AttrKind::Unit => true,
                AttrKind::Any | AttrKind::Type => !matches!(self.at.peek(), b':' | b'{' | b',' | b')'),
            },
            Directive::AttrDict(Some(keyword)) => self.at.sees(keyword),
            Directive::AttrDict(None) => self.at.peek() == b'{',
            Directive::Successor => self.at.peek() == b'^',
            Directive::Region { .. } => self.at.peek() == b'{',
            Directive::FunctionalType(..) => self.at.peek() == b'(',
            Directive::Type(..) => !matches!(self.at.peek(), b'{' | b':' | b')' | b'}'),
            Directive::Token(..) => self.at.peek() == b'[',
            Directive::BarriersAndPreds(..) => self.at.peek() == b',',
            Directive::Optional(..) => false,
        }
    }

    pub(super) fn operand_group(&mut self, arity: Arity, into: &mut SmallVec<[(ValueId, Span); 2]>) -> Parsed<()> {
        match arity {
            Arity::One => into.push(self.operand()?),
            Arity::Optional | Arity::Variadic => {
                let mut ahead = self.at;
                while matches!(ahead.peek(), b'%' | b'<') {
                    self.at = ahead;
                    into.push(self.operand()?);
                    ahead = self.at;
                    if arity == Arity::Optional || !ahead.eat(",") {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn types_of_slot(
        &mut self,
        def: &OpDef,
        slot: Slot,
        prefix: Option<&str>,
        draft: &CustomDraft,
    ) -> Parsed<Vec<TypeId>> {
        let value = def.value(slot);
        let expected = match slot {
            Slot::Operand(index) => Some(draft.operands[index].len()),
            Slot::Result(_) => None,
        };
        let mut types = Vec::new();
        if expected == Some(0) {
            return Ok(types);
        }
        loop {
            types.push(self.type_with_prefix(prefix)?);
            let more = value.arity == Arity::Variadic && expected.is_none_or(|n| types.len() < n);
            if !more || !self.at.eat(",") {
                break;
            }
        }
        if expected.is_some_and(|n| n != types.len()) {
            return Err(self.at.error(format!("`{}` needs a type for each of its values", value.name)));
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
    fn distribute(&mut self, def: &OpDef, slots: &[Slot], types: Vec<TypeId>, draft: &mut CustomDraft) -> Parsed<()> {
        let fixed = |slot: &Slot, draft: &CustomDraft| match *slot {
            Slot::Operand(index) => Some(draft.operands[index].len()),
            Slot::Result(index) if def.results[index].arity == Arity::One => Some(1),
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
    fn prop_value(&mut self, attribute: &'static AttrDef) -> Parsed<AttrId> {
        let attr = match attribute.kind {
            AttrKind::Integer(ty) => {
                self.at.skip();
                let start = self.at.pos;
                if self.at.byte() == b'-' {
                    self.at.pos += 1;
                }
                if self.at.run(|b| b.is_ascii_digit()).is_empty() {
                    return Err(self.at.error_at(start, "expected a number"));
                }
                let digits = self.at.text[start..self.at.pos].to_owned();
                Attr::Integer(digits, self.module.interners.plain(ty))
            }
            AttrKind::Bool => match self.at.word() {
                "true" => Attr::Bool(true),
                "false" => Attr::Bool(false),
                _ => return Err(self.at.error("expected `true` or `false`")),
            },
            AttrKind::String => Attr::String(self.at.string()?.to_owned()),
            AttrKind::Symbol => {
                self.at.skip();
                Attr::Symbol(self.symbol()?)
            }
            AttrKind::SymbolName => Attr::String(self.symbol_name()?),
            AttrKind::Type => Attr::Type(self.ty()?),
            AttrKind::Unit => Attr::Unit,
            AttrKind::DenseArray(element) => {
                if self.at.peek() != b'[' {
                    return Err(self.at.error("expected `[`"));
                }
                let inside = self.at.balanced()?;
                self.dense_array(element, inside)
            }
            AttrKind::Any => return self.attr(),
            AttrKind::Dialect(name) => {
                if self.at.peek() != b'<' {
                    return Err(self.at.error("expected `<`"));
                }
                let name = self.module.name(name);
                return self.dialect_attr_named(name);
            }
            AttrKind::Enum(e) => {
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
        let attr = match spelling {
            Spelling::Integer(ty) => Attr::Integer(number.to_string(), self.module.interners.plain(ty)),
            Spelling::Parameter(prefix) => {
                let (dialect, mnemonic) = prefix.split_once('<').unwrap_or((prefix, ""));
                let body = Some(vec![BodySegment::Text(format!("{mnemonic} {word}"))]);
                Attr::Dialect { name: self.module.name(dialect), body }
            }
        };
        self.module.interners.attr(attr)
    }

    /// From a draft to the operation: operands in order, attributes sorted into inherent and other, result types.
    fn finish_form(
        &mut self,
        op: OpId,
        def: &'static OpDef,
        draft: CustomDraft,
        names: &ResultNames<'a>,
    ) -> Parsed<()> {
        let mut segments: SmallVec<[u32; 4]> = SmallVec::new();
        let CustomDraft { operands, spelled, results, mut props, rest, segments_given } = draft;
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
                match def.attributes.iter().position(|attribute| attribute.name == text) {
                    Some(prop) => props[prop] = Some(value),
                    None => other.push((name, value)),
                }
            }
        }
        let there = def.attributes.iter().zip(&props).filter_map(|(attribute, value)| Some((attribute, (*value)?)));
        let inherent = there.map(|(attribute, value)| (self.module.name(attribute.name), value)).collect();
        self.set_lists(op, inherent, other);
        let total: u32 = names.iter().map(|(_, count, _)| count).sum();
        let mut types: Vec<TypeId> = Vec::new();
        for (index, result) in def.results.iter().enumerate() {
            match (&results[index], result.arity, result.infer) {
                (Some(spelled), _, _) => types.extend(spelled),
                (None, Arity::One, Some(rule)) => {
                    let ty = self.ruled_type(op, &segments, &types, rule, &props);
                    types.push(ty);
                }
                (None, Arity::One, None) => types.push(TypeId::UNKNOWN),
                // An optional result that the form does not speak of is not there.
                (None, Arity::Optional, _) => {}
                // The types of all values of another group.
                (None, Arity::Variadic, Some(TypeRule::Same(Slot::Operand(group)))) => {
                    let from: usize = segments[..group].iter().map(|&size| size as usize).sum();
                    let values = &self.module.op(op).operands[from..from + segments[group] as usize];
                    types.extend(values.iter().map(|&value| self.module.value(value).ty));
                }
                (None, Arity::Variadic, _) => types.resize(types.len().max(total as usize), TypeId::UNKNOWN),
            }
        }
        if total != 0 && total as usize != types.len() {
            return Err(self.at.error(format!("this form has {} results, but {total} are named", types.len())));
        }
        self.module.push_results(op, &types);
        Ok(())
    }

    /// A type that a definition spells. A dialect's name before Triton 3.3 is that of the operation.
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
        rule: TypeRule,
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
        match rule {
            TypeRule::Same(slot) => of(self, slot),
            TypeRule::From(slot, transform) => {
                let from = of(self, slot);
                let interners = &mut self.module.interners;
                match transform {
                    Transform::I1SameShape => interners.bool_like(from),
                    Transform::Pointee => interners.pointee(from),
                    Transform::ElementType => interners.element(from),
                }
            }
            TypeRule::Exactly(text) => self.fixed_type(op, text),
            TypeRule::Attribute(prop) => match props[prop].map(|attr| self.module.interners.attr_data(attr)) {
                Some(Attr::Integer(_, ty) | Attr::Float(_, ty) | Attr::Dense(_, _, ty) | Attr::Type(ty)) => *ty,
                Some(Attr::Bool(_)) => self.module.interners.integer("i1"),
                _ => TypeId::UNKNOWN,
            },
        }
    }
}

fn store_types(draft: &mut CustomDraft, slot: Slot, types: Vec<TypeId>) {
    match slot {
        Slot::Operand(index) => draft.spelled[index] = types,
        Slot::Result(index) => draft.results[index] = Some(types),
    }
}
