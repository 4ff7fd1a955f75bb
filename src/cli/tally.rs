//! What `run` shows: a line for each version and target, then each failure once, then where versions differ.

use super::Ending;
use super::output::Output;
use super::runs::{Cell, FinishedRun, NotRun};
use super::table::{Table, cut};
use serde::Serialize;
use std::fmt::Write;
use std::time::Duration;
use tritonsmith::compiler::outcome::Exit;
use tritonsmith::judge::{Signature, Verdict};

/// Characters of a pass's name and of a message in the table; below it both stand in full.
const PASS_WIDTH: usize = 40;
const MESSAGE_WIDTH: usize = 60;

#[derive(Debug, Serialize)]
#[serde(tag = "event", rename = "run")]
struct TallyLine<'a> {
    triton: String,
    target: String,
    verdict: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pass: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    passes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<Exit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'a Signature>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
}

#[derive(Debug, Serialize)]
#[serde(tag = "event", rename = "module")]
struct TalliedModule<'a> {
    triton: String,
    target: String,
    what: &'a str,
    text: &'a str,
}

/// Shows all cells and says what they come to: a finding where there is a bug; a failure where an installation does not
/// work or where nothing could be run at all.
pub fn show(cells: &[Cell], with_stderr: bool, output: &mut Output) -> Ending {
    for cell in cells {
        output.object(&line(cell));
        show_modules(cell, output);
    }
    let modules = cells.iter().filter_map(|cell| cell.result.as_ref().ok()).any(|ran| !ran.shown.is_empty());
    let mut text = table(cells).render();
    for group in groups(cells) {
        let _ = write!(text, "\n{}", describe(&group));
    }
    let differences = differences(cells);
    if !differences.is_empty() {
        let _ = write!(text, "\n{differences}");
    }
    match (cells, modules) {
        ([Cell { result: Err(_), .. }] | [], _) => {}
        (_, true) => output.say(&text),
        (_, false) => output.text(&text),
    }
    for cell in cells {
        match &cell.result {
            Err(NotRun { message, .. }) => {
                output.say(&format!("error: triton {} for {}: {message}", cell.triton, cell.target));
            }
            Ok(ran) => {
                for note in &ran.notes {
                    output.note(&format!("triton {} for {}: {note}", cell.triton, cell.target));
                }
                if with_stderr && !ran.trace.stderr.is_empty() {
                    output.say(&format!(
                        "\n{} for {} printed:\n{}",
                        cell.triton,
                        cell.target,
                        ran.trace.stderr.trim_end()
                    ));
                }
            }
        }
    }
    ending(cells)
}

fn ending(cells: &[Cell]) -> Ending {
    let verdict = |cell: &Cell| cell.result.as_ref().ok().map(|ran| ran.trace.judgement.verdict);
    let broken = |cell: &Cell| cell.result.as_ref().err().is_some_and(|not| not.broken);
    let nothing = |cell: &Cell| matches!(verdict(cell), None | Some(Verdict::RejectedInput));
    if cells.iter().any(|cell| verdict(cell).is_some_and(Verdict::is_bug)) {
        Ending::Finding
    } else if cells.iter().any(broken) || cells.iter().all(nothing) {
        Ending::Failed
    } else {
        Ending::Clean
    }
}

fn line(cell: &Cell) -> TallyLine<'_> {
    let (triton, target) = (cell.triton.to_string(), cell.target.to_string());
    match &cell.result {
        Ok(ran) => TallyLine {
            triton,
            target,
            verdict: ran.trace.judgement.verdict.word(),
            message: &ran.trace.judgement.message,
            note: ran.trace.judgement.note.as_deref(),
            stage: ran.end().map(|step| step.stage.as_str()),
            pass: ran.trace.blamed().map(|step| step.action.to_string()),
            index: ran.trace.blamed().map(|step| step.index),
            passes: ran.end().map(|step| step.of),
            seconds: Some(ran.trace.time().as_secs_f64()),
            exit: Some(ran.trace.exit),
            signature: Some(&ran.trace.judgement.signature),
            stderr: Some(ran.trace.stderr.as_str()).filter(|text| !text.is_empty()),
            notes: &ran.notes,
        },
        Err(not) => TallyLine {
            triton,
            target,
            verdict: "not-run",
            message: &not.message,
            note: None,
            stage: None,
            pass: None,
            index: None,
            passes: None,
            seconds: None,
            exit: None,
            signature: None,
            stderr: None,
            notes: &[],
        },
    }
}

fn show_modules(cell: &Cell, output: &mut Output) {
    let Ok(ran) = &cell.result else { return };
    for shown in &ran.shown {
        let (triton, target) = (cell.triton.to_string(), cell.target.to_string());
        // A lone header of this shape is what MLIR's own tools split files at.
        let header = format!("// -----// {} in triton {triton} for {target}\n", shown.what);
        output.module(&header);
        output.module(shown.module.text());
        output.object(&TalliedModule { triton, target, what: &shown.what, text: shown.module.text() });
    }
}

fn table(cells: &[Cell]) -> Table {
    let mut table = Table::new(&["triton", "target", "verdict", "time", "pass", "message"], &[3]);
    for cell in cells {
        let mut row = vec![cell.triton.to_string(), cell.target.to_string()];
        row.extend(match &cell.result {
            Ok(ran) => [
                ran.trace.judgement.verdict.to_string(),
                duration(ran.trace.time()),
                cut(ran.trace.judgement.pass.as_deref().unwrap_or_default(), PASS_WIDTH),
                cut(first_line(&ran.trace.judgement.message), MESSAGE_WIDTH),
            ],
            Err(not) => {
                ["not-run".to_owned(), String::new(), String::new(), cut(first_line(&not.message), MESSAGE_WIDTH)]
            }
        });
        table.row(row);
    }
    table
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        0.0 => String::new(),
        seconds if seconds < 1.0 => format!("{:.0} ms", seconds * 1000.0),
        seconds => format!("{seconds:.1} s"),
    }
}

/// Cells that failed in the same way, first the one that came first.
fn groups(cells: &[Cell]) -> Vec<Vec<(&Cell, &FinishedRun)>> {
    let mut groups: Vec<Vec<(&Cell, &FinishedRun)>> = Vec::new();
    for cell in cells {
        let Ok(ran) = &cell.result else { continue };
        if ran.trace.judgement.verdict == Verdict::Ok {
            continue;
        }
        let same = |group: &&mut Vec<(&Cell, &FinishedRun)>| {
            group.first().is_some_and(|(_, first)| first.trace.judgement.signature == ran.trace.judgement.signature)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push((cell, ran)),
            None => groups.push(vec![(cell, ran)]),
        }
    }
    groups
}

/// A failure in full, with the versions and targets that have it.
fn describe(group: &[(&Cell, &FinishedRun)]) -> String {
    let Some((_, ran)) = group.first() else { return String::new() };
    let mut text = ran.trace.judgement.verdict.to_string();
    if let Some(pass) = &ran.trace.judgement.pass {
        let _ = write!(text, " in {pass}");
    }
    if let Some(step) = ran.trace.blamed() {
        let _ = write!(text, " (pass {} of {} of {})", step.index + 1, step.of, step.stage);
    }
    let places: Vec<String> = group.iter().map(|(cell, _)| format!("{} for {}", cell.triton, cell.target)).collect();
    let _ =
        write!(text, ", with {}:\n  {}\n", places.join(", "), ran.trace.judgement.message.trim().replace('\n', "\n  "));
    if let Some(note) = &ran.trace.judgement.note {
        let _ = writeln!(text, "  note: {}", note.trim());
    }
    if let Some(excerpt) = &ran.excerpt {
        let _ = writeln!(text, "{excerpt}");
    }
    text
}

/// For each target whose versions do not agree, which verdict has which versions.
fn differences(cells: &[Cell]) -> String {
    let mut targets: Vec<&tritonsmith::compiler::Target> = Vec::new();
    for cell in cells {
        if !targets.contains(&&cell.target) {
            targets.push(&cell.target);
        }
    }
    let mut text = String::new();
    for target in targets {
        let mut verdicts: Vec<(String, Vec<String>)> = Vec::new();
        for cell in cells.iter().filter(|cell| cell.target == *target) {
            let verdict = match &cell.result {
                Ok(ran) if ran.trace.judgement.verdict == Verdict::Ok => "ok".to_owned(),
                Ok(ran) => match &ran.trace.judgement.pass {
                    Some(pass) => format!("{} in {pass}", ran.trace.judgement.verdict),
                    None => ran.trace.judgement.verdict.to_string(),
                },
                Err(_) => "not run".to_owned(),
            };
            match verdicts.iter_mut().find(|(known, _)| *known == verdict) {
                Some((_, versions)) => versions.push(cell.triton.to_string()),
                None => verdicts.push((verdict, vec![cell.triton.to_string()])),
            }
        }
        if verdicts.len() > 1 {
            let parts: Vec<String> =
                verdicts.iter().map(|(verdict, versions)| format!("{verdict} with {}", versions.join(", "))).collect();
            let _ = writeln!(text, "{target} differs: {}", parts.join("; "));
        }
    }
    text
}
