//! The steps, a table of transformations from large to small.
//!
//! A step edits a copy of the module and leaves tidying to `remove_dead`: what an edit makes dead goes with it, but what
//! was dead before stays, because a failure may depend on it. Operations keep their ids while others go, so sites are
//! ids. Only edits that keep every use dominated and every type right are offered; the candidate's oracle checks
//! it once more before a compiler is asked.

mod arguments;
mod attributes;
mod carried;
mod classes;
mod control;
mod dimensions;
mod drop;
mod element_types;
mod elements;
mod flow;
mod layouts;
mod ranks;
mod replace;
mod returns;
mod shapes;
mod warps;

use super::Candidate;
use crate::ir::{Attr, AttrId, BlockId, Interners, Module, OpId, OpKind, Trait, TypeId, Use, ValueId};
use smallvec::SmallVec;
use tritonsmith_reducer::{Site, Step};

pub(super) use flow::defined;
pub(super) use warps::machine;

/// One kind of edit: where it could act on a module, and how it acts at one such site. An edit gives `None` where its
/// site became moot.
#[derive(Debug)]
pub struct Transformation {
    name: &'static str,
    prior: f64,
    sites: fn(&Module) -> Vec<Site>,
    edit: fn(&mut Module, u64) -> Option<()>,
    late: bool,
    chunkable: bool,
    /// Sites end in positions: they are edited from the last to the first, so that positions stay right within a chunk.
    positions: bool,
    /// Whether what an edit makes dead goes with it: a failure may need a use that is itself unused.
    tidies: bool,
    /// A last look at what the edits of a chunk left.
    accept: fn(&Candidate, Candidate) -> Option<Candidate>,
}

impl Transformation {
    const fn new(
        name: &'static str,
        prior: f64,
        sites: fn(&Module) -> Vec<Site>,
        edit: fn(&mut Module, u64) -> Option<()>,
    ) -> Self {
        let accept = |_: &Candidate, after| Some(after);
        Transformation {
            name,
            prior,
            sites,
            edit,
            late: false,
            chunkable: true,
            positions: false,
            tidies: true,
            accept,
        }
    }

    const fn late(self) -> Self {
        Transformation { late: true, ..self }
    }

    const fn one_by_one(self) -> Self {
        Transformation { chunkable: false, ..self }
    }

    const fn positions(self) -> Self {
        Transformation { positions: true, ..self }
    }

    const fn accept(self, accept: fn(&Candidate, Candidate) -> Option<Candidate>) -> Self {
        Transformation { accept, ..self }
    }
}

/// All steps in the order in which the engine takes them. The prior of each is how often its edits were accepted in
/// reductions of the corpus, roughly.
pub static ALL: [Transformation; 23] = [
    Transformation::new("drop functions", 0.9, drop::functions, drop::unlink).accept(drop::leaves_functions),
    Transformation::new("force a branch", 0.2, control::branches, control::force_branch),
    Transformation::new("drop unused operations", 0.3, drop::unused, drop::unlink),
    Transformation::new("merge layouts", 0.9, layouts::mergeable, layouts::merge).one_by_one(),
    Transformation::new("replace by a function argument", 0.4, replace::argument_sites, replace::by_argument),
    Transformation::new("inline or skip a region", 0.05, control::regions, control::inline_region),
    Transformation::new("replace by an operand", 0.2, replace::operand_sites, replace::by_operand),
    Transformation::new("replace by an earlier value", 0.03, replace::earlier_sites, replace::by_earlier),
    Transformation {
        tidies: false,
        ..Transformation::new("drop unused operations alone", 0.3, drop::unused_alone, drop::unlink)
    },
    Transformation::new("return what is consumed", 0.9, returns::consumers, returns::return_operands),
    Transformation::new("drop returned values", 0.05, returns::returned_values, returns::drop_returned).positions(),
    Transformation::new("drop carried values", 0.3, carried::sites, carried::drop_carried).positions(),
    Transformation::new("merge blocks", 0.9, control::lone_branches, control::merge_blocks),
    Transformation::new("drop arguments", 0.95, arguments::droppable, arguments::drop_argument),
    Transformation::new("replace by a constant", 0.03, replace::constant_sites, replace::by_constant),
    Transformation::new("drop optional operands", 0.75, attributes::optional_operands, attributes::drop_operand),
    Transformation::new("merge function arguments", 0.9, arguments::alike, arguments::merge),
    Transformation::new("drop attributes", 0.98, attributes::sites, attributes::drop_attribute).positions(),
    Transformation::new("shrink a dimension", 0.75, shapes::sites, shapes::shrink).late(),
    // Positions move when a dimension goes.
    Transformation::new("drop a dimension", 0.8, ranks::sites, ranks::drop_dimension).late().one_by_one(),
    Transformation::new("narrow a element type", 0.8, elements::sites, elements::narrow)
        .late()
        .accept(elements::accept),
    Transformation::new("lower the number of warps", 0.95, warps::counts, warps::lower).late(),
    Transformation::new("simplify a layout", 0.8, warps::holding, warps::simplify).late(),
];

impl Step<Candidate> for Transformation {
    fn name(&self) -> &str {
        self.name
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        let mut sites = (self.sites)(&candidate.module);
        if self.positions {
            sites.reverse();
        }
        sites
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        let mut sites = sites.to_vec();
        if self.positions {
            sites.sort_by_key(|site| std::cmp::Reverse(site.id));
        }
        let mut module = candidate.module.clone();
        let applied = sites.iter().filter(|site| (self.edit)(&mut module, site.id).is_some()).count();
        if applied == 0 {
            return None;
        }
        if self.tidies {
            remove_dead(&mut module, &dead(&candidate.module));
        }
        (self.accept)(candidate, Candidate::new(module))
    }

    fn chunkable(&self) -> bool {
        self.chunkable
    }

    fn late(&self) -> bool {
        self.late
    }

    fn prior(&self) -> f64 {
        self.prior
    }
}

/// Removes what an edit made dead.
fn remove_dead(module: &mut Module, dead_before: &[bool]) {
    module.remove_unreachable_blocks();
    let now = dead(module);
    let gone = |op: OpId| now[op.index()] && !dead_before.get(op.index()).copied().unwrap_or(false);
    let order = module.walk();
    let mut uses = vec![0u32; module.value_count()];
    order.iter().flat_map(|&op| &module.op(op).operands).for_each(|value| uses[value.index()] += 1);
    let inside_another = |op: OpId| module.parent_op(op).is_some_and(gone);
    let going: Vec<OpId> = order.into_iter().filter(|&op| gone(op) && !inside_another(op)).collect();
    for op in going.into_iter().rev() {
        // What was dead before stays, and what it uses with it.
        if module.op(op).results.iter().all(|result| uses[result.index()] == 0) {
            for inner in module.walk_from(op) {
                module.op(inner).operands.iter().for_each(|value| uses[value.index()] -= 1);
            }
            module.unlink(op);
        }
    }
}

/// Which operations nothing depends on: removable ones whose results only such operations use.
fn dead(module: &Module) -> Vec<bool> {
    let mut live_uses = vec![0u32; module.value_count()];
    let order = module.walk();
    order.iter().flat_map(|&op| &module.op(op).operands).for_each(|value| live_uses[value.index()] += 1);
    let mut dead = vec![false; module.op_count()];
    for &op in order.iter().rev() {
        if module.is_removable(op) && module.op(op).results.iter().all(|result| live_uses[result.index()] == 0) {
            for inner in module.walk_from(op) {
                if !std::mem::replace(&mut dead[inner.index()], true) {
                    module.op(inner).operands.iter().for_each(|value| live_uses[value.index()] -= 1);
                }
            }
        }
    }
    dead
}

/// How many operations would go if `op` did: what is inside, and what only it uses.
fn dies_with(module: &Module, op: OpId, uses: &[SmallVec<[Use; 2]>]) -> u32 {
    let mut gone: SmallVec<[OpId; 16]> = module.walk_from(op).into();
    let mut next = 0;
    while next < gone.len() && gone.len() < 4096 {
        let op = gone[next];
        next += 1;
        for &value in &module.op(op).operands {
            let Some(definition) = module.defining_op(value) else { continue };
            let only_here = module
                .op(definition)
                .results
                .iter()
                .all(|result| uses[result.index()].iter().all(|place| gone.contains(&place.op)));
            if only_here && module.is_removable(definition) && !gone.contains(&definition) {
                gone.extend(module.walk_from(definition));
            }
        }
    }
    gone.len() as u32
}

/// Whether an operation still hangs in the tree.
fn is_linked(module: &Module, op: OpId) -> bool {
    let parent = module.op(op).parent;
    op == module.root()
        || parent.is_some_and(|block| {
            let region = module.region(module.block(block).region);
            module.block(block).ops.contains(&op) && region.blocks.contains(&block) && is_linked(module, region.parent)
        })
}

/// The operation of a site, and the number that came with it, if it still hangs in the tree.
fn linked(module: &Module, site: u64) -> Option<(OpId, u32)> {
    let (op, number) = unpair(site);
    is_linked(module, OpId(op)).then_some((OpId(op), number))
}

/// The operation that a site consists of, if it still hangs in the tree.
fn linked_op(module: &Module, site: u64) -> Option<OpId> {
    let op = OpId(site as u32);
    is_linked(module, op).then_some(op)
}

/// Functions that nothing calls.
fn free_functions(module: &Module) -> impl DoubleEndedIterator<Item = OpId> {
    module.functions().into_iter().filter(|&function| !module.is_called(function))
}

/// The blocks in the regions of an operation.
fn blocks_of(module: &Module, op: OpId) -> impl Iterator<Item = BlockId> {
    module.op(op).regions.iter().flat_map(|&region| &module.region(region).blocks).copied()
}

/// The layout of a type, and those that it is derived from.
fn layouts_of(interners: &Interners, ty: TypeId) -> impl Iterator<Item = AttrId> {
    std::iter::successors(interners.layout(ty), |&layout| interners.parent_layout(layout))
}

/// An attribute of type `i32`.
fn i32_attr(module: &mut Module, number: u64) -> AttrId {
    let ty = module.interners.integer("i32");
    module.interners.attr(Attr::Integer(number.to_string(), ty))
}

/// A gain that is large beyond reason counts as the largest.
fn gain(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

/// Operations that may be replaced or dropped: everything in functions but terminators.
fn body(module: &Module) -> Vec<OpId> {
    let ops = module.functions().into_iter().flat_map(|function| module.walk_from(function).into_iter().skip(1));
    ops.filter(|&op| !module.is_terminator(op)).collect()
}

/// Whether an operation stands in the region of a reduction or scan, which must compute from its own arguments.
fn in_combiner(module: &Module, op: OpId) -> bool {
    let combines = |&op: &OpId| {
        use OpKind::{TtElementwiseInlineAsm, TtMapElementwise, TtReduce, TtScan};
        matches!(module.kind(op), TtReduce | TtScan | TtMapElementwise | TtElementwiseInlineAsm)
    };
    let mut parents = std::iter::successors(module.parent_op(op), |&parent| module.parent_op(parent));
    parents.find(|op| combines(op) || module.has(*op, Trait::IsolatedFromAbove)).is_some_and(|op| combines(&op))
}

/// Replaces an operation's results, all of them, and takes it out.
fn substitute(module: &mut Module, op: OpId, by: &[ValueId]) {
    let map = module.op(op).results.iter().copied().zip(by.iter().copied()).collect();
    module.unlink(op);
    module.replace_many(&map);
}

/// Two small numbers in one site.
fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// The two numbers of a site made by [`pair`].
fn unpair(site: u64) -> (u32, u32) {
    ((site >> 32) as u32, site as u32)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ir::{PrintOptions, parse, print};

    /// The transformation of that name.
    pub fn named(name: &str) -> &'static Transformation {
        ALL.iter().find(|step| step.name == name).expect("a step has that name")
    }

    /// The text of a module after a step was applied at all of its sites at once.
    pub fn all_at_once(step: &str, text: &str) -> String {
        let step = named(step);
        let before = Candidate::new(parse(text).expect("a module"));
        assert_eq!(before.text(), text, "the module is written as it is printed");
        let sites = step.sites(&before);
        let after = step.apply(&before, &sites).expect("it applies");
        assert!(crate::oracle::judge(&after.module).is_valid(), "{}", after.text());
        print(&after.module, &PrintOptions::default())
    }
}
