//! What came out of a reduction, and what it took.

use std::time::Duration;

use crate::edit::AcceptedEdit;
use crate::test_case::TestCase;

/// Why a reduction ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// Nothing is left to try.
    Fixpoint,
    /// [`crate::SearchOptions::max_queries`] were made.
    Queries,
    /// [`crate::SearchOptions::max_time`] has passed.
    Time,
    /// [`crate::SearchOptions::cancel`] was set.
    Cancelled,
    /// The interestingness test could not run any more; what it said.
    Test(String),
}

/// What has been shown about the result: the last clean sweep tried these on that very test case, and none was cheaper,
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
    /// After how many queries.
    pub queries: u64,
    /// After how much time.
    pub elapsed: Duration,
    /// The step that achieved it; empty for the first point, which is the test case as given.
    pub step: String,
    /// The cost from then on.
    pub cost: C,
}

/// The outcome of a reduction.
#[derive(Debug, Clone)]
pub struct SearchReport<T: TestCase> {
    /// The best test case found: interesting, valid, and never costlier than the first.
    pub best: T,
    /// Its cost.
    pub cost: T::Cost,
    /// The cost of the first test case.
    pub first_cost: T::Cost,
    /// Why the run ended.
    pub stop: Stop,
    /// What is proven about the result.
    pub minimality: Minimality,
    /// Queries, as a single job would count them; the check of the first test case included.
    pub queries: u64,
    /// Queries really made, including those made ahead of their turn and not needed.
    pub asked: u64,
    /// Candidates that the interestingness test could not read.
    pub invalid: u64,
    /// The first test case and every improvement after it.
    pub curve: Vec<Improvement<T::Cost>>,
    /// How the result is made from the first test case.
    pub edits: Vec<AcceptedEdit>,
}

impl<T: TestCase> SearchReport<T> {
    /// Whether the result is 1-minimal: every site of every step was tried alone on it.
    #[must_use]
    pub fn minimal(&self) -> bool {
        self.minimality >= Minimality::Single
    }

    /// The last point of the curve.
    #[must_use]
    pub fn last_improvement(&self) -> &Improvement<T::Cost> {
        self.curve.last().expect("the first test case is a point")
    }
}
