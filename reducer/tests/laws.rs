//! What holds for every test case and every interestingness test.

mod toy;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use toy::{Program, STEPS, interesting};
use tritonsmith_reducer::{
    AcceptedEdit, Answer, InterestingnessTest, Minimality, Observer, Progress, Query, SearchOptions, SearchReport,
    Site, Step, Stop, TestCase, reduce,
};

/// Everything of a report that may not depend on jobs or timing.
fn essence(report: &SearchReport<Program>) -> impl PartialEq + std::fmt::Debug + use<> {
    (
        report.best.clone(),
        report.edits.clone(),
        report.stop.clone(),
        (report.minimality, report.queries, report.invalid),
        report.curve.iter().map(|point| (point.queries, point.step.clone(), point.cost)).collect::<Vec<_>>(),
    )
}

/// The improvements in the order in which they were reported.
#[derive(Default)]
struct Improvements(Vec<(Program, bool, u64)>);

impl<A> Observer<Program, A> for Improvements {
    fn improved(
        &mut self,
        best: &Program,
        _: &[AcceptedEdit],
        restarted: bool,
        progress: &Progress<<Program as TestCase>::Cost>,
    ) {
        self.0.push((best.clone(), restarted, progress.queries));
    }
}

/// A site that would still make the program cheaper, by brute force.
fn improvable(program: &Program, steps: &[&dyn Step<Program>], holds: impl Fn(&Program) -> bool) -> Option<String> {
    for step in steps {
        for site in step.sites(program) {
            if let Some(after) = step.apply(program, &[site])
                && after.cost() < program.cost()
                && after.valid()
                && holds(&after)
            {
                return Some(format!("{} at {site:?}", step.name()));
            }
        }
    }
    None
}

/// Answers after a delay drawn from the key and a seed.
struct Delayed<F>(F, u64);

impl<F: Fn(&Program) -> bool + Sync> InterestingnessTest<Program> for Delayed<F> {
    type SlippedBug = ();

    fn answer(&self, query: &Query<'_, Program>) -> Answer<()> {
        let draw = (query.case.key() as u64).wrapping_add(self.1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55;
        std::thread::sleep(Duration::from_micros(draw));
        if query.is_cancelled() && draw.is_multiple_of(2) {
            return Answer::Cancelled;
        }
        if (self.0)(query.case) { Answer::Interesting } else { Answer::Uninteresting }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn the_result_is_interesting_valid_and_1_minimal((program, property) in interesting(24)) {
        let holds = |program: &Program| property.holds(program);
        let report = reduce(program, &STEPS, &holds, &SearchOptions::default(), &mut ()).expect("interesting");
        prop_assert!(property.holds(&report.best) && report.best.valid());
        prop_assert_eq!(report.stop.clone(), Stop::Fixpoint);
        prop_assert!(report.minimal());
        prop_assert_eq!(improvable(&report.best, &STEPS, holds), None);
    }

    #[test]
    fn with_pairs_no_two_edits_in_a_row_help((program, property) in interesting(10)) {
        let holds = |program: &Program| property.holds(program);
        let report =
            reduce(program, &STEPS, &holds, &SearchOptions { pairs: true, ..SearchOptions::default() }, &mut ()).expect("interesting");
        prop_assert_eq!(report.minimality, Minimality::Pairs);
        let best = report.best.cost();
        for step in STEPS {
            for site in step.sites(&report.best) {
                let between = step.apply(&report.best, &[site]);
                let helps = |after: &Program| after.cost() < best && after.valid() && property.holds(after);
                for after in between.iter().flat_map(|between| {
                    STEPS.iter().flat_map(move |s| s.sites(between).into_iter().filter_map(|at| s.apply(between, &[at])))
                }) {
                    prop_assert!(!helps(&after), "{} then {:?}", step.name(), after);
                }
            }
        }
    }

    #[test]
    fn the_edits_lead_from_the_first_program_to_the_result((program, property) in interesting(10), pairs in any::<bool>()) {
        let holds = |program: &Program| property.holds(program);
        let options = SearchOptions { pairs, restarts: 1, ..SearchOptions::default() };
        let report = reduce(program.clone(), &STEPS, &holds, &options, &mut ()).expect("interesting");
        let mut present = program;
        for edit in &report.edits {
            let step = STEPS.into_iter().find(|step| step.name() == edit.step).expect("a step of that name");
            let listed = step.sites(&present);
            let site = |id: &u64| listed.iter().copied().find(|site| site.id == *id).expect("a site that was listed");
            let sites: Vec<Site> = edit.sites.iter().map(site).collect();
            present = step.apply(&present, &sites).expect("it applies");
            prop_assert_eq!(present.key(), edit.key);
        }
        prop_assert_eq!(present, report.best);
    }

    #[test]
    fn no_candidate_is_tested_twice_nor_invalid_nor_costlier((program, property) in interesting(24)) {
        let seen = Mutex::new(BTreeSet::new());
        let first = program.cost();
        let holds = |program: &Program| {
            assert!(program.valid(), "tested an invalid program");
            assert!(program.cost() <= first, "tested a costlier program");
            assert!(seen.lock().expect("no panic").insert(program.key()), "tested twice");
            property.holds(program)
        };
        let report = reduce(program, &STEPS, &holds, &SearchOptions::default(), &mut ()).expect("interesting");
        prop_assert_eq!(report.stop, Stop::Fixpoint);
        prop_assert_eq!(report.asked, seen.lock().expect("no panic").len() as u64);
        prop_assert_eq!(report.queries, report.asked, "a single job asks nothing in vain");
    }

    #[test]
    fn the_budget_is_never_exceeded_and_never_left_over((program, property) in interesting(24), most in 1_u64..60) {
        let asked = AtomicU64::new(0);
        let holds = |program: &Program| {
            asked.fetch_add(1, Ordering::Relaxed);
            property.holds(program)
        };
        let bounded = SearchOptions { max_queries: Some(most), ..SearchOptions::default() };
        let report = reduce(program, &STEPS, &holds, &bounded, &mut ()).expect("interesting");
        prop_assert_eq!(report.queries, asked.load(Ordering::Relaxed));
        match report.stop {
            Stop::Queries => prop_assert_eq!(report.queries, most),
            _ => prop_assert!(report.queries <= most && report.minimal()),
        }
        prop_assert!(property.holds(&report.best));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 25, ..ProptestConfig::default() })]

    #[test]
    fn the_number_of_jobs_changes_nothing(
        (program, property) in interesting(28),
        most in prop_oneof![Just(None), (1_u64..60).prop_map(Some)],
        restarts in 0_u32..3,
        pairs in any::<bool>(),
        attempts in 1_u32..3,
        seed in any::<u64>(),
    ) {
        let options = SearchOptions { max_queries: most.or(Some(800)), restarts, pairs, attempts, ..SearchOptions::default() };
        let holds = |program: &Program| property.holds(program);
        let mut improvements = Improvements::default();
        let alone = reduce(program.clone(), &STEPS, &holds, &options, &mut improvements).expect("interesting");
        for jobs in [2, 3, 8] {
            let mut again = Improvements::default();
            let delayed = Delayed(holds, seed.wrapping_add(jobs as u64));
            let options = SearchOptions { jobs, ..options.clone() };
            let together =
                reduce(program.clone(), &STEPS, &delayed, &options, &mut again).expect("interesting");
            prop_assert_eq!(essence(&alone), essence(&together));
            prop_assert_eq!(&improvements.0, &again.0);
        }
    }
}
