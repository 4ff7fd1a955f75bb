//! Collects the failing compilations of a program, and runs them again.

use super::session::{CaptureError, Session, unwritten};
use crate::compiler::plan::{Action, Part, PassSelection, Plan};
use crate::compiler::protocol::{Options, PipelineRequest, PipelineStep};
use crate::compiler::wheel::{Installation, Triton};
use crate::compiler::worker::{Pool, WorkerError, WorkerLimits};
use crate::compiler::{Compiler, NestedPass, Target};
use crate::corpus::{Case, Failing, LocatedCase};
use crate::identity::Identity;
use crate::judge::{Judgement, Trace, Tracer, Verdict};
use crate::store::{FindingDirectory, LOG, StoreError};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, Default)]
pub struct Gathered {
    /// Failing compilations, similar ones next to each other.
    pub cases: Vec<Captured>,
    pub cache: Vec<CacheEntry>,
    /// Errors of the front end, without a module: kernel, message, count.
    pub front: Vec<(String, String, usize)>,
    /// The versions of Triton that were imported with the hook, with the number of processes.
    pub loaded: BTreeMap<String, usize>,
    /// Number of stages that are still running in other processes.
    pub running: usize,
    /// What the hook could not keep, or what cannot be read.
    pub problems: Vec<String>,
}

/// A failing compilation.
#[derive(Debug)]
pub struct Captured {
    pub path: PathBuf,
    pub facts: Facts,
    /// Number of compilations with this failure.
    pub count: usize,
    /// The exception, or that the process died.
    pub error: String,
    pub rerun: Rerun,
}

/// The result of running a case again.
#[derive(Debug)]
pub enum Rerun {
    Fails(Judgement),
    Passes,
    /// Why it could not be run.
    NotRun(String),
}

/// The hook's record of a stage.
#[derive(Debug, Clone, Deserialize)]
pub struct Facts {
    pub stage: String,
    pub kernel: String,
    /// The version.
    pub triton: String,
    pub python: PathBuf,
    /// Where the interpreter found Triton.
    pub path: PathBuf,
    /// Whether the stage's input is an MLIR module; if not, the case has the last one before it.
    pub is_module: bool,
    pid: i32,
}

/// A broken entry of Triton's cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheEntry {
    pub file: PathBuf,
    pub directory: PathBuf,
    /// Where a copy is kept.
    pub kept: PathBuf,
    pub error: String,
    pub count: usize,
}

#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum HookEvent {
    Loaded { triton: Option<String> },
    Failed { case: String, error: String },
    Cache { case: String, path: PathBuf, directory: PathBuf, error: String },
    Front { kernel: String, error: String },
    Trouble { text: String },
}

impl Facts {
    fn read(place: &Path) -> io::Result<Facts> {
        Ok(serde_json::from_str(&fs::read_to_string(place.join("captured.json"))?)?)
    }
}

impl Session {
    /// Gathers the cases; `watch` gets the number of cases that were run again, and the total.
    ///
    /// # Errors
    /// A case cannot be written.
    pub fn gather(
        self,
        limits: WorkerLimits,
        cancel: &AtomicBool,
        watch: &mut dyn FnMut(usize, usize),
    ) -> Result<Gathered, CaptureError> {
        let mut gathered = Gathered::default();
        let mut seen: BTreeMap<String, (usize, String)> = BTreeMap::new();
        self.read_events(&mut gathered, &mut seen);
        self.find_deaths(&mut gathered, &mut seen)?;
        let mut workers = InterpreterWorkers { limits, started: Vec::new() };
        let total = seen.len();
        for (done, (name, (count, error))) in seen.into_iter().enumerate() {
            watch(done, total);
            let path = self.out.join(&name);
            let facts = match Facts::read(&path) {
                Ok(facts) => facts,
                Err(error) => {
                    gathered.problems.push(format!("{name}: {error}"));
                    continue;
                }
            };
            let rerun = match cancel.load(Ordering::Relaxed) {
                true => Rerun::NotRun("interrupted".to_owned()),
                false => workers.run_again(&path, &facts)?,
            };
            gathered.cases.push(Captured { path, facts, count, error, rerun });
        }
        let key = |captured: &Captured| {
            let (order, signature) = match &captured.rerun {
                Rerun::Fails(judgement) => (0, Some(judgement.signature.clone())),
                Rerun::Passes => (1, None),
                Rerun::NotRun(_) => (2, None),
            };
            (order, signature, captured.facts.kernel.clone(), captured.facts.stage.clone(), captured.error.clone())
        };
        gathered.cases.sort_by_cached_key(key);
        Ok(gathered)
    }

    fn read_events(&self, gathered: &mut Gathered, seen: &mut BTreeMap<String, (usize, String)>) {
        let text = match fs::read(self.run.path().join("events")) {
            Ok(text) => text,
            // No process with the hook has imported Triton.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => return gathered.problems.push(format!("the hook's events cannot be read: {error}")),
        };
        for line in String::from_utf8_lossy(&text).lines() {
            let event = match serde_json::from_str(line) {
                Ok(event) => event,
                Err(error) => {
                    gathered.problems.push(format!("an event of the hook cannot be read: {error}"));
                    continue;
                }
            };
            match event {
                HookEvent::Loaded { triton } => {
                    let triton = triton.unwrap_or_else(|| "of an unknown version".to_owned());
                    *gathered.loaded.entry(triton).or_default() += 1;
                }
                HookEvent::Failed { case, error } => seen.entry(case).or_insert((0, error)).0 += 1,
                HookEvent::Cache { case, path, directory, error } => {
                    let kept = self.out.join(case);
                    match gathered.cache.iter_mut().find(|entry| entry.kept == kept) {
                        Some(entry) => entry.count += 1,
                        None => {
                            gathered.cache.push(CacheEntry { file: path, directory, kept, error, count: 1 });
                        }
                    }
                }
                HookEvent::Front { kernel, error } => {
                    let known = gathered.front.iter_mut().find(|(name, text, _)| (name, text) == (&kernel, &error));
                    match known {
                        Some((_, _, count)) => *count += 1,
                        None => gathered.front.push((kernel, error, 1)),
                    }
                }
                HookEvent::Trouble { text } => gathered.problems.push(text),
            }
        }
    }

    /// Turns stages whose process died into cases.
    fn find_deaths(
        &self,
        gathered: &mut Gathered,
        seen: &mut BTreeMap<String, (usize, String)>,
    ) -> Result<(), CaptureError> {
        let pending = self.run.path().join("pending");
        let entries = fs::read_dir(&pending).map_err(unwritten(&pending))?;
        let mut places: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        places.sort();
        for place in places {
            // Still being written: the stage had not begun.
            if place.extension().is_some_and(|end| end == "new") {
                continue;
            }
            let facts = match Facts::read(&place) {
                Ok(facts) => facts,
                Err(error) => {
                    gathered.problems.push(format!("a stage that did not end: {error}"));
                    continue;
                }
            };
            if is_alive(facts.pid) {
                gathered.running += 1;
                continue;
            }
            let name = content_name(&place, &facts);
            let path = self.out.join(&name);
            if !path.exists() {
                fs::rename(&place, &path).map_err(unwritten(&path))?;
            }
            seen.entry(name).or_insert((0, "the process died in this stage".to_owned())).0 += 1;
        }
        Ok(())
    }
}

fn is_alive(pid: i32) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // A zombie is dead, and not yet waited for.
    state.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| state != "Z")
}

/// A name by the content: module, stage, target and options.
fn content_name(place: &Path, facts: &Facts) -> String {
    let parts = ["input.mlir", "case.toml"].map(|name| fs::read(place.join(name)).unwrap_or_default());
    let kernel: String =
        facts.kernel.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(60).collect();
    format!("{kernel}-{}-died-{}", facts.stage, Identity::of(parts).short())
}

/// One worker per interpreter of the cases.
struct InterpreterWorkers {
    limits: WorkerLimits,
    started: Vec<((PathBuf, PathBuf), Result<Pool, String>)>,
}

impl InterpreterWorkers {
    fn of(&mut self, facts: &Facts) -> Result<&Pool, String> {
        let key = (facts.python.clone(), facts.path.clone());
        if !self.started.iter().any(|(known, _)| *known == key) {
            let worker = self.start(facts).map_err(|error| error.to_string());
            self.started.push((key.clone(), worker));
        }
        match self.started.iter().find(|(known, _)| *known == key) {
            Some((_, Ok(worker))) => Ok(worker),
            Some((_, Err(why))) => Err(why.clone()),
            None => Err("no worker".to_owned()),
        }
    }

    /// A worker with the program's interpreter, and with the program's search path if that has no Triton.
    fn start(&self, facts: &Facts) -> Result<Pool, WorkerError> {
        let installation = Installation {
            python: facts.python.clone(),
            spec: Triton::Python(facts.python.clone()),
            version: Some(facts.triton.clone()),
            distribution: None,
        };
        match Pool::start(&installation, self.limits, 1) {
            Err(WorkerError::NoTriton { .. }) => {
                let path = vec![("PYTHONPATH".to_owned(), facts.path.display().to_string())];
                Pool::start_in(&installation, self.limits, &path, 1)
            }
            started => started,
        }
    }

    /// Runs a case again, and records the result in its file and log.
    fn run_again(&mut self, path: &Path, facts: &Facts) -> Result<Rerun, CaptureError> {
        let read = LocatedCase::read(path).and_then(|located| Ok((located.case.compile()?.target, located)));
        let (target, located) = match read {
            Ok(read) => read,
            Err(error) => return Ok(Rerun::NotRun(error.to_string())),
        };
        let worker = match self.of(facts) {
            Ok(worker) => worker,
            Err(why) => return Ok(Rerun::NotRun(why)),
        };
        let (passes, trace) = match run(worker, target, &located, &facts.stage) {
            Ok((_, Trace { not_run: Some(why), .. })) => return Ok(Rerun::NotRun(why)),
            Ok(ran) => ran,
            Err(error) => return Ok(Rerun::NotRun(error.to_string())),
        };
        let (judgement, printed) = (trace.judgement, trace.stderr);
        let mut case = located.case.clone();
        case.passes = passes;
        let fails = !matches!(judgement.verdict, Verdict::Ok | Verdict::RejectedInput);
        if fails {
            case.failing = Some(Failing {
                triton: facts.triton.clone(),
                printed: judgement.message.clone(),
                signature: judgement.signature.clone(),
            });
        }
        save(
            path,
            &case,
            &format!("run again, alone, with triton {}: {}\n{printed}", facts.triton, judgement.signature),
        )?;
        Ok(match judgement.verdict {
            Verdict::RejectedInput => Rerun::NotRun(judgement.signature.to_string()),
            _ if fails => Rerun::Fails(judgement),
            _ => Rerun::Passes,
        })
    }
}

/// Runs a stage; returns the passes for the case file, and what came of them.
fn run(worker: &Pool, target: Target, located: &LocatedCase, stage: &str) -> Result<(Vec<String>, Trace), WorkerError> {
    let options = &located.case.options;
    let stages = stages_from_module(worker, &target, options, stage)?;
    let plan = Plan::new(worker, &PassSelection::Stages(stages), &Part::default(), &target, options)?;
    // A case that names no passes goes through `ttgir`.
    let passes = match stage {
        "ttgir" => Vec::new(),
        _ => plan.steps().flat_map(Action::passes).map(ToString::to_string).collect(),
    };
    Ok((passes, Tracer::new(worker).trace(&plan, &located.module)?))
}

/// A stage, and those before it back to the one that takes a module: a case has no LLVM IR and no assembly.
fn stages_from_module(
    worker: &Pool,
    target: &Target,
    options: &Options,
    stage: &str,
) -> Result<Vec<String>, WorkerError> {
    let ask = |stage: &str| Compiler::pipeline(worker, &PipelineRequest::new(target, options, stage));
    let mut stages = ask(stage)?.stages;
    stages.truncate(stages.iter().position(|name| name == stage).map_or(0, |at| at + 1));
    let mut first = stages.len().saturating_sub(1);
    while first > 0 {
        let steps = ask(&stages[first])?.steps;
        let takes_text =
            |step: &PipelineStep| NestedPass::named(&step.text).iter().any(|p| p.rest_of_stage().is_some());
        if !steps.first().is_some_and(takes_text) {
            break;
        }
        first -= 1;
    }
    stages.drain(..first);
    Ok(stages)
}

/// Replaces a case's file, and appends to its log.
fn save(path: &Path, case: &Case, log: &str) -> Result<(), CaptureError> {
    use std::io::Write;
    let stored = FindingDirectory::at(path.to_owned()).put_case(case);
    stored.map_err(|StoreError { path, source }| CaptureError::Write { path, source })?;
    let file = path.join(LOG);
    let opened = fs::OpenOptions::new().append(true).create(true).open(&file);
    opened.and_then(|mut opened| opened.write_all(log.as_bytes())).map_err(unwritten(&file))
}
