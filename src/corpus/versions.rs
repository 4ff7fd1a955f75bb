//! What other versions of Triton do with a module that fails in one.
//!
//! The same pass is looked for by name in the other version's own pipeline for the same target and options, since
//! versions differ in the options of a pass. Where it is not there, everything is run that comes after the conversion to
//! layouts, so that a module with layouts is asked what the version would have made of it. A module that the version does
//! not read is tried in other words, see [`super::spelling`].

use super::spelling::{self, Reworded};
use crate::compiler::diagnostic::Diagnostics;
use crate::compiler::outcome::{Exit, Outcome};
use crate::compiler::protocol::{AskPipeline, Keep, Passes};
use crate::compiler::worker::{WorkerError, WorkerLimits};
use crate::compiler::{Compiler, CompilerSpec};
use crate::judge::{Judgement, Signature, Verdict, judge, pass_name};
use crate::reduce::Compile;

/// The pass that gives a module its layouts.
const CONVERSION: &str = "convert-triton-to-tritongpu";

/// What one version does.
#[derive(Debug, Clone)]
pub struct VersionResult {
    /// Which version.
    pub triton: String,
    /// What was run, in words.
    pub ran: String,
    /// What happened.
    pub judgement: Judgement,
    /// Why it could not be tested there.
    pub untestable: Option<String>,
}

/// A run that took place, with what is needed to look closer at it.
#[derive(Debug, Clone)]
pub(super) struct Run {
    /// The module as the version reads it.
    pub module: String,
    /// What was run.
    pub compile: Compile,
    /// The passes one by one, as pipeline texts.
    pub names: Vec<String>,
    /// The same in words.
    pub ran: String,
    /// What happened.
    pub outcome: Outcome,
}

/// A run, or why there is none.
pub(super) type Attempt = Result<Run, String>;

/// Starts another compiler and runs a module on it with the passes that correspond to those of `compile`.
///
/// # Errors
/// A broken environment.
pub fn try_on(spec: &CompilerSpec, compile: &Compile, module: &str) -> Result<VersionResult, WorkerError> {
    try_with(spec.start(WorkerLimits::default(), 1)?.as_ref(), compile, module)
}

/// The same with a compiler that is started already.
///
/// # Errors
/// A broken environment.
pub fn try_with(compiler: &dyn Compiler, compile: &Compile, module: &str) -> Result<VersionResult, WorkerError> {
    let keep = Keep { last: true, ..Keep::default() };
    let triton = compiler.version();
    Ok(match attempt(compiler, compile, module, keep)? {
        Err(why) => untestable(triton, why),
        Ok(run) => {
            let judgement = judge(&run.outcome);
            let unread = (judgement.verdict == Verdict::RejectedInput)
                .then(|| format!("it does not read this text: {}", judgement.message));
            VersionResult { triton, ran: run.ran, judgement, untestable: unread }
        }
    })
}

fn untestable(triton: String, why: String) -> VersionResult {
    let signature = Signature::new(Verdict::RejectedInput, None, &why, None);
    let judgement =
        Judgement { verdict: Verdict::RejectedInput, message: why.clone(), note: None, pass: None, signature };
    VersionResult { triton, ran: "nothing".to_owned(), judgement, untestable: Some(why) }
}

/// Runs a module as a version would have it: with its own passes and in its own words.
pub(super) fn attempt(
    compiler: &dyn Compiler,
    compile: &Compile,
    module: &str,
    keep: Keep,
) -> Result<Attempt, WorkerError> {
    let plan = match plan(compiler, compile, module) {
        Err(WorkerError::Refused(refusal)) => return Ok(Err(refusal.to_string())),
        Err(lost @ WorkerError::Lost { .. }) => return Ok(Err(lost.to_string())),
        other => other?,
    };
    let Plan { passes, names, mut ran } = plan;
    let compile = compile.with(passes);
    let mut module = module.to_owned();
    let run = |module: &str| compiler.run(&compile.run(module, keep.clone()));
    let mut outcome = match run(&module) {
        Err(WorkerError::Refused(refusal)) => return Ok(Err(refusal.to_string())),
        other => other?,
    };
    if matches!(outcome.exit, Exit::NotParsed { .. }) {
        match readable(compiler, &module)? {
            Ok(reworded) => {
                ran = format!("{ran}, with {}", reworded.what);
                module = reworded.text;
                outcome = run(&module)?;
            }
            Err(Some(why)) if foreign(&judge(&outcome).message) => return Ok(Err(why)),
            Err(_) => {}
        }
    }
    Ok(Ok(Run { module, compile, names, ran, outcome }))
}

/// The first rewording that the version reads. Where there is none: what it has against the first one whose words it
/// knows, which is what changed beside the words.
fn readable(compiler: &dyn Compiler, module: &str) -> Result<Result<Reworded, Option<String>>, WorkerError> {
    let mut why = None;
    for reworded in spelling::rewordings(module) {
        let verified = compiler.verify(std::slice::from_ref(&reworded.text))?;
        let Some(verified) = verified.first() else { continue };
        if verified.valid {
            return Ok(Ok(reworded));
        }
        let message = Diagnostics::parse(&verified.stderr).failure().map(|failure| failure.message);
        if let (None, Some(message)) = (&why, message.filter(|message| !foreign(message))) {
            why = Some(format!("it does not read this text, nor that with {}: {message}", reworded.what));
        }
    }
    Ok(Err(why))
}

/// Whether a parser complains of words that it has never heard.
fn foreign(message: &str) -> bool {
    ["unregistered dialect", "not found for custom op", "unknown attribute", "unknown  type"]
        .iter()
        .any(|sign| message.contains(sign))
}

/// The stage that every backend has.
const FIRST: &str = "ttir";

/// What is run in the place of what was asked for.
struct Plan {
    passes: Passes,
    names: Vec<String>,
    ran: String,
}

/// The passes of this version that stand for those of `compile`.
fn plan(compiler: &dyn Compiler, compile: &Compile, module: &str) -> Result<Plan, WorkerError> {
    let stage = match &compile.passes {
        Passes::Stage { stage, .. } => stage.clone(),
        Passes::Texts { .. } => "ttgir".to_owned(),
    };
    let ask = |stage: &str| AskPipeline::new(&compile.target, &compile.options, stage);
    let whole = matches!(compile.passes, Passes::Stage { from: 0, to: None, .. }) && !has_layouts(module);
    let recorded = match compiler.pipeline(&ask(&stage)) {
        // A fork that goes another way after its first stage is tried with that.
        Err(error) if whole && stage != FIRST => {
            let Some(why) = error.lacks_stage() else { return Err(error) };
            let steps = compiler.pipeline(&ask(FIRST))?.steps;
            return Ok(Plan {
                passes: Passes::stage(FIRST),
                names: steps.into_iter().map(|step| step.text).collect(),
                ran: format!("the stage `{FIRST}` alone: {why}"),
            });
        }
        other => other?,
    };
    let steps: Vec<String> = recorded.steps.into_iter().map(|step| step.text).collect();
    let part = |from: usize, to: Option<usize>| -> Vec<String> {
        steps.iter().take(to.unwrap_or(steps.len())).skip(from).cloned().collect()
    };
    // A module without layouts has the conversion still before it.
    let (after, what) = match steps.iter().position(|step| pass_name(step) == CONVERSION) {
        Some(index) if has_layouts(module) => (index + 1, "all that follows the conversion to layouts"),
        _ => (0, "the whole pipeline"),
    };
    let rest = |ran: String| Plan {
        passes: Passes::Stage { stage: stage.clone(), from: after, to: None },
        names: part(after, None),
        ran,
    };
    Ok(match &compile.passes {
        Passes::Stage { from: 0, to: None, .. } => rest(what.to_owned()),
        Passes::Stage { from, to, .. } => {
            let ran = "a part of the pipeline".to_owned();
            Plan { passes: compile.passes.clone(), names: part(*from, *to), ran }
        }
        Passes::Texts { texts } => {
            // Of several runs of a pass, the one with the same options.
            let find = |text: &String| {
                let same = |step: &&String| pass_name(step) == pass_name(text);
                steps.iter().find(|step| *step == text).or_else(|| steps.iter().find(same)).cloned()
            };
            match (texts.iter().map(find).collect::<Option<Vec<String>>>(), texts.last()) {
                (Some(found), _) => {
                    let ran = match found.len() {
                        1 => "the same pass".to_owned(),
                        count => format!("the same {count} passes"),
                    };
                    Plan { names: found.clone(), passes: Passes::Texts { texts: found }, ran }
                }
                (None, Some(last)) => {
                    // Of several that one is named that is missing.
                    let missing = texts.iter().find(|text| find(text).is_none()).unwrap_or(last);
                    rest(format!("`{}` is not there; {what}", pass_name(missing)))
                }
                (None, None) => rest(what.to_owned()),
            }
        }
    })
}

/// Whether a module is past the conversion from `tt` to `ttg`.
fn has_layouts(text: &str) -> bool {
    ["ttg.num-warps", "triton_gpu.num-warps", "#ttg.", "#triton_gpu."].iter().any(|sign| text.contains(sign))
}

/// Runs a module on several compilers, one after the other; `progress` is told each before it starts.
///
/// # Errors
/// A broken environment.
pub fn other_versions(
    compilers: &[CompilerSpec],
    compile: &Compile,
    module: &str,
    mut progress: impl FnMut(&CompilerSpec),
) -> Result<Vec<VersionResult>, WorkerError> {
    let each = compilers.iter().map(|compiler| {
        progress(compiler);
        try_on(compiler, compile, module)
    });
    each.collect()
}
