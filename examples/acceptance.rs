//! Runs generated modules through real wheels and prints what became of them, as a table: for each version and target how
//! many were accepted, rejected as input, diagnosed, or met a bug (by signature, with the first seed), and how often each
//! operation was emitted. `scripts/acceptance` calls it.
//!
//! A bug of Triton counts as accepted: it is what is looked for. Exit status 1 when fewer than 99.9 % were accepted
//! anywhere, or when an operation was seen fewer than `--least` times.

use clap::Parser;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tritonsmith::compiler::Target;
use tritonsmith::compiler::outcome::Outcome;
use tritonsmith::compiler::protocol::{Keep, Mode, Options, Passes, Run};
use tritonsmith::compiler::wheel::{Triton, install};
use tritonsmith::compiler::worker::{Pool, WorkerError, WorkerLimits};
use tritonsmith::generate::{Generated, Level, Pattern, Settings, from_seed};
use tritonsmith::ir::{PrintOptions, print};
use tritonsmith::judge::{Verdict, judge};

/// Acceptance of generated modules.
#[derive(Parser)]
struct Arguments {
    /// Versions of Triton.
    #[arg(long, value_delimiter = ',', default_value = "3.2.0,3.6.0,3.9.0")]
    triton: Vec<String>,
    /// Targets.
    #[arg(long, value_delimiter = ',', default_value = "cuda:80,cuda:90,hip:gfx942")]
    target: Vec<String>,
    /// Modules for each version and target.
    #[arg(long, default_value_t = 5000)]
    modules: u64,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Workers.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Stop after so many seconds for each version and target.
    #[arg(long)]
    seconds: Option<u64>,
    /// One module for all targets and versions together, instead of one made for each.
    #[arg(long)]
    common: bool,
    /// Only these patterns.
    #[arg(long, value_delimiter = ',')]
    pattern: Vec<String>,
    /// The stages to run, one after the other.
    #[arg(long, value_delimiter = ',', default_value = "ttir,ttgir")]
    stage: Vec<String>,
    /// Modules with layouts, for single passes.
    #[arg(long)]
    ttgir: bool,
    /// Run this pass, written as in a pipeline, instead of stages.
    #[arg(long)]
    pass: Option<String>,
    /// How often each operation must have been seen, in the modules of all versions and targets.
    #[arg(long, default_value_t = 0)]
    least: usize,
    /// Where to write the first module of each signature.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Run these files instead of generated modules, with 4 warps and 2 stages, and print the verdicts.
    #[arg(long)]
    file: Vec<PathBuf>,
    /// Print the module of the first seed and do nothing else.
    #[arg(long)]
    print: bool,
}

/// What became of the modules of one version and target.
#[derive(Default)]
struct Row {
    verdicts: BTreeMap<Verdict, u64>,
    /// By verdict and signature: how many, the first seed, the message.
    signatures: BTreeMap<String, (u64, u64, String)>,
}

#[derive(Default)]
struct Tally {
    row: Row,
    operations: BTreeMap<String, usize>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("acceptance: {error}");
            ExitCode::from(2)
        }
    }
}

fn settings(arguments: &Arguments, versions: &[&str], targets: &[&Target]) -> Result<Settings, String> {
    let pairs = targets.iter().map(|target| (target.kind.as_str(), target.arch.as_str()));
    let mut settings = Settings::for_targets(pairs, versions.iter().copied());
    if arguments.ttgir {
        settings.level = Level::Ttgir;
    }
    for word in &arguments.pattern {
        settings.patterns.push(Pattern::find(word).ok_or_else(|| format!("no pattern is called `{word}`"))?);
    }
    Ok(settings)
}

fn run(arguments: &Arguments) -> Result<bool, Box<dyn std::error::Error>> {
    let targets = arguments.target.iter().map(|text| text.parse()).collect::<Result<Vec<Target>, _>>()?;
    let versions: Vec<&str> = arguments.triton.iter().map(String::as_str).collect();
    let all_targets: Vec<&Target> = targets.iter().collect();
    if arguments.print {
        let generated = from_seed(&settings(arguments, &versions, &all_targets)?, arguments.seed);
        println!("// patterns: {:?}", generated.patterns);
        println!("// num_warps {}, num_stages {}", generated.warps, generated.stages);
        print!("{}", print(&generated.module, &PrintOptions::default()));
        return Ok(true);
    }
    let mut operations: BTreeMap<String, usize> = BTreeMap::new();
    let mut good = true;
    println!(
        "{:<8} {:<12} {:>7} {:>7} {:>9} {:>9} {:>6}  accepted",
        "triton", "target", "modules", "ok", "rejected", "diagnosed", "bugs"
    );
    for version in &versions {
        let spec: Triton = version.parse()?;
        let installation = install(&spec, &AtomicBool::new(false), &mut |_| {})?;
        let limits = WorkerLimits { time: Duration::from_secs(60), ..WorkerLimits::default() };
        let pool = Pool::start(&installation, limits, arguments.jobs)?;
        for target in &targets {
            if !arguments.file.is_empty() {
                files(arguments, &pool, target)?;
                continue;
            }
            let settings = if arguments.common {
                settings(arguments, &versions, &all_targets)?
            } else {
                settings(arguments, &[version], &[target])?
            };
            let tally = campaign(arguments, &settings, &pool, target)?;
            for (name, count) in tally.operations {
                *operations.entry(name).or_insert(0) += count;
            }
            good &= show(version, target, &tally.row);
        }
    }
    println!("\noperations:");
    for (name, count) in &operations {
        println!("{count:>9}  {name}");
        good &= *count >= arguments.least;
    }
    Ok(good)
}

fn files(arguments: &Arguments, pool: &Pool, target: &Target) -> Result<(), Box<dyn std::error::Error>> {
    for path in &arguments.file {
        let options = Options::from([("num_warps".to_owned(), 4.into()), ("num_stages".to_owned(), 2.into())]);
        let outcome = stages(arguments, pool, std::fs::read_to_string(path)?, target, &options)?;
        println!("{}: {target}: {}", path.display(), judge(&outcome).signature);
    }
    Ok(())
}

/// Runs the stages in turn, each on what the one before left, and gives the outcome of the last one that ran.
fn stages(
    arguments: &Arguments,
    pool: &Pool,
    module: String,
    target: &Target,
    options: &Options,
) -> Result<Outcome, WorkerError> {
    let mut run = Run {
        module,
        target: target.clone(),
        options: options.clone(),
        passes: Passes::stage(""),
        stop: None,
        mode: Mode::Whole,
        keep: Keep { last: true, before_failing: true, ..Keep::default() },
    };
    if let Some(pass) = &arguments.pass {
        run.passes = Passes::Texts { texts: vec![pass.clone()] };
        return pool.run(&run);
    }
    let mut stages = arguments.stage.iter();
    loop {
        run.passes = Passes::stage(stages.next().map_or("ttgir", String::as_str));
        let mut outcome = pool.run(&run)?;
        match outcome.modules.pop() {
            Some(last) if outcome.is_ok() && stages.len() > 0 => run.module = last.text,
            last => {
                outcome.modules.extend(last);
                return Ok(outcome);
            }
        }
    }
}

fn campaign(
    arguments: &Arguments,
    settings: &Settings,
    pool: &Pool,
    target: &Target,
) -> Result<Tally, Box<dyn std::error::Error>> {
    let (next, end) = (AtomicU64::new(arguments.seed), arguments.seed + arguments.modules);
    let (tally, failure) = (Mutex::new(Tally::default()), Mutex::new(None));
    let started = Instant::now();
    let late = || arguments.seconds.is_some_and(|limit| started.elapsed() > Duration::from_secs(limit));
    std::thread::scope(|scope| {
        for _ in 0..pool.size() {
            scope.spawn(|| {
                while !late() {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end {
                        break;
                    }
                    if let Err(error) = one(arguments, settings, pool, target, seed, &tally) {
                        if let Ok(mut failure) = failure.lock() {
                            *failure = Some(error);
                        }
                        break;
                    }
                }
            });
        }
    });
    match failure.into_inner() {
        Ok(Some(error)) => Err(error.into()),
        _ => tally.into_inner().map_err(|_| "a thread failed".into()),
    }
}

fn one(
    arguments: &Arguments,
    settings: &Settings,
    pool: &Pool,
    target: &Target,
    seed: u64,
    tally: &Mutex<Tally>,
) -> Result<(), String> {
    let generated = from_seed(settings, seed);
    let text = print(&generated.module, &PrintOptions::default());
    let outcome = stages(arguments, pool, text.clone(), target, &options(&generated))
        .map_err(|error| format!("seed {seed}: {error}"))?;
    let judgement = judge(&outcome);
    let Ok(mut tally) = tally.lock() else { return Err("a thread failed".to_owned()) };
    for (name, count) in &generated.operations {
        *tally.operations.entry(name.clone()).or_insert(0) += count;
    }
    *tally.row.verdicts.entry(judgement.verdict).or_insert(0) += 1;
    if judgement.verdict != Verdict::Ok {
        let signature = judgement.signature.to_string();
        let entry = tally.row.signatures.entry(signature.clone()).or_insert((0, seed, judgement.message.clone()));
        entry.0 += 1;
        entry.1 = entry.1.min(seed);
        if entry.0 == 1
            && let Some(out) = &arguments.out
        {
            let name = format!("{}-{}-{seed}.mlir", judgement.verdict, target.to_string().replace(':', "-"));
            let head = format!(
                "// {signature}\n// {}\n// seed {seed}, {target}, num_warps {}, num_stages {}\n",
                judgement.message.replace('\n', " "),
                generated.warps,
                generated.stages
            );
            let log = outcome.stderr.lines().take(40).map(|line| format!("// {line}\n")).collect::<String>();
            let saved = std::fs::create_dir_all(out).and_then(|()| std::fs::write(out.join(name), head + &text + &log));
            saved.map_err(|error| format!("{}: {error}", out.display()))?;
        }
    }
    Ok(())
}

fn options(generated: &Generated) -> Options {
    Options::from([
        ("num_warps".to_owned(), generated.warps.into()),
        ("num_stages".to_owned(), generated.stages.into()),
    ])
}

/// Prints a row and its signatures; whether enough was accepted.
fn show(version: &str, target: &Target, row: &Row) -> bool {
    let count = |verdict| row.verdicts.get(&verdict).copied().unwrap_or(0);
    let total: u64 = row.verdicts.values().sum();
    let (rejected, diagnosed) = (count(Verdict::RejectedInput), count(Verdict::Diagnosed));
    let bugs = count(Verdict::InvalidIr) + count(Verdict::Crash) + count(Verdict::Hang);
    let accepted = if total == 0 { 0.0 } else { (total - rejected - diagnosed) as f64 * 100.0 / total as f64 };
    println!(
        "{version:<8} {:<12} {total:>7} {:>7} {rejected:>9} {diagnosed:>9} {bugs:>6}  {accepted:.2} %",
        target.to_string(),
        count(Verdict::Ok)
    );
    for (signature, (count, seed, message)) in &row.signatures {
        println!("  {count:>5} times, first seed {seed}: {signature}");
        if !message.is_empty() && !signature.contains(message.as_str()) {
            println!("        {}", message.lines().next().unwrap_or_default());
        }
    }
    accepted >= 99.9
}
