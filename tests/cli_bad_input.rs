//! What a person sees who gives the program something that it cannot work with: one clear sentence, exit code 2, and
//! nothing left behind.

#[expect(dead_code, reason = "each file of tests uses a part of it")]
mod cli;

use cli::{Place, Ran, corpus};
use std::path::Path;
use std::process::Command;

/// A version that is in the cache already, or is installed by the first test that needs it.
const TRITON: [&str; 4] = ["--triton", "3.6.0", "--target", "cuda:80"];

fn with<'a>(first: &[&'a str], rest: &[&'a str]) -> Vec<&'a str> {
    [first, rest].concat()
}

/// Every verb that reads a module, with what it needs besides.
fn readers(file: &str) -> Vec<Vec<&str>> {
    vec![vec!["check", file], with(&["run", file], &TRITON), with(&["reduce", file], &TRITON)]
}

/// Each verb refuses the content with the same sentence, before anything is installed.
fn refused_by_all(content: impl AsRef<[u8]>, part: &str) {
    let place = Place::new();
    let file = place.file("input", content);
    for arguments in readers(&file) {
        let output = place.command(&arguments).env("TRITONSMITH_CACHE", place.path("cache")).output();
        let ran = Ran::of(output.expect("it runs"));
        ran.assert_failed(part);
        assert_eq!(ran.stdout, "", "{arguments:?}");
    }
    place.assert_clean();
}

#[test]
fn an_empty_file_is_called_empty() {
    refused_by_all("", "the input is empty: paste what Triton printed, or give a .mlir file");
    refused_by_all(" \n\n", "the input is empty");
}

#[test]
fn a_binary_file_is_called_binary_with_the_offset() {
    refused_by_all(b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00", "the input is not text");
}

#[test]
fn a_text_without_a_module_says_what_is_there() {
    refused_by_all("Hello.\nHow are you?\n", "the input has no MLIR module");
}

#[test]
fn a_truncated_module_is_told_from_a_wrong_one() {
    let whole = std::fs::read_to_string(corpus("grouped_gemm_mask_reuse/input.mlir")).expect("a case");
    let half = &whole[..whole.len() / 2];
    refused_by_all(&half[..=half.rfind('\n').expect("a line")], "is cut off");
}

#[test]
fn a_log_without_a_module_says_what_to_do_about_its_failure() {
    let raised = |name: &str, text: &str| {
        format!("Traceback (most recent call last):\n  File \"triton/compiler/compiler.py\", line 1\n{name}: {text}\n")
    };
    let resources = "out of resource: shared memory, Required: 73728, Hardware limit: 65536. Reducing block sizes";
    refused_by_all(raised("triton.runtime.errors.OutOfResources", resources), "Lower num_stages");
    refused_by_all(
        raised("json.decoder.JSONDecodeError", "Expecting value: line 1 column 1 (char 0)"),
        "Triton's cache",
    );
    refused_by_all(raised("RuntimeError", "Triton Error [CUDA]: an illegal memory access"), "its launch failed");
    refused_by_all(raised("RuntimeError", "PassManager::run failed"), "tritonsmith capture");
}

const MODULE: &str = "module {\n  tt.func @f() {\n    tt.return\n  }\n}\n";

/// Verbs that run passes refuse the content, before anything is installed.
fn refused_by_runners(content: &str, part: &str) {
    let place = Place::new();
    let file = place.file("input", content);
    for verb in ["run", "reduce", "bisect"] {
        let arguments = with(&[verb, &file], &TRITON);
        let output = place.command(&arguments).env("TRITONSMITH_CACHE", place.path("cache")).output();
        Ran::of(output.expect("it runs")).assert_failed(part);
    }
    place.assert_clean();
}

#[test]
fn a_fork_is_not_run_through_another_backend() {
    let module = MODULE.replace("module {", "module attributes {triton_intel_gpu.min_sg_size = 16 : i32} {");
    refused_by_runners(&module, "this is of Intel's XPU backend (`triton_intel_gpu.`)");
}

#[test]
fn passes_that_cannot_be_read_are_not_replaced_by_others() {
    let cut = "{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: \"builtin.module(cse, canon";
    refused_by_runners(&format!("{MODULE}\n{cut}"), "the input names its passes, but they cannot be read");
}

#[test]
fn a_failure_that_is_not_there_is_said() {
    let place = Place::new();
    let log = corpus("running_sum_twice/stderr.log");
    place.run(&with(&["run", &log, "--failure", "2"], &TRITON)).assert_failed("there is no failure 2");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let place = Place::new();
    for arguments in readers("no-such-file.mlir") {
        place.run(&arguments).assert_failed("error: no-such-file.mlir cannot be read: No such file or directory");
    }
    place.run(&["check", "."]).assert_failed("Is a directory");
    place.assert_clean();
}

#[test]
fn a_syntax_error_has_line_and_column() {
    let place = Place::new();
    let file =
        place.file("bad.mlir", "module {\n  tt.func @f() {\n    %0 = arith.constant : i32\n    tt.return\n  }\n}\n");
    let ran = place.run(&["check", &file]);
    ran.assert_failed("bad.mlir:3:");
    assert!(ran.stderr.contains("%0 = arith.constant : i32"), "{}", ran.stderr);
    place.assert_clean();
}

#[test]
fn one_bad_file_does_not_keep_the_others_from_being_checked() {
    let place = Place::new();
    let good = corpus("running_softmax_carry/input.mlir");
    let ran = place.run(&["check", "no-such-file.mlir", &good]);
    ran.assert_failed("no-such-file.mlir");
    assert!(ran.stderr.contains("input.mlir: ok"), "{}", ran.stderr);
}

#[test]
fn what_the_input_does_not_tell_is_asked_for_by_flag() {
    let place = Place::new();
    let file = corpus("running_softmax_carry/input.mlir");
    place.run(&["run", &file, "--triton", "3.6.0"]).assert_failed("--target cuda:90");
    place.run(&["run", &file, "--target", "cuda:90"]).assert_failed("--triton 3.6.0");
    place.assert_clean();
}

#[test]
fn arguments_that_make_no_sense_say_what_would() {
    let place = Place::new();
    let file = corpus("running_softmax_carry/input.mlir");
    for (extra, part) in [
        (["--target", "cuda"], "write kind:arch"),
        (["--triton", "latest"], "give a version such as 3.6.0"),
        (["--passes", "cse{x=1"], "pass pipeline, byte"),
        (["--option", "fast"], "write NAME=VALUE"),
        (["--timeout", "soon"], "write for example 60"),
        (["--memory", "much"], "write for example 512M"),
        (["--from", "a,b"], "write its name"),
        (["--format", "xml"], "possible values: text, json"),
    ] {
        let mut arguments = vec!["run", &file];
        let flags = [["--triton", "3.6.0"], ["--target", "cuda:90"]];
        arguments.extend(flags.iter().filter(|flag| flag[0] != extra[0]).flatten());
        arguments.extend(extra);
        place.run(&arguments).assert_failed(part);
    }
    place.assert_clean();
}

#[test]
#[ignore = "needs wheels"]
fn a_module_that_triton_does_not_parse_is_not_a_bug_of_tritons() {
    let place = Place::new();
    let file =
        place.file("x.mlir", "module {\n  tt.func @f() {\n    \"no.such\"() : () -> ()\n    tt.return\n  }\n}\n");
    let run = place.run(&with(&["run", &file], &TRITON));
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stdout.contains("rejected-input"), "{run:?}");
    let reduce = place.run(&with(&["reduce", &file], &TRITON));
    reduce.assert_failed("triton 3.6.0 does not take this module");
    place.assert_clean();
}

#[test]
#[ignore = "needs wheels"]
fn a_module_that_does_not_fail_is_no_error() {
    let place = Place::new();
    let file = corpus("running_softmax_carry/input.mlir");
    let flags = ["--triton", "3.6.0", "--target", "cuda:90", "--num-warps", "4"];
    let run = place.run(&with(&["run", &file], &flags));
    assert_eq!(run.code, Some(0), "{run:?}");
    let reduce = place.run(&with(&["reduce", &file], &flags));
    assert_eq!(reduce.code, Some(0), "{reduce:?}");
    assert!(reduce.stderr.contains("this module does not fail with triton 3.6.0 for cuda:90"), "{reduce:?}");
    place.assert_clean();
}

#[test]
#[ignore = "needs wheels"]
fn a_target_or_pass_that_is_not_there_is_named() {
    let place = Place::new();
    let file = corpus("running_softmax_carry/input.mlir");
    let ran = place.run(&["run", &file, "--triton", "3.6.0", "--target", "abacus:1"]);
    ran.assert_failed("no backend of triton 3.6.0 accepts abacus:1");
    let ran = place.run(&with(&["run", &file, "--passes", "no-such-pass"], &TRITON));
    ran.assert_failed("has no pass `no-such-pass`");
    let ran = place.run(&with(&["run", &file, "--until", "no-such-pass"], &TRITON));
    ran.assert_failed("no pass `no-such-pass` is among those that are run; there are");
    let ran = place.run(&with(&["run", &file, "--stage", "ttx"], &TRITON));
    ran.assert_failed("has no stage `ttx`; it has ttir, ttgir");
    place.assert_clean();
}

/// The program with an empty cache and an index that has what `links` holds and nothing else; without links, one that
/// cannot be reached.
fn with_index(place: &Place, arguments: &[&str], links: Option<&Path>) -> Command {
    let mut command = place.command(arguments);
    command.env("TRITONSMITH_CACHE", place.path("cache"));
    for name in ["PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_EXTRA_INDEX_URL", "UV_INDEX"] {
        command.env_remove(name);
    }
    command
        .env("PIP_CONFIG_FILE", "/dev/null")
        .env("UV_NO_CONFIG", "1")
        .env("PIP_NO_CACHE_DIR", "1")
        .env("UV_NO_CACHE", "1");
    match links {
        Some(links) => {
            command
                .env("PIP_NO_INDEX", "1")
                .env("UV_NO_INDEX", "1")
                .env("PIP_FIND_LINKS", links)
                .env("UV_FIND_LINKS", links);
        }
        None => {
            // Nobody listens on port 1.
            for name in ["PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"] {
                command.env(name, "http://127.0.0.1:1/simple");
            }
            command.env("PIP_DEFAULT_TIMEOUT", "1").env("UV_HTTP_TIMEOUT", "1");
        }
    }
    command
}

#[test]
#[ignore = "makes virtual environments"]
fn an_unknown_version_is_answered_with_the_known_ones() {
    let place = Place::new();
    let links = place.path("links");
    std::fs::create_dir(&links).expect("a directory");
    std::fs::write(links.join("triton-3.6.0-py3-none-any.whl"), "").expect("a file");
    let file = corpus("running_softmax_carry/input.mlir");
    for arguments in [
        vec!["triton", "install", "9.9.9"],
        vec!["run", &file, "--triton", "9.9.9", "--target", "cuda:90"],
        vec!["reduce", &file, "--triton", "9.9.9", "--target", "cuda:90"],
    ] {
        let ran = Ran::of(with_index(&place, &arguments, Some(&links)).output().expect("it runs"));
        ran.assert_failed("triton 9.9.9 cannot be installed for Python");
    }
    place.assert_clean();
}

#[test]
#[ignore = "makes virtual environments"]
fn without_a_network_it_says_what_can_be_done_instead() {
    let place = Place::new();
    let file = corpus("running_softmax_carry/input.mlir");
    let arguments = ["run", &file, "--triton", "3.6.0", "--target", "cuda:90"];
    let ran = Ran::of(with_index(&place, &arguments, None).output().expect("it runs"));
    ran.assert_failed("the package index cannot be reached");
    assert!(ran.stderr.contains("connect, or give --triton"), "{}", ran.stderr);
    place.assert_clean();
}

#[test]
fn a_python_without_triton_is_named() {
    let place = Place::new();
    let file = corpus("running_softmax_carry/input.mlir");
    let made = Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(place.path("venv")).status();
    assert!(made.expect("python3").success());
    let python = place.path("venv/bin/python");
    let python = python.to_str().expect("a name");
    let ran = place.run(&["run", &file, "--triton", python, "--target", "cuda:90"]);
    ran.assert_failed("has no Triton: install triton there, or give --triton a version");
    let ran = place.run(&["triton", "probe", "/no/such/python"]);
    ran.assert_failed("/no/such/python is no Python interpreter that runs");
    place.assert_clean();
}

#[test]
fn an_input_without_an_end_is_refused_at_the_limit() {
    let place = Place::new();
    let sentence = "it has more than 1048576 bytes; --max-input raises the limit";
    for arguments in readers("/dev/zero") {
        place.run(&with(&arguments, &["--max-input", "1M"])).assert_failed(sentence);
    }
    // A pipe that is never closed, by name and as standard input.
    let pipe = place.path("pipe").display().to_string();
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    for (line, file) in [(format!("yes > '{pipe}' &"), pipe.as_str()), ("yes |".to_owned(), "-")] {
        let program = env!("CARGO_BIN_EXE_tritonsmith");
        let line = format!("{line} '{program}' check --max-input 1M '{file}'");
        Ran::of(Command::new("sh").args(["-c", &line]).output().expect("a shell")).assert_failed(sentence);
    }
    // Files that are read on the way to a module.
    let case = place.path("case");
    std::fs::create_dir(&case).expect("a directory");
    std::os::unix::fs::symlink("/dev/zero", case.join("case.toml")).expect("a link");
    let case = case.display().to_string();
    for arguments in [["replay", &case, "--triton", "3.6.0"], ["bisect", &case, "--triton", "3.6.0"]] {
        place.run(&with(&arguments, &["--max-input", "1M"])).assert_failed(sentence);
    }
    let mute = ["fuzz", "--triton", "model", "--cases", "1", "--mute", "/dev/zero", "--max-input", "1M"];
    place.run(&mute).assert_failed(sentence);
    place.assert_clean();
}

#[test]
fn the_largest_input_can_be_raised() {
    let place = Place::new();
    let file = corpus("running_softmax_carry/input.mlir");
    place.run(&["check", &file, "--max-input", "100"]).assert_failed("it has more than 100 bytes");
    assert_eq!(place.run(&["check", &file, "--max-input", "1M"]).code, Some(0));
}

#[test]
fn a_release_that_is_not_installed_cannot_be_removed() {
    let place = Place::new();
    let output = place.command(&["triton", "remove", "3.6.0"]).env("TRITONSMITH_CACHE", place.path("cache")).output();
    Ran::of(output.expect("it runs")).assert_failed("3.6.0 is not installed");
    place.assert_clean();
}

#[test]
fn a_full_device_in_place_of_standard_output_is_an_error() {
    let place = Place::new();
    let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    let file = corpus("running_softmax_carry/input.mlir");
    let output = place.command(&["check", "--print", &file]).stdout(full).output();
    Ran::of(output.expect("it runs")).assert_failed("the output cannot be written: No space left on device");
}

/// Kinds are what the backends of the installation say, so a fork's own are told in the same way.
#[test]
#[ignore = "needs wheels"]
fn a_target_that_no_backend_accepts_is_told_which_are() {
    let place = Place::new();
    let file = corpus("running_softmax_carry/input.mlir");
    let ran = place.run(&["run", &file, "--triton", "3.6.0", "--target", "hipp:gfx942"]);
    ran.assert_failed("accepted are hip:…, cuda:…: use --target hip:…");
    let ran = place.run(&["run", &file, "--triton", "3.6.0", "--target", "cud:90"]);
    ran.assert_failed("use --target cuda:…");
    place.assert_clean();
}

mod small_disk {
    use super::*;

    /// Runs a shell line with a file system of `size` at `place`/disk.
    fn on_small_disk(place: &Place, size: &str, line: &str) -> Ran {
        let disk = place.path("disk");
        std::fs::create_dir_all(&disk).expect("a directory");
        let script = format!("mount -t tmpfs -o size={size} tmpfs '{}' || exit 99\n{line}", disk.display());
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]).current_dir(place.path("work"));
        command.env("TRITONSMITH_CACHE", &disk).env("PIP_NO_CACHE_DIR", "1").env("TMPDIR", place.path("tmp"));
        let ran = Ran::of(command.output().expect("unshare"));
        let refused = ran.code == Some(99) || ran.stderr.starts_with("unshare:");
        assert!(!refused, "no file system can be mounted here: {}", ran.stderr);
        ran
    }

    #[test]
    #[ignore = "mounts a file system"]
    fn a_full_disk_under_the_cache_is_named_and_nothing_is_left_on_it() {
        let place = Place::new();
        let program = env!("CARGO_BIN_EXE_tritonsmith");
        let line = format!(
            "'{program}' triton install 3.6.0; code=$?; find \"$TRITONSMITH_CACHE\" -type f -size +0; exit $code"
        );
        let ran = on_small_disk(&place, "16k", &line);
        ran.assert_failed("no space is left in");
        assert_eq!(ran.stdout, "");
        place.assert_clean();
    }

    #[test]
    #[ignore = "needs wheels and mounts a file system"]
    fn a_full_disk_under_the_results_is_named() {
        let place = Place::new();
        let (program, log) = (env!("CARGO_BIN_EXE_tritonsmith"), corpus("branchy_scale_if_combining/stderr.log"));
        // The cache is the user's own here.
        let line = format!(
            "unset TRITONSMITH_CACHE; head -c 1M /dev/zero > '{0}/fill' 2>&-; '{program}' reduce '{log}' --triton 3.9.0 --out '{0}/out' --versions none",
            place.path("disk").display()
        );
        let ran = on_small_disk(&place, "64k", &line);
        ran.assert_failed("cannot be written: No space left on device");
        place.assert_clean();
    }
}
