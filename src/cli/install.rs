//! Finding or installing what `--triton` names, with progress.

use super::Error;
use super::interrupt;
use super::meter::{Meter, Unit};
use tritonsmith::compiler::CompilerSpec;
use tritonsmith::compiler::model::{Fault, Model};
use tritonsmith::compiler::wheel::{self, InstallPhase, Installation, Progress, Triton};

/// The installation behind a specification; a release is installed on first use.
///
/// # Errors
/// There is none, for a reason that the error names.
pub fn installation(spec: &Triton) -> Result<Installation, Error> {
    let cancel = interrupt::watch();
    let mut meter = Meter::new(&format!("installing triton {spec}"), Unit::Bytes);
    let mut show = |progress: Progress| {
        let words = match progress.phase {
            InstallPhase::Waiting => "another process is at it",
            InstallPhase::Preparing => "making the environment",
            InstallPhase::Installing => "fetching and unpacking",
        };
        meter.update(words, progress.bytes, progress.expected);
    };
    Ok(wheel::install(spec, &cancel, &mut show)?)
}

/// The compiler behind a specification: an installation, or the model with these faults besides those that it names.
///
/// # Errors
/// There is none, for a reason that the error names.
pub fn compiler(spec: &Triton, faults: &[Fault]) -> Result<CompilerSpec, Error> {
    match spec {
        Triton::Model(named) => Ok(CompilerSpec::Model(Model::with_faults(named.iter().chain(faults.iter().copied())))),
        _ => installation(spec).map(CompilerSpec::Wheel),
    }
}
