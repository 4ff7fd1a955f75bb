//! What a reduction may be asked to keep: the failure of one version that another does not have, whatever a program of the
//! user's own says, and failures that happen only sometimes.

use std::path::Path;
use std::process::{Command, Output};
use tritonsmith::ir::{self, Module};

fn corpus(name: &str) -> String {
    format!("{}/corpus/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn reduce(out: &Path, arguments: &[&str]) -> (Output, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_tritonsmith"))
        .args(["reduce", "--versions", "none", "--out"])
        .arg(out)
        .args(arguments)
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    (done, said)
}

fn result(out: &Path) -> Module {
    ir::parse(&std::fs::read_to_string(out.join("reduced.mlir")).expect("a result")).expect("it parses")
}

fn names(module: &Module) -> Vec<String> {
    module.walk().into_iter().map(|op| module.op_name(op).to_owned()).collect()
}

#[test]
#[ignore = "needs wheels"]
fn what_fails_in_one_version_and_passes_in_another() {
    let out = tempfile::tempdir().expect("a directory");
    let log = corpus("grouped_gemm_mask_reuse/stderr.log");
    let (done, said) = reduce(out.path(), &[&log, "--differential", "3.6.0,3.9.0"]);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(result(out.path()).size() <= 20, "{said}");
    assert!(said.contains(" 0 of them about a module that does not parse"), "{said}");

    // This one fails in both, so that nothing may be kept.
    let log = corpus("running_sum_twice/stderr.log");
    let (done, said) = reduce(out.path(), &[&log, "--differential", "3.6.0,3.2.0"]);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("does not pass in triton 3.2.0 either"), "{said}");
}

#[test]
fn a_program_of_the_users_own_says_what_is_kept() {
    let out = tempfile::tempdir().expect("a directory");
    let script = out.path().join("test.sh");
    let text = "#!/bin/sh\ngrep -q 'tt.dot' \"$1\" || exit 1\ngrep -q 'scf.for' \"$1\" || exit 125\n";
    std::fs::write(&script, text).expect("a script");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, executable).expect("it can be run");
    let (done, said) =
        reduce(out.path(), &[&corpus("seeds/matmul_masked.mlir"), "--test", script.to_str().expect("a name")]);
    assert_eq!(done.status.code(), Some(1), "{said}");
    let names = names(&result(out.path()));
    assert!(names.iter().any(|name| name == "tt.dot") && names.iter().any(|name| name == "scf.for"), "{names:?}");
    assert!(names.len() < 16, "{names:?}");
    assert!(!said.contains(" 0 of them about a module that cannot be tested"), "{said}");
}

#[test]
fn a_test_that_accepts_nothing_is_told_of() {
    let out = tempfile::tempdir().expect("a directory");
    let (done, said) = reduce(out.path(), &[&corpus("seeds/softmax.mlir"), "--test", "false"]);
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("not interesting to `false`"), "{said}");
}

#[test]
fn a_test_that_accepts_everything_is_refused() {
    let module = corpus("seeds/softmax.mlir");
    let server = "while read path; do echo yes; done;";
    // The second one looks for what should be gone, and so accepts what is empty too.
    for (option, test) in [("--test", "true"), ("--test", "! grep -q tt.dot"), ("--test-server", server)] {
        let out = tempfile::tempdir().expect("a directory");
        let (done, said) = reduce(out.path(), &[&module, option, test]);
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(said.contains(&format!("`{test}` accepts an empty module")), "{said}");
        assert!(!out.path().join("reduced.mlir").exists());
    }
}

#[test]
fn a_failure_that_happens_sometimes_is_tested_often() {
    let out = tempfile::tempdir().expect("a directory");
    // Two runs in three accept, whatever the candidate is asked about.
    let count = out.path().join("count");
    let test = format!(
        "count={}; echo >> $count; [ $(($(wc -l < $count) % 3)) = 0 ] && exit 1; grep -q math.exp",
        count.display()
    );
    let (done, said) = reduce(out.path(), &[&corpus("seeds/softmax.mlir"), "--test", &test, "--jobs", "1"]);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("it fails all but about one run in three"), "{said}");
    let names = names(&result(out.path()));
    assert!(names.iter().any(|name| name == "math.exp") && names.len() <= 5, "{names:?}");
}

#[test]
fn a_test_that_hangs_is_not_waited_for() {
    let out = tempfile::tempdir().expect("a directory");
    let server = "while read path; do if grep -q tt.store $path; then echo yes; else sleep 100; fi; done;";
    let module = corpus("seeds/softmax.mlir");
    let (done, said) = reduce(out.path(), &[&module, "--test-server", server, "--timeout", "1", "--max-queries", "12"]);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(names(&result(out.path())).iter().any(|name| name == "tt.store"));
}

#[test]
fn a_failure_that_is_rare_is_found_with_more_tries() {
    // One run in five accepts.
    let asked = |tries: &str| {
        let out = tempfile::tempdir().expect("a directory");
        let count = out.path().join("count");
        let test = format!(
            "count={}; echo >> $count; [ $(($(wc -l < $count) % 5)) = 0 ] && grep -q tt.store",
            count.display()
        );
        let module = corpus("seeds/softmax.mlir");
        reduce(out.path(), &[&module, "--test", &test, "--jobs", "1", "--tries", tries, "--max-queries", "200"])
    };
    let (done, said) = asked("2");
    assert_eq!(done.status.code(), Some(2), "{said}");
    assert!(said.contains("not interesting"), "{said}");
    let (done, said) = asked("10");
    assert_eq!(done.status.code(), Some(1), "{said}");
}

#[test]
#[ignore = "needs wheels"]
fn a_pass_that_does_not_end_is_waited_for_as_long_as_is_said() {
    let out = tempfile::tempdir().expect("a directory");
    let case = corpus("found/remove_layout_endless");
    let (done, said) =
        reduce(out.path(), &[&case, "--triton", "3.9.0", "--hang-after", "1", "--max-queries", "3", "--jobs", "1"]);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("hang in tritongpu-remove-layout-conversions: no end within the time limit"), "{said}");
}

#[test]
fn a_search_may_begin_again_and_may_try_all_pairs() {
    let asked = |extra: &[&str]| {
        let out = tempfile::tempdir().expect("a directory");
        let module = corpus("seeds/softmax.mlir");
        let test = "grep -q tt.store";
        let arguments = [&[module.as_str(), "--test", test, "--format", "json"], extra].concat();
        let (done, said) = reduce(out.path(), &arguments);
        assert_eq!(done.status.code(), Some(1), "{said}");
        let line = String::from_utf8_lossy(&done.stdout).lines().last().expect("a result").to_owned();
        serde_json::from_str::<serde_json::Value>(&line).expect("JSON")
    };
    let once = asked(&[]);
    let more = asked(&["--restarts", "2", "--pairs"]);
    let number = |result: &serde_json::Value, name: &str| result[name].as_u64().expect("a number");
    assert!(number(&more, "operations") <= number(&once, "operations"), "{more}");
    assert!(number(&more, "queries") > number(&once, "queries"), "{more}");
    assert_eq!(more["stop"], "no edit and no two edits make it smaller", "{more}");
    assert_eq!(asked(&["--restarts", "2", "--pairs", "--jobs", "1"])["text"], more["text"]);
}
