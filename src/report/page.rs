//! `report.html`: a finding as one page that needs nothing but a browser, neither a network nor a script.
//!
//! Everything that comes from outside (names, messages, modules) is text and is escaped by [`maud`]; a Content Security
//! Policy in the page forbids all but its own style and pictures that are part of it. The module before and after the
//! pass stand side by side in a grid whose cells come in reading order of the rows; on a narrow screen the grid becomes a
//! column, with everything before the pass first. Lines far from any change are hidden by a check box and no script.

use super::difference::{self, DiffLine, Difference, Mark, Row};
use super::finding::{Finding, MODULE_FILE, Release};
use crate::corpus::After;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("page.css");

/// What the page may load: nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// A whole page with this title and body.
pub(super) fn frame(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (title) }
                // An icon of its own, or a browser asks a server for one.
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

/// The page of a finding. `overview` is the address of the campaign's page, where there is one.
pub fn page(finding: &Finding, overview: Option<&str>) -> String {
    let examined = &finding.examined;
    let title = format!("{} {}: {}", finding.pass(), finding.what(), finding.message());
    let body = html! {
        @if let Some(overview) = overview { nav { a href=(overview) { "All findings" } } }
        main {
            h1 { code { (finding.pass()) } " " (finding.what()) ": " (finding.message()) }
            dl.facts {
                dt { "Triton" } dd { (examined.triton) }
                dt { "Target" } dd { code { (examined.compile.target) } }
                @if !examined.compile.options.is_empty() {
                    dt { "Options" }
                    dd {
                        @for (index, (name, value)) in examined.compile.options.iter().enumerate() {
                            @if index > 0 { ", " }
                            code { (name) "=" (value) }
                        }
                    }
                }
                dt { "Failing pass" } dd { code { (examined.culprit.action) } }
                dt { "Verdict" } dd.bad { (examined.judgement.verdict) }
                @if let Some(count) = finding.operations() { dt { "Size" } dd { (count) " operations" } }
                dt { "Origin" } dd { (finding.source()) }
                @if let Some(sighted) = &finding.sighted {
                    dt { "Seen" }
                    dd { (sighted.count) " times, first in case " (sighted.first_case) "; on " (sighted.seen_on.join(", ")) }
                }
            }
            pre.error { (finding.printed()) }
            @if let Some(told) = finding.told() {
                details { summary { "All that is printed" } pre { (told.trim_end()) } }
            }
            p { b { "Expected: " } (finding.expected()) }
            (comparison(finding))
            (releases(&finding.releases))
            h2 { "How to run it" }
            p { "The module is " code { (MODULE_FILE) } ". With a build of Triton:" }
            pre { (finding.triton_opt(MODULE_FILE)) }
            p { "With tritonsmith:" }
            pre { (finding.tritonsmith()) }
            @if let Some(program) = finding.python() {
                details { summary { "With a released wheel alone" } pre { (program) } }
            }
            details { summary { "The module as text" } pre { (examined.module.trim_end()) } }
            @if let Some(kernel) = &finding.kernel { details { summary { "The kernel" } pre { (kernel.trim_end()) } } }
            @if let Some(curve) = &finding.curve {
                h2 { "How it became small" }
                p.curve {
                    img alt="operations left over queries asked"
                        src={ "data:image/svg+xml;base64," (STANDARD.encode(curve)) };
                }
            }
        }
    };
    frame(&title, &body)
}

/// Both sides of the pass, or the one that there is.
fn comparison(finding: &Finding) -> Markup {
    let examined = &finding.examined;
    let nothing = finding.nothing_after();
    let shown = match &examined.after {
        After::Left(after) => difference::difference(examined.before(), after),
        _ => difference::alone(examined.before(), &finding.pointed_at()),
    };
    let far = shown.rows.iter().filter(|row| row.far).count();
    html! {
        h2 { "Before and after the pass" }
        @for complaint in &shown.complaints { p { "Our oracle: " (with_code(complaint)) "." } }
        div.legend {
            @if nothing.is_none() {
                span { span.swatch.gone {} "gone or changed" }
                span { span.swatch.come {} "new or changed" }
            }
            @if has(&shown, Mark::Definition) { span { mark.definition { "the definition" } } }
            @if has(&shown, Mark::Other) { span { mark.other { "another value" } } }
            @if has(&shown, Mark::Use) { span { mark.use { (if nothing.is_some() { "what the message is about" } else { "what does not fit" }) } } }
        }
        @if far > 0 {
            input #all type="checkbox";
            label for="all" { "all lines (" (far) " more)" }
        }
        div.diff.alone[nothing.is_some()] {
            div.head.before { "Before" }
            @if nothing.is_none() { div.head.after { "After " code { (finding.pass()) } } }
            (rows(&shown.rows, nothing.is_none()))
            @if let Some(why) = nothing {
                div.head.after { "After " code { (finding.pass()) } }
                div.nothing.after { (why) }
            }
        }
    }
}

/// A sentence with what stands between backquotes as code.
fn with_code(sentence: &str) -> Markup {
    html! {
        @for (index, part) in sentence.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn has(shown: &Difference, mark: Mark) -> bool {
    let lines = shown.rows.iter().flat_map(|row| row.before.iter().chain(&row.after));
    lines.flat_map(|line| &line.pieces).any(|(own, _)| *own == mark)
}

fn rows(rows: &[Row], both: bool) -> Markup {
    html! {
        @for stretch in rows.chunk_by(|a, b| a.far == b.far) {
            @if stretch.first().is_some_and(|row| row.far) {
                @let words = format!("⋯ {} lines that do not differ", stretch.len());
                div.gap.before { (words) }
                @if both { div.gap.after { (words) } }
            }
            @for row in stretch {
                (cell(row.before.as_ref(), "before", row.far))
                @if both { (cell(row.after.as_ref(), "after", row.far)) }
            }
        }
    }
}

fn cell(line: Option<&DiffLine>, side: &str, far: bool) -> Markup {
    let far = if far { " far" } else { "" };
    let Some(line) = line else { return html! { div class={ "cell empty " (side) (far) } {} } };
    let changed = if line.changed { " changed" } else { "" };
    let (depth, pieces) = without_indent(line);
    html! {
        div class={ "cell " (side) (changed) (far) } {
            i { (line.number) }
            span style={ "--deep:" (depth) } {
                @for (mark, text) in &pieces {
                    @match mark {
                        Mark::Plain => (text),
                        Mark::Definition => mark.definition { (text) },
                        Mark::Use => mark.use { (text) },
                        Mark::Other => mark.other { (text) },
                    }
                }
            }
        }
    }
}

/// A line's pieces without the blanks that it begins with, and how many there are: what is broken goes on below its head.
fn without_indent(line: &DiffLine) -> (usize, Vec<(Mark, &str)>) {
    let mut pieces: Vec<(Mark, &str)> = line.pieces.iter().map(|(mark, text)| (*mark, text.as_str())).collect();
    let Some((_, first)) = pieces.first_mut() else { return (0, pieces) };
    let depth = first.len() - first.trim_start_matches(' ').len();
    *first = first.trim_start_matches(' ');
    (depth, pieces)
}

/// A table of what the releases do.
fn releases(releases: &[Release]) -> Markup {
    let ran = releases.iter().any(|release| release.ran.is_some());
    html! {
        @if !releases.is_empty() {
            h2 { "Releases" }
            div.scroll {
                table.stack {
                    thead { tr { th { "Triton" } th { "" } th { "result" } @if ran { th { "what was run" } } } }
                    tbody {
                        @for release in releases {
                            tr {
                                td { (release.triton) }
                                td class={ "short " (class(release)) } { (release.word) }
                                td { (release.result) }
                                @if ran { td data-name="run" { (release.ran.as_deref().unwrap_or_default()) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn class(release: &Release) -> &'static str {
    match release.fails {
        Some(true) => "bad",
        Some(false) => "good",
        None => "quiet",
    }
}
