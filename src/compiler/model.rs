//! The built-in model ([`tritonsmith_model`]) as a [`Compiler`]: it takes what a worker takes and gives what a
//! worker gives, an [`Outcome`] with diagnostics in MLIR's manner.

pub use tritonsmith_model::*;

use super::{Compiler, Target};
use crate::compiler::outcome::{Exit, Outcome};
use crate::compiler::pipeline::{self, NestedPass};
use crate::compiler::protocol::{
    FailingPass, Keep, ModuleForm, ModuleText, Options, Passes, PipelineRequest, PipelineStep, RecordedPipeline,
    Refusal, RefusalKind, RunRequest, Verified,
};
use crate::compiler::worker::WorkerError;
use crate::ir::{self, Module, ParseOptions, PrintOptions, Span};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What the model calls the module in diagnostics, as a worker does.
const INPUT: &str = "input.mlir";

/// The stage that is the whole pipeline.
const STAGE: &str = "ttgir";

/// How many steps of a pass count as a millisecond where a time is asked for: a run that takes too many is said to hang,
/// and the same module must hang on every machine.
const STEPS_PER_MS: u64 = 1000;

/// A pass with what its text says.
struct Planned {
    pass: ModelPass,
    setup: Setup,
    text: String,
}

impl Compiler for Model {
    fn version(&self) -> String {
        self.to_string()
    }

    fn python(&self) -> Option<String> {
        None
    }

    /// The stage `ttgir` is the whole pipeline; passes by name are those of [`ModelPass`].
    fn run(&self, run: &RunRequest) -> Result<Outcome, WorkerError> {
        let mut planned = plan(run)?;
        planned.truncate(run.stop.unwrap_or(usize::MAX));
        let mut outcome = Outcome {
            exit: Exit::Ok,
            stderr: String::new(),
            error: None,
            failing: None,
            rejected: None,
            not_run: None,
            metadata: BTreeMap::new(),
            modules: Vec::new(),
            time: Duration::ZERO,
            micros_each: Vec::new(),
        };
        let mut module = match read(&run.module) {
            Ok(module) => module,
            Err(stderr) => {
                let error = Some("RuntimeError: Parse MLIR file failed.".to_owned());
                return Ok(Outcome { exit: Exit::NotParsed { signal: None }, error, stderr, ..outcome });
            }
        };
        keep(&run.keep, 0, planned.is_empty(), &module, &mut outcome);
        for (index, step) in planned.iter().enumerate() {
            let started = Instant::now();
            let result = self.step(&mut module, index, step.pass, &step.setup);
            let time = started.elapsed();
            outcome.time += time;
            outcome.micros_each.push(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
            match result {
                Ok(()) => keep(&run.keep, index + 1, index + 1 == planned.len(), &module, &mut outcome),
                Err(failure) => {
                    fail(self, run, step, &failure, &mut outcome)?;
                    break;
                }
            }
        }
        Ok(outcome)
    }

    fn run_within(&self, run: &RunRequest, _: Duration) -> Result<Outcome, WorkerError> {
        self.run(run)
    }

    fn pipeline(&self, request: &PipelineRequest) -> Result<RecordedPipeline, WorkerError> {
        let setup = setup(&request.target, &request.options);
        let step = |(index, pass): (usize, &ModelPass)| PipelineStep {
            index,
            group: 0,
            binding: None,
            args: Vec::new(),
            text: pass.text(&setup),
        };
        Ok(RecordedPipeline {
            steps: stage(&request.stage)?.iter().enumerate().map(step).collect(),
            groups: vec![None],
            attributes: Vec::new(),
            metadata: BTreeMap::new(),
            unknown_options: Vec::new(),
            failure: None,
            stages: vec![STAGE.to_owned()],
        })
    }

    fn verify(&self, texts: &[String]) -> Result<Vec<Verified>, WorkerError> {
        let verify = |text: &String| match read(text) {
            Ok(_) => Verified { valid: true, stderr: String::new() },
            Err(stderr) => Verified { valid: false, stderr },
        };
        Ok(texts.iter().map(verify).collect())
    }
}

/// A module that is valid, or what parser and verifier print.
fn read(text: &str) -> Result<Module, String> {
    let module = ir::parse_with(text, ParseOptions { spans: false }).map_err(|error| {
        // An error at the end of the text points at nothing, and has a place all the same.
        let span = Span { end: error.span.end.max(error.span.start + 1), ..error.span };
        print(text, &[Message::at(span, format!("error: {error}"))])
    })?;
    match verify(&module) {
        Some((_, diagnostics)) => Err(print(text, &diagnostics)),
        None => Ok(module),
    }
}

fn fail(
    model: &Model,
    run: &RunRequest,
    step: &Planned,
    failure: &PassFailure,
    outcome: &mut Outcome,
) -> Result<(), WorkerError> {
    outcome.failing = Some(FailingPass::crashed(failure.index, &step.text));
    outcome.stderr = print(&run.module, &failure.diagnostics);
    outcome.exit = match failure.kind {
        PassFailureKind::Invalid | PassFailureKind::Diagnosed => Exit::PassFailed,
        PassFailureKind::Crashed => Exit::Crashed { signal: None, caught: true },
        PassFailureKind::Endless { steps } => Exit::Hung { limit_ms: steps / STEPS_PER_MS },
    };
    if !matches!(failure.kind, PassFailureKind::Endless { .. }) {
        outcome.error = Some("RuntimeError: PassManager::run failed".to_owned());
    }
    if run.keep.before_failing && outcome.module_after(failure.index).is_none() {
        let keep = Keep { last: true, locations: run.keep.locations, ..Keep::default() };
        let before = RunRequest { stop: Some(failure.index), keep, ..run.clone() };
        outcome.modules.extend(model.run(&before)?.modules);
    }
    Ok(())
}

fn keep(keep: &Keep, after: usize, is_last: bool, module: &Module, outcome: &mut Outcome) {
    let each = keep.each && after > 0;
    if each || keep.last && is_last || keep.after.contains(&after) {
        let options = PrintOptions { locations: keep.locations, ..PrintOptions::default() };
        outcome.modules.push(ModuleText { after, form: ModuleForm::Mlir, text: ir::print(module, &options) });
    }
}

fn refused(kind: RefusalKind, message: String) -> WorkerError {
    WorkerError::Refused(Refusal { kind, message })
}

/// The passes of a stage.
fn stage(stage: &str) -> Result<&'static [ModelPass], WorkerError> {
    let missing = || refused(RefusalKind::Stage, format!("the model has no stage `{stage}`, only `{STAGE}`"));
    (stage == STAGE).then_some(PIPELINE.as_slice()).ok_or_else(missing)
}

fn setup(target: &Target, options: &Options) -> Setup {
    let option = |name: &str| options.get(name).and_then(serde_json::Value::as_u64);
    Setup {
        target: format!("{}:{}", target.kind, target.arch),
        warps: option("num_warps").unwrap_or(4),
        threads_per_warp: u64::from(target.threads_per_warp()),
        ctas: option("num_ctas").unwrap_or(1),
    }
}

/// The passes of a request in order.
fn plan(run: &RunRequest) -> Result<Vec<Planned>, WorkerError> {
    let setup = setup(&run.target, &run.options);
    match &run.passes {
        Passes::Stage { stage: name, from, to } => {
            let all = stage(name)?;
            let to = to.unwrap_or(all.len()).min(all.len());
            let passes = all.get(*from..to).unwrap_or_default().iter();
            Ok(passes.map(|&pass| Planned { pass, text: pass.text(&setup), setup: setup.clone() }).collect())
        }
        Passes::All => Err(refused(RefusalKind::Request, "a run is of one stage, or of passes by name".to_owned())),
        Passes::Texts { texts } => {
            let each = texts.iter().map(|text| {
                let passes = NestedPass::parse_list(text)
                    .map_err(|error| refused(RefusalKind::Pass, format!("`{text}` is no pass: {error}")))?;
                let found = passes.iter().map(|nested| {
                    let name = nested.name();
                    let pass = name
                        .parse::<ModelPass>()
                        .map_err(|_| refused(RefusalKind::Pass, format!("the model has no pass `{name}`")))?;
                    let setup = with_options(&setup, &nested.pass);
                    Ok(Planned { pass, text: nested.pass.to_string(), setup })
                });
                found.collect::<Result<Vec<_>, WorkerError>>()
            });
            each.collect::<Result<Vec<_>, _>>().map(|all| all.into_iter().flatten().collect())
        }
    }
}
/// Diagnostics as MLIR prints them: with line and column, both counted from 1.
fn print(text: &str, messages: &[Message]) -> String {
    let mut out = String::new();
    for Message { at, text: message } in messages {
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
/// The same launch configuration with what the options of a pass say.
fn with_options(setup: &Setup, pass: &pipeline::Pass) -> Setup {
    let number = |key: &str, default| pass.option(key).and_then(|text| text.parse().ok()).unwrap_or(default);
    Setup {
        target: pass.option("target").unwrap_or(&setup.target).trim_matches(['"', '\'']).to_owned(),
        warps: number("num-warps", setup.warps),
        threads_per_warp: number("threads-per-warp", setup.threads_per_warp),
        ctas: number("num-ctas", setup.ctas),
    }
}
