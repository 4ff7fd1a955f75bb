//! The coordinator: keeps the workers busy and commits outcomes in sequential order.
//!
//! One loop on the caller's thread. It takes in replies as they come, commits the front of the speculation as far as
//! replies are there, gives the next candidates to free workers, and predicts more while they work. Replies that came
//! ahead of their turn wait until it comes; only then do they count.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::edit::AcceptedEdit;
use crate::limit::TimeLimit;
use crate::observer::{Observer, Progress};
use crate::options::SearchOptions;
use crate::query::Answer;
use crate::report::{Improvement, Minimality, SearchReport, Stop};
use crate::search::{Proposal, Rules, Search};
use crate::speculate::{OutcomeHint, Reachable, Speculation};
use crate::test_case::{Measured, Step, TestCase};
use crate::workers::{QueryDone, QueryJob, WorkerReply};

/// How long to wait for a reply before looking at the cancel flag again.
const POLL: Duration = Duration::from_millis(20);

/// The workers as the coordinator sees them.
#[derive(Debug)]
pub(crate) struct Workers<T: TestCase, B> {
    pub(crate) jobs: Vec<Sender<QueryJob<T>>>,
    pub(crate) results: Receiver<QueryDone<T, B>>,
    pub(crate) free: Vec<usize>,
    /// Queries under way, by key.
    pub(crate) in_flight: FxHashMap<u128, InFlight>,
}

/// A query under way.
#[derive(Debug)]
pub(crate) struct InFlight {
    /// Set when the answer is of no use any more.
    cancelled: Arc<AtomicBool>,
    /// See [`Proposal::edits`].
    edits: u64,
}

/// The best result so far and how it was made.
#[derive(Debug)]
struct Best<T: TestCase> {
    case: Arc<Measured<T>>,
    edits: Vec<AcceptedEdit>,
    minimality: Minimality,
}

/// The state of a run.
pub(crate) struct Coordinator<'a, T: TestCase, B, O> {
    steps: &'a [&'a dyn Step<T>],
    options: &'a SearchOptions,
    observer: &'a mut O,
    started: Instant,
    workers: Workers<T, B>,
    limit: TimeLimit,
    /// Whether candidates are interesting, as far as that was committed.
    known: FxHashMap<u128, bool>,
    /// Replies whose turn has not come.
    early: FxHashMap<u128, WorkerReply>,
    /// The outcome of edits when they were last tried, on whatever test case: good for predictions alone.
    hints: FxHashMap<u64, bool>,
    best: Best<T>,
    /// The edits of this start.
    edits: Vec<AcceptedEdit>,
    /// Whether the best result is of this start.
    leads: bool,
    queries: u64,
    asked: u64,
    invalid: u64,
    curve: Vec<Improvement<T::Cost>>,
}

/// What became of the front of the speculation.
enum Turn {
    Committed,
    Waiting,
    Stopped(Stop),
}

impl<'a, T: TestCase, B, O: Observer<T, B>> Coordinator<'a, T, B, O> {
    /// Begins with `first`, which was found interesting by `reply`.
    pub(crate) fn new(
        first: Arc<Measured<T>>,
        reply: &WorkerReply,
        steps: &'a [&'a dyn Step<T>],
        options: &'a SearchOptions,
        observer: &'a mut O,
        started: Instant,
        workers: Workers<T, B>,
    ) -> Self {
        let mut coordinator = Coordinator {
            steps,
            options,
            observer,
            started,
            workers,
            limit: TimeLimit::new(options.limit_factor, options.limit_min, options.limit_max),
            known: FxHashMap::from_iter([(first.key, true)]),
            early: FxHashMap::default(),
            hints: FxHashMap::default(),
            best: Best { case: first, edits: Vec::new(), minimality: Minimality::Unproven },
            edits: Vec::new(),
            leads: true,
            queries: reply.queries,
            asked: reply.queries,
            invalid: 0,
            curve: Vec::new(),
        };
        coordinator.limit.learn(reply.time);
        coordinator.extend_curve("");
        coordinator
    }

    /// The first start and the restarts.
    pub(crate) fn run(mut self) -> SearchReport<T> {
        let first = Arc::clone(&self.best.case);
        let mut stop = Stop::Fixpoint;
        for restart in 0..=self.options.restarts {
            if restart > 0 {
                self.edits.clear();
                self.leads = false;
            }
            // Every second start takes the sites of a step the other way round.
            let rules = Rules { pairs: self.options.pairs, reversed: restart & 1 != 0 };
            stop = self.follow(Search::new(Arc::clone(&first), order(self.steps.len(), restart), rules));
            if stop != Stop::Fixpoint {
                break;
            }
        }
        // Replies that are still under way may hold slipped bugs.
        self.workers.jobs.clear();
        while let Ok(done) = self.workers.results.recv() {
            self.receive(done);
        }
        let best = self.best.case;
        SearchReport {
            cost: best.cost.clone(),
            first_cost: first.cost.clone(),
            best: Arc::try_unwrap(best).map_or_else(|shared| shared.case.clone(), |measured| measured.case),
            stop,
            minimality: self.best.minimality,
            queries: self.queries,
            asked: self.asked,
            invalid: self.invalid,
            curve: self.curve,
            edits: self.best.edits,
        }
    }

    /// Follows one search to its end.
    fn follow(&mut self, search: Search<T>) -> Stop {
        let mut speculation = Speculation::new(search);
        let stop = self.coordinate(&mut speculation);
        for query in self.workers.in_flight.values() {
            query.cancelled.store(true, Ordering::Relaxed);
        }
        if let (Stop::Fixpoint, Some(search), true) = (&stop, speculation.finished(), self.leads) {
            self.best.minimality = search.minimality();
        }
        stop
    }

    fn coordinate(&mut self, speculation: &mut Speculation<T>) -> Stop {
        loop {
            if self.options.cancel.load(Ordering::Relaxed) {
                return Stop::Cancelled;
            }
            if self.time_left().is_zero() {
                return Stop::Time;
            }
            while let Ok(done) = self.workers.results.try_recv() {
                self.receive(done);
            }
            match self.turn(speculation) {
                Turn::Committed => continue,
                Turn::Stopped(stop) => return stop,
                Turn::Waiting => {}
            }
            if speculation.finished().is_some() {
                return Stop::Fixpoint;
            }
            if self.launch(speculation) || self.speculate(speculation) {
                continue;
            }
            match self.workers.results.recv_timeout(self.time_left().min(POLL)) {
                Ok(done) => self.receive(done),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Stop::Test("all workers are gone".to_owned()),
            }
        }
    }

    fn time_left(&self) -> Duration {
        self.options.max_time.map_or(Duration::MAX, |most| most.saturating_sub(self.started.elapsed()))
    }

    /// Takes in one reply.
    fn receive(&mut self, done: QueryDone<T, B>) {
        let QueryDone { worker, case, reply, bugs } = done;
        self.asked += reply.queries;
        self.workers.free.push(worker);
        for bug in bugs {
            self.observer.slipped_bug(&case.case, bug);
        }
        let in_flight = self.workers.in_flight.remove(&case.key);
        if reply.answer == Answer::Cancelled {
            return;
        }
        if let (Some(query), false) = (in_flight, matches!(reply.answer, Answer::Failed(_))) {
            self.hints.insert(query.edits, reply.answer == Answer::Interesting);
        }
        self.early.insert(case.key, reply);
    }

    /// Queries that the budget still allows.
    fn allowance(&self) -> u64 {
        self.options.max_queries.map_or(u64::MAX, |most| most.saturating_sub(self.queries))
    }

    /// Commits the front of the speculation if its outcome is known.
    fn turn(&mut self, speculation: &mut Speculation<T>) -> Turn {
        while let Some(proposal) = speculation.pop_filtered() {
            self.announce(&proposal);
        }
        let Some(candidate) = speculation.candidates().next() else { return Turn::Waiting };
        let key = candidate.case.key;
        if let Some(&interesting) = self.known.get(&key) {
            self.commit(speculation, interesting, None);
            return Turn::Committed;
        }
        let allowance = self.allowance();
        if allowance == 0 {
            return Turn::Stopped(Stop::Queries);
        }
        let Some(reply) = self.early.remove(&key) else { return Turn::Waiting };
        if let Answer::Failed(why) = reply.answer {
            return Turn::Stopped(Stop::Test(why));
        }
        // With repetitions the last query may not fit into the budget: what was asked is spent all the same.
        if reply.queries > allowance || reply.falls_short(attempts(self.options)) {
            self.queries += allowance;
            return Turn::Stopped(Stop::Queries);
        }
        self.commit(speculation, reply.answer == Answer::Interesting, Some(&reply));
        Turn::Committed
    }

    /// Tells the observer of a step whose turn came.
    fn announce(&mut self, proposal: &Proposal<T>) {
        if proposal.opens {
            let progress = self.progress();
            self.observer.step_started(self.steps[proposal.edit.step].name(), &progress);
        }
    }

    fn progress(&self) -> Progress<T::Cost> {
        Progress {
            queries: self.queries,
            asked: self.asked,
            elapsed: self.started.elapsed(),
            cost: self.best.case.cost.clone(),
        }
    }

    fn extend_curve(&mut self, step: &str) {
        self.curve.push(Improvement {
            queries: self.queries,
            elapsed: self.started.elapsed(),
            step: step.to_owned(),
            cost: self.best.case.cost.clone(),
        });
    }

    /// The front candidate's outcome is known; `reply` is there if it took a query.
    fn commit(&mut self, speculation: &mut Speculation<T>, interesting: bool, reply: Option<&WorkerReply>) {
        let Some(committed) = speculation.commit(interesting, self.steps) else { return };
        self.announce(&committed.proposal);
        if let Some(reply) = reply {
            self.known.insert(committed.case.key, interesting);
            self.queries += reply.queries;
            self.invalid += u64::from(reply.answer == Answer::Invalid);
            if interesting {
                self.limit.learn(reply.time);
            }
            let progress = self.progress();
            self.observer.answered(&progress);
        }
        let Some(improved) = committed.improved else { return };
        let known = self.edits.len();
        self.edits.extend(improved.edits.into_iter().map(|(edit, key)| AcceptedEdit {
            step: self.steps[edit.step].name().to_owned(),
            sites: edit.sites.iter().map(|site| site.id).collect(),
            key,
        }));
        if improved.case.cost < self.best.case.cost {
            let restarted = !std::mem::replace(&mut self.leads, true);
            self.best = Best { case: improved.case, edits: self.edits.clone(), minimality: Minimality::Unproven };
            self.extend_curve(self.steps[committed.proposal.edit.step].name());
            let progress = self.progress();
            let since = if restarted { 0 } else { known };
            self.observer.improved(&self.best.case.case, &self.edits[since..], restarted, &progress);
        }
    }

    /// Gives the next candidate without an answer to a free worker. False if there is no candidate or no worker.
    fn launch(&mut self, speculation: &Speculation<T>) -> bool {
        let allowance = self.allowance();
        let wanted = |next: &Reachable<'_, T>| next.depth < allowance && self.waits(next.candidate.case.key);
        let Some(next) = speculation.reachable().into_iter().find(wanted) else { return false };
        let (case, edits) = (Arc::clone(&next.candidate.case), next.candidate.proposal.edits());
        let Some(worker) = self.workers.free.pop() else {
            self.cancel_unreachable(speculation);
            return false;
        };
        let cancelled = Arc::new(AtomicBool::new(false));
        let attempts = attempts(self.options).min(allowance);
        let key = case.key;
        let job = QueryJob { case, limit: self.limit.now(), attempts, cancelled: Arc::clone(&cancelled) };
        if self.workers.jobs.get(worker).is_some_and(|jobs| jobs.send(job).is_ok()) {
            self.workers.in_flight.insert(key, InFlight { cancelled, edits });
        }
        true
    }

    /// Cancels the queries whose turn will not come, since a worker is needed.
    fn cancel_unreachable(&self, speculation: &Speculation<T>) {
        let reachable: FxHashSet<u128> =
            speculation.reachable().iter().map(|reachable| reachable.candidate.case.key).collect();
        for (key, query) in &self.workers.in_flight {
            if !reachable.contains(key) {
                query.cancelled.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Predicts one more candidate, if there are not enough of them already.
    fn speculate(&self, speculation: &mut Speculation<T>) -> bool {
        let jobs = self.workers.jobs.len();
        let hint = |key: u128, proposal: &Proposal<T>| {
            let early = || self.early.get(&key).filter(|reply| !matches!(reply.answer, Answer::Failed(_)));
            let known = self.known.get(&key).copied();
            if let Some(interesting) = known.or_else(|| early().map(|reply| reply.answer == Answer::Interesting)) {
                return Some(OutcomeHint { interesting, certain: true });
            }
            self.hints.get(&proposal.edits()).map(|&interesting| OutcomeHint { interesting, certain: false })
        };
        let ready = speculation.candidates().filter(|candidate| self.waits(candidate.case.key)).count();
        // One more than the workers can take, so that none of them has to wait for it.
        let enough = ready > jobs || speculation.candidates().count() > 8 * jobs || speculation.len() > 64 * jobs;
        !enough && speculation.extend(self.steps, &hint) || speculation.extend_alternatives(jobs, self.steps, &hint)
    }

    /// Whether a candidate is neither answered nor under way.
    fn waits(&self, key: u128) -> bool {
        !self.known.contains_key(&key) && !self.early.contains_key(&key) && !self.workers.in_flight.contains_key(&key)
    }
}

/// The order of the steps in a start: as given, reversed in every second pair of starts, then rotated further.
fn order(steps: usize, restart: u32) -> Vec<usize> {
    let mut order: Vec<usize> = (0..steps).collect();
    if restart & 2 != 0 {
        order.reverse();
    }
    if !order.is_empty() {
        order.rotate_left((restart / 4) as usize % steps);
    }
    order
}

/// How often the interestingness test runs on a candidate at most.
pub(crate) fn attempts(options: &SearchOptions) -> u64 {
    u64::from(options.attempts.max(1))
}
