//! Modules cross versions in other words. Every seed goes through the whole pipeline of one version; what comes out is put
//! into the words of the others. What they then read is counted: a layout that gained parameters or an operation that is
//! not there is not a matter of words, and such a module must be refused, not read wrongly.

use std::sync::atomic::AtomicBool;
use tritonsmith::compiler::protocol::{Keep, Mode, Options, Passes, Run};
use tritonsmith::compiler::wheel::install;
use tritonsmith::compiler::worker::{Worker, WorkerLimits};
use tritonsmith::corpus::spelling::rewordings;

fn worker(version: &str) -> Worker {
    let spec = version.parse().expect("a version");
    let installation = install(&spec, &AtomicBool::new(false), &mut |_| {}).expect("the wheel installs");
    Worker::start(&installation, WorkerLimits::default()).expect("a worker")
}

fn seeds() -> Vec<(String, String)> {
    let root = format!("{}/corpus/seeds", env!("CARGO_MANIFEST_DIR"));
    let mut seeds: Vec<(String, String)> = std::fs::read_dir(root)
        .expect("the seeds")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "mlir"))
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).expect("a seed")))
        .collect();
    seeds.sort();
    seeds
}

/// Whether a version reads a text as it stands, or in other words.
fn reads(worker: &mut Worker, text: &str) -> (bool, bool) {
    let valid = |worker: &mut Worker, text: &str| worker.verify(&[text.to_owned()]).expect("an answer")[0].valid;
    let plain = valid(worker, text);
    (plain, plain || rewordings(text).iter().any(|reworded| valid(worker, &reworded.text)))
}

/// What a version makes of the seeds: after its conversion to layouts with everything that follows, for `target`.
fn lowered(worker: &mut Worker, target: &str) -> Vec<(String, String)> {
    let mut modules = Vec::new();
    for (name, seed) in seeds() {
        let run = Run {
            module: seed,
            target: target.parse().expect("a target"),
            options: Options::from([("num_warps".to_owned(), 4.into())]),
            passes: Passes::stage("ttgir"),
            stop: None,
            mode: Mode::Whole,
            keep: Keep { last: true, ..Keep::default() },
        };
        let outcome = worker.run(&run).expect("an outcome");
        modules.extend(outcome.last_module().map(|text| (name, text.to_owned())));
    }
    modules
}

/// Modules of `from` that `to` reads as they stand, reads in other words, and all.
fn crossing(from: &str, to: &str, target: &str) -> [usize; 3] {
    let modules = lowered(&mut worker(from), target);
    let mut reader = worker(to);
    let mut counts = [0, 0, modules.len()];
    for (name, text) in &modules {
        let (plain, reworded) = reads(&mut reader, text);
        counts[0] += usize::from(plain);
        counts[1] += usize::from(reworded);
        if !reworded {
            let stderr = reader
                .verify(&[rewordings(text).first().map_or_else(|| text.clone(), |r| r.text.clone())])
                .expect("an answer")[0]
                .stderr
                .clone();
            eprintln!("{from} to {to}: {name}: {}", stderr.lines().next().unwrap_or_default());
        }
    }
    eprintln!("{from} to {to} for {target}: {counts:?}");
    counts
}

#[test]
fn most_modules_with_layouts_cross_from_3_2_to_3_6_and_back() {
    let [plain, reworded, all] = crossing("3.2.0", "3.6.0", "cuda:80");
    assert_eq!(plain, 0);
    assert!(reworded * 10 >= all * 8, "{reworded} of {all}");
    let [plain, reworded, all] = crossing("3.6.0", "3.2.0", "cuda:80");
    assert_eq!(plain, 0);
    assert!(reworded * 10 >= all * 8, "{reworded} of {all}");
}

#[test]
fn x() {
    crossing("3.6.0", "3.9.0", "cuda:80");
    crossing("3.9.0", "3.6.0", "cuda:80");
    crossing("3.2.0", "3.6.0", "hip:gfx942");
    crossing("3.6.0", "3.2.0", "hip:gfx942");
}
