"""A stage that is about to run, on disk in the form of a finished case.

The directory is removed when the stage is done and renamed to become a case when it raises; when the process dies it
stays where it is, under `pending`, for src/capture to find.
"""
from __future__ import annotations

import hashlib
import itertools
import json
import os
import sys
import traceback
from typing import Any

from . import compiles
from .compiles import Compile, toml_text, toml_value
from .events import OUT, RUN, event, phrase

ENVIRONMENT = ("TRITON_", "MLIR_", "LLVM_", "AMDGCN_", "CUDA_VISIBLE", "HIP_VISIBLE", "ROCR_VISIBLE", "TORCH", "PTXAS")
counter = itertools.count()


def write(directory: str, name: str, text: str) -> None:
    with open(os.path.join(directory, name), "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)


def remove(directory: str) -> None:
    for name in os.listdir(directory):
        os.unlink(os.path.join(directory, name))
    os.rmdir(directory)


def rename_or_remove(directory: str, place: str) -> None:
    """Moves a directory to its place, unless the same one is there already."""
    try:
        os.rename(directory, place)
    except OSError:
        remove(directory)


def format_exception(error: BaseException) -> str:
    return "".join(traceback.format_exception(type(error), error, error.__traceback__))


class Pending:
    """The directory of a stage."""

    def __init__(self, stage: str, module: Any, backend: Any, options: Any, language: str | None = None) -> None:
        compiling = compiles.running.stack[-1] if compiles.running.stack else Compile(None)
        text = compiles.module_text(module)
        if text is not None:
            compiling.last = text
        if compiling.last is None:
            raise RuntimeError(f"the stage {stage} gets no module")
        target = backend.target
        kind, arch = getattr(target, "backend", None) or target[0], getattr(target, "arch", None) or target[1]
        self.target, self.options = f"{kind}:{arch}", compiles.own_options(backend, options)
        if language not in (None, "triton"):
            self.options["language"] = language  # As the worker's `backends.LANGUAGE`.
        self.src, self.stage, self.module, self.is_module = compiling.src, stage, compiling.last, text is not None
        self.name = compiles.kernel_name(self.src)
        self.place = os.path.join(RUN, "pending", f"{os.getpid()}-{next(counter)}-{stage}")
        growing = self.place + ".new"
        os.makedirs(growing)
        self.fill(growing)
        if isinstance(module, str):  # LLVM IR, or assembly.
            write(growing, f"before-{stage}.txt", module)
        os.rename(growing, self.place)

    def fill(self, directory: str) -> None:
        import triton
        source, place = compiles.kernel_source(self.src)
        origin = f"{self.name}{' of ' + place if place else ''}, captured before the stage {self.stage}."
        case = [f"origin = {toml_text(origin)}", 'module = "input.mlir"', f"target = {toml_text(self.target)}"]
        case += ["", "[options]"]
        case += [f"{name} = {toml_value(value)}" for name, value in sorted(self.options.items())]
        facts = {"stage": self.stage, "kernel": self.name, "triton": triton.__version__, "python": sys.executable,
                 "path": os.path.dirname(os.path.dirname(os.path.abspath(triton.__file__))), "target": self.target,
                 "is_module": self.is_module, "pid": os.getpid()}
        log = [f"kernel: {self.name}{f' ({place})' if place else ''}", f"stage: {self.stage}", f"target: {self.target}",
               f"triton: {triton.__version__} in {sys.executable}", f"command: {sys.argv!r}",
               "arguments:", compiles.signature_text(self.src), "environment:"]
        log += [f"  {name}={value}" for name, value in sorted(os.environ.items())
                if name.startswith(ENVIRONMENT) and not name.endswith(("TOKEN", "KEY"))]
        write(directory, "input.mlir", self.module)
        write(directory, "log.txt", "\n".join(log) + "\n")
        write(directory, "captured.json", json.dumps(facts))
        if source:
            write(directory, "kernel.py", source)
        write(directory, "case.toml", "\n".join(case) + "\n")

    def done(self) -> None:
        remove(self.place)

    def failed(self, error: BaseException) -> None:
        """The directory becomes a case."""
        with open(os.path.join(self.place, "log.txt"), "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write("raised:\n" + format_exception(error))
        content = json.dumps([self.stage, self.target, sorted(self.options.items()), self.module], default=str)
        digest = hashlib.sha256(content.encode("utf-8", "backslashreplace")).hexdigest()[:10]
        kernel = "".join(c if c.isalnum() or c in "_-" else "_" for c in self.name)[:60]
        name = f"{kernel}-{self.stage}-{digest}"
        rename_or_remove(self.place, os.path.join(OUT, name))
        event(event="failed", case=name, error=phrase(error))
