//! Types that shrink through a whole module: whatever a step offers on a real module leaves one that our oracles accept
//! and that Triton's own verifier accepts, at every level of the pipeline.

use std::sync::atomic::AtomicBool;
use tritonsmith::compiler::protocol::{Keep, Mode, Options, Passes, RunRequest};
use tritonsmith::compiler::wheel::{Triton, install};
use tritonsmith::compiler::worker::{Worker, WorkerLimits};
use tritonsmith::ir::{self, PrintOptions};
use tritonsmith::oracle;
use tritonsmith::reduce::Candidate;
use tritonsmith::reduce::steps;
use tritonsmith_reducer::{Site, Step, TestCase};

/// Sites of a step that are tried on one module.
const SITES: usize = 1;

fn run(
    worker: &mut Worker,
    module: &str,
    target: &str,
    passes: Passes,
    keep: Keep,
) -> tritonsmith::compiler::outcome::Outcome {
    let options = Options::from([("num_warps".to_owned(), 4.into())]);
    let target = target.parse().expect("a target");
    let run = RunRequest {
        module: module.to_owned(),
        target,
        options,
        passes,
        stop: None,
        mode: Mode::Stepwise,
        keep,
        pass_ms: None,
        metadata: Default::default(),
    };
    worker.run(&run).unwrap_or_else(|error| panic!("{error}"))
}

/// The modules that a seed becomes on its way through the compiler: as it is, with layouts, in the middle and at the end.
fn levels(worker: &mut Worker, seed: &str, target: &str) -> Vec<String> {
    let mut levels = vec![seed.to_owned()];
    let front = run(worker, seed, target, Passes::stage("ttir"), Keep { last: true, ..Keep::default() });
    let Some(ttir) = front.last_module() else { return levels };
    let back = run(worker, ttir, target, Passes::stage("ttgir"), Keep { each: true, ..Keep::default() });
    let count = back.modules.len();
    let chosen = [1, count / 2, count].map(|after| back.module_after(after));
    levels.extend(chosen.into_iter().flatten().map(str::to_owned));
    levels.dedup();
    levels
}

/// All sites alone, as far as there are not too many, and all of them together.
fn chunks(sites: Vec<Site>, together: bool) -> Vec<Vec<Site>> {
    let every = sites.len().div_ceil(SITES).max(1);
    let mut chunks: Vec<Vec<Site>> = sites.iter().step_by(every).map(|&site| vec![site]).collect();
    if together && sites.len() > 1 {
        chunks.push(sites);
    }
    chunks
}

fn seeds() -> Vec<(String, String)> {
    let directory = format!("{}/corpus/seeds", env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> =
        std::fs::read_dir(directory).expect("seeds").map(|entry| entry.expect("listed").path()).collect();
    paths.sort();
    let texts = paths.iter().filter(|path| path.extension().is_some_and(|end| end == "mlir"));
    texts
        .map(|path| {
            (
                path.file_stem().expect("a name").to_string_lossy().into_owned(),
                std::fs::read_to_string(path).expect("UTF-8"),
            )
        })
        .collect()
}

/// A step on what another leaves when all of it is applied: shapes are shrunk before there is a rank to drop.
struct After(&'static dyn Step<Candidate>, &'static dyn Step<Candidate>);

impl After {
    fn prepared(&self, candidate: &Candidate) -> Candidate {
        let sites = self.0.sites(candidate);
        self.0.apply(candidate, &sites).unwrap_or_else(|| candidate.clone())
    }
}

impl Step<Candidate> for After {
    fn name(&self) -> &str {
        self.1.name()
    }

    fn sites(&self, candidate: &Candidate) -> Vec<Site> {
        self.1.sites(&self.prepared(candidate))
    }

    fn apply(&self, candidate: &Candidate, sites: &[Site]) -> Option<Candidate> {
        self.1.apply(&self.prepared(candidate), sites)
    }

    fn chunkable(&self) -> bool {
        self.1.chunkable()
    }
}

fn named(name: &str) -> &'static dyn Step<Candidate> {
    steps::ALL.iter().find(|step| step.name() == name).expect("a step has that name")
}

/// What a step makes of real modules is taken by the verifier; how many modules were tried.
fn law(step: &dyn Step<Candidate>) -> usize {
    let spec: Triton = "3.6.0".parse().expect("a version");
    let installation = install(&spec, &AtomicBool::new(false), &mut |_| {}).expect("the wheel installs");
    let mut worker = Worker::start(&installation, WorkerLimits::default()).expect("a worker");
    let mut tried = 0;
    let mut complaints = Vec::new();
    for (index, (name, seed)) in seeds().into_iter().enumerate() {
        for target in [["cuda:90", "hip:gfx942"][index % 2]] {
            for (level, text) in levels(&mut worker, &seed, target).into_iter().enumerate() {
                let Ok(module) = ir::parse(&text) else { continue };
                let before = Candidate::new(module);
                let none = Passes::Texts { texts: Vec::new() };
                let taken = |worker: &mut Worker, text: &str| run(worker, text, target, none.clone(), Keep::default());
                if !before.valid() || !taken(&mut worker, before.text()).is_ok() {
                    continue;
                }
                for chunk in chunks(step.sites(&before), step.chunkable()) {
                    let Some(after) = step.apply(&before, &chunk) else { continue };
                    tried += 1;
                    let place = format!("{name} for {target} at level {level}, sites {chunk:?}");
                    let again =
                        ir::parse(after.text()).unwrap_or_else(|error| panic!("{place}: {error}\n{}", after.text()));
                    assert_eq!(ir::print(&again, &PrintOptions::default()), after.text(), "{place}");
                    assert!(
                        again.type_notes().is_empty(),
                        "{place}: a type is not that of the value used\n{}",
                        after.text()
                    );
                    assert!(after.cost() < before.cost(), "{place}: no smaller\n{}", after.text());
                    let verdict = oracle::judge(&after.module);
                    assert!(verdict.is_valid(), "{place}: {verdict}\n{}", after.text());
                    let outcome = taken(&mut worker, after.text());
                    if !outcome.is_ok() {
                        let said =
                            outcome.stderr.lines().find(|line| line.contains("error:")).unwrap_or("?").to_owned();
                        complaints.push(format!("{place}: {said}"));
                    }
                }
            }
        }
    }
    eprintln!("{}: {tried} modules", step.name());
    assert!(complaints.is_empty(), "{} of {tried} are refused:\n{}", complaints.len(), complaints.join("\n"));
    tried
}

#[test]
#[ignore = "needs wheels"]
fn dimensions_shrink_everywhere_at_once() {
    assert!(law(named("shrink a dimension")) > 20);
}

#[test]
#[ignore = "needs wheels"]
fn number_types_are_narrowed_everywhere_at_once() {
    assert!(law(named("narrow a element type")) > 20);
}

#[test]
#[ignore = "needs wheels"]
fn warps_are_lowered_with_every_layout() {
    assert!(law(named("lower the number of warps")) > 20);
}

#[test]
#[ignore = "needs wheels"]
fn layouts_are_simplified() {
    assert!(law(named("simplify a layout")) > 20);
}

#[test]
#[ignore = "needs wheels"]
fn dimensions_of_size_one_go_everywhere_at_once() {
    // Few kernels have such dimensions: those of a dot are at least 16, those of a reduction go only with it.
    assert!(law(&After(named("shrink a dimension"), named("drop a dimension"))) > 5);
}
