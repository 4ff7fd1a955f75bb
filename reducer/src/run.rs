//! The coordinator: keeps the workers busy and the truth sequential.
//!
//! One loop on the caller's thread. It takes in answers as they come, moves the front of the plan on as far as answers
//! are there, hands the next planned candidates to idle workers, and foresees more while they work. Answers that came
//! ahead of their turn wait until it comes; only then do they count.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cache::Cache;
use crate::journal::Decision;
use crate::limit::TimeLimit;
use crate::observer::{Asked, Observer};
use crate::options::Options;
use crate::plan::{Entry, Hint, Plan, Prospect};
use crate::predicate::Verdict;
use crate::report::{Minimality, Stop};
use crate::search::{Proposal, Search};
use crate::subject::{Held, Step, Subject};
use crate::tally::Tally;
use crate::workers::{Done, Job, Outcome, Terms, Trouble};

/// How long to wait for an answer before looking at the cancel flag again.
const POLL: Duration = Duration::from_millis(20);

/// The best result so far and what is known about it.
#[derive(Debug)]
pub(crate) struct Best<S: Subject> {
    pub(crate) held: Arc<Held<S>>,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) minimality: Minimality,
    pub(crate) proof_questions: u64,
    /// The number of the question that found it.
    question: u64,
}

impl<S: Subject> Best<S> {
    pub(crate) fn new(held: Arc<Held<S>>, decisions: Vec<Decision>, question: u64) -> Best<S> {
        Best { held, decisions, minimality: Minimality::Unproven, proof_questions: 0, question }
    }
}

/// The workers as the coordinator sees them.
#[derive(Debug)]
pub(crate) struct Pool<S: Subject, A> {
    pub(crate) jobs: Vec<Sender<Job<S>>>,
    pub(crate) results: Receiver<Done<S, A>>,
    pub(crate) idle: Vec<usize>,
    /// What is under way, by key.
    pub(crate) flights: FxHashMap<u128, Flight>,
}

/// A question under way.
#[derive(Debug)]
pub(crate) struct Flight {
    /// Set when the answer is of no use any more.
    withdrawn: Arc<AtomicBool>,
    /// Stands for the edits of the candidate, whatever they were applied to.
    edits: u64,
}

/// Everything that a run holds on to.
pub(crate) struct Run<'a, S: Subject, A, O> {
    pub(crate) steps: &'a [&'a dyn Step<S>],
    pub(crate) options: &'a Options,
    pub(crate) observer: &'a mut O,
    pub(crate) attempts: u32,
    pub(crate) pool: Pool<S, A>,
    pub(crate) cache: Cache,
    /// Answers whose turn has not come.
    pub(crate) early: FxHashMap<u128, Outcome>,
    /// What became of edits when they were last asked about, on whatever subject: good for bets alone.
    pub(crate) hints: FxHashMap<u64, bool>,
    pub(crate) limit: TimeLimit,
    pub(crate) tally: Tally<S>,
    pub(crate) best: Best<S>,
    pub(crate) restart: u32,
    /// The decisions of this start; they are the best's unless an earlier start did better.
    pub(crate) decisions: Vec<Decision>,
    /// Whether the best subject is of this start.
    pub(crate) leads: bool,
}

/// How the front of the plan moved.
enum Turn {
    Moved,
    Waiting,
    Stopped(Stop),
}

impl<S: Subject, A, O: Observer<S, A>> Run<'_, S, A, O> {
    /// Follows one search to its end.
    pub(crate) fn follow(&mut self, search: Search<S>) -> Stop {
        let mut plan = Plan::new(search);
        let stop = self.coordinate(&mut plan);
        for flight in self.pool.flights.values() {
            flight.withdrawn.store(true, Ordering::Relaxed);
        }
        if let (Stop::Fixpoint, Some(search), true) = (&stop, plan.finished(), self.leads) {
            self.best.minimality = search.minimality();
            self.best.proof_questions = self.tally.questions - self.best.question;
        }
        stop
    }

    fn coordinate(&mut self, plan: &mut Plan<S>) -> Stop {
        loop {
            if self.options.cancel.load(Ordering::Relaxed) {
                return Stop::Cancelled;
            }
            if self.options.max_time.is_some_and(|most| self.tally.elapsed() >= most) {
                return Stop::Time;
            }
            while let Ok(done) = self.pool.results.try_recv() {
                self.receive(done);
            }
            match self.turn(plan) {
                Turn::Moved => continue,
                Turn::Stopped(stop) => return stop,
                Turn::Waiting => {}
            }
            if plan.finished().is_some() {
                return Stop::Fixpoint;
            }
            if self.launch(plan) || self.foresee(plan) {
                continue;
            }
            match self.pool.results.recv_timeout(self.patience()) {
                Ok(done) => self.receive(done),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Stop::Predicate("all workers are gone".to_owned()),
            }
        }
    }

    /// How long an answer may be waited for at most.
    fn patience(&self) -> Duration {
        let left = self.options.max_time.map(|most| most.saturating_sub(self.tally.elapsed()));
        left.map_or(POLL, |left| left.min(POLL))
    }

    /// Takes in one answer.
    pub(crate) fn receive(&mut self, done: Done<S, A>) {
        self.tally.asked += done.outcome.asks;
        self.pool.idle.push(done.worker);
        let flight = self.pool.flights.remove(&done.held.key);
        if let (Some(flight), Ok(verdict)) = (flight, &done.outcome.verdict) {
            if self.hints.len() >= self.options.cache.max(1024) {
                self.hints.clear();
            }
            self.hints.insert(flight.edits, *verdict == Verdict::Interesting);
        }
        for aside in done.asides {
            self.observer.aside(&done.held.subject, aside);
        }
        if done.outcome.verdict != Err(Trouble::Withdrawn) {
            // Forgetting early answers costs questions asked in vain, nothing else.
            if self.early.len() >= self.options.cache.max(1024) {
                self.early.clear();
            }
            self.early.insert(done.held.key, done.outcome);
        }
    }

    /// Questions that the budget still allows.
    fn allowance(&self) -> u64 {
        self.options.max_questions.map_or(u64::MAX, |most| most.saturating_sub(self.tally.questions))
    }

    /// Moves the front of the plan on if its fate is known.
    fn turn(&mut self, plan: &mut Plan<S>) -> Turn {
        match plan.front() {
            None => Turn::Waiting,
            Some(Entry::Refused { .. }) => {
                if let Some(Entry::Refused { proposal, why }) = plan.pass_over() {
                    let (step, _) = self.tried(&proposal);
                    self.tally.refused(step, why);
                }
                Turn::Moved
            }
            Some(Entry::Candidate(candidate)) => {
                let key = candidate.held.key;
                if let Some(verdict) = self.cache.get(key) {
                    self.settle(plan, verdict, None);
                    return Turn::Moved;
                }
                if self.allowance() == 0 {
                    return Turn::Stopped(Stop::Questions);
                }
                let Some(outcome) = self.early.remove(&key) else { return Turn::Waiting };
                match outcome.verdict.clone() {
                    Err(Trouble::Failed(why)) => Turn::Stopped(Stop::Predicate(why)),
                    // With repetitions the last question may not fit into the budget: what was asked is forfeit.
                    _ if outcome.asks > self.allowance() => self.exhaust(),
                    Err(Trouble::Exhausted | Trouble::Withdrawn) => self.exhaust(),
                    Ok(verdict) => {
                        self.settle(plan, verdict, Some(&outcome));
                        Turn::Moved
                    }
                }
            }
        }
    }

    /// The budget ends within the repetitions of a candidate; its questions are spent.
    fn exhaust(&mut self) -> Turn {
        self.tally.questions += self.allowance();
        Turn::Stopped(Stop::Questions)
    }

    /// Counts a candidate whose turn came; its step and its number of sites.
    fn tried(&mut self, proposal: &Proposal<S>) -> (usize, usize) {
        let step = proposal.edits.last().map_or(0, |edit| edit.step);
        let sites = proposal.edits.iter().map(|edit| edit.sites.len()).sum();
        if let Some(listed) = proposal.opens {
            let progress = self.tally.progress(&self.best.held, self.restart, proposal.pass);
            self.observer.step_started(self.steps[step].name(), listed, &progress);
        }
        self.tally.tried(step, sites);
        (step, sites)
    }

    /// The front candidate's verdict is known; `outcome` is there if it took a question.
    fn settle(&mut self, plan: &mut Plan<S>, verdict: Verdict, outcome: Option<&Outcome>) {
        let interesting = verdict == Verdict::Interesting;
        let Some(settled) = plan.settle(interesting, self.steps) else { return };
        let proposal = &settled.proposal;
        let (step, sites) = self.tried(proposal);
        match outcome {
            None => self.tally.cached(step),
            Some(outcome) => {
                self.cache.put(settled.held.key, verdict);
                self.tally.answered(step, verdict, outcome);
                if interesting {
                    self.limit.learn(outcome.last);
                }
                let progress = self.tally.progress(&self.best.held, self.restart, proposal.pass);
                let asked = Asked { step: self.steps[step].name(), sites, verdict, time: outcome.time };
                self.observer.asked(&asked, &progress);
            }
        }
        if interesting {
            self.tally.accepted(step, &settled.origin.subject, &settled.held.subject);
        }
        let Some(improved) = settled.improved else { return };
        let known = self.decisions.len();
        self.decisions.extend(improved.edits.into_iter().map(|(edit, key)| Decision {
            step: self.steps[edit.step].name().to_owned(),
            sites: edit.sites.iter().map(|site| site.id).collect(),
            key,
        }));
        if improved.held.cost < self.best.held.cost {
            let restarted = !self.leads;
            self.leads = true;
            self.best = Best::new(improved.held, self.decisions.clone(), self.tally.questions);
            self.tally.improved(self.steps[step].name(), &self.best.held);
            let progress = self.tally.progress(&self.best.held, self.restart, proposal.pass);
            let since = if restarted { 0 } else { known };
            let decisions = self.decisions.get(since..).unwrap_or_default();
            self.observer.accepted(&self.best.held.subject, decisions, restarted, &progress);
        }
    }

    /// Hands the next planned candidate without an answer to an idle worker. False if there is none, or nobody idle.
    fn launch(&mut self, plan: &Plan<S>) -> bool {
        let allowance = self.allowance();
        let wanted = |prospect: &Prospect<'_, S>| prospect.depth < allowance && self.waits(prospect.candidate.held.key);
        let next = plan.prospects().into_iter().find(wanted);
        let Some((held, edits)) = next.map(|next| (Arc::clone(&next.candidate.held), next.candidate.proposal.edits()))
        else {
            return false;
        };
        let Some(worker) = self.pool.idle.pop() else {
            self.withdraw(plan);
            return false;
        };
        let withdrawn = Arc::new(AtomicBool::new(false));
        let terms =
            Terms { limit: self.limit.now(), attempts: self.attempts, confirm: self.options.confirm, allowance };
        let key = held.key;
        let job = Job { held, terms, withdrawn: Arc::clone(&withdrawn) };
        if self.pool.jobs.get(worker).is_some_and(|jobs| jobs.send(job).is_ok()) {
            self.pool.flights.insert(key, Flight { withdrawn, edits });
        }
        true
    }

    /// Withdraws the questions that the plan does not hold any more, since a worker is needed.
    fn withdraw(&self, plan: &Plan<S>) {
        let wanted: FxHashSet<u128> = plan.prospects().iter().map(|prospect| prospect.candidate.held.key).collect();
        for (key, flight) in &self.pool.flights {
            if !wanted.contains(key) {
                flight.withdrawn.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Plans one more candidate, if there are not enough of them already.
    fn foresee(&self, plan: &mut Plan<S>) -> bool {
        let jobs = self.pool.jobs.len();
        let hint = |key: u128, proposal: &Proposal<S>| {
            let early = || self.early.get(&key).and_then(|outcome| outcome.verdict.clone().ok());
            if let Some(verdict) = self.cache.get(key).or_else(early) {
                return Some(Hint { interesting: verdict == Verdict::Interesting, certain: true });
            }
            let same_edits = self.hints.get(&proposal.edits());
            same_edits.map(|&interesting| Hint { interesting, certain: false })
        };
        let ready = plan.candidates().filter(|candidate| self.waits(candidate.held.key)).count();
        // One more than the workers can take, so that none of them has to wait for it.
        let enough = ready > jobs || plan.candidates().count() > 8 * jobs || plan.len() > 64 * jobs;
        !enough && plan.extend(self.steps, &hint) || plan.provide(jobs, self.steps, &hint)
    }

    /// Whether a candidate is neither answered nor under way.
    fn waits(&self, key: u128) -> bool {
        self.cache.get(key).is_none() && !self.early.contains_key(&key) && !self.pool.flights.contains_key(&key)
    }
}
