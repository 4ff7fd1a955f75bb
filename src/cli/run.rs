//! `tritonsmith run`: one module through the passes of several versions and targets, judged after every pass.
//!
//! Each version has a worker and a thread of its own and goes through the targets one by one; the thread of the command
//! only waits, so that Ctrl-C is answered at once with what is there by then.

use super::excerpt::ExcerptSource;
use super::meter::{Meter, Unit};
use super::output::Output;
use super::runs::{Cell, RunJob, ShowModules};
use super::{Ending, Error, input, install, interrupt, processors, tally};
use clap::Args;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tritonsmith::compiler::ingest::{FoundFailure, Ingested, Missing, ingest_failure};
use tritonsmith::compiler::plan::{Occurrence, Part, PassSelection};
use tritonsmith::compiler::protocol::{Options, Passes};
use tritonsmith::compiler::wheel::Triton;
use tritonsmith::compiler::worker::WorkerLimits;
use tritonsmith::compiler::{CompilerSpec, NestedPass, Target};
use tritonsmith::ir::{self, ParseOptions};
use tritonsmith::oracle;

/// Run the passes of Triton over a module and judge what comes out
///
/// Takes a `.mlir` file or a pasted log. What the module's attributes and the log's pipeline say is the default for the
/// target, the options and the passes: the log's own pipeline, or all stages that the backend lists, to the object file. A
/// module with layouts goes on from behind the conversion in ttgir; one that is no kernel ends there. What is not run is
/// said. Exit code 1 where a bug shows itself.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tritonsmith run input.mlir --triton 3.6.0,3.9.0 --target cuda:87\n  \
                        tritonsmith run stderr.log --triton 3.6.0 --before-failing > before.mlir\n  \
                        tritonsmith run input.mlir --triton 3.6.0 --target cuda:90 --passes 'canonicalize,cse'")]
pub struct Run {
    /// The module, or the log that has it; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Versions, paths of Python interpreters that have Triton, or `model`; a version is installed on first use.
    #[arg(long, value_name = "TRITON", value_delimiter = ',')]
    triton: Vec<Triton>,
    /// What to compile for, such as cuda:87 or hip:gfx942.
    #[arg(long, value_name = "KIND:ARCH", value_delimiter = ',')]
    target: Vec<Target>,
    #[command(flatten)]
    options: CompileOptions,
    #[command(flatten)]
    which: WhichFailure,
    /// Run these passes, written as in a pipeline: `a,b{x=1}`.
    #[arg(long, value_name = "PASSES", conflicts_with = "stage", value_parser = passes)]
    passes: Option<Passes>,
    /// Run these stages of the backend: ttir, ttgir, llir and those behind it, or a vendor's own.
    #[arg(long, value_name = "STAGE", value_delimiter = ',')]
    stage: Vec<String>,
    /// Begin with this pass; PASS#2 is its second run.
    #[arg(long, value_name = "PASS")]
    from: Option<Occurrence>,
    /// End with this pass.
    #[arg(long, value_name = "PASS")]
    until: Option<Occurrence>,
    /// Print the module after each run of this pass, or after `all`; the table then goes to standard error.
    #[arg(long, value_name = "PASS")]
    print_after: Option<String>,
    /// Print the module just before the failing pass; the table then goes to standard error.
    #[arg(long)]
    before_failing: bool,
    /// Show all that Triton printed.
    #[arg(long)]
    stderr: bool,
    #[command(flatten)]
    limits: Limits,
    /// How many versions run at a time.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// Options that a backend takes.
#[derive(Debug, Clone, Args)]
pub struct CompileOptions {
    /// Warps per block.
    #[arg(long, value_name = "N")]
    num_warps: Option<u32>,
    /// Stages of the software pipeline.
    #[arg(long, value_name = "N")]
    num_stages: Option<u32>,
    /// Any other option of the backend, such as `enable_fp_fusion=false`.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    others: Vec<(String, serde_json::Value)>,
}

/// What one run may cost.
#[derive(Debug, Clone, Copy, Args)]
pub struct Limits {
    /// Seconds that a run may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    timeout: f64,
    /// Memory that a run may take, such as 512M or 4G.
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = size)]
    memory: u64,
}

fn option(text: &str) -> Result<(String, serde_json::Value), String> {
    let wrong = || format!("`{text}` is no option: write NAME=VALUE, for example enable_fp_fusion=false");
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    if name.is_empty() {
        return Err(wrong());
    }
    let value = match value {
        "True" => true.into(),
        "False" => false.into(),
        _ => serde_json::from_str(value).unwrap_or_else(|_| value.into()),
    };
    Ok((name.replace('-', "_"), value))
}

/// Passes as `--passes` takes them.
pub fn passes(text: &str) -> Result<Passes, String> {
    match NestedPass::parse_list(text) {
        Ok(passes) if passes.is_empty() => Err("it has no pass".to_owned()),
        Ok(passes) => Ok(Passes::texts(passes)),
        Err(error) => Err(error.to_string()),
    }
}

/// The passes that a person named, or else those that the input names, or else all.
///
/// # Errors
/// The input names passes, and they cannot be read: others would answer another query.
pub fn query(named: Option<&Passes>, found: &Ingested) -> Result<Passes, Error> {
    match (named, &found.pipeline, &found.unreadable_pipeline) {
        (Some(passes), ..) => Ok(passes.clone()),
        (None, Some(pipeline), _) => Ok(Passes::texts(pipeline.passes())),
        (None, None, Some(error)) => Err(Error::Usage(format!(
            "the input names its passes, but they cannot be read ({error}); name them with --passes"
        ))),
        (None, None, None) => Ok(Passes::All),
    }
}

pub fn seconds(text: &str) -> Result<f64, String> {
    let wrong = || format!("`{text}` is no number of seconds: write for example 60 or 0.5");
    text.parse().ok().filter(|seconds| *seconds > 0.0 && *seconds < 1e9).ok_or_else(wrong)
}

pub fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
        "" => Some(0),
        "K" => Some(10),
        "M" => Some(20),
        "G" => Some(30),
        _ => None,
    };
    let bytes = digits.parse::<u64>().ok().zip(shift).and_then(|(number, shift)| number.checked_mul(1 << shift));
    bytes.filter(|bytes| *bytes > 0).ok_or_else(|| format!("`{text}` is no size: write for example 512M or 4G"))
}

impl Limits {
    /// The same as a worker takes them.
    pub fn worker(&self) -> WorkerLimits {
        WorkerLimits { time: Duration::from_secs_f64(self.timeout), memory: self.memory, ..WorkerLimits::default() }
    }
}

impl CompileOptions {
    /// Flags first, then what the input says; a note tells of what neither says.
    pub fn complete(&self, found: &Ingested, output: &mut Output) -> Options {
        self.complete_case(Options::new(), found, output)
    }

    /// The same with the options of a case between the two.
    pub fn complete_case(&self, case: Options, found: &Ingested, output: &mut Output) -> Options {
        let mut options = case;
        options.extend(self.others.iter().cloned());
        let flags = [("num_warps", self.num_warps), ("num_stages", self.num_stages)];
        options.extend(flags.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.into()))));
        for (name, value) in found.options() {
            options.entry(name).or_insert(value);
        }
        for (name, missing) in [("num_warps", Missing::NumWarps), ("num_stages", Missing::NumStages)] {
            if !options.contains_key(name) {
                output.note(&format!("{missing}; the backend's default is taken"));
            }
        }
        options
    }
}

/// What a person named, or else what the input names.
///
/// # Errors
/// Neither names a target.
pub fn target(named: Option<&Target>, found: &Ingested) -> Result<Target, Error> {
    named.or(found.target.as_ref()).cloned().ok_or_else(|| Error::Usage(Missing::Target.to_string()))
}

/// The same for the installation.
///
/// # Errors
/// Neither names a version.
pub fn tritons(named: &[Triton], found: &Ingested, output: &mut Output) -> Result<Vec<Triton>, Error> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let hint = found.triton_version.as_deref().and_then(|version| version.parse::<Triton>().ok());
    let spec = hint.ok_or_else(|| Error::Usage(Missing::TritonVersion.to_string()))?;
    output.note(&format!("the input tells of Triton {spec}, which is taken; --triton names another"));
    Ok(vec![spec])
}

/// Which of several failures of a log is meant.
#[derive(Debug, Clone, Copy, Args)]
pub struct WhichFailure {
    /// Take this failure of a log that has several, counted from 1; the first where nothing is said.
    #[arg(long, value_name = "N", conflicts_with = "all_failures")]
    failure: Option<usize>,
    /// Take all failures of a log, one after the other.
    #[arg(long = "all")]
    all_failures: bool,
}

impl WhichFailure {
    /// Whether all are.
    pub fn is_all(self) -> bool {
        self.all_failures
    }

    /// Does something with each failure that is meant, and gives the worst ending. `act` gets its number where there are
    /// several.
    ///
    /// # Errors
    /// The input has no module, or no such failure; those of `act`.
    pub fn each(
        self,
        input: &input::Input,
        output: &mut Output,
        mut act: impl FnMut(Ingested, Option<usize>, &mut Output) -> Result<Ending, Error>,
    ) -> Result<Ending, Error> {
        let mut found = module_of(input, self.failure, output)?;
        let count = found.failures.len();
        if !self.all_failures || count < 2 {
            return act(found, self.failure, output);
        }
        let mut ending = Ending::Clean;
        for number in 1..=count {
            if number > 1 {
                found = module_of(input, Some(number), output)?;
            }
            output.say(&format!("failure {number} of {count}:"));
            ending = ending.max(act(found.clone(), Some(number), output)?);
        }
        Ok(ending)
    }
}

/// Refuses to run what is of a fork through releases, which do not have its backend.
///
/// # Errors
/// It is of a fork, and one of these installations is not.
pub fn refuse_fork(specs: &[Triton], found: &Ingested) -> Result<(), Error> {
    let Some(sign) = found.fork else { return Ok(()) };
    let other = |spec: &&Triton| match spec {
        Triton::Release(release) => sign.fork.package != Some(release.package.word),
        Triton::Python(_) => false,
        Triton::Model(_) => true,
    };
    if !specs.is_empty() && !specs.iter().any(|spec| other(&spec)) {
        return Ok(());
    }
    let how = match sign.fork.package {
        Some(word) => format!("--triton {word}:VERSION, or the path of a Python interpreter that has it"),
        None => "--triton PATH, a Python interpreter that has it".to_owned(),
    };
    Err(Error::Usage(format!("{sign}, and whose backend is another: name it with {how}, and --target as it calls it")))
}

/// Reads an input that has a module, and says what was found where that is more than a plain module.
///
/// # Errors
/// It cannot be read or has no module.
pub fn module_of(input: &input::Input, which: Option<usize>, output: &mut Output) -> Result<Ingested, Error> {
    let found =
        ingest_failure(&input.bytes, which).map_err(|source| Error::Ingest { path: input.path.clone(), source })?;
    if found.notes.len() > 1 || found.pipeline.is_some() || found.failure.is_some() {
        found.notes.iter().for_each(|note| output.note(note));
    }
    if which.is_none() && found.failures.len() > 1 {
        output
            .note(&format!("there are {} failures; --failure N takes another, --all takes all:", found.failures.len()));
        for (number, FoundFailure { failure, .. }) in (1..).zip(&found.failures) {
            let pass = failure.pass.as_ref().map_or_else(String::new, |pass| format!(" in {}", pass.name));
            let message = failure.message.lines().next().unwrap_or_default();
            output.note(&format!("  {number}: {message}{pass} (line {})", failure.line));
        }
    }
    Ok(found)
}

impl Run {
    /// Runs everything.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run(&self, output: &mut Output) -> Result<Ending, Error> {
        let input = input::read(&self.file)?;
        self.which.each(&input, output, |found, _, output| self.one(&input, found, output))
    }

    fn one(&self, input: &input::Input, found: Ingested, output: &mut Output) -> Result<Ending, Error> {
        refuse_fork(&self.triton, &found)?;
        let targets = match self.target.as_slice() {
            [] => vec![target(None, &found)?],
            named => named.to_vec(),
        };
        let specs = tritons(&self.triton, &found, output)?;
        let wanted = self.wanted(&found)?;
        let options = self.options.complete(&found, output);
        self.warn_of_input(input, &found, output);
        let job = RunJob {
            module: found.chosen().text.clone(),
            targets,
            options,
            wanted,
            part: Part { from: self.from.clone(), until: self.until.clone() },
            show: self.show()?,
        };
        let cancel = interrupt::watch();
        let compilers = specs.iter().map(install::compiler).collect::<Result<Vec<_>, _>>()?;
        let total = specs.len() * job.targets.len();
        let job = Arc::new(job);
        let receiver = self.start(specs.into_iter().zip(compilers).collect(), &job);
        let mut cells: Vec<Cell> = Vec::new();
        let mut meter = Meter::new("running", Unit::Count);
        while cells.len() < total && !cancel.load(Ordering::Relaxed) {
            match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok(cell) => cells.push(cell),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            let last = cells.last().map(|cell| format!("last {} for {}", cell.triton, cell.target));
            meter.update(&last.unwrap_or_default(), cells.len() as u64, Some(total as u64));
        }
        drop(meter);
        cells.sort_by_key(|cell| cell.order);
        let ending = tally::show(&cells, self.stderr, output);
        if cells.len() < total {
            return Err(Error::Interrupted(format!("{} of {total} runs were done", cells.len())));
        }
        Ok(ending)
    }

    /// One thread for each version, so many at a time. They are not waited for: a worker leaves when its reader does.
    fn start(&self, compilers: Vec<(Triton, CompilerSpec)>, job: &Arc<RunJob>) -> mpsc::Receiver<Cell> {
        let jobs = self.jobs.unwrap_or_else(processors).clamp(1, compilers.len().max(1));
        let (sender, receiver) = mpsc::channel();
        let (next, compilers) = (Arc::new(AtomicUsize::new(0)), Arc::new(compilers));
        for _ in 0..jobs {
            let (sender, next, job) = (sender.clone(), Arc::clone(&next), Arc::clone(job));
            let (compilers, limits) = (Arc::clone(&compilers), self.limits.worker());
            std::thread::spawn(move || {
                while let Some((row, (spec, compiler))) = {
                    let row = next.fetch_add(1, Ordering::Relaxed);
                    compilers.get(row).map(|compiler| (row, compiler))
                } {
                    let compiler = compiler.start(limits, 1);
                    for (column, target) in job.targets.iter().enumerate() {
                        let order = (column, row);
                        if sender.send(Cell::run(&compiler, spec, target, &job, order)).is_err() {
                            return;
                        }
                    }
                }
            });
        }
        receiver
    }

    fn wanted(&self, found: &Ingested) -> Result<PassSelection, Error> {
        if !self.stage.is_empty() {
            return Ok(PassSelection::Stages(self.stage.clone()));
        }
        Ok(PassSelection::of_passes(&query(self.passes.as_ref(), found)?, &found.chosen().text))
    }

    fn show(&self) -> Result<ShowModules, Error> {
        let after = match self.print_after.as_deref() {
            None => None,
            Some("all") => Some(None),
            Some(name) => Some(Some(name.parse::<Occurrence>().map_err(Error::Usage)?)),
        };
        Ok(ShowModules { after, before_failing: self.before_failing })
    }

    /// Says what our own oracle has against the module before any version sees it.
    fn warn_of_input(&self, input: &input::Input, found: &Ingested, output: &mut Output) {
        let source = ExcerptSource::new(&input.name, &input.bytes);
        let module = found.chosen();
        let quoted = source.part(&module.text, &module.line_map);
        match ir::parse_with(&module.text, ParseOptions { spans: true }) {
            Err(error) => {
                output.say(&quoted.parse_error(&error).1);
                output.warn("the module cannot be read here; Triton is asked nevertheless");
            }
            Ok(parsed) => {
                let complaints = quoted.complaints(&parsed, &oracle::judge(&parsed));
                if let Some(first) = complaints.first() {
                    output.say(&quoted.show(first));
                    let more = complaints.len() - 1;
                    output.warn(&format!("the module is not valid before any pass runs ({more} more violations)"));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_json_or_words() {
        assert_eq!(option("enable-fp-fusion=false").unwrap(), ("enable_fp_fusion".into(), false.into()));
        assert_eq!(option("x=3").unwrap().1, 3);
        assert_eq!(option("x=ieee").unwrap().1, "ieee");
        assert!(option("x").is_err() && option("=1").is_err());
    }

    #[test]
    fn sizes_have_a_unit_or_are_bytes() {
        assert_eq!(
            [size("512M"), size("4G"), size("1KiB"), size("7")].map(Result::unwrap),
            [512 << 20, 4 << 30, 1024, 7]
        );
        for text in ["", "0", "-1", "4X", "G", "99999999999G"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_are_positive() {
        assert_eq!(seconds("0.5"), Ok(0.5));
        for text in ["", "0", "-1", "inf", "NaN", "1s"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
