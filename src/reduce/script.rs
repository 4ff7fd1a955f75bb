//! An interestingness test of the user's own: a program that gets the path of a candidate and answers by its exit code.
//!
//! Exit code 0 is interesting, as for every reducer but mlir-reduce. As for `git bisect run`, 125 says that the candidate
//! cannot be tested, which counts as invalid. Anything else, a signal too, is uninteresting. The program is the first of a
//! process group of its own, which is killed as a whole when the time limit passes or nobody waits for the answer any more.
//! Several run at once, each with a file of its own.

use super::Candidate;
use super::same_failure::SlippedBug;
use crate::identity::Identity;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tritonsmith_reducer::{Answer, InterestingnessTest, Query};

/// The exit code of a test that cannot tell.
const UNTESTABLE: i32 = 125;
/// The longest nap while a program runs.
const NAP: Duration = Duration::from_millis(20);

/// A test that cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// The directory for the candidates cannot be made.
    #[error("{path} cannot be made for the candidates: {source}", path = path.display())]
    Place {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The program cannot be read, so that a change of it would go unnoticed.
    #[error("the test {path} cannot be read: {source}", path = path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is nothing to run.
    #[error("the command of the test is empty")]
    Empty,
}

/// What a user gives as a test: the path of a program, or a line for the shell, to which the candidate's path is appended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCommand(Form);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    Program(PathBuf),
    Line(String),
}

impl TestCommand {
    /// Reads it. A path is made absolute.
    ///
    /// # Errors
    /// [`TestError::Empty`].
    pub fn new(text: &str) -> Result<TestCommand, TestError> {
        if text.trim().is_empty() {
            return Err(TestError::Empty);
        }
        Ok(TestCommand(match std::fs::canonicalize(text) {
            Ok(path) if path.is_file() => Form::Program(path),
            _ => Form::Line(text.to_owned()),
        }))
    }

    /// The process to start, the first of its group.
    pub(super) fn command(&self, arguments: &[&Path]) -> Command {
        let mut command = match &self.0 {
            Form::Program(path) => Command::new(path),
            Form::Line(line) => {
                let mut command = Command::new("sh");
                command.arg("-c").arg(format!("{line} \"$@\"")).arg("sh");
                command
            }
        };
        command.args(arguments).process_group(0);
        command
    }

    /// What makes it the same test as another one: the program's path and content, or the line.
    ///
    /// # Errors
    /// [`TestError::Unreadable`].
    pub fn identity(&self) -> Result<Identity, TestError> {
        match &self.0 {
            Form::Program(path) => {
                let unreadable = |source| TestError::Unreadable { path: path.clone(), source };
                let content = std::fs::read(path).map_err(unreadable)?;
                Ok(Identity::of([path.as_os_str().as_encoded_bytes(), &content]))
            }
            Form::Line(line) => Ok(Identity::of([line])),
        }
    }
}

/// Kills a process with all that it has started, and waits for it.
pub(super) fn end(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // It may be gone already.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.wait();
}

/// The files that candidates are written to, one for each worker, so that the disk holds no more than these.
#[derive(Debug)]
pub(super) struct Desk(PathBuf);

impl Desk {
    pub(super) fn new(place: &Path) -> Result<Desk, TestError> {
        let failed = |source| TestError::Place { path: place.to_owned(), source };
        std::fs::create_dir_all(place).map_err(failed)?;
        // The test may run in another directory.
        Ok(Desk(std::fs::canonicalize(place).map_err(failed)?))
    }

    /// Writes a worker's candidate.
    pub(super) fn put(&self, worker: usize, text: &str) -> Result<PathBuf, String> {
        let path = self.0.join(format!("candidate-{worker}.mlir"));
        match std::fs::write(&path, text) {
            Ok(()) => Ok(path),
            Err(error) => Err(format!("{} cannot be written: {error}", path.display())),
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// "Does the user's program exit with 0?"
#[derive(Debug)]
pub struct Script {
    command: TestCommand,
    desk: Desk,
}

impl Script {
    /// A test by `command`. Candidates are written into `place`, which is removed in the end.
    ///
    /// # Errors
    /// The directory cannot be made.
    pub fn new(command: TestCommand, place: &Path) -> Result<Script, TestError> {
        Ok(Script { command, desk: Desk::new(place)? })
    }

    fn run(&self, query: &Query<'_, Candidate>) -> Result<Answer<SlippedBug>, String> {
        let path = self.desk.put(query.worker, query.case.text())?;
        let mut command = self.command.command(&[&path]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("the test cannot be run: {error}"))?;
        let start = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) => {
                    return Ok(match status.code() {
                        Some(0) => Answer::Interesting,
                        Some(UNTESTABLE) => Answer::Invalid,
                        _ => Answer::Uninteresting,
                    });
                }
                Ok(None) => {}
                Err(error) => {
                    end(&mut child);
                    return Err(format!("the test cannot be waited for: {error}"));
                }
            }
            let elapsed = start.elapsed();
            if elapsed >= query.limit || query.is_cancelled() {
                end(&mut child);
                return Ok(if elapsed >= query.limit { Answer::TimedOut } else { Answer::Cancelled });
            }
            // In proportion, so that neither a quick test nor the processor waits in vain.
            std::thread::sleep((elapsed / 16).clamp(Duration::from_micros(200), NAP));
        }
    }
}

impl InterestingnessTest<Candidate> for Script {
    type SlippedBug = SlippedBug;

    fn answer(&self, query: &Query<'_, Candidate>) -> Answer<SlippedBug> {
        self.run(query).unwrap_or_else(Answer::Failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir;

    fn answer(line: &str, limit: Duration) -> Answer<()> {
        let place = tempfile::tempdir().unwrap();
        let script = Script::new(TestCommand::new(line).unwrap(), &place.path().join("candidates")).unwrap();
        let module = Candidate::new(ir::parse("module { tt.func @f() { tt.return } }").unwrap());
        match script.answer(&Query::standalone(&module, limit)) {
            Answer::Interesting => Answer::Interesting,
            Answer::Uninteresting => Answer::Uninteresting,
            Answer::Invalid => Answer::Invalid,
            Answer::TimedOut => Answer::TimedOut,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn exit_codes_are_answers() {
        let long = Duration::from_secs(20);
        assert_eq!(answer("grep -q tt.func", long), Answer::Interesting);
        assert_eq!(answer("grep -q tt.call", long), Answer::Uninteresting);
        assert_eq!(answer("exit 125;", long), Answer::Invalid);
        assert_eq!(answer("kill -9 $$;", long), Answer::Uninteresting);
    }

    #[test]
    fn what_a_test_has_started_ends_with_it() {
        let start = Instant::now();
        assert_eq!(answer("sleep 30 & sleep 30;", Duration::from_millis(100)), Answer::TimedOut);
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_test_needs_a_command() {
        assert!(matches!(TestCommand::new(" "), Err(TestError::Empty)));
    }
}
