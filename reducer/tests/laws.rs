//! What holds for every subject and every predicate.

mod toy;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use toy::{Program, STEPS, STEPS_WITH_SWAP, liked};
use tritonsmith_reducer::{
    Answer, Minimality, Observer, Options, Predicate, Progress, Question, Report, Step, StepStatistics, Stop, Subject,
    reduce,
};

/// Everything of a report that may not depend on jobs or timing.
fn essence(report: &Report<Program>) -> impl PartialEq + std::fmt::Debug + use<> {
    let untimed = |step: &StepStatistics| StepStatistics { time: Duration::ZERO, ..step.clone() };
    (
        report.subject.clone(),
        report.decisions.clone(),
        report.stop.clone(),
        (report.minimality, report.proof_questions, report.questions),
        report.curve.iter().map(|point| (point.question, point.step.clone(), point.cost)).collect::<Vec<_>>(),
        report.steps.iter().map(untimed).collect::<Vec<_>>(),
    )
}

/// The best subjects in the order in which they were told.
#[derive(Default)]
struct Story(Vec<(Program, bool, u64)>);

impl<A> Observer<Program, A> for Story {
    fn accepted(
        &mut self,
        subject: &Program,
        _: &[tritonsmith_reducer::Decision],
        restarted: bool,
        progress: &Progress<<Program as Subject>::Cost>,
    ) {
        self.0.push((subject.clone(), restarted, progress.questions));
    }
}

/// Sites that would still improve the subject, by brute force.
fn improvable(subject: &Program, steps: &[&dyn Step<Program>], likes: impl Fn(&Program) -> bool) -> Option<String> {
    for step in steps {
        for site in step.sites(subject) {
            if let Some(after) = step.apply(subject, &[site])
                && after.cost() < subject.cost()
                && after.valid()
                && likes(&after)
            {
                return Some(format!("{} at {site:?}", step.name()));
            }
        }
    }
    None
}

/// Answers after a delay drawn from the key and a seed.
struct Delayed<F>(F, u64);

impl<F: Fn(&Program) -> bool + Sync> Predicate<Program> for Delayed<F> {
    type Aside = ();

    fn ask(&self, question: &Question<'_, Program>) -> Answer<()> {
        let draw = (question.subject.key() as u64).wrapping_add(self.1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55;
        std::thread::sleep(Duration::from_micros(draw));
        if question.withdrawn() && draw.is_multiple_of(2) {
            return Answer::Withdrawn;
        }
        if (self.0)(question.subject) { Answer::Interesting } else { Answer::Boring }
    }
}

fn options() -> Options {
    Options { follow_up: 6, ..Options::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn the_result_is_interesting_valid_and_1_minimal((program, taste) in liked(24)) {
        let likes = |program: &Program| taste.likes(program);
        let report = reduce(program, &STEPS_WITH_SWAP, &likes, &options(), &mut ()).expect("interesting");
        prop_assert!(taste.likes(&report.subject) && report.subject.valid());
        prop_assert_eq!(report.stop.clone(), Stop::Fixpoint);
        prop_assert!(report.minimal());
        prop_assert_eq!(improvable(&report.subject, &STEPS_WITH_SWAP, likes), None);
    }

    #[test]
    fn with_pairs_no_two_edits_in_a_row_help((program, taste) in liked(10)) {
        let likes = |program: &Program| taste.likes(program);
        let report =
            reduce(program, &STEPS, &likes, &Options { pairs: true, ..options() }, &mut ()).expect("interesting");
        prop_assert_eq!(report.minimality, Minimality::Pairs);
        let best = report.subject.cost();
        for step in STEPS {
            for site in step.sites(&report.subject) {
                let between = step.apply(&report.subject, &[site]);
                let helps = |after: &Program| after.cost() < best && after.valid() && taste.likes(after);
                for after in between.iter().flat_map(|between| {
                    STEPS.iter().flat_map(move |s| s.sites(between).into_iter().filter_map(|at| s.apply(between, &[at])))
                }) {
                    prop_assert!(!helps(&after), "{} then {:?}", step.name(), after);
                }
            }
        }
    }

    #[test]
    fn no_candidate_is_asked_twice_nor_invalid_nor_dear((program, taste) in liked(24)) {
        let seen = Mutex::new(BTreeSet::new());
        let first = program.cost();
        let likes = |program: &Program| {
            assert!(program.valid(), "asked about an invalid program");
            assert!(program.cost() <= first, "asked about a costlier program");
            assert!(seen.lock().expect("no panic").insert(program.key()), "asked twice");
            taste.likes(program)
        };
        let report = reduce(program, &STEPS, &likes, &options(), &mut ()).expect("interesting");
        prop_assert_eq!(report.stop, Stop::Fixpoint);
        prop_assert_eq!(report.asked, seen.lock().expect("no panic").len() as u64);
        prop_assert_eq!(report.questions, report.asked, "a single job asks nothing in vain");
    }

    #[test]
    fn the_budget_is_never_exceeded_and_never_left_over((program, taste) in liked(24), most in 1_u64..60) {
        let asked = AtomicU64::new(0);
        let likes = |program: &Program| {
            asked.fetch_add(1, Ordering::Relaxed);
            taste.likes(program)
        };
        let bounded = Options { max_questions: Some(most), ..options() };
        let report = reduce(program, &STEPS, &likes, &bounded, &mut ()).expect("interesting");
        prop_assert_eq!(report.questions, asked.load(Ordering::Relaxed));
        match report.stop {
            Stop::Questions => prop_assert_eq!(report.questions, most),
            _ => prop_assert!(report.questions <= most && report.minimal()),
        }
        prop_assert!(taste.likes(&report.subject));
    }

    #[test]
    fn a_journal_leads_to_the_same_place((program, taste) in liked(24), cut in any::<proptest::sample::Index>()) {
        let likes = |program: &Program| taste.likes(program);
        let paired = Options { pairs: program.0.len() < 10, ..options() };
        let plain = reduce(program.clone(), &STEPS, &likes, &paired, &mut ()).expect("interesting");
        let resumed = Options { resume: plain.decisions.clone(), ..paired.clone() };
        let again = reduce(program.clone(), &STEPS, &likes, &resumed, &mut ()).expect("still interesting");
        prop_assert!(again.cost <= plain.cost && again.decisions.starts_with(&plain.decisions));
        // What is minimal edit by edit can still lose several at once, where the predicate is not monotone: the run that
        // goes on looks at large chunks again. Where it is monotone there is nothing left to find.
        if taste.monotone() {
            prop_assert_eq!(&again.subject, &plain.subject);
        }

        // A growing step may find more in a second run, which has its allowance again; it never loses anything.
        let whole = reduce(program.clone(), &STEPS_WITH_SWAP, &likes, &options(), &mut ()).expect("interesting");
        let resumed = Options { resume: whole.decisions.clone(), ..options() };
        let again = reduce(program.clone(), &STEPS_WITH_SWAP, &likes, &resumed, &mut ()).expect("still interesting");
        prop_assert!(again.cost <= whole.cost && again.decisions.starts_with(&whole.decisions));

        let kept = cut.index(plain.decisions.len() + 1);
        let lines: Vec<String> = plain.decisions.iter().take(kept).map(ToString::to_string).collect();
        let resume = lines.iter().map(|line| line.parse().expect("own form")).collect();
        let part = reduce(program, &STEPS, &likes, &Options { resume, ..paired.clone() }, &mut ()).expect("interesting");
        // A cut between the two edits of a pair goes back to before both.
        let whole = kept.saturating_sub(usize::from(paired.pairs));
        prop_assert!(part.decisions.starts_with(&plain.decisions[..kept]) || part.decisions.starts_with(&plain.decisions[..whole]));
        prop_assert_eq!(improvable(&part.subject, &STEPS, likes), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 25, ..ProptestConfig::default() })]

    #[test]
    fn the_number_of_jobs_changes_nothing(
        (program, taste) in liked(28),
        most in prop_oneof![Just(None), (1_u64..60).prop_map(Some)],
        restarts in 0_u32..3,
        pairs in any::<bool>(),
        cache in prop_oneof![Just(1 << 16), 0_usize..8],
        seed in any::<u64>(),
    ) {
        let options = Options { max_questions: most.or(Some(800)), restarts, pairs, cache, ..options() };
        let likes = |program: &Program| taste.likes(program);
        let mut story = Story::default();
        let alone = reduce(program.clone(), &STEPS_WITH_SWAP, &likes, &options, &mut story).expect("interesting");
        for jobs in [2, 3, 8] {
            let mut retold = Story::default();
            let delayed = Delayed(likes, seed.wrapping_add(jobs as u64));
            let options = Options { jobs, ..options.clone() };
            let together =
                reduce(program.clone(), &STEPS_WITH_SWAP, &delayed, &options, &mut retold).expect("interesting");
            prop_assert_eq!(essence(&alone), essence(&together));
            prop_assert_eq!(&story.0, &retold.0);
        }
    }
}
