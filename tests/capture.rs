//! Programs that compile kernels with the real wheel of 3.6.0, run as they are: what `capture` keeps of them, and that they
//! do not notice.

#[expect(dead_code, reason = "each file of tests uses a part of it")]
mod cli;

use cli::{Place, Ran, corpus};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tritonsmith::compiler::wheel;

/// Compiles the grouped GEMM of the corpus for cuda:87 with a tile of so many rows; 256 fails in 3.6.0.
const BUILD: &str = r#"
import os, sys
sys.path.insert(0, os.environ["KERNELS"])
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from kernel import grouped_gemm

def build(rows, side=64):
    names = grouped_gemm.arg_names
    kinds = dict(zip(names, "*bf16 *bf16 *bf16 *i32 *i32 *i32 i32 i32 i32 i32 i32 i32".split()))
    signature = {name: kinds.get(name, "constexpr") for name in names}
    constants = {"TOPK": 8, "BM": rows, "BN": side, "BK": side}
    divisible = {(index,): [["tt.divisibility", 16]] for index in range(12)}
    options = {"num_warps": 4, "num_stages": 2}
    return triton.compile(ASTSource(grouped_gemm, signature, constants, divisible), target=GPUTarget("cuda", 87, 32), options=options)

def outcome(rows, side=64):
    try:
        build(rows, side)
        return "fine"
    except Exception as error:
        return "%s: %s" % (type(error).__name__, error)
"#;

/// What the program says without being watched, with the failing compile in the middle.
const SAID: &str = "64 fine\n256 RuntimeError: PassManager::run failed\n64 fine\n";

fn python(version: &str) -> PathBuf {
    let spec = version.parse().expect("a version");
    wheel::install(&spec, &AtomicBool::new(false), &mut |_| {}).expect("an installation").python
}

struct Program {
    place: Place,
    python: PathBuf,
    path: String,
}

impl Program {
    fn new(version: &str, text: &str) -> Program {
        let place = Place::new();
        place.file("build.py", BUILD);
        let path = place.file("program.py", text);
        Program { place, python: python(version), path }
    }

    fn set<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let kernels = PathBuf::from(corpus("grouped_gemm_mask_reuse/kernel.py"));
        command
            .env("KERNELS", kernels.parent().expect("a directory"))
            .env("TRITON_CACHE_DIR", self.place.path("kernels"))
    }

    fn alone(&self) -> Ran {
        let mut command = Command::new(&self.python);
        Ran::of(self.set(command.arg(&self.path)).output().expect("it runs"))
    }

    fn captured(&self, more: &[&str]) -> Ran {
        let mut command = self.place.command(more);
        command.args(["capture", "--out", "captures", "--"]).arg(&self.python).arg(&self.path);
        Ran::of(self.set(&mut command).output().expect("it runs"))
    }

    /// The directories that are kept.
    fn cases(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.place.path("work/captures")).expect("a directory");
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().into_string().expect("a name")).collect();
        names.sort();
        names
    }

    fn read(&self, case: &str, name: &str) -> String {
        std::fs::read_to_string(self.place.path("work/captures").join(case).join(name)).expect("a file")
    }
}

#[test]
#[ignore = "needs wheels"]
fn a_failing_compile_is_kept_and_the_program_goes_on() {
    let text = "from build import outcome\nfor rows in (64, 256, 64):\n    print(rows, outcome(rows), flush=True)\nraise SystemExit(7)\n";
    let program = Program::new("3.6.0", text);
    let (alone, captured) = (program.alone(), program.captured(&[]));
    assert_eq!((alone.code, alone.stdout.as_str()), (Some(7), SAID), "{}", alone.stderr);
    assert_eq!((captured.code, captured.stdout.as_str()), (Some(7), SAID), "{}", captured.stderr);
    let cases = program.cases();
    let [case] = cases.as_slice() else { panic!("{cases:?}") };
    assert!(case.starts_with("grouped_gemm-ttgir-"), "{case}");
    assert!(
        captured.stderr.contains("captured: 1 failing compile kept; triton 3.6.0 in 1 process"),
        "{}",
        captured.stderr
    );
    let file = program.read(case, "case.toml");
    for part in
        ["target = \"cuda:87\"", "num_stages = 2", "triton = \"3.6.0\"", "operand #_ does not dominate this use"]
    {
        assert!(file.contains(part), "{part} is not in {file}");
    }
    assert!(
        program.read(case, "log.txt").contains("x: *bf16")
            && program.read(case, "kernel.py").contains("def grouped_gemm")
    );
    // The command that is printed works, and finds the same failure.
    let next = format!("tritonsmith reduce captures/{case}");
    assert!(captured.stderr.contains(&next), "{}", captured.stderr);
    let path = format!("captures/{case}");
    let reduced = program.place.run(&["reduce", &path, "--out", "small", "--versions", "none", "--max-queries", "30"]);
    assert_eq!(reduced.code, Some(1), "{}", reduced.stderr);
    assert!(reduced.stderr.contains("fails with triton 3.6.0: invalid-ir"), "{}", reduced.stderr);
}

#[test]
#[ignore = "needs wheels"]
fn child_processes_are_watched_and_the_same_failure_is_kept_once() {
    let text = "import multiprocessing
from build import outcome
if __name__ == '__main__':
    for how in ('spawn', 'fork'):
        with multiprocessing.get_context(how).Pool(1) as pool:
            print(how, pool.map(outcome, [256]), flush=True)
";
    let program = Program::new("3.6.0", text);
    let captured = program.captured(&["--format", "json"]);
    assert_eq!(captured.code, Some(0), "{}", captured.stderr);
    let objects: Vec<Value> = captured.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let seen: Vec<&Value> = objects.iter().filter(|object| object["event"] == "captured").collect();
    assert_eq!(seen.len(), 1, "{}", captured.stdout);
    assert_eq!((&seen[0]["count"], &seen[0]["fails_again"]), (&2.into(), &true.into()));
    assert_eq!(program.cases().len(), 1);
}

#[test]
#[ignore = "needs wheels"]
fn a_worker_that_gets_the_search_path_as_its_environment_is_watched() {
    // This is how torch.compile starts its workers.
    let text = "import os, subprocess, sys
environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
script = 'from build import outcome; print(outcome(256))'
print(subprocess.run([sys.executable, '-c', script], env=environment, stdout=subprocess.PIPE, text=True).stdout.strip())
";
    let program = Program::new("3.6.0", text);
    let captured = program.captured(&[]);
    assert_eq!(captured.stdout, "RuntimeError: PassManager::run failed\n", "{}", captured.stderr);
    assert_eq!(program.cases().len(), 1, "{}", captured.stderr);
}

#[test]
#[ignore = "needs wheels"]
fn a_process_that_dies_in_a_pass_leaves_its_case() {
    // In 3.2.0 an assertion of a pass ends the process.
    let text = format!(
        "import os, shutil, sys, types
sys.modules.setdefault('setuptools', types.ModuleType('setuptools'))  # Wheels up to 3.2 import it and do not ask for it.
import triton
from triton.backends.compiler import GPUTarget
shutil.copy({:?}, 'twice.ttir')
triton.compile('twice.ttir', target=GPUTarget('cuda', 80, 32), options={{'num_warps': 4, 'num_stages': 2}})
",
        corpus("running_sum_twice/input.mlir")
    );
    let program = Program::new("3.2.0", &text);
    let captured = program.captured(&[]);
    assert_eq!(captured.code, Some(128 + 6), "{}", captured.stderr);
    let cases = program.cases();
    let [case] = cases.as_slice() else { panic!("{cases:?}") };
    let file = program.read(case, "case.toml");
    assert!(file.contains("verdict = \"crash\"") && file.contains("tritongpu-optimize-thread-locality"), "{file}");
}

/// Stores a float as one of 8 bits that cuda:80 cannot convert to; the lowering to LLVM gives up.
const NARROW: &str = "module {
  tt.func public @narrow(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f8E4M3FN>) attributes {noinline = false} {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %3 = tt.load %2 : tensor<128x!tt.ptr<f32>>
    %4 = tt.fp_to_fp %3, rounding = rtne : tensor<128xf32> -> tensor<128xf8E4M3FN>
    %5 = tt.splat %arg1 : !tt.ptr<f8E4M3FN> -> tensor<128x!tt.ptr<f8E4M3FN>>
    %6 = tt.addptr %5, %0 : tensor<128x!tt.ptr<f8E4M3FN>>, tensor<128xi32>
    tt.store %6, %4 : tensor<128x!tt.ptr<f8E4M3FN>>
    tt.return
  }
}
";

#[test]
#[ignore = "needs wheels"]
fn a_failure_on_the_way_to_llvm_is_kept_and_reduced() {
    let text = format!(
        "import triton
from triton.backends.compiler import GPUTarget
open('narrow.ttir', 'w').write({NARROW:?})
triton.compile('narrow.ttir', target=GPUTarget('cuda', 80, 32), options={{'num_warps': 4}})
"
    );
    let program = Program::new("3.6.0", &text);
    let captured = program.captured(&[]);
    assert_eq!(captured.code, Some(1), "{}", captured.stderr);
    let cases = program.cases();
    let [case] = cases.as_slice() else { panic!("{cases:?}") };
    assert!(
        captured.stderr.contains("crash in convert-triton-gpu-to-llvm: Conversion to f8e4m3nv"),
        "{}",
        captured.stderr
    );
    let path = format!("captures/{case}");
    let reduced = program.place.run(&["reduce", &path, "--out", "small", "--versions", "none"]);
    assert!(reduced.stderr.contains("operations became 2 in"), "{}", reduced.stderr);
}

#[test]
#[ignore = "needs wheels"]
fn a_failure_behind_the_passes_is_kept_with_what_it_began_with() {
    let text = "from build import outcome, triton
kept = triton.compile
triton.compile = lambda *args, options, **named: kept(*args, options=dict(options, ptx_options='--no-such-option'), **named)
print(outcome(64).split()[0])
";
    let program = Program::new("3.6.0", text);
    let captured = program.captured(&[]);
    assert!(captured.stdout.ends_with("PTXASError:\n"), "{}", captured.stdout);
    let cases = program.cases();
    let [case] = cases.as_slice() else { panic!("{cases:?}") };
    assert!(case.starts_with("grouped_gemm-cubin-"), "{case}");
    assert!(program.read(case, "before-cubin.txt").contains(".visible .entry grouped_gemm"));
    assert!(program.read(case, "input.mlir").contains("ttg.num-warps"));
    assert!(captured.stderr.contains("ptxas: Unknown option '-no-such-option'"), "{}", captured.stderr);
    // A module is what a reduction begins with, so all stages behind it are run.
    let reduced = program.place.run(&["reduce", &format!("captures/{case}"), "--out", "small", "--versions", "none"]);
    assert!(reduced.stdout.contains("make_cubin"), "{}{}", reduced.stdout, reduced.stderr);
}

#[test]
#[ignore = "needs wheels"]
fn a_broken_cache_entry_is_named_as_what_it_is() {
    for (damage, to_blame) in [
        (
            "path = glob.glob(root + '/*/__grp__*')[0]; text = open(path).read(); open(path, 'w').write(text[:40])",
            "__grp__",
        ),
        ("path = glob.glob(root + '/*/grouped_gemm.json')[0]; open(path, 'w').close()", "grouped_gemm.json"),
        ("os.unlink(glob.glob(root + '/*/*.cubin')[0])", "grouped_gemm.cubin"),
    ] {
        let text = format!(
            "import glob, os\nfrom build import outcome\nprint(outcome(64))\nroot = os.environ['TRITON_CACHE_DIR']\n\
             {damage}\nprint(outcome(64))\n"
        );
        let program = Program::new("3.6.0", &text);
        let captured = program.captured(&[]);
        assert_eq!(captured.code, Some(0), "{}", captured.stderr);
        assert!(captured.stdout.contains("Error: "), "{}", captured.stdout);
        let named = captured.stderr.lines().find(|line| line.contains("a broken entry of Triton's cache"));
        assert!(named.is_some_and(|line| line.contains(to_blame)), "{}", captured.stderr);
        assert!(captured.stderr.contains("captured: 0 failing compiles kept"), "{}", captured.stderr);
        let cases = program.cases();
        let [kept] = cases.as_slice() else { panic!("{cases:?}") };
        assert!(program.read(kept, "log.txt").contains("no failure of the compiler"));
    }
}

#[test]
#[ignore = "needs wheels"]
fn a_start_up_file_of_the_users_own_still_runs() {
    let text = "import sys\nprint(sitecustomize_ran, sys.modules['sitecustomize'].OWN)\n";
    let program = Program::new("3.6.0", text);
    let own = program.place.path("own");
    std::fs::create_dir(&own).expect("a directory");
    let start = "import builtins\nOWN = 3\nbuiltins.sitecustomize_ran = True\n";
    std::fs::write(own.join("sitecustomize.py"), start).expect("a file");
    let mut command = program.place.command(&["capture", "--"]);
    command.arg(&program.python).arg(&program.path).env("PYTHONPATH", &own);
    let ran = Ran::of(command.output().expect("it runs"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "True 3\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("no process with the hook imported Triton"), "{}", ran.stderr);
}

#[test]
#[ignore = "needs wheels"]
fn cases_of_one_bug_are_told_in_one_line() {
    // Either tile is known to fail with 4 warps.
    let text = "from build import outcome\nprint(outcome(256), outcome(256, 128))\n";
    let program = Program::new("3.6.0", text);
    let captured = program.captured(&[]);
    assert_eq!(program.cases().len(), 2, "{}", captured.stderr);
    let lines = |part: &str| captured.stderr.lines().filter(|line| line.contains(part)).count();
    assert_eq!(
        (lines("   2      2  grouped_gemm  ttgir  invalid-ir"), lines("tritonsmith reduce")),
        (1, 1),
        "{}",
        captured.stderr
    );
}

#[test]
fn a_signal_for_us_is_a_signal_for_the_program() {
    let place = Place::new();
    let mut child = place.command(&["capture", "--", "sleep", "60"]).spawn().expect("it runs");
    let children = format!("/proc/{0}/task/{0}/children", child.id());
    let started = Instant::now();
    while std::fs::read_to_string(&children).unwrap_or_default().is_empty() && started.elapsed().as_secs() < 20 {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    let pid = Pid::from_raw(i32::try_from(child.id()).expect("a process id")).expect("a process id");
    kill_process(pid, Signal::TERM).expect("it is alive");
    assert_eq!(child.wait().expect("it ends").code(), Some(128 + 15));
    assert!(started.elapsed() < Duration::from_secs(40));
}

#[test]
fn the_exit_code_is_the_programs_own() {
    let place = Place::new();
    for (text, code) in [("exit 0", 0), ("exit 3", 3), ("kill -TERM $$", 128 + 15)] {
        assert_eq!(place.run(&["capture", "--", "sh", "-c", text]).code, Some(code), "{text}");
    }
    place.run(&["capture", "--", "no-such-program"]).assert_failed("no-such-program cannot be run");
    let left = std::fs::read_dir(place.path("work/captures")).expect("a directory").count();
    assert_eq!(left, 0, "the hook's directory stays behind");
}
