//! What a reduction reports while it runs: progress bars, the best so far on disk and journals hook in here.
//!
//! All methods are called on the thread that called [`crate::reduce`] and do nothing by default. The order of the calls
//! does not depend on the number of jobs, except for [`Observer::slipped_bug`].

use std::time::Duration;

use crate::edit::AcceptedEdit;
use crate::test_case::TestCase;

/// How far the reduction is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress<C> {
    /// Queries so far, as a single job would count them.
    pub queries: u64,
    /// Queries really made so far, those ahead of their turn included.
    pub asked: u64,
    /// Time since the start.
    pub elapsed: Duration,
    /// The cost of the best test case so far.
    pub cost: C,
}

/// Watches a reduction.
pub trait Observer<T: TestCase, B = ()> {
    /// A step's turn has come.
    fn step_started(&mut self, step: &str, progress: &Progress<T::Cost>) {
        let _ = (step, progress);
    }

    /// A query was answered.
    fn answered(&mut self, progress: &Progress<T::Cost>) {
        let _ = progress;
    }

    /// There is a new best test case, made from the one before by `edits` (two where only a pair of edits was
    /// interesting). If `restarted`, a later start has beaten the result of an earlier one, and the edits begin at the
    /// first test case.
    fn improved(&mut self, best: &T, edits: &[AcceptedEdit], restarted: bool, progress: &Progress<T::Cost>) {
        let _ = (best, edits, restarted, progress);
    }

    /// A candidate shows another bug. It is reported at once, also where the query was ahead of its turn, so that none is
    /// lost; with more jobs there can be more of them.
    fn slipped_bug(&mut self, case: &T, bug: B) {
        let _ = (case, bug);
    }
}

/// Watches nothing.
impl<T: TestCase, B> Observer<T, B> for () {}
