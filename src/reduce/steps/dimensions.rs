//! Which dimensions of which values must change together, for a step that makes them smaller and for one that drops them.
//!
//! A node is one dimension of one value. Nodes are joined in classes wherever an operation, by the [`ShapeRule`] of its
//! definition, or the flow of control makes two of them depend on each other: elementwise operations and conversions join
//! dimension by dimension, a broadcast those that it leaves alone, a dot the three that it multiplies, a reshape those whose
//! product it regroups. A class with a member that is fixed does not change, and what an operation without a rule touches
//! is fixed.
//!
//! To shrink ([`Goal::Shrink`]), members of a class need not have the same size (a `tt.cat` has twice its operands'), but
//! they shrink by the same factor, and a member may have a least size. To drop ([`Goal::Drop`]), all have size 1, both sides
//! of a broadcast go together, and nothing is joined across a reshape.

use super::classes::Classes;
use super::flow::{Flows, flows_everywhere, one_to_one, values};
use super::layouts_of;
use crate::ir::ods::ShapeRule;
use crate::ir::{Attr, AttrId, FieldValue, Interners, LayoutKind, Module, OpId, OpKind, Type, TypeId, ValueId};

/// The least size of a dimension that a dot multiplies: what Triton's front end takes.
const DOT_LEAST: u64 = 16;
/// The least number of rows that a gather through a descriptor names.
const GATHER_LEAST: u64 = 8;
/// The least number of bits of a row that a tensor descriptor loads: 16 bytes.
const ROW_LEAST: u64 = 128;

/// Layouts whose parent says how they treat shapes.
const DERIVED: [LayoutKind; 2] = [LayoutKind::Slice, LayoutKind::DotOperand];

/// What is to be done with a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// Divide its sizes.
    Shrink,
    /// Take it out of every type.
    Drop,
}

/// The classes of a module.
#[derive(Debug)]
pub(super) struct Dimensions {
    goal: Goal,
    /// By value: the number of its first node, and how many it has.
    nodes: Vec<Option<(usize, usize)>>,
    /// The value and dimension of every node.
    pub owners: Vec<(ValueId, usize)>,
    pub classes: Classes,
    sizes: Vec<u64>,
    least: Vec<u64>,
}

/// A class that can shrink.
#[derive(Debug, Clone, Copy)]
pub(super) struct Class {
    /// Its first node's value and dimension.
    pub first: (ValueId, usize),
    /// The size of its first node.
    pub size: u64,
    /// By how much it can be divided at most, a power of two.
    pub most: u64,
    root: usize,
}

impl Dimensions {
    /// Joins everything that depends on each other.
    pub fn of(module: &Module, goal: Goal) -> Dimensions {
        let mut all = Dimensions {
            goal,
            nodes: vec![None; module.value_count()],
            owners: Vec::new(),
            classes: Classes::default(),
            sizes: Vec::new(),
            least: Vec::new(),
        };
        values(module).into_iter().for_each(|value| all.add(module, value));
        let flows = Flows::of(module);
        flows.pairs.into_iter().for_each(|(a, b)| all.same(a, b));
        all.fix_all(&flows.fixed);
        for op in module.walk() {
            all.operation(module, op);
            if goal == Goal::Drop {
                all.attributes(module, op);
            }
        }
        all
    }

    fn add(&mut self, module: &Module, value: ValueId) {
        let ty = module.value(value).ty;
        let Some(sizes) = module.interners.sizes(ty).filter(|sizes| sizes.len() < 16) else { return };
        self.nodes[value.index()] = Some((self.sizes.len(), sizes.len()));
        let least = least_of(&module.interners, ty, &sizes);
        let drops = matches!(module.interners.type_data(ty), Type::Tensor { .. }) && layout_allows_fewer(module, ty);
        for (dimension, &size) in sizes.iter().enumerate() {
            self.owners.push((value, dimension));
            self.sizes.push(size);
            self.least.push(least.as_ref().map_or(size, |least| least[dimension].min(size).max(1)));
            self.classes.add(match self.goal {
                Goal::Shrink => least.is_none() || !size.is_power_of_two(),
                // No tensor goes without any dimension.
                Goal::Drop => !drops || sizes.len() < 2 || size != 1,
            });
        }
    }

    fn node(&self, value: ValueId, dimension: usize) -> Option<usize> {
        let (first, rank) = (*self.nodes.get(value.index())?)?;
        (dimension < rank).then_some(first + dimension)
    }

    pub fn rank(&self, value: ValueId) -> usize {
        self.nodes.get(value.index()).copied().flatten().map_or(0, |(_, rank)| rank)
    }

    fn size(&self, value: ValueId, dimension: usize) -> u64 {
        self.node(value, dimension).map_or(0, |node| self.sizes[node])
    }

    /// Whether two dimensions can be joined: of one size to shrink, of any to be dropped.
    fn agree(&self, a: (ValueId, usize), b: (ValueId, usize)) -> bool {
        self.goal == Goal::Drop || self.size(a.0, a.1) == self.size(b.0, b.1)
    }

    fn join(&mut self, a: (ValueId, usize), b: (ValueId, usize)) {
        let (Some(a), Some(b)) = (self.node(a.0, a.1), self.node(b.0, b.1)) else { return };
        self.classes.join(a, b);
    }

    /// Dimension by dimension; fixed where the shapes differ.
    fn same(&mut self, a: ValueId, b: ValueId) {
        let (rank, other) = (self.rank(a), self.rank(b));
        if rank == other && (0..rank).all(|dimension| self.agree((a, dimension), (b, dimension))) {
            (0..rank).for_each(|dimension| self.join((a, dimension), (b, dimension)));
        } else if rank > 0 && other > 0 {
            self.fix_all(&[a, b]);
        }
    }

    fn all_same(&mut self, values: &[ValueId]) {
        values.windows(2).for_each(|pair| self.same(pair[0], pair[1]));
    }

    fn fix(&mut self, value: ValueId) {
        (0..self.rank(value)).for_each(|dimension| self.fix_one(value, dimension));
    }

    fn fix_all(&mut self, values: &[ValueId]) {
        values.iter().for_each(|&value| self.fix(value));
    }

    fn fix_one(&mut self, value: ValueId, dimension: usize) {
        if let Some(node) = self.node(value, dimension) {
            self.classes.fix(node);
        }
    }

    fn at_least(&mut self, value: ValueId, dimension: usize, least: u64) {
        if let Some(node) = self.node(value, dimension) {
            self.least[node] = self.least[node].max(least.min(self.sizes[node]));
        }
    }

    fn operation(&mut self, module: &Module, op: OpId) {
        let record = module.op(op);
        let (operands, results) = (record.operands.as_slice(), record.results.as_slice());
        let shaped: Vec<ValueId> =
            operands.iter().chain(results).copied().filter(|&value| self.rank(value) > 0).collect();
        let axis = integer(module, op, "axis").and_then(|axis| usize::try_from(axis).ok());
        let def = module.def(op);
        match (def.map_or(ShapeRule::Unknown, |def| def.shape), self.goal) {
            (ShapeRule::Any, _) if module.kind(op) == OpKind::ArithConstant => self.constant(module, op),
            (ShapeRule::Any, _) => {}
            (ShapeRule::Unknown, _) if def.is_some_and(flows_everywhere) => {}
            (ShapeRule::Same, _) => {
                self.all_same(&shaped);
                // What is computed several elements at a time needs as many.
                let packed = integer(module, op, "packed_element").or_else(|| integer(module, op, "pack"));
                match (packed, shaped.first(), self.goal) {
                    (Some(packed), Some(&first), Goal::Shrink) => {
                        let last = self.rank(first).saturating_sub(1);
                        self.at_least(first, last, u64::try_from(packed).unwrap_or(u64::MAX));
                    }
                    (Some(_), _, Goal::Drop) => self.fix_all(&shaped),
                    _ => {}
                }
                if module.kind(op) == OpKind::TtScan && self.goal == Goal::Drop {
                    shaped.iter().for_each(|&value| self.fix_one(value, axis.unwrap_or(0)));
                }
            }
            // Of one element either dimension may be the one that is left.
            (ShapeRule::Expand, Goal::Drop) if operands.iter().all(|&operand| self.is_one_element(operand)) => {}
            (rule @ (ShapeRule::Expand | ShapeRule::Reduce), _) => {
                // One of them has a dimension more, at the axis; all that is reduced has one shape.
                self.all_same(operands);
                for (&operand, &result) in operands.iter().zip(results) {
                    let reduces = rule == ShapeRule::Reduce;
                    let (more, fewer) = if reduces { (operand, result) } else { (result, operand) };
                    self.without(more, fewer, axis);
                    // A reduction that has nothing to do would have to become a conversion of layouts.
                    let layout = module.interners.layout(module.value(more).ty);
                    if self.goal == Goal::Drop && reduces && (layout.is_some() || operands.len() > 1) {
                        self.fix_one(more, axis.unwrap_or(0));
                    }
                }
                if self.goal == Goal::Shrink && rule == ShapeRule::Expand && depends_on_shape(module, &shaped) {
                    self.fix_all(&shaped);
                }
            }
            (ShapeRule::Broadcast, Goal::Drop) => self.all_same(&shaped),
            (ShapeRule::Broadcast, Goal::Shrink) => {
                if let [from, to] = shaped[..] {
                    for dimension in 0..self.rank(to) {
                        if self.size(from, dimension) == self.size(to, dimension) {
                            self.join((from, dimension), (to, dimension));
                        }
                    }
                }
            }
            (ShapeRule::Transpose, _) => self.transpose(module, op, &shaped),
            (ShapeRule::Reshape, Goal::Shrink) => self.reshape(module, op),
            (ShapeRule::Reshape, Goal::Drop) => {
                // With layouts, one side's follows from the other's.
                if shaped.iter().any(|&value| module.interners.layout(module.value(value).ty).is_some()) {
                    self.fix_all(&shaped);
                }
            }
            (rule, Goal::Shrink) => self.several_shapes(module, op, rule, axis, &shaped),
            (_, Goal::Drop) => self.fix_all(&shaped),
        }
        // A successor that an unknown operation branches to takes what that takes.
        for (index, &block) in record.successors.iter().enumerate() {
            if module.successor_operands(op, index).is_none() {
                self.fix_all(operands);
                self.fix_all(&module.block(block).arguments);
            }
        }
    }

    /// Operations whose operands have several shapes; they keep their ranks.
    fn several_shapes(&mut self, module: &Module, op: OpId, rule: ShapeRule, axis: Option<usize>, shaped: &[ValueId]) {
        match (rule, module.op(op).operands.as_slice(), module.op(op).results.as_slice()) {
            (ShapeRule::Join, ..) => self.pair_up(module, op),
            (ShapeRule::Cat, &[a, b], &[whole]) => {
                self.same(a, b);
                (0..self.rank(whole)).for_each(|dimension| self.join((a, dimension), (whole, dimension)));
            }
            (ShapeRule::Dot, &[a, b, c], &[d]) => self.dot([a, b, c, d]),
            (ShapeRule::DotScaled, &[a, b, c, ref scales @ ..], &[d]) => {
                self.scaled_dot([a, b, c, d], scales, module.op(op).segments.get(3).is_some_and(|&size| size > 0));
            }
            (ShapeRule::Gather, &[from, indices], &[to]) => {
                self.same(indices, to);
                for dimension in (0..self.rank(to)).filter(|&dimension| Some(dimension) != axis) {
                    self.join((from, dimension), (to, dimension));
                }
            }
            (ShapeRule::Histogram, operands, _) => self.all_same(operands),
            (ShapeRule::Window, &[whole, ..], &[part]) => self.window(whole, part),
            (ShapeRule::Window, &[whole, part, ..], []) => self.window(whole, part),
            (ShapeRule::Rows, &[descriptor, offsets, _, ref rows @ ..], results) => {
                if let Some(&rows) = results.first().or(rows.first()) {
                    self.join((rows, 0), (offsets, 0));
                    self.at_least(rows, 0, GATHER_LEAST);
                    self.fix_one(rows, 1);
                    self.fix(descriptor);
                }
            }
            (ShapeRule::Index, &[buffers, ..], &[one]) => {
                self.fix_one(buffers, 0);
                self.without(buffers, one, Some(0));
            }
            _ => self.fix_all(shaped),
        }
    }

    /// An attribute may speak of dimensions, as the list of divisibilities does: their values keep them.
    fn attributes(&mut self, module: &Module, op: OpId) {
        let record = module.op(op);
        let spoken = module.interners.attrs_data(record.attrs).iter().any(|(name, _)| {
            let name = module.interners.name_text(*name);
            ["tt.divisibility", "tt.contiguity", "tt.constancy"].contains(&name)
        });
        if spoken {
            self.fix_all(&record.results);
        }
        for (place, list) in module.argument_attrs(op).into_iter().enumerate() {
            if !module.interners.attrs_data(list).is_empty()
                && let Some(&argument) = module.entry(op).and_then(|block| module.block(block).arguments.get(place))
            {
                self.fix(argument);
            }
        }
    }

    fn is_one_element(&self, value: ValueId) -> bool {
        self.rank(value) == 1 && self.size(value, 0) == 1
    }

    /// `fewer` is `more` without the dimension at `axis`.
    fn without(&mut self, more: ValueId, fewer: ValueId, axis: Option<usize>) {
        let Some(axis) = axis.filter(|_| self.rank(more) == self.rank(fewer) + 1) else {
            // To shrink, a reduction to a scalar joins nothing.
            if self.rank(fewer) > 0 || self.goal == Goal::Drop {
                self.fix_all(&[more, fewer]);
            }
            return;
        };
        for dimension in 0..self.rank(fewer) {
            let there = dimension + usize::from(dimension >= axis);
            if self.agree((more, there), (fewer, dimension)) {
                self.join((more, there), (fewer, dimension));
            } else {
                self.fix_one(more, there);
                self.fix_one(fewer, dimension);
            }
        }
    }

    /// A block of what a descriptor describes: the last dimensions are the same.
    fn window(&mut self, whole: ValueId, part: ValueId) {
        let (rank, other) = (self.rank(whole), self.rank(part));
        let Some(more) = rank.checked_sub(other) else { return self.same(whole, part) };
        let suits = (0..other).all(|dimension| self.size(whole, dimension + more) == self.size(part, dimension));
        if suits && other > 0 {
            (0..other).for_each(|dimension| self.join((whole, dimension + more), (part, dimension)));
            (0..more).for_each(|dimension| self.fix_one(whole, dimension));
        } else {
            self.fix_all(&[whole, part]);
        }
    }

    fn transpose(&mut self, module: &Module, op: OpId, shaped: &[ValueId]) {
        let Some((from, to)) = one_to_one(module, op) else { return };
        let default = (self.goal == Goal::Shrink).then(|| vec![1, 0]);
        let bound = match self.goal {
            Goal::Shrink => depends_on_shape(module, &[from, to]),
            Goal::Drop => module.interners.layout(module.value(from).ty).is_some(),
        };
        match order(module, op).or(default).filter(|order| order.len() == self.rank(from) && !bound) {
            Some(order) => {
                order.iter().enumerate().for_each(|(place, &source)| self.join((from, source), (to, place)));
            }
            None => self.fix_all(shaped),
        }
    }

    /// `tt.join` and `tt.split`: the last dimension counts the two, the others are the same.
    fn pair_up(&mut self, module: &Module, op: OpId) {
        let record = module.op(op);
        let all = [record.operands.as_slice(), &record.results].concat();
        let most = all.iter().map(|&value| self.rank(value)).max().unwrap_or(0);
        let Some(&joined) = all.iter().find(|&&value| self.rank(value) == most) else { return };
        if depends_on_shape(module, &all) {
            self.fix_all(&all);
        }
        for &single in all.iter().filter(|&&value| value != joined) {
            self.without(joined, single, most.checked_sub(1));
        }
        if let Some(last) = most.checked_sub(1) {
            self.fix_one(joined, last);
        }
    }

    /// Dimensions of both sides are grouped from the outermost on so that products agree; in each group the first ones
    /// that are not 1 shrink together.
    fn reshape(&mut self, module: &Module, op: OpId) {
        let Some((from, to)) = one_to_one(module, op) else { return };
        let (rank, other) = (self.rank(from), self.rank(to));
        let reorders = module.attribute(op, "allow_reorder").is_some();
        if module.interners.layout(module.value(from).ty).is_some() && !reorders {
            return self.fix_all(&[from, to]);
        }
        let (mut left, mut right) = (0, 0);
        while left < rank || right < other {
            let (start, beside) = (left, right);
            let (mut product, mut wanted) = (1, 1);
            while product != wanted || (left, right) == (start, beside) {
                if left < rank && (product <= wanted || right == other) {
                    product *= self.size(from, left);
                    left += 1;
                } else if right < other {
                    wanted *= self.size(to, right);
                    right += 1;
                } else {
                    break;
                }
            }
            let large = |this: &Self, value, mut range: std::ops::Range<usize>| {
                range.find(|&dimension| this.size(value, dimension) > 1)
            };
            let leading = (large(self, from, start..left), large(self, to, beside..right));
            // Without a partner on the other side the leading one stays as well.
            let partners = match leading {
                (Some(a), Some(b)) => {
                    self.join((from, a), (to, b));
                    leading
                }
                _ => (None, None),
            };
            let others = |range: std::ops::Range<usize>, leading| range.filter(move |&place| Some(place) != leading);
            others(start..left, partners.0).for_each(|place| self.fix_one(from, place));
            others(beside..right, partners.1).for_each(|place| self.fix_one(to, place));
        }
    }

    fn dot(&mut self, [a, b, c, d]: [ValueId; 4]) {
        let rank = self.rank(d);
        if rank < 2 || [a, b, c].iter().any(|&value| self.rank(value) != rank) {
            return self.fix_all(&[a, b, c, d]);
        }
        self.same(c, d);
        for batch in 0..rank - 2 {
            self.join((a, batch), (d, batch));
            self.join((b, batch), (d, batch));
        }
        self.join((a, rank - 2), (d, rank - 2));
        self.join((b, rank - 1), (d, rank - 1));
        self.join((a, rank - 1), (b, rank - 2));
        for (value, dimension) in [(d, rank - 2), (d, rank - 1), (a, rank - 1)] {
            self.at_least(value, dimension, DOT_LEAST);
        }
    }

    /// Rows and columns of a scaled dot; how many numbers share a scale fixes what is summed over.
    fn scaled_dot(&mut self, [a, b, c, d]: [ValueId; 4], scales: &[ValueId], left_scaled: bool) {
        if [a, b, c, d].iter().any(|&value| self.rank(value) != 2) {
            return [a, b, c, d].iter().chain(scales).for_each(|&value| self.fix(value));
        }
        self.same(c, d);
        self.join((a, 0), (d, 0));
        self.join((b, 1), (d, 1));
        self.fix_one(a, 1);
        self.fix_one(b, 0);
        for (index, &scale) in scales.iter().enumerate() {
            let side = usize::from(index > 0 || !left_scaled);
            self.join((scale, 0), (d, side));
            self.fix_one(scale, 1);
        }
        self.at_least(d, 0, DOT_LEAST);
        self.at_least(d, 1, DOT_LEAST);
    }

    fn constant(&mut self, module: &Module, op: OpId) {
        let value = module.attribute(op, "value").map(|value| module.interners.attr_data(value));
        // A list of numbers has as many as there are elements, and so has a resource; lists nest as deep as the tensor.
        let splat = |body: &str| !body.contains(['[', '"', ',']);
        let free = matches!(value, Some(Attr::Dense(keyword, body, _))
            if module.interners.name_text(*keyword) == "dense" && splat(body));
        if !free {
            self.fix_all(&module.op(op).results);
        }
    }

    /// The classes that can shrink, by their first node.
    pub fn classes(&self) -> Vec<Class> {
        let mut most: Vec<u64> = vec![u64::MAX; self.sizes.len()];
        for node in 0..self.sizes.len() {
            let fixed = self.classes.is_fixed(node);
            let factor = if fixed { 1 } else { largest_factor(self.sizes[node], self.least[node]) };
            let root = self.classes.root(node);
            most[root] = most[root].min(factor);
        }
        let roots = (0..most.len()).filter(|&root| self.classes.root(root) == root && most[root] > 1);
        roots.map(|root| Class { first: self.owners[root], size: self.sizes[root], most: most[root], root }).collect()
    }

    /// The class that a value's dimension is in, if it can shrink.
    pub fn class_of(&self, value: ValueId, dimension: usize) -> Option<Class> {
        let root = self.classes.root(self.node(value, dimension)?);
        self.classes().into_iter().find(|class| class.root == root)
    }

    /// New types for the members of a class that is divided by a factor.
    pub fn divided(&self, module: &mut Module, class: &Class, factor: u64) -> Vec<(ValueId, TypeId)> {
        let mut types = Vec::new();
        let member = |node: usize| self.classes.root(node) == class.root;
        let firsts = self.owners.iter().enumerate().filter(|(_, (_, dimension))| *dimension == 0);
        for (first, &(value, _)) in firsts {
            let nodes = first..first + self.rank(value);
            if nodes.clone().any(member) {
                let size = |node: usize| if member(node) { self.sizes[node] / factor } else { self.sizes[node] };
                let sizes: Vec<u64> = nodes.map(size).collect();
                let ty = module.value(value).ty;
                types.extend(module.interners.with_sizes(ty, &sizes).map(|ty| (value, ty)));
            }
        }
        types
    }

    /// How many elements a module has less when a class is divided.
    pub fn gain(&self, class: &Class, factor: u64) -> u64 {
        let members = (0..self.owners.len()).filter(|&node| self.classes.root(node) == class.root);
        let gains = members.map(|node| {
            let (value, _) = self.owners[node];
            let elements = (0..self.rank(value)).fold(1u64, |all, d| all.saturating_mul(self.size(value, d)));
            elements - elements / factor
        });
        gains.fold(0, u64::saturating_add)
    }
}

/// The first layout of a type, from the outermost in, that is of none of these kinds, with its kind.
fn layout_below(interners: &Interners, ty: TypeId, kinds: &[LayoutKind]) -> Option<(AttrId, LayoutKind)> {
    let mut layouts = layouts_of(interners, ty).map(|layout| (layout, interners.layout_kind(layout)));
    layouts.find(|(_, kind)| !kinds.contains(kind))
}

/// Whether one of these has a layout from which Triton infers another by way of the shape.
fn depends_on_shape(module: &Module, values: &[ValueId]) -> bool {
    let simple = [LayoutKind::Blocked, LayoutKind::SwizzledShared, LayoutKind::NvmmaShared, LayoutKind::Shared];
    values.iter().any(|&value| {
        let layout = layout_below(&module.interners, module.value(value).ty, &DERIVED);
        layout.is_some_and(|(_, kind)| !simple.contains(&kind))
    })
}

/// Whether a dimension can be taken out of a type's layout.
fn layout_allows_fewer(module: &Module, ty: TypeId) -> bool {
    let layout = layout_below(&module.interners, ty, &[LayoutKind::Slice]);
    layout.is_none_or(|(layout, kind)| {
        kind == LayoutKind::Blocked && module.interners.layout_field(layout, "CGALayout").is_none()
    })
}

/// By which power of two a size can be divided without falling below the least.
fn largest_factor(size: u64, least: u64) -> u64 {
    let mut factor = 1;
    while size.is_multiple_of(factor * 2) && size / (factor * 2) >= least.max(1) {
        factor *= 2;
    }
    factor
}

/// The least sizes that a type allows, by what its layout says; none where nothing is known of the layout.
fn least_of(interners: &Interners, ty: TypeId, sizes: &[u64]) -> Option<Vec<u64>> {
    let mut least = vec![1; sizes.len()];
    let descriptor = interners.type_data(ty).is_descriptor();
    let bits = u64::from(interners.number(ty).and_then(Interners::bits).unwrap_or(8));
    if let (true, Some(last)) = (descriptor, least.last_mut()) {
        *last = ROW_LEAST.div_ceil(bits).next_power_of_two();
    }
    let Some((layout, kind)) = layout_below(interners, ty, &DERIVED) else { return Some(least) };
    match kind {
        LayoutKind::NvmmaShared => {
            let is_true = |name| interners.layout_field(layout, name) == Some(&FieldValue::Bool(true));
            if interners.layout_field(layout, "rank").is_some() || is_true("fp4Padded") {
                return None;
            }
            let swizzle = interners.layout_field(layout, "swizzlingByteWidth")?.number()?;
            let row = (swizzle.max(16) * 8 / bits.max(1)).next_power_of_two();
            for (place, least) in least.iter_mut().rev().take(2).enumerate() {
                *least = if (place == 0) != is_true("transposed") { row } else { 8 };
            }
        }
        LayoutKind::Blocked | LayoutKind::SwizzledShared | LayoutKind::Shared | LayoutKind::Linear => {}
        kind if kind.is_mma() => {}
        _ => return None,
    }
    Some(least)
}

/// An integer attribute.
pub(super) fn integer(module: &Module, op: OpId, name: &str) -> Option<i64> {
    match module.interners.attr_data(module.attribute(op, name)?) {
        Attr::Integer(digits, _) => digits.parse().ok(),
        _ => None,
    }
}

/// The `order` of a transposition: where each dimension comes from.
pub(super) fn order(module: &Module, op: OpId) -> Option<Vec<usize>> {
    match module.interners.attr_data(module.attribute(op, "order")?) {
        Attr::DenseArray(_, items) => items.iter().map(|item| item.trim().parse().ok()).collect(),
        _ => None,
    }
}
