//! What a campaign is asked to do.

use super::case_seed;
use crate::compiler::protocol::{Options, Passes, PipelineRequest};
use crate::compiler::worker::WorkerError;
use crate::compiler::{Compiler, CompilerSpec, Target};
use crate::corpus::Case;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What is run over each module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// `ttgir`, where every version has it for every target, and else `ttir`: a vendor's fork may go other ways after it.
    Front,
    /// A stage of the backend, such as `ttgir`.
    Stage(String),
    /// One of these passes, in pipeline text; which one is drawn with the case.
    OneOf(Vec<String>),
}

/// Everything that a campaign is made of but the modules themselves.
#[derive(Debug, Clone)]
pub struct CampaignSettings {
    /// The compilers that every module is run on.
    pub compilers: Vec<CompilerSpec>,
    /// The targets that every module is compiled for.
    pub targets: Vec<Target>,
    /// What is run.
    pub work: Work,
    /// Words that decide what a case's module is besides seed, targets and versions: level and patterns.
    pub modules: String,
    /// The campaign's seed.
    pub seed: u64,
    /// Stop after so many cases.
    pub cases: Option<u64>,
    /// Stop after so much time, that of earlier runs over the same directory included.
    pub time: Option<Duration>,
    /// Cases tried at once.
    pub jobs: usize,
    /// Where findings and the journal go.
    pub out: PathBuf,
    /// At most so many queries to reduce one bucket.
    pub reduce_queries: u64,
    /// Every so many cases the module is looked at after each pass, and not only after the last; 0 for never.
    pub look_closely: u64,
    /// How long one compilation may take.
    pub limit: Duration,
    /// Set to stop; what is committed stays.
    pub cancel: Arc<AtomicBool>,
}

impl CampaignSettings {
    /// A text that is the same for two campaigns only if the second may go on where the first was: everything that
    /// decides what a case is and what is asked about it.
    pub fn identity(&self) -> String {
        let compilers: Vec<String> = self.compilers.iter().map(ToString::to_string).collect();
        let targets: Vec<String> = self.targets.iter().map(ToString::to_string).collect();
        let work = match &self.work {
            Work::Front => "front".to_owned(),
            Work::Stage(stage) => stage.clone(),
            Work::OneOf(passes) => passes.join(","),
        };
        format!(
            "seed {} triton {} target {} {}run {work}",
            self.seed,
            compilers.join(","),
            targets.join(","),
            self.modules
        )
    }

    /// These settings with the stage that all compilers have in the place of [`Work::Front`], and why it is not `ttgir`.
    ///
    /// # Errors
    /// A broken environment, or a target that a compiler does not know.
    pub(super) fn settled(
        &self,
        compilers: &[Box<dyn Compiler>],
    ) -> Result<(CampaignSettings, Option<String>), WorkerError> {
        if self.work != Work::Front {
            return Ok((self.clone(), None));
        }
        for compiler in compilers {
            for target in &self.targets {
                let Err(error) = compiler.pipeline(&PipelineRequest::new(target, &Options::new(), "ttgir")) else {
                    continue;
                };
                let Some(why) = error.lacks_stage().map(str::to_owned) else { return Err(error) };
                return Ok((CampaignSettings { work: Work::Stage("ttir".to_owned()), ..self.clone() }, Some(why)));
            }
        }
        Ok((CampaignSettings { work: Work::Stage("ttgir".to_owned()), ..self.clone() }, None))
    }

    /// The passes that a case's module is run through.
    pub fn passes(&self, case: u64) -> Passes {
        match &self.work {
            Work::Front => Passes::stage("ttgir"),
            Work::Stage(stage) if stage == Case::ALL => Passes::All,
            Work::Stage(stage) => Passes::stage(stage),
            Work::OneOf(passes) => {
                let drawn = case_seed(self.seed ^ 0x7061_7373, case) % passes.len().max(1) as u64;
                let pass = usize::try_from(drawn).ok().and_then(|drawn| passes.get(drawn));
                Passes::Texts { texts: pass.cloned().into_iter().collect() }
            }
        }
    }
}
