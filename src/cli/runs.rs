//! One module through the passes of one version for one target.

use super::excerpt::ExcerptSource;
use tritonsmith::compiler::plan::{Occurrence, Part, PassSelection, PlanError};
use tritonsmith::compiler::protocol::Options;
use tritonsmith::compiler::wheel::Triton;
use tritonsmith::compiler::worker::WorkerError;
use tritonsmith::compiler::{Compiler, Target};
use tritonsmith::ir::{self, ParseOptions};
use tritonsmith::judge::trace::{Snapshot, TraceStep, Traced};
use tritonsmith::judge::{Trace, Tracer};
use tritonsmith::oracle;

/// What all runs have in common.
#[derive(Debug)]
pub struct RunJob {
    /// The module.
    pub module: String,
    /// What to compile for, one after the other.
    pub targets: Vec<Target>,
    /// The backend's options.
    pub options: Options,
    /// What to run.
    pub wanted: PassSelection,
    /// Which part of it.
    pub part: Part,
    /// Which modules are wanted.
    pub show: ShowModules,
}

/// Which modules are to be printed.
#[derive(Debug, Clone)]
pub struct ShowModules {
    /// Those after a pass; after all where none is named inside.
    pub after: Option<Option<Occurrence>>,
    /// The one before the failing pass.
    pub before_failing: bool,
}

/// What came of one version and target.
#[derive(Debug)]
pub struct Cell {
    /// Which version.
    pub triton: Triton,
    /// Which target.
    pub target: Target,
    /// Target and version by their position on the command line.
    pub order: (usize, usize),
    /// What came of it.
    pub result: Result<FinishedRun, NotRun>,
}

/// Why nothing was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotRun {
    /// In a sentence.
    pub message: String,
    /// Whether the installation does not work, rather than that it has no such target or pass.
    pub broken: bool,
}

/// A run that took place.
#[derive(Debug)]
pub struct FinishedRun {
    /// What came of it.
    pub trace: Trace,
    /// The modules that were asked for.
    pub shown: Vec<Shown>,
    /// What our oracle found, quoted.
    pub excerpt: Option<String>,
    /// What else is to be said: what was run instead, what could not be judged.
    pub notes: Vec<String>,
}

/// A module that was asked for.
#[derive(Debug)]
pub struct Shown {
    /// `after tritongpu-coalesce`, `before tritongpu-pipeline`.
    pub what: String,
    /// The module.
    pub module: Snapshot,
}

impl Cell {
    /// Runs a job with a compiler, if there is one.
    pub fn run(
        compiler: &Result<Box<dyn Compiler>, WorkerError>,
        triton: &Triton,
        target: &Target,
        job: &RunJob,
        order: (usize, usize),
    ) -> Cell {
        let result = match compiler {
            Ok(compiler) => Tracer::new(compiler.as_ref())
                .request(&job.wanted, &job.part, target, &job.options, &job.module)
                .map(|traced| FinishedRun::of(traced, &job.show))
                .map_err(NotRun::from),
            Err(error) => Err(NotRun { message: error.to_string(), broken: true }),
        };
        Cell { triton: triton.clone(), target: target.clone(), order, result }
    }
}

impl From<PlanError> for NotRun {
    fn from(error: PlanError) -> Self {
        let asked = matches!(error, PlanError::Worker(WorkerError::Refused(_)));
        NotRun { message: error.to_string(), broken: !asked && matches!(error, PlanError::Worker(_)) }
    }
}

impl FinishedRun {
    fn of(traced: Traced, show: &ShowModules) -> FinishedRun {
        let Traced { trace, .. } = traced;
        let unread = trace.unread();
        let notes = unread
            .map(|(step, error)| format!("after {step} the module cannot be read here, and was not judged: {error}"));
        let notes = notes.chain(trace.not_run.clone()).collect();
        let mut shown: Vec<Shown> = Vec::new();
        if let Some(wanted) = &show.after {
            let runs = wanted.as_ref().map(|wanted| wanted.runs(trace.steps.iter().map(|step| &step.action)));
            let steps = trace.steps.iter().enumerate();
            let named = steps.filter(|(at, _)| runs.as_ref().is_none_or(|runs| runs.contains(at)));
            shown
                .extend(named.filter_map(|(_, step)| {
                    Some(Shown { what: format!("after {step}"), module: step.after.clone()? })
                }));
        }
        let bad = trace.first_bad();
        let before = bad.filter(|_| show.before_failing).and_then(|step| Some((step, step.before.clone()?)));
        shown.extend(before.map(|(step, module)| Shown { what: format!("before {step}"), module }));
        let excerpt = bad.filter(|step| step.accusation().is_some_and(|(accuser, _)| !accuser.is_compiler()));
        let excerpt = excerpt.and_then(|step| excerpt_of(step.after.as_ref()?.text()));
        FinishedRun { trace, shown, excerpt, notes }
    }

    /// The step at which it ended: the one to blame, or the last that ran.
    pub fn end(&self) -> Option<&TraceStep> {
        let last = || self.trace.steps.iter().rev().find(|step| step.after.is_some());
        self.trace.blamed().or_else(last).or(self.trace.steps.first())
    }
}

/// The first thing that our oracle has against a module, quoted from its text.
fn excerpt_of(text: &str) -> Option<String> {
    let module = ir::parse_with(text, ParseOptions { spans: true }).ok()?;
    let source = ExcerptSource::new("the module after this pass", text.as_bytes());
    let quoted = source.whole();
    let complaints = quoted.complaints(&module, &oracle::judge(&module));
    complaints.first().map(|complaint| quoted.show(complaint))
}
