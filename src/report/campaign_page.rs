//! The page of a campaign, or of any directory with several findings: what was run, what was found, how often, since when.

use super::page::frame;
use crate::campaign::Overview;
use maud::html;

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The finding's name.
    pub name: String,
    /// What it is, in a line.
    pub bug: String,
    /// The address of its page; none where it could not be made.
    pub page: Option<String>,
    /// Why there is no page.
    pub problem: Option<String>,
    /// The first case that showed it.
    pub first_case: Option<u64>,
    /// Sightings.
    pub count: Option<u64>,
    /// Operations left.
    pub operations: Option<usize>,
    /// Versions and targets that showed it.
    pub seen_on: Vec<String>,
}

/// The page. `overview` is what a campaign's books say, where the directory is one of a campaign.
pub fn campaign_page(name: &str, entries: &[Entry], overview: Option<&Overview>) -> String {
    let title = match entries.len() {
        0 => format!("{name}: nothing was found"),
        1 => format!("{name}: 1 finding"),
        count => format!("{name}: {count} findings"),
    };
    let unknown = || "–".to_owned();
    let body = html! {
        main {
            h1 { (title) }
            @if let Some(overview) = overview { (books(overview)) }
            @if !entries.is_empty() { h2 { "Findings" } }
            @if !entries.is_empty() { div.scroll {
                table.stack {
                    thead {
                        tr {
                            th { "bug" }
                            th.number { "first case" } th.number { "count" } th.number { "operations" }
                            th { "seen on" }
                        }
                    }
                    tbody {
                        @for entry in entries {
                            tr {
                                td {
                                    @match &entry.page {
                                        Some(page) => a href=(page) { (entry.bug) },
                                        None => (entry.bug),
                                    }
                                    @if let Some(problem) = &entry.problem { div.quiet { "no page: " (problem) } }
                                    div.quiet { (entry.name) }
                                }
                                td.number data-name="first case" {
                                    (entry.first_case.map_or_else(unknown, |case| case.to_string()))
                                }
                                td.number data-name="count" {
                                    (entry.count.map_or_else(unknown, |count| count.to_string()))
                                }
                                td.number data-name="operations" {
                                    (entry.operations.map_or_else(unknown, |count| count.to_string()))
                                }
                                td.short data-name="seen on" { @for place in &entry.seen_on { div { (place) } } }
                            }
                        }
                    }
                }
            } }
            @if let Some(overview) = overview { (coverage(overview)) }
        }
    };
    frame(&title, &body)
}

fn books(overview: &Overview) -> maud::Markup {
    html! {
        dl.facts {
            dt { "Campaign" } dd { (overview.identity) }
            dt { "Cases" } dd { (overview.progress.cases) }
            dt { "Compilations" } dd { (overview.progress.compilations()) ": " (overview.progress.ok) " ok"
                @for (verdict, count) in &overview.progress.verdicts { ", " (count) " " (verdict) }
            }
            dt { "Time" } dd { (format!("{:.0} s", overview.progress.elapsed.as_secs_f64())) }
        }
    }
}

/// Which operations its modules were made of, and which passes had something to do.
fn coverage(overview: &Overview) -> maud::Markup {
    let most = overview.progress.operations.values().copied().max().unwrap_or(0).max(1);
    let changed = overview.progress.passes.values().filter(|count| count.changed > 0).count();
    html! {
        @if !overview.progress.passes.is_empty() {
            h2 { "Coverage: " (changed) " of " (overview.progress.passes.len()) " passes changed a module" }
            p.quiet { "Cases in which a pass changed the module, of those that were looked at pass by pass." }
            ul.bars.long {
                @for (name, count) in &overview.progress.passes {
                    li {
                        code.quiet[count.changed == 0] { (name) }
                        span { (count.changed) "/" (count.ran) }
                        meter min="0" max=(count.ran) value=(count.changed) { (count.changed) }
                    }
                }
            }
        }
        @if !overview.progress.operations.is_empty() {
            h2 { "Coverage: " (overview.progress.operations.len()) " kinds of operations were made" }
            ul.bars {
                @for (name, count) in &overview.progress.operations {
                    li { code { (name) } span { (count) } meter min="0" max=(most) value=(count) { (count) } }
                }
            }
        }
    }
}
