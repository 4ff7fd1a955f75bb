//! "Fails here and passes there": a failure that another version does not have.
//!
//! The failing version runs first: most candidates are uninteresting there already, and the reference compilers need not
//! run.

use super::Candidate;
use super::same_failure::{SameFailure, SlippedBug};
use crate::compiler::worker::{WorkerError, WorkerLimits};
use crate::compiler::{Compile, Compiler, CompilerSpec};
use crate::judge::releases::{VersionResult, try_with};
use crate::judge::{Tracer, Verdict};
use std::sync::Arc;
use tritonsmith_reducer::{Answer, InterestingnessTest, Query};

/// Another version, which must be content with what fails here. It runs passes of its own, over the module in its own words.
#[derive(Debug, Clone)]
pub struct ReferenceCompiler(Arc<dyn Compiler>);

impl ReferenceCompiler {
    /// Starts it, ready for `jobs` queries at a time.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(spec: &CompilerSpec, limits: WorkerLimits, jobs: usize) -> Result<ReferenceCompiler, WorkerError> {
        Ok(ReferenceCompiler(Arc::from(spec.start(limits, jobs)?)))
    }

    /// What it is called.
    pub fn name(&self) -> String {
        self.0.version()
    }

    /// What is wrong with a module there, in words; `None` if it passes. A module that it does not read, or cannot be asked
    /// about, does not pass.
    ///
    /// # Errors
    /// It could not run.
    pub fn complaint(&self, compile: &Compile, text: &str) -> Result<Option<String>, WorkerError> {
        let result = try_with(&Tracer::new(self.0.as_ref()), compile, text)?;
        let VersionResult { ran, judgement, untestable, .. } = result;
        Ok(match (untestable, judgement.verdict) {
            (Some(why), _) => Some(why),
            (None, Verdict::Ok) => None,
            (None, _) => Some(format!("{} ({ran})", judgement.signature)),
        })
    }
}

/// "Does this module still fail here, and still pass there?"
#[derive(Debug)]
pub struct Differential<'a> {
    /// The failure to keep.
    pub here: SameFailure<'a>,
    /// Versions that must pass; where there are none it is the failure alone that counts.
    pub references: &'a [ReferenceCompiler],
}

impl InterestingnessTest<Candidate> for Differential<'_> {
    type SlippedBug = SlippedBug;

    fn answer(&self, query: &Query<'_, Candidate>) -> Answer<SlippedBug> {
        let answer = self.here.answer(query);
        if !matches!(answer, Answer::Interesting) {
            return answer;
        }
        for version in self.references {
            if query.is_cancelled() {
                return Answer::Cancelled;
            }
            match version.complaint(self.here.compile, query.case.text()) {
                Ok(None) => {}
                Ok(Some(_)) => return Answer::Uninteresting,
                Err(why) => return Answer::Failed(format!("triton {} cannot run: {why}", version.name())),
            }
        }
        answer
    }
}
