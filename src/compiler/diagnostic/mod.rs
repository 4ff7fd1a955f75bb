//! What Triton and MLIR write to stderr, as data.
//!
//! MLIR's diagnostics, LLVM's assertions and fatal errors, and Python's traceback arrive on one stream, in several shapes
//! per version. [`Diagnostics`] lists them in the order in which they stand there, notes under the error that they belong
//! to, quoted source lines with them. [`ReportedFailure`] is the one thing that a reader wants first: what went wrong, in which
//! pass, and a message with everything taken out that differs from run to run.
//!
//! Columns stay as printed: they count from 0 up to Triton 3.7.1 and from 1 since 3.8.0.

mod failure;
mod normalise;
mod pass_note;
mod reader;

pub use failure::{FailureKind, ReportedFailure};
pub use normalise::normalise;
pub(crate) use reader::{is_caret_line, is_mlir_diagnostic};

pub use pass_note::{PassOnOperation, ReportedPass};

/// Everything found in one stream of text, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnostics {
    /// Errors, assertions, exceptions and the like; notes are inside the entry that they follow.
    pub entries: Vec<Diagnostic>,
}

/// One entry of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The line of the text on which it begins, counted from 1.
    pub line: u32,
    /// What it is.
    pub kind: DiagnosticKind,
    /// Where in the compiled source or, for assertions, in the compiler's source; not every kind has one.
    pub location: Option<SourceLocation>,
    /// The message without location and severity. For an assertion it is the asserted expression.
    pub message: String,
    /// Source lines quoted under a diagnostic, without the line of carets; for a stack dump, its lines.
    pub source: Vec<String>,
    /// Notes that followed.
    pub notes: Vec<Diagnostic>,
}

/// The kinds of things that are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DiagnosticKind {
    /// An MLIR error.
    Error,
    /// An MLIR warning.
    Warning,
    /// An MLIR note that follows no error.
    Note,
    /// An MLIR remark.
    Remark,
    /// A C++ `assert` that failed.
    Assertion,
    /// `LLVM ERROR: …`, that is `llvm::report_fatal_error`.
    FatalError,
    /// `llvm_unreachable` was reached.
    Unreachable,
    /// The process or the pass manager tells of a signal.
    Signal,
    /// A stack dump of LLVM's signal handler.
    StackDump,
    /// The last line of a Python traceback.
    PythonException,
}

/// A place in a source file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SourceLocation {
    /// The path as printed.
    pub file: String,
    /// Line, counted from 1.
    pub line: u32,
    /// Column as printed; absent for C++ assertions.
    pub column: Option<u32>,
}

impl Diagnostics {
    /// Reads a whole text, such as the stderr of one run. Line numbers count from 1.
    pub fn parse(text: &str) -> Self {
        let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
        Self::read(&lines)
    }

    /// Reads numbered lines; modules printed among them are best left out, being only searched in vain.
    pub fn read(lines: &[(u32, &str)]) -> Self {
        Diagnostics { entries: reader::read(lines) }
    }

    /// All entries and their notes, in order.
    pub fn all(&self) -> impl Iterator<Item = &Diagnostic> {
        self.entries.iter().flat_map(|entry| std::iter::once(entry).chain(&entry.notes))
    }

    /// The passes that MLIR names as failing, in order; several when several compilations failed.
    pub fn failing_passes(&self) -> Vec<ReportedPass> {
        self.all().filter_map(|entry| ReportedPass::read(&entry.message)).collect()
    }

    /// The first failure, summed up; `None` where nothing failed as far as the text tells.
    pub fn failure(&self) -> Option<ReportedFailure> {
        ReportedFailure::of(self)
    }
}
