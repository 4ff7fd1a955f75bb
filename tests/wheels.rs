//! Real wheels answer real questions. These tests install 3.2.0, 3.6.0 and 3.9.0 into the user's cache if they are not there;
//! those in `exhaustive`, every other release from 3.0.0 on.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tritonsmith::compiler::Target;
use tritonsmith::compiler::outcome::{Exit, Outcome};
use tritonsmith::compiler::protocol::{
    HelloRequest, Keep, Mode, Options, Passes, PipelineRequest, ProbeRequest, RecordedPipeline, RefusalKind, RunRequest,
};
use tritonsmith::compiler::wheel::{Installation, Triton, install};
use tritonsmith::compiler::worker::{Loss, Pool, Reply, Worker, WorkerError, WorkerLimits};

/// The releases of `cargo test-wheels`, and those that only `cargo test-all` adds.
const THREE: [&str; 3] = ["3.2.0", "3.6.0", "3.9.0"];
const OTHERS: [&str; 10] = ["3.0.0", "3.1.0", "3.3.0", "3.3.1", "3.4.0", "3.5.0", "3.5.1", "3.7.0", "3.7.1", "3.8.0"];

/// What has to hold for each release becomes two tests.
macro_rules! for_every_release {
    ($($name:ident)*) => {
        mod three {
            $(#[test]
            #[ignore = "needs wheels"]
            fn $name() {
                super::$name(&super::THREE);
            })*
        }
        mod exhaustive {
            $(#[test]
            #[ignore = "installs every release"]
            fn $name() {
                super::$name(&super::OTHERS);
            })*
        }
    };
}

for_every_release! {
    the_control_compiles_everywhere
    whole_and_stepwise_runs_leave_the_same_module
    grouped_gemm_fails_to_dominate_from_3_3_1_to_3_6_0
    if_combining_fails_to_dominate_from_3_7_on
    an_assertion_costs_one_question_whether_llvm_catches_it_or_not
    a_module_that_does_not_parse_is_told_from_a_pass_that_fails
    every_recorded_text_is_mapped_back_to_its_pass
    an_unknown_pass_or_target_is_refused_by_name
    the_probe_tells_targets_and_passes
    what_is_printed_parses_and_prints_the_same_again
    many_modules_are_verified_one_by_one_in_one_question
    a_question_beyond_its_time_is_a_hang_and_the_next_one_is_answered
    a_question_beyond_its_memory_is_told_from_a_crash
    killed_children_are_replaced_without_a_start
    a_killed_worker_is_one_honest_outcome_and_then_a_new_worker
}

/// Releases are compared by number: every version here has one digit per place.
fn between(version: &str, first: &str, last: &str) -> bool {
    (first..=last).contains(&version)
}

fn installation(text: &str) -> Installation {
    let spec: Triton = text.parse().expect("a Triton");
    install(&spec, &AtomicBool::new(false), &mut |_| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// The worker of a version that the tests share: whatever one of them does to it must not matter to the next.
fn worker(version: &str) -> MutexGuard<'static, Worker> {
    static WORKERS: Mutex<BTreeMap<String, &'static Mutex<Worker>>> = Mutex::new(BTreeMap::new());
    let mut workers = WORKERS.lock().unwrap_or_else(PoisonError::into_inner);
    let start = || &*Box::leak(Box::new(Mutex::new(worker_with(version, WorkerLimits::default()))));
    let worker = *workers.entry(version.to_owned()).or_insert_with(start);
    drop(workers);
    worker.lock().unwrap_or_else(PoisonError::into_inner)
}

fn worker_with(version: &str, limits: WorkerLimits) -> Worker {
    Worker::start(&installation(version), limits).unwrap_or_else(|error| panic!("{error}"))
}

fn case(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name).join("input.mlir");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn options(num_stages: u32) -> Options {
    Options::from([("num_warps".to_owned(), 4.into()), ("num_stages".to_owned(), num_stages.into())])
}

fn target(text: &str) -> Target {
    text.parse().expect("a target")
}

fn run_of(name: &str, on: &str, mode: Mode) -> RunRequest {
    RunRequest {
        module: case(name),
        target: target(on),
        options: options(2),
        passes: Passes::stage("ttgir"),
        stop: None,
        mode,
        keep: Keep { last: true, before_failing: true, ..Keep::default() },
        pass_ms: None,
        metadata: Default::default(),
    }
}

fn run(worker: &mut Worker, run: &RunRequest) -> Outcome {
    worker.run(run).unwrap_or_else(|error| panic!("{error}"))
}

/// A module of many operations, which takes time and memory.
fn long_module(operations: usize) -> String {
    let mut text = String::from("module {\n  tt.func public @long(%p: !tt.ptr<i32>, %v0: i32) {\n");
    for index in 1..=operations {
        let before = index - 1;
        text += &format!("    %v{index} = arith.addi %v{before}, %v0 : i32\n");
    }
    text + &format!("    tt.store %p, %v{operations} : !tt.ptr<i32>\n    tt.return\n  }}\n}}\n")
}

const SMALL: &str = "module {\n  tt.func public @small(%arg0: !tt.ptr<i32>, %arg1: i32) {\n    tt.store %arg0, %arg1 : \
                     !tt.ptr<i32>\n    tt.return\n  }\n}\n";

fn the_control_compiles_everywhere(versions: &[&str]) {
    for &version in versions {
        let mut worker = worker(version);
        for mode in [Mode::Whole, Mode::Stepwise] {
            let outcome = run(&mut worker, &run_of("running_softmax_carry", "cuda:90", mode));
            assert_eq!((outcome.exit, outcome.stderr.as_str()), (Exit::Ok, ""), "{version}");
            assert!(outcome.last_module().is_some_and(|text| text.contains("threadsPerWarp")), "{version}");
        }
    }
}

fn whole_and_stepwise_runs_leave_the_same_module(versions: &[&str]) {
    for &version in versions {
        let mut worker = worker(version);
        let [whole, stepwise] = [Mode::Whole, Mode::Stepwise]
            .map(|mode| run(&mut worker, &run_of("running_sum_snapshot", "cuda:80", mode)));
        assert_eq!(whole.last_module(), stepwise.last_module(), "{version}");
        assert!(whole.last_module().is_some(), "{version}");
    }
}

fn grouped_gemm_fails_to_dominate_from_3_3_1_to_3_6_0(versions: &[&str]) {
    for &version in versions {
        let mut worker = worker(version);
        for mode in [Mode::Whole, Mode::Stepwise] {
            let outcome = run(&mut worker, &run_of("grouped_gemm_mask_reuse", "cuda:87", mode));
            if !between(version, "3.3.0", "3.6.0") {
                assert_eq!(outcome.exit, Exit::Ok, "{version}: {}", outcome.stderr);
                continue;
            }
            assert_eq!(outcome.exit, Exit::PassFailed, "{version}: {}", outcome.stderr);
            assert!(outcome.stderr.contains("operand #0 does not dominate this use"), "{version}");
            let failing = outcome.failing.as_ref().expect("a failing pass");
            assert!(failing.text.starts_with("tritongpu-remove-layout-conversions"), "{version}: {failing:?}");
            assert!(outcome.before_failing().is_some_and(|text| text.contains("#blocked")), "{version}");
        }
    }
}

#[test]
#[ignore = "needs wheels"]
fn the_module_before_the_failing_pass_fails_in_that_pass_alone() {
    let mut worker = worker("3.6.0");
    let whole = run(&mut worker, &run_of("grouped_gemm_mask_reuse", "cuda:87", Mode::Stepwise));
    let (failing, before) = (whole.failing.clone().expect("a pass"), whole.before_failing().expect("a module"));
    for passes in [
        Passes::Stage { stage: "ttgir".into(), from: failing.index, to: Some(failing.index + 1) },
        Passes::Texts { texts: vec![failing.text] },
    ] {
        let alone = RunRequest {
            module: before.to_owned(),
            passes,
            ..run_of("grouped_gemm_mask_reuse", "cuda:87", Mode::Whole)
        };
        let outcome = run(&mut worker, &alone);
        assert_eq!(outcome.exit, Exit::PassFailed, "{}", outcome.stderr);
        assert_eq!(outcome.failing.map(|failing| failing.index), Some(0));
    }
}

fn if_combining_fails_to_dominate_from_3_7_on(versions: &[&str]) {
    for &version in versions {
        let mut worker = worker(version);
        let outcome = run(&mut worker, &run_of("branchy_scale_if_combining", "hip:gfx942", Mode::Whole));
        if !between(version, "3.7.0", "3.9.0") {
            assert_eq!(outcome.exit, Exit::Ok, "{version}: {}", outcome.stderr);
            continue;
        }
        assert_eq!(outcome.exit, Exit::PassFailed, "{version}: {}", outcome.stderr);
        let failing = outcome.failing.as_ref().expect("a failing pass");
        assert_eq!(failing.text, "tt.func(tritonamdgpu-prepare-if-combining)", "{version}");
    }
}

fn an_assertion_costs_one_question_whether_llvm_catches_it_or_not(versions: &[&str]) {
    for &version in versions {
        let mut worker = worker(version);
        let starts = worker.starts();
        for mode in [Mode::Whole, Mode::Stepwise, Mode::Whole] {
            let outcome = run(&mut worker, &run_of("running_sum_twice", "cuda:80", mode));
            if version == "3.9.0" {
                assert_eq!(outcome.exit, Exit::Ok, "{version}: {}", outcome.stderr);
                continue;
            }
            assert!(
                outcome.stderr.contains("Assertion `loopResult.hasOneUse()' failed"),
                "{version}: {}",
                outcome.stderr
            );
            let caught = version >= "3.3.0";
            let signal = (!caught).then_some(6);
            assert_eq!(outcome.exit, Exit::Crashed { signal, caught }, "{version}");
            let failing = outcome.failing.as_ref().expect("a failing pass");
            assert_eq!(failing.text, "tritongpu-optimize-thread-locality", "{version}");
            assert!(outcome.before_failing().is_some(), "{version}");
            let next = run(&mut worker, &run_of("running_softmax_carry", "cuda:90", Mode::Whole));
            assert_eq!(next.exit, Exit::Ok, "{version}");
        }
        assert_eq!(worker.starts(), starts, "{version}: no crash may cost a whole start");
    }
}

fn a_module_that_does_not_parse_is_told_from_a_pass_that_fails(versions: &[&str]) {
    for &version in versions {
        let mut worker = worker(version);
        let mut question = run_of("running_softmax_carry", "cuda:90", Mode::Whole);
        question.module = "module {\n  tt.func @f(%a: i32) {\n    tt.print_everything %a\n".into();
        let outcome = run(&mut worker, &question);
        assert_eq!(outcome.exit, Exit::NotParsed { signal: None }, "{version}");
        assert!(outcome.stderr.contains("input.mlir"), "{version}: {}", outcome.stderr);
        assert!(!outcome.stderr.contains("/proc/"), "{version}: {}", outcome.stderr);
    }
}

fn recorded(worker: &mut Worker, on: &str, num_stages: u32) -> RecordedPipeline {
    let question = PipelineRequest { target: target(on), options: options(num_stages), stage: "ttgir".into() };
    worker.pipeline(&question).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
#[ignore = "needs wheels"]
fn the_recorded_pipeline_is_the_one_that_the_users_log_shows() {
    let log = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/grouped_gemm_mask_reuse/stderr.log");
    let log = std::fs::read_to_string(log).expect("a log");
    let (_, rest) = log.split_once("pipeline: \"builtin.module(").expect("a pipeline");
    let (shown, _) = rest.split_once(")\",").expect("its end");
    let texts: Vec<_> = recorded(&mut worker("3.6.0"), "cuda:87", 2).steps.into_iter().map(|step| step.text).collect();
    assert_eq!(texts.join(", "), shown);
}

/// The names are found in a fork, and a context waits for its threads, which a fork does not have.
#[test]
#[ignore = "needs wheels"]
fn an_old_release_names_its_passes_after_its_context_has_started_threads() {
    let limits = WorkerLimits { time: Duration::from_secs(5), ..WorkerLimits::default() };
    let mut worker = worker_with("3.2.0", limits);
    let functions: String = (0..8).map(|index| format!("tt.func @f{index}() {{\n  tt.return\n}}\n")).collect();
    let module = format!("module {{\n{functions}}}\n");
    let several =
        RunRequest { module, passes: Passes::stage("ttir"), ..run_of("running_softmax_carry", "cuda:87", Mode::Whole) };
    assert_eq!(run(&mut worker, &several).exit, Exit::Ok);
    assert!(recorded(&mut worker, "cuda:87", 2).steps.iter().any(|step| step.text == "tritongpu-coalesce"));
}

fn every_recorded_text_is_mapped_back_to_its_pass(versions: &[&str]) {
    for &version in versions {
        let mut worker = worker(version);
        for on in ["cuda:80", "cuda:90", "hip:gfx942"] {
            let texts: Vec<_> = recorded(&mut worker, on, 2).steps.into_iter().map(|step| step.text).collect();
            assert!(texts.len() > 10, "{version} {on}: {texts:?}");
            let by_text = RunRequest {
                module: SMALL.into(),
                target: target(on),
                passes: Passes::Texts { texts },
                ..run_of("running_softmax_carry", on, Mode::Whole)
            };
            let by_stage = RunRequest { passes: Passes::stage("ttgir"), mode: Mode::Stepwise, ..by_text.clone() };
            let (by_text, by_stage) = (run(&mut worker, &by_text), run(&mut worker, &by_stage));
            assert_eq!(by_text.exit, Exit::Ok, "{version} {on}: {}", by_text.stderr);
            assert_eq!(by_text.last_module(), by_stage.last_module(), "{version} {on}");
        }
    }
}

#[test]
#[ignore = "needs wheels"]
fn a_pass_outside_of_every_pipeline_is_found_with_its_arguments() {
    for version in ["3.6.0", "3.9.0"] {
        let mut worker = worker(version);
        let mut question = run_of("running_softmax_carry", "cuda:90", Mode::Stepwise);
        question.module = SMALL.into();
        question.passes = Passes::Texts {
            texts: vec![
                "convert-triton-to-tritongpu{target=cuda:90 enable-source-remat=false  num-warps=16 num-ctas=1 \
                 threads-per-warp=32}"
                    .into(),
                "any(tritongpu-pipeline{num-stages=7   dump-intermediate-steps=true})".into(),
            ],
        };
        let outcome = run(&mut worker, &question);
        assert_eq!(outcome.exit, Exit::Ok, "{version}: {}", outcome.stderr);
        assert!(outcome.last_module().is_some_and(|text| text.contains("num-warps\" = 16")), "{version}");
    }
}

fn an_unknown_pass_or_target_is_refused_by_name(versions: &[&str]) {
    for &version in versions {
        let mut worker = worker(version);
        let mut question = run_of("running_softmax_carry", "cuda:90", Mode::Whole);
        question.passes = Passes::Texts { texts: vec!["cse".into(), "tritongpu-make-it-fast".into()] };
        match worker.run(&question) {
            Err(WorkerError::Refused(refusal)) => {
                assert_eq!(refusal.kind, RefusalKind::Pass, "{version}: {refusal}");
                assert!(refusal.message.contains("`tritongpu-make-it-fast`"), "{version}: {refusal}");
            }
            other => panic!("{version}: {other:?}"),
        }
        question.target = target("corex:80");
        match worker.run(&question) {
            Err(WorkerError::Refused(refusal)) => {
                assert_eq!(refusal.kind, RefusalKind::Target, "{version}: {refusal}");
                assert!(refusal.message.contains("nvidia") && refusal.message.contains("amd"), "{version}: {refusal}");
            }
            other => panic!("{version}: {other:?}"),
        }
    }
}

fn the_probe_tells_targets_and_passes(versions: &[&str]) {
    for &version in versions {
        let mut worker = worker(version);
        let Ok(Reply::Answered(probe)) = worker.ask(&ProbeRequest {}) else { panic!("{version}: no probe") };
        let kinds: Vec<_> = probe
            .backends
            .iter()
            .flat_map(|backend| backend.kinds.iter().map(|kind| (backend.name.as_str(), kind.kind.as_str())))
            .collect();
        assert_eq!(kinds, [("amd", "hip"), ("nvidia", "cuda")], "{version}");
        assert!(probe.backends.iter().all(|backend| backend.refused.contains(&"npu".to_owned())), "{version}");
        let stages = &probe.backends[1].kinds[0].stages;
        assert_eq!(stages[..2], ["ttir", "ttgir"], "{version}");
        let pass = probe.passes.iter().find(|pass| pass.binding == "passes.ttgpuir.add_remove_layout_conversions");
        let text = pass.and_then(|pass| pass.text.as_deref()).unwrap_or_default();
        assert!(text.starts_with("tritongpu-remove-layout-conversions"), "{version}: {pass:?}");
    }
}

fn what_is_printed_parses_and_prints_the_same_again(versions: &[&str]) {
    for &version in versions {
        let mut worker = worker(version);
        let outcome = run(&mut worker, &run_of("running_softmax_carry", "cuda:90", Mode::Whole));
        let text = outcome.last_module().expect("a module").to_owned();
        assert!(!text.contains("loc("), "{version}: no locations unless asked for");
        let printed = worker.print(&text).expect("an answer");
        assert_eq!(printed.text.as_deref(), Some(text.as_str()), "{version}: {}", printed.stderr);
    }
}

fn many_modules_are_verified_one_by_one_in_one_question(versions: &[&str]) {
    for &version in versions {
        let mut worker = worker(version);
        let bad = SMALL.replace("%arg1 : !tt.ptr<i32>", "%arg7 : !tt.ptr<i32>");
        let texts: Vec<String> =
            (0..60).map(|index| if index % 3 == 1 { bad.clone() } else { SMALL.to_owned() }).collect();
        let found = worker.verify(&texts).expect("answers");
        assert_eq!(found.len(), texts.len(), "{version}");
        for (index, verified) in found.iter().enumerate() {
            assert_eq!(verified.valid, index % 3 != 1, "{version}");
            assert_eq!(
                verified.stderr.contains("undeclared SSA value"),
                index % 3 == 1,
                "{version}: {}",
                verified.stderr
            );
        }
    }
}

#[test]
#[ignore = "needs wheels"]
fn a_module_that_crashes_the_parser_costs_the_others_nothing() {
    // A divisor of zero threads asserts in the verifier of the old layout.
    let crashing = case("running_softmax_carry").replacen(
        "module",
        "#l = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = []}>\nmodule",
        1,
    );
    for version in ["3.6.0", "3.9.0"] {
        let mut worker = worker(version);
        let texts = [SMALL.to_owned(), SMALL.to_owned(), crashing.clone(), SMALL.to_owned()];
        let valid: Vec<_> = worker.verify(&texts).expect("answers").iter().map(|verified| verified.valid).collect();
        assert_eq!(valid, [true, true, false, true], "{version}");
    }
}

fn a_question_beyond_its_time_is_a_hang_and_the_next_one_is_answered(versions: &[&str]) {
    for &version in versions {
        let mut worker = worker(version);
        let mut question = run_of("running_softmax_carry", "cuda:90", Mode::Whole);
        question.module = long_module(60_000);
        let (starts, started, limit) = (worker.starts(), Instant::now(), Duration::from_millis(50));
        match worker.ask_within(&question, limit) {
            Ok(Reply::Lost(lost)) => assert_eq!(lost.how, Loss::Hung(limit), "{version}"),
            other => panic!("{version}: {:?}", other.map(|_| "it was answered")),
        }
        assert!(started.elapsed() < Duration::from_secs(10), "{version}");
        let next = run(&mut worker, &run_of("running_softmax_carry", "cuda:90", Mode::Whole));
        assert_eq!((next.exit, worker.starts()), (Exit::Ok, starts), "{version}");
    }
}

#[test]
#[ignore = "needs wheels"]
fn whatever_triton_prints_is_part_of_the_answer_and_bounded() {
    let environment = [("MLIR_ENABLE_DUMP".to_owned(), "1".to_owned())];
    let mut worker = Worker::start_in(&installation("3.6.0"), WorkerLimits::default(), &environment).expect("a worker");
    let mut question = run_of("running_softmax_carry", "cuda:90", Mode::Whole);
    let outcome = run(&mut worker, &question);
    assert_eq!(outcome.exit, Exit::Ok);
    assert!(outcome.stderr.contains("IR Dump Before"));
    question.module = long_module(1_500);
    let outcome = run(&mut worker, &question);
    assert_eq!(outcome.exit, Exit::Ok);
    assert!(outcome.stderr.contains("bytes left out") && outcome.stderr.len() < 3 << 20);
}

fn a_question_beyond_its_memory_is_told_from_a_crash(versions: &[&str]) {
    for &version in versions {
        let mut worker = worker_with(version, WorkerLimits { memory: 4 << 20, ..WorkerLimits::default() });
        let mut question = run_of("running_softmax_carry", "cuda:90", Mode::Whole);
        question.module = long_module(60_000);
        let outcome = run(&mut worker, &question);
        assert_eq!(outcome.exit, Exit::OutOfMemory { limit_bytes: Some(4 << 20) }, "{version}");
        let Ok(Reply::Answered(hello)) = worker.ask(&HelloRequest {}) else {
            panic!("{version}: no answer afterwards")
        };
        assert_eq!(hello.triton, version);
    }
}

fn children_of(parent: u32) -> Vec<u32> {
    let text = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).unwrap_or_default();
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

fn workers_here() -> Vec<u32> {
    let own = std::process::id();
    std::fs::read_dir(format!("/proc/{own}/task"))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .flat_map(|task| {
            let text = std::fs::read_to_string(format!("/proc/{own}/task/{task}/children")).unwrap_or_default();
            text.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<u32>>()
        })
        .collect()
}

fn kill(process: u32) {
    let done = std::process::Command::new("kill").args(["-KILL", &process.to_string()]).status();
    assert!(done.is_ok_and(|status| status.success()));
}

/// The worker's own process: the one whose command is Python's and that appeared with it.
fn start_and_find(version: &str) -> (Worker, u32) {
    let installation = installation(version);
    let marker = format!("marker-{version}-{:?}", Instant::now());
    let environment = [("TRITONSMITH_TEST_MARKER".to_owned(), marker.clone())];
    let worker = Worker::start_in(&installation, WorkerLimits::default(), &environment).expect("a worker");
    let marked = |process: &u32| {
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(&marker)
    };
    let process = workers_here().into_iter().find(marked).expect("the worker's process");
    (worker, process)
}

fn killed_children_are_replaced_without_a_start(versions: &[&str]) {
    for &version in versions {
        let (mut worker, parent) = start_and_find(version);
        for _ in 0..3 {
            until("one child serves, one waits", || children_of(parent).len() == 2);
            // An answer is here a little before the child knows that it is out.
            std::thread::sleep(Duration::from_millis(50));
            let children = children_of(parent);
            children.iter().copied().for_each(kill);
            until("both are replaced", || {
                let now = children_of(parent);
                now.len() == 2 && now.iter().all(|child| !children.contains(child))
            });
            let outcome = run(&mut worker, &run_of("running_softmax_carry", "cuda:90", Mode::Whole));
            assert_eq!(outcome.exit, Exit::Ok, "{version}");
        }
        assert_eq!(worker.starts(), 1, "{version}");
    }
}

fn a_killed_worker_is_one_honest_outcome_and_then_a_new_worker(versions: &[&str]) {
    for &version in versions {
        let (mut worker, parent) = start_and_find(version);
        until("one child serves, one waits", || children_of(parent).len() == 2);
        let children = children_of(parent);
        kill(parent);
        // Until the parent is really over, the child that serves may answer, and rightly.
        until("no child outlives its parent", || is_over(parent) && children.iter().all(|child| is_over(*child)));
        let outcome = run(&mut worker, &run_of("running_softmax_carry", "cuda:90", Mode::Whole));
        assert_eq!(outcome.exit, Exit::WorkerDied { status: None }, "{version}");
        let outcome = run(&mut worker, &run_of("running_softmax_carry", "cuda:90", Mode::Whole));
        assert_eq!((outcome.exit, worker.starts()), (Exit::Ok, 2), "{version}");
    }
}

/// Whether a process is gone, or only waits for its parent to hear of its end.
fn is_over(process: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{process}/stat")).map_or(true, |text| text.contains(") Z "))
}

/// Waits for something that comes by itself; a machine may be slow, so only a minute without it is a failure.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "not seen in a minute: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[ignore = "needs wheels"]
fn a_dropped_worker_leaves_no_process() {
    let (worker, parent) = start_and_find("3.9.0");
    let children = children_of(parent);
    drop(worker);
    until("parent and children are over", || children.iter().chain([&parent]).all(|process| is_over(*process)));
}

/// A Python of which nothing can be expected, as an executable script around the real one.
fn strange_python(directory: &std::path::Path, body: &str) -> Installation {
    use std::os::unix::fs::PermissionsExt;
    let python = directory.join("python");
    std::fs::write(&python, format!("#!/bin/sh\n{body}\n")).expect("a script");
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    Installation { spec: Triton::Python(python.clone()), python, version: None, distribution: None }
}

#[test]
fn garbage_in_place_of_an_answer_is_an_error_of_the_environment() {
    let directory = tempfile::tempdir().expect("a directory");
    for body in [
        "echo Welcome to this shell",
        "yes",
        "yes >&0",
        "exit 7",
        "echo no such thing >&2; exit 1",
        "printf '\\004\\000\\000\\000null' >&0",
    ] {
        let strange = strange_python(directory.path(), body);
        match Worker::start(&strange, WorkerLimits::default()) {
            Err(WorkerError::Broken { .. }) => {}
            other => panic!("{body}: {other:?}"),
        }
    }
    let silent = strange_python(directory.path(), "exec sleep 60");
    let limits = WorkerLimits { start: Duration::from_millis(200), ..WorkerLimits::default() };
    assert!(matches!(Worker::start(&silent, limits), Err(WorkerError::Slow { .. })));
}

#[test]
fn what_a_strange_interpreter_started_ends_with_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("pid");
    let body = format!("sleep 600 &\necho $! >{}\nexit 7", file.display());
    let strange = strange_python(directory.path(), &body);
    assert!(matches!(Worker::start(&strange, WorkerLimits::default()), Err(WorkerError::Broken { .. })));
    let pid = std::fs::read_to_string(&file).expect("a file");
    let deadline = Instant::now() + Duration::from_secs(10);
    let state = || std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    // Whoever adopts it need not wait for it.
    while state().is_ok_and(|text| !text.contains(") Z ")) {
        assert!(Instant::now() < deadline, "it sleeps on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[ignore = "needs wheels"]
fn a_pool_answers_threads_at_once() {
    let pool = Pool::start(&installation("3.9.0"), WorkerLimits::default(), 2).expect("a pool");
    let question = run_of("running_softmax_carry", "cuda:90", Mode::Whole);
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..8).map(|_| scope.spawn(|| pool.run(&question).expect("an outcome"))).collect();
        asking.into_iter().map(|thread| thread.join().expect("a thread")).collect()
    });
    for outcome in &outcomes {
        assert_eq!(outcome.modules, outcomes[0].modules);
        assert_eq!(outcome.exit, Exit::Ok);
    }
}

mod exhaustive_forks {
    use super::*;

    #[test]
    #[ignore = "installs triton-ascend 3.2.0"]
    fn a_vendor_fork_registers_one_name_and_accepts_another_kind() {
        let mut worker = worker("ascend:3.2.0");
        let Ok(Reply::Answered(probe)) = worker.ask(&ProbeRequest {}) else { panic!("no probe") };
        let backend = probe.backends.iter().find(|backend| backend.name == "ascend").expect("the vendor's backend");
        assert!(["ascend", "cuda", "hip"].iter().all(|kind| backend.refused.iter().any(|refused| refused == kind)));
        let kind = backend.kinds.iter().find(|kind| kind.kind == "npu").expect("the kind that it accepts");
        assert_eq!(kind.stages.first().map(String::as_str), Some("ttir"), "{kind:?}");
        let question = RunRequest {
            passes: Passes::stage("ttir"),
            options: Options::new(),
            ..run_of("running_softmax_carry", "npu:Ascend910B3", Mode::Stepwise)
        };
        let outcome = run(&mut worker, &question);
        assert_eq!(outcome.exit, Exit::Ok, "{}", outcome.stderr);
    }
}
