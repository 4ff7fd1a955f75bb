//! "Fails here and passes there": a failure that another version does not have.
//!
//! The failing version is asked first: most candidates are boring there already, and the other versions need not be asked.
//! What "passes" means and how a question is put to another version is for [`Elsewhere`] to say; this room knows one
//! compiler.

use super::Candidate;
use super::question::{Aside, Compile, SameFailure};
use std::fmt;
use std::sync::Arc;
use tritonsmith_reducer::{Answer, Predicate, Question};

/// Another version that must be content with what fails here.
pub trait Elsewhere: fmt::Debug + Send + Sync {
    /// What it is called.
    fn name(&self) -> String;

    /// What is wrong with a module there, in words; `None` if it passes. `compile` is what fails here.
    ///
    /// # Errors
    /// It could not be asked.
    fn complaint(&self, compile: &Compile, text: &str) -> Result<Option<String>, String>;
}

/// "Does this module still fail here, and still pass there?"
#[derive(Debug)]
pub struct Differential<'a> {
    /// The failure to keep.
    pub here: SameFailure<'a>,
    /// Versions that must pass; where there are none it is the failure alone that counts.
    pub elsewhere: &'a [Arc<dyn Elsewhere>],
}

impl Predicate<Candidate> for Differential<'_> {
    type Aside = Aside;

    fn ask(&self, question: &Question<'_, Candidate>) -> Answer<Aside> {
        let answer = self.here.ask(question);
        if !matches!(answer, Answer::Interesting) {
            return answer;
        }
        for version in self.elsewhere {
            if question.withdrawn() {
                return Answer::Withdrawn;
            }
            match version.complaint(self.here.compile, question.subject.text()) {
                Ok(None) => {}
                Ok(Some(_)) => return Answer::Boring,
                Err(why) => return Answer::Failed(format!("triton {} cannot be asked: {why}", version.name())),
            }
        }
        answer
    }
}
