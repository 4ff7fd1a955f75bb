//! The built-in model of a compiler: right where nothing is planted, wrong in a way that our oracles see where a fault is.

use std::path::PathBuf;
use tritonsmith::compiler::model::{Fault, Model, PIPELINE, Setup};
use tritonsmith::generate::{Settings, from_seed};
use tritonsmith::ir::{self, Module, PrintOptions};
use tritonsmith::oracle::judge;

/// Real modules, with their names, in order.
fn seeds() -> Vec<(String, Module)> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir("corpus").unwrap() {
        paths.push(entry.unwrap().path().join("input.mlir"));
    }
    for entry in std::fs::read_dir("corpus/seeds").unwrap() {
        paths.push(entry.unwrap().path());
    }
    paths.retain(|path| path.is_file() && path.extension().is_some_and(|extension| extension == "mlir"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let module = ir::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path.display().to_string(), module)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn every_seed_goes_through_without_an_alarm() {
    let seeds = seeds();
    assert!(seeds.len() > 40);
    for (name, mut module) in seeds {
        assert!(judge(&module).is_valid(), "{name}");
        let result = Model::default().transform(&mut module, &PIPELINE, &Setup::default(), |_, _| {});
        if let Err(broken) = result {
            panic!("{name}: {broken}\n{}", ir::print(&module, &PrintOptions::default()));
        }
        let text = ir::print(&module, &PrintOptions::default());
        let again = ir::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        assert_eq!(ir::print(&again, &PrintOptions::default()), text, "{name}");
        assert!(judge(&again).is_valid(), "{name}: {}\n{text}", judge(&again));
    }
}

#[test]
#[ignore]
fn explore() {
    use std::time::Instant;
    let mut open: Vec<Fault> = vec![Fault::DeadArgumentKeepsYield, Fault::UpdateAtReduction];
    let count = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let started = Instant::now();
    let mut size = 0;
    let mut times = [0.0; 3];
    for seed in 0..count {
        let at = Instant::now();
        let module = from_seed(&Settings::default(), seed).module;
        times[0] += at.elapsed().as_secs_f64();
        size += module.size();
        if !judge(&module).is_valid() {
            println!("seed {seed} is invalid: {}", judge(&module));
            continue;
        }
        let mut copy = module.clone();
        let at = Instant::now();
        let result = Model::default().transform(&mut copy, &PIPELINE, &Setup::default(), |_, _| {});
        times[1] += at.elapsed().as_secs_f64();
        if let Err(broken) = result {
            panic!("seed {seed}: {broken} {}\n{}", broken.index, ir::print(&copy, &PrintOptions::default()));
        }
        let at = Instant::now();
        open.retain(|&fault| {
            let model = Model::with_faults([fault]);
            let result = model.transform(&mut module.clone(), &PIPELINE, &Setup::default(), |_, _| {});
            if let Err(broken) = &result {
                println!("{fault}: seed {seed}, {:?} {broken}", broken.how);
            }
            result.is_ok()
        });
        times[2] += at.elapsed().as_secs_f64();
    }
    println!("open {open:?}, {size} operations, {times:?}, {:?}", started.elapsed());
}
