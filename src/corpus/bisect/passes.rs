//! The first pass after which a module is wrong.
//!
//! All passes run one at a time and leave their modules behind; then every module is looked at in order, by every
//! [`StepOracle`]. There is no halving: the modules are there after one run, and wrongness can heal. A pass that fails
//! itself is the last one to be blamed, for a pass before it may have broken the module unnoticed.
//!
//! An oracle sees the module before the pass, after it, and at the very beginning, so that one that compares meanings
//! plugs in beside those that look at one module alone. A closure with a name is an oracle.

use crate::compiler::Compiler;
use crate::compiler::outcome::{Exit, Outcome};
use crate::compiler::protocol::Keep;
use crate::compiler::worker::WorkerError;
use crate::corpus::versions::{Run, attempt};
use crate::ir::{self, Module};
use crate::judge::{Judgement, judge, pass_name};
use crate::oracle;
use crate::reduce::Compile;

/// A pass with the modules around it.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// Its position among the passes, from 0.
    pub index: usize,
    /// Its pipeline text.
    pub pass: &'a str,
    /// The module that the first pass got.
    pub input: &'a Module,
    /// The module that this pass got.
    pub before: &'a Module,
    /// What it left.
    pub after: &'a Module,
}

/// Something that can tell that a pass did wrong.
pub trait StepOracle {
    /// What to call it.
    fn name(&self) -> &str;
    /// What is wrong after the pass, in a sentence; nothing if all is well.
    fn complaint(&self, step: &Step<'_>) -> Option<String>;
}

/// Every use must be dominated by its definition.
#[derive(Debug, Clone, Copy)]
pub struct Dominance;

/// Blocks, branches, regions, calls and types must fit together.
#[derive(Debug, Clone, Copy)]
pub struct Structure;

impl StepOracle for Dominance {
    fn name(&self) -> &str {
        "dominance"
    }

    fn complaint(&self, step: &Step<'_>) -> Option<String> {
        oracle::dominance::check(step.after).first().map(ToString::to_string)
    }
}

impl StepOracle for Structure {
    fn name(&self) -> &str {
        "structure"
    }

    fn complaint(&self, step: &Step<'_>) -> Option<String> {
        oracle::structure::check(step.after).first().map(ToString::to_string)
    }
}

impl<F: Fn(&Step<'_>) -> Option<String>> StepOracle for (&str, F) {
    fn name(&self) -> &str {
        self.0
    }

    fn complaint(&self, step: &Step<'_>) -> Option<String> {
        (self.1)(step)
    }
}

/// Who says that a pass did wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accuser {
    /// The compiler: the pass failed.
    Compiler,
    /// One of our oracles, by its name.
    Oracle(String),
}

/// A pass that did wrong.
#[derive(Debug, Clone)]
pub struct Culprit {
    /// Its position among the passes, from 0.
    pub index: usize,
    /// Its pipeline text.
    pub pass: String,
    /// Who says so.
    pub accuser: Accuser,
    /// What is wrong, in a sentence.
    pub message: String,
    /// The module that it got.
    pub before: String,
    /// The module that it left, unless it failed.
    pub after: Option<String>,
}

/// What looking at all passes came to.
#[derive(Debug, Clone)]
pub struct Search {
    /// The first pass that did wrong.
    pub culprit: Option<Culprit>,
    /// What the run as a whole means.
    pub judgement: Judgement,
    /// How many passes there are.
    pub passes: usize,
    /// What was run, in words.
    pub ran: String,
    /// Positions of passes whose module our own parser cannot read, with why: nobody looked at those.
    pub unread: Vec<(usize, String)>,
}

/// Why there is no search.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The environment is broken.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// The module cannot be tested with this version.
    #[error("it cannot be tested: {0}")]
    Untestable(String),
}

/// Finds the first pass after which a module is wrong.
///
/// # Errors
/// See [`SearchError`].
pub fn first_wrong(
    compiler: &dyn Compiler,
    compile: &Compile,
    module: &str,
    oracles: &[&dyn StepOracle],
) -> Result<Search, SearchError> {
    let keep = Keep { each: true, ..Keep::default() };
    let mut run = attempt(compiler, compile, module, keep.clone())?.map_err(SearchError::Untestable)?;
    let judgement = judge(&run.outcome);
    if matches!(run.outcome.exit, Exit::NotParsed { .. }) {
        return Err(SearchError::Untestable(format!("it does not read this text: {}", judgement.message)));
    }
    let failing = run.outcome.failing.clone();
    if let Some(failing) = &failing
        && run.outcome.modules.is_empty()
        && failing.index > 0
    {
        // The process died and took the modules with it: the passes before are run once more.
        let before = crate::compiler::protocol::Run { stop: Some(failing.index), ..run.compile.run(&run.module, keep) };
        run.outcome.modules = compiler.run(&before)?.modules;
    }
    let mut unread = Vec::new();
    let mut culprit = accuse(&run, oracles, &mut unread);
    if let (None, Some(failing)) = (&culprit, &failing) {
        culprit = Some(Culprit {
            index: failing.index,
            pass: if failing.text.is_empty() { name(&run, failing.index).to_owned() } else { failing.text.clone() },
            accuser: Accuser::Compiler,
            message: with_note(&judgement),
            before: before(&run, failing.index).to_owned(),
            after: None,
        });
    }
    Ok(Search { culprit, judgement, passes: run.names.len(), ran: run.ran, unread })
}

/// The first module that an oracle has something against.
fn accuse(run: &Run, oracles: &[&dyn StepOracle], unread: &mut Vec<(usize, String)>) -> Option<Culprit> {
    let input = ir::parse(&run.module).ok()?;
    let mut previous = input.clone();
    for kept in kept(&run.outcome) {
        let index = kept.after - 1;
        let after = match ir::parse(&kept.text) {
            Ok(after) => after,
            Err(error) => {
                unread.push((index, error.to_string()));
                continue;
            }
        };
        let pass = name(run, index);
        let step = Step { index, pass, input: &input, before: &previous, after: &after };
        for oracle in oracles {
            if let Some(message) = oracle.complaint(&step) {
                return Some(Culprit {
                    index,
                    pass: pass.to_owned(),
                    accuser: Accuser::Oracle(oracle.name().to_owned()),
                    message,
                    before: before(run, index).to_owned(),
                    after: Some(kept.text.clone()),
                });
            }
        }
        previous = after;
    }
    None
}

fn kept(outcome: &Outcome) -> impl Iterator<Item = &crate::compiler::protocol::ModuleText> {
    outcome.modules.iter().filter(|kept| kept.after > 0)
}

fn name(run: &Run, index: usize) -> &str {
    run.names.get(index).map_or("", String::as_str)
}

/// The module before a pass: the last that is there.
fn before(run: &Run, index: usize) -> &str {
    let earlier = kept(&run.outcome).filter(|kept| kept.after <= index).last();
    earlier.map_or(run.module.as_str(), |kept| kept.text.as_str())
}

fn with_note(judgement: &Judgement) -> String {
    match &judgement.note {
        Some(note) => format!("{} ({note})", judgement.message),
        None => judgement.message.clone(),
    }
}

impl Culprit {
    /// Its name without options.
    pub fn name(&self) -> String {
        pass_name(&self.pass)
    }
}
