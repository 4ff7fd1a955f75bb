//! The diagnostics that Triton and MLIR write to stderr, as data.
//!
//! MLIR's diagnostics, LLVM's assertions and fatal errors, and Python's traceback arrive on one stream, in several shapes
//! per version. [`Diagnostics`] lists them in order, with notes under their error and with quoted source lines.
//! [`ReportedFailure`] is the summary: what went wrong, in which pass, and a message without what differs from run to run.
//!
//! Columns stay as printed: they count from 0 up to Triton 3.7.1 and from 1 since 3.8.0.

mod failure;
mod normalise;
mod pass_note;
mod reader;

pub use failure::{FailureKind, ReportedFailure, is_unsupported};
pub use normalise::normalise;
pub(crate) use reader::{is_caret_line, is_mlir_diagnostic};

pub use pass_note::{PassOnOperation, ReportedPass};

/// The diagnostics of a text, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics {
    /// Notes are in the entry that they follow.
    pub entries: Vec<Diagnostic>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The line of the text on which it begins, counted from 1.
    pub line: u32,
    pub kind: DiagnosticKind,
    /// A location in the compiled source or, for assertions, in the compiler's.
    pub location: Option<SourceLocation>,
    /// The message without location and severity. For an assertion it is the asserted expression.
    pub message: String,
    /// The C++ function that an assertion is in, without its arguments and namespaces.
    pub function: Option<String>,
    /// Source lines quoted under a diagnostic, without the line of carets; for a stack dump, its lines.
    pub source: Vec<String>,
    pub notes: Vec<Diagnostic>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DiagnosticKind {
    Error,
    Warning,
    /// A note without an error.
    Note,
    Remark,
    /// A C++ `assert` that failed.
    Assertion,
    /// `LLVM ERROR: …`, that is `llvm::report_fatal_error`.
    FatalError,
    /// `llvm_unreachable` was reached.
    Unreachable,
    /// An exception of C++ that nobody caught.
    Exception,
    /// A signal, reported by the process or the pass manager.
    Signal,
    /// A stack dump of LLVM's signal handler.
    StackDump,
    /// The last line of a Python traceback.
    PythonException,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SourceLocation {
    /// As printed.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// As printed; absent for C++ assertions.
    pub column: Option<u32>,
}

impl Diagnostics {
    /// Reads a text, such as the stderr of one run.
    pub fn parse(text: &str) -> Self {
        let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
        Self::read(&lines)
    }

    /// Reads numbered lines. Leaving printed modules out saves time.
    pub fn read(lines: &[(u32, &str)]) -> Self {
        Diagnostics { entries: reader::read(lines) }
    }

    /// Entries and their notes, in order.
    pub fn all(&self) -> impl Iterator<Item = &Diagnostic> {
        self.entries.iter().flat_map(|entry| std::iter::once(entry).chain(&entry.notes))
    }

    /// The first failure; `None` if the text reports none.
    pub fn failure(&self) -> Option<ReportedFailure> {
        ReportedFailure::of(self)
    }
}
