//! Compiles every task of a sweep, and nothing twice.
//!
//! A task goes through the front end, the `ttir` stage and the `ttgir` stage, and then through all others to the object file,
//! whose demands are compared with what the target has. Tasks share results: of the front end by
//! constants and options, of a stage by the module's text and the passes. The pipelines of options that differ only in
//! `num_stages` have a common prefix, which runs once. Modules go from one stage to the next as text, from which a
//! reduction starts as well.
//!
//! Tasks run round robin over the groups with the same constants: threads then rarely wait for each other's results, and
//! an early stop has tried every module.

use super::kernel::{SweepTask, TunedKernel};
use super::memo::Memo;
use crate::compiler::Target;
use crate::compiler::kernel::{FrontEndRequest, FrontEndResult};
use crate::compiler::limits::BlockLimits;
use crate::compiler::outcome::{Exit, Outcome};
use crate::compiler::protocol::{
    Keep, Metadata, Mode, Options, Passes, PipelineRequest, PipelineStep, RecordedPipeline, RunRequest,
};
use crate::compiler::worker::{Loss, Lost, Pool, Reply, WorkerError};
use crate::judge::{Judgement, Verdict, judge};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

#[derive(Debug)]
pub struct SweepSettings<'a> {
    pub pool: &'a Pool,
    pub kernel: &'a TunedKernel,
    pub target: Target,
    /// Whether to run the stages behind `ttgir`, which take several times as long as those before.
    pub to_the_end: bool,
    /// What the target gives a block, where that is known.
    pub limits: Option<BlockLimits>,
    /// Set to stop early, with the results so far.
    pub cancel: &'a AtomicBool,
}

#[derive(Debug)]
pub struct TaskResult {
    /// The last stage: `front end`, `ttir`, `ttgir`, or `back end` for all that follow.
    pub stage: &'static str,
    pub judgement: Judgement,
    /// The module before that stage; empty for the front end.
    pub module: Arc<str>,
    /// The passes of that stage.
    pub passes: Vec<String>,
    pub options: Options,
    /// The compiler's output.
    pub log: String,
}

/// The work of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Distinct tasks.
    pub tasks: usize,
    /// Distinct modules of the front end.
    pub modules: usize,
    /// Stages, and parts of stages, that ran.
    pub runs: usize,
}

#[derive(Debug)]
pub struct SweepResult {
    /// In the order of the tasks; `None` for those that were not tried.
    pub results: Vec<Option<Arc<TaskResult>>>,
    pub counts: Counts,
    /// What no configuration went through, with the reason: a program of the vendor is not installed.
    pub not_run: Option<String>,
}

/// The passes of both stages for one set of options.
#[derive(Debug)]
struct StagePipelines {
    front: RecordedPipeline,
    back: Option<RecordedPipeline>,
    /// The steps of the stages behind, as far as they are requested and the backend can be asked for them.
    rest: Vec<PipelineStep>,
    /// Length of the prefix of `back` that is the same for every `num_stages`.
    shared: usize,
    /// The options that share it.
    family: Texts,
}

/// Options as JSON text, by name.
type Texts = BTreeMap<String, String>;

/// The module after a stage, or a failure.
type StageResult = Result<Arc<str>, Arc<StageFailure>>;

#[derive(Debug)]
struct StageFailure {
    judgement: Judgement,
    log: String,
    parsed: bool,
}

struct SweepState<'a> {
    settings: &'a SweepSettings<'a>,
    plans: FxHashMap<Texts, StagePipelines>,
    fronts: Memo<SweepTask, Option<Arc<FrontEndResult>>>,
    stages: Memo<(Arc<str>, String), Option<StageResult>>,
    modules: Mutex<BTreeSet<Arc<str>>>,
    tried: Memo<(Arc<str>, Texts), Option<Arc<TaskResult>>>,
    failure: Mutex<Option<WorkerError>>,
    not_run: Mutex<Option<String>>,
}

#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A broken environment, or a target or options that the backend does not take.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// An unknown tuned name.
    #[error("`{name}` is neither an argument of {function} nor an option that the backend knows")]
    Unknown { name: String, function: String },
}

/// Runs all tasks, as many at a time as there are workers. `watch` gets the number of tasks done.
///
/// # Errors
/// See [`SweepError`].
pub fn sweep(
    settings: &SweepSettings<'_>,
    tasks: &[SweepTask],
    watch: &mut dyn FnMut(usize, &TaskResult),
) -> Result<SweepResult, SweepError> {
    let distinct: BTreeMap<&SweepTask, Vec<usize>> =
        tasks.iter().enumerate().fold(BTreeMap::new(), |mut map, (at, task)| {
            map.entry(task).or_insert_with(Vec::new).push(at);
            map
        });
    let mut not_run = None;
    let sweep = SweepState {
        settings,
        plans: plans(settings, tasks, &mut not_run)?,
        fronts: Memo::new(),
        stages: Memo::new(),
        modules: Mutex::default(),
        tried: Memo::new(),
        failure: Mutex::default(),
        not_run: Mutex::new(not_run),
    };
    let order = spread(&distinct);
    let next = AtomicUsize::new(0);
    let mut results: Vec<Option<Arc<TaskResult>>> = vec![None; tasks.len()];
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..settings.pool.size() {
            let (send, sweep, next, order) = (send.clone(), &sweep, &next, &order);
            scope.spawn(move || {
                while !settings.cancel.load(Ordering::Relaxed)
                    && let Some(task) = order.get(next.fetch_add(1, Ordering::Relaxed))
                    && let Some(tried) = sweep.task(task)
                {
                    if send.send((*task, tried)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut done = 0;
        for (task, tried) in receive {
            let places = distinct.get(task).map(Vec::as_slice).unwrap_or_default();
            done += places.len();
            watch(done, &tried);
            for place in places {
                if let Some(slot) = results.get_mut(*place) {
                    *slot = Some(Arc::clone(&tried));
                }
            }
        }
    });
    if let Some(error) = sweep.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error.into());
    }
    let modules = sweep.modules.into_inner().unwrap_or_else(PoisonError::into_inner).len();
    let counts = Counts { tasks: distinct.len(), modules, runs: sweep.stages.len() };
    let not_run = sweep.not_run.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(SweepResult { results, counts, not_run })
}

/// The tasks, round robin over the groups with the same constants.
fn spread<'a>(distinct: &BTreeMap<&'a SweepTask, Vec<usize>>) -> Vec<&'a SweepTask> {
    let mut by_place: Vec<(usize, &SweepTask)> =
        distinct.iter().map(|(task, places)| (places.first().copied().unwrap_or(0), *task)).collect();
    by_place.sort_unstable();
    let mut seen: FxHashMap<&Texts, usize> = FxHashMap::default();
    let mut ranked: Vec<(usize, usize, &SweepTask)> = by_place
        .into_iter()
        .map(|(place, task)| {
            let rank = seen.entry(&task.constants).or_default();
            *rank += 1;
            (*rank, place, task)
        })
        .collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, _, task)| task).collect()
}

/// The pipelines for every set of options.
fn plans(
    settings: &SweepSettings<'_>,
    tasks: &[SweepTask],
    not_run: &mut Option<String>,
) -> Result<FxHashMap<Texts, StagePipelines>, SweepError> {
    let mut plans: FxHashMap<Texts, StagePipelines> = FxHashMap::default();
    for task in tasks {
        if plans.contains_key(&task.options) {
            continue;
        }
        let ask = |stage: &str| {
            let request = PipelineRequest::new(&settings.target, &task.options(), stage);
            settings.pool.with(|worker| worker.pipeline(&request))
        };
        let if_there = |stage: &str| match ask(stage) {
            Err(error) if error.lacks_stage().is_some() => Ok(None),
            asked => asked.map(Some),
        };
        let front = ask("ttir")?;
        let back = if_there("ttgir")?;
        let behind = back.iter().flat_map(|back| back.stages.iter().skip_while(|stage| *stage != "ttgir").skip(1));
        let mut rest = Vec::new();
        for stage in behind.filter(|_| settings.to_the_end) {
            // A fork's stage may want the vendor's own compiler.
            match if_there(stage)? {
                Some(RecordedPipeline { failure: Some(why), .. }) => {
                    *not_run = Some(format!("the stage {stage} cannot be set up: {why}"));
                    break;
                }
                Some(pipeline) => rest.extend(pipeline.steps),
                None => break,
            }
        }
        if let Some(name) = front.unknown_options.first() {
            let function = settings.kernel.function.clone();
            return Err(SweepError::Unknown { name: name.clone(), function });
        }
        let mut family = task.options.clone();
        family.remove("num_stages");
        let shared = back.as_ref().map_or(0, |back| back.steps.len());
        plans.insert(task.options.clone(), StagePipelines { front, back, rest, shared, family });
    }
    let mut shared: BTreeMap<Texts, usize> = BTreeMap::new();
    for one in plans.values() {
        for other in plans.values().filter(|other| other.family == one.family) {
            let alike = one.back.as_ref().zip(other.back.as_ref()).map_or(0, |(one, other)| alike(one, other));
            let least = shared.entry(one.family.clone()).or_insert(alike);
            *least = alike.min(*least);
        }
    }
    for plan in plans.values_mut() {
        plan.shared = shared.get(&plan.family).copied().unwrap_or(0);
    }
    Ok(plans)
}

/// The length of the common prefix of two pipelines.
fn alike(one: &RecordedPipeline, other: &RecordedPipeline) -> usize {
    let attributes = |pipeline: &RecordedPipeline, at: usize| {
        let own = pipeline.attributes.iter().filter(move |attribute| attribute.before == at);
        own.map(|attribute| attribute.name.clone()).collect::<Vec<_>>()
    };
    let pairs = one.steps.iter().zip(&other.steps).enumerate();
    let same = pairs.take_while(|(at, (one_step, other_step))| {
        (&one_step.binding, &one_step.args) == (&other_step.binding, &other_step.args)
            && attributes(one, *at) == attributes(other, *at)
    });
    same.count()
}

impl SweepState<'_> {
    /// The result of a task; `None` if the environment is broken, with the error in `failure`.
    fn task(&self, task: &SweepTask) -> Option<Arc<TaskResult>> {
        let front = self.fronts.get(task.clone(), || self.front(task))?;
        let Some(text) = &front.text else {
            let message = front.error.clone().unwrap_or_default();
            let judgement = Judgement::new(Verdict::Diagnosed, message);
            return Some(Arc::new(TaskResult {
                stage: "front end",
                judgement,
                module: Arc::from(""),
                passes: Vec::new(),
                options: task.options(),
                log: front.whole.clone().unwrap_or_default(),
            }));
        };
        let text: Arc<str> = Arc::from(text.as_str());
        self.modules.lock().unwrap_or_else(PoisonError::into_inner).insert(Arc::clone(&text));
        self.tried.get((Arc::clone(&text), task.options.clone()), || self.stages(&text, task))
    }

    fn front(&self, task: &SweepTask) -> Option<Arc<FrontEndResult>> {
        let kernel = self.settings.kernel;
        let request = FrontEndRequest {
            file: kernel.file.clone(),
            function: kernel.function.clone(),
            target: self.settings.target.clone(),
            options: task.options(),
            types: kernel.types.clone(),
            constants: task.constants(),
        };
        let failed = |error: String| Some(Arc::new(FrontEndResult { text: None, error: Some(error), whole: None }));
        let ask = || self.settings.pool.ask(&request);
        let reply = match ask() {
            // The machine may have stalled: try again.
            Ok(Reply::Lost(Lost { how: Loss::Hung(_), .. })) => ask(),
            reply => reply,
        };
        match reply {
            Ok(Reply::Answered(front)) => Some(Arc::new(front)),
            Ok(Reply::Refused(refusal)) => failed(refusal.message),
            Ok(Reply::Lost(lost)) => failed(format!("the front end did not survive: {}", lost.describe())),
            Err(error) => self.broken(error),
        }
    }

    fn stages(&self, text: &Arc<str>, task: &SweepTask) -> Option<Arc<TaskResult>> {
        let plan = self.plans.get(&task.options)?;
        let options = task.options();
        let texts =
            |pipeline: &RecordedPipeline| pipeline.steps.iter().map(|step| step.text.clone()).collect::<Vec<_>>();
        let tried = |stage, module: &Arc<str>, passes, ended: Option<&StageFailure>| {
            let judgement = ended.map_or_else(Judgement::fine, |ended| ended.judgement.clone());
            let log = ended.map(|ended| ended.log.clone()).unwrap_or_default();
            Some(Arc::new(TaskResult {
                stage,
                judgement,
                module: Arc::clone(module),
                passes,
                options: options.clone(),
                log,
            }))
        };
        let same = format!("ttir {}", key(&plan.front, 0..plan.front.steps.len(), &task.options));
        let middle = match self.stage(text, same, Passes::stage("ttir"), &options)? {
            Ok(middle) => middle,
            Err(ended) => return tried("ttir", text, texts(&plan.front), Some(&ended)),
        };
        let Some(back) = &plan.back else { return tried("ttir", text, texts(&plan.front), None) };
        match self.back(&middle, plan, back, task)? {
            Ok(low) if !plan.rest.is_empty() => {
                let passes: Vec<String> = plan.rest.iter().map(|step| step.text.clone()).collect();
                // A stage may use any option.
                let same = format!("back end {:?}", task.options);
                let result = self.stage(&low, same, Passes::texts(&passes), &options)?;
                tried("back end", &low, passes, result.err().as_deref())
            }
            result => tried("ttgir", &middle, texts(back), result.err().as_deref()),
        }
    }

    /// The second stage, its prefix shared with other values of `num_stages`.
    fn back(
        &self,
        middle: &Arc<str>,
        plan: &StagePipelines,
        back: &RecordedPipeline,
        task: &SweepTask,
    ) -> Option<StageResult> {
        let (shared, all, options) = (plan.shared, back.steps.len(), &task.options());
        let same = format!("ttgir {}", key(back, 0..all, &task.options));
        let part = |from, to| Passes::Stage { stage: "ttgir".to_owned(), from, to };
        let whole = || self.stage(middle, same, part(0, None), options);
        if shared == 0 || shared >= all {
            return whole();
        }
        let beginning = format!("ttgir {}", key(back, 0..shared, &plan.family));
        let begun = self.stage(middle, beginning, part(0, Some(shared)), options)?;
        match begun {
            Err(ended) => Some(Err(ended)),
            Ok(begun) => {
                let rest = format!("ttgir {shared} {}", key(back, shared..all, &task.options));
                match self.stage(&begun, rest, part(shared, None), options)? {
                    // The printed module does not parse: nothing can be shared.
                    Err(ended) if !ended.parsed => whole(),
                    became => Some(became),
                }
            }
        }
    }

    fn stage(&self, module: &Arc<str>, same: String, passes: Passes, options: &Options) -> Option<StageResult> {
        // Nothing follows an object file.
        let last = matches!(passes, Passes::Stage { .. });
        self.stages.get((Arc::clone(module), same), || {
            let request = RunRequest {
                module: module.to_string(),
                target: self.settings.target.clone(),
                options: options.clone(),
                passes: passes.clone(),
                stop: None,
                mode: Mode::Stepwise,
                keep: Keep { last, ..Keep::default() },
                pass_ms: None,
                metadata: Metadata::new(),
            };
            let run = || self.settings.pool.run(&request);
            let outcome = match run() {
                Ok(Outcome { exit: Exit::Hung { .. }, .. }) => run(),
                outcome => outcome,
            };
            let outcome = match outcome {
                Ok(outcome) => outcome,
                Err(error) => return self.broken(error),
            };
            if let Some(why) = &outcome.not_run {
                self.not_run.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| why.clone());
            }
            let exceeded = || self.settings.limits?.exceeded(&outcome.metadata, &self.settings.target);
            let judgement = match judge(&outcome) {
                judgement if judgement.verdict == Verdict::Ok && !last => {
                    exceeded().map_or(judgement, |words| Judgement::new(Verdict::Diagnosed, words))
                }
                judgement => judgement,
            };
            match (outcome.last_module(), judgement.verdict) {
                (Some(text), Verdict::Ok) => Some(Ok(Arc::from(text))),
                (None, Verdict::Ok) if !last => Some(Ok(Arc::from(""))),
                _ => {
                    let parsed = !matches!(outcome.exit, Exit::NotParsed { .. });
                    Some(Err(Arc::new(StageFailure { judgement, log: outcome.stderr, parsed })))
                }
            }
        })
    }

    fn broken<T>(&self, error: WorkerError) -> Option<T> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        None
    }
}

/// A key for a part of a pipeline, equal for equal passes. A stage may set attributes on the module with values that are
/// not known here: then the options are part of the key.
fn key(pipeline: &RecordedPipeline, part: Range<usize>, options: &Texts) -> String {
    let options = if pipeline.attributes.is_empty() { String::new() } else { format!("{options:?}") };
    let steps = pipeline.steps.get(part).unwrap_or_default();
    let steps = steps.iter().map(|step| format!("{:?}{}", step.binding, serde_json::Value::from(step.args.clone())));
    steps.fold(options, |text, step| text + &step + ";")
}
