"""What a child is doing, in a page of memory that its parent sees too and reports from when the child has died."""
from __future__ import annotations

import mmap
import struct
import time
from typing import NamedTuple

IDLE, READING, BUSY, WRITING = range(4)
PHASES = ("none", "resolve", "parse", "run", "print")
FORM = struct.Struct("<BBHiQId")


class State(NamedTuple):
    """Where a child is: in which request, in which phase of it, and at which pass or module (-1: none). `limit` is the
    processor time in milliseconds after which a pass is stopped (0: none)."""

    state: int
    phase: str
    at: int
    request: int
    text: str
    limit: int = 0
    since: float = 0.0  # When it entered the phase, by the clock of `time.monotonic`.


class Progress:
    """The page."""

    def __init__(self) -> None:
        self.page = mmap.mmap(-1, mmap.PAGESIZE)
        self.set()

    def set(self, state: int = IDLE, phase: str = "none", index: int = -1, request: int = 0, text: str = "",
            limit: int = 0) -> None:
        data = text.encode()[:mmap.PAGESIZE - FORM.size]
        self.page[FORM.size:FORM.size + len(data)] = data
        FORM.pack_into(self.page, 0, state, PHASES.index(phase), len(data), index, request, limit,
                       time.monotonic())

    def get(self) -> State:
        state, phase, length, index, request, limit, since = FORM.unpack_from(self.page, 0)
        text = self.page[FORM.size:FORM.size + length].decode("utf-8", "replace")
        return State(state, PHASES[phase], index, request, text, limit, since)

    def at(self, phase: str, index: int = -1, text: str = "", limit: int = 0) -> None:
        """Enters a phase of the current request."""
        self.set(BUSY, phase, index, self.get().request, text, limit)

    def close(self) -> None:
        self.page.close()
