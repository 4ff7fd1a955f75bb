//! Logs as people paste them: whatever happened to the text on the way, the same module, pipeline, failing pass, target,
//! warps and stages come out as from the undamaged log.
//!
//! The damage is made here by code, from the shipped logs; `tests/ingest/` holds excerpts of real dumps.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::BTreeSet;
use std::path::Path;

use tritonsmith::compiler::PassName;
use tritonsmith::compiler::diagnostic::Diagnostics;
use tritonsmith::compiler::ingest::{AssemblyForm, IngestError, Ingested, Missing, ModuleRole, ingest};

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
