//! Another version as a reduction asks it: the same passes in its own pipeline, looked up once.

use super::versions::counterpart;
use crate::compiler::protocol::{AskPipeline, Keep, Passes};
use crate::compiler::wheel::Installation;
use crate::compiler::worker::{Pool, Worker, WorkerError, WorkerLimits};
use crate::judge::{Verdict, judge};
use crate::reduce::{Compile, Elsewhere};
use std::sync::OnceLock;
use std::time::Duration;

/// Workers of another version.
#[derive(Debug)]
pub struct OtherVersion {
    pool: Pool,
    triton: String,
    /// What stands there for what is run here.
    counterpart: OnceLock<Result<Compile, String>>,
}

impl OtherVersion {
    /// Starts `jobs` workers.
    ///
    /// # Errors
    /// They cannot be started.
    pub fn start(installation: &Installation, limits: WorkerLimits, jobs: usize) -> Result<OtherVersion, WorkerError> {
        let pool = Pool::start(installation, limits, jobs)?;
        let triton = pool.with(|worker| worker.hello().triton.clone());
        Ok(OtherVersion { pool, triton, counterpart: OnceLock::new() })
    }
}

impl Elsewhere for OtherVersion {
    fn name(&self) -> String {
        self.triton.clone()
    }

    fn passes(&self, compile: &Compile, text: &str, limit: Duration) -> Result<bool, String> {
        let found = self
            .counterpart
            .get_or_init(|| self.pool.with(|worker| its_own(worker, compile)).map_err(|error| error.to_string()));
        let run = found.clone()?.run(text, Keep { last: true, ..Keep::default() });
        let outcome = self.pool.with(|worker| worker.run_within(&run, limit));
        Ok(judge(&outcome.map_err(|error| error.to_string())?).verdict == Verdict::Ok)
    }
}

/// The passes of a worker's version that stand for those of `compile`.
fn its_own(worker: &mut Worker, compile: &Compile) -> Result<Compile, WorkerError> {
    let Passes::Texts { texts } = &compile.passes else { return Ok(compile.clone()) };
    let (target, options) = (compile.target.clone(), compile.options.clone());
    let pipeline = worker.pipeline(&AskPipeline { target, options, stage: "ttgir".to_owned() })?;
    let steps: Vec<&str> = pipeline.steps.iter().map(|step| step.text.as_str()).collect();
    Ok(compile.with(counterpart(texts, &steps).0))
}
