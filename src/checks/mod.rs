//! Properties that hold for every input, as functions from bytes: the fuzz targets under `fuzz/` call them with the bytes
//! of libFuzzer, and `cargo test` with its own.
//!
//! A check returns an [`Alarm`] if its property is violated. Bytes that it cannot use (text that does not parse) are no
//! alarm. The result depends on the bytes only; [`CompilerCheck`] also knows the bugs that were reported before.

mod edit;
mod pipeline;
mod tree;

pub use edit::edit;
pub use pipeline::{CompilerCheck, CompilerCheckError};
pub use tree::Tree;

use crate::compiler::model::{Model, PIPELINE, Setup};
use crate::generate::{GeneratorSettings, generate as from_bytes};
use crate::ir::{Module, PrintOptions, parse as read, print};
use crate::oracle::dominance::{Dominance, check};
use crate::oracle::judge;
use arbitrary::Unstructured;

/// A violated property, with its input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}\n{text}")]
pub struct Alarm {
    /// One sentence.
    pub what: String,
    /// The module, or the input text.
    pub text: String,
}

impl Alarm {
    fn new(what: impl Into<String>, text: impl Into<String>) -> Self {
        Alarm { what: what.into(), text: text.into() }
    }
}

pub type CheckResult = Result<(), Alarm>;

/// The parser accepts or rejects any bytes. A module that it reads is the same after printing and parsing, in the custom and
/// in the generic form, and so is the oracle's verdict.
///
/// # Errors
/// Printed text does not parse, or parses to something else.
pub fn parse(bytes: &[u8]) -> CheckResult {
    let text = String::from_utf8_lossy(bytes);
    let Ok(module) = read(&text) else { return Ok(()) };
    let report = judge(&module);
    // Printing repairs these errors: it gives every value a unique name, and prints every type as it is.
    if !module.redefinitions().is_empty() || !module.type_notes().is_empty() {
        print(&module, &PrintOptions::default());
        return Ok(());
    }
    for options in
        [PrintOptions::default(), PrintOptions { locations: true, resources: true, ..PrintOptions::generic() }]
    {
        let again = reads_back(&module, &options)?;
        if judge(&again).is_valid() != report.is_valid() {
            return Err(Alarm::new(format!("printed and read again, the verdict changes from\n{report}"), text));
        }
    }
    Ok(())
}

/// Prints and parses a module; printing the result must give the same text.
fn reads_back(module: &Module, options: &PrintOptions) -> Result<Module, Alarm> {
    let printed = print(module, options);
    let again = read(&printed).map_err(|error| {
        let before = printed.get(..error.span.start as usize).unwrap_or(&printed);
        let line = printed.lines().nth(before.matches('\n').count()).unwrap_or_default();
        Alarm::new(format!("what is printed does not parse: {error}, in\n  {line}"), &printed)
    })?;
    let twice = print(&again, options);
    if twice != printed {
        let (before, after) = first_difference(&printed, &twice);
        let what = format!("what is printed is read as something else:\n  {before}\n  {after}");
        return Err(Alarm::new(what, printed));
    }
    Ok(again)
}

/// The first lines in which two texts differ.
fn first_difference<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str) {
    let (mut a, mut b) = (a.lines(), b.lines());
    loop {
        match (a.next(), b.next()) {
            (Some(left), Some(right)) if left == right => {}
            (left, right) => return (left.unwrap_or("(the end)"), right.unwrap_or("(the end)")),
        }
    }
}

/// From any bytes, the generator makes a valid module, the same one each time, that survives printing and parsing.
///
/// # Errors
/// One of these does not hold.
pub fn generate(bytes: &[u8]) -> CheckResult {
    let make = || from_bytes(&GeneratorSettings::default(), &mut Unstructured::new(bytes)).module;
    let module = make();
    let text = print(&module, &PrintOptions::default());
    let report = judge(&module);
    if !report.is_valid() {
        return Err(Alarm::new(format!("a generated module is not valid: {report}"), text));
    }
    if print(&make(), &PrintOptions::default()) != text {
        return Err(Alarm::new("the same bytes give two modules", text));
    }
    reads_back(&module, &PrintOptions::default()).map(drop)
}

/// On a random tree of regions and blocks the dominance oracle agrees with the definition, in one walk and use by use.
///
/// # Errors
/// They differ.
pub fn dominance(bytes: &[u8]) -> CheckResult {
    let tree = Tree::new(bytes);
    let text = tree.text();
    let module = read(&text).map_err(|error| Alarm::new(format!("a tree does not parse: {error}"), &text))?;
    let walked: Vec<_> = check(&module).into_iter().map(|violation| violation.kind).collect();
    if walked.len() != tree.violations() {
        let what = format!("{} violations by the definition, {} by the oracle", tree.violations(), walked.len());
        return Err(Alarm::new(what, text));
    }
    let dominance = Dominance::new(&module);
    let single = module.walk().into_iter().flat_map(|op| {
        let operands = module.op(op).operands.iter();
        operands.filter_map(|&value| dominance.judge(&module, value, op)).collect::<Vec<_>>()
    });
    if single.collect::<Vec<_>>() != walked {
        return Err(Alarm::new("the oracle's verdict use by use differs from that of one walk", text));
    }
    Ok(())
}

/// The model without faults compiles every generated module, and each pass leaves a valid module.
///
/// # Errors
/// A pass fails, or leaves an invalid module.
pub fn model(bytes: &[u8]) -> CheckResult {
    let made = from_bytes(&GeneratorSettings::default(), &mut Unstructured::new(bytes));
    let mut module = made.module.clone();
    let setup = Setup { warps: u64::from(made.warps), ..Setup::default() };
    Model::default().transform(&mut module, &PIPELINE, &setup, |_, _| {}).map_err(|failure| {
        let text = print(&made.module, &PrintOptions::default());
        Alarm::new(format!("pass {} of the model: {failure}", failure.index), text)
    })
}
