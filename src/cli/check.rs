//! `tritonsmith check`: reads modules and judges them, with no compiler asked.
//!
//! A module is read without the places of its operands first, which is faster, and read again with them only where
//! something is wrong. A text that is a module from its first line to its last is parsed as it stands; everything else is
//! taken for a log.

use super::excerpt::{Complaint, ExcerptPlace, ExcerptSource, Quoted};
use super::output::Output;
use super::{Ending, Error, input};
use clap::Args;
use serde::Serialize;
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use tritonsmith::compiler::ingest;
use tritonsmith::ir::{self, Module, ParseOptions, PrintOptions};
use tritonsmith::oracle;

/// Check modules for dominance and structure; needs neither Triton nor Python
///
/// Takes `.mlir` files and pasted logs, and checks every module in them: each use must be dominated by its definition, and
/// blocks, branches, regions and calls must fit together. Exit code 1 where something is wrong, 2 where a file cannot be
/// read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tritonsmith check dump.mlir\n  tritonsmith check --generic - < stderr.log")]
pub struct Check {
    /// Files to check; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the modules in their custom form.
    #[arg(long, conflicts_with = "generic")]
    print: bool,
    /// Print the modules in generic form.
    #[arg(long)]
    generic: bool,
    /// Show no more than so many violations of a module.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
}

/// What one module comes to.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename = "checked")]
struct CheckedObject<'a> {
    file: &'a str,
    /// Its place in the file, from 1.
    module: usize,
    /// The line on which it begins, from 1.
    line: u32,
    /// What it is in a log.
    role: &'a str,
    valid: bool,
    functions: usize,
    operations: usize,
    violations: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "event", rename = "violation")]
struct ViolationObject<'a> {
    file: &'a str,
    module: usize,
    #[serde(flatten)]
    complaint: &'a Complaint,
}

#[derive(Debug, Serialize)]
#[serde(tag = "event", rename = "parse-error")]
struct NotParsed<'a> {
    file: &'a str,
    module: usize,
    message: &'a str,
    #[serde(flatten)]
    place: ExcerptPlace,
}

/// A module's place among those of a file.
struct Position<'a> {
    number: usize,
    line: u32,
    role: &'a str,
}

impl Check {
    /// Checks all files.
    ///
    /// # Errors
    /// One of several files that cannot be read is reported and does not stop the others; so there is none as yet.
    pub fn run(&self, output: &mut Output) -> Result<Ending, Error> {
        let mut ending = Ending::Clean;
        for path in &self.files {
            let result = input::read(path).and_then(|input| self.file(&input, output));
            ending = ending.max(result.unwrap_or_else(|error| {
                output.error(&error);
                Ending::Failed
            }));
        }
        Ok(ending)
    }

    fn file(&self, input: &input::Input, output: &mut Output) -> Result<Ending, Error> {
        let source = ExcerptSource::new(&input.name, &input.bytes);
        let mut plain_error = None;
        if let Some(text) = plain_text(&input.bytes) {
            match ir::parse(text) {
                // Text without a module around it gets one that stands nowhere in the text.
                Ok(module) if !module.op(module.root()).span.is_empty() => {
                    let position = Position { number: 1, line: 1, role: "module" };
                    return Ok(self.module(&source.whole(), text, module, &position, output));
                }
                Ok(_) => {}
                Err(error) => plain_error = Some(error),
            }
        }
        let found = match (ingest(&input.bytes), plain_error) {
            (Ok(found), _) => found,
            (Err(reason), Some(error)) => {
                let (place, text) = source.whole().parse_error(&error);
                output.say(&text);
                output.note(&format!("{}: {reason}", input.name));
                output.object(&NotParsed { file: &input.name, module: 1, message: &error.message, place });
                return Ok(Ending::Failed);
            }
            (Err(source), None) => return Err(Error::Ingest { path: input.path.clone(), source }),
        };
        let mut ending = Ending::Clean;
        for (index, module) in found.modules.iter().enumerate() {
            let quoted = source.part(&module.text, &module.line_map);
            let role = module.role.to_string();
            let line = module.line_map.first().copied().expect("a module has lines");
            let position = Position { number: index + 1, line, role: &role };
            ending = ending.max(match ir::parse(&module.text) {
                Ok(parsed) => self.module(&quoted, &module.text, parsed, &position, output),
                Err(error) => {
                    let (place, text) = quoted.parse_error(&error);
                    output.say(&text);
                    let number = position.number;
                    output.object(&NotParsed { file: &input.name, module: number, message: &error.message, place });
                    Ending::Failed
                }
            });
        }
        Ok(ending)
    }

    /// Judges a module and says what is wrong with it.
    fn module(
        &self,
        quoted: &Quoted<'_>,
        text: &str,
        module: Module,
        position: &Position<'_>,
        output: &mut Output,
    ) -> Ending {
        // The process ends soon; taking a large module apart would cost more than judging it.
        let module = ManuallyDrop::new(module);
        let report = oracle::judge(&module);
        let file = quoted.file();
        if !report.is_valid() {
            self.complain(quoted, text, position, output);
        }
        let printed = (self.print || self.generic).then(|| {
            let options = PrintOptions { generic: self.generic, ..PrintOptions::default() };
            ir::print(&module, &options)
        });
        if let Some(text) = &printed {
            output.module(text);
        }
        let checked = CheckedObject {
            file,
            module: position.number,
            line: position.line,
            role: position.role,
            valid: report.is_valid(),
            functions: module.functions().len(),
            operations: module.size(),
            violations: report.len(),
            text: printed,
        };
        output.say(&checked.sentence());
        output.object(&checked);
        if report.is_valid() { Ending::Clean } else { Ending::Finding }
    }

    fn complain(&self, quoted: &Quoted<'_>, text: &str, position: &Position<'_>, output: &mut Output) {
        // It parsed before, so it does again.
        let Ok(module) = ir::parse_with(text, ParseOptions { spans: true }) else { return };
        let complaints = quoted.complaints(&module, &oracle::judge(&module));
        for complaint in complaints.iter().take(self.limit) {
            output.say(&quoted.show(complaint));
            output.say("");
        }
        if let Some(more @ 1..) = complaints.len().checked_sub(self.limit) {
            output.note(&format!("{more} more are not shown; --limit {} shows all", complaints.len()));
        }
        for complaint in &complaints {
            output.object(&ViolationObject { file: quoted.file(), module: position.number, complaint });
        }
    }
}

impl CheckedObject<'_> {
    fn sentence(&self) -> String {
        let count = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let place = if self.module == 1 && self.line == 1 && self.role == "module" {
            self.file.to_owned()
        } else {
            format!("{}:{} ({})", self.file, self.line, self.role)
        };
        let result = if self.valid { "ok".to_owned() } else { count(self.violations, "violation") };
        let (functions, operations) = (count(self.functions, "function"), count(self.operations, "operation"));
        format!("{place}: {result}; {functions}, {operations}")
    }
}

/// The text of an input that begins as a module does: with aliases, comments and blank lines, then a module.
fn plain_text(bytes: &[u8]) -> Option<&str> {
    let first = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).find(|line| {
        !(line.is_empty() || line.starts_with(b"//") || line.starts_with(b"#") || line.starts_with(b"!"))
    })?;
    let begins = ["module", "\"builtin.module\"", "builtin.module"].iter().any(|start| {
        let rest = first.strip_prefix(start.as_bytes());
        rest.is_some_and(|rest| rest.first().is_none_or(|byte| matches!(byte, b' ' | b'{' | b'(')))
    });
    std::str::from_utf8(bytes).ok().filter(|_| begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_plain_that_begins_with_a_module() {
        for text in
            ["module {\n}", "#a = 1\n\n// x\n\"builtin.module\"() ({}) : () -> ()", "module attributes {a} {\n}"]
        {
            assert!(plain_text(text.as_bytes()).is_some(), "{text}");
        }
        for text in ["", "modules were found", "(pid=1) module {\n}", "Traceback\nmodule {\n}", "\u{1b}[0mmodule {"] {
            assert!(plain_text(text.as_bytes()).is_none(), "{text}");
        }
    }
}
