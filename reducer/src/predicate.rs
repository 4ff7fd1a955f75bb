//! The question that decides what is kept, and its possible answers.
//!
//! A predicate is asked from several threads at once, each with a worker number of its own, so it can keep one compiler
//! process per worker. It gets a time limit with each question and learns through [`Question::withdrawn`] when nobody
//! waits for the answer any more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static NEVER: AtomicBool = AtomicBool::new(false);

/// One question to the predicate.
#[derive(Debug)]
pub struct Question<'a, S> {
    /// The candidate. Its local oracle has accepted it.
    pub subject: &'a S,
    /// Which worker asks, from 0 to the number of jobs less one. No two questions with the same number overlap.
    pub worker: usize,
    /// How long the answer is worth waiting for. Past it the predicate should answer [`Answer::TimedOut`]; the engine
    /// has no means to interrupt it.
    pub limit: Duration,
    pub(crate) withdrawn: &'a AtomicBool,
    pub(crate) cancel: &'a AtomicBool,
}

impl<'a, S> Question<'a, S> {
    /// A question outside of a reduction, from worker 0, that is never withdrawn.
    #[must_use]
    pub fn alone(subject: &'a S, limit: Duration) -> Question<'a, S> {
        Question { subject, worker: 0, limit, withdrawn: &NEVER, cancel: &NEVER }
    }

    /// Whether the answer is of no use any more: the run was cancelled, or the question was asked ahead of its turn and
    /// its turn will not come. A predicate that waits for a process can look here and answer [`Answer::Withdrawn`].
    #[must_use]
    pub fn withdrawn(&self) -> bool {
        self.withdrawn.load(Ordering::Relaxed) || self.cancel.load(Ordering::Relaxed)
    }
}

/// What a predicate answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<A> {
    /// The subject still shows what is looked for.
    Interesting,
    /// It does not.
    Boring,
    /// The subject could not even be read by whatever the predicate runs: a mistake of a step. Counted, then boring.
    Invalid,
    /// No answer within the limit. Counted, then boring.
    TimedOut,
    /// Boring for this reduction but worth keeping for another: a different bug. It goes to the observer at once.
    Aside(A),
    /// The question was given up because [`Question::withdrawn`] said so. Otherwise it counts as boring.
    Withdrawn,
    /// The question could not be asked (no worker, no disk). The run stops and keeps its best.
    Failed(String),
}

/// Decides whether a subject is interesting. Unless it is flaky, its answer depends on the subject alone.
pub trait Predicate<S>: Sync {
    /// What [`Answer::Aside`] carries; `()` where there is nothing.
    type Aside: Send;

    /// Answers one question. A panic in here ends the run as [`Answer::Failed`] would.
    fn ask(&self, question: &Question<'_, S>) -> Answer<Self::Aside>;
}

/// A function of the subject alone is a predicate.
impl<S, F: Fn(&S) -> bool + Sync> Predicate<S> for F {
    type Aside = ();

    fn ask(&self, question: &Question<'_, S>) -> Answer<()> {
        if self(question.subject) { Answer::Interesting } else { Answer::Boring }
    }
}

/// The verdict on a candidate after all its repetitions: what the cache remembers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Interesting as often as was demanded.
    Interesting,
    /// Not interesting, or not often enough.
    Boring,
    /// Not readable for the predicate.
    Invalid,
    /// No answer within the limit.
    TimedOut,
}
