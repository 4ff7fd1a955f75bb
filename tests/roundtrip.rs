//! Every module that a pass leaves behind is read here and printed back, and Triton reads what was printed and prints the
//! same as for the original: in the custom form and in the generic one. For the shipped cases on three versions; in
//! `exhaustive` for the seeds as well, and on every release. What was covered is listed in the end.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tritonsmith::compiler::protocol::{Keep, Mode, Options, Passes, RunRequest};
use tritonsmith::compiler::wheel::install;
use tritonsmith::compiler::worker::{Worker, WorkerLimits};
use tritonsmith::ir::{self, PrintOptions};

const TARGETS: [&str; 4] = ["cuda:80", "cuda:87", "cuda:90", "hip:gfx942"];

fn inputs(seeds: bool) -> Vec<(String, String)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&corpus)
        .expect("the corpus")
        .filter_map(|entry| entry.ok().map(|entry| entry.path().join("input.mlir")))
        .filter(|path| path.exists())
        .collect();
    if seeds {
        let seeds = std::fs::read_dir(corpus.join("seeds")).expect("the seeds");
        files.extend(
            seeds
                .filter_map(|entry| entry.ok().map(|entry| entry.path()))
                .filter(|path| path.extension().is_some_and(|e| e == "mlir")),
        );
    }
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&corpus).expect("below the corpus").display().to_string();
            (name, std::fs::read_to_string(&path).expect("readable"))
        })
        .collect()
}

/// What passes leave behind, the module as given first. Passes after a failing one leave nothing.
fn left_behind(worker: &mut Worker, module: &str, target: &str, stage: &str) -> Vec<String> {
    let run = RunRequest {
        module: module.to_owned(),
        target: target.parse().expect("a target"),
        options: Options::from([("num_warps".to_owned(), 4.into()), ("num_stages".to_owned(), 2.into())]),
        passes: Passes::stage(stage),
        stop: None,
        mode: Mode::Stepwise,
        keep: Keep { each: true, ..Keep::default() },
        pass_ms: None,
        metadata: Default::default(),
    };
    match worker.run(&run) {
        Ok(outcome) => outcome.modules.into_iter().map(|kept| kept.text).collect(),
        // The version does not know the target.
        Err(_) => Vec::new(),
    }
}

/// What is wrong with reading and printing one text, if anything.
fn check(worker: &mut Worker, text: &str) -> Option<String> {
    let module = match ir::parse(text) {
        Ok(module) => module,
        Err(error) => return Some(format!("it is not read: {error}\n{text}")),
    };
    let theirs = worker.print(text).expect("the worker answers").text?;
    for options in [PrintOptions::default(), PrintOptions::generic()] {
        let printed = ir::print(&module, &options);
        let again = worker.print(&printed).expect("the worker answers");
        match again.text {
            Some(again) if again == theirs => {}
            Some(again) => {
                return Some(format!(
                    "it comes back changed:\n{}",
                    similar::TextDiff::from_lines(&theirs, &again).unified_diff()
                ));
            }
            None => return Some(format!("what is printed is not read: {}\n{printed}", again.stderr)),
        }
    }
    None
}

#[test]
#[ignore = "needs wheels"]
fn what_passes_leave_behind_comes_back_the_same() {
    comes_back_the_same(&["3.2.0", "3.6.0", "3.9.0"], &inputs(false));
}

fn comes_back_the_same(versions: &[&str], inputs: &[(String, String)]) {
    let mut covered: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut operations: BTreeSet<String> = BTreeSet::new();
    let mut problems = Vec::new();
    for version in versions {
        let installation =
            install(&version.parse().expect("a version"), &AtomicBool::new(false), &mut |_| {}).expect("a wheel");
        let mut worker = Worker::start(&installation, WorkerLimits::default()).expect("a worker");
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for (name, module) in inputs {
            for target in TARGETS {
                let mut texts = left_behind(&mut worker, module, target, "ttir");
                texts.extend(left_behind(&mut worker, module, target, "ttgir"));
                for text in texts {
                    *covered.entry((format!("{version} {target}"), "modules")).or_default() += 1;
                    if !seen.insert(text.clone()) {
                        continue;
                    }
                    *covered.entry((format!("{version} {target}"), "of them new")).or_default() += 1;
                    if let Ok(module) = ir::parse(&text) {
                        operations.extend(module.walk().into_iter().map(|op| module.op_name(op).to_owned()));
                    }
                    if let Some(problem) = check(&mut worker, &text) {
                        problems.push(format!("{version} {target} {name}: {problem}"));
                    }
                }
            }
        }
    }
    for ((place, what), count) in &covered {
        println!("{place}: {count} {what}");
    }
    println!(
        "{} inputs, {} kinds of operations: {}",
        inputs.len(),
        operations.len(),
        operations.into_iter().collect::<Vec<_>>().join(" ")
    );
    assert!(problems.is_empty(), "{} problems, the first:\n{}", problems.len(), problems[0]);
    let all: usize = covered.iter().filter(|((_, what), _)| *what == "modules").map(|(_, count)| count).sum();
    assert!(all > 1000, "only {all} modules were looked at");
}

mod exhaustive {
    #[test]
    #[ignore = "installs every release"]
    fn what_passes_leave_behind_comes_back_the_same() {
        let all = [
            "3.0.0", "3.1.0", "3.2.0", "3.3.0", "3.3.1", "3.4.0", "3.5.0", "3.5.1", "3.6.0", "3.7.0", "3.7.1", "3.8.0",
            "3.9.0",
        ];
        super::comes_back_the_same(&all, &super::inputs(true));
    }
}
