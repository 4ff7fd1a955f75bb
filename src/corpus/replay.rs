//! Running cases again: does every version still do what is expected of it?
//!
//! Each pair of a case and one of its targets is tried on each installation. An installation has one worker, or several
//! where there are more threads than installations, and every worker goes through what is left to try of its version.
//! What comes out is compared with the case's expectations both ways: a bug that is gone is as much a change as a new one.
//! Results are in the order of the cases, whatever the order in which they came.

use super::case::LocatedCase;
use super::expect::{Expected, Seen, record};
use super::{CaseError, Expectation};
use crate::compiler::worker::WorkerLimits;
use crate::compiler::{Compile, Compiler, CompilerSpec, Limited, Target};
use crate::judge::Tracer;
use crate::judge::releases::{VersionResult, try_with};
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How to replay.
#[derive(Debug)]
pub struct ReplaySettings<'a> {
    /// The compilers to try everything on.
    pub compilers: &'a [CompilerSpec],
    /// Only these targets; all of a case's where there is none.
    pub targets: &'a [Target],
    /// What one run may cost.
    pub limits: WorkerLimits,
    /// How many workers run at a time.
    pub jobs: usize,
    /// Set to stop; what was tried by then is given.
    pub cancel: &'a AtomicBool,
}

/// How a result compares with what was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// As expected.
    Met,
    /// Nothing was expected, and nothing is wrong.
    Unrecorded,
    /// A bug where none was expected.
    NewlyFailing,
    /// A bug was expected, and there is none any more.
    NewlyFixed,
    /// A bug was expected, and there is another one.
    OtherFailure,
    /// Neither was nor is it a bug, but it is not the same: an error instead of a result, a case that cannot be tested.
    OtherResult,
    /// It could not be tried, since the installation does not work.
    NotRun,
}

impl Change {
    /// What a result means in the light of an expectation.
    pub fn of(expected: Option<&Expected>, seen: &Expected) -> Change {
        match expected {
            None if seen.is_bug() => Change::NewlyFailing,
            None => Change::Unrecorded,
            Some(expected) if expected.admits(seen) => Change::Met,
            Some(expected) => match (expected.is_bug(), seen.is_bug()) {
                (true, true) => Change::OtherFailure,
                // Where it cannot be tested it is not known to be fixed.
                (true, false) if seen.signature().is_none() => Change::OtherResult,
                (true, false) => Change::NewlyFixed,
                (false, true) => Change::NewlyFailing,
                (false, false) => Change::OtherResult,
            },
        }
    }

    /// Whether an expectation is not met, or a bug is there that nobody knew of.
    pub fn is_alarm(self) -> bool {
        !matches!(self, Change::Met | Change::Unrecorded)
    }

    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            Change::Met => "as expected",
            Change::Unrecorded => "not recorded",
            Change::NewlyFailing => "newly failing",
            Change::NewlyFixed => "newly fixed",
            Change::OtherFailure => "other failure",
            Change::OtherResult => "other result",
            Change::NotRun => "not run",
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

/// A case tried on one installation for one target.
#[derive(Debug, Clone)]
pub struct Replayed {
    /// The case, by its position among those that were given.
    pub case: usize,
    /// What the version is called.
    pub triton: String,
    /// What was compiled for.
    pub target: Target,
    /// The expectation's place in the case's list, and what it says.
    pub expected: Option<(usize, Expected)>,
    /// What happened, or why the installation does not work.
    pub result: Result<VersionResult, String>,
    /// How the two compare.
    pub change: Change,
    /// How long it took, the start of a worker left out.
    pub time: Duration,
}

impl Replayed {
    /// What happened, as something to expect.
    pub fn seen(&self) -> Option<Expected> {
        self.result.as_ref().ok().map(Expected::of)
    }
}

/// One thing to try.
struct ReplayTrial<'a> {
    place: usize,
    located: &'a LocatedCase,
    target: Target,
}

/// Tries all cases. `watch` is told each result as it comes, with the number that there will be.
///
/// # Errors
/// A case with a target that is none.
pub fn replay(
    cases: &[LocatedCase],
    settings: &ReplaySettings<'_>,
    watch: &mut dyn FnMut(&Replayed, usize),
) -> Result<Vec<Replayed>, CaseError> {
    let trials = trials(cases, settings.targets)?;
    let versions = settings.compilers.len();
    let total = trials.len() * versions;
    // One lane is one worker of one version; the lanes of a version share what is left to try.
    let next: Vec<AtomicUsize> = (0..versions).map(|_| AtomicUsize::new(0)).collect();
    let lanes = versions * settings.jobs.max(1).div_ceil(versions.max(1));
    let lane = AtomicUsize::new(0);
    let mut done: Vec<((usize, usize), Replayed)> = Vec::with_capacity(total);
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..settings.jobs.clamp(1, lanes.max(1)) {
            let (send, lane, next, trials) = (send.clone(), &lane, &next, &trials);
            scope.spawn(move || {
                loop {
                    let version = match lane.fetch_add(1, Ordering::Relaxed) {
                        lane if lane < lanes => lane % versions,
                        _ => return,
                    };
                    let (Some(spec), Some(next)) = (settings.compilers.get(version), next.get(version)) else {
                        return;
                    };
                    let mut compiler = None;
                    let claim = || next.fetch_add(1, Ordering::Relaxed);
                    while let Some((order, trial)) =
                        Some(claim()).and_then(|at| trials.get(at).map(|trial| (at, trial)))
                        && !settings.cancel.load(Ordering::Relaxed)
                    {
                        let compiler = compiler
                            .get_or_insert_with(|| spec.start(settings.limits, 1).map_err(|error| error.to_string()));
                        let compiler = compiler.as_deref().map_err(String::as_str);
                        if send.send(((order, version), trial.run(spec, compiler, settings.limits.time))).is_err() {
                            return;
                        }
                    }
                }
            });
        }
        drop(send);
        for (order, replayed) in receive {
            watch(&replayed, total);
            done.push((order, replayed));
        }
    });
    done.sort_by_key(|(order, _)| *order);
    Ok(done.into_iter().map(|(_, replayed)| replayed).collect())
}

fn trials<'a>(cases: &'a [LocatedCase], wanted: &[Target]) -> Result<Vec<ReplayTrial<'a>>, CaseError> {
    let mut trials = Vec::new();
    for (place, located) in cases.iter().enumerate() {
        let wrong = |error: crate::compiler::TargetError| CaseError::Content {
            path: located.path.clone(),
            message: error.to_string(),
        };
        let targets = located.case.targets().map_err(wrong)?;
        let wanted = targets.into_iter().filter(|target| wanted.is_empty() || wanted.contains(target));
        trials.extend(wanted.map(|target| ReplayTrial { place, located, target }));
    }
    Ok(trials)
}

impl ReplayTrial<'_> {
    /// How long a run may take.
    fn limit(&self, triton: &str, limit: Duration) -> Duration {
        match self.located.case.expectation(triton, &self.target) {
            Some((_, Expected::Result(signature))) => signature.patience(limit),
            _ => limit,
        }
    }

    fn run(&self, spec: &CompilerSpec, compiler: Result<&dyn Compiler, &str>, limit: Duration) -> Replayed {
        let started = Instant::now();
        let case = &self.located.case;
        let (triton, result) = match compiler {
            Err(broken) => (spec.to_string(), Err(broken.to_owned())),
            Ok(compiler) => {
                let triton = compiler.version();
                let result = case.compile().map_err(|error| error.to_string()).and_then(|compile| {
                    let compile = Compile { target: self.target.clone(), ..compile };
                    let limited = Limited { compiler, time: self.limit(&triton, limit) };
                    try_with(&Tracer::new(&limited), &compile, &self.located.module).map_err(|error| error.to_string())
                });
                (triton, result)
            }
        };
        let expected = case.expectation(&triton, &self.target).map(|(place, expected)| (place, expected.clone()));
        let change = match &result {
            Err(_) => Change::NotRun,
            Ok(result) => Change::of(expected.as_ref().map(|(_, expected)| expected), &Expected::of(result)),
        };
        let (case, target, time) = (self.place, self.target.clone(), started.elapsed());
        Replayed { case, triton, target, expected, result, change, time }
    }
}

/// A case's expectations with what was seen in them. `known` names other versions that exist.
pub fn updated(case: usize, located: &LocatedCase, replayed: &[Replayed], known: &[String]) -> Vec<Expectation> {
    let own = replayed.iter().filter(|replayed| replayed.case == case);
    let seen: Vec<Seen> = own
        .filter_map(|replayed| {
            let target = located.case.own_or(&replayed.target);
            Some(Seen { triton: replayed.triton.clone(), target, what: replayed.seen()? })
        })
        .collect();
    record(&located.case.expect, &seen, known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Signature, Verdict};

    fn result(verdict: Verdict, message: &str) -> Expected {
        Expected::Result(Signature::new(verdict, None, message, None))
    }

    #[test]
    fn changes_are_told_both_ways() {
        let (ok, crash) = (result(Verdict::Ok, ""), result(Verdict::Crash, "a"));
        let (other, diagnosed) = (result(Verdict::Crash, "b"), result(Verdict::Diagnosed, "c"));
        let unread = Expected::Untestable("d".into());
        for (expected, seen, change) in [
            (Some(&ok), &ok, Change::Met),
            (Some(&ok), &crash, Change::NewlyFailing),
            (Some(&unread), &crash, Change::NewlyFailing),
            (Some(&crash), &ok, Change::NewlyFixed),
            (Some(&crash), &diagnosed, Change::NewlyFixed),
            (Some(&crash), &other, Change::OtherFailure),
            (Some(&crash), &unread, Change::OtherResult),
            (Some(&ok), &diagnosed, Change::OtherResult),
            (None, &ok, Change::Unrecorded),
            (None, &crash, Change::NewlyFailing),
        ] {
            assert_eq!(Change::of(expected, seen), change, "{expected:?} {seen:?}");
        }
    }
}
