//! What has been done so far: counters for the report and for progress.

use std::time::{Duration, Instant};

use crate::observer::Progress;
use crate::plan::Refusal;
use crate::predicate::Verdict;
use crate::report::{Improvement, StepStatistics};
use crate::subject::{Held, Step, Subject};
use crate::workers::Outcome;

/// The counters of a run.
#[derive(Debug)]
pub(crate) struct Tally<S: Subject> {
    pub(crate) start: Instant,
    pub(crate) questions: u64,
    pub(crate) asked: u64,
    pub(crate) invalid: u64,
    pub(crate) timed_out: u64,
    pub(crate) unconfirmed: u64,
    pub(crate) curve: Vec<Improvement<S::Cost>>,
    pub(crate) steps: Vec<StepStatistics>,
}

impl<S: Subject> Tally<S> {
    pub(crate) fn new(steps: &[&dyn Step<S>]) -> Tally<S> {
        let statistics = |step: &&dyn Step<S>| StepStatistics { name: step.name().to_owned(), ..Default::default() };
        Tally {
            start: Instant::now(),
            questions: 0,
            asked: 0,
            invalid: 0,
            timed_out: 0,
            unconfirmed: 0,
            curve: Vec::new(),
            steps: steps.iter().map(statistics).collect(),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// A candidate's turn came.
    pub(crate) fn tried(&mut self, step: usize, sites: usize) {
        let statistics = &mut self.steps[step];
        statistics.candidates += 1;
        statistics.sites += sites as u64;
    }

    pub(crate) fn refused(&mut self, step: usize, why: Refusal) {
        let statistics = &mut self.steps[step];
        match why {
            Refusal::Inapplicable => statistics.inapplicable += 1,
            Refusal::NotCheaper => statistics.not_cheaper += 1,
            Refusal::Rejected => statistics.rejected += 1,
        }
    }

    pub(crate) fn cached(&mut self, step: usize) {
        self.steps[step].cached += 1;
    }

    /// A question was answered.
    pub(crate) fn answered(&mut self, step: usize, verdict: Verdict, outcome: &Outcome) {
        self.questions += outcome.asks;
        let statistics = &mut self.steps[step];
        statistics.questions += outcome.asks;
        statistics.time += outcome.time;
        match verdict {
            Verdict::Invalid => {
                self.invalid += 1;
                statistics.invalid += 1;
            }
            Verdict::TimedOut => {
                self.timed_out += 1;
                statistics.timed_out += 1;
            }
            Verdict::Interesting | Verdict::Boring => {}
        }
        self.unconfirmed += u64::from(outcome.unconfirmed);
    }

    pub(crate) fn accepted(&mut self, step: usize, from: &S, to: &S) {
        let statistics = &mut self.steps[step];
        statistics.accepted += 1;
        statistics.gain += from.size().cast_signed() - to.size().cast_signed();
    }

    /// A new best subject; `step` is empty for the first one.
    pub(crate) fn improved(&mut self, step: &str, held: &Held<S>) {
        self.curve.push(Improvement {
            question: self.questions,
            elapsed: self.elapsed(),
            step: step.to_owned(),
            cost: held.cost.clone(),
            size: held.subject.size(),
        });
    }

    pub(crate) fn progress(&self, best: &Held<S>, restart: u32, pass: u32) -> Progress<S::Cost> {
        Progress {
            questions: self.questions,
            asked: self.asked,
            elapsed: self.elapsed(),
            cost: best.cost.clone(),
            size: best.subject.size(),
            restart,
            pass,
        }
    }
}
