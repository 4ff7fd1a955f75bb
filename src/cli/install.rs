//! Finding or installing what `--triton` names, with progress.

use super::Error;
use super::interrupt;
use super::meter::{Meter, Unit};
use std::sync::atomic::AtomicBool;
use tritonsmith::compiler::CompilerSpec;
use tritonsmith::compiler::wheel::{self, InstallPhase, InstallProgress, Installation, Triton, WheelError};

/// The installation behind a specification; a release is installed on first use.
///
/// # Errors
/// There is none, for a reason that the error names.
pub fn installation(spec: &Triton) -> Result<Installation, Error> {
    watched(spec, |cancel, show| wheel::install(spec, cancel, show))
}

/// The compiler behind a specification: an installation, or the built-in model.
///
/// # Errors
/// There is none, for a reason that the error names.
pub fn compiler(spec: &Triton) -> Result<CompilerSpec, Error> {
    watched(spec, |cancel, show| CompilerSpec::find(spec, cancel, show))
}

/// Installs with progress shown, until Ctrl-C.
fn watched<T>(
    spec: &Triton,
    install: impl FnOnce(&AtomicBool, &mut dyn FnMut(InstallProgress)) -> Result<T, WheelError>,
) -> Result<T, Error> {
    let cancel = interrupt::watch();
    let mut meter = Meter::new(&format!("installing triton {spec}"), Unit::Bytes);
    let mut show = |progress: InstallProgress| {
        let words = match progress.phase {
            InstallPhase::Waiting => "another process is at it",
            InstallPhase::Preparing => "making the environment",
            InstallPhase::Installing => "fetching and unpacking",
        };
        meter.update(words, progress.bytes, progress.expected);
    };
    Ok(install(&cancel, &mut show)?)
}
