//! What is said between this program and a worker process (`scripts/tritonsmith_worker`).
//!
//! A frame is four bytes of length, little endian, then a JSON object. A request is one frame with the version of the
//! protocol, a number, and what is asked; the worker sends the frame of the answer back with the same number. Before that,
//! the child that has read the request says so in a frame with its process id: time counts from there, and this side
//! knows whom to stop when a limit is passed. There are four things that can come of a request: it is answered, it is refused (an
//! unknown pass, an unsupported target, a request that makes no sense), or the process is lost over it, in which case the
//! worker's parent process says how and what was printed; the fourth, that the worker as a whole is gone, is found out by
//! [`super::worker`].

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};

use super::Target;

/// The version that both sides must agree on; it changes whenever a word changes its meaning.
pub const VERSION: u32 = 1;

/// Options as a backend's `parse_options` takes them: `num_warps`, `num_stages` and whatever else it knows.
pub type Options = BTreeMap<String, serde_json::Value>;

/// Something that a worker can be asked, and the type of what it answers.
pub trait WorkerRequest: Serialize {
    /// The word for it on the wire.
    const WORD: &'static str;
    /// What comes back.
    type Answer: DeserializeOwned;
}

#[derive(Serialize)]
pub(super) struct Envelope<'a, Q: WorkerRequest> {
    pub v: u32,
    pub id: u64,
    #[serde(rename = "do")]
    pub word: &'static str,
    #[serde(flatten)]
    pub request: &'a Q,
}

pub(super) fn wire_target<S: Serializer>(target: &Target, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Wire<'a> {
        kind: &'a str,
        arch: &'a str,
        warp_size: u32,
    }
    Wire { kind: &target.kind, arch: &target.arch, warp_size: target.threads_per_warp() }.serialize(serializer)
}

/// Who are you?
#[derive(Debug, Clone, Serialize)]
pub struct HelloRequest {}

/// The installation behind a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// Python's version, such as `3.11.7`.
    pub python: String,
    /// The interpreter's own path.
    pub executable: String,
    /// `triton.__version__`.
    pub triton: String,
    /// Names under which backends are registered.
    pub backends: Vec<String>,
    /// Whether a pass manager can print itself; where it cannot (up to 3.2), texts are names without options.
    pub pipeline_text: bool,
    /// The path of the shared library.
    pub library: String,
}

impl WorkerRequest for HelloRequest {
    const WORD: &'static str = "hello";
    type Answer = Hello;
}

/// Which backends, targets and passes are there?
#[derive(Debug, Clone, Serialize)]
pub struct ProbeRequest {}

/// What an installation offers, found by trying.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Probe {
    /// One entry per registered backend, by name.
    pub backends: Vec<ProbedBackend>,
    /// One entry per function that adds to a pass manager.
    pub passes: Vec<ProbedPass>,
}

/// A backend and the kinds of target that it says it supports.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProbedBackend {
    /// The name under which it is registered, which need not be a kind that it accepts.
    pub name: String,
    /// Its Python class.
    pub class: String,
    /// The kinds it accepts.
    pub kinds: Vec<ProbedKind>,
    /// The kinds it was asked about and does not accept.
    pub refused: Vec<String>,
    /// Errors raised instead of an answer.
    pub errors: Vec<String>,
}

/// A kind of target that a backend accepts, and how far setting up a pipeline for it came.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProbedKind {
    /// The kind, as in `kind:arch`.
    pub kind: String,
    /// The first architecture tried for which stages could be set up.
    pub arch: Option<String>,
    /// The stages there, in order: `ttir`, `ttgir`, …
    pub stages: Vec<String>,
    /// What was raised for the architectures before that one.
    pub failures: Vec<String>,
}

/// A function that adds one or more passes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProbedPass {
    /// Its dotted name below `libtriton`.
    pub binding: String,
    /// The types of its parameters after the pass manager, where the signature could be read.
    pub parameters: Option<Vec<String>>,
    /// What it adds, as pipeline text, when called with made-up arguments.
    pub text: Option<String>,
    /// Why there is no text.
    pub failure: Option<String>,
}

impl WorkerRequest for ProbeRequest {
    const WORD: &'static str = "probe";
    type Answer = Probe;
}

/// Which passes does a backend run in a stage?
#[derive(Debug, Clone, Serialize)]
pub struct PipelineRequest {
    /// For which target.
    #[serde(serialize_with = "wire_target")]
    pub target: Target,
    /// With which options.
    pub options: Options,
    /// The stage: `ttir`, `ttgir`, or one of a vendor's own.
    pub stage: String,
}

impl PipelineRequest {
    /// The request about a stage for a target with options.
    pub fn new(target: &Target, options: &Options, stage: &str) -> PipelineRequest {
        PipelineRequest { target: target.clone(), options: options.clone(), stage: stage.to_owned() }
    }
}

/// A stage as recorded from the backend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedPipeline {
    /// The passes in the order in which they are added.
    pub steps: Vec<PipelineStep>,
    /// The names that the pass managers are run under, where they have one; a step's group is an index into these.
    pub groups: Vec<Option<String>>,
    /// Attributes that the stage sets on the module by itself.
    pub attributes: Vec<StageAttribute>,
    /// What the stage leaves in the kernel's metadata, printed.
    pub metadata: BTreeMap<String, String>,
    /// Names in the options that the backend does not know.
    pub unknown_options: Vec<String>,
    /// What the stage raised, if it did not come to its end: the steps are those before.
    pub failure: Option<String>,
    /// All stages of the backend, in order.
    #[serde(default)]
    pub stages: Vec<String>,
}

/// One call of a function that adds to a pass manager.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PipelineStep {
    /// Its place in the stage, from 0.
    pub index: usize,
    /// Which pass manager it goes into.
    pub group: usize,
    /// The function's dotted name below `libtriton`; the model has none.
    pub binding: Option<String>,
    /// The arguments after the pass manager; an object is shown as `{"opaque": "its type"}`.
    pub args: Vec<serde_json::Value>,
    /// The command-line form: `tritongpu-pipeline{num-stages=2}`, `tt.func(x)` for a pass that runs on functions, several
    /// separated by commas where one call adds several.
    pub text: String,
}

/// An attribute that a stage sets on the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageAttribute {
    /// The step before which it is set; the number of steps for the end.
    pub before: usize,
    /// Its name.
    pub name: String,
}

impl WorkerRequest for PipelineRequest {
    const WORD: &'static str = "pipeline";
    type Answer = RecordedPipeline;
}

/// Which passes a run consists of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Passes {
    /// Those of a backend's stage, or a part of them: a module that a pass in the middle left behind goes on from there.
    Stage {
        /// The stage's name.
        stage: String,
        /// The first step to run.
        from: usize,
        /// The step to stop before.
        to: Option<usize>,
    },
    /// Those of a pipeline's text as in a reproducer, one entry per pass or several separated by commas.
    Texts {
        /// The texts; white space and the order of options do not matter.
        texts: Vec<String>,
    },
    /// All stages that the backend has. No worker is asked for this: a [`super::plan::Plan`] makes it concrete.
    All,
}

impl Passes {
    /// All of a stage.
    pub fn stage(name: &str) -> Passes {
        Passes::Stage { stage: name.to_owned(), from: 0, to: None }
    }

    /// Passes by their text.
    pub fn texts<T: ToString>(passes: impl IntoIterator<Item = T>) -> Passes {
        Passes::Texts { texts: passes.into_iter().map(|pass| pass.to_string()).collect() }
    }
}

/// How the passes are put into pass managers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// As the backend does it: the passes of a group together.
    #[default]
    Whole,
    /// One pass manager per pass. The module is verified after every pass either way; this names the one that failed.
    Stepwise,
}

/// Which module texts to send back. A count is a number of passes that have run: 0 is the module as parsed. With
/// [`Mode::Whole`] only counts at the end of a group exist; others are left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Keep {
    /// After the last pass, if nothing failed.
    pub last: bool,
    /// After every pass.
    pub each: bool,
    /// After these many passes.
    pub after: Vec<usize>,
    /// As it was before the failing pass; costs a second request when there is one. See [`super::worker::Worker::run`].
    #[serde(skip)]
    pub before_failing: bool,
    /// As the failing pass left it, where that pass did not crash; it comes with [`FailingPass`].
    pub failed: bool,
    /// With locations in the text.
    pub locations: bool,
}

/// Run passes over a module.
#[derive(Debug, Clone, Serialize)]
pub struct RunRequest {
    /// The module's text.
    pub module: String,
    /// For which target.
    #[serde(serialize_with = "wire_target")]
    pub target: Target,
    /// With which options.
    pub options: Options,
    /// Which passes.
    pub passes: Passes,
    /// Run only so many of them.
    pub stop: Option<usize>,
    /// How.
    pub mode: Mode,
    /// What to send back.
    pub keep: Keep,
    /// Milliseconds of processor time that any pass may take; the worker's own limit where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass_ms: Option<u64>,
    /// The kernel's metadata as the stages before left it.
    #[serde(skip_serializing_if = "Metadata::is_empty")]
    pub metadata: Metadata,
}

/// What stages note of a kernel for its launch: `shared`, `num_warps`, `name`.
pub type Metadata = BTreeMap<String, serde_json::Value>;

/// How a run ended, in a process that lived to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunExit {
    /// Every pass ran.
    Ok,
    /// The module did not parse or did not verify.
    NotParsed,
    /// A pass manager raised an error: a verifier error, a pass that gave up, or a crash that was caught.
    Failed,
}

/// What comes of a [`RunRequest`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunAnswer {
    /// How it ended.
    pub exit: RunExit,
    /// The Python exception.
    pub error: Option<String>,
    /// The pass that failed, where the run was stepwise.
    pub failing: Option<FailingPass>,
    /// Microseconds of each pass manager's run.
    #[serde(rename = "times")]
    pub micros_each: Vec<u64>,
    /// Microseconds in all, parsing and printing the result not counted.
    #[serde(default)]
    pub micros: u64,
    /// The texts asked for.
    pub modules: Vec<ModuleText>,
    /// What the verifier printed of the module that a failing pass left: an empty text where it is content, nothing where
    /// the pass crashed.
    #[serde(default)]
    pub rejected: Option<String>,
    /// What was not run, with the reason: a step needs a program that is not installed. It ended before that.
    #[serde(default)]
    pub not_run: Option<String>,
    /// The kernel's metadata in the end.
    #[serde(default)]
    pub metadata: Metadata,
    /// Whether the process must not be used again: it leaves by itself after this answer.
    pub damaged: bool,
    /// The number of passes there were to run.
    pub passes: usize,
    /// What Triton printed.
    pub stderr: String,
}

/// The pass that was running when a run failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailingPass {
    /// Its place among the passes of the run, from 0.
    pub index: usize,
    /// Its command-line form.
    pub text: String,
    /// The module that it left and that the verifier rejects, where [`Keep::failed`] asks for it.
    #[serde(default)]
    pub left: Option<String>,
    /// The function of LLVM or the program that the step had called last, where it is no pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// Milliseconds that it had taken when it was stopped, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<u64>,
}

impl FailingPass {
    /// Whether it is no pass but what a stage does beside its passes.
    pub fn is_rest_of_stage(&self) -> bool {
        self.text.starts_with(REST_OF_STAGE)
    }

    /// A pass that crashed, from what a worker said that it was at: its text, for a step that is no pass with the call.
    pub fn crashed(index: usize, at: &str) -> FailingPass {
        let call = at.strip_prefix(REST_OF_STAGE).and_then(|rest| rest.split_once(' '));
        let text = call.map_or(at, |(_, call)| at.trim_end_matches(call).trim_end()).to_owned();
        FailingPass { index, text, left: None, call: call.map(|(_, call)| call.to_owned()), took_ms: None }
    }
}

/// How the step is called that is what a stage does beside its passes: after the backend's methods, `make_llir`.
pub const REST_OF_STAGE: &str = "make_";

/// What a step leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModuleForm {
    /// A module of MLIR.
    #[default]
    Mlir,
    /// LLVM IR or assembly.
    Text,
    /// An object file, which is not sent.
    Binary,
}

/// A module as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleText {
    /// How many passes had run.
    pub after: usize,
    /// What it is.
    #[serde(default)]
    pub form: ModuleForm,
    /// The text.
    pub text: String,
}

impl WorkerRequest for RunRequest {
    const WORD: &'static str = "run";
    type Answer = RunAnswer;
}

/// Parse a module and print it.
#[derive(Debug, Clone, Serialize)]
pub struct PrintRequest {
    /// The module's text.
    pub text: String,
    /// With locations in what is printed.
    pub locations: bool,
}

/// A module as Triton prints it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintAnswer {
    /// The text, unless the module did not parse.
    pub text: Option<String>,
    /// Diagnostics.
    pub stderr: String,
}

impl WorkerRequest for PrintRequest {
    const WORD: &'static str = "print";
    type Answer = PrintAnswer;
}

/// Parse and verify modules, one after the other.
#[derive(Debug, Clone, Serialize)]
pub struct VerifyRequest<'a> {
    /// The modules' texts.
    pub texts: &'a [String],
}

/// What the verifier said of one module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// Whether it parsed and verified.
    pub valid: bool,
    /// Diagnostics.
    pub stderr: String,
}

/// Results in the order of the texts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct VerifiedMany {
    /// One per text.
    pub results: Vec<Verified>,
}

impl WorkerRequest for VerifyRequest<'_> {
    const WORD: &'static str = "verify";
    type Answer = VerifiedMany;
}

/// Why a worker does not answer a request that reached it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// No backend accepts the target.
    Target,
    /// The backend does not take the options.
    Options,
    /// The backend has no such stage, or it cannot be recorded.
    Stage,
    /// There is no such pass.
    Pass,
    /// There is the pass, but not with those options, or not from Python.
    PassOptions,
    /// The request makes no sense to the worker.
    Request,
    /// Python raised something that nobody expected.
    Internal,
}

/// A request that was refused; its text says what is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What is wrong, in short.
    pub kind: RefusalKind,
    /// And in one sentence.
    pub message: String,
}

/// What the worker was at when a process died.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkerPhase {
    /// Nothing in particular.
    #[default]
    None,
    /// Finding the passes of a run.
    Resolve,
    /// Parsing a module.
    Parse,
    /// Running passes.
    Run,
    /// Printing a module.
    Print,
}

/// What the worker's parent process says of a child that died over a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Died {
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Or its exit status.
    pub exit: Option<i32>,
    /// What it was at.
    pub phase: WorkerPhase,
    /// Which pass, or which module of several.
    pub index: Option<usize>,
    /// The pass's command-line form.
    pub text: Option<String>,
    /// Milliseconds since it began with that.
    #[serde(default)]
    pub in_step_ms: Option<u64>,
    /// The milliseconds of processor time after which a pass was stopped, where that is why it died.
    #[serde(default)]
    pub limit_ms: Option<u64>,
    /// What it had printed.
    pub stderr: String,
}

/// Any frame that a worker sends.
#[derive(Debug, Deserialize)]
pub(super) struct Frame {
    #[serde(default)]
    pub id: u64,
    pub pid: Option<i32>,
    pub resident: Option<u64>,
    pub answer: Option<Box<serde_json::value::RawValue>>,
    pub refused: Option<Refusal>,
    pub died: Option<Box<Died>>,
    pub fatal: Option<Fatal>,
}

/// Why a worker cannot work at all.
#[derive(Debug, Deserialize)]
pub(super) struct Fatal {
    pub kind: FatalKind,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FatalKind {
    NoTriton,
    Broken,
}
