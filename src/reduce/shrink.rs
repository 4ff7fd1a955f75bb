//! The search itself, for any predicate: looks for the failure, resumes, runs the engine, and tidies up what comes out.

use super::candidate::{Candidate, Cost};
use super::flaky::Sightings;
use super::journal::{Journal, JournalError, Remembering};
use super::question::Aside;
use super::{MinimiseError, Watch, steps};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tritonsmith_reducer::{
    self as engine, Answer, Asked, Attempts, Decision, Observer, Predicate, Progress, Question, Report, Step,
};

/// A time limit that adapts is never below this.
const LIMIT_MIN: Duration = Duration::from_secs(2);
/// And this many times the time of an answer that was waited for.
const LIMIT_FACTOR: u32 = 10;
/// Other bugs that are told of; each has a signature of its own.
const ASIDES: usize = 100;

/// How hard to try.
#[derive(Debug, Clone)]
pub struct Effort {
    /// Questions in flight at once.
    pub jobs: usize,
    /// At most so many questions.
    pub max_questions: Option<u64>,
    /// At most so much time for the search.
    pub max_time: Option<Duration>,
    /// How long one question may take. The limit adapts below that.
    pub limit: Duration,
    /// Whether each question gets all of `limit`: for a failure that consists in taking too long.
    pub hang: bool,
    /// How often the failure is looked for before it is given up.
    pub tries: u32,
    /// How often the search begins again from the start, with the steps or their sites the other way round.
    pub restarts: u32,
    /// Whether every pair of edits is tried in the end.
    pub pairs: bool,
    /// Set to stop; the best so far is the result.
    pub cancel: Arc<AtomicBool>,
    /// The file to write what is learned to and to take up again from; nowhere for `None`.
    pub journal: Option<PathBuf>,
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            jobs: 1,
            max_questions: None,
            max_time: None,
            limit: Duration::from_secs(60),
            hang: false,
            tries: 3,
            restarts: 0,
            pairs: false,
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
    pub report: Report<Candidate>,
    /// How often the failure was looked for and seen before anything was changed.
    pub sightings: Sightings,
    /// Answers that were taken from the journal of an earlier run.
    pub resumed: usize,
    /// Other failures that were met, one for each signature.
    pub asides: Vec<Aside>,
}

/// Makes `start` small for as long as `predicate` finds it interesting. `identity` tells this question from others, so that
/// a journal is not taken for another's.
///
/// # Errors
/// It is no module, or not interesting; see [`MinimiseError`].
pub fn shrink<P>(
    start: &str,
    identity: &str,
    predicate: &P,
    effort: &Effort,
    watch: &mut dyn Watch,
) -> Result<Shrunk, MinimiseError>
where
    P: Predicate<Candidate, Aside = Aside>,
{
    let first = Candidate::new(super::minimise::valid(start)?);
    let journal = effort.journal.as_ref().map(|path| Journal::open(path, &first, identity)).transpose()?;
    let predicate = Remembering { predicate, journal: journal.as_ref() };
    let interesting = |candidate: &Candidate| match predicate.ask(&Question::alone(candidate, effort.limit)) {
        Answer::Failed(why) => Err(MinimiseError::Engine(why)),
        answer => Ok(matches!(answer, Answer::Interesting)),
    };
    let slowest = journal.as_ref().map(Journal::slowest).unwrap_or_default();
    let boxed = steps::all();
    let steps: Vec<&dyn Step<Candidate>> = boxed.iter().map(Box::as_ref).collect();
    let mut relay = Relay { watch, asides: Vec::new(), journal: journal.as_ref(), failure: None };
    let mut sightings = Sightings::default();
    let mut report = loop {
        sightings.look(effort.tries, || interesting(&first))?;
        if sightings.seen == 0 {
            return Err(MinimiseError::NotAgain(sightings));
        }
        relay.watch.looked(sightings);
        let options = options(effort, sightings, slowest);
        match engine::reduce(first.clone(), &steps, &predicate, &options, &mut relay) {
            Ok(report) => break report,
            // It was seen every time so far, and now it was not: it happens only sometimes.
            Err(engine::Error::NotInteresting { asked, .. }) if sightings.steady() => sightings.asked += asked,
            Err(engine::Error::NotInteresting { asked, .. }) => {
                return Err(MinimiseError::NotAgain(Sightings { asked: sightings.asked + asked, ..sightings }));
            }
            Err(engine::Error::Stopped) => return Err(MinimiseError::Stopped),
            Err(other) => return Err(MinimiseError::Engine(other.to_string())),
        }
    };
    let Relay { asides, failure, .. } = relay;
    if let Some(error) = failure {
        return Err(error.into());
    }
    report.rate = sightings.rate();
    // Names and order as if it had been written by hand; they can change nothing, but what is handed over is what was run.
    let tidy = Candidate::new(super::naming::named(&report.subject.module).compact());
    let mut same = false;
    for _ in 0..sightings.attempts() {
        same = same || interesting(&tidy)?;
    }
    let text = if same { tidy.text() } else { report.subject.text() }.to_owned();
    let resumed = journal.as_ref().map_or(0, Journal::found);
    Ok(Shrunk { text, report, sightings, resumed, asides })
}

/// The engine's settings, given how often the failure was seen and how long the slowest answer of an earlier run took.
fn options(effort: &Effort, sightings: Sightings, slowest: Duration) -> engine::Options {
    let attempts = sightings.attempts();
    engine::Options {
        jobs: effort.jobs,
        max_questions: effort.max_questions,
        max_time: effort.max_time,
        restarts: effort.restarts,
        pairs: effort.pairs,
        cancel: effort.cancel.clone(),
        first_checks: attempts,
        attempts: Attempts::Fixed(attempts),
        limit_factor: LIMIT_FACTOR,
        limit_min: if effort.hang { effort.limit } else { LIMIT_MIN.max(slowest * LIMIT_FACTOR).min(effort.limit) },
        limit_max: effort.limit,
        ..engine::Options::default()
    }
}

/// Hands the engine's events on, and each other failure only once.
struct Relay<'w> {
    watch: &'w mut dyn Watch,
    asides: Vec<Aside>,
    journal: Option<&'w Journal>,
    failure: Option<JournalError>,
}

impl Observer<Candidate, Aside> for Relay<'_> {
    fn step_started(&mut self, step: &str, sites: usize, progress: &Progress<Cost>) {
        self.watch.step(step, sites, progress);
    }

    fn asked(&mut self, question: &Asked<'_>, progress: &Progress<Cost>) {
        self.watch.asked(question, progress);
    }

    fn accepted(&mut self, subject: &Candidate, decisions: &[Decision], restarted: bool, progress: &Progress<Cost>) {
        if let Some(Err(error)) = self.journal.map(|journal| journal.kept(decisions, restarted)) {
            self.failure.get_or_insert(error);
        }
        self.watch.smaller(subject, decisions, progress);
    }

    fn aside(&mut self, _: &Candidate, aside: Aside) {
        let known = self.asides.iter().any(|known| known.judgement.signature == aside.judgement.signature);
        if !known && self.asides.len() < ASIDES {
            self.watch.aside(&aside);
            self.asides.push(aside);
        }
    }
}
