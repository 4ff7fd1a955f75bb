//! The threads that ask.
//!
//! Each worker takes one job at a time, puts the question to the predicate as often as repetition and confirmation
//! demand, and sends one result back. Nothing is decided here.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use crate::predicate::{Answer, Predicate, Question, Verdict};
use crate::subject::{Held, Subject};

/// How one candidate is asked about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    pub(crate) limit: Duration,
    /// Asks before it counts as boring.
    pub(crate) attempts: u32,
    /// Times more that it must be interesting.
    pub(crate) confirm: u32,
    /// Asks that the budget allows.
    pub(crate) allowance: u64,
}

/// One candidate to ask about.
#[derive(Debug)]
pub(crate) struct Job<S: Subject> {
    pub(crate) held: Arc<Held<S>>,
    pub(crate) terms: Terms,
    pub(crate) withdrawn: Arc<AtomicBool>,
}

/// Why a job ended without a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Nobody wants the answer any more.
    Withdrawn,
    /// The budget ended before the repetitions did.
    Exhausted,
    /// The predicate could not be asked.
    Failed(String),
}

/// What came of a job.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    pub(crate) verdict: Result<Verdict, Trouble>,
    /// How often the predicate was asked.
    pub(crate) asks: u64,
    /// The time of all asks together.
    pub(crate) time: Duration,
    /// The time of the last one.
    pub(crate) last: Duration,
    /// Interesting at first, then not confirmed.
    pub(crate) unconfirmed: bool,
}

/// An outcome on its way back.
#[derive(Debug)]
pub(crate) struct Done<S: Subject, A> {
    pub(crate) worker: usize,
    pub(crate) held: Arc<Held<S>>,
    pub(crate) outcome: Outcome,
    pub(crate) asides: Vec<A>,
}

/// Serves jobs until there are no more.
pub(crate) fn serve<S: Subject, P: Predicate<S>>(
    predicate: &P,
    worker: usize,
    cancel: &AtomicBool,
    jobs: &Receiver<Job<S>>,
    results: &Sender<Done<S, P::Aside>>,
) {
    while let Ok(job) = jobs.recv() {
        let (outcome, asides) = answer(predicate, worker, cancel, &job);
        if results.send(Done { worker, held: job.held, outcome, asides }).is_err() {
            return;
        }
    }
}

/// Puts one candidate to the predicate, as often as it takes.
pub(crate) fn answer<S: Subject, P: Predicate<S>>(
    predicate: &P,
    worker: usize,
    cancel: &AtomicBool,
    job: &Job<S>,
) -> (Outcome, Vec<P::Aside>) {
    let Terms { limit, attempts, confirm, allowance } = job.terms;
    let question = Question { subject: &job.held.subject, worker, limit, withdrawn: &job.withdrawn, cancel };
    let mut outcome = Outcome {
        verdict: Ok(Verdict::Boring),
        asks: 0,
        time: Duration::ZERO,
        last: Duration::ZERO,
        unconfirmed: false,
    };
    let mut asides = Vec::new();
    for round in 0..=confirm {
        for attempt in 1..=attempts.max(1) {
            if outcome.asks >= allowance {
                outcome.verdict = Err(Trouble::Exhausted);
                return (outcome, asides);
            }
            let start = Instant::now();
            let answered = catch_unwind(AssertUnwindSafe(|| predicate.ask(&question)));
            outcome.last = start.elapsed();
            outcome.time += outcome.last;
            outcome.asks += 1;
            let answered = answered.unwrap_or_else(|panic| Answer::Failed(panic_message(panic.as_ref())));
            outcome.verdict = match answered {
                Answer::Interesting => Ok(Verdict::Interesting),
                Answer::Invalid => Ok(Verdict::Invalid),
                Answer::TimedOut => Ok(Verdict::TimedOut),
                Answer::Aside(aside) => {
                    asides.push(aside);
                    Ok(Verdict::Boring)
                }
                Answer::Withdrawn if question.withdrawn() => Err(Trouble::Withdrawn),
                Answer::Boring | Answer::Withdrawn => Ok(Verdict::Boring),
                Answer::Failed(why) => Err(Trouble::Failed(why)),
            };
            match outcome.verdict {
                Ok(Verdict::Interesting) => break,
                Ok(Verdict::Boring | Verdict::TimedOut) if attempt < attempts => {}
                _ => {
                    outcome.unconfirmed = round > 0 && outcome.verdict.is_ok();
                    return (outcome, asides);
                }
            }
        }
    }
    (outcome, asides)
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("the predicate panicked: {}", text.unwrap_or("no message"))
}
