//! From TTIR to TTGIR: every tensor gets a random legal layout, and conversions stand where two do not agree. Such modules
//! are for single passes: they hold combinations that no earlier pass leaves, and each is one that the pass must cope with.
//!
//! What an operation demands follows from its kind. Element by element, all operands and results share a layout; a reduction
//! gives a slice of what it is given, `expand_dims` takes a slice of what it gives; a transpose permutes; a dot's operands
//! name its result's layout; loops and branches keep one layout for each value that they carry. Where a layout is free, it
//! is most often that of an operand.

use super::choice::Choice;
use super::layout::{Layout, Layouts, transposed};
use super::settings::{Backend, Settings};
use crate::ir::{Attr, Module, OpId, OpKind, Trait, Type, TypeId, ValueId};

/// Gives every tensor of a module a layout.
pub(super) fn lay_out(module: &mut Module, choice: &mut Choice<'_, '_>, settings: &Settings, warps: u32) {
    let wave = if settings.backends.first() == Some(&Backend::AmdCdna) { 64 } else { 32 };
    let layouts = Layouts::draw(choice, wave, warps);
    let order = module.walk();
    let mut work = Work { module, choice, layouts };
    for op in order {
        work.operation(op);
    }
    work.attributes(settings, wave, warps);
}

struct Work<'m, 'c, 'a, 'u> {
    module: &'m mut Module,
    choice: &'c mut Choice<'a, 'u>,
    layouts: Layouts,
}

impl Work<'_, '_, '_, '_> {
    fn rank(&self, value: ValueId) -> usize {
        match self.module.type_of(value) {
            Type::Tensor { shape, .. } => shape.len(),
            _ => 0,
        }
    }

    fn layout(&self, value: ValueId) -> Option<Layout> {
        let encoding = self.module.interners.encoding(self.module.value(value).ty)?;
        self.layouts.find(encoding).cloned()
    }

    fn laid_out(&mut self, ty: TypeId, layout: &Layout) -> TypeId {
        match self.module.interners.type_data(ty) {
            Type::Tensor { shape, element, .. } => {
                let (shape, element) = (shape.clone(), *element);
                let encoding = Some(self.layouts.attr(&mut self.module.interners, layout));
                self.module.interners.ty(Type::Tensor { shape, element, encoding })
            }
            _ => ty,
        }
    }

    /// Gives a value its layout; nothing for what is no tensor.
    fn set(&mut self, value: ValueId, layout: &Layout) {
        let ty = self.module.value(value).ty;
        let ty = self.laid_out(ty, layout);
        self.module.value_mut(value).ty = ty;
    }

    fn set_results(&mut self, op: OpId, layout: &Layout) {
        for result in self.module.op(op).results.clone() {
            self.set(result, layout);
        }
    }

    /// Makes an operand have a layout: a conversion before the operation where it has another one.
    fn demand(&mut self, op: OpId, operand: usize, layout: &Layout) {
        let Some(&value) = self.module.op(op).operands.get(operand) else { return };
        if self.rank(value) == 0 || self.layout(value).as_ref() == Some(layout) {
            return;
        }
        let ty = self.laid_out(self.module.value(value).ty, layout);
        let convert = self.module.create(OpKind::TtgConvertLayout, &[&[value]], &[ty], Vec::new());
        if let (Some(block), Some(place)) = (self.module.op(op).parent, self.module.position(op)) {
            self.module.insert(convert, block, place);
            self.module.op_mut(op).operands[operand] = self.module.op(convert).results[0];
        }
    }

    fn demand_all(&mut self, op: OpId, layout: &Layout) {
        for operand in 0..self.module.op(op).operands.len() {
            self.demand(op, operand, layout);
        }
    }

    /// A layout for an operation that leaves it open: that of an operand, or any.
    fn free(&mut self, op: OpId, rank: usize) -> Layout {
        let operands = self.module.op(op).operands.clone();
        let there: Vec<Layout> = operands.iter().filter_map(|&value| self.layout(value)).collect();
        let fits: Vec<Layout> =
            there.into_iter().filter(|layout| !matches!(layout, Layout::DotOperand { .. })).collect();
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
                self.demand_all(op, &layout);
                let dim = self.integer(op, "axis");
                self.set_results(op, &Layout::Slice { dim, parent: Box::new(layout) });
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
                    self.demand_all(op, &layout);
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

    /// The operand is a slice of the result; a slice along that dimension decides the result's layout, most often.
    fn expand_dims(&mut self, op: OpId, rank: usize) {
        let axis = self.integer(op, "axis");
        let own = self.module.op(op).operands.first().and_then(|&value| self.layout(value));
        let layout = match own {
            Some(Layout::Slice { dim, parent }) if dim == axis && !self.choice.chance(25) => *parent,
            _ => self.layouts.any_blocked(self.choice, rank + 1),
        };
        self.demand(op, 0, &Layout::Slice { dim: axis, parent: Box::new(layout.clone()) });
        self.set_results(op, &layout);
    }

    fn transpose(&mut self, op: OpId, rank: usize) {
        let order: Vec<u32> = match self.module.attribute(op, "order").map(|attr| self.module.interners.attr_data(attr))
        {
            Some(Attr::DenseArray(_, items)) => items.iter().filter_map(|item| item.parse().ok()).collect(),
            _ => Vec::new(),
        };
        let layout = match self.free(op, rank) {
            layout @ Layout::Blocked { .. } => layout,
            _ => self.layouts.any_blocked(self.choice, rank),
        };
        self.demand(op, 0, &layout);
        if let Some(result) = transposed(&layout, &order) {
            self.set_results(op, &result);
        }
    }

    fn dot(&mut self, op: OpId, rank: usize) {
        let accumulator = self.module.op(op).operands.get(2).and_then(|&value| self.layout(value));
        let layout = match accumulator {
            Some(layout @ Layout::Blocked { .. }) if !self.choice.chance(25) => layout,
            _ => self.layouts.any_blocked(self.choice, rank),
        };
        for index in 0..2 {
            self.demand(op, index as usize, &Layout::DotOperand { index, parent: Box::new(layout.clone()) });
        }
        self.demand(op, 2, &layout);
        self.set_results(op, &layout);
    }

    // Values that regions and blocks hand on.

    /// The layout that a carried value keeps: that of its first value, or any.
    fn kept(&mut self, value: ValueId) -> Option<Layout> {
        let rank = self.rank(value);
        if rank == 0 {
            return None;
        }
        match self.layout(value).filter(|layout| !matches!(layout, Layout::DotOperand { .. })) {
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
            self.demand(op, operand, &layout);
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
            self.demand(op, place, &layout);
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

    /// The values that a terminator hands over, as those that receive them have it.
    fn hand_over(&mut self, op: OpId, skip: usize, receivers: &[ValueId]) {
        for (place, &receiver) in receivers.iter().enumerate() {
            if let Some(layout) = self.layout(receiver) {
                self.demand(op, skip + place, &layout);
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
        self.hand_over(op, 0, &receivers);
    }

    fn condition(&mut self, op: OpId) {
        if let Some(around) = self.module.parent_op(op) {
            let receivers = self.module.op(around).results.to_vec();
            self.hand_over(op, 1, &receivers);
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
        self.hand_over(op, 0, &receivers);
    }

    /// What the conversion to layouts writes on the module.
    fn attributes(&mut self, settings: &Settings, wave: u32, warps: u32) {
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
