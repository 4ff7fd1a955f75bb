//! The interestingness test, which decides what is kept.
//!
//! It is called from several threads at once, each with a worker number of its own, so it can keep one compiler process
//! per worker. Each query comes with a time limit, and [`Query::is_cancelled`] says when nobody waits for the answer any
//! more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static NEVER: AtomicBool = AtomicBool::new(false);

/// One call of the interestingness test.
#[derive(Debug)]
pub struct Query<'a, T> {
    /// The candidate, which is valid.
    pub case: &'a T,
    /// Which worker calls, from 0 to the number of jobs less one. No two queries with the same number overlap.
    pub worker: usize,
    /// How long the answer is worth waiting for. After that the test should answer [`Answer::TimedOut`]; the engine
    /// has no means to interrupt it.
    pub limit: Duration,
    pub(crate) cancelled: &'a AtomicBool,
    pub(crate) run_cancelled: &'a AtomicBool,
}

impl<'a, T> Query<'a, T> {
    /// A query outside of a reduction, from worker 0, that is never cancelled.
    #[must_use]
    pub fn standalone(case: &'a T, limit: Duration) -> Query<'a, T> {
        Query { case, worker: 0, limit, cancelled: &NEVER, run_cancelled: &NEVER }
    }

    /// Whether the answer is of no use any more: the run was cancelled, or the query was asked ahead of its turn and its
    /// turn will not come. A test that waits for a process can look here and answer [`Answer::Cancelled`].
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.run_cancelled.load(Ordering::Relaxed)
    }
}

/// What the interestingness test says of a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<B> {
    /// It still shows what is looked for.
    Interesting,
    /// It does not.
    Uninteresting,
    /// It could not even be read by whatever the test runs: a mistake of a step. Counted, then uninteresting.
    Invalid,
    /// No answer within the limit; counts as uninteresting.
    TimedOut,
    /// Uninteresting for this reduction but worth keeping for another: the reduction would slip to a different bug. It
    /// goes to the observer at once.
    SlippedBug(B),
    /// The query was given up because [`Query::is_cancelled`] said so. Otherwise it counts as uninteresting.
    Cancelled,
    /// The test could not run (no worker, no disk). The reduction stops and keeps its best.
    Failed(String),
}

impl<B> Answer<B> {
    /// The answer alone, and the bug that came with it.
    pub(crate) fn split(self) -> (Answer<()>, Option<B>) {
        let answer = match self {
            Answer::Interesting => Answer::Interesting,
            Answer::Uninteresting => Answer::Uninteresting,
            Answer::Invalid => Answer::Invalid,
            Answer::TimedOut => Answer::TimedOut,
            Answer::SlippedBug(bug) => return (Answer::Uninteresting, Some(bug)),
            Answer::Cancelled => Answer::Cancelled,
            Answer::Failed(why) => Answer::Failed(why),
        };
        (answer, None)
    }
}

/// Decides whether a test case is interesting. Unless it is flaky, its answer depends on the test case alone.
pub trait InterestingnessTest<T>: Sync {
    /// What [`Answer::SlippedBug`] carries; `()` where there is nothing.
    type SlippedBug: Send;

    /// Answers one query. A panic in here ends the reduction as [`Answer::Failed`] would.
    fn answer(&self, query: &Query<'_, T>) -> Answer<Self::SlippedBug>;
}

/// A predicate on the test case alone is an interestingness test.
impl<T, F: Fn(&T) -> bool + Sync> InterestingnessTest<T> for F {
    type SlippedBug = ();

    fn answer(&self, query: &Query<'_, T>) -> Answer<()> {
        if self(query.case) { Answer::Interesting } else { Answer::Uninteresting }
    }
}
