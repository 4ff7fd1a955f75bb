//! Inputs of the kinds that people report, and what the verbs say of each: no answer may be false. The inputs are below
//! `tests/reports`. Whatever names releases is about 3.2.0, 3.6.0 and 3.9.0, which the tests install anyway.

#[expect(dead_code, reason = "each file of tests uses a part of it")]
mod cli;

use cli::{Place, Ran};
use std::path::Path;

const RELEASES: [&str; 3] = ["3.2.0", "3.6.0", "3.9.0"];

fn input(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports").join(name).to_str().expect("a name").to_owned()
}

/// Verdict and pass of the one run that is asked for.
fn run(name: &str, triton: &str, target: &str) -> (String, String) {
    let ran = Place::new().run(&["run", &input(name), "--triton", triton, "--target", target, "--format", "json"]);
    let objects = ran.objects();
    let run = objects.iter().find(|object| object["event"] == "run").unwrap_or_else(|| panic!("{ran:?}"));
    let pass = run["pass"].as_str().unwrap_or_default().split('{').next().unwrap_or_default().to_owned();
    (run["verdict"].as_str().unwrap_or_default().to_owned(), pass)
}

fn is(seen: (String, String), verdict: &str, pass: &str) {
    assert_eq!((seen.0.as_str(), seen.1.as_str()), (verdict, pass));
}

/// What `bisect` answers of each of the releases.
fn bisect(name: &str, triton: &str, target: &str) -> [String; 3] {
    let arguments = ["bisect", &input(name), "--triton", triton, "--target", target, "--installed-only", "--all"];
    let ran = Place::new().run(&[&arguments[..], &["--format", "json"]].concat());
    let objects = ran.objects();
    RELEASES.map(|release| {
        let told = objects.iter().find(|object| object["event"] == "release" && object["triton"] == release);
        told.map_or_else(|| panic!("{release}: {ran:?}"), |told| told["answer"].as_str().unwrap_or_default().to_owned())
    })
}

/// Reduces, and gives what is left with what was said.
fn reduce(name: &str, triton: &str, target: &str, more: &[&str]) -> Ran {
    let place = Place::new();
    let out = ["--versions", "none", "--out", "reduced"];
    let ran = place.run(&[&["reduce", &input(name), "--triton", triton, "--target", target][..], &out, more].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    ran
}

#[test]
#[ignore = "needs wheels"]
fn a_crash_on_the_way_to_llvm_is_reduced() {
    is(run("bf16_mix_t4-3.3.1.log", "3.9.0", "cuda:75"), "ok", "");
    let passes = "allocate-shared-memory-nv,convert-triton-gpu-to-llvm";
    let reduced = reduce("scan_two_ctas-3.8.0.log", "3.6.0", "cuda:90", &["--passes", passes]);
    assert!(
        reduced.stderr.contains("became 3 in") && reduced.stderr.contains("AddPartialReduce"),
        "{}",
        reduced.stderr
    );
}

#[test]
#[ignore = "needs wheels"]
fn a_pass_that_gives_up_is_a_bug_whatever_its_words() {
    is(run("descriptor_from_call-3.6.0.log", "3.6.0", "cuda:80"), "invalid-ir", "convert-triton-to-tritongpu");
    let releases = bisect("descriptor_from_call-3.6.0.log", "3.6.0", "cuda:80");
    assert_eq!(releases[1..], ["bad", "good"]);
    is(run("noinl.mlir", "3.6.0", "cuda:80"), "pass-failure", "convert-triton-to-tritongpu");
    reduce("noinl.mlir", "3.6.0", "cuda:80", &[]);
}

#[test]
#[ignore = "needs wheels"]
fn a_refusal_says_whose_fault_it_is_and_is_reduced_all_the_same() {
    is(run("gfx906-3.5.0.log", "3.6.0", "hip:gfx906"), "diagnosed", "convert-triton-amdgpu-to-llvm");
    let reduced = reduce("gfx906-3.5.0.log", "3.6.0", "hip:gfx906", &[]);
    assert!(reduced.stderr.contains("the compiler says that it does not support this"), "{}", reduced.stderr);
}

#[test]
#[ignore = "needs wheels"]
fn the_passes_that_an_issue_names_are_the_query() {
    for name in ["footer.mlir", "lit_run_line.mlir", "opt_line.mlir"] {
        is(run(name, "3.6.0", "cuda:80"), "crash", "tritongpu-global-scratch-memory-allocation");
        assert_eq!(bisect(name, "3.6.0", "cuda:80"), ["untestable", "bad", "bad"], "{name}");
    }
    is(run("log_tritonopt_issue.md", "3.9.0", "hip:gfx942"), "crash", "convert-triton-amdgpu-to-llvm");
}

#[test]
fn valid_modules_of_other_dialects_are_valid() {
    for name in ["llvmfunc.mlir", "funcfunc.mlir", "add.mlir"] {
        let ran = Place::new().run(&["check", &input(name)]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

#[test]
#[ignore = "needs wheels"]
fn a_kernel_is_valid_to_the_object_file() {
    for release in ["3.6.0", "3.9.0"] {
        is(run("add.mlir", release, "cuda:80"), "ok", "");
    }
}

#[test]
#[ignore = "needs wheels"]
fn what_is_not_run_is_said_beside_the_ok() {
    let place = Place::new();
    let module = "module {\n  tt.func public @f(%n: i32) -> i32 {\n    tt.return %n : i32\n  }\n}\n";
    let file = place.file("function.mlir", module);
    let run = |file: &str, triton: &str, target: &str| {
        let ran = place.run(&["run", file, "--triton", triton, "--target", target]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        format!("{}{}", ran.stdout, ran.stderr)
    };
    let said = run(&file, "3.6.0", "cuda:80");
    assert!(said.contains("the stages behind ttgir are not run"), "{said}");
    let reduced = place.run(&["reduce", &file, "--triton", "3.6.0", "--target", "cuda:80"]);
    assert!(reduced.stderr.contains("the stages behind ttgir are not run"), "{}", reduced.stderr);
    // Wheels up to 3.5 have no linker for AMD.
    let kernel = input("../../corpus/seeds/softmax.mlir");
    let linker = Path::new("/opt/rocm/llvm/bin/ld.lld").exists();
    let said = run(&kernel, "3.2.0", "hip:gfx942");
    assert_eq!(said.contains("make_hsaco needs a program that is not here"), !linker, "{said}");
}

#[test]
fn a_log_without_a_module_gets_the_advice_that_fits_it() {
    let said = |name: &str| {
        let ran = Place::new().run(&["reduce", &input(name), "--triton", "3.6.0", "--target", "cuda:80"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        ran.stderr
    };
    assert!(said("oor.log").contains("more shared memory than the GPU has"), "{}", said("oor.log"));
    assert!(said("json.log").contains("Triton's cache"), "{}", said("json.log"));
    assert!(said("ptxas_unknown_arch-3.3.1.log").contains("ptxas"), "{}", said("ptxas_unknown_arch-3.3.1.log"));
    assert!(said("intel.log").contains("Intel"), "{}", said("intel.log"));
    assert!(said("ascend.log").contains("Ascend"), "{}", said("ascend.log"));
}

#[test]
#[ignore = "needs wheels"]
fn each_failure_of_a_log_is_offered() {
    let ran = Place::new().run(&["run", &input("three.log"), "--triton", "3.9.0", "--target", "cuda:90"]);
    assert!(ran.stderr.contains("there are 3 failures"), "{}", ran.stderr);
}

#[test]
#[ignore = "needs wheels"]
fn a_tuners_space_is_swept_to_its_end() {
    let signature = "*fp16:16,*fp16:16,*fp16:16,i32:16,i32:16,i32:16";
    let kernel = input("tuned.py:mm");
    let arguments = ["sweep", &kernel, "--target", "cuda:90", "--triton", "3.6.0", "--signature", signature];
    let ran = Place::new().run(&[&arguments[..], &["--format", "json"]].concat());
    let objects = ran.objects();
    let count =
        |verdict: &str| objects.iter().filter(|o| o["event"] == "configuration" && o["verdict"] == verdict).count();
    assert_eq!([count("ok"), count("diagnosed"), count("pass-failure")], [34, 10, 4], "{}", ran.stderr);
}

#[test]
#[ignore = "needs wheels"]
fn a_pass_that_does_not_end_is_known_after_seconds() {
    let place = Place::new();
    let configs = place.file("one.json", "[{\"num_warps\": 4}]");
    let kernel = input("kernels.py:flip3");
    let arguments = ["sweep", &kernel, "--target", "cuda:80", "--triton", "3.9.0", "--constant", "B=32"];
    let more = ["--signature", "*fp32:16,*fp32:16,i32", "--configs", &configs, "--out", "swept", "--format", "json"];
    let ran = place.run(&[&arguments[..], &more].concat());
    let objects = ran.objects();
    let hang = objects.iter().find(|o| o["event"] == "configuration").unwrap_or_else(|| panic!("{ran:?}"));
    assert_eq!(
        (hang["verdict"].as_str(), hang["pass"].as_str()),
        (Some("hang"), Some("tritongpu-remove-layout-conversions"))
    );
    assert_eq!(hang["message"], "no end within 5000 ms");
}
