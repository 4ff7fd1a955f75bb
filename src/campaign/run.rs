//! The course of a campaign: cases tried by several threads, committed in order by one.

use super::bucket::{self, Bucket};
use super::journal::{CaseLine, Journal};
use super::ledger::Ledger;
use super::trial::{CaseOutcome, Source, try_case};
use super::{MuteList, Settings};
use crate::compiler::worker::{WorkerError, WorkerLimits};
use crate::judge::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
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
pub struct Progress {
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

impl Progress {
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

/// Is told what happens.
pub trait Watch {
    /// Only the stage `ttir` is run, because a compiler has no `ttgir`; `why` is what it says of it.
    fn narrowed(&mut self, why: &str) {
        let _ = why;
    }

    /// A case was committed.
    fn committed(&mut self, progress: &Progress, buckets: &[Bucket]) {
        let _ = (progress, buckets);
    }

    /// A new bug was met and stored; its reduction begins.
    fn found(&mut self, bucket: &Bucket) {
        let _ = bucket;
    }

    /// The reduction of a bucket has ended.
    fn reduced(&mut self, bucket: &Bucket, problem: Option<&str>) {
        let _ = (bucket, problem);
    }
}

/// Watches nothing.
impl Watch for () {}

/// What a campaign came to.
#[derive(Debug, Clone)]
pub struct Summary {
    /// Counts.
    pub progress: Progress,
    /// All buckets in the order in which they were first seen.
    pub buckets: Vec<Bucket>,
}

/// Cases that may be tried before the oldest of them is committed, for each thread.
const AHEAD: u64 = 4;

/// Runs a campaign, or goes on with one that was stopped.
///
/// # Errors
/// See [`CampaignError`].
pub fn run(
    settings: &Settings,
    mute: &MuteList,
    source: &dyn Source,
    watch: &mut dyn Watch,
) -> Result<Summary, CampaignError> {
    let out = &settings.out;
    std::fs::create_dir_all(out).map_err(|source| CampaignError::File { path: out.clone(), source })?;
    let path = out.join("journal.jsonl");
    let (journal, before) =
        Journal::open(&path, &settings.identity()).map_err(|source| CampaignError::File { path, source })?;
    let limits = WorkerLimits { time: settings.limit, ..WorkerLimits::default() };
    let compilers = settings
        .compilers
        .iter()
        .map(|compiler| compiler.start(limits, settings.jobs))
        .collect::<Result<Vec<_>, _>>()?;
    let (settled, narrowed) = settings.settled(&compilers)?;
    let settings = &settled;
    if let Some(why) = narrowed {
        watch.narrowed(&why);
    }
    let mut ledger =
        Ledger { settings, mute, journal, compilers: &compilers, progress: Progress::default(), buckets: Vec::new() };
    for line in &before {
        ledger.count(line);
        for target in &settings.targets {
            ledger.made(source.trial(settings.seed, line.case, target).operations);
        }
    }
    bucket::clear(out);
    let base = ledger.progress.elapsed;
    for index in 0..ledger.buckets.len() {
        ledger.reduce(index, watch)?;
    }
    let started = Instant::now();
    let next = before.len() as u64;
    let gate = Gate { committed: Mutex::new(next), moved: Condvar::new(), stop: AtomicBool::new(false) };
    let claim = AtomicU64::new(next);
    let ahead = AHEAD * settings.jobs.max(1) as u64;
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..settings.jobs.max(1) {
            let (send, gate, claim, compilers) = (send.clone(), &gate, &claim, &compilers);
            scope.spawn(move || {
                loop {
                    let case = claim.fetch_add(1, Ordering::Relaxed);
                    if settings.cases.is_some_and(|cases| case >= cases) || !gate.wait_for(case, ahead) {
                        return;
                    }
                    if send.send((case, try_case(settings, compilers, source, case))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut waiting: BTreeMap<u64, Result<CaseOutcome, WorkerError>> = BTreeMap::new();
        let mut next = next;
        let result = loop {
            let over = settings.time.is_some_and(|time| base + started.elapsed() >= time);
            if over || settings.cancel.load(Ordering::Relaxed) {
                break Ok(());
            }
            match receive.recv_timeout(Duration::from_millis(200)) {
                Ok((case, outcome)) => drop(waiting.insert(case, outcome)),
                Err(mpsc::RecvTimeoutError::Timeout) => continue,
                Err(mpsc::RecvTimeoutError::Disconnected) if waiting.is_empty() => break Ok(()),
                Err(mpsc::RecvTimeoutError::Disconnected) => {}
            }
            let mut problem = None;
            while let Some(outcome) = waiting.remove(&next) {
                ledger.progress.elapsed_here = started.elapsed();
                ledger.progress.elapsed = base + started.elapsed();
                let committed =
                    outcome.map_err(CampaignError::from).and_then(|outcome| ledger.commit(next, outcome, watch));
                if let Err(error) = committed {
                    problem = Some(error);
                    break;
                }
                next += 1;
                gate.advance(next);
            }
            if let Some(error) = problem {
                break Err(error);
            }
        };
        gate.close();
        result
    })?;
    for bucket in &ledger.buckets {
        ledger.file(bucket.write_counts(out), "bucket.json")?;
    }
    ledger.file(super::overview::write_operations(out, &ledger.progress.operations), "operations.json")?;
    Ok(Summary { progress: ledger.progress, buckets: ledger.buckets })
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
