//! `tritonsmith capture`: somebody's program, with every compile that fails in it kept.

use super::meter::{Meter, Unit};
use super::output::Output;
use super::run::Limits;
use super::table::{Table, cut};
use super::{Ending, Error, interrupt};
use clap::Args;
use serde::Serialize;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tritonsmith::capture::{Captured, Gathered, Rerun, Session};

/// Run a program and keep every Triton compile that fails in it
///
/// The program is not changed and goes on as it would have: the same exceptions, the same exit code. Its Python processes
/// find a start-up hook by PYTHONPATH, child processes as well, and each stage of a compile that fails leaves a case. A
/// process that dies in a stage leaves one too. Broken entries of Triton's cache are named as what they are. What is told
/// goes to standard error. Python started with -I, -E or -S, or with another PYTHONPATH, does not see the hook.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tritonsmith capture -- python benchmark_moe.py --tune\n  \
                        tritonsmith capture --out captures -- torchrun train.py\n  tritonsmith reduce captures/x")]
pub struct Capture {
    /// Where cases go.
    #[arg(long, value_name = "DIR", default_value = "captures")]
    out: PathBuf,
    #[command(flatten)]
    limits: Limits,
    /// The program and its arguments.
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "captured")]
struct CaptureObject<'a> {
    case: &'a Path,
    kernel: &'a str,
    stage: &'a str,
    triton: &'a str,
    count: usize,
    error: &'a str,
    verdict: Option<&'a str>,
    signature: Option<String>,
    fails_again: Option<bool>,
    next: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "cache-entry")]
struct CacheObject<'a> {
    file: &'a Path,
    directory: &'a Path,
    kept: &'a Path,
    error: &'a str,
    count: usize,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "summary")]
struct CaptureSummary {
    processes: usize,
    cases: usize,
    cache_entries: usize,
    front_end_errors: usize,
    exit: u8,
}

impl Capture {
    /// Runs the program and tells what was captured.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run(&self, output: &mut Output) -> Result<Ending, Error> {
        let wrong = |error: &dyn std::fmt::Display| Error::Usage(error.to_string());
        let session = Session::new(&self.out).map_err(|error| wrong(&error))?;
        let cancel = interrupt::watch();
        let code = self.program(&session)?;
        let mut meter = Meter::new("running captured cases again", Unit::Count);
        let gathered = session
            .gather(self.limits.worker(), &cancel, &mut |done, all| meter.update("", done as u64, Some(all as u64)))
            .map_err(|error| wrong(&error))?;
        drop(meter);
        self.tell(&gathered, output);
        output.object(&CaptureSummary {
            processes: gathered.loaded.values().sum(),
            cases: gathered.cases.len(),
            cache_entries: gathered.cache.len(),
            front_end_errors: gathered.front.iter().map(|(_, _, count)| count).sum(),
            exit: code,
        });
        Ok(Ending::Program(code))
    }

    /// Runs the program to its end; the exit code is as a shell would tell it.
    fn program(&self, session: &Session) -> Result<u8, Error> {
        let (name, arguments) = self.program.split_first().ok_or_else(|| Error::Usage("name a program".to_owned()))?;
        let failed = |error| Error::Usage(format!("{} cannot be run: {error}", name.display()));
        let mut command = Command::new(name);
        command.args(arguments).envs(session.environment(std::env::var_os("PYTHONPATH")));
        let mut child = command.spawn().map_err(failed)?;
        interrupt::program(Some(child.id()));
        let status = child.wait();
        interrupt::program(None);
        let status = status.map_err(failed)?;
        let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
        let code = code.and_then(|code| u8::try_from(code).ok());
        Ok(code.expect("a process that was waited for has a code of one byte, or a signal below 128"))
    }

    fn tell(&self, gathered: &Gathered, output: &mut Output) {
        let versions: Vec<&str> = gathered.loaded.keys().map(String::as_str).collect();
        let processes: usize = gathered.loaded.values().sum();
        if processes == 0 {
            output.warn(
                "no process with the hook imported Triton; was Python started with -I, -E or -S, or without PYTHONPATH?",
            );
        }
        let (cases, plural) = (gathered.cases.len(), |count: usize| if count == 1 { "" } else { "s" });
        if processes > 0 {
            let versions = versions.join(", ");
            let es = if processes == 1 { "" } else { "es" };
            let kept = format!("{cases} failing compile{} kept", plural(cases));
            output.say(&format!("captured: {kept}; triton {versions} in {processes} process{es}"));
        }
        let groups: Vec<&[Captured]> = gathered.cases.chunk_by(alike).collect();
        if !groups.is_empty() {
            let mut table = Table::new(&["seen", "cases", "kernel", "stage", "failure"], &[0, 1]);
            for group in &groups {
                let Some(first) = group.first() else { continue };
                let seen: usize = group.iter().map(|captured| captured.count).sum();
                let (kernel, stage) = (cut(&first.facts.kernel, 40), first.facts.stage.clone());
                table.row(vec![seen.to_string(), group.len().to_string(), kernel, stage, cut(&failure(first), 160)]);
            }
            output.say(table.render().trim_end());
        }
        // One of those that fail alike is enough to go on with.
        for next in groups.iter().filter_map(|group| self.next(group.first()?)) {
            output.say(&format!("  {next}"));
        }
        for captured in &gathered.cases {
            output.object(&object(captured, &self.shown(captured), self.next(captured)));
        }
        for entry in &gathered.cache {
            let file = entry.file.display();
            output.say(&format!(
                "a broken entry of Triton's cache, no failure of the compiler: {file} ({})",
                entry.error
            ));
            output.say(&format!(
                "  rm -r {}   (what was in it is told in {})",
                entry.directory.display(),
                entry.kept.display()
            ));
            output.object(&CacheObject {
                file: &entry.file,
                directory: &entry.directory,
                kept: &entry.kept,
                error: &entry.error,
                count: entry.count,
            });
        }
        for (kernel, error, count) in gathered.front.iter().take(5) {
            let times = if *count > 1 { format!(", {count} times") } else { String::new() };
            output.note(&format!("the front end refused {kernel}{times}, which leaves no module: {}", cut(error, 120)));
        }
        if gathered.front.len() > 5 {
            output.note(&format!("and {} more errors of the front end", gathered.front.len() - 5));
        }
        if gathered.running > 0 {
            output.note(&format!("{} compile{} still running", gathered.running, plural(gathered.running)));
        }
        for problem in &gathered.problems {
            output.warn(&format!("not everything was kept: {}", problem.trim_end().lines().last().unwrap_or(problem)));
        }
    }

    /// A case's directory as the user would write it.
    fn shown(&self, captured: &Captured) -> PathBuf {
        captured.path.file_name().map_or_else(|| captured.path.clone(), |name| self.out.join(name))
    }

    /// What to do with a case next.
    fn next(&self, captured: &Captured) -> Option<String> {
        let Rerun::Fails(_) = captured.rerun else { return None };
        let facts = &captured.facts;
        // A build that is on nobody's index is found by its interpreter.
        let released = facts.triton.split('.').all(|part| part.parse::<u32>().is_ok());
        let triton = if released { String::new() } else { format!(" --triton {}", facts.python.display()) };
        Some(format!("tritonsmith reduce {}{triton}", self.shown(captured).display()))
    }
}

/// Whether two cases, side by side, are of one bug in one kernel.
fn alike(one: &Captured, other: &Captured) -> bool {
    let same = match (&one.rerun, &other.rerun) {
        (Rerun::Fails(one), Rerun::Fails(other)) => one.signature == other.signature,
        (Rerun::Passes, Rerun::Passes) => one.error == other.error,
        (Rerun::NotRun(why), Rerun::NotRun(other_why)) => (&one.error, why) == (&other.error, other_why),
        _ => false,
    };
    same && (&one.facts.kernel, &one.facts.stage) == (&other.facts.kernel, &other.facts.stage)
}

/// A failure in a line.
fn failure(captured: &Captured) -> String {
    let error = cut(&captured.error.split_whitespace().collect::<Vec<_>>().join(" "), 70);
    match &captured.rerun {
        Rerun::Fails(judgement) => judgement.signature.to_string(),
        Rerun::Passes => format!("{error}; does not fail again when it is run alone"),
        Rerun::NotRun(why) => format!("{error} ({why})"),
    }
}

fn object<'a>(captured: &'a Captured, case: &'a Path, next: Option<String>) -> CaptureObject<'a> {
    let judgement = match &captured.rerun {
        Rerun::Fails(judgement) => Some(judgement),
        _ => None,
    };
    CaptureObject {
        case,
        kernel: &captured.facts.kernel,
        stage: &captured.facts.stage,
        triton: &captured.facts.triton,
        count: captured.count,
        error: &captured.error,
        verdict: judgement.map(|judgement| judgement.verdict.word()),
        signature: judgement.map(|judgement| judgement.signature.to_string()),
        fails_again: match captured.rerun {
            Rerun::Fails(_) => Some(true),
            Rerun::Passes => Some(false),
            Rerun::NotRun(_) => None,
        },
        next,
    }
}
