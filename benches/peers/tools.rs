//! The reducers: how each is started, and where it leaves what it made.

use super::reduction::Reduction;
use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tritonsmith::ir::{self, PrintOptions};

/// Queries at once, for every tool that can.
const JOBS: &str = "2";

/// A reducer.
#[derive(Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    program: PathBuf,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Tritonsmith,
    Shrinkray,
    Cvise,
    Picire,
    MlirReduce,
}

/// How a run went.
#[derive(Debug)]
pub struct Run {
    /// Whether it came to an end by itself.
    pub ended: bool,
    /// What it left, if anything.
    pub left: Option<String>,
}

/// The tools that are there, and the names of those that are not.
pub fn found(peers: Option<&Path>) -> (Vec<Tool>, Vec<&'static str>) {
    let own = Tool {
        name: "tritonsmith",
        program: PathBuf::from(env!("CARGO_BIN_EXE_tritonsmith")),
        kind: Kind::Tritonsmith,
    };
    let (mut tools, mut missing) = (vec![own], Vec::new());
    for (name, kind) in [
        ("shrinkray", Kind::Shrinkray),
        ("cvise", Kind::Cvise),
        ("picire", Kind::Picire),
        ("mlir-reduce", Kind::MlirReduce),
    ] {
        match peers.map(|peers| peers.join(name)).filter(|program| program.exists()) {
            Some(program) => tools.push(Tool { name, program, kind }),
            None => missing.push(name),
        }
    }
    (tools, missing)
}

impl Tool {
    /// Reduces in an empty directory, for at most so long.
    pub fn run(&self, place: &Path, socket: &Path, reduction: &Reduction, limit: Duration) -> Run {
        let own = std::env::current_exe().unwrap();
        let script = |name: &str, verb: &str| {
            let path = place.join(name);
            let line =
                format!("#!/bin/sh\nexec '{}' {verb} '{}' \"${{1:-input.mlir}}\"\n", own.display(), socket.display());
            std::fs::write(&path, line).unwrap();
            std::fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
            path
        };
        let (test, input) = (script("test.sh", "ask"), place.join("input.mlir"));
        std::fs::write(&input, &reduction.text).unwrap();
        let mut command = Command::new(&self.program);
        let left = match self.kind {
            Kind::Tritonsmith => {
                command.args(["reduce", "input.mlir", "--jobs", JOBS, "--out", "out", "--test"]).arg(&test);
                place.join("out/reduced.mlir")
            }
            Kind::Shrinkray => {
                command.args(["--ui", "basic", "--volume", "quiet", "--no-history", "--input-type", "arg"]);
                command.args(["--trivial-is-not-error", "--parallelism", JOBS]).args([&test, &input]);
                input
            }
            Kind::Cvise => {
                command.args(["--not-c", "--n", JOBS, "--timeout", "30"]).arg(&test).arg("input.mlir");
                input
            }
            Kind::Picire => {
                command.args(["--input", "input.mlir", "--out", "out", "--parallel", "--jobs", JOBS]);
                command.args(["--cache", "content", "--test"]).arg(&test);
                place.join("out/input.mlir")
            }
            Kind::MlirReduce => {
                let test = script("inverted.sh", "ask-inverted");
                let module = ir::parse(&reduction.text).unwrap();
                std::fs::write(&input, ir::print(&module, &PrintOptions::generic())).unwrap();
                command.args(["input.mlir", "--allow-unregistered-dialect", "-o", "out.mlir"]);
                command.arg(format!("--reduction-tree=traversal-mode=0 test={}", test.display()));
                place.join("out.mlir")
            }
        };
        let log = File::create(place.join("log.txt")).unwrap();
        command.current_dir(place).stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).process_group(0);
        let ended = end_within(command, limit);
        Run { ended, left: ended.then(|| std::fs::read(left).ok()).flatten().map(text_of) }
    }
}

fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs a command with all that it starts; false where it had to be stopped.
fn end_within(mut command: Command, limit: Duration) -> bool {
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() >= limit {
            let group = rustix::process::Pid::from_child(&child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            let _ = child.wait();
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}
