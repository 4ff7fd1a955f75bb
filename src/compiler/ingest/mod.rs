//! Reading what people have: a module in a file, or a log with modules in its middle.
//!
//! [`ingest`] takes bytes and returns modules that a parser can read, the pipeline that was running, the failure and the
//! target and options of the compilation. On the way it removes colours, prefixes of launchers and loggers and quotation
//! marks, and joins lines that a terminal wrapped. The stages, in order; none depends on a later one:
//!
//! | stage | what it does |
//! | --- | --- |
//! | `text` | bytes to lines: decoding, colours, entities, line ends |
//! | `envelope` | lines out of records of JSON, strings with escapes, Markdown |
//! | `prefix` | removes log prefixes, separates lines of different processes |
//! | `hanging`, `wrap` | join wrapped lines |
//! | `modules` | lines to modules, reproducer sections, dump headers |
//! | `settings` | target, warps, stages, versions |
//! | `command` | passes that a command names |
//! | `choice` | which module to work on |
//!
//! [`Ingested::notes`] lists everything that was found, repaired or left out. Whatever the bytes are, the result is a module
//! or an error that says what to do next.

mod advice;
mod choice;
mod command;
mod envelope;
mod hanging;
mod modules;
mod prefix;
mod settings;
mod syntax;
mod text;
mod wrap;

use std::fmt;

use super::diagnostic::{Diagnostics, PassOnOperation, ReportedFailure};
use super::fork::Sign;
use super::pipeline::{Pass, Pipeline, PipelineError};
use super::protocol::Options;
use super::target::Target;

#[derive(Debug, Clone)]
pub struct Ingested {
    /// The complete modules, in order; never empty.
    pub modules: Vec<FoundModule>,
    /// The index of the module to work on.
    pub chosen: usize,
    /// The passes that the input names: the pipeline of a reproducer section, first that of the chosen module, or those of a
    /// command such as `triton-opt`.
    pub pipeline: Option<Pipeline>,
    /// Why passes that the input names cannot be read.
    pub unreadable_pipeline: Option<PipelineError>,
    /// Its text, without line breaks of a terminal.
    pub pipeline_text: Option<String>,
    /// The failure that is looked at: the first that the text reports, unless another one is asked for.
    pub failure: Option<ReportedFailure>,
    /// All failures that have a module, in order, each once.
    pub failures: Vec<FoundFailure>,
    /// The fork of Triton that this is of, where it is one.
    pub fork: Option<Sign>,
    /// Everything that the compiler and Python wrote around the modules.
    pub diagnostics: Diagnostics,
    pub target: Option<Target>,
    pub num_warps: Option<u32>,
    pub num_ctas: Option<u32>,
    pub threads_per_warp: Option<u32>,
    pub num_stages: Option<u32>,
    /// The version of Triton, if the log names one. A hint, not a fact.
    pub triton_version: Option<String>,
    /// Sentences for the user: what was found where, what was repaired, and why this module was chosen.
    pub notes: Vec<String>,
    /// What the text does not say, and the user may have to.
    pub missing: Vec<Missing>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundModule {
    /// The module with its aliases, ready for a parser.
    pub text: String,
    /// For each line of `text`, the line of the input on which it begins, counted from 1.
    pub line_map: Vec<u32>,
    pub role: ModuleRole,
    pub form: AssemblyForm,
}

/// A failure with its module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFailure {
    /// The index of the module.
    pub module: usize,
    /// What failed.
    pub failure: ReportedFailure,
}

/// Why a module is in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModuleRole {
    /// For no known reason, as in a file.
    Plain,
    /// A reproducer section follows: the module is the input of the pass manager that failed.
    Reproducer,
    /// `IR Dump Before`.
    DumpBefore(DumpedPass),
    /// `IR Dump After`.
    DumpAfter(DumpedPass),
    /// `IR Dump After … Failed`: the output of a failing pass, often invalid.
    DumpAfterFailed(DumpedPass),
}

/// The pass that a dump header names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DumpedPass {
    /// The C++ name.
    pub name: String,
    /// The command-line name; since 3.9.0 with the options that the pass ran with.
    pub pass: Option<Pass>,
    /// The operation that the pass runs on.
    pub on: Option<PassOnOperation>,
}

/// MLIR's two assembly forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AssemblyForm {
    /// `tt.load %0 : f32`; the operations inside may still be in generic form.
    Custom,
    /// `"tt.load"(%0) : (f32) -> f32`, as modules print that do not verify.
    Generic,
}

/// Something that the text does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Missing {
    Target,
    NumWarps,
    NumStages,
    TritonVersion,
}

/// Input from which no module can be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IngestError {
    /// Nothing but blanks.
    #[error("the input is empty: paste what Triton printed, or give a .mlir file")]
    Empty,
    #[error("the input is not text ({what}; byte offset {offset}): paste what Triton printed, or give a .mlir file")]
    Binary { offset: usize, what: String },
    #[error("the input has no MLIR module: {found}. {advice}")]
    NoModule { found: String, advice: String },
    /// Lines are missing at the beginning or in the middle of all modules.
    #[error(
        "text is missing: {what}; paste the log again from the line `module` to the closing `}}` at the margin, whole"
    )]
    Gap {
        /// Where, and how it shows.
        what: String,
    },
    /// There are fewer failures with a module.
    #[error("there is no failure {wanted} with a module in this input, but {count}")]
    NoSuchFailure {
        /// The one that was asked for, counted from 1.
        wanted: usize,
        count: usize,
    },
    /// All modules are incomplete.
    #[error(
        "the module that begins in line {begins} is cut off: after line {ends}, {open} brackets are still open; paste the \
         whole module, up to the closing `}}` at the margin"
    )]
    Truncated {
        /// The line of the input on which the module begins, counted from 1.
        begins: u32,
        ends: u32,
        open: usize,
    },
}

/// Reads a file or a pasted log. Time grows linearly with the input.
///
/// # Errors
/// Empty or binary input, no module, or only incomplete modules.
pub fn ingest(input: &[u8]) -> Result<Ingested, IngestError> {
    ingest_failure(input, None)
}

/// The same for one of several failures, by its place in [`Ingested::failures`], counted from 1.
///
/// # Errors
/// Those of [`ingest`], and that there is no such failure.
pub fn ingest_failure(input: &[u8], which: Option<usize>) -> Result<Ingested, IngestError> {
    let mut notes = Vec::new();
    let decoded = text::decode(input)?;
    if decoded.trim().is_empty() {
        return Err(IngestError::Empty);
    }
    let cleaned = text::clean(decoded, &mut notes);
    let mut lines = text::lines(&cleaned);
    envelope::open(&mut lines, &mut notes);
    prefix::strip(&mut lines, &mut notes);
    let lines = hanging::join(lines, &mut notes);
    let lines = wrap::join_wrapped(lines, &mut notes);
    let found = modules::find(&lines);
    let around: Vec<(u32, &str)> = found
        .around
        .iter()
        .filter_map(|index| lines.get(*index))
        .map(|line| (line.number, line.text.as_ref()))
        .collect();
    let diagnostics = Diagnostics::read(&around);
    choice::assemble(found, diagnostics, &around, notes, which)
}

impl Ingested {
    /// The options of a backend that it tells of.
    pub fn options(&self) -> Options {
        let known = [
            ("num_warps", self.num_warps),
            ("num_stages", self.num_stages),
            ("num_ctas", self.num_ctas.filter(|count| *count > 1)),
        ];
        known.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.into()))).collect()
    }

    /// The module to work on.
    pub fn chosen(&self) -> &FoundModule {
        // `chosen` indexes `modules`, which is never empty; the fallback is for callers that changed the fields.
        static NONE: FoundModule = FoundModule {
            text: String::new(),
            line_map: Vec::new(),
            role: ModuleRole::Plain,
            form: AssemblyForm::Custom,
        };
        self.modules.get(self.chosen).or(self.modules.first()).unwrap_or(&NONE)
    }
}

impl Missing {
    /// The command-line option that gives it.
    pub fn flag(self) -> &'static str {
        match self {
            Missing::Target => "--target",
            Missing::NumWarps => "--num-warps",
            Missing::NumStages => "--num-stages",
            Missing::TritonVersion => "--triton",
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, example) = match self {
            Missing::Target => ("target", "cuda:90"),
            Missing::NumWarps => ("number of warps", "4"),
            Missing::NumStages => ("number of stages", "3"),
            Missing::TritonVersion => ("version of Triton", "3.6.0"),
        };
        write!(f, "the input names no {what}: give it with {} {example}", self.flag())
    }
}

impl fmt::Display for ModuleRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModuleRole::Plain => f.write_str("module"),
            ModuleRole::Reproducer => f.write_str("reproducer"),
            ModuleRole::DumpBefore(pass) => write!(f, "dump before {}", pass.name),
            ModuleRole::DumpAfter(pass) => write!(f, "dump after {}", pass.name),
            ModuleRole::DumpAfterFailed(pass) => write!(f, "dump after the failing {}", pass.name),
        }
    }
}
