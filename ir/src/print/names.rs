//! Names for values and blocks. Within one isolated region no name is given twice, not even in regions side by side, so
//! that the text says what is meant even where a module is invalid.

use super::super::module::Module;
use super::super::ods::{OpKind, Trait};
use super::super::{BlockId, OpId, ValueId};
use rustc_hash::FxHashSet;

/// The name of every value and block.
#[derive(Debug)]
pub(super) struct ValueNames {
    /// By value: its text behind the percent sign, result number included.
    pub values: Vec<Option<Box<str>>>,
    /// By block: the number in its label.
    pub blocks: Vec<u32>,
    /// By block: whether a successor names it.
    pub targets: Vec<bool>,
    /// Whether names must differ between functions.
    crossed: bool,
}

#[derive(Default)]
struct Scope {
    taken: FxHashSet<String>,
    values: u32,
    arguments: u32,
    blocks: u32,
}

/// What a hint is good for: numbers and `argN` are counted anew, anything else is kept.
enum Hint<'a> {
    Count,
    Argument,
    Word(&'a str),
}

fn hint(text: &str) -> Hint<'_> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.strip_prefix("arg") {
        _ if digits(text) => Hint::Count,
        Some(rest) if digits(rest) => Hint::Argument,
        _ if text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$') => Hint::Word(text),
        _ => Hint::Count,
    }
}

impl ValueNames {
    /// Names for everything that is linked.
    pub fn new(module: &Module) -> Self {
        let mut names = ValueNames {
            values: vec![None; module.value_count()],
            blocks: vec![0; module.block_count()],
            targets: vec![false; module.block_count()],
            crossed: crosses_functions(module),
        };
        names.operation(module, module.root(), &mut Scope::default());
        // What is used but defined nowhere, or only in what is not linked.
        let mut missing = 0;
        for op in module.walk() {
            for &value in &module.op(op).operands {
                if names.values[value.index()].is_none() {
                    names.values[value.index()] = Some(format!("undefined_{missing}").into());
                    missing += 1;
                }
            }
        }
        names
    }

    fn operation(&mut self, module: &Module, op: OpId, scope: &mut Scope) {
        let record = module.op(op);
        for &block in &record.successors {
            self.targets[block.index()] = true;
        }
        let results = &record.results;
        if let Some(&first) = results.first() {
            let own = module.value(first).name;
            let shared = results.iter().all(|&result| module.value(result).name == own);
            let word = own.filter(|_| shared).map(|name| module.interners.name_text(name));
            let name = scope.fresh(word, false);
            for (index, &result) in results.iter().enumerate() {
                let text = if results.len() == 1 { name.clone() } else { format!("{name}#{index}") };
                self.values[result.index()] = Some(text.into());
            }
        }
        let isolated = match module.def(op) {
            // Partitions are printed as part of the operation around them, where MLIR reads no name twice.
            Some(def) => def.has(Trait::IsolatedFromAbove) && def.kind != OpKind::TtgWarpSpecializePartitions,
            None => module.op_name(op).ends_with(".func") || module.op_name(op).ends_with(".module"),
        };
        let mut inner = Scope::default();
        // MLIR's parser refuses a name that is visible around an isolated operation, so counting starts anew only where
        // nothing has a name yet.
        let scope = if isolated && scope.taken.is_empty() && !self.crossed { &mut inner } else { scope };
        for &region in &record.regions {
            for &block in &module.region(region).blocks {
                self.blocks[block.index()] = scope.blocks;
                scope.blocks += 1;
                self.arguments(module, block, scope);
            }
            for &block in &module.region(region).blocks {
                for &op in &module.block(block).ops {
                    self.operation(module, op, scope);
                }
            }
        }
    }

    fn arguments(&mut self, module: &Module, block: BlockId, scope: &mut Scope) {
        for &argument in &module.block(block).arguments {
            let word = module.value(argument).name.map(|name| module.interners.name_text(name));
            self.values[argument.index()] = Some(scope.fresh(word, true).into());
        }
    }

    /// The text of a value's name.
    pub fn value(&self, value: ValueId) -> &str {
        self.values.get(value.index()).and_then(Option::as_deref).unwrap_or("undefined")
    }

    /// The name that all results of an operation share.
    pub fn group(&self, module: &Module, op: OpId) -> &str {
        let first = module.op(op).results.first().map_or("undefined", |&value| self.value(value));
        first.split('#').next().unwrap_or(first)
    }
}

impl Scope {
    fn fresh(&mut self, word: Option<&str>, argument: bool) -> String {
        let counted = match word.map(hint) {
            Some(Hint::Word(word)) => {
                if self.taken.insert(word.to_owned()) {
                    return word.to_owned();
                }
                let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
                let stem = stem.strip_suffix('_').filter(|_| stem.len() < word.len()).unwrap_or(word);
                let mut suffix = 0u32;
                loop {
                    let name = format!("{stem}_{suffix}");
                    if self.taken.insert(name.clone()) {
                        return name;
                    }
                    suffix += 1;
                }
            }
            Some(Hint::Argument) => true,
            Some(Hint::Count) | None => argument,
        };
        loop {
            let name = if counted {
                self.arguments += 1;
                format!("arg{}", self.arguments - 1)
            } else {
                self.values += 1;
                (self.values - 1).to_string()
            };
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Whether a function uses a value of another one. It must not, and its text must still say which value it is.
fn crosses_functions(module: &Module) -> bool {
    let functions = module.functions();
    if functions.len() < 2 {
        return false;
    }
    let mut owner = vec![None; module.value_count()];
    let inside: Vec<_> = functions.iter().map(|&function| module.walk_from(function)).collect();
    for (function, ops) in inside.iter().enumerate() {
        for &op in ops {
            let record = module.op(op);
            record.results.iter().for_each(|value| owner[value.index()] = Some(function));
            for &block in record.regions.iter().flat_map(|&region| &module.region(region).blocks) {
                module.block(block).arguments.iter().for_each(|value| owner[value.index()] = Some(function));
            }
        }
    }
    let foreign = |(function, ops): (usize, &Vec<_>)| {
        let operands = ops.iter().flat_map(|&op| &module.op(op).operands);
        operands.into_iter().any(|value| owner[value.index()].is_some_and(|owner| owner != function))
    };
    inside.iter().enumerate().any(foreign)
}
