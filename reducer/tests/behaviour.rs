//! How a reduction begins and ends, and what it tells.

mod toy;

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use toy::{DropCones, Program, STEPS, Statement, Swap};
use tritonsmith_reducer::{
    Answer, Asked, Attempts, Decision, Error, Minimality, Observer, Options, Predicate, Progress, Question, Step, Stop,
    Subject, Verdict, reduce,
};

const DROP: [&dyn Step<Program>; 1] = [&DropCones];

/// A predicate that sees the whole question.
struct Asking<F>(F);

impl<F: Fn(&Question<'_, Program>) -> Answer<String> + Sync> Predicate<Program> for Asking<F> {
    type Aside = String;

    fn ask(&self, question: &Question<'_, Program>) -> Answer<String> {
        (self.0)(question)
    }
}

fn interesting_if(yes: bool) -> Answer<String> {
    if yes { Answer::Interesting } else { Answer::Boring }
}

#[test]
fn a_subject_that_is_not_interesting_is_an_error_with_its_last_answer() {
    let options = Options { first_checks: 3, ..Options::default() };
    let error =
        reduce(Program::flat(3), &DROP, &Asking(|_: &Question<'_, Program>| Answer::Invalid), &options, &mut ())
            .unwrap_err();
    assert_eq!(error, Error::NotInteresting { asked: 3, last: Verdict::Invalid });
}

#[test]
fn a_subject_that_its_own_oracle_rejects_is_never_asked_about() {
    let dangling = Program(vec![Statement { id: 0, uses: vec![7], literal: 0 }]);
    let never = |_: &Program| -> bool { panic!("asked") };
    let error = reduce(dangling, &DROP, &never, &Options::default(), &mut ()).unwrap_err();
    assert_eq!(error, Error::InvalidSubject);
}

#[test]
fn a_subject_on_which_nothing_can_act_is_minimal_after_one_question() {
    let report = reduce(Program(Vec::new()), &DROP, &|_: &Program| true, &Options::default(), &mut ()).expect("runs");
    assert_eq!((report.questions, report.stop.clone(), report.minimal()), (1, Stop::Fixpoint, true));
    let report = reduce(Program::flat(4), &[], &|_: &Program| true, &Options::default(), &mut ()).expect("runs");
    assert_eq!((report.questions, report.stop.clone(), report.minimal()), (1, Stop::Fixpoint, true));
}

#[test]
fn steps_need_different_names() {
    let error = reduce(Program::flat(3), &[&DropCones, &DropCones], &|_: &Program| true, &Options::default(), &mut ());
    assert_eq!(error.unwrap_err(), Error::DuplicateStep("drop cones".to_owned()));
}

#[test]
fn cancelling_leaves_the_best_so_far() {
    for jobs in [1, 4] {
        let cancel = Arc::new(AtomicBool::new(false));
        let asked = AtomicU64::new(0);
        let likes = |program: &Program| {
            if asked.fetch_add(1, Ordering::Relaxed) == 10 {
                cancel.store(true, Ordering::Relaxed);
            }
            program.has(17) && program.has(60)
        };
        let options = Options { jobs, cancel: Arc::clone(&cancel), ..Options::default() };
        let report = reduce(Program::flat(100), &DROP, &likes, &options, &mut ()).expect("interesting");
        assert_eq!(report.stop, Stop::Cancelled);
        assert!(!report.minimal());
        assert!(report.subject.has(17) && report.subject.has(60));
        assert!(report.subject.size() < 100, "something was achieved");
    }
}

#[test]
fn a_cancelled_question_learns_that_nobody_waits() {
    let cancel = Arc::new(AtomicBool::new(false));
    let predicate = Asking(|question: &Question<'_, Program>| {
        if question.subject.size() == 30 {
            return Answer::Interesting;
        }
        cancel.store(true, Ordering::Relaxed);
        let start = Instant::now();
        while !question.withdrawn() {
            assert!(start.elapsed() < Duration::from_secs(20), "never withdrawn");
            std::thread::sleep(Duration::from_millis(1));
        }
        Answer::Withdrawn
    });
    let options = Options { jobs: 2, cancel: Arc::clone(&cancel), ..Options::default() };
    let report = reduce(Program::flat(30), &DROP, &predicate, &options, &mut ()).expect("interesting");
    assert_eq!((report.stop, report.subject.size()), (Stop::Cancelled, 30));
}

#[test]
fn time_is_a_budget_too() {
    let likes = |program: &Program| {
        std::thread::sleep(Duration::from_millis(2));
        program.ids().iter().filter(|id| *id % 3 == 0).count() == 100
    };
    let options = Options { max_time: Some(Duration::from_millis(60)), ..Options::default() };
    let start = Instant::now();
    let report = reduce(Program::flat(300), &DROP, &likes, &options, &mut ()).expect("interesting");
    assert_eq!(report.stop, Stop::Time);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(likes(&report.subject));
}

#[test]
fn a_predicate_that_breaks_or_panics_ends_the_run_with_the_best_so_far() {
    let breaks = Asking(|question: &Question<'_, Program>| match question.subject.size() {
        0..8 => Answer::Failed("no worker".to_owned()),
        _ => Answer::Interesting,
    });
    let report = reduce(Program::flat(40), &DROP, &breaks, &Options::default(), &mut ()).expect("interesting");
    assert_eq!(report.stop, Stop::Predicate("no worker".to_owned()));

    let panics = |program: &Program| {
        assert!(program.size() == 40, "a bug in the predicate");
        true
    };
    let report = reduce(Program::flat(40), &DROP, &panics, &Options::default(), &mut ()).expect("interesting");
    assert_eq!(report.stop, Stop::Predicate("the predicate panicked: a bug in the predicate".to_owned()));
    assert_eq!(report.subject.size(), 40);

    let broken = Asking(|_: &Question<'_, Program>| Answer::Failed("no disk".to_owned()));
    let error = reduce(Program::flat(4), &DROP, &broken, &Options::default(), &mut ()).unwrap_err();
    assert_eq!(error, Error::Predicate("no disk".to_owned()));
}

#[test]
fn a_failure_that_happens_sometimes_is_repeated_as_its_rate_demands() {
    // Fails every third time that it is asked; so does every candidate with statement 5.
    let asked = AtomicU32::new(0);
    let sometimes = |program: &Program| program.has(5) && asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(3);
    let options = Options {
        first_checks: 9,
        attempts: Attempts::Demanded { miss: 0.01, at_most: 50 },
        confirm: 1,
        ..Options::default()
    };
    let report = reduce(Program::flat(20), &DROP, &sometimes, &options, &mut ()).expect("interesting");
    assert!((report.rate - 1.0 / 3.0).abs() < 1e-9);
    assert_eq!(report.subject.ids(), [5].into());
    assert_eq!(report.questions, report.asked);
}

#[test]
fn confirmation_keeps_out_candidates_that_are_interesting_by_mistake() {
    // Says yes to everything the first time, the truth afterwards.
    let seen = Mutex::new(std::collections::BTreeSet::new());
    let hasty = |program: &Program| seen.lock().expect("no panic").insert(program.key()) || program.has(3);
    let trusting = reduce(Program::flat(8), &DROP, &hasty, &Options::default(), &mut ()).expect("interesting");
    assert!(!trusting.subject.has(3));
    seen.lock().expect("no panic").clear();
    let careful = Options { confirm: 1, ..Options::default() };
    let report = reduce(Program::flat(8), &DROP, &hasty, &careful, &mut ()).expect("interesting");
    assert_eq!(report.subject.ids(), [3].into());
    assert!(report.unconfirmed > 0);
}

#[test]
fn repetitions_stay_within_the_budget() {
    for most in 1..40 {
        let asked = AtomicU64::new(0);
        let likes = |program: &Program| {
            asked.fetch_add(1, Ordering::Relaxed);
            program.has(3) && program.has(9)
        };
        let options =
            Options { attempts: Attempts::Fixed(3), confirm: 2, max_questions: Some(most), ..Options::default() };
        let report = reduce(Program::flat(12), &DROP, &likes, &options, &mut ()).expect("interesting");
        assert!(asked.load(Ordering::Relaxed) <= most);
        assert_eq!(report.questions, asked.load(Ordering::Relaxed));
        // Asked ahead of its turn, a candidate may have had all its repetitions although the budget ends within them.
        let ahead = reduce(Program::flat(12), &DROP, &likes, &Options { jobs: 3, ..options }, &mut ());
        let ahead = ahead.expect("interesting");
        assert_eq!((ahead.questions, ahead.decisions), (report.questions, report.decisions));
    }
}

/// Keeps everything that it is told.
#[derive(Default)]
struct Diary {
    steps: Vec<String>,
    questions: Vec<(Verdict, u64)>,
    best: Vec<Program>,
    decisions: Vec<Decision>,
    asides: Vec<String>,
}

impl Observer<Program, String> for Diary {
    fn step_started(&mut self, step: &str, _: usize, _: &Progress<<Program as Subject>::Cost>) {
        self.steps.push(step.to_owned());
    }

    fn asked(&mut self, question: &Asked<'_>, progress: &Progress<<Program as Subject>::Cost>) {
        self.questions.push((question.verdict, progress.questions));
    }

    fn accepted(
        &mut self,
        subject: &Program,
        decisions: &[Decision],
        _: bool,
        progress: &Progress<<Program as Subject>::Cost>,
    ) {
        assert_eq!(progress.cost, subject.cost());
        self.best.push(subject.clone());
        self.decisions.extend_from_slice(decisions);
    }

    fn aside(&mut self, subject: &Program, aside: String) {
        self.asides.push(format!("{aside} with {} statements", subject.size()));
    }
}

#[test]
fn the_observer_sees_every_question_every_improvement_and_every_other_bug() {
    let predicate = Asking(|question: &Question<'_, Program>| match question.subject {
        program if program.has(2) => interesting_if(true),
        program if program.size() == 3 => Answer::Aside("another bug".to_owned()),
        program if program.size() == 2 => Answer::Invalid,
        _ => Answer::TimedOut,
    });
    let mut diary = Diary::default();
    let report = reduce(Program::flat(6), &STEPS, &predicate, &Options::default(), &mut diary).expect("interesting");
    assert_eq!(report.subject.ids(), [2].into());
    assert_eq!(diary.best.last(), Some(&report.subject));
    assert_eq!(diary.decisions, report.decisions);
    assert!(diary.best.windows(2).all(|pair| pair[1].cost() < pair[0].cost()));
    assert_eq!(diary.questions.len() as u64 + 1, report.questions);
    let count = |verdict| diary.questions.iter().filter(|&&(v, _)| v == verdict).count() as u64;
    assert_eq!(count(Verdict::Invalid), report.invalid);
    assert_eq!(count(Verdict::TimedOut), report.timed_out);
    assert_eq!(diary.steps.first().map(String::as_str), Some("drop cones"));
    assert_eq!(report.curve.len(), diary.best.len() + 1);
    assert_eq!(report.steps.iter().map(|step| step.gain).sum::<i64>(), 5);
    assert!(report.steps.iter().map(|step| step.questions).sum::<u64>() == report.questions - 1);
}

#[test]
fn a_hanging_candidate_gets_little_time_once_answers_are_known_to_be_quick() {
    let limits = Mutex::new(Vec::new());
    let predicate = Asking(|question: &Question<'_, Program>| {
        limits.lock().expect("no panic").push(question.limit);
        interesting_if(question.subject.has(1))
    });
    let (limit_min, limit_max) = (Duration::from_millis(300), Duration::from_secs(30));
    let options = Options { limit_min, limit_max, ..Options::default() };
    reduce(Program::flat(9), &DROP, &predicate, &options, &mut ()).expect("interesting");
    let limits = limits.into_inner().expect("no panic");
    assert_eq!(limits.first(), Some(&limit_max));
    assert!(limits.iter().skip(1).all(|&limit| limit >= limit_min && limit < limit_max));
}

/// Statement 5 can only go once 9 stands before 0.
fn order_matters(program: &Program) -> bool {
    let order: Vec<u64> = program.0.iter().map(|statement| statement.id).collect();
    [&[0, 9, 5][..], &[9, 0, 5], &[9, 0]].contains(&order.as_slice())
}

#[test]
fn an_edit_without_gain_is_kept_if_what_follows_pays() {
    let program = Program([0, 9, 5].map(|id| Statement { id, uses: Vec::new(), literal: 0 }).to_vec());
    let steps: [&dyn Step<Program>; 2] = [&DropCones, &Swap];
    let stuck = reduce(program.clone(), &DROP, &order_matters, &Options::default(), &mut ()).expect("interesting");
    assert_eq!((stuck.subject.size(), stuck.minimal()), (3, true));
    let report = reduce(program.clone(), &steps, &order_matters, &Options::default(), &mut ()).expect("interesting");
    assert_eq!(report.subject.size(), 2);
    assert_eq!(report.decisions.iter().map(|d| d.step.as_str()).collect::<Vec<_>>(), ["swap", "drop cones"]);

    let impatient = Options { follow_up: 0, ..Options::default() };
    let report = reduce(program, &steps, &order_matters, &impatient, &mut ()).expect("interesting");
    assert_eq!((report.subject.size(), report.decisions.len()), (3, 0), "no follow-up allowed, nothing kept");
}

#[test]
fn pairs_find_what_no_single_edit_can() {
    // Statement 3 is needed, and only an odd number of statements will do, but one is too few.
    let parity = |program: &Program| program.size() % 2 == 1 && program.has(3) && program.size() != 1;
    let singly = reduce(Program::flat(9), &DROP, &parity, &Options::default(), &mut ());
    assert_eq!(singly.expect("interesting").minimality, Minimality::Single);
    let options = Options { pairs: true, ..Options::default() };
    let report = reduce(Program::flat(9), &DROP, &parity, &options, &mut ()).expect("interesting");
    assert_eq!((report.subject.size(), report.minimality), (3, Minimality::Pairs));
}

#[test]
fn a_journal_of_another_reduction_is_refused_with_the_reason() {
    let likes = |program: &Program| program.has(3);
    let mut resume = reduce(Program::flat(9), &DROP, &likes, &Options::default(), &mut ()).expect("runs").decisions;
    let options = Options { resume: resume.clone(), ..Options::default() };
    let error = reduce(Program::flat(8), &DROP, &likes, &options, &mut ()).unwrap_err();
    assert!(matches!(error, Error::Resume { decision: 0, .. }), "{error}");
    resume[0].step = "unheard of".to_owned();
    let options = Options { resume, ..Options::default() };
    let error = reduce(Program::flat(9), &DROP, &likes, &options, &mut ()).unwrap_err();
    assert_eq!(error.to_string(), "cannot resume: decision 0 no longer holds: no such step");
}

#[test]
fn restarts_can_only_improve_and_tell_a_new_way() {
    // Dropping 0 first leads to a dead end of four, dropping from the other end to a single statement.
    let likes = |program: &Program| {
        let (low, high) = (program.has(0), program.has(7));
        program.size() == 8 || (low && !high) || (high && !low && program.size() >= 4)
    };
    let once = reduce(Program::flat(8), &DROP, &likes, &Options::default(), &mut ()).expect("interesting");
    let options = Options { restarts: 3, ..Options::default() };
    let mut diary = Vec::new();
    struct Ways<'a>(&'a mut Vec<Vec<Decision>>);
    impl Observer<Program> for Ways<'_> {
        fn accepted(&mut self, _: &Program, way: &[Decision], restarted: bool, _: &Progress<(usize, usize, u64)>) {
            if restarted || self.0.is_empty() {
                self.0.push(Vec::new());
            }
            if let Some(last) = self.0.last_mut() {
                last.extend_from_slice(way);
            }
        }
    }
    let again = reduce(Program::flat(8), &DROP, &likes, &options, &mut Ways(&mut diary)).expect("interesting");
    assert!(again.cost <= once.cost && again.minimal());
    assert_eq!(again.subject.ids(), [0].into());
    assert_eq!(diary.last(), Some(&again.decisions));
}
