//! Every pair of edits, one after the other: the search of last resort.
//!
//! The first edit of a pair is applied without a query, whatever it costs; the second may be any site of any step on what
//! the first one leaves. Only the two together are a candidate.

use std::sync::Arc;

use crate::search::Edit;
use crate::test_case::{Step, TestCase};

/// Enumerates the pairs on one test case.
#[derive(Debug, Clone)]
pub(crate) struct PairCursor<T> {
    firsts: Arc<[Edit]>,
    next_first: usize,
    /// The present first edit, what it leaves, and the second edits there.
    present: Option<(usize, Arc<T>, Arc<[Edit]>)>,
    next_second: usize,
}

impl<T: TestCase> PairCursor<T> {
    pub(crate) fn new(case: &T, steps: &[&dyn Step<T>]) -> PairCursor<T> {
        PairCursor { firsts: all(case, steps), next_first: 0, present: None, next_second: 0 }
    }

    /// The next pair: the first edit, what it leaves, the second edit.
    pub(crate) fn next(&mut self, case: &T, steps: &[&dyn Step<T>]) -> Option<(Edit, Arc<T>, Edit)> {
        loop {
            if let Some((at, between, seconds)) = &self.present {
                if let (Some(first), Some(second)) = (self.firsts.get(*at), seconds.get(self.next_second)) {
                    self.next_second += 1;
                    return Some((first.clone(), Arc::clone(between), second.clone()));
                }
                self.present = None;
            }
            let first = self.firsts.get(self.next_first)?;
            if let Some(between) = steps[first.step].apply(case, &first.sites) {
                let seconds = all(&between, steps);
                self.present = Some((self.next_first, Arc::new(between), seconds));
                self.next_second = 0;
            }
            self.next_first += 1;
        }
    }
}

/// Every site of every step, alone.
fn all<T: TestCase>(case: &T, steps: &[&dyn Step<T>]) -> Arc<[Edit]> {
    let of = |(step, at): (usize, &&dyn Step<T>)| {
        at.sites(case).into_iter().map(move |site| Edit { step, sites: vec![site] })
    };
    steps.iter().enumerate().flat_map(of).collect()
}
