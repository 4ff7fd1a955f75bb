"""Exceptions that no stage raised: a broken entry of Triton's cache, or the front end."""
from __future__ import annotations

import hashlib
import json
import os
from typing import Any

from .compiles import Compile
from .events import OUT, RUN, event, phrase, quietly
from .pending import format_exception, rename_or_remove, write


def blamed_file(error: BaseException) -> str | None:
    """The file of Triton's cache that an exception is about, or None where it is about something else."""
    if not isinstance(error, (ValueError, KeyError, OSError, EOFError, StopIteration, AttributeError, TypeError)):
        return None
    frame, found = error.__traceback__, None
    while frame is not None:
        code, values = frame.tb_frame.f_code, frame.tb_frame.f_locals
        file = code.co_filename.replace(os.sep, "/")
        if file.endswith("triton/runtime/cache.py"):
            path: Any = values.get("grp_filepath") or values.get("filepath")
            directory = getattr(values.get("self"), "cache_dir", None)
            found = str(path or directory or "") or found
        elif file.endswith("triton/compiler/compiler.py") and code.co_name in ("compile", "__init__"):
            group = values.get("metadata_group")
            path = values.get("metadata_path")
            if path is None and group:
                path = next(iter(group.values()), None)
            if path is not None and (code.co_name == "__init__" or isinstance(error, json.JSONDecodeError)):
                found = str(path)
        frame = frame.tb_next
    return found


def missing_members(directory: str) -> list[str]:
    """Files that a cache entry names and does not have."""
    found = []
    for name in sorted(os.listdir(directory)):
        if name.startswith("__grp__"):
            with open(os.path.join(directory, name)) as file:
                found += [member for member in json.load(file)["child_paths"].values() if not os.path.exists(member)]
    return found


def listing(path: str) -> tuple[str, str, str]:
    """A cache entry's directory, the file that is to blame, and what is in the directory, for a reader."""
    directory = path if os.path.isdir(path) else os.path.dirname(path)
    try:
        missing = missing_members(directory)
    except Exception:
        missing = []
    path = missing[0] if missing else path
    lines = [f"{directory}:"] + [f"  missing  {os.path.basename(member)}" for member in missing]
    for name in sorted(os.listdir(directory)):
        member = os.path.join(directory, name)
        lines.append(f"{os.path.getsize(member):9}  {name}{'   <- this one' if member == path else ''}")
    if os.path.isfile(path):
        with open(path, "rb") as file:
            lines.append(f"it begins: {file.read(200)!r}")
    return directory, path, "\n".join(lines)


@quietly
def report(compiling: Compile, error: BaseException) -> None:
    """Keeps the facts about a broken entry; of an error of the front end, that there was one."""
    path = blamed_file(error)
    if not path:
        kernel = getattr(compiling.src, "name", None) or "kernel"
        event(event="front", kernel=kernel, error=phrase(error, (str(error).strip().splitlines() or [""])[-1]))
        return
    directory, path, listed = listing(path)
    name = "cache-entry-" + hashlib.sha256(directory.encode()).hexdigest()[:10]
    growing = os.path.join(RUN, f"{os.getpid()}-{name}")
    os.makedirs(growing, exist_ok=True)
    write(growing, "log.txt", "a broken entry of Triton's cache, no failure of the compiler\n"
                              f"{listed}\nraised:\n{format_exception(error)}")
    rename_or_remove(growing, os.path.join(OUT, name))
    event(event="cache", case=name, path=path, directory=directory, error=phrase(error))
