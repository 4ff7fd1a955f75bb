//! The way in: checks the first subject, resumes, starts the workers, follows the search, reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use rustc_hash::FxHashMap;

use crate::cache::Cache;
use crate::error::Error;
use crate::journal::replay;
use crate::limit::TimeLimit;
use crate::observer::Observer;
use crate::options::Options;
use crate::predicate::{Predicate, Verdict};
use crate::report::{Report, Stop};
use crate::run::{Best, Pool, Run};
use crate::search::{Rules, Search};
use crate::subject::{Held, Step, Subject};
use crate::tally::Tally;
use crate::workers::{Job, Outcome, Terms, Trouble, answer, serve};

/// Makes `subject` cheaper by `steps` for as long as `predicate` finds it interesting.
///
/// The predicate is called from [`Options::jobs`] threads that end before this returns; steps and observer stay on the
/// calling thread. The result does not depend on the number of jobs, provided that the predicate's answers depend on
/// the subject alone and neither time nor cancellation ends the run.
///
/// # Errors
/// When the reduction cannot begin: see [`Error`]. Later troubles end the run with the best so far, and
/// [`Report::stop`] tells.
pub fn reduce<S, P, O>(
    subject: S,
    steps: &[&dyn Step<S>],
    predicate: &P,
    options: &Options,
    observer: &mut O,
) -> Result<Report<S>, Error>
where
    S: Subject,
    P: Predicate<S>,
    O: Observer<S, P::Aside>,
{
    for (index, step) in steps.iter().enumerate() {
        if steps.iter().take(index).any(|other| other.name() == step.name()) {
            return Err(Error::DuplicateStep(step.name().to_owned()));
        }
    }
    if !subject.valid() {
        return Err(Error::InvalidSubject);
    }
    let first = Arc::new(Held::new(subject));
    let mut tally = Tally::new(steps);
    let mut limit = TimeLimit::new(options.limit_factor, options.limit_min, options.limit_max);
    let mut resume = options.resume.as_slice();
    let (start, rate) = loop {
        let start = replay(Arc::clone(&first), steps, resume)?;
        match (check(&start, predicate, options, observer, &mut tally, &mut limit), resume) {
            // A journal may end within a pair of edits of which only both together were interesting.
            (Err(Error::Resume { .. }), [whole @ .., _]) if resume.len() == options.resume.len() => resume = whole,
            (rate, _) => break (start, rate?),
        }
    };
    tally.improved("", &start);
    let mut cache = Cache::new(options.cache);
    cache.put(start.key, Verdict::Interesting);

    let jobs = options.jobs.max(1);
    std::thread::scope(|scope| {
        let (give, results) = mpsc::channel();
        let mut senders = Vec::with_capacity(jobs);
        for worker in 0..jobs {
            let (send, receive) = mpsc::channel();
            senders.push(send);
            let give = give.clone();
            scope.spawn(move || serve(predicate, worker, &options.cancel, &receive, &give));
        }
        drop(give);
        let mut run = Run {
            steps,
            options,
            observer,
            attempts: options.attempts.count(rate),
            pool: Pool { jobs: senders, results, idle: (0..jobs).rev().collect(), flights: FxHashMap::default() },
            cache,
            early: FxHashMap::default(),
            hints: FxHashMap::default(),
            limit,
            best: Best::new(Arc::clone(&start), resume.to_vec(), tally.questions),
            tally,
            restart: 0,
            decisions: resume.to_vec(),
            leads: true,
        };
        let stop = run.all_starts(&first, &start);
        run.drain();
        Ok(run.report(first.cost.clone(), stop, rate))
    })
}

/// Asks about the first subject, and finds the rate at which it is interesting.
fn check<S, P, O>(
    start: &Arc<Held<S>>,
    predicate: &P,
    options: &Options,
    observer: &mut O,
    tally: &mut Tally<S>,
    limit: &mut TimeLimit,
) -> Result<f64, Error>
where
    S: Subject,
    P: Predicate<S>,
    O: Observer<S, P::Aside>,
{
    let checks = options.first_checks.max(1);
    let (mut interesting, mut last, mut done) = (0_u32, Verdict::Boring, 0_u32);
    while done < checks {
        let left = options.max_questions.map_or(u64::MAX, |most| most.saturating_sub(tally.questions));
        let late = options.max_time.is_some_and(|most| tally.elapsed() >= most);
        if late || left == 0 || options.cancel.load(Ordering::Relaxed) {
            return Err(Error::Stopped);
        }
        // As many at once as there are jobs: nothing else can be asked yet.
        let wave = usize::try_from(left.min(u64::from(checks - done))).unwrap_or(1).min(options.jobs.max(1));
        done += u32::try_from(wave).unwrap_or(checks);
        for (outcome, asides) in at_once(start, predicate, options, wave) {
            tally.asked += outcome.asks;
            tally.questions += outcome.asks;
            for aside in asides {
                observer.aside(&start.subject, aside);
            }
            match outcome.verdict {
                Ok(verdict) => last = verdict,
                Err(Trouble::Failed(why)) => return Err(Error::Predicate(why)),
                Err(Trouble::Withdrawn | Trouble::Exhausted) => return Err(Error::Stopped),
            }
            if last == Verdict::Interesting {
                interesting += 1;
                limit.learn(outcome.last);
            }
        }
    }
    if interesting > 0 {
        return Ok(f64::from(interesting) / f64::from(checks));
    }
    if options.resume.is_empty() {
        Err(Error::NotInteresting { asked: checks, last })
    } else {
        let why = "what it leads to is not interesting";
        Err(Error::Resume { decision: options.resume.len() - 1, why })
    }
}

/// Puts one subject to the predicate so many times, on as many threads.
fn at_once<S, P>(start: &Arc<Held<S>>, predicate: &P, options: &Options, count: usize) -> Vec<(Outcome, Vec<P::Aside>)>
where
    S: Subject,
    P: Predicate<S>,
{
    let ask = &|worker: usize| {
        let terms = Terms { limit: options.limit_max, attempts: 1, confirm: 0, allowance: 1 };
        let job = Job { held: Arc::clone(start), terms, withdrawn: Arc::new(AtomicBool::new(false)) };
        answer(predicate, worker, &options.cancel, &job)
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..count).map(|worker| scope.spawn(move || ask(worker))).collect();
        let own = ask(0);
        // A panic of the predicate is an answer already, so that every thread comes back.
        std::iter::once(own).chain(others.into_iter().filter_map(|other| other.join().ok())).collect()
    })
}

impl<S: Subject, A, O: Observer<S, A>> Run<'_, S, A, O> {
    /// The first start and the restarts.
    fn all_starts(&mut self, first: &Arc<Held<S>>, start: &Arc<Held<S>>) -> Stop {
        let mut stop = Stop::Fixpoint;
        for restart in 0..=self.options.restarts {
            let from = if restart == 0 { start } else { first };
            if restart > 0 {
                self.restart = restart;
                self.decisions.clear();
                self.leads = false;
            }
            stop = self.follow(Search::new(Arc::clone(from), self.order(), self.rules()));
            if stop != Stop::Fixpoint {
                break;
            }
        }
        stop
    }

    /// The order of the steps in this start: as given, reversed in every second pair of starts, then turned further.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.steps.len()).collect();
        if self.restart & 2 != 0 {
            order.reverse();
        }
        if !order.is_empty() {
            let turn = (self.restart / 4) as usize % order.len();
            order.rotate_left(turn);
        }
        order
    }

    /// Every second start takes the sites of a step the other way round.
    fn rules(&self) -> Rules {
        Rules { follow_up: self.options.follow_up, pairs: self.options.pairs, reversed: self.restart & 1 != 0 }
    }

    /// Waits for the answers that are still under way, so that no aside is lost.
    fn drain(&mut self) {
        self.pool.jobs.clear();
        while let Ok(done) = self.pool.results.recv() {
            self.receive(done);
        }
    }

    fn report(self, first_cost: S::Cost, stop: Stop, rate: f64) -> Report<S> {
        let Run { best, tally, .. } = self;
        Report {
            cost: best.held.cost.clone(),
            subject: Arc::try_unwrap(best.held).map_or_else(|held| held.subject.clone(), |held| held.subject),
            first_cost,
            stop,
            minimality: best.minimality,
            proof_questions: best.proof_questions,
            questions: tally.questions,
            asked: tally.asked,
            invalid: tally.invalid,
            timed_out: tally.timed_out,
            unconfirmed: tally.unconfirmed,
            rate,
            curve: tally.curve,
            steps: tally.steps,
            decisions: best.decisions,
        }
    }
}
