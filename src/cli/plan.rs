//! Which passes a run consists of: what was asked for, made concrete by asking the installation.

use std::str::FromStr;
use tritonsmith::compiler::protocol::{AskPipeline, Options, Passes};
use tritonsmith::compiler::worker::WorkerError;
use tritonsmith::compiler::{Compiler, PassName, Pipeline, Target};
use tritonsmith::judge::pass_name;
use tritonsmith::reduce::texts;

/// The pass that gives a front module its layouts; the stage goes on from behind it for a module that has them.
const CONVERSION: &str = "convert-triton-to-tritongpu";

/// What is to be run.
#[derive(Debug, Clone)]
pub enum Wanted {
    /// Passes by their text.
    Texts(Vec<String>),
    /// The passes of a log, with what stands for them in a version that does not have all of them.
    Log(Vec<String>, Box<Wanted>),
    /// Stages of the backend, in order.
    Stages(Vec<String>),
    /// `ttir` and then, where the backend has it, `ttgir`.
    Front,
    /// `ttgir` for a module that has layouts already.
    WithLayouts,
}

/// One occurrence of a pass: `tritongpu-coalesce`, `cse#2` for its second run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    name: String,
    /// Which run of it, from 1.
    nth: usize,
}

/// The part of what is wanted that is run, both ends included.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// The first pass.
    pub from: Option<Occurrence>,
    /// The last pass.
    pub until: Option<Occurrence>,
}

/// Passes that run one after the other without the module being printed and parsed again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The stage's name, or `pipeline`.
    pub label: String,
    /// What the worker is asked for.
    pub passes: Passes,
    /// The passes in order, as pipeline text.
    pub names: Vec<String>,
}

/// Why there is nothing to run.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The installation cannot say, or refuses.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// A stage ended early when it was recorded.
    #[error("the stage {stage} cannot be set up: {message}")]
    Stage {
        /// Which.
        stage: String,
        /// What was raised.
        message: String,
    },
    /// Nothing is left to run.
    #[error("there is no pass to run: --from names a pass that comes after the one of --until, or the stage is empty")]
    Nothing,
    /// The passes do not have the one that was named.
    #[error("no pass `{name}` is among those that are run; there are {known}")]
    NoSuchPass {
        /// What was named.
        name: String,
        /// What there is.
        known: String,
    },
}

impl FromStr for Occurrence {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no pass: write its name, or name#2 for its second run");
        let (name, nth) = match text.split_once('#') {
            Some((name, nth)) => (name, nth.parse().ok().filter(|nth| *nth > 0).ok_or_else(wrong)?),
            None => (text, 1),
        };
        let word = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || !name.chars().all(word) {
            return Err(wrong());
        }
        Ok(Occurrence { name: name.to_owned(), nth })
    }
}

impl Occurrence {
    /// Whether a step is a run of this pass, whichever.
    pub fn names(&self, step: &str) -> bool {
        let same = |name: &str| PassName(&self.name).same_as(name);
        match format!("builtin.module({step})").parse::<Pipeline>() {
            Ok(pipeline) => pipeline.passes().iter().any(|placed| same(&placed.pass.name)),
            Err(_) => same(&pass_name(step)),
        }
    }

    /// The segment and the step in it.
    fn find(&self, segments: &[Segment]) -> Result<(usize, usize), PlanError> {
        let steps = segments
            .iter()
            .enumerate()
            .flat_map(|(at, segment)| segment.names.iter().enumerate().map(move |(step, name)| ((at, step), name)));
        let mut runs = steps.clone().filter(|(_, name)| self.names(name)).map(|(place, _)| place);
        runs.nth(self.nth - 1).ok_or_else(|| {
            let mut known: Vec<String> = steps.map(|(_, name)| pass_name(name)).collect();
            known.dedup();
            let name = if self.nth == 1 { self.name.clone() } else { format!("{}#{}", self.name, self.nth) };
            PlanError::NoSuchPass { name, known: known.join(", ") }
        })
    }
}

/// The passes of a text as `--passes` takes it: separated by commas, nested or in `builtin.module(…)`.
///
/// # Errors
/// The text is no pipeline.
pub fn passes_of(text: &str) -> Result<Vec<String>, String> {
    let whole = text.trim().starts_with("builtin.module(");
    let pipeline = if whole { text.trim().to_owned() } else { format!("builtin.module({text})") };
    let pipeline: Pipeline = pipeline.parse().map_err(|error| format!("`{text}`: {error}"))?;
    let passes = texts(&pipeline);
    if passes.is_empty() { Err(format!("`{text}` has no pass")) } else { Ok(passes) }
}

/// Makes a plan for one installation and target.
///
/// # Errors
/// See [`PlanError`].
pub fn segments(
    compiler: &dyn Compiler,
    wanted: &Wanted,
    part: &Part,
    target: &Target,
    options: &Options,
) -> Result<Vec<Segment>, PlanError> {
    let stage = |stage: &str| {
        let question = AskPipeline::new(target, options, stage);
        let recorded = compiler.pipeline(&question)?;
        if let Some(message) = recorded.failure {
            return Err(PlanError::Stage { stage: stage.to_owned(), message });
        }
        let names: Vec<String> = recorded.steps.into_iter().map(|step| step.text).collect();
        Ok(Segment { label: stage.to_owned(), passes: Passes::stage(stage), names })
    };
    let mut segments = match wanted {
        Wanted::Texts(texts) | Wanted::Log(texts, _) => vec![Segment {
            label: "pipeline".to_owned(),
            passes: Passes::Texts { texts: texts.clone() },
            names: texts.clone(),
        }],
        Wanted::Stages(names) => names.iter().map(|name| stage(name)).collect::<Result<_, _>>()?,
        Wanted::Front => {
            // A fork may have no `ttgir`, and the model has nothing else.
            let lacks = |result: &Result<Segment, PlanError>| matches!(result, Err(PlanError::Worker(error)) if error.lacks_stage().is_some());
            let both = [stage("ttir"), stage("ttgir")];
            let neither = both.iter().all(lacks);
            both.into_iter().filter(|result| neither || !lacks(result)).collect::<Result<_, _>>()?
        }
        Wanted::WithLayouts => {
            let mut back = stage("ttgir")?;
            let conversion = Occurrence { name: CONVERSION.to_owned(), nth: 1 };
            if let Some(at) = back.names.iter().position(|name| conversion.names(name)) {
                back.restrict(at + 1, None);
            }
            vec![back]
        }
    };
    let from = part.from.as_ref().map(|from| from.find(&segments)).transpose()?;
    let until = part.until.as_ref().map(|until| until.find(&segments)).transpose()?;
    if let Some((segment, step)) = until {
        segments.truncate(segment + 1);
        segments.iter_mut().skip(segment).for_each(|segment| segment.restrict(0, Some(step + 1)));
    }
    if let Some((segment, step)) = from {
        segments.drain(..segment.min(segments.len()));
        segments.iter_mut().take(1).for_each(|segment| segment.restrict(step, None));
    }
    segments.retain(|segment| !segment.names.is_empty());
    if segments.is_empty() {
        return Err(PlanError::NoSuchPass {
            name: "--from … --until".to_owned(),
            known: "none between the two".to_owned(),
        });
    }
    Ok(segments)
}

impl Segment {
    /// Leaves only the steps from `first` to before `last`.
    fn restrict(&mut self, first: usize, last: Option<usize>) {
        let last = last.unwrap_or(self.names.len()).min(self.names.len());
        let first = first.min(last);
        self.names.truncate(last);
        self.names.drain(..first);
        match &mut self.passes {
            Passes::Stage { from, to, .. } => {
                *to = Some(*from + last);
                *from += first;
            }
            Passes::Texts { texts } => *texts = self.names.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(names: &[&str]) -> Segment {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Segment { label: "ttgir".into(), passes: Passes::stage("ttgir"), names }
    }

    #[test]
    fn a_pass_is_found_by_either_of_its_names_and_by_its_run() {
        let segments = [segment(&["cse"]), segment(&["tritongpu-coalesce{x=1}", "tt.func(cse)", "a,cse"])];
        let find = |text: &str| text.parse::<Occurrence>().unwrap().find(&segments).ok();
        assert_eq!(find("cse"), Some((0, 0)));
        assert_eq!(find("cse#2"), Some((1, 1)));
        assert_eq!(find("cse#3"), Some((1, 2)));
        assert_eq!(find("TritonGPUCoalescePass"), Some((1, 0)));
        assert_eq!(find("cse#4"), None);
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in ["", "#1", "cse#0", "cse#x", "a,b", "cse{x=1}"] {
            assert!(text.parse::<Occurrence>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_part_of_a_part_counts_from_the_stages_own_start() {
        let mut part = segment(&["a", "b", "c", "d", "e"]);
        part.restrict(1, None);
        part.restrict(1, Some(3));
        assert_eq!(part.names, ["c", "d"]);
        assert_eq!(part.passes, Passes::Stage { stage: "ttgir".into(), from: 2, to: Some(4) });
    }

    #[test]
    fn passes_are_read_from_lists_and_pipelines() {
        assert_eq!(passes_of("a,b{x=1  y=2}").unwrap(), ["a", "b{x=1 y=2}"]);
        assert_eq!(passes_of("builtin.module(a,tt.func(b,c))").unwrap(), ["a", "tt.func(b)", "tt.func(c)"]);
        for text in ["", "a,", "a{x=1", "builtin.module()"] {
            assert!(passes_of(text).is_err(), "{text}");
        }
    }
}
