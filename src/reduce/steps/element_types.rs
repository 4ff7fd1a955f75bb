//! Which values are that have one element type and must change it together.
//!
//! A value's element type is that of its elements, or of what it points to ([`crate::ir::Interners::number`]). Values are
//! joined in classes by the operations between them, as dimensions are: an addition joins all three, a load a pointer with
//! what it loads. A conversion joins nothing; whether it still converts from less to more is looked at afterwards. What an
//! operation without a rule touches keeps its type, and so does what Triton wants in one type: offsets of block
//! pointers, ranges, program identifiers.

use super::classes::Classes;
use super::flow::{Flows, flows_everywhere, values};
use super::layouts_of;
use crate::ir::ods::{Constraint, TypeTrait};
use crate::ir::{Attr, Interners, LayoutKind, Module, OpDef, OpId, OpKind, Type, TypeId, ValueId};

/// The classes of a module.
#[derive(Debug)]
pub(super) struct ElementTypes {
    /// By value.
    classes: Classes,
    members: Vec<ValueId>,
}

impl ElementTypes {
    /// Joins everything that depends on each other.
    pub fn of(module: &Module) -> ElementTypes {
        let mut all = ElementTypes { classes: Classes::of(module.value_count()), members: values(module) };
        let flows = Flows::of(module);
        flows.pairs.into_iter().for_each(|(a, b)| all.join(a, b));
        flows.fixed.into_iter().for_each(|value| all.fix(value));
        for op in module.walk() {
            all.operation(module, op);
        }
        for &value in &all.members {
            if layout_counts_bits(&module.interners, module.value(value).ty) {
                all.classes.fix(value.index());
            }
        }
        all
    }

    fn join(&mut self, a: ValueId, b: ValueId) {
        self.classes.join(a.index(), b.index());
    }

    fn fix(&mut self, value: ValueId) {
        self.classes.fix(value.index());
    }

    fn operation(&mut self, module: &Module, op: OpId) {
        let record = module.op(op);
        let (operands, results) = (record.operands.as_slice(), record.results.as_slice());
        let all = || operands.iter().chain(results);
        let Some(def) = module.def(op) else { return all().for_each(|&value| self.fix(value)) };
        match def.kind {
            OpKind::ArithConstant => {
                let value = module.attribute(op, "value").map(|value| module.interners.attr_data(value));
                if !value.is_some_and(can_narrow) {
                    results.iter().for_each(|&result| self.fix(result));
                }
            }
            OpKind::TtReduce | OpKind::TtScan => self.combines(module, op),
            OpKind::TtDot if has_mma_layout(module, operands) => all().for_each(|&value| self.fix(value)),
            _ if flows_everywhere(def) => {}
            _ => self.related(module, op, def),
        }
    }

    /// What the traits of a definition relate is joined; other values are free where their constraint admits any element
    /// type of their kind, and keep theirs otherwise.
    fn related(&mut self, module: &Module, op: OpId, def: &OpDef) {
        let record = module.op(op);
        let mut joined: Vec<ValueId> = Vec::new();
        for of in &def.types {
            let these: Vec<ValueId> = match of {
                TypeTrait::SameOperandsAndResultType | TypeTrait::SameOperandsAndResultElementType => {
                    record.operands.iter().chain(&record.results).copied().collect()
                }
                TypeTrait::SameTypeOperands => record.operands.to_vec(),
                TypeTrait::AllTypesMatch(names) | TypeTrait::AllElementTypesMatch(names) => {
                    // Several values of one name match those of the others one by one.
                    let lists = names.iter().map(|name| module.values_named(op, name)).filter(|list| !list.is_empty());
                    let lists: Vec<&[ValueId]> = lists.collect();
                    for pair in lists.windows(2) {
                        pair[0].iter().zip(pair[1]).for_each(|(&a, &b)| self.join(a, b));
                    }
                    joined.extend(lists.concat());
                    continue;
                }
                TypeTrait::TypesMatchWith(..) => continue,
            };
            these.windows(2).for_each(|pair| self.join(pair[0], pair[1]));
            joined.extend(these);
        }
        for value in def.operands.iter().chain(&def.results) {
            if matches!(value.constraint, Constraint::AnyType | Constraint::Exactly(_) | Constraint::Class(_)) {
                let these = module.values_named(op, value.name).iter();
                these.filter(|value| !joined.contains(value)).for_each(|&value| self.fix(value));
            }
        }
    }

    /// A reduction's operand, its result and what the region takes and gives for it.
    fn combines(&mut self, module: &Module, op: OpId) {
        let record = module.op(op);
        let count = record.operands.len();
        let Some(block) = module.entry(op) else { return };
        let arguments = &module.block(block).arguments;
        let given = module.block(block).ops.last().map_or(&[][..], |&last| &module.op(last).operands);
        for (index, &operand) in record.operands.iter().enumerate() {
            let parts =
                [record.results.get(index), arguments.get(index), arguments.get(index + count), given.get(index)];
            parts.into_iter().flatten().for_each(|&part| self.join(operand, part));
        }
    }

    /// The classes that may change, each by its first value, with its members; a class of one element type alone.
    pub fn classes(&self, module: &Module) -> Vec<(ValueId, Vec<ValueId>)> {
        let mut known = vec![false; module.value_count()];
        self.members.iter().for_each(|value| known[value.index()] = true);
        let number = |value: &ValueId| module.interners.number(module.value(*value).ty);
        let whole = |class: &[ValueId]| {
            let first = class.first().and_then(number);
            first.is_some() && class.iter().all(|value| number(value) == first)
        };
        let values = |class: Vec<usize>| -> Vec<ValueId> {
            class.into_iter().filter(|&node| known[node]).map(|node| ValueId(node as u32)).collect()
        };
        let classes = self.classes.free().into_iter().map(|class| (ValueId(class[0] as u32), values(class)));
        classes.filter(|(_, class)| whole(class)).collect()
    }
}

/// Whether a value's layout is that of a tensor core, which counts bits.
fn has_mma_layout(module: &Module, values: &[ValueId]) -> bool {
    let layouts = values.iter().flat_map(|&value| layouts_of(&module.interners, module.value(value).ty));
    let mut kinds = layouts.map(|layout| module.interners.layout_kind(layout));
    kinds.any(|kind| kind.is_mma() || kind == LayoutKind::NvmmaShared)
}

/// Whether a layout says how many bits an element has, or a descriptor how many bytes a row needs.
fn layout_counts_bits(interners: &Interners, ty: TypeId) -> bool {
    let counts = |layout| {
        !matches!(
            interners.layout_kind(layout),
            LayoutKind::Blocked
                | LayoutKind::Slice
                | LayoutKind::Linear
                | LayoutKind::DotOperand
                | LayoutKind::SwizzledShared
                | LayoutKind::Shared
        )
    };
    matches!(interners.type_data(ty), Type::TensorDesc { .. }) || layouts_of(interners, ty).any(counts)
}

/// Whether a constant means the same in a narrower type: no bit pattern, no list, no large integer.
fn can_narrow(value: &Attr) -> bool {
    let digits = match value {
        Attr::Dense(_, body, _) => body,
        Attr::Integer(digits, _) | Attr::Float(digits, _) => digits,
        _ => return false,
    };
    match digits.parse::<i64>() {
        Ok(number) => i32::try_from(number).is_ok(),
        Err(_) => digits.parse::<f64>().is_ok_and(|number| number.abs() < 65504.0),
    }
}
