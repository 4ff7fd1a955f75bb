//! The forms in which modules come: real dumps of three versions, files written by hand, files of several modules, and
//! what the log says around them.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::Path;

use tritonsmith::compiler::diagnostic::{DiagnosticKind, Diagnostics, FailureKind, normalise};
use tritonsmith::compiler::ingest::{AssemblyForm, IngestError, Ingested, Missing, ModuleRole, ingest};

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn take(text: &str) -> Ingested {
    ingest(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn roles(found: &Ingested) -> Vec<String> {
    found.modules.iter().map(|module| module.role.to_string()).collect()
}

const FUNCTION: &str = "  tt.func @f(%arg0: i32) {\n    tt.return\n  }\n";

#[test]
fn a_dump_of_3_2_0_that_ends_in_an_assertion() {
    let found = take(&read("tests/ingest/dump_3.2.0_assertion.log"));
    assert_eq!(
        roles(&found),
        ["dump before TritonGPURemoveLayoutConversions", "dump before TritonGPUOptimizeThreadLocality"]
    );
    // No note names the pass, and the process is gone: the last dump is the failing pass's.
    let failure = found.failure.as_ref().unwrap();
    assert_eq!(failure.kind, FailureKind::Assertion);
    assert_eq!(failure.pass.as_ref().unwrap().to_string(), "TritonGPUOptimizeThreadLocality on builtin.module");
    assert_eq!(found.chosen, 1);
    assert!(found.chosen().text.starts_with("#blocked = #triton_gpu.blocked<"));
    assert!(found.chosen().text.trim_end().lines().next_back().unwrap().starts_with("#loc"));
    assert_eq!(found.target.unwrap().to_string(), "cuda:80");
    assert_eq!(found.missing, [Missing::NumStages, Missing::TritonVersion]);
}

#[test]
fn a_dump_of_3_6_0_whose_crash_was_caught() {
    let found = take(&read("tests/ingest/dump_3.6.0_caught.log"));
    // Printed once when the signal came and once when the pass manager gave up. The quoted `module {` is no third module.
    assert_eq!(roles(&found), ["dump before TritonGPUOptimizeThreadLocality", "reproducer", "reproducer"]);
    assert_eq!(found.modules[1].text, found.modules[2].text);
    assert_eq!(found.chosen, 1);
    let failure = found.failure.unwrap();
    assert_eq!((failure.kind, failure.message.as_str()), (FailureKind::Assertion, "loopResult.hasOneUse()"));
    assert_eq!(found.num_stages, Some(2));
}

#[test]
fn a_dump_of_3_9_0_with_what_the_failing_pass_left_behind() {
    let found = take(&read("tests/ingest/dump_3.9.0_failed.log"));
    assert_eq!(
        roles(&found),
        [
            "dump before ConvertTritonToTritonGPU",
            "dump before TritonAMDGPUPrepareIfCombining",
            "reproducer",
            "dump after the failing TritonAMDGPUPrepareIfCombining"
        ]
    );
    let forms: Vec<AssemblyForm> = found.modules.iter().map(|module| module.form).collect();
    assert_eq!(forms, [AssemblyForm::Custom, AssemblyForm::Custom, AssemblyForm::Custom, AssemblyForm::Generic]);
    assert!(found.modules[3].text.contains("}) {\"ttg.num-ctas\" = 1 : i32"));
    let ModuleRole::DumpBefore(dumped) = &found.modules[0].role else { panic!() };
    assert_eq!(dumped.pass.as_ref().unwrap().option("target"), Some("hip:gfx942"));
    let ModuleRole::DumpBefore(dumped) = &found.modules[1].role else { panic!() };
    assert_eq!(dumped.on.as_ref().unwrap().symbol.as_deref(), Some("branchy_scale"));
    let failure = found.failure.as_ref().unwrap();
    assert_eq!(failure.location.as_ref().unwrap().line, 24);
    assert_eq!(found.diagnostics.entries[0].notes[0].message, "operand defined here (op in a parent region)");
}

#[test]
fn without_a_reproducer_the_dump_before_the_failing_pass_is_taken() {
    let log = read("tests/ingest/dump_3.9.0_failed.log");
    let (start, end) = (log.find("\n{-#").unwrap(), log.find("#-}\n").unwrap() + 4);
    let found = take(&format!("{}{}", &log[..start], &log[end..]));
    assert_eq!(found.chosen().role.to_string(), "dump before TritonAMDGPUPrepareIfCombining");
    assert!(found.notes.iter().any(|note| note.contains("just before the failing pass")), "{:?}", found.notes);
    // The headers of 3.9.0 have the options.
    assert_eq!((found.num_warps, found.pipeline), (Some(4), None));
}

#[test]
fn a_dump_wrapped_by_a_terminal() {
    for dump in ["dump_3.2.0_assertion", "dump_3.6.0_caught", "dump_3.9.0_failed"] {
        let log = read(&format!("tests/ingest/{dump}.log"));
        let clean = take(&log);
        for width in [80, 100, 120, 132, 200] {
            let mut wrapped = String::new();
            for line in log.lines() {
                let pieces: Vec<&str> =
                    (0..=line.len() / width).map(|at| &line[at * width..line.len().min((at + 1) * width)]).collect();
                let last = pieces.iter().rposition(|piece| !piece.is_empty()).unwrap_or(0);
                pieces[..=last].iter().for_each(|piece| wrapped.extend([piece, "\n"]));
            }
            let found = take(&wrapped);
            for (clean, found) in clean.modules.iter().zip(&found.modules) {
                assert_eq!(clean.text, found.text, "{dump} at {width}");
                assert_eq!(clean.role, found.role);
            }
            assert_eq!(clean.pipeline, found.pipeline);
            assert_eq!(
                clean.failure.as_ref().map(|failure| &failure.pass),
                found.failure.as_ref().map(|failure| &failure.pass)
            );
        }
    }
}

#[test]
fn files_written_by_hand() {
    // Aliases apart from the module and over several lines, comments, an operation over several lines.
    let text = "// RUN: triton-opt %s | FileCheck %s\n\n#a = #ttg.blocked<{sizePerThread = [1],\n  order = [0]}>\n\n\
                // A comment.\nmodule {\n  tt.func @f(%a: i32,\n             %b: i32) {\n    // { unbalanced\n    tt.return\n  }\n}\n";
    let found = take(text);
    assert_eq!(found.chosen().text, text[text.find("#a").unwrap()..]);
    assert_eq!(found.chosen().line_map[0], 3);

    // Functions without a module, as MLIR accepts them; several files in one.
    let functions = "#b = #ttg.x<{}>\ntt.func @f() {\n  tt.return\n}\n\n// CHECK\ntt.func @g() {\n  tt.return\n}\n";
    let found = take(&format!("// RUN\n{functions}\n// -----\n\n{functions}"));
    assert_eq!(found.modules.len(), 2);
    assert_eq!(found.modules[0].text, functions);
    assert_eq!(found.modules[1].text, functions);

    // A module inside a module is not a second one.
    let nested = format!("module @outer {{\n  module @inner {{\n{FUNCTION}  }}\n}}\n");
    assert_eq!(take(&nested).modules.len(), 1);
}

#[test]
fn resources_that_a_module_needs_stay_with_it() {
    let resources = "\n{-#\n  dialect_resources: {\n    builtin: {\n      blob: \"0x08000000\"\n    }\n  }\n#-}\n";
    let text = format!("module {{\n{FUNCTION}}}\n{resources}");
    let found = take(&text);
    assert_eq!(found.chosen().text, text);
    assert_eq!(found.chosen().role, ModuleRole::Plain);
}

#[test]
fn a_reproducer_that_breaks_off() {
    let text = format!(
        "module {{\n{FUNCTION}}}\n\n{{-#\n  external_resources: {{\n    mlir_reproducer: {{\n      pipeline: \"builtin.module(cse, canon"
    );
    let found = take(&text);
    assert_eq!(found.chosen().role, ModuleRole::Reproducer);
    assert_eq!(found.pipeline_text.as_deref(), Some("builtin.module(cse, canon"));
    assert_eq!(found.pipeline, None);
    assert!(found.notes.iter().any(|note| note.contains("byte 25")), "{:?}", found.notes);
}

#[test]
fn a_module_that_breaks_off_beside_a_whole_one() {
    let whole = format!("module {{\n{FUNCTION}}}\n");
    let found = take(&format!("module {{\n  tt.func @g() {{\n{whole}Traceback (most recent call last):\n"));
    assert_eq!(found.modules.len(), 1);
    assert!(
        found.notes.iter().any(|note| note.contains("begins in line 1 is cut off after line 2")),
        "{:?}",
        found.notes
    );
    let error = ingest(b"x\nmodule {\n  tt.func @f() {\nTraceback (most recent call last):\n  File\n").unwrap_err();
    assert_eq!(error, IngestError::Truncated { begins: 2, ends: 3, open: 2 });
}

#[test]
fn attributes_are_believed_before_the_pipeline() {
    let text = format!(
        "module attributes {{\"ttg.num-warps\" = 8 : i32, ttg.target = \"cuda:90\"}} {{\n{FUNCTION}}}\n\n{{-#\n  external_resources: {{\n    \
         mlir_reproducer: {{\n      pipeline: \"builtin.module(convert-triton-to-tritongpu{{num-warps=4 target=cuda:80 \
         threads-per-warp=32}}, tritongpu-pipeline{{num-stages=3}})\"\n    }}\n  }}\n#-}}\n"
    );
    let found = take(&text);
    assert_eq!((found.num_warps, found.num_stages), (Some(8), Some(3)));
    assert_eq!(found.target.unwrap().to_string(), "cuda:90");
    for part in ["target is cuda:80", "warps is 4"] {
        assert!(found.notes.iter().any(|note| note.contains(part)), "{:?}", found.notes);
    }
}

#[test]
fn versions_are_taken_from_the_text_around() {
    let module = format!("module {{\n{FUNCTION}}}\n");
    for around in
        ["torch==2.9.0\ntriton==3.5.1\n", "Triton version: 3.5.1\n", "  File \"/x/triton-3.5.1/a.py\", line 1\n"]
    {
        assert_eq!(take(&format!("{around}{module}")).triton_version.as_deref(), Some("3.5.1"), "{around}");
    }
}

#[test]
fn diagnostics_of_old_and_new_versions() {
    let text = "\
loc(\"/x/fwd.py\":262:24): error: operand #0 does not dominate this use
loc(callsite(\"k\"(\"/x/a.py\":3:4) at \"/x/b.py\":9:9)): warning: slow
C:\\x\\gemm.py:47:0: error: 'tt.load' op bad
    x = tl.load(p)
    ^~~~
C:\\x\\gemm.py:40:1: note: operand defined here
<unknown>:0: remark: hm
error: plain
python: /p/lib/Pass.cpp:517: void a::b(): Assertion `x && \"y\"' failed.
Assertion failed: (a->b), function get, file Support.h, line 142.
LLVM ERROR: operation destroyed but still has uses
bad kind
UNREACHABLE executed at /p/lib/Utility.cpp:33!
PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/
Stack dump:
0.\tProgram arguments: x
 #0 0x01 f
Fatal Python error: Segmentation fault
Traceback (most recent call last):
  File \"a.py\", line 1, in <module>
    raise error: x
RuntimeError: PassManager::run failed
";
    let read = Diagnostics::parse(text);
    let seen: Vec<String> = read
        .entries
        .iter()
        .map(|entry| {
            let place =
                entry.location.as_ref().map(|place| format!("{}:{}:{:?}", place.file, place.line, place.column));
            format!("{} {:?} {} {}", entry.line, entry.kind, place.unwrap_or_default(), entry.message)
        })
        .collect();
    assert_eq!(
        seen,
        [
            "1 Error /x/fwd.py:262:Some(24) operand #0 does not dominate this use",
            "2 Warning /x/a.py:3:Some(4) slow",
            "3 Error C:\\x\\gemm.py:47:Some(0) 'tt.load' op bad",
            "7 Remark  hm",
            "8 Error  plain",
            "9 Assertion /p/lib/Pass.cpp:517:None x && \"y\"",
            "10 Assertion Support.h:142:None a->b",
            "11 FatalError  operation destroyed but still has uses",
            "13 Unreachable /p/lib/Utility.cpp:33:None bad kind",
            "14 StackDump  PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/",
            "18 Signal  Fatal Python error: Segmentation fault",
            "22 PythonException  RuntimeError: PassManager::run failed",
        ]
    );
    assert_eq!(read.entries[2].source, ["    x = tl.load(p)"]);
    assert_eq!(read.entries[2].notes[0].line, 6);
    assert_eq!(read.entries[9].source.len(), 3);
    assert_eq!(read.failure().unwrap().kind, FailureKind::Verifier);
    assert_eq!(read.all().filter(|entry| entry.kind == DiagnosticKind::Note).count(), 1);
}

#[test]
fn failures_of_every_kind() {
    let closing = "a.py:7:0: error: Failures have been detected while processing an MLIR pass pipeline\n\
                   a.py:7:0: note: Pipeline failed while executing [`A` on 'builtin.module' operation]: reproducer generated\n";
    for (text, kind, normalised, pass) in [
        (
            "a.py:1:2: error: operand #1 does not dominate this use\n",
            FailureKind::Verifier,
            "operand #_ does not dominate this use",
            true,
        ),
        (
            "a.py:1:2: error: unsupported target: 'gfx906'\n",
            FailureKind::PassError,
            "unsupported target: 'gfx906'",
            true,
        ),
        ("p: /a/B.cpp:1: f(): Assertion `x' failed.\n", FailureKind::Assertion, "x in B.cpp", true),
        ("LLVM ERROR: cannot select %5\n", FailureKind::FatalError, "cannot select %_", true),
        (
            "a.py:1:2: error: 'tt.x' op operation destroyed but still has uses\nLLVM ERROR: operation destroyed but still has uses\n",
            FailureKind::FatalError,
            "'tt.x' op operation destroyed but still has uses",
            true,
        ),
        (
            "a:1:1: error: A signal was caught while processing the MLIR module:x; marking pass as failed\n",
            FailureKind::Signal,
            "signal",
            true,
        ),
        ("", FailureKind::Unexplained, "no message", true),
    ] {
        let failure = Diagnostics::parse(&format!("{text}{closing}")).failure().unwrap();
        assert_eq!((failure.kind, failure.normalised.as_str()), (kind, normalised), "{text}");
        assert_eq!(failure.pass.is_some(), pass, "{text}");
        assert_eq!(normalise(&failure.normalised), failure.normalised);
    }
    assert_eq!(Diagnostics::parse("a.py:1:2: warning: slow\nValueError: x\n").failure(), None);
    // Of two failures in one log the first is reported.
    let two = format!(
        "a.py:1:2: error: 'tt.a' op one\n{closing}a.py:1:2: error: 'tt.b' op two\n{}",
        closing.replace("`A`", "`B`")
    );
    let read = Diagnostics::parse(&two);
    assert_eq!(read.failure().unwrap().message, "'tt.a' op one");
    assert_eq!(read.failure().unwrap().pass.unwrap().name, "A");
}
