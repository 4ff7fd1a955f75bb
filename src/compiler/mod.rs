//! Compilers: released Triton wheels in worker processes and the built-in model, what they are asked, and what they
//! answer. Whoever only runs passes takes any [`Compiler`].

pub mod diagnostic;
pub mod ingest;
pub mod kernel;
pub mod model;
pub mod outcome;
mod pass_name;
pub mod pipeline;
pub mod protocol;
mod spec;
mod target;
pub mod wheel;
pub mod worker;

pub use ingest::{IngestError, Ingested, ingest};
pub use pass_name::PassName;
pub use pipeline::Pipeline;
pub use spec::CompilerSpec;
pub use target::{Target, TargetError};

use std::time::Duration;

/// Something that runs passes over a module: the workers of a Triton wheel, or the built-in model.
pub trait Compiler: std::fmt::Debug + Send + Sync {
    /// What it calls its version: compilers with different answers may answer differently.
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

    /// The passes of a stage in their order, as pipeline text.
    ///
    /// # Errors
    /// A broken environment, or a target or stage that the compiler does not have.
    fn stage_passes(
        &self,
        target: &Target,
        options: &protocol::Options,
        stage: &str,
    ) -> Result<Vec<String>, worker::WorkerError>;
}

impl Compiler for worker::Pool {
    fn version(&self) -> String {
        self.with(|worker| worker.hello().triton.clone())
    }

    fn run(&self, run: &protocol::Run) -> Result<outcome::Outcome, worker::WorkerError> {
        worker::Pool::run(self, run)
    }

    fn run_within(&self, run: &protocol::Run, time: Duration) -> Result<outcome::Outcome, worker::WorkerError> {
        self.with(|worker| worker.run_within(run, time))
    }

    fn stage_passes(
        &self,
        target: &Target,
        options: &protocol::Options,
        stage: &str,
    ) -> Result<Vec<String>, worker::WorkerError> {
        let question = protocol::AskPipeline::new(target, options, stage);
        let steps = self.with(|worker| worker.pipeline(&question))?.steps;
        Ok(steps.into_iter().map(|step| step.text).collect())
    }
}
