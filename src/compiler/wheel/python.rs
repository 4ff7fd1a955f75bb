//! Python interpreters: those that can make an environment, and the Triton in the user's own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Installation, Triton, WheelError};

/// The newest minor version of Python 3 that is searched by name.
const NEWEST: u32 = 15;
/// The oldest one that any wheel of Triton 3 is for.
const OLDEST: u32 = 8;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Interpreter {
    pub path: PathBuf,
    /// Its version, `3.11`.
    pub version: String,
}

/// Looks a program up on PATH.
pub(super) fn on_path(name: &str) -> Option<PathBuf> {
    if name.is_empty() || name.contains('/') {
        return None;
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The interpreters that can make an environment, the preferred one first, one of each version; just `TRITONSMITH_PYTHON`
/// if that is set.
pub(super) fn candidates() -> Result<Vec<Interpreter>, WheelError> {
    if let Some(name) = std::env::var_os("TRITONSMITH_PYTHON").filter(|name| !name.is_empty()) {
        let path = name.to_str().and_then(on_path).unwrap_or_else(|| PathBuf::from(&name));
        return Ok(vec![run(&path)?]);
    }
    let names =
        std::iter::once("python3".to_owned()).chain((OLDEST..=NEWEST).rev().map(|minor| format!("python3.{minor}")));
    let mut found: Vec<Interpreter> = Vec::new();
    for interpreter in names.filter_map(|name| on_path(&name)).filter_map(|path| run(&path).ok()) {
        if !found.iter().any(|known| known.version == interpreter.version) {
            found.push(interpreter);
        }
    }
    if found.is_empty() { Err(WheelError::NoPython) } else { Ok(found) }
}

fn run(path: &Path) -> Result<Interpreter, WheelError> {
    let said = ask(path, "import sys; print('%d.%d' % sys.version_info[:2])")?;
    if !said.starts_with("3.") {
        return Err(WheelError::BadPython { path: path.to_owned(), message: format!("it is Python {said}, not 3") });
    }
    Ok(Interpreter { path: path.to_owned(), version: said })
}

fn ask(path: &Path, program: &str) -> Result<String, WheelError> {
    let bad = |message: String| WheelError::BadPython { path: path.to_owned(), message };
    let output = Command::new(path)
        .args(["-c", program])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| bad(error.to_string()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(bad(said.trim().lines().next_back().unwrap_or("it fails without a word").to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Prints the package of Triton without importing it, which takes half a second.
const LOOK: &str = "
import sys
sys.path[:] = [p for p in sys.path if p]
import importlib.util
if importlib.util.find_spec('triton') is None:
    print('none')
else:
    name, version = '', ''
    try:
        from importlib import metadata
        for found in metadata.distributions():
            if any(str(file) == 'triton/__init__.py' for file in (found.files or ())):
                name, version = found.metadata['Name'], found.version
        if not name:
            name, version = 'triton', metadata.version('triton')
    except Exception:
        pass
    print('triton', name, version, sep='\\t')
";

/// The installation of a user's own interpreter.
pub(super) fn installation(path: &Path) -> Result<Installation, WheelError> {
    let python = if path.is_dir() { path.join("bin").join("python") } else { path.to_owned() };
    let said = ask(&python, LOOK)?;
    let mut words = said.lines().next_back().unwrap_or_default().split('\t');
    match words.next() {
        Some("triton") => {
            let mut word = || words.next().filter(|word| !word.is_empty()).map(str::to_owned);
            let distribution = word();
            Ok(Installation { python, spec: Triton::Python(path.to_owned()), version: word(), distribution })
        }
        Some("none") => Err(WheelError::NoTriton { path: python }),
        _ => Err(WheelError::BadPython { path: python, message: format!("it answers `{said}`") }),
    }
}
