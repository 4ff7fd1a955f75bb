//! Which steps a compile consists of: what was asked for, made concrete by asking the compiler.
//!
//! A [`PassSelection`] says what is wanted without knowing the version that will run it. [`Plan::new`] asks a compiler for
//! the passes of its stages and gives segments: steps that run one after the other without the module being printed and
//! parsed in between.

mod given;
mod like;

pub use given::{GivenModule, has_layouts};

use super::protocol::{Options, Passes, PipelineRequest, Refusal, RefusalKind};
use super::worker::WorkerError;
use super::{Compile, Compiler, Ingested, NestedPass, PassName, Target};
use like::Like;
use std::fmt;
use std::str::FromStr;

/// The pass that gives a module its layouts; a module that has them goes on from behind it.
const CONVERSION: &str = "convert-triton-to-tritongpu";
/// The stage that every backend has.
const FIRST: &str = "ttir";
/// The stage whose pass manager logs show.
const SECOND: &str = "ttgir";
/// Why the stages behind it are left out.
const NO_KERNEL: &str = "the stages behind ttgir are not run: a function of this module takes tensors or returns \
                         something, which no kernel does; --stage runs them all the same";

/// What is to be run.
#[derive(Debug, Clone)]
pub enum PassSelection {
    /// These passes, as they are.
    Exactly(Passes),
    /// Stages of the backend, in order.
    Stages(Vec<String>),
    /// All stages of the backend that a module of this kind can go through, to the object file.
    All(GivenModule),
    /// What corresponds in this version to the passes of another one, for a module with or without layouts.
    Like {
        /// The passes there.
        passes: Passes,
        /// What the module is.
        given: GivenModule,
    },
}

/// What a step of a compile does: what one call adds to a pass manager, nearly always one pass; or what a stage does beside
/// its passes, see [`NestedPass::rest_of_stage`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Action {
    passes: Vec<NestedPass>,
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

/// Steps that run one after the other without the module being printed and parsed again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The stage's name, or `pipeline`.
    pub stage: String,
    /// What the compiler is asked for.
    pub passes: Passes,
    /// The steps in order.
    pub steps: Vec<Action>,
}

/// What is run over a module, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What is compiled for.
    pub target: Target,
    /// `num_warps`, `num_stages` and the like.
    pub options: Options,
    /// What is run; never empty.
    pub segments: Vec<Segment>,
    /// The same in words, where it is not what was asked for word by word.
    pub ran: String,
    /// What was asked for and is not run, with the reason: a stage of a fork that cannot be set up here, a pass that this
    /// version does not have.
    pub left_out: Option<String>,
}

/// Why there is nothing to run.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The compiler cannot say, or refuses.
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
    /// The query is about a pass that this version does not have.
    #[error("it has no pass `{name}`")]
    MissingPass {
        /// Which.
        name: String,
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

/// For those who ran nothing but what they knew to be there.
impl From<PlanError> for WorkerError {
    fn from(error: PlanError) -> WorkerError {
        let kind = match &error {
            PlanError::Worker(_) | PlanError::Stage { .. } => RefusalKind::Stage,
            PlanError::MissingPass { .. } => RefusalKind::Pass,
            PlanError::Nothing | PlanError::NoSuchPass { .. } => RefusalKind::Request,
        };
        match error {
            PlanError::Worker(error) => error,
            error => Refusal { kind, message: error.to_string() }.into(),
        }
    }
}

impl PassSelection {
    /// What an input goes through where nothing else is asked for: a log's own pipeline, or what a backend does with a
    /// module of its kind.
    pub fn of_input(found: &Ingested) -> PassSelection {
        match &found.pipeline {
            Some(pipeline) => PassSelection::Exactly(Passes::texts(pipeline.passes())),
            None => PassSelection::of_passes(&Passes::All, &found.chosen().text),
        }
    }

    /// These passes over this module.
    pub fn of_passes(passes: &Passes, module: &str) -> PassSelection {
        match passes {
            Passes::All => PassSelection::All(GivenModule::of(module)),
            passes => PassSelection::Exactly(passes.clone()),
        }
    }

    /// What corresponds to a compile in another version.
    pub fn like(passes: &Passes, module: &str) -> PassSelection {
        match passes {
            Passes::All => PassSelection::of_passes(passes, module),
            passes => PassSelection::Like { passes: passes.clone(), given: GivenModule::of(module) },
        }
    }
}

impl Action {
    /// What adds these passes.
    pub fn new(passes: Vec<NestedPass>) -> Action {
        Action { passes }
    }

    /// The name of its pass, without options and anchors; of several the first.
    pub fn name(&self) -> &str {
        self.passes.first().map_or("", NestedPass::name)
    }

    /// Its passes.
    pub fn passes(&self) -> &[NestedPass] {
        &self.passes
    }
}

/// As pipeline text.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.passes.iter().enumerate().try_for_each(|(index, pass)| {
            f.write_str(if index == 0 { "" } else { "," })?;
            pass.fmt(f)
        })
    }
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
    /// The positions of the steps that are runs of this pass, whichever.
    pub fn runs<'s>(&self, steps: impl Iterator<Item = &'s Action>) -> Vec<usize> {
        let passes = steps.enumerate().flat_map(|(at, step)| step.passes().iter().map(move |pass| (at, pass.name())));
        let passes: Vec<(usize, &str)> = passes.collect();
        let mut runs = PassName(&self.name).find_in(passes.iter().map(|(_, name)| *name));
        runs.iter_mut().for_each(|place| *place = passes.get(*place).map_or(0, |(at, _)| *at));
        runs.dedup();
        runs
    }

    /// The segment and the step in it.
    fn find(&self, segments: &[Segment]) -> Result<(usize, usize), PlanError> {
        let steps = segments
            .iter()
            .enumerate()
            .flat_map(|(at, segment)| segment.steps.iter().enumerate().map(move |(step, action)| ((at, step), action)));
        let runs = self.runs(steps.clone().map(|(_, action)| action));
        let place = runs.get(self.nth - 1).and_then(|run| steps.clone().nth(*run));
        place.map(|(place, _)| place).ok_or_else(|| {
            let mut known: Vec<&str> = steps.map(|(_, action)| action.name()).collect();
            known.dedup();
            let name = if self.nth == 1 { self.name.clone() } else { format!("{}#{}", self.name, self.nth) };
            PlanError::NoSuchPass { name, known: known.join(", ") }
        })
    }
}

impl Segment {
    /// Passes by their text, a step each.
    fn of_passes(passes: &[NestedPass]) -> Segment {
        Segment {
            stage: "pipeline".to_owned(),
            passes: Passes::texts(passes),
            steps: passes.iter().map(|pass| Action::new(vec![pass.clone()])).collect(),
        }
    }

    /// The same from pipeline text.
    pub fn of_texts(texts: &[String]) -> Segment {
        let passes: Vec<NestedPass> = texts.iter().flat_map(|text| NestedPass::named(text)).collect();
        Segment::of_passes(&passes)
    }

    fn of_stage(
        compiler: &dyn Compiler,
        target: &Target,
        options: &Options,
        stage: &str,
    ) -> Result<Segment, PlanError> {
        let recorded = compiler.pipeline(&PipelineRequest::new(target, options, stage))?;
        if let Some(message) = recorded.failure {
            return Err(PlanError::Stage { stage: stage.to_owned(), message });
        }
        let steps = recorded.steps.iter().map(|step| Action::new(NestedPass::named(&step.text))).collect();
        Ok(Segment { stage: stage.to_owned(), passes: Passes::stage(stage), steps })
    }

    /// Leaves only the steps from `first` to before `last`.
    fn restrict(&mut self, first: usize, last: Option<usize>) {
        let last = last.unwrap_or(self.steps.len()).min(self.steps.len());
        let first = first.min(last);
        self.steps.truncate(last);
        self.steps.drain(..first);
        match &mut self.passes {
            Passes::Stage { from, to, .. } => {
                *to = Some(*from + last);
                *from += first;
            }
            passes => *passes = Passes::texts(&self.steps),
        }
    }

    /// Leaves what follows the conversion to layouts, if that is there. Says whether it is.
    fn restrict_to_layouts(&mut self) -> bool {
        let found = self.steps.iter().position(|step| step.name() == CONVERSION);
        if let Some(at) = found {
            self.restrict(at + 1, None);
        }
        found.is_some()
    }
}

impl Plan {
    /// Makes a plan for one compiler, target and options.
    ///
    /// # Errors
    /// See [`PlanError`].
    pub fn new(
        compiler: &dyn Compiler,
        request: &PassSelection,
        part: &Part,
        target: &Target,
        options: &Options,
    ) -> Result<Plan, PlanError> {
        let stage = |stage: &str| Segment::of_stage(compiler, target, options, stage);
        let (mut ran, mut left_out) = (String::new(), None);
        let mut segments = match request {
            PassSelection::Exactly(Passes::Texts { texts }) => vec![Segment::of_texts(texts)],
            PassSelection::Exactly(Passes::Stage { stage: name, from, to }) => {
                let mut segment = stage(name)?;
                if (*from, *to) != (0, None) {
                    segment.restrict(*from, *to);
                }
                vec![segment]
            }
            PassSelection::Stages(names) => names.iter().map(|name| stage(name)).collect::<Result<_, _>>()?,
            PassSelection::All(given) => Plan::all_stages(compiler, target, options, *given, &mut left_out)?,
            PassSelection::Exactly(Passes::All) => {
                Plan::all_stages(compiler, target, options, GivenModule::default(), &mut left_out)?
            }
            PassSelection::Like { passes, given } => {
                let from_the_start = GivenModule { layouts: false, ..*given };
                let all = || Plan::all_stages(compiler, target, options, from_the_start, &mut None);
                let like = Like::of(passes, given.layouts, stage, all)?;
                (ran, left_out) = (like.ran, like.left_out);
                like.segments
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
        segments.retain(|segment| !segment.steps.is_empty());
        if segments.is_empty() {
            return Err(PlanError::Nothing);
        }
        Ok(Plan { target: target.clone(), options: options.clone(), segments, ran, left_out })
    }

    /// All stages of the backend, in order, as far as they can be set up; `left_out` says which cannot, and why.
    fn all_stages(
        compiler: &dyn Compiler,
        target: &Target,
        options: &Options,
        given: GivenModule,
        left_out: &mut Option<String>,
    ) -> Result<Vec<Segment>, PlanError> {
        let mut names = stages(compiler, target, options)?;
        if let Some(second) = names.iter().position(|name| name == SECOND) {
            if !given.is_kernel && second + 1 < names.len() {
                names.truncate(second + 1);
                *left_out = Some(NO_KERNEL.to_owned());
            }
            if given.layouts {
                names.retain(|name| name != FIRST);
            }
        }
        let mut segments = Vec::new();
        for name in names {
            match Segment::of_stage(compiler, target, options, &name) {
                Ok(mut segment) => {
                    if given.layouts && name == SECOND {
                        segment.restrict_to_layouts();
                    }
                    segments.push(segment);
                }
                Err(error @ PlanError::Stage { .. }) if !segments.is_empty() => {
                    *left_out = Some(error.to_string());
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(segments)
    }

    /// The plan of a compile that this compiler is to run as it is.
    ///
    /// # Errors
    /// See [`PlanError`].
    pub fn of_compile(compiler: &dyn Compiler, compile: &Compile) -> Result<Plan, PlanError> {
        let Compile { target, options, passes } = compile;
        Plan::new(compiler, &PassSelection::Exactly(passes.clone()), &Part::default(), target, options)
    }

    /// What a segment asks of a compiler.
    pub fn compile(&self, segment: &Segment) -> Compile {
        Compile { target: self.target.clone(), options: self.options.clone(), passes: segment.passes.clone() }
    }

    /// All passes as one compile, by their text: without the module being printed and parsed between stages.
    pub fn joined(&self) -> Compile {
        let passes = Passes::texts(self.steps().flat_map(Action::passes));
        Compile { target: self.target.clone(), options: self.options.clone(), passes }
    }

    /// All steps in order.
    pub fn steps(&self) -> impl Iterator<Item = &Action> {
        self.segments.iter().flat_map(|segment| &segment.steps)
    }
}

/// The stages that a backend has, in order.
///
/// # Errors
/// A broken environment, or a target or options that no backend takes.
pub fn stages(compiler: &dyn Compiler, target: &Target, options: &Options) -> Result<Vec<String>, WorkerError> {
    let ask = |stage: &str| compiler.pipeline(&PipelineRequest::new(target, options, stage));
    // A fork may have no `ttgir`; the model has nothing else, and neither it nor Gluon has `ttir`.
    let recorded = match ask(FIRST) {
        Err(error) if error.lacks_stage().is_some() => ask(SECOND)?,
        first => first?,
    };
    Ok(recorded.stages)
}

/// How a list of passes is told that another version has too.
pub fn same_passes(count: usize) -> String {
    if count == 1 { "the same pass".to_owned() } else { format!("the same {count} passes") }
}

impl PlanError {
    /// What a backend says that has no such stage; nothing where it is another error.
    pub fn lacks_stage(&self) -> Option<&str> {
        match self {
            PlanError::Worker(error) => error.lacks_stage(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn segment(names: &[&str]) -> Segment {
        let steps = names.iter().map(|name| Action::new(NestedPass::named(name))).collect();
        Segment { stage: "ttgir".into(), passes: Passes::stage("ttgir"), steps }
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
        assert_eq!(part.steps.iter().map(Action::name).collect::<Vec<_>>(), ["c", "d"]);
        assert_eq!(part.passes, Passes::Stage { stage: "ttgir".into(), from: 2, to: Some(4) });
    }
}
