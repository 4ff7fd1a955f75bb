//! The candidates to come, as far as they have been foreseen.
//!
//! A [`Plan`] runs a copy of the search ahead of the truth. It bets on the fate of each candidate: known verdicts as
//! they are, otherwise what the odds say. The front of the plan is always the candidate whose turn it is; when its
//! fate turns out as bet, it leaves and the rest stands, and when not, the rest is thrown away and planned anew from
//! the state kept with it. Bets therefore decide how much is asked in vain, never what comes out. So that a lost bet
//! costs no time to think either, the next candidate after the other fate is prepared while the workers are busy.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::search::{Fate, Improved, Proposal, Search};
use crate::subject::{Held, Step, Subject};

/// Why a candidate is not worth a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The edit does not apply.
    Inapplicable,
    /// It makes the subject no cheaper.
    NotCheaper,
    /// The local oracle says no.
    Rejected,
}

/// One planned candidate.
#[derive(Debug)]
pub(crate) enum Entry<S: Subject> {
    /// It will not be asked about.
    Refused { proposal: Proposal<S>, why: Refusal },
    /// It may be.
    Candidate(Box<Candidate<S>>),
}

/// A candidate that passed everything but the predicate.
#[derive(Debug)]
pub(crate) struct Candidate<S: Subject> {
    pub(crate) held: Arc<Held<S>>,
    pub(crate) proposal: Proposal<S>,
    /// The search just after it proposed this.
    before: Search<S>,
    /// The bet, and what follows from it.
    bet: bool,
    /// The chance to win it.
    chance: f64,
    improved: Option<Improved<S>>,
    /// What follows from the other fate, as far as it has been thought of.
    otherwise: Option<Box<Otherwise<S>>>,
}

/// The other fate of a candidate.
#[derive(Debug)]
struct Otherwise<S: Subject> {
    improved: Option<Improved<S>>,
    plan: Plan<S>,
}

/// A verdict that is known ahead, or almost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hint {
    pub(crate) interesting: bool,
    /// Whether it is about this very candidate, rather than the same edit on a subject of just before.
    pub(crate) certain: bool,
}

/// A candidate that may need a question.
#[derive(Debug)]
pub(crate) struct Prospect<'a, S: Subject> {
    pub(crate) candidate: &'a Candidate<S>,
    /// The chance that its turn comes.
    pub(crate) chance: f64,
    /// How many candidates come before it.
    pub(crate) depth: u64,
}

/// The foreseen candidates, the next one first.
#[derive(Debug)]
pub(crate) struct Plan<S: Subject> {
    search: Search<S>,
    entries: VecDeque<Entry<S>>,
    complete: bool,
}

impl<S: Subject> Plan<S> {
    pub(crate) fn new(search: Search<S>) -> Plan<S> {
        Plan { search, entries: VecDeque::new(), complete: false }
    }

    /// Foresees one more candidate; `hint` tells what is known about one already. False if nothing more can be
    /// foreseen.
    pub(crate) fn extend(
        &mut self,
        steps: &[&dyn Step<S>],
        hint: &impl Fn(u128, &Proposal<S>) -> Option<Hint>,
    ) -> bool {
        if self.complete {
            return false;
        }
        let Some(proposal) = self.search.propose(steps) else {
            self.complete = true;
            return false;
        };
        match make(&self.search, &proposal, steps) {
            Err(why) => {
                self.search.settle(&proposal, Fate::Refused, steps);
                self.entries.push_back(Entry::Refused { proposal, why });
            }
            Ok(held) => {
                let held = Arc::new(held);
                let (bet, chance) = match hint(held.key, &proposal) {
                    Some(hint) => (hint.interesting, if hint.certain { 1.0 } else { 0.8 }),
                    None => (proposal.chance > 0.5, proposal.chance.max(1.0 - proposal.chance)),
                };
                let before = self.search.clone();
                let improved = self.search.settle(&proposal, fate(bet, &held), steps);
                let candidate = Candidate { held, proposal, before, bet, chance, improved, otherwise: None };
                self.entries.push_back(Entry::Candidate(Box::new(candidate)));
            }
        }
        true
    }

    /// Thinks a little about lost bets: prepares what comes next if one of the first `depth` candidates turns out
    /// otherwise. False if that is done.
    pub(crate) fn provide(
        &mut self,
        depth: usize,
        steps: &[&dyn Step<S>],
        hint: &impl Fn(u128, &Proposal<S>) -> Option<Hint>,
    ) -> bool {
        let candidates = self.entries.iter_mut().filter_map(|entry| match entry {
            Entry::Candidate(candidate) if candidate.chance < 1.0 => Some(candidate),
            _ => None,
        });
        for candidate in candidates.take(depth) {
            let Candidate { held, proposal, before, bet, otherwise, .. } = candidate.as_mut();
            let Some(otherwise) = otherwise else {
                let mut search = before.clone();
                let improved = search.settle(proposal, fate(!*bet, held), steps);
                *otherwise = Some(Box::new(Otherwise { improved, plan: Plan::new(search) }));
                return true;
            };
            let enough = otherwise.plan.candidates().next().is_some() || otherwise.plan.len() > 64;
            if !enough && otherwise.plan.extend(steps, hint) {
                return true;
            }
        }
        false
    }

    pub(crate) fn front(&self) -> Option<&Entry<S>> {
        self.entries.front()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The candidates that may need a question, in order.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = &Candidate<S>> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Candidate(candidate) => Some(candidate.as_ref()),
            Entry::Refused { .. } => None,
        })
    }

    /// The candidates and those after lost bets, the one whose turn comes most surely first.
    pub(crate) fn prospects(&self) -> Vec<Prospect<'_, S>> {
        let mut prospects = Vec::new();
        let mut reach = 1.0;
        for (depth, candidate) in (0..).zip(self.candidates()) {
            prospects.push(Prospect { candidate, chance: reach, depth });
            let other = candidate.otherwise.as_ref().and_then(|otherwise| otherwise.plan.candidates().next());
            if let Some(other) = other {
                let chance = reach * (1.0 - candidate.chance);
                prospects.push(Prospect { candidate: other, chance, depth: depth + 1 });
            }
            reach *= candidate.chance;
        }
        prospects.sort_by(|one, other| other.chance.total_cmp(&one.chance));
        prospects
    }

    /// Takes the front out, a refused one.
    pub(crate) fn pass_over(&mut self) -> Option<Entry<S>> {
        self.entries.pop_front()
    }

    /// Takes the front out, a candidate, whose fate is now known.
    pub(crate) fn settle(&mut self, interesting: bool, steps: &[&dyn Step<S>]) -> Option<Settled<S>> {
        let Some(Entry::Candidate(candidate)) = self.entries.pop_front() else { return None };
        let Candidate { held, proposal, mut before, bet, mut improved, otherwise, .. } = *candidate;
        let origin = Arc::clone(before.held());
        if bet != interesting {
            if let Some(otherwise) = otherwise {
                improved = otherwise.improved;
                *self = otherwise.plan;
            } else {
                improved = before.settle(&proposal, fate(interesting, &held), steps);
                *self = Plan::new(before);
            }
        }
        Some(Settled { held, proposal, origin, improved })
    }

    /// The search, once everything planned has been settled and nothing is left: the true one.
    pub(crate) fn finished(&self) -> Option<&Search<S>> {
        (self.complete && self.entries.is_empty()).then_some(&self.search)
    }
}

/// A candidate with its fate.
#[derive(Debug)]
pub(crate) struct Settled<S: Subject> {
    pub(crate) held: Arc<Held<S>>,
    pub(crate) proposal: Proposal<S>,
    /// What it was made from.
    pub(crate) origin: Arc<Held<S>>,
    pub(crate) improved: Option<Improved<S>>,
}

fn fate<S: Subject>(interesting: bool, held: &Arc<Held<S>>) -> Fate<S> {
    if interesting { Fate::Accepted(Arc::clone(held)) } else { Fate::Failed }
}

/// Makes the proposed candidate and judges it by everything that costs no question, cheapest first.
fn make<S: Subject>(search: &Search<S>, proposal: &Proposal<S>, steps: &[&dyn Step<S>]) -> Result<Held<S>, Refusal> {
    let base = proposal.prepared.as_deref().unwrap_or(&search.held().subject);
    let edit = proposal.edits.last().ok_or(Refusal::Inapplicable)?;
    let subject = steps[edit.step].apply(base, &edit.sites).ok_or(Refusal::Inapplicable)?;
    let cost = subject.cost();
    if !search.worthwhile(&cost, || subject.key()) {
        return Err(Refusal::NotCheaper);
    }
    if !subject.valid() {
        return Err(Refusal::Rejected);
    }
    let key = subject.key();
    Ok(Held { subject, cost, key })
}
