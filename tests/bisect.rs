//! Which pass, and which releases, on real wheels: 3.2.0, 3.6.0 and 3.9.0, in `exhaustive` every release from 3.0.0 to 3.9.0.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;
use tritonsmith::compiler::wheel::install;
use tritonsmith::compiler::worker::{Pool, WorkerLimits};
use tritonsmith::corpus::LocatedCase;
use tritonsmith::corpus::bisect::{VersionVerdict, history};
use tritonsmith::judge::releases::{VersionResult, trace_like, try_with};
use tritonsmith::judge::trace::{DominanceOracle, StepOracle, Transition};
use tritonsmith::judge::{Accuser, Tracer};

fn file(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(case).join("case.toml")
}

fn case(name: &str) -> LocatedCase {
    LocatedCase::read(&file(name)).expect("a shipped case")
}

fn worker(version: &str) -> Pool {
    let spec = version.parse().expect("a version");
    let installation = install(&spec, &AtomicBool::new(false), &mut |_| {}).expect("the wheel installs");
    Pool::start(&installation, WorkerLimits::default(), 1).expect("a worker")
}

fn tritonsmith(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tritonsmith")).args(arguments).output().expect("the program runs")
}

fn objects(output: &Output, event: &str) -> Vec<Value> {
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let parse = |line: &str| serde_json::from_str::<Value>(line).expect("a line of JSON");
    lines.lines().map(parse).filter(|object| object["event"] == event).collect()
}

/// Which of the versions are bad, by halving from a known bad one, or asking each.
fn sentence(name: &str, versions: &[&str], bad: &str, each: bool) -> String {
    let located = case(name);
    let compile = located.case.compile().expect("something to run");
    let names: Vec<String> = versions.iter().map(|version| (*version).to_owned()).collect();
    let known = names.iter().position(|version| version == bad);
    let mut ask = |place: usize| -> Result<VersionVerdict, std::convert::Infallible> {
        let result: VersionResult =
            try_with(&Tracer::new(&worker(&names[place])), &compile, &located.module).expect("it runs");
        assert_eq!(result.untestable, None, "{}", names[place]);
        Ok(if result.judgement.verdict.is_bug() { VersionVerdict::Bad } else { VersionVerdict::Good })
    };
    let Ok(history) = history(names.len(), known, each, &mut ask);
    history.sentence(&names)
}

#[test]
#[ignore = "needs wheels"]
fn the_releases_are_found() {
    let sentence = |name: &str, bad: &str| sentence(name, &["3.2.0", "3.6.0", "3.9.0"], bad, false);
    assert_eq!(
        sentence("grouped_gemm_mask_reuse", "3.6.0"),
        "good up to 3.2.0; bad in 3.6.0; good again in 3.9.0, the newest"
    );
    assert_eq!(sentence("branchy_scale_if_combining", "3.9.0"), "good up to 3.6.0; bad in 3.9.0, the newest");
    assert_eq!(sentence("running_sum_twice", "3.6.0"), "bad up to 3.6.0; good in 3.9.0, the newest");
}

#[test]
#[ignore = "needs wheels"]
fn the_pass_that_fails_is_found_with_the_module_before_it() {
    for (name, version, pass) in [
        ("grouped_gemm_mask_reuse", "3.6.0", "tritongpu-remove-layout-conversions"),
        ("branchy_scale_if_combining", "3.9.0", "tritonamdgpu-prepare-if-combining"),
        // The process dies over this one, and takes the modules of the passes before with it.
        ("running_sum_twice", "3.2.0", "tritongpu-optimize-thread-locality"),
    ] {
        let located = case(name);
        let compile = located.case.compile().expect("something to run");
        let worker = worker(version);
        let traced = trace_like(&Tracer::new(&worker), &compile, &located.module).expect("it runs");
        let culprit = traced.trace.first_bad().expect("a culprit");
        let (accuser, _) = culprit.accusation().expect("somebody says so");
        assert_eq!((culprit.action.name(), accuser), (pass, &Accuser::Compiler));
        let before = culprit.before.as_ref().expect("the module before");
        assert!(before.text().contains("threads-per-warp"), "{name}: the module before has no layouts");
        assert!(culprit.after.is_none());
    }
}

#[test]
#[ignore = "needs wheels"]
fn an_oracle_plugs_in_as_a_closure_and_sees_both_sides_of_a_pass() {
    let located = case("running_softmax_carry");
    let compile = located.case.compile().expect("something to run");
    let worker = worker("3.6.0");
    let tracer = Tracer::new(&worker);
    let sound = trace_like(&tracer, &compile, &located.module).expect("it runs").trace;
    assert!(sound.first_bad().is_none() && sound.unread().next().is_none(), "{sound:?}");
    let operations = |module: &tritonsmith::ir::Module| module.size();
    let grows = ("size", |step: &Transition<'_>| {
        let (before, after) = (operations(step.before()?), operations(step.after));
        (after > before && step.index > 0).then(|| format!("{} operations more", after - before))
    });
    let oracles: [&dyn StepOracle; 2] = [&DominanceOracle, &grows];
    let tracer = Tracer { oracles: &oracles, ..tracer };
    let trace = trace_like(&tracer, &compile, &located.module).expect("it runs").trace;
    let culprit = trace.first_bad().expect("some pass adds operations");
    let (accuser, message) = culprit.accusation().expect("somebody says so");
    assert_eq!((accuser, &trace.judgement.signature.accuser), (&Accuser::Oracle("size".to_owned()), accuser));
    assert!(message.ends_with("operations more") && culprit.after.is_some(), "{message}");
}

/// What the command says with this flag about releases, the culprit looked at.
fn culprit_named(releases: &str) -> Output {
    let file = file("grouped_gemm_mask_reuse");
    let path = file.to_str().expect("a path in Unicode");
    let output = tritonsmith(&["bisect", path, "--format", "json", releases]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let culprit = objects(&output, "culprit").remove(0);
    assert_eq!(
        (&culprit["triton"], &culprit["index"], &culprit["oracle"]),
        (&"3.6.0".into(), &4.into(), &"compiler".into())
    );
    assert!(culprit["pass"].as_str().is_some_and(|pass| pass.starts_with("tritongpu-remove-layout-conversions")));
    output
}

#[test]
#[ignore = "needs wheels"]
fn the_command_names_the_pass() {
    culprit_named("--no-releases");
}

#[test]
#[ignore = "needs wheels"]
fn a_control_has_no_culprit() {
    let file = file("running_softmax_carry");
    let path = file.to_str().expect("a path in Unicode");
    let output = tritonsmith(&["bisect", path, "--triton", "3.9.0", "--no-releases"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("leaves anything wrong"));
}

mod exhaustive {
    use super::*;

    const ALL: [&str; 13] = [
        "3.0.0", "3.1.0", "3.2.0", "3.3.0", "3.3.1", "3.4.0", "3.5.0", "3.5.1", "3.6.0", "3.7.0", "3.7.1", "3.8.0",
        "3.9.0",
    ];

    #[test]
    #[ignore = "installs every release"]
    fn the_releases_are_found() {
        let sentence = |name: &str, bad: &str| sentence(name, &ALL, bad, true);
        assert_eq!(
            sentence("grouped_gemm_mask_reuse", "3.6.0"),
            "good up to 3.2.0; bad from 3.3.0 to 3.6.0; good again from 3.7.0 to 3.9.0, the newest"
        );
        assert_eq!(
            sentence("branchy_scale_if_combining", "3.9.0"),
            "good up to 3.6.0; bad from 3.7.0 to 3.9.0, the newest"
        );
        assert_eq!(sentence("running_sum_twice", "3.8.0"), "bad up to 3.8.0; good in 3.9.0, the newest");
    }

    #[test]
    #[ignore = "installs every release"]
    fn the_command_names_pass_and_releases() {
        ALL.iter().for_each(|version| drop(worker(version)));
        let releases = objects(&culprit_named("--installed-only"), "releases").remove(0);
        assert_eq!((&releases["first_bad"], &releases["good_again"]), (&"3.3.0".into(), &"3.7.0".into()));
    }
}

#[test]
#[ignore = "needs wheels"]
fn passes_are_asked_for_by_meaning_and_never_replaced() {
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("two.mlir");
    let functions =
        ["first", "second"].map(|name| format!("  tt.func public @{name}(%p: !tt.ptr<f32>) {{\n    tt.return\n  }}\n"));
    let head = "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, ttg.target = \"cuda:90\", \
                \"ttg.threads-per-warp\" = 32 : i32} {\n";
    let pass = "tritongpu-global-scratch-memory-allocation";
    let module = format!("{head}{}}}\n", functions.concat());
    let said = |first: &str, verb: &str, more: &[&str]| {
        std::fs::write(&file, format!("{first}{module}")).expect("a file");
        let file = file.to_str().expect("a path");
        let output = tritonsmith(&[&[verb, file, "--format", "json"], more].concat());
        (output.status.code(), objects(&output, if verb == "run" { "run" } else { "culprit" }), output.stderr)
    };
    for version in ["3.6.0", "3.9.0"] {
        // A line of a test, a command, and --passes ask the same.
        for (first, more) in [
            (format!("// RUN: triton-opt %s --{pass} | FileCheck %s\n"), &[][..]),
            (format!("// triton-opt two.mlir --pass-pipeline='builtin.module({pass})'\n"), &[]),
            (String::new(), &["--passes", pass]),
        ] {
            let (code, ran, _) = said(&first, "run", &[&["--triton", version], more].concat());
            assert_eq!((code, ran[0]["verdict"].as_str()), (Some(1), Some("crash")), "{first}");
            let (_, culprit, _) = said(&first, "bisect", &[&["--triton", version, "--no-releases"], more].concat());
            assert_eq!(culprit[0]["pass"], pass, "{first}");
        }
        // Neither a pass nor an option that is not there has others run in its place.
        for (passes, lacks) in
            [("no-such-pass", "no pass `no-such-pass`"), ("canonicalize{nonsense=7}", "no option `nonsense`")]
        {
            for verb in ["run", "bisect", "reduce"] {
                let (code, objects, stderr) = said("", verb, &["--triton", version, "--passes", passes]);
                assert_eq!(code, Some(2), "{verb} {passes}: {objects:?}");
                assert!(
                    String::from_utf8_lossy(&stderr).contains(lacks),
                    "{verb} {passes}: {}",
                    String::from_utf8_lossy(&stderr)
                );
            }
        }
        let (code, ran, _) = said("", "run", &["--triton", version, "--passes", "canonicalize"]);
        assert_eq!((code, ran[0]["verdict"].as_str()), (Some(0), Some("ok")), "{ran:?}");
    }
    // 3.2.0 tells its options in reproducers.
    let old = module.replace("ttg.", "triton_gpu.");
    std::fs::write(&file, old).expect("a file");
    let file = file.to_str().expect("a path");
    let output = tritonsmith(&["run", file, "--triton", "3.2.0", "--passes", "tritongpu-pipeline{nonsense=7}"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no option `nonsense`: it has num-stages"), "{output:?}");
}
