"""What happened, for src/capture to read: one JSON object a line in the file `events`."""
from __future__ import annotations

import contextlib
import json
import os
import traceback
from typing import Any, Callable

OUT = os.environ.get("TRITONSMITH_CAPTURE", "")
RUN = os.environ.get("TRITONSMITH_CAPTURE_RUN", "")


def event(**what: Any) -> None:
    """One line, written at once: several processes append to the file."""
    line = json.dumps(dict(what, pid=os.getpid()), default=str).encode() + b"\n"
    fd = os.open(os.path.join(RUN, "events"), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        os.write(fd, line)
    finally:
        os.close(fd)


def quietly(function: Callable[..., Any]) -> Callable[..., Any]:
    """What goes wrong in here is noted for src/capture and otherwise forgotten."""
    def guarded(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except Exception:
            with contextlib.suppress(Exception):
                event(event="trouble", text=traceback.format_exc(limit=-3))
            return None
    return guarded


def phrase(error: BaseException, text: str | None = None) -> str:
    """An exception in one phrase of limited length."""
    return f"{type(error).__name__}: {(str(error) if text is None else text)[:500]}"
