//! How many queries it takes: bounds that a change to the order or the chunks must not break.

mod toy;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use toy::{Program, STEPS, Statement};
use tritonsmith_reducer::{SearchOptions, SearchReport, reduce};

fn effort(name: &str, program: Program, test: impl Fn(&Program) -> bool + Sync) -> SearchReport<Program> {
    let report = reduce(program, &STEPS, &test, &SearchOptions::default(), &mut ()).expect("interesting");
    eprintln!(
        "{name}: {:?} to {:?}, {} queries to the last improvement, {} in all",
        report.first_cost,
        report.cost,
        report.last_improvement().queries,
        report.queries
    );
    report
}

/// A program like a kernel: every statement uses one or two of the few before it, and the last uses what is left over.
fn kernel(n: u64) -> Program {
    let mut program = Program(Vec::new());
    for id in 0..n {
        let draw = id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let near = |far: u64| id.saturating_sub(1 + draw / far % 7);
        let uses = if id < 4 { BTreeSet::new() } else { BTreeSet::from([near(1), near(7)]) };
        program.0.push(Statement { id, uses: uses.into_iter().collect(), literal: 0 });
    }
    program
}

#[test]
fn a_few_needed_among_many() {
    let report = effort("8 of 200", Program::flat(200), |p| (0..8).all(|i| p.has(i * 23 + 5)));
    assert_eq!(report.best.size(), 8);
    assert!(report.last_improvement().queries <= 80);
}

#[test]
fn everything_can_go() {
    let report = effort("0 of 500", Program::flat(500), |_| true);
    assert_eq!(report.best.size(), 0);
    assert_eq!(report.queries, 2);
}

#[test]
fn nothing_can_go() {
    let report = effort("60 of 60", Program::flat(60), |p| p.size() == 60);
    assert!(report.queries <= 80);
}

#[test]
fn half_of_them_needed() {
    let report = effort("50 of 100", Program::flat(100), |p| p.ids().iter().filter(|id| *id % 2 == 1).count() == 50);
    assert!(report.queries <= 190);
}

#[test]
fn a_kernel_with_a_chain_in_it() {
    let wanted = [3, 40, 90, 150, 199];
    let report = effort("chain", kernel(200), |p| wanted.iter().all(|&id| p.has(id)));
    assert_eq!(report.cost.0, 5);
    assert!(report.last_improvement().queries <= 165);
}

#[test]
fn two_jobs_are_faster_where_a_query_takes_five_milliseconds() {
    let test = |program: &Program| {
        std::thread::sleep(Duration::from_millis(5));
        [3, 40, 60, 99].iter().all(|&id| program.has(id))
    };
    let time = |jobs| {
        let start = Instant::now();
        let options = SearchOptions { jobs, ..SearchOptions::default() };
        let report = reduce(kernel(100), &STEPS, &test, &options, &mut ()).expect("interesting");
        (start.elapsed().as_secs_f64(), report)
    };
    let ((alone, one), (together, two)) = (time(1), time(2));
    let wasted = two.asked - two.queries;
    eprintln!("{} queries: {alone:.2} s, then {together:.2} s with {} in vain", one.queries, wasted);
    assert_eq!((&one.best, &one.edits), (&two.best, &two.edits));
    // An idle machine does better; a busy one must not fail the test.
    assert!(alone / together > 1.25, "{:.2} times as fast", alone / together);
    assert!(wasted < two.queries / 2);
}
