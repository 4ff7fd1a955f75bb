//! `tritonsmith reduce`: a failing module becomes the smallest one that fails in the same way.

use super::meter::{Meter, Unit};
use super::output::Output;
use super::own_test::{OwnTest, Task};
use super::run::{self, CompileOptions, Limits, WhichFailure};
use super::watcher::{Stored, WatchedReduction, Watcher};
use super::{Ending, Error, input, install, interrupt, one_of, processors};
use clap::Args;
use serde::Serialize;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tritonsmith::compiler::ingest::Ingested;
use tritonsmith::compiler::plan::{PassSelection, has_layouts};
use tritonsmith::compiler::protocol::Passes;
use tritonsmith::compiler::wheel::{Cache, Triton};
use tritonsmith::compiler::{NestedPass, PassName, Target};
use tritonsmith::corpus::{Case, LocatedCase};
use tritonsmith::judge::releases::{VersionResult, try_on};
use tritonsmith::judge::{SignatureMatch, Trace, Verdict};
use tritonsmith::reduce::{
    Candidate, Effort, Level, MinimiseError, Minimised, ReductionJob, ReferenceCompiler, minimise,
};
use tritonsmith::report::runnable;
use tritonsmith::store::{FindingDirectory, Origin, REDUCED};
use tritonsmith_reducer::{Minimality, SearchReport, Stop};

/// Make a failing module small, keeping the failure
///
/// Takes a pasted log, a `.mlir` file with --target and what options it needs, or the directory of a case. The failing pass
/// is found, and the module just before it is reduced with that pass alone; where LLVM or an assembler fails, the TTGIR that
/// led there is, with all that follows it. The directory of --out gets `reduced.mlir` (always the best so far), `report.md`
/// and `case.toml`. Exit code 1 where the module fails, which is what it should do here, and 0 where it does not.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tritonsmith reduce stderr.log --triton 3.6.0\n  \
                        tritonsmith reduce input.mlir --triton 3.6.0 --target cuda:87 --num-warps 4 --out small")]
pub struct Reduce {
    /// The log, the module, or a case's directory; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The version that fails, or the path of a Python interpreter that has it.
    #[arg(long, value_name = "TRITON")]
    triton: Option<Triton>,
    /// What to compile for, such as cuda:87 or hip:gfx942.
    #[arg(long, value_name = "KIND:ARCH")]
    target: Option<Target>,
    #[command(flatten)]
    options: CompileOptions,
    #[command(flatten)]
    which: WhichFailure,
    /// It is to fail in these passes, written as in a pipeline: `a,b{x=1}`.
    #[arg(long, value_name = "PASSES", value_parser = run::passes)]
    passes: Option<Passes>,
    /// What runs on each candidate: the failing pass, or all passes over the module as given.
    #[arg(long, value_parser = one_of(Level::ALL, Level::word), default_value_t)]
    level: Level,
    /// Where the results go; `NAME.reduced` beside the working directory's files where nothing is said.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How much of the failure must stay: everything, its kind and pass, or that there is one.
    #[arg(long, value_parser = one_of(SignatureMatch::ALL, SignatureMatch::word), default_value_t)]
    keep: SignatureMatch,
    /// Queries in flight at once.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// At most so many queries.
    #[arg(long, value_name = "N", alias = "max-questions")]
    max_queries: Option<u64>,
    /// Search for at most so many seconds.
    #[arg(long, value_name = "SECONDS")]
    max_time: Option<u64>,
    /// Two or more versions: it must fail in the first and pass in the others.
    #[arg(long, value_name = "TRITON", value_delimiter = ',', conflicts_with = "triton")]
    differential: Vec<Triton>,
    #[command(flatten)]
    own_test: OwnTest,
    /// Seconds after which a run counts as one that does not end; 10 where it is that what fails, --timeout otherwise.
    #[arg(long, value_name = "SECONDS", value_parser = run::seconds)]
    hang_after: Option<f64>,
    /// Look for the failure so many times before giving it up: one that happens rarely takes more.
    #[arg(long, value_name = "N", default_value_t = 3)]
    tries: u32,
    /// Begin so many times again from the original module, with the edits in another order; the smallest result counts.
    #[arg(long, value_name = "N", default_value_t = 0)]
    restarts: u32,
    /// Try every pair of edits in the end, as a proof or for what only two edits together can do; takes long.
    #[arg(long)]
    pairs: bool,
    /// Begin anew where the directory of --out has the journal of a reduction that was not finished.
    #[arg(long)]
    fresh: bool,
    /// Versions to try the result with; all that are installed where nothing is said, none for `none`.
    #[arg(long, value_name = "TRITON", value_delimiter = ',')]
    versions: Vec<String>,
    #[command(flatten)]
    limits: Limits,
}

#[derive(Debug, Serialize)]
#[serde(tag = "event", rename = "reduced")]
struct ReducedObject<'a> {
    triton: &'a str,
    target: String,
    verdict: &'a str,
    pass: Option<&'a str>,
    message: &'a str,
    note: Option<&'a str>,
    operations: usize,
    operations_before: usize,
    minimal: bool,
    queries: u64,
    invalid_queries: u64,
    queries_to_last_improvement: u64,
    rate: f64,
    seconds: f64,
    stop: String,
    out: String,
    text: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(tag = "event", rename = "version")]
struct Tried<'a> {
    triton: &'a str,
    verdict: Option<&'a str>,
    signature: String,
    ran: &'a str,
}

impl Reduce {
    /// Reduces one module.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run(&self, output: &mut Output) -> Result<Ending, Error> {
        let case = if self.file.is_dir() { Some(LocatedCase::read(&self.file)?.case) } else { None };
        let module = case.as_ref().map_or_else(|| self.file.clone(), |case| self.file.join(&case.module));
        let input = input::read(&module)?;
        self.which
            .each(&input, output, |found, number, output| self.one(input.clone(), case.as_ref(), found, number, output))
    }

    /// Reduces the module of one failure, the one of that number where there are several.
    fn one(
        &self,
        mut input: input::Input,
        case: Option<&Case>,
        mut found: Ingested,
        number: Option<usize>,
        output: &mut Output,
    ) -> Result<Ending, Error> {
        if let Some(case) = case {
            input.path = self.file.clone();
            found.target = Some(case.compile()?.target);
            found.triton_version = case.failing.as_ref().map(|failing| failing.triton.clone());
        }
        let mut place = self.out.clone().unwrap_or_else(|| default_place(&input.path));
        if let (Some(number), None) = (number, &self.out) {
            place.as_mut_os_string().push(format!("-{number}"));
        } else if let (Some(number), true) = (number, self.which.is_all()) {
            place.push(number.to_string());
        }
        let effort = self.effort(&place)?;
        if let Some(test) = self.own_test.given() {
            let task = Task { text: &found.chosen().text, origin: &input.name, place, effort };
            return test.run(task, output);
        }
        let (failing, passing) = self.differential.split_at(self.differential.len().min(1));
        if failing.len() == 1 && passing.is_empty() {
            return Err(Error::Usage("--differential needs the version that fails and one that passes".to_owned()));
        }
        let specs: Vec<Triton> = self.triton.iter().chain(failing).cloned().collect();
        run::refuse_fork(&specs, &found)?;
        let passes = run::query(self.passes.as_ref(), &found)?;
        let target = run::target(self.target.as_ref(), &found)?;
        let specs = run::tritons(&specs, &found, output)?;
        let spec = specs.into_iter().next().expect("a version is named, or the input names one");
        let options = case.as_ref().map(|case| case.options.clone()).unwrap_or_default();
        let options = self.options.complete_case(options, &found, output);
        // Releases do not have a fork's backend.
        let others = if found.fork.is_some() && self.versions.is_empty() { Vec::new() } else { self.versions(&spec)? };
        let mut limits = self.limits.worker();
        limits.time = self.hang_after().unwrap_or(limits.time);
        let compiler = install::compiler(&spec)?.start(limits, effort.jobs)?;
        let references = passing
            .iter()
            .map(|spec| Ok(ReferenceCompiler::start(&install::compiler(spec)?, self.limits.worker(), effort.jobs)?));
        let references = references.collect::<Result<Vec<_>, Error>>()?;
        let mut job = ReductionJob {
            options,
            level: self.level,
            keep: self.keep,
            hang_after: self.hang_after(),
            references,
            effort,
            request: PassSelection::of_passes(&passes, &found.chosen().text),
            ..ReductionJob::of_input(&found, target)
        };
        match case {
            Some(_) if self.passes.is_some() => {}
            Some(case) if !case.passes.is_empty() || case.stage.is_some() || !has_layouts(&job.module) => {
                job.request = PassSelection::of_passes(&case.compile()?.passes, &job.module);
            }
            _ => {}
        }
        let (triton, version) = (spec.to_string(), compiler.version());
        let subject = WatchedReduction {
            input: job.module.clone(),
            origin: input.name.clone(),
            triton: triton.clone(),
            version: version.clone(),
        };
        let mut watcher = Watcher::new(FindingDirectory::at(place), Some(subject), output);
        let started = Instant::now();
        let result = minimise(compiler.as_ref(), &job, &mut |event| watcher.event(event));
        let stored = watcher.finish()?;
        let minimised = match result {
            Ok(minimised) => minimised,
            Err(MinimiseError::DoesNotFail(trace)) => {
                return Ok(does_not_fail(&spec, &job.target, &trace, &found, output));
            }
            Err(error) => return Err(explain(error, &spec, &stored)),
        };
        warn_of_another(&minimised, &found, output);
        if minimised.located.judgement.verdict == Verdict::Diagnosed {
            output.note(
                "the compiler says that it does not support this, so it may be no bug; it was reduced all the same",
            );
        }
        drop(compiler);
        let tried = try_others(&others, &minimised, output)?;
        let origin = Origin { words: &format!("reduced from {}", input.name), triton: &triton, version: &version };
        stored.directory.finish(origin, &minimised, &tried)?;
        self.tell(&version, &minimised, &tried, &stored, started.elapsed(), output);
        Ok(Ending::Finding)
    }

    fn hang_after(&self) -> Option<Duration> {
        self.hang_after.map(Duration::from_secs_f64)
    }

    /// How hard to try, with the journal of an earlier run taken up unless told otherwise.
    fn effort(&self, place: &Path) -> Result<Effort, Error> {
        let journal = place.join("journal.txt");
        if self.fresh && journal.exists() {
            std::fs::remove_file(&journal).map_err(|source| Error::Save { path: journal.clone(), source })?;
        }
        let jobs = self.jobs.unwrap_or_else(processors).max(1);
        Ok(Effort {
            jobs,
            max_queries: self.max_queries,
            max_time: self.max_time.map(Duration::from_secs),
            limit: self.limits.worker().time,
            hang: false,
            tries: self.tries.max(1),
            restarts: self.restarts,
            pairs: self.pairs,
            refuse_empty: self.own_test.given().is_some(),
            cancel: interrupt::watch(),
            journal: Some(journal),
        })
    }

    /// The installations that the result is tried with.
    fn versions(&self, failing: &Triton) -> Result<Vec<Triton>, Error> {
        match self.versions.as_slice() {
            [] => {
                let installed = Cache::of_user()?.installed()?.into_iter();
                // A fork's backends accept other targets.
                let installed = installed.filter(|entry| match failing {
                    Triton::Release(release) => entry.release.package == release.package,
                    Triton::Python(_) => entry.release.package.word == "triton",
                    Triton::Model(_) => false,
                });
                let specs = installed.map(|entry| Triton::Release(entry.release));
                Ok(specs.filter(|spec| spec != failing).collect())
            }
            [none] if none == "none" => Ok(Vec::new()),
            named => named.iter().map(|text| text.parse().map_err(|error| Error::Usage(format!("{error}")))).collect(),
        }
    }

    fn tell(
        &self,
        version: &str,
        minimised: &Minimised,
        tried: &[VersionResult],
        stored: &Stored,
        time: Duration,
        output: &mut Output,
    ) {
        let report = &minimised.report;
        let (before, after) = (report.first_cost.operations, report.cost.operations);
        let why = why(report);
        output.say(&format!("{before} operations became {after} in {:.0} s: {why}", time.as_secs_f64()));
        output.say(&format!(
            "{} queries, {} of them about a module that does not parse there{}",
            report.queries,
            report.invalid,
            resumed(minimised.resumed)
        ));
        if !minimised.reproduction.steady() {
            output.warn(&format!("it does not fail every time, but {}", minimised.reproduction));
        }
        output.say(&format!("fails with triton {version}: {}", minimised.last.signature));
        for version in tried {
            let what = match &version.untestable {
                Some(why) => format!("not testable: {}", why.lines().next().unwrap_or_default()),
                None => version.judgement.signature.to_string(),
            };
            output.say(&format!("with triton {}: {what} ({})", version.triton, version.ran));
            output.object(&Tried {
                triton: &version.triton,
                verdict: version.untestable.is_none().then(|| version.judgement.verdict.word()),
                signature: what,
                ran: &version.ran,
            });
        }
        output.say(&format!("written: {}", stored.describe()));
        output.module(&runnable(&minimised.text, &minimised.compile.passes));
        output.object(&ReducedObject {
            triton: version,
            target: minimised.compile.target.to_string(),
            verdict: minimised.last.verdict.word(),
            pass: minimised.last.pass.as_deref(),
            message: &minimised.last.message,
            note: minimised.last.note.as_deref(),
            operations: after,
            operations_before: before,
            minimal: report.minimal(),
            queries: report.queries,
            invalid_queries: report.invalid,
            queries_to_last_improvement: report.last_improvement().queries,
            rate: minimised.reproduction.rate(),
            seconds: time.as_secs_f64(),
            stop: why,
            out: stored.directory.path().display().to_string(),
            text: &minimised.text,
        });
    }
}

/// Why a reduction ended, in words.
pub fn why(report: &SearchReport<Candidate>) -> String {
    match &report.stop {
        Stop::Fixpoint if report.minimality == Minimality::Pairs => {
            "no edit and no two edits make it smaller".to_owned()
        }
        Stop::Fixpoint if report.minimal() => "no single edit makes it smaller".to_owned(),
        Stop::Fixpoint => "nothing is left to try".to_owned(),
        Stop::Queries => "stopped at --max-queries".to_owned(),
        Stop::Time => "stopped at --max-time".to_owned(),
        Stop::Cancelled => "stopped by Ctrl-C, the best so far is kept".to_owned(),
        Stop::Test(message) => format!("stopped: {message}"),
    }
}

/// What to say of answers that an earlier run has left.
pub fn resumed(answers: usize) -> String {
    match answers {
        0 => String::new(),
        count => format!(", {count} of them answered in an earlier run"),
    }
}

fn default_place(input: &Path) -> PathBuf {
    let stem = input.file_stem().filter(|stem| *stem != "<stdin>").map_or("stdin".into(), OsStr::to_owned);
    let mut name = stem;
    name.push(".reduced");
    PathBuf::from(name)
}

fn does_not_fail(spec: &Triton, target: &Target, trace: &Trace, found: &Ingested, output: &mut Output) -> Ending {
    let judgement = &trace.judgement;
    let what = match judgement.verdict {
        Verdict::Ok => "every pass runs and every module is valid".to_owned(),
        _ => judgement.signature.to_string(),
    };
    if judgement.verdict == Verdict::RejectedInput {
        let advice = "check the version with --triton: the text may be another version's";
        output.error(&Error::Usage(format!("triton {spec} does not take this module: {what}; {advice}")));
        return Ending::Failed;
    }
    output.say(&format!("this module does not fail with triton {spec} for {target}: {what}"));
    if let Some(why) = &trace.not_run {
        output.note(why);
    }
    if let Some(failure) = &found.failure {
        output
            .note(&format!("the log tells of \"{}\"; give the version that it is from with --triton", failure.message));
    }
    #[derive(Serialize)]
    #[serde(tag = "event", rename = "does-not-fail")]
    struct DoesNotFail<'a> {
        triton: String,
        target: String,
        verdict: &'a str,
        message: &'a str,
    }
    output.object(&DoesNotFail {
        triton: spec.to_string(),
        target: target.to_string(),
        verdict: judgement.verdict.word(),
        message: &judgement.message,
    });
    Ending::Clean
}

fn explain(error: MinimiseError, spec: &Triton, stored: &Stored) -> Error {
    match error {
        MinimiseError::Worker(error) => match error.lacks_pass() {
            Some(lacks) => Error::Usage(format!(
                "{lacks}; the passes are those of the input: name its version with --triton, or other passes with --passes"
            )),
            None => Error::Worker(error),
        },
        MinimiseError::FailsOnReference { .. } => Error::Usage(format!(
            "with triton {spec} {error}; give --differential another version, or --level ttir where it has other passes"
        )),
        MinimiseError::NotAgain(_) => Error::Usage(format!("with triton {spec} {error}; give --tries a larger number")),
        MinimiseError::Stopped => Error::Interrupted(match stored.begun {
            false => "the failure was not seen yet, and nothing is written".to_owned(),
            true => format!(
                "nothing smaller was found yet; {}/{REDUCED} is the module before the failing pass",
                stored.directory.path().display()
            ),
        }),
        error => Error::Usage(format!("with triton {spec} {error}")),
    }
}

/// Says so where the failure that was found is not the one that the log tells of.
fn warn_of_another(minimised: &Minimised, found: &Ingested, output: &mut Output) {
    let told = found.failure.as_ref().and_then(|failure| failure.pass.as_ref());
    // In whatever it is nested, it is the same pass.
    let same = |told: &str, pass: &str| NestedPass::named(pass).iter().any(|pass| PassName(told).same_as(pass.name()));
    if let (Some(told), Some(pass)) = (told, minimised.located.judgement.pass.as_deref())
        && !same(&told.name, pass)
    {
        output.warn(&format!("the log blames {}, but what fails here first is {pass}", told.name));
    }
}

fn try_others(specs: &[Triton], minimised: &Minimised, output: &mut Output) -> Result<Vec<VersionResult>, Error> {
    let mut results = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        let compiler = install::compiler(spec)?;
        let mut meter = Meter::new("trying other versions", Unit::Count);
        meter.update(&format!("triton {spec}"), index as u64, Some(specs.len() as u64));
        match try_on(&compiler, &minimised.compile, &minimised.text) {
            Ok(result) => results.push(result),
            Err(error) => output.warn(&format!("triton {spec} could not be tried: {error}")),
        }
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_name_of_the_input() {
        assert_eq!(default_place("a/b/stderr.log".as_ref()), PathBuf::from("stderr.reduced"));
        assert_eq!(default_place("<stdin>".as_ref()), PathBuf::from("stdin.reduced"));
    }
}
