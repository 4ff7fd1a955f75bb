//! `tritonsmith fuzz`: a campaign.

use super::generate::{ModuleLevel, patterns};
use super::meter::{Meter, Unit};
use super::output::Output;
use super::table::Table;
use super::{Ending, Error, install, interrupt, processors};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use tritonsmith::campaign::{
    self, Bucket, CampaignError, CampaignEvent, CampaignProgress, CampaignSettings, MuteList, PassCount, Smith, Work,
};
use tritonsmith::compiler::model::Fault;
use tritonsmith::compiler::wheel::Triton;
use tritonsmith::compiler::{CompilerSpec, Target};
use tritonsmith::judge::Verdict;

/// Find bugs with random modules, and reduce what is found
///
/// Every module is compiled by all versions for all targets; what fails is sorted into buckets, one for each bug, and
/// buckets are reduced beside the search. --out gets one directory a bucket, with the files that `reduce` writes. Stopped at
/// any moment and started again with the same arguments, it goes on where it was and reduces what is left. Exit code 1 where
/// something was found.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tritonsmith fuzz --triton 3.6.0 --target cuda:87 --time 10m --out findings/\n  \
                        tritonsmith fuzz --triton 3.2.0,3.6.0,3.9.0 --target cuda:80,cuda:90,hip:gfx942 --seed 7 --cases 5000\n  \
                        tritonsmith fuzz --triton 3.6.0 --level ttgir --pass tritongpu-remove-layout-conversions --time 5m")]
pub struct Fuzz {
    /// The versions to run.
    #[arg(long, value_name = "TRITON", value_delimiter = ',', required = true)]
    triton: Vec<Triton>,
    /// What to compile for.
    #[arg(long, value_name = "KIND:ARCH", value_delimiter = ',', default_value = "cuda:80")]
    target: Vec<Target>,
    /// The campaign's seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Stop after so many cases.
    #[arg(long)]
    cases: Option<u64>,
    /// Stop after so much time, such as 90s, 10m or 2h, that of earlier runs included.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Where findings go.
    #[arg(long, value_name = "DIR", default_value = "findings")]
    out: PathBuf,
    /// Cases tried at once; as many as there are processors where nothing is said.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// A file of known bugs, to be counted and not stored.
    #[arg(long, value_name = "FILE")]
    mute: Option<PathBuf>,
    /// Plant these faults in the built-in model (`--triton model`): what a campaign finds of them is its mutation score.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    fault: Vec<Fault>,
    /// Run this stage of the backends, or `all` to the object file, which costs ten times as much; `ttgir` where all have
    /// it, or else `ttir`.
    #[arg(long, value_name = "STAGE")]
    stage: Option<String>,
    /// Make modules of this level: with layouts (`ttgir`) they are for single passes.
    #[arg(long, value_enum, default_value_t = ModuleLevel::Ttir)]
    level: ModuleLevel,
    /// Run one of these passes over each module, drawn by case, in place of a stage. Written as in a pipeline.
    #[arg(long, value_name = "PASS", value_delimiter = ';', conflicts_with = "stage")]
    pass: Vec<String>,
    /// Draw only from these patterns.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    pattern: Vec<String>,
    /// At most so many queries to reduce a bucket.
    #[arg(long, value_name = "N", default_value_t = 1000, alias = "reduce-questions")]
    reduce_queries: u64,
    /// Every so many cases, look at the module after each pass and not only after the last; 0 for never.
    #[arg(long, value_name = "N", default_value_t = 32)]
    look_closely: u64,
    /// How many seconds one compilation may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    timeout: u64,
}

/// `90s`, `10m`, `2h`; a bare number is seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let factor = match unit {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err(format!("`{unit}` is no unit of time: write 90s, 10m or 2h")),
    };
    digits.parse::<u64>().map(|count| Duration::from_secs(count * factor)).map_err(|error| error.to_string())
}

#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum FuzzObject<'a> {
    Found {
        bucket: &'a Bucket,
        directory: String,
    },
    Reduced {
        bucket: &'a Bucket,
        problem: Option<&'a str>,
    },
    Problem {
        problem: &'a str,
    },
    Unreduced {
        buckets: Vec<String>,
    },
    Done {
        cases: u64,
        compilations: u64,
        accepted: f64,
        ok: u64,
        verdicts: &'a BTreeMap<Verdict, u64>,
        muted: u64,
        buckets: &'a [Bucket],
        operations: &'a BTreeMap<String, u64>,
        passes: &'a BTreeMap<String, PassCount>,
        seconds: f64,
    },
}

struct CampaignView<'a> {
    output: &'a mut Output,
    meter: Meter,
    cases: Option<u64>,
}

/// How often the buckets that fill fastest were met: ` (12, 3, 1, …)`.
fn counts(buckets: &[Bucket]) -> String {
    let mut counts: Vec<u64> = buckets.iter().map(|bucket| bucket.count).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let more = if counts.len() > 4 { ", …" } else { "" };
    let words: Vec<String> = counts.iter().take(4).map(u64::to_string).collect();
    if words.is_empty() { String::new() } else { format!(" ({}{more})", words.join(", ")) }
}

impl CampaignView<'_> {
    fn event(&mut self, event: CampaignEvent<'_>) {
        let output = &mut self.output;
        match event {
            CampaignEvent::Narrowed { why } => output.say(&format!("only the stage ttir is run: {why}")),
            CampaignEvent::Committed { progress, buckets } => self.progress(progress, buckets),
            CampaignEvent::Found { bucket } => {
                output.say(&format!(
                    "found in case {}, with {} for {}: {}",
                    bucket.first_case, bucket.triton, bucket.target, bucket.signature
                ));
                output.object(&FuzzObject::Found { bucket, directory: bucket.name() });
            }
            CampaignEvent::Reduced { bucket } => {
                if let Some(operations) = bucket.operations {
                    output.say(&format!("reduced to {operations} operations: {}", bucket.name()));
                }
                output.object(&FuzzObject::Reduced { bucket, problem: None });
            }
            CampaignEvent::NotReduced { bucket, problem } => {
                output.warn(&format!("{} is not reduced: {problem}", bucket.name()));
                output.object(&FuzzObject::Reduced { bucket, problem: Some(problem) });
            }
            CampaignEvent::Problem { problem } => {
                output.warn(problem);
                output.object(&FuzzObject::Problem { problem });
            }
            CampaignEvent::Unreduced { buckets } => {
                let names: Vec<String> = buckets.iter().map(|bucket| bucket.name()).collect();
                let (count, s) = (names.len(), if names.len() == 1 { "" } else { "s" });
                let listed = names.join(", ");
                output.say(&format!(
                    "{count} bucket{s} not reduced yet; start it again to reduce what is left: {listed}"
                ));
                output.object(&FuzzObject::Unreduced { buckets: names });
            }
        }
    }

    fn progress(&mut self, progress: &CampaignProgress, buckets: &[Bucket]) {
        let rate = progress.cases_here as f64 / progress.elapsed_here.as_secs_f64().max(0.001);
        let words = format!(
            "{rate:.1} cases a second, {:.2} % accepted, {} buckets{}, {} kinds of operations, {} passes",
            progress.accepted() * 100.0,
            buckets.len(),
            counts(buckets),
            progress.operations.len(),
            progress.passes.len(),
        );
        self.meter.update(&words, progress.cases, self.cases);
    }
}

impl Fuzz {
    pub fn run(&self, output: &mut Output) -> Result<Ending, Error> {
        let mute = match &self.mute {
            Some(path) => MuteList::read(path).map_err(|error| Error::Usage(error.to_string()))?,
            None => MuteList::default(),
        };
        let patterns = patterns(&self.pattern)?;
        let with_faults = |spec: &Triton| match spec {
            Triton::Model(faults) => Triton::Model(self.fault.iter().fold(*faults, |all, &fault| all.with(fault))),
            spec => spec.clone(),
        };
        let compilers: Vec<CompilerSpec> =
            self.triton.iter().map(|spec| install::compiler(&with_faults(spec))).collect::<Result<_, _>>()?;
        let versions: Vec<String> = compilers.iter().map(CompilerSpec::version).collect();
        let source = Smith::new(&self.target, &versions, &patterns, self.level.into());
        let work = match (&self.stage, self.pass.as_slice()) {
            (Some(stage), _) => Work::Stage(stage.clone()),
            (None, []) if self.level == ModuleLevel::Ttgir => {
                let message = "modules with layouts are for single passes: name some with --pass, such as \
                               `--pass tritongpu-remove-layout-conversions`";
                return Err(Error::Usage(message.to_owned()));
            }
            (None, []) => Work::Front,
            (None, passes) => Work::OneOf(passes.to_vec()),
        };
        let mut modules = String::new();
        if self.level == ModuleLevel::Ttgir {
            modules.push_str("level ttgir ");
        }
        if !self.pattern.is_empty() {
            modules.push_str(&format!("pattern {} ", self.pattern.join(",")));
        }
        let settings = CampaignSettings {
            compilers,
            targets: self.target.clone(),
            work,
            modules,
            seed: self.seed,
            cases: self.cases,
            time: self.time,
            jobs: self.jobs.unwrap_or_else(processors),
            out: self.out.clone(),
            reduce_queries: self.reduce_queries,
            look_closely: self.look_closely,
            limit: Duration::from_secs(self.timeout),
            cancel: interrupt::watch(),
        };
        let mut show = CampaignView { output, meter: Meter::new("fuzzing", Unit::Count), cases: self.cases };
        let summary =
            campaign::run(&settings, &mute, &source, &mut |event| show.event(event)).map_err(|error| match error {
                CampaignError::Worker(error) => Error::Worker(error),
                CampaignError::File { path, source } => Error::Save { path, source },
            })?;
        drop(show);
        output.text(&table(&summary.progress, &summary.buckets));
        output.object(&FuzzObject::Done {
            cases: summary.progress.cases,
            compilations: summary.progress.compilations(),
            accepted: summary.progress.accepted(),
            ok: summary.progress.ok,
            verdicts: &summary.progress.verdicts,
            muted: summary.progress.muted,
            operations: &summary.progress.operations,
            passes: &summary.progress.passes,
            buckets: &summary.buckets,
            seconds: summary.progress.elapsed.as_secs_f64(),
        });
        Ok(if summary.buckets.is_empty() { Ending::Clean } else { Ending::Finding })
    }
}

/// Which passes were seen at work, and which never found anything to do.
fn passes(passes: &BTreeMap<String, PassCount>) -> String {
    let idle: Vec<&str> =
        passes.iter().filter(|(_, count)| count.changed == 0).map(|(name, _)| name.as_str()).collect();
    match (passes.len(), idle.as_slice()) {
        (0, _) => "no case was looked at pass by pass".to_owned(),
        (count, []) => format!("all {count} passes changed a module"),
        (count, idle) => format!("{} of {count} passes changed a module, not {}", count - idle.len(), idle.join(", ")),
    }
}

fn table(progress: &CampaignProgress, buckets: &[Bucket]) -> String {
    let count = |verdict| progress.verdicts.get(&verdict).copied().unwrap_or(0);
    let mut text = format!(
        "{} cases, {} compilations: {} ok, {} diagnosed, {} rejected-input, {} with a bug ({} of them muted)\n{} kinds of \
         operations; {}\n",
        progress.cases,
        progress.compilations(),
        progress.ok,
        count(Verdict::Diagnosed),
        count(Verdict::RejectedInput),
        count(Verdict::InvalidIr) + count(Verdict::Crash) + count(Verdict::Hang),
        progress.muted,
        progress.operations.len(),
        passes(&progress.passes),
    );
    if buckets.is_empty() {
        return text;
    }
    let mut table = Table::new(&["first case", "count", "operations", "seen on", "bug"], &[0, 1, 2]);
    for bucket in buckets {
        table.row(vec![
            bucket.first_case.to_string(),
            bucket.count.to_string(),
            bucket.operations.map_or_else(|| "-".to_owned(), |count| count.to_string()),
            bucket.seen_on.join(", "),
            bucket.signature.to_string(),
        ]);
    }
    text.push_str(&table.render());
    text
}
