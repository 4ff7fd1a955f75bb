"""Frames, the unit of the protocol: four bytes of length, little endian, then a JSON object."""
from __future__ import annotations

import json
import os
import struct
from typing import Any

VERSION = 1
HEAD = struct.Struct("<I")
JsonObject = dict[str, Any]


class Refused(Exception):
    """A request that has no answer here; `kind` is one of protocol.rs's `RefusalKind`s."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def read_exactly(fd: int, count: int) -> bytes:
    """`count` bytes, or fewer at the end of the stream."""
    parts = []
    while count:
        try:
            part = os.read(fd, min(count, 1 << 20))
        except ConnectionResetError:  # How a socket ends whose other side left something unread.
            break
        if not part:
            break
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest):]


def read_frame(fd: int) -> bytes | None:
    """The JSON text of the next frame; None at the end of the stream."""
    head = read_exactly(fd, HEAD.size)
    if len(head) < HEAD.size:
        return None
    length = HEAD.unpack(head)[0]
    data = read_exactly(fd, length)
    return data if len(data) == length else None


def write_frame(fd: int, value: JsonObject) -> None:
    data = json.dumps(value).encode()
    write_all(fd, HEAD.pack(len(data)) + data)
