"""A worker on the fake Triton, started as src/compiler/worker/process.rs starts one."""
from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
import tempfile
from typing import Any

from tritonsmith_worker import frames

from .places import FAKES, archive, source

SECONDS = 60
TARGET = {"kind": "vendor", "arch": "a1", "warp_size": 32}


class WorkerProcess:
    """The process, with the other end of its protocol."""

    def __init__(self, directory: str | None = None, python_path: str = FAKES, **environment: str) -> None:
        package = archive("tritonsmith_worker")
        self.socket, other_end = socket.socketpair()
        self.printed = tempfile.TemporaryFile()  # noqa: SIM115 - `close` closes it.
        command = [sys.executable, "-c", source("tritonsmith_worker", "boot.py"), str(len(package))]
        self.process = subprocess.Popen(command, stdin=other_end.fileno(), stdout=self.printed, stderr=self.printed,
                                        cwd=directory, env={**os.environ, "PYTHONPATH": python_path, **environment})
        other_end.close()
        self.socket.sendall(package)
        self.number = 0

    def receive(self) -> Any:
        if not select.select([self.socket], [], [], SECONDS)[0]:
            raise TimeoutError
        data = frames.read_frame(self.socket.fileno())
        return None if data is None else json.loads(data)

    def ask(self, do: str, **more: Any) -> Any:
        """The frame that answers a request; that of the child which took it comes first."""
        self.number += 1
        frames.write_frame(self.socket.fileno(), {"v": frames.VERSION, "id": self.number, "do": do, **more})
        frame = self.receive()
        if frame is not None and "pid" in frame:
            self.pid = frame["pid"]
            frame = self.receive()
        return frame

    def run(self, module: str, *texts: str, **more: Any) -> Any:
        """The frame that answers a run of passes given as texts."""
        return self.ask("run", module=module, target=TARGET, passes={"texts": texts}, mode="stepwise", **more)

    def close(self) -> int:
        """Ends the stream, and gives the exit status."""
        self.socket.close()
        self.process.wait(SECONDS)
        self.printed.close()
        return self.process.returncode
