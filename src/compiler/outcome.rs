//! The raw facts of one run of passes over one module. Nothing here judges: whether a crash is a bug, whether two failures
//! are the same, is decided by those who read an [`Outcome`]. What is decided here is only which of the ways to end a run
//! took, since that is told in several places: a Python exception, a signal, the text that was printed, a limit.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::protocol::{Died, FailingPass, Metadata, ModuleText, RunAnswer, RunExit, WorkerPhase};

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "how")]
pub enum Exit {
    /// Every pass ran and the module verified after each.
    Ok,
    /// The module did not parse, or not verify before any pass ran. Crashing in the parser counts here: old layouts assert
    /// there in newer wheels.
    NotParsed {
        /// The signal, where the parser crashed.
        signal: Option<i32>,
    },
    /// A pass manager raised an error, and a diagnostic says why.
    PassFailed,
    /// An assertion, a fatal error or a signal. A failure that no diagnostic explains counts here.
    Crashed {
        /// The signal, where the process died of it.
        signal: Option<i32>,
        /// Whether LLVM's crash recovery caught it, so that Python saw an exception.
        caught: bool,
    },
    /// The time limit passed and the process was stopped.
    Hung {
        /// The limit in milliseconds.
        limit_ms: u64,
    },
    /// The process grew beyond the memory limit and was stopped, or its allocator gave up.
    OutOfMemory {
        /// The limit in bytes above the size of an idle worker; `None` where no limit of ours was met.
        limit_bytes: Option<u64>,
    },
    /// The worker as a whole went away or stopped making sense. This says nothing about the module.
    WorkerDied {
        /// Its exit status where there is one.
        status: Option<i32>,
    },
}

/// The raw facts of one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub exit: Exit,
    /// Everything that was printed, Triton's diagnostics among it. The module is called `input.mlir` in it.
    pub stderr: String,
    /// The Python exception, where one was raised.
    pub error: Option<String>,
    /// The pass that failed, where it is known.
    pub failing: Option<FailingPass>,
    /// What the verifier printed of the module that the failing pass left; empty where it is content, nothing where it was
    /// not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<String>,
    /// What was not run, with the reason; the steps before that are what this is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_run: Option<String>,
    /// The kernel's metadata in the end.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub metadata: Metadata,
    /// Module texts that were asked for.
    pub modules: Vec<ModuleText>,
    /// Time in passes.
    #[serde(with = "micros")]
    pub time: Duration,
    /// Microseconds of each pass manager's run: of each pass where the run was stepwise.
    pub micros_each: Vec<u64>,
}

impl Outcome {
    /// Whether every pass ran.
    pub fn is_ok(&self) -> bool {
        self.exit == Exit::Ok
    }

    /// The module as it was after `count` passes, where that was asked for and reached.
    pub fn module_after(&self, count: usize) -> Option<&str> {
        self.modules.iter().find(|kept| kept.after == count).map(|kept| kept.text.as_str())
    }

    /// The module as it was just before the failing pass.
    pub fn before_failing(&self) -> Option<&str> {
        self.module_after(self.failing.as_ref()?.index)
    }

    /// The module after the last pass that was kept.
    pub fn last_module(&self) -> Option<&str> {
        self.modules.last().map(|kept| kept.text.as_str())
    }

    pub(super) fn of_answer(ran: RunAnswer) -> Outcome {
        let exit = match ran.exit {
            RunExit::Ok => Exit::Ok,
            RunExit::NotParsed => Exit::NotParsed { signal: None },
            RunExit::Failed if allocation_failed(&ran.stderr) => Exit::OutOfMemory { limit_bytes: None },
            RunExit::Failed if ran.damaged => Exit::Crashed { signal: None, caught: true },
            RunExit::Failed => Exit::PassFailed,
        };
        Outcome {
            exit,
            stderr: ran.stderr,
            error: ran.error,
            failing: ran.failing,
            rejected: ran.rejected,
            not_run: ran.not_run,
            metadata: ran.metadata,
            modules: ran.modules,
            time: Duration::from_micros(ran.micros),
            micros_each: ran.micros_each,
        }
    }

    pub(super) fn of_death(died: Died) -> Outcome {
        if let Some(limit_ms) = died.limit_ms {
            return Outcome::of_loss(Exit::Hung { limit_ms }, Some(died));
        }
        let exit = match (died.phase, died.signal) {
            _ if allocation_failed(&died.stderr) => Exit::OutOfMemory { limit_bytes: None },
            (WorkerPhase::Parse, signal) => Exit::NotParsed { signal },
            (_, signal) => Exit::Crashed { signal, caught: false },
        };
        Outcome { exit, ..Outcome::of_loss(exit, Some(died)) }
    }

    /// The outcome of a run whose process was lost for a reason that is known here and not there.
    pub(crate) fn of_loss(exit: Exit, died: Option<Died>) -> Outcome {
        let (failing, stderr) = match died {
            Some(Died { phase: WorkerPhase::Run, index: Some(index), text, in_step_ms, stderr, .. }) => {
                let failing = FailingPass::crashed(index, &text.unwrap_or_default());
                (Some(FailingPass { took_ms: in_step_ms, ..failing }), stderr)
            }
            Some(died) => (None, died.stderr),
            None => (None, String::new()),
        };
        Outcome {
            exit,
            stderr,
            error: None,
            failing,
            rejected: None,
            not_run: None,
            metadata: Metadata::new(),
            modules: Vec::new(),
            time: Duration::ZERO,
            micros_each: Vec::new(),
        }
    }
}

/// Whether the allocator is what gave up.
fn allocation_failed(stderr: &str) -> bool {
    ["LLVM ERROR: out of memory", "std::bad_alloc", "MemoryError"].iter().any(|sign| stderr.contains(sign))
}

mod micros {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_micros)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn death(phase: WorkerPhase, signal: i32, stderr: &str) -> Outcome {
        let text = Some("cse".to_owned());
        Outcome::of_death(Died {
            signal: Some(signal),
            exit: None,
            phase,
            index: Some(3),
            text,
            in_step_ms: None,
            limit_ms: None,
            stderr: stderr.into(),
        })
    }

    #[test]
    fn a_death_while_parsing_is_an_input_that_does_not_parse() {
        assert_eq!(death(WorkerPhase::Parse, 6, "").exit, Exit::NotParsed { signal: Some(6) });
        assert_eq!(death(WorkerPhase::Parse, 6, "").failing, None);
    }

    #[test]
    fn a_death_in_a_pass_names_the_pass() {
        let outcome = death(WorkerPhase::Run, 11, "");
        assert_eq!(outcome.exit, Exit::Crashed { signal: Some(11), caught: false });
        assert_eq!(outcome.failing, Some(FailingPass::crashed(3, "cse")));
    }

    #[test]
    fn a_death_behind_the_passes_names_the_call() {
        let text = Some("make_llir optimize_module".to_owned());
        let phase = WorkerPhase::Run;
        let died = Died {
            signal: Some(11),
            exit: None,
            phase,
            index: Some(30),
            text,
            in_step_ms: None,
            limit_ms: None,
            stderr: String::new(),
        };
        let failing = Outcome::of_death(died).failing.unwrap();
        assert_eq!((failing.text.as_str(), failing.call.as_deref()), ("make_llir", Some("optimize_module")));
    }

    #[test]
    fn an_allocator_that_gives_up_is_no_crash() {
        let outcome = death(WorkerPhase::Run, 6, "terminate called after throwing an instance of 'std::bad_alloc'\n");
        assert_eq!(outcome.exit, Exit::OutOfMemory { limit_bytes: None });
    }
}
