//! One module through the passes of one version for one target.

use super::excerpt::Source;
use super::plan::{self, Occurrence, Part, PlanError, Segment, Wanted};
use std::time::Duration;
use tritonsmith::compiler::outcome::{Exit, Outcome};
use tritonsmith::compiler::protocol::{Keep, Mode, Options, RefusalKind, Run};
use tritonsmith::compiler::wheel::Triton;
use tritonsmith::compiler::worker::WorkerError;
use tritonsmith::compiler::{Compiler, Target};
use tritonsmith::ir::{self, ParseOptions};
use tritonsmith::judge::{Judgement, judge, judge_each, pass_name};
use tritonsmith::oracle;

/// What all runs have in common.
#[derive(Debug)]
pub struct Job {
    /// The module.
    pub module: String,
    /// What to compile for, one after the other.
    pub targets: Vec<Target>,
    /// The backend's options.
    pub options: Options,
    /// What to run.
    pub wanted: Wanted,
    /// Which part of it.
    pub part: Part,
    /// Which modules are wanted.
    pub show: Show,
}

/// Which modules are to be printed.
#[derive(Debug, Clone)]
pub struct Show {
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
    pub result: Result<Ran, NotRun>,
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
pub struct Ran {
    /// What it means.
    pub judgement: Judgement,
    /// How it ended.
    pub exit: Exit,
    /// Where it ended: the stage's name, or `pipeline`.
    pub stage: String,
    /// The failing pass by its position there, from 0.
    pub index: Option<usize>,
    /// The failing pass as pipeline text.
    pub text: Option<String>,
    /// How many passes there are.
    pub passes: usize,
    /// Time in passes.
    pub time: Duration,
    /// What Triton printed.
    pub stderr: String,
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
    /// The text.
    pub text: String,
}

impl Cell {
    /// Runs a job with a compiler, if there is one.
    pub fn run(
        compiler: &Result<Box<dyn Compiler>, WorkerError>,
        spec: &Triton,
        target: &Target,
        job: &Job,
        order: (usize, usize),
    ) -> Cell {
        let result = match compiler {
            Ok(compiler) => run_or_fall_back(compiler.as_ref(), target, job),
            Err(error) => Err(NotRun { message: error.to_string(), broken: true }),
        };
        Cell { triton: spec.clone(), target: target.clone(), order, result }
    }
}

impl From<PlanError> for NotRun {
    fn from(error: PlanError) -> Self {
        let asked = matches!(error, PlanError::Worker(WorkerError::Refused(_)));
        NotRun { message: error.to_string(), broken: !asked && matches!(error, PlanError::Worker(_)) }
    }
}

/// Runs what is wanted, or what stands for a log's pipeline in a version that does not have its passes.
fn run_or_fall_back(compiler: &dyn Compiler, target: &Target, job: &Job) -> Result<Ran, NotRun> {
    match (run(compiler, target, job, &job.wanted), &job.wanted) {
        (Err(PlanError::Worker(WorkerError::Refused(refusal))), Wanted::Log(_, instead))
            if refusal.kind == RefusalKind::Pass =>
        {
            let mut ran = run(compiler, target, job, instead).map_err(NotRun::from)?;
            let stage = &ran.stage;
            ran.notes
                .insert(0, format!("the log's pipeline is not this version's ({refusal}); its own {stage} was run"));
            Ok(ran)
        }
        (result, _) => result.map_err(NotRun::from),
    }
}

fn run(compiler: &dyn Compiler, target: &Target, job: &Job, wanted: &Wanted) -> Result<Ran, PlanError> {
    let segments = plan::segments(compiler, wanted, &job.part, target, &job.options)?;
    let mut module = job.module.clone();
    let (mut time, mut shown, mut notes) = (Duration::ZERO, Vec::new(), Vec::new());
    let mut last = None;
    for segment in &segments {
        let keep = Keep { each: true, last: true, before_failing: job.show.before_failing, ..Keep::default() };
        let (options, passes) = (job.options.clone(), segment.passes.clone());
        let question = Run {
            module: module.clone(),
            target: target.clone(),
            options,
            passes,
            stop: None,
            mode: Mode::Stepwise,
            keep,
        };
        let outcome = compiler.run(&question)?;
        time += Duration::from_micros(outcome.micros_each.iter().sum());
        let steps = judge_each(&outcome);
        for (after, error) in steps.unreadable {
            let place = segment.name(after - 1);
            notes.push(format!("after {place} the module cannot be read here, and was not judged: {error}"));
        }
        shown.extend(after_passes(segment, &outcome, &job.show));
        let mut ran = Ran::of(segment, &outcome);
        // A pass that breaks the module unnoticed is to blame for what the compiler says of a later one.
        if let Some(invalid) = steps.invalid {
            ran.blame(segment, invalid.after - 1, invalid.judgement);
            ran.excerpt = excerpt(&invalid.text);
        }
        if ran.judgement.verdict.is_bug()
            && let (true, Some(index)) = (job.show.before_failing, ran.index)
        {
            let before = if index == 0 { Some(module.as_str()) } else { outcome.module_after(index) };
            let what = format!("before {}", segment.name(index));
            shown.extend(before.map(|text| Shown { what, text: text.to_owned() }));
        }
        let go_on = outcome.is_ok() && !ran.judgement.verdict.is_bug();
        module = outcome.last_module().unwrap_or(&module).to_owned();
        last = Some(ran);
        if !go_on {
            break;
        }
    }
    last.map(|ran| Ran { time, shown, notes, ..ran }).ok_or(PlanError::Nothing)
}

/// The modules after the passes that were named.
fn after_passes(segment: &Segment, outcome: &Outcome, show: &Show) -> Vec<Shown> {
    let Some(wanted) = &show.after else { return Vec::new() };
    let kept = outcome.modules.iter().filter(|kept| kept.after > 0);
    let kept = kept.filter(|kept| {
        let name = segment.names.get(kept.after - 1).map_or("", String::as_str);
        wanted.as_ref().is_none_or(|wanted| wanted.names(name))
    });
    kept.map(|kept| Shown { what: format!("after {}", segment.name(kept.after - 1)), text: kept.text.clone() })
        .collect()
}

/// The first thing that our oracle has against a module, quoted from its text.
fn excerpt(text: &str) -> Option<String> {
    let module = ir::parse_with(text, ParseOptions { spans: true }).ok()?;
    let source = Source::new("the module after this pass", text.as_bytes());
    let quoted = source.whole();
    let complaints = quoted.complaints(&module, &oracle::judge(&module));
    complaints.first().map(|complaint| quoted.show(complaint))
}

impl Segment {
    /// `tritongpu-coalesce (3 of 26 of ttgir)`.
    fn name(&self, index: usize) -> String {
        let name = self.names.get(index).map_or_else(String::new, |text| pass_name(text));
        format!("{name} ({} of {} of {})", index + 1, self.names.len(), self.label)
    }
}

impl Ran {
    fn of(segment: &Segment, outcome: &Outcome) -> Ran {
        Ran {
            judgement: judge(outcome),
            exit: outcome.exit,
            stage: segment.label.clone(),
            index: outcome.failing.as_ref().map(|failing| failing.index),
            text: outcome.failing.as_ref().map(|failing| failing.text.clone()),
            passes: segment.names.len(),
            time: Duration::ZERO,
            stderr: outcome.stderr.clone(),
            shown: Vec::new(),
            excerpt: None,
            notes: Vec::new(),
        }
    }

    fn blame(&mut self, segment: &Segment, index: usize, judgement: Judgement) {
        self.index = Some(index);
        self.text = segment.names.get(index).cloned();
        self.judgement = judgement;
        self.judgement.pass = self.text.as_deref().map(pass_name);
        self.judgement.signature.pass = self.judgement.pass.clone().unwrap_or_default();
    }
}
