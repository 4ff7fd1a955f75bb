//! Compilers: released Triton wheels in worker processes and the built-in model, what they are asked, and what they
//! answer. Whoever only runs passes takes any [`Compiler`].

mod compile;
pub mod diagnostic;
pub mod ingest;
pub mod kernel;
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
    /// What it is called in reports and expectations: a release by its name, anything else by the version that it says it
    /// is. Compilers with different names may answer differently.
    fn version(&self) -> String;

    /// Runs passes, with whichever worker is free.
    ///
    /// # Errors
    /// A broken environment, or a run that cannot be set up.
    fn run(&self, run: &protocol::Run) -> Result<outcome::Outcome, worker::WorkerError>;

    /// The same in at most so much time. The model counts steps in place of time, and does not look at it.
    ///
    /// # Errors
    /// As for [`Compiler::run`].
    fn run_within(&self, run: &protocol::Run, time: Duration) -> Result<outcome::Outcome, worker::WorkerError>;

    /// The passes of a stage in their order.
    ///
    /// # Errors
    /// A broken environment, or a target or stage that the compiler does not have.
    fn pipeline(&self, question: &protocol::AskPipeline) -> Result<protocol::Pipeline, worker::WorkerError>;

    /// What its parser and verifier say of each text.
    ///
    /// # Errors
    /// A broken environment.
    fn verify(&self, texts: &[String]) -> Result<Vec<protocol::Verified>, worker::WorkerError>;

    /// The version of Python that it runs in, where it does.
    fn python(&self) -> Option<String>;
}

impl Compiler for worker::Pool {
    fn version(&self) -> String {
        self.with(|worker| worker.name())
    }

    fn run(&self, run: &protocol::Run) -> Result<outcome::Outcome, worker::WorkerError> {
        worker::Pool::run(self, run)
    }

    fn run_within(&self, run: &protocol::Run, time: Duration) -> Result<outcome::Outcome, worker::WorkerError> {
        self.with(|worker| worker.run_within(run, time))
    }

    fn pipeline(&self, question: &protocol::AskPipeline) -> Result<protocol::Pipeline, worker::WorkerError> {
        self.with(|worker| worker.pipeline(question))
    }

    fn verify(&self, texts: &[String]) -> Result<Vec<protocol::Verified>, worker::WorkerError> {
        self.with(|worker| worker.verify(texts))
    }

    fn python(&self) -> Option<String> {
        Some(self.with(|worker| worker.hello().python.clone()))
    }
}
