//! `report.md` of a reduction by a test of the user's own: Triton was not asked, so there is less to tell.

use super::Curve;
use super::markdown::course;
use crate::reduce::Shrunk;
use std::fmt::Write;

/// What such a report is made of.
#[derive(Debug, Clone, Copy)]
pub struct TestSummary<'a> {
    /// Where the module came from.
    pub origin: &'a str,
    /// The test as it was given.
    pub command: &'a str,
    /// The result.
    pub shrunk: &'a Shrunk,
}

/// The report's text.
pub fn test_markdown(summary: &TestSummary<'_>) -> String {
    let Shrunk { text: module, report, reproduction, .. } = summary.shrunk;
    let mut text = String::new();
    let _ = writeln!(text, "# {} reduced by a test\n", summary.origin);
    let _ = writeln!(text, "The test accepts the module {reproduction}:\n\n```\n{}\n```\n", summary.command);
    let _ = writeln!(text, "## The module\n\n```mlir\n{}\n```\n", module.trim_end());
    let _ = write!(text, "{} operations, from {}", report.cost.operations, report.first_cost.operations);
    if report.minimal() {
        text.push_str("; no single operation, argument, region or attribute can go");
    }
    let _ = writeln!(
        text,
        ". {} queries were asked, {} of them about a module that cannot be tested.",
        report.queries, report.invalid
    );
    text.push_str(&course(&Curve::of(report)));
    text
}
