//! Custom forms: the elements of a row walked over a second time, and what no row can say.

use super::super::intern::{Attr, NamedAttrs};
use super::super::table::{Element, Kind, Prop, Shape, Slot, Spelling};
use super::super::{AttrId, OpId, TypeId, ValueId};
use super::Printer;
use std::fmt::Write;

/// An operation's values and attributes by the groups and props of its row.
struct Parts {
    operands: Vec<Vec<ValueId>>,
    results: Vec<Vec<ValueId>>,
    props: Vec<Option<AttrId>>,
    /// Props that the form mentions.
    mentioned: Vec<bool>,
    next_region: usize,
    next_successor: usize,
}

impl Printer<'_> {
    /// Walks over a form's elements. False if the form cannot say this operation.
    pub(super) fn elements_form(&mut self, op: OpId, shape: &Shape, elements: &[Element]) -> bool {
        let Some(mut parts) = self.parts(op, shape) else { return false };
        mention(elements, &mut parts.mentioned);
        self.elements(op, shape, elements, &mut parts)
    }

    fn parts(&self, op: OpId, shape: &Shape) -> Option<Parts> {
        let record = self.module.op(op);
        let operands = self.module.operand_groups(op, shape)?;
        let operands = operands.into_iter().map(|range| record.operands[range].to_vec()).collect();
        let results = self.module.result_groups(op, shape)?;
        let results = results.into_iter().map(|range| record.results[range].to_vec()).collect();
        let list = self.module.interners.attrs_data(record.props);
        let find = |prop: &Prop| list.iter().find(|(name, _)| self.module.interners.name_text(*name) == prop.name);
        let props: Vec<_> = shape.props.iter().map(|prop| find(prop).map(|(_, value)| *value)).collect();
        let mentioned = vec![false; shape.props.len()];
        Some(Parts { operands, results, props, mentioned, next_region: 0, next_successor: 0 })
    }

    fn elements(&mut self, op: OpId, shape: &Shape, elements: &[Element], parts: &mut Parts) -> bool {
        elements.iter().all(|element| self.element(op, shape, element, parts))
    }

    fn blank(&mut self) {
        if !self.out.ends_with([' ', '(', '[', '<']) {
            self.out.push(' ');
        }
    }

    fn element(&mut self, op: OpId, shape: &Shape, element: &Element, parts: &mut Parts) -> bool {
        match element {
            Element::Literal(token) => {
                let tight = match *token {
                    "," | ")" | "]" | ">" => true,
                    "(" | "[" => !self.out.ends_with([',', '=', ':', '*']),
                    _ => false,
                };
                if !tight {
                    self.blank();
                }
                self.out.push_str(token);
            }
            Element::Operand(group) => {
                if !parts.operands[*group].is_empty() {
                    self.blank();
                }
                self.separated(&parts.operands[*group], Self::value);
            }
            Element::Attribute(prop) => {
                let info = &shape.props[*prop];
                if matches!(info.kind, Kind::Unit) {
                    return true;
                }
                match parts.props[*prop] {
                    Some(value) => return self.prop_value(info, value),
                    None => match info.default {
                        // A default that the form cannot leave out.
                        Some(default) => return self.default_value(info, default),
                        None if info.optional => {}
                        None => return false,
                    },
                }
            }
            Element::Type(slot, prefix) => {
                let types = self.slot_types(parts, *slot);
                if types.contains(&TypeId::UNKNOWN) {
                    return false;
                }
                if !types.is_empty() {
                    self.blank();
                }
                self.separated(&types, |printer, ty| match prefix {
                    Some(prefix) => printer.type_without(ty, prefix),
                    None => printer.ty(ty),
                });
            }
            Element::Functional(from, to) => {
                let all = |printer: &Self, slots: &[Slot]| -> Vec<TypeId> {
                    slots.iter().flat_map(|slot| printer.slot_types(parts, *slot)).collect()
                };
                let (inputs, results) = (all(self, from), all(self, to));
                if inputs.contains(&TypeId::UNKNOWN) || results.contains(&TypeId::UNKNOWN) {
                    return false;
                }
                self.blank();
                self.type_list(&inputs);
                self.out.push_str(" -> ");
                self.results(&results);
            }
            Element::Attributes(keyword) => {
                let list = self.unmentioned(op, shape, parts);
                if !list.is_empty() {
                    self.blank();
                    if let Some(keyword) = keyword {
                        self.out.push_str(keyword);
                        self.out.push(' ');
                    }
                    self.named(&list);
                }
            }
            Element::Successor(takes) => {
                let Some(&block) = self.module.op(op).successors.get(parts.next_successor) else { return false };
                parts.next_successor += 1;
                self.blank();
                self.label(block);
                if let Some(group) = takes
                    && !parts.operands[*group].is_empty()
                {
                    self.out.push('(');
                    self.separated(&parts.operands[*group], Self::value);
                    self.out.push_str(" : ");
                    let types = self.types_of(&parts.operands[*group]);
                    self.separated(&types, Self::ty);
                    self.out.push(')');
                }
            }
            Element::Region { rest } => {
                let regions = &self.module.op(op).regions;
                let end = if *rest { regions.len() } else { parts.next_region + 1 };
                let Some(regions) = regions.get(parts.next_region..end) else { return false };
                for (index, &region) in regions.iter().enumerate() {
                    if index > 0 {
                        self.out.push(',');
                    }
                    self.blank();
                    self.region(region, true, false);
                }
                parts.next_region = end;
            }
            Element::Present(_) => {}
            Element::Repeated(inner) => return self.repeated(op, shape, inner, parts),
            Element::Optional(inner) => {
                if self.is_present(shape, inner, parts) {
                    return self.elements(op, shape, inner, parts);
                }
            }
        }
        true
    }

    fn repeated(&mut self, op: OpId, shape: &Shape, inner: &[Element], parts: &mut Parts) -> bool {
        let turns = |element: &Element| match element {
            Element::Operand(group) => Some(parts.operands[*group].len()),
            _ => None,
        };
        let Some(turns) = inner.iter().find_map(turns) else { return false };
        for turn in 0..turns {
            for element in inner {
                match element {
                    Element::Operand(group) => {
                        let Some(&value) = parts.operands[*group].get(turn) else { return false };
                        self.blank();
                        self.value(value);
                    }
                    other => {
                        if !self.element(op, shape, other, parts) {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }

    fn is_present(&self, shape: &Shape, inner: &[Element], parts: &Parts) -> bool {
        let anchor = |element: &Element| match element {
            Element::Operand(group) => !parts.operands[*group].is_empty(),
            Element::Attribute(prop) => {
                parts.props[*prop].is_some_and(|value| !self.is_default(&shape.props[*prop], value))
            }
            Element::Present(slot) | Element::Type(slot, _) => !self.slot_types(parts, *slot).is_empty(),
            _ => false,
        };
        match inner.first() {
            Some(Element::Literal(_)) => inner.iter().any(anchor),
            Some(first) => anchor(first),
            None => false,
        }
    }

    fn is_default(&self, prop: &Prop, value: AttrId) -> bool {
        let Some(default) = prop.default else { return false };
        match self.module.interners.attr_data(value) {
            Attr::Integer(digits, _) | Attr::Float(digits, _) => digits == default,
            Attr::Bool(value) => value.to_string() == default,
            Attr::String(text) => text == default.trim_matches('"'),
            Attr::DenseArray(element, items) => {
                items.is_empty()
                    && default.strip_prefix("array<").and_then(|d| d.strip_suffix('>'))
                        == Some(self.module.interners.name_text(*element))
            }
            Attr::Dialect { name, body: None } => {
                default.strip_prefix('#') == Some(self.module.interners.name_text(*name))
            }
            Attr::Dialect { name, body } => {
                let inside: String = body.iter().flatten().map(piece_text).collect();
                default.strip_prefix('#').and_then(|d| d.strip_suffix('>')).and_then(|d| d.split_once('<'))
                    == Some((self.module.interners.name_text(*name), inside.as_str()))
            }
            _ => false,
        }
    }

    fn slot_types(&self, parts: &Parts, slot: Slot) -> Vec<TypeId> {
        match slot {
            Slot::Operand(group) => self.types_of(&parts.operands[group]),
            Slot::Result(group) => self.types_of(&parts.results[group]),
        }
    }

    /// What stands in the attribute list: everything but what the form mentions and what has its default.
    fn unmentioned(&self, op: OpId, shape: &Shape, parts: &Parts) -> NamedAttrs {
        let record = self.module.op(op);
        let mut list: NamedAttrs = Vec::new();
        for &(name, value) in self.module.interners.attrs_data(record.props) {
            let text = self.module.interners.name_text(name);
            let hidden = shape
                .props
                .iter()
                .zip(&parts.mentioned)
                .any(|(prop, &mentioned)| prop.name == text && (mentioned || self.is_default(prop, value)));
            if !hidden && text != "resultSegmentSizes" {
                list.push((name, value));
            }
        }
        list.extend(self.module.interners.attrs_data(record.attrs).iter().copied());
        // As MLIR does.
        list.sort_by(|a, b| self.module.interners.name_text(a.0).cmp(self.module.interners.name_text(b.0)));
        list
    }

    fn prop_value(&mut self, prop: &Prop, value: AttrId) -> bool {
        let module = self.module;
        match (prop.kind, module.interners.attr_data(value)) {
            (Kind::Stripped(kind), Attr::Dialect { name, .. }) if module.interners.name_text(*name) == kind => {
                self.attr_without_name(value);
                return true;
            }
            (Kind::Symbol, Attr::Symbol(_) | Attr::String(_)) | (Kind::Any | Kind::Type | Kind::String, _) => {
                self.blank();
                self.attr(value);
            }
            (Kind::Integer(_) | Kind::Bool, Attr::Integer(..) | Attr::Bool(_)) => {
                self.blank();
                self.attr_in_full(value, false);
            }
            (Kind::DenseArray(_), Attr::DenseArray(_, items)) => {
                self.blank();
                let _ = write!(self.out, "[{}]", items.join(", "));
            }
            (Kind::Enum(e), data) => {
                let word = match (e.spelling, data) {
                    (Spelling::Integer(_), Attr::Integer(digits, _)) => digits.parse().ok().and_then(|n| e.word(n)),
                    (_, Attr::Dialect { body: Some(body), .. }) => match body.as_slice() {
                        [super::super::Piece::Text(text)] => {
                            let word = text.rsplit(' ').next().unwrap_or(text);
                            e.cases.iter().map(|case| case.0).find(|&other| other == word)
                        }
                        _ => None,
                    },
                    _ => None,
                };
                let Some(word) = word else { return false };
                self.blank();
                self.out.push_str(word);
            }
            _ => return false,
        }
        true
    }

    fn default_value(&mut self, prop: &Prop, default: &str) -> bool {
        self.blank();
        match prop.kind {
            Kind::Enum(e) => match default.parse().ok().and_then(|number| e.word(number)) {
                Some(word) => self.out.push_str(word),
                None => return false,
            },
            Kind::Integer(_) | Kind::Bool | Kind::String => self.out.push_str(default),
            _ => return false,
        }
        true
    }
}

fn piece_text(piece: &super::super::Piece) -> &str {
    match piece {
        super::super::Piece::Text(text) => text,
        _ => "",
    }
}

fn mention(elements: &[Element], mentioned: &mut [bool]) {
    for element in elements {
        match element {
            Element::Attribute(prop) => mentioned[*prop] = true,
            Element::Optional(inner) | Element::Repeated(inner) => mention(inner, mentioned),
            _ => {}
        }
    }
}
