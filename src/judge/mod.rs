//! From what happened to what it means: an [`Outcome`] of a compiler, together with what our own oracle says of the module
//! that came out, becomes a [`Verdict`]; what makes two failures the same bug becomes a [`Signature`].
//!
//! The compiler's room only tells facts and the oracle's room only looks at modules; this one is where they meet, so that
//! reduction, campaigns and replay judge alike.

pub mod releases;
mod signature;
mod stage_error;
pub mod trace;

pub use signature::{Accuser, Signature, SignatureMatch};
pub use trace::{Trace, Tracer};

use stage_error::StageError;

use crate::compiler::diagnostic::{Diagnostics, FailureKind, ReportedFailure};
use crate::compiler::outcome::{Exit, Outcome};
use crate::compiler::pipeline::NestedPass;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the oracles say of an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing is wrong.
    Ok,
    /// A clean error that tells the user what is unsupported, or a limit of the hardware: not a bug.
    Diagnosed,
    /// A pass, LLVM or an assembler gave up on a module that verified: a bug until shown otherwise.
    PassFailure,
    /// The compiler rejected its own output, or accepted output that our oracle rejects.
    InvalidIr,
    /// An assertion, a signal, a fatal error, or a pass manager that failed without a word.
    Crash,
    /// A pass has no end within the time limit.
    Hang,
    /// The time limit was passed, and no pass is to blame: behind the passes, or by all of them together.
    Slow,
    /// The module was not valid to begin with.
    RejectedInput,
}

impl Verdict {
    /// Whether it is worth a person's time.
    pub fn is_bug(self) -> bool {
        matches!(self, Verdict::PassFailure | Verdict::InvalidIr | Verdict::Crash | Verdict::Hang)
    }

    /// Whether the compile came to no good end, whoever's fault it is.
    pub fn is_failure(self) -> bool {
        self.is_bug() || matches!(self, Verdict::Diagnosed | Verdict::Slow)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Diagnosed => "diagnosed",
            Verdict::PassFailure => "pass-failure",
            Verdict::InvalidIr => "invalid-ir",
            Verdict::Crash => "crash",
            Verdict::Hang => "hang",
            Verdict::Slow => "slow",
            Verdict::RejectedInput => "rejected-input",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// An outcome judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// What it means.
    pub verdict: Verdict,
    /// The message that says so, as printed; empty where nothing was said.
    pub message: String,
    /// The first note of that message.
    pub note: Option<String>,
    /// The failing pass by its command-line name, where it is known.
    pub pass: Option<String>,
    /// What makes it the same bug as another one.
    pub signature: Signature,
}

impl Judgement {
    /// Nothing is wrong.
    pub fn fine() -> Judgement {
        Judgement::new(Verdict::Ok, String::new())
    }

    /// A judgement with nothing known but what is said.
    pub fn new(verdict: Verdict, message: String) -> Judgement {
        let signature = Signature::new(verdict, None, &message, None);
        Judgement { verdict, message, note: None, pass: None, signature }
    }

    /// The compiler is content, and an oracle is not.
    pub fn accused(oracle: &str, message: &str, pass: Option<&str>) -> Judgement {
        let signature = Signature::new(Verdict::InvalidIr, pass, message, None).by(oracle);
        let (message, pass) = (message.to_owned(), pass.map(str::to_owned));
        Judgement { verdict: Verdict::InvalidIr, message, note: None, pass, signature }
    }

    /// The same with the failing pass named.
    pub fn in_pass(self, pass: &str) -> Judgement {
        let signature = Signature { pass: pass.to_owned(), ..self.signature };
        Judgement { pass: Some(pass.to_owned()), signature, ..self }
    }

    /// The message with its note.
    pub fn with_note(&self) -> String {
        match &self.note {
            Some(note) => format!("{} ({note})", self.message),
            None => self.message.clone(),
        }
    }
}

/// Judges an outcome by what the compiler says; where that is content and kept its last module, our oracles look at it.
pub fn judge(outcome: &Outcome) -> Judgement {
    compilers_word(outcome).unwrap_or_else(|| judge_last(outcome))
}

/// What the compiler says; nothing where it is content.
fn compilers_word(outcome: &Outcome) -> Option<Judgement> {
    let diagnostics = Diagnostics::parse(&outcome.stderr);
    let failure = diagnostics.failure();
    let passes = outcome.failing.as_ref().map(|failing| NestedPass::named(&failing.text));
    let pass = passes.and_then(|passes| Some(passes.first()?.name().to_owned()));
    if let Some(error) = StageError::of(outcome) {
        let signature = Signature::new(error.verdict(), pass.as_deref(), &error.message, None);
        return Some(Judgement { verdict: error.verdict(), message: error.message, note: None, pass, signature });
    }
    Some(match outcome.exit {
        Exit::Ok => return None,
        Exit::NotParsed { .. } => {
            said(Verdict::RejectedInput, failure.as_ref(), &diagnostics, pass, "the module does not parse")
        }
        Exit::PassFailed => {
            let verdict = failure.as_ref().map_or(Verdict::Crash, |failure| complaint(failure, outcome));
            said(verdict, failure.as_ref(), &diagnostics, pass, "PassManager::run failed without a message")
        }
        Exit::Crashed { signal, .. } => {
            let call = outcome.failing.as_ref().and_then(|failing| failing.call.as_deref());
            let within = call.map_or_else(String::new, |call| format!(" in {call}"));
            let fallback = match (signal, &outcome.error) {
                (Some(signal), _) => format!("killed by signal {signal}{within}"),
                // An exception of C++ becomes one of Python's.
                (None, Some(error)) if !error.contains("PassManager::run failed") => error.clone(),
                (None, _) => format!("crashed{within}"),
            };
            said(Verdict::Crash, failure.as_ref(), &diagnostics, pass, &fallback)
        }
        Exit::OutOfMemory { .. } => said(Verdict::Crash, None, &diagnostics, pass, "out of memory"),
        Exit::Hung { limit_ms } => {
            let (verdict, words) = match is_slow(outcome, limit_ms) {
                true => (Verdict::Slow, "the time limit was passed"),
                false => (Verdict::Hang, "no end within the time limit"),
            };
            let mut judgement = said(verdict, None, &diagnostics, pass, words);
            judgement.message = match verdict {
                Verdict::Slow => format!("the limit of {limit_ms} ms was passed here"),
                _ => format!("no end within {limit_ms} ms"),
            };
            judgement
        }
        Exit::WorkerDied { .. } => {
            let why = outcome.error.as_deref().unwrap_or("the worker died");
            said(Verdict::Crash, failure.as_ref(), &diagnostics, pass, why)
        }
    })
}

/// Whether a limit that was passed says nothing of the step in which it was: LLVM and an assembler take long over much
/// code, and the steps before may have used the time up.
fn is_slow(outcome: &Outcome, limit_ms: u64) -> bool {
    outcome
        .failing
        .as_ref()
        .is_some_and(|failing| failing.is_rest_of_stage() || failing.took_ms.is_some_and(|took| took < limit_ms / 2))
}

/// What a diagnostic of a pass means. The verifier's are told by asking it about the module that the pass left, whatever the
/// words; where it was not asked, by the words.
fn complaint(failure: &ReportedFailure, outcome: &Outcome) -> Verdict {
    let by_verifier = match (&outcome.rejected, failure.kind) {
        (Some(rejected), FailureKind::Verifier | FailureKind::PassError) => {
            Diagnostics::parse(rejected).all().any(|entry| entry.message == failure.message)
        }
        (None, kind) => kind == FailureKind::Verifier,
        _ => false,
    };
    match failure.kind {
        _ if by_verifier => Verdict::InvalidIr,
        FailureKind::Verifier | FailureKind::PassError if failure.is_unsupported() => Verdict::Diagnosed,
        FailureKind::Verifier | FailureKind::PassError => Verdict::PassFailure,
        _ => Verdict::Crash,
    }
}

fn said(
    verdict: Verdict,
    failure: Option<&ReportedFailure>,
    diagnostics: &Diagnostics,
    pass: Option<String>,
    fallback: &str,
) -> Judgement {
    let note = failure.and_then(|failure| {
        let entry = diagnostics.all().find(|entry| entry.line == failure.line)?;
        let telling = entry.notes.iter().find(|note| !note.message.starts_with("see current operation"));
        // An assertion has no notes; that it is in another function makes it another bug.
        let function = entry.function.as_ref().map(|function| format!("in {function}"));
        telling.map(|note| note.message.clone()).or(function)
    });
    let message = failure.map_or_else(|| fallback.to_owned(), |failure| failure.message.clone());
    let normalised = failure.map_or_else(|| fallback.to_owned(), |failure| failure.normalised.clone());
    let signature = Signature::new(verdict, pass.as_deref(), &normalised, note.as_deref());
    Judgement { verdict, message, note, pass, signature }
}

/// The compiler is content: are our oracles?
fn judge_last(outcome: &Outcome) -> Judgement {
    let complaint = outcome.last_module().and_then(trace::complaint);
    complaint.map_or_else(Judgement::fine, |(oracle, message)| Judgement::accused(oracle, &message, None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::protocol::{Died, WorkerPhase};

    fn stopped(text: &str, in_step_ms: u64) -> Verdict {
        let (signal, exit, index) = (Some(9), None, Some(7));
        let (text, in_step_ms, stderr) = (Some(text.to_owned()), Some(in_step_ms), String::new());
        let died = Died { signal, exit, phase: WorkerPhase::Run, index, text, in_step_ms, limit_ms: None, stderr };
        judge(&Outcome::of_loss(Exit::Hung { limit_ms: 30_000 }, Some(died))).verdict
    }

    #[test]
    fn a_limit_that_others_used_up_or_that_llvm_passes_is_no_hang() {
        assert_eq!(stopped("cse", 29_000), Verdict::Hang);
        assert_eq!(stopped("cse", 2_000), Verdict::Slow);
        assert_eq!(stopped("make_llir optimize_module", 29_000), Verdict::Slow);
    }
}
