//! Installation: a virtual environment without pip, then the package from the index, with uv if it is on PATH and with pip
//! otherwise; and the meaning of their error messages.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::cache::size_of;
use super::python::{self, Interpreter};
use super::{InstallPhase, InstallProgress, TritonRelease, WheelError, index};

/// The first pip that can install into an environment other than its own (`--python`).
const PIP_WITH_PYTHON: (u64, u64) = (22, 3);
/// Disk space per byte of download: the wheels of 3.0.0 to 3.9.0 unpack to 2.6 to 3.4 times their size, and the download is
/// kept for a time.
const GROWTH: u64 = 4;

/// Makes an environment at `place` and installs the release, with the first Python that it has a wheel for.
pub(super) fn into(
    place: &Path,
    release: &TritonRelease,
    cancel: &AtomicBool,
    progress: &mut dyn FnMut(InstallProgress),
) -> Result<(), WheelError> {
    let mut refused = None;
    for interpreter in python::candidates()? {
        match with(&interpreter, place, release, cancel, progress) {
            // There may be a wheel for another Python. The error shows the versions for the first.
            Err(error @ WheelError::UnknownVersion { .. }) => {
                refused.get_or_insert(error);
            }
            done => return done,
        }
    }
    let mut refused = refused.unwrap_or(WheelError::NoPython);
    // uv does not say which versions there are.
    if let WheelError::UnknownVersion { known, .. } = &mut refused
        && known.is_empty()
    {
        *known = index::versions(release.package).unwrap_or_default();
    }
    Err(refused)
}

fn with(
    interpreter: &Interpreter,
    place: &Path,
    release: &TritonRelease,
    cancel: &AtomicBool,
    progress: &mut dyn FnMut(InstallProgress),
) -> Result<(), WheelError> {
    let mut installer = Installer { place, cancel, progress, distribution: release.package.distribution };
    if place.exists() {
        fs::remove_dir_all(place).map_err(WheelError::io(place))?;
    }
    fs::create_dir_all(place).map_err(WheelError::io(place))?;
    // Inside, so that downloads are counted, and removed with the rest.
    let downloads = place.join("downloads");
    fs::create_dir(&downloads).map_err(WheelError::io(&downloads))?;

    let tool = Tool::choose(interpreter);
    let (success, output) = installer.run(tool.venv(interpreter, place), InstallPhase::Preparing)?;
    if !success {
        if full(&output) {
            return Err(WheelError::DiskFull { path: place.to_owned() });
        }
        return Err(WheelError::Venv { python: interpreter.path.clone(), message: last_line(&output) });
    }
    let mut command = tool.install(interpreter, &place.join("bin").join("python"));
    command.arg(format!("{}=={}", release.package.distribution, release.version)).args(release.package.also);
    command.env("TMPDIR", &downloads);
    let (success, output) = installer.run(command, InstallPhase::Installing)?;
    if !success {
        return Err(match explain(&output, release.package.distribution, &release.version, interpreter) {
            WheelError::DiskFull { .. } => WheelError::DiskFull { path: place.parent().unwrap_or(place).to_owned() },
            error => error,
        });
    }
    fs::remove_dir_all(&downloads).map_err(WheelError::io(&downloads))
}

#[derive(Debug, PartialEq, Eq)]
enum Tool {
    Uv(PathBuf),
    /// The interpreter's own pip, which installs into the environment from outside.
    Pip,
    /// A pip inside the environment, where the interpreter has none or one that is too old.
    PipInside,
}

impl Tool {
    fn choose(interpreter: &Interpreter) -> Tool {
        if let Some(uv) = python::on_path("uv") {
            return Tool::Uv(uv);
        }
        let output = Command::new(&interpreter.path).args(["-m", "pip", "--version"]).stdin(Stdio::null()).output();
        let version = output.ok().filter(|output| output.status.success()).and_then(|output| {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let mut numbers = said.strip_prefix("pip ")?.split(['.', ' ']);
            Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
        });
        if version.is_some_and(|version: (u64, u64)| version >= PIP_WITH_PYTHON) { Tool::Pip } else { Tool::PipInside }
    }

    fn venv(&self, interpreter: &Interpreter, place: &Path) -> Command {
        match self {
            Tool::Uv(uv) => {
                let mut command = Command::new(uv);
                command.args(["venv", "--allow-existing", "--python"]).arg(&interpreter.path).arg(place);
                command
            }
            Tool::Pip | Tool::PipInside => {
                let mut command = Command::new(&interpreter.path);
                command.args(["-m", "venv"]).args((*self == Tool::Pip).then_some("--without-pip")).arg(place);
                command
            }
        }
    }

    fn install(&self, interpreter: &Interpreter, python: &Path) -> Command {
        let mut command;
        match self {
            Tool::Uv(uv) => {
                command = Command::new(uv);
                command.args(["pip", "install", "--only-binary", ":all:", "--python"]).arg(python);
            }
            Tool::Pip | Tool::PipInside => {
                command = Command::new(if *self == Tool::Pip { &interpreter.path } else { python });
                command.args(["-m", "pip", "--disable-pip-version-check", "--no-input", "--retries", "2"]);
                if *self == Tool::Pip {
                    command.arg("--python").arg(python);
                }
                command.args(["install", "--progress-bar", "off", "--only-binary", ":all:"]);
            }
        }
        command
    }
}

/// Runs the programs of one installation.
struct Installer<'a> {
    place: &'a Path,
    cancel: &'a AtomicBool,
    progress: &'a mut dyn FnMut(InstallProgress),
    distribution: &'a str,
}

impl Installer<'_> {
    /// Runs a program and reports progress; returns whether it succeeded, and its output.
    fn run(&mut self, mut command: Command, phase: InstallPhase) -> Result<(bool, String), WheelError> {
        // Not below `place`, which may be full.
        let log = tempfile::tempfile().map_err(WheelError::io(&std::env::temp_dir()))?;
        let copy = || log.try_clone().map_err(WheelError::io(&std::env::temp_dir()));
        let (file, copy) = (copy()?, copy()?);
        command.stdin(Stdio::null()).stdout(file).stderr(copy).process_group(0).env("PYTHONUNBUFFERED", "1");
        let program = PathBuf::from(command.get_program());
        let child = command
            .spawn()
            .map_err(|error| WheelError::BadPython { path: program.clone(), message: error.to_string() })?;
        let mut group = ProcessGroup(child);
        let mut reported = Instant::now();
        loop {
            let status = group.0.try_wait().map_err(WheelError::io(&program))?;
            let said = || written(&log);
            if let Some(status) = status {
                return Ok((status.success(), said()));
            }
            if self.cancel.load(Ordering::Relaxed) {
                return Err(WheelError::Cancelled);
            }
            if reported.elapsed() >= Duration::from_millis(250) {
                let expected = download_size(&said(), self.distribution).map(|bytes| bytes.saturating_mul(GROWTH));
                (self.progress)(InstallProgress { phase, bytes: size_of(self.place), expected });
                reported = Instant::now();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The content of a file that a child is writing, without moving its offset.
fn written(file: &File) -> String {
    let mut bytes = vec![0; file.metadata().map_or(0, |data| usize::try_from(data.len()).unwrap_or(0))];
    let read = file.read_at(&mut bytes, 0).unwrap_or(0);
    bytes.truncate(read);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A program and its children (pip runs a second one with `--python`), killed on drop.
struct ProcessGroup(Child);

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if !matches!(self.0.try_wait(), Ok(Some(_))) {
            if let Some(pid) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process_group(pid, Signal::KILL);
            }
            let _ = self.0.wait();
        }
    }
}

/// The size of the download from a line such as `Downloading triton-3.6.0-….whl (188.3 MB)` or `triton (179.6MiB)`.
fn download_size(said: &str, distribution: &str) -> Option<u64> {
    let named = |line: &&str| {
        ["Downloading", "Using cached"].iter().any(|word| line.trim_start().starts_with(word))
            && line.replace('_', "-").contains(distribution)
            && !line.contains(".metadata")
    };
    let line = said.lines().rfind(named)?;
    let inside = line.rsplit_once('(')?.1.split(')').next()?.trim();
    let digits = inside.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = inside.split_at(digits);
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let scale: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "kb" | "kib" => 1000,
        "mb" | "mib" => 1_000_000,
        "gb" | "gib" => 1_000_000_000,
        _ => 1,
    };
    let tenths = part.get(..1)?.parse::<u64>().ok()?;
    Some(whole.parse::<u64>().ok()?.saturating_mul(scale).saturating_add(tenths * scale / 10))
}

fn full(said: &str) -> bool {
    said.contains("No space left on device") || said.contains("Disk quota exceeded")
}

fn last_line(said: &str) -> String {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let error = lines().rfind(|line| line.to_ascii_lowercase().starts_with("error"));
    error.or_else(|| lines().next_back()).unwrap_or("it failed without a word").to_owned()
}

/// Messages of pip and uv that mean that the index was not reached.
const UNREACHED: [&str; 12] = [
    "NewConnectionError",
    "NameResolutionError",
    "Temporary failure in name resolution",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "ConnectionResetError",
    "Network is unreachable",
    "Connection refused",
    "ProxyError",
    "SSLError",
    "error sending request",
    "dns error",
];

/// The error that an installer's output means.
fn explain(said: &str, distribution: &str, version: &str, interpreter: &Interpreter) -> WheelError {
    let (distribution, version) = (distribution.to_owned(), version.to_owned());
    if full(said) {
        return WheelError::DiskFull { path: PathBuf::new() };
    }
    if let Some(sign) = unreached(said) {
        return WheelError::NoNetwork { distribution, version, message: sign.to_owned() };
    }
    let missing =
        ["Could not find a version", "No matching distribution", "there is no version of", "no wheels with a matching"];
    if missing.iter().any(|sign| said.contains(sign)) {
        let known = said.split_once("(from versions:").and_then(|(_, rest)| rest.split_once(')'));
        return WheelError::UnknownVersion {
            distribution,
            version,
            python: interpreter.version.clone(),
            known: known.map(|(list, _)| index::sorted(list)).unwrap_or_default(),
            other_python: std::env::var_os("TRITONSMITH_PYTHON").is_none(),
        };
    }
    WheelError::Install { distribution, version, message: last_line(said) }
}

fn unreached(said: &str) -> Option<&'static str> {
    UNREACHED.into_iter().find(|sign| said.contains(sign))
}

/// Why the index gave no answer, in a few words.
pub(super) fn what_failed(said: &str) -> String {
    unreached(said).map_or_else(|| last_line(said), |sign| format!("it cannot be reached ({sign})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(said: &str) -> WheelError {
        let interpreter = Interpreter { path: PathBuf::from("python3"), version: "3.11".to_owned() };
        explain(said, "triton", "9.9.9", &interpreter)
    }

    #[test]
    fn a_version_that_does_not_exist_is_answered_with_those_that_do() {
        let error = explained(
            "ERROR: Could not find a version that satisfies the requirement triton==9.9.9 (from versions: 3.0.0, 3.1.0)\n\
             ERROR: No matching distribution found for triton==9.9.9\n",
        );
        assert!(
            error
                .to_string()
                .starts_with("triton 9.9.9 cannot be installed for Python 3.11: the index has 3.0.0, 3.1.0")
        );
    }

    #[test]
    fn no_network_is_told_from_no_such_version() {
        let said = "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(…)': /simple/triton/\n\
                    ERROR: Could not find a version that satisfies the requirement triton==3.6.0 (from versions: none)\n";
        assert!(matches!(explained(said), WheelError::NoNetwork { .. }));
    }

    #[test]
    fn a_full_disk_is_told_from_everything_else() {
        let said = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n";
        assert!(matches!(explained(said), WheelError::DiskFull { .. }));
    }

    #[test]
    fn an_unknown_failure_is_given_in_its_own_words() {
        let error = explained("Collecting triton\nERROR: the sky fell\n\n[notice] a new pip\n");
        assert_eq!(error.to_string(), "triton 9.9.9 could not be installed: ERROR: the sky fell");
    }

    #[test]
    fn the_size_of_a_download_is_read_from_either_tool() {
        let pip = "Collecting triton==3.6.0\n  Downloading triton-3.6.0-cp311-cp311-x.whl (188.3 MB)\n";
        assert_eq!(download_size(pip, "triton"), Some(188_300_000));
        let cached = "  Using cached triton_ascend-3.2.0-cp311-x.whl.metadata (9 kB)\n  Using cached triton_ascend-3.2.0-cp311-x.whl (98 MB)\n";
        assert_eq!(download_size(cached, "triton-ascend"), Some(98_000_000));
        assert_eq!(download_size("Downloading triton (179.6MiB)\n", "triton"), Some(179_600_000));
        assert_eq!(download_size("Collecting triton\n", "triton"), None);
    }
}
