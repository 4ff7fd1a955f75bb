//! Whether blocks, branches, regions, calls and returns fit together: what MLIR's verifier demands of an operation's
//! surroundings, whatever its operands mean.
//!
//! Three sources: MLIR's own verifier (terminators, successors, entry blocks; `mlir/lib/IR/Verifier.cpp`), the traits,
//! regions and edges of operation definitions ([`tritonsmith_ir::ods`]), and the verifiers of functions, calls, reductions
//! and scans. Only what is certain is reported: an unregistered operation might be a terminator, an unknown type might be
//! the right one.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::fmt;
use tritonsmith_ir::ods::{EdgeSource, EdgeTarget, RegionSize, TypeTrait};
use tritonsmith_ir::{Attr, BlockId, Module, OpDef, OpId, OpKind, RegionId, Trait, Type, TypeId, ValueId};

/// What is wrong with an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StructureViolationKind {
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
    /// An operand or result whose type is not the one that follows from others.
    TypeRelation,
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
pub struct StructureViolation {
    /// What is wrong.
    pub kind: StructureViolationKind,
    /// The operation that is wrong, or whose region is.
    pub op: OpId,
    /// One sentence, without the operation's name.
    pub message: String,
}

impl fmt::Display for StructureViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Every violation: names defined twice, then what is wrong with operations in reading order, then wrong types in the text.
pub fn check(module: &Module) -> Vec<StructureViolation> {
    let mut check = Verifier { module, symbols: FxHashMap::default(), violations: Vec::new() };
    check.collect_symbols();
    for op in module.walk() {
        check.operation(op);
    }
    for &(place, _) in module.type_notes() {
        let message = format!("operand #{} is written with another type than it was defined with", place.operand);
        check.report(StructureViolationKind::SpelledType, place.op, message);
    }
    check.violations
}

struct Verifier<'a> {
    module: &'a Module,
    /// Functions by the region whose symbols they are, and name.
    symbols: FxHashMap<(RegionId, &'a str), OpId>,
    violations: Vec<StructureViolation>,
}

impl<'a> Verifier<'a> {
    fn report(&mut self, kind: StructureViolationKind, op: OpId, message: impl Into<String>) {
        self.violations.push(StructureViolation { kind, op, message: message.into() });
    }

    /// Symbols are directly in modules, and modules in modules.
    fn collect_symbols(&mut self) {
        let module = self.module;
        let mut modules = vec![module.root()];
        while let Some(table) = modules.pop() {
            for &region in &module.op(table).regions {
                let blocks = &module.region(region).blocks;
                for &op in blocks.iter().flat_map(|&block| &module.block(block).ops) {
                    if module.has(op, Trait::SymbolTable) {
                        modules.push(op);
                    }
                    if module.has(op, Trait::Symbol)
                        && let Some(name) = self.string(op, "sym_name")
                        && self.symbols.insert((region, name), op).is_some()
                    {
                        self.report(
                            StructureViolationKind::DuplicateSymbol,
                            op,
                            format!("the symbol `@{name}` is defined twice"),
                        );
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

    fn operation(&mut self, id: OpId) {
        let module = self.module;
        let (op, def) = (module.op(id), module.def(id));
        if !op.successors.is_empty() || def.is_some_and(|def| def.has(Trait::Terminator)) {
            self.placement(id);
        }
        if let Some(def) = def.filter(|def| !def.parents.is_empty()) {
            self.parent(id, def);
        }
        let mut complete = true;
        for (index, &region) in op.regions.iter().enumerate() {
            let blocks = &module.region(region).blocks;
            let size = def.and_then(|def| def.region(index)).map_or(RegionSize::Any, |region| region.size);
            if blocks.is_empty() && matches!(size, RegionSize::One | RegionSize::AtLeastOne) {
                self.report(StructureViolationKind::EmptyRegion, id, format!("region #{index} must have a block"));
                complete = false;
            }
            if blocks.len() > 1 && matches!(size, RegionSize::One | RegionSize::AtMostOne) {
                self.report(
                    StructureViolationKind::SeveralBlocks,
                    id,
                    format!("region #{index} may have one block only"),
                );
                complete = false;
            }
            for &block in blocks {
                complete &= self.ends(id, def, block, blocks.len());
            }
        }
        let Some(def) = def.filter(|_| complete) else { return };
        if !def.regions.is_empty() {
            self.terminators(id, def);
        }
        if !def.edges.is_empty() || def.kind == OpKind::TtgWarpSpecializePartitions {
            self.edges(id, def);
        }
        self.types(id, def);
        match def.kind {
            OpKind::TtReduce | OpKind::TtScan => self.combine(id),
            _ if def.has(Trait::FunctionOpInterface) => self.function(id),
            _ if def.has(Trait::ReturnLike) => self.function_return(id),
            _ if def.has(Trait::CallOpInterface) => self.call(id),
            _ => {}
        }
    }

    /// A terminator is at the end of a block, with its successors beside it.
    fn placement(&mut self, id: OpId) {
        let module = self.module;
        let op = module.op(id);
        let Some(block) = op.parent else { return };
        if module.block(block).ops.last() != Some(&id) {
            self.report(
                StructureViolationKind::MisplacedTerminator,
                id,
                "a terminator must be the last operation of its block",
            );
        }
        let region = module.block(block).region;
        for &successor in &op.successors {
            if module.block(successor).region != region {
                self.report(StructureViolationKind::ForeignSuccessor, id, "branches to a block of a different region");
            } else if module.region(region).blocks.first() == Some(&successor) {
                self.report(StructureViolationKind::BranchToEntry, id, "branches to the entry block of the region");
            }
        }
    }

    /// `HasParent` and `ParentOneOf`.
    fn parent(&mut self, id: OpId, def: &OpDef) {
        let Some(parent) = self.module.parent_op(id).and_then(|parent| self.module.def(parent)) else { return };
        if !def.parents.contains(&parent.name) {
            self.report(
                StructureViolationKind::WrongParent,
                id,
                format!("must be directly inside `{}`", def.parents.join("` or `")),
            );
        }
    }

    /// Whether a block ends as the operation around it demands, as far as can be told.
    fn ends(&mut self, parent: OpId, def: Option<&OpDef>, block: BlockId, blocks: usize) -> bool {
        let module = self.module;
        if def.map_or(blocks == 1, |def| def.has(Trait::HasOnlyGraphRegion)) {
            return true;
        }
        let Some(&last) = module.block(block).ops.last() else {
            self.report(StructureViolationKind::NoTerminator, parent, "an empty block needs at least a terminator");
            return false;
        };
        if module.is_terminator(last) || module.kind(last) == OpKind::Unregistered {
            return true;
        }
        self.report(StructureViolationKind::NoTerminator, last, "the last operation of the block is not a terminator");
        false
    }

    /// What the blocks of a region end with, where that is one operation.
    fn terminators(&mut self, id: OpId, def: &OpDef) {
        for index in 0..self.module.op(id).regions.len() {
            let Some(wanted) = def.region(index).and_then(|region| region.terminator) else { continue };
            for last in self.module.region_terminators(id, index) {
                if self.module.kind(last).name() != wanted {
                    self.report(
                        StructureViolationKind::WrongTerminator,
                        id,
                        format!("its region must end with `{wanted}`"),
                    );
                }
            }
        }
    }

    /// What control forwards fits what receives it.
    fn edges(&mut self, id: OpId, def: &'static OpDef) {
        let module = self.module;
        let mut wrong: Option<OpId> = None;
        for flow in module.flow_edges(id) {
            let (from, wanted) = match flow.edge.from {
                EdgeSource::Nothing => ("nothing", None),
                EdgeSource::Operand(index) => (def.operands[index].name, None),
                EdgeSource::Region(index) => ("operands", def.region(index).and_then(|region| region.terminator)),
            };
            // Another terminator is reported as such, and an unregistered one may forward anything.
            let last = module.kind(flow.at);
            if flow.at != id && (last == OpKind::Unregistered || wanted.is_some_and(|wanted| wanted != last.name())) {
                continue;
            }
            let to = match flow.edge.to {
                EdgeTarget::Region(index, _) => def.region(index).map_or("region", |region| region.name),
                EdgeTarget::Successor(index) => def.successors.get(index).copied().unwrap_or("successor"),
                EdgeTarget::Results | EdgeTarget::Parent => "results",
            };
            // What a terminator forwards may go two ways, and one of them is enough to say that it does not fit.
            let before = self.violations.len();
            if wrong != Some(flow.at) || flow.at == id {
                self.flow(flow.at, &format!("{from} to {to}"), flow.values, flow.into);
            }
            if self.violations.len() > before {
                wrong = Some(flow.at);
            }
        }
        for edge in &def.edges {
            if let (EdgeSource::Region(index), EdgeTarget::Results) = (edge.from, edge.to)
                && module.entry_of(id, index).is_none()
                && !module.op(id).results.is_empty()
            {
                self.report(StructureViolationKind::EmptyRegion, id, format!("with results, it needs region #{index}"));
            }
        }
    }

    /// Traits that relate types: `SameOperandsAndResultType`, `AllTypesMatch`, `TypesMatchWith` and their kin.
    fn types(&mut self, id: OpId, def: &OpDef) {
        let module = self.module;
        let ty = |value: &ValueId| module.value(*value).ty;
        let differ = |a: &ValueId, b: &ValueId| ![ty(a), ty(b)].contains(&TypeId::UNKNOWN) && ty(a) != ty(b);
        let record = module.op(id);
        for of in &def.types {
            let wrong = match of {
                TypeTrait::SameOperandsAndResultType => {
                    let known = |value: &&ValueId| ty(value) != TypeId::UNKNOWN;
                    let mut all = record.operands.iter().chain(&record.results).filter(known);
                    let wrong = all.next().is_some_and(|first| all.any(|other| differ(first, other)));
                    wrong.then(|| "all operands and results".to_owned())
                }
                TypeTrait::SameTypeOperands => {
                    let wrong = record.operands.windows(2).any(|pair| differ(&pair[0], &pair[1]));
                    wrong.then(|| "all operands".to_owned())
                }
                TypeTrait::AllTypesMatch(names) => {
                    // Several values of one name match those of the others one by one.
                    let lists = names.iter().map(|name| module.values_named(id, name)).filter(|list| !list.is_empty());
                    let lists: SmallVec<[&[ValueId]; 3]> = lists.collect();
                    let wrong = lists.windows(2).any(|pair| pair[0].iter().zip(pair[1]).any(|(a, b)| differ(a, b)));
                    wrong.then(|| format!("`{}`", names.join("`, `")))
                }
                TypeTrait::TypesMatchWith(from, to, transform) => {
                    let (&[from_value], &[to_value]) = (module.values_named(id, from), module.values_named(id, to))
                    else {
                        continue;
                    };
                    let follows = module.interners.follows(ty(&from_value), ty(&to_value), *transform);
                    (follows == Some(false)).then(|| format!("`{from}`, `{to}`"))
                }
                TypeTrait::SameOperandsAndResultElementType | TypeTrait::AllElementTypesMatch(_) => continue,
            };
            if let Some(which) = wrong {
                self.report(StructureViolationKind::TypeRelation, id, format!("the types of {which} do not match"));
            }
        }
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
            self.report(StructureViolationKind::ValueCount, op, message);
            return;
        }
        for (index, (value, takes)) in values.iter().zip(takes).enumerate() {
            let given = self.module.value(*value).ty;
            if given != takes && given != TypeId::UNKNOWN && takes != TypeId::UNKNOWN {
                self.report(
                    StructureViolationKind::ValueType,
                    op,
                    format!("{what}: value #{index} has another type than its place"),
                );
            }
        }
    }

    fn function(&mut self, op: OpId) {
        let module = self.module;
        let Some((inputs, _)) = self.module.function_signature(op) else { return };
        if let Some(entry) = module.entry(op) {
            self.flow_types(op, "arguments", &module.block(entry).arguments, inputs.iter().copied());
        }
    }

    fn function_return(&mut self, op: OpId) {
        let module = self.module;
        let Some((_, results)) = module.parent_op(op).and_then(|function| self.module.function_signature(function))
        else {
            return;
        };
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
            if callee.is_some() || module.has(module.region(region).parent, Trait::SymbolTable) {
                break;
            }
            place = module.op(module.region(region).parent).parent;
        }
        let Some(callee) = callee else {
            self.report(StructureViolationKind::UnknownSymbol, op, format!("there is no function `@{name}`"));
            return;
        };
        let Some((inputs, results)) = self.module.function_signature(callee) else { return };
        self.flow_types(op, "call", &module.op(op).operands, inputs.iter().copied());
        self.flow_types(op, "results", &module.op(op).results, results.iter().copied());
    }

    /// `tt.reduce` and `tt.scan`: the region takes two elements of every operand and gives one.
    fn combine(&mut self, op: OpId) {
        let module = self.module;
        let Some(block) = module.entry(op) else { return };
        let element = |&value: &ValueId| match module.type_of(value) {
            Type::Tensor { element, .. } => *element,
            _ => TypeId::UNKNOWN,
        };
        let elements: Vec<TypeId> = module.op(op).operands.iter().map(element).collect();
        let twice: Vec<TypeId> = elements.iter().chain(&elements).copied().collect();
        self.flow_types(op, "region arguments", &module.block(block).arguments, twice);
        for last in module.region_terminators(op, 0) {
            self.flow_types(last, "return", module.forwarded_operands(last), elements.iter().copied());
        }
    }
}
