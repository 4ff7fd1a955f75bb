//! Logs as people paste them: whatever happened to the text on the way, the same module, pipeline, failing pass, target,
//! warps and stages come out as from the undamaged log.
//!
//! The damage is made here by code, from the shipped logs; `tests/ingest/` holds excerpts of real dumps.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::BTreeSet;
use std::path::Path;

use tritonsmith::compiler::PassName;
use tritonsmith::compiler::diagnostic::Diagnostics;
use tritonsmith::compiler::ingest::{AssemblyForm, IngestError, Ingested, Missing, ModuleRole, ingest, ingest_failure};

const CASES: [&str; 3] = ["grouped_gemm_mask_reuse", "running_sum_twice", "branchy_scale_if_combining"];
const WIDTHS: [usize; 5] = [80, 100, 120, 132, 200];

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn log(case: &str) -> String {
    read(&format!("corpus/{case}/stderr.log"))
}

/// Everything that must not depend on damage.
#[derive(Debug, PartialEq)]
struct Essence {
    module: String,
    role: ModuleRole,
    pipeline: String,
    pass: Option<String>,
    normalised: Option<String>,
    target: Option<String>,
    numbers: [Option<u32>; 4],
}

fn essence(found: &Ingested) -> Essence {
    Essence {
        module: found.chosen().text.clone(),
        role: found.chosen().role.clone(),
        pipeline: found.pipeline.as_ref().map(ToString::to_string).unwrap_or_default(),
        pass: found.failure.as_ref().and_then(|failure| failure.pass.as_ref()).map(ToString::to_string),
        normalised: found.failure.as_ref().map(|failure| failure.normalised.clone()),
        target: found.target.as_ref().map(ToString::to_string),
        numbers: [found.num_warps, found.num_ctas, found.threads_per_warp, found.num_stages],
    }
}

fn take(text: &str) -> Ingested {
    ingest(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What differs from the undamaged log, with the notes that the reader left.
fn difference(case: &str, damage: &str, damaged: &str) -> Option<String> {
    let expected = essence(&take(&log(case)));
    let found = match ingest(damaged.as_bytes()) {
        Ok(found) => found,
        Err(error) => return Some(format!("{case}, {damage}: {error}")),
    };
    let text = |essence: &Essence| format!("{}{essence:#?}", essence.module);
    let (expected, essence) = (text(&expected), text(&essence(&found)));
    (expected != essence).then(|| {
        let diff = similar::TextDiff::from_lines(&expected, &essence);
        format!("{case}, {damage}: {:?}\n{}", found.notes, diff.unified_diff().context_radius(1))
    })
}

#[track_caller]
fn none(differences: Vec<Option<String>>) {
    let (all, found) = (differences.len(), differences.into_iter().flatten().collect::<Vec<_>>());
    let shown = found.iter().take(5).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(found.is_empty(), "{} of {all} differ\n{shown}", found.len());
}

/// Breaks every line after `width` characters, as a terminal does.
fn wrap(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let characters: Vec<char> = line.chars().collect();
        for piece in characters.chunks(width) {
            out.extend(piece);
            out.push('\n');
        }
        if characters.is_empty() {
            out.push('\n');
        }
    }
    out
}

/// Breaks lines at the last blank that fits; the blank goes.
fn wrap_words(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut rest = line;
        while rest.len() > width {
            let indent = rest.len() - rest.trim_start().len();
            let Some(at) = rest[..=width].rfind(' ').filter(|at| *at > indent) else { break };
            out.push_str(&rest[..at]);
            out.push('\n');
            rest = &rest[at + 1..];
        }
        out.push_str(rest);
        out.push('\n');
    }
    out
}

fn prefix(text: &str, prefix: impl Fn(usize) -> String) -> String {
    text.lines().enumerate().map(|(index, line)| format!("{}{line}\n", prefix(index))).collect()
}

fn trim_ends(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn colour(text: &str) -> String {
    text.lines()
        .map(|line| format!("\u{1b}[0;31m{}\u{1b}[0m\n", line.replacen("tt.", "\u{1b}[1mtt\u{1b}[22m.", 1)))
        .collect()
}

fn entities(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The prefix of the line with an index.
type Prefix = fn(usize) -> String;

const PREFIXES: [(&str, Prefix); 7] = [
    ("worker", |_| "(worker pid=123) ".to_owned()),
    ("ray", |_| "(BenchmarkWorker pid=726) ".to_owned()),
    ("torchrun", |_| "[rank0]: ".to_owned()),
    ("vllm", |index| {
        format!("(EngineCore_0 pid=99) ERROR 09-05 13:59:{:02} [core.py:{}] ", (50 + index / 9) % 60, 700 + index / 50)
    }),
    ("iso", |index| format!("2025-11-03T09:14:55.{:06}Z my.logger-3 INFO: ", index * 911 % 1_000_000)),
    ("quoted", |_| "> ".to_owned()),
    ("listing", |index| format!("{:>5}  ", index + 1)),
];

#[test]
fn the_clean_logs_give_what_their_readme_says() {
    for (case, pass, target, line, kind) in [
        ("grouped_gemm_mask_reuse", "TritonGPURemoveLayoutConversions on builtin.module", "cuda:87", 7, "Verifier"),
        ("running_sum_twice", "TritonGPUOptimizeThreadLocality on builtin.module", "cuda:80", 2, "Assertion"),
        (
            "branchy_scale_if_combining",
            "TritonAMDGPUPrepareIfCombining on tt.func @branchy_scale",
            "hip:gfx942",
            9,
            "Verifier",
        ),
    ] {
        let found = take(&log(case));
        assert_eq!(found.chosen().role, ModuleRole::Reproducer);
        assert_eq!(found.chosen().form, AssemblyForm::Custom);
        assert_eq!(found.chosen().line_map[0], line, "{case}");
        let failure = found.failure.as_ref().unwrap();
        assert_eq!(failure.pass.as_ref().unwrap().to_string(), pass);
        assert_eq!(format!("{:?}", failure.kind), kind);
        assert_eq!(found.target.as_ref().unwrap().to_string(), target);
        let stages = if case == "running_sum_twice" { 3 } else { 2 };
        assert_eq!((found.num_warps, found.num_ctas, found.num_stages), (Some(4), Some(1), Some(stages)));
        assert_eq!(found.missing, [Missing::TritonVersion]);
        let lines = found.chosen().text.lines().count();
        assert_eq!(lines, found.chosen().line_map.len());
    }
    // Triton prints the module as it was before the pass manager: for NVIDIA, the shipped input itself.
    for case in ["grouped_gemm_mask_reuse", "running_sum_twice"] {
        assert_eq!(take(&log(case)).chosen().text, read(&format!("corpus/{case}/input.mlir")), "{case}");
    }
}

#[test]
fn a_whole_log_read_at_once_tells_the_same_failure() {
    // As a worker reads the stderr of one run, modules and all.
    for case in CASES {
        let log = log(case);
        let (at_once, found) = (Diagnostics::parse(&log), take(&log));
        assert_eq!(at_once.failure(), found.failure);
        assert_eq!(at_once, found.diagnostics);
    }
}

#[test]
fn plain_modules_come_out_as_they_went_in() {
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")).unwrap() {
        let Ok(text) = std::fs::read_to_string(entry.unwrap().path().join("input.mlir")) else { continue };
        let found = take(&text);
        assert_eq!(found.chosen().text, text);
        assert_eq!(found.chosen().role, ModuleRole::Plain);
        assert_eq!(found.failure, None);
        let expected: Vec<u32> = (1..=text.lines().count() as u32).collect();
        assert_eq!(found.chosen().line_map, expected);
    }
}

#[test]
fn line_ends_colours_fences_quotes_and_entities() {
    let mut differences = Vec::new();
    for case in CASES {
        let log = log(case);
        differences.push(difference(case, "CRLF", &log.replace('\n', "\r\n")));
        differences.push(difference(case, "colours", &colour(&log)));
        differences.push(difference(case, "fence", &format!("It fails:\n\n```mlir\n{log}```\n\nWhat now?\n")));
        differences.push(difference(case, "indented", &prefix(&log, |_| "    ".to_owned())));
        differences.push(difference(case, "entities", &entities(&log)));
        differences.push(difference(case, "twice encoded", &entities(&entities(&log))));
        differences.push(difference(case, "page", &format!("<pre><code class=\"x\">{}</code></pre>", entities(&log))));
        differences.push(difference(case, "no-break spaces", &log.replace("  ", "\u{a0}\u{a0}")));
        differences.push(difference(case, "no end of line", log.trim_end()));
    }
    none(differences);
}

#[test]
fn prefixes() {
    let mut differences = Vec::new();
    for case in CASES {
        for (name, make) in PREFIXES {
            let damaged = prefix(&log(case), make);
            differences.push(difference(case, name, &damaged));
            differences.push(difference(case, &format!("{name}, ends trimmed"), &trim_ends(&damaged)));
        }
        differences.push(difference(case, "quoted twice", &prefix(&log(case), |_| "> > ".to_owned())));
    }
    none(differences);
}

#[test]
fn wraps_at_an_exact_width() {
    let mut differences = Vec::new();
    for case in CASES {
        for width in WIDTHS {
            differences.push(difference(case, &format!("{width} columns"), &wrap(&log(case), width)));
            differences.push(difference(
                case,
                &format!("{width} columns, ends trimmed"),
                &trim_ends(&wrap(&log(case), width)),
            ));
        }
    }
    none(differences);
}

#[test]
fn wraps_at_every_width_never_change_the_module() {
    let mut differences = Vec::new();
    for case in CASES {
        for width in 60..260 {
            differences.push(difference(case, &format!("{width} columns"), &wrap(&log(case), width)));
        }
    }
    none(differences);
}

#[test]
fn wraps_at_blanks() {
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for case in CASES {
        for width in WIDTHS {
            let (clean, found) = (take(&log(case)), take(&wrap_words(&log(case), width)));
            let (mut clean, mut found) = (essence(&clean), essence(&found));
            clean.module = squeeze(&clean.module);
            found.module = squeeze(&found.module);
            if clean != found {
                let (a, b) = (clean.module.replace(' ', "\n"), found.module.replace(' ', "\n"));
                let diff = similar::TextDiff::from_lines(&a, &b);
                panic!("{case} at {width}: {}\n{clean:?}\n{found:?}", diff.unified_diff());
            }
        }
    }
}

#[test]
fn prefixes_before_and_after_wrapping() {
    let mut differences = Vec::new();
    for case in CASES {
        for (name, make) in PREFIXES {
            for width in WIDTHS {
                let first = wrap(&prefix(&log(case), make), width);
                differences.push(difference(case, &format!("{name}, then {width} columns"), &first));
                let last = prefix(&wrap(&log(case), width), make);
                differences.push(difference(case, &format!("{width} columns, then {name}"), &last));
            }
        }
    }
    none(differences);
}

#[test]
fn everything_at_once() {
    let mut differences = Vec::new();
    for case in CASES {
        let damaged = wrap(&prefix(&log(case), |_| "(worker pid=123) ".to_owned()), 120);
        let damaged = prefix(&colour(&damaged), |_| "> ".to_owned());
        let damaged = entities(&format!("Look:\n> ```\n{damaged}> ```\nThanks & bye\n")).replace('\n', "\r\n");
        differences.push(difference(case, "prefix, wrap, colour, quote, fence, entities, CRLF", &damaged));
    }
    none(differences);
}

#[test]
fn two_ranks_that_fail_at_once() {
    let mut differences = Vec::new();
    for case in CASES {
        let mixed: String = log(case).lines().map(|line| format!("[rank0]: {line}\n[rank1]: {line}\n")).collect();
        differences.push(difference(case, "two ranks", &mixed));
    }
    none(differences);
}

#[test]
fn output_of_others_inside_a_module_is_left_out() {
    let mut differences = Vec::new();
    for case in CASES {
        let log = log(case);
        let mut lines: Vec<&str> = log.lines().collect();
        lines.insert(25, "[W1103 09:14:55.000 socket.cpp:464] Warning: something else entirely (function operator())");
        let damaged = lines.join("\n");
        differences.push(difference(case, "a foreign line", &damaged));
        assert!(take(&damaged).notes.iter().any(|note| note.contains("line 26")));
    }
    none(differences);
}

#[test]
fn what_is_no_log_gets_a_sentence() {
    assert_eq!(ingest(b"").unwrap_err(), IngestError::Empty);
    assert_eq!(ingest(b" \r\n\n").unwrap_err(), IngestError::Empty);
    assert!(matches!(ingest(b"module {\n\0\0").unwrap_err(), IngestError::Binary { offset: 9, .. }));
    let log = log("grouped_gemm_mask_reuse");
    let traceback = &log[log.find("Traceback").unwrap()..];
    let error = ingest(traceback.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("RuntimeError: PassManager::run failed") && error.contains("MLIR_ENABLE_DUMP"), "{error}");
    let error = ingest(b"hello").unwrap_err().to_string();
    assert!(error.contains("nothing in it looks like one") && error.contains(".mlir"), "{error}");
    let cut: Vec<&str> = log.lines().take(60).collect();
    let error = ingest(cut.join("\n").as_bytes()).unwrap_err();
    assert!(matches!(error, IngestError::Truncated { begins: 7, ends: 60, open: 2 }), "{error:?}");
}

#[test]
fn every_pass_of_the_wheels_is_found_by_its_other_name() {
    // From the dump headers of make_ttir, make_ttgir and make_llir, 3.2.0 to 3.9.0, both vendors.
    let names = read("tests/ingest/pass_names.txt");
    let pairs: Vec<(&str, &str)> = names.lines().filter_map(|line| line.split_once(' ')).collect();
    let commands: BTreeSet<&str> = pairs.iter().map(|(_, command)| *command).collect();
    let mut wrong = Vec::new();
    for (class, command) in pairs {
        for other in &commands {
            let same = PassName(command).same_as(other);
            if PassName(class).same_as(other) != same {
                wrong.push(format!("{class}: {command}, and {other}"));
            }
        }
        let found = PassName(class).find_in(commands.iter().copied());
        let found: Vec<&str> =
            commands.iter().enumerate().filter(|(at, _)| found.contains(at)).map(|(_, name)| *name).collect();
        if found != [command] {
            wrong.push(format!("{class}: {command}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What launchers, loggers and services write before a line, `%` for a number that grows.
const LAUNCHERS: [&str; 44] = [
    "2026-04-24T06:46:09.%Z ",
    "build (3.12, h100)\tRun tests\t2026-04-24T06:46:09.%Z ",
    "server-1  | ",
    "[pod/server-7c9f-abcde/main] ",
    "2026-11-30T12:00:00.%Z stderr F ",
    "[default3]:",
    "[rank3]: ",
    "[rank6]:E1211 16:33:14.602000 1463070 site-packages/a/_b/runtime/heuristics.py:%] [0/0] ",
    "E1211 16:33:14.602000 1463070 a/_b/select.py:1905] [15/4] ",
    "(Core_DP0 pid=777277) ERROR 12-17 14:09:07 [core.py:845] ",
    "(Worker rank=7 pid=2605744) ERROR 05-05 17:03:35 [executor.py:470] ",
    "\u{1b}[1;36m(Worker rank=7 pid=2605744)\u{1b}[0;0m ERROR 05-05 17:03:35 [executor.py:470] ",
    "Nov 30 12:00:01 gpu07 server[4242]: ",
    "3: ",
    " 3: ",
    "2026-11-30 12:00:01,123 - a.worker - ERROR - ",
    "2026-11-30 12:00:01.123 | ERROR    | __main__:run:42 - ",
    "ERROR 2026-11-30T12:00:00.123Z [resource.labels.containerName: main] ",
    "> ",
    "> > ",
    ">",
    "    ",
    "%\t",
    "%: ",
    "% | ",
    "+",
    "[gw3] ",
    "(Wrapper pid=726, ip=10.0.0.3) ",
    "\u{1b}[36m(Wrapper pid=726, ip=10.0.0.3)\u{1b}[0m ",
    "2026-04-24T06:46:09.%Z 01O ",
    "[2026-11-30T12:00:01.123Z] ",
    "\u{1b}_bk;t=1700000000%\u{7}",
    "[2026-11-30T12:00:01Z] (Core pid=532929) ",
    "Nov 30 12:00:01.123456 gpu07 python3[4242]: ",
    "2026-11-30T12:00:01.123456+00:00 app[worker.1]: ",
    "Nov 30  12:00:01.123  ",
    "26/11/30 12:00:01 ERROR TaskManager: ",
    "[1,3]<stderr>:",
    "gpu07: ",
    "[rank3]:[W1130 12:00:01.000 host.cpp:12] ",
    "[2026-11-30 12:00:01 TP3] ",
    "[2026-11-30 12:00:01 DP0 TP3 EP3] ",
    "[2026-11-30 12:00:01.123] ",
    "#12 8.123 ",
];

#[test]
fn every_launchers_prefix() {
    let mut differences = Vec::new();
    for case in CASES {
        for launcher in LAUNCHERS {
            let damaged = prefix(&log(case), |index| launcher.replace('%', &format!("{:03}", index + 100)));
            differences.push(difference(case, launcher, &damaged));
        }
    }
    none(differences);
}

/// Everything but the blanks in it.
fn squeezed(found: &Ingested) -> Essence {
    let mut essence = essence(found);
    essence.module = essence.module.split_whitespace().collect::<Vec<_>>().join(" ");
    essence
}

/// Each line as it is, but for what `f` makes of it.
fn lines(log: &str, f: impl Fn(usize, &str) -> String) -> String {
    log.lines().enumerate().map(|(index, line)| format!("{}\n", f(index, line))).collect()
}

/// Breaks lines at a width and puts blanks before what continues them.
fn wrap_hanging(log: &str, width: usize, indent: usize) -> String {
    let broken =
        |line: &str| wrap(line, width).trim_end_matches('\n').replace('\n', &format!("\n{}", " ".repeat(indent)));
    lines(log, |_, line| broken(line))
}

#[test]
fn every_envelope() {
    let record = |line: &str| serde_json::json!({"log": format!("{line}\n"), "stream": "stderr", "time": "2026-11-30T12:00:00Z"});
    let message =
        |line: &str| serde_json::json!({"severity": "ERROR", "message": line, "timestamp": "2026-11-30T12:00:00Z"});
    let python = |log: &str| format!("b'{}'", log.replace('\\', "\\\\").replace('\n', "\\n").replace('\'', "\\'"));
    let ray = " [repeated 7x across cluster] (Ray deduplicates logs by default. Set RAY_DEDUP_LOGS=0)";
    let bar =
        |index: usize| format!("\rLoading checkpoint shards:  {index}% Completed | 1/4 [00:01<00:03,  1.0s/it]\r");
    let other = "(Server pid=1) INFO 12-17 14:09:07 [loggers.py:111] Throughput: 0.0 tokens/s";
    for case in CASES {
        let (log, expected) = (log(case), squeezed(&take(&log(case))));
        let forms = [
            ("records", lines(&log, |_, line| record(line).to_string())),
            ("messages", lines(&log, |_, line| message(line).to_string())),
            ("a Python string", format!("CalledProcessError: stderr:\n{}\n", python(&log))),
            ("a JSON string", format!("RuntimeError: it said: {}\n", serde_json::to_string(&log).unwrap())),
            (
                "a string in a string",
                serde_json::to_string(&format!("said: {}", serde_json::to_string(&log).unwrap())).unwrap(),
            ),
            (
                "Ray's suffixes",
                lines(&log, |index, line| {
                    format!("(W pid=7, ip=10.0.0.3) {line}{}", if index % 7 == 0 { ray } else { "" })
                }),
            ),
            (
                "progress bars",
                lines(
                    &log,
                    |index, line| if index % 11 == 0 { format!("{}\n{line}", bar(index)) } else { line.to_owned() },
                ),
            ),
            (
                "another process",
                lines(&log, |index, line| {
                    format!(
                        "{}(Worker_TP0 pid=31) {line}",
                        if index % 9 == 0 { format!("{other}\n") } else { String::new() }
                    )
                }),
            ),
            ("each line twice", lines(&log, |_, line| format!("{line}\n{line}"))),
            ("blank lines", lines(&log, |_, line| format!("{line}\n"))),
            ("blanks behind", lines(&log, |_, line| format!("{line}   "))),
            ("no indentation", lines(&log, |_, line| line.trim_start().to_owned())),
            (
                "single blanks",
                lines(&log, |_, line| {
                    let squeezed = line.split_whitespace().collect::<Vec<_>>().join(" ");
                    if line.starts_with(' ') { format!(" {squeezed}") } else { squeezed }
                }),
            ),
            ("Markdown's backslashes", log.replace('*', "\\*").replace('_', "\\_").replace('#', "\\#")),
            ("Markdown's brackets", log.replace('<', "\\<").replace('>', "\\>")),
            ("plain quotes", log.replace('`', "'")),
            ("round quotes", {
                let mut open = false;
                log.chars()
                    .map(|c| {
                        if c == '"' {
                            open = !open;
                            if open { '\u{201c}' } else { '\u{201d}' }
                        } else {
                            c
                        }
                    })
                    .collect()
            }),
            ("a fence in details", format!("<details><summary>log</summary>\n\n```\n{log}```\n\n</details>\n")),
            ("a byte order mark", format!("\u{feff}{log}")),
            ("a hanging wrap at 100", wrap_hanging(&log, 100, 2)),
            ("a hanging wrap at 76", wrap_hanging(&log, 76, 4)),
        ];
        for (form, text) in forms {
            let found = squeezed(&take(&text));
            assert_eq!(found, expected, "{case}, {form}");
        }
        let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(log.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        assert_eq!(squeezed(&ingest(&wide).unwrap()), expected, "{case} in UTF-16");
    }
}

#[test]
fn where_text_is_missing_the_line_is_told() {
    let log = log("grouped_gemm_mask_reuse");
    let all: Vec<&str> = log.lines().collect();
    let (begins, ends) = (6, all.iter().position(|line| line.starts_with("{-#")).unwrap());
    let error = |lines: &[&str]| ingest(lines.join("\n").as_bytes()).unwrap_err().to_string();
    for gap in ["...", "[... skipped 120 lines ...]", "… 12 more lines"] {
        let cut = [&all[..40], &[gap], &all[60..]].concat();
        let told = error(&cut);
        assert!(told.contains("line 41 says that others were left out") && told.contains("paste"), "{gap}: {told}");
    }
    let told = error(&all[begins + 4..]);
    assert!(told.contains("line 1 is of a module that does not begin before it"), "{told}");
    assert!(error(&all[..ends - 4]).contains("begins in line 7 is cut off"));
    let told = error(&all[ends..]);
    assert!(told.contains("no MLIR module") && told.contains("the pipeline of a reproducer"), "{told}");
    // A whole module beside one with a gap is what is taken.
    let beside = format!("{}\n{log}", [&all[..40], &["..."], &all[60..ends]].concat().join("\n"));
    assert_eq!(squeezed(&take(&beside)).module, squeezed(&take(&log)).module);
}

#[test]
fn passes_that_a_command_names_are_the_query() {
    let module = "module {\n  tt.func @f() {\n    tt.return\n  }\n}\n";
    for text in [
        format!("// RUN: triton-opt %s --a-pass=x=1 -cse | FileCheck %s\n{module}"),
        format!("$ triton-opt f.mlir --pass-pipeline='builtin.module(a-pass{{x=1}}, cse)'\n{module}"),
        format!("{module}Stack dump:\n0.\tProgram arguments: bin/triton-opt f.mlir --a-pass=x=1 --cse\n"),
    ] {
        assert_eq!(take(&text).pipeline.unwrap().to_string(), "builtin.module(a-pass{x=1}, cse)", "{text}");
    }
    // A footer is nearer than a command; of two commands the one above the module counts, and the other is told of.
    let footer = "{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: \"builtin.module(b)\"\n    }\n  }\n#-}\n";
    let found = take(&format!("// RUN: triton-opt %s --cse\n{module}{footer}"));
    assert_eq!(found.pipeline.unwrap().to_string(), "builtin.module(b)");
    let found = take(&format!("triton-opt f.mlir --b\n{module}triton-opt f.mlir --c\n"));
    assert_eq!(found.pipeline.unwrap().to_string(), "builtin.module(b)");
    assert!(found.notes.iter().any(|note| note.contains("in line 7, was left out")), "{:?}", found.notes);
}

/// A log of several failures: the shipped ones, one after the other.
fn several(cases: &[&str]) -> String {
    cases.iter().map(|case| log(case)).collect()
}

#[test]
fn several_failures_have_a_number_each() {
    let text = several(&CASES);
    let found = take(&text);
    let passes: Vec<&str> =
        found.failures.iter().map(|found| found.failure.pass.as_ref().unwrap().name.as_str()).collect();
    let expected =
        ["TritonGPURemoveLayoutConversions", "TritonGPUOptimizeThreadLocality", "TritonAMDGPUPrepareIfCombining"];
    assert_eq!(passes, expected);
    for (number, case) in (1..).zip(CASES) {
        let one = ingest_failure(text.as_bytes(), Some(number)).unwrap();
        assert_eq!(essence(&one), essence(&take(&log(case))), "{case}");
    }
    assert_eq!(
        ingest_failure(text.as_bytes(), Some(4)).unwrap_err(),
        IngestError::NoSuchFailure { wanted: 4, count: 3 }
    );
    assert!(ingest_failure(text.as_bytes(), Some(0)).is_err());
}

#[test]
fn the_same_failure_of_many_ranks_is_one() {
    let case = CASES[0];
    let ranks = |count: usize| -> String {
        log(case).lines().flat_map(|line| (0..count).map(move |rank| format!("[rank{rank}]: {line}\n"))).collect()
    };
    assert_eq!(take(&ranks(4)).failures.len(), 1);
    assert_eq!(take(&several(&[case, case, CASES[1], case])).failures.len(), 2);
}

#[test]
fn a_log_of_a_fork_is_known_as_one() {
    let module = "module attributes {ttg.target = \"cuda:90\"} {\n  tt.func @f() {\n    tt.return\n  }\n}\n";
    let fork = |text: &str| take(text).fork.map(|sign| sign.fork.name);
    assert_eq!(fork(module), None);
    assert_eq!(fork(&module.replace("cuda:90", "xpu")), Some("Intel's XPU backend"));
    let path = "  File \"site-packages/triton/backends/ascend/compiler.py\", line 1, in f\n";
    assert_eq!(fork(&format!("Traceback (most recent call last):\n{path}E: x\n{module}")), Some("Ascend's fork"));
    // A command whose passes only the fork has.
    assert_eq!(fork(&format!("// RUN: triton-opt %s --tritonxpu-legalize\n{module}")), Some("Kunlunxin's XPU backend"));
    for case in CASES {
        assert_eq!(take(&log(case)).fork, None, "{case}");
    }
}
