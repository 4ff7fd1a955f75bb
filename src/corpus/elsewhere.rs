//! Another version as a reduction asks it: with its own passes, and in its own words.

use super::versions::{VersionResult, try_with};
use crate::compiler::worker::{WorkerError, WorkerLimits};
use crate::compiler::{Compiler, CompilerSpec};
use crate::judge::Verdict;
use crate::reduce::{Compile, ReferenceCompiler};

/// Another version, started.
#[derive(Debug)]
pub struct OtherVersion {
    compiler: Box<dyn Compiler>,
    triton: String,
}

impl OtherVersion {
    /// Starts it, ready for `jobs` questions at a time.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(spec: &CompilerSpec, limits: WorkerLimits, jobs: usize) -> Result<OtherVersion, WorkerError> {
        let compiler = spec.start(limits, jobs)?;
        Ok(OtherVersion { triton: compiler.version(), compiler })
    }
}

impl ReferenceCompiler for OtherVersion {
    fn name(&self) -> String {
        self.triton.clone()
    }

    /// A module that the version does not read, or cannot be asked about, does not pass there.
    fn complaint(&self, compile: &Compile, text: &str) -> Result<Option<String>, String> {
        let result = try_with(self.compiler.as_ref(), compile, text);
        let VersionResult { ran, judgement, untestable, .. } = result.map_err(|error| error.to_string())?;
        Ok(match (untestable, judgement.verdict) {
            (Some(why), _) => Some(why),
            (None, Verdict::Ok) => None,
            (None, _) => Some(format!("{} ({ran})", judgement.signature)),
        })
    }
}
