//! Running the built program in a directory of its own, and looking at what it said, how it ended and what it left.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A place to run the program in: working directory, temporary files and everything else that it could leave behind.
pub struct Place {
    directory: TempDir,
}

/// How a command ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Place {
    pub fn new() -> Place {
        let place = Place { directory: tempfile::tempdir().expect("a directory") };
        for name in ["work", "tmp", "cache"] {
            std::fs::create_dir(place.path(name)).expect("a directory");
        }
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file outside of the directories that are looked at afterwards.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a file");
        path.to_str().expect("a name").to_owned()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tritonsmith"));
        command.args(arguments).current_dir(self.path("work")).env("TMPDIR", self.path("tmp")).stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().expect("it runs"))
    }

    /// Files below a directory of this place; lock files of the cache are empty and stay.
    pub fn left_in(&self, name: &str) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut directories = vec![self.path(name)];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(directory).expect("a directory").flatten() {
                let path = entry.path();
                match path.is_dir() {
                    true => directories.push(path),
                    false if path.extension().is_some_and(|extension| extension == "lock") => {}
                    false => files.push(path),
                }
            }
        }
        files
    }

    /// Nothing is left, wherever the program may write.
    pub fn assert_clean(&self) {
        for name in ["work", "tmp", "cache"] {
            assert_eq!(self.left_in(name), [] as [PathBuf; 0], "{name}");
        }
    }
}

impl Ran {
    pub fn of(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The lines of standard output as JSON.
    pub fn objects(&self) -> Vec<serde_json::Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    }

    /// It ended with exit code 2, said a sentence that has `part`, and nothing that is meant for programmers.
    pub fn assert_failed(&self, part: &str) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(self.stderr.contains(part), "`{part}` is not in {}", self.stderr);
        for sign in ["panicked", "RUST_BACKTRACE", "Error {", "Os {", "Some(", "Traceback"] {
            assert!(!self.stderr.contains(sign), "{sign} is in {}", self.stderr);
        }
    }
}

/// A file of the shipped corpus.
pub fn corpus(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    path.to_str().expect("a name").to_owned()
}
