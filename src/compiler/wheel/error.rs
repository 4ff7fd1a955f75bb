//! What can go wrong with an installation. Each text is one sentence that says what to do next.

use std::io;
use std::path::{Path, PathBuf};

/// Why there is no installation.
#[derive(Debug, thiserror::Error)]
pub enum WheelError {
    /// The index does not have the version for the Python that is used.
    #[error("{distribution} {version} cannot be installed for Python {python}: {known}", known = known_sentence(.known, .elsewhere))]
    UnknownVersion {
        /// The package on PyPI.
        distribution: String,
        /// The version asked for.
        version: String,
        /// Python's version.
        python: String,
        /// The versions that can be installed for it.
        known: Vec<String>,
        /// Whether the interpreter was chosen here and can be chosen otherwise.
        elsewhere: bool,
    },
    /// The index cannot be reached.
    #[error(
        "{distribution} {version} is not in the cache and the package index cannot be reached ({message}); connect, or give --triton a version that `triton list` shows or the path of a Python interpreter"
    )]
    NoNetwork {
        /// The package on PyPI.
        distribution: String,
        /// The version asked for.
        version: String,
        /// The installer's words.
        message: String,
    },
    /// The index cannot be asked which versions there are.
    #[error("the package index cannot be asked for the versions of {distribution}: {message}")]
    NoIndex {
        /// The package on PyPI.
        distribution: String,
        /// The words of pip, or of uv.
        message: String,
    },
    /// There is no room.
    #[error(
        "no space is left in {path}: a release needs up to 1.5 GB while it is installed; make room, or set TRITONSMITH_CACHE to another place"
    )]
    DiskFull {
        /// The cache.
        path: PathBuf,
    },
    /// No interpreter was found.
    #[error("no Python 3 was found on PATH; install one with its venv module, or set TRITONSMITH_PYTHON to one")]
    NoPython,
    /// The interpreter that was named does not run.
    #[error("{path} is no Python interpreter that runs: {message}")]
    BadPython {
        /// What was named.
        path: PathBuf,
        /// Why it does not.
        message: String,
    },
    /// The interpreter has no Triton.
    #[error("the Python at {path} has no Triton: install triton there, or give --triton a version")]
    NoTriton {
        /// The interpreter.
        path: PathBuf,
    },
    /// The virtual environment could not be made.
    #[error(
        "{python} cannot make a virtual environment ({message}); install its venv module (python3-venv on Debian), or set TRITONSMITH_PYTHON to another Python"
    )]
    Venv {
        /// The interpreter.
        python: PathBuf,
        /// Its words.
        message: String,
    },
    /// The installer failed for a reason that is not known here.
    #[error("{distribution} {version} could not be installed: {message}")]
    Install {
        /// The package on PyPI.
        distribution: String,
        /// The version asked for.
        version: String,
        /// The installer's words.
        message: String,
    },
    /// The file system said no.
    #[error("{path}: {source}; set TRITONSMITH_CACHE to a directory that can be written")]
    Io {
        /// Where.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// There is no home directory and no cache directory.
    #[error("there is no home directory to keep wheels in; set TRITONSMITH_CACHE to a directory")]
    NoCache,
    /// A release that is to be removed is not there.
    #[error("{0} is not installed; `triton list` shows what is")]
    NotInstalled(String),
    /// The model was asked for where an installation is needed.
    #[error("`model` is built in and has no Python; give --triton a version for this")]
    Model,
    /// It was interrupted; nothing is left behind.
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

fn known_sentence(known: &[String], elsewhere: &bool) -> String {
    let other = if *elsewhere { "; set TRITONSMITH_PYTHON to use another Python" } else { "" };
    match known {
        [] => format!("the index has no version of it for this Python and machine{other}"),
        _ => format!("the index has {}{other}", known.join(", ")),
    }
}
