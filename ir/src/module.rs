//! A module as data: one arena each of operations, blocks, regions and values.
//!
//! The arena holds a tree: an operation has regions, a region blocks, a block operations. Beside the tree, values connect
//! the operation that defines them with those that use them. The root is an operation too, nearly always
//! `builtin.module`; text without one gets it. Nothing is reference-counted: a deleted operation is unlinked from its
//! block and left in the arena, and [`Module::walk`] visits only what is linked.
//!
//! A module need not be valid. Uses that no definition reaches are kept, and the oracle in `tritonsmith-oracle` says what is
//! wrong; edits that keep it valid are in [`super::edit`].

use super::intern::{Interners, Type};
use super::ods::{Arity, OpDef, OpKind, Trait, TypeRule};
use super::{AttrId, AttrsId, BlockId, Name, OpId, RegionId, Span, TypeId, ValueId};
use smallvec::SmallVec;
use std::ops::Range;

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Definition {
    /// A result of an operation, by position.
    Result(OpId, u32),
    /// An argument of a block, by position.
    Argument(BlockId, u32),
    /// Used but never defined.
    Missing,
}

/// A value.
#[derive(Debug, Clone)]
pub struct Value {
    /// Its type, [`TypeId::UNKNOWN`] if nothing tells.
    pub ty: TypeId,
    /// Where it comes from.
    pub definition: Definition,
    /// Its name without the percent sign, if it has one worth keeping.
    pub name: Option<Name>,
    /// Where its name stands in the text.
    pub span: Span,
    /// The location of a block argument.
    pub loc: Option<AttrId>,
}

/// How an operation was written, and so how it is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Syntax {
    /// In generic form.
    Generic,
    /// In the assembly format of that index in its definition.
    Custom(u8),
    /// In a custom form that no definition describes: its text, in segments.
    Text(Box<[TemplateSegment]>),
}

/// A segment of an operation whose custom form no definition describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateSegment {
    /// Text as it stands.
    Text(String),
    /// The operand of that index.
    Operand(u32),
    /// A type.
    Type(TypeId),
    /// An attribute.
    Attr(AttrId),
    /// The region of that index.
    Region(u32),
    /// The successor of that index.
    Successor(u32),
    /// The argument of that index of the first region's entry block, which a function's form names.
    Argument(u32),
}

/// An operation.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Full name, `dialect.op`.
    pub name: Name,
    /// The block that holds it; none for the root and for what is unlinked.
    pub parent: Option<BlockId>,
    /// Operands, those of successors included, in the order of the generic form.
    pub operands: SmallVec<[ValueId; 3]>,
    /// How many values each operand of the definition is, where the generic form says so (`operandSegmentSizes`).
    pub segments: SmallVec<[u32; 4]>,
    /// Results.
    pub results: SmallVec<[ValueId; 1]>,
    /// Blocks that control may go to next.
    pub successors: SmallVec<[BlockId; 2]>,
    /// Regions.
    pub regions: SmallVec<[RegionId; 2]>,
    /// Inherent attributes, `<{…}>` in the generic form.
    pub props: AttrsId,
    /// Other attributes, `{…}` in the generic form.
    pub attrs: AttrsId,
    /// Its location, as an attribute.
    pub loc: Option<AttrId>,
    /// Where its text stands, from its results to its name's end.
    pub span: Span,
    /// How it was written.
    pub syntax: Syntax,
}

/// A block.
#[derive(Debug, Clone)]
pub struct Block {
    /// The region that holds it.
    pub region: RegionId,
    /// Its arguments.
    pub arguments: SmallVec<[ValueId; 2]>,
    /// Its operations in order, the terminator last.
    pub ops: Vec<OpId>,
    /// Where its label stands; empty for an entry block without one.
    pub span: Span,
}

/// A region.
#[derive(Debug, Clone)]
pub struct Region {
    /// The operation that holds it.
    pub parent: OpId,
    /// Its blocks, the entry first.
    pub blocks: SmallVec<[BlockId; 1]>,
}

/// What a value is used by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Use {
    /// The operation.
    pub op: OpId,
    /// Which of its operands.
    pub operand: u32,
}

/// A module: the arenas, the interners and the root.
#[derive(Debug, Clone)]
pub struct Module {
    pub(super) ops: Vec<Operation>,
    pub(super) blocks: Vec<Block>,
    pub(super) regions: Vec<Region>,
    pub(super) values: Vec<Value>,
    /// Types, attributes and names.
    pub interners: Interners,
    /// The kind of each name, looked up once.
    pub(super) kinds: Vec<OpKind>,
    pub(super) root: OpId,
    /// Attribute and type aliases as they were written, name without its sigil, for printing the same names again.
    pub(super) aliases: Vec<(Name, AttrId)>,
    /// What stands between `{-#` and `#-}`, as text.
    pub resources: Option<String>,
    /// Where operand names stand in the text, by operation; only when asked for when parsing.
    pub(super) use_spans: Vec<SmallVec<[Span; 3]>>,
    /// Operand types that the text spells and that differ from the value's own.
    pub(super) type_notes: Vec<(Use, TypeId)>,
    /// Values whose name is defined again while it is visible, and where.
    pub(super) redefinitions: Vec<(ValueId, Span)>,
}

impl Module {
    /// A module with an empty `builtin.module` at its root.
    pub fn new() -> Self {
        let mut module = Module::without_root();
        let name = module.name(OpKind::BuiltinModule.name());
        module.root = module.new_op(name);
        module.op_mut(module.root).syntax = Syntax::Custom(0);
        let region = module.new_region(module.root);
        module.new_block(region);
        module
    }

    pub(super) fn without_root() -> Self {
        Module {
            ops: Vec::new(),
            blocks: Vec::new(),
            regions: Vec::new(),
            values: Vec::new(),
            interners: Interners::new(),
            kinds: Vec::new(),
            root: OpId(0),
            aliases: Vec::new(),
            resources: None,
            use_spans: Vec::new(),
            type_notes: Vec::new(),
            redefinitions: Vec::new(),
        }
    }

    /// The root operation.
    pub fn root(&self) -> OpId {
        self.root
    }

    /// An operation.
    pub fn op(&self, op: OpId) -> &Operation {
        &self.ops[op.index()]
    }

    /// An operation, to change.
    pub fn op_mut(&mut self, op: OpId) -> &mut Operation {
        &mut self.ops[op.index()]
    }

    /// A block.
    pub fn block(&self, block: BlockId) -> &Block {
        &self.blocks[block.index()]
    }

    /// A block, to change.
    pub fn block_mut(&mut self, block: BlockId) -> &mut Block {
        &mut self.blocks[block.index()]
    }

    /// A region.
    pub fn region(&self, region: RegionId) -> &Region {
        &self.regions[region.index()]
    }

    /// A region, to change.
    pub fn region_mut(&mut self, region: RegionId) -> &mut Region {
        &mut self.regions[region.index()]
    }

    /// A value.
    pub fn value(&self, value: ValueId) -> &Value {
        &self.values[value.index()]
    }

    /// A value, to change.
    pub fn value_mut(&mut self, value: ValueId) -> &mut Value {
        &mut self.values[value.index()]
    }

    /// How many value ids there are, deleted ones included.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// How many operation ids there are, deleted ones included.
    pub fn op_count(&self) -> usize {
        self.ops.len()
    }

    /// How many block ids there are, deleted ones included.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The full name of an operation, as text.
    pub fn op_name(&self, op: OpId) -> &str {
        self.interners.name_text(self.op(op).name)
    }

    /// The kind of an operation, whichever spelling its dialect has.
    pub fn kind(&self, op: OpId) -> OpKind {
        let name = self.op(op).name;
        self.kinds.get(name.index()).copied().unwrap_or_else(|| OpKind::of(self.interners.name_text(name)))
    }

    /// The definition of an operation, if it has one.
    pub fn def(&self, op: OpId) -> Option<&'static OpDef> {
        self.kind(op).def()
    }

    /// Whether the definition of an operation has a trait; false without a definition.
    pub fn has(&self, op: OpId, of: Trait) -> bool {
        self.kind(op).has(of)
    }

    /// Makes an operation one of another kind, in the newest spelling. Operands and attributes are the caller's to fit.
    pub fn set_kind(&mut self, op: OpId, kind: OpKind) {
        let name = self.name(kind.name());
        self.op_mut(op).name = name;
    }

    /// Interns a name and looks its kind up.
    pub fn name(&mut self, text: &str) -> Name {
        let name = self.interners.name(text);
        while self.kinds.len() <= name.index() {
            let kind = OpKind::of(self.interners.name_text(Name::from(self.kinds.len())));
            self.kinds.push(kind);
        }
        name
    }

    /// The type of a value.
    pub fn type_of(&self, value: ValueId) -> &Type {
        self.interners.type_data(self.value(value).ty)
    }

    /// The block that a value is defined in: that of its operation, or the one whose argument it is.
    pub fn defining_block(&self, value: ValueId) -> Option<BlockId> {
        match self.value(value).definition {
            Definition::Result(op, _) => self.op(op).parent,
            Definition::Argument(block, _) => Some(block),
            Definition::Missing => None,
        }
    }

    /// The operation whose result a value is.
    pub fn defining_op(&self, value: ValueId) -> Option<OpId> {
        match self.value(value).definition {
            Definition::Result(op, _) => Some(op),
            _ => None,
        }
    }

    /// The operation that holds the region that holds the block.
    pub fn block_parent(&self, block: BlockId) -> OpId {
        self.region(self.block(block).region).parent
    }

    /// The operation that holds the block that holds an operation.
    pub fn parent_op(&self, op: OpId) -> Option<OpId> {
        self.op(op).parent.map(|block| self.block_parent(block))
    }

    /// The last operation of a block, if it ends the block.
    pub fn terminator(&self, block: BlockId) -> Option<OpId> {
        let last = *self.block(block).ops.last()?;
        self.is_terminator(last).then_some(last)
    }

    /// Every linked operation, parents before children, in reading order.
    pub fn walk(&self) -> Vec<OpId> {
        self.walk_from(self.root)
    }

    /// An operation and everything inside it, in reading order.
    pub fn walk_from(&self, root: OpId) -> Vec<OpId> {
        let mut order = Vec::with_capacity(self.ops.len());
        let mut stack = vec![root];
        while let Some(op) = stack.pop() {
            order.push(op);
            for &region in self.op(op).regions.iter().rev() {
                for &block in self.region(region).blocks.iter().rev() {
                    stack.extend(self.block(block).ops.iter().rev());
                }
            }
        }
        order
    }

    /// All uses of every value, indexed by value; linked operations only, in reading order.
    pub fn uses(&self) -> Vec<SmallVec<[Use; 2]>> {
        let mut uses = vec![SmallVec::new(); self.values.len()];
        for op in self.walk() {
            for (index, value) in self.op(op).operands.iter().enumerate() {
                uses[value.index()].push(Use { op, operand: index as u32 });
            }
        }
        uses
    }

    /// The function-like operations (isolated symbols) directly in the root, in order.
    pub fn functions(&self) -> Vec<OpId> {
        let is_function = |&op: &OpId| self.has(op, Trait::FunctionOpInterface) && !self.op(op).regions.is_empty();
        self.walk().into_iter().filter(is_function).collect()
    }

    /// Operations inside functions, terminators of regions counted, the functions themselves not: the size that
    /// reduction reports.
    pub fn size(&self) -> usize {
        let is_inner = |op: OpId| self.parent_op(op).is_some_and(|around| self.function_of(around).is_some());
        let outer = self.functions().into_iter().filter(|&op| !is_inner(op));
        outer.map(|function| self.walk_from(function).len() - 1).sum()
    }

    /// An attribute of an operation by name, inherent or not.
    pub fn attribute(&self, op: OpId, name: &str) -> Option<AttrId> {
        let op = self.op(op);
        [op.props, op.attrs].into_iter().find_map(|list| {
            let list = self.interners.attrs_data(list);
            list.iter().find(|(key, _)| self.interners.name_text(*key) == name).map(|(_, value)| *value)
        })
    }

    /// The values of one operand of an operation's definition, as a range; none if the number of values does not fit it.
    pub fn operand_range(&self, op: OpId, def: &OpDef, index: usize) -> Option<Range<usize>> {
        let record = self.op(op);
        let size_of = |place: usize, rest: usize| if def.operands[place].arity == Arity::One { 1 } else { rest };
        let sizes_given = record.segments.len() == def.operands.len() && def.flexible_operands() > 1;
        if sizes_given {
            let total: usize = record.segments.iter().map(|&size| size as usize).sum();
            let start: usize = record.segments[..index].iter().map(|&size| size as usize).sum();
            return (total == record.operands.len()).then(|| start..start + record.segments[index] as usize);
        }
        let flexible = def.flexible_operands();
        let rest = (record.operands.len() + flexible).checked_sub(def.operands.len())?;
        if flexible > 1 || flexible == 0 && rest > 0 {
            return None;
        }
        let start = (0..index).map(|place| size_of(place, rest)).sum();
        Some(start..start + size_of(index, rest))
    }

    /// The values of each operand of an operation's definition, as ranges; none if their number does not fit it.
    pub fn operand_groups(&self, op: OpId, def: &OpDef) -> Option<Vec<Range<usize>>> {
        let ranges: Option<Vec<_>> = (0..def.operands.len()).map(|index| self.operand_range(op, def, index)).collect();
        // A definition without operands fits only an operation without any.
        ranges.filter(|ranges| !ranges.is_empty() || self.op(op).operands.is_empty())
    }

    /// The values of each result of an operation's definition, as ranges; none if their number does not fit it. With several
    /// optional results, one whose type the definition fixes is there if the result at its place has that type.
    pub fn result_groups<'m>(&'m self, op: OpId, def: &OpDef) -> Option<Vec<Range<usize>>> {
        let results = &self.op(op).results;
        let fixed = def.results.iter().filter(|result| result.arity == Arity::One).count();
        let mut left = results.len().checked_sub(fixed)?;
        let mut open = def.results.len() - fixed;
        let mut place = 0;
        let mut ranges = Vec::with_capacity(def.results.len());
        for result in &def.results {
            let mut take = 1;
            if result.arity != Arity::One {
                open -= 1;
                let suits = match (result.infer, results.get(place).map(|&value| self.type_of(value))) {
                    (Some(TypeRule::Exactly(text)), Some(Type::Dialect { name, .. })) => {
                        let suffix = |name: &'m str| name.split_once('.').map(|(_, rest)| rest);
                        suffix(text) == suffix(self.interners.name_text(*name))
                    }
                    (Some(TypeRule::Exactly(_)), _) => false,
                    _ => true,
                };
                let one_of_several = result.arity == Arity::Optional && open > 0;
                take = if one_of_several { usize::from(left > 0 && suits) } else { left };
                left -= take;
            }
            ranges.push(place..place + take);
            place += take;
        }
        (place == results.len()).then_some(ranges)
    }

    /// Where the name of an operand stands in the text, when it was parsed with [`super::ParseOptions::spans`].
    pub fn use_span(&self, place: Use) -> Option<Span> {
        self.use_spans.get(place.op.index())?.get(place.operand as usize).copied()
    }

    /// Operand types that the text spells and that are not the types of the values used.
    pub fn type_notes(&self) -> &[(Use, TypeId)] {
        &self.type_notes
    }

    /// Values whose name the text defines a second time where it is still visible, with the second place.
    pub fn redefinitions(&self) -> &[(ValueId, Span)] {
        &self.redefinitions
    }

    /// A new operation that is in no block yet.
    pub fn new_op(&mut self, name: Name) -> OpId {
        let id = OpId::from(self.ops.len());
        self.ops.push(Operation {
            name,
            parent: None,
            operands: SmallVec::new(),
            segments: SmallVec::new(),
            results: SmallVec::new(),
            successors: SmallVec::new(),
            regions: SmallVec::new(),
            props: AttrsId::EMPTY,
            attrs: AttrsId::EMPTY,
            loc: None,
            span: Span::default(),
            syntax: Syntax::Generic,
        });
        id
    }

    /// A new, empty region at the end of an operation's list.
    pub fn new_region(&mut self, parent: OpId) -> RegionId {
        let id = RegionId::from(self.regions.len());
        self.regions.push(Region { parent, blocks: SmallVec::new() });
        self.op_mut(parent).regions.push(id);
        id
    }

    /// A new, empty block at the end of a region.
    pub fn new_block(&mut self, region: RegionId) -> BlockId {
        let id = self.new_detached_block(region);
        self.region_mut(region).blocks.push(id);
        id
    }

    /// A block that knows its region but is not yet in its list: a label that is used before it stands.
    pub(super) fn new_detached_block(&mut self, region: RegionId) -> BlockId {
        let id = BlockId::from(self.blocks.len());
        self.blocks.push(Block { region, arguments: SmallVec::new(), ops: Vec::new(), span: Span::default() });
        id
    }

    /// A new value; whoever defines it lists it among its results or arguments.
    pub fn new_value(&mut self, ty: TypeId, definition: Definition) -> ValueId {
        let id = ValueId::from(self.values.len());
        self.values.push(Value { ty, definition, name: None, span: Span::default(), loc: None });
        id
    }
}

impl Default for Module {
    fn default() -> Self {
        Module::new()
    }
}
