//! Workers: processes that answer requests with one installation of Triton, and a pool of them for threads.
//!
//! Asking never fails because of what is asked. A request that kills, hangs or bloats the process costs that request, and
//! its [`Reply::Lost`] says what happened; the next one is answered by a child that the worker forked ahead. When the worker
//! as a whole is gone, the next request starts a new one. Only a broken environment (no Python, no Triton, a broken
//! installation) is a [`WorkerError`].
//!
//! What the wheels from 3.0.0 to 3.9.0 do, as far as an answer shows it:
//! - Parsing verifies. Its diagnostics have the form `loc("input.mlir":2:51): error: …` in every version; those of a pass
//!   that fails have the form `input.mlir:2:51: error: …` with the source line below from 3.3.0 on.
//! - A module that verifies is printed in custom form and nothing that can be called from Python prints it in generic form;
//!   one that does not verify comes in generic form by itself. `str_nodebug`, which leaves locations out, exists from 3.4.0
//!   on; the worker strips them from what older versions print.
//! - `get_pipeline_str` exists from 3.3.0 on. A pass manager made from Python is for any operation, so it prints
//!   `any(cse)` where a reproducer says `builtin.module(cse)`; both are `cse` here. Up to 3.2.0 what has the text of a
//!   pass is the reproducer that its manager writes before it runs.
//! - In 3.3 and 3.4 a crash in the first pass manager of a process ends it and one in a later pass manager is caught, so
//!   every child runs a trivial one before it takes requests; then 3.3.0 to 3.9.0 catch alike.
//! - Wheels up to 3.2.0 import setuptools without depending on it, for launchers that nothing here builds.

mod pool;
mod process;

use std::time::Duration;

use crate::compiler::outcome::{Exit, Outcome};
use crate::compiler::protocol::{
    Died, Envelope, FatalKind, Hello, HelloRequest, Keep, Mode, PipelineRequest, PrintAnswer, PrintRequest,
    RecordedPipeline, Refusal, RefusalKind, RunRequest, VERSION, Verified, VerifyRequest, WorkerPhase, WorkerRequest,
};
use crate::compiler::wheel::{Installation, Triton};

pub use pool::Pool;
use process::{Bounds, Process, ProcessEvent, Stopped};

/// What a worker may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerLimits {
    /// How long the start may take: importing libtriton takes half a second, more from a cold disk.
    pub start: Duration,
    /// How long one request may take.
    pub time: Duration,
    /// How many bytes a child may grow above its size when idle, over one request.
    pub memory: u64,
}

impl Default for WorkerLimits {
    fn default() -> Self {
        WorkerLimits { start: Duration::from_secs(120), time: Duration::from_secs(60), memory: 4 << 30 }
    }
}

/// A broken environment, in a sentence that says what to do next; or a request that has no answer here.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The interpreter could not be started.
    #[error("cannot run {python}: {source}; give --triton a version or the path of a Python interpreter")]
    Start {
        /// The interpreter.
        python: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The interpreter has no Triton.
    #[error("the Python at {python} has no Triton ({message}); install it there, or give --triton a version")]
    NoTriton {
        /// The interpreter.
        python: String,
        /// Python's words.
        message: String,
    },
    /// Triton is there and cannot be used.
    #[error("the Triton of {python} cannot be used: {message}")]
    Broken {
        /// The interpreter.
        python: String,
        /// What was raised or printed.
        message: String,
    },
    /// The worker did not say hello in time.
    #[error("the Triton of {python} was not ready after {seconds} seconds; is the machine overloaded?")]
    Slow {
        /// The interpreter.
        python: String,
        /// The limit on the start.
        seconds: u64,
    },
    /// The request has no answer with this installation.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A request about the installation, not about a module, killed the process that was to answer it.
    #[error("the Triton of {python} does not survive being asked for `{request}`: {message}")]
    Lost {
        /// The interpreter.
        python: String,
        /// The request's word.
        request: &'static str,
        /// What happened.
        message: String,
    },
}

impl WorkerError {
    /// What a backend says that has no such stage; nothing where it is another error. A fork may have stages of its own.
    pub fn lacks_stage(&self) -> Option<&str> {
        match self {
            WorkerError::Refused(refusal) if refusal.kind == RefusalKind::Stage => Some(&refusal.message),
            _ => None,
        }
    }

    /// What a compiler says that does not have a pass, or not with those options; nothing where it is another error.
    pub fn lacks_pass(&self) -> Option<&Refusal> {
        match self {
            WorkerError::Refused(refusal) if matches!(refusal.kind, RefusalKind::Pass | RefusalKind::PassOptions) => {
                Some(refusal)
            }
            _ => None,
        }
    }
}

/// What comes of a request.
#[derive(Debug, Clone)]
pub enum Reply<A> {
    /// The answer.
    Answered(A),
    /// No answer, for a reason that lies in the request.
    Refused(Refusal),
    /// The process was lost over it.
    Lost(Lost),
}

/// How a process was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// In which way.
    pub how: Loss,
    /// What the worker's parent process knows about it.
    pub died: Option<Died>,
}

/// The ways to lose a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// It died by itself.
    Died,
    /// It was stopped at the time limit.
    Hung(Duration),
    /// It was stopped at the memory limit, in bytes.
    OutOfMemory(u64),
    /// The worker as a whole is gone.
    Worker {
        /// Its exit status.
        status: Option<i32>,
        /// What was noticed, and what it printed.
        reason: String,
    },
}

impl Lost {
    /// One phrase for people.
    pub fn describe(&self) -> String {
        match (&self.how, &self.died) {
            (Loss::Hung(limit), _) => format!("no answer within {} ms", limit.as_millis()),
            (Loss::OutOfMemory(limit), _) => format!("it grew by more than {} MiB", limit >> 20),
            (Loss::Worker { reason, .. }, _) => reason.clone(),
            (Loss::Died, Some(Died { signal: Some(signal), stderr, .. })) => {
                format!("signal {signal}; {}", tail(stderr))
            }
            (Loss::Died, Some(died)) => format!("exit status {}; {}", died.exit.unwrap_or(-1), tail(&died.stderr)),
            (Loss::Died, None) => "it died".to_owned(),
        }
    }
}

fn tail(text: &str) -> &str {
    text.trim_end().lines().next_back().unwrap_or_default()
}

/// A process, restarted as needed, that answers requests one at a time.
#[derive(Debug)]
pub struct Worker {
    installation: Installation,
    limits: WorkerLimits,
    environment: Vec<(String, String)>,
    process: Option<Process>,
    hello: Hello,
    asked: u64,
    starts: u64,
}

impl Worker {
    /// Starts a worker and waits until it is ready.
    pub fn start(installation: &Installation, limits: WorkerLimits) -> Result<Worker, WorkerError> {
        Worker::start_in(installation, limits, &[])
    }

    /// The same with variables added to its environment. Those of this process that change what Triton does are not handed
    /// on: what is wanted is named here.
    pub fn start_in(
        installation: &Installation,
        limits: WorkerLimits,
        environment: &[(String, String)],
    ) -> Result<Worker, WorkerError> {
        let (process, hello) = launch(installation, limits, environment)?;
        Ok(Worker {
            installation: installation.clone(),
            limits,
            environment: environment.to_vec(),
            process: Some(process),
            hello,
            asked: 1,
            starts: 1,
        })
    }

    /// What the installation said about itself.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// What a case's expectations call it: a release by its name, anything else by the version that it says it is.
    pub fn name(&self) -> String {
        match &self.installation.spec {
            Triton::Release(release) => release.to_string(),
            _ => self.hello.triton.clone(),
        }
    }

    /// What a request may take.
    pub fn limits(&self) -> WorkerLimits {
        self.limits
    }

    /// How many times the whole worker was started, the first time included.
    pub fn starts(&self) -> u64 {
        self.starts
    }

    /// Asks within the worker's own limits.
    pub fn ask<Q: WorkerRequest>(&mut self, request: &Q) -> Result<Reply<Q::Answer>, WorkerError> {
        self.ask_within(request, self.limits.time)
    }

    /// Asks with a time limit of its own.
    pub fn ask_within<Q: WorkerRequest>(
        &mut self,
        request: &Q,
        time: Duration,
    ) -> Result<Reply<Q::Answer>, WorkerError> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => {
                self.starts += 1;
                launch(&self.installation, self.limits, &self.environment)?.0
            }
        };
        self.asked += 1;
        let bounds = Bounds { start: self.limits.start, time, memory: self.limits.memory };
        let (frame, stopped) = match exchange(&mut process, self.asked, request, bounds) {
            ProcessEvent::Frame(frame, stopped) => (frame, stopped),
            ProcessEvent::Over { reason, stopped } => return Ok(Reply::Lost(gone(process, reason, stopped, bounds))),
        };
        if let Some(fatal) = frame.fatal {
            return Ok(Reply::Lost(gone(process, fatal.message, stopped, bounds)));
        }
        if let Some(died) = frame.died {
            self.process = Some(process);
            let how = stopped.map_or(Loss::Died, |limit| limit_loss(limit, bounds));
            return Ok(Reply::Lost(Lost { how, died: Some(*died) }));
        }
        if let Some(refusal) = frame.refused {
            self.process = Some(process);
            return Ok(Reply::Refused(refusal));
        }
        match frame.answer.as_ref().map(|answer| serde_json::from_str::<Q::Answer>(answer.get())) {
            Some(Ok(answer)) => {
                self.process = Some(process);
                Ok(Reply::Answered(answer))
            }
            Some(Err(error)) => Ok(Reply::Lost(gone(process, format!("it sent no answer: {error}"), None, bounds))),
            None => Ok(Reply::Lost(gone(process, "it sent no answer".into(), None, bounds))),
        }
    }

    /// Runs passes and gives the raw facts. Where the module before the failing pass is wanted, a run that failed is done
    /// again up to that pass; where the run was not stepwise, it is done stepwise to find the pass.
    ///
    /// # Errors
    /// A broken environment, or a run that cannot be set up (an unknown pass, an unsupported target).
    pub fn run(&mut self, run: &RunRequest) -> Result<Outcome, WorkerError> {
        let mut outcome = self.run_once(run)?;
        let failed = matches!(outcome.exit, Exit::PassFailed | Exit::Crashed { .. } | Exit::Hung { .. });
        if !run.keep.before_failing || !failed {
            return Ok(outcome);
        }
        if outcome.failing.is_none() && run.mode == Mode::Whole {
            let stepwise = RunRequest { mode: Mode::Stepwise, keep: Keep::default(), ..run.clone() };
            outcome.failing = self.run_once(&stepwise)?.failing;
        }
        let Some(index) = outcome.failing.as_ref().map(|failing| failing.index) else { return Ok(outcome) };
        if outcome.module_after(index).is_none() {
            let keep = Keep { last: true, locations: run.keep.locations, ..Keep::default() };
            let before = RunRequest { mode: Mode::Stepwise, stop: Some(index), keep, ..run.clone() };
            outcome.modules.extend(self.run_once(&before)?.modules);
        }
        Ok(outcome)
    }

    /// [`Worker::run`] with a time limit of its own.
    ///
    /// # Errors
    /// As there.
    pub fn run_within(&mut self, run: &RunRequest, time: Duration) -> Result<Outcome, WorkerError> {
        self.limited(time, |worker| worker.run(run))
    }

    /// Does something with a time limit of its own for each request.
    pub fn limited<T>(&mut self, time: Duration, act: impl FnOnce(&mut Worker) -> T) -> T {
        let own = std::mem::replace(&mut self.limits.time, time);
        let done = act(self);
        self.limits.time = own;
        done
    }

    fn run_once(&mut self, run: &RunRequest) -> Result<Outcome, WorkerError> {
        let lost = match self.ask(run)? {
            Reply::Answered(ran) => return Ok(Outcome::of_answer(ran)),
            Reply::Refused(refusal) => return Err(refusal.into()),
            Reply::Lost(lost) => lost,
        };
        let exit = match lost.how {
            Loss::Died => match lost.died {
                Some(died) => return Ok(Outcome::of_death(died)),
                None => Exit::WorkerDied { status: None },
            },
            Loss::Hung(limit) => Exit::Hung { limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX) },
            Loss::OutOfMemory(limit) => Exit::OutOfMemory { limit_bytes: Some(limit) },
            Loss::Worker { status, reason } => {
                let outcome = Outcome::of_loss(Exit::WorkerDied { status }, lost.died);
                return Ok(Outcome { error: Some(reason), ..outcome });
            }
        };
        Ok(Outcome::of_loss(exit, lost.died))
    }

    /// The passes of a stage, as the backend adds them.
    ///
    /// # Errors
    /// A broken environment, or no such target or stage.
    pub fn pipeline(&mut self, request: &PipelineRequest) -> Result<RecordedPipeline, WorkerError> {
        let reply = self.ask(request)?;
        self.expect_answer(request, reply)
    }

    /// Parses a module and prints it; `None` in place of the text where it does not parse.
    ///
    /// # Errors
    /// A broken environment.
    pub fn print(&mut self, text: &str) -> Result<PrintAnswer, WorkerError> {
        let request = PrintRequest { text: text.to_owned(), locations: false };
        match self.ask(&request)? {
            Reply::Lost(lost) => Ok(PrintAnswer { text: None, stderr: said(&lost) }),
            reply => self.expect_answer(&request, reply),
        }
    }

    /// What Triton's parser and verifier say of each module. One that crashes the parser is not valid, and costs no other
    /// module its answer.
    ///
    /// # Errors
    /// A broken environment.
    pub fn verify(&mut self, texts: &[String]) -> Result<Vec<Verified>, WorkerError> {
        let mut results = Vec::with_capacity(texts.len());
        let mut end = texts.len();
        while let Some(part) = texts.get(results.len()..end).filter(|part| !part.is_empty()) {
            let request = VerifyRequest { texts: part };
            match self.ask(&request)? {
                Reply::Lost(lost) => match &lost.died {
                    // Those before the one that crashed are asked again, then the rest.
                    Some(Died { phase: WorkerPhase::Parse, index: Some(index), .. }) if *index > 0 => {
                        end = results.len() + index;
                    }
                    _ => {
                        results.push(Verified { valid: false, stderr: said(&lost) });
                        end = texts.len();
                    }
                },
                reply => {
                    results.extend(self.expect_answer(&request, reply)?.results);
                    end = texts.len();
                }
            }
        }
        Ok(results)
    }

    fn expect_answer<Q: WorkerRequest>(&self, _: &Q, reply: Reply<Q::Answer>) -> Result<Q::Answer, WorkerError> {
        match reply {
            Reply::Answered(answer) => Ok(answer),
            Reply::Refused(refusal) => Err(refusal.into()),
            Reply::Lost(lost) => Err(WorkerError::Lost {
                python: self.installation.python.display().to_string(),
                request: Q::WORD,
                message: lost.describe(),
            }),
        }
    }
}

fn said(lost: &Lost) -> String {
    lost.died
        .as_ref()
        .map(|died| died.stderr.clone())
        .filter(|text| !text.is_empty())
        .unwrap_or_else(|| lost.describe())
}

fn limit_loss(limit: Stopped, bounds: Bounds) -> Loss {
    match limit {
        Stopped::Time => Loss::Hung(bounds.time),
        Stopped::Memory => Loss::OutOfMemory(bounds.memory),
    }
}

/// What is left to say of a process that is over; it is dropped here.
fn gone(mut process: Process, reason: String, stopped: Option<Stopped>, bounds: Bounds) -> Lost {
    let status = process.kill().and_then(|status| status.code());
    let printed = process.printed();
    let reason = if printed.is_empty() { reason } else { format!("{reason}; it printed: {printed}") };
    let how = stopped.map_or(Loss::Worker { status, reason }, |limit| limit_loss(limit, bounds));
    Lost { how, died: None }
}

fn exchange<Q: WorkerRequest>(process: &mut Process, id: u64, request: &Q, bounds: Bounds) -> ProcessEvent {
    match serde_json::to_vec(&Envelope { v: VERSION, id, word: Q::WORD, request }) {
        Ok(request) => process.ask(id, &request, bounds),
        Err(error) => ProcessEvent::Over { reason: format!("the request cannot be written: {error}"), stopped: None },
    }
}

fn launch(
    installation: &Installation,
    limits: WorkerLimits,
    environment: &[(String, String)],
) -> Result<(Process, Hello), WorkerError> {
    let python = || installation.python.display().to_string();
    let mut process =
        Process::spawn(installation, environment).map_err(|source| WorkerError::Start { python: python(), source })?;
    let bounds = Bounds { start: limits.start, time: limits.start, memory: u64::MAX };
    let broken = |process: &mut Process, reason: String| {
        process.kill();
        let printed = process.printed();
        let message = if printed.is_empty() { reason } else { tail(&printed).to_owned() };
        WorkerError::Broken { python: python(), message }
    };
    match exchange(&mut process, 1, &HelloRequest {}, bounds) {
        ProcessEvent::Over { stopped: Some(_), .. } => {
            Err(WorkerError::Slow { python: python(), seconds: limits.start.as_secs() })
        }
        ProcessEvent::Over { reason, .. } => Err(broken(&mut process, reason)),
        ProcessEvent::Frame(frame, _) => match (frame.fatal, frame.answer) {
            (Some(fatal), _) if fatal.kind == FatalKind::NoTriton => {
                Err(WorkerError::NoTriton { python: python(), message: fatal.message })
            }
            (Some(fatal), _) => Err(WorkerError::Broken { python: python(), message: fatal.message }),
            (None, Some(answer)) => match serde_json::from_str(answer.get()) {
                Ok(hello) => Ok((process, hello)),
                Err(error) => Err(broken(&mut process, error.to_string())),
            },
            (None, None) => Err(broken(&mut process, "it did not introduce itself".into())),
        },
    }
}
