//! Modules that carry the errors they must get beside the lines that deserve them, in comments:
//!
//! ```mlir
//! "test.use"(%0) : (i32) -> () // expected-error: operand #0 does not dominate this use: defined in a child region
//! ```
//!
//! Several errors of one line follow each other, each behind a `// expected-error:` of its own. They are those of
//! [`crate::oracle`], so that nothing is asked but the oracle. What is written must be all that is reported: an error
//! that is not written is as wrong as one that is not reported. A file belongs here when it holds such a comment, or lies in
//! a directory named `invalid`.

use super::CaseError;
use crate::ir::{self, ParseOptions};
use crate::oracle::{self, dominance, structure};
use std::fmt;
use std::path::{Path, PathBuf};

/// What begins an expectation.
const MARK: &str = "// expected-error:";

/// An error at a line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Error {
    /// The line, from 1.
    pub line: usize,
    /// The message.
    pub message: String,
}

/// How a module differs from what is written in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureDifference {
    /// The line, from 1.
    pub line: usize,
    /// The message.
    pub message: String,
    /// Whether it is reported and not written, or the other way round.
    pub reported: bool,
}

impl fmt::Display for SignatureDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.reported { "reported, but not written" } else { "written, but not reported" };
        write!(f, "line {}: {what}: {}", self.line, self.message)
    }
}

/// The errors that are written in a text.
pub fn written(text: &str) -> Vec<Error> {
    let mut errors = Vec::new();
    for (line, content) in text.lines().enumerate() {
        let messages = content.split(MARK).skip(1);
        errors.extend(messages.map(|message| Error { line: line + 1, message: message.trim().to_owned() }));
    }
    errors
}

/// The errors that the oracles report, or the one of the parser, by line.
pub fn reported(text: &str) -> Vec<Error> {
    let line = |byte: usize| text.bytes().take(byte).filter(|&byte| byte == b'\n').count() + 1;
    let module = match ir::parse_with(text, ParseOptions { spans: true }) {
        Ok(module) => module,
        Err(error) => {
            return vec![Error { line: line(error.span.start as usize), message: error.message }];
        }
    };
    let report = oracle::judge(&module);
    let dominance = report.dominance.iter().map(|violation: &dominance::DominanceViolation| Error {
        line: line(violation.span(&module).start as usize),
        message: violation.to_string(),
    });
    let structure = report.structure.iter().map(|violation: &structure::StructureViolation| Error {
        line: line(module.op(violation.op).span.start as usize),
        message: violation.to_string(),
    });
    let mut errors: Vec<Error> = dominance.chain(structure).collect();
    errors.sort();
    errors
}

/// How a module differs from what is written in it; nothing if it does not.
pub fn differences(text: &str) -> Vec<SignatureDifference> {
    let mut written = written(text);
    let mut differences = Vec::new();
    for error in reported(text) {
        match written.iter().position(|written| *written == error) {
            Some(place) => drop(written.remove(place)),
            None => differences.push(SignatureDifference { line: error.line, message: error.message, reported: true }),
        }
    }
    let left = written.into_iter();
    differences.extend(left.map(|error| SignatureDifference {
        line: error.line,
        message: error.message,
        reported: false,
    }));
    differences.sort_by_key(|difference| difference.line);
    differences
}

/// The text with the errors that are reported, in place of those that were written.
pub fn rewrite(text: &str) -> String {
    let reported = reported(text);
    let mut new = String::with_capacity(text.len());
    for (index, content) in text.lines().enumerate() {
        let plain = content.split(MARK).next().unwrap_or_default().trim_end();
        new.push_str(plain);
        for error in reported.iter().filter(|error| error.line == index + 1) {
            new.push_str(&format!(" {MARK} {}", error.message));
        }
        new.push('\n');
    }
    new
}

/// All modules at or below a path that carry their errors, by path.
///
/// # Errors
/// A directory or a file that cannot be read.
pub fn find(root: &Path) -> Result<Vec<PathBuf>, CaseError> {
    let mut found = Vec::new();
    let mut places = vec![root.to_owned()];
    while let Some(place) = places.pop() {
        let failed = |source| CaseError::File { path: place.clone(), source };
        if place.is_dir() {
            for entry in std::fs::read_dir(&place).map_err(failed)? {
                places.push(entry.map_err(failed)?.path());
            }
        } else if place.extension().is_some_and(|extension| extension == "mlir") {
            let invalid = place.parent().and_then(Path::file_name).is_some_and(|name| name == "invalid");
            if invalid || crate::input::read_to_string(&place).map_err(failed)?.contains(MARK) {
                found.push(place);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "module {\n  tt.func @f() {\n    \"a.use\"(%0, %1) : (i32, i32) -> ()\n    %0 = \"a.def\"() : () -> \
                        i32\n    tt.return\n  }\n}\n";

    #[test]
    fn errors_are_written_beside_their_lines_and_nothing_else_changes() {
        let written = rewrite(TEXT);
        let line = written.lines().nth(2).unwrap();
        assert_eq!(
            line,
            "    \"a.use\"(%0, %1) : (i32, i32) -> () // expected-error: operand #0 does not dominate this use: defined \
             later in the same block // expected-error: operand #1 is never defined"
        );
        assert_eq!(differences(&written), []);
        assert_eq!(rewrite(&written), written);
    }

    #[test]
    fn differences_are_told_both_ways() {
        let text = rewrite(TEXT).replace("operand #1 is never", "operand #2 is never");
        let told: Vec<String> = differences(&text).iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "line 3: reported, but not written: operand #1 is never defined",
                "line 3: written, but not reported: operand #2 is never defined"
            ]
        );
    }
}
