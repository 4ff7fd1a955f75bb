//! What other versions of Triton do with a module that fails in one.
//!
//! The same pass is looked for by name in the other version's own pipeline for the same target and options, since
//! versions differ in the options of a pass. Where it is not there, everything is run that comes after the conversion to
//! layouts, so that a module with layouts is asked what the version would have made of it.

use crate::compiler::protocol::{AskPipeline, Keep, Passes};
use crate::compiler::wheel::Installation;
use crate::compiler::worker::{Worker, WorkerError, WorkerLimits};
use crate::judge::{Judgement, Verdict, judge, pass_name};
use crate::reduce::Compile;

/// What one version does.
#[derive(Debug, Clone)]
pub struct VersionResult {
    /// Which version.
    pub triton: String,
    /// What was run, in words.
    pub ran: String,
    /// What happened.
    pub judgement: Judgement,
    /// Why it could not be tested there.
    pub untestable: Option<String>,
}

/// Runs a module on another installation with the passes that correspond to those of `compile`.
///
/// # Errors
/// A broken environment.
pub fn try_on(installation: &Installation, compile: &Compile, module: &str) -> Result<VersionResult, WorkerError> {
    let mut worker = Worker::start(installation, WorkerLimits::default())?;
    let triton = worker.hello().triton.clone();
    let (passes, ran) = match &compile.passes {
        Passes::Stage { .. } => (compile.passes.clone(), "the whole pipeline".to_owned()),
        Passes::Texts { texts } => {
            let question = AskPipeline {
                target: compile.target.clone(),
                options: compile.options.clone(),
                stage: "ttgir".to_owned(),
            };
            let pipeline = match worker.pipeline(&question) {
                Ok(pipeline) => pipeline,
                Err(error) => return Ok(untestable(triton, error.to_string())),
            };
            let steps: Vec<&str> = pipeline.steps.iter().map(|step| step.text.as_str()).collect();
            counterpart(texts, &steps)
        }
    };
    let run = compile.with(passes).run(module, Keep { last: true, ..Keep::default() });
    let judgement = match worker.run(&run) {
        Ok(outcome) => judge(&outcome),
        Err(error) => return Ok(untestable(triton, error.to_string())),
    };
    let untestable = (judgement.verdict == Verdict::RejectedInput)
        .then(|| format!("it does not read this text: {}", judgement.message));
    Ok(VersionResult { triton, ran, judgement, untestable })
}

fn untestable(triton: String, why: String) -> VersionResult {
    let signature = crate::judge::Signature::new(Verdict::RejectedInput, None, &why, None);
    let judgement =
        Judgement { verdict: Verdict::RejectedInput, message: why.clone(), note: None, pass: None, signature };
    VersionResult { triton, ran: "nothing".to_owned(), judgement, untestable: Some(why) }
}

/// The passes of another version that stand for these.
pub(super) fn counterpart(texts: &[String], steps: &[&str]) -> (Passes, String) {
    let find =
        |text: &String| steps.iter().find(|step| pass_name(step) == pass_name(text)).map(|&step| step.to_owned());
    let found: Option<Vec<String>> = texts.iter().map(find).collect();
    if let Some(found) = found {
        let ran = match found.as_slice() {
            [_] => "the same pass".to_owned(),
            more => format!("the same {} passes", more.len()),
        };
        return (Passes::Texts { texts: found }, ran);
    }
    let converts = |text: &&str| pass_name(text) == "convert-triton-to-tritongpu";
    let after = steps.iter().position(converts).map_or(0, |index| index + 1);
    let ran =
        format!("`{}` is not there; all that follows the conversion to layouts", pass_name(&texts[texts.len() - 1]));
    (Passes::Stage { stage: "ttgir".to_owned(), from: after, to: None }, ran)
}

/// Runs a module on several installations, one after the other; `progress` is told each before it starts.
///
/// # Errors
/// A broken environment.
pub fn other_versions(
    installations: &[Installation],
    compile: &Compile,
    module: &str,
    mut progress: impl FnMut(&Installation),
) -> Result<Vec<VersionResult>, WorkerError> {
    let each = installations.iter().map(|installation| {
        progress(installation);
        try_on(installation, compile, module)
    });
    each.collect()
}
