//! A test for Triton's own tree: `triton-opt` runs the failing pass over the module, and FileCheck sees that the functions
//! came out at the other end. The tree is newer than any release, so the module is written in the newest words.
//!
//! What is checked depends on what the finding is about. A pass that crashes, does not end or leaves a module that does
//! not verify makes `triton-opt` fail (it verifies after every pass, and lit runs pipes with `pipefail`); so such a test
//! has nothing to say of the result but that there is one: each public function with its return.

use super::finding::{Finding, flag};
use crate::compiler::spelling;
use crate::ir::{self, Attr, Module, OpId};
use crate::judge::Verdict;
use std::fmt::Write;

/// The test's text.
pub fn lit_test(finding: &Finding) -> String {
    let examined = &finding.examined;
    let flags: Vec<String> = examined.passes.iter().map(flag).collect();
    let limit = if examined.judgement.verdict == Verdict::Hang { "timeout 60 " } else { "" };
    let mut text = format!("// RUN: {limit}triton-opt %s -split-input-file {} | FileCheck %s\n\n", flags.join(" "));
    let _ = writeln!(text, "// {} With Triton {} it failed:", wanted(finding), examined.triton);
    for line in finding.printed().lines() {
        // Where the assertion stands changes from build to build.
        let line = line.find("Assertion `").and_then(|at| line.get(at..)).unwrap_or(line);
        let _ = writeln!(text, "//   {line}");
    }
    text.push('\n');
    let lowered = examined.passes.iter().any(|pass| pass.name().ends_with("-to-llvm"));
    let reworded = spelling::newest(&examined.module).map(|newest| newest.text);
    let source = reworded.as_deref().unwrap_or(&examined.module);
    let checks = ir::parse(source).map(|module| checks(&module, lowered)).unwrap_or_default();
    let mut at = 0;
    for (place, lines) in checks {
        let line = source.get(..place).and_then(|text| text.rfind('\n')).map_or(0, |end| end + 1);
        text.push_str(source.get(at..line).unwrap_or_default());
        text.push_str(&lines);
        at = line.max(at);
    }
    text.push_str(source.get(at..).unwrap_or_default().trim_end());
    text.push('\n');
    text
}

fn wanted(finding: &Finding) -> &'static str {
    match finding.examined.judgement.verdict {
        Verdict::InvalidIr if finding.examined.judgement.message.contains("dominate") => {
            "Every use stays dominated by its definition."
        }
        Verdict::InvalidIr => "The pass leaves a module that verifies.",
        Verdict::Hang => "The pass ends.",
        _ => "The pass does not crash.",
    }
}

/// For each function that others can see: where it begins, and the lines that go before it.
fn checks(module: &Module, lowered: bool) -> Vec<(usize, String)> {
    let (function, end) = if lowered { ("llvm.func", "llvm.return") } else { ("tt.func", "tt.return") };
    let mut all: Vec<(usize, String)> = Vec::new();
    for op in module.functions() {
        let record = module.op(op);
        if text_of(module, op, "sym_visibility").as_deref() == Some("private") || record.regions.is_empty() {
            continue;
        }
        let name = text_of(module, op, "sym_name").unwrap_or_default();
        let word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.$-".contains(c));
        // Between the two there may be `public`.
        let label = if word { format!("{function}{{{{.*}}}}@{name}(") } else { function.to_owned() };
        all.push((record.span.start as usize, format!("  // CHECK-LABEL: {label}\n  //       CHECK:   {end}\n")));
    }
    all.sort();
    all
}

/// A string attribute's text.
fn text_of(module: &Module, op: OpId, name: &str) -> Option<String> {
    match module.interners.attr_data(module.attribute(op, name)?) {
        Attr::String(text) => Some(text.clone()),
        _ => None,
    }
}
