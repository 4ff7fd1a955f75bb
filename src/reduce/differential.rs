//! "Fails here and passes there": a failure that another version does not have.
//!
//! The failing version runs first: most candidates are uninteresting there already, and the reference compilers need not
//! run. What "passes" means and how a reference compiler runs is up to the implementation of [`ReferenceCompiler`].

use super::Candidate;
use super::same_failure::{Compile, SameFailure, SlippedBug};
use std::fmt;
use std::sync::Arc;
use tritonsmith_reducer::{Answer, InterestingnessTest, Query};

/// Another version that must be content with what fails here.
pub trait ReferenceCompiler: fmt::Debug + Send + Sync {
    /// What it is called.
    fn name(&self) -> String;

    /// What is wrong with a module there, in words; `None` if it passes. `compile` is what fails here.
    ///
    /// # Errors
    /// It could not run.
    fn complaint(&self, compile: &Compile, text: &str) -> Result<Option<String>, String>;
}

/// "Does this module still fail here, and still pass there?"
#[derive(Debug)]
pub struct Differential<'a> {
    /// The failure to keep.
    pub here: SameFailure<'a>,
    /// Versions that must pass; where there are none it is the failure alone that counts.
    pub references: &'a [Arc<dyn ReferenceCompiler>],
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
