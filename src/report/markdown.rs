//! `report.md`: what a maintainer needs, in the order in which it is looked for.

use super::Curve;
use crate::compiler::protocol::{Passes, REST_OF_STAGE};
use crate::compiler::{Compile, NestedPass};
use crate::judge::Judgement;
use crate::judge::releases::VersionResult;
use crate::reduce::ReproductionRate;
use std::fmt::Write;

/// What a report is made of.
#[derive(Debug, Clone, Copy)]
pub struct ReportSummary<'a> {
    /// The version that fails.
    pub triton: &'a str,
    /// What was run over the module.
    pub compile: &'a Compile,
    /// The failure.
    pub judgement: &'a Judgement,
    /// The smallest module.
    pub module: &'a str,
    /// Its operations and those of the module that it came from.
    pub operations: (usize, usize),
    /// Whether every single edit was tried on it.
    pub minimal: bool,
    /// Queries asked, and how many of them were about a module that Triton does not parse.
    pub queries: (u64, u64),
    /// How often the failure was looked for and seen.
    pub reproduction: ReproductionRate,
    /// How it became small; the picture is beside the report as `curve.svg`.
    pub curve: &'a Curve,
    /// What other versions do with it.
    pub versions: &'a [VersionResult],
}

/// The report's text.
pub fn markdown(summary: &ReportSummary<'_>) -> String {
    let mut text = String::new();
    let ReportSummary { compile, judgement, .. } = summary;
    let passes = match &compile.passes {
        Passes::Texts { texts } => texts.clone(),
        Passes::Stage { stage, .. } => vec![format!("{REST_OF_STAGE}{stage}")],
        Passes::All => Vec::new(),
    };
    let pass = judgement.pass.clone().or_else(|| {
        let last = passes.last().and_then(|text| NestedPass::named(text).pop());
        last.map(|last| last.pass.name)
    });
    let pass = pass.map_or_else(|| "an unknown pass".to_owned(), |pass| format!("`{pass}`"));
    let what = match judgement.verdict {
        crate::judge::Verdict::InvalidIr => "leaves invalid IR behind",
        crate::judge::Verdict::PassFailure | crate::judge::Verdict::Diagnosed => "gives up",
        crate::judge::Verdict::Hang => "does not end",
        _ => "crashes",
    };
    let _ = writeln!(text, "# {pass} {what}: {}\n", first_line(&judgement.message));
    let _ = writeln!(text, "| | |\n| --- | --- |");
    let _ = writeln!(text, "| Triton | {} |", summary.triton);
    let _ = writeln!(text, "| target | `{}` |", compile.target);
    let options: Vec<String> = compile.options.iter().map(|(name, value)| format!("`{name}={value}`")).collect();
    if !options.is_empty() {
        let _ = writeln!(text, "| options | {} |", options.join(", "));
    }
    let _ = writeln!(text, "| pass | `{}` |", passes.join(", "));
    let _ = writeln!(text, "| verdict | {} |", judgement.verdict);
    if !summary.reproduction.steady() {
        let _ = writeln!(text, "| happens | {} |", summary.reproduction);
    }
    let _ = writeln!(text, "\n```\n{}", judgement.message.trim_end());
    if let Some(note) = &judgement.note {
        let _ = writeln!(text, "note: {note}");
    }
    let _ = writeln!(text, "```\n\n## How to run it\n\n```\n{}\n```\n", command(summary, &passes));
    let _ = writeln!(text, "or, with a build of Triton:\n\n```\n{}\n```\n", triton_opt(&passes));
    let _ = writeln!(text, "## The module\n\n```mlir\n{}```\n", ensure_newline(summary.module));
    let _ = write!(text, "{} operations, from {}", summary.operations.0, summary.operations.1);
    if summary.minimal {
        text.push_str("; no single operation, argument, region or attribute can go");
    }
    let _ = writeln!(
        text,
        ". {} queries were asked, {} of them about a module that does not parse.",
        summary.queries.0, summary.queries.1
    );
    text.push_str(&course(summary.curve));
    if !summary.versions.is_empty() {
        text.push_str("\n## Versions\n\n| Triton | verdict | what was run |\n| --- | --- | --- |\n");
        for version in summary.versions {
            let verdict = match &version.untestable {
                Some(why) => format!("not testable: {}", first_line(why)),
                None => version.judgement.signature.to_string(),
            };
            let _ = writeln!(text, "| {} | {} | {} |", version.triton, verdict.replace('|', "\\|"), version.ran);
        }
    }
    text
}

/// The part of a report that shows how the module became small.
pub(super) fn course(curve: &Curve) -> String {
    format!("\n## How it became small\n\n![operations left over queries](curve.svg)\n\n`{}`\n", curve.line())
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn ensure_newline(text: &str) -> String {
    format!("{}\n", text.trim_end())
}

fn command(summary: &ReportSummary<'_>, passes: &[String]) -> String {
    let mut command =
        format!("tritonsmith run reduced.mlir --triton {} --target {}", summary.triton, summary.compile.target);
    for (name, value) in &summary.compile.options {
        match name.as_str() {
            "num_warps" => drop(write!(command, " --num-warps {value}")),
            "num_stages" => drop(write!(command, " --num-stages {value}")),
            _ => drop(write!(command, " --option {name}={value}")),
        }
    }
    if matches!(summary.compile.passes, Passes::Texts { .. }) {
        let _ = write!(command, " --passes '{}'", passes.join(","));
    }
    command
}

/// A reduced module as it is handed over: below a comment that says how to run it.
pub fn runnable(text: &str, passes: &Passes) -> String {
    match passes {
        Passes::Texts { texts } => format!("// {}\n{text}", triton_opt(texts)),
        Passes::Stage { .. } | Passes::All => text.to_owned(),
    }
}

/// A module without the comment of [`runnable`], which is about a file of its own.
pub fn bare(text: &str) -> &str {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    if first.strip_prefix("// ").is_some_and(|line| line.starts_with(COMMAND)) { rest } else { text }
}

/// How [`runnable`]'s comment goes on.
const COMMAND: &str = "triton-opt reduced.mlir ";

/// The command line of Triton's own tool for the same passes.
fn triton_opt(passes: &[String]) -> String {
    format!("{COMMAND}--pass-pipeline='builtin.module({})'", passes.join(","))
}
