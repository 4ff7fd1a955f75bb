//! Every pair of edits, one after the other: the search of last resort.
//!
//! The first edit of a pair is applied without a question, whatever it costs; the second may be any site of any step on
//! what the first one leaves. Only the two together are a candidate.

use std::sync::Arc;

use crate::search::Edit;
use crate::subject::{Step, Subject};

/// Enumerates the pairs on one subject.
#[derive(Debug)]
pub(crate) struct PairCursor<S> {
    firsts: Arc<[Edit]>,
    next_first: usize,
    /// The first edit at work, what it leaves, and the second edits there.
    present: Option<(usize, Arc<S>, Arc<[Edit]>)>,
    next_second: usize,
}

// Derived `Clone` would ask for `S: Clone`; only pointers are copied.
impl<S> Clone for PairCursor<S> {
    fn clone(&self) -> Self {
        PairCursor {
            firsts: Arc::clone(&self.firsts),
            next_first: self.next_first,
            present: self.present.as_ref().map(|(at, s, seconds)| (*at, Arc::clone(s), Arc::clone(seconds))),
            next_second: self.next_second,
        }
    }
}

impl<S: Subject> PairCursor<S> {
    pub(crate) fn new(subject: &S, steps: &[&dyn Step<S>]) -> PairCursor<S> {
        PairCursor { firsts: all(subject, steps), next_first: 0, present: None, next_second: 0 }
    }

    /// The next pair and what its first edit leaves.
    pub(crate) fn next(&mut self, subject: &S, steps: &[&dyn Step<S>]) -> Option<(Vec<Edit>, Arc<S>)> {
        loop {
            if let Some((at, between, seconds)) = &self.present {
                if let (Some(first), Some(second)) = (self.firsts.get(*at), seconds.get(self.next_second)) {
                    self.next_second += 1;
                    return Some((vec![first.clone(), second.clone()], Arc::clone(between)));
                }
                self.present = None;
            }
            let first = self.firsts.get(self.next_first)?;
            if let Some(between) = steps[first.step].apply(subject, &first.sites) {
                let seconds = all(&between, steps);
                self.present = Some((self.next_first, Arc::new(between), seconds));
                self.next_second = 0;
            }
            self.next_first += 1;
        }
    }
}

/// Every site of every step, alone.
fn all<S: Subject>(subject: &S, steps: &[&dyn Step<S>]) -> Arc<[Edit]> {
    let of = |(step, at): (usize, &&dyn Step<S>)| {
        at.sites(subject).into_iter().map(move |site| Edit { step, sites: vec![site] })
    };
    steps.iter().enumerate().flat_map(of).collect()
}
