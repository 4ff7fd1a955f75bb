//! How a reduction is run: threads, budget, time limits, repetitions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::journal::Decision;

/// Settings of one reduction. Every field has a usable default.
///
/// Of these, `jobs` alone has no influence on the result.
#[derive(Debug, Clone)]
pub struct Options {
    /// Questions in flight at once; 0 counts as 1.
    pub jobs: usize,
    /// Stop before this many questions are exceeded. Counted are the questions that a single job would have asked;
    /// those asked ahead of their turn and never needed are reported separately. The check of the first subject counts.
    pub max_questions: Option<u64>,
    /// Stop when this much time has passed. The answer in flight is not waited for, but its predicate has to return.
    pub max_time: Option<Duration>,
    /// Stop soon after somebody sets this.
    pub cancel: Arc<AtomicBool>,
    /// The time limit of a question is this many times the median of the interesting answers so far…
    pub limit_factor: u32,
    /// …but never less than this…
    pub limit_min: Duration,
    /// …nor more than this, which also holds for the first question.
    pub limit_max: Duration,
    /// How often the first subject is asked about, which gives the rate of a flaky failure; 0 counts as 1.
    pub first_checks: u32,
    /// How often a candidate is asked about before it counts as boring.
    pub attempts: Attempts,
    /// How many times more a candidate must be interesting before it is accepted, against predicates that sometimes say
    /// yes by mistake.
    pub confirm: u32,
    /// Candidates whose verdict is remembered, the oldest forgotten first; 40 bytes or so for each.
    pub cache: usize,
    /// Candidates that may follow an edit which made the subject no cheaper ([`crate::Step::allow_growth`]) before it is
    /// taken back.
    pub follow_up: u32,
    /// When no single edit helps any more, try every pair of edits too. The questions grow with the square of the sites.
    pub pairs: bool,
    /// Once finished, start again this many times from the first subject in another order, and keep the cheapest result.
    pub restarts: u32,
    /// Decisions of an earlier run over the same first subject and steps, applied before anything else.
    pub resume: Vec<Decision>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            jobs: 1,
            max_questions: None,
            max_time: None,
            cancel: Arc::new(AtomicBool::new(false)),
            limit_factor: 10,
            limit_min: Duration::from_secs(1),
            limit_max: Duration::from_secs(60),
            first_checks: 1,
            attempts: Attempts::Fixed(1),
            confirm: 0,
            cache: 1 << 18,
            follow_up: 16,
            pairs: false,
            restarts: 0,
            resume: Vec::new(),
        }
    }
}

/// How often a candidate is asked about before it counts as boring: more than once for failures that happen sometimes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Attempts {
    /// This many times; 0 counts as 1.
    Fixed(u32),
    /// As often as the rate seen on the first subject demands (see [`attempts_for`]).
    Demanded {
        /// The chance, between 0 and 1, of taking a candidate that fails at that rate for a boring one.
        miss: f64,
        /// Never more than this.
        at_most: u32,
    },
}

impl Attempts {
    /// The number of attempts, given how often the first subject was interesting.
    pub(crate) fn count(self, rate: f64) -> u32 {
        match self {
            Attempts::Fixed(count) => count.max(1),
            Attempts::Demanded { miss, at_most } => attempts_for(rate, miss, at_most),
        }
    }
}

/// How many attempts miss a failure of this `rate` with a chance of at most `miss`: the least `n` with
/// `(1 - rate)^n <= miss`, between 1 and `at_most`.
///
/// ```
/// assert_eq!(tritonsmith_reducer::attempts_for(1.0, 0.01, 100), 1);
/// assert_eq!(tritonsmith_reducer::attempts_for(0.5, 0.01, 100), 7);
/// assert_eq!(tritonsmith_reducer::attempts_for(0.0, 0.01, 100), 100);
/// ```
#[must_use]
pub fn attempts_for(rate: f64, miss: f64, at_most: u32) -> u32 {
    let mut missed = 1.0;
    for attempts in 1..at_most.max(1) {
        missed *= 1.0 - rate;
        if missed <= miss {
            return attempts;
        }
    }
    at_most.max(1)
}
