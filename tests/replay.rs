//! The shipped corpus on real wheels, and what `replay` and `corpus add` do with cases that are not as they should be. These
//! tests take 3.2.0, 3.6.0 and 3.9.0; in `exhaustive`, every release from 3.0.0 to 3.9.0.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const THREE: &str = "3.2.0,3.6.0,3.9.0";

fn shipped() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

fn tritonsmith(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tritonsmith")).args(arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The objects of one event that a command printed.
fn objects(output: &Output, event: &str) -> Vec<Value> {
    let parse = |line: &str| serde_json::from_str::<Value>(line).expect("a line of JSON");
    text(&output.stdout).lines().map(parse).filter(|object| object["event"] == event).collect()
}

/// A corpus with one shipped case in it, its file changed.
fn corpus_with(case: &str, change: impl FnOnce(String) -> String) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().join(case);
    fs::create_dir(&place).expect("a directory");
    fs::copy(shipped().join(case).join("input.mlir"), place.join("input.mlir")).expect("a module");
    let file = fs::read_to_string(shipped().join(case).join("case.toml")).expect("a case");
    fs::write(place.join("case.toml"), change(file)).expect("a case");
    let file = place.join("case.toml");
    (directory, file)
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path in Unicode")
}

#[test]
#[ignore = "needs wheels"]
fn the_corpus_is_as_expected() {
    the_corpus_is_as_expected_on(THREE);
}

fn the_corpus_is_as_expected_on(versions: &str) {
    let directory = tempfile::tempdir().expect("a directory");
    let junit = directory.path().join("results.xml");
    let corpus = shipped();
    let output =
        tritonsmith(&["replay", path(&corpus), "--triton", versions, "--junit", path(&junit), "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let summary = objects(&output, "summary").remove(0);
    let cases = [corpus.clone(), corpus.join("found")].iter().map(|directory| cases_in(directory)).sum::<u64>();
    let runs = cases * versions.split(',').count() as u64;
    assert_eq!((&summary["runs"], &summary["alarms"], &summary["inline_wrong"]), (&runs.into(), &0.into(), &0.into()));
    assert!(objects(&output, "replayed").iter().all(|replayed| replayed["change"] == "met"));
    let xml = fs::read_to_string(junit).expect("results");
    assert!(xml.contains("failures=\"0\" errors=\"0\""));
    assert!(xml.matches("<testcase ").count() as u64 >= runs + 20);
}

/// Directories right below this one that hold a case.
fn cases_in(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).expect("a directory of cases");
    entries.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().join("case.toml").exists())).count() as u64
}

#[test]
#[ignore = "needs wheels"]
fn changes_are_reported_both_ways() {
    // As if 3.6.0 compiled it, 3.9.0 broke it, and 3.2.0 failed in another way.
    let (directory, _) = corpus_with("running_sum_twice", |_| {
        "origin = 'a test'\nmodule = 'input.mlir'\ntarget = 'cuda:80'\n\n[[expect]]\ntriton = '3.6.0'\nverdict = 'ok'\n\n\
         [[expect]]\ntriton = '3.9.0'\nverdict = 'crash'\n\n[[expect]]\ntriton = '3.2.0'\nverdict = 'crash'\nmessage = \
         'something else'\n"
            .to_owned()
    });
    let root = path(directory.path());
    let output = tritonsmith(&["replay", root, "--triton", THREE, "--github", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let changes: Vec<(String, String)> = objects(&output, "replayed")
        .iter()
        .map(|replayed| (replayed["triton"].to_string(), replayed["change"].to_string()))
        .collect();
    for (version, change) in [("3.2.0", "other-failure"), ("3.6.0", "newly-failing"), ("3.9.0", "newly-fixed")] {
        assert!(changes.contains(&(format!("\"{version}\""), format!("\"{change}\""))), "{changes:?}");
    }
    let said = text(&output.stderr);
    let annotation = said.lines().find(|line| line.starts_with("::error") && line.contains("newly failing"));
    let annotation = annotation.expect("an annotation");
    assert!(annotation.contains("case.toml,line=5,title=newly failing%3A running_sum_twice on 3.6.0"), "{annotation}");
    assert!(annotation.contains("expected: ok%0A"), "{annotation}");
}

#[test]
#[ignore = "needs wheels"]
fn update_shows_the_difference_and_keeps_what_is_beside_it() {
    let (directory, file) = corpus_with("running_sum_twice", |file| {
        file.replace("3.0.0 to 3.8.0", "3.0.0 to 3.2.0").replace("origin", "# A remark.\norigin")
    });
    let root = path(directory.path());
    let output = tritonsmith(&["replay", root, "--triton", "3.2.0,3.6.0", "--update"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(shown.contains("-triton = \"3.0.0 to 3.2.0\""), "{shown}");
    let updated = fs::read_to_string(&file).expect("the case");
    assert!(updated.contains("# A remark.\norigin"), "{updated}");
    assert!(
        updated.contains("3.6.0") && updated.contains("[[expect]]\ntriton = \"3.9.0\"\nverdict = \"ok\""),
        "{updated}"
    );
    let again = tritonsmith(&["replay", root, "--triton", "3.2.0,3.6.0,3.9.0"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
}

#[test]
#[ignore = "needs wheels"]
fn a_log_becomes_a_case_in_one_command() {
    let directory = tempfile::tempdir().expect("a directory");
    let out = directory.path().join("corpus");
    let log = shipped().join("grouped_gemm_mask_reuse/stderr.log");
    let add = ["corpus", "add", path(&log), "--name", "from_log", "--out", path(&out), "--triton", "3.6.0,3.9.0"];
    let added = tritonsmith(&add);
    assert_eq!(added.status.code(), Some(0), "{}", text(&added.stderr));
    let file = fs::read_to_string(out.join("from_log/case.toml")).expect("the case");
    for part in ["target = \"cuda:87\"", "num_warps = 4", "triton = \"3.6.0\"", "pass = \"tritongpu-remove-layout"] {
        assert!(file.contains(part), "{part} in\n{file}");
    }
    assert!(out.join("from_log/stderr.log").is_file());
    let again = tritonsmith(&add);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("is there already"), "{}", text(&again.stderr));
    // A case is something that a case can be made from: a finding has the same form.
    let from = out.join("from_log");
    let other = ["corpus", "add", path(&from), "--name", "copy", "--out", path(&out), "--triton", "3.6.0,3.9.0"];
    assert_eq!(tritonsmith(&other).status.code(), Some(0));
    let replayed = tritonsmith(&["replay", path(&out), "--triton", "3.6.0,3.9.0"]);
    assert_eq!(replayed.status.code(), Some(0), "{}", text(&replayed.stderr));
}

#[test]
fn what_is_no_corpus_is_said() {
    let directory = tempfile::tempdir().expect("a directory");
    let nothing = tritonsmith(&["replay", path(directory.path())]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(text(&nothing.stderr).contains("corpus add"), "{}", text(&nothing.stderr));
    fs::write(directory.path().join("case.toml"), "origin = 'x'\n").expect("a file");
    let broken = tritonsmith(&["replay", path(directory.path())]);
    assert_eq!(broken.status.code(), Some(2));
    assert!(text(&broken.stderr).contains("is no case"), "{}", text(&broken.stderr));
}

#[test]
fn modules_that_differ_from_their_own_words_are_found_and_rewritten() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("m.mlir");
    let module = "module {\n  tt.func @f() { // expected-error: something else\n    \"t.use\"(%x) : (i32) -> ()\n    \
                  tt.return\n  }\n}\n";
    fs::write(&file, module).expect("a module");
    let found = tritonsmith(&["replay", path(directory.path())]);
    assert_eq!(found.status.code(), Some(1));
    let said = text(&found.stderr);
    assert!(said.contains("line 3: reported, but not written: operand #0 is never defined"), "{said}");
    assert!(said.contains("line 2: written, but not reported: something else"), "{said}");
    assert_eq!(tritonsmith(&["replay", path(directory.path()), "--update"]).status.code(), Some(0));
    assert_eq!(tritonsmith(&["replay", path(directory.path())]).status.code(), Some(0));
}

mod exhaustive {
    #[test]
    #[ignore = "installs every release"]
    fn the_corpus_is_as_expected() {
        super::the_corpus_is_as_expected_on(
            "3.0.0,3.1.0,3.2.0,3.3.0,3.3.1,3.4.0,3.5.0,3.5.1,3.6.0,3.7.0,3.7.1,3.8.0,3.9.0",
        );
    }
}
