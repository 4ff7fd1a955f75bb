//! Any bytes get an answer: no panic, no endless loop, and what comes out is consistent with what went in.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::Path;

use proptest::prelude::*;
use tritonsmith::compiler::ingest::{Ingested, ingest};

fn logs() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shipped = ["grouped_gemm_mask_reuse", "running_sum_twice", "branchy_scale_if_combining"];
    let mut paths: Vec<_> = shipped.iter().map(|case| root.join("corpus").join(case).join("stderr.log")).collect();
    for dump in ["dump_3.2.0_assertion", "dump_3.6.0_caught", "dump_3.9.0_failed"] {
        paths.push(root.join("tests/ingest").join(format!("{dump}.log")));
    }
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

fn consistent(input: &[u8], found: &Ingested) {
    let lines = input.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
    assert!(found.chosen < found.modules.len());
    for module in &found.modules {
        assert_eq!(module.text.lines().count(), module.line_map.len());
        assert!(module.line_map.iter().all(|line| (1..=lines).contains(line)));
        // Whatever is taken out reads the same when it is read again by itself.
        let again = ingest(module.text.as_bytes())
            .map(|again| again.modules.into_iter().map(|module| module.text).collect::<Vec<_>>());
        assert_eq!(again.as_deref(), Ok([module.text.clone()].as_slice()));
    }
}

/// A piece of a log, cut out, doubled, overwritten or moved.
#[derive(Debug, Clone)]
enum Mutation {
    Cut(prop::sample::Index, usize),
    Repeat(prop::sample::Index, usize),
    Insert(prop::sample::Index, Vec<u8>),
    Break(prop::sample::Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let scraps = prop::sample::select(vec![
        "\r",
        "\n",
        "\u{1b}[31m",
        "&lt;",
        "\"",
        "module {",
        "}",
        "{-#",
        "#-}",
        "```",
        "> ",
        "(worker pid=1) ",
        "error: ",
        "Assertion `",
        "// -----// IR Dump Before X",
        "\u{fffd}",
        "^",
        "Traceback (most recent call last):",
        "  ",
        "\\",
    ]);
    prop_oneof![
        (any::<prop::sample::Index>(), 1..4000usize).prop_map(|(at, length)| Mutation::Cut(at, length)),
        (any::<prop::sample::Index>(), 1..400usize).prop_map(|(at, length)| Mutation::Repeat(at, length)),
        (any::<prop::sample::Index>(), scraps).prop_map(|(at, scrap)| Mutation::Insert(at, scrap.as_bytes().to_vec())),
        (any::<prop::sample::Index>(), prop::collection::vec(any::<u8>(), 1..8))
            .prop_map(|(at, bytes)| Mutation::Insert(at, bytes)),
        any::<prop::sample::Index>().prop_map(Mutation::Break),
    ]
}

fn apply(bytes: &mut Vec<u8>, mutation: &Mutation) {
    let place = |at: &prop::sample::Index, bytes: &[u8]| at.index(bytes.len() + 1);
    match mutation {
        Mutation::Cut(at, length) => {
            let start = place(at, bytes);
            bytes.drain(start..(start + length).min(bytes.len()));
        }
        Mutation::Repeat(at, length) => {
            let start = place(at, bytes);
            let piece = bytes[start..(start + length).min(bytes.len())].to_vec();
            bytes.splice(start..start, piece);
        }
        Mutation::Insert(at, piece) => {
            let start = place(at, bytes);
            bytes.splice(start..start, piece.iter().copied());
        }
        Mutation::Break(at) => {
            let start = place(at, bytes);
            bytes.insert(start, b'\n');
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let _ = ingest(&bytes);
    }

    #[test]
    fn arbitrary_text(text in "([ -~]|\\n|\\r|module \\{|\\}|\\{-#|#-\\}|\"|error: |\\PC){0,200}") {
        let _ = ingest(text.as_bytes());
    }

    #[test]
    fn damaged_logs(log in prop::sample::select(logs()), mutations in prop::collection::vec(mutation(), 1..12)) {
        let mut bytes = log;
        for mutation in &mutations {
            apply(&mut bytes, mutation);
        }
        if let Ok(found) = ingest(&bytes) {
            prop_assert!(found.chosen < found.modules.len());
            for module in &found.modules {
                prop_assert_eq!(module.text.lines().count(), module.line_map.len());
            }
        }
    }
}

#[test]
fn what_is_taken_out_reads_the_same_again() {
    for log in logs() {
        consistent(&log, &ingest(&log).unwrap());
    }
}

#[test]
fn time_grows_with_the_input_only() {
    // Unbalanced, unending, deeply nested and very long lines: each would take minutes if anything here were quadratic.
    let many = 200_000;
    for text in [
        "(".repeat(many),
        "module {\n".repeat(many / 8),
        "#a = <\n".repeat(many / 8),
        "// -----// IR Dump Before X\n".repeat(many / 8),
        "{-#\n".repeat(many / 8),
        format!("module {{\n{}", "a\n".repeat(many)),
        format!("module {{\n  tt.func @f({}", "%a: i32, ".repeat(many)),
        "(worker pid=1) module {\n".repeat(many / 8),
        "a.py:1:2: error: x\n".repeat(many / 8),
        "a.py:1:2: note: x\n".repeat(many / 8),
        "Traceback (most recent call last):\n".repeat(many / 8),
        format!("{{-#\npipeline: \"{}", "a(\n".repeat(many / 8)),
        "\u{1b}[".repeat(many),
        "&lt;<span ".repeat(many / 8),
    ] {
        let _ = ingest(text.as_bytes());
    }
}
