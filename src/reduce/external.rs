//! shrinkray's protocol for external reducers, so that those who use shrinkray get a reduction of MLIR by MLIR's own rules:
//!
//! ```text
//! shrinkray --reduce-with "tritonsmith external-reducer" ./interesting.sh input.mlir
//! ```
//!
//! It is in the versions of shrinkray from 26.7 on. Both sides write one JSON object a line, with a test case as base64:
//!
//! | from | message | meaning |
//! | --- | --- | --- |
//! | shrinkray | `{"content": …, "interesting": true}` | a test case to work on, if nobody asked about it |
//! | here | `{"content": …}` | is this one interesting? |
//! | shrinkray | `{"content": …, "interesting": false}` | the answer, which names what was asked about |
//! | here | `{"idle": true}` | nothing more can be done to that test case |
//!
//! shrinkray adopts what is interesting and smaller by its own measure, starts this program once, with the number of
//! queries that it answers at the same time in `SHRINKRAY_REDUCER_PARALLELISM`, and ends it by closing its input. A test
//! case that is no valid module is left to shrinkray's other passes.

use super::candidate::Candidate;
use super::same_failure::SlippedBug;
use super::shrink::{Effort, shrink};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tritonsmith_reducer::{Answer, InterestingnessTest, Query};

/// How long to wait for an answer before looking whether it is still wanted.
const POLL: Duration = Duration::from_millis(50);
/// shrinkray has a time limit of its own, which is in the answer; this one is never met.
const LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

/// Answers to what was asked, by content; several where the same is asked more than once.
type Outstanding = Mutex<HashMap<Vec<u8>, Vec<Sender<bool>>>>;

#[derive(Debug, Deserialize)]
struct Feedback {
    content: String,
    interesting: bool,
}

#[derive(Debug, Serialize)]
struct ExternalQuery {
    content: String,
}

#[derive(Debug, Serialize)]
struct Idle {
    idle: bool,
}

/// shrinkray at the other end.
struct Link<W> {
    output: Mutex<W>,
    outstanding: Arc<Outstanding>,
    gone: Arc<AtomicBool>,
}

impl<W: Write> Link<W> {
    fn send(&self, message: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(&line)?;
        output.flush()
    }

    fn query(&self, text: &str) -> io::Result<Receiver<bool>> {
        let (give, take) = channel();
        let mut outstanding = self.outstanding.lock().unwrap_or_else(PoisonError::into_inner);
        outstanding.entry(text.as_bytes().to_vec()).or_default().push(give);
        drop(outstanding);
        self.send(&ExternalQuery { content: STANDARD.encode(text) })?;
        Ok(take)
    }
}

impl<W: Write + Send> InterestingnessTest<Candidate> for Link<W> {
    type SlippedBug = SlippedBug;

    fn answer(&self, query: &Query<'_, Candidate>) -> Answer<SlippedBug> {
        let answer = match self.query(query.case.text()) {
            Ok(answer) => answer,
            Err(error) => return Answer::Failed(format!("shrinkray does not listen: {error}")),
        };
        loop {
            match answer.recv_timeout(POLL) {
                Ok(true) => return Answer::Interesting,
                Ok(false) => return Answer::Uninteresting,
                Err(RecvTimeoutError::Timeout) if !self.gone.load(Ordering::Relaxed) => {}
                Err(_) => return Answer::Failed("shrinkray is gone".to_owned()),
            }
            // The answer to one that is not wanted any more still comes, and finds nobody.
            if query.is_cancelled() {
                return Answer::Cancelled;
            }
        }
    }
}

/// Sorts what comes in into answers and test cases, until there is no more.
fn listen(input: impl BufRead, outstanding: &Outstanding, cases: &Sender<Vec<u8>>) {
    for line in input.split(b'\n') {
        let Ok(line) = line else { return };
        // What is no message is passed over, as shrinkray does it.
        let Ok(feedback) = serde_json::from_slice::<Feedback>(&line) else { continue };
        let Ok(content) = STANDARD.decode(&feedback.content) else { continue };
        let mut waiting = outstanding.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = waiting.get_mut(&content).filter(|senders| !senders.is_empty()).map(|senders| senders.remove(0));
        if let Some(sender) = asked {
            if waiting.get(&content).is_some_and(Vec::is_empty) {
                waiting.remove(&content);
            }
            // Nobody is there where the query was cancelled.
            let _ = sender.send(feedback.interesting);
        } else if feedback.interesting && cases.send(content).is_err() {
            return;
        }
    }
}

/// Serves shrinkray until it closes `input`: reduces each test case as far as it goes, `jobs` queries at a time.
///
/// # Errors
/// `output` cannot be written, for another reason than that shrinkray is gone.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write + Send, jobs: usize) -> io::Result<()> {
    let outstanding = Arc::new(Outstanding::default());
    let gone = Arc::new(AtomicBool::new(false));
    let link = Link { output: Mutex::new(output), outstanding: Arc::clone(&outstanding), gone: Arc::clone(&gone) };
    let (give, cases) = channel();
    // Not joined: where the output fails first, it may wait for input for ever.
    std::thread::spawn(move || {
        listen(input, &outstanding, &give);
        gone.store(true, Ordering::Relaxed);
    });
    let effort = Effort { jobs, limit: LIMIT, ..Effort::default() };
    while let Ok(case) = cases.recv() {
        if let Ok(text) = std::str::from_utf8(&case) {
            // What cannot be reduced here is left as it is; shrinkray has every better module already.
            let _ = shrink(text, "", &link, &effort, &mut |_| {});
        }
        match link.send(&Idle { idle: true }) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            done => done?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read, pipe};

    const MODULE: &str = "module {\n  tt.func @f(%arg0: i32, %arg1: i32) -> i32 {\n    \
        %0 = arith.addi %arg0, %arg1 : i32\n    %1 = arith.muli %0, %arg1 : i32\n    tt.return %1 : i32\n  }\n}\n";

    fn line(content: &str, interesting: bool) -> String {
        format!("{{\"content\": \"{}\", \"interesting\": {interesting}}}\n", STANDARD.encode(content))
    }

    /// Plays shrinkray: hands over `cases` one after the other, accepts what has an addition, and gives the smallest module
    /// that was asked about, by bytes.
    fn play(cases: &[&str]) -> Vec<String> {
        let (input, mut to) = pipe().unwrap();
        let (from, output) = pipe().unwrap();
        let server = std::thread::spawn(move || serve(BufReader::new(input), output, 2));
        let mut from = BufReader::new(from);
        let mut best = Vec::new();
        for case in cases {
            to.write_all(line(case, true).as_bytes()).unwrap();
            let mut smallest = (*case).to_owned();
            loop {
                let mut answer = String::new();
                from.read_line(&mut answer).unwrap();
                let message: serde_json::Value = serde_json::from_str(&answer).unwrap();
                if message["idle"] == true {
                    break;
                }
                let content = STANDARD.decode(message["content"].as_str().unwrap()).unwrap();
                let text = String::from_utf8(content).unwrap();
                let interesting = text.contains("arith.addi");
                if interesting && text.len() < smallest.len() {
                    smallest.clone_from(&text);
                }
                to.write_all(line(&text, interesting).as_bytes()).unwrap();
            }
            best.push(smallest);
        }
        drop(to);
        server.join().unwrap().unwrap();
        let mut rest = String::new();
        from.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
        best
    }

    #[test]
    fn test_cases_are_reduced_one_after_the_other() {
        let best = play(&[MODULE, "this is no module", MODULE]);
        assert!(best[0].contains("arith.addi") && !best[0].contains("arith.muli"), "{}", best[0]);
        assert_eq!(best[1], "this is no module");
        assert_eq!(best[0], best[2]);
    }
}
