//! What every step of a compile did: the module before and after it, and what is to be said of it.
//!
//! A [`Tracer`] runs a [`Plan`] one step at a time, keeps the modules, and has every module that a step changed looked at by
//! its oracles. There is one definition of blame, and all verbs share it: the earliest step whose module an oracle rejects
//! did wrong, whatever the compiler says of a later one; else the step that the compiler names. What follows a module that
//! is wrong is not judged, since it began wrong. There is no halving: the modules are there after one run, and wrongness
//! can heal.

mod oracle;
mod snapshot;

pub use oracle::{DominanceOracle, ORACLES, StepOracle, Structure, Transition};
pub use snapshot::Snapshot;

use super::{Accuser, Judgement, compilers_word};
use crate::compiler::Compiler;
use crate::compiler::outcome::{Exit, Outcome};
use crate::compiler::plan::{Action, Part, PassSelection, Plan, PlanError, Segment};
use crate::compiler::protocol::{Keep, Metadata, Options, RunRequest};
use crate::compiler::worker::WorkerError;
use crate::compiler::{Compile, Target};
use crate::ir::ParseError;
use std::fmt;
use std::time::Duration;

/// Runs plans step by step.
#[derive(Clone, Copy)]
pub struct Tracer<'a> {
    /// What runs the steps.
    pub compiler: &'a dyn Compiler,
    /// What looks at the modules between them.
    pub oracles: &'a [&'a dyn StepOracle],
    /// Whether the modules between the steps are kept. Without them only the compiler can accuse.
    pub modules: bool,
}

/// A compile, step by step.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The module that went in.
    pub input: Snapshot,
    /// All steps that were planned, in order, those that were not reached too.
    pub steps: Vec<TraceStep>,
    /// What the compile as a whole means.
    pub judgement: Judgement,
    /// How it ended.
    pub exit: Exit,
    /// What the compiler printed where it ended.
    pub stderr: String,
    /// What was not run, with the reason, where that is no failure: a stage that no module of this kind goes through, a step
    /// that needs a program which is not installed.
    pub not_run: Option<String>,
    /// What the stages noted of the kernel for its launch.
    pub metadata: Metadata,
    blamed: Option<usize>,
}

/// A step of a compile.
#[derive(Debug, Clone)]
pub struct TraceStep {
    /// The stage that it belongs to, or `pipeline`.
    pub stage: String,
    /// Its position among the steps of that stage that were planned, from 0.
    pub index: usize,
    /// How many those are.
    pub of: usize,
    /// What it does.
    pub action: Action,
    /// How long it took.
    pub time: Option<Duration>,
    /// The module that it got.
    pub before: Option<Snapshot>,
    /// The module that it left; that of the step before, where it changed nothing.
    pub after: Option<Snapshot>,
    /// What is to be said of it.
    pub verdict: StepVerdict,
}

/// What is to be said of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepVerdict {
    /// It did not run, or nothing that it left could be had.
    NotReached,
    /// It ran, and nobody looked: our parser does not read its module, or a step before did wrong.
    NotJudged,
    /// Nothing is wrong with it.
    Good,
    /// It is where the compile failed, or what it left is rejected.
    Wrong {
        /// Who says so.
        accuser: Accuser,
        /// What is wrong, in a sentence.
        message: String,
    },
}

/// What was run, and what came of it.
#[derive(Debug)]
pub struct Traced {
    /// What was run.
    pub plan: Plan,
    /// What came of it.
    pub trace: Trace,
}

/// What the usual oracles have against a module of which nothing else is known.
pub(super) fn complaint(text: &str) -> Option<(&'static str, String)> {
    let after = Snapshot::new(text);
    let action = Action::default();
    let alone = Transition { index: 0, action: &action, after: after.module()?.ok()?, input: &after, before: None };
    ORACLES.iter().find_map(|oracle| Some((oracle.name(), oracle.complaint(&alone)?)))
}

impl fmt::Debug for Tracer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let oracles: Vec<&str> = self.oracles.iter().map(|oracle| oracle.name()).collect();
        f.debug_struct("Tracer").field("compiler", &self.compiler).field("oracles", &oracles).finish_non_exhaustive()
    }
}

impl<'a> Tracer<'a> {
    /// A tracer with the usual oracles.
    pub fn new(compiler: &'a dyn Compiler) -> Tracer<'a> {
        Tracer { compiler, oracles: &ORACLES, modules: true }
    }

    /// Runs a plan over a module.
    ///
    /// # Errors
    /// A broken environment, or passes that the compiler does not have.
    pub fn trace(&self, plan: &Plan, module: &str) -> Result<Trace, WorkerError> {
        let mut trace = Trace { not_run: plan.left_out.clone(), ..Trace::planned(&plan.segments, module) };
        let mut first = 0;
        for segment in &plan.segments {
            let module = trace.last().text().to_owned();
            let outcome = self.stepwise(&plan.compile(segment), &module, &trace.metadata)?;
            let is_cut_short = outcome.not_run.is_some();
            trace.extend(first..first + segment.steps.len(), outcome, self.oracles);
            if trace.exit != Exit::Ok || trace.blamed.is_some() || is_cut_short {
                break;
            }
            first += segment.steps.len();
        }
        Ok(trace)
    }

    /// Runs what is wanted over a module.
    ///
    /// # Errors
    /// There is nothing to run, or it cannot be run.
    pub fn request(
        &self,
        request: &PassSelection,
        part: &Part,
        target: &Target,
        options: &Options,
        module: &str,
    ) -> Result<Traced, PlanError> {
        let plan = Plan::new(self.compiler, request, part, target, options)?;
        let trace = self.trace(&plan, module)?;
        Ok(Traced { plan, trace })
    }

    fn stepwise(&self, compile: &Compile, module: &str, metadata: &Metadata) -> Result<Outcome, WorkerError> {
        let after = if self.modules { vec![0] } else { Vec::new() };
        let keep = Keep { each: self.modules, after, ..Keep::default() };
        let run = RunRequest { metadata: metadata.clone(), ..compile.run(module, keep) };
        let mut outcome = self.compiler.run(&run)?;
        if let Some(failing) = outcome.failing.as_ref().map(|failing| failing.index)
            && self.modules
            && failing > 0
            && outcome.module_after(failing).is_none()
        {
            // The process died and took the modules with it: the steps before are run once more.
            let before = RunRequest { stop: Some(failing), ..run };
            outcome.modules = self.compiler.run(&before)?.modules;
        }
        Ok(outcome)
    }
}

impl Trace {
    /// What a run that was made elsewhere says, of passes of which all modules were kept.
    pub fn of(segment: &Segment, module: &str, outcome: Outcome) -> Trace {
        let mut trace = Trace::planned(std::slice::from_ref(segment), module);
        trace.extend(0..segment.steps.len(), outcome, &ORACLES);
        trace
    }

    fn planned(segments: &[Segment], module: &str) -> Trace {
        let steps = segments.iter().flat_map(|segment| {
            let of = segment.steps.len();
            segment.steps.iter().enumerate().map(move |(index, action)| TraceStep {
                stage: segment.stage.clone(),
                index,
                of,
                action: action.clone(),
                time: None,
                before: None,
                after: None,
                verdict: StepVerdict::NotReached,
            })
        });
        Trace {
            input: Snapshot::new(module),
            steps: steps.collect(),
            judgement: Judgement::fine(),
            exit: Exit::Ok,
            stderr: String::new(),
            not_run: None,
            metadata: Metadata::new(),
            blamed: None,
        }
    }

    /// Puts in what came of some of the steps.
    fn extend(&mut self, range: std::ops::Range<usize>, mut outcome: Outcome, oracles: &[&dyn StepOracle]) {
        let judgement = compilers_word(&outcome);
        let first = range.start;
        let mut kept = |after: usize| {
            let kept = outcome.modules.iter_mut().find(|kept| kept.after == after)?;
            Some((kept.form, std::mem::take(&mut kept.text)))
        };
        let mut before = Some(self.last().clone());
        // What went in, as the compiler prints it: what went out the same was not changed.
        let mut text = kept(0);
        for (offset, step) in self.steps.get_mut(range).unwrap_or_default().iter_mut().enumerate() {
            step.time = outcome.micros_each.get(offset).map(|&micros| Duration::from_micros(micros));
            let left = kept(offset + 1);
            step.after = match (&left, &before) {
                (Some(left), Some(before)) if text.as_ref() == Some(left) => Some(before.clone()),
                (Some((form, left)), _) => Some(Snapshot::in_form(*form, left.as_str())),
                (None, _) => None,
            };
            text = left;
            step.before = std::mem::replace(&mut before, step.after.clone());
            if step.after.is_some() {
                step.verdict = StepVerdict::NotJudged;
            }
        }
        for index in first..self.steps.len() {
            if let Some((oracle, message)) = self.judge_step(index, oracles) {
                let pass = self.steps[index].action.name();
                self.judgement = Judgement::accused(&oracle, &message, Some(pass));
                self.blame(index, Accuser::Oracle(oracle), message);
                break;
            }
        }
        if let (Some(mut judgement), None) = (judgement, self.blamed) {
            if let Some(failing) = outcome.failing.as_ref().filter(|failing| first + failing.index < self.steps.len()) {
                let index = first + failing.index;
                if failing.text.is_empty() {
                    judgement = judgement.in_pass(self.steps[index].action.name());
                }
                self.blame(index, Accuser::Compiler, judgement.with_note());
            }
            self.judgement = judgement;
        }
        self.not_run = outcome.not_run.or(self.not_run.take());
        self.metadata.extend(outcome.metadata);
        self.exit = outcome.exit;
        self.stderr = outcome.stderr;
    }

    /// Asks the oracles about a step, unless it changed nothing.
    fn judge_step(&mut self, index: usize, oracles: &[&dyn StepOracle]) -> Option<(String, String)> {
        let step = self.steps.get(index)?;
        let after = step.after.as_ref()?;
        let verdict = match after.module() {
            None | Some(Err(_)) => StepVerdict::NotJudged,
            Some(Ok(_)) if step.before.as_ref().is_some_and(|before| before.is(after)) => StepVerdict::Good,
            Some(Ok(module)) => {
                let transition = Transition {
                    index,
                    action: &step.action,
                    after: module,
                    input: &self.input,
                    before: step.before.as_ref(),
                };
                let complaint = oracles.iter().find_map(|oracle| Some((oracle.name(), oracle.complaint(&transition)?)));
                if let Some((oracle, message)) = complaint {
                    return Some((oracle.to_owned(), message));
                }
                StepVerdict::Good
            }
        };
        self.steps[index].verdict = verdict;
        None
    }

    fn blame(&mut self, index: usize, accuser: Accuser, message: String) {
        self.steps[index].verdict = StepVerdict::Wrong { accuser, message };
        self.blamed = Some(index);
    }

    /// The newest module that is there.
    fn last(&self) -> &Snapshot {
        self.steps.iter().rev().find_map(|step| step.after.as_ref()).unwrap_or(&self.input)
    }

    /// The step that the judgement is about: the one that did wrong, or that refused the module.
    pub fn blamed(&self) -> Option<&TraceStep> {
        self.steps.get(self.blamed?)
    }

    /// The position of that step among all.
    pub fn blamed_index(&self) -> Option<usize> {
        self.blamed
    }

    /// The first step that did wrong, where the compile shows a bug.
    pub fn first_bad(&self) -> Option<&TraceStep> {
        self.blamed().filter(|_| self.judgement.verdict.is_bug())
    }

    /// The step in which the compile failed, whoever's fault it is.
    pub fn failing(&self) -> Option<&TraceStep> {
        self.blamed().filter(|_| self.judgement.verdict.is_failure())
    }

    /// The steps whose modules our parser does not read, so that nobody looked at them.
    pub fn unread(&self) -> impl Iterator<Item = (&TraceStep, &ParseError)> {
        self.steps.iter().filter_map(|step| Some((step, step.after.as_ref()?.module()?.err()?)))
    }

    /// Time in all steps.
    pub fn time(&self) -> Duration {
        self.steps.iter().filter_map(|step| step.time).sum()
    }
}

impl TraceStep {
    /// Who says that it did wrong, and what; nothing where nobody does.
    pub fn accusation(&self) -> Option<(&Accuser, &str)> {
        match &self.verdict {
            StepVerdict::Wrong { accuser, message } => Some((accuser, message)),
            _ => None,
        }
    }

    /// Whether it left another module than it got.
    pub fn changed(&self) -> Option<bool> {
        Some(!self.before.as_ref()?.is(self.after.as_ref()?))
    }
}

/// `tritongpu-coalesce (3 of 26 of ttgir)`.
impl fmt::Display for TraceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} of {} of {})", self.action.name(), self.index + 1, self.of, self.stage)
    }
}
