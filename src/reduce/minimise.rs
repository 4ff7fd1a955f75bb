//! A whole reduction: from a failing module to the smallest one found, with what was learned on the way.
//!
//! First the failing pass is found and the module just before it; that pass alone is then the question
//! ([`Level::Pass`]). Where the pass alone does not show the failure, the passes before it join it, one after the other,
//! until it shows. [`Level::Ttir`] asks about the module as given with all passes instead.

use super::candidate::{Candidate, Cost};
use super::locate::{Located, Search, locate};
use super::question::{Aside, Compile, SameFailure};
use super::steps;
use crate::compiler::Compiler;
use crate::compiler::outcome::Outcome;
use crate::compiler::protocol::{Keep as KeepModules, Passes};
use crate::compiler::worker::WorkerError;
use crate::ir;
use crate::judge::{Judgement, Keep};
use crate::oracle;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tritonsmith_reducer::{self as engine, Asked, Attempts, Decision, Observer, Progress, Report, Step};

/// What the question runs.
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
    /// What the question runs.
    pub level: Level,
    /// How much of the failure must stay.
    pub keep: Keep,
    /// Questions in flight at once.
    pub jobs: usize,
    /// At most so many questions.
    pub max_questions: Option<u64>,
    /// At most so much time for the search.
    pub max_time: Option<Duration>,
    /// How often the failure is looked for before it is believed.
    pub first_checks: u32,
    /// Set to stop; the best so far is the result.
    pub cancel: Arc<AtomicBool>,
}

/// Is told what happens. All methods do nothing by default.
pub trait Watch {
    /// The failing pass is known, and this is the module to be reduced.
    fn located(&mut self, located: &Located, question: &Compile) {
        let _ = (located, question);
    }

    /// A step begins with this many sites.
    fn step(&mut self, step: &str, sites: usize, progress: &Progress<Cost>) {
        let _ = (step, sites, progress);
    }

    /// A question was answered.
    fn asked(&mut self, asked: &Asked<'_>, progress: &Progress<Cost>) {
        let _ = (asked, progress);
    }

    /// There is a smaller module.
    fn smaller(&mut self, best: &Candidate, decisions: &[Decision], progress: &Progress<Cost>) {
        let _ = (best, decisions, progress);
    }

    /// Another bug was met.
    fn aside(&mut self, aside: &Aside) {
        let _ = aside;
    }
}

/// Watches nothing.
impl Watch for () {}

/// A finished reduction.
#[derive(Debug, Clone)]
pub struct Minimised {
    /// The failure, the failing pass and the module before it.
    pub located: Located,
    /// What the question ran.
    pub question: Compile,
    /// The smallest module's text.
    pub text: String,
    /// What it shows when run once more in the end.
    pub last: Judgement,
    /// What the engine did.
    pub report: Report<Candidate>,
    /// Other failures that were met, one for each signature.
    pub asides: Vec<Aside>,
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
    /// What Triton printed just before the failing pass cannot be read here.
    #[error("the module just before the failing pass does not parse here: {message}")]
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
    /// The failure was not seen again.
    #[error("the failure was not seen again: {seen} of {asked} runs failed the same way")]
    NotAgain {
        /// Runs that failed.
        seen: u32,
        /// Runs.
        asked: u32,
    },
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
    let located = match locate(compiler, &job.compile, &job.module)? {
        Search::Located(located) => located,
        Search::Unlocated(judgement) => return Err(MinimiseError::Unlocated(judgement.signature.to_string())),
        Search::NoBug(judgement) => return Err(MinimiseError::DoesNotFail(Box::new(judgement))),
    };
    let (question, start) = match job.level {
        Level::Ttir => (job.compile.clone(), job.module.clone()),
        Level::Pass => failing_alone(compiler, job, &located)?,
    };
    let module = ir::parse(&start).map_err(|message| MinimiseError::Unreadable { message, text: start.clone() })?;
    let verdict = oracle::judge(&module);
    if !verdict.is_valid() {
        return Err(MinimiseError::InvalidBefore { pass: located.pass.clone(), violation: verdict.to_string() });
    }
    watch.located(&located, &question);
    let predicate =
        SameFailure { compiler, compile: &question, signature: &located.judgement.signature, keep: job.keep };
    let boxed = steps::all();
    let steps: Vec<&dyn Step<Candidate>> = boxed.iter().map(Box::as_ref).collect();
    let options = engine::Options {
        jobs: job.jobs,
        max_questions: job.max_questions,
        max_time: job.max_time,
        cancel: job.cancel.clone(),
        first_checks: job.first_checks,
        attempts: Attempts::Demanded { miss: 0.01, at_most: 50 },
        limit_min: Duration::from_secs(2),
        ..engine::Options::default()
    };
    let mut relay = Relay { watch, asides: Vec::new() };
    let report = engine::reduce(Candidate::new(module), &steps, &predicate, &options, &mut relay).map_err(explain)?;
    let asides = relay.asides;
    // Numbers and arenas as if it had been written by hand; names alone can change nothing, but what is handed over is
    // what was run.
    let tidy = Candidate::new(report.subject.module.compact());
    let mut text = tidy.text().to_owned();
    let mut last = predicate.judge(&text)?;
    if !predicate.signature.matches(&last.signature, job.keep) {
        text = report.subject.text().to_owned();
        last = predicate.judge(&text)?;
    }
    Ok(Minimised { located, question, text, last, report, asides })
}

fn explain(error: engine::Error) -> MinimiseError {
    match error {
        engine::Error::NotInteresting { asked, .. } => MinimiseError::NotAgain { seen: 0, asked },
        engine::Error::Stopped => MinimiseError::Stopped,
        other => MinimiseError::Engine(other.to_string()),
    }
}

/// The shortest run of passes that ends with the failing one and shows the failure, with the module before it.
fn failing_alone(compiler: &dyn Compiler, job: &Job, located: &Located) -> Result<(Compile, String), MinimiseError> {
    let signature = &located.judgement.signature;
    let shows = |compile: &Compile, text: &str| -> Result<bool, WorkerError> {
        let question = SameFailure { compiler, compile, signature, keep: job.keep };
        (0..job.first_checks.max(1)).try_fold(false, |seen, _| {
            Ok(seen || question.judge(text).map(|judgement| signature.matches(&judgement.signature, job.keep))?)
        })
    };
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

/// Hands the engine's events on, and each other failure only once.
struct Relay<'w> {
    watch: &'w mut dyn Watch,
    asides: Vec<Aside>,
}

impl Observer<Candidate, Aside> for Relay<'_> {
    fn step_started(&mut self, step: &str, sites: usize, progress: &Progress<Cost>) {
        self.watch.step(step, sites, progress);
    }

    fn asked(&mut self, question: &Asked<'_>, progress: &Progress<Cost>) {
        self.watch.asked(question, progress);
    }

    fn accepted(&mut self, subject: &Candidate, decisions: &[Decision], _: bool, progress: &Progress<Cost>) {
        self.watch.smaller(subject, decisions, progress);
    }

    fn aside(&mut self, _: &Candidate, aside: Aside) {
        if !self.asides.iter().any(|known| known.judgement.signature == aside.judgement.signature) {
            self.watch.aside(&aside);
            self.asides.push(aside);
        }
    }
}
