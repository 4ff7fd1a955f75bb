"""One installation of Triton: libtriton with its pass bindings, and the backends. It has no context yet, as a context
starts threads, and threads do not survive a fork."""
from __future__ import annotations

import sys
import types
from typing import Any, Callable

from .bindings import find_bindings


def describe(error: BaseException) -> str:
    """An exception in one phrase."""
    text = str(error).strip()
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class Installation:
    """What is imported, and what differs between versions."""

    def __init__(self) -> None:
        try:
            import setuptools  # noqa: F401
        except ImportError:
            # Wheels up to 3.2 import it without asking for it, and use it only to build launchers for a GPU.
            sys.modules["setuptools"] = types.ModuleType("setuptools")
        import triton
        from triton._C import libtriton
        from triton.backends import backends
        from triton.backends.compiler import GPUTarget
        self.version: str = getattr(triton, "__version__", "unknown")
        self.lib, self.ir, self.gpu_target = libtriton, libtriton.ir, GPUTarget
        self.backends: list[tuple[str, Any]] = sorted(backends.items())
        self.pass_manager = self.ir.pass_manager
        self.has_pipeline_text = hasattr(self.pass_manager, "get_pipeline_str")
        signature = (self.pass_manager.run.__doc__ or "").split("->")[0]
        self.run_takes_name = "str" in signature.split("module", 1)[-1]
        self.bindings = dict(find_bindings(libtriton))

    def bind(self, name: str) -> Callable[..., Any]:
        return self.bindings[name].function

    def run_manager(self, manager: Any, module: Any) -> None:
        if self.run_takes_name:
            manager.run(module, "tritonsmith")
        else:
            manager.run(module)
