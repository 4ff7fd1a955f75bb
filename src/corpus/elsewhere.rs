//! Another version as a reduction asks it: with its own passes, and in its own words.

use super::versions::{VersionResult, name_of, try_with};
use crate::compiler::wheel::Installation;
use crate::compiler::worker::{Pool, WorkerError, WorkerLimits};
use crate::judge::Verdict;
use crate::reduce::{Compile, ReferenceCompiler};

/// Workers of another version.
#[derive(Debug)]
pub struct OtherVersion {
    pool: Pool,
    triton: String,
}

impl OtherVersion {
    /// Starts `jobs` workers.
    ///
    /// # Errors
    /// They cannot be started.
    pub fn start(installation: &Installation, limits: WorkerLimits, jobs: usize) -> Result<OtherVersion, WorkerError> {
        let pool = Pool::start(installation, limits, jobs)?;
        let triton = pool.with(|worker| name_of(installation, worker));
        Ok(OtherVersion { pool, triton })
    }
}

impl ReferenceCompiler for OtherVersion {
    fn name(&self) -> String {
        self.triton.clone()
    }

    /// A module that the version does not read, or cannot be asked about, does not pass there.
    fn complaint(&self, compile: &Compile, text: &str) -> Result<Option<String>, String> {
        let result = self.pool.with(|worker| try_with(worker, &self.triton, compile, text));
        let VersionResult { ran, judgement, untestable, .. } = result.map_err(|error| error.to_string())?;
        Ok(match (untestable, judgement.verdict) {
            (Some(why), _) => Some(why),
            (None, Verdict::Ok) => None,
            (None, _) => Some(format!("{} ({ran})", judgement.signature)),
        })
    }
}
