//! The built-in model of a compiler: right where nothing is planted, wrong in a way that our oracles see where a fault is.

use std::path::PathBuf;
use tritonsmith::compiler::model::{Fault, Model, PIPELINE, Setup};
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
    if std::env::var_os("ALL").is_some() { for (name, mut module) in seeds() { if let Err(broken) = Model::default().transform(&mut module, &PIPELINE, &Setup::default(), |_, _| {}) { println!("{name}: {} {broken:?}", broken.index); } } }
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
    for fault in Fault::all() {
        let mut found = 0;
        for (_, mut module) in seeds() {
            let model = Model::with_faults([fault]);
            found += usize::from(model.transform(&mut module, &PIPELINE, &Setup::default(), |_, _| {}).is_err());
        }
        println!("{fault}: {found}");
    }
}
