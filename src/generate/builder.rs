//! The builder appends operations at the insertion point and does what a front end's clean-up would do.
//!
//! A stack of frames, one for each region around the insertion point, holds the visible values; popping a frame drops its
//! values, so that definitions dominate uses by construction. Constants are unique, at the head of the function. A pure
//! operation that is visible already is not created again (CSE), and one that depends on nothing in a loop may go before
//! the loop (LICM): Triton's TTIR passes leave modules like that.

use super::value::{Number, Scalar, Ty, Val};
use crate::ir::{
    Attr, AttrId, AttrsId, BlockId, Definition, Module, NamedAttrs, OpId, OpKind, RegionId, Type, TypeId, ValueId,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameKind {
    Body,
    /// Operations that do not depend on the loop may go before it.
    Loop,
    /// A branch, or a block that returns.
    Branch,
}

type OpKey = (OpKind, SmallVec<[ValueId; 3]>, AttrsId, TypeId);

/// A region around the insertion point, with the pure operations that are visible from it.
#[derive(Debug)]
struct RegionFrame {
    kind: FrameKind,
    block: BlockId,
    known: FxHashMap<OpKey, ValueId>,
}

#[derive(Debug)]
struct Function {
    op: OpId,
    entry: BlockId,
    frames: Vec<RegionFrame>,
    constants: FxHashMap<AttrId, ValueId>,
    constant_values: FxHashMap<ValueId, Number>,
    constant_count: usize,
}

/// Builds a module, function by function.
pub(super) struct Builder {
    pub module: Module,
    function: Option<Function>,
    /// Whether pure operations that do not depend on a loop are put before it.
    pub hoist: bool,
    /// Use count by value.
    uses: Vec<u32>,
    /// By value, the index of the frame that defines it.
    home: Vec<u32>,
}

/// A function whose construction is suspended while another one is built.
pub(super) struct Suspended(Option<Function>);

/// A loop whose body is being built.
pub(super) struct Loop {
    op: OpId,
    results: Vec<Ty>,
    pub induction: Val,
    pub carried: Vec<Val>,
}

/// A branch whose regions are being built.
pub(super) struct Branch {
    op: OpId,
    types: Vec<Ty>,
}

impl Builder {
    pub fn new() -> Self {
        Builder { module: Module::new(), function: None, hoist: false, uses: Vec::new(), home: Vec::new() }
    }

    fn frames(&self) -> &[RegionFrame] {
        self.function.as_ref().map_or(&[], |function| &function.frames)
    }

    /// Number of open frames in this function.
    pub fn depth(&self) -> usize {
        self.frames().len()
    }

    pub fn uses(&self, value: &Val) -> u32 {
        self.uses.get(value.id.index()).copied().unwrap_or(0)
    }

    // Types and attributes.

    pub fn ty(&mut self, ty: &Ty) -> TypeId {
        let interners = &mut self.module.interners;
        let mut element = interners.plain(ty.scalar.word());
        if ty.pointer {
            element = interners.ty(Type::Pointer { pointee: element, space: 1 });
        }
        if ty.shape.is_empty() {
            return element;
        }
        let shape = ty.shape.iter().map(|&size| Some(u64::from(size))).collect();
        interners.ty(Type::Tensor { shape, element, encoding: None })
    }

    pub fn int_attr(&mut self, number: i64, width: &str) -> AttrId {
        let ty = self.module.interners.integer(width);
        self.module.interners.attr(Attr::Integer(number.to_string(), ty))
    }

    pub fn bool_attr(&mut self, value: bool) -> AttrId {
        self.module.interners.attr(Attr::Bool(value))
    }

    pub fn unit_attr(&mut self) -> AttrId {
        self.module.interners.attr(Attr::Unit)
    }

    pub fn string_attr(&mut self, text: &str) -> AttrId {
        self.module.interners.attr(Attr::String(text.to_owned()))
    }

    pub fn array_attr(&mut self, items: &[u32]) -> AttrId {
        let element = self.module.name("i32");
        self.module.interners.attr(Attr::DenseArray(element, items.iter().map(u32::to_string).collect()))
    }

    fn props(&mut self, props: &[(&str, AttrId)]) -> NamedAttrs {
        props.iter().map(|&(name, value)| (self.module.name(name), value)).collect()
    }

    // Functions.

    /// Begins a function; the current one is suspended until [`Builder::end_function`].
    pub fn begin_function(&mut self, symbol: &str, public: bool, noinline: bool) -> Suspended {
        let ty = self.module.interners.ty(Type::Function { inputs: Vec::new(), results: Vec::new() });
        let ty = self.module.interners.attr(Attr::Type(ty));
        let (symbol, visibility) = (self.string_attr(symbol), if public { "public" } else { "private" });
        let visibility = self.string_attr(visibility);
        let props = self.props(&[("sym_name", symbol), ("function_type", ty), ("sym_visibility", visibility)]);
        let op = self.module.create(OpKind::TtFunc, &[], &[], props);
        let noinline = self.bool_attr(noinline);
        self.module.set_attr(op, "noinline", Some(noinline));
        let entry = self.module.create_region(op, &[]);
        if let Some(top) = self.module.entry(self.module.root()) {
            let end = self.module.block(top).ops.len();
            self.module.insert(op, top, end);
        }
        let frame = RegionFrame { kind: FrameKind::Body, block: entry, known: FxHashMap::default() };
        let new = Function {
            op,
            entry,
            frames: vec![frame],
            constants: FxHashMap::default(),
            constant_values: FxHashMap::default(),
            constant_count: 0,
        };
        Suspended(self.function.replace(new))
    }

    /// Ends the function with a return, and resumes the suspended one.
    pub fn end_function(&mut self, returned: &[Val], suspended: Suspended) {
        self.finish(OpKind::TtReturn, &[returned]);
        if let Some(function) = self.function.take()
            && let Some((inputs, _)) = self.module.function_type(function.op)
        {
            let results = returned.iter().map(|value| self.ty(&value.ty)).collect();
            self.module.set_function_type(function.op, inputs, results);
        }
        self.function = suspended.0;
    }

    pub fn argument(&mut self, ty: &Ty, divisible: bool) -> Option<Val> {
        let op = self.function.as_ref()?.op;
        let attrs = if divisible {
            let (name, sixteen) = (self.module.name("tt.divisibility"), self.int_attr(16, "i32"));
            self.module.interners.attrs(vec![(name, sixteen)])
        } else {
            AttrsId::EMPTY
        };
        let id = self.ty(ty);
        let id = self.module.add_function_argument(op, id, attrs)?;
        self.define(id, 0);
        Some(Val { id, ty: ty.clone() })
    }

    // Operations.

    fn define(&mut self, value: ValueId, home: usize) {
        let size = self.module.value_count();
        self.uses.resize(size.max(self.uses.len()), 0);
        self.home.resize(size.max(self.home.len()), 0);
        if let Some(place) = self.home.get_mut(value.index()) {
            *place = home as u32;
        }
    }

    fn count_uses(&mut self, operands: &[ValueId]) {
        for operand in operands {
            if let Some(count) = self.uses.get_mut(operand.index()) {
                *count += 1;
            }
        }
    }

    /// Creates an operation in no block, and counts its uses.
    fn detached(&mut self, kind: OpKind, groups: &[&[Val]], results: &[Ty], props: &[(&str, AttrId)]) -> OpId {
        let ids: Vec<Vec<ValueId>> = groups.iter().map(|group| group.iter().map(|value| value.id).collect()).collect();
        let groups: Vec<&[ValueId]> = ids.iter().map(Vec::as_slice).collect();
        let types: Vec<TypeId> = results.iter().map(|ty| self.ty(ty)).collect();
        let props = self.props(props);
        for group in &groups {
            self.count_uses(group);
        }
        self.module.create(kind, &groups, &types, props)
    }

    fn append(&mut self, op: OpId, frame: usize) {
        let Some(block) = self.frames().get(frame).map(|frame| frame.block) else { return };
        let end = self.module.block(block).ops.len();
        self.module.insert(op, block, end);
        for result in self.module.op(op).results.clone() {
            self.define(result, frame);
        }
    }

    /// Creates an operation at the insertion point; `groups` are the operand segments of its definition.
    pub fn op(&mut self, kind: OpKind, groups: &[&[Val]], results: &[Ty], props: &[(&str, AttrId)]) -> OpId {
        let op = self.detached(kind, groups, results, props);
        self.append(op, self.depth().saturating_sub(1));
        op
    }

    pub fn results(&self, op: OpId, types: &[Ty]) -> Vec<Val> {
        let ids = self.module.op(op).results.iter();
        ids.zip(types).map(|(&id, ty)| Val { id, ty: ty.clone() }).collect()
    }

    pub fn one(&mut self, kind: OpKind, groups: &[&[Val]], result: &Ty, props: &[(&str, AttrId)]) -> Val {
        let op = self.op(kind, groups, std::slice::from_ref(result), props);
        Val { id: self.module.op(op).results[0], ty: result.clone() }
    }

    /// [`Builder::one`] for a result type that [`Ty`] does not have.
    pub fn one_of_type(&mut self, kind: OpKind, groups: &[&[Val]], result: TypeId) -> ValueId {
        let op = self.detached(kind, groups, &[], &[]);
        let value = self.module.new_value(result, Definition::Result(op, 0));
        self.module.op_mut(op).results.push(value);
        self.append(op, self.depth().saturating_sub(1));
        value
    }

    /// A pure operation with one result and one operand per segment: the visible one, or a new one.
    pub fn pure(&mut self, kind: OpKind, operands: &[&Val], result: &Ty, props: &[(&str, AttrId)]) -> Val {
        let ids: SmallVec<[ValueId; 3]> = operands.iter().map(|value| value.id).collect();
        let ty = self.ty(result);
        let list = self.props(props);
        let list = self.module.interners.attrs(list);
        let key: OpKey = (kind, ids, list, ty);
        if let Some(&id) = self.frames().iter().rev().find_map(|frame| frame.known.get(&key)) {
            return Val { id, ty: result.clone() };
        }
        let groups: Vec<&[Val]> = operands.iter().map(|value| std::slice::from_ref(*value)).collect();
        let op = self.detached(kind, &groups, std::slice::from_ref(result), props);
        let frame = self.frame_for(kind, &key.1);
        self.append(op, frame);
        let id = self.module.op(op).results[0];
        if let Some(frame) = self.function.as_mut().and_then(|function| function.frames.get_mut(frame)) {
            frame.known.insert(key, id);
        }
        Val { id, ty: result.clone() }
    }

    /// The outermost frame that a pure operation may go to. A division may trap, so it is not hoisted.
    fn frame_for(&self, kind: OpKind, operands: &[ValueId]) -> usize {
        let mut place = self.depth().saturating_sub(1);
        if !self.hoist || kind.name().contains("div") || kind.name().contains("rem") {
            return place;
        }
        let deepest = operands.iter().map(|id| self.home.get(id.index()).map_or(0, |&home| home as usize)).max();
        while place > deepest.unwrap_or(0) && self.frames()[place].kind == FrameKind::Loop {
            place -= 1;
        }
        place
    }

    /// A constant at the head of the function.
    pub fn constant(&mut self, ty: &Ty, number: Number) -> Val {
        let id = self.ty(ty);
        let digits = number.digits(ty.scalar);
        let is_bool = ty.scalar == Scalar::I1;
        let truth = digits != "0";
        let attr = if ty.is_tensor() {
            let dense = self.module.name("dense");
            Attr::Dense(dense, if is_bool { truth.to_string() } else { digits.clone() }, id)
        } else if is_bool {
            Attr::Bool(truth)
        } else if ty.is_float() {
            Attr::Float(digits.clone(), id)
        } else {
            Attr::Integer(digits.clone(), id)
        };
        let attr = self.module.interners.attr(attr);
        if let Some(&id) = self.function.as_ref().and_then(|function| function.constants.get(&attr)) {
            return Val { id, ty: ty.clone() };
        }
        let op = self.detached(OpKind::ArithConstant, &[], std::slice::from_ref(ty), &[("value", attr)]);
        let id = self.module.op(op).results[0];
        let hint = match (ty.is_tensor() || ty.is_float(), is_bool) {
            (true, _) => "cst".to_owned(),
            (false, true) => truth.to_string(),
            (false, false) => format!("c{digits}_{}", ty.scalar.word()),
        };
        self.module.value_mut(id).name = Some(self.module.interners.name(&hint));
        if let Some(function) = &mut self.function {
            self.module.insert(op, function.entry, function.constant_count);
            function.constant_count += 1;
            function.constants.insert(attr, id);
            function.constant_values.insert(id, number);
        }
        self.define(id, 0);
        Val { id, ty: ty.clone() }
    }

    /// The value of a constant; `None` for other operations.
    pub fn number_of(&self, value: &Val) -> Option<Number> {
        self.function.as_ref()?.constant_values.get(&value.id).copied()
    }

    pub fn i32(&mut self, number: i64) -> Val {
        self.constant(&Ty::scalar(Scalar::I32), Number::Integer(number))
    }

    // Regions.

    fn enter(&mut self, kind: FrameKind, block: BlockId) {
        if let Some(function) = &mut self.function {
            function.frames.push(RegionFrame { kind, block, known: FxHashMap::default() });
        }
    }

    fn leave(&mut self) {
        if let Some(function) = &mut self.function {
            function.frames.pop();
        }
    }

    fn block_values(&mut self, block: BlockId, types: &[Ty]) -> Vec<Val> {
        let home = self.depth().saturating_sub(1);
        let ids = self.module.block(block).arguments.clone();
        for &id in &ids {
            self.define(id, home);
        }
        ids.into_iter().zip(types).map(|(id, ty)| Val { id, ty: ty.clone() }).collect()
    }

    /// Adds a region to an operation and moves the insertion point into it; returns its block's arguments.
    fn region(&mut self, op: OpId, kind: FrameKind, types: &[Ty]) -> Vec<Val> {
        let ids: Vec<TypeId> = types.iter().map(|ty| self.ty(ty)).collect();
        let block = self.module.create_region(op, &ids);
        self.enter(kind, block);
        self.block_values(block, types)
    }

    fn finish(&mut self, kind: OpKind, groups: &[&[Val]]) {
        self.op(kind, groups, &[], &[]);
    }

    /// Begins `scf.for`; the insertion point moves into its body.
    pub fn begin_for(&mut self, bounds: [&Val; 3], inits: &[Val]) -> Loop {
        let types: Vec<Ty> = inits.iter().map(|value| value.ty.clone()).collect();
        let [lower, upper, step] = bounds.map(std::slice::from_ref);
        let op = self.detached(OpKind::ScfFor, &[lower, upper, step, inits], &types, &[]);
        let mut arguments = vec![bounds[0].ty.clone()];
        arguments.extend(types);
        let mut values = self.region(op, FrameKind::Loop, &arguments);
        let induction = values.remove(0);
        Loop { op, results: inits.iter().map(|value| value.ty.clone()).collect(), induction, carried: values }
    }

    /// Ends a loop's body and returns the loop's results.
    pub fn end_loop(&mut self, around: Loop, yields: &[Val], attrs: &[(&str, AttrId)]) -> Vec<Val> {
        self.yield_values(yields);
        self.leave();
        for &(name, value) in attrs {
            self.module.set_attr(around.op, name, Some(value));
        }
        self.append(around.op, self.depth().saturating_sub(1));
        self.results(around.op, &around.results)
    }

    /// Begins `scf.while`; the insertion point moves into its `before` region.
    pub fn begin_while(&mut self, inits: &[Val], results: &[Ty]) -> Loop {
        let op = self.detached(OpKind::ScfWhile, &[inits], results, &[]);
        let types: Vec<Ty> = inits.iter().map(|value| value.ty.clone()).collect();
        let carried = self.region(op, FrameKind::Branch, &types);
        // A while loop has no induction variable: nothing reads this one.
        let induction = carried.first().cloned().unwrap_or(Val { id: ValueId(0), ty: Ty::scalar(Scalar::I32) });
        Loop { op, results: results.to_vec(), induction, carried }
    }

    /// Ends the `before` region of a while loop and begins the `after` region; returns its arguments.
    pub fn while_body(&mut self, around: &Loop, condition: &Val, passed: &[Val]) -> Vec<Val> {
        self.finish(OpKind::ScfCondition, &[std::slice::from_ref(condition), passed]);
        self.leave();
        let types: Vec<Ty> = passed.iter().map(|value| value.ty.clone()).collect();
        self.region(around.op, FrameKind::Branch, &types)
    }

    /// Begins `scf.if`; the insertion point moves into its `then` region.
    pub fn begin_if(&mut self, condition: &Val, types: &[Ty]) -> Branch {
        let op = self.detached(OpKind::ScfIf, &[std::slice::from_ref(condition)], types, &[]);
        self.region(op, FrameKind::Branch, &[]);
        Branch { op, types: types.to_vec() }
    }

    /// Ends the `then` region and begins the `else` region.
    pub fn otherwise(&mut self, branch: &Branch, yields: &[Val]) {
        self.yield_values(yields);
        self.leave();
        self.region(branch.op, FrameKind::Branch, &[]);
    }

    /// Ends a branch and returns its results. Without [`Builder::otherwise`] the `else` region is empty.
    pub fn end_if(&mut self, branch: Branch, yields: &[Val]) -> Vec<Val> {
        self.yield_values(yields);
        self.leave();
        if self.module.op(branch.op).regions.len() < 2 {
            self.module.new_region(branch.op);
        }
        self.append(branch.op, self.depth().saturating_sub(1));
        self.results(branch.op, &branch.types)
    }

    fn yield_values(&mut self, yields: &[Val]) {
        if yields.is_empty() {
            self.finish(OpKind::ScfYield, &[]);
        } else {
            self.finish(OpKind::ScfYield, &[yields]);
        }
    }

    /// A reduction or scan; `combine` builds the combining region from its two sides.
    pub fn combining(
        &mut self,
        kind: OpKind,
        sources: &[Val],
        results: &[Ty],
        props: &[(&str, AttrId)],
        combine: impl FnOnce(&mut Self, &[Val], &[Val]) -> Vec<Val>,
    ) -> Vec<Val> {
        let op = self.detached(kind, &[sources], results, props);
        let scalars: Vec<Ty> = sources.iter().map(|source| Ty::scalar(source.ty.scalar)).collect();
        let arguments = [scalars.as_slice(), scalars.as_slice()].concat();
        let values = self.region(op, FrameKind::Branch, &arguments);
        let (left, right) = values.split_at(scalars.len());
        let combined = combine(self, left, right);
        let last = if kind == OpKind::TtReduce { OpKind::TtReduceReturn } else { OpKind::TtScanReturn };
        self.finish(last, &[&combined]);
        self.leave();
        self.append(op, self.depth().saturating_sub(1));
        self.results(op, results)
    }

    // Blocks: only at the function's top level.

    /// Whether the insertion point is at the function's top level, where blocks may be ended.
    pub fn at_top(&self) -> bool {
        self.depth() == 1
    }

    fn function_region(&self) -> Option<RegionId> {
        self.function.as_ref().map(|function| self.module.block(function.entry).region)
    }

    fn branch(&mut self, condition: &Val, targets: [BlockId; 2]) {
        let op = self.op(OpKind::CfCondBr, &[std::slice::from_ref(condition), &[], &[]], &[], &[]);
        self.module.op_mut(op).successors.extend(targets);
    }

    /// An early return under a condition: the insertion point moves into the returning block, until [`Builder::resume`].
    pub fn begin_exit(&mut self, condition: &Val) -> Option<BlockId> {
        let region = self.function_region()?;
        let leaving = self.module.create_block(region, &[]);
        let rest = self.module.create_block(region, &[]);
        self.branch(condition, [leaving, rest]);
        self.enter(FrameKind::Branch, leaving);
        Some(rest)
    }

    /// Returns from the function, and moves the insertion point to the other block.
    pub fn resume(&mut self, rest: BlockId, returned: &[Val]) {
        if returned.is_empty() {
            self.finish(OpKind::TtReturn, &[]);
        } else {
            self.finish(OpKind::TtReturn, &[returned]);
        }
        self.leave();
        self.move_to(rest);
    }

    fn move_to(&mut self, block: BlockId) {
        if let Some(frame) = self.function.as_mut().and_then(|function| function.frames.last_mut()) {
            frame.block = block;
        }
    }

    /// Two blocks that join again, as inlining a function with an early return leaves them: begins the first.
    pub fn begin_diamond(&mut self, condition: &Val) -> Option<BlockId> {
        let region = self.function_region()?;
        let first = self.module.create_block(region, &[]);
        let second = self.module.create_block(region, &[]);
        self.branch(condition, [first, second]);
        self.enter(FrameKind::Branch, first);
        Some(second)
    }

    /// Ends the first side of a diamond and begins the second. The join block takes values of these types.
    pub fn diamond_side(&mut self, second: BlockId, values: &[Val]) -> Option<BlockId> {
        let region = self.function_region()?;
        let types: Vec<TypeId> = values.iter().map(|value| self.ty(&value.ty)).collect();
        let join = self.module.create_block(region, &types);
        self.jump(join, values);
        self.leave();
        self.enter(FrameKind::Branch, second);
        Some(join)
    }

    /// Ends the second side, moves the insertion point to the join block and returns its arguments.
    pub fn end_diamond(&mut self, join: BlockId, values: &[Val]) -> Vec<Val> {
        self.jump(join, values);
        self.leave();
        self.move_to(join);
        let types: Vec<Ty> = values.iter().map(|value| value.ty.clone()).collect();
        self.block_values(join, &types)
    }

    fn jump(&mut self, target: BlockId, values: &[Val]) {
        let op = self.op(OpKind::CfBr, &[values], &[], &[]);
        self.module.op_mut(op).successors.push(target);
    }

    /// Whether the function has no operations but constants.
    pub fn is_pristine(&self) -> bool {
        self.function.as_ref().is_some_and(|function| {
            let block = function.frames.last().expect("the entry block's frame stays").block;
            block == function.entry && self.module.block(block).ops.len() == function.constant_count
        })
    }

    pub fn op_count(&self) -> usize {
        self.module.op_count()
    }
}
