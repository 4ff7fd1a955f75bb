//! One case: a module made from its number, run on every version for every target.

use super::Settings;
use crate::compiler::protocol::{Keep, Options, Passes};
use crate::compiler::worker::WorkerError;
use crate::compiler::{Compiler, Target};
use crate::judge::{Judgement, Signature, Verdict, judge};
use crate::reduce::{Compile, Search, locate};
use serde::{Deserialize, Serialize};

/// A module to try.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Its text.
    pub module: String,
    /// Options to compile it with.
    pub options: Options,
    /// Operations in it, for the statistics.
    pub operations: Vec<String>,
}

/// Where modules come from: a pure function of the campaign's seed, the case's number and the target.
pub trait Source: Sync {
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
    pub operations: Vec<String>,
}

/// Tries one case.
pub(super) fn try_case(
    settings: &Settings,
    compilers: &[Box<dyn Compiler>],
    source: &dyn Source,
    case: u64,
) -> Result<CaseOutcome, WorkerError> {
    let mut outcome = CaseOutcome::default();
    let closely = settings.look_closely != 0 && case.is_multiple_of(settings.look_closely);
    for target in &settings.targets {
        let trial = source.trial(settings.seed, case, target);
        let compile =
            Compile { target: target.clone(), options: trial.options.clone(), passes: Passes::stage("ttgir") };
        for (index, compiler) in compilers.iter().enumerate() {
            let judgement = try_module(compiler.as_ref(), &compile, &trial.module, closely)?;
            if judgement.verdict == Verdict::Ok {
                outcome.ok += 1;
                continue;
            }
            let result = TrialResult {
                triton: settings.compilers[index].to_string(),
                target: target.to_string(),
                signature: judgement.signature.clone(),
            };
            let (compile, module) = (compile.clone(), trial.module.clone());
            outcome.failures.push(Failure { result, judgement, compile, module });
        }
        outcome.operations.extend(trial.operations);
    }
    Ok(outcome)
}

/// One compilation, judged. All passes run as the backend runs them; a failure is run again, pass by pass, to be named.
pub(crate) fn try_module(
    compiler: &dyn Compiler,
    compile: &Compile,
    module: &str,
    closely: bool,
) -> Result<Judgement, WorkerError> {
    let mut run = compile.run(module, Keep { last: true, ..Keep::default() });
    run.mode = crate::compiler::protocol::Mode::Whole;
    let judgement = judge(&compiler.run(&run)?);
    if judgement.verdict == Verdict::Ok && !closely {
        return Ok(judgement);
    }
    if judgement.verdict == Verdict::Ok {
        let keep = Keep { each: true, ..Keep::default() };
        let outcome = compiler.run(&compile.run(module, keep))?;
        for kept in &outcome.modules {
            let alone = crate::compiler::outcome::Outcome { modules: vec![kept.clone()], ..outcome.clone() };
            let judgement = judge(&alone);
            if judgement.verdict != Verdict::Ok {
                return Ok(judgement);
            }
        }
        return Ok(judgement);
    }
    if !judgement.verdict.is_bug() {
        return Ok(judgement);
    }
    Ok(match locate(compiler, compile, module)? {
        Search::Located(located) => located.judgement,
        Search::Unlocated(judgement) => judgement,
        // It failed with all passes together and not one by one: as it was seen first.
        Search::NoBug(_) => judgement,
    })
}
