//! Installations of Triton. `--triton` names a [`Triton`]: a release, which is installed from PyPI into the user's cache
//! directory on first use, or the user's own Python interpreter. Either becomes an [`Installation`], from which a
//! [`super::worker::Worker`] is started.
//!
//! The cache has one virtual environment per release, without pip: `triton/3.6.0/`. An installation is made under another
//! name and renamed when it is complete, so that a kill at any moment leaves no partial release. A lock file per release
//! excludes other processes; its holder also removes what a killed process left.

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

pub use cache::{Cache, CachedRelease};
pub use error::WheelError;
pub(crate) use index::order as version_order;

/// What `--triton` names.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Triton {
    Release(TritonRelease),
    /// A Python interpreter with Triton, or the directory of a virtual environment.
    Python(PathBuf),
    /// The built-in model with these faults.
    Model(FaultSet),
}

/// A version of a package.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TritonRelease {
    pub package: Package,
    /// As on PyPI, such as `3.6.0`.
    pub version: String,
}

/// A package that installs as `triton`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Package {
    /// Its name before the colon.
    pub word: &'static str,
    /// Its name on PyPI.
    pub distribution: &'static str,
    /// Packages that it imports without declaring them.
    pub also: &'static [&'static str],
}

/// Another fork can be used through its interpreter.
pub const PACKAGES: [Package; 2] = [
    Package { word: "triton", distribution: "triton", also: &[] },
    Package { word: "ascend", distribution: "triton-ascend", also: &["pybind11"] },
];

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TritonError {
    /// Neither a version, nor a path, nor a known word.
    #[error("`{0}` is no Triton: give a version such as 3.6.0, the path of a Python interpreter, or `model`")]
    Text(String),
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
            return Ok(Triton::Release(TritonRelease { package, version: version.to_owned() }));
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

impl fmt::Display for TritonRelease {
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
    pub python: PathBuf,
    /// What `--triton` named.
    pub spec: Triton,
    /// Triton's version, if known without importing it.
    pub version: Option<String>,
    /// Its package on PyPI, if known.
    pub distribution: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstallProgress {
    pub phase: InstallPhase,
    /// Bytes on disk so far.
    pub bytes: u64,
    /// Bytes in the end, estimated from the size of the download.
    pub expected: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InstallPhase {
    /// Another process is installing the same release.
    Waiting,
    /// Making the virtual environment.
    Preparing,
    /// Downloading and unpacking the package.
    Installing,
}

/// Finds or installs a Triton in the user's cache.
///
/// # Errors
/// See [`WheelError`]; nothing is left behind.
pub fn install(
    spec: &Triton,
    cancel: &AtomicBool,
    progress: &mut dyn FnMut(InstallProgress),
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
