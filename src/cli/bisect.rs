//! `tritonsmith bisect`: which pass breaks a module, and which releases.
//!
//! The pass is looked for first, with the version that is known to be bad or was named; what it says of the failure is
//! what the other releases are compared with.

use super::meter::{Meter, Unit};
use super::output::Output;
use super::run::{self, CompileOptions, Limits, module_of, query, refuse_fork, target};
use super::table::{Table, cut};
use super::{Ending, Error, input, install, interrupt, one_of};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use tritonsmith::compiler::protocol::Passes;
use tritonsmith::compiler::wheel::{Cache, PACKAGES, Triton};
use tritonsmith::compiler::worker::{WorkerError, WorkerLimits};
use tritonsmith::compiler::{Compile, Compiler, Target};
use tritonsmith::corpus::bisect::{History, VersionVerdict, history};
use tritonsmith::corpus::{Expected, LocatedCase, Versions};
use tritonsmith::judge::releases::{VersionError, VersionResult, VersionTrace, lacks, trace_like, try_with};
use tritonsmith::judge::trace::Snapshot;
use tritonsmith::judge::{Accuser, Signature, SignatureMatch, Tracer, Verdict};

/// The oldest release whose passes can be run here.
const OLDEST: &str = "3.0.0";

/// Find the pass after which a module is wrong, and the releases that are bad
///
/// Takes a case, a `.mlir` file or a pasted log. Over passes: the first after which dominance or structure is broken, or
/// which fails itself. Over releases: the first bad one and the first good one again, installing what it needs; by halving
/// where that is enough, by trying all where the answers are not in order. Exit code 1 where something is wrong.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tritonsmith bisect corpus/grouped_gemm_mask_reuse/case.toml\n  \
                        tritonsmith bisect stderr.log --triton 3.6.0 --installed-only")]
pub struct Bisect {
    /// The case, the module, or the log that has it.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The version whose passes are looked at; the newest that is known to be bad where none is given.
    #[arg(long, value_name = "TRITON")]
    triton: Option<Triton>,
    /// What to compile for, such as cuda:87.
    #[arg(long, value_name = "KIND:ARCH")]
    target: Option<Target>,
    #[command(flatten)]
    options: CompileOptions,
    /// Ask about these passes, written as in a pipeline: `a,b{x=1}`.
    #[arg(long, value_name = "PASSES", value_parser = run::passes)]
    passes: Option<Passes>,
    /// Take this failure of a log that has several, counted from 1; the first where nothing is said.
    #[arg(long, value_name = "N")]
    failure: Option<usize>,
    /// Try every release.
    #[arg(long)]
    all: bool,
    /// Only releases that are installed.
    #[arg(long)]
    installed_only: bool,
    /// Only look for the pass.
    #[arg(long, conflicts_with_all = ["all", "installed_only"])]
    no_releases: bool,
    /// How much of a failure must be the same for a release to be bad.
    #[arg(long, value_parser = one_of(SignatureMatch::ALL, SignatureMatch::word), default_value_t = SignatureMatch::Kind)]
    keep: SignatureMatch,
    #[command(flatten)]
    limits: Limits,
}

/// What is to be bisected.
struct BisectSubject {
    module: String,
    compile: Compile,
    /// The failure, where it is known.
    signature: Option<Signature>,
    /// A version that shows it, where one is known.
    bad: Option<Triton>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "culprit")]
struct CulpritObject<'a> {
    triton: &'a str,
    target: String,
    found: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pass: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    passes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    oracle: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "release")]
struct ReleaseObject<'a> {
    triton: &'a str,
    answer: &'a str,
    result: String,
    ran: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "releases")]
struct ReleasesObject<'a> {
    sentence: &'a str,
    first_bad: Option<&'a str>,
    last_bad: Option<&'a str>,
    good_again: Option<&'a str>,
}

impl Bisect {
    /// Bisects.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run(&self, output: &mut Output) -> Result<Ending, Error> {
        let mut subject = self.subject(output)?;
        let mut ending = Ending::Clean;
        let spec = self.triton.clone().or_else(|| subject.bad.clone());
        if let Some(spec) = &spec {
            ending = self.passes(spec, &mut subject, output)?;
        } else if self.no_releases {
            return Err(Error::Usage("whose passes? Name a version with --triton 3.6.0".to_owned()));
        }
        if self.no_releases {
            return Ok(ending);
        }
        let (bad, history) = self.releases(spec.as_ref(), &mut subject, output)?;
        // Only now is it known which version's passes are worth a look.
        if let (None, Some(bad)) = (&spec, bad) {
            self.passes(&bad, &mut subject, output)?;
        }
        let wrong = history.stretches.iter().any(|stretch| stretch.answer == VersionVerdict::Bad);
        Ok(if wrong { Ending::Finding } else { ending })
    }

    fn subject(&self, output: &mut Output) -> Result<BisectSubject, Error> {
        if self.file.is_dir() || self.file.extension().is_some_and(|extension| extension == "toml") {
            return self.case();
        }
        let input = input::read(&self.file)?;
        let found = module_of(&input, self.failure, output)?;
        refuse_fork(self.triton.as_slice(), &found)?;
        if found.fork.is_some() && !self.no_releases && matches!(self.triton, Some(Triton::Python(_))) {
            return Err(Error::Usage(
                "releases do not have the passes of this fork; --no-releases looks for the pass alone".to_owned(),
            ));
        }
        let target = target(self.target.as_ref(), &found)?;
        let passes = query(self.passes.as_ref(), &found)?;
        let options = self.options.complete(&found, output);
        let bad = found.triton_version.as_deref().and_then(|version| version.parse().ok());
        let compile = Compile { target, options, passes };
        Ok(BisectSubject { module: found.chosen().text.clone(), compile, signature: None, bad })
    }

    fn case(&self) -> Result<BisectSubject, Error> {
        let located = LocatedCase::read(&self.file)?;
        let case = &located.case;
        let mut compile = case.compile()?;
        if let Some(target) = &self.target {
            compile.target = target.clone();
        }
        if let Some(passes) = &self.passes {
            compile.passes = passes.clone();
        }
        let named = case.failing.as_ref().map(|failing| failing.triton.clone());
        let known = || {
            let own = case.own_or(&compile.target);
            let bugs = case.expect.iter().filter(|expectation| expectation.target == own && expectation.what.is_bug());
            bugs.filter_map(|expectation| expectation.triton.newest()).next_back()
        };
        let bad = named.or_else(known).and_then(|version| version.parse().ok());
        Ok(BisectSubject { module: located.module.clone(), compile, signature: case.signature().cloned(), bad })
    }

    fn limits(&self, subject: &BisectSubject) -> WorkerLimits {
        let own = self.limits.worker();
        WorkerLimits { time: subject.signature.as_ref().map_or(own.time, |known| known.patience(own.time)), ..own }
    }

    /// Looks for the pass, and takes the failure from it where none is known.
    fn passes(&self, spec: &Triton, subject: &mut BisectSubject, output: &mut Output) -> Result<Ending, Error> {
        let compiler = self.compiler(spec, subject)?;
        let triton = compiler.version();
        // Other releases may have other options; this one was asked for these.
        if self.passes.is_some()
            && let Some(refusal) = lacks(compiler.as_ref(), &subject.compile, &subject.module)?
        {
            return Err(WorkerError::from(refusal).into());
        }
        let traced = match trace_like(&Tracer::new(compiler.as_ref()), &subject.compile, &subject.module) {
            Ok(traced) => traced,
            Err(VersionError::Worker(error)) => return Err(error.into()),
            Err(VersionError::Untestable { why, .. }) => {
                output.warn(&format!("{triton} cannot be tested: {why}"));
                return Ok(Ending::Clean);
            }
        };
        for (step, why) in traced.trace.unread() {
            output.note(&format!("the module after {step} cannot be read here and was not judged: {why}"));
        }
        tell_culprit(&triton, &subject.compile.target.to_string(), &traced, output);
        if traced.trace.blamed().is_none() {
            return Ok(Ending::Clean);
        }
        let judgement = &traced.trace.judgement;
        subject.signature.get_or_insert_with(|| judgement.signature.clone());
        Ok(if judgement.verdict.is_bug() { Ending::Finding } else { Ending::Clean })
    }

    fn compiler(&self, spec: &Triton, subject: &BisectSubject) -> Result<Box<dyn Compiler>, Error> {
        Ok(install::compiler(spec)?.start(self.limits(subject), 1)?)
    }

    /// Looks for the bad releases. Gives the newest bad one, too.
    fn releases(
        &self,
        spec: Option<&Triton>,
        subject: &mut BisectSubject,
        output: &mut Output,
    ) -> Result<(Option<Triton>, History), Error> {
        let names = self.names(spec, output)?;
        if names.is_empty() {
            return Err(Error::Usage("no release is installed; leave --installed-only out".to_owned()));
        }
        let known = spec.or(subject.bad.as_ref()).map(ToString::to_string);
        let bad = known.and_then(|known| names.iter().position(|name| *name == known));
        let bad = bad.filter(|_| subject.signature.is_some());
        let cancel = interrupt::watch();
        let mut meter = Meter::new("trying releases", Unit::Count);
        let mut results: Vec<Option<(VersionVerdict, VersionResult)>> = vec![None; names.len()];
        let mut asked = 0;
        let mut ask = |place: usize| -> Result<VersionVerdict, Error> {
            if cancel.load(Ordering::Relaxed) {
                return Err(Error::Interrupted(format!("{asked} releases were tried")));
            }
            let name = names.get(place).map_or("", String::as_str);
            meter.update(name, asked, Some(names.len() as u64));
            asked += 1;
            let spec: Triton = name.parse().map_err(|_| Error::Usage(format!("`{name}` is no version")))?;
            let compiler = self.compiler(&spec, subject)?;
            let result = try_with(&Tracer::new(compiler.as_ref()), &subject.compile, &subject.module)?;
            let answer = self.answer(&result, subject);
            if let Some(slot) = results.get_mut(place) {
                *slot = Some((answer.clone(), result));
            }
            Ok(answer)
        };
        let history = history(names.len(), bad, self.all, &mut ask)?;
        drop(meter);
        tell_releases(&names, &results, &history, output);
        let newest = history.stretches.iter().rev().find(|stretch| stretch.answer == VersionVerdict::Bad);
        let newest = newest.and_then(|stretch| names.get(stretch.last)?.parse().ok());
        Ok((newest, history))
    }

    /// What a result means. Where no failure is known yet, the first one that is met is the one.
    fn answer(&self, result: &VersionResult, subject: &mut BisectSubject) -> VersionVerdict {
        let own = &result.judgement.signature;
        if result.untestable.is_some() {
            return VersionVerdict::Untestable;
        }
        if own.verdict == Verdict::Ok {
            return VersionVerdict::Good;
        }
        // A clean refusal is not what anybody looks for, unless it is known to be.
        if !own.verdict.is_bug() && subject.signature.is_none() {
            return VersionVerdict::Other;
        }
        if subject.signature.get_or_insert_with(|| own.clone()).matches(own, self.keep) {
            VersionVerdict::Bad
        } else {
            VersionVerdict::Other
        }
    }

    /// The releases to choose from, oldest first.
    fn names(&self, spec: Option<&Triton>, output: &mut Output) -> Result<Vec<String>, Error> {
        let cache = Cache::of_user()?;
        let package = match spec {
            Some(Triton::Release(release)) => release.package,
            _ => PACKAGES[0],
        };
        let installed = cache.installed()?.into_iter().map(|entry| entry.release);
        let mut names: Vec<String> =
            installed.filter(|release| release.package == package).map(|release| release.to_string()).collect();
        if !self.installed_only {
            match cache.known(package) {
                Ok(known) => {
                    let word = |version: String| match package {
                        package if package == PACKAGES[0] => version,
                        package => format!("{}:{version}", package.word),
                    };
                    names.extend(known.into_iter().map(word).filter(|name| is_final(name)));
                }
                Err(error) => output.note(&format!("{error}; only installed releases are tried")),
            }
        }
        let from: Versions = format!("from {OLDEST}").parse().expect("a range of versions");
        names.retain(|name| name.contains(':') || from.contains(name));
        Versions::sort(&mut names);
        Ok(names)
    }
}

/// Whether a version is no candidate for a release.
fn is_final(name: &str) -> bool {
    let number = name.split_once(':').map_or(name, |(_, number)| number);
    number.chars().all(|c| c.is_ascii_digit() || c == '.') || number.contains(".post")
}

fn tell_culprit(triton: &str, target: &str, traced: &VersionTrace, output: &mut Output) {
    let VersionTrace { trace, ran, .. } = traced;
    let passes = trace.steps.len();
    let accused = trace.blamed().and_then(|step| Some((step, step.accusation()?)));
    let text = match accused {
        None => format!("{triton} for {target}: no pass of {passes} leaves anything wrong ({ran})\n"),
        Some((step, (accuser, message))) => {
            let by = match accuser {
                Accuser::Compiler => "it fails",
                Accuser::Oracle(name) => name,
            };
            let (number, name) = (step.index + 1, step.action.name());
            let first = message.lines().next().unwrap_or_default();
            format!("{triton} for {target}: pass {number} of {passes}, `{name}`\n  {by}: {first}\n")
        }
    };
    output.text(&text);
    output.object(&CulpritObject {
        triton,
        target: target.to_owned(),
        found: accused.is_some(),
        pass: accused.map(|(step, _)| step.action.to_string()),
        index: accused.map(|(step, _)| step.index),
        passes,
        oracle: accused.map(|(_, (accuser, _))| accuser.name()),
        message: accused.map(|(_, (_, message))| message),
        before: accused.and_then(|(step, _)| step.before.as_ref().map(Snapshot::text)),
        after: accused.and_then(|(step, _)| step.after.as_ref().map(Snapshot::text)),
    });
}

fn tell_releases(
    names: &[String],
    results: &[Option<(VersionVerdict, VersionResult)>],
    history: &History,
    output: &mut Output,
) {
    let mut table = Table::new(&["triton", "", "result", "what was run"], &[]);
    for (name, result) in names.iter().zip(results) {
        let Some((answer, result)) = result else { continue };
        let word = match answer {
            VersionVerdict::Good => "good",
            VersionVerdict::Bad => "bad",
            VersionVerdict::Other => "other",
            VersionVerdict::Untestable => "untestable",
        };
        let seen = match Expected::of(result) {
            Expected::Untestable(why) => why,
            seen @ Expected::Result(_) => seen.to_string(),
        };
        output.object(&ReleaseObject { triton: name, answer: word, result: seen.clone(), ran: &result.ran });
        table.row(vec![name.clone(), word.to_owned(), cut(&seen, 72), result.ran.clone()]);
    }
    output.text(&table.render());
    let sentence = history.sentence(names);
    output.text(&format!("{sentence}\n"));
    let bad: Vec<_> = history.stretches.iter().filter(|stretch| stretch.answer == VersionVerdict::Bad).collect();
    let name = |release: usize| names.get(release).map(String::as_str);
    let last = bad.last().map(|stretch| stretch.last);
    let again =
        history.stretches.iter().find(|s| s.answer == VersionVerdict::Good && last.is_some_and(|last| s.first > last));
    output.object(&ReleasesObject {
        sentence: &sentence,
        first_bad: bad.first().and_then(|stretch| name(stretch.first)),
        last_bad: last.and_then(name),
        good_again: again.and_then(|stretch| name(stretch.first)),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_no_releases() {
        assert!(["3.6.0", "ascend:3.2.0", "3.2.0.post1"].into_iter().all(is_final));
        assert!(!["3.6.0rc1", "3.6.0.dev1"].into_iter().any(is_final));
    }
}
