//! Reports of the corpus' cases, made on real wheels: what they say, and that it is true.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;
use tritonsmith::compiler::NestedPass;
use tritonsmith::compiler::protocol::{Keep, Passes, PipelineRequest};
use tritonsmith::compiler::wheel::{Installation, install};
use tritonsmith::compiler::worker::{Worker, WorkerLimits};
use tritonsmith::corpus::LocatedCase;

fn corpus(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(case)
}

fn tritonsmith(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tritonsmith")).args(arguments).output().expect("the program runs")
}

fn installation(version: &str) -> Installation {
    let spec = version.parse().expect("a version");
    install(&spec, &AtomicBool::new(false), &mut |_| {}).expect("the wheel installs")
}

/// A report in a directory of its own.
struct Made {
    place: tempfile::TempDir,
    name: String,
}

impl Made {
    fn new(from: &Path, more: &[&str]) -> Made {
        let place = tempfile::tempdir().expect("a directory");
        let (from_text, out) = (from.display().to_string(), place.path().display().to_string());
        let arguments = [&["report", from_text.as_str(), "--out", out.as_str()], more].concat();
        let output = tritonsmith(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        Made { place, name: from.file_name().expect("a name").to_string_lossy().into_owned() }
    }

    fn of(case: &str, version: &str) -> Made {
        Made::new(&corpus(case), &["--triton", version])
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.place.path().join(name)).expect("a file of the report")
    }

    fn issue(&self) -> String {
        self.read("issue.md")
    }

    fn lit_test(&self) -> String {
        self.read(&format!("{}.mlir", self.name))
    }

    fn page(&self) -> String {
        self.read("report.html")
    }
}

/// The blocks of code in a text with this language.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let begin = format!("```{language}\n");
    text.split(&begin).skip(1).filter_map(|rest| rest.split("\n```").next()).collect()
}

/// An issue without what differs between machines.
fn on_any_machine(issue: &str) -> String {
    let lines = issue.lines().map(|line| match line.split_once(" as released on PyPI, with Python ") {
        Some((head, _)) => format!("{head} as released on PyPI, with Python [version] on [machine]"),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
#[ignore = "needs wheels"]
fn an_issue_and_a_lit_test_of_a_pass_that_leaves_invalid_ir() {
    let made = Made::of("branchy_scale_if_combining", "3.9.0");
    insta::assert_snapshot!("issue_invalid", on_any_machine(&made.issue()));
    insta::assert_snapshot!("lit_test_invalid", made.lit_test());
}

#[test]
#[ignore = "needs wheels"]
fn an_issue_and_a_lit_test_of_a_pass_that_crashes() {
    let made = Made::of("found/coalesce_unreachable_block", "3.6.0");
    insta::assert_snapshot!("issue_crash", on_any_machine(&made.issue()));
    insta::assert_snapshot!("lit_test_crash", made.lit_test());
}

#[test]
#[ignore = "needs wheels"]
fn what_an_issue_says_to_run_shows_the_failure() {
    for (case, version, message) in [
        ("grouped_gemm_mask_reuse", "3.6.0", "operand #0 does not dominate this use"),
        ("branchy_scale_if_combining", "3.9.0", "operand #0 does not dominate this use"),
        ("running_sum_twice", "3.6.0", "Assertion `loopResult.hasOneUse()' failed"),
    ] {
        let made = Made::of(case, version);
        let issue = made.issue();
        // As a maintainer has it: the module saved from the text, and nothing else.
        let place = tempfile::tempdir().expect("a directory");
        let module = blocks(&issue, "mlir")[0];
        std::fs::write(place.path().join("repro.mlir"), module).expect("a file");

        let own = blocks(&issue, "sh");
        let command = own.iter().find(|text| text.starts_with("tritonsmith ")).expect("a command");
        let run = Command::new("sh")
            .args(["-c", &command.replacen("tritonsmith", env!("CARGO_BIN_EXE_tritonsmith"), 1)])
            .current_dir(place.path())
            .output()
            .expect("a shell");
        let printed = String::from_utf8_lossy(&run.stdout).into_owned();
        assert_eq!(run.status.code(), Some(1), "{case}: {printed}{}", String::from_utf8_lossy(&run.stderr));
        let short = message.trim_start_matches("Assertion `").trim_end_matches("' failed");
        assert!(printed.contains(short), "{case}: {printed}");

        let program = blocks(&issue, "python")[0];
        std::fs::write(place.path().join("repro.py"), program).expect("a file");
        let run = Command::new(installation(version).python)
            .arg("repro.py")
            .current_dir(place.path())
            .output()
            .expect("the wheel's Python");
        let printed = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && printed.contains(message), "{case}: {printed}");
    }
}

#[test]
#[ignore = "needs wheels"]
fn a_lit_test_passes_where_the_bug_is_gone_and_fails_where_it_is() {
    // No wheel has `triton-opt`; every wheel from 3.4.0 on has FileCheck, and the passes run in a worker.
    let good = installation("3.9.0");
    for (case, bad) in [
        ("grouped_gemm_mask_reuse", "3.6.0"),
        ("running_sum_twice", "3.6.0"),
        ("found/coalesce_unreachable_block", "3.6.0"),
    ] {
        let made = Made::of(case, bad);
        let test = made.lit_test();
        assert!(test.contains("#ttg.blocked<") && !test.contains("triton_gpu"), "{test}");
        let located = LocatedCase::read(&corpus(case)).expect("a case");
        let compile = located.case.compile().expect("something to run");
        let flags = test.lines().next().expect("a first line");
        let flags = flags.strip_prefix("// RUN: triton-opt %s -split-input-file ").expect("a RUN line");
        let pass = flags.strip_suffix(" | FileCheck %s").and_then(|flags| flags.strip_prefix('-')).expect("one pass");
        let outcome = |version: &str| {
            let mut worker = Worker::start(&installation(version), WorkerLimits::default()).expect("a worker");
            // Versions differ in the options of a pass, and a flag without options takes each version's own.
            let question = PipelineRequest {
                target: compile.target.clone(),
                options: compile.options.clone(),
                stage: "ttgir".to_owned(),
            };
            let steps = worker.pipeline(&question).expect("a pipeline").steps;
            let step = steps
                .into_iter()
                .find(|step| NestedPass::named(&step.text)[0].name() == pass)
                .expect("the pass is there");
            let run = compile.with(Passes::Texts { texts: vec![step.text] });
            worker.run(&run.run(&test, Keep { last: true, ..Keep::default() })).expect("it runs")
        };
        assert!(!outcome(bad).is_ok(), "{case}: it runs through with {bad}");
        let outcome = outcome("3.9.0");
        assert!(outcome.is_ok(), "{case}: {}", outcome.stderr);
        let result = outcome.last_module().expect("a module");
        assert_eq!(file_check(&good, &made, result), Ok(()), "{case}");
        assert!(file_check(&good, &made, "module {\n}\n").is_err(), "{case}: it is content with nothing");
    }
}

/// Pipes a text through the FileCheck of a wheel.
fn file_check(installation: &Installation, made: &Made, text: &str) -> Result<(), String> {
    let script = "import os, sys, triton; path = os.path.join(os.path.dirname(triton.__file__), 'FileCheck'); \
                  os.execv(path, [path, sys.argv[1]])";
    let path = made.place.path().join(format!("{}.mlir", made.name));
    let mut child = Command::new(&installation.python)
        .args(["-c", script])
        .arg(path)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the wheel's Python");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    output.status.success().then_some(()).ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
#[ignore = "needs wheels"]
fn a_page_shows_both_sides_with_the_definition_and_the_use() {
    let page = Made::of("branchy_scale_if_combining", "3.9.0").page();
    for text in [
        "<mark class=\"use\">%8</mark>",
        "<mark class=\"definition\">%8</mark> = scf.if",
        "After <code>tritonamdgpu-prepare-if-combining</code>",
        "<code>arith.mulf</code>: operand #0 does not dominate this use: defined in a parent region",
    ] {
        assert!(page.contains(text), "{text} is not in\n{page}");
    }
    // The branch that moved is gone on one side and new on the other, and its value is the one that is marked on both.
    assert!(page.contains("<mark class=\"definition\">%3</mark> = scf.if"), "{page}");
    // The process dies over this one.
    let crashed = Made::of("running_sum_twice", "3.2.0").page();
    assert!(crashed.contains("The pass crashes: there is no module after it."), "{crashed}");
    assert!(crashed.contains("Assertion `loopResult.hasOneUse()' failed"), "{crashed}");
}

#[test]
#[ignore = "needs wheels"]
fn a_page_marks_what_the_message_of_a_crash_is_about() {
    let page = Made::of("found/amd_pipeline_indirect_load", "3.6.0").page();
    for text in ["<mark class=\"use\">%2 = tt.load %arg5", "<mark class=\"use\">%3 = ttg.convert_layout %2"] {
        assert!(page.contains(text), "{text} is not in\n{page}");
    }
}

#[test]
#[ignore = "needs wheels"]
fn what_a_finding_says_cannot_become_part_of_a_page() {
    let place = tempfile::tempdir().expect("a directory");
    let case = place.path().join("x<img src=y>");
    std::fs::create_dir(&case).expect("a directory");
    let original = corpus("found/coalesce_unreachable_block");
    let evil = "</style></pre><script>alert(1)</script>";
    let text = std::fs::read_to_string(original.join("case.toml")).expect("a case");
    let text = text.replace("origin = \"", &format!("origin = \"{evil} "));
    std::fs::write(case.join("case.toml"), text).expect("a file");
    std::fs::copy(original.join("input.mlir"), case.join("input.mlir")).expect("a file");
    std::fs::write(case.join("kernel.py"), evil).expect("a file");
    std::fs::write(case.join("curve.svg"), format!("<svg>{evil}</svg>")).expect("a file");
    let pages = [Made::new(&case, &[]).page(), Made::new(place.path(), &[]).page()];
    for page in pages {
        assert!(page.contains("<style>") && !page.contains("<script") && !page.contains("<img src=y"), "{page}");
        assert!(!["http://", "https://", "url("].iter().any(|sign| page.contains(sign)), "{page}");
    }
}

#[test]
#[ignore = "needs wheels"]
fn versions_are_run_when_they_are_named() {
    let made = Made::new(
        &corpus("found/coalesce_unreachable_block"),
        &["--triton", "3.6.0", "--versions", "3.2.0,3.6.0,3.9.0"],
    );
    let issue = made.issue();
    let table: Vec<&str> = issue.lines().filter(|line| line.starts_with("| 3.")).collect();
    let words: Vec<Vec<&str>> = table.iter().map(|line| line.split(" | ").take(2).collect()).collect();
    assert_eq!(words, [["| 3.2.0", "fails"], ["| 3.6.0", "fails"], ["| 3.9.0", "good"]]);
}

#[test]
#[ignore = "needs wheels"]
fn several_findings_get_a_page_over_all_of_them_and_machines_a_line_for_each() {
    let out = tempfile::tempdir().expect("a directory");
    let (from, to) = (corpus("found").display().to_string(), out.path().display().to_string());
    let output = tritonsmith(&["report", &from, "--out", &to, "--triton", "3.6.0", "--format", "json"]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let objects: Vec<serde_json::Value> =
        printed.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let page = std::fs::read_to_string(out.path().join("report.html")).expect("a page");
    let reported: Vec<&serde_json::Value> = objects.iter().filter(|object| object["event"] == "reported").collect();
    assert!(reported.len() >= 2, "{printed}");
    for object in &reported {
        let name = object["finding"].as_str().expect("a name");
        assert!(page.contains(&format!("<a href=\"{name}/report.html\">")), "{name} is not in\n{page}");
        let own = std::fs::read_to_string(out.path().join(name).join("report.html")).expect("a page");
        assert!(own.contains("<a href=\"../report.html\">"), "{name} does not lead back");
    }
    let last = objects.last().expect("an object");
    assert_eq!((last["event"].as_str(), last["reported"].as_u64()), (Some("overview"), Some(reported.len() as u64)));
}

#[test]
#[ignore = "needs wheels"]
fn every_finding_is_reported_as_the_bug_that_it_is() {
    let out = tempfile::tempdir().expect("a directory");
    let (from, to) = (corpus("found").display().to_string(), out.path().display().to_string());
    let output = tritonsmith(&["report", &from, "--out", &to, "--format", "json"]);
    // One that now fails in another way than its case says is refused, and counts as not reported.
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let reported = printed.lines().filter(|line| line.contains("\"reported\""));
    let titles: Vec<String> = reported
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()?["title"].as_str().map(str::to_owned))
        .collect();
    assert!(titles.len() >= 14 && titles.iter().all(|title| title.chars().count() <= 80), "{titles:#?}");
}

#[test]
#[ignore = "needs wheels"]
fn a_case_that_does_not_fail_is_said_to_be_fine() {
    let from = corpus("running_softmax_carry").display().to_string();
    let out = tempfile::tempdir().expect("a directory");
    let out = out.path().display().to_string();
    let output = tritonsmith(&["report", &from, "--out", &out]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("names no version that fails"), "{said}");
    let output = tritonsmith(&["report", &from, "--out", &out, "--triton", "3.6.0"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("does nothing wrong with it (ok)"), "{said}");
}
