//! A whole reduction: from a failing module to the smallest one found, with what was learned on the way.
//!
//! First the failing pass is found and the module just before it; that pass alone then runs on each candidate
//! ([`Level::Pass`]). If the pass alone does not show the failure, the passes before it join it, one after the other, until
//! it shows. With [`Level::Ttir`] all passes run on the module as given instead.

use super::candidate::Candidate;
use super::differential::{Differential, ReferenceCompiler};
use super::event::ReductionEvent;
use super::journal::JournalError;
use super::reproduction::ReproductionRate;
use super::same_failure::{SameFailure, SlippedBug};
use super::shrink::{Effort, Shrunk, any_of, shrink};
use crate::compiler::plan::{Part, PassSelection, Plan};
use crate::compiler::protocol::{ModuleForm, Options, Passes};
use crate::compiler::worker::WorkerError;
use crate::compiler::{Compile, Compiler, Ingested, NestedPass, Target};
use crate::ir;
use crate::judge::trace::TraceStep;
use crate::judge::{Judgement, SignatureMatch, Trace, Tracer, Verdict};
use crate::oracle;
use std::fmt;
use std::time::Duration;
use tritonsmith_reducer::SearchReport;

/// What runs on each candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Level {
    /// The failing pass over the module just before it.
    #[default]
    Pass,
    /// All passes over the module as given.
    Ttir,
}

impl Level {
    /// Both of them.
    pub const ALL: [Level; 2] = [Level::Pass, Level::Ttir];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Level::Pass => "pass",
            Level::Ttir => "ttir",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// What to reduce, and how hard to try.
#[derive(Debug, Clone)]
pub struct ReductionJob {
    /// The module's text, as it is before the first pass.
    pub module: String,
    /// The passes that it is to fail in.
    pub request: PassSelection,
    /// What is compiled for.
    pub target: Target,
    /// `num_warps`, `num_stages` and the like.
    pub options: Options,
    /// What runs on each candidate.
    pub level: Level,
    /// How much of the failure must stay.
    pub keep: SignatureMatch,
    /// After how long a run counts as one that does not end, where that is the failure; ten seconds if nothing is said.
    pub hang_after: Option<Duration>,
    /// Compilers that must accept the module.
    pub references: Vec<ReferenceCompiler>,
    /// How hard to try.
    pub effort: Effort,
}

impl ReductionJob {
    /// A module and the passes that it is to fail in, everything else as it is when nobody says otherwise.
    pub fn new(compile: Compile, module: String) -> ReductionJob {
        let Compile { target, options, passes } = compile;
        ReductionJob {
            module,
            request: PassSelection::Exactly(passes),
            target,
            options,
            level: Level::default(),
            keep: SignatureMatch::default(),
            hang_after: None,
            references: Vec::new(),
            effort: Effort::default(),
        }
    }

    /// A log or a module, with the passes and options that it tells of.
    pub fn of_input(found: &Ingested, target: Target) -> ReductionJob {
        let compile = Compile { target, options: found.options(), passes: Passes::Texts { texts: Vec::new() } };
        ReductionJob {
            request: PassSelection::of_input(found),
            ..ReductionJob::new(compile, found.chosen().text.clone())
        }
    }
}

/// A failure, pinned down.
#[derive(Debug, Clone)]
pub struct LocatedFailure {
    /// What it is.
    pub judgement: Judgement,
    /// The position of the failing pass among those that were run.
    pub index: usize,
    /// The failing pass as pipeline text.
    pub pass: String,
    /// The module just before it.
    pub before: String,
}

/// A finished reduction.
#[derive(Debug, Clone)]
pub struct Minimised {
    /// The failure, the failing pass and the module before it.
    pub located: LocatedFailure,
    /// What ran on each candidate.
    pub compile: Compile,
    /// The smallest module's text.
    pub text: String,
    /// What it shows when run once more in the end.
    pub last: Judgement,
    /// What the engine did.
    pub report: SearchReport<Candidate>,
    /// How often the failure reproduces on the module that was reduced.
    pub reproduction: ReproductionRate,
    /// Answers that were taken from the journal of an earlier run.
    pub resumed: usize,
    /// Other bugs that candidates showed, one for each signature.
    pub slipped_bugs: Vec<SlippedBug>,
}

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
pub enum MinimiseError {
    /// The environment is broken.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// The module does not fail; what was not run is the trace's to say.
    #[error("this module does not fail here")]
    DoesNotFail(Box<Trace>),
    /// It fails, and no pass can be named.
    #[error("it fails, but not in a pass: {0}")]
    Unlocated(String),
    /// The module that is to be reduced cannot be read here.
    #[error("the module to reduce does not parse here: {message}")]
    Unreadable {
        /// The first place that is no MLIR.
        message: ir::ParseError,
        /// The text.
        text: String,
    },
    /// Our oracle rejects the module that is to be reduced.
    #[error("the module to reduce is invalid: {0}")]
    Invalid(String),
    /// The failure was not seen, or not again.
    #[error("the failure was not seen again: {0}")]
    NotAgain(ReproductionRate),
    /// The test would accept anything.
    #[error("the test accepts an empty module, so that nothing would be left of this one")]
    AcceptsEmpty,
    /// It does not pass where it should.
    #[error("what fails here does not pass in triton {version} either: {complaint}")]
    FailsOnReference {
        /// The version that should pass.
        version: String,
        /// What happens there.
        complaint: String,
    },
    /// The journal cannot be kept.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Stopped before anything was found.
    #[error("stopped before the failure was seen")]
    Stopped,
    /// The engine could not ask.
    #[error("the reduction could not begin: {0}")]
    Engine(String),
}

/// Reduces a module.
///
/// # Errors
/// See [`MinimiseError`]: it does not fail, or cannot be run.
pub fn minimise(
    compiler: &dyn Compiler,
    job: &ReductionJob,
    watch: &mut dyn FnMut(ReductionEvent<'_>),
) -> Result<Minimised, MinimiseError> {
    let plan = Plan::new(compiler, &job.request, &Part::default(), &job.target, &job.options);
    let plan = plan.map_err(WorkerError::from)?;
    // Without the module being printed and parsed between stages.
    let all = plan.joined();
    let joined = Plan::of_compile(compiler, &all).map_err(WorkerError::from)?;
    let trace = find(compiler, job, &Plan { left_out: plan.left_out, ..joined })?;
    let located = located(&trace)?;
    let mut effort = job.effort.clone();
    if located.judgement.verdict == Verdict::Hang {
        let own = job.hang_after.map(|own| own.min(effort.limit));
        effort.limit = own.unwrap_or_else(|| located.judgement.signature.patience(effort.limit));
        effort.hang = true;
    }
    let job = &ReductionJob { effort: effort.clone(), ..job.clone() };
    let (compile, start) = match job.level {
        // What follows the failing pass need not be run over each candidate.
        Level::Ttir => (up_to(&all, located.index), job.module.clone()),
        Level::Pass => failing_alone(compiler, job, &all, &trace, &located)?,
    };
    valid(&start)?;
    watch(ReductionEvent::Located {
        signature: &located.judgement.signature,
        pass: &located.pass,
        index: located.index,
        located: &located,
        all: &all,
        each: &compile,
    });
    let here = SameFailure { compiler, compile: &compile, signature: &located.judgement.signature, keep: job.keep };
    let versions: Vec<String> = job.references.iter().map(ReferenceCompiler::name).collect();
    let triton = compiler.version();
    let identity = format!("{triton} {compile:?} {} {:?} {versions:?}", here.signature, job.keep);
    for version in &job.references {
        if let Some(complaint) = version.complaint(&compile, &start)? {
            return Err(MinimiseError::FailsOnReference { version: version.name(), complaint });
        }
    }
    let test = Differential { here, references: &job.references };
    let Shrunk { text, report, reproduction, resumed, slipped_bugs } =
        shrink(&start, &identity, &test, &effort, watch)?;
    let mut last = test.here.judge(&text, effort.limit)?;
    for _ in 1..reproduction.attempts() {
        if test.here.signature.matches(&last.signature, job.keep) {
            break;
        }
        last = test.here.judge(&text, effort.limit)?;
    }
    Ok(Minimised { located, compile, text, last, report, reproduction, resumed, slipped_bugs })
}

/// A module that is to be reduced, if our parser reads it and our oracles have nothing against it.
pub(super) fn valid(text: &str) -> Result<ir::Module, MinimiseError> {
    let module = ir::parse(text).map_err(|message| MinimiseError::Unreadable { message, text: text.to_owned() })?;
    let report = oracle::judge(&module);
    if report.is_valid() { Ok(module) } else { Err(MinimiseError::Invalid(report.to_string())) }
}

/// Runs all passes until one does wrong. A failure that happens only sometimes may need more than one look.
fn find(compiler: &dyn Compiler, job: &ReductionJob, plan: &Plan) -> Result<Trace, MinimiseError> {
    let mut looks = 1;
    loop {
        let trace = Tracer::new(compiler).trace(plan, &job.module)?;
        match trace.judgement.verdict {
            verdict if verdict.is_failure() => return Ok(trace),
            Verdict::Ok if looks < job.effort.tries => looks += 1,
            _ => return Err(MinimiseError::DoesNotFail(Box::new(trace))),
        }
    }
}

/// The passes up to one of them, that included.
fn up_to(all: &Compile, last: usize) -> Compile {
    match &all.passes {
        Passes::Texts { texts } => all.with(Passes::texts(texts.iter().take(last + 1))),
        _ => all.clone(),
    }
}

/// The module that a step got, if it is one to reduce: no LLVM IR, no assembly, and not yet in the dialect `llvm`.
fn reducible_before(step: &TraceStep) -> Option<&str> {
    let before = step.before.as_ref().filter(|before| before.form() == ModuleForm::Mlir)?;
    (!before.text().contains("llvm.func ")).then(|| before.text())
}

/// The step that did wrong.
fn located(trace: &Trace) -> Result<LocatedFailure, MinimiseError> {
    let unlocated = || MinimiseError::Unlocated(trace.judgement.signature.to_string());
    let (index, step) = trace.blamed_index().zip(trace.failing()).ok_or_else(unlocated)?;
    let until = trace.steps.get(..=index).unwrap_or_default();
    let before = until.iter().rev().find_map(reducible_before).ok_or_else(unlocated)?.to_owned();
    Ok(LocatedFailure { judgement: trace.judgement.clone(), index, pass: step.action.to_string(), before })
}

/// The fewest passes found that end with the failing one and show the failure, with the module before them: the shortest run
/// that does, thinned out.
fn failing_alone(
    compiler: &dyn Compiler,
    job: &ReductionJob,
    all: &Compile,
    trace: &Trace,
    located: &LocatedFailure,
) -> Result<(Compile, String), MinimiseError> {
    let (compile, module) = shortest_run(compiler, job, all, trace, located)?;
    let Passes::Texts { texts } = &compile.passes else { return Ok((compile, module)) };
    let passes = texts.iter().flat_map(|text| NestedPass::named(text)).collect();
    let some = |passes: &[NestedPass]| all.with(Passes::texts(passes));
    let fewest = super::passes::fewest(passes, |fewer| match shows(compiler, job, located, &some(fewer), &module) {
        // What the installation does not take is not what fails.
        Err(WorkerError::Refused(_)) => Ok(false),
        answer => answer,
    })?;
    Ok((some(&fewest), module))
}

/// Whether some passes show the failure on a module; one that happens only sometimes is looked for several times.
fn shows(
    compiler: &dyn Compiler,
    job: &ReductionJob,
    located: &LocatedFailure,
    compile: &Compile,
    text: &str,
) -> Result<bool, WorkerError> {
    let signature = &located.judgement.signature;
    let test = SameFailure { compiler, compile, signature, keep: job.keep };
    any_of(job.effort.tries.max(1), || Ok(signature.matches(&test.judge(text, job.effort.limit)?.signature, job.keep)))
}

/// The shortest run of passes that ends with the failing one and shows the failure, with the module before it.
fn shortest_run(
    compiler: &dyn Compiler,
    job: &ReductionJob,
    all: &Compile,
    trace: &Trace,
    located: &LocatedFailure,
) -> Result<(Compile, String), MinimiseError> {
    let steps = trace.steps.get(..=located.index).unwrap_or_default();
    // Behind the lowering, the TTGIR that led there is reduced: as it was with its loops, if that shows the failure.
    let is_lowered = steps.last().is_some_and(|step| reducible_before(step).is_none());
    for (start, step) in steps.iter().enumerate().rev() {
        let Some(before) = reducible_before(step).filter(|text| !is_lowered || !text.contains(" cf.")) else {
            continue;
        };
        let passes = steps[start..].iter().flat_map(|step: &TraceStep| step.action.passes());
        let some = all.with(Passes::texts(passes));
        if shows(compiler, job, located, &some, before)? {
            return Ok((some, before.to_owned()));
        }
    }
    Ok((up_to(all, located.index), job.module.clone()))
}
