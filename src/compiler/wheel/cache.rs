//! The cache directory: its releases, one lock per release, temporary names, removal.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use etcetera::BaseStrategy;

use super::{
    InstallPhase, InstallProgress, Installation, PACKAGES, Triton, TritonRelease, WheelError, index, install, python,
};

#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedRelease {
    pub release: TritonRelease,
    /// Its virtual environment.
    pub path: PathBuf,
    /// Bytes on disk.
    pub bytes: u64,
}

impl Cache {
    /// `TRITONSMITH_CACHE`, or `tritonsmith` in the user's XDG cache directory.
    ///
    /// # Errors
    /// There is no home directory.
    pub fn of_user() -> Result<Cache, WheelError> {
        if let Some(root) = std::env::var_os("TRITONSMITH_CACHE").filter(|root| !root.is_empty()) {
            return Ok(Cache::at(Path::new(&root)));
        }
        let base = etcetera::choose_base_strategy().map_err(|_| WheelError::NoCache)?;
        Ok(Cache::at(&base.cache_dir().join("tritonsmith")))
    }

    /// A cache in another directory, for tests.
    pub fn at(root: &Path) -> Cache {
        Cache { root: root.join("triton") }
    }

    pub fn directory(&self) -> &Path {
        &self.root
    }

    fn name(release: &TritonRelease) -> String {
        match release.package.word {
            "triton" => release.version.clone(),
            word => format!("{word}-{}", release.version),
        }
    }

    pub(super) fn path(&self, release: &TritonRelease) -> PathBuf {
        self.root.join(Cache::name(release))
    }

    /// The installation of a release, if its interpreter exists.
    pub fn find(&self, release: &TritonRelease) -> Option<Installation> {
        let python = self.path(release).join("bin").join("python");
        python.is_file().then(|| Installation {
            python,
            spec: Triton::Release(release.clone()),
            version: Some(release.version.clone()),
            distribution: Some(release.package.distribution.to_owned()),
        })
    }

    /// Finds or installs a Triton. A signal handler may set `cancel`: the installation then stops soon and leaves nothing.
    ///
    /// # Errors
    /// See [`WheelError`].
    pub fn install(
        &self,
        spec: &Triton,
        cancel: &AtomicBool,
        progress: &mut dyn FnMut(InstallProgress),
    ) -> Result<Installation, WheelError> {
        let release = match spec {
            Triton::Model(_) => return Err(WheelError::Model),
            Triton::Python(path) => return python::installation(path),
            Triton::Release(release) => release,
        };
        if let Some(found) = self.find(release) {
            return Ok(found);
        }
        let _lock = self.lock(release, cancel, progress)?;
        self.remove_leftovers(release);
        if let Some(found) = self.find(release) {
            return Ok(found);
        }
        let place = Temporary(self.root.join(format!(".{}.tmp-{}", Cache::name(release), std::process::id())));
        install::into(&place.0, release, cancel, progress)?;
        let path = self.path(release);
        // An installation whose interpreter is gone.
        if path.exists() {
            fs::remove_dir_all(&path).map_err(WheelError::io(&path))?;
        }
        fs::rename(&place.0, &path).map_err(WheelError::io(&path))?;
        self.find(release).ok_or_else(|| WheelError::Install {
            distribution: release.package.distribution.to_owned(),
            version: release.version.clone(),
            message: format!("{} has no bin/python", path.display()),
        })
    }

    fn lock(
        &self,
        release: &TritonRelease,
        cancel: &AtomicBool,
        progress: &mut dyn FnMut(InstallProgress),
    ) -> Result<Lock, WheelError> {
        let path = self.root.join(format!(".{}.lock", Cache::name(release)));
        loop {
            if let Some(lock) = Lock::try_take(&path)? {
                return Ok(lock);
            }
            if cancel.load(Ordering::Relaxed) {
                return Err(WheelError::Cancelled);
            }
            progress(InstallProgress { phase: InstallPhase::Waiting, bytes: 0, expected: None });
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Removes what killed processes left of this release. The caller holds the lock.
    fn remove_leftovers(&self, release: &TritonRelease) {
        let start = format!(".{}.tmp-", Cache::name(release));
        for entry in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(&start)) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// The installed releases, by package and version.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn installed(&self) -> Result<Vec<CachedRelease>, WheelError> {
        let entries = match fs::read_dir(&self.root) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(WheelError::io(&self.root))?,
        };
        let mut found: Vec<CachedRelease> = entries
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let release = release_of(&name)?;
                self.find(&release)?;
                Some(CachedRelease { release, path: entry.path(), bytes: size_of(&entry.path()) })
            })
            .collect();
        found.sort_by_cached_key(|installed| (installed.release.package, index::order(&installed.release.version)));
        Ok(found)
    }

    /// The versions of a package in the index for the preferred Python, oldest first.
    ///
    /// # Errors
    /// The index cannot be reached, or there is neither pip nor uv.
    pub fn known(&self, package: super::Package) -> Result<Vec<String>, WheelError> {
        index::versions(package)
    }

    /// # Errors
    /// The release is not installed, or cannot be removed.
    pub fn remove(&self, release: &TritonRelease, cancel: &AtomicBool) -> Result<(), WheelError> {
        let path = self.path(release);
        if !path.is_dir() {
            return Err(WheelError::NotInstalled(release.to_string()));
        }
        let _lock = self.lock(release, cancel, &mut |_| {})?;
        // Renamed first: a partial installation must never have its name.
        let place = Temporary(self.root.join(format!(".{}.tmp-{}", Cache::name(release), std::process::id())));
        fs::rename(&path, &place.0).map_err(WheelError::io(&path))?;
        fs::remove_dir_all(&place.0).map_err(WheelError::io(&place.0))
    }
}

fn release_of(name: &str) -> Option<TritonRelease> {
    let text = match name.split_once('-') {
        Some((word, version)) if PACKAGES.iter().any(|package| package.word == word) => format!("{word}:{version}"),
        _ => name.to_owned(),
    };
    match text.parse() {
        Ok(Triton::Release(release)) => Some(release),
        _ => None,
    }
}

/// The lock of a release: a file that is locked until this is dropped, and then removed, with the directory if that is
/// empty.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    fn try_take(path: &Path) -> Result<Option<Lock>, WheelError> {
        let directory = path.parent().unwrap_or(path);
        fs::create_dir_all(directory).map_err(WheelError::io(directory))?;
        let file = match File::options().create(true).truncate(false).write(true).open(path) {
            // Another process removed the directory just now.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(WheelError::io(path))?,
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(WheelError::io(path)(error)),
        }
        // A lock on a file that was removed in the meantime excludes nobody.
        let ours = file.metadata().map_err(WheelError::io(path))?.ino();
        let there = fs::metadata(path).map(|data| data.ino()).ok();
        Ok((there == Some(ours)).then(|| Lock { path: path.to_owned(), _file: file }))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        let _ = self.path.parent().map(fs::remove_dir);
    }
}

/// A directory that is removed on drop, unless it was renamed.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Bytes in the files below a directory. Unreadable files count nothing, and links are not followed.
pub(super) fn size_of(path: &Path) -> u64 {
    let mut bytes = 0;
    let mut directories = vec![path.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(data) if data.is_dir() => directories.push(entry.path()),
                Ok(data) => bytes += data.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    fn release(text: &str) -> TritonRelease {
        release_of(text).expect("a release")
    }

    #[test]
    fn a_name_in_the_cache_is_a_release_again() {
        for text in ["3.6.0", "3.10.0-rc1", "ascend-3.2.0"] {
            assert_eq!(Cache::name(&release(text)), text);
        }
        assert_eq!(release_of(".3.6.0.lock"), None);
        assert_eq!(release_of(".3.6.0.tmp-12"), None);
    }

    #[test]
    fn only_one_at_a_time_holds_the_lock_of_a_release() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Cache::at(directory.path());
        let (inside, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let lock = cache.lock(&release("3.6.0"), &AtomicBool::new(false), &mut |_| {}).expect("the lock");
                    most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(20));
                    inside.fetch_sub(1, Ordering::SeqCst);
                    drop(lock);
                });
            }
        });
        assert_eq!(most.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn waiting_for_the_lock_can_be_interrupted() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Cache::at(directory.path());
        let _held = cache.lock(&release("3.6.0"), &AtomicBool::new(false), &mut |_| {}).expect("the lock");
        let cancel = AtomicBool::new(false);
        let waited = cache.lock(&release("3.6.0"), &cancel, &mut |progress| {
            assert_eq!(progress.phase, InstallPhase::Waiting);
            cancel.store(true, Ordering::Relaxed);
        });
        assert!(matches!(waited, Err(WheelError::Cancelled)));
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_is_no_installation() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Cache::at(directory.path());
        let left = cache.root.join(".3.6.0.tmp-1").join("bin");
        let other = cache.root.join(".3.9.0.tmp-1");
        fs::create_dir_all(&left).and_then(|()| fs::create_dir_all(&other)).expect("directories");
        fs::write(left.join("python"), "").expect("a file");
        assert_eq!(cache.installed().expect("a list"), []);
        cache.remove_leftovers(&release("3.6.0"));
        assert!(!left.exists() && other.exists());
    }

    #[test]
    fn a_release_is_listed_with_its_size_and_can_be_removed() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Cache::at(directory.path());
        for version in ["3.10.0", "3.9.0"] {
            let place = cache.root.join(version).join("bin");
            fs::create_dir_all(&place).expect("a directory");
            fs::write(place.join("python"), "12345").expect("a file");
        }
        let listed = cache.installed().expect("a list");
        let seen: Vec<_> = listed.iter().map(|entry| (entry.release.to_string(), entry.bytes)).collect();
        assert_eq!(seen, [("3.9.0".to_owned(), 5), ("3.10.0".to_owned(), 5)]);
        cache.remove(&release("3.9.0"), &AtomicBool::new(false)).expect("removed");
        assert_eq!(cache.installed().expect("a list").len(), 1);
        let again = cache.remove(&release("3.9.0"), &AtomicBool::new(false));
        assert!(matches!(again, Err(WheelError::NotInstalled(_))));
    }
}
