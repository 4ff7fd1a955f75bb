//! The threads that run the interestingness test.
//!
//! Each worker takes one job at a time, runs the test as often as repetition demands, and sends one reply back. Nothing is
//! decided here.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use crate::query::{Answer, InterestingnessTest, Query};
use crate::test_case::{Measured, TestCase};

/// One candidate to run the test on.
#[derive(Debug)]
pub(crate) struct QueryJob<T: TestCase> {
    pub(crate) case: Arc<Measured<T>>,
    pub(crate) limit: Duration,
    /// Queries after which it counts as uninteresting.
    pub(crate) attempts: u64,
    pub(crate) cancelled: Arc<AtomicBool>,
}

/// What came of a job.
#[derive(Debug, Clone)]
pub(crate) struct WorkerReply {
    pub(crate) answer: Answer<()>,
    pub(crate) queries: u64,
    /// The time of the last query.
    pub(crate) time: Duration,
}

impl WorkerReply {
    /// Whether the budget ended before this many attempts had shown that the candidate is uninteresting.
    pub(crate) fn falls_short(&self, attempts: u64) -> bool {
        self.queries < attempts && matches!(self.answer, Answer::Uninteresting | Answer::TimedOut)
    }
}

/// A reply on its way back.
#[derive(Debug)]
pub(crate) struct QueryDone<T: TestCase, B> {
    pub(crate) worker: usize,
    pub(crate) case: Arc<Measured<T>>,
    pub(crate) reply: WorkerReply,
    pub(crate) bugs: Vec<B>,
}

/// Serves jobs until there are no more.
pub(crate) fn serve<T: TestCase, I: InterestingnessTest<T>>(
    test: &I,
    worker: usize,
    cancel: &AtomicBool,
    jobs: &Receiver<QueryJob<T>>,
    results: &Sender<QueryDone<T, I::SlippedBug>>,
) {
    while let Ok(job) = jobs.recv() {
        if results.send(run(test, worker, cancel, job)).is_err() {
            return;
        }
    }
}

/// Runs the test on one candidate, as often as it takes.
pub(crate) fn run<T: TestCase, I: InterestingnessTest<T>>(
    test: &I,
    worker: usize,
    cancel: &AtomicBool,
    job: QueryJob<T>,
) -> QueryDone<T, I::SlippedBug> {
    let QueryJob { case, limit, attempts, cancelled } = job;
    let query = Query { case: &case.case, worker, limit, cancelled: &cancelled, run_cancelled: cancel };
    let mut reply = WorkerReply { answer: Answer::Uninteresting, queries: 0, time: Duration::ZERO };
    let mut bugs = Vec::new();
    while reply.queries < attempts && matches!(reply.answer, Answer::Uninteresting | Answer::TimedOut) {
        let start = Instant::now();
        let answer = catch_unwind(AssertUnwindSafe(|| test.answer(&query)));
        reply.time = start.elapsed();
        reply.queries += 1;
        let answer = answer.unwrap_or_else(|panic| Answer::Failed(panic_message(panic.as_ref())));
        let (answer, bug) = answer.split();
        bugs.extend(bug);
        let in_vain = answer == Answer::Cancelled && !query.is_cancelled();
        reply.answer = if in_vain { Answer::Uninteresting } else { answer };
    }
    QueryDone { worker, case, reply, bugs }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("the interestingness test panicked: {}", text.unwrap_or("no message"))
}
