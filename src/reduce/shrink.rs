//! A reduction by any interestingness test: measures how often the failure reproduces, resumes, runs the engine, and tidies
//! up the result.

use super::candidate::{Candidate, Cost};
use super::journal::{JournalError, ReductionJournal, Remembering};
use super::reproduction::ReproductionRate;
use super::same_failure::SlippedBug;
use super::{MinimiseError, ReductionEvent, steps};
use crate::ir::Module;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tritonsmith_reducer::{
    self as engine, AcceptedEdit, Answer, InterestingnessTest, Observer, Progress, Query, SearchReport, Step,
};

/// A time limit that adapts is never below this.
const LIMIT_MIN: Duration = Duration::from_secs(2);
/// And this many times the time of an answer that was waited for.
const LIMIT_FACTOR: u32 = 10;
/// Slipped bugs that are reported; each has a signature of its own.
const SLIPPED_BUGS: usize = 100;

/// How hard to try.
#[derive(Debug, Clone)]
pub struct Effort {
    /// Queries in flight at once.
    pub jobs: usize,
    /// At most so many queries.
    pub max_queries: Option<u64>,
    /// At most so much time for the search.
    pub max_time: Option<Duration>,
    /// How long one query may take. The limit adapts below that.
    pub limit: Duration,
    /// Whether each query gets all of `limit`: for a failure that consists in taking too long.
    pub hang: bool,
    /// How often the failure is looked for before it is given up.
    pub tries: u32,
    /// How often the search begins again from the start, with the steps or their sites the other way round.
    pub restarts: u32,
    /// Whether every pair of edits is tried in the end.
    pub pairs: bool,
    /// Whether a test that accepts an empty module is refused: one that a person wrote shows nothing then.
    pub refuse_empty: bool,
    /// Set to stop; the best so far is the result.
    pub cancel: Arc<AtomicBool>,
    /// The file to write what is learned to and to take up again from; nowhere for `None`.
    pub journal: Option<PathBuf>,
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            jobs: 1,
            max_queries: None,
            max_time: None,
            limit: Duration::from_secs(60),
            hang: false,
            tries: 3,
            restarts: 0,
            pairs: false,
            refuse_empty: false,
            cancel: Arc::default(),
            journal: None,
        }
    }
}

/// The result of a search.
#[derive(Debug, Clone)]
pub struct Shrunk {
    /// The smallest module's text.
    pub text: String,
    /// What the engine did.
    pub report: SearchReport<Candidate>,
    /// How often the failure reproduces on the module as given.
    pub reproduction: ReproductionRate,
    /// Answers that were taken from the journal of an earlier run.
    pub resumed: usize,
    /// Other bugs that candidates showed, one for each signature.
    pub slipped_bugs: Vec<SlippedBug>,
}

/// Makes `start` small for as long as `test` finds it interesting. `identity` tells this reduction from others, so that
/// a journal is not taken for another's.
///
/// # Errors
/// It is no module, or not interesting; see [`MinimiseError`].
pub fn shrink<P>(
    start: &str,
    identity: &str,
    test: &P,
    effort: &Effort,
    watch: &mut dyn FnMut(ReductionEvent<'_>),
) -> Result<Shrunk, MinimiseError>
where
    P: InterestingnessTest<Candidate, SlippedBug = SlippedBug>,
{
    let first = Candidate::new(super::minimise::valid(start)?);
    let journal = effort.journal.as_ref().map(|path| ReductionJournal::open(path, &first, identity)).transpose()?;
    let test = Remembering { test, journal: journal.as_ref() };
    let interesting = |candidate: &Candidate| match test.answer(&Query::standalone(candidate, effort.limit)) {
        Answer::Failed(why) => Err(MinimiseError::Engine(why)),
        answer => Ok(matches!(answer, Answer::Interesting)),
    };
    if effort.refuse_empty {
        let empty = Candidate::new(Module::new());
        // A test that breaks down over it may still be fine with more of a module.
        if matches!(test.answer(&Query::standalone(&empty, effort.limit)), Answer::Interesting) {
            return Err(MinimiseError::AcceptsEmpty);
        }
    }
    let slowest = journal.as_ref().map(ReductionJournal::slowest).unwrap_or_default();
    let steps: Vec<&dyn Step<Candidate>> = steps::ALL.iter().map(|step| step as _).collect();
    let mut relay =
        Relay { watch, step: String::new(), slipped_bugs: Vec::new(), journal: journal.as_ref(), failure: None };
    let mut reproduction = ReproductionRate::default();
    let report = loop {
        reproduction.measure(effort.tries, || interesting(&first))?;
        if reproduction.seen == 0 {
            return Err(MinimiseError::NotAgain(reproduction));
        }
        (relay.watch)(ReductionEvent::Reproduced {
            seen: reproduction.seen,
            runs: reproduction.runs,
            rate: reproduction,
        });
        let options = options(effort, reproduction, slowest);
        match engine::reduce(first.clone(), &steps, &test, &options, &mut relay) {
            Ok(report) => break report,
            // It was seen every time so far, and now it was not: it happens only sometimes.
            Err(engine::Error::NotInteresting { queries }) => {
                let steady = reproduction.steady();
                reproduction.add_unseen(queries);
                if !steady {
                    return Err(MinimiseError::NotAgain(reproduction));
                }
            }
            Err(engine::Error::Stopped) => return Err(MinimiseError::Stopped),
            Err(other) => return Err(MinimiseError::Engine(other.to_string())),
        }
    };
    let Relay { slipped_bugs, failure, .. } = relay;
    if let Some(error) = failure {
        return Err(error.into());
    }
    // Names and order as if it had been written by hand; they can change nothing, but the result is what was run.
    let tidy = Candidate::new(super::naming::named(&report.best.module).compact());
    let same = any_of(reproduction.attempts(), || interesting(&tidy))?;
    let text = if same { tidy.text() } else { report.best.text() }.to_owned();
    let resumed = journal.as_ref().map_or(0, ReductionJournal::found);
    Ok(Shrunk { text, report, reproduction, resumed, slipped_bugs })
}

/// Whether one of so many runs says yes.
pub(super) fn any_of<E>(attempts: u32, mut run: impl FnMut() -> Result<bool, E>) -> Result<bool, E> {
    (0..attempts).try_fold(false, |seen, _| Ok(seen || run()?))
}

/// The engine's settings, given how often the failure was seen and how long the slowest answer of an earlier run took.
fn options(effort: &Effort, reproduction: ReproductionRate, slowest: Duration) -> engine::SearchOptions {
    engine::SearchOptions {
        jobs: effort.jobs,
        max_queries: effort.max_queries,
        max_time: effort.max_time,
        restarts: effort.restarts,
        pairs: effort.pairs,
        cancel: effort.cancel.clone(),
        attempts: reproduction.attempts(),
        limit_factor: LIMIT_FACTOR,
        limit_min: if effort.hang { effort.limit } else { LIMIT_MIN.max(slowest * LIMIT_FACTOR).min(effort.limit) },
        limit_max: effort.limit,
    }
}

/// Passes the engine's events on, and each slipped bug only once.
struct Relay<'w> {
    watch: &'w mut dyn FnMut(ReductionEvent<'_>),
    step: String,
    slipped_bugs: Vec<SlippedBug>,
    journal: Option<&'w ReductionJournal>,
    failure: Option<JournalError>,
}

impl Observer<Candidate, SlippedBug> for Relay<'_> {
    fn step_started(&mut self, step: &str, progress: &Progress<Cost>) {
        step.clone_into(&mut self.step);
        self.answered(progress);
    }

    fn answered(&mut self, progress: &Progress<Cost>) {
        let (step, queries, operations) = (self.step.as_str(), progress.queries, progress.cost.operations);
        (self.watch)(ReductionEvent::Progress { step, queries, operations, progress });
    }

    fn improved(&mut self, best: &Candidate, edits: &[AcceptedEdit], restarted: bool, progress: &Progress<Cost>) {
        if let Some(Err(error)) = self.journal.map(|journal| journal.kept(edits, restarted)) {
            self.failure.get_or_insert(error);
        }
        let (step, queries, operations) = (self.step.as_str(), progress.queries, progress.cost.operations);
        (self.watch)(ReductionEvent::Smaller { step, queries, operations, best, progress });
    }

    fn slipped_bug(&mut self, _: &Candidate, bug: SlippedBug) {
        let known = self.slipped_bugs.iter().any(|known| known.judgement.signature == bug.judgement.signature);
        if !known && self.slipped_bugs.len() < SLIPPED_BUGS {
            (self.watch)(ReductionEvent::SlippedBug { signature: &bug.judgement.signature, bug: &bug });
            self.slipped_bugs.push(bug);
        }
    }
}
