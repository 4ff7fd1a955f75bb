//! From TTIR to TTGIR: assigns every tensor a random legal layout and converts between layouts that differ. Such modules
//! are for single passes: they have combinations that no earlier pass produces, and a pass must handle each of them.
//!
//! The constraints follow from the kind of an operation. Elementwise operations have one layout for all operands and
//! results; a reduction returns a slice of its operand's layout, `expand_dims` takes a slice of its result's; a transpose
//! permutes; a dot's operands name its result's layout; loops and branches have one layout for each carried value. A layout
//! that is not constrained is usually that of an operand.

use super::choice::Choice;
use super::layout::{DrawnLayout, Layouts, transposed};
use super::settings::{Backend, GeneratorSettings};
use crate::ir::{Attr, Module, OpId, OpKind, Trait, Type, TypeId, ValueId};

pub(super) fn assign_layouts(
    module: &mut Module,
    choice: &mut Choice<'_, '_>,
    settings: &GeneratorSettings,
    warps: u32,
) {
    let wave = if settings.backends.first() == Some(&Backend::AmdCdna) { 64 } else { 32 };
    let layouts = Layouts::draw(choice, wave, warps);
    let order = module.walk();
    let mut work = LayoutAssignment { module, choice, layouts };
    for op in order {
        work.operation(op);
    }
    work.attributes(settings, wave, warps);
}

struct LayoutAssignment<'m, 'c, 'a, 'u> {
    module: &'m mut Module,
    choice: &'c mut Choice<'a, 'u>,
    layouts: Layouts,
}

impl LayoutAssignment<'_, '_, '_, '_> {
    fn rank(&self, value: ValueId) -> usize {
        match self.module.type_of(value) {
            Type::Tensor { shape, .. } => shape.len(),
            _ => 0,
        }
    }

    fn layout(&self, value: ValueId) -> Option<DrawnLayout> {
        let encoding = self.module.interners.encoding(self.module.value(value).ty)?;
        self.layouts.find(encoding).cloned()
    }

    fn with_layout(&mut self, ty: TypeId, layout: &DrawnLayout) -> TypeId {
        match self.module.interners.type_data(ty) {
            Type::Tensor { shape, element, .. } => {
                let (shape, element) = (shape.clone(), *element);
                let encoding = Some(self.layouts.attr(&mut self.module.interners, layout));
                self.module.interners.ty(Type::Tensor { shape, element, encoding })
            }
            _ => ty,
        }
    }

    /// Sets a tensor's layout; other values stay as they are.
    fn set(&mut self, value: ValueId, layout: &DrawnLayout) {
        let ty = self.module.value(value).ty;
        let ty = self.with_layout(ty, layout);
        self.module.value_mut(value).ty = ty;
    }

    fn set_results(&mut self, op: OpId, layout: &DrawnLayout) {
        for result in self.module.op(op).results.clone() {
            self.set(result, layout);
        }
    }

    /// Converts an operand to a layout, unless it has that already.
    fn require(&mut self, op: OpId, operand: usize, layout: &DrawnLayout) {
        let Some(&value) = self.module.op(op).operands.get(operand) else { return };
        if self.rank(value) == 0 || self.layout(value).as_ref() == Some(layout) {
            return;
        }
        let ty = self.with_layout(self.module.value(value).ty, layout);
        let convert = self.module.create(OpKind::TtgConvertLayout, &[&[value]], &[ty], Vec::new());
        if let (Some(block), Some(place)) = (self.module.op(op).parent, self.module.position(op)) {
            self.module.insert(convert, block, place);
            self.module.op_mut(op).operands[operand] = self.module.op(convert).results[0];
        }
    }

    fn require_all(&mut self, op: OpId, layout: &DrawnLayout) {
        for operand in 0..self.module.op(op).operands.len() {
            self.require(op, operand, layout);
        }
    }

    /// A layout for an operation that does not constrain it: that of an operand, or any.
    fn free(&mut self, op: OpId, rank: usize) -> DrawnLayout {
        let operands = self.module.op(op).operands.clone();
        let there: Vec<DrawnLayout> = operands.iter().filter_map(|&value| self.layout(value)).collect();
        let fits: Vec<DrawnLayout> =
            there.into_iter().filter(|layout| !matches!(layout, DrawnLayout::DotOperand { .. })).collect();
        match self.choice.pick(&fits).filter(|_| !self.choice.chance(25)) {
            Some(layout) => layout,
            None => self.layouts.any(self.choice, rank),
        }
    }

    fn integer(&self, op: OpId, name: &str) -> usize {
        match self.module.attribute(op, name).map(|attr| self.module.interners.attr_data(attr)) {
            Some(Attr::Integer(digits, _)) => digits.parse().unwrap_or(0),
            _ => 0,
        }
    }

    fn operation(&mut self, op: OpId) {
        let record = self.module.op(op);
        let (operands, results) = (record.operands.clone(), record.results.clone());
        let first = operands.first().copied();
        let rank = first.map_or(0, |value| self.rank(value));
        let result_rank = results.first().map_or(0, |&value| self.rank(value));
        match self.module.kind(op) {
            OpKind::ArithConstant if result_rank > 0 => self.constant(op, results[0]),
            OpKind::TtSplat | OpKind::TtMakeRange if result_rank > 0 => {
                let layout = self.layouts.any(self.choice, result_rank);
                self.set_results(op, &layout);
            }
            OpKind::TtExpandDims => self.expand_dims(op, rank),
            OpKind::TtBroadcast => {
                if let Some(layout) = first.and_then(|value| self.layout(value)) {
                    self.set_results(op, &layout);
                }
            }
            OpKind::TtReduce => {
                let layout = self.free(op, rank);
                self.require_all(op, &layout);
                let dim = self.integer(op, "axis");
                self.set_results(op, &DrawnLayout::Slice { dim, parent: Box::new(layout) });
            }
            OpKind::TtTrans => self.transpose(op, rank),
            OpKind::TtDot => self.dot(op, rank),
            OpKind::ScfFor => self.carry(op, 3),
            OpKind::ScfWhile => self.carry_while(op),
            OpKind::ScfIf => {
                for result in results {
                    let layout = self.layouts.any(self.choice, self.rank(result));
                    self.set(result, &layout);
                }
            }
            OpKind::ScfYield => self.yielded(op),
            OpKind::ScfCondition => self.condition(op),
            OpKind::CfBr => self.branch(op),
            _ if self.module.has(op, Trait::SameOperandsAndResultEncoding) => {
                let tensor = operands.iter().chain(&results).map(|&value| self.rank(value)).max().unwrap_or(0);
                if tensor > 0 {
                    let layout = self.free(op, tensor);
                    self.require_all(op, &layout);
                    self.set_results(op, &layout);
                }
            }
            _ => {}
        }
    }

    fn constant(&mut self, op: OpId, result: ValueId) {
        let layout = self.layouts.any(self.choice, self.rank(result));
        self.set(result, &layout);
        let ty = self.module.value(result).ty;
        let Some(attr) = self.module.attribute(op, "value") else { return };
        if let Attr::Dense(word, text, _) = self.module.interners.attr_data(attr).clone() {
            let attr = self.module.interners.attr(Attr::Dense(word, text, ty));
            self.module.set_prop(op, "value", Some(attr));
        }
    }

    /// The operand is a slice of the result. Usually an operand that is a slice along this axis decides the result's layout.
    fn expand_dims(&mut self, op: OpId, rank: usize) {
        let axis = self.integer(op, "axis");
        let own = self.module.op(op).operands.first().and_then(|&value| self.layout(value));
        let layout = match own {
            Some(DrawnLayout::Slice { dim, parent }) if dim == axis && !self.choice.chance(25) => *parent,
            _ => self.layouts.any_blocked(self.choice, rank + 1),
        };
        self.require(op, 0, &DrawnLayout::Slice { dim: axis, parent: Box::new(layout.clone()) });
        self.set_results(op, &layout);
    }

    fn transpose(&mut self, op: OpId, rank: usize) {
        let order: Vec<u32> = match self.module.attribute(op, "order").map(|attr| self.module.interners.attr_data(attr))
        {
            Some(Attr::DenseArray(_, items)) => items.iter().filter_map(|item| item.parse().ok()).collect(),
            _ => Vec::new(),
        };
        let layout = match self.free(op, rank) {
            layout @ DrawnLayout::Blocked { .. } => layout,
            _ => self.layouts.any_blocked(self.choice, rank),
        };
        self.require(op, 0, &layout);
        if let Some(result) = transposed(&layout, &order) {
            self.set_results(op, &result);
        }
    }

    fn dot(&mut self, op: OpId, rank: usize) {
        let accumulator = self.module.op(op).operands.get(2).and_then(|&value| self.layout(value));
        let layout = match accumulator {
            Some(layout @ DrawnLayout::Blocked { .. }) if !self.choice.chance(25) => layout,
            _ => self.layouts.any_blocked(self.choice, rank),
        };
        for index in 0..2 {
            self.require(op, index as usize, &DrawnLayout::DotOperand { index, parent: Box::new(layout.clone()) });
        }
        self.require(op, 2, &layout);
        self.set_results(op, &layout);
    }

    // Values carried by regions and blocks.

    /// The layout of a carried value: that of its first value, or any.
    fn kept(&mut self, value: ValueId) -> Option<DrawnLayout> {
        let rank = self.rank(value);
        if rank == 0 {
            return None;
        }
        match self.layout(value).filter(|layout| !matches!(layout, DrawnLayout::DotOperand { .. })) {
            Some(layout) if !self.choice.chance(25) => Some(layout),
            _ => Some(self.layouts.any(self.choice, rank)),
        }
    }

    fn carry(&mut self, op: OpId, before: usize) {
        let results = self.module.op(op).results.clone();
        let arguments = self.module.entry(op).map(|block| self.module.block(block).arguments.clone());
        let arguments = arguments.unwrap_or_default();
        for (place, result) in results.into_iter().enumerate() {
            let operand = before + place;
            let Some(&init) = self.module.op(op).operands.get(operand) else { return };
            let Some(layout) = self.kept(init) else { continue };
            self.require(op, operand, &layout);
            self.set(result, &layout);
            // The induction variable comes first.
            if let Some(&argument) = arguments.get(place + 1) {
                self.set(argument, &layout);
            }
        }
    }

    fn carry_while(&mut self, op: OpId) {
        for place in 0..self.module.op(op).operands.len() {
            let init = self.module.op(op).operands[place];
            let Some(layout) = self.kept(init) else { continue };
            self.require(op, place, &layout);
            if let Some(block) = self.module.entry(op)
                && let Some(&argument) = self.module.block(block).arguments.get(place)
            {
                self.set(argument, &layout);
            }
        }
        let second = self.module.op(op).regions.get(1).and_then(|&region| self.module.region(region).blocks.first());
        let arguments = second.map(|&block| self.module.block(block).arguments.clone()).unwrap_or_default();
        for (place, result) in self.module.op(op).results.clone().into_iter().enumerate() {
            if self.rank(result) == 0 {
                continue;
            }
            let layout = self.layouts.any(self.choice, self.rank(result));
            self.set(result, &layout);
            if let Some(&argument) = arguments.get(place) {
                self.set(argument, &layout);
            }
        }
    }

    /// Converts the operands of a terminator from `skip` on to the layouts of the values that receive them.
    fn convert_forwarded(&mut self, op: OpId, skip: usize, receivers: &[ValueId]) {
        for (place, &receiver) in receivers.iter().enumerate() {
            if let Some(layout) = self.layout(receiver) {
                self.require(op, skip + place, &layout);
            }
        }
    }

    fn yielded(&mut self, op: OpId) {
        let Some(around) = self.module.parent_op(op) else { return };
        let receivers = if self.module.kind(around) == OpKind::ScfWhile {
            let first = self.module.entry(around);
            first.map(|block| self.module.block(block).arguments.to_vec()).unwrap_or_default()
        } else {
            self.module.op(around).results.to_vec()
        };
        self.convert_forwarded(op, 0, &receivers);
    }

    fn condition(&mut self, op: OpId) {
        if let Some(around) = self.module.parent_op(op) {
            let receivers = self.module.op(around).results.to_vec();
            self.convert_forwarded(op, 1, &receivers);
        }
    }

    /// A block's arguments get their layouts from the first branch to it.
    fn branch(&mut self, op: OpId) {
        let Some(&target) = self.module.op(op).successors.first() else { return };
        let receivers = self.module.block(target).arguments.to_vec();
        for (place, &receiver) in receivers.iter().enumerate() {
            if self.layout(receiver).is_none()
                && let Some(&value) = self.module.op(op).operands.get(place)
                && let Some(layout) = self.kept(value)
            {
                self.set(receiver, &layout);
            }
        }
        self.convert_forwarded(op, 0, &receivers);
    }

    /// The module attributes of the conversion to TTGIR.
    fn attributes(&mut self, settings: &GeneratorSettings, wave: u32, warps: u32) {
        let root = self.module.root();
        let width = self.module.interners.integer("i32");
        for (name, number) in [("ttg.num-ctas", 1), ("ttg.num-warps", warps)] {
            let attr = self.module.interners.attr(Attr::Integer(number.to_string(), width));
            self.module.set_attr(root, name, Some(attr));
        }
        if let Some(target) = settings.backends.first().and_then(|backend| backend.target()) {
            let attr = self.module.interners.attr(Attr::String(target));
            self.module.set_attr(root, "ttg.target", Some(attr));
        }
        let attr = self.module.interners.attr(Attr::Integer(wave.to_string(), width));
        self.module.set_attr(root, "ttg.threads-per-warp", Some(attr));
    }
}
