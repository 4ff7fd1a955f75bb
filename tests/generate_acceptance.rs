//! Real wheels take what is generated: a hundred modules through Triton 3.6.0 for `cuda:80`. The long run over versions and
//! targets is `scripts/acceptance`.

use std::sync::atomic::AtomicBool;
use tritonsmith::compiler::outcome::Outcome;
use tritonsmith::compiler::protocol::{Keep, Mode, Options, Passes, RunRequest};
use tritonsmith::compiler::wheel::{Triton, install};
use tritonsmith::compiler::worker::{Worker, WorkerLimits};
use tritonsmith::generate::{Generated, GeneratorSettings, from_seed};
use tritonsmith::ir::{PrintOptions, print};
use tritonsmith::judge::{Verdict, judge};

/// Both stages, one on what the other left.
fn outcome(worker: &mut Worker, generated: &Generated) -> Outcome {
    let options = [("num_warps", generated.warps), ("num_stages", generated.stages)];
    let mut run = RunRequest {
        module: print(&generated.module, &PrintOptions::default()),
        target: "cuda:80".parse().expect("a target"),
        options: Options::from(options.map(|(name, number)| (name.to_owned(), number.into()))),
        passes: Passes::stage("ttir"),
        stop: None,
        mode: Mode::Whole,
        keep: Keep { last: true, ..Keep::default() },
        pass_ms: None,
        metadata: Default::default(),
    };
    let front = worker.run(&run).unwrap_or_else(|error| panic!("{error}"));
    let Some(text) = front.last_module().filter(|_| front.is_ok()) else { return front };
    run.module = text.to_owned();
    run.passes = Passes::stage("ttgir");
    worker.run(&run).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
#[ignore = "needs wheels"]
fn triton_takes_a_hundred_modules() {
    let spec: Triton = "3.6.0".parse().expect("a version");
    let installation = install(&spec, &AtomicBool::new(false), &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    let mut worker = Worker::start(&installation, WorkerLimits::default()).unwrap_or_else(|error| panic!("{error}"));
    let settings = GeneratorSettings::for_targets([("cuda", "80")], ["3.6.0"]);
    let mut bugs = 0;
    for seed in 0..100 {
        let judgement = judge(&outcome(&mut worker, &from_seed(&settings, seed)));
        let unwanted = matches!(judgement.verdict, Verdict::RejectedInput | Verdict::Diagnosed);
        assert!(!unwanted, "seed {seed}: {}", judgement.signature);
        // A bug of Triton is what is looked for, but a module in ten with one would be a mistake of ours.
        bugs += u32::from(judgement.verdict.is_bug());
    }
    assert!(bugs <= 10, "{bugs} of a hundred modules meet bugs");
}
