//! What other versions of Triton do with a module that fails in one: each runs the passes of its own that correspond, and a
//! module that it does not read is tried in other words, see [`crate::compiler::spelling`].

use super::trace::{Trace, Tracer};
use super::{Judgement, Verdict};
use crate::compiler::diagnostic::Diagnostics;
use crate::compiler::outcome::Exit;
use crate::compiler::plan::{Part, PassSelection, Plan, PlanError, same_passes};
use crate::compiler::protocol::{Keep, Passes, Refusal, RefusalKind, RunRequest};
use crate::compiler::spelling::{Reworded, rewordings};
use crate::compiler::worker::{WorkerError, WorkerLimits};
use crate::compiler::{Compile, Compiler, CompilerSpec};

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

/// A trace as a version has it: with its own passes and in its own words.
#[derive(Debug, Clone)]
pub struct VersionTrace {
    /// What was run.
    pub plan: Plan,
    /// The same in words, and in which words the module was.
    pub ran: String,
    /// What came of it.
    pub trace: Trace,
}

/// Why there is none.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    /// The environment is broken.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// The module cannot be tested with this version.
    #[error("it cannot be tested: {why}")]
    Untestable {
        /// What was run, in words.
        ran: String,
        /// Why not.
        why: String,
        /// What the version says of the text, where it is that which it does not read.
        judgement: Option<Box<Judgement>>,
    },
}

impl VersionError {
    fn refused(why: impl ToString) -> VersionError {
        VersionError::Untestable { ran: "nothing".to_owned(), why: why.to_string(), judgement: None }
    }
}

impl From<PlanError> for VersionError {
    fn from(error: PlanError) -> VersionError {
        match error {
            PlanError::Worker(error @ (WorkerError::Refused(_) | WorkerError::Lost { .. })) => {
                VersionError::refused(error)
            }
            PlanError::Worker(error) => error.into(),
            error => VersionError::refused(error),
        }
    }
}

/// Runs a module as the tracer's compiler would have it.
///
/// # Errors
/// See [`VersionError`].
pub fn trace_like(tracer: &Tracer<'_>, compile: &Compile, module: &str) -> Result<VersionTrace, VersionError> {
    let (exact, lacks) = match &compile.passes {
        Passes::Texts { texts } => (Some(texts.len()), lacks(tracer.compiler, compile, module)?),
        _ => (None, None),
    };
    let plan = match (exact, &lacks) {
        // Its own passes have all that was asked for, to the letter.
        (Some(count), None) => Plan { ran: same_passes(count), ..Plan::of_compile(tracer.compiler, compile)? },
        (_, lacks) => {
            let request = PassSelection::like(&compile.passes, module);
            let plan = Plan::new(tracer.compiler, &request, &Part::default(), &compile.target, &compile.options);
            // It may have the pass, and not that option.
            let mut plan = match (plan, lacks) {
                (Err(PlanError::MissingPass { .. }), Some(lacks)) if lacks.kind == RefusalKind::PassOptions => {
                    return Err(VersionError::refused(lacks));
                }
                (plan, _) => plan?,
            };
            if let Some(lacks) = lacks.as_ref().filter(|_| plan.left_out.is_none()) {
                plan.ran = format!("{}; {lacks}", plan.ran);
            }
            plan
        }
    };
    let trace = tracer.trace(&plan, module);
    let mut ran = plan.ran.clone();
    let mut trace = match trace {
        Err(error @ WorkerError::Refused(_)) => return Err(VersionError::refused(error)),
        other => other?,
    };
    if matches!(trace.exit, Exit::NotParsed { .. }) {
        match readable(tracer.compiler, module)? {
            Ok(reworded) => {
                ran = format!("{ran}, with {}", reworded.what);
                trace = tracer.trace(&plan, &reworded.text)?;
            }
            Err(Some(why)) if foreign(&trace.judgement.message) => return Err(VersionError::refused(why)),
            Err(_) => {}
        }
    }
    if let Some(why) = trace.not_run.clone() {
        // A list of passes is a query about its last one.
        if matches!((&compile.passes, trace.judgement.verdict), (Passes::Texts { .. }, Verdict::Ok)) {
            return Err(VersionError::Untestable { ran, why, judgement: None });
        }
        if compile.passes == Passes::All {
            ran = format!("{ran}; {why}");
        }
    }
    if trace.judgement.verdict == Verdict::RejectedInput {
        let why = format!("it does not read this text: {}", trace.judgement.message);
        return Err(VersionError::Untestable { ran, why, judgement: Some(Box::new(trace.judgement)) });
    }
    Ok(VersionTrace { plan, ran, trace })
}

/// What a compiler says that does not have the passes of a compile, or not with their options.
///
/// # Errors
/// A broken environment, or a target or options that no backend takes.
pub fn lacks(compiler: &dyn Compiler, compile: &Compile, module: &str) -> Result<Option<Refusal>, WorkerError> {
    let nothing = RunRequest { stop: Some(0), ..compile.run(module, Keep::default()) };
    match compiler.run(&nothing) {
        Err(error) => error.lacks_pass().cloned().map(Some).ok_or(error),
        Ok(_) => Ok(None),
    }
}

/// The same where only the result counts.
///
/// # Errors
/// A broken environment.
pub fn try_with(tracer: &Tracer<'_>, compile: &Compile, module: &str) -> Result<VersionResult, WorkerError> {
    let triton = tracer.compiler.version();
    Ok(match trace_like(tracer, compile, module) {
        Ok(VersionTrace { ran, trace, .. }) => {
            VersionResult { triton, ran, judgement: trace.judgement, untestable: None }
        }
        Err(VersionError::Worker(error)) => return Err(error),
        Err(VersionError::Untestable { ran, why, judgement }) => {
            let judgement = judgement.map_or_else(|| Judgement::new(Verdict::RejectedInput, why.clone()), |told| *told);
            VersionResult { triton, ran, judgement, untestable: Some(why) }
        }
    })
}

/// Runs a module on another installation with the passes that correspond to those of `compile`.
///
/// # Errors
/// A broken environment.
pub fn try_on(compiler: &CompilerSpec, compile: &Compile, module: &str) -> Result<VersionResult, WorkerError> {
    let compiler = compiler.start(WorkerLimits::default(), 1)?;
    try_with(&Tracer::new(compiler.as_ref()), compile, module)
}

/// The first rewording that a version reads. Where there is none: what it has against the first one whose words it knows,
/// which is what changed beside the words.
fn readable(compiler: &dyn Compiler, module: &str) -> Result<Result<Reworded, Option<String>>, WorkerError> {
    let mut why = None;
    for reworded in rewordings(module) {
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
