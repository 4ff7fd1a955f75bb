//! What a second job is worth: real reductions, with the real answers of Triton replayed after a pause.
//!
//! Each case is reduced once with a wheel, and its answers are kept. Then it is reduced again from these answers with one
//! job and with two, every answer given after the same time, as if a query cost that. Pausing in place of compiling
//! takes the processor out of the picture: two jobs on two busy cores would measure the cores. What is left is what the
//! engine makes of the time: candidates foreseen, and the work between two queries, which is done on one thread.
//!
//!     cargo bench --bench jobs            # all cases, 5 and 20 ms
//!     cargo bench --bench jobs -- 5 gemm  # one pause, the cases with this in their name
//!
//! Fails where two jobs are less than 1.6 times as fast as one.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot be set up has no result")]

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tritonsmith::compiler::plan::PassSelection;
use tritonsmith::compiler::wheel::install;
use tritonsmith::compiler::worker::{Pool, WorkerLimits};
use tritonsmith::compiler::{Compiler, ingest};
use tritonsmith::ir;
use tritonsmith::judge::SignatureMatch;
use tritonsmith::reduce::{Candidate, Effort, ReductionJob, SameFailure, SlippedBug, minimise, shrink};
use tritonsmith_reducer::{Answer, InterestingnessTest, Query, TestCase};

/// The factor that two jobs have to bring.
const WANTED: f64 = 1.6;

/// A case: its name, its input under `corpus/`, the version that fails, and for a module the target.
const CASES: [(&str, &str, &str, &str); 4] = [
    ("gemm", "grouped_gemm_mask_reuse/stderr.log", "3.6.0", ""),
    ("twice", "running_sum_twice/stderr.log", "3.6.0", ""),
    ("branchy", "branchy_scale_if_combining/stderr.log", "3.9.0", ""),
    ("attention", "bench/flash_attention_twice.mlir", "3.6.0", "cuda:80"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Yes,
    No,
    Invalid,
}

/// Asks Triton and remembers.
struct Recording<'a> {
    inner: SameFailure<'a>,
    known: &'a Mutex<HashMap<u128, Known>>,
}

impl InterestingnessTest<Candidate> for Recording<'_> {
    type SlippedBug = SlippedBug;

    fn answer(&self, query: &Query<'_, Candidate>) -> Answer<SlippedBug> {
        let answer = self.inner.answer(query);
        let known = match answer {
            Answer::Interesting => Known::Yes,
            Answer::Invalid => Known::Invalid,
            _ => Known::No,
        };
        self.known.lock().unwrap().insert(query.case.key(), known);
        answer
    }
}

/// Answers from memory, after a while.
struct Replaying<'a> {
    known: &'a HashMap<u128, Known>,
    pause: Duration,
}

impl InterestingnessTest<Candidate> for Replaying<'_> {
    type SlippedBug = SlippedBug;

    fn answer(&self, query: &Query<'_, Candidate>) -> Answer<SlippedBug> {
        std::thread::sleep(self.pause);
        // A candidate that was foreseen in vain may be unknown; its answer counts for nothing.
        match self.known.get(&query.case.key()) {
            Some(Known::Yes) => Answer::Interesting,
            Some(Known::Invalid) => Answer::Invalid,
            _ => Answer::Uninteresting,
        }
    }
}

/// The module to reduce, and the answers to all that is asked about it.
fn record(input: &str, version: &str, target: &str) -> (String, HashMap<u128, Known>) {
    let installation = install(&version.parse().unwrap(), &AtomicBool::new(false), &mut |_| {}).unwrap();
    let pool = Pool::start(&installation, WorkerLimits::default(), 2).unwrap();
    let path = format!("{}/corpus/{input}", env!("CARGO_MANIFEST_DIR"));
    let found = ingest(&std::fs::read(path).unwrap()).unwrap();
    let target = found.target.clone().unwrap_or_else(|| target.parse().unwrap());
    let mut job = ReductionJob {
        effort: Effort { max_queries: Some(1), ..Effort::default() },
        ..ReductionJob::of_input(&found, target)
    };
    for (name, value) in [("num_warps", 4), ("num_stages", 2)] {
        job.options.entry(name.to_owned()).or_insert_with(|| value.into());
    }
    if found.pipeline.is_none() {
        job.request = PassSelection::Stages(vec!["ttgir".to_owned()]);
    }
    let start = minimise(&pool, &job, &mut |_| {}).unwrap();
    let known = Mutex::new(HashMap::new());
    let signature = &start.located.judgement.signature;
    let inner = SameFailure {
        compiler: &pool as &dyn Compiler,
        compile: &start.compile,
        signature,
        keep: SignatureMatch::Exact,
    };
    shrink(&start.text, "", &Recording { inner, known: &known }, &Effort::default(), &mut |_| {}).unwrap();
    (start.text, known.into_inner().unwrap())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let (numbers, names): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|argument| argument.parse::<u64>().is_ok());
    let mut pauses: Vec<u64> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
    if pauses.is_empty() {
        pauses = vec![5, 20];
    }
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load {}", load.split(' ').next().unwrap_or_default());
    println!("| case | operations | pause | queries | one job | two jobs | factor | asked by two |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut enough = true;
    for (name, input, version, target) in CASES {
        if !names.is_empty() && !names.iter().any(|wanted| name.contains(wanted.as_str())) {
            continue;
        }
        let (start, known) = record(input, version, target);
        let operations = ir::parse(&start).unwrap().size();
        for &pause in &pauses {
            let replaying = Replaying { known: &known, pause: Duration::from_millis(pause) };
            let run = |jobs: usize| {
                let effort = Effort { jobs, ..Effort::default() };
                let begin = Instant::now();
                let shrunk = shrink(&start, "", &replaying, &effort, &mut |_| {}).unwrap();
                (begin.elapsed().as_secs_f64(), shrunk)
            };
            let (one, alone) = run(1);
            let (two, together) = run(2);
            assert_eq!(alone.text, together.text, "the number of jobs changes nothing");
            let left = alone.report.cost.operations;
            let (queries, asked) = (alone.report.queries, together.report.asked);
            let factor = one / two;
            println!(
                "| {name} | {operations} to {left} | {pause} ms | {queries} | {one:.2} s | {two:.2} s | {factor:.2} | {asked} |"
            );
            enough &= factor >= WANTED;
        }
    }
    if enough { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
