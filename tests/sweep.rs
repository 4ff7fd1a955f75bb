//! A kernel over an autotuner's space, on the real wheel of 3.6.0 and without a GPU; in `exhaustive` over the whole space of a
//! fused MoE tuner, 1,920 configurations.

#[expect(dead_code, reason = "each file of tests uses a part of it")]
mod cli;

use cli::{Place, Ran, corpus};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const SIGNATURE: &str = "*bf16:16,*bf16:16,*bf16:16,*i32:16,*i32:16,*i32:16,i32:16,i32:16,i32:16,i32:16,i32:16,i32:16";

fn kernel() -> String {
    format!("{}:grouped_gemm", corpus("grouped_gemm_mask_reuse/kernel.py"))
}

/// A space for that kernel, as a file.
fn space(place: &Place, configs: &Value) -> String {
    let names = json!({"BLOCK_SIZE_M": "BM", "BLOCK_SIZE_N": "BN", "BLOCK_SIZE_K": "BK", "GROUP_SIZE_M": null});
    let text = json!({"configs": configs, "names": names, "signature": SIGNATURE, "constants": {"TOPK": 8}});
    place.file("tune.json", text.to_string())
}

fn sweep(place: &Place, space: &str, more: &[&str]) -> Ran {
    let kernel = kernel();
    let mut arguments = vec!["sweep", &kernel, "--configs", space, "--format", "json"];
    if !more.contains(&"--triton") {
        arguments.extend(["--triton", "3.6.0", "--target", "cuda:87"]);
    }
    arguments.extend(more);
    place.run(&arguments)
}

fn events<'a>(objects: &'a [Value], event: &str) -> Vec<&'a Value> {
    objects.iter().filter(|object| object["event"] == event).collect()
}

#[test]
#[ignore = "needs wheels"]
fn failing_configurations_are_singled_out_with_what_they_share() {
    let place = Place::new();
    let configs = json!({"BLOCK_SIZE_M": [64, 256], "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 64, "GROUP_SIZE_M": [1, 16],
                         "num_warps": [4, 8], "num_stages": 2});
    let ran = sweep(&place, &space(&place, &configs), &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let objects = ran.objects();
    let failing: Vec<&Value> = events(&objects, "configuration")
        .into_iter()
        .filter(|object| object["verdict"] != "ok")
        .map(|object| &object["configuration"])
        .collect();
    let expected = |group: u64| {
        json!({"BLOCK_SIZE_M": 256, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 64, "GROUP_SIZE_M": group, "num_warps": 4,
               "num_stages": 2})
    };
    assert_eq!(failing, [&expected(1), &expected(16)]);
    let group = events(&objects, "group").remove(0);
    assert_eq!(group["constraint"], json!(["BLOCK_SIZE_M=256 num_warps=4"]));
    assert_eq!(group["signature"]["pass"], "tritongpu-remove-layout-conversions");
    // The kernel has no GROUP_SIZE_M, and its module does not depend on the number of warps.
    let summary = events(&objects, "summary").remove(0);
    assert_eq!([&summary["configurations"], &summary["tasks"], &summary["modules"]], [8, 4, 2]);
    let all = place.path("work/grouped_gemm.sweep/results.jsonl");
    assert_eq!(std::fs::read_to_string(all).expect("results").lines().count(), 8);
}

#[test]
#[ignore = "needs wheels"]
fn what_is_kept_of_a_failure_is_ready_to_be_reduced() {
    let place = Place::new();
    let configs =
        json!([{"BLOCK_SIZE_M": 256, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 64, "num_warps": 4, "num_stages": 2}]);
    let ran = sweep(&place, &space(&place, &configs), &["--out", "swept"]);
    let objects = ran.objects();
    let case = events(&objects, "group").remove(0)["case"].as_str().expect("a path").to_owned();
    let kept: Value = std::fs::read(place.path("work").join(&case).join("configs.json"))
        .map(|text| serde_json::from_slice(&text).expect("JSON"))
        .expect("the list of those that fail so");
    assert_eq!(kept, configs);
    let reduced = place.run(&["reduce", &case, "--out", "small", "--versions", "none", "--max-queries", "30"]);
    assert_eq!(reduced.code, Some(1), "{}", reduced.stderr);
    assert!(reduced.stderr.contains("fails with triton 3.6.0: invalid-ir"), "{}", reduced.stderr);
}

#[test]
#[ignore = "needs wheels"]
fn sharing_work_and_the_number_of_workers_change_nothing() {
    let place = Place::new();
    let (sizes, stages) = ([64, 256], [2, 3, 4]);
    let configs = json!({"BLOCK_SIZE_M": sizes, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 64, "num_warps": 4,
                         "num_stages": stages});
    let together = space(&place, &configs);
    let verdicts = |ran: &Ran| -> Vec<String> {
        let objects = ran.objects();
        let show = |object: &&Value| format!("{} {} {}", object["configuration"], object["verdict"], object["pass"]);
        events(&objects, "configuration").iter().map(show).collect()
    };
    let one = sweep(&place, &together, &["--jobs", "1"]);
    let three = sweep(&place, &together, &["--jobs", "3"]);
    assert_eq!(verdicts(&one), verdicts(&three));
    let objects = one.objects();
    // Each module goes through the first stage once and through the beginning of the second once.
    // Then the failing size ends, and the other goes on to the object file with each number of stages.
    assert_eq!(events(&objects, "summary")[0]["runs"], 2 + 2 + 3 + 3);
    for (place_in_list, stages) in [(2, 4), (4, 3)] {
        let size = sizes[place_in_list / 3];
        let alone = json!([{"BLOCK_SIZE_M": size, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 64, "num_warps": 4,
                            "num_stages": stages}]);
        let alone = sweep(&place, &space(&place, &alone), &[]);
        assert_eq!(verdicts(&alone)[0], verdicts(&one)[place_in_list]);
    }
}

#[test]
#[ignore = "needs wheels"]
fn versions_and_targets_are_told_apart() {
    let place = Place::new();
    let configs =
        json!([{"BLOCK_SIZE_M": 256, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 64, "num_warps": 4, "num_stages": 2}]);
    let versions = ["--triton", "3.2.0,3.6.0,3.9.0", "--target", "cuda:87,hip:gfx942", "--out", "swept"];
    let ran = sweep(&place, &space(&place, &configs), &versions);
    let objects = ran.objects();
    let told = |object: &&Value| {
        let text = |name: &str| object[name].as_str().expect("text").to_owned();
        format!("{} {} {}", text("triton"), text("target"), text("verdict"))
    };
    let told: Vec<String> = events(&objects, "configuration").iter().map(told).collect();
    let [first, second, bad, fourth, ..] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!([first, bad], ["3.2.0 cuda:87 ok", "3.6.0 cuda:87 invalid-ir"]);
    assert_eq!([second, fourth], ["3.2.0 hip:gfx942 ok", "3.6.0 hip:gfx942 ok"]);
    assert_eq!(told.last().map(String::as_str), Some("3.9.0 hip:gfx942 ok"));
    let case = events(&objects, "group").remove(0)["case"].as_str().expect("a path").to_owned();
    assert!(case.starts_with("swept/3.6.0-cuda-87/invalid-ir-"), "{case}");
}

#[test]
#[ignore = "needs wheels"]
fn a_kernel_brings_its_own_space_and_its_errors_are_told() {
    let place = Place::new();
    let source = "import triton
import triton.language as tl

@triton.autotune(configs=[triton.Config({'BLOCK': size}, num_warps=warps) for size in (64, 96) for warps in (4, 8)], key=['n'])
@triton.jit
def scale(x, y, n, BLOCK: tl.constexpr, kind: tl.constexpr = tl.float32):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n).to(kind), mask=at < n)
";
    let kernel = format!("{}:scale", place.file("scale.py", source));
    let arguments =
        ["sweep", &kernel, "--target", "cuda:80", "--triton", "3.6.0", "--signature", "*fp16:16,*fp32:16,i32"];
    let ran = place.run(&arguments);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stdout.contains("2 of 4 configurations do not compile"), "{}", ran.stdout);
    assert!(ran.stdout.contains("diagnosed  front end"), "{}", ran.stdout);
    assert!(ran.stdout.contains("power of 2") && ran.stdout.contains("all with BLOCK=96 (2)"), "{}", ran.stdout);
    // An error of the user's own is no case.
    assert!(!ran.stdout.contains("tritonsmith reduce"), "{}", ran.stdout);
}

/// A copy kernel with an autotuner that asks for the GPU, and above it heuristics over an argument of the launch.
const COPIES: &str = "import triton
import triton.language as tl

ARCH = triton.runtime.driver.active.get_current_target().arch
SPACE = [triton.Config({'B': b}, num_warps=w) for b in (64, 128) for w in (2, 4)] if ARCH == 80 else []

@triton.autotune(configs=SPACE, key=['n'])
@triton.heuristics({'EVEN': lambda given: given['n'] % given['B'] == 0, 'TWICE': lambda given: given['B'] * 2})
@triton.jit
def copy(x, o, n, B: tl.constexpr, EVEN: tl.constexpr, TWICE: tl.constexpr):
    at = tl.program_id(0) * TWICE + tl.arange(0, B)
    if EVEN:
        tl.store(o + at, tl.load(x + at))
    else:
        tl.store(o + at, tl.load(x + at, mask=at < n), mask=at < n)
";

#[test]
#[ignore = "needs wheels"]
fn autotuners_and_heuristics_need_no_gpu() {
    both_values_of_what_a_launch_decides("3.2.0,3.6.0", 2);
}

fn both_values_of_what_a_launch_decides(releases: &str, count: usize) {
    let place = Place::new();
    let kernel = format!("{}:copy", place.file("copies.py", COPIES));
    // Up to 3.1 an autotuner asks PyTorch for a GPU, from 3.2 to 3.3 the driver for a benchmark.
    let arguments = ["sweep", &kernel, "--triton", releases, "--target", "cuda:80", "--signature"];
    let ran = place.run(&[&arguments[..], &["*fp32:16,*fp32:16,i32", "--format", "json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let objects = ran.objects();
    let all = events(&objects, "configuration");
    assert_eq!(all.len(), count * 4 * 2, "either value of what depends on the launch");
    assert!(all.iter().all(|object| object["verdict"] == "ok"), "{}", ran.stdout);
    let first = json!({"B": 64, "EVEN": true, "TWICE": 128, "num_warps": 2});
    assert!(first.as_object().expect("one").iter().all(|(name, value)| all[0]["configuration"][name] == *value));
    assert!(ran.stderr.contains("4 configurations are 8"), "{}", ran.stderr);
    let given = place.run(
        &[
            &arguments[..2],
            &["--triton", "3.6.0"],
            &arguments[4..],
            &["*fp32:16,*fp32:16,i32", "--constant", "EVEN=True", "--format", "json"],
        ]
        .concat(),
    );
    assert_eq!(events(&given.objects(), "configuration").len(), 4, "{}", given.stderr);
}

#[test]
#[ignore = "needs wheels"]
fn locations_inside_of_locations_do_not_stop_a_sweep() {
    let place = Place::new();
    let source = "import triton
import triton.language as tl

@triton.jit
def total(x, o, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, B))
    tl.store(o, tl.sum(v, 0))
";
    let kernel = format!("{}:total", place.file("total.py", source));
    let configs = place.file("tune.json", r#"{"B": [64, 128]}"#);
    let releases = ["--triton", "3.2.0", "--target", "cuda:80", "--signature", "*fp32:16,*fp32:16"];
    let ran = place.run(&[&["sweep", &kernel, "--configs", &configs][..], &releases].concat());
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

#[test]
#[ignore = "needs wheels"]
fn a_release_that_fails_does_not_end_the_others() {
    let place = Place::new();
    let kernel = format!("{}:copy", place.file("copies.py", COPIES));
    let python = place.file("no-python", "");
    let releases = format!("{python},3.6.0");
    let arguments = ["sweep", &kernel, "--triton", &releases, "--target", "cuda:90,cuda:80", "--format", "json"];
    let ran = place.run(&[&arguments[..], &["--signature", "*fp32:16,*fp32:16,i32"]].concat());
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let objects = ran.objects();
    let missed: Vec<&Value> = events(&objects, "not-swept").iter().map(|object| &object["target"]).collect();
    assert_eq!(missed, [&Value::Null, &json!("cuda:90")], "{}", ran.stderr);
    assert_eq!(events(&objects, "summary").len(), 1, "{}", ran.stderr);
}

#[test]
#[ignore = "needs wheels"]
fn a_sweep_goes_to_the_object_file_unless_it_is_stopped_before() {
    let place = Place::new();
    let source = "import triton
import triton.language as tl

@triton.jit
def rows(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y + at, tl.sum(tl.load(x + at[:, None] * BLOCK + at[None, :]), axis=1))
";
    let kernel = format!("{}:rows", place.file("rows.py", source));
    let configs = place.file("tune.json", r#"{"BLOCK": [16, 32], "num_warps": [1, 4]}"#);
    let arguments =
        ["sweep", &kernel, "--configs", &configs, "--target", "cuda:80", "--triton", "3.6.0", "--format", "json"];
    let stages = |more: &[&str]| {
        let ran = place.run(&[&arguments[..], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let objects = ran.objects();
        let runs = events(&objects, "summary")[0]["runs"].clone();
        (events(&objects, "configuration")[3]["stage"].clone(), runs)
    };
    let signature = ["--signature", "*fp32:16,*fp32:16"];
    assert_eq!(stages(&signature), ("back end".into(), (2 + 4 + 4).into()));
    let short = [&signature[..], &["--stop-after", "ttgir"]].concat();
    assert_eq!(stages(&short), ("ttgir".into(), (2 + 4).into()));
}

#[test]
#[ignore = "needs wheels"]
fn what_does_not_fit_together_is_said_with_a_way_out() {
    let place = Place::new();
    let (kernel, configs) = (kernel(), place.file("list.json", r#"[{"BM": 64, "BN": 64, "BK": 64, "GROUPS": 1}]"#));
    let base = ["sweep", &kernel, "--configs", &configs, "--target", "cuda:87", "--triton", "3.6.0"];
    let run = |more: &[&str]| place.run(&[&base[..], more].concat());
    run(&[]).assert_failed("--signature");
    run(&["--signature", SIGNATURE]).assert_failed("TOPK");
    let whole = ["--signature", SIGNATURE, "--constant", "TOPK=8"];
    run(&whole).assert_failed("--rename GROUPS=");
    let renamed = run(&[&whole[..], &["--rename", "GROUPS="]].concat());
    assert_eq!(renamed.code, Some(0), "{}", renamed.stderr);
    place.run(&["sweep", "nowhere.py:fn", "--target", "cuda:87", "--triton", "3.6.0"]).assert_failed("nowhere.py");
    let other = kernel.replace(":grouped_gemm", ":grouped");
    let arguments = ["sweep", &other, "--configs", &configs, "--target", "cuda:87", "--triton", "3.6.0"];
    place.run(&arguments).assert_failed("it has grouped_gemm");
}

#[test]
#[ignore = "needs wheels"]
fn an_interrupted_sweep_leaves_the_results_so_far() {
    let place = Place::new();
    let (kernel, tune) = (kernel(), corpus("grouped_gemm_mask_reuse/tune.json"));
    let arguments =
        ["sweep", &kernel, "--configs", &tune, "--target", "cuda:87", "--triton", "3.6.0", "--out", "swept"];
    let mut child = place.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    // A first line about progress says that configurations have been tried.
    let stderr = child.stderr.take().expect("a pipe");
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stderr));
    let first = lines.by_ref().find_map(|line| line.ok().filter(|line| line.contains("of 1920")));
    assert!(first.is_some());
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process id")).expect("a process id");
    kill_process(pid, Signal::INT).expect("it is alive");
    let started = Instant::now();
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert_eq!(child.wait().expect("it ends").code(), Some(2), "{rest:?}");
    assert!(started.elapsed() < Duration::from_secs(60), "it goes on after Ctrl-C");
    assert!(rest.iter().any(|line| line.contains("the results so far are kept")), "{rest:?}");
    let results = std::fs::read_to_string(place.path("work/swept/results.jsonl")).expect("results");
    let tried = results.lines().filter(|line| line.contains(r#""verdict":"ok""#)).count();
    assert!(tried > 0 && tried < 1920, "{tried}");
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "needs more wheels"]
    fn autotuners_and_heuristics_need_no_gpu_in_any_release() {
        both_values_of_what_a_launch_decides("3.0.0,3.1.0,3.3.0,3.3.1,3.4.0,3.5.1,3.9.0", 7);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn the_whole_space_of_a_fused_moe_tuner() {
        let place = Place::new();
        let ran = sweep(&place, &corpus("grouped_gemm_mask_reuse/tune.json"), &["--timeout", "300"]);
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        let objects = ran.objects();
        let summary = events(&objects, "summary").remove(0);
        assert_eq!([&summary["configurations"], &summary["tried"], &summary["failing"]], [1920, 1920, 48]);
        assert_eq!([&summary["tasks"], &summary["modules"]], [480, 60]);
        let group = events(&objects, "group").remove(0);
        let known = "BLOCK_SIZE_M=256 BLOCK_SIZE_N=64 BLOCK_SIZE_K=64 num_warps=4";
        assert!(group["constraint"].as_array().is_some_and(|list| list.iter().any(|it| it == known)), "{group}");
        assert!(Path::new(&place.path("work/grouped_gemm.sweep")).is_dir());
    }
}
