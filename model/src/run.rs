//! Runs passes, verifies the module after each, and describes a failure as MLIR does.

use super::pass::{Context, PassError, Setup};
use super::{Model, ModelPass};
use std::fmt;
use tritonsmith_ir::{Definition, Module, Span};
use tritonsmith_oracle::{self as oracle, dominance, structure};

/// A pass that failed, or left an invalid module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pass}: {message}")]
pub struct PassFailure {
    /// Its position among the passes that were run, from 0.
    pub index: usize,
    pub pass: ModelPass,
    pub kind: PassFailureKind,
    /// The first error, in one line.
    pub message: String,
    /// The diagnostics that MLIR would print.
    pub diagnostics: Vec<Message>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassFailureKind {
    /// Our oracle rejects the module that it left.
    Invalid,
    /// It reported an error: it does not support the module.
    Diagnosed,
    /// An assertion or a fatal error.
    Crashed,
    /// It took too many steps.
    Endless {
        /// How many it may take.
        steps: u64,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its location: an empty span for operations without one, `None` for lines that have none in MLIR either.
    pub at: Option<Span>,
    /// The line without its location.
    pub text: String,
}

impl Message {
    pub fn at(span: Span, text: impl Into<String>) -> Message {
        Message { at: Some(span), text: text.into() }
    }
}

impl Model {
    /// Runs passes over a module, and verifies it after each with [`Model::verify_each`]. `after` gets the number of passes
    /// that have run, and the module.
    ///
    /// # Errors
    /// The pass that failed. The module is as that pass left it.
    pub fn transform(
        &self,
        module: &mut Module,
        passes: &[ModelPass],
        setup: &Setup,
        mut after: impl FnMut(usize, &Module),
    ) -> Result<(), PassFailure> {
        for (index, &pass) in passes.iter().enumerate() {
            self.step(module, index, pass, setup)?;
            after(index + 1, module);
        }
        Ok(())
    }

    /// Runs one pass, number `index` of its pipeline, and verifies the module that it left.
    ///
    /// # Errors
    /// As for [`Model::transform`].
    pub fn step(&self, module: &mut Module, index: usize, pass: ModelPass, setup: &Setup) -> Result<(), PassFailure> {
        let steps = super::pass::steps_for(module.walk().len());
        let context = Context::new(self.faults, setup, module);
        let failure = |kind, message: String, diagnostics| PassFailure { index, pass, kind, message, diagnostics };
        match pass.apply(module, &context) {
            Ok(()) => {}
            Err(PassError::Endless) => {
                return Err(failure(
                    PassFailureKind::Endless { steps },
                    format!("no end after {steps} steps"),
                    Vec::new(),
                ));
            }
            Err(PassError::Assertion { expression, file, line }) => {
                let text = format!("tritonsmith: {file}:{line}: {pass}: Assertion `{expression}' failed.");
                return Err(failure(PassFailureKind::Crashed, text.clone(), vec![Message { at: None, text }]));
            }
            Err(PassError::Fatal { op, message }) => {
                let (span, name) = (module.op(op).span, module.op_name(op));
                let error = Message::at(span, format!("error: '{name}' op {message}"));
                let fatal = Message { at: None, text: format!("LLVM ERROR: {message}") };
                return Err(failure(PassFailureKind::Crashed, message.to_owned(), vec![error, fatal]));
            }
            Err(PassError::Error { op, message }) => {
                let error = Message::at(module.op(op).span, format!("error: {message}"));
                return Err(failure(PassFailureKind::Diagnosed, message, vec![error]));
            }
        }
        match self.verify_each.then(|| verify(module)).flatten() {
            Some((message, diagnostics)) => Err(failure(PassFailureKind::Invalid, message, diagnostics)),
            None => Ok(()),
        }
    }
}

/// The first violation in a module. As in MLIR's verifier, errors of operations come before errors of dominance, and only
/// the first is reported.
pub fn verify(module: &Module) -> Option<(String, Vec<Message>)> {
    let report = oracle::judge(module);
    let of_structure = report.structure.first().map(|violation| structure_message(module, violation));
    of_structure.or_else(|| report.dominance.first().map(|violation| dominance_message(module, violation)))
}

fn structure_message(module: &Module, violation: &structure::StructureViolation) -> (String, Vec<Message>) {
    let (span, name) = (module.op(violation.op).span, module.op_name(violation.op));
    let text = format!("'{name}' op {}", violation.message);
    (text.clone(), vec![Message::at(span, format!("error: {text}"))])
}

fn dominance_message(module: &Module, violation: &dominance::DominanceViolation) -> (String, Vec<Message>) {
    let place = violation.place;
    let dominance::ViolationPlace::Use(place) = place else {
        let dominance::ViolationPlace::Definition(span) = place else { return (String::new(), Vec::new()) };
        let text = violation.to_string();
        return (text.clone(), vec![Message::at(span, format!("error: {text}"))]);
    };
    let (span, name) = (module.op(place.op).span, module.op_name(place.op));
    let text = match violation.kind {
        dominance::DominanceViolationKind::NeverDefined => {
            format!("'{name}' op operand #{} is never defined", place.operand)
        }
        dominance::DominanceViolationKind::Isolated => format!("'{name}' op using value defined outside the region"),
        _ => format!("operand #{} does not dominate this use", place.operand),
    };
    let mut messages = vec![Message::at(span, format!("error: {text}"))];
    let whereabouts = match violation.kind {
        dominance::DominanceViolationKind::BeforeDefinition => "in the same block",
        dominance::DominanceViolationKind::OtherBlock => "in the same region",
        dominance::DominanceViolationKind::ChildRegion => "in a child region",
        dominance::DominanceViolationKind::ParentRegion | dominance::DominanceViolationKind::OwnRegion => {
            "in a parent region"
        }
        dominance::DominanceViolationKind::SiblingRegion => "is neither in a parent nor in a child region",
        _ => return (text, messages),
    };
    let (at, what) = match module.value(violation.value).definition {
        Definition::Result(op, _) => (module.op(op).span, "operand defined here (op"),
        _ => (violation.definition_span(module).unwrap_or_default(), "operand defined as a block argument (block"),
    };
    messages.push(Message::at(at, format!("note: {what} {whereabouts})")));
    (text, messages)
}

impl fmt::Display for PassFailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PassFailureKind::Invalid => "invalid",
            PassFailureKind::Diagnosed => "diagnosed",
            PassFailureKind::Crashed => "crashed",
            PassFailureKind::Endless { .. } => "endless",
        })
    }
}
