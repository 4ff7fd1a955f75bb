//! Modules cross versions in other words. Some seeds go through the whole pipeline of one version, and what comes out is
//! put into the words of another. Where more than words changed since (a layout with other parameters, an operation that
//! is not there), the module must be refused and not read wrongly.

use std::sync::atomic::AtomicBool;
use tritonsmith::compiler::protocol::{Keep, Mode, Options, Passes, RunRequest};
use tritonsmith::compiler::spelling::rewordings;
use tritonsmith::compiler::wheel::install;
use tritonsmith::compiler::worker::{Pool, WorkerLimits};
use tritonsmith::compiler::{Compile, Compiler};
use tritonsmith::corpus::LocatedCase;
use tritonsmith::judge::Tracer;
use tritonsmith::judge::Verdict;
use tritonsmith::judge::releases::try_with;

fn worker(version: &str) -> Pool {
    let spec = version.parse().expect("a version");
    let installation = install(&spec, &AtomicBool::new(false), &mut |_| {}).expect("the wheel installs");
    Pool::start(&installation, WorkerLimits::default(), 1).expect("a worker")
}

fn corpus(path: &str) -> String {
    std::fs::read_to_string(format!("{}/corpus/{path}", env!("CARGO_MANIFEST_DIR"))).expect("a module")
}

/// What a version makes of a seed.
fn lowered(worker: &Pool, seed: &str, target: &str) -> String {
    let run = RunRequest {
        module: corpus(&format!("seeds/{seed}.mlir")),
        target: target.parse().expect("a target"),
        options: Options::from([("num_warps".to_owned(), 4.into())]),
        passes: Passes::stage("ttgir"),
        stop: None,
        mode: Mode::Whole,
        keep: Keep { last: true, ..Keep::default() },
        pass_ms: None,
        metadata: Default::default(),
    };
    let outcome = worker.run(&run).expect("an outcome");
    outcome.last_module().unwrap_or_else(|| panic!("{seed}: {}", outcome.stderr)).to_owned()
}

fn valid(worker: &Pool, text: &str) -> bool {
    worker.verify(&[text.to_owned()]).expect("an answer")[0].valid
}

/// Seeds that `to` reads as `from` left them, and those that it reads in other words.
fn crossing<'s>(from: &str, to: &str, target: &str, seeds: &[&'s str]) -> (Vec<&'s str>, Vec<&'s str>) {
    let (writer, reader) = (worker(from), worker(to));
    let (mut plain, mut reworded) = (Vec::new(), Vec::new());
    for seed in seeds {
        let text = lowered(&writer, seed, target);
        if valid(&reader, &text) {
            plain.push(*seed);
        } else if rewordings(&text).iter().any(|reworded| valid(&reader, &reworded.text)) {
            reworded.push(*seed);
        }
    }
    (plain, reworded)
}

const SEEDS: [&str; 4] = ["softmax", "layer_norm", "prefix_sums", "matmul_masked"];

#[test]
#[ignore = "needs wheels"]
fn layouts_cross_the_renaming_of_the_dialect() {
    assert_eq!(crossing("3.2.0", "3.6.0", "cuda:80", &SEEDS), (vec![], SEEDS.to_vec()));
    assert_eq!(crossing("3.6.0", "3.2.0", "cuda:80", &SEEDS), (vec![], SEEDS.to_vec()));
}

#[test]
#[ignore = "needs wheels"]
fn amds_dialect_crosses_its_renaming() {
    let seeds = ["softmax", "layer_norm"];
    assert_eq!(crossing("3.2.0", "3.6.0", "hip:gfx942", &seeds), (vec![], seeds.to_vec()));
}

#[test]
#[ignore = "needs wheels"]
fn descriptors_cross_the_loss_of_their_tensor() {
    let text = corpus("seeds/descriptor_gather.mlir");
    assert!(valid(&worker("3.6.0"), &text));
    let newer = worker("3.9.0");
    assert!(!valid(&newer, &text));
    let reworded = rewordings(&text).into_iter().next().expect("other words");
    assert!(valid(&newer, &reworded.text), "{}", reworded.text);
    let back = rewordings(&reworded.text).into_iter().next().expect("other words");
    assert!(valid(&worker("3.6.0"), &back.text), "{}", back.text);
}

#[test]
#[ignore = "needs wheels"]
fn a_module_with_layouts_shows_its_bug_in_a_version_that_calls_them_otherwise() {
    let path = format!("{}/corpus/running_sum_twice", env!("CARGO_MANIFEST_DIR"));
    let case = LocatedCase::read(path.as_ref()).expect("a shipped case");
    let compile = case.case.compile().expect("something to run");
    let keep = Keep { before_failing: true, ..Keep::default() };
    let outcome = worker("3.6.0").run(&compile.run(&case.module, keep)).expect("an outcome");
    let (failing, before) = (outcome.failing.clone().expect("a pass"), outcome.before_failing().expect("a module"));
    let compile = Compile { passes: Passes::Texts { texts: vec![failing.text] }, ..compile };
    for (version, verdict) in [("3.2.0", Verdict::Crash), ("3.9.0", Verdict::Ok)] {
        let result = try_with(&Tracer::new(&worker(version)), &compile, before).expect("it runs");
        assert_eq!((result.untestable, result.judgement.verdict), (None, verdict), "{version}");
        assert_eq!(result.ran.contains("`ttg` as `triton_gpu`"), version == "3.2.0", "{version}: {}", result.ran);
    }
}

#[test]
#[ignore = "needs wheels"]
fn what_is_more_than_words_is_untestable() {
    // Descriptors came after 3.2.0.
    let compile = Compile {
        target: "cuda:90".parse().expect("a target"),
        options: Options::new(),
        passes: Passes::stage("ttgir"),
    };
    let text = corpus("seeds/descriptor_gather.mlir");
    let result = try_with(&Tracer::new(&worker("3.2.0")), &compile, &text).expect("it runs");
    assert_eq!(result.judgement.verdict, Verdict::RejectedInput);
    let why = result.untestable.expect("a reason");
    assert!(why.contains("does not read this text"), "{why}");
    // Views of memory are other operations since then.
    let text = lowered(&worker("3.2.0"), "attention_forward", "cuda:80");
    let result = try_with(&Tracer::new(&worker("3.6.0")), &compile, &text).expect("it runs");
    let why = result.untestable.expect("a reason");
    assert!(why.ends_with("nor that with `triton_gpu` as `ttg`: custom op 'ttg.memdesc_subview' is unknown"), "{why}");
}
