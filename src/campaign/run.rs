//! The course of a campaign: cases tried by several threads, committed in order by one.

use super::bucket::{self, Bucket};
use super::event::CampaignEvent;
use super::journal::{CampaignJournal, CaseLine};
use super::reduction::{self, Reduction, ReductionRequest};
use super::state::CampaignState;
use super::trial::{CaseOutcome, TrialSource, try_case};
use super::{CampaignSettings, MuteList};
use crate::compiler::worker::{WorkerError, WorkerLimits};
use crate::judge::Verdict;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// Why a campaign ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The environment is broken.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// A file cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// How far a campaign is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CampaignProgress {
    /// Cases committed, those of earlier processes included.
    pub cases: u64,
    /// Cases committed by this process.
    pub cases_here: u64,
    /// Compilations that ended well.
    pub ok: u64,
    /// Compilations by verdict, those that ended well left out.
    pub verdicts: BTreeMap<Verdict, u64>,
    /// Compilations that show a muted bug.
    pub muted: u64,
    /// How long the campaign has run, over all its processes.
    pub elapsed: Duration,
    /// How long this process has run.
    pub elapsed_here: Duration,
    /// How many of each operation were made.
    pub operations: BTreeMap<String, u64>,
    /// The passes seen at work in the cases that were looked at closely.
    pub passes: BTreeMap<String, PassCount>,
}

/// How often a pass ran in the cases that were looked at closely.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PassCount {
    /// Cases in which it ran.
    pub ran: u64,
    /// Cases in which it changed the module.
    pub changed: u64,
}

impl CampaignProgress {
    /// Counts a committed case.
    pub(super) fn count(&mut self, line: &CaseLine) {
        self.cases += 1;
        self.ok += u64::from(line.ok);
        self.elapsed = self.elapsed.max(Duration::from_millis(line.elapsed_ms));
        for (name, &changed) in &line.passes {
            let count = self.passes.entry(name.clone()).or_default();
            count.ran += 1;
            count.changed += u64::from(changed);
        }
        for result in &line.other {
            *self.verdicts.entry(result.signature.verdict).or_default() += 1;
        }
    }

    /// All compilations.
    pub fn compilations(&self) -> u64 {
        self.ok + self.verdicts.values().sum::<u64>()
    }

    /// The share of compilations whose module was accepted: neither rejected as invalid nor diagnosed as unsupported.
    pub fn accepted(&self) -> f64 {
        let count = |verdict| self.verdicts.get(&verdict).copied().unwrap_or(0);
        let refused = count(Verdict::RejectedInput) + count(Verdict::Diagnosed);
        1.0 - refused as f64 / self.compilations().max(1) as f64
    }
}

/// What a campaign came to.
#[derive(Debug, Clone)]
pub struct CampaignSummary {
    /// Counts.
    pub progress: CampaignProgress,
    /// All buckets in the order in which they were first seen.
    pub buckets: Vec<Bucket>,
}

/// Cases that may be tried before the oldest of them is committed, for each thread.
const AHEAD: u64 = 4;
/// Buckets that may wait for their reduction before the search waits for one to end.
const QUEUE: usize = 64;

/// Something to commit.
enum Completed {
    Case(u64, Result<CaseOutcome, WorkerError>),
    Reduction(Box<Reduction>),
}

/// Runs a campaign, or goes on with one that was stopped.
///
/// # Errors
/// See [`CampaignError`].
pub fn run(
    settings: &CampaignSettings,
    mute: &MuteList,
    source: &dyn TrialSource,
    watch: &mut dyn FnMut(CampaignEvent<'_>),
) -> Result<CampaignSummary, CampaignError> {
    let out = &settings.out;
    std::fs::create_dir_all(out).map_err(|source| CampaignError::File { path: out.clone(), source })?;
    let path = out.join("journal.jsonl");
    let (journal, before, lost) =
        CampaignJournal::open(&path, &settings.identity()).map_err(|source| CampaignError::File { path, source })?;
    if lost > 0 {
        let cases = before.len();
        let problem =
            format!("journal.jsonl is broken behind {cases} cases: {lost} lines are dropped, their cases run again");
        watch(CampaignEvent::Problem { problem: &problem });
    }
    let limits = WorkerLimits { time: settings.limit, ..WorkerLimits::default() };
    let compilers = settings
        .compilers
        .iter()
        .map(|compiler| compiler.start(limits, settings.jobs))
        .collect::<Result<Vec<_>, _>>()?;
    let (settled, narrowed) = settings.settled(&compilers)?;
    let settings = &settled;
    if let Some(why) = narrowed {
        watch(CampaignEvent::Narrowed { why: &why });
    }
    let (progress, buckets) = (CampaignProgress::default(), Vec::new());
    let mut state = CampaignState { settings, mute, journal, compilers: &compilers, progress, buckets };
    for line in &before {
        state.count(line);
        for target in &settings.targets {
            state.made(source.trial(settings.seed, line.case, target).operations);
        }
    }
    bucket::clear(out);
    let unreduced = search(&mut state, source, before.len() as u64, watch)?;
    if !unreduced.is_empty() {
        let buckets: Vec<&Bucket> = unreduced.iter().map(|&index| &state.buckets[index]).collect();
        watch(CampaignEvent::Unreduced { buckets: &buckets });
    }
    for bucket in state.buckets.iter().filter(|bucket| bucket.directory(out).is_dir()) {
        state.file(bucket.write_counts(out), &bucket.name())?;
    }
    state.file(super::overview::write_operations(out, &state.progress.operations), "operations.json")?;
    Ok(CampaignSummary { progress: state.progress, buckets: state.buckets })
}

/// Tries cases from `next` on, and reduces what is found. Gives the buckets that are not reduced in the end because the
/// campaign was stopped.
fn search(
    state: &mut CampaignState<'_>,
    source: &dyn TrialSource,
    mut next: u64,
    watch: &mut dyn FnMut(CampaignEvent<'_>),
) -> Result<VecDeque<usize>, CampaignError> {
    let (settings, compilers) = (state.settings, state.compilers);
    let (started, base) = (Instant::now(), state.progress.elapsed);
    let (cases, jobs) = (settings.cases, settings.jobs.max(1));
    let is_over = || settings.time.is_some_and(|time| base + started.elapsed() >= time);
    let gate = Gate { committed: Mutex::new(next), moved: Condvar::new(), stop: AtomicBool::new(is_over()) };
    let claim = AtomicU64::new(next);
    let stop = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        let (ask, asked) = mpsc::channel::<ReductionRequest>();
        for _ in 0..jobs {
            let (send, gate, claim) = (send.clone(), &gate, &claim);
            scope.spawn(move || {
                loop {
                    let case = claim.fetch_add(1, Ordering::Relaxed);
                    if cases.is_some_and(|cases| case >= cases) || !gate.wait_for(case, AHEAD * jobs as u64) {
                        return;
                    }
                    if send.send(Completed::Case(case, try_case(settings, compilers, source, case))).is_err() {
                        return;
                    }
                }
            });
        }
        scope.spawn({
            let stop = &stop;
            move || {
                for request in asked.iter().take_while(|_| !stop.load(Ordering::Relaxed)) {
                    let reduction = reduction::reduce(settings, compilers, stop, request);
                    if send.send(Completed::Reduction(Box::new(reduction))).is_err() {
                        return;
                    }
                }
            }
        });
        let mut waiting = Waiting { ask, queue: VecDeque::new() };
        let mut commit = |waiting: &mut Waiting| {
            for index in 0..state.buckets.len() {
                waiting.add(index, state, watch);
            }
            // What an earlier process has left is reduced however little time there is for the search.
            let mut left = waiting.queue.len();
            let mut tried = BTreeMap::new();
            while !waiting.queue.is_empty() || cases.is_none_or(|cases| next < cases) {
                let over = is_over();
                if over {
                    gate.close();
                }
                if over && left == 0 || settings.cancel.load(Ordering::Relaxed) {
                    break;
                }
                match receive.recv_timeout(Duration::from_millis(200)) {
                    Ok(Completed::Case(case, outcome)) => drop(tried.insert(case, outcome)),
                    Ok(Completed::Reduction(reduction)) => {
                        waiting.queue.pop_front();
                        left = left.saturating_sub(1);
                        state.commit_reduction(*reduction, watch)?;
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) => continue,
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                }
                while !over
                    && waiting.queue.len() < QUEUE
                    && let Some(outcome) = tried.remove(&next)
                {
                    state.progress.elapsed_here = started.elapsed();
                    state.progress.elapsed = base + started.elapsed();
                    for index in state.commit(next, outcome?, watch)? {
                        waiting.add(index, state, watch);
                    }
                    next += 1;
                    gate.advance(next);
                }
            }
            Ok(())
        };
        let result = commit(&mut waiting);
        stop.store(true, Ordering::Relaxed);
        gate.close();
        result.map(|()| waiting.queue)
    })
}

/// The buckets that wait for their reduction, in the order in which they were opened.
struct Waiting {
    ask: mpsc::Sender<ReductionRequest>,
    queue: VecDeque<usize>,
}

impl Waiting {
    /// Adds a bucket, unless there is nothing to reduce of it.
    fn add(&mut self, index: usize, state: &mut CampaignState<'_>, watch: &mut dyn FnMut(CampaignEvent<'_>)) {
        match state.request(index) {
            Ok(Some(request)) => {
                if self.ask.send(request).is_ok() {
                    self.queue.push_back(index);
                }
            }
            Ok(None) => {}
            Err(error) => {
                watch(CampaignEvent::NotReduced { bucket: &state.buckets[index], problem: &error.to_string() });
            }
        }
    }
}

/// Keeps threads from running too far ahead of what is committed.
struct Gate {
    committed: Mutex<u64>,
    moved: Condvar,
    stop: AtomicBool,
}

impl Gate {
    /// Waits until a case may be tried. False when the campaign is over.
    fn wait_for(&self, case: u64, ahead: u64) -> bool {
        let mut committed = self.committed.lock().unwrap_or_else(PoisonError::into_inner);
        while case >= *committed + ahead && !self.stop.load(Ordering::Relaxed) {
            committed = self.moved.wait(committed).unwrap_or_else(PoisonError::into_inner);
        }
        !self.stop.load(Ordering::Relaxed)
    }

    fn advance(&self, committed: u64) {
        *self.committed.lock().unwrap_or_else(PoisonError::into_inner) = committed;
        self.moved.notify_all();
    }

    fn close(&self) {
        let _held = self.committed.lock().unwrap_or_else(PoisonError::into_inner);
        self.stop.store(true, Ordering::Relaxed);
        self.moved.notify_all();
    }
}
