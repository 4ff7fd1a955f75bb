//! The first failure that a text reports.
//!
//! The closing `error: Failures have been detected while processing an MLIR pass pipeline` is never the message: it only
//! says that there was one. If several compilations failed in one log, the entries up to the first note that names a
//! failing pass belong to the first.

use super::{Diagnostic, DiagnosticKind, Diagnostics, ReportedPass, SourceLocation, normalise};

/// How a compilation failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureKind {
    /// MLIR's verifier, or an operation's own, rejected the module.
    Verifier,
    /// A pass reported an error, such as an unsupported target.
    PassError,
    /// A C++ assertion.
    Assertion,
    /// `LLVM ERROR` or unreachable code.
    FatalError,
    /// An exception of C++.
    Exception,
    /// A signal without a message.
    Signal,
    /// The pass manager failed without a message.
    Unexplained,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedFailure {
    pub kind: FailureKind,
    /// The message as printed; the expression for an assertion.
    pub message: String,
    /// The message after [`normalise`], for assertions with the file name of the C++ source appended. Signatures are built
    /// from it.
    pub normalised: String,
    /// A location in the compiled source or, for an assertion, in the compiler's.
    pub location: Option<SourceLocation>,
    /// The pass that was running, if the text names it.
    pub pass: Option<ReportedPass>,
    /// The line of the message in the text, counted from 1.
    pub line: u32,
}

/// Beginnings of messages that end a failure and explain nothing.
const CLOSING: &str = "Failures have been detected";
const CAUGHT: &str = "A signal was caught";
const DESTROYED: &str = "operation destroyed but still has uses";

/// Parts of the messages of MLIR's own verifier (`mlir/lib/IR/Verifier.cpp` and the traits in `Operation.cpp`), for those
/// that do not begin with the name of an operation.
const VERIFIER: [&str; 8] = [
    "does not dominate this use",
    "block with no terminator",
    "expect at least a terminator",
    "must terminate its parent block",
    "using value defined outside the region",
    "branching to block of a different region",
    "isolated from above",
    "null operand found",
];

impl ReportedFailure {
    pub(super) fn of(diagnostics: &Diagnostics) -> Option<Self> {
        let entries = &diagnostics.entries;
        let names_pass =
            |entry: &Diagnostic| entry.notes.iter().chain([entry]).find_map(|entry| ReportedPass::read(&entry.message));
        let end = entries.iter().position(|entry| names_pass(entry).is_some());
        let first = entries.get(..end.map_or(entries.len(), |end| end + 1)).unwrap_or_default();
        let pass = end.and_then(|end| entries.get(end)).and_then(names_pass);
        let (kind, entry) = Self::explanation(first).or_else(|| Self::leftover(first, &diagnostics.entries))?;
        let mut normalised = normalise(&entry.message);
        if kind == FailureKind::Assertion
            && let Some(location) = &entry.location
        {
            normalised.push_str(" in ");
            normalised.push_str(&normalise(&location.file));
        }
        if kind == FailureKind::Unexplained || entry.message.starts_with(CAUGHT) {
            normalised = match kind {
                FailureKind::Signal => "signal".to_owned(),
                _ => "no message".to_owned(),
            };
        }
        let location = entry.location.clone();
        Some(ReportedFailure { kind, message: entry.message.clone(), normalised, location, pass, line: entry.line })
    }

    /// Whether the message says that something is not supported, so that it is the answer and not the failure.
    pub fn is_unsupported(&self) -> bool {
        is_unsupported(&self.message)
    }

    /// The first entry that says what is wrong.
    fn explanation(entries: &[Diagnostic]) -> Option<(FailureKind, &Diagnostic)> {
        let (kind, entry) = entries.iter().find_map(|entry| {
            let kind = match entry.kind {
                DiagnosticKind::Assertion => FailureKind::Assertion,
                DiagnosticKind::FatalError | DiagnosticKind::Unreachable => FailureKind::FatalError,
                DiagnosticKind::Exception => FailureKind::Exception,
                DiagnosticKind::Error if entry.message.starts_with(CLOSING) || entry.message.starts_with(CAUGHT) => {
                    return None;
                }
                // The diagnostic of a fatal error that follows it.
                DiagnosticKind::Error if entry.message.contains(DESTROYED) => FailureKind::FatalError,
                DiagnosticKind::Error if is_verifier(&entry.message) => FailureKind::Verifier,
                DiagnosticKind::Error => FailureKind::PassError,
                _ => return None,
            };
            Some((kind, entry))
        })?;
        Some((kind, entry))
    }

    /// Without an explanation: a signal, or just the failure.
    fn leftover<'d>(first: &'d [Diagnostic], all: &'d [Diagnostic]) -> Option<(FailureKind, &'d Diagnostic)> {
        let signal = |entry: &&Diagnostic| entry.kind == DiagnosticKind::Signal || entry.message.starts_with(CAUGHT);
        let closing = |entry: &&Diagnostic| {
            entry.message.starts_with(CLOSING)
                || (entry.kind == DiagnosticKind::PythonException && entry.message.contains("PassManager::run failed"))
                || ReportedPass::read(&entry.message).is_some()
        };
        let found = first.iter().find(signal).map(|entry| (FailureKind::Signal, entry));
        found.or_else(|| all.iter().find(closing).map(|entry| (FailureKind::Unexplained, entry)))
    }
}

/// Words of a message that tells the user what the compiler does not do.
const UNSUPPORTED: [&str; 6] =
    ["unsupported", "not supported", "does not support", "doesn't support", "not implemented", "only supported"];

/// Whether a message says that something is not supported.
pub fn is_unsupported(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    !message.contains("legalize") && UNSUPPORTED.iter().any(|words| message.contains(words))
}

/// Whether a message is a verifier's: `'op' op …` as `emitOpError` writes it, or one of MLIR's general ones.
fn is_verifier(message: &str) -> bool {
    let of_operation = message.strip_prefix('\'').and_then(|rest| rest.split_once('\'')).is_some_and(|(name, rest)| {
        !name.is_empty() && rest.starts_with(" op ") && !rest.contains("legalize") && !rest.contains("unsupported")
    });
    of_operation || VERIFIER.iter().any(|part| message.contains(part))
}
