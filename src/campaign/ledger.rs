//! The books of a campaign: counts and buckets, and what is written to disk when a case is committed.

use super::bucket::Bucket;
use super::journal::{CaseLine, Journal, Line};
use super::run::{CampaignError, Progress, Watch};
use super::trial::{CaseOutcome, Failure};
use super::{MuteList, Settings};
use crate::compiler::protocol::Passes;
use crate::compiler::{Compile, Compiler};
use crate::corpus::{Case, Expectation, Failing};
use crate::judge::releases::try_on;
use crate::reduce::{Aside, Effort, Job, MinimiseError, Minimised, minimise};
use crate::report::{Curve, Summary as ReportSummary, markdown};
use crate::whole;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What a question may take in the reduction of a pass that does not end: that it does not, was seen with the limit of the
/// campaign when it was found.
const HANG_AFTER: Duration = Duration::from_secs(3);

/// What is known so far; only the committing thread has it.
pub(super) struct Ledger<'a> {
    pub settings: &'a Settings,
    pub mute: &'a MuteList,
    pub journal: Journal,
    pub compilers: &'a [Box<dyn Compiler>],
    pub progress: Progress,
    pub buckets: Vec<Bucket>,
}

impl Ledger<'_> {
    pub fn file<T>(&self, result: io::Result<T>, name: &str) -> Result<T, CampaignError> {
        result.map_err(|source| CampaignError::File { path: self.settings.out.join(name), source })
    }

    /// Adds a case's line to the counts. Gives the buckets that it opened.
    pub fn count(&mut self, line: &CaseLine) -> Vec<usize> {
        let mut opened = Vec::new();
        self.progress.count(line);
        for result in &line.other {
            let signature = &result.signature;
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
    pub fn commit(&mut self, case: u64, outcome: CaseOutcome, watch: &mut dyn Watch) -> Result<(), CampaignError> {
        let CaseOutcome { ok, failures, operations, passes } = outcome;
        let elapsed_ms = u64::try_from(self.progress.elapsed.as_millis()).unwrap_or(u64::MAX);
        let other = failures.iter().map(|failure| failure.result.clone()).collect();
        let line = CaseLine { case, elapsed_ms, ok, other, passes };
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
        self.made(operations);
        for index in opened {
            watch.found(&self.buckets[index]);
            self.reduce(index, watch)?;
        }
        watch.committed(&self.progress, &self.buckets);
        Ok(())
    }

    /// Counts what a case's modules consist of.
    pub fn made(&mut self, operations: BTreeMap<String, usize>) {
        for (operation, count) in operations {
            *self.progress.operations.entry(operation).or_default() += count as u64;
        }
    }

    fn file_line(&mut self, line: &CaseLine) -> Result<(), CampaignError> {
        let result = self.journal.append(&Line::Case(line.clone()));
        self.file(result, "journal.jsonl")
    }

    /// The options of a bucket's first module: with them it can be reduced by a later process.
    fn remember(&self, bucket: &Bucket, failure: &Failure) -> io::Result<()> {
        let text = serde_json::to_string(&failure.compile.options).map_err(io::Error::other)?;
        whole::write(&bucket.directory(&self.settings.out).join("options.json"), text.as_bytes()).map(drop)
    }

    /// Reduces a bucket's first module, unless that is done already.
    pub fn reduce(&mut self, index: usize, watch: &mut dyn Watch) -> Result<(), CampaignError> {
        let bucket = self.buckets[index].clone();
        let directory = bucket.directory(&self.settings.out);
        if bucket.is_reduced(&self.settings.out) {
            self.buckets[index].operations = bucket.reduced_operations(&self.settings.out);
            return Ok(());
        }
        if self.settings.reduce_questions == 0 || self.settings.cancel.load(Ordering::Relaxed) {
            return Ok(());
        }
        let place = self.settings.compilers.iter().position(|other| other.to_string() == bucket.triton);
        let Some(place) = place else { return Ok(()) };
        let module = self.file(std::fs::read_to_string(directory.join("input.mlir")), "input.mlir")?;
        let options = self.file(std::fs::read_to_string(directory.join("options.json")), "options.json")?;
        let (Ok(options), Ok(target)) = (serde_json::from_str(&options), bucket.target.parse()) else { return Ok(()) };
        let compile = Compile { target, options, passes: self.settings.passes(bucket.first_case) };
        let effort = Effort {
            jobs: self.settings.jobs,
            max_questions: Some(self.settings.reduce_questions),
            cancel: self.settings.cancel.clone(),
            ..Effort::default()
        };
        let job = Job { effort, hang_after: Some(HANG_AFTER), ..Job::new(compile, module) };
        match minimise(self.compilers[place].as_ref(), &job, &mut ()) {
            Ok(result) if !self.settings.cancel.load(Ordering::Relaxed) => {
                self.buckets[index].operations = Some(result.report.subject.module.size());
                let stored = self.store_reduced(&self.buckets[index], place, &result);
                self.file(stored, "case.toml")?;
                watch.reduced(&self.buckets[index], None);
            }
            Ok(_) => {}
            Err(MinimiseError::Worker(error)) => return Err(error.into()),
            Err(error) => watch.reduced(&self.buckets[index], Some(&error.to_string())),
        }
        Ok(())
    }

    fn store_reduced(&self, bucket: &Bucket, place: usize, result: &Minimised) -> io::Result<()> {
        let directory = bucket.directory(&self.settings.out);
        let triton = &bucket.triton;
        let others = self.settings.compilers.iter().enumerate().filter(|(index, _)| *index != place);
        let versions: Vec<_> =
            others.filter_map(|(_, other)| try_on(other, &result.question, &result.text).ok()).collect();
        let curve = Curve::of(&result.report);
        let summary = ReportSummary {
            triton,
            compile: &result.question,
            judgement: &result.last,
            module: &result.text,
            operations: (result.report.subject.module.size(), result.report.first_cost.operations),
            minimal: result.report.minimal(),
            questions: (result.report.questions, result.report.invalid),
            sightings: result.sightings,
            curve: &curve,
            versions: &versions,
        };
        whole::write(&directory.join("reduced.mlir"), result.text.as_bytes())?;
        whole::write(&directory.join("report.md"), markdown(&summary).as_bytes())?;
        whole::write(&directory.join("curve.svg"), curve.svg().as_bytes())?;
        for aside in &result.asides {
            self.store_aside(&directory, aside)?;
        }
        let mut expectations = vec![Expectation::new(triton, &result.last.signature, None)];
        expectations.extend(versions.iter().map(Expectation::of));
        let case = Case {
            origin: format!("case {} of a campaign with seed {}", bucket.first_case, self.settings.seed),
            module: "reduced.mlir".into(),
            target: bucket.target.clone(),
            passes: match &result.question.passes {
                Passes::Texts { texts } => texts.clone(),
                Passes::Stage { .. } => Vec::new(),
            },
            options: result.question.options.clone(),
            failing: Some(Failing {
                triton: triton.clone(),
                printed: result.last.message.clone(),
                signature: result.last.signature.clone(),
            }),
            expect: expectations,
        };
        whole::write(&directory.join("case.toml"), case.to_toml().map_err(io::Error::other)?.as_bytes()).map(drop)
    }

    /// Another failure that the reduction met: kept beside it, since how many are met depends on how many questions were
    /// asked ahead of their turn.
    fn store_aside(&self, directory: &Path, aside: &Aside) -> io::Result<()> {
        let place = directory.join("asides").join(Bucket::name(&aside.judgement.signature));
        std::fs::create_dir_all(&place)?;
        whole::write(&place.join("input.mlir"), aside.text.as_bytes())?;
        whole::write(&place.join("log.txt"), format!("{}\n", aside.judgement.signature).as_bytes()).map(drop)
    }
}
