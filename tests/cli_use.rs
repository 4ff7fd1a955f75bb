//! The command line as it is used: what goes to which stream, which exit code says what, and how results look.

#[expect(dead_code, reason = "each file of tests uses a part of it")]
mod cli;

use cli::{Place, Ran, corpus};
use rustix::process::{Pid, Signal, kill_process};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const INVALID: &str = "module {
  tt.func @late(%arg0: f32) {
    %0 = arith.addf %1, %arg0 : f32
    %1 = arith.mulf %arg0, %arg0 : f32
    tt.return
  }
}
";

#[test]
fn a_violation_shows_the_use_and_the_definition() {
    let place = Place::new();
    std::fs::write(place.path("work/late.mlir"), INVALID).expect("a file");
    let ran = place.run(&["check", "late.mlir"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    let expected = "error: `arith.addf`: operand #0 does not dominate this use: defined later in the same block
 --> late.mlir:3:21
  |
3 |     %0 = arith.addf %1, %arg0 : f32
  |                     ^^ used here
4 |     %1 = arith.mulf %arg0, %arg0 : f32
  |     -- `%1` is defined here

late.mlir: 1 violation; 1 function, 3 operations
";
    assert_eq!(ran.stderr, expected);
}

#[test]
fn a_violation_in_a_log_is_shown_where_it_stands_in_the_log() {
    let place = Place::new();
    let lines: Vec<String> = INVALID.lines().map(|line| format!("(worker pid=7) {line}\r")).collect();
    let log = format!("INFO loading\n{}\nTraceback (most recent call last):\n", lines.join("\n"));
    let file = place.file("x.log", log);
    let ran = place.run(&["check", &file]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("x.log:4:36"), "{}", ran.stderr);
    assert!(ran.stderr.contains("(worker pid=7)     %0 = arith.addf %1, %arg0 : f32"), "{}", ran.stderr);
}

#[test]
fn check_in_json_has_one_object_a_line_with_places() {
    let place = Place::new();
    let file = place.file("late.mlir", INVALID);
    let ran = place.run(&["check", "--format", "json", &file]);
    let objects = ran.objects();
    assert_eq!(objects.len(), 2, "{ran:?}");
    assert_eq!(
        (objects[0]["event"].as_str(), objects[0]["kind"].as_str()),
        (Some("violation"), Some("before-definition"))
    );
    assert_eq!((objects[0]["place"]["line"].as_u64(), objects[0]["place"]["column"].as_u64()), (Some(3), Some(21)));
    assert_eq!(objects[0]["definition"]["line"], 4);
    assert_eq!((objects[1]["event"].as_str(), objects[1]["violations"].as_u64()), (Some("checked"), Some(1)));
}

#[test]
fn a_module_is_printed_in_either_form_and_is_the_same_module() {
    let place = Place::new();
    let input = corpus("grouped_gemm_mask_reuse/input.mlir");
    let custom = place.run(&["check", "--print", &input]);
    let generic = place.run(&["check", "--generic", &input]);
    assert!(generic.stdout.contains("\"tt.func\"()"), "{}", generic.stdout);
    let file = place.file("generic.mlir", &generic.stdout);
    let again = place.run(&["check", "--print", &file]);
    assert_eq!(again.stdout, custom.stdout);
}

#[test]
fn the_modules_of_a_log_are_checked_one_by_one() {
    let place = Place::new();
    let file = place
        .file("dump.log", format!("// -----// IR Dump Before CSEPass (cse) //----- //\nmodule {{\n}}\n\n\n{INVALID}"));
    let ran = place.run(&["check", &file]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("dump.log:2 (dump before CSEPass): ok"), "{}", ran.stderr);
    assert!(ran.stderr.contains("dump.log:6 (module): 1 violation"), "{}", ran.stderr);
}

#[test]
fn standard_input_is_a_file_too() {
    let place = Place::new();
    let input = std::fs::File::open(corpus("running_softmax_carry/input.mlir")).expect("a case");
    let ran = Ran::of(place.command(&["check", "-"]).stdin(input).output().expect("it runs"));
    assert_eq!(ran.code, Some(0));
    assert!(ran.stderr.starts_with("<stdin>: ok; 1 function"), "{}", ran.stderr);
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let place = Place::new();
    let input = corpus("grouped_gemm_mask_reuse/input.mlir");
    let many: Vec<&str> = ["check", "--print"].into_iter().chain(std::iter::repeat_n(input.as_str(), 50)).collect();
    for arguments in [many, vec!["check", "--help"]] {
        let mut child =
            place.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        drop(child.stdout.take());
        let ran = Ran::of(child.wait_with_output().expect("it ends"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    }
}

#[test]
fn help_has_an_example_and_a_wrong_flag_is_a_usage_error() {
    let place = Place::new();
    for verb in ["check", "run", "reduce", "triton"] {
        let ran = place.run(&[verb, "--help"]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.stdout.contains(&format!("tritonsmith {verb}")), "{}", ran.stdout);
        assert_eq!(place.run(&[verb, "--no-such-flag"]).code, Some(2));
    }
    assert_eq!(place.run(&[]).code, Some(2));
}

#[test]
#[ignore = "needs wheels"]
fn versions_that_differ_are_told_apart_at_a_glance() {
    let place = Place::new();
    let input = corpus("grouped_gemm_mask_reuse/input.mlir");
    let ran = place.run(&["run", &input, "--triton", "3.2.0,3.6.0,3.9.0", "--target", "cuda:87", "--num-stages", "2"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let verdicts: Vec<Vec<&str>> =
        ran.stdout.lines().skip(1).take(3).map(|line| line.split_whitespace().take(3).collect()).collect();
    assert_eq!(verdicts, [["3.2.0", "cuda:87", "ok"], ["3.6.0", "cuda:87", "invalid-ir"], ["3.9.0", "cuda:87", "ok"]]);
    let difference =
        "cuda:87 differs: ok with 3.2.0, 3.9.0; invalid-ir in tritongpu-remove-layout-conversions with 3.6.0";
    assert!(ran.stdout.contains(difference), "{}", ran.stdout);
}

#[test]
fn the_model_takes_the_place_of_a_version() {
    let place = Place::new();
    let input = corpus("running_softmax_carry/input.mlir");
    let flags = ["--triton", "model,model:update-at-reduction", "--target", "cuda:90", "--format", "json"];
    let ran = place.run(&[&["run", input.as_str()], &flags[..]].concat());
    let results: Vec<String> =
        ran.objects().iter().map(|object| format!("{} {}", object["verdict"], object["pass"])).collect();
    assert_eq!(results, [r#""ok" null"#, r#""invalid-ir" "tritongpu-optimize-thread-locality""#], "{ran:?}");
    let reduce = ["reduce", &input, "--triton", "model:update-at-reduction", "--target", "cuda:90", "--out", "small"];
    let reduced = place.run(&[&reduce[..], &["--versions", "none"]].concat());
    assert_eq!(reduced.code, Some(1), "{reduced:?}");
    let report = place.run(&["report", "small"]);
    assert_eq!(report.code, Some(0), "{report:?}");
    let bisect = place.run(&["bisect", "small", "--no-releases"]);
    assert_eq!((bisect.code, bisect.stdout.contains("pass 1 of 1")), (Some(1), true), "{bisect:?}");
}

#[test]
#[ignore = "needs wheels"]
fn the_module_before_the_failing_pass_fails_in_that_pass_alone() {
    let place = Place::new();
    let log = corpus("branchy_scale_if_combining/stderr.log");
    let before = place.run(&["run", &log, "--triton", "3.9.0", "--before-failing"]);
    assert_eq!(before.code, Some(1), "{before:?}");
    let file = place.file("before.mlir", &before.stdout);
    let pass = "tt.func(tritonamdgpu-prepare-if-combining)";
    let alone =
        place.run(&["run", &file, "--triton", "3.9.0", "--target", "hip:gfx942", "--passes", pass, "--format", "json"]);
    let objects = alone.objects();
    assert_eq!(objects.len(), 1, "{alone:?}");
    assert_eq!((objects[0]["verdict"].as_str(), objects[0]["index"].as_u64()), (Some("invalid-ir"), Some(0)));
    assert_eq!((objects[0]["passes"].as_u64(), alone.code), (Some(1), Some(1)));
}

#[test]
#[ignore = "needs wheels"]
fn files_of_the_working_directory_are_not_run() {
    let place = Place::new();
    let names = ["difflib", "json", "mmap", "os", "re", "sitecustomize", "struct", "tempfile", "triton", "zipimport"];
    for name in names {
        std::fs::write(place.path("work").join(name).with_extension("py"), "open('ran', 'a').write(__name__)\n")
            .expect("a file");
    }
    let input = corpus("grouped_gemm_mask_reuse/input.mlir");
    let mut command = place.command(&["run", &input, "--triton", "3.9.0", "--target", "cuda:87", "--num-stages", "2"]);
    // An empty entry is the working directory to Python.
    let ran = Ran::of(command.env("PYTHONPATH", ":/nowhere").output().expect("it runs"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(place.left_in("work").len(), names.len());
}

#[test]
#[ignore = "needs wheels"]
fn a_start_up_file_that_prints_does_not_break_a_worker() {
    let place = Place::new();
    let file = place.file("sitecustomize.py", "print('Welcome to this cluster', flush=True)\n");
    let input = corpus("grouped_gemm_mask_reuse/input.mlir");
    let mut command = place.command(&["run", &input, "--triton", "3.9.0", "--target", "cuda:87", "--num-stages", "2"]);
    let ran = Ran::of(command.env("PYTHONPATH", Path::new(&file).with_file_name("")).output().expect("it runs"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
#[ignore = "needs wheels"]
fn a_part_of_the_pipeline_begins_and_ends_where_it_is_told() {
    let place = Place::new();
    let input = corpus("running_softmax_carry/input.mlir");
    let flags = ["--triton", "3.6.0", "--target", "cuda:90", "--num-warps", "4", "--num-stages", "3"];
    let part = ["--stage", "ttgir", "--until", "TritonGPUCoalesce", "--print-after", "all", "--format", "json"];
    let ran = place.run(&[&["run", input.as_str()], &flags[..], &part[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let modules: Vec<serde_json::Value> =
        ran.objects().into_iter().filter(|object| object["event"] == "module").collect();
    let what = |object: &serde_json::Value| object["what"].as_str().unwrap_or_default().to_owned();
    assert!(what(&modules[0]).starts_with("after convert-triton-to-tritongpu (1 of "), "{}", what(&modules[0]));
    assert!(what(modules.last().expect("a module")).starts_with("after tritongpu-coalesce ("));
    let text = modules[0]["text"].as_str().expect("a text");
    assert!(text.contains("#ttg.blocked"), "{text}");
    // What is past the conversion goes on from there by itself.
    let file = place.file("converted.mlir", text);
    let rest = place.run(&[&["run", file.as_str()], &flags[..], &["--format", "json"]].concat());
    assert_eq!((rest.code, rest.objects()[0]["verdict"].as_str()), (Some(0), Some("ok")), "{rest:?}");
}

#[test]
#[ignore = "needs wheels"]
fn a_reduction_leaves_a_directory_that_stands_alone() {
    let place = Place::new();
    let log = corpus("branchy_scale_if_combining/stderr.log");
    let ran = place.run(&["reduce", &log, "--triton", "3.9.0", "--out", "small", "--versions", "3.6.0"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let text = std::fs::read_to_string(place.path("work/small/reduced.mlir")).expect("the module");
    assert_eq!(text, ran.stdout);
    let (_, toml) = tritonsmith::corpus::Case::read(&place.path("work/small")).expect("a case");
    assert!(toml.ends_with("small/case.toml"));
    let report = std::fs::read_to_string(place.path("work/small/report.md")).expect("a report");
    assert!(report.contains("it has no pass `tritonamdgpu-prepare-if-combining`"), "{report}");
    // The command in the report is the one to run.
    let command = report.lines().find(|line| line.starts_with("tritonsmith run ")).expect("a command");
    let arguments: Vec<String> = command
        .replace("reduced.mlir", "small/reduced.mlir")
        .split(' ')
        .skip(1)
        .map(|word| word.replace('\'', ""))
        .collect();
    let again = place.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(again.code, Some(1), "{again:?}");
}

#[test]
#[ignore = "needs wheels"]
fn an_interrupted_reduction_leaves_the_best_so_far() {
    let place = Place::new();
    let log = corpus("grouped_gemm_mask_reuse/stderr.log");
    let mut command = place.command(&["reduce", &log, "--triton", "3.6.0", "--out", "small", "--versions", "none"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let (started, best) = (Instant::now(), place.path("work/small/reduced.mlir"));
    let lines = || std::fs::read_to_string(&best).map_or(0, |text| text.lines().count());
    let mut first = 0;
    while (first == 0 || lines() == first) && started.elapsed() < Duration::from_secs(120) {
        first = lines().max(first);
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process id")).expect("a process id");
    kill_process(pid, Signal::INT).expect("it is alive");
    let ran = Ran::of(child.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("stopped by Ctrl-C, the best so far is kept"), "{}", ran.stderr);
    let check = place.run(&["check", "small/reduced.mlir"]);
    assert_eq!(check.code, Some(0), "{check:?}");
    assert!(place.path("work/small/case.toml").exists());
}
