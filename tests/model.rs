//! The built-in model of a compiler: right where nothing is planted, wrong in a way that our oracles see where a fault is.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use strum::VariantArray;
use tritonsmith::compiler::model::{Fault, LANGUAGE, Model, ModelPass, PIPELINE, PassFailureKind, Setup};
use tritonsmith::compiler::outcome::{Exit, Outcome};
use tritonsmith::compiler::plan::Plan;
use tritonsmith::compiler::protocol::{Keep, Mode, ModuleText, Options, Passes, RunRequest};
use tritonsmith::compiler::{Compile, Compiler};
use tritonsmith::generate::{GeneratorSettings, from_seed};
use tritonsmith::ir::{self, Module, PrintOptions};
use tritonsmith::judge::{Accuser, Tracer, Verdict, judge as judge_outcome};
use tritonsmith::oracle::judge;
use tritonsmith::reduce::{ReductionJob, minimise};

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

/// The case of that number: a generated module that our oracle accepts.
fn case(seed: u64) -> Module {
    let settings = GeneratorSettings::for_targets([("cuda", "80")], [LANGUAGE]);
    from_seed(&settings, seed).module
}

fn run(model: &Model, module: &str, keep: Keep) -> Outcome {
    let run = RunRequest {
        module: module.to_owned(),
        target: "cuda:80".parse().unwrap(),
        options: Options::new(),
        passes: Passes::stage("ttgir"),
        stop: None,
        mode: Mode::Stepwise,
        keep,
        pass_ms: None,
        metadata: Default::default(),
    };
    model.run(&run).unwrap()
}

fn text(module: &Module) -> String {
    ir::print(module, &PrintOptions::default())
}

#[test]
fn no_generated_module_raises_an_alarm() {
    raises_no_alarm(40);
}

fn raises_no_alarm(count: u64) {
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= count {
                        return;
                    }
                    let mut module = case(seed);
                    let result = Model::default().transform(&mut module, &PIPELINE, &Setup::default(), |_, _| {});
                    if let Err(broken) = result {
                        panic!("case {seed}, pass {}: {broken}\n{}", broken.index, text(&module));
                    }
                }
            });
        }
    });
}

#[test]
fn every_fault_is_found_within_2000_cases() {
    let mut open: Vec<Fault> = Fault::VARIANTS.to_vec();
    let mut seed = 0;
    while !open.is_empty() && seed < 2000 {
        let module = case(seed);
        open.retain(|&fault| {
            let model = Model::with_faults([fault]);
            match model.transform(&mut module.clone(), &PIPELINE, &Setup::default(), |_, _| {}) {
                Ok(()) => true,
                Err(broken) => {
                    assert_eq!(broken.pass, fault.pass(), "{fault}: {broken}");
                    println!("{fault}: case {seed}: {broken}");
                    false
                }
            }
        });
        seed += 1;
    }
    assert_eq!(open, [], "not found");
}

#[test]
fn without_verification_the_judge_sees_what_a_pass_left_behind() {
    let module = (0..).map(case).find(|module| {
        let model = Model::with_faults([Fault::KeepLater]);
        model.transform(&mut module.clone(), &PIPELINE, &Setup::default(), |_, _| {}).is_err()
    });
    let module = text(&module.unwrap());
    let strict = Model::with_faults([Fault::KeepLater]);
    let lenient = Model { verify_each: false, ..strict.clone() };
    let keep = Keep { each: true, ..Keep::default() };
    let verified = judge_outcome(&run(&strict, &module, keep.clone()));
    assert_eq!((verified.verdict, verified.pass.as_deref()), (Verdict::InvalidIr, Some("cse")));
    assert_eq!(run(&lenient, &module, keep).exit, Exit::Ok);
    let compile =
        Compile { target: "cuda:80".parse().unwrap(), options: Options::new(), passes: Passes::stage("ttgir") };
    let plan = Plan::of_compile(&lenient, &compile).unwrap();
    let trace = Tracer::new(&lenient).trace(&plan, &module).unwrap();
    let bad = trace.first_bad().unwrap();
    assert_eq!((PIPELINE[bad.index], bad.action.name()), (ModelPass::Cse, "cse"));
    assert_eq!(trace.judgement.signature.accuser, Accuser::Oracle("dominance".to_owned()));
}

#[test]
fn a_reduction_blames_the_earlier_pass_that_left_invalid_ir_and_not_the_one_that_crashes_over_it() {
    // `cse` leaves a use before its definition, unnoticed; a later pass fails by itself, and the compiler names that one.
    let model = Model { verify_each: false, ..Model::with_faults([Fault::KeepLater, Fault::EraseSharedSlice]) };
    let modules = (0..2000).map(|seed| text(&case(seed)));
    let mut both = modules.filter(|module| {
        let outcome = run(&model, module, Keep { each: true, ..Keep::default() });
        let valid = |kept: &ModuleText| judge(&ir::parse(&kept.text).unwrap()).is_valid();
        outcome.failing.is_some() && !outcome.modules.iter().all(valid)
    });
    let module = both.next().expect("a module that shows both");
    let named = judge_outcome(&run(&model, &module, Keep::default()));
    assert!(named.pass.is_some_and(|pass| pass != "cse"));
    let (target, options) = ("cuda:80".parse().unwrap(), Options::new());
    let compile = Compile { target, options, passes: Passes::stage("ttgir") };
    let result = minimise(&model, &ReductionJob::new(compile, module), &mut |_| {}).unwrap();
    assert_eq!(result.located.pass, "cse");
    assert_eq!(result.last.signature, result.located.judgement.signature);
    assert_eq!(result.last.signature.accuser, Accuser::Oracle("dominance".to_owned()));
    assert!(result.report.best.module.size() <= 10, "{}", result.text);
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for fault in Fault::VARIANTS.iter().copied() {
        let model = Model::with_faults([fault]);
        let module = text(&case(0));
        let answers =
            [0, 1].map(|_| run(&model, &module, Keep { last: true, before_failing: true, ..Keep::default() }));
        let [first, second] = answers.map(|answer| (answer.exit, answer.stderr, answer.failing, answer.modules));
        assert_eq!(first, second, "{fault}");
    }
}

#[test]
fn a_failure_is_told_as_a_worker_tells_it() {
    let text = std::fs::read_to_string("corpus/running_softmax_carry/input.mlir").unwrap();
    let model = Model::with_faults([Fault::UpdateAtReduction]);
    let outcome = run(&model, &text, Keep { before_failing: true, ..Keep::default() });
    assert_eq!(outcome.exit, Exit::PassFailed);
    assert_eq!(outcome.failing.as_ref().unwrap().text, "tritongpu-optimize-thread-locality");
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert!(lines[0].starts_with("input.mlir:"), "{lines:?}");
    assert!(lines[0].ends_with("error: operand #0 does not dominate this use"), "{lines:?}");
    assert!(lines[1].ends_with("note: operand defined here (op in the same block)"), "{lines:?}");
    assert!(judge(&ir::parse(outcome.before_failing().unwrap()).unwrap()).is_valid());
}

#[test]
fn what_is_no_module_is_not_parsed_and_what_is_no_pass_is_refused() {
    let broken = run(&Model::default(), "module {\n  tt.func @f(\n", Keep::default());
    assert_eq!(judge_outcome(&broken).verdict, Verdict::RejectedInput);
    assert!(broken.stderr.starts_with("input.mlir:"), "{}", broken.stderr);
    let invalid = "module {\n  tt.func @f() {\n    \"test.use\"(%x) : (i32) -> ()\n    tt.return\n  }\n}\n";
    assert_eq!(run(&Model::default(), invalid, Keep::default()).exit, Exit::NotParsed { signal: None });
    let texts = vec!["any(cse),canonicalize{max-iterations=10}".to_owned(), "no-such-pass".to_owned()];
    let run = RunRequest {
        module: "module {\n}\n".to_owned(),
        target: "cuda:80".parse().unwrap(),
        options: Options::new(),
        passes: Passes::Texts { texts },
        stop: None,
        mode: Mode::Whole,
        keep: Keep::default(),
        pass_ms: None,
        metadata: Default::default(),
    };
    assert!(Model::default().run(&run).unwrap_err().to_string().contains("no pass `no-such-pass`"));
}

#[test]
fn warps_that_are_no_power_of_two_are_diagnosed() {
    let setup = Setup { warps: 3, ..Setup::default() };
    let broken = Model::default().transform(&mut case(1), &PIPELINE, &setup, |_, _| {}).unwrap_err();
    assert_eq!((broken.pass, broken.kind), (ModelPass::ConvertToGpu, PassFailureKind::Diagnosed));
}

#[test]
fn a_reduction_runs_on_the_model() {
    let (target, options) = ("cuda:80".parse().unwrap(), Options::new());
    let compile = Compile { target, options, passes: Passes::stage("ttgir") };
    let module = std::fs::read_to_string("corpus/running_softmax_carry/input.mlir").unwrap();
    let job = ReductionJob::new(compile, module);
    let model = Model::with_faults([Fault::UpdateAtReduction]);
    let result = minimise(&model, &job, &mut |_| {}).unwrap();
    assert_eq!(result.located.pass, "tritongpu-optimize-thread-locality");
    assert!(result.report.best.module.size() <= 14, "{}", result.text);
    assert_eq!(result.report.invalid, 0);
}

mod exhaustive {
    #[test]
    #[ignore = "takes hours in a debug build"]
    fn no_generated_module_raises_an_alarm() {
        super::raises_no_alarm(100_000);
    }
}
