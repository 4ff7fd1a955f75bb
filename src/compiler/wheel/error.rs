//! Errors of installations. Each message is one sentence that says what to do next.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum WheelError {
    /// The index does not have the version for this Python.
    #[error("{distribution} {version} cannot be installed for Python {python}: {known}", known = known_sentence(.known, .other_python))]
    UnknownVersion {
        distribution: String,
        version: String,
        python: String,
        /// The versions that the index has for it.
        known: Vec<String>,
        /// Whether `TRITONSMITH_PYTHON` could name another interpreter.
        other_python: bool,
    },
    #[error(
        "{distribution} {version} is not in the cache and the package index cannot be reached ({message}); connect, or give --triton a version that `triton list` shows or the path of a Python interpreter"
    )]
    NoNetwork { distribution: String, version: String, message: String },
    /// The index does not list its versions.
    #[error("the package index cannot be asked for the versions of {distribution}: {message}")]
    NoIndex { distribution: String, message: String },
    #[error(
        "no space is left in {path}: a release needs up to 1.5 GB while it is installed; make room, or set TRITONSMITH_CACHE to another place"
    )]
    DiskFull { path: PathBuf },
    #[error("no Python 3 was found on PATH; install one with its venv module, or set TRITONSMITH_PYTHON to one")]
    NoPython,
    #[error("{path} is no Python interpreter that runs: {message}")]
    BadPython { path: PathBuf, message: String },
    #[error("the Python at {path} has no Triton: install triton there, or give --triton a version")]
    NoTriton { path: PathBuf },
    #[error(
        "{python} cannot make a virtual environment ({message}); install its venv module (python3-venv on Debian), or set TRITONSMITH_PYTHON to another Python"
    )]
    Venv { python: PathBuf, message: String },
    /// The installer failed for another reason.
    #[error("{distribution} {version} could not be installed: {message}")]
    Install { distribution: String, version: String, message: String },
    #[error("{path}: {source}; set TRITONSMITH_CACHE to a directory that can be written")]
    Io { path: PathBuf, source: io::Error },
    #[error("there is no home directory to keep wheels in; set TRITONSMITH_CACHE to a directory")]
    NoCache,
    #[error("{0} is not installed; `triton list` shows what is")]
    NotInstalled(String),
    /// The model is named where an installation is needed.
    #[error("`model` is built in and has no Python; give --triton a version for this")]
    Model,
    #[error("the installation was interrupted; start it again when you like")]
    Cancelled,
}

impl WheelError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> WheelError {
        let path = path.to_owned();
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => WheelError::DiskFull { path },
            _ => WheelError::Io { path, source },
        }
    }
}

fn known_sentence(known: &[String], other_python: &bool) -> String {
    let other = if *other_python { "; set TRITONSMITH_PYTHON to use another Python" } else { "" };
    match known {
        [] => format!("the index has no version of it for this Python and machine{other}"),
        _ => format!("the index has {}{other}", known.join(", ")),
    }
}
