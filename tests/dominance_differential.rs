//! The dominance oracle against Triton's own verifier, on random mutations of real modules and on random trees of
//! regions and blocks. Whatever one of the two accepts, the other must accept.
//!
//! About a thousand modules; in `exhaustive` more than twenty thousand. The wheels 3.2.0, 3.6.0 and 3.9.0 are installed into
//! the user's cache if they are missing. `--nocapture` prints the table of verdicts.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use strum::VariantArray;
use tritonsmith::checks::Tree;
use tritonsmith::compiler::protocol::{Keep, Mode, Options, Passes, RunRequest, Verified};
use tritonsmith::compiler::wheel::install;
use tritonsmith::compiler::worker::{Worker, WorkerLimits};
use tritonsmith::generate::{MutationKind, mutate, mutate_as};
use tritonsmith::ir::{Module, PrintOptions, parse, print};
use tritonsmith::oracle::{dominance, judge};

/// The versions asked, and how many of a hundred mutated modules each gets.
const VERSIONS: [(&str, usize); 3] = [("3.2.0", 25), ("3.6.0", 50), ("3.9.0", 25)];

fn worker(version: &str) -> Worker {
    let spec = version.parse().expect("a Triton");
    let installation = install(&spec, &AtomicBool::new(false), &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    Worker::start(&installation, WorkerLimits::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The shipped modules, and what each pass of the pipelines for NVIDIA and AMD leaves of them.
fn seeds(worker: &mut Worker) -> Vec<String> {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus");
    let mut inputs: Vec<_> = std::fs::read_dir(corpus)
        .unwrap_or_else(|error| panic!("{corpus}: {error}"))
        .filter_map(|entry| std::fs::read_to_string(entry.ok()?.path().join("input.mlir")).ok())
        .collect();
    inputs.sort();
    let mut seeds = inputs.clone();
    for input in inputs {
        for target in ["cuda:80", "hip:gfx942"] {
            let mut module = input.clone();
            for stage in ["ttir", "ttgir"] {
                let run = RunRequest {
                    module: module.clone(),
                    target: target.parse().expect("a target"),
                    options: Options::from([("num_warps".into(), 4.into()), ("num_stages".into(), 3.into())]),
                    passes: Passes::stage(stage),
                    stop: None,
                    mode: Mode::Stepwise,
                    keep: Keep { each: true, last: true, ..Keep::default() },
                    pass_ms: None,
                    metadata: Default::default(),
                };
                let outcome = worker.run(&run).unwrap_or_else(|error| panic!("{error}"));
                seeds.extend(outcome.modules.iter().map(|kept| kept.text.clone()));
                match outcome.last_module() {
                    Some(last) => module = last.to_owned(),
                    None => break,
                }
            }
        }
    }
    seeds.sort();
    seeds.dedup();
    seeds
}

/// What one side says of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Valid,
    Dominance,
    /// Invalid for a reason that is not dominance.
    Other,
}

fn ours(text: &str) -> (Verdict, String) {
    let module = parse(text).unwrap_or_else(|error| panic!("our own print does not parse: {error:?}\n{text}"));
    let report = judge(&module);
    match (report.dominance.first(), report.structure.first()) {
        (Some(violation), _) => (Verdict::Dominance, format!("{:?}", violation.kind)),
        (None, Some(violation)) => (Verdict::Other, format!("{:?}", violation.kind)),
        (None, None) => (Verdict::Valid, "-".into()),
    }
}

fn theirs(verified: &Verified) -> Verdict {
    const DOMINANCE: [&str; 7] = [
        "does not dominate this use",
        "use of undeclared SSA value name",
        "using value defined outside the region",
        "redefinition of SSA value",
        "is already in use",
        // A name that its own function does not define, met again in the next function.
        "definition of SSA value",
        // What stands for a name that is defined nowhere has no place in the module.
        "operation's operand is unlinked",
    ];
    // A module whose values are used from an unreachable block is valid, and the process dies over destroying it.
    let is_teardown =
        |line: &str| line.contains("operation destroyed but still has uses") || line.contains("UseDefLists.h");
    let survives =
        verified.valid || !verified.stderr.lines().any(|line| line.contains("error: ") && !is_teardown(line));
    match survives && (verified.valid || verified.stderr.lines().any(is_teardown)) {
        true => Verdict::Valid,
        false if DOMINANCE.iter().any(|message| verified.stderr.contains(message)) => Verdict::Dominance,
        false => Verdict::Other,
    }
}

/// How often what was asked and answered.
#[derive(Default)]
struct Table {
    /// By what was done: both valid, both invalid by dominance, both invalid otherwise, invalid for them by something that
    /// is not judged here (the verifier stops at its first error).
    by_mutation: BTreeMap<String, [usize; 4]>,
    by_kind: BTreeMap<String, usize>,
    other_reasons: BTreeMap<String, usize>,
    disagreements: Vec<String>,
}

impl Table {
    fn add(&mut self, what: &str, version: &str, text: &str, verified: &Verified) {
        let (we, kind) = ours(text);
        let they = theirs(verified);
        let row = self.by_mutation.entry(what.to_owned()).or_default();
        match (we, they) {
            (Verdict::Valid, Verdict::Valid) => row[0] += 1,
            (Verdict::Dominance, Verdict::Dominance) => row[1] += 1,
            (Verdict::Other, Verdict::Other) => row[2] += 1,
            (Verdict::Dominance | Verdict::Valid, Verdict::Other) => {
                row[3] += 1;
                let reason = verified.stderr.lines().next().unwrap_or("").rsplit("error: ").next().unwrap_or("");
                *self.other_reasons.entry(reason.chars().take(90).collect()).or_default() += 1;
            }
            (Verdict::Dominance | Verdict::Other, Verdict::Valid)
            | (Verdict::Valid | Verdict::Other, Verdict::Dominance) => {
                let stderr = &verified.stderr;
                self.disagreements
                    .push(format!("{version}, {what}: ours {we:?} {kind}, theirs {they:?}: {stderr}\n{text}"));
            }
        }
        *self.by_kind.entry(kind).or_default() += 1;
    }

    fn merge(&mut self, other: Table) {
        for (what, counts) in other.by_mutation {
            let row = self.by_mutation.entry(what).or_default();
            row.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        for (kind, count) in other.by_kind {
            *self.by_kind.entry(kind).or_default() += count;
        }
        for (reason, count) in other.other_reasons {
            *self.other_reasons.entry(reason).or_default() += count;
        }
        self.disagreements.extend(other.disagreements);
    }

    fn total(&self) -> usize {
        self.by_kind.values().sum()
    }

    fn show(&self) -> String {
        let mut out = format!("{:<24}{:>8}{:>12}{:>12}{:>12}\n", "done", "valid", "dominance", "structure", "not ours");
        for (what, [valid, dominance, structure, other]) in &self.by_mutation {
            let _ = writeln!(out, "{what:<24}{valid:>8}{dominance:>12}{structure:>12}{other:>12}");
        }
        let _ = writeln!(out, "\nour first violation");
        for (kind, count) in &self.by_kind {
            let _ = writeln!(out, "{kind:<24}{count:>8}");
        }
        let _ = writeln!(out, "\nnot ours");
        for (reason, count) in &self.other_reasons {
            let _ = writeln!(out, "{count:>8}  {reason}");
        }
        let _ = writeln!(out, "\n{} modules, {} disagreements", self.total(), self.disagreements.len());
        out
    }

    fn expect_agreement(&self) {
        println!("{}", self.show());
        let first = self.disagreements.iter().take(3).map(String::as_str).collect::<Vec<_>>().join("\n----\n");
        assert!(self.disagreements.is_empty(), "{} disagreements:\n{first}", self.disagreements.len());
    }
}

/// Asks about texts in batches.
fn ask(worker: &mut Worker, version: &str, cases: &[(String, String)]) -> Table {
    let mut table = Table::default();
    for batch in cases.chunks(50) {
        let texts: Vec<String> = batch.iter().map(|(_, text)| text.clone()).collect();
        let answers = worker.verify(&texts).unwrap_or_else(|error| panic!("{error}"));
        for ((what, text), answer) in batch.iter().zip(&answers) {
            table.add(what, version, text, answer);
        }
    }
    table
}

/// Up to three changes of shape that keep a module valid, then one mutation.
fn mutated(seed: &Module, rng: &mut Pcg64Mcg) -> Option<(Module, MutationKind)> {
    let mut module = seed.clone();
    for _ in 0..rng.random_range(0..4) {
        let shape = MutationKind::SHAPES[rng.random_range(0..MutationKind::SHAPES.len())];
        module = mutate_as(&module, shape, rng).unwrap_or(module);
    }
    mutate(&module, rng)
}

fn mutation_cases(seeds: &[String], count: usize, rng: &mut Pcg64Mcg) -> Vec<(String, String)> {
    let read = |seed: &String| parse(seed).unwrap_or_else(|error| panic!("a seed is not read: {error:?}\n{seed}"));
    let modules: Vec<Module> = seeds.iter().map(read).collect();
    let mut cases = Vec::new();
    while cases.len() < count {
        let seed = &modules[rng.random_range(0..modules.len())];
        if let Some((module, kind)) = mutated(seed, rng) {
            let options = PrintOptions { generic: rng.random_bool(0.25), ..PrintOptions::default() };
            cases.push((format!("{kind:?}"), print(&module, &options)));
        }
    }
    cases
}

/// Runs one part per version and adds the tables up.
fn in_every_version(part: impl Fn(&mut Worker, &str, usize) -> Table + Sync) -> Table {
    let mut sum = Table::default();
    let tables: Vec<Table> = std::thread::scope(|scope| {
        let part = &part;
        let threads: Vec<_> = VERSIONS
            .iter()
            .map(|&(version, share)| scope.spawn(move || part(&mut worker(version), version, share)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    tables.into_iter().for_each(|table| sum.merge(table));
    sum
}

#[test]
#[ignore = "needs wheels"]
fn mutated_modules_get_the_verdict_that_triton_gives() {
    compare_on_mutated_modules(1_000);
}

fn compare_on_mutated_modules(total: usize) {
    let table = in_every_version(|worker, version, share| {
        let seeds = seeds(worker);
        let mut rng = Pcg64Mcg::seed_from_u64(version.bytes().map(u64::from).sum());
        let cases = mutation_cases(&seeds, total * share / 100, &mut rng);
        ask(worker, version, &cases)
    });
    table.expect_agreement();
    let sum = |column: usize| table.by_mutation.values().map(|row| row[column]).sum::<usize>();
    assert!(sum(0) * 10 >= table.total() * 3, "too few of the mutated modules are valid for the test to mean much");
    assert!(sum(1) * 10 >= table.total() * 3, "too few of the mutated modules are invalid for the test to mean much");
    assert!(sum(3) * 20 <= table.total(), "too many of the mutated modules are wrong in ways that are not dominance");
    assert_eq!(table.by_mutation.len(), MutationKind::VARIANTS.len(), "not every kind of mutation was drawn");
}

#[test]
#[ignore = "needs wheels"]
fn random_trees_get_the_verdict_that_triton_gives() {
    compare_on_random_trees(600);
}

fn compare_on_random_trees(total: usize) {
    let table = in_every_version(|worker, version, share| {
        let mut rng = Pcg64Mcg::seed_from_u64(version.bytes().map(u64::from).product());
        let cases: Vec<(String, String)> = (0..total * share / 100)
            .map(|_| {
                let mut bytes = vec![0; rng.random_range(20..600)];
                rng.fill_bytes(&mut bytes);
                let tree = Tree::new(&bytes);
                let textbook = if tree.violations() == 0 { "right by the textbook" } else { "wrong by the textbook" };
                (textbook.to_owned(), tree.text())
            })
            .collect();
        ask(worker, version, &cases)
    });
    table.expect_agreement();
    assert!(matches!(table.by_mutation["right by the textbook"], [_, 0, 0, 0]), "{}", table.show());
    assert!(matches!(table.by_mutation["wrong by the textbook"], [0, _, 0, 0]), "{}", table.show());
}

#[test]
#[ignore = "needs wheels"]
fn unchanged_modules_have_no_violation() {
    let table = in_every_version(|worker, version, _| {
        let cases: Vec<_> = seeds(worker).into_iter().map(|text| ("as left by a pass".to_owned(), text)).collect();
        ask(worker, version, &cases)
    });
    table.expect_agreement();
    for kind in table.by_kind.keys() {
        assert_eq!(kind, "-", "{}", table.show());
    }
}

#[test]
#[ignore = "needs wheels"]
fn each_kind_of_violation_is_one_for_triton_too() {
    let head = "module {\n  tt.func public @f(%a: i32, %c: i1) {\n";
    let case = |kind: dominance::DominanceViolationKind, body: &str| {
        (kind, format!("{head}{body}\n    tt.return\n  }}\n}}\n"))
    };
    let add = |result: &str, operand: &str| format!("    %{result} = arith.addi %{operand}, %a : i32\n");
    let cases = [
        case(dominance::DominanceViolationKind::BeforeDefinition, &(add("x", "y") + &add("y", "a"))),
        case(dominance::DominanceViolationKind::BeforeDefinition, &add("x", "x")),
        case(
            dominance::DominanceViolationKind::ChildRegion,
            &format!("{}    scf.if %c {{\n{}    }}", add("y", "x"), add("x", "a")),
        ),
        case(
            dominance::DominanceViolationKind::SiblingRegion,
            &format!("    scf.if %c {{\n{}    }} else {{\n{}    }}", add("y", "x"), add("x", "a")),
        ),
        case(
            dominance::DominanceViolationKind::ParentRegion,
            &format!("    scf.if %c {{\n{}    }}\n{}", add("y", "x"), add("x", "a")),
        ),
        case(
            dominance::DominanceViolationKind::OwnRegion,
            "    %x = scf.if %c -> (i32) {\n      scf.yield %x : i32\n    } else {\n      scf.yield %a : i32\n    }",
        ),
        case(
            dominance::DominanceViolationKind::OtherBlock,
            &format!(
                "    cf.cond_br %c, ^bb1, ^bb2\n  ^bb1:\n{}    cf.br ^bb2\n  ^bb2:\n{}",
                add("x", "a"),
                add("y", "x")
            ),
        ),
        case(
            dominance::DominanceViolationKind::Isolated,
            "    tt.return\n  }\n  tt.func public @g(%b: i32) {\n    %x = arith.addi %b, %far : i32\n    tt.return\n  }\n  \
             tt.func public @h(%b: i32, %a: i32) {\n    %far = arith.addi %b, %b : i32",
        ),
        case(dominance::DominanceViolationKind::NeverDefined, &add("x", "nowhere")),
        case(dominance::DominanceViolationKind::DefinedTwice, &(add("x", "a") + &add("x", "a"))),
    ];
    for (version, _) in VERSIONS {
        let texts: Vec<String> = cases.iter().map(|(_, text)| text.clone()).collect();
        let answers = worker(version).verify(&texts).unwrap_or_else(|error| panic!("{error}"));
        for ((kind, text), answer) in cases.iter().zip(&answers) {
            assert_eq!(theirs(answer), Verdict::Dominance, "{version}: {}\n{text}", answer.stderr);
            assert_eq!(ours(text), (Verdict::Dominance, format!("{kind:?}")), "{text}");
        }
    }
}

mod exhaustive {
    #[test]
    #[ignore = "takes minutes"]
    fn mutated_modules_get_the_verdict_that_triton_gives() {
        super::compare_on_mutated_modules(21_000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn random_trees_get_the_verdict_that_triton_gives() {
        super::compare_on_random_trees(6_000);
    }
}
