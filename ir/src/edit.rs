//! Edits. Each keeps the module well-formed: operand groups and their counts, successors and their operands, a function's
//! type and its arguments stay in step. Whether every use stays dominated is for the caller to arrange; what is offered
//! here makes that easy ([`Module::erase`] refuses to leave a use behind, for example).

use super::intern::{Attr, Interners, NamedAttrs, Type};
use super::module::{Definition, Module, Syntax, TemplateSegment};
use super::ods::{OpKind, Trait};
use super::{AttrId, AttrsId, BlockId, Name, OpId, RegionId, TypeId, ValueId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

impl Module {
    /// Position of an operation in its block.
    pub fn position(&self, op: OpId) -> Option<usize> {
        let block = self.op(op).parent?;
        self.block(block).ops.iter().position(|&other| other == op)
    }

    /// Takes an operation out of its block, with all that is inside. It stays in the arena and keeps its operands.
    pub fn unlink(&mut self, op: OpId) {
        if let (Some(block), Some(position)) = (self.op(op).parent, self.position(op)) {
            self.block_mut(block).ops.remove(position);
            self.op_mut(op).parent = None;
        }
    }

    /// Puts an unlinked operation into a block at a position.
    pub fn insert(&mut self, op: OpId, block: BlockId, position: usize) {
        let ops = &mut self.block_mut(block).ops;
        let position = position.min(ops.len());
        ops.insert(position, op);
        self.op_mut(op).parent = Some(block);
    }

    /// Makes every use of `old` one of `new`.
    pub fn replace_uses(&mut self, old: ValueId, new: ValueId) {
        self.replace_many(&FxHashMap::from_iter([(old, new)]));
    }

    /// Makes every use of a key one of its value; chains of replacements are followed to their end.
    pub fn replace_many(&mut self, map: &FxHashMap<ValueId, ValueId>) {
        if map.is_empty() {
            return;
        }
        let end = |mut value: ValueId| {
            for _ in 0..=map.len() {
                match map.get(&value) {
                    Some(&next) if next != value => value = next,
                    _ => break,
                }
            }
            value
        };
        for op in &mut self.ops {
            for operand in &mut op.operands {
                if map.contains_key(operand) {
                    *operand = end(*operand);
                }
            }
        }
    }

    /// A new operation, in its newest assembly format if it has one, in no block yet. Operands come in groups as its
    /// definition lists them.
    pub fn create(&mut self, kind: OpKind, operands: &[&[ValueId]], results: &[TypeId], props: NamedAttrs) -> OpId {
        let name = self.name(kind.name());
        self.create_named(name, operands, results, props)
    }

    /// The same by name, for a copy of an operation that need not have a definition.
    pub fn create_named(&mut self, name: Name, operands: &[&[ValueId]], results: &[TypeId], props: NamedAttrs) -> OpId {
        let op = self.new_op(name);
        let props = self.interners.attrs(props);
        let has_form = self.def(op).is_some_and(|def| !def.assemblies.is_empty());
        let record = self.op_mut(op);
        record.props = props;
        record.segments = operands.iter().map(|group| group.len() as u32).collect();
        record.operands = operands.iter().flat_map(|group| group.iter().copied()).collect();
        record.syntax = if has_form { Syntax::Custom(0) } else { Syntax::Generic };
        self.push_results(op, results);
        op
    }

    /// New results of an operation that has none.
    pub(super) fn push_results(&mut self, op: OpId, types: &[TypeId]) {
        for (index, &ty) in types.iter().enumerate() {
            let value = self.new_value(ty, Definition::Result(op, index as u32));
            self.op_mut(op).results.push(value);
        }
    }

    /// A new region of an operation, with one block that has arguments of these types.
    pub fn create_region(&mut self, op: OpId, arguments: &[TypeId]) -> BlockId {
        let region = self.new_region(op);
        self.create_block(region, arguments)
    }

    /// A new block at the end of a region.
    pub fn create_block(&mut self, region: RegionId, arguments: &[TypeId]) -> BlockId {
        let block = self.new_block(region);
        for &ty in arguments {
            self.add_block_argument(block, ty);
        }
        block
    }

    /// A new argument at the end of a block's.
    pub fn add_block_argument(&mut self, block: BlockId, ty: TypeId) -> ValueId {
        let index = self.block(block).arguments.len() as u32;
        let value = self.new_value(ty, Definition::Argument(block, index));
        self.block_mut(block).arguments.push(value);
        value
    }

    /// Removes an operand and keeps the counts of its groups in step. False where the operation's form does not allow
    /// it: text that no definition describes has a segment for each operand.
    pub fn remove_operand(&mut self, op: OpId, index: usize) -> bool {
        if matches!(self.op(op).syntax, Syntax::Text(_)) || index >= self.op(op).operands.len() {
            return false;
        }
        let record = self.op_mut(op);
        record.operands.remove(index);
        let mut place = 0;
        for size in &mut record.segments {
            place += *size as usize;
            if index < place {
                *size -= 1;
                break;
            }
        }
        true
    }

    /// Removes a result that nothing uses. False where the form does not allow it.
    pub fn remove_result(&mut self, op: OpId, index: usize) -> bool {
        if matches!(self.op(op).syntax, Syntax::Text(_)) || index >= self.op(op).results.len() {
            return false;
        }
        self.op_mut(op).results.remove(index);
        for (place, result) in self.op(op).results.clone().into_iter().enumerate() {
            self.value_mut(result).definition = Definition::Result(op, place as u32);
        }
        true
    }

    /// Removes a block's argument that nothing uses, without touching what branches to the block.
    pub fn remove_block_argument(&mut self, block: BlockId, index: usize) {
        let mut arguments = self.block(block).arguments.clone();
        arguments.remove(index);
        self.set_block_arguments(block, arguments);
    }

    fn set_block_arguments(&mut self, block: BlockId, arguments: SmallVec<[ValueId; 2]>) {
        for (place, &argument) in arguments.iter().enumerate() {
            self.value_mut(argument).definition = Definition::Argument(block, place as u32);
        }
        self.block_mut(block).arguments = arguments;
    }

    /// The function that holds an operation, or the operation itself if it is one.
    pub fn function_of(&self, mut op: OpId) -> Option<OpId> {
        loop {
            if self.has(op, Trait::FunctionOpInterface) {
                return Some(op);
            }
            op = self.parent_op(op)?;
        }
    }

    /// The entry block of a function or of any operation's first region.
    pub fn entry(&self, op: OpId) -> Option<BlockId> {
        self.entry_of(op, 0)
    }

    /// Sets an inherent attribute, or removes it.
    pub fn set_prop(&mut self, op: OpId, name: &str, value: Option<AttrId>) {
        let name = self.name(name);
        let list = self.op(op).props;
        self.op_mut(op).props = self.interners.with(list, name, value);
    }

    /// Sets one of the other attributes, or removes it.
    pub fn set_attr(&mut self, op: OpId, name: &str, value: Option<AttrId>) {
        let name = self.name(name);
        let list = self.op(op).attrs;
        self.op_mut(op).attrs = self.interners.with(list, name, value);
    }

    /// The types of a function's arguments and results.
    pub fn function_signature(&self, function: OpId) -> Option<(&[TypeId], &[TypeId])> {
        let Attr::Type(ty) = self.interners.attr_data(self.attribute(function, "function_type")?) else { return None };
        match self.interners.type_data(*ty) {
            Type::Function { inputs, results } => Some((inputs, results)),
            _ => None,
        }
    }

    /// The same, to change and to set.
    pub fn function_type(&self, function: OpId) -> Option<(Vec<TypeId>, Vec<TypeId>)> {
        self.function_signature(function).map(|(inputs, results)| (inputs.to_vec(), results.to_vec()))
    }

    /// Sets the types of a function's arguments and results; the entry block is the caller's to change.
    pub fn set_function_type(&mut self, function: OpId, inputs: Vec<TypeId>, results: Vec<TypeId>) {
        let ty = self.interners.ty(Type::Function { inputs, results });
        let attr = self.interners.attr(Attr::Type(ty));
        self.set_prop(function, "function_type", Some(attr));
    }

    /// The attribute lists of a function's arguments, one for each.
    pub fn argument_attrs(&self, function: OpId) -> Vec<AttrsId> {
        let count = self.entry(function).map_or(0, |block| self.block(block).arguments.len());
        let mut lists = self.attr_lists(function, "arg_attrs");
        lists.resize(count, AttrsId::EMPTY);
        lists
    }

    /// The lists in an attribute that is an array of them; none without it.
    pub(super) fn attr_lists(&self, op: OpId, name: &str) -> Vec<AttrsId> {
        let list = |&item: &AttrId| match self.interners.attr_data(item) {
            Attr::Dict(list) => *list,
            _ => AttrsId::EMPTY,
        };
        match self.attribute(op, name).map(|attr| self.interners.attr_data(attr)) {
            Some(Attr::Array(items)) => items.iter().map(list).collect(),
            _ => Vec::new(),
        }
    }

    /// An attribute of an operation that is a string.
    pub fn string(&self, op: OpId, name: &str) -> Option<&str> {
        match self.interners.attr_data(self.attribute(op, name)?) {
            Attr::String(text) => Some(text),
            _ => None,
        }
    }

    /// Sets the attribute lists of a function's arguments.
    pub fn set_argument_attrs(&mut self, function: OpId, lists: &[AttrsId]) {
        let attr = self.interners.lists(lists);
        self.set_prop(function, "arg_attrs", attr);
    }

    /// Adds an argument to a function that nothing calls. None if it has no body or no type that can be read.
    pub fn add_function_argument(&mut self, function: OpId, ty: TypeId, attrs: AttrsId) -> Option<ValueId> {
        let entry = self.entry(function)?;
        let (mut inputs, results) = self.function_type(function)?;
        let mut lists = self.argument_attrs(function);
        let value = self.add_block_argument(entry, ty);
        inputs.push(ty);
        lists.push(attrs);
        self.set_function_type(function, inputs, results);
        self.set_argument_attrs(function, &lists);
        Some(value)
    }

    /// Removes an argument that nothing uses from a function that nothing calls.
    pub fn remove_function_argument(&mut self, function: OpId, index: usize) -> bool {
        let count = self.argument_attrs(function).len();
        let kept: Vec<usize> = (0..count).filter(|&other| other != index).collect();
        index < count && self.pick_function_arguments(function, &kept)
    }

    /// Puts a function's arguments in another order, given as their present positions. False, and nothing happens, if that
    /// does not name each once, or the function's type cannot be read.
    pub fn order_function_arguments(&mut self, function: OpId, order: &[usize]) -> bool {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        sorted.into_iter().eq(0..self.argument_attrs(function).len()) && self.pick_function_arguments(function, order)
    }

    /// Leaves a function the arguments at these positions, in this order.
    fn pick_function_arguments(&mut self, function: OpId, order: &[usize]) -> bool {
        let (Some(entry), Some((inputs, results))) = (self.entry(function), self.function_type(function)) else {
            return false;
        };
        let arguments = self.block(entry).arguments.clone();
        if inputs.len() != arguments.len() {
            return false;
        }
        let lists = self.argument_attrs(function);
        self.set_block_arguments(entry, order.iter().map(|&index| arguments[index]).collect());
        self.set_function_type(function, order.iter().map(|&index| inputs[index]).collect(), results);
        let lists: Vec<AttrsId> = order.iter().map(|&index| lists[index]).collect();
        self.set_argument_attrs(function, &lists);
        true
    }

    /// Whether something refers to the symbol that an operation defines.
    pub fn is_called(&self, function: OpId) -> bool {
        let Some(symbol) = self.string(function, "sym_name") else { return false };
        let in_text = format!("@{symbol}");
        self.walk().into_iter().any(|op| {
            let record = self.op(op);
            let mut attrs = [record.props, record.attrs].into_iter().flat_map(|list| self.interners.attrs_data(list));
            let segments = if let Syntax::Text(segments) = &record.syntax { &segments[..] } else { &[] };
            attrs.any(|(_, value)| {
                matches!(self.interners.attr_data(*value), Attr::Symbol(name) if name.trim_matches('"') == symbol)
            }) || segments.iter().any(|segment| matches!(segment, TemplateSegment::Text(text) if text.contains(&in_text)))
        })
    }

    /// Moves the operations of `from` into `block` before `position`; `from` is left empty.
    pub fn splice(&mut self, from: BlockId, block: BlockId, position: usize) {
        let moved = std::mem::take(&mut self.block_mut(from).ops);
        for &op in &moved {
            self.op_mut(op).parent = Some(block);
        }
        let ops = &mut self.block_mut(block).ops;
        let position = position.min(ops.len());
        ops.splice(position..position, moved);
    }

    /// Removes blocks that no path from the entry of their region reaches. Uses of what they define, which can only be
    /// in such blocks, go with them.
    pub fn remove_unreachable_blocks(&mut self) {
        for index in 0..self.regions.len() {
            let blocks = self.regions[index].blocks.clone();
            if blocks.len() < 2 {
                continue;
            }
            let mut reached: SmallVec<[BlockId; 8]> = SmallVec::from_slice(&blocks[..1]);
            let mut next = 0;
            while let Some(&block) = reached.get(next) {
                next += 1;
                let last = self.block(block).ops.last().copied();
                for successor in last.map_or_else(SmallVec::new, |op| self.op(op).successors.clone()) {
                    if !reached.contains(&successor) {
                        reached.push(successor);
                    }
                }
            }
            self.regions[index].blocks.retain(|block| reached.contains(block));
        }
    }

    /// Erases operations that are pure or only read and whose results nothing uses, again and again until none is left.
    /// Returns how many.
    pub fn erase_dead(&mut self) -> usize {
        let mut uses = vec![0u32; self.value_count()];
        let order = self.walk();
        for &op in &order {
            for value in &self.op(op).operands {
                uses[value.index()] += 1;
            }
        }
        let mut dead = vec![false; self.op_count()];
        let mut erased = 0;
        // Users come after what they use, and what is inside after what is around it; backwards, one pass does it.
        for &op in order.iter().rev() {
            if self.is_removable(op) && self.op(op).results.iter().all(|result| uses[result.index()] == 0) {
                for inner in self.walk_from(op) {
                    if !std::mem::replace(&mut dead[inner.index()], true) {
                        erased += 1;
                        for value in &self.ops[inner.index()].operands {
                            uses[value.index()] -= 1;
                        }
                    }
                }
            }
        }
        if erased > 0 {
            for block in &mut self.blocks {
                block.ops.retain(|op| !dead[op.index()]);
            }
        }
        erased
    }

    /// Whether an operation may go when nothing uses its results: it has no effect but them.
    pub fn is_removable(&self, op: OpId) -> bool {
        // What ends a block is needed there, pure or not.
        if self.is_terminator(op) {
            return false;
        }
        if self.has(op, Trait::Pure) || self.has(op, Trait::MemRead) {
            return true;
        }
        self.has(op, Trait::RecursiveMemoryEffects)
            && self.op(op).regions.iter().all(|&region| {
                self.region(region).blocks.iter().all(|&block| {
                    let inside = &self.block(block).ops;
                    inside.iter().all(|&op| self.is_removable(op) || self.has(op, Trait::Terminator))
                })
            })
    }

    /// A copy without anything that is unlinked: smaller arenas, the same text.
    pub fn compact(&self) -> Module {
        super::compact::compact(self)
    }

    /// A constant of a type: an integer or float, or a tensor full of one. None for other types.
    pub fn create_constant(&mut self, ty: TypeId, number: u32) -> Option<OpId> {
        let value = self.interners.constant(ty, number)?;
        let name = self.name("value");
        Some(self.create(OpKind::ArithConstant, &[], &[ty], vec![(name, value)]))
    }

    /// Whether an operation ends a block.
    pub fn is_terminator(&self, op: OpId) -> bool {
        self.has(op, Trait::Terminator) || !self.op(op).successors.is_empty()
    }
}

impl Interners {
    /// An array of attribute lists; none if all are empty.
    pub(super) fn lists(&mut self, lists: &[AttrsId]) -> Option<AttrId> {
        if lists.iter().all(|&list| list == AttrsId::EMPTY) {
            return None;
        }
        let items = lists.iter().map(|&list| self.attr(Attr::Dict(list))).collect();
        Some(self.attr(Attr::Array(items)))
    }

    /// A list with one entry set or removed.
    pub fn with(&mut self, list: AttrsId, name: Name, value: Option<AttrId>) -> AttrsId {
        let mut entries = self.attrs_data(list).clone();
        match (entries.iter().position(|(other, _)| *other == name), value) {
            (Some(place), Some(value)) => entries[place].1 = value,
            (Some(place), None) => drop(entries.remove(place)),
            (None, Some(value)) => entries.push((name, value)),
            (None, None) => return list,
        }
        self.attrs(entries)
    }

    /// The attribute of a constant: `number` as an integer or float, or a splat of it.
    pub fn constant(&mut self, ty: TypeId, number: u32) -> Option<AttrId> {
        let scalar = self.element(ty);
        let text = match self.type_data(scalar) {
            Type::Integer(_) if self.is_bool(scalar) => {
                if ty == scalar {
                    return Some(self.attr(Attr::Bool(number != 0)));
                }
                (number != 0).to_string()
            }
            Type::Integer(_) | Type::Index => number.to_string(),
            Type::Float(_) => format!("{number}.000000e+00"),
            _ => return None,
        };
        let is_float = matches!(self.type_data(scalar), Type::Float(_));
        let attr = match self.type_data(ty) {
            Type::Tensor { .. } => Attr::Dense(self.name("dense"), text, ty),
            _ if is_float => Attr::Float(text, ty),
            _ => Attr::Integer(text, ty),
        };
        Some(self.attr(attr))
    }
}
