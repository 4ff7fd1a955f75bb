//! A reduction that is killed, again and again, comes out as one that was left alone; and whatever moment it is killed at,
//! the best module so far is whole on disk.

use rand::{RngExt, SeedableRng};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tritonsmith::ir;

/// Keeps a function with a dot product and an exponential, and takes its time.
const SERVER: &str = "while read path; do sleep 0.004; \
    if grep -q 'tt.dot' $path && grep -q 'math.exp2' $path; then echo yes; else echo no; fi; done;";

fn input() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/seeds/attention_forward.mlir")
}

fn start(out: &Path, jobs: u32) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tritonsmith"))
        .args(["reduce", "--test-server", SERVER, "--jobs", &jobs.to_string(), "--out"])
        .arg(out)
        .arg(input())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Lets it run to its end; the result and what it said.
fn finish(child: Child, out: &Path) -> (String, String) {
    let done = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1), "{said}");
    (std::fs::read_to_string(out.join("reduced.mlir")).expect("a result"), said)
}

/// What the result says of the number of queries; where it took long, lines of progress stand before it.
fn queries(said: &str) -> &str {
    let line = said
        .lines()
        .find(|line| line.contains("queries,") && !line.starts_with("reducing:"))
        .expect("they are counted");
    line.split(" queries").next().unwrap_or_default()
}

#[test]
fn a_killed_reduction_comes_out_as_an_undisturbed_one() {
    let place = tempfile::tempdir().expect("a directory");
    let alone = place.path().join("alone");
    let (expected, said) = finish(start(&alone, 2), &alone);
    let out = place.path().join("killed");
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(7);
    for _ in 0..12 {
        let mut child = start(&out, random.random_range(1..3));
        std::thread::sleep(Duration::from_millis(random.random_range(50..900)));
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        if let Ok(text) = std::fs::read_to_string(out.join("reduced.mlir")) {
            let module = ir::parse(&text).expect("the best so far is whole");
            assert!(tritonsmith::oracle::judge(&module).is_valid());
            assert!(text.contains("tt.dot") && text.contains("math.exp2"), "{text}");
        }
    }
    let (result, resumed) = finish(start(&out, 2), &out);
    assert_eq!(result, expected);
    assert_eq!(queries(&resumed), queries(&said));
    assert!(resumed.contains("answered in an earlier run"), "{resumed}");
    let mut left: Vec<String> = std::fs::read_dir(&out)
        .expect("the directory of the results")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    left.sort();
    assert_eq!(left, ["curve.svg", "journal.txt", "reduced.mlir", "report.md"], "nothing else is left behind");
}

#[test]
fn a_journal_is_of_one_test() {
    let place = tempfile::tempdir().expect("a directory");
    let out = place.path().join("out");
    let reduce = |test: &str, extra: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_tritonsmith"))
            .args(["reduce", "--test", test, "--out"])
            .arg(&out)
            .arg(input())
            .args(extra)
            .output()
            .expect("the program runs");
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    let known = |said: String| said.contains("answered in an earlier run");
    assert!(!known(reduce("grep -q tt.dot", &[])));
    assert!(known(reduce("grep -q tt.dot", &[])), "the same again");
    assert!(!known(reduce("grep -q tt.dot", &["--fresh"])), "unless told otherwise");
    assert!(!known(reduce("grep -q math.exp2", &[])), "another test");
}
