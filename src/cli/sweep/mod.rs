//! `tritonsmith sweep`: one kernel with every configuration of an autotuner's space, and those that do not compile.

mod round;

use super::meter::{Meter, Unit};
use super::output::Output;
use super::run::Limits;
use super::{Ending, Error, install, interrupt, processors};
use clap::Args;
use round::{Place, Round};
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;
use tritonsmith::compiler::Target;
use tritonsmith::compiler::kernel::{Kernel, KernelRequest};
use tritonsmith::compiler::limits::BlockLimits;
use tritonsmith::compiler::wheel::Triton;
use tritonsmith::compiler::worker::{Pool, Reply};
use tritonsmith::input;
use tritonsmith::judge::Verdict;
use tritonsmith::sweep::{
    Space, SweepError, SweepResult, SweepSettings, SweepTask, TunedKernel, TunedKernelError, Types, sweep,
};

/// Compile a kernel with every configuration of an autotuner's space
///
/// Nothing is launched and no GPU is needed: Triton's front end, its passes, LLVM and the assembler are what is tried, and
/// what a kernel needs is compared with what the target has. Takes the
/// tuner's space as a JSON list of configurations, as ranges of which every combination is tried, or from the kernel's own
/// `@triton.autotune`. What several configurations have in common is compiled once. Of each failure one configuration is
/// kept as a case for `tritonsmith reduce`, with the list of all that fail so. Exit code 1 where one does not compile.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tritonsmith sweep kernel.py:fn --configs tune.json --target cuda:87 --triton 3.6.0\n  \
                        tritonsmith sweep kernel.py:fn --configs tune.json --target cuda:90 --triton 3.6.0 \\\n    \
                        --signature '*fp16:16,*fp16:16,i32' --constant TOPK=8 --rename BLOCK_SIZE_M=BM\n\n\
                        A tune.json:\n  {\"configs\": {\"BLOCK_M\": [64, 128], \"num_warps\": [4, 8]},\n   \
                        \"signature\": \"*fp16:16,*fp16:16,i32\", \"constants\": {\"TOPK\": 8}}"
)]
pub struct Sweep {
    /// The kernel: a Python file, a colon, the function in it.
    #[arg(value_name = "FILE.py:FUNCTION", value_parser = kernel)]
    kernel: (PathBuf, String),
    /// The space as JSON; the kernel's own `@triton.autotune` where nothing is said.
    #[arg(long, value_name = "FILE")]
    configs: Option<PathBuf>,
    /// What to compile for, such as cuda:87 or hip:gfx942.
    #[arg(long, value_name = "KIND:ARCH", value_delimiter = ',', required = true)]
    target: Vec<Target>,
    /// Versions, or paths of Python interpreters that have Triton.
    #[arg(long, value_name = "TRITON", value_delimiter = ',', required = true)]
    triton: Vec<Triton>,
    /// The types of the arguments that are neither constants nor tuned, in order; `:16` behind one says that it is
    /// divisible by 16, as pointers mostly are. Or by name: `x=*fp16:16,n=i32`.
    #[arg(long, value_name = "TYPES")]
    signature: Option<String>,
    /// The value of an argument that is not tuned; types of the language are written as `tl.bfloat16`.
    #[arg(long, value_name = "NAME=VALUE", value_parser = constant)]
    constant: Vec<(String, Value)>,
    /// What a tuned name is called in the kernel; nothing behind the `=` for one that the kernel does not have.
    #[arg(long, value_name = "TUNED=ARGUMENT", value_parser = rename)]
    rename: Vec<(String, Option<String>)>,
    /// Stop after this stage: `ttgir` leaves LLVM and the assembler out, which take most of the time and are where a
    /// configuration runs out of shared memory.
    #[arg(long, value_name = "STAGE", value_parser = ["ttgir"])]
    stop_after: Option<String>,
    /// Bytes of shared memory that a block may have, where that is not what the target is known for.
    #[arg(long, value_name = "BYTES")]
    shared_memory: Option<u64>,
    /// Where results and cases go; `FUNCTION.sweep` where nothing is said.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many workers run at a time; all processors' where nothing is said.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    limits: Limits,
}

fn kernel(text: &str) -> Result<(PathBuf, String), String> {
    let wrong = || format!("`{text}` is no kernel: write its file and its name, such as kernel.py:fn");
    let (file, function) = text.rsplit_once(':').ok_or_else(wrong)?;
    if file.is_empty() || function.is_empty() || function.contains('/') {
        return Err(wrong());
    }
    Ok((PathBuf::from(file), function.to_owned()))
}

fn constant(text: &str) -> Result<(String, Value), String> {
    let wrong = || format!("`{text}` is no constant: write NAME=VALUE, for example TOPK=8");
    let (name, value) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(wrong)?;
    let value = match value {
        "True" => true.into(),
        "False" => false.into(),
        "None" => Value::Null,
        _ => serde_json::from_str(value).unwrap_or_else(|_| value.into()),
    };
    Ok((name.to_owned(), value))
}

fn rename(text: &str) -> Result<(String, Option<String>), String> {
    let wrong = || format!("`{text}` is no new name: write TUNED=ARGUMENT, for example BLOCK_SIZE_M=BM");
    let (tuned, argument) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(wrong)?;
    Ok((tuned.to_owned(), Some(argument.to_owned()).filter(|argument| !argument.is_empty())))
}

impl Sweep {
    /// Sweeps everything.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn run(&self, output: &mut Output) -> Result<Ending, Error> {
        let read =
            |path: &Path| std::fs::canonicalize(path).map_err(|source| Error::Read { path: path.to_owned(), source });
        let file = read(&self.kernel.0)?;
        let mut space = match &self.configs {
            Some(path) => {
                let failed = |source| Error::Read { path: path.clone(), source };
                let text = input::read_to_string(path).map_err(failed)?;
                Space::read(&text).map_err(|error| Error::Usage(format!("{}: {error}", path.display())))?
            }
            None => Space::default(),
        };
        space.constants.extend(self.constant.iter().cloned());
        space.names.extend(self.rename.iter().cloned());
        if let Some(text) = &self.signature {
            space.signature = Some(Types::parse(text));
        }
        let out = self.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.sweep", self.kernel.1)));
        let cancel = interrupt::watch();
        let several = self.triton.len() * self.target.len() > 1;
        let mut lines = Vec::new();
        let (mut found, mut missed) = (false, false);
        for spec in &self.triton {
            let pool = match self.start(spec) {
                Ok(pool) => pool,
                Err(error) => {
                    not_swept(spec, None, error, several, output)?;
                    missed = true;
                    continue;
                }
            };
            for target in &self.target {
                if cancel.load(Ordering::Relaxed) {
                    break;
                }
                let version = pool.with(|worker| worker.hello().triton.clone());
                let directory = match several {
                    true => out.join(format!("{version}-{}", target.to_string().replace(':', "-"))),
                    false => out.clone(),
                };
                let place = Place { version, target, directory };
                match self.target(&pool, &place, &file, space.clone(), &mut lines, output) {
                    Ok(failing) => found |= failing,
                    Err(error) => {
                        not_swept(spec, Some(target), error, several, output)?;
                        missed = true;
                    }
                }
            }
        }
        std::fs::create_dir_all(&out).map_err(|source| Error::Save { path: out.clone(), source })?;
        let path = out.join("results.jsonl");
        std::fs::write(&path, &lines).map_err(|source| Error::Save { path, source })?;
        output.say(&format!("written: {}", out.display()));
        if cancel.load(Ordering::Relaxed) {
            return Err(Error::Interrupted("the results so far are kept".to_owned()));
        }
        Ok(match (found, missed) {
            (true, _) => Ending::Finding,
            (false, true) => Ending::Failed,
            (false, false) => Ending::Clean,
        })
    }

    fn start(&self, spec: &Triton) -> Result<Pool, Error> {
        let jobs = self.jobs.unwrap_or_else(processors).max(1);
        Ok(Pool::start(&install::installation(spec)?, self.limits.worker(), jobs)?)
    }

    /// Sweeps with one version for one target, and says what fails, if anything does.
    fn target(
        &self,
        pool: &Pool,
        place: &Place<'_>,
        file: &Path,
        mut space: Space,
        lines: &mut Vec<u8>,
        output: &mut Output,
    ) -> Result<bool, Error> {
        let started = Instant::now();
        let (function, target) = (self.kernel.1.clone(), place.target.clone());
        let mut kernel = self.ask(pool, file, &target)?;
        if let Some(error) = kernel.error.take() {
            return Err(Error::Usage(error));
        }
        if self.configs.is_none() {
            let configurations = std::mem::take(&mut kernel.configurations).into_iter();
            space.configurations = configurations.map(|entry| entry.into_iter().collect()).collect();
        }
        if space.configurations.is_empty() {
            return Err(Error::Usage(format!("{function} has no @triton.autotune: give its space with --configs")));
        }
        let subject = TunedKernel::new((file.to_owned(), function), kernel, &space)?;
        let given = space.configurations.len();
        space.configurations = subject.complete(pool, &target, space.configurations)?;
        if space.configurations.len() != given {
            let all = space.configurations.len();
            output.note(&format!(
                "what its heuristics compute depends on arguments that only a launch knows: {given} configurations are \
                 {all} with each value that they may give"
            ));
        }
        let tasks: Vec<SweepTask> = space.configurations.iter().map(|entry| subject.task(entry)).collect();
        let cancel = interrupt::watch();
        let limits = BlockLimits::of(&target);
        let limits = match (self.shared_memory, limits) {
            (Some(shared), limits) => Some(BlockLimits { shared, ..limits.unwrap_or(BlockLimits::THREADS_ALONE) }),
            (None, limits) => limits,
        };
        let to_the_end = self.stop_after.is_none();
        if to_the_end && limits.is_none() {
            output.note(&format!("what {target} gives a block is not known here, so nothing is compared with it: give it with --shared-memory"));
        }
        let settings = SweepSettings { pool, kernel: &subject, target, to_the_end, limits, cancel: &cancel };
        let swept = self.sweep(&settings, &tasks, &place.version)?;
        let round = Round { sweep: self, space: &space, subject: &subject, place, swept: &swept };
        round.tell(started.elapsed(), lines, output)
    }

    fn ask(&self, pool: &Pool, file: &Path, target: &Target) -> Result<Kernel, Error> {
        let (file, function) = (file.to_owned(), self.kernel.1.clone());
        match pool.ask(&KernelRequest { file, function, target: target.clone() })? {
            Reply::Answered(kernel) => Ok(kernel),
            Reply::Refused(refusal) => Err(Error::Usage(refusal.message)),
            Reply::Lost(lost) => {
                let file = self.kernel.0.display();
                Err(Error::Usage(format!("importing {file} ends the process: {}", lost.describe())))
            }
        }
    }

    fn sweep(&self, settings: &SweepSettings<'_>, tasks: &[SweepTask], version: &str) -> Result<SweepResult, Error> {
        let mut meter = Meter::new(&format!("{version} for {}", settings.target), Unit::Count);
        let mut failing = 0;
        sweep(settings, tasks, &mut |done, tried| {
            failing += usize::from(tried.judgement.verdict != Verdict::Ok);
            let words = if failing == 0 { "none fails".to_owned() } else { format!("{failing} or more fail") };
            meter.update(&words, done as u64, Some(tasks.len() as u64));
        })
        .map_err(|error| match error {
            SweepError::Worker(error) => Error::Worker(error),
            SweepError::Unknown { ref name, .. } => Error::Usage(format!(
                "{error}; name the argument with --rename {name}=ARGUMENT, or leave it out with --rename {name}="
            )),
        })
    }
}

/// Says why nothing was swept with a version, where others may still be.
///
/// # Errors
/// The same where there are no others, or where it has nothing to do with the version.
fn not_swept(
    spec: &Triton,
    target: Option<&Target>,
    error: Error,
    several: bool,
    output: &mut Output,
) -> Result<(), Error> {
    #[derive(Serialize)]
    #[serde(tag = "event", rename = "not-swept")]
    struct NotSwept {
        triton: String,
        target: Option<String>,
        message: String,
    }
    if !several || !matches!(error, Error::Wheel(_) | Error::Worker(_) | Error::Usage(_)) {
        return Err(error);
    }
    let (triton, target, message) = (spec.to_string(), target.map(ToString::to_string), error.to_string());
    let place = target.as_ref().map(|target| format!(" for {target}")).unwrap_or_default();
    output.say(&format!("error: triton {triton}{place}: {message}"));
    output.object(&NotSwept { triton, target, message });
    Ok(())
}

impl From<TunedKernelError> for Error {
    fn from(error: TunedKernelError) -> Error {
        match error {
            TunedKernelError::Worker(error) => Error::Worker(error),
            error => Error::Usage(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_a_file_and_a_function() {
        assert_eq!(kernel("a/k.py:fn"), Ok(("a/k.py".into(), "fn".into())));
        for text in ["k.py", "k.py:", ":fn", "a:b/k.py"] {
            assert!(kernel(text).is_err(), "{text}");
        }
    }

    #[test]
    fn constants_are_json_or_words() {
        let value = |text: &str| constant(text).map(|(_, value)| value.to_string());
        assert_eq!(value("K=8"), Ok("8".into()));
        assert_eq!(value("T=tl.bfloat16"), Ok("\"tl.bfloat16\"".into()));
        assert_eq!(value("B=None"), Ok("null".into()));
        assert!(constant("=8").is_err() && constant("K").is_err());
        assert_eq!(rename("G="), Ok(("G".into(), None)));
    }
}
