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
struct OwnTestObject<'a> {
    test: &'a str,
    operations: usize,
    operations_before: usize,
    minimal: bool,
    queries: u64,
    invalid_queries: u64,
    queries_to_last_improvement: u64,
    rate: f64,
    seconds: f64,
    stop: &'a str,
    out: String,
    text: &'a str,
}

/// Which of the two it is, with its command.
#[derive(Debug, Clone, Copy)]
pub enum Given<'a> {
    /// `--test`
    Program(&'a str),
    /// `--test-server`
    Server(&'a str),
}

impl OwnTest {
    /// The test, if there is one.
    pub fn given(&self) -> Option<Given<'_>> {
        let server = || self.test_server.as_deref().map(Given::Server);
        self.test.as_deref().map(Given::Program).or_else(server)
    }
}

impl Given<'_> {
    /// Reduces by it.
    ///
    /// # Errors
    /// The test cannot be run, the module is none or not interesting, the results cannot be written.
    pub fn run(self, task: Task<'_>, output: &mut Output) -> Result<Ending, Error> {
        let (Given::Program(line) | Given::Server(line)) = self;
        let usage = |error: TestError| Error::Usage(error.to_string());
        let command = TestCommand::new(line).map_err(usage)?;
        let identity = format!("test {}", command.identity().map_err(usage)?);
        let candidates = task.place.join(".candidates");
        let mut watcher = Watcher::new(FindingDirectory::at(task.place), None, output);
        let result = match self {
            Given::Program(_) => {
                let script = Script::new(command, &candidates).map_err(usage)?;
                shrink(task.text, &identity, &script, &task.effort, &mut |event| watcher.event(event))
            }
            Given::Server(_) => {
                let server = Server::new(command, &candidates, task.effort.jobs).map_err(usage)?;
                shrink(task.text, &identity, &server, &task.effort, &mut |event| watcher.event(event))
            }
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
        MinimiseError::NotAgain(reproduction) => Error::Usage(format!(
            "the module is not interesting to `{line}` ({reproduction}); run it by hand on the module, or give --tries if \
             the failure happens only sometimes"
        )),
        MinimiseError::AcceptsEmpty => Error::Usage(format!(
            "`{line}` accepts an empty module, so that nothing would be left of this one; have it reject modules that do \
             not show the failure, with an exit code other than 0 or the answer `no`"
        )),
        MinimiseError::Stopped => Error::Interrupted("nothing was tested yet, and nothing is written".to_owned()),
        error => Error::Usage(error.to_string()),
    }
}

fn tell(line: &str, shrunk: &Shrunk, out: &Path, output: &mut Output) {
    let report = &shrunk.report;
    let (before, after) = (report.first_cost.operations, report.cost.operations);
    let seconds = report.last_improvement().elapsed.as_secs_f64();
    let why = super::reduce::why(report);
    output.say(&format!("{before} operations became {after}, the last after {seconds:.1} s: {why}"));
    output.say(&format!(
        "{} queries, {} of them about a module that cannot be tested{}",
        report.queries,
        report.invalid,
        super::reduce::resumed(shrunk.resumed)
    ));
    output.say(&format!("written: {}/reduced.mlir, report.md, curve.svg", out.display()));
    output.module(&shrunk.text);
    output.object(&OwnTestObject {
        test: line,
        operations: after,
        operations_before: before,
        minimal: report.minimal(),
        queries: report.queries,
        invalid_queries: report.invalid,
        queries_to_last_improvement: report.last_improvement().queries,
        rate: shrunk.reproduction.rate(),
        seconds,
        stop: &why,
        out: out.display().to_string(),
        text: &shrunk.text,
    });
}
