"""Starts the worker: `python -c` runs this text with the size of a zip archive, which comes from standard input ahead
of the first frame and holds this package.

Nothing is imported before the working directory is off the search path: its files are not to be run. The archive goes
to a file without a name, so nobody can change it, and nothing is left behind.
"""
import sys

sys.path[:] = [entry for entry in sys.path if entry]
import os
import zipimport


class Importer(zipimport.zipimporter):
    """Names a module's file without compiling it, as zipimporter does; then each is compiled once."""

    def get_filename(self, fullname: str) -> str:
        name = os.path.join(self.archive, self.prefix, fullname.rpartition(".")[2])
        return os.path.join(name, "__init__.py") if self.is_package(fullname) else name + ".py"


try:
    archive = os.memfd_create("tritonsmith-worker")
except (AttributeError, OSError):  # Python was built for glibc before 2.27, or the system forbids it.
    import tempfile
    with tempfile.TemporaryFile() as file:
        archive = os.dup(file.fileno())
left = int(sys.argv.pop())
while left:
    part = os.read(0, left)
    if not part:
        sys.exit("the worker's archive is cut short")
    os.write(archive, part)
    left -= len(part)
sys.path_hooks.insert(0, Importer)  # type: ignore[arg-type]
sys.path.insert(0, f"/proc/self/fd/{archive}")
from tritonsmith_worker.fork_server import main

del sys.path[0], sys.path_hooks[0]
main()
