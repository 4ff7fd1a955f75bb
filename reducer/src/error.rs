//! Why a reduction could not begin. Once it has begun it always ends with a report.

use crate::predicate::Verdict;

/// Nothing was reduced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The local oracle rejects the first subject, so that nothing may be asked about it.
    #[error("the subject to reduce is not valid to begin with")]
    InvalidSubject,
    /// The first subject does not show what is looked for.
    #[error("the subject to reduce is not interesting: asked {asked} times, last answer {last:?}")]
    NotInteresting {
        /// How often it was asked about.
        asked: u32,
        /// The last answer.
        last: Verdict,
    },
    /// The predicate could not be asked about the first subject.
    #[error("the first question could not be asked: {0}")]
    Predicate(String),
    /// The budget was spent, or the run cancelled, before the first subject was known to be interesting.
    #[error("stopped before the first subject was known to be interesting")]
    Stopped,
    /// The decisions to resume from do not belong to this subject and these steps.
    #[error("cannot resume: decision {decision} no longer holds: {why}")]
    Resume {
        /// Which one, from 0.
        decision: usize,
        /// What went wrong.
        why: &'static str,
    },
    /// Two steps have the same name.
    #[error("two steps are called `{0}`")]
    DuplicateStep(String),
}
