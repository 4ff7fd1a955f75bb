//! Installations of Triton. What `--triton` says is a [`Triton`]: a release, which is installed from PyPI into the user's
//! cache directory on first use and found there afterwards, or a Python interpreter of the user's own. Either becomes an
//! [`Installation`], which is what a [`super::worker::Worker`] is started from.
//!
//! The cache holds one virtual environment per release, without pip: `triton/3.6.0/`. A release is there when its directory
//! is: an installation grows under another name and is renamed when it is complete, so that a kill at any moment leaves
//! nothing that could be taken for one. A lock on a file per release keeps two processes apart; whoever holds it also
//! removes what a killed process left behind.

mod cache;
mod error;
mod index;
mod install;
mod python;

use super::model::{Fault, FaultSet, Model, UnknownFault};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

pub use cache::{Cache, Installed};
pub use error::WheelError;
pub(crate) use index::order as version_order;

/// A Triton that can be asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Triton {
    /// A release on PyPI.
    Release(Release),
    /// A Python interpreter that has Triton, or the directory of a virtual environment.
    Python(PathBuf),
    /// The model of a compiler that is built in here, with these faults: no Python, no installation.
    Model(FaultSet),
}

/// A version of a package.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Release {
    /// Which package.
    pub package: Package,
    /// Its version as PyPI writes it, such as `3.6.0`.
    pub version: String,
}

/// A package that installs as `triton`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Package {
    /// What it is called before the colon.
    pub word: &'static str,
    /// What it is called on PyPI.
    pub distribution: &'static str,
    /// Packages that it imports without asking for them.
    pub also: &'static [&'static str],
}

/// The packages that can be named. Another fork is used through the interpreter that has it.
pub const PACKAGES: [Package; 2] = [
    Package { word: "triton", distribution: "triton", also: &[] },
    Package { word: "ascend", distribution: "triton-ascend", also: &["pybind11"] },
];

/// A text that names no Triton.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TritonError {
    /// Neither a version, nor a path, nor a word that is known.
    #[error("`{0}` is no Triton: give a version such as 3.6.0, the path of a Python interpreter, or `model`")]
    Text(String),
    /// A fault of the model that there is not.
    #[error(transparent)]
    Fault(#[from] UnknownFault),
    /// The word before the colon is not in [`PACKAGES`].
    #[error("`{0}` is no package of Triton that is known here: there are {known}", known = words())]
    Package(String),
}

fn words() -> String {
    PACKAGES.map(|package| package.word).join(", ")
}

impl FromStr for Triton {
    type Err = TritonError;

    fn from_str(text: &str) -> Result<Self, TritonError> {
        let wrong = || TritonError::Text(text.to_owned());
        if text == "model" {
            return Ok(Triton::Model(FaultSet::NONE));
        }
        if let Some(faults) = text.strip_prefix("model:") {
            return Ok(Triton::Model(faults.split('+').map(str::parse::<Fault>).collect::<Result<_, _>>()?));
        }
        if text.contains('/') || text.starts_with('~') {
            return Ok(Triton::Python(PathBuf::from(text)));
        }
        let (word, version) = text.split_once(':').unwrap_or(("triton", text));
        let package = PACKAGES.iter().find(|package| package.word == word || package.distribution == word);
        let package = *package.ok_or_else(|| TritonError::Package(word.to_owned()))?;
        if is_version(version) {
            return Ok(Triton::Release(Release { package, version: version.to_owned() }));
        }
        // A bare `python3.11` is looked up on PATH, as a shell would.
        python::on_path(text).map(Triton::Python).ok_or_else(wrong)
    }
}

fn is_version(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.contains('.')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || ".+_-".contains(c))
        && !text.contains("..")
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.package.word {
            "triton" => f.write_str(&self.version),
            word => write!(f, "{word}:{}", self.version),
        }
    }
}

impl fmt::Display for Triton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Triton::Release(release) => release.fmt(f),
            Triton::Python(path) => path.display().fmt(f),
            Triton::Model(faults) => Model { faults: *faults, ..Model::default() }.fmt(f),
        }
    }
}

/// A Python interpreter that has Triton.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    /// The interpreter.
    pub python: PathBuf,
    /// What was asked for.
    pub spec: Triton,
    /// Triton's version, where it is known without importing it.
    pub version: Option<String>,
    /// The package that it is from, where that is known.
    pub distribution: Option<String>,
}

/// How far an installation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub phase: InstallPhase,
    /// Bytes on disk so far.
    pub bytes: u64,
    /// Bytes that there will be, estimated from the size of the download once that is known.
    pub expected: Option<u64>,
}

/// The steps of an installation, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstallPhase {
    /// Another process is installing the same release.
    Waiting,
    /// The virtual environment is made.
    Preparing,
    /// The package is fetched and unpacked.
    Installing,
}

/// Finds or installs a Triton in the user's own cache.
///
/// # Errors
/// See [`WheelError`]; nothing is left behind.
pub fn install(
    spec: &Triton,
    cancel: &AtomicBool,
    progress: &mut dyn FnMut(Progress),
) -> Result<Installation, WheelError> {
    Cache::of_user()?.install(spec, cancel, progress)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_it_reads() {
        for text in [
            "3.6.0",
            "3.10.0rc1",
            "ascend:3.2.0",
            "/usr/bin/python3",
            "./venv/bin/python",
            "model",
            "model:swap-forever+keep-later",
        ] {
            assert_eq!(text.parse::<Triton>().map(|spec| spec.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("triton-ascend:3.2.0".parse::<Triton>().map(|spec| spec.to_string()), Ok("ascend:3.2.0".to_owned()));
    }

    #[test]
    fn a_wrong_text_is_told_what_would_be_right() {
        for text in ["", "3", "latest", "3.6..0", "3.6.0 --evil", "-3.6.0", "rocm:3.6.0", "../etc"] {
            match text.parse::<Triton>() {
                Ok(Triton::Python(path)) => assert_eq!(path.to_str(), Some("../etc")),
                Ok(spec) => panic!("{text} was read as {spec}"),
                Err(error) => assert!(error.to_string().contains(':'), "{error}"),
            }
        }
    }
}
