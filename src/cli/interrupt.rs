//! Ctrl-C. The first one asks a verb to stop and to leave what it has; a second one ends the program at once.

use rustix::process::{Pid, Signal, getpgrp, kill_process};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, LazyLock};

static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// The process id of a program that is run for the user, 0 where there is none.
static PROGRAM: AtomicI32 = AtomicI32::new(0);

/// From now on Ctrl-C and the termination signal set the flag that this gives.
pub fn watch() -> Arc<AtomicBool> {
    // A second handler cannot be set and need not be: the flag is the same.
    let _ = ctrlc::set_handler(|| {
        if pass_on() {
            return;
        }
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            #[expect(clippy::exit, reason = "a second Ctrl-C waits for nobody")]
            std::process::exit(2);
        }
        super::output::say("\nstopping; press Ctrl-C again to leave at once");
    });
    INTERRUPTED.clone()
}

/// While a program with this process id runs, signals are its own affair; with `None` they are ours again.
pub fn program(id: Option<u32>) {
    let id = id.and_then(|id| i32::try_from(id).ok()).unwrap_or(0);
    PROGRAM.store(id, Ordering::Relaxed);
}

/// Whether a program is running. Ctrl-C reaches it from the terminal as it reaches us; a signal that came by another way
/// is passed on.
fn pass_on() -> bool {
    let Some(program) = Pid::from_raw(PROGRAM.load(Ordering::Relaxed)) else { return false };
    let in_foreground = rustix::termios::tcgetpgrp(std::io::stdin()).is_ok_and(|group| group == getpgrp());
    if !in_foreground {
        // It may have ended just now.
        let _ = kill_process(program, Signal::TERM);
    }
    true
}
