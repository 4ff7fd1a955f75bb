//! The checks of the fuzz targets, on bytes that are the same every time; in `exhaustive`, on a hundred times as many.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::path::{Path, PathBuf};
use tritonsmith::campaign::MuteList;
use tritonsmith::checks::{self, CheckResult, CompilerCheck};
use tritonsmith::compiler::CompilerSpec;
use tritonsmith::compiler::model::{Fault, Model};

/// Runs a check on random bytes of all lengths up to `longest`.
fn on_random_bytes(check: impl Fn(&[u8]) -> CheckResult, cases: usize, longest: usize) {
    let mut random = Pcg64Mcg::seed_from_u64(7);
    for case in 0..cases {
        let mut bytes = vec![0; random.random_range(0..=longest)];
        random.fill_bytes(&mut bytes);
        if let Err(alarm) = check(&bytes) {
            panic!("case {case}: {alarm}");
        }
    }
}

/// Every module of the corpus, and every input that a fuzz target once failed on.
fn texts() -> Vec<(PathBuf, Vec<u8>)> {
    let mut paths = Vec::new();
    let mut open = vec![PathBuf::from("corpus")];
    while let Some(place) = open.pop() {
        for entry in std::fs::read_dir(place).unwrap() {
            let path = entry.unwrap().path();
            let is_text = path.extension().is_some_and(|kind| kind == "mlir") || path.starts_with("corpus/fuzz/parse");
            if path.is_dir() {
                open.push(path);
            } else if is_text {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// A text with pieces taken out, put elsewhere, put in from another text, or overwritten.
fn damaged(text: &[u8], other: &[u8], random: &mut Pcg64Mcg) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..random.random_range(1..6) {
        let at = random.random_range(0..=bytes.len());
        let length = random.random_range(0..40).min(bytes.len() - at);
        match random.random_range(0..5) {
            0 => drop(bytes.drain(at..at + length)),
            1 => {
                let piece = bytes[at..at + length].to_vec();
                let to = random.random_range(0..=bytes.len());
                bytes.splice(to..to, piece);
            }
            2 if !other.is_empty() => {
                let from = random.random_range(0..other.len());
                let end = (from + random.random_range(0..80)).min(other.len());
                bytes.splice(at..at + length, other[from..end].iter().copied());
            }
            3 => bytes.truncate(at),
            _ => {
                const PUNCTUATION: &[u8] = b"%@^#!<>()[]{}\"':;,.=-/*0a\n \xff";
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = PUNCTUATION[random.random_range(0..PUNCTUATION.len())];
                }
            }
        }
    }
    bytes
}

#[test]
fn what_parses_is_printed_and_read_again_to_the_same() {
    let texts = texts();
    for (path, text) in &texts {
        if let Err(alarm) = checks::parse(text) {
            panic!("{}: {alarm}", path.display());
        }
    }
    parses_mutated_texts(&texts, 2000);
}

fn parses_mutated_texts(texts: &[(PathBuf, Vec<u8>)], cases: usize) {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    for case in 0..cases {
        let [(path, text), (_, other)] = [0; 2].map(|_| &texts[random.random_range(0..texts.len())]);
        let bytes = damaged(text, other, &mut random);
        if let Err(alarm) = checks::parse(&bytes) {
            let place = std::env::temp_dir().join("tritonsmith-parse-alarm");
            std::fs::write(&place, bytes).unwrap();
            panic!("case {case}, from {}, see {}: {alarm}", path.display(), place.display());
        }
    }
}

#[test]
fn any_bytes_make_a_valid_module() {
    on_random_bytes(checks::generate, 60, 6000);
}

#[test]
fn the_dominance_oracle_says_what_the_definition_says() {
    on_random_bytes(checks::dominance, 500, 800);
}

#[test]
fn no_transformation_breaks_a_module() {
    on_random_bytes(checks::edit, 60, 3000);
}

#[test]
fn the_model_without_faults_raises_no_alarm() {
    on_random_bytes(checks::model, 60, 6000);
}

#[test]
fn a_bug_is_an_alarm_once() {
    let findings = tempfile::tempdir().unwrap();
    let open = |fault: Option<Fault>, place: &Path| {
        let spec = CompilerSpec::Model(Model::with_faults(fault));
        CompilerCheck::new(&spec, "cuda:80".parse().unwrap(), MuteList::default(), place.to_owned()).unwrap()
    };
    let (right, wrong) = (open(None, findings.path()), open(Some(Fault::KeepLater), findings.path()));
    let mut random = Pcg64Mcg::seed_from_u64(3);
    let (bytes, alarm) = (0..100)
        .find_map(|_| {
            let mut bytes = vec![0; 4000];
            random.fill_bytes(&mut bytes);
            assert_eq!(right.check(&bytes), Ok(()));
            wrong.check(&bytes).err().map(|alarm| (bytes, alarm))
        })
        .unwrap();
    assert!(alarm.what.contains("invalid-ir in cse"), "{}", alarm.what);
    assert_eq!(open(Some(Fault::KeepLater), findings.path()).check(&bytes), Ok(()));
    let stored = std::fs::read_dir(findings.path()).unwrap().next().unwrap().unwrap().path();
    assert_eq!(std::fs::read_to_string(stored.join("input.mlir")).unwrap(), alarm.text);
}

#[test]
fn a_muted_bug_is_no_alarm() {
    let findings = tempfile::tempdir().unwrap();
    let mute: MuteList = toml::from_str("[[mute]]\nreason = 'planted'\npass = 'cse'\n").unwrap();
    let spec = CompilerSpec::Model(Model::with_faults([Fault::KeepLater]));
    let check = CompilerCheck::new(&spec, "cuda:80".parse().unwrap(), mute, findings.path().to_owned()).unwrap();
    on_random_bytes(|bytes| check.check(bytes), 3, 4000);
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "takes minutes"]
    fn what_parses_is_printed_and_read_again_to_the_same() {
        parses_mutated_texts(&texts(), 200_000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn any_bytes_make_a_valid_module() {
        on_random_bytes(checks::generate, 6000, 6000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn the_dominance_oracle_says_what_the_definition_says() {
        on_random_bytes(checks::dominance, 50_000, 800);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn no_transformation_breaks_a_module() {
        on_random_bytes(checks::edit, 6000, 3000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn the_model_without_faults_raises_no_alarm() {
        on_random_bytes(checks::model, 6000, 6000);
    }
}
