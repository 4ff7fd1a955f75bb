//! Custom forms: the directives of an assembly format walked over a second time.

use super::super::intern::{Attr, BodySegment, NamedAttrs};
use super::super::ods::{AttrDef, AttrKind, Directive, OpDef, Slot, Spelling};
use super::super::{AttrId, OpId, TypeId, ValueId};
use super::Printer;
use super::special::at;
use std::fmt::Write;

/// An operation's values and attributes by those of its definition.
struct PrintParts {
    operands: Vec<Vec<ValueId>>,
    results: Vec<Vec<ValueId>>,
    props: Vec<Option<AttrId>>,
    /// Attributes that the format mentions.
    mentioned: Vec<bool>,
    next_region: usize,
    next_successor: usize,
}

impl Printer<'_> {
    /// Walks over an assembly format. None if it cannot say this operation.
    pub(super) fn declarative(&mut self, op: OpId, def: &OpDef, directives: &[Directive]) -> Option<()> {
        let mut parts = self.parts(op, def)?;
        mention(directives, &mut parts.mentioned);
        directives.iter().try_for_each(|directive| self.directive(op, def, directive, &mut parts))
    }

    fn parts(&self, op: OpId, def: &OpDef) -> Option<PrintParts> {
        let record = self.module.op(op);
        let operands = self.module.operand_groups(op, def)?;
        let operands = operands.into_iter().map(|range| record.operands[range].to_vec()).collect();
        let results = self.module.result_groups(op, def)?;
        let results = results.into_iter().map(|range| record.results[range].to_vec()).collect();
        let list = self.module.interners.attrs_data(record.props);
        let find = |prop: &AttrDef| list.iter().find(|(name, _)| self.module.interners.name_text(*name) == prop.name);
        let props: Vec<_> = def.attributes.iter().map(|prop| find(prop).map(|(_, value)| *value)).collect();
        let mentioned = vec![false; def.attributes.len()];
        Some(PrintParts { operands, results, props, mentioned, next_region: 0, next_successor: 0 })
    }

    fn blank(&mut self) {
        if !self.out.ends_with([' ', '(', '[', '<']) {
            self.out.push(' ');
        }
    }

    fn directive(&mut self, op: OpId, def: &OpDef, directive: &Directive, parts: &mut PrintParts) -> Option<()> {
        match directive {
            Directive::Literal(token) => {
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
            Directive::Operand(group) => {
                if !parts.operands[*group].is_empty() {
                    self.blank();
                }
                self.separated(&parts.operands[*group], Self::value);
            }
            Directive::Attribute(prop) => {
                let info = &def.attributes[*prop];
                match (parts.props[*prop], info.default) {
                    _ if matches!(info.kind, AttrKind::Unit) => {}
                    (Some(value), _) => return self.prop_value(info, value),
                    // A default that the form cannot leave out.
                    (None, Some(default)) => return self.default_value(info, default),
                    (None, None) if info.optional => {}
                    (None, None) => return None,
                }
            }
            Directive::Type(slot, prefix) => {
                let types = self.slot_types(parts, *slot);
                if types.contains(&TypeId::UNKNOWN) {
                    return None;
                }
                if !types.is_empty() {
                    self.blank();
                }
                self.separated(&types, |printer, ty| match prefix {
                    Some(prefix) => printer.type_without(ty, prefix),
                    None => printer.ty(ty),
                });
            }
            Directive::FunctionalType(from, to) => {
                let all = |printer: &Self, slots: &[Slot]| -> Vec<TypeId> {
                    slots.iter().flat_map(|slot| printer.slot_types(parts, *slot)).collect()
                };
                let (inputs, results) = (all(self, from), all(self, to));
                if inputs.contains(&TypeId::UNKNOWN) || results.contains(&TypeId::UNKNOWN) {
                    return None;
                }
                self.blank();
                self.function_type(&inputs, &results);
            }
            Directive::AttrDict(keyword) => {
                let list = self.unmentioned(op, def, parts);
                if !list.is_empty() {
                    self.blank();
                    if let Some(keyword) = keyword {
                        let _ = write!(self.out, "{keyword} ");
                    }
                    self.named(&list);
                }
            }
            Directive::Successor => {
                let &block = self.module.op(op).successors.get(parts.next_successor)?;
                parts.next_successor += 1;
                self.blank();
                self.label(block);
            }
            Directive::Region { variadic } => {
                let regions = &self.module.op(op).regions;
                let end = if *variadic { regions.len() } else { parts.next_region + 1 };
                for (index, &region) in regions.get(parts.next_region..end)?.iter().enumerate() {
                    if index > 0 {
                        self.out.push(',');
                    }
                    self.blank();
                    self.region(region, true, false);
                }
                parts.next_region = end;
            }
            Directive::Token(dep, token) => {
                if !parts.results[*token].is_empty() {
                    self.enclosed('[', &parts.operands[*dep], ']', Self::value);
                }
            }
            Directive::BarriersAndPreds(barriers, preds) => {
                if parts.operands[*barriers].len() != parts.operands[*preds].len() {
                    return None;
                }
                for (&barrier, &pred) in parts.operands[*barriers].iter().zip(&parts.operands[*preds]) {
                    self.out.push_str(", ");
                    self.value(barrier);
                    self.out.push('[');
                    self.value(pred);
                    self.out.push(']');
                }
            }
            Directive::Optional(inner, anchor) => {
                if self.is_present(def, &inner[*anchor], parts) {
                    return inner.iter().try_for_each(|directive| self.directive(op, def, directive, parts));
                }
            }
        }
        Some(())
    }

    fn is_present(&self, def: &OpDef, anchor: &Directive, parts: &PrintParts) -> bool {
        match anchor {
            Directive::Operand(index) => !parts.operands[*index].is_empty(),
            Directive::Attribute(index) => {
                parts.props[*index].is_some_and(|value| !self.is_default(&def.attributes[*index], value))
            }
            Directive::Type(slot, _) => !self.slot_types(parts, *slot).is_empty(),
            _ => false,
        }
    }

    fn is_default(&self, prop: &AttrDef, value: AttrId) -> bool {
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
                let inside: String = body.iter().flatten().map(segment_text).collect();
                default.strip_prefix('#').and_then(|d| d.strip_suffix('>')).and_then(|d| d.split_once('<'))
                    == Some((self.module.interners.name_text(*name), inside.as_str()))
            }
            _ => false,
        }
    }

    fn slot_types(&self, parts: &PrintParts, slot: Slot) -> Vec<TypeId> {
        match slot {
            Slot::Operand(group) => self.types_of(&parts.operands[group]),
            Slot::Result(group) => self.types_of(&parts.results[group]),
        }
    }

    /// What stands in the attribute list: everything but what the form mentions and what has its default.
    fn unmentioned(&self, op: OpId, def: &OpDef, parts: &PrintParts) -> NamedAttrs {
        let record = self.module.op(op);
        let mut list = self.module.interners.attrs_data(record.props).clone();
        list.retain(|&(name, value)| {
            let text = self.module.interners.name_text(name);
            let mut props = def.attributes.iter().zip(&parts.mentioned);
            let hidden =
                props.any(|(prop, &mentioned)| prop.name == text && (mentioned || self.is_default(prop, value)));
            !hidden && text != "resultSegmentSizes"
        });
        list.extend(self.module.interners.attrs_data(record.attrs).iter().copied());
        // As MLIR does.
        list.sort_by(|a, b| self.module.interners.name_text(a.0).cmp(self.module.interners.name_text(b.0)));
        list
    }

    fn prop_value(&mut self, prop: &AttrDef, value: AttrId) -> Option<()> {
        let module = self.module;
        match (prop.kind, module.interners.attr_data(value)) {
            (AttrKind::Dialect(kind), Attr::Dialect { name, .. }) if module.interners.name_text(*name) == kind => {
                self.attr_without_name(value);
            }
            (AttrKind::SymbolName, Attr::String(name)) => {
                self.blank();
                self.out.push_str(&at(name));
            }
            (AttrKind::Any, Attr::Integer(digits, ty)) if module.interners.is_bool(*ty) => {
                self.blank();
                self.out.push_str(if digits.trim_start_matches('-') == "0" { "false" } else { "true" });
            }
            (AttrKind::Symbol, Attr::Symbol(_) | Attr::String(_))
            | (AttrKind::Any | AttrKind::Type | AttrKind::String, _) => {
                self.blank();
                self.attr(value);
            }
            (AttrKind::Integer(_) | AttrKind::Bool, Attr::Integer(..) | Attr::Bool(_)) => {
                self.blank();
                self.attr_in_full(value, false);
            }
            (AttrKind::DenseArray(_), Attr::DenseArray(_, items)) => {
                self.blank();
                let _ = write!(self.out, "[{}]", items.join(", "));
            }
            (AttrKind::Enum(e), data) => {
                let word = match (e.spelling, data) {
                    (Spelling::Integer(_), Attr::Integer(digits, _)) => digits.parse().ok().and_then(|n| e.word(n)),
                    (_, Attr::Dialect { body: Some(body), .. }) => match body.as_slice() {
                        [BodySegment::Text(text)] => {
                            let word = text.rsplit(' ').next().unwrap_or(text);
                            e.cases.iter().map(|case| case.0).find(|&other| other == word)
                        }
                        _ => None,
                    },
                    _ => None,
                };
                let word = word?;
                self.blank();
                self.out.push_str(word);
            }
            _ => return None,
        }
        Some(())
    }

    fn default_value(&mut self, prop: &AttrDef, default: &str) -> Option<()> {
        let text = match prop.kind {
            AttrKind::Enum(e) => default.parse().ok().and_then(|number| e.word(number))?,
            AttrKind::Integer(_) | AttrKind::Bool | AttrKind::String => default,
            _ => return None,
        };
        self.blank();
        self.out.push_str(text);
        Some(())
    }
}

fn segment_text(segment: &BodySegment) -> &str {
    match segment {
        BodySegment::Text(text) => text,
        _ => "",
    }
}

fn mention(directives: &[Directive], mentioned: &mut [bool]) {
    for directive in directives {
        match directive {
            Directive::Attribute(prop) => mentioned[*prop] = true,
            Directive::Optional(inner, _) => mention(inner, mentioned),
            _ => {}
        }
    }
}
