//! The interestingness test of a reduction with Triton: does a candidate still fail the same way?

use super::Candidate;
use crate::compiler::protocol::{Keep as KeepModules, Mode, Options, Passes, Run};
use crate::compiler::worker::WorkerError;
use crate::compiler::{Compiler, Target};
use crate::judge::{Judgement, Keep, Signature, Verdict, judge};
use std::time::Duration;
use tritonsmith_reducer::{Answer, InterestingnessTest, Query};

/// Which passes are run over a module, for which target and with which options.
#[derive(Debug, Clone, PartialEq)]
pub struct Compile {
    /// What is compiled for.
    pub target: Target,
    /// `num_warps`, `num_stages` and the like.
    pub options: Options,
    /// The passes.
    pub passes: Passes,
}

impl Compile {
    /// The run of one module: a pass manager for each pass, so that the failing one is named.
    pub fn run(&self, module: &str, keep: KeepModules) -> Run {
        Run {
            module: module.to_owned(),
            target: self.target.clone(),
            options: self.options.clone(),
            passes: self.passes.clone(),
            stop: None,
            mode: Mode::Stepwise,
            keep,
        }
    }

    /// The same with other passes.
    pub fn with(&self, passes: Passes) -> Compile {
        Compile { passes, ..self.clone() }
    }
}

/// Another failure that was met on the way.
#[derive(Debug, Clone)]
pub struct SlippedBug {
    /// What it is.
    pub judgement: Judgement,
    /// The module that shows it.
    pub text: String,
}

/// "Does this module fail with that signature?", tested with a compiler.
#[derive(Debug)]
pub struct SameFailure<'a> {
    /// The compiler.
    pub compiler: &'a dyn Compiler,
    /// What to run.
    pub compile: &'a Compile,
    /// The failure to keep.
    pub signature: &'a Signature,
    /// How much of it.
    pub keep: Keep,
}

impl SameFailure<'_> {
    /// Runs one module and judges what happens. Our oracle looks at the result only where it was our oracle that
    /// complained: printing the module back costs more than a cheap pass.
    ///
    /// # Errors
    /// A broken environment.
    pub fn judge(&self, text: &str, limit: Duration) -> Result<Judgement, WorkerError> {
        let last = self.signature.message.starts_with("accepted, but");
        let run = self.compile.run(text, KeepModules { last, ..KeepModules::default() });
        Ok(judge(&self.compiler.run_within(&run, limit)?))
    }
}

impl InterestingnessTest<Candidate> for SameFailure<'_> {
    type SlippedBug = SlippedBug;

    fn answer(&self, query: &Query<'_, Candidate>) -> Answer<SlippedBug> {
        if query.is_cancelled() {
            return Answer::Cancelled;
        }
        let text = query.case.text();
        let judgement = match self.judge(text, query.limit) {
            Ok(judgement) => judgement,
            Err(error) => return Answer::Failed(error.to_string()),
        };
        if self.signature.matches(&judgement.signature, self.keep) {
            return Answer::Interesting;
        }
        match judgement.verdict {
            Verdict::RejectedInput => Answer::Invalid,
            Verdict::Hang => Answer::TimedOut,
            verdict if verdict.is_bug() => Answer::SlippedBug(SlippedBug { judgement, text: text.to_owned() }),
            _ => Answer::Uninteresting,
        }
    }
}
