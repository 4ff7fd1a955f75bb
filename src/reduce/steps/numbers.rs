//! Which values are made of one number type, and must change it together.
//!
//! A value's number type is that of its elements, or of what it points to ([`crate::ir::Interners::number`]). Values are
//! joined in classes by the operations between them, as dimensions are: an addition joins all three, a load a pointer with
//! what it loads. A conversion joins nothing; whether it still converts from less to more is looked at afterwards. What an
//! operation without a rule touches keeps its type, and so does what Triton wants in one type: offsets of block
//! pointers, ranges, program identifiers.

use super::classes::Classes;
use super::flow::{FLOWING, Flows, values};
use crate::ir::{Attr, Interners, LayoutKind, Module, OpId, ValueId};

/// Operations whose operands and results are all made of one number type.
const SAME: [&str; 12] = [
    "tt.splat",
    "tt.unsplat",
    "tt.broadcast",
    "tt.expand_dims",
    "tt.reshape",
    "tt.trans",
    "tt.join",
    "tt.split",
    "tt.cat",
    "ttg.convert_layout",
    "tt.mulhiui",
    "tt.clampf",
];

/// Operations between a memory descriptor or pointer and what is in it: the first number of operands are of one type.
const ACCESSES: [(&str, usize); 6] = [
    ("ttg.local_alloc", 1),
    ("ttg.local_load", 1),
    ("ttg.local_store", 2),
    ("ttg.memdesc_trans", 1),
    ("ttg.memdesc_index", 1),
    ("tt.addptr", 1),
];

/// Conversions between number types: operand and result go their own ways.
pub(super) const CASTS: [&str; 9] = [
    "arith.extsi",
    "arith.extui",
    "arith.trunci",
    "arith.extf",
    "arith.truncf",
    "arith.sitofp",
    "arith.uitofp",
    "arith.fptosi",
    "arith.fptoui",
];

/// Operations besides those of [`FLOWING`] that take any number.
const FREE: [&str; 5] = ["tt.reduce.return", "tt.scan.return", "tt.print", "ttg.local_dealloc", "ub.poison"];

/// The classes of a module.
#[derive(Debug)]
pub(super) struct Numbers {
    /// By value.
    classes: Classes,
    members: Vec<ValueId>,
}

impl Numbers {
    /// Joins everything that depends on each other.
    pub fn of(module: &Module) -> Numbers {
        let mut all = Numbers { classes: Classes::of(module.value_count()), members: values(module) };
        let flows = Flows::of(module);
        for (a, b) in flows.pairs {
            all.join(a, b);
        }
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

    fn join_all<'v>(&mut self, values: impl IntoIterator<Item = &'v ValueId>) {
        let mut values = values.into_iter();
        if let Some(&first) = values.next() {
            values.for_each(|&value| self.join(first, value));
        }
    }

    fn fix(&mut self, value: ValueId) {
        self.classes.fix(value.index());
    }

    fn operation(&mut self, module: &Module, op: OpId) {
        let record = module.op(op);
        let name = module.canonical_name(op);
        let (operands, results) = (record.operands.as_slice(), record.results.as_slice());
        let all = || operands.iter().chain(results);
        match name {
            "arith.constant" => {
                let value = module.attribute(op, "value").map(|value| module.interners.attr_data(value));
                if !value.is_some_and(can_narrow) {
                    results.iter().for_each(|&result| self.fix(result));
                }
            }
            _ if FLOWING.contains(&name) || FREE.contains(&name) || CASTS.contains(&name) => {}
            "arith.select" => self.join_all(operands.iter().skip(1).chain(results)),
            "arith.cmpi" | "arith.cmpf" => self.join_all(operands),
            "tt.load" => self.loads(operands, results, record.segments.get(1).is_some_and(|&size| size > 0)),
            "tt.store" => self.join_all(operands.iter().take(2)),
            "tt.reduce" | "tt.scan" => self.combines(module, op),
            "tt.dot" if !has_mma_layout(module, operands) => {
                self.join_all(operands.iter().take(2));
                operands.iter().skip(2).chain(results).for_each(|&value| self.fix(value));
            }
            "arith.addui_extended" | "arith.subui_extended" | "arith.scaling_extf" | "arith.scaling_truncf" => {
                all().for_each(|&value| self.fix(value));
            }
            "arith.bitcast" | "arith.convertf" => all().for_each(|&value| self.fix(value)),
            _ if SAME.contains(&name) || name.starts_with("arith.") || name.starts_with("math.") => {
                self.join_all(all());
            }
            _ => match ACCESSES.iter().find(|(access, _)| *access == name) {
                Some(&(_, count)) => {
                    let (joined, other) = operands.split_at(count.min(operands.len()));
                    self.join_all(joined.iter().chain(results));
                    // The offset of a pointer may be of either width.
                    if name != "tt.addptr" {
                        other.iter().for_each(|&value| self.fix(value));
                    }
                }
                None => all().for_each(|&value| self.fix(value)),
            },
        }
    }

    fn loads(&mut self, operands: &[ValueId], results: &[ValueId], masked: bool) {
        let other = operands.iter().skip(1 + usize::from(masked));
        self.join_all(operands.iter().take(1).chain(other).chain(results));
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

    /// The classes that may change, each by its first value, with its members; a class of one number type alone.
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
    values.iter().any(|&value| {
        let mut layout = module.interners.layout(module.value(value).ty);
        while let Some(at) = layout {
            let kind = module.interners.layout_kind(at);
            if kind.is_mma() || kind == LayoutKind::NvmmaShared {
                return true;
            }
            layout = module.interners.parent_layout(at);
        }
        false
    })
}

/// Whether a layout says how many bits an element has, or a descriptor how many bytes a row needs.
fn layout_counts_bits(interners: &Interners, ty: crate::ir::TypeId) -> bool {
    match interners.type_data(ty) {
        crate::ir::Type::TensorDesc { .. } => true,
        _ => {
            let mut layout = interners.layout(ty);
            while let Some(at) = layout {
                if !matches!(
                    interners.layout_kind(at),
                    LayoutKind::Blocked
                        | LayoutKind::Slice
                        | LayoutKind::Linear
                        | LayoutKind::DotOperand
                        | LayoutKind::SwizzledShared
                        | LayoutKind::Shared
                ) {
                    return true;
                }
                layout = interners.parent_layout(at);
            }
            false
        }
    }
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
