//! A test that stays: a program of the user's own that answers about many candidates.
//!
//! It reads the path of a candidate from each line of its standard input and answers with a line `yes`, `no` or `invalid`
//! on its standard output. Each of the reduction's jobs has one to itself. One that does not answer in time is killed and
//! started again for the next query, as is one that dies over a candidate; if it does so twice over the same one, that
//! candidate is uninteresting. One that answers with other words, or that never answers at all, ends the reduction: the
//! command is not what it should be.

use super::Candidate;
use super::same_failure::SlippedBug;
use super::script::{Desk, TestCommand, TestError, end};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tritonsmith_reducer::{Answer, InterestingnessTest, Query};

/// A line that is longer is no answer.
const LONGEST: usize = 4096;

/// "Does the user's server say `yes`?"
#[derive(Debug)]
pub struct Server {
    command: TestCommand,
    desk: Desk,
    /// One for each job.
    connections: Vec<Mutex<Option<Connection>>>,
    /// Whether there was ever an answer.
    proven: AtomicBool,
}

impl Server {
    /// A test by servers that `command` starts, up to `jobs` of them. Candidates are written into `place`, which is removed
    /// in the end.
    ///
    /// # Errors
    /// The directory cannot be made.
    pub fn new(command: TestCommand, place: &Path, jobs: usize) -> Result<Server, TestError> {
        let connections = (0..jobs.max(1)).map(|_| Mutex::new(None)).collect();
        Ok(Server { command, desk: Desk::new(place)?, connections, proven: AtomicBool::new(false) })
    }

    fn put(&self, query: &Query<'_, Candidate>) -> Result<Answer<SlippedBug>, String> {
        let path = self.desk.put(query.worker, query.case.text())?;
        let slot = self.connections.get(query.worker).ok_or("there are more workers than test servers")?;
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..2 {
            let mut connection = match slot.take() {
                Some(connection) => connection,
                None => Connection::new(&self.command)?,
            };
            match connection.ask(&path, query.limit) {
                Ok(answer) => {
                    self.proven.store(true, Ordering::Relaxed);
                    *slot = Some(connection);
                    return Ok(answer);
                }
                Err(Trouble::Late) => return Ok(Answer::TimedOut),
                Err(Trouble::Words(words)) => {
                    return Err(format!("the test server says `{words}` and not yes, no or invalid"));
                }
                // The candidate may be the cause, or one before it: a new server is asked once more.
                Err(Trouble::Died) => {}
            }
        }
        match self.proven.load(Ordering::Relaxed) {
            true => Ok(Answer::Uninteresting),
            false => Err("the test server ends without an answer".to_owned()),
        }
    }
}

impl InterestingnessTest<Candidate> for Server {
    type SlippedBug = SlippedBug;

    fn answer(&self, query: &Query<'_, Candidate>) -> Answer<SlippedBug> {
        self.put(query).unwrap_or_else(Answer::Failed)
    }
}

/// A running server. It is killed when this is dropped.
#[derive(Debug)]
struct Connection {
    child: Child,
    requests: ChildStdin,
    answers: ChildStdout,
}

/// Why there is no answer.
enum Trouble {
    Late,
    Died,
    Words(String),
}

impl Connection {
    fn new(command: &TestCommand) -> Result<Connection, String> {
        let mut command = command.command(&[]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("the test server cannot be started: {error}"))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(requests), Some(answers)) => Ok(Connection { child, requests, answers }),
            _ => {
                end(&mut child);
                Err("the test server has no standard input and output".to_owned())
            }
        }
    }

    fn ask(&mut self, path: &Path, limit: Duration) -> Result<Answer<SlippedBug>, Trouble> {
        let request = [path.as_os_str().as_encoded_bytes(), b"\n"].concat();
        self.requests.write_all(&request).and_then(|()| self.requests.flush()).map_err(|_| Trouble::Died)?;
        let deadline = Instant::now() + limit;
        let mut line = Vec::new();
        while !line.ends_with(b"\n") {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Trouble::Late);
            }
            let mut fds = [PollFd::new(&self.answers, PollFlags::IN)];
            let wait = Timespec::try_from(left).map_err(|_| Trouble::Late)?;
            match poll(&mut fds, Some(&wait)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => continue,
                Ok(_) => {}
                Err(_) => return Err(Trouble::Died),
            }
            let mut part = [0; 256];
            match self.answers.read(&mut part) {
                Ok(0) | Err(_) => return Err(Trouble::Died),
                Ok(count) => line.extend_from_slice(&part[..count]),
            }
            if line.len() > LONGEST {
                break;
            }
        }
        match String::from_utf8_lossy(&line).trim() {
            "yes" => Ok(Answer::Interesting),
            "no" => Ok(Answer::Uninteresting),
            "invalid" => Ok(Answer::Invalid),
            words => Err(Trouble::Words(words.chars().take(80).collect())),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir;

    fn with(command: &str, check: impl FnOnce(&dyn Fn(&str) -> Result<Answer<SlippedBug>, String>)) {
        let place = tempfile::tempdir().unwrap();
        let server = Server::new(TestCommand::new(command).unwrap(), &place.path().join("candidates"), 1).unwrap();
        check(&|function: &str| {
            let text = format!("module {{ tt.func @{function}() {{ tt.return }} }}");
            let subject = Candidate::new(ir::parse(&text).unwrap());
            server.put(&Query::standalone(&subject, Duration::from_secs(3)))
        });
    }

    /// Answers by the name of the function, in one process.
    const BY_NAME: &str = "while read path; do case $(cat $path) in *@good*) echo yes;; *@bad*) echo no;; \
                           *@odd*) echo invalid;; *@slow*) sleep 60;; *@deadly*) exit 3;; *) echo what;; esac; done;";

    #[test]
    fn words_are_answers() {
        with(BY_NAME, |ask| {
            assert!(matches!(ask("good"), Ok(Answer::Interesting)));
            assert!(matches!(ask("bad"), Ok(Answer::Uninteresting)));
            assert!(matches!(ask("odd"), Ok(Answer::Invalid)));
            assert!(matches!(ask("strange"), Err(why) if why.contains("`what`")));
        });
    }

    #[test]
    fn a_server_that_dies_or_hangs_costs_one_candidate() {
        with(BY_NAME, |ask| {
            assert!(matches!(ask("good"), Ok(Answer::Interesting)));
            assert!(matches!(ask("deadly"), Ok(Answer::Uninteresting)));
            assert!(matches!(ask("slow"), Ok(Answer::TimedOut)));
            assert!(matches!(ask("good"), Ok(Answer::Interesting)));
        });
    }

    #[test]
    fn a_server_that_never_answers_ends_the_reduction() {
        with("exit 1;", |ask| assert!(ask("good").is_err()));
    }
}
