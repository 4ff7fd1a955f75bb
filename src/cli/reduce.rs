//! `tritonsmith reduce`: a failing module becomes the smallest one that fails in the same way.

use super::meter::{Meter, Unit};
use super::output::Output;
use super::plan::{self, Part, PlanError, Wanted};
use super::results::Results;
use super::run::{self, CompileOptions, Limits};
use super::{Ending, Error, input, install, interrupt};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tritonsmith::compiler::ingest::Ingested;
use tritonsmith::compiler::protocol::{Options, Passes, RefusalKind};
use tritonsmith::compiler::wheel::{Cache, Installation, Triton};
use tritonsmith::compiler::worker::{Pool, WorkerError};
use tritonsmith::compiler::{PassName, Target};
use tritonsmith::corpus::{VersionResult, try_on};
use tritonsmith::judge::{Judgement, Keep, Verdict};
use tritonsmith::reduce::{
    Aside, Candidate, Compile, Cost, Job, Level, Located, MinimiseError, Minimised, Watch, minimise,
};
use tritonsmith_reducer::{Asked, Decision, Progress, Stop};

/// How often a failure is looked for before it is believed.
const FIRST_CHECKS: u32 = 3;

/// Make a failing module small, keeping the failure
///
/// Takes a pasted log, or a `.mlir` file with --target and what options it needs. The failing pass is found, and the module
/// just before it is reduced with that pass alone as the question. The directory of --out gets `reduced.mlir` (always the
/// best so far), `report.md` and `case.toml`. Exit code 1 where the module fails, which is what it should do here, and 0
/// where it does not.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tritonsmith reduce stderr.log --triton 3.6.0\n  \
                        tritonsmith reduce input.mlir --triton 3.6.0 --target cuda:87 --num-warps 4 --out small")]
pub struct Reduce {
    /// The log, or the module; `-` is standard input.
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
    /// What is run for each question: the failing pass, or all passes over the module as given.
    #[arg(long, value_enum, default_value_t)]
    level: Level,
    /// Where the results go; `NAME.reduced` beside the working directory's files where nothing is said.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How much of the failure must stay: everything, its kind and pass, or that there is one.
    #[arg(long, value_enum, default_value_t)]
    keep: Keep,
    /// Questions in flight at once.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Ask at most so many questions.
    #[arg(long, value_name = "N")]
    max_questions: Option<u64>,
    /// Search for at most so many seconds.
    #[arg(long, value_name = "SECONDS")]
    max_time: Option<u64>,
    /// Versions to try the result with; all that are installed where nothing is said, none for `none`.
    #[arg(long, value_name = "TRITON", value_delimiter = ',')]
    versions: Vec<String>,
    #[command(flatten)]
    limits: Limits,
}

#[derive(Debug, Serialize)]
#[serde(tag = "event", rename = "reduced")]
struct Reduced<'a> {
    triton: &'a str,
    target: String,
    verdict: &'a str,
    pass: Option<&'a str>,
    message: &'a str,
    note: Option<&'a str>,
    operations: usize,
    operations_before: usize,
    minimal: bool,
    questions: u64,
    invalid_questions: u64,
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
        let input = input::read(&self.file)?;
        let found = run::module_of(&input, output)?;
        let named: Vec<Target> = self.target.iter().cloned().collect();
        let targets = run::targets(&named, &found)?;
        let specs: Vec<Triton> = self.triton.iter().cloned().collect();
        let specs = run::tritons(&specs, &found, output)?;
        let (Some(target), Some(spec)) = (targets.into_iter().next(), specs.into_iter().next()) else {
            return Err(Error::Usage("give --target and --triton".to_owned()));
        };
        let options = self.options.complete(&found, output);
        let others = self.versions(&spec)?;
        let cancel = interrupt::watch();
        let installation = install::installation(&spec)?;
        let jobs = self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1);
        let pool = Pool::start(&installation, self.limits.worker(), jobs)?;
        let wanted = run::wanted_of(&found);
        let compile = compile(&pool, &wanted, target, options)?;
        let mut job = Job {
            compile,
            module: found.chosen().text.clone(),
            level: self.level,
            keep: self.keep,
            jobs,
            max_questions: self.max_questions,
            max_time: self.max_time.map(Duration::from_secs),
            first_checks: FIRST_CHECKS,
            cancel,
        };
        let place = self.out.clone().unwrap_or_else(|| default_place(&input.path));
        let mut watcher = Watcher::new(Results::at(place), output);
        let started = Instant::now();
        let mut result = minimise(&pool, &job, &mut watcher);
        if let (Err(MinimiseError::Worker(WorkerError::Refused(refusal))), Wanted::Log(_, instead)) = (&result, &wanted)
            && refusal.kind == RefusalKind::Pass
        {
            watcher.output.note(&format!("the log's pipeline is not this version's ({refusal}); its own is run"));
            job.compile = self::compile(&pool, instead, job.compile.target.clone(), job.compile.options.clone())?;
            result = minimise(&pool, &job, &mut watcher);
        }
        let results = watcher.finish()?;
        let minimised = match result {
            Ok(minimised) => minimised,
            Err(MinimiseError::DoesNotFail(judgement)) => {
                return Ok(does_not_fail(&spec, &job.compile.target, &judgement, &found, output));
            }
            Err(error) => return Err(explain(error, &spec)),
        };
        warn_of_another(&minimised, &found, output);
        let version = pool.with(|worker| worker.hello().triton.clone());
        drop(pool);
        let tried = try_others(&others, &minimised, output)?;
        results.write(&input.name, &version, &minimised, &tried)?;
        self.tell(&version, &minimised, &tried, &results, started.elapsed(), output);
        Ok(Ending::Finding)
    }

    /// The installations that the result is tried with.
    fn versions(&self, failing: &Triton) -> Result<Vec<Triton>, Error> {
        match self.versions.as_slice() {
            [] => {
                let installed = Cache::of_user()?.installed()?.into_iter();
                // A fork's backends accept other targets.
                let installed = installed.filter(|entry| match failing {
                    Triton::Release(release) => entry.release.package == release.package,
                    _ => entry.release.package.word == "triton",
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
        results: &Results,
        time: Duration,
        output: &mut Output,
    ) {
        let report = &minimised.report;
        let (before, after) = (report.first_cost.operations, report.cost.operations);
        let why = match &report.stop {
            Stop::Fixpoint if report.minimal() => "no single edit makes it smaller".to_owned(),
            Stop::Fixpoint => "nothing is left to try".to_owned(),
            Stop::Questions => "stopped at --max-questions".to_owned(),
            Stop::Time => "stopped at --max-time".to_owned(),
            Stop::Cancelled => "stopped by Ctrl-C, the best so far is kept".to_owned(),
            Stop::Predicate(message) => format!("stopped: {message}"),
        };
        output.say(&format!("{before} operations became {after} in {:.0} s: {why}", time.as_secs_f64()));
        output.say(&format!(
            "{} questions, {} of them about a module that does not parse there",
            report.questions, report.invalid
        ));
        if report.rate < 1.0 {
            output.warn(&format!("it does not fail every time: {:.0} % of the runs do", report.rate * 100.0));
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
        output.say(&format!("written: {}", results.describe()));
        output.module(&minimised.text);
        output.object(&Reduced {
            triton: version,
            target: minimised.question.target.to_string(),
            verdict: minimised.last.verdict.word(),
            pass: minimised.last.pass.as_deref(),
            message: &minimised.last.message,
            note: minimised.last.note.as_deref(),
            operations: after,
            operations_before: before,
            minimal: report.minimal(),
            questions: report.questions,
            invalid_questions: report.invalid,
            rate: report.rate,
            seconds: time.as_secs_f64(),
            stop: why,
            out: results.place().display().to_string(),
            text: &minimised.text,
        });
    }
}

fn default_place(input: &std::path::Path) -> PathBuf {
    let stem = input.file_stem().filter(|stem| *stem != "<stdin>").map_or("stdin".into(), |stem| stem.to_owned());
    let mut name = stem;
    name.push(".reduced");
    PathBuf::from(name)
}

/// The passes that a module goes through: the log's own, or those that the installation's backend would run.
fn compile(pool: &Pool, wanted: &Wanted, target: Target, options: Options) -> Result<Compile, Error> {
    let segments =
        pool.with(|worker| plan::segments(worker, wanted, &Part::default(), &target, &options)).map_err(|error| {
            match error {
                PlanError::Worker(error) => Error::Worker(error),
                error => Error::Usage(error.to_string()),
            }
        })?;
    let texts = segments.into_iter().flat_map(|segment| segment.names).collect();
    Ok(Compile { target, options, passes: Passes::Texts { texts } })
}

fn does_not_fail(
    spec: &Triton,
    target: &Target,
    judgement: &Judgement,
    found: &Ingested,
    output: &mut Output,
) -> Ending {
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

fn explain(error: MinimiseError, spec: &Triton) -> Error {
    match error {
        MinimiseError::Worker(error) => Error::Worker(error),
        MinimiseError::Stopped => Error::Interrupted("the failure was not seen yet, and nothing is written".to_owned()),
        error => Error::Usage(format!("with triton {spec} {error}")),
    }
}

/// Says so where the failure that was found is not the one that the log tells of.
fn warn_of_another(minimised: &Minimised, found: &Ingested, output: &mut Output) {
    let told = found.failure.as_ref().and_then(|failure| failure.pass.as_ref());
    if let (Some(told), Some(pass)) = (told, minimised.located.judgement.pass.as_deref())
        && !PassName(&told.name).same_as(pass)
    {
        output.warn(&format!("the log blames {}, but what fails here first is {pass}", told.name));
    }
}

fn try_others(specs: &[Triton], minimised: &Minimised, output: &mut Output) -> Result<Vec<VersionResult>, Error> {
    let mut results = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        let installation: Installation = install::installation(spec)?;
        let mut meter = Meter::new("trying other versions", Unit::Count);
        meter.update(&format!("triton {spec}"), index as u64, Some(specs.len() as u64));
        match try_on(&installation, &minimised.question, &minimised.text) {
            Ok(result) => results.push(result),
            Err(error) => output.warn(&format!("triton {spec} could not be tried: {error}")),
        }
    }
    Ok(results)
}

/// Shows how far a reduction is and keeps the best module on disk.
struct Watcher<'o> {
    results: Results,
    output: &'o mut Output,
    meter: Meter,
    step: String,
    asides: usize,
    failure: Option<Error>,
}

impl<'o> Watcher<'o> {
    fn new(results: Results, output: &'o mut Output) -> Self {
        let meter = Meter::new("reducing", Unit::Words);
        Watcher { results, output, meter, step: String::new(), asides: 0, failure: None }
    }

    fn show(&mut self, progress: &Progress<Cost>) {
        let seconds = progress.elapsed.as_secs_f64().max(0.001);
        let (left, asked) = (progress.cost.operations, progress.questions);
        let rate = progress.asked as f64 / seconds;
        let words = format!("{left} operations left, {asked} questions, {rate:.0} a second, {}", self.step);
        self.meter.update(&words, asked, None);
    }

    fn keep(&mut self, done: Result<(), Error>) {
        if let Err(error) = done {
            self.failure.get_or_insert(error);
        }
    }

    fn finish(self) -> Result<Results, Error> {
        drop(self.meter);
        self.failure.map_or(Ok(self.results), Err)
    }
}

impl Watch for Watcher<'_> {
    fn located(&mut self, located: &Located, question: &Compile) {
        self.output.say(&format!("found: {}", located.judgement.signature));
        if let Passes::Texts { texts } = &question.passes {
            let how = match texts.len() {
                1 => "that pass alone".to_owned(),
                count => format!("{count} passes"),
            };
            self.output.say(&format!("the question: {how}, for {}", question.target));
        }
        let text = match (&question.passes, located.index) {
            (Passes::Texts { texts }, _) if texts.len() == 1 => &located.before,
            _ => return,
        };
        let done = self.results.best(text);
        self.keep(done);
    }

    fn step(&mut self, step: &str, _: usize, progress: &Progress<Cost>) {
        step.clone_into(&mut self.step);
        self.show(progress);
    }

    fn asked(&mut self, _: &Asked<'_>, progress: &Progress<Cost>) {
        self.show(progress);
    }

    fn smaller(&mut self, best: &Candidate, _: &[Decision], progress: &Progress<Cost>) {
        let done = self.results.best(best.text());
        self.keep(done);
        self.show(progress);
    }

    fn aside(&mut self, aside: &Aside) {
        self.asides += 1;
        let done = self.results.aside(self.asides, aside);
        self.keep(done);
    }
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
