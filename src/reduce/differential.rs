//! "Fails here and passes there": a failure that another version does not have.
//!
//! The failing version is asked first: most candidates are boring there already, and the other versions need not be asked.

use super::Candidate;
use super::question::{Aside, SameFailure};
use crate::compiler::worker::{WorkerError, WorkerLimits};
use crate::compiler::{Compile, Compiler, CompilerSpec};
use crate::judge::releases::{VersionResult, try_with};
use crate::judge::{Tracer, Verdict};
use std::sync::Arc;
use tritonsmith_reducer::{Answer, Predicate, Question};

/// A reference compiler: another version, which must be content with what fails here. It is asked with passes of its own
/// and in its own words.
#[derive(Debug, Clone)]
pub struct Reference(Arc<dyn Compiler>);

impl Reference {
    /// Starts it, ready for `jobs` questions at a time.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(spec: &CompilerSpec, limits: WorkerLimits, jobs: usize) -> Result<Reference, WorkerError> {
        Ok(Reference(Arc::from(spec.start(limits, jobs)?)))
    }

    /// What it is called.
    pub fn name(&self) -> String {
        self.0.version()
    }

    /// What is wrong with a module there, in words; `None` if it passes. A module that it does not read, or cannot be asked
    /// about, does not pass.
    ///
    /// # Errors
    /// It could not be asked.
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
    pub references: &'a [Reference],
}

impl Predicate<Candidate> for Differential<'_> {
    type Aside = Aside;

    fn ask(&self, question: &Question<'_, Candidate>) -> Answer<Aside> {
        let answer = self.here.ask(question);
        if !matches!(answer, Answer::Interesting) {
            return answer;
        }
        for reference in self.references {
            if question.withdrawn() {
                return Answer::Withdrawn;
            }
            match reference.complaint(self.here.compile, question.subject.text()) {
                Ok(None) => {}
                Ok(Some(_)) => return Answer::Boring,
                Err(why) => return Answer::Failed(format!("triton {} cannot be asked: {why}", reference.name())),
            }
        }
        answer
    }
}
