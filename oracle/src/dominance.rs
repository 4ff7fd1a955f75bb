//! Whether every use sees its definition, by MLIR's rules.
//!
//! A module is a tree: operations have regions, regions blocks, blocks operations. A definition reaches a use when, going
//! up from the use to the region of the definition, one arrives at an operation that the definition stands before: in the
//! same block, or in a block that the definition's block dominates. An argument stands before everything in its block. Four
//! rules bend this:
//!
//! - The results of an operation are not visible inside its own regions.
//! - In a graph region (that of `builtin.module`) there is no order. Only a region with a single block can be one.
//! - A block that the region's entry does not reach may use anything, since it never runs. Regions nested in it are
//!   checked as usual from their own entries, and see every other block of the unreachable one's region.
//! - Nothing inside an operation that is isolated from above sees a value outside of it, in unreachable blocks either.
//!
//! Beside dominance this module reports names that are used and never defined, and names defined twice, which only text
//! can have. The rules are those of MLIR's language reference, section "SSA dominance and value scoping", and of the verifier
//! (`mlir/lib/IR/Dominance.cpp`, `mlir/lib/IR/Verifier.cpp`, the trait `IsIsolatedFromAbove`).
//!
//! [`check`] walks the module once. A value is visible without further thought while the block that defines it is open,
//! that is, while the walk is inside it; only what this does not settle is looked at by [`Dominance::judge`].

use super::dominators::Dominators;
use std::fmt;
use tritonsmith_ir::{BlockId, Definition, Module, OpId, OpKind, RegionId, Span, Syntax, Trait, Use, ValueId};

/// Why a definition does not reach a use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DominanceViolationKind {
    /// The use stands in the same block, before the definition or on it.
    BeforeDefinition,
    /// The definition is in a region of an operation beside the use or around it, which has ended or not begun.
    ChildRegion,
    /// Neither region contains the other.
    SiblingRegion,
    /// The definition is in a region around the use's, but later, or in a block that does not dominate the use's.
    ParentRegion,
    /// The use is inside a region of the very operation whose result it uses.
    OwnRegion,
    /// The definition is in another block of the same region, which does not dominate the use's.
    OtherBlock,
    /// An operation that is isolated from above stands between the use and the definition.
    Isolated,
    /// There is no definition.
    NeverDefined,
    /// The name was taken already.
    DefinedTwice,
}

impl fmt::Display for DominanceViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DominanceViolationKind::BeforeDefinition => "defined later in the same block",
            DominanceViolationKind::ChildRegion => "defined in a child region",
            DominanceViolationKind::SiblingRegion => "defined in a region that is neither around nor inside this one",
            DominanceViolationKind::ParentRegion => "defined in a parent region, where it does not dominate",
            DominanceViolationKind::OwnRegion => "a result of the operation around it",
            DominanceViolationKind::OtherBlock => "defined in a block that does not dominate this one",
            DominanceViolationKind::Isolated => "defined outside an operation that is isolated from above",
            DominanceViolationKind::NeverDefined => "never defined",
            DominanceViolationKind::DefinedTwice => "defined twice",
        })
    }
}

/// Where a violation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ViolationPlace {
    /// At an operand.
    Use(Use),
    /// At the second definition of a name.
    Definition(Span),
}

/// A use that its definition does not reach, or a name defined twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DominanceViolation {
    /// What is wrong.
    pub kind: DominanceViolationKind,
    /// The use, or the second definition.
    pub place: ViolationPlace,
    /// The value used, or defined first.
    pub value: ValueId,
}

impl DominanceViolation {
    /// Where the text is wrong: the operand, the operation's head if operands have no positions, or the second
    /// definition.
    pub fn span(&self, module: &Module) -> Span {
        match self.place {
            ViolationPlace::Use(place) => module.use_span(place).unwrap_or(module.op(place.op).span),
            ViolationPlace::Definition(span) => span,
        }
    }

    /// Where the value is defined, if it is and if the text has the place.
    pub fn definition_span(&self, module: &Module) -> Option<Span> {
        let value = module.value(self.value);
        let span = match value.definition {
            Definition::Missing => return None,
            Definition::Result(op, _) if value.span.is_empty() => module.op(op).span,
            Definition::Argument(block, _) if value.span.is_empty() => module.block(block).span,
            _ => value.span,
        };
        (!span.is_empty()).then_some(span)
    }
}

impl fmt::Display for DominanceViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.place) {
            (DominanceViolationKind::NeverDefined, ViolationPlace::Use(place)) => {
                write!(f, "operand #{} is never defined", place.operand)
            }
            (kind, ViolationPlace::Use(place)) => {
                write!(f, "operand #{} does not dominate this use: {kind}", place.operand)
            }
            (kind, ViolationPlace::Definition(_)) => write!(f, "value is {kind}"),
        }
    }
}

/// Every violation of dominance, in reading order; names defined twice come last.
pub fn check(module: &Module) -> Vec<DominanceViolation> {
    let mut walk = Walk::new(module);
    walk.run(module);
    let mut violations = walk.violations;
    violations.extend(module.redefinitions().iter().map(|&(value, second)| DominanceViolation {
        kind: DominanceViolationKind::DefinedTwice,
        place: ViolationPlace::Definition(second),
        value,
    }));
    violations
}

/// What is needed to say whether a value may be used at an operation: the order of operations in each block, and the
/// dominators of each region. It holds for the module as it was; after an edit make a new one.
#[derive(Debug, Clone)]
pub struct Dominance {
    /// Each operation's position in its block.
    order: Vec<u32>,
    dominators: Dominators,
}

impl Dominance {
    /// Looks at every linked operation.
    pub fn new(module: &Module) -> Self {
        let mut dominance = Dominance::empty(module);
        for op in module.walk() {
            for &region in &module.op(op).regions {
                dominance.add(module, region);
            }
        }
        dominance
    }

    fn empty(module: &Module) -> Self {
        Dominance { order: vec![0; module.op_count()], dominators: Dominators::new(module) }
    }

    fn add(&mut self, module: &Module, region: RegionId) {
        self.dominators.add(module, region);
        for &block in &module.region(region).blocks {
            for (position, op) in module.block(block).ops.iter().enumerate() {
                self.order[op.index()] = position as u32;
            }
        }
    }

    /// Which blocks dominate which.
    pub fn dominators(&self) -> &Dominators {
        &self.dominators
    }

    /// Whether an operation stands before another one of the same block.
    pub fn is_before(&self, a: OpId, b: OpId) -> bool {
        self.order[a.index()] < self.order[b.index()]
    }

    /// Whether `op` may use `value` as an operand.
    pub fn reaches(&self, module: &Module, value: ValueId, op: OpId) -> bool {
        self.judge(module, value, op).is_none()
    }

    /// What is wrong with `op` using `value` as an operand, if anything.
    pub fn judge(&self, module: &Module, value: ValueId, op: OpId) -> Option<DominanceViolationKind> {
        let Some(defined_in) = module.defining_block(value) else { return Some(DominanceViolationKind::NeverDefined) };
        let Some(used_in) = module.op(op).parent else { return Some(DominanceViolationKind::NeverDefined) };
        let unreachable = !self.dominators.is_reachable(used_in);
        match climb(module, op, used_in, module.block(defined_in).region) {
            Climb::Outside { .. } if !is_linked(module, defined_in) => Some(DominanceViolationKind::NeverDefined),
            Climb::Outside { isolated: Some(region) } if !inside(module, defined_in, region) => {
                Some(DominanceViolationKind::Isolated)
            }
            Climb::Outside { .. } if unreachable && self.is_named_later(module, value, defined_in, op) => None,
            Climb::Outside { .. } => {
                let child = inside(module, defined_in, module.block(used_in).region);
                Some(if child { DominanceViolationKind::ChildRegion } else { DominanceViolationKind::SiblingRegion })
            }
            Climb::Crossed => Some(DominanceViolationKind::Isolated),
            Climb::Reached(..) if unreachable => None,
            Climb::Reached(ancestor, block) if block == defined_in => {
                let Definition::Result(definition, _) = module.value(value).definition else { return None };
                let region = module.block(block).region;
                if self.order[definition.index()] < self.order[ancestor.index()] || is_graph(module, region) {
                    None
                } else if ancestor == op {
                    Some(DominanceViolationKind::BeforeDefinition)
                } else if ancestor == definition {
                    Some(DominanceViolationKind::OwnRegion)
                } else {
                    Some(DominanceViolationKind::ParentRegion)
                }
            }
            Climb::Reached(ancestor, block) => {
                if self.dominators.dominates(defined_in, block) {
                    None
                } else {
                    Some(if ancestor == op {
                        DominanceViolationKind::OtherBlock
                    } else {
                        DominanceViolationKind::ParentRegion
                    })
                }
            }
        }
    }
}

impl Dominance {
    /// Whether a use in an unreachable block, outside of the region of the definition, is bound by a name that the text has
    /// still to come to. A name whose region is closed binds nothing, and the arguments that a custom form names, such as
    /// a loop's, must be new there.
    fn is_named_later(&self, module: &Module, value: ValueId, defined_in: BlockId, used_at: OpId) -> bool {
        let block = module.block(defined_in);
        let region = module.region(block.region);
        let of_custom_form = matches!(module.value(value).definition, Definition::Argument(..))
            && region.blocks.first() == Some(&defined_in)
            && block.span.is_empty()
            && module.op(region.parent).syntax != Syntax::Generic;
        !of_custom_form && !self.is_closed_before(module, defined_in, used_at)
    }

    /// Whether the text closes the region of a definition before it comes to a use outside of that region.
    fn is_closed_before(&self, module: &Module, defined_in: BlockId, used_at: OpId) -> bool {
        let Some(used_in) = module.op(used_at).parent else { return false };
        let region_of = |block: BlockId| module.block(block).region;
        for (block, op) in places(module, used_at) {
            let mut holders = places(module, module.block_parent(defined_in));
            let Some((other_block, other)) = holders.find(|&(other, _)| region_of(other) == region_of(block)) else {
                continue;
            };
            if other_block != block {
                let blocks = &module.region(region_of(block)).blocks;
                return blocks.iter().find(|&&first| first == block || first == other_block) == Some(&other_block);
            }
            if other != op {
                return self.is_before(other, op);
            }
            let region_in = |block| ancestors(module, block).map(region_of).find(|&r| module.region(r).parent == op);
            return match (region_in(defined_in), region_in(used_in)) {
                (Some(a), Some(b)) => module.op(op).regions.iter().find(|&&first| first == a || first == b) == Some(&a),
                // The use is an operand of the operation that has the region. Names of the generic form are looked up when the
                // operation has been read, regions included, and those of most custom forms too.
                _ => {
                    module.op(op).syntax == Syntax::Generic
                        || !matches!(module.kind(op), OpKind::ScfIf | OpKind::ScfWhile)
                }
            };
        }
        false
    }
}

/// An operation and those around it, innermost first, each with its block.
fn places(module: &Module, op: OpId) -> impl Iterator<Item = (BlockId, OpId)> {
    let first = module.op(op).parent.map(|block| (block, op));
    std::iter::successors(first, |&(block, _)| {
        let parent = module.block_parent(block);
        module.op(parent).parent.map(|block| (block, parent))
    })
}

/// What one meets on the way up from a use to the region of a definition.
enum Climb {
    /// The operation in that region that is the use or contains it, and its block.
    Reached(OpId, BlockId),
    /// The region, but beyond an operation that is isolated from above.
    Crossed,
    /// The root: the definition's region is not around the use.
    Outside {
        /// The innermost region around the use that belongs to an isolated operation.
        isolated: Option<RegionId>,
    },
}

fn climb(module: &Module, mut op: OpId, mut block: BlockId, target: RegionId) -> Climb {
    let mut isolated = None;
    loop {
        let region = module.block(block).region;
        if region == target {
            return if isolated.is_some() { Climb::Crossed } else { Climb::Reached(op, block) };
        }
        op = module.region(region).parent;
        if isolated.is_none() && is_isolated(module, op) {
            isolated = Some(region);
        }
        match module.op(op).parent {
            Some(parent) => block = parent,
            None => return Climb::Outside { isolated },
        }
    }
}

/// A block and the blocks around it, innermost first.
fn ancestors(module: &Module, block: BlockId) -> impl Iterator<Item = BlockId> {
    std::iter::successors(Some(block), |&block| module.op(module.block_parent(block)).parent)
}

fn inside(module: &Module, block: BlockId, region: RegionId) -> bool {
    ancestors(module, block).any(|block| module.block(block).region == region)
}

fn is_linked(module: &Module, block: BlockId) -> bool {
    ancestors(module, block).any(|block| module.block_parent(block) == module.root())
}

/// By its definition; without one, functions and modules of other dialects are known by their names.
fn is_isolated(module: &Module, op: OpId) -> bool {
    match module.def(op) {
        Some(def) => def.has(Trait::IsolatedFromAbove),
        None => module.op_name(op).ends_with(".func") || module.op_name(op).ends_with(".module"),
    }
}

fn is_graph(module: &Module, region: RegionId) -> bool {
    let region = module.region(region);
    region.blocks.len() == 1 && module.has(region.parent, Trait::HasOnlyGraphRegion)
}

/// The walk of [`check`].
struct Walk {
    dominance: Dominance,
    /// Which block defines each value that the walk has passed; `module.block_count()`, a block that is never open, for
    /// the others.
    defined_in: Vec<u32>,
    /// For every block that the walk is inside of, the number of the isolated operation around it; 0 for other blocks.
    open: Vec<u32>,
    violations: Vec<DominanceViolation>,
}

enum WalkStep {
    Region(RegionId),
    /// The operations of a block from that position on.
    Operations(BlockId, usize),
    /// The end of an operation with regions.
    Leave(OpId),
}

impl Walk {
    fn new(module: &Module) -> Self {
        let blocks = module.block_count();
        Walk {
            dominance: Dominance::empty(module),
            defined_in: vec![blocks as u32; module.value_count()],
            open: vec![0; blocks + 1],
            violations: Vec::new(),
        }
    }

    fn run(&mut self, module: &Module) {
        // Isolated operations around the present place, by numbers in order of appearance.
        let mut isolation = vec![1];
        let mut isolated_operations = 1;
        let mut steps: Vec<WalkStep> =
            module.op(module.root()).regions.iter().rev().map(|&r| WalkStep::Region(r)).collect();
        while let Some(step) = steps.pop() {
            let current = isolation.last().copied().unwrap_or(1);
            match step {
                WalkStep::Region(region) => {
                    self.dominance.add(module, region);
                    steps.extend(module.region(region).blocks.iter().rev().map(|&b| WalkStep::Operations(b, 0)));
                }
                WalkStep::Operations(block, from) => {
                    if from == 0 {
                        self.open[block.index()] = current;
                        self.define(&module.block(block).arguments, block);
                    }
                    match self.operations(module, block, from, current) {
                        None => self.open[block.index()] = 0,
                        Some(next) => {
                            let op = module.block(block).ops[next];
                            if is_isolated(module, op) {
                                isolated_operations += 1;
                                isolation.push(isolated_operations);
                            }
                            steps.push(WalkStep::Operations(block, next + 1));
                            steps.push(WalkStep::Leave(op));
                            steps.extend(module.op(op).regions.iter().rev().map(|&r| WalkStep::Region(r)));
                        }
                    }
                }
                WalkStep::Leave(op) => {
                    if is_isolated(module, op) {
                        isolation.pop();
                    }
                    if let Some(block) = module.op(op).parent {
                        self.define(&module.op(op).results, block);
                    }
                }
            }
        }
    }

    /// Checks operations up to and including the next one that has regions, whose position it returns.
    fn operations(&mut self, module: &Module, block: BlockId, from: usize, isolation: u32) -> Option<usize> {
        for (position, &id) in module.block(block).ops.iter().enumerate().skip(from) {
            let op = module.op(id);
            for (operand, &value) in op.operands.iter().enumerate() {
                let defined_in = self.defined_in[value.index()];
                if self.open[defined_in as usize] == isolation {
                    continue;
                }
                if let Some(kind) = self.dominance.judge(module, value, id) {
                    let place = ViolationPlace::Use(Use { op: id, operand: operand as u32 });
                    self.violations.push(DominanceViolation { kind, place, value });
                }
            }
            if !op.regions.is_empty() {
                return Some(position);
            }
            self.define(&op.results, block);
        }
        None
    }

    fn define(&mut self, values: &[ValueId], block: BlockId) {
        for value in values {
            self.defined_in[value.index()] = block.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tritonsmith_ir::{ParseOptions, parse_with};

    fn read(text: &str) -> Module {
        parse_with(text, ParseOptions { spans: true }).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
    }

    fn kinds(body: &str) -> Vec<DominanceViolationKind> {
        let text = format!("module {{\n  tt.func @f(%a: i32, %c: i1) {{\n{body}\n    tt.return\n  }}\n}}\n");
        check(&read(&text)).into_iter().map(|violation| violation.kind).collect()
    }

    #[test]
    fn a_definition_reaches_what_follows_it_and_regions_of_what_follows_it() {
        assert_eq!(
            kinds(
                "    %x = arith.addi %a, %a : i32
                 %y = arith.addi %x, %a : i32
                 scf.if %c {
                   %z = arith.addi %x, %y : i32
                 }"
            ),
            []
        );
    }

    #[test]
    fn a_block_sees_the_blocks_that_dominate_it() {
        let diamond = |used: &str| {
            kinds(&format!(
                "    %x = arith.addi %a, %a : i32
                     cf.cond_br %c, ^bb1, ^bb2
                   ^bb1:
                     %y = arith.addi %x, %a : i32
                     cf.br ^bb3(%y : i32)
                   ^bb2:
                     cf.br ^bb3(%x : i32)
                   ^bb3(%p: i32):
                     %z = arith.addi %{used}, %p : i32"
            ))
        };
        assert_eq!(diamond("x"), []);
        assert_eq!(diamond("y"), [DominanceViolationKind::OtherBlock]);
    }

    #[test]
    fn an_unreachable_block_may_use_what_does_not_reach_it_but_lends_nothing() {
        let cut = |used: &str, dead: &str| {
            kinds(&format!(
                "    %x = arith.addi %{used}, %a : i32
                     tt.return
                   ^bb1:
                     %y = arith.addi %{dead}, %a : i32
                     %z = arith.addi %a, %a : i32
                     cf.br ^bb2
                   ^bb2:"
            ))
        };
        assert_eq!(cut("a", "z"), []);
        assert_eq!(cut("a", "y"), []);
        assert_eq!(cut("z", "a"), [DominanceViolationKind::OtherBlock]);
        assert_eq!(cut("a", "nowhere"), [DominanceViolationKind::NeverDefined]);
    }

    #[test]
    fn a_region_in_an_unreachable_block_keeps_the_order_of_its_block() {
        let nested = |used: &str| {
            kinds(&format!(
                "    tt.return
                   ^bb1:
                     scf.if %c {{
                       %x = arith.addi %{used}, %a : i32
                     }}
                     %y = arith.addi %a, %a : i32
                     cf.br ^bb2
                   ^bb2:
                     %z = arith.addi %a, %a : i32"
            ))
        };
        assert_eq!(nested("y"), [DominanceViolationKind::ParentRegion]);
        assert_eq!(nested("z"), []);
    }

    #[test]
    fn an_unreachable_block_is_bound_by_names_still_to_come_as_far_as_text_goes() {
        let nested = |used: &str, nested: &str| {
            kinds(&format!("    tt.return\n  ^bb1:\n    %x = arith.addi %{used}, %a : i32\n{nested}"))
        };
        assert_eq!(nested("y", "    scf.if %c {\n      %y = arith.addi %a, %a : i32\n    }"), []);
        let argument = "    scf.for %i = %a to %a step %a : i32 {\n    }";
        assert_eq!(nested("i", argument), [DominanceViolationKind::ChildRegion]);
        let closed = "    scf.if %c {\n      %y = arith.addi %a, %a : i32\n    }\n    %z = arith.addi %y, %a : i32";
        assert_eq!(nested("a", closed), [DominanceViolationKind::ChildRegion]);
    }

    #[test]
    fn an_operation_does_not_see_its_own_results() {
        assert_eq!(kinds("    %x = arith.addi %x, %a : i32"), [DominanceViolationKind::BeforeDefinition]);
        let inside = "    %x = scf.if %c -> (i32) {\n scf.yield %x : i32\n } else {\n scf.yield %a : i32\n }";
        assert_eq!(kinds(inside), [DominanceViolationKind::OwnRegion]);
    }

    #[test]
    fn a_graph_region_has_no_order() {
        let module = read("module {\n  %x = arith.addi %y, %x : i32\n  %y = arith.constant 1 : i32\n}\n");
        assert_eq!(check(&module), []);
    }

    #[test]
    fn an_isolated_operation_sees_nothing_from_outside() {
        let module = read(
            "module {
               %x = arith.constant 1 : i32
               tt.func @f(%a: i32) {
                 tt.return
               ^bb1:
                 %y = arith.addi %x, %b : i32
                 tt.return
               }
               tt.func @g(%b: i32) {
                 tt.return
               }
             }",
        );
        let kinds: Vec<_> = check(&module).into_iter().map(|violation| violation.kind).collect();
        assert_eq!(kinds, [DominanceViolationKind::Isolated, DominanceViolationKind::Isolated]);
    }

    #[test]
    fn a_violation_points_at_both_places() {
        let text = "module {\n  tt.func @f(%a: i32) {\n    %x = arith.addi %a, %y : i32\n    %y = arith.addi %a, %a : \
                    i32\n    tt.return\n  }\n}\n";
        let module = read(text);
        let [violation] = check(&module)[..] else { panic!("one violation") };
        assert_eq!(violation.to_string(), "operand #1 does not dominate this use: defined later in the same block");
        let at = |span: Span| &text[span.start as usize..span.end as usize];
        assert_eq!(at(violation.span(&module)), "%y");
        assert_eq!(violation.definition_span(&module).map(at), Some("%y"));
        let starts = violation.definition_span(&module).map(|span| span.start);
        assert!(starts > Some(violation.span(&module).start), "the definition comes later");
    }
}
