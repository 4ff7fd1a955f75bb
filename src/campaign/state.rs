//! The state of a campaign: counts and buckets, and what is written to disk when a case or a reduction is committed.

use super::bucket::Bucket;
use super::event::CampaignEvent;
use super::journal::{CampaignJournal, CaseLine, JournalLine};
use super::reduction::{FinishedReduction, Reduction, ReductionError};
use super::run::{CampaignError, CampaignProgress};
use super::trial::CaseOutcome;
use super::{CampaignSettings, MuteList};
use crate::compiler::Compiler;
use crate::reduce::MinimiseError;
use crate::store::{FindingDirectory, Origin};
use std::collections::BTreeMap;
use std::io;

/// What is known so far; only the committing thread has it.
pub(super) struct CampaignState<'a> {
    pub settings: &'a CampaignSettings,
    pub mute: &'a MuteList,
    pub journal: CampaignJournal,
    pub compilers: &'a [Box<dyn Compiler>],
    pub progress: CampaignProgress,
    pub buckets: Vec<Bucket>,
}

impl CampaignState<'_> {
    pub fn file<T>(&self, result: io::Result<T>, name: &str) -> Result<T, CampaignError> {
        result.map_err(|source| CampaignError::File { path: self.settings.out.join(name), source })
    }

    /// Adds a case's line to the counts. Gives the buckets that it opened, each with the position of its result in the line.
    pub fn count(&mut self, line: &CaseLine) -> Vec<(usize, usize)> {
        let mut opened = Vec::new();
        self.progress.count(line);
        for (place, result) in line.other.iter().enumerate() {
            let signature = &result.signature;
            if !signature.verdict.is_bug() {
                continue;
            }
            if self.mute.reason(signature).is_some() {
                self.progress.muted += 1;
                continue;
            }
            let seen_on = format!("{} {}", result.triton, result.target);
            match self.buckets.iter_mut().find(|bucket| bucket.signature == *signature) {
                Some(bucket) => {
                    bucket.count += 1;
                    if !bucket.seen_on.contains(&seen_on) {
                        bucket.seen_on.push(seen_on);
                    }
                }
                None => {
                    opened.push((self.buckets.len(), place));
                    self.buckets.push(Bucket {
                        signature: signature.clone(),
                        first_case: line.case,
                        triton: result.triton.clone(),
                        target: result.target.clone(),
                        count: 1,
                        seen_on: vec![seen_on],
                        operations: None,
                    });
                }
            }
        }
        opened
    }

    /// Stores what is new, then writes the case's line. Gives the buckets that it opened.
    pub fn commit(
        &mut self,
        case: u64,
        outcome: CaseOutcome,
        watch: &mut dyn FnMut(CampaignEvent<'_>),
    ) -> Result<Vec<usize>, CampaignError> {
        let CaseOutcome { ok, failures, operations, passes } = outcome;
        let elapsed_ms = u64::try_from(self.progress.elapsed.as_millis()).unwrap_or(u64::MAX);
        let other = failures.iter().map(|failure| failure.result.clone()).collect();
        let line = CaseLine { case, elapsed_ms, ok, other, passes };
        let opened = self.count(&line);
        for &(index, failure) in &opened {
            let (bucket, failure) = (&self.buckets[index], &failures[failure]);
            let (words, version) = (self.words(bucket), self.compilers[failure.compiler].version());
            let origin = Origin { words: &words, triton: &bucket.triton, version: &version };
            let out = &self.settings.out;
            let stored = bucket.create(out, &failure.module, origin, &failure.compile, &failure.judgement);
            self.file(stored, &bucket.name())?;
        }
        let written = self.journal.append(&JournalLine::Case(line));
        self.file(written, "journal.jsonl")?;
        self.progress.cases_here += 1;
        self.made(operations);
        let opened: Vec<usize> = opened.into_iter().map(|(index, _)| index).collect();
        opened.iter().for_each(|&index| watch(CampaignEvent::Found { bucket: &self.buckets[index] }));
        watch(CampaignEvent::Committed { progress: &self.progress, buckets: &self.buckets });
        Ok(opened)
    }

    /// Counts what a case's modules consist of.
    pub fn made(&mut self, operations: BTreeMap<String, usize>) {
        for (operation, count) in operations {
            *self.progress.operations.entry(operation).or_default() += count as u64;
        }
    }

    /// Stores what a reduction came to, or says why there is nothing to store.
    pub fn commit_reduction(
        &mut self,
        reduction: Reduction,
        watch: &mut dyn FnMut(CampaignEvent<'_>),
    ) -> Result<(), CampaignError> {
        let bucket = &self.buckets[reduction.bucket];
        let FinishedReduction { minimised, versions, problems } = match reduction.result {
            Ok(reduced) => reduced,
            Err(ReductionError::Minimise(MinimiseError::Worker(error))) => return Err(error.into()),
            Err(error) => {
                watch(CampaignEvent::NotReduced { bucket, problem: &error.to_string() });
                return Ok(());
            }
        };
        let (words, version) = (self.words(bucket), self.compilers[reduction.compiler].version());
        let origin = Origin { words: &words, triton: &bucket.triton, version: &version };
        let finding = FindingDirectory::at(bucket.directory(&self.settings.out));
        finding
            .finish(origin, &minimised, &versions)
            .map_err(|error| CampaignError::File { path: error.path, source: error.source })?;
        for problem in problems {
            watch(CampaignEvent::Problem { problem: &format!("{}: {problem}", bucket.name()) });
        }
        self.buckets[reduction.bucket].operations = Some(minimised.report.cost.operations);
        watch(CampaignEvent::Reduced { bucket: &self.buckets[reduction.bucket] });
        Ok(())
    }

    /// Where a bucket's first module came from.
    fn words(&self, bucket: &Bucket) -> String {
        format!("case {} of a campaign with seed {}", bucket.first_case, self.settings.seed)
    }
}
