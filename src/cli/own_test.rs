//! Reducing by a test of the user's own: no Triton is started here, and what counts is what the test says.

use super::output::Output;
use super::watcher::Watcher;
use super::{Ending, Error};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use tritonsmith::reduce::{Effort, MinimiseError, Script, Server, Shrunk, TestCommand, TestError, shrink};
use tritonsmith::report::{Curve, TestSummary, test_markdown};
use tritonsmith::store::FindingDirectory;

/// What is interesting, said by somebody else than Triton.
#[derive(Debug, Args)]
pub struct OwnTest {
    /// Keep what this program exits with 0 for, and start no Triton here.
    ///
    /// A path, or a line for the shell; the candidate's path is appended to it. Exit code 125 says that the candidate
    /// cannot be tested, any other that it is not interesting.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["test_server", "triton", "differential"])]
    test: Option<String>,
    /// The same by a program that stays: it reads a candidate's path from each line of its standard input and answers
    /// with a line `yes`, `no` or `invalid`. Every job has one to itself.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["triton", "differential"])]
    test_server: Option<String>,
}

/// What is reduced and where it goes.
#[derive(Debug)]
pub struct Task<'a> {
    /// The module.
    pub text: &'a str,
    /// Where it came from.
    pub origin: &'a str,
    /// The directory for the results.
    pub place: PathBuf,
    /// How hard to try.
    pub effort: Effort,
}

#[derive(Debug, Serialize)]
#[serde(tag = "event", rename = "reduced")]
struct Reduced<'a> {
    test: &'a str,
    operations: usize,
    operations_before: usize,
    minimal: bool,
    questions: u64,
    invalid_questions: u64,
    questions_to_last_improvement: u64,
    rate: f64,
    seconds: f64,
    stop: &'a str,
    out: String,
    text: &'a str,
}

impl OwnTest {
    /// Whether there is one.
    pub fn is_given(&self) -> bool {
        self.test.is_some() || self.test_server.is_some()
    }

    /// Reduces by it.
    ///
    /// # Errors
    /// The test cannot be run, the module is none or not interesting, the results cannot be written.
    pub fn run(&self, task: Task<'_>, output: &mut Output) -> Result<Ending, Error> {
        let line = self.test.as_ref().or(self.test_server.as_ref()).map_or("", String::as_str);
        let usage = |error: TestError| Error::Usage(error.to_string());
        let command = TestCommand::new(line).map_err(usage)?;
        let identity = format!("test {}", command.identity());
        let candidates = task.place.join(".candidates");
        let mut watcher = Watcher::new(FindingDirectory::at(task.place), None, output);
        let result = if self.test.is_some() {
            let script = Script::new(command, &candidates).map_err(usage)?;
            shrink(task.text, &identity, &script, &task.effort, &mut watcher)
        } else {
            let server = Server::new(command, &candidates, task.effort.jobs).map_err(usage)?;
            shrink(task.text, &identity, &server, &task.effort, &mut watcher)
        };
        let directory = watcher.finish()?.directory;
        let shrunk = result.map_err(|error| explain(error, line))?;
        directory.best(&shrunk.text)?;
        let summary = TestSummary { origin: task.origin, command: line, shrunk: &shrunk };
        directory.put("curve.svg", &Curve::of(&shrunk.report).svg())?;
        directory.put("report.md", &test_markdown(&summary))?;
        tell(line, &shrunk, directory.path(), output);
        Ok(Ending::Finding)
    }
}

fn explain(error: MinimiseError, line: &str) -> Error {
    match error {
        MinimiseError::NotAgain(sightings) => Error::Usage(format!(
            "the module is not interesting to `{line}` to begin with: {sightings} was the exit code 0; run it by hand on \
             the module, or give --tries if it happens only sometimes"
        )),
        MinimiseError::Stopped => Error::Interrupted("nothing was asked yet, and nothing is written".to_owned()),
        error => Error::Usage(error.to_string()),
    }
}

fn tell(line: &str, shrunk: &Shrunk, out: &Path, output: &mut Output) {
    let report = &shrunk.report;
    let (before, after) = (report.first_cost.operations, report.cost.operations);
    let seconds = report.curve.last().expect("it begins with the module as given").elapsed.as_secs_f64();
    let why = super::reduce::why(report);
    output.say(&format!("{before} operations became {after}, the last after {seconds:.1} s: {why}"));
    output.say(&format!(
        "{} questions, {} of them about a module that cannot be tested{}",
        report.questions,
        report.invalid,
        super::reduce::resumed(shrunk.resumed)
    ));
    output.say(&format!("written: {}/reduced.mlir, report.md, curve.svg", out.display()));
    output.module(&shrunk.text);
    output.object(&Reduced {
        test: line,
        operations: after,
        operations_before: before,
        minimal: report.minimal(),
        questions: report.questions,
        invalid_questions: report.invalid,
        questions_to_last_improvement: report.questions_to_last_improvement(),
        rate: report.rate,
        seconds,
        stop: &why,
        out: out.display().to_string(),
        text: &shrunk.text,
    });
}
