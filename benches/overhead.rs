//! What a campaign costs beside the compiler: cases a second of `fuzz` with one job, against a bare loop over the same
//! modules in one Python process with the same wheel (`bare.py`). The target is 85 % when nothing fails, with the default
//! of looking closely at every 32nd case.
//!
//! Many short rounds, and their median: what else the machine does changes within seconds.
//!
//! `TRITON` names another version, `TARGET` another target, `MODULES` another number of modules, `ROUNDS` of rounds.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tritonsmith::campaign::{self, CampaignEvent, CampaignSettings, MuteList, Smith, Trial, TrialSource, Work};
use tritonsmith::compiler::wheel::{Installation, Triton, install};
use tritonsmith::compiler::{CompilerSpec, Target};
use tritonsmith::generate::IrLevel;

type Failure = Box<dyn Error>;

/// The share below which the benchmark fails.
const WANTED: f64 = 0.85;

/// Modules that are known to end well.
struct Good(Vec<Trial>);

impl TrialSource for Good {
    fn trial(&self, _: u64, case: u64, _: &Target) -> Trial {
        self.0[usize::try_from(case).unwrap_or_default() % self.0.len()].clone()
    }
}

struct Bench {
    installation: Installation,
    target: Target,
    modules: usize,
}

impl Bench {
    /// Cases a second of a campaign, and the cases that were not well.
    fn campaign(&self, source: &dyn TrialSource, look_closely: u64) -> Result<(f64, Vec<u64>), Failure> {
        let directory = tempfile::tempdir()?;
        let settings = CampaignSettings {
            compilers: vec![CompilerSpec::from(self.installation.clone())],
            targets: vec![self.target.clone()],
            work: Work::Front,
            modules: String::new(),
            seed: 1,
            cases: Some(self.modules as u64),
            time: None,
            jobs: 1,
            out: directory.path().to_owned(),
            reduce_queries: 0,
            look_closely,
            limit: Duration::from_secs(60),
            cancel: Arc::new(AtomicBool::new(false)),
        };
        let mut last = 0.0;
        campaign::run(&settings, &MuteList::default(), source, &mut |event| {
            if let CampaignEvent::Committed { progress, .. } = event {
                last = progress.elapsed_here.as_secs_f64();
            }
        })?;
        let mut bad = Vec::new();
        for line in std::fs::read_to_string(directory.path().join("journal.jsonl"))?.lines() {
            let line: serde_json::Value = serde_json::from_str(line)?;
            if line["case"]["other"].is_array() {
                bad.extend(line["case"]["case"].as_u64());
            }
        }
        Ok((self.modules as f64 / last, bad))
    }

    /// Modules a second of the bare loop.
    fn bare(&self, list: &Path) -> Result<f64, Failure> {
        let output = Command::new(&self.installation.python)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/bare.py"))
            .args([&self.target.kind, &self.target.arch, &self.target.threads_per_warp().to_string()])
            .arg(list)
            .output()?;
        let seconds: f64 = String::from_utf8(output.stdout)?
            .trim()
            .parse()
            .map_err(|_| format!("the bare loop failed:\n{}", String::from_utf8_lossy(&output.stderr)))?;
        Ok(self.modules as f64 / seconds)
    }
}

fn main() -> Result<(), Failure> {
    // `cargo test --all-targets` runs benchmarks too, without optimisation and without this word.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let word = |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let spec: Triton = word("TRITON", "3.6.0").parse()?;
    let target: Target = word("TARGET", "cuda:80").parse()?;
    let installation = install(&spec, &AtomicBool::new(false), &mut |_| {})?;
    let mut bench = Bench { installation, target, modules: word("MODULES", "40").parse()? };
    let smith = Smith::new(std::slice::from_ref(&bench.target), &[spec.to_string()], &[], IrLevel::Ttir);
    let (_, bad) = bench.campaign(&smith, 1)?;
    let cases = (0..bench.modules as u64).filter(|case| !bad.contains(case));
    let good = Good(cases.map(|case| smith.trial(1, case, &bench.target)).collect());
    bench.modules = good.0.len();
    let directory = tempfile::tempdir()?;
    let mut list = String::new();
    for (index, trial) in good.0.iter().enumerate() {
        let path = directory.path().join(format!("{index}.mlir"));
        std::fs::write(&path, &trial.module)?;
        writeln!(list, "{}\t{}", serde_json::to_string(&trial.options)?, path.display())?;
    }
    let listed = directory.path().join("list");
    std::fs::write(&listed, list)?;
    println!("{} modules that end well, {spec} for {}", bench.modules, bench.target);
    let mut shares = Vec::new();
    for round in 1..=word("ROUNDS", "11").parse::<u32>()? {
        let bare = bench.bare(&listed)?;
        let (fuzz, bad) = bench.campaign(&good, 32)?;
        let (plain, _) = bench.campaign(&good, 0)?;
        if !bad.is_empty() {
            return Err(format!("cases {bad:?} failed this time").into());
        }
        println!(
            "round {round}: bare loop {bare:.2} a second, fuzz {fuzz:.2} ({:.1} %), without looking closely {plain:.2} ({:.1} %)",
            100.0 * fuzz / bare,
            100.0 * plain / bare,
        );
        shares.push(fuzz / bare);
    }
    shares.sort_by(f64::total_cmp);
    let median = shares[shares.len() / 2];
    println!("median share: {:.1} % (wanted {:.0} %)", 100.0 * median, 100.0 * WANTED);
    if median < WANTED { Err("the campaign is slower than wanted".into()) } else { Ok(()) }
}
