//! One worker process and the bytes to and from it. The process may stop reading, stop writing, write half a frame or no
//! frame at all, grow, hang or vanish: every wait here has a deadline, nothing here blocks without one, and each of these
//! ends as a [`ProcessEvent`].

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

use crate::compiler::protocol::Frame;
use crate::compiler::wheel::Installation;

/// Reads the package from standard input and runs it.
const BOOT: &str = include_str!("../../../scripts/tritonsmith_worker/boot.py");
const PACKAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tritonsmith_worker.zip"));
/// How often the size of a busy child is looked at.
const TICK: Duration = Duration::from_millis(10);
/// How long the worker's parent process gets to speak for a child that was stopped, before all of it is.
const GRACE: Duration = Duration::from_secs(10);
/// How often a child's time is prolonged that got less than half of a processor: the machine is busy, or it waits for
/// nothing, which the last time shows.
const PROLONGED: u32 = 3;
/// How much the process may print outside of any request before it is taken for something else than a worker.
const PRINTED_LIMIT: u64 = 64 << 20;
/// How much of that is kept, from its end.
const PRINTED_KEPT: u64 = 1 << 16;
/// A frame beyond this length is taken for garbage.
const FRAME_LIMIT: usize = 1 << 30;
/// Variables with these beginnings change what Triton does or prints; a worker's answer must not depend on them.
const UNWANTED: [&str; 6] = ["TRITON_", "MLIR_", "LLVM_", "AMDGCN_", "NVPTX_", "PYTHONFAULTHANDLER"];
/// Except these, which say where backends and libraries are.
const WANTED: [&str; 3] = ["TRITON_BACKENDS_IN_TREE", "TRITON_PLUGIN_PATHS", "TRITON_PLUGIN_DIRS"];

/// Which limit a child was stopped for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stopped {
    Time,
    Memory,
}

/// What a wait for an answer comes to.
#[derive(Debug)]
pub(super) enum ProcessEvent {
    /// A frame that ends the request, and the limit that was passed on the way.
    Frame(Frame, Option<Stopped>),
    /// The process as a whole is over, or must be: its words make no sense any more.
    Over { reason: String, stopped: Option<Stopped> },
}

/// Limits of one request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Until a child says that it has the request; the request's own time counts from there.
    pub start: Duration,
    pub time: Duration,
    pub memory: u64,
}

#[derive(Debug, Clone, Copy)]
struct Serving {
    pid: i32,
    resident: u64,
}

#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Its exit status, once it is known.
    status: Option<ExitStatus>,
    /// Both directions of the protocol. The worker's standard input is the other end; nothing that is printed gets there.
    stream: UnixStream,
    /// What goes ahead of the first frame.
    unsent: &'static [u8],
    printed: File,
    /// The child that has the request, once it has said so.
    serving: Option<Serving>,
    received: Vec<u8>,
}

impl Process {
    pub fn spawn(installation: &Installation, environment: &[(String, String)]) -> io::Result<Process> {
        let printed = tempfile::tempfile()?;
        let (stream, other_end) = UnixStream::pair()?;
        let mut command = Command::new(&installation.python);
        command.args(["-c", BOOT, &PACKAGE.len().to_string()]).process_group(0);
        command.stdin(OwnedFd::from(other_end)).stdout(printed.try_clone()?).stderr(printed.try_clone()?);
        for (name, _) in std::env::vars_os() {
            let unwanted = name
                .to_str()
                .is_some_and(|name| UNWANTED.iter().any(|start| name.starts_with(start)) && !WANTED.contains(&name));
            if unwanted {
                command.env_remove(name);
            }
        }
        if let Some(path) = std::env::var_os("PYTHONPATH") {
            // An empty entry would be the working directory.
            let named = std::env::split_paths(&path).filter(|entry| !entry.as_os_str().is_empty());
            command.env("PYTHONPATH", std::env::join_paths(named).map_err(io::Error::other)?);
        }
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        let child = command.spawn()?;
        stream.set_nonblocking(true)?;
        Ok(Process { child, status: None, stream, unsent: PACKAGE, printed, serving: None, received: Vec::new() })
    }

    /// Sends a request and waits for the frame that answers the request `id`.
    pub fn ask(&mut self, id: u64, request: &[u8], bounds: Bounds) -> ProcessEvent {
        let Ok(length) = u32::try_from(request.len()) else {
            return ProcessEvent::Over { reason: "the request is longer than a frame can be".into(), stopped: None };
        };
        let frame = [std::mem::take(&mut self.unsent), &length.to_le_bytes()[..], request].concat();
        let mut unsent = frame.as_slice();
        let mut deadline = Instant::now() + bounds.start;
        let (mut stopped, mut prolonged, mut worked) = (None, 0, None);
        loop {
            match self.next_frame() {
                Err(reason) => return ProcessEvent::Over { reason, stopped },
                Ok(Some(frame)) => {
                    if let (Some(pid), Some(resident)) = (frame.pid, frame.resident) {
                        self.serving = Some(Serving { pid, resident });
                        if stopped.is_none() {
                            worked = self.worked();
                            deadline = Instant::now() + bounds.time;
                        }
                    } else if frame.fatal.is_some() {
                        return ProcessEvent::Frame(frame, stopped);
                    // A child that dies before it has read the number cannot be spoken for by number; one request is asked
                    // at a time.
                    } else if frame.id == id || (frame.id == 0 && frame.died.is_some()) {
                        self.serving = None;
                        return ProcessEvent::Frame(frame, stopped);
                    }
                    continue;
                }
                Ok(None) => {}
            }
            let now = Instant::now();
            let excess = match stopped {
                Some(_) => None,
                None if now >= deadline && prolonged < PROLONGED && self.was_kept_waiting(worked, bounds.time) => {
                    (prolonged, worked) = (prolonged + 1, self.worked());
                    deadline = now + bounds.time;
                    None
                }
                None if now >= deadline => Some(Stopped::Time),
                None if self.grown() > bounds.memory => Some(Stopped::Memory),
                None => None,
            };
            if let Some(limit) = excess {
                stopped = Some(limit);
                deadline = now + GRACE;
                if !self.stop_serving() {
                    self.kill();
                }
            } else if stopped.is_some() && now >= deadline {
                self.kill();
                return ProcessEvent::Over { reason: "it did not speak for a child that was stopped".into(), stopped };
            }
            if self.printed.metadata().is_ok_and(|file| file.len() > PRINTED_LIMIT) {
                self.kill();
                let _ = self.printed.set_len(0);
                return ProcessEvent::Over {
                    reason: format!("it printed more than {} MiB", PRINTED_LIMIT >> 20),
                    stopped,
                };
            }
            if let Err(error) = self.transfer(&mut unsent, deadline.saturating_duration_since(now).min(TICK)) {
                return ProcessEvent::Over { reason: error.to_string(), stopped };
            }
        }
    }

    /// Moves bytes in both directions for as long as there are any, but waits no longer than `wait` for the first.
    fn transfer(&mut self, unsent: &mut &[u8], wait: Duration) -> io::Result<()> {
        let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(wait.subsec_nanos()) };
        let wanted = if unsent.is_empty() { PollFlags::IN } else { PollFlags::IN | PollFlags::OUT };
        let mut fds = [PollFd::new(&self.stream, wanted)];
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let [ready] = fds.map(|fd| fd.revents());
        if ready.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR) {
            let mut part = [0; 1 << 16];
            match self.stream.read(&mut part) {
                Ok(count @ 1..) => self.received.extend_from_slice(part.get(..count).unwrap_or_default()),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                // A reset is an end as well: there was something that it had not read.
                Err(error) if error.kind() != ErrorKind::ConnectionReset => return Err(error),
                _ => return Err(io::Error::new(ErrorKind::UnexpectedEof, "it ended")),
            }
        } else if ready.contains(PollFlags::OUT) {
            match self.stream.write(unsent) {
                Ok(count) => *unsent = unsent.get(count..).unwrap_or_default(),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                // What it said before it went is still to be read.
                Err(error) if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) => {
                    *unsent = &[];
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, String> {
        let Some((head, rest)) = self.received.split_first_chunk::<4>() else { return Ok(None) };
        let length = u32::from_le_bytes(*head) as usize;
        if length > FRAME_LIMIT {
            return Err(format!("it announced a frame of {length} bytes"));
        }
        let Some(body) = rest.get(..length) else { return Ok(None) };
        let frame = serde_json::from_slice(body).map_err(|error| format!("it sent a frame that is none: {error}"));
        self.received.drain(..4 + length);
        frame.map(Some)
    }

    /// Bytes that the serving child has grown since it was idle.
    fn grown(&self) -> u64 {
        let Some(serving) = self.serving else { return 0 };
        let resident = std::fs::read_to_string(format!("/proc/{}/statm", serving.pid))
            .ok()
            .and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
        let page = u64::try_from(rustix::param::page_size()).unwrap_or(4096);
        resident.unwrap_or(0).saturating_mul(page).saturating_sub(serving.resident)
    }

    /// Processor time that the serving child has taken, where the system tells.
    fn worked(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.serving?.pid)).ok()?;
        // The name, in parentheses, may hold blanks; user and system time are the 12th and 13th word after it (proc(5)).
        let words = text.rsplit(')').next()?.split_whitespace().skip(11).take(2);
        let ticks: u64 = words.filter_map(|word| word.parse::<u64>().ok()).sum();
        Some(Duration::from_millis(ticks.saturating_mul(1000) / rustix::param::clock_ticks_per_second().max(1)))
    }

    /// Whether the child got less than half of a processor in the time that it had.
    fn was_kept_waiting(&self, before: Option<Duration>, time: Duration) -> bool {
        let (Some(before), Some(now)) = (before, self.worked()) else { return false };
        now.saturating_sub(before) < time / 2
    }

    fn stop_serving(&mut self) -> bool {
        let pid = self.serving.take().and_then(|serving| Pid::from_raw(serving.pid));
        pid.is_some_and(|pid| kill_process(pid, Signal::KILL).is_ok())
    }

    /// Ends the process and every one that it started.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            // Where it ended already its own status counts, and a moment is given to one that is just ending.
            for _ in 0..20 {
                if self.has_exited() || !self.ended() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            let _ = kill_process_group(self.pid(), Signal::KILL);
            self.status = self.child.wait().ok();
        }
        self.status
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Whether the process is over; its status is left to be asked for.
    fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(self.pid()), options).is_ok_and(|status| status.is_some())
    }

    fn ended(&self) -> bool {
        let mut fds = [PollFd::new(&self.stream, PollFlags::empty())];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut fds, Some(&now)).is_ok() && fds.iter().any(|fd| fd.revents().contains(PollFlags::HUP))
    }

    /// What the process printed outside of any request: Python's own words, as a rule.
    pub fn printed(&mut self) -> String {
        let mut bytes = Vec::new();
        let start = self.printed.metadata().map_or(0, |file| file.len().saturating_sub(PRINTED_KEPT));
        let read = self.printed.seek(SeekFrom::Start(start)).and_then(|_| self.printed.read_to_end(&mut bytes));
        read.map(|_| String::from_utf8_lossy(&bytes).trim().to_owned()).unwrap_or_default()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
