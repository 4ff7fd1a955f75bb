//! What is run over a module: the passes, for which target, with which options.

use super::Target;
use super::protocol::{Keep, Metadata, Mode, Options, Passes, RunRequest};

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
    pub fn run(&self, module: &str, keep: Keep) -> RunRequest {
        RunRequest {
            module: module.to_owned(),
            target: self.target.clone(),
            options: self.options.clone(),
            passes: self.passes.clone(),
            stop: None,
            mode: Mode::Stepwise,
            keep,
            pass_ms: None,
            metadata: Metadata::new(),
        }
    }

    /// The same with other passes.
    pub fn with(&self, passes: Passes) -> Compile {
        Compile { passes, ..self.clone() }
    }
}
