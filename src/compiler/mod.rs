//! Compilers: released Triton wheels in worker processes and the built-in model, what they are asked, and what they
//! answer. Whoever only runs passes takes any [`Compiler`].

mod compile;
pub mod diagnostic;
pub mod fork;
pub mod ingest;
pub mod kernel;
pub mod limits;
pub mod model;
pub mod outcome;
mod pass_name;
pub mod pipeline;
pub mod plan;
pub mod protocol;
mod spec;
pub mod spelling;
mod target;
pub mod wheel;
pub mod worker;

pub use compile::Compile;
pub use ingest::{IngestError, Ingested, ingest};
pub use pass_name::PassName;
pub use pipeline::{NestedPass, Pipeline};
pub use spec::CompilerSpec;
pub use target::{Target, TargetError};

use std::time::Duration;

/// Something that runs passes over a module: the workers of a Triton wheel, or the built-in model.
pub trait Compiler: std::fmt::Debug + Send + Sync {
    /// What a case's expectations call it: a release by its name, another installation by the version that it says it is,
    /// the model with its faults.
    fn version(&self) -> String;

    /// The version of Python that it runs in, where it runs in one.
    fn python(&self) -> Option<String>;

    /// Runs passes, with whichever worker is free.
    ///
    /// # Errors
    /// A broken environment, or a run that cannot be set up.
    fn run(&self, run: &protocol::RunRequest) -> Result<outcome::Outcome, worker::WorkerError>;

    /// The same in at most so much time. The model counts steps in place of time, and does not look at it.
    ///
    /// # Errors
    /// As for [`Compiler::run`].
    fn run_within(&self, run: &protocol::RunRequest, time: Duration) -> Result<outcome::Outcome, worker::WorkerError>;

    /// A stage as the compiler sets it up.
    ///
    /// # Errors
    /// A broken environment, or a target or stage that the compiler does not have.
    fn pipeline(&self, request: &protocol::PipelineRequest) -> Result<protocol::RecordedPipeline, worker::WorkerError>;

    /// What parser and verifier say of each module.
    ///
    /// # Errors
    /// A broken environment.
    fn verify(&self, texts: &[String]) -> Result<Vec<protocol::Verified>, worker::WorkerError>;
}

/// A compiler whose runs take at most so much time.
#[derive(Debug)]
pub struct Limited<'a> {
    /// The compiler.
    pub compiler: &'a dyn Compiler,
    /// What a run may take.
    pub time: Duration,
}

impl Compiler for Limited<'_> {
    fn version(&self) -> String {
        self.compiler.version()
    }

    fn python(&self) -> Option<String> {
        self.compiler.python()
    }

    fn run(&self, run: &protocol::RunRequest) -> Result<outcome::Outcome, worker::WorkerError> {
        self.compiler.run_within(run, self.time)
    }

    fn run_within(&self, run: &protocol::RunRequest, time: Duration) -> Result<outcome::Outcome, worker::WorkerError> {
        self.compiler.run_within(run, time.min(self.time))
    }

    fn pipeline(&self, request: &protocol::PipelineRequest) -> Result<protocol::RecordedPipeline, worker::WorkerError> {
        self.compiler.pipeline(request)
    }

    fn verify(&self, texts: &[String]) -> Result<Vec<protocol::Verified>, worker::WorkerError> {
        self.compiler.verify(texts)
    }
}

impl Compiler for worker::Pool {
    fn version(&self) -> String {
        self.with(|worker| worker.name())
    }

    fn python(&self) -> Option<String> {
        Some(self.with(|worker| worker.hello().python.clone()))
    }

    fn run(&self, run: &protocol::RunRequest) -> Result<outcome::Outcome, worker::WorkerError> {
        worker::Pool::run(self, run)
    }

    fn run_within(&self, run: &protocol::RunRequest, time: Duration) -> Result<outcome::Outcome, worker::WorkerError> {
        self.with(|worker| worker.run_within(run, time))
    }

    fn pipeline(&self, request: &protocol::PipelineRequest) -> Result<protocol::RecordedPipeline, worker::WorkerError> {
        self.with(|worker| worker.pipeline(request))
    }

    fn verify(&self, texts: &[String]) -> Result<Vec<protocol::Verified>, worker::WorkerError> {
        self.with(|worker| worker.verify(texts))
    }
}
