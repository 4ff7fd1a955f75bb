//! How a reduction begins and ends, and what it tells.

mod toy;

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use toy::{DropCones, Program, STEPS, Statement};
use tritonsmith_reducer::{
    AcceptedEdit, Answer, Error, InterestingnessTest, Minimality, Observer, Progress, Query, SearchOptions, Step, Stop,
    TestCase, reduce,
};

const DROP: [&dyn Step<Program>; 1] = [&DropCones];

/// A test that sees the whole query.
struct Test<F>(F);

impl<F: Fn(&Query<'_, Program>) -> Answer<String> + Sync> InterestingnessTest<Program> for Test<F> {
    type SlippedBug = String;

    fn answer(&self, query: &Query<'_, Program>) -> Answer<String> {
        (self.0)(query)
    }
}

fn interesting_if(yes: bool) -> Answer<String> {
    if yes { Answer::Interesting } else { Answer::Uninteresting }
}

#[test]
fn a_test_case_that_is_not_interesting_is_an_error() {
    let options = SearchOptions { attempts: 3, ..SearchOptions::default() };
    let error = reduce(Program::flat(3), &DROP, &|_: &Program| false, &options, &mut ()).unwrap_err();
    assert_eq!(error, Error::NotInteresting { queries: 3 });
    let invalid = Test(|_: &Query<'_, Program>| Answer::Invalid);
    let error = reduce(Program::flat(3), &DROP, &invalid, &options, &mut ()).unwrap_err();
    assert_eq!(error, Error::NotInteresting { queries: 1 }, "asking again would not help");
}

#[test]
fn a_test_case_that_is_not_valid_is_never_tested() {
    let dangling = Program(vec![Statement { id: 0, uses: vec![7], literal: 0 }]);
    let never = |_: &Program| -> bool { panic!("asked") };
    let error = reduce(dangling, &DROP, &never, &SearchOptions::default(), &mut ()).unwrap_err();
    assert_eq!(error, Error::Invalid);
}

#[test]
fn a_test_case_on_which_nothing_can_act_is_minimal_after_one_query() {
    let report =
        reduce(Program(Vec::new()), &DROP, &|_: &Program| true, &SearchOptions::default(), &mut ()).expect("runs");
    assert_eq!((report.queries, report.stop.clone(), report.minimal()), (1, Stop::Fixpoint, true));
    let report = reduce(Program::flat(4), &[], &|_: &Program| true, &SearchOptions::default(), &mut ()).expect("runs");
    assert_eq!((report.queries, report.stop.clone(), report.minimal()), (1, Stop::Fixpoint, true));
}

/// Cancels with the first improvement: before it, nothing is achieved, however many queries were asked ahead.
struct Impatient(Arc<AtomicBool>);

impl Observer<Program> for Impatient {
    fn improved(&mut self, _: &Program, _: &[AcceptedEdit], _: bool, _: &Progress<Cost>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn cancelling_leaves_the_best_so_far() {
    for jobs in [1, 4] {
        let mut impatient = Impatient(Arc::new(AtomicBool::new(false)));
        let test = |program: &Program| program.has(17) && program.has(60);
        let options = SearchOptions { jobs, cancel: Arc::clone(&impatient.0), ..SearchOptions::default() };
        let report = reduce(Program::flat(100), &DROP, &test, &options, &mut impatient).expect("interesting");
        assert_eq!(report.stop, Stop::Cancelled);
        assert!(!report.minimal());
        assert!(report.best.has(17) && report.best.has(60));
        assert!(report.best.size() < 100, "something was achieved");
    }
}

#[test]
fn a_cancelled_query_learns_that_nobody_waits() {
    let cancel = Arc::new(AtomicBool::new(false));
    let test = Test(|query: &Query<'_, Program>| {
        if query.case.size() == 30 {
            return Answer::Interesting;
        }
        cancel.store(true, Ordering::Relaxed);
        let start = Instant::now();
        while !query.is_cancelled() {
            assert!(start.elapsed() < Duration::from_secs(20), "never withdrawn");
            std::thread::sleep(Duration::from_millis(1));
        }
        Answer::Cancelled
    });
    let options = SearchOptions { jobs: 2, cancel: Arc::clone(&cancel), ..SearchOptions::default() };
    let report = reduce(Program::flat(30), &DROP, &test, &options, &mut ()).expect("interesting");
    assert_eq!((report.stop, report.best.size()), (Stop::Cancelled, 30));
}

#[test]
fn time_is_a_budget_too() {
    let test = |program: &Program| {
        std::thread::sleep(Duration::from_millis(2));
        program.ids().iter().filter(|id| *id % 3 == 0).count() == 100
    };
    let options = SearchOptions { max_time: Some(Duration::from_millis(60)), ..SearchOptions::default() };
    let start = Instant::now();
    let report = reduce(Program::flat(300), &DROP, &test, &options, &mut ()).expect("interesting");
    assert_eq!(report.stop, Stop::Time);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(test(&report.best));
}

#[test]
fn a_test_that_breaks_or_panics_ends_the_run_with_the_best_so_far() {
    let breaks = Test(|query: &Query<'_, Program>| match query.case.size() {
        0..8 => Answer::Failed("no worker".to_owned()),
        _ => Answer::Interesting,
    });
    let report = reduce(Program::flat(40), &DROP, &breaks, &SearchOptions::default(), &mut ()).expect("interesting");
    assert_eq!(report.stop, Stop::Test("no worker".to_owned()));

    let panics = |program: &Program| {
        assert!(program.size() == 40, "a bug in the test");
        true
    };
    let report = reduce(Program::flat(40), &DROP, &panics, &SearchOptions::default(), &mut ()).expect("interesting");
    assert_eq!(report.stop, Stop::Test("the interestingness test panicked: a bug in the test".to_owned()));
    assert_eq!(report.best.size(), 40);

    let broken = Test(|_: &Query<'_, Program>| Answer::Failed("no disk".to_owned()));
    let error = reduce(Program::flat(4), &DROP, &broken, &SearchOptions::default(), &mut ()).unwrap_err();
    assert_eq!(error, Error::Test("no disk".to_owned()));
}

#[test]
fn a_failure_that_reproduces_sometimes_is_tried_as_often_as_is_said() {
    // Fails every third time; so does every candidate with statement 5.
    let asked = AtomicU32::new(0);
    let sometimes = |program: &Program| asked.fetch_add(1, Ordering::Relaxed) % 3 == 2 && program.has(5);
    let options = SearchOptions { attempts: 3, ..SearchOptions::default() };
    let report = reduce(Program::flat(20), &DROP, &sometimes, &options, &mut ()).expect("interesting");
    assert_eq!(report.best.ids(), [5].into());
    assert_eq!(report.queries, report.asked);
}

#[test]
fn repetitions_stay_within_the_budget() {
    for most in 1..40 {
        let asked = AtomicU64::new(0);
        let test = |program: &Program| {
            asked.fetch_add(1, Ordering::Relaxed);
            program.has(3) && program.has(9)
        };
        let options = SearchOptions { attempts: 3, max_queries: Some(most), ..SearchOptions::default() };
        let report = reduce(Program::flat(12), &DROP, &test, &options, &mut ()).expect("interesting");
        assert!(asked.load(Ordering::Relaxed) <= most);
        assert_eq!(report.queries, asked.load(Ordering::Relaxed));
        // Asked ahead of its turn, a candidate may have had all its repetitions although the budget ends within them.
        let ahead = reduce(Program::flat(12), &DROP, &test, &SearchOptions { jobs: 3, ..options }, &mut ());
        let ahead = ahead.expect("interesting");
        assert_eq!((ahead.queries, ahead.edits), (report.queries, report.edits));
    }
}

/// Keeps everything that is reported.
#[derive(Default)]
struct Recorder {
    steps: Vec<String>,
    queries: Vec<u64>,
    best: Vec<Program>,
    edits: Vec<AcceptedEdit>,
    bugs: Vec<String>,
}

type Cost = <Program as TestCase>::Cost;

impl Observer<Program, String> for Recorder {
    fn step_started(&mut self, step: &str, _: &Progress<Cost>) {
        self.steps.push(step.to_owned());
    }

    fn answered(&mut self, progress: &Progress<Cost>) {
        self.queries.push(progress.queries);
    }

    fn improved(&mut self, best: &Program, edits: &[AcceptedEdit], _: bool, progress: &Progress<Cost>) {
        assert_eq!(progress.cost, best.cost());
        self.best.push(best.clone());
        self.edits.extend_from_slice(edits);
    }

    fn slipped_bug(&mut self, case: &Program, bug: String) {
        self.bugs.push(format!("{bug} with {} statements", case.size()));
    }
}

#[test]
fn the_observer_sees_every_query_every_improvement_and_every_slipped_bug() {
    let test = Test(|query: &Query<'_, Program>| match query.case {
        program if program.has(2) => Answer::Interesting,
        program if program.size() == 3 => Answer::SlippedBug("another bug".to_owned()),
        program if program.size() == 2 => Answer::Invalid,
        _ => Answer::TimedOut,
    });
    let mut recorder = Recorder::default();
    let report =
        reduce(Program::flat(6), &STEPS, &test, &SearchOptions::default(), &mut recorder).expect("interesting");
    assert_eq!(report.best.ids(), [2].into());
    assert_eq!(recorder.best.last(), Some(&report.best));
    assert_eq!(recorder.edits, report.edits);
    assert!(recorder.best.windows(2).all(|pair| pair[1].cost() < pair[0].cost()));
    assert_eq!(recorder.queries, (2..=report.queries).collect::<Vec<_>>());
    assert!(recorder.bugs.iter().all(|bug| bug == "another bug with 3 statements"));
    assert_eq!(recorder.steps.first().map(String::as_str), Some("drop cones"));
    assert_eq!(report.curve.len(), recorder.best.len() + 1);
}

#[test]
fn invalid_candidates_are_counted_and_slipped_bugs_are_reported() {
    let test = Test(|query: &Query<'_, Program>| match query.case.size() {
        6 => Answer::Interesting,
        5 => Answer::SlippedBug("another bug".to_owned()),
        _ => Answer::Invalid,
    });
    let mut recorder = Recorder::default();
    let report = reduce(Program::flat(6), &DROP, &test, &SearchOptions::default(), &mut recorder).expect("interesting");
    assert_eq!(recorder.bugs.len(), 6, "one for each statement");
    assert_eq!(report.invalid + 6 + 1, report.queries);
}

#[test]
fn a_hanging_candidate_gets_little_time_once_answers_are_known_to_be_quick() {
    let limits = Mutex::new(Vec::new());
    let test = Test(|query: &Query<'_, Program>| {
        limits.lock().expect("no panic").push(query.limit);
        interesting_if(query.case.has(1))
    });
    let (limit_min, limit_max) = (Duration::from_millis(300), Duration::from_secs(30));
    let options = SearchOptions { limit_min, limit_max, ..SearchOptions::default() };
    reduce(Program::flat(9), &DROP, &test, &options, &mut ()).expect("interesting");
    let limits = limits.into_inner().expect("no panic");
    assert_eq!(limits.first(), Some(&limit_max));
    assert!(limits.iter().skip(1).all(|&limit| limit >= limit_min && limit < limit_max));
}

#[test]
fn pairs_find_what_no_single_edit_can() {
    // Statement 3 is needed, and only an odd number of statements will do, but one is too few.
    let parity = |program: &Program| program.size() % 2 == 1 && program.has(3) && program.size() != 1;
    let singly = reduce(Program::flat(9), &DROP, &parity, &SearchOptions::default(), &mut ());
    assert_eq!(singly.expect("interesting").minimality, Minimality::Single);
    let options = SearchOptions { pairs: true, ..SearchOptions::default() };
    let report = reduce(Program::flat(9), &DROP, &parity, &options, &mut ()).expect("interesting");
    assert_eq!((report.best.size(), report.minimality), (3, Minimality::Pairs));
}

#[test]
fn restarts_can_only_improve_and_report_edits_from_the_start() {
    // Dropping 0 first leads to a dead end of four, dropping from the other end to a single statement.
    let test = |program: &Program| {
        let (low, high) = (program.has(0), program.has(7));
        program.size() == 8 || (low && !high) || (high && !low && program.size() >= 4)
    };
    let once = reduce(Program::flat(8), &DROP, &test, &SearchOptions::default(), &mut ()).expect("interesting");
    let options = SearchOptions { restarts: 3, ..SearchOptions::default() };
    /// The edits that led to each improvement that began anew.
    struct Starts(Vec<Vec<AcceptedEdit>>);
    impl Observer<Program> for Starts {
        fn improved(&mut self, _: &Program, edits: &[AcceptedEdit], restarted: bool, _: &Progress<Cost>) {
            if restarted || self.0.is_empty() {
                self.0.push(Vec::new());
            }
            self.0.last_mut().expect("one was pushed").extend_from_slice(edits);
        }
    }
    let mut starts = Starts(Vec::new());
    let again = reduce(Program::flat(8), &DROP, &test, &options, &mut starts).expect("interesting");
    assert!(again.cost <= once.cost && again.minimal());
    assert_eq!(again.best.ids(), [0].into());
    assert_eq!(starts.0.last(), Some(&again.edits));
}
