"""The parent process: imports libtriton once, and forks children that serve.

One child serves and a second one, forked ahead, is warm and waits. For a child that dies over a request the parent
answers; a child in which a crash was caught answers and leaves. Either way the waiting one goes on at once.
"""
from __future__ import annotations

import json
import os
import select
import signal
import time
import traceback
from typing import NoReturn

from .frames import write_all, write_frame
from .installation import Installation, describe
from .printed import PrintedFile
from .processes import die_with_parent, limit_child
from .progress import BUSY, READING, WRITING, Progress
from .server import Server

NO_CONTEXT = 70  # Exit status of a child that could not be set up.
FAILURES = 2  # How many children in a row may fail so.


class Child:
    """A forked process that warms up and then waits for `wake`."""

    def __init__(self, installation: Installation, texts: dict[str, str], protocol: int, siblings: list[Child]) -> None:
        self.progress, self.printed = Progress(), PrintedFile()
        token, self.token = os.pipe()
        self.life, life = os.pipe()  # Its end is the child's end; texts that the child learns come through it before.
        self.texts, self.heard = texts, b""
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                die_with_parent(parent)
                limit_child()
                for child in (self, *siblings):
                    child.close_pipes()
                self.printed.redirect()
                server = Server(installation, texts, life, self.progress, self.printed)
                with os.fdopen(token) as file:
                    learnt = file.readline()
                if learnt.endswith("\n"):
                    texts.update(json.loads(learnt))
                    server.serve(protocol)
            except BaseException:
                os.write(2, traceback.format_exc().encode())
                os._exit(NO_CONTEXT)
            os._exit(0)
        os.close(token)
        os.close(life)

    def wake(self) -> None:
        try:
            write_all(self.token, json.dumps(self.texts).encode() + b"\n")
            os.close(self.token)
            self.token = -1
        except BrokenPipeError:
            pass  # It died while it waited; `wait` finds that out.

    def wait(self, protocol: int) -> int:
        """Blocks until the child is gone, and gives its status; ends everything when nobody reads answers any more."""
        poll = select.poll()
        poll.register(self.life, select.POLLIN)
        poll.register(protocol, 0)
        while True:
            for fd, _ in poll.poll():
                if fd == protocol:
                    os.kill(self.pid, signal.SIGKILL)
                    os._exit(0)
                part = os.read(self.life, 1 << 16)
                if not part:
                    return os.waitpid(self.pid, 0)[1]
                *lines, self.heard = (self.heard + part).split(b"\n")
                self.texts.update(json.loads(line) for line in lines)

    def close(self) -> None:
        self.close_pipes()
        self.printed.close()
        self.progress.close()

    def close_pipes(self) -> None:
        for fd in (self.token, self.life):
            if fd >= 0:
                os.close(fd)


def serve(protocol: int) -> int:
    """Answers requests until there are no more; gives the exit status."""
    try:
        installation = Installation()
    except Exception as error:
        missing = isinstance(error, ImportError) and error.name == "triton"
        fatal(protocol, "no_triton" if missing else "broken", describe(error))
        return 3
    failures = 0
    texts: dict[str, str] = {}
    active = Child(installation, texts, protocol, [])
    standby = Child(installation, texts, protocol, [active])
    while True:
        active.wake()
        status = active.wait(protocol)
        state = active.progress.get()
        if state.state == READING and status == 0:
            return 0
        if state.state in (READING, WRITING):
            os.write(2, b"a child ended inside a frame\n")
            return 4
        signalled, code = (os.WTERMSIG(status), None) if os.WIFSIGNALED(status) else (None, os.WEXITSTATUS(status))
        if state.state == BUSY:
            write_frame(protocol, {"id": state.request, "died": {
                "signal": signalled, "exit": code, "phase": state.phase,
                "index": state.at if state.at >= 0 else None, "text": state.text or None,
                "in_step_ms": round((time.monotonic() - state.since) * 1000),
                "limit_ms": state.limit if signalled == signal.SIGVTALRM else None,
                "stderr": active.printed.text()}})
        elif code == NO_CONTEXT:
            failures += 1
            if failures > FAILURES:
                fatal(protocol, "broken", "no context can be made: " + active.printed.text())
                return 3
        active.close()
        active, standby = standby, Child(installation, texts, protocol, [standby])


def fatal(protocol: int, kind: str, message: str) -> None:
    write_frame(protocol, {"fatal": {"kind": kind, "message": message}})


def main() -> NoReturn:
    """Serves the stream that is standard input, which carries both directions."""
    protocol = os.dup(0)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        os._exit(serve(protocol))
    except (BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        os._exit(0)
