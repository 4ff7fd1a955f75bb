//! Atomic writes: a file or directory is there complete or not at all, whenever the process is killed. It is written under
//! another name and then renamed. Those names begin alike, so that what a kill has left can be told and removed.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::{Builder, TempDir};

/// How the names of what is not yet in place begin.
const PREFIX: &str = ".writing-";

/// Replaces whatever is at `path` by a file that all may read. Returns it open, positioned at its end.
///
/// # Errors
/// The disk is full, or closed to us.
pub fn write(path: &Path, content: &[u8]) -> io::Result<File> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = Builder::new().prefix(PREFIX).tempfile_in(directory)?;
    file.write_all(content)?;
    file.as_file().set_permissions(Permissions::from_mode(0o644))?;
    file.persist(path).map_err(|error| error.error)
}

/// A directory that is filled before it is renamed into its place; dropped before that, it is removed.
#[derive(Debug)]
pub struct Staging(TempDir);

impl Staging {
    /// Begins a directory whose place will be below `parent`.
    ///
    /// # Errors
    /// The disk is full, or closed to us.
    pub fn below(parent: &Path) -> io::Result<Staging> {
        Ok(Staging(Builder::new().prefix(PREFIX).tempdir_in(parent)?))
    }

    /// Where it is filled.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Renames it to its place, where nothing is.
    ///
    /// # Errors
    /// Something is there, or the disk is closed to us.
    pub fn finish(self, place: &Path) -> io::Result<()> {
        fs::set_permissions(self.path(), Permissions::from_mode(0o755))?;
        fs::rename(self.path(), place)?;
        // What it was called is nothing's name now, and need not be removed.
        let _ = self.0.keep();
        Ok(())
    }
}

/// Removes what a killed process has left unfinished in a directory. What cannot be removed does no harm.
pub fn clear(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) {
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let _ = if is_directory { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_finished_stays_and_is_readable_by_all() {
        let place = tempfile::tempdir().unwrap();
        write(&place.path().join("a"), b"old").unwrap();
        write(&place.path().join("a"), b"new").unwrap();
        let staging = Staging::below(place.path()).unwrap();
        fs::write(staging.path().join("b"), b"").unwrap();
        staging.finish(&place.path().join("c")).unwrap();
        clear(place.path());
        assert_eq!(
            (names(place.path()), fs::read(place.path().join("a")).unwrap()),
            (vec!["a".into(), "c".into()], b"new".to_vec())
        );
        let mode = |name: &str| fs::metadata(place.path().join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("a"), mode("c")), (0o644, 0o755));
    }

    #[test]
    fn what_is_not_finished_goes() {
        let place = tempfile::tempdir().unwrap();
        drop(Staging::below(place.path()).unwrap());
        assert!(names(place.path()).is_empty());
        #[expect(clippy::mem_forget, reason = "as a process that is killed leaves it")]
        std::mem::forget(Staging::below(place.path()).unwrap());
        fs::write(place.path().join(".writing-x"), b"").unwrap();
        fs::write(place.path().join("kept"), b"").unwrap();
        assert_eq!(names(place.path()).len(), 3);
        clear(place.path());
        assert_eq!(names(place.path()), ["kept"]);
    }
}
