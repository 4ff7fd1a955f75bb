//! Chooses the module to work on and assembles the result.
//!
//! A reproducer comes first: it is the input of the failing pass manager, and its pipeline says what to run. Without one, the
//! dump just before the failing pass is best, and then the last module that is not known to be invalid. Where the text
//! names no failing pass, as up to 3.2.0, the last dump header does.

use super::advice;
use super::command::commands;
use super::modules::{Scan, Truncated};
use super::settings::{CompileSettings, triton_version};
use super::{DumpedPass, FoundFailure, FoundModule, IngestError, Ingested, Missing, ModuleRole};
use crate::compiler::PassName;
use crate::compiler::diagnostic::{Diagnostics, ReportedFailure, ReportedPass};
use crate::compiler::fork::Fork;
use crate::compiler::pipeline::Pipeline;

/// Turns the results of the stages into the answer, or into the error that says what to do next.
pub(super) fn assemble(
    mut found: Scan,
    diagnostics: Diagnostics,
    around: &[(u32, &str)],
    mut notes: Vec<String>,
    which: Option<usize>,
) -> Result<Ingested, IngestError> {
    drop_gaps(&mut found, &mut notes);
    if found.modules.is_empty() {
        return Err(nothing(&found, &diagnostics, around));
    }
    let failures = failures(&found, &diagnostics, around);
    let wanted = which.and_then(|number| failures.get(number.wrapping_sub(1)));
    if let (Some(wanted), None) = (which, wanted) {
        return Err(IngestError::NoSuchFailure { wanted, count: failures.len() });
    }
    let mut failure = wanted.map_or_else(|| diagnostics.failure(), |wanted| Some(wanted.failure.clone()));
    if let Some(failure) = &mut failure {
        complete(failure, &found, &mut notes);
    }
    let (chosen, reason) = match wanted {
        Some(wanted) => (wanted.module, "the module of that failure"),
        None => choose(&found.modules, failure.as_ref()),
    };
    describe(&found, &mut notes);
    let mut pipeline_text = found.pipelines.get(chosen).cloned().flatten();
    if pipeline_text.is_none() {
        // Another pipeline of the log is likely the same.
        pipeline_text = found.pipelines.iter().flatten().next().cloned().or_else(|| found.loose_pipeline.clone());
    }
    if pipeline_text.is_none() {
        let begins = found.modules.get(chosen).and_then(|module| module.line_map.first()).copied().unwrap_or(0);
        pipeline_text = of_command(around, begins, &mut notes);
    }
    let (pipeline, unreadable_pipeline) = match pipeline_text.as_deref().map(str::parse::<Pipeline>).transpose() {
        Ok(pipeline) => (pipeline, None),
        Err(error) => {
            notes.push(format!("The pipeline of the input cannot be read: {error}."));
            (None, Some(error))
        }
    };
    if let Some(module) = found.modules.get(chosen) {
        notes.push(format!(
            "Taken: the {} of line {}, {} lines long, {reason}.",
            module.role,
            module.line_map.first().copied().unwrap_or(0),
            module.line_map.len()
        ));
    }
    let settings = found.modules.get(chosen).map(|module| CompileSettings::of_module(&module.text)).unwrap_or_default();
    let settings = match &pipeline {
        Some(pipeline) => settings.or(CompileSettings::of_pipeline(pipeline), "The pipeline", &mut notes),
        None => settings,
    };
    let dumped = found.headers.iter().filter_map(|(_, dumped)| dumped.pass.as_ref());
    let settings = settings.or(CompileSettings::of_passes(dumped), "A dump header", &mut notes).with_warp_size();
    let triton_version = around.iter().find_map(|(_, line)| triton_version(line)).map(str::to_owned);
    let pipelines = pipeline_text.as_deref();
    let texts = found.modules.iter().map(|module| module.text.as_str()).chain(pipelines);
    let fork = Fork::of(texts, around.iter().map(|(_, line)| *line));
    let mut missing = Vec::new();
    let mut lacks = |lacks: bool, what| {
        if lacks {
            missing.push(what);
        }
    };
    lacks(settings.target.is_none(), Missing::Target);
    lacks(settings.num_warps.is_none(), Missing::NumWarps);
    lacks(settings.num_stages.is_none(), Missing::NumStages);
    lacks(triton_version.is_none(), Missing::TritonVersion);
    Ok(Ingested {
        modules: found.modules,
        chosen,
        pipeline,
        unreadable_pipeline,
        pipeline_text,
        failure,
        failures,
        fork,
        diagnostics,
        target: settings.target,
        num_warps: settings.num_warps,
        num_ctas: settings.num_ctas,
        threads_per_warp: settings.threads_per_warp,
        num_stages: settings.num_stages,
        triton_version,
        notes,
        missing,
    })
}

/// The failures of which each has a module: the reproducer before the note that names the failing pass, and what was said
/// since the failure before. The same failure of several processes is one.
fn failures(scan: &Scan, diagnostics: &Diagnostics, around: &[(u32, &str)]) -> Vec<FoundFailure> {
    let modules = &scan.modules;
    let mut found: Vec<FoundFailure> = Vec::new();
    // Lines are in the order of processes, so that their numbers are not in order. Where the last note was:
    let (mut begins, mut before, mut place) = (0, 0, 0);
    for (index, entry) in diagnostics.entries.iter().enumerate() {
        let notes = entry.notes.iter().chain([entry]);
        let Some(note) = notes.clone().find(|note| ReportedPass::read(&note.message).is_some()) else { continue };
        let entries = diagnostics.entries.get(begins..=index).unwrap_or_default().to_vec();
        let rest = around.get(place..).unwrap_or_default();
        place += rest.iter().position(|(line, _)| *line == note.line).map_or(0, |at| at + 1);
        let at = scan.around.get(place.saturating_sub(1)).copied().unwrap_or(usize::MAX);
        let module = modules
            .iter()
            .zip(&scan.starts)
            .rposition(|(module, start)| module.role == ModuleRole::Reproducer && (before..at).contains(start));
        (begins, before) = (index + 1, at);
        let failure = Diagnostics { entries }.failure();
        let (Some(module), Some(failure)) = (module, failure) else { continue };
        let text = |at: usize| modules.get(at).map(|module| module.text.as_str());
        let same = |other: &FoundFailure| {
            text(other.module) == text(module)
                && (&other.failure.pass, &other.failure.normalised) == (&failure.pass, &failure.normalised)
        };
        if !found.iter().any(same) {
            found.push(FoundFailure { module, failure });
        }
    }
    found
}

/// Leaves out modules of which lines are missing: nothing that a compiler says of the rest can be believed.
fn drop_gaps(found: &mut Scan, notes: &mut Vec<String>) {
    let gaps = std::mem::take(&mut found.gaps);
    let gap = |module: &FoundModule| {
        let (first, last) = (module.line_map.first().copied(), module.line_map.last().copied());
        let inside = gaps
            .iter()
            .find(|line| first.is_some_and(|first| first < **line) && last.is_some_and(|last| **line < last));
        inside.copied()
    };
    let mut index = 0;
    while let Some(module) = found.modules.get(index) {
        let Some(gap) = gap(module) else {
            index += 1;
            continue;
        };
        let begins = module.line_map.first().copied().unwrap_or(0);
        notes.push(format!(
            "The module that begins in line {begins} was left out: its line {gap} says that others are missing."
        ));
        found.modules.remove(index);
        found.starts.remove(index);
        let pipeline = (index < found.pipelines.len()).then(|| found.pipelines.remove(index)).flatten();
        found.loose_pipeline = found.loose_pipeline.take().or(pipeline);
    }
    found.gaps = gaps;
}

/// The passes of the command that is nearest above a line, else of the first below it.
fn of_command(around: &[(u32, &str)], line: u32, notes: &mut Vec<String>) -> Option<String> {
    let commands = commands(around);
    let nearest = commands.iter().rfind(|command| command.line < line).or(commands.first())?;
    notes.push(format!("The passes are those of the command in line {}.", nearest.line));
    if let Some(other) = commands.iter().find(|command| command.pipeline != nearest.pipeline) {
        notes.push(format!("Another command with other passes, in line {}, was left out.", other.line));
    }
    Some(nearest.pipeline.clone())
}

/// The reproducer, else the dump just before the failing pass, else the last module.
fn choose(modules: &[FoundModule], failure: Option<&ReportedFailure>) -> (usize, &'static str) {
    let last = modules.len().saturating_sub(1);
    if let Some(index) = modules.iter().position(|module| module.role == ModuleRole::Reproducer) {
        return (index, "the module that the failing pass manager began with");
    }
    if let Some(pass) = failure.and_then(|failure| failure.pass.as_ref())
        && let Some(index) = before_pass(modules, pass)
    {
        return (index, "the module just before the failing pass");
    }
    let sound = |module: &FoundModule| !matches!(module.role, ModuleRole::DumpAfterFailed(_));
    match modules.iter().rposition(sound) {
        Some(0) if modules.len() == 1 => (0, "the only module"),
        Some(index) => (index, "the last complete module"),
        None => (last, "the only kind of module here, what a failing pass left behind"),
    }
}

/// The last dump before a pass.
fn before_pass(modules: &[FoundModule], pass: &ReportedPass) -> Option<usize> {
    modules.iter().rposition(|module| match &module.role {
        ModuleRole::DumpBefore(dumped) => PassName(&dumped.name).same_as(&pass.name),
        _ => false,
    })
}

/// Names the failing pass from dump headers where no note did: the one that failed, or the last one begun.
fn complete(failure: &mut ReportedFailure, found: &Scan, notes: &mut Vec<String>) {
    if failure.pass.is_some() {
        return;
    }
    let named =
        |dumped: &DumpedPass| ReportedPass { on: dumped.on.clone(), ..ReportedPass::named(dumped.name.clone()) };
    let failed = found.modules.iter().find_map(|module| match &module.role {
        ModuleRole::DumpAfterFailed(dumped) => Some(named(dumped)),
        _ => None,
    });
    let begun = || {
        let before = found.headers.iter().rev().find(|(line, _)| *line <= failure.line)?;
        Some(named(&before.1))
    };
    if let Some(pass) = failed.or_else(begun) {
        notes.push(format!("The failing pass is {} by the dump headers.", pass.name));
        failure.pass = Some(pass);
    }
}

/// Notes how many modules of each kind there are, and what was left out.
fn describe(found: &Scan, notes: &mut Vec<String>) {
    let count = |wanted: fn(&ModuleRole) -> bool| found.modules.iter().filter(|module| wanted(&module.role)).count();
    if found.modules.len() > 1 {
        let mut kinds = Vec::new();
        for (number, kind) in [
            (count(|role| *role == ModuleRole::Reproducer), "with a reproducer's pipeline"),
            (count(|role| *role == ModuleRole::Plain), "plain"),
            (count(|role| matches!(role, ModuleRole::DumpBefore(_))), "dumped before a pass"),
            (count(|role| matches!(role, ModuleRole::DumpAfter(_))), "dumped after a pass"),
            (count(|role| matches!(role, ModuleRole::DumpAfterFailed(_))), "dumped after the pass that failed"),
        ] {
            if number > 0 {
                kinds.push(format!("{number} {kind}"));
            }
        }
        notes.push(format!("{} modules were found: {}.", found.modules.len(), kinds.join(", ")));
    }
    for Truncated { begins, ends, .. } in &found.truncated {
        notes.push(format!("The module that begins in line {begins} is cut off after line {ends} and was left out."));
    }
    if let (Some(first), count) = (found.foreign.first(), found.foreign.len()) {
        notes.push(format!("Inside modules, {count} lines of other output were left out, the first in line {first}."));
    }
}

/// The error for an input without a complete module.
fn nothing(found: &Scan, diagnostics: &Diagnostics, around: &[(u32, &str)]) -> IngestError {
    if let Some(line) = found.gaps.first() {
        return IngestError::Gap { what: format!("line {line} says that others were left out, inside a module") };
    }
    if let (Some(line), true) = (found.headless, found.truncated.is_empty()) {
        return IngestError::Gap { what: format!("line {line} is of a module that does not begin before it") };
    }
    if let Some(Truncated { begins, ends, open }) = found.truncated.first() {
        return IngestError::Truncated { begins: *begins, ends: *ends, open: *open };
    }
    let mut seen = Vec::new();
    if found.loose_pipeline.is_some() {
        seen.push("the pipeline of a reproducer".to_owned());
    }
    if !found.headers.is_empty() {
        seen.push(format!("{} dump headers", found.headers.len()));
    }
    if let Some(failure) = diagnostics.failure() {
        seen.push(format!("a failure in line {}, \"{}\"", failure.line, failure.message));
    }
    if let Some(exception) = advice::exception(diagnostics) {
        seen.push(format!("a Python traceback that ends in \"{exception}\""));
    }
    let found =
        if seen.is_empty() { "nothing in it looks like one".to_owned() } else { format!("it has {}", seen.join(", ")) };
    if let Some(sign) = Fork::of(None, around.iter().map(|(_, line)| *line)) {
        return IngestError::NoModule { found, advice: format!("But {sign}: {}", advice::of(around, diagnostics)) };
    }
    IngestError::NoModule { found, advice: advice::of(around, diagnostics) }
}
