//! The entry point: checks the first test case, starts the workers, lets the coordinator run.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use crate::coordinate::{Coordinator, Workers, attempts};
use crate::error::Error;
use crate::observer::Observer;
use crate::options::SearchOptions;
use crate::query::{Answer, InterestingnessTest};
use crate::report::SearchReport;
use crate::test_case::{Measured, Step, TestCase};
use crate::workers::{QueryDone, QueryJob, WorkerReply, run, serve};

/// Makes `case` cheaper by `steps` for as long as `test` finds it interesting.
///
/// The test is called from [`SearchOptions::jobs`] threads that end before this returns; steps and observer stay on the
/// calling thread. The result does not depend on the number of jobs, provided that the answers of the test depend on the
/// test case alone and neither time nor cancellation ends the run.
///
/// # Errors
/// When the reduction cannot begin: see [`Error`]. Later troubles end the run with the best so far, and
/// [`SearchReport::stop`] says which.
pub fn reduce<T, I, O>(
    case: T,
    steps: &[&dyn Step<T>],
    test: &I,
    options: &SearchOptions,
    observer: &mut O,
) -> Result<SearchReport<T>, Error>
where
    T: TestCase,
    I: InterestingnessTest<T>,
    O: Observer<T, I::SlippedBug>,
{
    if !case.valid() {
        return Err(Error::Invalid);
    }
    let started = Instant::now();
    let first = Arc::new(Measured::new(case));
    let reply = check(&first, test, options, observer)?;
    let jobs = options.jobs.max(1);
    std::thread::scope(|scope| {
        let (give, results) = mpsc::channel();
        let mut senders = Vec::with_capacity(jobs);
        for worker in 0..jobs {
            let (send, receive) = mpsc::channel();
            senders.push(send);
            let give = give.clone();
            scope.spawn(move || serve(test, worker, &options.cancel, &receive, &give));
        }
        drop(give);
        let free = (0..jobs).rev().collect();
        let workers = Workers { jobs: senders, results, free, in_flight: FxHashMap::default() };
        Ok(Coordinator::new(first, &reply, steps, options, observer, started, workers).run())
    })
}

/// Checks that the first test case is interesting.
fn check<T, I, O>(
    first: &Arc<Measured<T>>,
    test: &I,
    options: &SearchOptions,
    observer: &mut O,
) -> Result<WorkerReply, Error>
where
    T: TestCase,
    I: InterestingnessTest<T>,
    O: Observer<T, I::SlippedBug>,
{
    let attempts = attempts(options);
    let within_budget = attempts.min(options.max_queries.unwrap_or(u64::MAX));
    if within_budget == 0 || options.max_time == Some(Duration::ZERO) || options.cancel.load(Ordering::Relaxed) {
        return Err(Error::Stopped);
    }
    let job = QueryJob {
        case: Arc::clone(first),
        limit: options.limit_max,
        attempts: within_budget,
        cancelled: Arc::default(),
    };
    let QueryDone { reply, bugs, .. } = run(test, 0, &options.cancel, job);
    for bug in bugs {
        observer.slipped_bug(&first.case, bug);
    }
    let queries = reply.queries;
    match &reply.answer {
        Answer::Interesting => Ok(reply),
        Answer::Failed(why) => Err(Error::Test(why.clone())),
        Answer::Cancelled => Err(Error::Stopped),
        _ if reply.falls_short(attempts) => Err(Error::Stopped),
        _ => Err(Error::NotInteresting { queries }),
    }
}
