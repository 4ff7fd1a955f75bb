//! From what happened to what it means: an [`Outcome`] of a compiler, together with what our own oracle says of the module
//! that came out, becomes a [`Verdict`]; what makes two failures the same bug becomes a [`Signature`].
//!
//! The compiler's room only tells facts and the oracle's room only looks at modules; this one is where they meet, so that
//! reduction, campaigns and replay judge alike.

mod signature;
mod stepwise;

pub use signature::{Keep, Signature};
pub use stepwise::{Invalid, Steps, judge_each};

use crate::compiler::diagnostic::{Diagnostics, FailureKind, ReportedFailure};
use crate::compiler::outcome::{Exit, Outcome};
use crate::{ir, oracle};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the oracles say of an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing is wrong.
    Ok,
    /// A clean error that tells the user what is unsupported: not a bug.
    Diagnosed,
    /// The compiler rejected its own output, or accepted output that our oracle rejects.
    InvalidIr,
    /// An assertion, a signal, a fatal error, or a pass manager that failed without a word.
    Crash,
    /// No end within the time limit.
    Hang,
    /// The module was not valid to begin with.
    RejectedInput,
}

impl Verdict {
    /// Whether it is worth a person's time.
    pub fn is_bug(self) -> bool {
        matches!(self, Verdict::InvalidIr | Verdict::Crash | Verdict::Hang)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Diagnosed => "diagnosed",
            Verdict::InvalidIr => "invalid-ir",
            Verdict::Crash => "crash",
            Verdict::Hang => "hang",
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

/// Judges an outcome. Where it kept the last module, our oracle looks at it, whatever the compiler said.
pub fn judge(outcome: &Outcome) -> Judgement {
    let diagnostics = Diagnostics::parse(&outcome.stderr);
    let failure = diagnostics.failure();
    let pass = outcome.failing.as_ref().map(|failing| pass_name(&failing.text));
    match outcome.exit {
        Exit::Ok => judge_last(outcome, pass),
        Exit::NotParsed { .. } => {
            said(Verdict::RejectedInput, failure.as_ref(), &diagnostics, pass, "the module does not parse")
        }
        Exit::PassFailed => {
            let verdict = match failure.as_ref().map(|failure| failure.kind) {
                Some(FailureKind::Verifier) => Verdict::InvalidIr,
                Some(FailureKind::PassError) => Verdict::Diagnosed,
                _ => Verdict::Crash,
            };
            said(verdict, failure.as_ref(), &diagnostics, pass, "PassManager::run failed without a message")
        }
        Exit::Crashed { signal, .. } => {
            let fallback = signal.map_or_else(|| "crashed".to_owned(), |signal| format!("killed by signal {signal}"));
            said(Verdict::Crash, failure.as_ref(), &diagnostics, pass, &fallback)
        }
        Exit::OutOfMemory { .. } => said(Verdict::Crash, None, &diagnostics, pass, "out of memory"),
        Exit::Hung { limit_ms } => {
            let mut judgement = said(Verdict::Hang, None, &diagnostics, pass, "no end within the time limit");
            judgement.message = format!("no end within {limit_ms} ms");
            judgement
        }
        Exit::WorkerDied { .. } => {
            let why = outcome.error.as_deref().unwrap_or("the worker died");
            said(Verdict::Crash, failure.as_ref(), &diagnostics, pass, why)
        }
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
        telling.map(|note| note.message.clone())
    });
    let message = failure.map_or_else(|| fallback.to_owned(), |failure| failure.message.clone());
    let normalised = failure.map_or_else(|| fallback.to_owned(), |failure| failure.normalised.clone());
    let signature = Signature::new(verdict, pass.as_deref(), &normalised, note.as_deref());
    Judgement { verdict, message, note, pass, signature }
}

/// The compiler is content: is our oracle?
fn judge_last(outcome: &Outcome, pass: Option<String>) -> Judgement {
    let complaint = outcome.last_module().and_then(|text| {
        let module = ir::parse(text).ok()?;
        let report = oracle::judge(&module);
        let first = report.dominance.first().map(ToString::to_string);
        first.or_else(|| report.structure.first().map(ToString::to_string))
    });
    match complaint {
        None => Judgement {
            verdict: Verdict::Ok,
            message: String::new(),
            note: None,
            pass,
            signature: Signature::new(Verdict::Ok, None, "", None),
        },
        Some(message) => {
            let normalised = format!("accepted, but {}", crate::compiler::diagnostic::normalise(&message));
            let signature = Signature::new(Verdict::InvalidIr, pass.as_deref(), &normalised, None);
            Judgement { verdict: Verdict::InvalidIr, message, note: None, pass, signature }
        }
    }
}

/// The name in a pass's pipeline text: what stands before its options, out of any nested pass manager.
pub fn pass_name(text: &str) -> String {
    let inner = match (text.find('('), text.find('{')) {
        (Some(open), brace) if brace.is_none_or(|brace| open < brace) => text[open + 1..].trim_end_matches(')'),
        _ => text,
    };
    inner.split(['{', ',']).next().unwrap_or(inner).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_is_named_without_options_and_anchors() {
        assert_eq!(pass_name("tritongpu-pipeline{num-stages=2 x=(1)}"), "tritongpu-pipeline");
        assert_eq!(pass_name("tt.func(tritonamdgpu-prepare-if-combining)"), "tritonamdgpu-prepare-if-combining");
        assert_eq!(pass_name("cse"), "cse");
    }
}
