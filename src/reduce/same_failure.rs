//! The interestingness test of a reduction with Triton: does a candidate still fail the same way?

use super::Candidate;
use crate::compiler::plan::Segment;
use crate::compiler::protocol::{Keep, Passes};
use crate::compiler::worker::WorkerError;
use crate::compiler::{Compile, Compiler};
use crate::judge::{Judgement, Signature, SignatureMatch, Trace, Verdict, judge};
use std::time::Duration;
use tritonsmith_reducer::{Answer, InterestingnessTest, Query};

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
    pub keep: SignatureMatch,
}

impl SameFailure<'_> {
    /// Runs one module and judges what happens. Our oracle looks at the result only where it was our oracle that
    /// complained: printing the module back costs more than a cheap pass.
    ///
    /// # Errors
    /// A broken environment.
    pub fn judge(&self, text: &str, limit: Duration) -> Result<Judgement, WorkerError> {
        let each = !self.signature.accuser.is_compiler();
        let mut run = self.compile.run(text, Keep { each, ..Keep::default() });
        run.pass_ms = self.signature.pass_ms();
        let outcome = self.compiler.run_within(&run, limit)?;
        Ok(match &self.compile.passes {
            Passes::Texts { texts } if each => Trace::of(&Segment::of_texts(texts), text, outcome).judgement,
            _ => judge(&outcome),
        })
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
            Verdict::Hang | Verdict::Slow => Answer::TimedOut,
            verdict if verdict.is_bug() => Answer::SlippedBug(SlippedBug { judgement, text: text.to_owned() }),
            _ => Answer::Uninteresting,
        }
    }
}
