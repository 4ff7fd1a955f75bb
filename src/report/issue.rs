//! `issue.md`: a finding as Triton's maintainers ask for it.
//!
//! Their form "Report a bug" (`.github/ISSUE_TEMPLATE/bug.yml`) has two fields, *Describe the bug* and *Environment
//! details*. The first wants a clear description, a minimal example that can be copied and run, and the results observe
//! instead of those expected with the full message; the second the version of Triton and the GPU. The text has their
//! headings, so that each part can be pasted into its field, or the whole of it into a blank issue. Its first line is the
//! title.

use super::finding::{Finding, MODULE_FILE};
use std::fmt::Write;

/// The text.
pub fn issue(finding: &Finding) -> String {
    let examined = &finding.examined;
    let mut text = format!("# {}\n\n### Describe the bug\n\n", finding.title());
    let _ = writeln!(
        text,
        "With Triton {}, `{}` {} when it runs over the module below for `{}`. It happens while compiling; no GPU is \
         needed to see it.\n",
        examined.triton,
        finding.pass(),
        finding.what(),
        examined.compile.target
    );
    let _ = writeln!(text, "**Failing pass:** `{}`\n", examined.culprit.action);
    let _ = writeln!(text, "**What happens:**\n\n{}", fenced("", &finding.printed()));
    if let Some(told) = finding.told() {
        let _ =
            writeln!(text, "<details><summary>All that is printed</summary>\n\n{}\n</details>\n", fenced("", &told));
    }
    let _ = writeln!(text, "**What was expected:** {}\n", finding.expected());
    let size = finding.operations().map_or_else(String::new, |count| format!(", {count} operations"));
    let _ = writeln!(text, "**The module** (`{MODULE_FILE}`{size}):\n\n{}", fenced("mlir", &examined.module));
    let _ = writeln!(
        text,
        "**To reproduce**, with a build of Triton:\n\n{}",
        fenced("sh", &finding.triton_opt(MODULE_FILE))
    );
    if let Some(program) = finding.python() {
        let _ = writeln!(text, "or with a released wheel alone:\n\n{}", fenced("python", &program));
    }
    let _ = writeln!(text, "or with tritonsmith:\n\n{}", fenced("sh", &finding.tritonsmith()));
    if !finding.releases.is_empty() {
        let run = finding.releases.iter().any(|release| release.ran.is_some());
        text.push_str("**Releases:**\n\n| Triton | | result |");
        text.push_str(if run { " what was run |\n| --- | --- | --- | --- |\n" } else { "\n| --- | --- | --- |\n" });
        for release in &finding.releases {
            let _ = write!(text, "| {} | {} | {} |", release.triton, release.word, cell(&release.result));
            if run {
                let _ = write!(text, " {} |", cell(release.ran.as_deref().unwrap_or_default()));
            }
            text.push('\n');
        }
        text.push('\n');
    }
    let _ = writeln!(text, "**Where it comes from:** {}\n", origin(finding));
    if let Some(kernel) = &finding.kernel {
        let _ = writeln!(text, "<details><summary>The kernel</summary>\n\n{}\n</details>\n", fenced("python", kernel));
    }
    text.push_str("### Environment details\n\n");
    for (name, value) in finding.environment() {
        let _ = writeln!(text, "{name}: {value}");
    }
    text
}

fn origin(finding: &Finding) -> String {
    let origin = finding.source();
    match &finding.sighted {
        Some(sighted) => format!("{origin}; seen {} times, on {}.", sighted.count, sighted.seen_on.join(", ")),
        None => format!("{origin}."),
    }
}

/// A block of code with a fence that is longer than any in the text.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text.lines().next().unwrap_or_default().replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_those_inside() {
        assert_eq!(fenced("", "a\n"), "```\na\n```\n");
        assert!(fenced("mlir", "a ````b").starts_with("`````mlir\n"));
    }
}
