"""What Triton prints while a child serves.

MLIR writes diagnostics to file descriptor 2, below Python. In a child, descriptors 1 and 2 are an unlinked file, so
that what is printed becomes part of an answer and never part of the protocol.
"""
from __future__ import annotations

import fcntl
import os

INPUT_FD = 100  # The module under test is always this file to the parser, so that diagnostics are repeatable ...
INPUT_PATH = f"/proc/self/fd/{INPUT_FD}"
INPUT_NAME = "input.mlir"  # ... and this to the reader.
KEPT = 1 << 20  # Bytes kept from each end of what is printed during one request.


def anonymous_file(name: str) -> int:
    """An open file without a name in any directory."""
    try:
        return os.memfd_create(name)
    except (AttributeError, OSError):  # Python was built for glibc before 2.27, or the system forbids it.
        import tempfile
        with tempfile.TemporaryFile() as file:
            return os.dup(file.fileno())


class PrintedFile:
    """The file that a child's output goes to."""

    def __init__(self) -> None:
        self.fd = anonymous_file("tritonsmith-printed")

    def redirect(self) -> None:
        """Makes it this process's standard output and standard error."""
        fcntl.fcntl(self.fd, fcntl.F_SETFL, fcntl.fcntl(self.fd, fcntl.F_GETFL) | os.O_APPEND)
        os.dup2(self.fd, 1)
        os.dup2(self.fd, 2)

    def size(self) -> int:
        return os.fstat(self.fd).st_size

    def cut(self, size: int = 0) -> None:
        """Forgets what was printed after the first `size` bytes."""
        os.ftruncate(self.fd, size)

    def text(self, start: int = 0) -> str:
        """What was printed from offset `start` on; the middle of very long text is left out."""
        size = self.size()
        if size - start <= 2 * KEPT:
            data = os.pread(self.fd, max(size - start, 0), start)
        else:
            note = f"\n... {size - start - 2 * KEPT} bytes left out ...\n".encode()
            data = os.pread(self.fd, KEPT, start) + note + os.pread(self.fd, KEPT, size - KEPT)
        return data.decode("utf-8", "replace").replace(INPUT_PATH, INPUT_NAME)

    def close(self) -> None:
        os.close(self.fd)
