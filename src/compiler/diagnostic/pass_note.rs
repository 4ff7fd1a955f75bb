//! The note that names the failing pass.
//!
//! Its shapes: ``Pipeline failed while executing [`A` on 'builtin.module' operation]``; a named operation,
//! ``[`A` on 'tt.func' operation: @kernel]``; and nested pass managers, ``[`Outer` on … operation, `A` on … operation: @k]``,
//! where the last one was running.

use std::fmt;

/// The pass that MLIR reports as failing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReportedPass {
    /// The C++ name.
    pub name: String,
    /// The operation that it ran on, where the text names it.
    pub on: Option<PassOnOperation>,
}

/// The operation that a pass runs on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PassOnOperation {
    /// Such as `builtin.module` or `tt.func`.
    pub operation: String,
    /// The symbol without `@`.
    pub symbol: Option<String>,
}

impl ReportedPass {
    pub fn named(name: impl Into<String>) -> Self {
        ReportedPass { name: name.into(), on: None }
    }

    /// Reads the message of a note; `None` for notes about other things.
    pub fn read(message: &str) -> Option<Self> {
        let (_, mut rest) = message.split_once("failed while executing")?;
        rest = rest.trim_start().strip_prefix('[')?;
        let mut innermost = None;
        // Some pages make backquotes plain.
        while let Some(quoted) = rest.trim_start_matches([',', ' ']).strip_prefix(['`', '\'']) {
            let Some((name, after)) = quoted.split_once(['`', '\'']) else { break };
            let (on, after) = PassOnOperation::read(after);
            innermost = Some(ReportedPass { name: name.to_owned(), on });
            rest = after;
        }
        innermost
    }
}

impl PassOnOperation {
    /// Reads ` on 'op' operation: @symbol`, and returns the rest of the text.
    pub(crate) fn read(text: &str) -> (Option<Self>, &str) {
        let quoted = text.trim_start();
        let quoted = quoted.strip_prefix("on").unwrap_or(quoted).trim_start();
        let Some((operation, rest)) = quoted.strip_prefix('\'').and_then(|quoted| quoted.split_once('\'')) else {
            return (None, text);
        };
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("operation").unwrap_or(rest);
        let (symbol, rest) = match rest.strip_prefix(':').map(str::trim_start).and_then(|rest| rest.strip_prefix('@')) {
            Some(named) => {
                let (symbol, rest) = match named.strip_prefix('"').and_then(|quoted| quoted.split_once('"')) {
                    Some(quoted) => quoted,
                    None => named.split_at(named.find([',', ']', ')', ' ']).unwrap_or(named.len())),
                };
                (Some(symbol.to_owned()), rest)
            }
            None => (None, rest),
        };
        (Some(PassOnOperation { operation: operation.to_owned(), symbol }), rest)
    }
}

impl fmt::Display for ReportedPass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(on) = &self.on {
            write!(f, " on {}", on.operation)?;
            if let Some(symbol) = &on.symbol {
                write!(f, " @{symbol}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_all_three_shapes() {
        let one = ReportedPass::read(
            "Pipeline failed while executing [`TritonGPUCoalesce` on 'builtin.module' operation]: reproducer generated",
        );
        assert_eq!(one.unwrap().to_string(), "TritonGPUCoalesce on builtin.module");
        let named = ReportedPass::read("Pipeline failed while executing [`A` on 'tt.func' operation: @kernel_0]: x");
        assert_eq!(named.unwrap().to_string(), "A on tt.func @kernel_0");
        let nested = "Pipeline failed while executing [`Outer` on 'builtin.module' operation, \
                      `Inner` on 'tt.func' operation: @\"a b\"]: reproducer";
        assert_eq!(ReportedPass::read(nested).unwrap().to_string(), "Inner on tt.func @a b");
    }

    #[test]
    fn other_notes_name_no_pass() {
        for text in
            ["operand defined here", "Pipeline failed while executing", "failed while executing [`A", "executing []"]
        {
            assert_eq!(ReportedPass::read(text), None, "{text}");
        }
    }
}
