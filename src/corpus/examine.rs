//! A failing case looked at once more on the version that fails: what a report shows and a case's file does not hold.
//!
//! The case is run pass by pass, and the first pass that does wrong is named with the module before it and the one that
//! it left. Where that pass alone shows the failure on the module before it, that is what a reader is asked to run, and
//! nothing more. The installation also tells how its own Python adds the pass, so that the failure can be shown with a
//! wheel and nothing else.

use crate::compiler::outcome::Exit;
use crate::compiler::plan::{self, Action, Plan};
use crate::compiler::protocol::{Keep, Passes, PipelineRequest, PipelineStep};
use crate::compiler::wheel::Triton;
use crate::compiler::worker::WorkerError;
use crate::compiler::{Compile, Compiler, NestedPass};
use crate::judge::releases::{VersionError, VersionTrace, trace_like};
use crate::judge::trace::{Snapshot, TraceStep};
use crate::judge::{Judgement, SignatureMatch, Tracer, Verdict, judge};

/// What there is behind the culprit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum After {
    /// The module that it left.
    Left(String),
    /// Nothing: it crashed.
    Crashed,
    /// Nothing: it does not end.
    Hung,
    /// Nothing that could be had.
    Unknown,
}

/// What looking came to.
#[derive(Debug, Clone)]
pub struct Examined {
    /// The version, as expectations name it.
    pub triton: String,
    /// The compiler that it is.
    pub spec: Triton,
    /// The version of Python that it runs in, where it does.
    pub python: Option<String>,
    /// What to run over [`Examined::module`] to see the failure: the culprit alone where that is enough.
    pub compile: Compile,
    /// The same passes one by one.
    pub passes: Vec<NestedPass>,
    /// The module to run it over.
    pub module: String,
    /// The step that did wrong, with the module before it.
    pub culprit: TraceStep,
    /// What it left.
    pub after: After,
    /// What it means.
    pub judgement: Judgement,
    /// What the compiler printed over it, the modules in it left out.
    pub told: String,
    /// How the installation's Python adds the passes, one call for each; none where that cannot be told.
    pub calls: Vec<PipelineStep>,
}

impl Examined {
    /// The module that the culprit got, where it could be had; else the one that went in.
    pub fn before(&self) -> &str {
        self.culprit.before.as_ref().map_or(&self.module, Snapshot::text)
    }
}

/// Why there is nothing to report.
#[derive(Debug, thiserror::Error)]
pub enum ExamineError {
    /// The environment is broken, or the case cannot be tested with this version.
    #[error(transparent)]
    Version(#[from] VersionError),
    /// No pass does wrong.
    #[error("triton {triton} does nothing wrong with it ({verdict}): name a version that fails")]
    DoesNotFail {
        /// The version.
        triton: String,
        /// What it does.
        verdict: Verdict,
    },
}

impl From<WorkerError> for ExamineError {
    fn from(error: WorkerError) -> Self {
        ExamineError::Version(error.into())
    }
}

/// Looks at a case on a compiler; `spec` is what that was started from.
///
/// # Errors
/// See [`ExamineError`].
pub fn examine(
    spec: &Triton,
    compiler: &dyn Compiler,
    compile: &Compile,
    module: &str,
) -> Result<Examined, ExamineError> {
    let triton = compiler.version();
    let VersionTrace { trace, plan, .. } = trace_like(&Tracer::new(compiler), compile, module)?;
    let Some(culprit) = trace.failing().cloned() else {
        return Err(ExamineError::DoesNotFail { triton, verdict: trace.judgement.verdict });
    };
    let mut judgement = trace.judgement;
    let alone = compile.with(Passes::texts(culprit.action.passes()));
    let keep = Keep { failed: true, last: true, ..Keep::default() };
    let mut after = culprit.after.as_ref().map_or(After::Unknown, |left| After::Left(left.text().to_owned()));
    let (mut alone_shows, mut told) = (None, String::new());
    if let Some(before) = culprit.before.as_ref().map(Snapshot::text) {
        let outcome = compiler.run(&alone.run(before, keep))?;
        let again = judge(&outcome);
        if again.signature.matches(&judgement.signature, SignatureMatch::Exact) {
            let left = outcome.failing.as_ref().and_then(|failing| failing.left.clone());
            after = match (outcome.exit, left.or_else(|| outcome.last_module().map(str::to_owned))) {
                (Exit::Hung { .. }, _) => After::Hung,
                (_, Some(left)) => After::Left(left),
                (Exit::Crashed { .. } | Exit::OutOfMemory { .. } | Exit::WorkerDied { .. }, None) => After::Crashed,
                _ => after,
            };
            told = without_modules(&outcome.stderr);
            // The pass alone is what the reader will run: its words count.
            judgement = Judgement { pass: judgement.pass.or(again.pass.clone()), ..again };
            alone_shows = Some(before.to_owned());
        }
    }
    if after == After::Unknown && judgement.verdict == Verdict::Crash {
        after = After::Crashed;
    }
    let (compile, module) = match alone_shows {
        Some(before) => (alone, before),
        None => (plan.joined(), module.to_owned()),
    };
    let plan = Plan::of_compile(compiler, &compile).map_err(VersionError::from)?;
    let passes: Vec<NestedPass> = plan.steps().flat_map(Action::passes).cloned().collect();
    let calls = calls(compiler, &compile, &passes)?;
    let (python, spec) = (compiler.python(), spec.clone());
    Ok(Examined { triton, spec, python, compile, passes, module, culprit, after, judgement, told, calls })
}

/// What was printed beside modules and reproducers: diagnostics and what an assertion says.
fn without_modules(printed: &str) -> String {
    let begins = |line: &str| line.starts_with("module") || line.starts_with("\"builtin.module\"");
    let mut kept = String::new();
    let mut end: Option<&str> = None;
    let mut lines = printed.lines().peekable();
    while let Some(line) = lines.next() {
        match end {
            Some(sign) => {
                if line.starts_with(sign) {
                    end = None;
                }
            }
            // A quoted line has a caret below it.
            None if begins(line) && lines.peek().is_none_or(|next| next.trim() != "^") => end = Some("}"),
            None if line.starts_with("{-#") => end = Some("#-}"),
            None if line.starts_with('#') && line.contains(" = ") => {}
            None if line.trim().is_empty() => {}
            None => {
                kept.push_str(line);
                kept.push('\n');
            }
        }
    }
    kept
}

/// The steps that add these passes, in order; none where one of them is not found with the same options.
fn calls(compiler: &dyn Compiler, compile: &Compile, passes: &[NestedPass]) -> Result<Vec<PipelineStep>, WorkerError> {
    let mut steps = Vec::new();
    let ask = |stage: &str| match compiler.pipeline(&PipelineRequest::new(&compile.target, &compile.options, stage)) {
        Ok(pipeline) => Ok(Some(pipeline)),
        // A backend without that stage.
        Err(WorkerError::Refused(_)) => Ok(None),
        Err(error) => Err(error),
    };
    for stage in plan::stages(compiler, &compile.target, &compile.options)? {
        steps.extend(ask(&stage)?.into_iter().flat_map(|pipeline| pipeline.steps));
    }
    let find = |pass: &NestedPass| {
        let adds = |step: &&PipelineStep| NestedPass::named(&step.text) == std::slice::from_ref(pass);
        steps.iter().find(adds).cloned()
    };
    Ok(passes.iter().map(find).collect::<Option<Vec<_>>>().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_beside_modules_stays() {
        let printed = "x.cpp:1: Assertion `a' failed.\n#blocked = #ttg.blocked<{}>\nmodule {\n  a.b\n}\n\n{-#\n  pipeline\n\
                       #-}\ninput.mlir:3:1: error: caught\nmodule attributes {\n^\n\"builtin.module\"() ({\n}) : () -> ()\nend\n";
        assert_eq!(
            without_modules(printed),
            "x.cpp:1: Assertion `a' failed.\ninput.mlir:3:1: error: caught\nmodule attributes {\n^\nend\n"
        );
    }
}
