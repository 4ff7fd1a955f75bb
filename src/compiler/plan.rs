//! Which steps a compile consists of: what was asked for, made concrete by asking the compiler.
//!
//! A [`Request`] says what is wanted without knowing the version that will run it. [`Plan::new`] asks a compiler for the
//! passes of its stages and gives segments: steps that run one after the other without the module being printed and parsed
//! in between.

use super::protocol::{AskPipeline, Options, Passes, Refusal, RefusalKind};
use super::worker::WorkerError;
use super::{Compile, Compiler, Ingested, NestedPass, PassName, Target};
use std::fmt;
use std::str::FromStr;

/// The pass that gives a module its layouts; a module that has them goes on from behind it.
const CONVERSION: &str = "convert-triton-to-tritongpu";
/// The stage that every backend has.
const FIRST: &str = "ttir";
/// The stage whose pass manager logs show.
const SECOND: &str = "ttgir";

/// What is to be run.
#[derive(Debug, Clone)]
pub enum Request {
    /// These passes, as they are.
    Exactly(Passes),
    /// Stages of the backend, in order.
    Stages(Vec<String>),
    /// Those of `ttir` and `ttgir` that the backend has.
    Front,
    /// `ttgir` for a module that has layouts already.
    WithLayouts,
    /// What corresponds in this version to the passes of another one, for a module with or without layouts.
    Like {
        /// The passes there.
        passes: Passes,
        /// Whether the module has layouts.
        layouts: bool,
    },
}

/// What a step of a compile does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// What one call adds to a pass manager: nearly always one pass.
    Passes(Vec<NestedPass>),
    /// Something that is no pass, by its name: a call of LLVM, an assembler.
    Opaque(String),
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
            PlanError::Nothing | PlanError::NoSuchPass { .. } => RefusalKind::Request,
        };
        match error {
            PlanError::Worker(error) => error,
            error => Refusal { kind, message: error.to_string() }.into(),
        }
    }
}

/// Whether a module is past the conversion from `tt` to `ttg`.
pub fn has_layouts(text: &str) -> bool {
    ["ttg.num-warps", "triton_gpu.num-warps", "#ttg.", "#triton_gpu."].iter().any(|sign| text.contains(sign))
}

impl Request {
    /// What an input goes through where nothing else is asked for: a log's own pipeline, or what a backend does with a
    /// module of its kind.
    pub fn of_input(found: &Ingested) -> Request {
        let layouts = has_layouts(&found.chosen().text);
        match &found.pipeline {
            Some(pipeline) => Request::texts(pipeline.passes().iter().map(ToString::to_string).collect()),
            None if layouts => Request::WithLayouts,
            None => Request::Front,
        }
    }

    /// These passes, a text each or several separated by commas.
    pub fn texts(texts: Vec<String>) -> Request {
        Request::Exactly(Passes::Texts { texts })
    }

    /// What corresponds to a compile in another version.
    pub fn like(passes: &Passes, module: &str) -> Request {
        Request::Like { passes: passes.clone(), layouts: has_layouts(module) }
    }
}

impl Action {
    /// The name of its pass, without options and anchors; of several the first.
    pub fn name(&self) -> &str {
        match self {
            Action::Passes(passes) => passes.first().map_or("", NestedPass::name),
            Action::Opaque(name) => name,
        }
    }

    /// Its passes.
    pub fn passes(&self) -> &[NestedPass] {
        match self {
            Action::Passes(passes) => passes,
            Action::Opaque(_) => &[],
        }
    }
}

/// As pipeline text.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Passes(passes) => passes.iter().enumerate().try_for_each(|(index, pass)| {
                f.write_str(if index == 0 { "" } else { "," })?;
                pass.fmt(f)
            }),
            Action::Opaque(name) => f.write_str(name),
        }
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
            passes: Passes::Texts { texts: passes.iter().map(ToString::to_string).collect() },
            steps: passes.iter().map(|pass| Action::Passes(vec![pass.clone()])).collect(),
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
        let recorded = compiler.pipeline(&AskPipeline::new(target, options, stage))?;
        if let Some(message) = recorded.failure {
            return Err(PlanError::Stage { stage: stage.to_owned(), message });
        }
        let steps = recorded.steps.iter().map(|step| Action::Passes(NestedPass::named(&step.text))).collect();
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
            Passes::Texts { texts } => *texts = self.steps.iter().map(ToString::to_string).collect(),
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
        request: &Request,
        part: &Part,
        target: &Target,
        options: &Options,
    ) -> Result<Plan, PlanError> {
        let stage = |stage: &str| Segment::of_stage(compiler, target, options, stage);
        let mut ran = String::new();
        let mut segments = match request {
            Request::Exactly(Passes::Texts { texts }) => vec![Segment::of_texts(texts)],
            Request::Exactly(Passes::Stage { stage: name, from, to }) => {
                let mut segment = stage(name)?;
                if (*from, *to) != (0, None) {
                    segment.restrict(*from, *to);
                }
                vec![segment]
            }
            Request::Stages(names) => names.iter().map(|name| stage(name)).collect::<Result<_, _>>()?,
            // A fork may have no `ttgir`, and the model has nothing else.
            Request::Front => match (stage(FIRST), stage(SECOND)) {
                (Ok(first), Ok(second)) => vec![first, second],
                (Ok(only), Err(error)) | (Err(error), Ok(only)) if error.lacks_stage().is_some() => vec![only],
                (Err(error), _) | (_, Err(error)) => return Err(error),
            },
            Request::WithLayouts => {
                let mut segment = stage(SECOND)?;
                segment.restrict_to_layouts();
                vec![segment]
            }
            Request::Like { passes, layouts } => {
                let (segment, words) = corresponding(passes, *layouts, stage)?;
                ran = words;
                vec![segment]
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
        Ok(Plan { target: target.clone(), options: options.clone(), segments, ran })
    }

    /// The plan of a compile that this compiler is to run as it is.
    ///
    /// # Errors
    /// See [`PlanError`].
    pub fn of_compile(compiler: &dyn Compiler, compile: &Compile) -> Result<Plan, PlanError> {
        let Compile { target, options, passes } = compile;
        Plan::new(compiler, &Request::Exactly(passes.clone()), &Part::default(), target, options)
    }

    /// What a segment asks of a compiler.
    pub fn compile(&self, segment: &Segment) -> Compile {
        Compile { target: self.target.clone(), options: self.options.clone(), passes: segment.passes.clone() }
    }

    /// All passes as one compile, by their text: without the module being printed and parsed between stages.
    pub fn joined(&self) -> Compile {
        let texts = self.steps().flat_map(Action::passes).map(ToString::to_string).collect();
        Compile { target: self.target.clone(), options: self.options.clone(), passes: Passes::Texts { texts } }
    }

    /// All steps in order.
    pub fn steps(&self) -> impl Iterator<Item = &Action> {
        self.segments.iter().flat_map(|segment| &segment.steps)
    }
}

impl PlanError {
    /// What a backend says that has no such stage; nothing where it is another error.
    pub fn lacks_stage(&self) -> Option<&str> {
        match self {
            PlanError::Worker(error) => error.lacks_stage(),
            _ => None,
        }
    }

    /// What a compiler says that does not have a pass; nothing where it is another error.
    pub fn lacks_pass(&self) -> Option<String> {
        match self {
            PlanError::Worker(error) => error.lacks_pass(),
            _ => None,
        }
    }
}

/// This version's passes that correspond to those of another one, and what they are in words. Versions differ in the
/// options of a pass, so the same pass is looked for by name. Where it is not there, everything is run that comes after the
/// conversion to layouts, so that a module with layouts is asked what the version would have made of it.
fn corresponding(
    passes: &Passes,
    layouts: bool,
    stage: impl Fn(&str) -> Result<Segment, PlanError>,
) -> Result<(Segment, String), PlanError> {
    let name = match passes {
        Passes::Stage { stage, .. } => stage.as_str(),
        Passes::Texts { .. } => SECOND,
    };
    let whole = matches!(passes, Passes::Stage { from: 0, to: None, .. });
    let mut segment = match stage(name) {
        // A fork that goes another way after its first stage is tried with that.
        Err(error) if whole && !layouts && name != FIRST => {
            let Some(why) = error.lacks_stage() else { return Err(error) };
            return Ok((stage(FIRST)?, format!("the stage `{FIRST}` alone: {why}")));
        }
        other => other?,
    };
    let rest = |mut segment: Segment| match layouts && segment.restrict_to_layouts() {
        true => (segment, "all that follows the conversion to layouts"),
        false => (segment, "the whole pipeline"),
    };
    let texts = match passes {
        Passes::Stage { from: 0, to: None, .. } => {
            let (segment, words) = rest(segment);
            return Ok((segment, words.to_owned()));
        }
        Passes::Stage { from, to, .. } => {
            segment.restrict(*from, *to);
            return Ok((segment, "a part of the pipeline".to_owned()));
        }
        Passes::Texts { texts } => texts.iter().flat_map(|text| NestedPass::named(text)),
    };
    let own: Vec<&NestedPass> = segment.steps.iter().flat_map(Action::passes).collect();
    let mut found = Vec::new();
    for wanted in texts {
        // Of several runs of a pass, the one with the same options.
        let same = own.iter().find(|own| ***own == wanted);
        let named =
            || PassName(wanted.name()).find_in(own.iter().map(|own| own.name())).first().and_then(|at| own.get(*at));
        match same.or_else(named) {
            Some(own) => found.push((*own).clone()),
            None => {
                let (segment, words) = rest(segment);
                return Ok((segment, format!("`{}` is not there; {words}", wanted.name())));
            }
        }
    }
    let words = match found.len() {
        1 => "the same pass".to_owned(),
        count => format!("the same {count} passes"),
    };
    Ok((Segment::of_passes(&found), words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(names: &[&str]) -> Segment {
        let steps = names.iter().map(|name| Action::Passes(NestedPass::named(name))).collect();
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

    #[test]
    fn another_versions_passes_are_found_by_name_or_stood_in_for() {
        let stage = |_: &str| Ok(segment(&["convert-triton-to-tritongpu", "a{x=1}", "a{x=2}", "b"]));
        let like = |texts: &[&str], layouts| {
            let passes = Passes::Texts { texts: texts.iter().map(|text| (*text).to_owned()).collect() };
            let (segment, words) = corresponding(&passes, layouts, stage).unwrap();
            format!("{}: {words}", segment.steps.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(like(&["a{x=2}"], true), "a{x=2}: the same pass");
        assert_eq!(like(&["b{y=1},a"], true), "b a{x=1}: the same 2 passes");
        let after = "a{x=1} a{x=2} b: `c` is not there; all that follows the conversion to layouts";
        assert_eq!(like(&["a", "c"], true), after);
        assert!(like(&["c"], false).ends_with("b: `c` is not there; the whole pipeline"));
    }
}
