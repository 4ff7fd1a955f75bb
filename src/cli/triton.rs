//! `tritonsmith triton`: the installations of Triton, and what each one offers.

use super::install;
use super::interrupt;
use super::meter::{Meter, Unit};
use super::output::Output;
use super::table::Table;
use super::{Ending, Error};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::time::{Duration, Instant};
use tritonsmith::compiler::protocol::{Hello, Probe, ProbeRequest, ProbedBackend};
use tritonsmith::compiler::wheel::{Cache, PACKAGES, Triton, TritonRelease, WheelError};
use tritonsmith::compiler::worker::{Reply, Worker, WorkerLimits};

/// A probe tries every pass with made-up arguments, each of which may take a process down with it.
const PROBE_TIME: Duration = Duration::from_secs(300);

/// List, install, remove and probe installations of Triton
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "Examples:\n  tritonsmith triton list\n  tritonsmith triton install 3.6.0 3.9.0\n  \
                        tritonsmith triton probe ./venv/bin/python")]
pub struct Manage {
    #[command(subcommand)]
    action: TritonCommand,
}

#[derive(Debug, Subcommand)]
enum TritonCommand {
    /// Show which releases are installed
    #[command(after_help = "Example:\n  tritonsmith triton list --available")]
    List {
        /// Show the releases that the package index has too.
        #[arg(long)]
        available: bool,
    },
    /// Install releases into the cache directory of the user
    #[command(
        after_help = "Examples:\n  tritonsmith triton install 3.6.0 3.9.0\n  tritonsmith triton install ascend:3.2.0"
    )]
    Install {
        /// Versions, such as 3.6.0; one of another package has that package before a colon.
        #[arg(required = true, value_name = "VERSION")]
        versions: Vec<Triton>,
    },
    /// Remove installed releases
    #[command(after_help = "Example:\n  tritonsmith triton remove 3.0.0")]
    Remove {
        /// Versions, as `triton list` shows them.
        #[arg(required = true, value_name = "VERSION")]
        versions: Vec<Triton>,
    },
    /// Ask installations which backends, targets and passes they have
    #[command(
        after_help = "Examples:\n  tritonsmith triton probe 3.6.0\n  tritonsmith triton probe ./venv/bin/python --passes"
    )]
    Probe {
        /// Versions or paths of Python interpreters; all installed releases where none is given.
        #[arg(value_name = "VERSION|PATH")]
        installations: Vec<Triton>,
        /// Show every pass, not only their number and those that could not be tried.
        #[arg(long)]
        passes: bool,
    },
}

impl Manage {
    /// Does what is asked.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run(&self, output: &mut Output) -> Result<Ending, Error> {
        match &self.action {
            TritonCommand::List { available } => list(*available, output),
            TritonCommand::Install { versions } => install_all(versions, output),
            TritonCommand::Remove { versions } => remove(versions, output),
            TritonCommand::Probe { installations, passes } => probe_all(installations, *passes, output),
        }
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}

fn list(available: bool, output: &mut Output) -> Result<Ending, Error> {
    #[derive(Serialize)]
    #[serde(tag = "event", rename = "release")]
    struct Listed {
        triton: String,
        installed: bool,
        bytes: Option<u64>,
        path: Option<String>,
    }
    let cache = Cache::of_user()?;
    let installed = cache.installed()?;
    let mut table = Table::new(&["triton", "size", "path"], &[1]);
    for entry in &installed {
        let (triton, path) = (entry.release.to_string(), entry.path.display().to_string());
        table.row(vec![triton.clone(), megabytes(entry.bytes), path.clone()]);
        output.object(&Listed { triton, installed: true, bytes: Some(entry.bytes), path: Some(path) });
    }
    if available {
        for package in PACKAGES {
            for version in cache.known(package)? {
                let release = TritonRelease { package, version };
                if !installed.iter().any(|entry| entry.release == release) {
                    let triton = release.to_string();
                    table.row(vec![triton.clone(), String::new(), "not installed".to_owned()]);
                    output.object(&Listed { triton, installed: false, bytes: None, path: None });
                }
            }
        }
    }
    if installed.is_empty() && !available {
        let place = cache.directory().display();
        output.note(&format!("no release is installed in {place}; `tritonsmith triton install 3.6.0` installs one"));
    } else {
        output.text(&table.render());
    }
    Ok(Ending::Clean)
}

fn install_all(versions: &[Triton], output: &mut Output) -> Result<Ending, Error> {
    #[derive(Serialize)]
    #[serde(tag = "event", rename = "installed")]
    struct Installed {
        triton: String,
        python: String,
        seconds: f64,
        new: bool,
    }
    let cache = Cache::of_user()?;
    for spec in versions {
        let release = release(spec, "installed")?;
        let new = cache.find(release).is_none();
        let started = Instant::now();
        let installation = install::installation(spec)?;
        let (seconds, python) = (started.elapsed().as_secs_f64(), installation.python.display().to_string());
        output.text(&match new {
            true => format!("{release} is installed: {python} ({seconds:.0} s)\n"),
            false => format!("{release} was installed already: {python}\n"),
        });
        output.object(&Installed { triton: release.to_string(), python, seconds, new });
    }
    Ok(Ending::Clean)
}

fn remove(versions: &[Triton], output: &mut Output) -> Result<Ending, Error> {
    #[derive(Serialize)]
    #[serde(tag = "event", rename = "removed")]
    struct Removed {
        triton: String,
    }
    let cache = Cache::of_user()?;
    for spec in versions {
        let release = release(spec, "removed")?;
        cache.remove(release, &interrupt::watch())?;
        output.text(&format!("{release} is removed\n"));
        output.object(&Removed { triton: release.to_string() });
    }
    Ok(Ending::Clean)
}

fn release<'a>(spec: &'a Triton, done: &str) -> Result<&'a TritonRelease, Error> {
    match spec {
        Triton::Release(release) => Ok(release),
        Triton::Python(path) => Err(Error::Usage(format!(
            "{} is an interpreter of your own and cannot be {done} here; give a version such as 3.6.0",
            path.display()
        ))),
        Triton::Model(_) => Err(WheelError::Model.into()),
    }
}

fn probe_all(named: &[Triton], passes: bool, output: &mut Output) -> Result<Ending, Error> {
    let mut specs = named.to_vec();
    if specs.is_empty() {
        specs.extend(Cache::of_user()?.installed()?.into_iter().map(|entry| Triton::Release(entry.release)));
    }
    if specs.is_empty() {
        let advice = "give a version such as 3.6.0, which is then installed, or the path of a Python interpreter";
        return Err(Error::Usage(format!("no release is installed: {advice}")));
    }
    let mut ending = Ending::Clean;
    for spec in &specs {
        // One installation that does not work says nothing about the others.
        ending = ending.max(probe(spec, passes, output).unwrap_or_else(|error| {
            output.error(&error);
            Ending::Failed
        }));
    }
    Ok(ending)
}

fn probe(spec: &Triton, passes: bool, output: &mut Output) -> Result<Ending, Error> {
    #[derive(Serialize)]
    #[serde(tag = "event", rename = "probe")]
    struct Probed<'a> {
        triton: String,
        #[serde(flatten)]
        hello: &'a Hello,
        #[serde(flatten)]
        probe: &'a Probe,
    }
    let installation = install::installation(spec)?;
    let mut meter = Meter::new(&format!("probing triton {spec}"), Unit::Words);
    let mut worker = Worker::start(&installation, WorkerLimits::default())?;
    let answer = std::thread::scope(|scope| {
        let asked = scope.spawn(|| worker.ask_within(&ProbeRequest {}, PROBE_TIME));
        while !asked.is_finished() {
            meter.update("trying every target and pass", 0, None);
            std::thread::sleep(Duration::from_millis(20));
        }
        asked.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    drop(meter);
    let probe = match answer? {
        Reply::Answered(probe) => probe,
        Reply::Refused(refusal) => return Err(Error::Usage(format!("triton {spec} cannot be probed: {refusal}"))),
        Reply::Lost(lost) => {
            return Err(Error::Usage(format!("triton {spec} does not survive being probed: {}", lost.describe())));
        }
    };
    output.text(&describe(spec, worker.hello(), &probe, passes));
    output.object(&Probed { triton: spec.to_string(), hello: worker.hello(), probe: &probe });
    Ok(Ending::Clean)
}

fn describe(spec: &Triton, hello: &Hello, probe: &Probe, passes: bool) -> String {
    let mut lines =
        vec![format!("triton {spec} (version {}, Python {}, {})", hello.triton, hello.python, hello.executable)];
    if probe.backends.is_empty() {
        lines.push("  no backend is registered: it was built without any".to_owned());
    }
    probe.backends.iter().for_each(|backend| describe_backend(backend, &mut lines));
    let tried = probe.passes.iter().filter(|pass| pass.text.is_some()).count();
    lines.push(format!("  passes: {} can be added, {tried} of them tried with made-up arguments", probe.passes.len()));
    for pass in &probe.passes {
        match (&pass.text, &pass.failure) {
            (Some(text), _) if passes => lines.push(format!("    {text}  ({})", pass.binding)),
            (None, Some(failure)) => lines.push(format!("    {}: {failure}", pass.binding)),
            _ => {}
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

fn describe_backend(backend: &ProbedBackend, lines: &mut Vec<String>) {
    lines.push(format!("  backend {} ({})", backend.name, backend.class));
    for kind in &backend.kinds {
        lines.push(match &kind.arch {
            Some(arch) => {
                format!("    accepts {}; set up for {}:{arch}: {}", kind.kind, kind.kind, kind.stages.join(", "))
            }
            None => format!("    accepts {}, but no pipeline could be set up for it", kind.kind),
        });
        lines.extend(kind.failures.iter().map(|failure| format!("      not for {failure}")));
    }
    if backend.kinds.is_empty() {
        lines.push("    accepts no kind of target that is known".to_owned());
    } else if !backend.kinds.iter().any(|kind| kind.kind == backend.name) && backend.refused.contains(&backend.name) {
        let first = backend.kinds.first().map_or("", |kind| kind.kind.as_str());
        lines
            .push(format!("    registered as {}, but that is no kind that it accepts: use {first}:ARCH", backend.name));
    }
    if !backend.refused.is_empty() {
        lines.push(format!("    refuses {}", backend.refused.join(", ")));
    }
    lines.extend(backend.errors.iter().map(|error| format!("    raised {error}")));
}
