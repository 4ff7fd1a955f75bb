//! Where a failure happens: the failing pass, and the module just before it.

use super::same_failure::Compile;
use crate::compiler::Compiler;
use crate::compiler::outcome::Outcome;
use crate::compiler::pipeline::{Pipeline, Step};
use crate::compiler::protocol::{Keep, Passes};
use crate::compiler::worker::WorkerError;
use crate::judge::{Judgement, judge, judge_each};

/// A failure, pinned down.
#[derive(Debug, Clone)]
pub struct Located {
    /// What it is.
    pub judgement: Judgement,
    /// The position of the failing pass among those that were run.
    pub index: usize,
    /// The failing pass as pipeline text.
    pub pass: String,
    /// The module just before it; the one that was given where the failing pass is the first.
    pub before: String,
}

/// What running all passes over a module came to.
#[derive(Debug, Clone)]
pub enum Search {
    /// It fails here.
    Located(Located),
    /// It fails, but which pass it is cannot be told (no pass was reached, or the module before it cannot be had).
    Unlocated(Judgement),
    /// It does not fail, or fails in a way that is no bug.
    NoBug(Judgement),
}

/// Runs passes one at a time and pins the failure down.
///
/// # Errors
/// A broken environment, or passes that the installation does not know.
pub fn locate(compiler: &dyn Compiler, compile: &Compile, module: &str) -> Result<Search, WorkerError> {
    let keep = Keep { before_failing: true, last: true, ..Keep::default() };
    let outcome: Outcome = compiler.run(&compile.run(module, keep))?;
    let judgement = judge(&outcome);
    if !judgement.verdict.is_bug() {
        return Ok(Search::NoBug(judgement));
    }
    let Some(failing) = outcome.failing.clone() else {
        return if outcome.is_ok() {
            first_invalid(compiler, compile, module, judgement)
        } else {
            Ok(Search::Unlocated(judgement))
        };
    };
    let before = match failing.index {
        0 => Some(module.to_owned()),
        _ => outcome.before_failing().map(str::to_owned),
    };
    Ok(match before {
        Some(before) => Search::Located(Located { judgement, index: failing.index, pass: failing.text, before }),
        None => Search::Unlocated(judgement),
    })
}

/// The compiler is content and our oracle is not: the first pass after which it is not.
fn first_invalid(
    compiler: &dyn Compiler,
    compile: &Compile,
    module: &str,
    last: Judgement,
) -> Result<Search, WorkerError> {
    let outcome = compiler.run(&compile.run(module, Keep { each: true, ..Keep::default() }))?;
    let Some(invalid) = judge_each(&outcome).invalid else { return Ok(Search::Unlocated(last)) };
    let index = invalid.after.saturating_sub(1);
    let before = outcome.module_after(index).unwrap_or(module).to_owned();
    let pass = pass_at(&compile.passes, index);
    Ok(Search::Located(Located { judgement: invalid.judgement, index, pass, before }))
}

/// The text of a pass in a list of texts; empty for a stage, whose passes only the worker knows.
fn pass_at(passes: &Passes, index: usize) -> String {
    match passes {
        Passes::Texts { texts } => texts.get(index).cloned().unwrap_or_default(),
        Passes::Stage { .. } => String::new(),
    }
}

/// The passes of a pipeline as texts for a worker, one for each pass, with the pass manager that it is nested in.
pub fn texts(pipeline: &Pipeline) -> Vec<String> {
    pipeline.steps.iter().flat_map(step_texts).collect()
}

fn step_texts(step: &Step) -> Vec<String> {
    match step {
        Step::Pass(pass) => vec![pass.to_string()],
        Step::Nested(nested) => {
            let inner = nested.steps.iter().flat_map(step_texts);
            inner.map(|text| format!("{}({text})", nested.anchor)).collect()
        }
    }
}
