"""Forked processes: they end with their parent, and have limits of their own."""
from __future__ import annotations

import os
import resource
import signal
from typing import Callable

PRINTED_LIMIT = 64 << 20  # Bytes that a child can print in all; writes beyond fail.
TRIAL_SECONDS = 20
PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    try:
        import ctypes
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    except Exception:
        return
    if os.getppid() != parent:
        os._exit(0)


def limit_child() -> None:
    """No core files, a limit on what is printed, and the first to go where the system runs out of memory."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (PRINTED_LIMIT, PRINTED_LIMIT))
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("500")
    except OSError:
        pass


def fork_trial(work: Callable[[], None]) -> int:
    """A process for work that may abort or not end; its process id."""
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        signal.alarm(TRIAL_SECONDS)
        die_with_parent(parent)
        try:
            work()
        finally:
            os._exit(0)
    return child


def resident_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
