//! `tritonsmith sweep`: one kernel with every configuration of an autotuner's space, and those that do not compile.

use super::meter::{Meter, Unit};
use super::output::Output;
use super::run::Limits;
use super::table::{Table, cut};
use super::{Ending, Error, install, interrupt, processors};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tritonsmith::atomic::Staging;
use tritonsmith::compiler::kernel::{Kernel, KernelRequest};
use tritonsmith::compiler::protocol::Passes;
use tritonsmith::compiler::wheel::Triton;
use tritonsmith::compiler::worker::{Pool, Reply};
use tritonsmith::compiler::{Compile, Target};
use tritonsmith::corpus::Case;
use tritonsmith::input;
use tritonsmith::judge::{Signature, Verdict};
use tritonsmith::store::{FindingDirectory, LOG, Origin};
use tritonsmith::sweep::{
    Configuration, Cube, Space, SweepError, SweepResult, SweepSettings, SweepTask, TaskResult, TunedKernel, Types,
    cubes, sweep,
};

/// So many reasons are printed for one failure.
const REASONS: usize = 6;

/// Compile a kernel with every configuration of an autotuner's space
///
/// Nothing runs and no GPU is needed: Triton's front end and its passes over TTIR and TTGIR are what is tried. Takes the
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
    /// Go on through the passes that lower to LLVM's dialect, which takes several times as long.
    #[arg(long)]
    lower: bool,
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

/// One configuration, for machines and for the results' file.
#[derive(Serialize)]
#[serde(tag = "event", rename = "configuration")]
struct SweepObject<'a> {
    triton: &'a str,
    target: String,
    configuration: Map<String, Value>,
    verdict: Option<&'a str>,
    stage: Option<&'a str>,
    pass: Option<&'a str>,
    message: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "group")]
struct GroupObject<'a> {
    triton: &'a str,
    target: String,
    signature: &'a Signature,
    configurations: usize,
    constraint: Vec<String>,
    case: Option<&'a Path>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename = "summary")]
struct SweepSummary<'a> {
    triton: &'a str,
    target: String,
    configurations: usize,
    tried: usize,
    failing: usize,
    tasks: usize,
    modules: usize,
    runs: usize,
    seconds: f64,
}

/// A place where everything is tried.
struct KernelPlace<'a> {
    version: String,
    target: &'a Target,
    directory: PathBuf,
}

/// The configurations with one failure.
struct FailureGroup<'a> {
    tried: &'a Arc<TaskResult>,
    members: Vec<usize>,
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
        let jobs = self.jobs.unwrap_or_else(processors).max(1);
        let out = self.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.sweep", self.kernel.1)));
        let cancel = interrupt::watch();
        let several = self.triton.len() * self.target.len() > 1;
        let mut lines = Vec::new();
        let mut ending = Ending::Clean;
        for spec in &self.triton {
            let installation = install::installation(spec)?;
            let pool = Pool::start(&installation, self.limits.worker(), jobs)?;
            let version = pool.with(|worker| worker.hello().triton.clone());
            let kernel = self.ask(&pool, &file)?;
            if self.configs.is_none() {
                let configurations = kernel.configurations.iter().map(|entry| entry.clone().into_iter().collect());
                space.configurations = configurations.collect();
            }
            if space.configurations.is_empty() {
                let name = &self.kernel.1;
                return Err(Error::Usage(format!("{name} has no @triton.autotune: give its space with --configs")));
            }
            let place = (file.clone(), self.kernel.1.clone());
            let subject = TunedKernel::new(place, kernel, &space).map_err(|error| Error::Usage(error.to_string()))?;
            let tasks: Vec<SweepTask> = space.configurations.iter().map(|entry| subject.task(entry)).collect();
            for target in &self.target {
                let name = format!("{version}-{}", target.to_string().replace(':', "-"));
                let directory = if several { out.join(name) } else { out.clone() };
                let place = KernelPlace { version: version.clone(), target, directory };
                let started = Instant::now();
                let (pool, kernel, target) = (&pool, &subject, target.clone());
                let settings = SweepSettings { pool, kernel, target, lower: self.lower, cancel: &cancel };
                let swept = self.sweep(&settings, &tasks, &place.version)?;
                let tried = Round { sweep: self, space: &space, subject: kernel, place: &place, swept: &swept };
                ending = ending.max(tried.tell(started.elapsed(), &mut lines, output)?);
                if cancel.load(Ordering::Relaxed) {
                    break;
                }
            }
            if cancel.load(Ordering::Relaxed) {
                break;
            }
        }
        std::fs::create_dir_all(&out).map_err(|source| Error::Save { path: out.clone(), source })?;
        let path = out.join("results.jsonl");
        std::fs::write(&path, &lines).map_err(|source| Error::Save { path, source })?;
        output.say(&format!("written: {}", out.display()));
        if cancel.load(Ordering::Relaxed) {
            return Err(Error::Interrupted("the results so far are kept".to_owned()));
        }
        Ok(ending)
    }

    fn ask(&self, pool: &Pool, file: &Path) -> Result<Kernel, Error> {
        let question = KernelRequest { file: file.to_owned(), function: self.kernel.1.clone() };
        match pool.ask(&question)? {
            Reply::Answered(kernel) => Ok(kernel),
            Reply::Refused(refusal) => Err(Error::Usage(refusal.message)),
            Reply::Lost(lost) => {
                Err(Error::Usage(format!("importing {} ends the process: {}", file.display(), lost.describe())))
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

/// What came of one version and target.
struct Round<'a> {
    sweep: &'a Sweep,
    space: &'a Space,
    subject: &'a TunedKernel,
    place: &'a KernelPlace<'a>,
    swept: &'a SweepResult,
}

impl Round<'_> {
    fn tell(&self, time: Duration, lines: &mut Vec<u8>, output: &mut Output) -> Result<Ending, Error> {
        let KernelPlace { version, target, .. } = self.place;
        let pairs = || self.space.configurations.iter().zip(&self.swept.results);
        for (configuration, result) in pairs() {
            let judgement = result.as_ref().map(|tried| &tried.judgement);
            let object = SweepObject {
                triton: version,
                target: target.to_string(),
                configuration: configuration.iter().cloned().collect(),
                verdict: judgement.map(|judgement| judgement.verdict.word()),
                stage: result.as_ref().map(|tried| tried.stage),
                pass: judgement.and_then(|judgement| judgement.pass.as_deref()),
                message: judgement.map(|judgement| judgement.message.as_str()).filter(|text| !text.is_empty()),
            };
            output.object(&object);
            if let Ok(line) = serde_json::to_vec(&object) {
                lines.extend(line);
                lines.push(b'\n');
            }
        }
        let tried = self.swept.results.iter().flatten().count();
        let groups = self.groups();
        let failing: usize = groups.iter().map(|group| group.members.len()).sum();
        let mut table = Table::new(&["failing", "verdict", "where", "message"], &[0]);
        for group in &groups {
            let judgement = &group.tried.judgement;
            let place = judgement.pass.clone().unwrap_or_else(|| group.tried.stage.to_owned());
            let note = judgement.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
            let message = cut(&format!("{}{note}", judgement.message), 90);
            table.row(vec![group.members.len().to_string(), judgement.verdict.to_string(), place, message]);
        }
        let all = self.space.configurations.len();
        let counts = self.swept.counts;
        let head = format!("triton {version} for {target}: {failing} of {all} configurations do not compile");
        output.text(&format!("{head}\n"));
        if !groups.is_empty() {
            output.text(&table.render());
        }
        for group in &groups {
            self.tell_group(group, output)?;
        }
        if tried < all {
            output.warn(&format!("{} configurations were not tried", all - tried));
        }
        output.say(&format!(
            "{} different tasks, {} different modules, {} runs of stages or parts of them, {:.1} s",
            counts.tasks,
            counts.modules,
            counts.runs,
            time.as_secs_f64()
        ));
        output.object(&SweepSummary {
            triton: version,
            target: target.to_string(),
            configurations: all,
            tried,
            failing,
            tasks: counts.tasks,
            modules: counts.modules,
            runs: counts.runs,
            seconds: time.as_secs_f64(),
        });
        Ok(if failing > 0 { Ending::Finding } else { Ending::Clean })
    }

    /// Failing configurations by signature, the largest group first.
    fn groups(&self) -> Vec<FailureGroup<'_>> {
        let mut groups: BTreeMap<(&Signature, &str), FailureGroup<'_>> = BTreeMap::new();
        for (at, tried) in self.swept.results.iter().enumerate() {
            let Some(tried) = tried.as_ref().filter(|tried| tried.judgement.verdict != Verdict::Ok) else { continue };
            let key = (&tried.judgement.signature, tried.stage);
            groups.entry(key).or_insert_with(|| FailureGroup { tried, members: Vec::new() }).members.push(at);
        }
        let mut groups: Vec<FailureGroup<'_>> = groups.into_values().collect();
        groups.sort_by_key(|group| (!group.tried.judgement.verdict.is_bug(), usize::MAX - group.members.len()));
        groups
    }

    fn tell_group(&self, group: &FailureGroup<'_>, output: &mut Output) -> Result<(), Error> {
        let judgement = &group.tried.judgement;
        let reasons = self.reasons(group);
        let shown: Vec<String> = reasons.iter().map(|cube| format!("{cube} ({})", cube.count)).collect();
        output.text(&format!("\n{}\n", cut(&judgement.signature.to_string(), 160)));
        for line in shown.iter().take(REASONS) {
            output.text(&format!("  all with {line}\n"));
        }
        if shown.len() > REASONS {
            output.text(&format!("  and {} more combinations of values\n", shown.len() - REASONS));
        }
        let case = match judgement.verdict.is_bug() && !group.tried.module.is_empty() {
            true => Some(self.keep(group)?),
            false => None,
        };
        if let Some(case) = &case {
            output.text(&format!("  tritonsmith reduce {}\n", case.display()));
        }
        output.object(&GroupObject {
            triton: &self.place.version,
            target: self.place.target.to_string(),
            signature: &judgement.signature,
            configurations: group.members.len(),
            constraint: reasons.iter().map(ToString::to_string).collect(),
            case: case.as_deref(),
        });
        Ok(())
    }

    fn reasons(&self, group: &FailureGroup<'_>) -> Vec<Cube> {
        let (mut configurations, mut fails) = (Vec::new(), Vec::new());
        for (at, configuration) in self.space.configurations.iter().enumerate() {
            if self.swept.results.get(at).is_some_and(Option::is_some) {
                configurations.push(configuration);
                fails.push(group.members.binary_search(&at).is_ok());
            }
        }
        cubes(&self.space.parameters(), &configurations, &fails)
    }

    /// Writes a group's first configuration as a case, and gives its directory.
    fn keep(&self, group: &FailureGroup<'_>) -> Result<PathBuf, Error> {
        let KernelPlace { version, target, directory } = self.place;
        let tried = group.tried;
        let judgement = &tried.judgement;
        let members = group.members.iter().filter_map(|at| self.space.configurations.get(*at));
        let members: Vec<&Configuration> = members.collect();
        let first = words(members.first().expect("a group has a member"));
        let more = match members.len() {
            1 => String::new(),
            count => format!("; {} more configurations fail so", count - 1),
        };
        let (function, file) = (&self.subject.function, self.sweep.kernel.0.display());
        let words = format!("{function} of {file}, compiled with {first}{more}.");
        let origin = Origin { words: &words, triton: version, version };
        let passes = match tried.stage {
            Case::STAGE => Passes::stage(Case::STAGE),
            _ => Passes::Texts { texts: tried.passes.clone() },
        };
        let compile = Compile { target: (*target).clone(), options: tried.options.clone(), passes };
        let lists: Vec<String> =
            members.iter().map(|entry| Value::Object(entry.iter().cloned().collect()).to_string()).collect();
        let path = directory.join(judgement.signature.file_name());
        std::fs::create_dir_all(directory).map_err(|source| Error::Save { path: directory.clone(), source })?;
        let failed = |source| Error::Save { path: path.clone(), source };
        let staging = Staging::below(directory).map_err(failed)?;
        let finding = FindingDirectory::at(staging.path().to_owned());
        finding.begin(&tried.module, origin, &compile, judgement)?;
        finding.put(LOG, &tried.log)?;
        finding.put("configs.json", &format!("[\n{}\n]\n", lists.join(",\n")))?;
        let source = input::read_to_string(&self.subject.file)
            .map_err(|source| Error::Read { path: self.subject.file.clone(), source })?;
        finding.put("kernel.py", &source)?;
        if path.exists() {
            std::fs::remove_dir_all(&path).map_err(failed)?;
        }
        staging.finish(&path).map_err(failed)?;
        Ok(path)
    }
}

fn words(configuration: &Configuration) -> String {
    configuration.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
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
