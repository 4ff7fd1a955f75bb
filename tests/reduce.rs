//! Pasted logs of real failures, reduced with the real wheels: how small, with how many queries, and whether what comes
//! out is still the same bug and nothing but.

use std::sync::atomic::AtomicBool;
use tritonsmith::compiler::wheel::{Installation, install};
use tritonsmith::compiler::worker::{Pool, WorkerLimits};
use tritonsmith::compiler::{CompilerSpec, Ingested, ingest};
use tritonsmith::ir;
use tritonsmith::judge::Verdict;
use tritonsmith::judge::releases::try_on;
use tritonsmith::reduce::{Effort, Minimised, ReductionJob, minimise};

fn triton(version: &str) -> Installation {
    let spec = version.parse().expect("a version");
    install(&spec, &AtomicBool::new(false), &mut |_| {}).expect("the wheel installs")
}

fn log(case: &str) -> Ingested {
    let path = format!("{}/corpus/{case}/stderr.log", env!("CARGO_MANIFEST_DIR"));
    ingest(&std::fs::read(path).expect("a shipped log")).expect("it is read")
}

fn job(found: &Ingested, jobs: usize) -> ReductionJob {
    let target = found.target.clone().expect("a target");
    ReductionJob { effort: Effort { jobs, ..Effort::default() }, ..ReductionJob::of_input(found, target) }
}

fn reduced(case: &str, version: &str, jobs: usize) -> Minimised {
    let pool = Pool::start(&triton(version), WorkerLimits::default(), jobs).expect("workers");
    minimise(&pool, &job(&log(case), jobs), &mut |_| {}).expect("it reduces")
}

/// What every reduction of a shipped log has to keep, and what another version does with the result.
fn check(case: &str, version: &str, operations: usize, (good, there): (&str, &str)) -> Minimised {
    let result = reduced(case, version, 2);
    let module = ir::parse(&result.text).expect("what is handed over parses here");
    assert!(module.size() <= operations, "{} operations are left:\n{}", module.size(), result.text);
    assert_eq!(result.last.signature, result.located.judgement.signature);
    assert!(result.report.minimal(), "not 1-minimal");
    assert_eq!(result.report.invalid, 0, "Triton was asked about modules that do not parse there");
    let last = result.report.last_improvement().queries;
    assert!(last < 150, "{last} queries up to the last improvement");
    let cost = &result.report.cost;
    let warp = u64::from(log(case).target.expect("a target").threads_per_warp());
    assert_eq!(
        (cost.threads, cost.held),
        (warp, cost.held.min(6)),
        "one warp, and layouts without more than they need"
    );
    assert!(cost.elements * 20 < result.report.first_cost.elements, "{} elements are left", cost.elements);
    let reference =
        try_on(&CompilerSpec::Wheel(triton(good)), &result.compile, &result.text).expect("the other version runs");
    let seen = reference.untestable.unwrap_or_else(|| reference.judgement.signature.to_string());
    assert_eq!(seen, there, "{good}");
    result
}

#[test]
#[ignore = "needs wheels"]
fn grouped_gemm_mask_reuse() {
    let result = check("grouped_gemm_mask_reuse", "3.6.0", 20, ("3.9.0", "ok"));
    assert_eq!(result.last.verdict, Verdict::InvalidIr);
    assert_eq!(result.last.pass.as_deref(), Some("tritongpu-remove-layout-conversions"));
}

#[test]
#[ignore = "needs wheels"]
fn running_sum_twice() {
    let result = check("running_sum_twice", "3.6.0", 10, ("3.9.0", "ok"));
    assert_eq!(result.last.verdict, Verdict::Crash);
    assert!(result.last.message.contains("hasOneUse"), "{}", result.last.message);
}

#[test]
#[ignore = "needs wheels"]
fn branchy_scale_if_combining() {
    let result = check(
        "branchy_scale_if_combining",
        "3.9.0",
        14,
        ("3.6.0", "it has no pass `tritonamdgpu-prepare-if-combining`"),
    );
    assert_eq!(result.last.verdict, Verdict::InvalidIr);
    assert_eq!(result.last.pass.as_deref(), Some("tritonamdgpu-prepare-if-combining"));
}

#[test]
#[ignore = "needs wheels"]
fn the_number_of_jobs_changes_nothing() {
    let one = reduced("branchy_scale_if_combining", "3.9.0", 1);
    let two = reduced("branchy_scale_if_combining", "3.9.0", 2);
    assert_eq!(one.text, two.text);
    assert_eq!(one.report.queries, two.report.queries);
    assert_eq!(one.report.edits, two.report.edits);
}
