//! Whether blocks, branches, regions, calls and returns fit together: what MLIR's verifier demands of an operation's
//! surroundings, whatever its operands mean.
//!
//! Three sources: MLIR's own verifier (terminators, successors, entry blocks; `mlir/lib/IR/Verifier.cpp`), its traits and
//! interfaces (`SingleBlock`, `HasParent`, `SymbolTable`, the operand types along every edge of control flow), and the
//! verifiers of `scf`, `cf` and `tt`. Only what is certain is reported: an operation without a row might be a terminator,
//! an unknown type might be the right one.

use rustc_hash::FxHashMap;
use std::fmt;
use tritonsmith_ir::table::flags;
use tritonsmith_ir::{Attr, BlockId, Module, OpId, Operation, RegionId, Type, TypeId, ValueId};

/// What is wrong with an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A block that must end with a terminator is empty or ends with something else.
    NoTerminator,
    /// A terminator, or an operation with successors, that is not the last of its block.
    MisplacedTerminator,
    /// A successor in another region.
    ForeignSuccessor,
    /// A successor that is the entry of its region.
    BranchToEntry,
    /// A region without a block where one is needed.
    EmptyRegion,
    /// A region with several blocks where one is allowed.
    SeveralBlocks,
    /// Another number of values than their destination takes.
    ValueCount,
    /// Another type than the value's destination has.
    ValueType,
    /// An operand whose type in the text is not that of the value.
    SpelledType,
    /// A terminator of another operation than the one around it, or a function that is not in a module.
    WrongParent,
    /// A terminator of another kind than the operation around it wants.
    WrongTerminator,
    /// A call of a function that does not exist.
    UnknownSymbol,
    /// Two symbols of one name.
    DuplicateSymbol,
}

/// Something that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Violation {
    /// What is wrong.
    pub kind: Kind,
    /// The operation that is wrong, or whose region is.
    pub op: OpId,
    /// One sentence, without the operation's name.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Terminators that belong to certain operations.
const PARENTS: &[(&str, &[&str])] = &[
    (
        "scf.yield",
        &["scf.for", "scf.if", "scf.while", "scf.execute_region", "scf.index_switch", "scf.parallel", "scf.forall"],
    ),
    ("scf.condition", &["scf.while"]),
    ("tt.return", &["tt.func"]),
    ("tt.reduce.return", &["tt.reduce"]),
    ("tt.scan.return", &["tt.scan"]),
    ("ttg.warp_yield", &["ttg.warp_specialize"]),
    ("ttg.warp_return", &["ttg.warp_specialize.partitions"]),
    ("ttg.warp_specialize.partitions", &["ttg.warp_specialize"]),
];

/// Operations whose regions have one block, and how many of their first regions must not be empty.
const SINGLE_BLOCK: &[(&str, usize)] =
    &[("builtin.module", 1), ("scf.for", 1), ("scf.if", 1), ("scf.while", 2), ("tt.reduce", 1), ("tt.scan", 1)];

/// Every violation: names defined twice, then what is wrong with operations in reading order, then wrong types in the text.
pub fn check(module: &Module) -> Vec<Violation> {
    let mut check = Check { module, rules: Vec::new(), symbols: FxHashMap::default(), violations: Vec::new() };
    check.collect_symbols();
    let mut stack = vec![module.root()];
    while let Some(id) = stack.pop() {
        let op = module.op(id);
        check.operation(id, op);
        for &region in op.regions.iter().rev() {
            for &block in module.region(region).blocks.iter().rev() {
                stack.extend(module.block(block).ops.iter().rev());
            }
        }
    }
    for &(place, _) in module.type_notes() {
        let message = format!("operand #{} is written with another type than it was defined with", place.operand);
        check.report(Kind::SpelledType, place.op, message);
    }
    check.violations
}

/// What holds for all operations of a name; looked up once a name, so that the walk compares no text.
#[derive(Clone, Copy)]
struct Rules {
    /// The flags of its row, if it has one.
    flags: Option<u16>,
    /// Its entry in [`PARENTS`].
    parents: Option<&'static [&'static str]>,
    /// Its entry in [`SINGLE_BLOCK`].
    single_block: Option<usize>,
    /// The check of its own.
    own: Option<fn(&mut Check<'_>, OpId)>,
}

impl Rules {
    fn new(module: &Module, op: OpId) -> Self {
        let name = module.op_name(op);
        Rules {
            flags: module.row(op).map(|row| row.row.flags),
            parents: PARENTS.iter().find(|(key, _)| *key == name).map(|(_, parents)| *parents),
            single_block: SINGLE_BLOCK.iter().find(|(key, _)| *key == name).map(|(_, count)| *count),
            own: rule(name),
        }
    }
}

fn rule(name: &str) -> Option<fn(&mut Check<'_>, OpId)> {
    Some(match name {
        "cf.br" => |check, op| check.branch(op),
        "cf.cond_br" => |check, op| check.conditional_branch(op),
        "scf.for" => |check, op| check.for_loop(op),
        "scf.if" => |check, op| check.if_branch(op),
        "scf.while" => |check, op| check.while_loop(op),
        "scf.execute_region" => |check, op| check.execute_region(op),
        "tt.func" => |check, op| check.function(op),
        "tt.return" => |check, op| check.function_return(op),
        "tt.call" => |check, op| check.call(op),
        "tt.reduce" | "tt.scan" => |check, op| check.combine(op),
        _ => return None,
    })
}

struct Check<'a> {
    module: &'a Module,
    /// By name of the operation, as far as met.
    rules: Vec<Option<Rules>>,
    /// Functions by the region whose symbols they are, and name.
    symbols: FxHashMap<(RegionId, &'a str), OpId>,
    violations: Vec<Violation>,
}

impl<'a> Check<'a> {
    fn report(&mut self, kind: Kind, op: OpId, message: impl Into<String>) {
        self.violations.push(Violation { kind, op, message: message.into() });
    }

    fn rules(&mut self, id: OpId, op: &Operation) -> Rules {
        let index = op.name.index();
        if let Some(Some(rules)) = self.rules.get(index) {
            return *rules;
        }
        let rules = Rules::new(self.module, id);
        self.rules.resize(self.rules.len().max(index + 1), None);
        self.rules[index] = Some(rules);
        rules
    }

    /// Symbols stand directly in modules, and modules in modules.
    fn collect_symbols(&mut self) {
        let module = self.module;
        let mut modules = vec![module.root()];
        while let Some(table) = modules.pop() {
            for &region in &module.op(table).regions {
                let blocks = &module.region(region).blocks;
                for &op in blocks.iter().flat_map(|&block| &module.block(block).ops) {
                    if module.has_flags(op, flags::GRAPH) {
                        modules.push(op);
                    }
                    if module.has_flags(op, flags::SYMBOL)
                        && let Some(name) = self.string(op, "sym_name")
                        && self.symbols.insert((region, name), op).is_some()
                    {
                        self.report(Kind::DuplicateSymbol, op, format!("the symbol `@{name}` is defined twice"));
                    }
                }
            }
        }
    }

    fn string(&self, op: OpId, name: &str) -> Option<&'a str> {
        match self.module.interners.attr_data(self.module.attribute(op, name)?) {
            Attr::String(text) | Attr::Symbol(text) => Some(text.trim_start_matches('@').trim_matches('"')),
            _ => None,
        }
    }

    fn operation(&mut self, id: OpId, op: &'a Operation) {
        let module = self.module;
        let rules = self.rules(id, op);
        if !op.successors.is_empty() || rules.flags.is_some_and(|flags| flags & flags::TERMINATOR != 0) {
            self.placement(id, op, rules);
        }
        let mut complete = true;
        for (index, &region) in op.regions.iter().enumerate() {
            let blocks = &module.region(region).blocks;
            if let Some(needed) = rules.single_block {
                if blocks.is_empty() && index < needed {
                    self.report(Kind::EmptyRegion, id, format!("region #{index} must have a block"));
                    complete = false;
                }
                if blocks.len() > 1 {
                    self.report(Kind::SeveralBlocks, id, format!("region #{index} may have one block only"));
                    complete = false;
                }
            }
            for &block in blocks {
                complete &= self.ends(id, rules, block, blocks.len());
            }
        }
        if complete && let Some(own) = rules.own {
            own(self, id);
        }
    }

    /// Where a terminator stands: at the end of a block of the right operation, with its successors beside it.
    fn placement(&mut self, id: OpId, op: &Operation, rules: Rules) {
        let module = self.module;
        let Some(block) = op.parent else { return };
        if module.block(block).ops.last() != Some(&id) {
            self.report(Kind::MisplacedTerminator, id, "a terminator must be the last operation of its block");
        }
        let region = module.block(block).region;
        for &successor in &op.successors {
            if module.block(successor).region != region {
                self.report(Kind::ForeignSuccessor, id, "branches to a block of a different region");
            } else if module.region(region).blocks.first() == Some(&successor) {
                self.report(Kind::BranchToEntry, id, "branches to the entry block of the region");
            }
        }
        let parent = module.region(region).parent;
        if let Some(parents) = rules.parents
            && !parents.contains(&module.op_name(parent))
            && module.row(parent).is_some()
        {
            self.report(Kind::WrongParent, id, format!("must be directly inside `{}`", parents.join("` or `")));
        }
    }

    /// Whether a block ends as the operation around it demands, as far as can be told.
    fn ends(&mut self, parent: OpId, rules: Rules, block: BlockId, blocks: usize) -> bool {
        let module = self.module;
        if rules.flags.map_or(blocks == 1, |flags| flags & flags::GRAPH != 0) {
            return true;
        }
        let Some(&last) = module.block(block).ops.last() else {
            self.report(Kind::NoTerminator, parent, "an empty block needs at least a terminator");
            return false;
        };
        let op = module.op(last);
        let flags = self.rules(last, op).flags;
        if !op.successors.is_empty() || flags.is_none_or(|flags| flags & flags::TERMINATOR != 0) {
            return true;
        }
        self.report(Kind::NoTerminator, last, "the last operation of the block is not a terminator");
        false
    }

    /// Compares values with the places that take them.
    fn flow(&mut self, op: OpId, what: &str, values: &[ValueId], takes: &[ValueId]) {
        let module = self.module;
        self.flow_types(op, what, values, takes.iter().map(|value| module.value(*value).ty));
    }

    fn flow_types(
        &mut self,
        op: OpId,
        what: &str,
        values: &[ValueId],
        takes: impl IntoIterator<Item = TypeId, IntoIter: ExactSizeIterator>,
    ) {
        let takes = takes.into_iter();
        if values.len() != takes.len() {
            let message = format!("{what}: {} values where {} are taken", values.len(), takes.len());
            self.report(Kind::ValueCount, op, message);
            return;
        }
        for (index, (value, takes)) in values.iter().zip(takes).enumerate() {
            let given = self.module.value(*value).ty;
            if given != takes && given != TypeId::UNKNOWN && takes != TypeId::UNKNOWN {
                self.report(Kind::ValueType, op, format!("{what}: value #{index} has another type than its place"));
            }
        }
    }

    fn branch(&mut self, op: OpId) {
        let module = self.module;
        if let [target] = module.op(op).successors[..] {
            self.flow(op, "branch", &module.op(op).operands, &module.block(target).arguments);
        }
    }

    fn conditional_branch(&mut self, op: OpId) {
        let module = self.module;
        let branch = module.op(op);
        let [on_true, on_false] = branch.successors[..] else { return };
        let Some(values) = branch.operands.get(1..) else { return };
        let takes = &module.block(on_true).arguments;
        let split = branch.segments.get(1).map_or(takes.len(), |&count| count as usize).min(values.len());
        self.flow(op, "branch if true", &values[..split], takes);
        self.flow(op, "branch if false", &values[split..], &module.block(on_false).arguments);
    }

    fn only_block(&self, op: OpId, region: usize) -> Option<BlockId> {
        let region = *self.module.op(op).regions.get(region)?;
        self.module.region(region).blocks.first().copied()
    }

    /// The terminator of a block if it has the wanted name; reports another name.
    fn terminator(&mut self, op: OpId, block: BlockId, wanted: &str) -> Option<OpId> {
        let last = self.module.terminator(block)?;
        if self.module.op_name(last) == wanted {
            return Some(last);
        }
        self.report(Kind::WrongTerminator, op, format!("its region must end with `{wanted}`"));
        None
    }

    fn yields(&mut self, op: OpId, region: usize, takes: &[ValueId]) {
        let Some(block) = self.only_block(op, region) else { return };
        if let Some(last) = self.terminator(op, block, "scf.yield") {
            let module = self.module;
            self.flow(last, "yield", &module.op(last).operands, takes);
        }
    }

    fn for_loop(&mut self, op: OpId) {
        let module = self.module;
        let loop_ = module.op(op);
        let Some(body) = self.only_block(op, 0) else { return };
        let [lower, _, _, inits @ ..] = &loop_.operands[..] else { return };
        let Some((counter, carried)) = module.block(body).arguments.split_first() else {
            self.report(Kind::ValueCount, op, "the body takes no induction variable");
            return;
        };
        self.flow(op, "bounds", &[*counter], &[*lower]);
        self.flow(op, "initial values", inits, carried);
        self.flow(op, "results", carried, &loop_.results);
        self.yields(op, 0, &loop_.results);
    }

    fn if_branch(&mut self, op: OpId) {
        let module = self.module;
        let results = &module.op(op).results;
        for region in 0..module.op(op).regions.len() {
            self.yields(op, region, results);
            if let Some(block) = self.only_block(op, region) {
                self.flow(op, "branch", &[], &module.block(block).arguments);
            }
        }
        if !results.is_empty() && self.only_block(op, 1).is_none() {
            self.report(Kind::EmptyRegion, op, "with results, it needs both branches");
        }
    }

    fn while_loop(&mut self, op: OpId) {
        let module = self.module;
        let loop_ = module.op(op);
        let (Some(before), Some(after)) = (self.only_block(op, 0), self.only_block(op, 1)) else { return };
        self.flow(op, "initial values", &loop_.operands, &module.block(before).arguments);
        if let Some(condition) = self.terminator(op, before, "scf.condition")
            && let Some(passed) = module.op(condition).operands.get(1..)
        {
            self.flow(condition, "condition", passed, &module.block(after).arguments);
            self.flow(condition, "condition", passed, &loop_.results);
        }
        self.yields(op, 1, &module.block(before).arguments);
    }

    fn execute_region(&mut self, op: OpId) {
        let module = self.module;
        let Some(entry) = self.only_block(op, 0) else {
            self.report(Kind::EmptyRegion, op, "region #0 must have a block");
            return;
        };
        self.flow(op, "entry", &[], &module.block(entry).arguments);
        for &block in &module.region(module.block(entry).region).blocks {
            if let Some(last) = module.terminator(block)
                && module.op_name(last) == "scf.yield"
            {
                self.flow(last, "yield", &module.op(last).operands, &module.op(op).results);
            }
        }
    }

    fn signature(&self, function: OpId) -> Option<(&'a [TypeId], &'a [TypeId])> {
        let attr = self.module.attribute(function, "function_type")?;
        let Attr::Type(ty) = self.module.interners.attr_data(attr) else { return None };
        match self.module.interners.type_data(*ty) {
            Type::Function { inputs, results } => Some((inputs, results)),
            _ => None,
        }
    }

    fn function(&mut self, op: OpId) {
        let module = self.module;
        if let Some(parent) = module.parent_op(op)
            && module.row(parent).is_some()
            && module.op_name(parent) != "builtin.module"
        {
            self.report(Kind::WrongParent, op, "a function must be directly inside a module");
        }
        let Some((inputs, _)) = self.signature(op) else { return };
        if let Some(entry) = self.only_block(op, 0) {
            self.flow_types(op, "arguments", &module.block(entry).arguments, inputs.iter().copied());
        }
    }

    fn function_return(&mut self, op: OpId) {
        let module = self.module;
        let Some((_, results)) = module.parent_op(op).and_then(|function| self.signature(function)) else { return };
        self.flow_types(op, "return", &module.op(op).operands, results.iter().copied());
    }

    fn call(&mut self, op: OpId) {
        let module = self.module;
        let Some(name) = self.string(op, "callee") else { return };
        let mut place = module.op(op).parent;
        let mut callee = None;
        while let Some(block) = place {
            let region = module.block(block).region;
            callee = self.symbols.get(&(region, name)).copied();
            if callee.is_some() || module.op_name(module.region(region).parent) == "builtin.module" {
                break;
            }
            place = module.op(module.region(region).parent).parent;
        }
        let Some(callee) = callee else {
            self.report(Kind::UnknownSymbol, op, format!("there is no function `@{name}`"));
            return;
        };
        let Some((inputs, results)) = self.signature(callee) else { return };
        self.flow_types(op, "call", &module.op(op).operands, inputs.iter().copied());
        self.flow_types(op, "results", &module.op(op).results, results.iter().copied());
    }

    /// `tt.reduce` and `tt.scan`: the region takes two elements of every operand and gives one.
    fn combine(&mut self, op: OpId) {
        let module = self.module;
        let Some(block) = self.only_block(op, 0) else { return };
        let elements: Vec<TypeId> = module.op(op).operands.iter().map(|value| self.element(*value)).collect();
        let twice: Vec<TypeId> = elements.iter().chain(&elements).copied().collect();
        self.flow_types(op, "region arguments", &module.block(block).arguments, twice);
        let wanted = if module.op_name(op) == "tt.reduce" { "tt.reduce.return" } else { "tt.scan.return" };
        if let Some(last) = self.terminator(op, block, wanted) {
            self.flow_types(last, "return", &module.op(last).operands, elements);
        }
    }

    fn element(&self, value: ValueId) -> TypeId {
        match self.module.type_of(value) {
            Type::Tensor { element, .. } => *element,
            _ => TypeId::UNKNOWN,
        }
    }
}
