//! Speculation: the candidates to come, as far as they can be predicted.
//!
//! A [`Speculation`] runs a copy of the search ahead of the committed outcomes. It predicts the outcome of each candidate:
//! known ones as they are, otherwise by probability. At the front is always the candidate whose turn it is. When its
//! outcome is as predicted, it is committed and the rest stays; if not, the rest is thrown away and predicted anew from
//! the state kept with it. A misprediction therefore costs queries, and never changes the result. So that it costs no
//! time either, the next candidate after the other outcome is prepared while the workers are busy.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::search::{Improved, Proposal, ProposalOutcome, Search};
use crate::test_case::{Measured, Step, TestCase};

/// One planned candidate.
#[derive(Debug)]
enum PlannedCandidate<T: TestCase> {
    /// It is not worth a query: its edit does not apply, or leaves nothing cheaper, or nothing valid.
    Filtered(Proposal<T>),
    /// It may need a query.
    Candidate(Box<UntestedCandidate<T>>),
}

/// A candidate on which only the interestingness test has not run.
#[derive(Debug)]
pub(crate) struct UntestedCandidate<T: TestCase> {
    pub(crate) case: Arc<Measured<T>>,
    pub(crate) proposal: Proposal<T>,
    /// The search just after it proposed this.
    before: Search<T>,
    /// The predicted outcome, and what follows from it.
    predicted: bool,
    /// The probability that the prediction is right.
    confidence: f64,
    pub(crate) improved: Option<Improved<T>>,
    /// What follows from the other outcome, as far as it has been prepared.
    alternative: Option<Box<Alternative<T>>>,
}

impl<T: TestCase> UntestedCandidate<T> {
    fn other_outcome(&self, steps: &[&dyn Step<T>]) -> Box<Alternative<T>> {
        let mut search = self.before.clone();
        let improved = search.advance(&self.proposal, outcome(!self.predicted, &self.case), steps);
        Box::new(Alternative { improved, speculation: Speculation::new(search) })
    }
}

/// The outcome that was not predicted.
#[derive(Debug)]
struct Alternative<T: TestCase> {
    improved: Option<Improved<T>>,
    speculation: Speculation<T>,
}

/// An outcome that is known ahead, or almost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OutcomeHint {
    pub(crate) interesting: bool,
    /// Whether it is about this very candidate, rather than the same edit on a test case of just before.
    pub(crate) certain: bool,
}

/// A candidate whose turn may come.
#[derive(Debug)]
pub(crate) struct Reachable<'a, T: TestCase> {
    pub(crate) candidate: &'a UntestedCandidate<T>,
    /// The probability that its turn comes.
    probability: f64,
    /// How many candidates come before it.
    pub(crate) depth: u64,
}

/// The predicted candidates, the next one first.
#[derive(Debug)]
pub(crate) struct Speculation<T: TestCase> {
    search: Search<T>,
    entries: VecDeque<PlannedCandidate<T>>,
    complete: bool,
}

impl<T: TestCase> Speculation<T> {
    pub(crate) fn new(search: Search<T>) -> Speculation<T> {
        Speculation { search, entries: VecDeque::new(), complete: false }
    }

    /// Predicts one more candidate; `hint` says what is known about one already. False if there are no more.
    pub(crate) fn extend(
        &mut self,
        steps: &[&dyn Step<T>],
        hint: &impl Fn(u128, &Proposal<T>) -> Option<OutcomeHint>,
    ) -> bool {
        if self.complete {
            return false;
        }
        let Some(proposal) = self.search.propose(steps) else {
            self.complete = true;
            return false;
        };
        let Some(case) = make(&self.search, &proposal, steps).map(Arc::new) else {
            self.search.advance(&proposal, ProposalOutcome::Filtered, steps);
            self.entries.push_back(PlannedCandidate::Filtered(proposal));
            return true;
        };
        let (predicted, confidence) = match hint(case.key, &proposal) {
            Some(hint) => (hint.interesting, if hint.certain { 1.0 } else { 0.8 }),
            None => (proposal.probability > 0.5, proposal.probability.max(1.0 - proposal.probability)),
        };
        let before = self.search.clone();
        let improved = self.search.advance(&proposal, outcome(predicted, &case), steps);
        let candidate =
            UntestedCandidate { case, proposal, before, predicted, confidence, improved, alternative: None };
        self.entries.push_back(PlannedCandidate::Candidate(Box::new(candidate)));
        true
    }

    /// Prepares for a misprediction: what comes next if one of the first `depth` candidates has the other outcome. False
    /// if that is done.
    pub(crate) fn extend_alternatives(
        &mut self,
        depth: usize,
        steps: &[&dyn Step<T>],
        hint: &impl Fn(u128, &Proposal<T>) -> Option<OutcomeHint>,
    ) -> bool {
        let candidates = self.entries.iter_mut().filter_map(|entry| match entry {
            PlannedCandidate::Candidate(candidate) if candidate.confidence < 1.0 => Some(candidate),
            _ => None,
        });
        for candidate in candidates.take(depth) {
            let Some(alternative) = &mut candidate.alternative else {
                candidate.alternative = Some(candidate.other_outcome(steps));
                return true;
            };
            let speculation = &mut alternative.speculation;
            let enough = speculation.candidates().next().is_some() || speculation.len() > 64;
            if !enough && speculation.extend(steps, hint) {
                return true;
            }
        }
        false
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The candidates that may need a query, in order.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = &UntestedCandidate<T>> {
        self.entries.iter().filter_map(|entry| match entry {
            PlannedCandidate::Candidate(candidate) => Some(candidate.as_ref()),
            PlannedCandidate::Filtered(_) => None,
        })
    }

    /// The candidates and those after a misprediction, the one whose turn comes most surely first.
    pub(crate) fn reachable(&self) -> Vec<Reachable<'_, T>> {
        let mut reachable = Vec::new();
        let mut reach = 1.0;
        for (depth, candidate) in (0..).zip(self.candidates()) {
            reachable.push(Reachable { candidate, probability: reach, depth });
            let other = candidate.alternative.as_ref().and_then(|other| other.speculation.candidates().next());
            if let Some(other) = other {
                let probability = reach * (1.0 - candidate.confidence);
                reachable.push(Reachable { candidate: other, probability, depth: depth + 1 });
            }
            reach *= candidate.confidence;
        }
        reachable.sort_by(|one, other| other.probability.total_cmp(&one.probability));
        reachable
    }

    /// Takes the front out if it was filtered.
    pub(crate) fn pop_filtered(&mut self) -> Option<Proposal<T>> {
        match self.entries.pop_front_if(|entry| matches!(entry, PlannedCandidate::Filtered(_))) {
            Some(PlannedCandidate::Filtered(proposal)) => Some(proposal),
            _ => None,
        }
    }

    /// Takes the front out, a candidate, whose outcome is now known.
    pub(crate) fn commit(&mut self, interesting: bool, steps: &[&dyn Step<T>]) -> Option<UntestedCandidate<T>> {
        let Some(PlannedCandidate::Candidate(mut candidate)) = self.entries.pop_front() else { return None };
        if candidate.predicted != interesting {
            let other = candidate.alternative.take().unwrap_or_else(|| candidate.other_outcome(steps));
            candidate.improved = other.improved;
            *self = other.speculation;
        }
        Some(*candidate)
    }

    /// The search, once every candidate is committed and nothing is left: the true one.
    pub(crate) fn finished(&self) -> Option<&Search<T>> {
        (self.complete && self.entries.is_empty()).then_some(&self.search)
    }
}

fn outcome<T: TestCase>(interesting: bool, case: &Arc<Measured<T>>) -> ProposalOutcome<T> {
    if interesting { ProposalOutcome::Accepted(Arc::clone(case)) } else { ProposalOutcome::Uninteresting }
}

/// Makes the proposed candidate, unless it is not worth a query; the cheapest check comes first.
fn make<T: TestCase>(search: &Search<T>, proposal: &Proposal<T>, steps: &[&dyn Step<T>]) -> Option<Measured<T>> {
    let base = proposal.first.as_ref().map_or(&search.current().case, |(_, between)| between.as_ref());
    let case = steps[proposal.edit.step].apply(base, &proposal.edit.sites)?;
    let cost = case.cost();
    let worthwhile = cost < search.current().cost && case.valid();
    worthwhile.then(|| Measured { key: case.key(), cost, case })
}
