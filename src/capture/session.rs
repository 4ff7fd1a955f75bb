//! The hook's directory and environment.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const HOOK: &str = include_str!("../../scripts/tritonsmith_capture/sitecustomize.py");
/// The package that the hook loads when Triton is imported.
const PACKAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tritonsmith_capture.zip"));

/// A program's run with the hook; the hook's directory is removed on drop.
#[derive(Debug)]
pub struct Session {
    /// The directory of cases; absolute, since the program may change its directory.
    pub(super) out: PathBuf,
    /// Temporary files of this run, on the file system of the cases, so that cases can be renamed into place.
    pub(super) run: TempDir,
}

#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    #[error("{path} cannot be written: {source}; make room, or name another place with --out", path = .path.display())]
    Write { path: PathBuf, source: io::Error },
}

pub(super) fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> CaptureError {
    let path = path.to_owned();
    move |source| CaptureError::Write { path, source }
}

impl Session {
    /// Creates the directories and writes the hook.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn new(out: &Path) -> Result<Session, CaptureError> {
        std::fs::create_dir_all(out).map_err(unwritten(out))?;
        let out = std::fs::canonicalize(out).map_err(unwritten(out))?;
        let run = tempfile::Builder::new().prefix(".run-").tempdir_in(&out).map_err(unwritten(&out))?;
        let hook = run.path().join("hook");
        for directory in [&hook, &run.path().join("pending")] {
            std::fs::create_dir(directory).map_err(unwritten(directory))?;
        }
        for (name, content) in [("sitecustomize.py", HOOK.as_bytes()), ("capture.zip", PACKAGE)] {
            let file = hook.join(name);
            std::fs::write(&file, content).map_err(unwritten(&file))?;
        }
        Ok(Session { out, run })
    }

    /// Variables for the program's environment, given its `PYTHONPATH`.
    pub fn environment(&self, python_path: Option<OsString>) -> Vec<(&'static str, OsString)> {
        let mut path = self.run.path().join("hook").into_os_string();
        if let Some(rest) = python_path.filter(|rest| !rest.is_empty()) {
            path.push(":");
            path.push(rest);
        }
        vec![
            ("PYTHONPATH", path),
            ("TRITONSMITH_CAPTURE", self.out.clone().into_os_string()),
            ("TRITONSMITH_CAPTURE_RUN", self.run.path().as_os_str().to_owned()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hook_comes_first_and_goes_with_the_session() {
        let out = tempfile::tempdir().expect("a directory");
        let session = Session::new(&out.path().join("captures")).expect("a session");
        let environment = session.environment(Some("/a:/b".into()));
        let path = environment[0].1.to_str().expect("Unicode").to_owned();
        assert!(path.ends_with("/hook:/a:/b"), "{path}");
        let hook = PathBuf::from(path.split(':').next().expect("a part"));
        assert!(hook.join("sitecustomize.py").is_file());
        drop(session);
        assert!(!hook.exists());
    }
}
