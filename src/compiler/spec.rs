//! A compiler before it is started.

use super::Compiler;
use super::model::{self, Model};
use super::wheel::{InstallProgress, Installation, Triton, WheelError, install};
use super::worker::{Pool, WorkerError, WorkerLimits};
use std::fmt;
use std::sync::atomic::AtomicBool;

/// A compiler that can be started: a wheel's workers, or the built-in model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompilerSpec {
    Wheel(Installation),
    /// The model, with its faults.
    Model(Model),
}

impl CompilerSpec {
    /// The compiler that `--triton` names; a release is installed on first use.
    ///
    /// # Errors
    /// See [`WheelError`].
    pub fn find(
        spec: &Triton,
        cancel: &AtomicBool,
        progress: &mut dyn FnMut(InstallProgress),
    ) -> Result<CompilerSpec, WheelError> {
        match spec {
            Triton::Model(faults) => Ok(CompilerSpec::Model(Model { faults: *faults, ..Model::default() })),
            _ => install(spec, cancel, progress).map(CompilerSpec::Wheel),
        }
    }

    /// Starts the compiler for up to `jobs` requests at a time.
    ///
    /// # Errors
    /// A worker that cannot be started. The model always starts, and ignores the limits.
    pub fn start(&self, limits: WorkerLimits, jobs: usize) -> Result<Box<dyn Compiler>, WorkerError> {
        Ok(match self {
            CompilerSpec::Wheel(installation) => Box::new(Pool::start(installation, limits, jobs)?),
            CompilerSpec::Model(model) => Box::new(model.clone()),
        })
    }

    /// The version of Triton, known without starting anything; for the model, the one whose language it speaks.
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

/// As on the command line; the faults of a model follow a colon.
impl fmt::Display for CompilerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompilerSpec::Wheel(installation) => installation.spec.fmt(f),
            CompilerSpec::Model(model) => model.fmt(f),
        }
    }
}
