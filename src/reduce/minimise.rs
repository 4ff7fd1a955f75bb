//! A whole reduction: from a failing module to the smallest one found, with what was learned on the way.
//!
//! First the failing pass is found and the module just before it; that pass alone then runs on each candidate
//! ([`Level::Pass`]). If the pass alone does not show the failure, the passes before it join it, one after the other, until
//! it shows. With [`Level::Ttir`] all passes run on the module as given instead.

use super::candidate::{Candidate, Cost};
use super::differential::{Differential, ReferenceCompiler};
use super::journal::JournalError;
use super::locate::{Located, Search, locate};
use super::reproduction::ReproductionRate;
use super::same_failure::{Compile, SameFailure, SlippedBug};
use super::shrink::{Effort, Shrunk, any_of, shrink};
use crate::compiler::Compiler;
use crate::compiler::outcome::Outcome;
use crate::compiler::protocol::{Keep as KeepModules, Passes};
use crate::compiler::worker::WorkerError;
use crate::ir;
use crate::judge::{Judgement, Keep, Verdict};
use crate::oracle;
use std::sync::Arc;
use std::time::Duration;
use tritonsmith_reducer::{Progress, Report};

/// What runs on each candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Level {
    /// The failing pass over the module just before it.
    #[default]
    Pass,
    /// All passes over the module as given.
    Ttir,
}

/// What to reduce, and how hard to try.
#[derive(Debug, Clone)]
pub struct Job {
    /// Target, options and all passes.
    pub compile: Compile,
    /// The module's text, as it is before the first of these passes.
    pub module: String,
    /// What runs on each candidate.
    pub level: Level,
    /// How much of the failure must stay.
    pub keep: Keep,
    /// After how long a run counts as one that does not end, where that is the failure; ten seconds if nothing is said.
    pub hang_after: Option<Duration>,
    /// Compilers that must accept the module.
    pub references: Vec<Arc<dyn ReferenceCompiler>>,
    /// How hard to try.
    pub effort: Effort,
}

impl Job {
    /// A module and the passes that it is to fail in, everything else as it is when nobody says otherwise.
    pub fn new(compile: Compile, module: String) -> Job {
        let (level, keep) = (Level::default(), Keep::default());
        Job { compile, module, level, keep, hang_after: None, references: Vec::new(), effort: Effort::default() }
    }
}

/// Is told what happens. All methods do nothing by default.
pub trait Watch {
    /// The failing pass is known, and this is the module to be reduced.
    fn located(&mut self, located: &Located, compile: &Compile) {
        let _ = (located, compile);
    }

    /// It is known how often the failure reproduces on that module.
    fn reproduced(&mut self, rate: ReproductionRate) {
        let _ = rate;
    }

    /// A step begins.
    fn step(&mut self, step: &str, progress: &Progress<Cost>) {
        let _ = (step, progress);
    }

    /// A query was answered.
    fn answered(&mut self, progress: &Progress<Cost>) {
        let _ = progress;
    }

    /// There is a smaller module.
    fn smaller(&mut self, best: &Candidate, progress: &Progress<Cost>) {
        let _ = (best, progress);
    }

    /// Another bug was met.
    fn slipped_bug(&mut self, bug: &SlippedBug) {
        let _ = bug;
    }
}

/// Watches nothing.
impl Watch for () {}

/// A finished reduction.
#[derive(Debug, Clone)]
pub struct Minimised {
    /// The failure, the failing pass and the module before it.
    pub located: Located,
    /// What ran on each candidate.
    pub compile: Compile,
    /// The smallest module's text.
    pub text: String,
    /// What it shows when run once more in the end.
    pub last: Judgement,
    /// What the engine did.
    pub report: Report<Candidate>,
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
    /// The module does not fail, or not by a bug.
    #[error("this module does not fail here")]
    DoesNotFail(Box<Judgement>),
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
    /// Our oracle rejects the module just before the failing pass, so the pass is not to blame.
    #[error("the module is invalid before `{pass}` runs already: {violation}")]
    InvalidBefore {
        /// The failing pass.
        pass: String,
        /// What is wrong.
        violation: String,
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
pub fn minimise(compiler: &dyn Compiler, job: &Job, watch: &mut dyn Watch) -> Result<Minimised, MinimiseError> {
    let located = find(compiler, job)?;
    let mut effort = job.effort.clone();
    if located.judgement.verdict == Verdict::Hang {
        let own = job.hang_after.map(|own| own.min(effort.limit));
        effort.limit = own.unwrap_or_else(|| located.judgement.signature.patience(effort.limit));
        effort.hang = true;
    }
    let job = &Job { effort: effort.clone(), ..job.clone() };
    let (compile, start) = match job.level {
        Level::Ttir => (job.compile.clone(), job.module.clone()),
        Level::Pass => failing_alone(compiler, job, &located)?,
    };
    let module = ir::parse(&start).map_err(|message| MinimiseError::Unreadable { message, text: start.clone() })?;
    let verdict = oracle::judge(&module);
    if !verdict.is_valid() {
        return Err(MinimiseError::InvalidBefore { pass: located.pass.clone(), violation: verdict.to_string() });
    }
    watch.located(&located, &compile);
    let here = SameFailure { compiler, compile: &compile, signature: &located.judgement.signature, keep: job.keep };
    let versions: Vec<String> = job.references.iter().map(|version| version.name()).collect();
    let triton = compiler.version();
    let identity = format!("{triton} {compile:?} {} {:?} {versions:?}", here.signature, job.keep);
    for version in &job.references {
        if let Some(complaint) = version.complaint(&compile, &start).map_err(MinimiseError::Engine)? {
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

/// Finds the failing pass. A failure that happens only sometimes may need more than one look.
fn find(compiler: &dyn Compiler, job: &Job) -> Result<Located, MinimiseError> {
    let mut looks = 1;
    loop {
        match locate(compiler, &job.compile, &job.module)? {
            Search::Located(located) => return Ok(located),
            Search::Unlocated(judgement) => return Err(MinimiseError::Unlocated(judgement.signature.to_string())),
            Search::NoBug(judgement) if judgement.verdict != Verdict::Ok || looks >= job.effort.tries => {
                return Err(MinimiseError::DoesNotFail(Box::new(judgement)));
            }
            Search::NoBug(_) => looks += 1,
        }
    }
}

/// The fewest passes found that end with the failing one and show the failure, with the module before them: the shortest run
/// that does, thinned out, and without options that it does not need.
fn failing_alone(compiler: &dyn Compiler, job: &Job, located: &Located) -> Result<(Compile, String), MinimiseError> {
    let (compile, module) = shortest_run(compiler, job, located)?;
    let Passes::Texts { texts } = &compile.passes else { return Ok((compile, module)) };
    let some = |texts: &[String]| job.compile.with(Passes::Texts { texts: texts.to_vec() });
    let fewest =
        super::passes::fewest(texts.clone(), |fewer| match shows(compiler, job, located, &some(fewer), &module) {
            // What the installation does not take is not what fails.
            Err(WorkerError::Refused(_)) => Ok(false),
            answer => answer,
        })?;
    Ok((some(&fewest), module))
}

/// Whether some passes show the failure on a module; one that happens only sometimes is looked for several times.
fn shows(
    compiler: &dyn Compiler,
    job: &Job,
    located: &Located,
    compile: &Compile,
    text: &str,
) -> Result<bool, WorkerError> {
    let signature = &located.judgement.signature;
    let test = SameFailure { compiler, compile, signature, keep: job.keep };
    any_of(job.effort.tries.max(1), || Ok(signature.matches(&test.judge(text, job.effort.limit)?.signature, job.keep)))
}

/// The shortest run of passes that ends with the failing one and shows the failure, with the module before it.
fn shortest_run(compiler: &dyn Compiler, job: &Job, located: &Located) -> Result<(Compile, String), MinimiseError> {
    let shows = |compile: &Compile, text: &str| shows(compiler, job, located, compile, text);
    let alone = job.compile.with(Passes::Texts { texts: vec![located.pass.clone()] });
    if !located.pass.is_empty() && shows(&alone, &located.before)? {
        return Ok((alone, located.before.clone()));
    }
    let Passes::Texts { texts } = &job.compile.passes else {
        return Ok((job.compile.clone(), job.module.clone()));
    };
    let keep = KeepModules { each: true, ..KeepModules::default() };
    let before = Compile {
        passes: Passes::Texts { texts: texts[..located.index.min(texts.len())].to_vec() },
        ..job.compile.clone()
    };
    let outcome: Outcome = compiler.run(&before.run(&job.module, keep))?;
    for start in (1..located.index).rev() {
        let Some(text) = outcome.module_after(start) else { continue };
        let some = job.compile.with(Passes::Texts { texts: texts[start..=located.index].to_vec() });
        if shows(&some, text)? {
            return Ok((some, text.to_owned()));
        }
    }
    Ok((job.compile.clone(), job.module.clone()))
}
