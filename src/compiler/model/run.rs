//! Running the model: which passes, what is verified between them, and what is said when one fails.

use super::pass::{Context, PIPELINE, Setup, Stop};
use super::{Model, Pass};
use crate::compiler::outcome::{Exit, Outcome};
use crate::compiler::pipeline::Pipeline;
use crate::compiler::protocol::{FailingPass, Keep, ModuleText, Passes, Refusal, RefusalKind, Run};
use crate::compiler::worker::WorkerError;
use crate::ir::{self, Definition, Module, ParseOptions, PrintOptions, Span};
use crate::oracle::{self, dominance, structure};
use std::fmt;
use std::time::{Duration, Instant};

/// What the model calls the module in diagnostics, as a worker does.
const INPUT: &str = "input.mlir";

/// The stage that stands for the whole pipeline.
const STAGE: &str = "ttgir";

/// How many steps of a pass count as a millisecond where a time is asked for: a run that takes too many is said to hang,
/// and the same module must hang on every machine.
const STEPS_PER_MS: u64 = 1000;

/// A pass that did not leave a valid module behind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pass}: {message}")]
pub struct Broken {
    /// Its place among the passes that were run, from 0.
    pub index: usize,
    /// The pass.
    pub pass: Pass,
    /// How it failed.
    pub how: How,
    /// The first thing that is wrong, in one line.
    pub message: String,
    /// What is wrong in MLIR's manner, without places.
    diagnostics: Vec<Said>,
}

/// The ways in which a pass of the model fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Our oracle rejects the module that it left behind.
    Invalid,
    /// It reported an error of its own: the module asks for what is not supported.
    Diagnosed,
    /// An assertion, or damage beyond repair.
    Crashed,
    /// It did not come to an end.
    Endless {
        /// After so many steps.
        steps: u64,
    },
}

/// One line of diagnostics.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Said {
    /// Where; what an edit made has no place. None for lines that never have one.
    at: Option<Span>,
    text: String,
}

impl Said {
    fn at(span: Span, text: impl Into<String>) -> Said {
        Said { at: Some(span), text: text.into() }
    }
}

/// A pass with what its text says.
struct Planned {
    pass: Pass,
    setup: Setup,
    text: String,
}

impl Model {
    /// Runs passes over a module, which is verified after each if [`Model::verify_each`] says so. `after` is told how many
    /// passes have run, and the module.
    ///
    /// # Errors
    /// The pass that failed. The module is as that pass left it.
    pub fn transform(
        &self,
        module: &mut Module,
        passes: &[Pass],
        setup: &Setup,
        mut after: impl FnMut(usize, &Module),
    ) -> Result<(), Broken> {
        for (index, &pass) in passes.iter().enumerate() {
            self.step(module, index, pass, setup)?;
            after(index + 1, module);
        }
        Ok(())
    }

    fn step(&self, module: &mut Module, index: usize, pass: Pass, setup: &Setup) -> Result<(), Broken> {
        let steps = super::pass::steps_for(module.walk().len());
        let context = Context::new(self.faults, setup, module);
        let broken = |how, message: String, diagnostics| Broken { index, pass, how, message, diagnostics };
        match pass.apply(module, &context) {
            Ok(()) => {}
            Err(Stop::Endless) => {
                return Err(broken(How::Endless { steps }, format!("no end after {steps} steps"), Vec::new()));
            }
            Err(Stop::Assertion { expression, file, line }) => {
                let text = format!("tritonsmith: {file}:{line}: {pass}: Assertion `{expression}' failed.");
                return Err(broken(How::Crashed, text.clone(), vec![Said { at: None, text }]));
            }
            Err(Stop::Fatal { op, message }) => {
                let (span, name) = (module.op(op).span, module.op_name(op));
                let error = Said::at(span, format!("error: '{name}' op {message}"));
                let fatal = Said { at: None, text: format!("LLVM ERROR: {message}") };
                return Err(broken(How::Crashed, message.to_owned(), vec![error, fatal]));
            }
            Err(Stop::Error { op, message }) => {
                let error = Said::at(module.op(op).span, format!("error: {message}"));
                return Err(broken(How::Diagnosed, message, vec![error]));
            }
        }
        match self.verify_each.then(|| complaint(module)).flatten() {
            Some((message, diagnostics)) => Err(broken(How::Invalid, message, diagnostics)),
            None => Ok(()),
        }
    }

    /// Runs a question as a worker does. The stage `ttgir` is the whole pipeline; passes by name are those of [`Pass`].
    ///
    /// # Errors
    /// A stage or a pass that the model does not have.
    pub fn run(&self, run: &Run) -> Result<Outcome, WorkerError> {
        let mut planned = plan(run)?;
        planned.truncate(run.stop.unwrap_or(usize::MAX));
        let mut outcome = Outcome {
            exit: Exit::Ok,
            stderr: String::new(),
            error: None,
            failing: None,
            modules: Vec::new(),
            time: Duration::ZERO,
            micros_each: Vec::new(),
        };
        let not_parsed = |stderr: String, outcome: Outcome| Outcome {
            exit: Exit::NotParsed { signal: None },
            error: Some("RuntimeError: Parse MLIR file failed.".to_owned()),
            stderr,
            ..outcome
        };
        let mut module = match ir::parse_with(&run.module, ParseOptions { spans: false }) {
            Ok(module) => module,
            Err(error) => {
                // An error at the end of the text points at nothing, and has a place all the same.
                let span = Span { end: error.span.end.max(error.span.start + 1), ..error.span };
                let said = Said::at(span, format!("error: {error}"));
                return Ok(not_parsed(print(&run.module, &[said]), outcome));
            }
        };
        if let Some((_, diagnostics)) = complaint(&module) {
            return Ok(not_parsed(print(&run.module, &diagnostics), outcome));
        }
        keep(&run.keep, 0, planned.is_empty(), &module, &mut outcome);
        for (index, step) in planned.iter().enumerate() {
            let started = Instant::now();
            let result = self.step(&mut module, index, step.pass, &step.setup);
            let time = started.elapsed();
            outcome.time += time;
            outcome.micros_each.push(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
            match result {
                Ok(()) => keep(&run.keep, index + 1, index + 1 == planned.len(), &module, &mut outcome),
                Err(broken) => {
                    self.fail(run, step, &broken, &mut outcome)?;
                    break;
                }
            }
        }
        Ok(outcome)
    }

    fn fail(&self, run: &Run, step: &Planned, broken: &Broken, outcome: &mut Outcome) -> Result<(), WorkerError> {
        outcome.failing = Some(FailingPass { index: broken.index, text: step.text.clone(), left: None });
        outcome.stderr = print(&run.module, &broken.diagnostics);
        outcome.exit = match broken.how {
            How::Invalid | How::Diagnosed => Exit::PassFailed,
            How::Crashed => Exit::Crashed { signal: None, caught: true },
            How::Endless { steps } => Exit::Hung { limit_ms: steps / STEPS_PER_MS },
        };
        if !matches!(broken.how, How::Endless { .. }) {
            outcome.error = Some("RuntimeError: PassManager::run failed".to_owned());
        }
        if run.keep.before_failing && outcome.module_after(broken.index).is_none() {
            let keep = Keep { last: true, locations: run.keep.locations, ..Keep::default() };
            let before = Run { stop: Some(broken.index), keep, ..run.clone() };
            outcome.modules.extend(self.run(&before)?.modules);
        }
        Ok(())
    }
}

fn keep(keep: &Keep, after: usize, is_last: bool, module: &Module, outcome: &mut Outcome) {
    let each = keep.each && after > 0;
    if each || keep.last && is_last || keep.after.contains(&after) {
        let options = PrintOptions { locations: keep.locations, ..PrintOptions::default() };
        outcome.modules.push(ModuleText { after, text: ir::print(module, &options) });
    }
}

fn refused(kind: RefusalKind, message: String) -> WorkerError {
    WorkerError::Refused(Refusal { kind, message })
}

/// The passes of a question in order.
fn plan(run: &Run) -> Result<Vec<Planned>, WorkerError> {
    let option = |name: &str| run.options.get(name).and_then(serde_json::Value::as_u64);
    let setup = Setup {
        target: format!("{}:{}", run.target.kind, run.target.arch),
        warps: option("num_warps").unwrap_or(4),
        threads_per_warp: u64::from(run.target.threads_per_warp()),
        ctas: option("num_ctas").unwrap_or(1),
    };
    match &run.passes {
        Passes::Stage { stage, from, to } if stage == STAGE => {
            let to = to.unwrap_or(PIPELINE.len()).min(PIPELINE.len());
            let passes = PIPELINE.get(*from..to).unwrap_or_default().iter();
            Ok(passes.map(|&pass| Planned { pass, text: pass.text(&setup), setup: setup.clone() }).collect())
        }
        Passes::Stage { stage, .. } => {
            Err(refused(RefusalKind::Stage, format!("the model has no stage `{stage}`, only `{STAGE}`")))
        }
        Passes::Texts { texts } => {
            let each = texts.iter().map(|text| {
                let pipeline: Pipeline = format!("builtin.module({text})")
                    .parse()
                    .map_err(|error| refused(RefusalKind::Pass, format!("`{text}` is no pass: {error}")))?;
                let placed = pipeline.passes();
                let found = placed.iter().map(|placed| {
                    let name = &placed.pass.name;
                    let pass = Pass::find(name)
                        .ok_or_else(|| refused(RefusalKind::Pass, format!("the model has no pass `{name}`")))?;
                    let setup = setup.with_options(placed.pass);
                    Ok(Planned { pass, text: placed.pass.to_string(), setup })
                });
                found.collect::<Result<Vec<_>, WorkerError>>()
            });
            each.collect::<Result<Vec<_>, _>>().map(|all| all.into_iter().flatten().collect())
        }
    }
}

/// The first thing that the oracle has against a module. Like MLIR's verifier, what is wrong with operations comes before
/// what is wrong with dominance, and only the first of them is told.
fn complaint(module: &Module) -> Option<(String, Vec<Said>)> {
    let report = oracle::judge(module);
    let of_structure = report.structure.first().map(|violation| structure_said(module, violation));
    of_structure.or_else(|| report.dominance.first().map(|violation| dominance_said(module, violation)))
}

fn structure_said(module: &Module, violation: &structure::Violation) -> (String, Vec<Said>) {
    let (span, name) = (module.op(violation.op).span, module.op_name(violation.op));
    let text = format!("'{name}' op {}", violation.message);
    (text.clone(), vec![Said::at(span, format!("error: {text}"))])
}

fn dominance_said(module: &Module, violation: &dominance::Violation) -> (String, Vec<Said>) {
    let place = violation.place;
    let dominance::Place::Use(place) = place else {
        let dominance::Place::Definition(span) = place else { return (String::new(), Vec::new()) };
        let text = violation.to_string();
        return (text.clone(), vec![Said::at(span, format!("error: {text}"))]);
    };
    let (span, name) = (module.op(place.op).span, module.op_name(place.op));
    let text = match violation.kind {
        dominance::Kind::NeverDefined => format!("'{name}' op operand #{} is never defined", place.operand),
        dominance::Kind::Isolated => format!("'{name}' op using value defined outside the region"),
        _ => format!("operand #{} does not dominate this use", place.operand),
    };
    let mut said = vec![Said::at(span, format!("error: {text}"))];
    let whereabouts = match violation.kind {
        dominance::Kind::BeforeDefinition => "in the same block",
        dominance::Kind::OtherBlock => "in the same region",
        dominance::Kind::ChildRegion => "in a child region",
        dominance::Kind::ParentRegion | dominance::Kind::OwnRegion => "in a parent region",
        dominance::Kind::SiblingRegion => "is neither in a parent nor in a child region",
        _ => return (text, said),
    };
    let (at, what) = match module.value(violation.value).definition {
        Definition::Result(op, _) => (module.op(op).span, "operand defined here (op"),
        _ => (violation.definition_span(module).unwrap_or_default(), "operand defined as a block argument (block"),
    };
    said.push(Said::at(at, format!("note: {what} {whereabouts})")));
    (text, said)
}

/// Diagnostics as MLIR prints them: with line and column, both counted from 1.
fn print(text: &str, said: &[Said]) -> String {
    let mut out = String::new();
    for Said { at, text: message } in said {
        let place = match at {
            None => String::new(),
            Some(span) if span.is_empty() => "<unknown>:0: ".to_owned(),
            Some(span) => {
                let before = text.get(..span.start as usize).unwrap_or(text);
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
                format!("{INPUT}:{line}:{column}: ")
            }
        };
        out += &format!("{place}{message}\n");
    }
    out
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            How::Invalid => "invalid",
            How::Diagnosed => "diagnosed",
            How::Crashed => "crashed",
            How::Endless { .. } => "endless",
        })
    }
}
