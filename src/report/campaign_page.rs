//! The page of a campaign, or of any directory with several findings: what was run, what was found, how often, since when.

use super::page::frame;
use crate::judge::Verdict;
use maud::html;
use std::collections::BTreeMap;
use std::time::Duration;

/// What a campaign has done, as its page shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct CampaignFigures {
    /// Which campaign it is: seed, versions, targets.
    pub identity: String,
    /// Cases.
    pub cases: u64,
    /// Compilations that ended well.
    pub ok: u64,
    /// The other compilations by verdict.
    pub verdicts: BTreeMap<Verdict, u64>,
    /// How long it has run.
    pub elapsed: Duration,
    /// How many of each operation its modules had.
    pub operations: BTreeMap<String, u64>,
    /// In how many cases each pass ran, and changed the module.
    pub passes: BTreeMap<String, (u64, u64)>,
}

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignRow {
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

/// The page. There are figures where the directory is one of a campaign.
pub fn campaign_page(name: &str, entries: &[CampaignRow], figures: Option<&CampaignFigures>) -> String {
    let title = match entries.len() {
        0 => format!("{name}: nothing was found"),
        1 => format!("{name}: 1 finding"),
        count => format!("{name}: {count} findings"),
    };
    let unknown = || "–".to_owned();
    let body = html! {
        main {
            h1 { (title) }
            @if let Some(figures) = figures { (facts(figures)) }
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
            @if let Some(figures) = figures { (coverage(figures)) }
        }
    };
    frame(&title, &body)
}

fn facts(figures: &CampaignFigures) -> maud::Markup {
    let compilations = figures.ok + figures.verdicts.values().sum::<u64>();
    html! {
        dl.facts {
            dt { "Campaign" } dd { (figures.identity) }
            dt { "Cases" } dd { (figures.cases) }
            dt { "Compilations" } dd { (compilations) ": " (figures.ok) " ok"
                @for (verdict, count) in &figures.verdicts { ", " (count) " " (verdict) }
            }
            dt { "Time" } dd { (format!("{:.0} s", figures.elapsed.as_secs_f64())) }
        }
    }
}

/// Which operations its modules were made of, and which passes had something to do.
fn coverage(figures: &CampaignFigures) -> maud::Markup {
    let most = figures.operations.values().copied().max().unwrap_or(0).max(1);
    let changed = figures.passes.values().filter(|(_, changed)| *changed > 0).count();
    html! {
        @if !figures.passes.is_empty() {
            h2 { "Coverage: " (changed) " of " (figures.passes.len()) " passes changed a module" }
            p.quiet { "Cases in which a pass changed the module, of those that were looked at pass by pass." }
            ul.bars.long {
                @for (name, (ran, changed)) in &figures.passes {
                    li {
                        code.quiet[*changed == 0] { (name) }
                        span { (changed) "/" (ran) }
                        meter min="0" max=(ran) value=(changed) { (changed) }
                    }
                }
            }
        }
        @if !figures.operations.is_empty() {
            h2 { "Coverage: " (figures.operations.len()) " kinds of operations were made" }
            ul.bars {
                @for (name, count) in &figures.operations {
                    li { code { (name) } span { (count) } meter min="0" max=(most) value=(count) { (count) } }
                }
            }
        }
    }
}
