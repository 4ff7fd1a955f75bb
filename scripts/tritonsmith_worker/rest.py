"""What a stage does beside its passes: the translation to LLVM IR, LLVM's own passes, code generation, an assembler.

It is one step of a run, called `make_llir`, `make_ptx`, `make_cubin` after the backend's methods. The stage's own code
does it: that is called with recorders in the place of its passes, which ran before, one by one.
"""
from __future__ import annotations

import ctypes  # noqa: F401 - `die_with_parent` is called after a fork, where it is not to be imported first.
import os
import subprocess
import tempfile
import types
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Callable

from .backends import stages_of
from .frames import JsonObject
from .installation import Installation, describe
from .modules import Modules
from .processes import die_with_parent
from .recording import Recording, Step, base_metadata, replace_by_recorders

# What backends say where a program of the vendor is not installed.
MISSING_TOOL = ("not found. Set", "Cannot find ptxas", "ROCm linker", "ld.lld' not found", "No such file or directory")


class MissingProgram(Exception):
    """A step cannot be done on this machine, which says nothing about the module."""


def run_rest(modules: Modules, request: JsonObject, step: Step, value: Any, metadata: JsonObject,
             enter: Callable[[str], None]) -> Any:
    """Calls the stage with a module or a text and gives what it makes. `enter` is told each call of LLVM or of an
    assembler as it begins, and an empty name when it is over."""
    backend, gpu = modules.backend(request["target"])
    stages, parsed = stages_of(backend, request.get("options") or {})
    for key, known in base_metadata(parsed, gpu).items():
        metadata.setdefault(key, known)
    with ExitStack() as stack:
        replace_by_recorders(modules.installation, Recording(), stack, translate=True)
        watch_calls(modules.installation, stack, enter)
        # Stages leave files behind when they fail.
        directory = stack.enter_context(tempfile.TemporaryDirectory(prefix="tritonsmith-"))
        stack.callback(setattr, tempfile, "tempdir", tempfile.tempdir)
        tempfile.tempdir = directory
        try:
            return stages[step.rest_of or ""](value, metadata)
        except Exception as error:
            text = describe(error)
            if isinstance(error, FileNotFoundError) or any(sign in text for sign in MISSING_TOOL):
                raise MissingProgram(f"{step.text} needs a program that is not here: {text}") from error
            raise


def watch_calls(installation: Installation, stack: ExitStack, enter: Callable[[str], None]) -> None:
    """Has `enter` told of the calls of LLVM and of other programs."""

    def watched(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            enter(name)
            try:
                return function(*args, **named)
            finally:
                enter("")
        return call

    def replace(owner: Any, name: str, value: object) -> None:
        stack.callback(setattr, owner, name, getattr(owner, name))
        setattr(owner, name, value)

    for owner, name, function in llvm_functions(installation):
        replace(owner, name, watched(name, function))
    parent = os.getpid()

    class Program(subprocess.Popen):  # type: ignore[type-arg]
        """A program that ends with this process."""

        def __init__(self, arguments: Any, *args: Any, **named: Any) -> None:
            named.setdefault("preexec_fn", lambda: die_with_parent(parent))
            super().__init__(arguments, *args, **named)

        def communicate(self, *args: Any, **named: Any) -> Any:
            arguments: Any = self.args
            program = arguments if isinstance(arguments, str) else next(iter(arguments))
            return watched(os.path.basename(str(program)), super().communicate)(*args, **named)

    replace(subprocess, "Popen", Program)


def llvm_functions(installation: Installation) -> Iterator[tuple[Any, str, Callable[..., Any]]]:
    """The functions of libtriton's module `llvm`, and of vendors' modules those that link or assemble."""
    lib = installation.lib
    places = [module for name, _ in installation.backends if (module := getattr(lib, name, None))]
    for owner in filter(None, [getattr(lib, "llvm", None), *places]):
        for name in dir(owner):
            value = getattr(owner, name)
            if callable(value) and not isinstance(value, (type, types.ModuleType)) and not name.startswith("_"):
                yield owner, name, value


def plain_metadata(metadata: JsonObject) -> JsonObject:
    """What of the metadata JSON can hold."""
    plain = (bool, int, float, str, type(None))

    def is_plain(value: object) -> bool:
        return all(isinstance(one, plain) for one in (value if isinstance(value, (tuple, list)) else [value]))

    return {key: list(value) if isinstance(value, tuple) else value
            for key, value in metadata.items() if is_plain(value)}
