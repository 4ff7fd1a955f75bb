//! One case: a module made from its number, run on every version for every target.

use super::CampaignSettings;
use crate::compiler::plan::{Part, PassSelection, Plan};
use crate::compiler::protocol::{Keep, Mode, Options, Passes};
use crate::compiler::worker::WorkerError;
use crate::compiler::{Compile, Compiler, Target};
use crate::judge::{Judgement, Signature, Trace, Tracer, Verdict, judge};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A module to try.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Its text.
    pub module: String,
    /// Options to compile it with.
    pub options: Options,
    /// Operations in it with their number, for the statistics.
    pub operations: BTreeMap<String, usize>,
}

/// Where modules come from: a pure function of the campaign's seed, the case's number and the target.
pub trait TrialSource: Sync {
    /// The module of a case for a target.
    fn trial(&self, seed: u64, case: u64, target: &Target) -> Trial;
}

/// What one version did with a case for one target, where it was not simply well.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialResult {
    /// The version, as it was asked for.
    pub triton: String,
    /// The target.
    pub target: String,
    /// What happened.
    pub signature: Signature,
}

/// A failure with all that is needed to store it.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    /// The compiler, by its position.
    pub compiler: usize,
    pub result: TrialResult,
    pub judgement: Judgement,
    pub compile: Compile,
    pub module: String,
}

/// What came of a case.
#[derive(Debug, Default)]
pub(super) struct CaseOutcome {
    pub ok: u32,
    pub failures: Vec<Failure>,
    pub operations: BTreeMap<String, usize>,
    pub passes: BTreeMap<String, bool>,
}

/// Tries one case.
pub(super) fn try_case(
    settings: &CampaignSettings,
    compilers: &[Box<dyn Compiler>],
    source: &dyn TrialSource,
    case: u64,
) -> Result<CaseOutcome, WorkerError> {
    let mut outcome = CaseOutcome::default();
    let closely = settings.look_closely != 0 && case.is_multiple_of(settings.look_closely);
    for target in &settings.targets {
        let trial = source.trial(settings.seed, case, target);
        let compile = Compile { target: target.clone(), options: trial.options.clone(), passes: settings.passes(case) };
        for (index, compiler) in compilers.iter().enumerate() {
            let compile = concrete(compiler.as_ref(), &compile, &trial.module)?;
            let judgement = if closely {
                look_closely(compiler.as_ref(), &compile, &trial.module, &mut outcome.passes)?
            } else {
                try_module(compiler.as_ref(), &compile, &trial.module)?
            };
            if judgement.verdict == Verdict::Ok {
                outcome.ok += 1;
                continue;
            }
            let result = TrialResult {
                triton: settings.compilers[index].to_string(),
                target: target.to_string(),
                signature: judgement.signature.clone(),
            };
            let module = trial.module.clone();
            outcome.failures.push(Failure { compiler: index, result, judgement, compile, module });
        }
        for (operation, count) in trial.operations {
            *outcome.operations.entry(operation).or_default() += count;
        }
    }
    Ok(outcome)
}

/// What to run, in passes where it is all stages.
fn concrete(compiler: &dyn Compiler, compile: &Compile, module: &str) -> Result<Compile, WorkerError> {
    if compile.passes != Passes::All {
        return Ok(compile.clone());
    }
    let request = PassSelection::of_passes(&compile.passes, module);
    Ok(Plan::new(compiler, &request, &Part::default(), &compile.target, &compile.options)?.joined())
}

/// One compilation, judged. All passes run as the backend runs them; a failure is run again, pass by pass, to be named.
pub(crate) fn try_module(compiler: &dyn Compiler, compile: &Compile, module: &str) -> Result<Judgement, WorkerError> {
    let mut run = compile.run(module, Keep { last: true, ..Keep::default() });
    run.mode = Mode::Whole;
    let judgement = judge(&compiler.run(&run)?);
    if !judgement.verdict.is_bug() {
        return Ok(judgement);
    }
    named(compiler, compile, module, judgement)
}

/// What failed, with the pass that it failed in.
fn named(
    compiler: &dyn Compiler,
    compile: &Compile,
    module: &str,
    judgement: Judgement,
) -> Result<Judgement, WorkerError> {
    let trace = trace(compiler, compile, module)?;
    // What failed with all passes together and not one by one is as it was seen first.
    let is_slow = judgement.verdict == Verdict::Hang && trace.judgement.verdict == Verdict::Slow;
    Ok(if trace.judgement.verdict.is_bug() || is_slow { trace.judgement } else { judgement })
}

/// The same pass by pass, judged by our oracles after each that changed something. Notes each pass that ran, and whether it
/// changed the module.
fn look_closely(
    compiler: &dyn Compiler,
    compile: &Compile,
    module: &str,
    passes: &mut BTreeMap<String, bool>,
) -> Result<Judgement, WorkerError> {
    let trace = trace(compiler, compile, module)?;
    for step in &trace.steps {
        if let Some(changed) = step.changed() {
            *passes.entry(step.action.name().to_owned()).or_default() |= changed;
        }
    }
    Ok(trace.judgement)
}

fn trace(compiler: &dyn Compiler, compile: &Compile, module: &str) -> Result<Trace, WorkerError> {
    Tracer::new(compiler).trace(&Plan::of_compile(compiler, compile)?, module)
}
