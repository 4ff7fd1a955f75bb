//! Random trees of regions and control-flow graphs, with the textbook definition of dominance beside them.
//!
//! A [`Tree`] is made from bytes (so that proptest can shrink it), knows by enumeration which value reaches which use, and
//! prints itself as text that MLIR parses. It shares no code with the oracle: no dominator tree, no walk, no ids.

use crate::ir::OpKind;
use std::cmp::Ordering;
use std::fmt::Write;

/// Draws numbers from bytes; when they run out, every draw is 0.
struct ByteSource<'a>(std::slice::Iter<'a, u8>);

impl ByteSource<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let byte = self.0.next().copied().unwrap_or(0) as usize;
        if bound > 256 {
            (byte << 8 | self.0.next().copied().unwrap_or(0) as usize) % bound
        } else {
            byte % bound.max(1)
        }
    }

    fn chance(&mut self, in_16: usize) -> bool {
        self.below(16) < in_16
    }
}

/// A step on the path from the root to an operation: the region, the block, the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PathStep {
    region: usize,
    block: usize,
    /// Position in the block; -1 for arguments.
    position: isize,
}

type TreePath = Vec<PathStep>;

#[derive(Debug)]
struct TreeRegion {
    graph: bool,
    isolated: bool,
    /// Successors of each block.
    edges: Vec<Vec<usize>>,
}

#[derive(Debug)]
enum Node {
    Constant,
    Add,
    /// `scf.execute_region`: several blocks, one result.
    Execute(Body),
    /// `scf.if` with two branches and one result.
    If(Body, Body),
    Function(Body),
    Module(Body),
    Branch,
    /// `tt.return` or `scf.yield`.
    Exit(OpKind),
}

#[derive(Debug)]
struct Body {
    region: usize,
    blocks: Vec<TreeBlock>,
}

#[derive(Debug)]
struct TreeBlock {
    arguments: Vec<usize>,
    ops: Vec<Op>,
}

#[derive(Debug)]
struct Op {
    node: Node,
    result: Option<usize>,
    /// Indices of its uses in [`Tree::uses`].
    uses: std::ops::Range<usize>,
}

/// A random module.
#[derive(Debug)]
pub struct Tree {
    root: Body,
    regions: Vec<TreeRegion>,
    /// Where each value is defined.
    definitions: Vec<TreePath>,
    /// Where each use is, and of what.
    uses: Vec<(TreePath, usize)>,
}

impl Tree {
    /// Makes a tree from bytes. About half of the trees are valid.
    pub fn new(bytes: &[u8]) -> Tree {
        let mut maker = Maker {
            source: ByteSource(bytes.iter()),
            place: Vec::new(),
            room: 40,
            tree: Tree {
                root: Body { region: 0, blocks: Vec::new() },
                regions: Vec::new(),
                definitions: Vec::new(),
                uses: Vec::new(),
            },
        };
        let root = maker.module();
        maker.tree.root = root;
        maker.fill();
        maker.tree
    }

    /// Number of uses that their definitions do not reach.
    pub fn violations(&self) -> usize {
        self.uses.iter().filter(|(place, value)| !self.reaches(*value, place)).count()
    }

    /// The definition of dominance, with MLIR's rules for regions.
    fn reaches(&self, value: usize, place: &TreePath) -> bool {
        let definition = &self.definitions[value];
        let Some(here) = place.last() else { return false };
        let unreachable = !self.leads_to(here.region, here.block, None);
        let depth = definition.len() - 1;
        let defined = definition[depth];
        let shared = place.iter().zip(definition).take_while(|(a, b)| a.region == b.region).count();
        let isolated_below = |depth: usize| place[depth..].iter().any(|step| self.regions[step.region].isolated);
        if isolated_below(shared) {
            return false;
        }
        if shared <= depth {
            // The definition's region does not enclose the use. An unreachable block may use it unless its region is isolated.
            let (there, here) = (definition[shared - 1], place[shared - 1]);
            let inside_same = there.block == here.block && there.position == here.position;
            let order = match (inside_same, place.get(shared)) {
                (false, _) => (there.block, there.position).cmp(&(here.block, here.position)),
                (true, Some(inner)) => definition[shared].region.cmp(&inner.region),
                // An operand of the operation around the definition: the generic form resolves it after the regions.
                (true, None) => Ordering::Less,
            };
            return unreachable && order.is_ge();
        }
        let used = place[depth];
        if unreachable || self.regions[defined.region].graph {
            return true;
        }
        if defined.block == used.block {
            return defined.position < used.position;
        }
        !self.leads_to(defined.region, used.block, Some(defined.block))
    }

    /// Whether a path leads from the entry of a region to a block, avoiding the block `without`.
    fn leads_to(&self, region: usize, block: usize, without: Option<usize>) -> bool {
        let edges = &self.regions[region].edges;
        let mut seen = vec![false; edges.len()];
        let mut stack = vec![0];
        while let Some(next) = stack.pop() {
            if Some(next) != without && !std::mem::replace(&mut seen[next], true) {
                stack.extend(&edges[next]);
            }
        }
        seen[block]
    }

    /// The module in generic form.
    pub fn text(&self) -> String {
        let mut text = String::from("\"builtin.module\"() (");
        self.print_body(&self.root, 1, &mut text);
        text.push_str(") : () -> ()\n");
        text
    }

    fn print_body(&self, body: &Body, depth: usize, text: &mut String) {
        text.push_str("{\n");
        for (index, block) in body.blocks.iter().enumerate() {
            if index > 0 || !block.arguments.is_empty() || block.ops.is_empty() {
                let arguments: Vec<String> = block.arguments.iter().map(|value| format!("%v{value}: i1")).collect();
                let arguments =
                    if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
                let _ = writeln!(text, "{:1$}^b{2}_{index}{arguments}:", "", depth * 2 - 1, body.region);
            }
            for op in &block.ops {
                self.print_op(op, body, index, depth, text);
            }
        }
        let _ = write!(text, "{:1$}}}", "", depth * 2 - 2);
    }

    fn print_op(&self, op: &Op, body: &Body, block: usize, depth: usize, text: &mut String) {
        let _ = write!(text, "{:1$}", "", depth * 2);
        if let Some(result) = op.result {
            let _ = write!(text, "%v{result} = ");
        }
        let operands: Vec<String> = op.uses.clone().map(|index| format!("%v{}", self.uses[index].1)).collect();
        let types = vec!["i1"; operands.len()].join(", ");
        let operands = operands.join(", ");
        let _ = match &op.node {
            Node::Constant => write!(text, "\"arith.constant\"() <{{value = true}}> : () -> i1"),
            Node::Add => write!(text, "\"arith.addi\"({operands}) : (i1, i1) -> i1"),
            Node::Exit(kind) => write!(text, "\"{}\"({operands}) : ({types}) -> ()", kind.name()),
            Node::Branch => {
                let targets = &self.regions[body.region].edges[block];
                let labels: Vec<String> = targets.iter().map(|target| format!("^b{}_{target}", body.region)).collect();
                let takes: Vec<String> =
                    targets.iter().map(|target| body.blocks[*target].arguments.len().to_string()).collect();
                let labels = labels.join(", ");
                match targets.len() {
                    1 => write!(text, "\"cf.br\"({operands})[{labels}] : ({types}) -> ()"),
                    _ => write!(
                        text,
                        "\"cf.cond_br\"({operands})[{labels}] <{{operandSegmentSizes = array<i32: 1, {}>}}> : ({types}) -> ()",
                        takes.join(", ")
                    ),
                }
            }
            Node::Execute(inner) => {
                text.push_str("\"scf.execute_region\"() (");
                self.print_body(inner, depth + 1, text);
                write!(text, ") : () -> i1")
            }
            Node::If(yes, no) => {
                let _ = write!(text, "\"scf.if\"({operands}) (");
                self.print_body(yes, depth + 1, text);
                text.push_str(", ");
                self.print_body(no, depth + 1, text);
                write!(text, ") : (i1) -> i1")
            }
            Node::Module(inner) => {
                text.push_str("\"builtin.module\"() (");
                self.print_body(inner, depth + 1, text);
                write!(text, ") : () -> ()")
            }
            Node::Function(inner) => {
                let _ = write!(
                    text,
                    "\"tt.func\"() <{{function_type = (i1, i1) -> (), sym_name = \"f{}\"}}> (",
                    inner.region
                );
                self.print_body(inner, depth + 1, text);
                write!(text, ") : () -> ()")
            }
        };
        text.push('\n');
    }
}

struct Maker<'a> {
    source: ByteSource<'a>,
    place: TreePath,
    /// Number of operations that may still be made.
    room: usize,
    tree: Tree,
}

impl Maker<'_> {
    fn value(&mut self, place: TreePath) -> usize {
        self.tree.definitions.push(place);
        self.tree.definitions.len() - 1
    }

    fn op(&mut self, node: impl FnOnce(&mut Self) -> Node, operands: usize, result: bool) -> Op {
        self.room = self.room.saturating_sub(1);
        let first = self.tree.uses.len();
        for _ in 0..operands {
            self.tree.uses.push((self.place.clone(), 0));
        }
        let node = node(self);
        let result = result.then(|| self.value(self.place.clone()));
        Op { node, result, uses: first..first + operands }
    }

    /// A region with `blocks` blocks, each with random operations and, unless it is a graph region, a terminator.
    fn body(&mut self, blocks: usize, entry_arguments: usize, exit: Option<(OpKind, usize)>, isolated: bool) -> Body {
        let region = self.tree.regions.len();
        self.tree.regions.push(TreeRegion { graph: exit.is_none(), isolated, edges: vec![Vec::new(); blocks] });
        let mut body = Body { region, blocks: Vec::new() };
        for block in 0..blocks {
            self.place.push(PathStep { region, block, position: -1 });
            let count = if block == 0 { entry_arguments } else { self.source.below(3) };
            let arguments = (0..count).map(|_| self.value(self.place.clone())).collect();
            self.place.pop();
            body.blocks.push(TreeBlock { arguments, ops: Vec::new() });
        }
        for block in 0..blocks {
            self.place.push(PathStep { region, block, position: 0 });
            let count = self.source.below(5);
            let mut ops = Vec::new();
            for _ in 0..count {
                ops.push(self.operation(exit.is_none()));
                self.advance();
            }
            if let Some((name, values)) = exit {
                let successors = if blocks == 1 { 0 } else { self.source.below(3) };
                let edges: Vec<usize> = (0..successors).map(|_| 1 + self.source.below(blocks - 1)).collect();
                let takes: usize = edges.iter().map(|&target| body.blocks[target].arguments.len()).sum();
                self.tree.regions[region].edges[block] = edges;
                ops.push(match successors {
                    0 => self.op(|_| Node::Exit(name), values, false),
                    1 => self.op(|_| Node::Branch, takes, false),
                    _ => self.op(|_| Node::Branch, takes + 1, false),
                });
            }
            body.blocks[block].ops = ops;
            self.place.pop();
        }
        body
    }

    fn advance(&mut self) {
        if let Some(step) = self.place.last_mut() {
            step.position += 1;
        }
    }

    fn operation(&mut self, in_module: bool) -> Op {
        let choice = if self.room == 0 { 0 } else { self.source.below(16) };
        match choice {
            8..=13 if in_module => self.op(Self::function, 0, false),
            9..=11 => self.op(
                |maker| {
                    let blocks = 1 + maker.source.below(5);
                    Node::Execute(maker.body(blocks, 0, Some((OpKind::ScfYield, 1)), false))
                },
                0,
                true,
            ),
            12..=14 => self.op(
                |maker| {
                    let yes = maker.body(1, 0, Some((OpKind::ScfYield, 1)), false);
                    Node::If(yes, maker.body(1, 0, Some((OpKind::ScfYield, 1)), false))
                },
                1,
                true,
            ),
            15 => self.op(|maker| Node::Module(maker.module()), 0, false),
            0..=1 => self.op(|_| Node::Constant, 0, true),
            _ => self.op(|_| Node::Add, 2, true),
        }
    }

    fn function(&mut self) -> Node {
        let blocks = 1 + self.source.below(8);
        Node::Function(self.body(blocks, 2, Some((OpKind::TtReturn, 0)), true))
    }

    fn module(&mut self) -> Body {
        self.body(1, 0, None, true)
    }

    /// Gives every use a value that reaches it, then breaks some.
    fn fill(&mut self) {
        let values = self.tree.definitions.len();
        for index in 0..self.tree.uses.len() {
            let start = self.source.below(values);
            let place = self.tree.uses[index].0.clone();
            let visible = (0..values).map(|offset| (start + offset) % values.max(1));
            let visible = visible.into_iter().find(|&value| self.tree.reaches(value, &place));
            self.tree.uses[index].1 = visible.unwrap_or(start);
        }
        if !self.tree.uses.is_empty() && self.source.chance(12) {
            for _ in 0..=self.source.below(2) {
                let index = self.source.below(self.tree.uses.len());
                self.tree.uses[index].1 = self.source.below(values);
            }
        }
    }
}
