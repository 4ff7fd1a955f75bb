"""MLIR modules in a context: parsed from text and printed as text.

A context never frees a type or an attribute, so a fresh one is taken now and then; what was made in the old one is then
dropped from every cache that was registered here.
"""
from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Any

from .backends import backend_for
from .frames import JsonObject, write_all
from .installation import Installation
from .printed import INPUT_FD, INPUT_NAME, INPUT_PATH, anonymous_file

CONTEXT_USES = 1000
STRING = r'"(?:[^"\\]|\\.)*"'
LOCATION_TOKEN = re.compile(rf"{STRING}| loc\(|[()]")


class Modules:
    """The current context, and the modules of it."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.loaded: set[type] = set()
        self.caches: list[dict[str, Any]] = []  # What they hold belongs to the context.
        self.refresh()

    def refresh(self) -> None:
        """Takes a fresh context."""
        self.loaded.clear()
        for cache in self.caches:
            cache.clear()
        self.context = self.installation.ir.context()
        self.installation.ir.load_dialects(self.context)
        self.uses = 0
        for _, backend in self.installation.backends:
            with suppress(Exception):  # A backend that needs an instance gets its turn in `backend`.
                backend.compiler.load_dialects(None, self.context)

    def refresh_in_fork(self) -> None:
        """Takes a fresh context in a fork. The one before is kept: it would wait for threads that are not here."""
        self.inherited = self.context
        self.refresh()

    def refresh_if_used_up(self) -> None:
        if self.uses > CONTEXT_USES:
            self.refresh()

    def backend(self, target: JsonObject) -> tuple[Any, Any]:
        """The backend for a target, its dialects loaded, and the target as Triton sees it."""
        backend, gpu = backend_for(self.installation, target)
        if type(backend) not in self.loaded:
            backend.load_dialects(self.context)
            self.loaded.add(type(backend))
        return backend, gpu

    def parse(self, text: str) -> Any:
        """The module, or None where it does not parse or verify; diagnostics are printed."""
        self.uses += 1
        fd = anonymous_file("tritonsmith-input")
        os.dup2(fd, INPUT_FD, inheritable=False)
        os.close(fd)
        write_all(INPUT_FD, text.encode("utf-8", "surrogatepass"))
        try:
            return self.adopt(self.installation.ir.parse_mlir_module(INPUT_PATH, self.context))
        except RuntimeError:
            return None

    def adopt(self, module: Any) -> Any:
        """A module that was made in this context, with the context set, as Triton's own code expects it."""
        module.context = self.context
        return module

    def show(self, module: Any, locations: bool = False) -> str:
        """A module as text. Printing verifies it, and says what is wrong."""
        if not locations and hasattr(module, "str_nodebug"):
            return str(module.str_nodebug())
        text = str(module.str() if hasattr(module, "str") else module)
        return text.replace(INPUT_PATH, INPUT_NAME) if locations else strip_locations(text)


def strip_locations(text: str) -> str:
    """Printed IR without ` loc(…)` at the end of operations and arguments, however deep, and without the aliases of
    locations."""
    text = "\n".join(line for line in text.split("\n") if not re.match(r"#\w+ = loc\(", line))
    kept, end, depth = [], 0, 0
    for token in LOCATION_TOKEN.finditer(text):
        if depth == 0 and token.group() == " loc(":
            kept.append(text[end:token.start()])
            depth = 1
        elif depth > 0 and token.group() in ("(", ")", " loc("):
            depth += -1 if token.group() == ")" else 1
            end = token.end()
    return "".join([*kept, text[end:]])
