//! The course of a campaign: cases tried by several threads, committed in order by one.

use super::bucket::{Bucket, write_whole};
use super::journal::{CaseLine, Journal, Line};
use super::trial::{CaseOutcome, Failure, Source, try_case};
use super::{MuteList, Settings};
use crate::compiler::worker::{Pool, WorkerError, WorkerLimits};
use crate::corpus::{Case, Expectation, Failing, try_on};
use crate::judge::{Keep, Signature, Verdict};
use crate::reduce::{Aside, Job, Level, Minimised, minimise};
use crate::report::{Summary as ReportSummary, markdown};
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
#[derive(Debug, Clone, Default)]
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
    /// How often each operation was made, by this process.
    pub operations: BTreeMap<String, u64>,
}

impl Progress {
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
    let pools = settings
        .installations
        .iter()
        .map(|installation| Pool::start(installation, limits, settings.jobs))
        .collect::<Result<Vec<_>, _>>()?;
    let mut ledger =
        Ledger { settings, mute, journal, pools: &pools, progress: Progress::default(), buckets: Vec::new() };
    for line in &before {
        ledger.count(line);
    }
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
            let (send, gate, claim, pools) = (send.clone(), &gate, &claim, &pools);
            scope.spawn(move || {
                loop {
                    let case = claim.fetch_add(1, Ordering::Relaxed);
                    if settings.cases.is_some_and(|cases| case >= cases) || !gate.wait_for(case, ahead) {
                        return;
                    }
                    if send.send((case, try_case(settings, pools, source, case))).is_err() {
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

/// What is known so far; only the committing thread has it.
struct Ledger<'a> {
    settings: &'a Settings,
    mute: &'a MuteList,
    journal: Journal,
    pools: &'a [Pool],
    progress: Progress,
    buckets: Vec<Bucket>,
}

impl Ledger<'_> {
    fn file<T>(&self, result: io::Result<T>, name: &str) -> Result<T, CampaignError> {
        result.map_err(|source| CampaignError::File { path: self.settings.out.join(name), source })
    }

    /// Adds a case's line to the counts. Gives the buckets that it opened.
    fn count(&mut self, line: &CaseLine) -> Vec<usize> {
        let mut opened = Vec::new();
        self.progress.cases += 1;
        self.progress.ok += u64::from(line.ok);
        self.progress.elapsed = self.progress.elapsed.max(Duration::from_millis(line.elapsed_ms));
        for result in &line.other {
            let signature = &result.signature;
            *self.progress.verdicts.entry(signature.verdict).or_default() += 1;
            if !signature.verdict.is_bug() {
                continue;
            }
            if self.mute.reason(signature).is_some() {
                self.progress.muted += 1;
                continue;
            }
            let place = format!("{} {}", result.triton, result.target);
            match self.buckets.iter_mut().find(|bucket| bucket.signature == *signature) {
                Some(bucket) => {
                    bucket.count += 1;
                    if !bucket.seen_on.contains(&place) {
                        bucket.seen_on.push(place);
                    }
                }
                None => {
                    opened.push(self.buckets.len());
                    self.buckets.push(Bucket {
                        signature: signature.clone(),
                        first_case: line.case,
                        triton: result.triton.clone(),
                        target: result.target.clone(),
                        count: 1,
                        seen_on: vec![place],
                        operations: None,
                    });
                }
            }
        }
        opened
    }

    /// Stores what is new, then writes the case's line, then reduces.
    fn commit(&mut self, case: u64, outcome: CaseOutcome, watch: &mut dyn Watch) -> Result<(), CampaignError> {
        let CaseOutcome { ok, failures, operations } = outcome;
        let elapsed_ms = u64::try_from(self.progress.elapsed.as_millis()).unwrap_or(u64::MAX);
        let other = failures.iter().map(|failure| failure.result.clone()).collect();
        let line = CaseLine { case, elapsed_ms, ok, other };
        let opened = self.count(&line);
        for &index in &opened {
            let bucket = &self.buckets[index];
            if let Some(failure) = failures.iter().find(|failure| failure.result.signature == bucket.signature) {
                let log =
                    format!("{}\n{}\n", failure.judgement.message, failure.judgement.note.as_deref().unwrap_or(""));
                self.file(bucket.create(&self.settings.out, &failure.module, &log), "bucket.json")?;
                self.file(self.remember(bucket, failure), "compile.json")?;
            }
        }
        self.file_line(&line)?;
        self.progress.cases_here += 1;
        for operation in operations {
            *self.progress.operations.entry(operation).or_default() += 1;
        }
        for index in opened {
            watch.found(&self.buckets[index]);
            self.reduce(index, watch)?;
        }
        watch.committed(&self.progress, &self.buckets);
        Ok(())
    }

    fn file_line(&mut self, line: &CaseLine) -> Result<(), CampaignError> {
        let result = self.journal.append(&Line::Case(line.clone()));
        self.file(result, "journal.jsonl")
    }

    /// The options of a bucket's first module: with them it can be reduced by a later process.
    fn remember(&self, bucket: &Bucket, failure: &Failure) -> io::Result<()> {
        let text = serde_json::to_string(&failure.compile.options).map_err(io::Error::other)?;
        write_whole(&bucket.directory(&self.settings.out).join("options.json"), text.as_bytes())
    }

    /// Reduces a bucket's first module, unless that is done already.
    fn reduce(&mut self, index: usize, watch: &mut dyn Watch) -> Result<(), CampaignError> {
        let bucket = self.buckets[index].clone();
        let directory = bucket.directory(&self.settings.out);
        if bucket.is_reduced(&self.settings.out) || self.settings.cancel.load(Ordering::Relaxed) {
            return Ok(());
        }
        let place = self.settings.installations.iter().position(|other| other.spec.to_string() == bucket.triton);
        let Some(place) = place else { return Ok(()) };
        let module = self.file(std::fs::read_to_string(directory.join("input.mlir")), "input.mlir")?;
        let options = self.file(std::fs::read_to_string(directory.join("options.json")), "options.json")?;
        let (Ok(options), Ok(target)) = (serde_json::from_str(&options), bucket.target.parse()) else { return Ok(()) };
        let job = Job {
            compile: crate::reduce::Compile {
                target,
                options,
                passes: crate::compiler::protocol::Passes::stage("ttgir"),
            },
            module,
            level: Level::Pass,
            keep: Keep::Exact,
            jobs: self.settings.jobs,
            max_questions: Some(self.settings.reduce_questions),
            max_time: None,
            first_checks: 2,
            cancel: self.settings.cancel.clone(),
        };
        match minimise(&self.pools[place], &job, &mut ()) {
            Ok(result) if !self.settings.cancel.load(Ordering::Relaxed) => {
                self.buckets[index].operations = Some(result.report.subject.module.size());
                let stored = self.store_reduced(&self.buckets[index], place, &result);
                self.file(stored, "case.toml")?;
                watch.reduced(&self.buckets[index], None);
            }
            Ok(_) => {}
            Err(crate::reduce::MinimiseError::Worker(error)) => return Err(error.into()),
            Err(error) => watch.reduced(&self.buckets[index], Some(&error.to_string())),
        }
        Ok(())
    }

    fn store_reduced(&self, bucket: &Bucket, place: usize, result: &Minimised) -> io::Result<()> {
        let directory = bucket.directory(&self.settings.out);
        let triton = &bucket.triton;
        let others = self.settings.installations.iter().enumerate().filter(|(index, _)| *index != place);
        let versions: Vec<_> =
            others.filter_map(|(_, installation)| try_on(installation, &result.question, &result.text).ok()).collect();
        let summary = ReportSummary {
            triton,
            compile: &result.question,
            judgement: &result.last,
            module: &result.text,
            operations: (result.report.subject.module.size(), result.report.first_cost.operations),
            minimal: result.report.minimal(),
            questions: (result.report.questions, result.report.invalid),
            rate: result.report.rate,
            versions: &versions,
        };
        write_whole(&directory.join("reduced.mlir"), result.text.as_bytes())?;
        write_whole(&directory.join("report.md"), markdown(&summary).as_bytes())?;
        for aside in &result.asides {
            self.store_aside(&directory, aside)?;
        }
        let expect = |triton: &str, signature: &Signature, untestable: &Option<String>| Expectation {
            triton: triton.to_owned(),
            verdict: signature.verdict,
            untestable: untestable.clone(),
        };
        let mut expectations = vec![expect(triton, &result.last.signature, &None)];
        expectations.extend(versions.iter().map(|v| expect(&v.triton, &v.judgement.signature, &v.untestable)));
        let case = Case {
            origin: format!("case {} of a campaign with seed {}", bucket.first_case, self.settings.seed),
            module: "reduced.mlir".into(),
            target: bucket.target.clone(),
            passes: match &result.question.passes {
                crate::compiler::protocol::Passes::Texts { texts } => texts.clone(),
                crate::compiler::protocol::Passes::Stage { .. } => Vec::new(),
            },
            options: result.question.options.clone(),
            failing: Some(Failing {
                triton: triton.clone(),
                printed: result.last.message.clone(),
                signature: result.last.signature.clone(),
            }),
            expect: expectations,
        };
        write_whole(&directory.join("case.toml"), case.to_toml().map_err(io::Error::other)?.as_bytes())
    }

    /// Another failure that the reduction met: kept beside it, since how many are met depends on how many questions were
    /// asked ahead of their turn.
    fn store_aside(&self, directory: &std::path::Path, aside: &Aside) -> io::Result<()> {
        let place = directory.join("asides").join(Bucket::name(&aside.judgement.signature));
        std::fs::create_dir_all(&place)?;
        write_whole(&place.join("input.mlir"), aside.text.as_bytes())?;
        write_whole(&place.join("log.txt"), format!("{}\n", aside.judgement.signature).as_bytes())
    }
}
