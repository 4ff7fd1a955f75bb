//! Installing wheels and finding those that are there: what is told of a Python that will not do, and what is left behind.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use tritonsmith::compiler::wheel::{Cache, InstallPhase, InstallProgress, Installation, Triton, WheelError, install};
use tritonsmith::compiler::worker::{Worker, WorkerError, WorkerLimits};

#[test]
fn a_python_without_triton_is_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let done =
        std::process::Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(directory.path()).status();
    assert!(done.is_ok_and(|status| status.success()));
    let spec = Triton::Python(directory.path().to_owned());
    match install(&spec, &AtomicBool::new(false), &mut |_| {}) {
        Err(error @ WheelError::NoTriton { .. }) => assert!(error.to_string().contains("has no Triton")),
        other => panic!("{other:?}"),
    }
    let python = directory.path().join("bin").join("python");
    let bare = Installation { spec, python, version: None, distribution: None };
    assert!(matches!(Worker::start(&bare, WorkerLimits::default()), Err(WorkerError::NoTriton { .. })));
    let missing = Triton::Python("/no/such/python".into());
    let missing = install(&missing, &AtomicBool::new(false), &mut |_| {});
    assert!(matches!(missing, Err(WheelError::BadPython { .. })));
}

#[test]
#[ignore = "needs wheels"]
fn an_installation_of_the_users_own_tells_its_version() {
    let spec: Triton = "3.6.0".parse().expect("a Triton");
    let cached = install(&spec, &AtomicBool::new(false), &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    let own: Triton = cached.python.to_str().expect("a path").parse().expect("a Triton");
    let own = install(&own, &AtomicBool::new(false), &mut |_| {}).expect("an installation");
    assert_eq!((own.version.as_deref(), own.distribution.as_deref()), (Some("3.6.0"), Some("triton")));
}

#[test]
#[ignore = "needs the package index"]
fn an_unknown_version_is_answered_with_the_known_ones_and_leaves_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let spec: Triton = "3.99.0".parse().expect("a Triton");
    match Cache::at(directory.path()).install(&spec, &AtomicBool::new(false), &mut |_| {}) {
        Err(WheelError::UnknownVersion { known, .. }) => assert!(known.contains(&"3.6.0".to_owned()), "{known:?}"),
        other => panic!("{other:?}"),
    }
    assert!(!directory.path().join("triton").exists());
}

fn walk(directory: &std::path::Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(directory.join("triton")).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "fetches hundreds of megabytes"]
    fn two_installers_at_once_make_one_installation() {
        let directory = tempfile::tempdir().expect("a directory");
        let cache = Cache::at(directory.path());
        let spec: Triton = "3.3.1".parse().expect("a Triton");
        let phases = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut note = |progress: InstallProgress| {
                        phases.lock().expect("a lock").push(progress);
                    };
                    let installed = cache.install(&spec, &AtomicBool::new(false), &mut note).expect("an installation");
                    let worker = Worker::start(&installed, WorkerLimits::default()).expect("a worker");
                    assert_eq!(worker.hello().triton, "3.3.1");
                });
            }
        });
        let phases = phases.into_inner().expect("phases");
        assert!(phases.iter().any(|progress| progress.phase == InstallPhase::Waiting));
        let most = phases.iter().filter_map(|progress| Some((progress.bytes, progress.expected?))).max();
        assert!(most.is_some_and(|(bytes, expected)| bytes > expected / 4 && bytes < expected * 2), "{most:?}");
        let names: Vec<_> =
            walk(directory.path()).filter_map(|path| path.file_name()?.to_str().map(str::to_owned)).collect();
        assert_eq!(names, ["3.3.1"]);
    }

    #[test]
    #[ignore = "fetches hundreds of megabytes"]
    fn an_interrupted_installation_leaves_nothing() {
        let directory = tempfile::tempdir().expect("a directory");
        let spec: Triton = "3.3.1".parse().expect("a Triton");
        let cancel = AtomicBool::new(false);
        let mut stop = |progress: InstallProgress| {
            cancel.store(progress.phase == InstallPhase::Installing, std::sync::atomic::Ordering::Relaxed);
        };
        let stopped = Cache::at(directory.path()).install(&spec, &cancel, &mut stop);
        assert!(matches!(stopped, Err(WheelError::Cancelled)), "{stopped:?}");
        assert_eq!(walk(directory.path()).count(), 0);
    }
}
