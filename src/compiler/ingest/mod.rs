//! Reading what people have: a module in a file, or a log with modules in its middle.
//!
//! [`ingest`] takes bytes and gives modules that a parser can read, the pipeline that was running, the failure and what the
//! module was compiled for. On the way it undoes what logs suffer: colours, line ends, prefixes of launchers and loggers,
//! quoting, lines wrapped by a terminal. The stages run in this order, each knowing nothing of the next:
//!
//! | stage | what it does |
//! | --- | --- |
//! | `text` | bytes to lines: decoding, colours, entities, line ends |
//! | `prefix` | log prefixes off, lines of different processes apart |
//! | `wrap` | broken lines together |
//! | `modules` | lines to modules, reproducer sections, dump headers |
//! | `settings` | target, warps, stages, versions |
//! | `choice` | which module to work on |
//!
//! Everything found, repaired or left out is said in [`Ingested::notes`]. Whatever the bytes are, the answer is a result or
//! an error that says what to do next.

mod choice;
mod modules;
mod prefix;
mod settings;
mod syntax;
mod text;
mod wrap;

use std::fmt;

use super::diagnostic::{Diagnostics, Failure, PassOnOperation};
use super::pipeline::{Pass, Pipeline};
use super::protocol::Options;
use super::target::Target;

/// What was found in an input.
#[derive(Debug, Clone)]
pub struct Ingested {
    /// All complete modules, in order. Never empty.
    pub modules: Vec<FoundModule>,
    /// Which of them to work on.
    pub chosen: usize,
    /// The pipeline of the chosen module's reproducer section, or of one that stands alone.
    pub pipeline: Option<Pipeline>,
    /// That pipeline as it stood there, wraps healed.
    pub pipeline_text: Option<String>,
    /// The first failure that the text tells of.
    pub failure: Option<Failure>,
    /// Everything that the compiler and Python wrote around the modules.
    pub diagnostics: Diagnostics,
    /// What was compiled for.
    pub target: Option<Target>,
    /// Warps per block.
    pub num_warps: Option<u32>,
    /// Blocks per cluster.
    pub num_ctas: Option<u32>,
    /// Threads per warp.
    pub threads_per_warp: Option<u32>,
    /// Stages of the software pipeline.
    pub num_stages: Option<u32>,
    /// The version of Triton, where the log happens to name it. A hint, not a fact.
    pub triton_version: Option<String>,
    /// Sentences that say what was found where, what was repaired, and why this module was chosen.
    pub notes: Vec<String>,
    /// What the text does not tell and a person may have to.
    pub missing: Vec<Missing>,
}

/// A module taken out of its surroundings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundModule {
    /// The module with its aliases, ready for a parser.
    pub text: String,
    /// For each line of `text` the line of the input on which it begins, counted from 1.
    pub line_map: Vec<u32>,
    /// What the module is in the log.
    pub role: ModuleRole,
    /// How its operations are written.
    pub form: Form,
}

/// Why a module stands in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModuleRole {
    /// Nothing says so, as in a file.
    Plain,
    /// A reproducer section follows: the module at the start of the pass manager that failed.
    Reproducer,
    /// `IR Dump Before`.
    DumpBefore(DumpedPass),
    /// `IR Dump After`.
    DumpAfter(DumpedPass),
    /// `IR Dump After … Failed`: what a failing pass left behind, often invalid.
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

/// MLIR's two ways of writing an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// `tt.load %0 : f32`; the operations inside may still be in generic form.
    Custom,
    /// `"tt.load"(%0) : (f32) -> f32`, as modules print that do not verify.
    Generic,
}

/// Something that the text does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Missing {
    /// What to compile for.
    Target,
    /// Warps per block.
    NumWarps,
    /// Stages of the software pipeline.
    NumStages,
    /// The version of Triton.
    TritonVersion,
}

/// Input from which no module can be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IngestError {
    /// No bytes, or blanks only.
    #[error("the input is empty: paste what Triton printed, or give a .mlir file")]
    Empty,
    /// No text.
    #[error("the input is not text ({what}; byte offset {offset}): paste what Triton printed, or give a .mlir file")]
    Binary {
        /// Where it stops being text.
        offset: usize,
        /// What gave it away.
        what: String,
    },
    /// Text without a module.
    #[error("the input has no MLIR module: {found}. {advice}")]
    NoModule {
        /// What is there instead.
        found: String,
        /// What to do next.
        advice: String,
    },
    /// Only modules that break off.
    #[error(
        "the module that begins in line {begins} is cut off: after line {ends}, {open} brackets are still open; paste the \
         whole module, up to the closing `}}` at the margin"
    )]
    Truncated {
        /// The line of the input on which the module begins, counted from 1.
        begins: u32,
        /// The last line that belongs to it.
        ends: u32,
        /// How many brackets are open there.
        open: usize,
    },
}

/// Reads a file or a pasted log. Time grows linearly with the input.
///
/// # Errors
/// See [`IngestError`]: empty or binary input, no module, or only modules that are cut off.
pub fn ingest(input: &[u8]) -> Result<Ingested, IngestError> {
    let mut notes = Vec::new();
    let decoded = text::decode(input)?;
    if decoded.trim().is_empty() {
        return Err(IngestError::Empty);
    }
    let cleaned = text::clean(decoded, &mut notes);
    let mut lines = text::lines(&cleaned);
    prefix::strip(&mut lines, &mut notes);
    let lines = wrap::heal(lines, &mut notes);
    let found = modules::find(&lines);
    let around: Vec<(u32, &str)> = found
        .around
        .iter()
        .filter_map(|index| lines.get(*index))
        .map(|line| (line.number, line.text.as_ref()))
        .collect();
    let diagnostics = Diagnostics::read(&around);
    choice::assemble(found, diagnostics, &around, notes)
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
        // `chosen` indexes `modules`, which is never empty; the fallback is for hands that changed the fields.
        static NONE: FoundModule =
            FoundModule { text: String::new(), line_map: Vec::new(), role: ModuleRole::Plain, form: Form::Custom };
        self.modules.get(self.chosen).or(self.modules.first()).unwrap_or(&NONE)
    }

    /// The dump just before the failing pass, where the log has one: of several runs of the pass, the last.
    pub fn before_failing_pass(&self) -> Option<&FoundModule> {
        let pass = self.failure.as_ref()?.pass.as_ref()?;
        choice::before_pass(&self.modules, pass).and_then(|index| self.modules.get(index))
    }
}

impl Missing {
    /// The flag by which a person can tell.
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
