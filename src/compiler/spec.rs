//! Which compiler is meant, before one is started.

use super::Compiler;
use super::model::{self, Model};
use super::wheel::{Installation, Progress, Triton, WheelError, install};
use super::worker::{Pool, WorkerError, WorkerLimits};
use std::fmt;
use std::sync::atomic::AtomicBool;

/// A compiler that can be started: a wheel's workers, or the built-in model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompilerSpec {
    /// An installation of Triton.
    Wheel(Installation),
    /// The model, with the faults that are planted in it.
    Model(Model),
}

impl CompilerSpec {
    /// The compiler that is meant by what `--triton` says; a release is installed on first use.
    ///
    /// # Errors
    /// See [`WheelError`].
    pub fn find(
        spec: &Triton,
        cancel: &AtomicBool,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<CompilerSpec, WheelError> {
        match spec {
            Triton::Model(faults) => Ok(CompilerSpec::Model(Model { faults: *faults, ..Model::default() })),
            _ => install(spec, cancel, progress).map(CompilerSpec::Wheel),
        }
    }

    /// Starts it, ready for `jobs` questions at a time.
    ///
    /// # Errors
    /// A worker that cannot be started. The model always starts, and has no limits of time and memory.
    pub fn start(&self, limits: WorkerLimits, jobs: usize) -> Result<Box<dyn Compiler>, WorkerError> {
        Ok(match self {
            CompilerSpec::Wheel(installation) => Box::new(Pool::start(installation, limits, jobs)?),
            CompilerSpec::Model(model) => Box::new(model.clone()),
        })
    }

    /// The version of Triton as it is known without starting anything; for the model, the one whose language it speaks.
    pub fn version(&self) -> String {
        match self {
            CompilerSpec::Wheel(wheel) => wheel.version.clone().unwrap_or_else(|| wheel.spec.to_string()),
            CompilerSpec::Model(_) => model::LANGUAGE.to_owned(),
        }
    }
}

impl From<Installation> for CompilerSpec {
    fn from(installation: Installation) -> Self {
        CompilerSpec::Wheel(installation)
    }
}

/// As it is asked for on the command line; the faults of a model stand behind a colon.
impl fmt::Display for CompilerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompilerSpec::Wheel(installation) => installation.spec.fmt(f),
            CompilerSpec::Model(model) => model.fmt(f),
        }
    }
}
