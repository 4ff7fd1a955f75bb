//! What came out of a reduction, and what it took.

use std::time::Duration;

use crate::journal::Decision;
use crate::subject::Subject;

/// Why a reduction ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// Nothing is left to try.
    Fixpoint,
    /// [`crate::Options::max_questions`] were asked.
    Questions,
    /// [`crate::Options::max_time`] has passed.
    Time,
    /// [`crate::Options::cancel`] was set.
    Cancelled,
    /// The predicate could not be asked any more; what it said.
    Predicate(String),
}

/// What has been shown about the result: the last clean sweep tried these on that very subject, and none was cheaper,
/// valid and interesting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Minimality {
    /// Nothing; the run ended before.
    Unproven,
    /// Every site of every step alone: the result is 1-minimal.
    Single,
    /// Every pair of edits too, the second one on what the first one leaves.
    Pairs,
}

/// One point of the curve: an improvement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Improvement<C> {
    /// After how many questions.
    pub question: u64,
    /// After how much time.
    pub elapsed: Duration,
    /// The step that achieved it; empty for the first point, which is the subject as given or resumed.
    pub step: String,
    /// The cost from then on.
    pub cost: C,
    /// The size from then on.
    pub size: u64,
}

/// What one step did over the whole run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StepStatistics {
    /// Its name.
    pub name: String,
    /// Candidates made, each of one or more sites.
    pub candidates: u64,
    /// Sites in these candidates, counted as often as they were tried.
    pub sites: u64,
    /// Candidates that did not apply.
    pub inapplicable: u64,
    /// Candidates that were not cheap enough to be asked about.
    pub not_cheaper: u64,
    /// Candidates that the local oracle rejected.
    pub rejected: u64,
    /// Candidates whose verdict was known.
    pub cached: u64,
    /// Questions about its candidates.
    pub questions: u64,
    /// Candidates that the predicate could not read.
    pub invalid: u64,
    /// Candidates without an answer in time.
    pub timed_out: u64,
    /// Candidates accepted, those taken back later included.
    pub accepted: u64,
    /// Size taken off by its accepted candidates, less what they added.
    pub gain: i64,
    /// Time that the predicate spent on its candidates.
    pub time: Duration,
}

/// The outcome of a reduction.
#[derive(Debug, Clone)]
pub struct Report<S: Subject> {
    /// The best subject found: interesting, valid, and never costlier than the first.
    pub subject: S,
    /// Its cost.
    pub cost: S::Cost,
    /// The cost of the first subject, before anything was resumed.
    pub first_cost: S::Cost,
    /// Why the run ended.
    pub stop: Stop,
    /// What is proven about the result.
    pub minimality: Minimality,
    /// Questions that only this proof took: those asked after the last improvement of the result.
    pub proof_questions: u64,
    /// Questions used, as a single job would count them; the check of the first subject included.
    pub questions: u64,
    /// Questions really asked, those included that were asked ahead of their turn and not needed.
    pub asked: u64,
    /// Candidates that the predicate could not read.
    pub invalid: u64,
    /// Candidates without an answer in time; with a longer limit some of them might have been interesting.
    pub timed_out: u64,
    /// Candidates that were interesting at first and then not confirmed.
    pub unconfirmed: u64,
    /// How many of the checks of the first subject were interesting, between 0 and 1.
    pub rate: f64,
    /// The first subject and every improvement after it.
    pub curve: Vec<Improvement<S::Cost>>,
    /// What each step did, in the order given.
    pub steps: Vec<StepStatistics>,
    /// How the result is made from the first subject; fit for [`crate::Options::resume`].
    pub decisions: Vec<Decision>,
}

impl<S: Subject> Report<S> {
    /// Whether the result is 1-minimal: every site of every step was tried alone on it.
    #[must_use]
    pub fn minimal(&self) -> bool {
        self.minimality >= Minimality::Single
    }

    /// Questions up to the last improvement.
    #[must_use]
    pub fn questions_to_last_improvement(&self) -> u64 {
        self.curve.last().map_or(0, |last| last.question)
    }

    /// Questions that were asked ahead of their turn and never needed.
    #[must_use]
    pub fn wasted(&self) -> u64 {
        self.asked.saturating_sub(self.questions)
    }
}
