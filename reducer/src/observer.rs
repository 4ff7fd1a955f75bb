//! What a reduction tells while it runs: progress bars, best-so-far on disk, journals and other findings hang here.
//!
//! All methods are called on the thread that called [`crate::reduce`] and do nothing by default. The order of the calls
//! does not depend on the number of jobs, [`Observer::aside`] excepted.

use std::time::Duration;

use crate::journal::Decision;
use crate::predicate::Verdict;
use crate::subject::Subject;

/// Where the reduction stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress<C> {
    /// Questions used so far, as a single job would count them.
    pub questions: u64,
    /// Questions really asked so far, those ahead of their turn included.
    pub asked: u64,
    /// Time since the start.
    pub elapsed: Duration,
    /// The cost of the best subject so far.
    pub cost: C,
    /// The size of the best subject so far.
    pub size: u64,
    /// Which start from the first subject this is, from 0.
    pub restart: u32,
    /// Which pass over the list of steps this is within the start, from 1.
    pub pass: u32,
}

/// A question whose turn came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked<'a> {
    /// The name of the step that made the candidate.
    pub step: &'a str,
    /// How many sites it changed at once.
    pub sites: usize,
    /// The verdict.
    pub verdict: Verdict,
    /// How long the predicate took, repetitions included.
    pub time: Duration,
}

/// Watches a reduction.
pub trait Observer<S: Subject, A = ()> {
    /// A step's turn has come; `sites` is the number of places that it could act on.
    fn step_started(&mut self, step: &str, sites: usize, progress: &Progress<S::Cost>) {
        let _ = (step, sites, progress);
    }

    /// A question was answered.
    fn asked(&mut self, question: &Asked<'_>, progress: &Progress<S::Cost>) {
        let _ = (question, progress);
    }

    /// There is a new best subject, reached from the one before by `decisions` (more than one only where an edit was
    /// accepted for what followed it). After a restart that beats the earlier result they begin at the first subject,
    /// and `restarted` is true: a journal begins anew.
    fn accepted(&mut self, subject: &S, decisions: &[Decision], restarted: bool, progress: &Progress<S::Cost>) {
        let _ = (subject, decisions, restarted, progress);
    }

    /// Another bug was met. It is told at once, also where the question was ahead of its turn, so that none is lost;
    /// with more jobs there can be more of them.
    fn aside(&mut self, subject: &S, aside: A) {
        let _ = (subject, aside);
    }
}

/// Watches nothing.
impl<S: Subject, A> Observer<S, A> for () {}
