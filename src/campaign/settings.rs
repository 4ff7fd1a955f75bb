//! What a campaign is asked to do.

use crate::compiler::{CompilerSpec, Target};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Everything that a campaign is made of but the modules themselves.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The compilers that every module is run on.
    pub compilers: Vec<CompilerSpec>,
    /// The targets that every module is compiled for.
    pub targets: Vec<Target>,
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
    /// At most so many questions to reduce one bucket.
    pub reduce_questions: u64,
    /// Every so many cases the module is looked at after each pass, and not only after the last; 0 for never.
    pub look_closely: u64,
    /// How long one compilation may take.
    pub limit: Duration,
    /// Set to stop; what is committed stays.
    pub cancel: Arc<AtomicBool>,
}

impl Settings {
    /// A text that is the same for two campaigns only if the second may go on where the first was: everything that
    /// decides what a case is and what is asked about it.
    pub fn identity(&self) -> String {
        let compilers: Vec<String> = self.compilers.iter().map(ToString::to_string).collect();
        let targets: Vec<String> = self.targets.iter().map(ToString::to_string).collect();
        format!("seed {} triton {} target {}", self.seed, compilers.join(","), targets.join(","))
    }
}
